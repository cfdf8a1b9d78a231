"""Long work beside a page: one slice after the other in a thread, each result handed to the kernel's event loop.

A slice of a solve may take seconds, and in one thread the page would wait for it. NumPy and HiGHS let other threads run
meanwhile, so messages are answered within milliseconds. Everything but the slice itself happens on the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

END = object()
"""After the last result."""

Work = tuple[Iterator[Any], Callable[[Any], None]]
"""An iterator, and what is called with each of its results."""


class Background:
    """Runs one iterator at a time; to start another cancels the one before.

    Slices of two iterators never run at once: a new one waits until the slice that is under way has ended. Without a
    running event loop (a script, a test) nothing happens until `finish` is called, or `wake` from within a loop.

    Parameters
    ----------
    turn : what each slice waits for and keeps meanwhile, asked for anew each time; a slice that was cancelled while it
        waited is not begun.
    """

    def __init__(self, turn: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext) -> None:
        self._turn = turn
        self._slices = threading.Lock()
        self._task: asyncio.Task | None = None
        self._work: Work | None = None

    @property
    def busy(self) -> bool:
        """Whether there is work that was neither finished nor cancelled."""
        return self._work is not None

    def start(self, steps: Iterator[Any], each: Callable[[Any], None]) -> None:
        """Runs `steps`, and calls `each` on the event loop with every result, or an exception, and with `END` at last."""
        self._work = (steps, each)
        self._task = None
        self.wake()

    def wake(self) -> None:
        """Begins what is waiting for an event loop, if there is one now."""
        if self._work is None or (self._task is not None and not self._task.done()):
            return
        loop = running_loop()
        if loop is not None:
            self._task = loop.create_task(self._run(loop, self._work))

    def cancel(self) -> None:
        """Drops the work; the slice under way ends by itself and its result is not looked at."""
        self._work = None
        self._task = None

    def finish(self) -> None:
        """Does the rest of the work here and now."""
        while self._work is not None:
            work = self._work
            self._take(work, self._slice(work))

    async def _run(self, loop: asyncio.AbstractEventLoop, work: Work) -> None:
        while self._work is work:
            answer: asyncio.Future = loop.create_future()
            threading.Thread(target=self._answer, args=(loop, answer, work), daemon=True).start()
            self._take(work, await answer)

    def _answer(self, loop: asyncio.AbstractEventLoop, answer: asyncio.Future, work: Work) -> None:
        found = self._slice(work)

        def hand_over() -> None:
            if not answer.cancelled():
                answer.set_result(found)

        with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(hand_over)

    def _slice(self, work: Work) -> Any:
        """One slice: its result, `END`, or the exception that ended it."""
        with self._slices, self._turn():
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


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The event loop that runs here; None in a script or a test."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
