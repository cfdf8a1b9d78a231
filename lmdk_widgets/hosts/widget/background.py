"""The runner of a page in a kernel: one slice after another in a thread, each result passed to the kernel's event loop.

A slice of a solve may take seconds, and in one thread the page would wait for it. NumPy and HiGHS let other threads run
meanwhile, so messages are answered within milliseconds. Everything except the slice itself happens on the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from math import inf
from time import monotonic
from typing import Any

from lmdk_widgets.page.runner import SWITCH_S, Inline, Urgent, Work

REST_S = 0.4
"""The seconds without a change after which better outcomes are looked for: while a slider moves, and until its answer is
drawn, the page has the processor to itself."""


class Background(Inline):
    """A `Runner` in a thread; what somebody may look at waits `REST_S` for the next change, and a file is read at once.

    Slices of two iterators never run at the same time: a new one waits until the running slice has ended. Without a
    running event loop (a script, a test) nothing happens until `finish` is called, or `wake` from within a loop.
    """

    def __init__(self, urgent: Urgent | None = None) -> None:
        super().__init__(urgent)
        self._slices = threading.Lock()
        self._task: asyncio.Task | None = None
        self._found: deque[tuple[Work, Any]] = deque()  # results in their order, until they are taken

    @property
    def beside(self) -> bool:
        return running_loop() is not None

    def submit(self, steps: Iterator[Any], each: Callable[[Any], None]) -> None:
        super().submit(steps, each)
        self._task = None
        self.wake()

    def wake(self) -> None:
        if self._work is None or (self._task is not None and not self._task.done()):
            return
        loop = running_loop()
        if loop is not None:
            sys.setswitchinterval(min(SWITCH_S, sys.getswitchinterval()))
            self._task = loop.create_task(self._run(loop, self._work))

    def cancel(self) -> None:
        super().cancel()
        self._task = None

    async def _run(self, loop: asyncio.AbstractEventLoop, work: Work) -> None:
        if self._urgent is not None:
            await asyncio.sleep(REST_S)
        while self._work is work:
            answer: asyncio.Future = loop.create_future()
            threading.Thread(target=self._answer, args=(loop, answer, work), daemon=True).start()
            await answer
            self._take_found()

    def finish(self, seconds: float = inf) -> None:
        ends = monotonic() + seconds
        while self._work is not None and monotonic() < ends:
            self._slice(self._work)
            self._take_found()  # first what a thread has found, which the loop cannot pass on meanwhile

    def _take_found(self) -> None:
        while self._found:
            self._take(*self._found.popleft())

    def _answer(self, loop: asyncio.AbstractEventLoop, answer: asyncio.Future, work: Work) -> None:
        self._slice(work)

        def hand_over() -> None:
            if not answer.cancelled():
                answer.set_result(None)

        with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(hand_over)

    def _slice(self, work: Work) -> Any:
        with self._slices:
            found = super()._slice(work)
            self._found.append((work, found))
            return found


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The event loop that runs here; None in a script or a test."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
