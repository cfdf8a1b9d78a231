"""Long work in the background, slice by slice: what a page needs from its host, and the runner of a page without one.

A slice of a solve may take seconds. The host decides where it runs: in a thread next to a kernel's event loop, in another
process, or here and now. A page hands over an iterator and is called back with each of its results; all pages report
progress in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any, Protocol

END = object()
"""After the last result."""

SWITCH_S = 0.001
"""The seconds after which a thread that computes in Python lets another continue, such as the one that answers a slider."""

Urgent = Callable[[], bool]
"""Whether someone is looking at the result of the next slice; asked again each time."""

Work = tuple[Iterator[Any], Callable[[Any], None]]
"""An iterator, and what is called with each of its results."""


@dataclass(frozen=True)
class Progress:
    """Work that is under way, or that ended early.

    Attributes
    ----------
    text : a sentence; "" if there is nothing to say. share : of the work that is done, 0 to 1; None if unknown.
    """

    text: str = ""
    share: float | None = None


class Runner(Protocol):
    """Runs one iterator at a time; submitting another cancels the one before."""

    @property
    def busy(self) -> bool:
        """Whether there is work that is neither finished nor cancelled."""

    @property
    def beside(self) -> bool:
        """Whether work runs by itself now; otherwise it waits until `finish` is called."""

    def submit(self, steps: Iterator[Any], each: Callable[[Any], None]) -> None:
        """Runs `steps`, and calls `each` with every result, or an exception, and finally with `END`."""

    def wake(self) -> None:
        """Starts work that was waiting for something to run it, if that is possible now."""

    def cancel(self) -> None:
        """Drops the work; the slice under way ends by itself and its result is ignored."""

    def finish(self, seconds: float = inf) -> None:
        """Does the rest of the work here and now; after so many seconds, no further slice is begun."""


class Inline:
    """A `Runner` that does nothing by itself: all of the work is done when it is asked to `finish`.

    Parameters
    ----------
    urgent : whether someone is waiting for the next slice, for a host that runs many pages; None for reading a file.

    Examples
    --------
    >>> found, runner = [], Inline()
    >>> runner.submit(iter([1, 2]), lambda result: found.append("end" if result is END else result))
    >>> runner.finish()
    >>> found
    [1, 2, 'end']
    """

    def __init__(self, urgent: Urgent | None = None) -> None:
        self._urgent = urgent
        self._work: Work | None = None

    @property
    def busy(self) -> bool:
        return self._work is not None

    @property
    def beside(self) -> bool:
        return False

    def submit(self, steps: Iterator[Any], each: Callable[[Any], None]) -> None:
        self._work = (steps, each)

    def wake(self) -> None:
        pass

    def cancel(self) -> None:
        self._work = None

    def finish(self, seconds: float = inf) -> None:
        ends = monotonic() + seconds
        while self._work is not None and monotonic() < ends:
            work = self._work
            self._take(work, self._slice(work))

    def _slice(self, work: Work) -> Any:
        """One slice: its result, `END`, or the exception that ended it."""
        if self._work is not work:
            return END  # cancelled while it waited for its turn
        try:
            return next(work[0], END)
        except Exception as error:
            return error

    def _take(self, work: Work, found: Any) -> None:
        if self._work is not work:
            return  # cancelled, or replaced
        if found is END or isinstance(found, Exception):
            self._work = None
        work[1](found)
