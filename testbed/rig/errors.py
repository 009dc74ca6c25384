"""What can go wrong while the parts are put together."""


class RigError(Exception):
    """A part did not do what it must; the text says which, why, and what to look at."""


class PartError(RigError):
    """A process did not come up or ended by itself; the text holds the end of its log."""


class AnswerError(RigError):
    """An answer over HTTP or WebSocket was refused or does not have the expected shape."""


class VerdictError(RigError):
    """The run came to an end, and what it found is not what the default home must show."""
