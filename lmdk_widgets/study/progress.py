"""A study's progress and the time left, in one line on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import TextIO

from lmdk_widgets.page.amounts import whole
from lmdk_widgets.page.sentences import sentence

EVERY_S, EVERY_LINE_S = 0.5, 30.0
"""Seconds between two updates, on a terminal and in a file."""

BAR = 24
"""Length of the bar, in characters."""


class Progress:
    """Shows how many evaluations are done, and the time left at this run's pace.

    Parameters
    ----------
    total : evaluations in the study. before : those already done. out : where to write; None: standard error, if that
        is a terminal. clock : seconds, for tests.
    """

    def __init__(
        self, total: int, before: int = 0, *, out: TextIO | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self.total, self.before, self.done = total, before, before
        stderr = sys.stderr if sys.stderr is not None and sys.stderr.isatty() else None
        self._out, self._clock = out or stderr, clock
        self._start = self._told = clock()
        self._line = self._out is not None and self._out.isatty()

    def add(self, evaluations: int) -> None:
        """Count this many more as done."""
        self.done += evaluations
        if self._out is None:
            return
        now = self._clock()
        if now - self._told >= (EVERY_S if self._line else EVERY_LINE_S):
            self._told = now
            self._write(self.text())

    def text(self) -> str:
        """The progress line.

        Examples
        --------
        >>> times = iter([0.0, 30.0])
        >>> line = Progress(1000, 100, clock=lambda: next(times))
        >>> line.add(300)
        >>> line.text()
        '[#########...............]  400 of 1,000 evaluations, 1 min left'
        """
        full = BAR * self.done // self.total
        bar = "#" * full + "." * (BAR - full)
        spent, made = self.seconds, self.done - self.before
        left = f", {duration(spent / made * (self.total - self.done))} left" if made else ""
        said, done, of = "[{bar}]  {done} of {evaluations} evaluations{left}", whole(self.done), whole(self.total)
        return sentence(said, bar=bar, done=done, evaluations=of, left=left)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._start

    def end(self) -> None:
        """Write the final line."""
        if self._line and self._told > self._start:
            self._write(f"{self.text()}\n")

    def _write(self, text: str) -> None:
        assert self._out is not None
        self._out.write(f"\r{text:<78}" if self._line else f"{text}\n")
        self._out.flush()


def duration(seconds: float) -> str:
    """A duration in words, to about a tenth.

    Examples
    --------
    >>> [duration(seconds) for seconds in (0.4, 59.4, 100, 3900, 90_000)]
    ['1 s', '59 s', '1 min 40 s', '1 h 5 min', '25 h']
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 600:
        return _two(whole, 60, "min", "s")
    minutes = round(whole / 60)
    return (
        f"{minutes} min"
        if minutes < 60
        else _two(minutes, 60, "h", "min")
        if minutes < 600
        else f"{round(minutes / 60)} h"
    )


def _two(value: int, base: int, large: str, small: str) -> str:
    most, rest = divmod(value, base)
    return f"{most} {large} {rest} {small}" if rest else f"{most} {large}"
