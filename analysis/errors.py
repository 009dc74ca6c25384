"""What can go wrong when evidence is read, fitted or evaluated."""


class AnalysisError(Exception):
    """The analysis cannot go on; the message says what to do."""


class EvidenceError(AnalysisError):
    """A file of evidence does not have the agreed form."""


class ReplayError(AnalysisError):
    """What was regenerated is not what was published."""
