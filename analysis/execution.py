"""Where parts of a job run: here, one after another, or on a Dask cluster. The job is the same."""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from distributed import Client


class Adds(Protocol):
    """Something whose parts add up."""

    def __add__(self, other: Self) -> Self:
        """Return the sum."""
        ...


class Execution(Protocol):
    """Computes the parts of a job somewhere and adds them up."""

    def total[P, S, T: Adds](self, part: Callable[[P, S], T], places: Sequence[P], shared: S) -> T:
        """Return the sum of ``part(place, shared)`` over at least one place.

        Args:
            part: computes one part; it can be sent elsewhere.
            places: what distinguishes the parts, such as file names that every worker can read.
            shared: what all parts need; it is sent once.
        """
        ...


class Here:
    """Runs every part in this process; only the sum so far and one part are in memory."""

    def total[P, S, T: Adds](self, part: Callable[[P, S], T], places: Sequence[P], shared: S) -> T:
        """Return the sum of all parts, one after another."""
        return reduce(add, (part(place, shared) for place in places))


class OnDask:
    """Runs parts on the workers of a cluster, and adds them up there in pairs."""

    def __init__(self, client: Client) -> None:
        """Use a cluster that somebody else started and will stop."""
        self._client = client

    def total[P, S, T: Adds](self, part: Callable[[P, S], T], places: Sequence[P], shared: S) -> T:
        """Return the sum of all parts."""
        everywhere: object = self._client.scatter(shared, broadcast=True)  # type: ignore[no-untyped-call] # Dask has none
        waiting = [self._client.submit(part, place, everywhere, pure=False) for place in places]
        while len(waiting) > 1:
            pairs = [waiting[index : index + 2] for index in range(0, len(waiting), 2)]
            waiting = [self._client.submit(add, *two, pure=False) if len(two) == 2 else two[0] for two in pairs]  # noqa: PLR2004 - the last may be alone
        result: T = waiting[0].result()
        return result
