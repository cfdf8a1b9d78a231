"""The processes that compute pages, as the server sees them: one per core, and each visitor in the one with the fewest.

When many arrive at once, as after the end of a process, all processes share the work of opening their pages.

When a process ends, nothing is lost: its visitors' browsers immediately connect to another process and tell it what
was chosen. Meanwhile, another process starts. On Linux all of them are forked from one
(`forking_process.py`), so what they import is in memory only once.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import psutil

from lmdk_widgets.errors import LOG
from lmdk_widgets.hosts.serving.allowed_memory import used_bytes, whole_bytes
from lmdk_widgets.hosts.serving.frames import ANSWERED, CLOSE, HEAD, MESSAGE, OPEN, READY, STATE, STATED
from lmdk_widgets.hosts.serving.memory_limit import trim

PACKAGES = str(Path(__file__).parents[3])
PROGRAM = f"import sys; sys.path.append({PACKAGES!r}); from lmdk_widgets.hosts.serving.{{}} import main; main()"
"""What a process is started with: neither the working directory nor a user's folder may shadow a module."""
ALLOCATED = {"MALLOC_TRIM_THRESHOLD_": str(8 << 20)}
"""Tells the C library of Linux to return freed arrays. By default it learns to keep them, a quarter of a busy process's
memory. Other systems ignore this name."""
LOOK_S = 5.0
"""Seconds between two looks at the memory of all processes."""
FEWEST = 2
"""The fewest processes, however few cores there are: when one ends, another immediately takes over its visitors."""
ENDING_S = 5.0
"""The most seconds that a process has to end."""
MOMENT_S = 0.3
"""The most seconds that a visitor waits for a process that is starting while others are ready."""
BEAT_S, STILL_S, SILENT_S = 1.0, 5.0, 60.0
"""Seconds between two looks at whether a process hangs; those without an answer or processor time, and without an answer,
after which it is ended while somebody waits for it."""
ALMOST = 7 / 8
"""The share of the memory allowed beyond which no further page opens."""
AGAIN_S = 1.0
"""Seconds before a process that ended before it was ready is restarted."""


class Visitor(Protocol):
    """A connection to a browser."""

    names: bytes
    """Of its person and its network, 4 bytes each, for the order of who waits in a process."""

    def told(self, content: bytes) -> None:
        """Its page has sent something."""

    def answered(self) -> None:
        """A message from the browser was handled."""

    def stated(self, opened: bool, arriving: bool, kept: int) -> None:
        """Whether it has a page, whether a file is arriving, and how many bytes of files the process keeps."""

    def lost(self) -> None:
        """The process of its page has ended."""

    @property
    def waits(self) -> bool:
        """Whether it has asked something that is not answered yet."""

    @property
    def arriving(self) -> bool:
        """Whether its page is still being opened."""


class Stem:
    """The process that forks for all, and the server's end of the socket to it.

    Parameters
    ----------
    about : what every process is told.
    """

    def __init__(self, about: dict[str, Any]) -> None:
        self.about, self.pid = about, 0
        self._there = asyncio.Event()
        self._ours: socket.socket | None = None

    async def run(self) -> None:
        """Start the process, and wait for its end."""
        with suppress(FileNotFoundError):
            os.unlink(self.about["reader"])
        self._ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-P", "-c", PROGRAM.format("forking_process"), json.dumps(self.about)]
            how = {"stdin": theirs, "env": ALLOCATED | os.environ, "start_new_session": True}
            made = await asyncio.create_subprocess_exec(*command, **how)  # type: ignore[arg-type]
        try:
            self.pid = made.pid
            self._there.set()
            await made.wait()
        finally:
            self._there.clear()
            self.pid = 0
            self._ours.close()
            kill(made)
            await over(made)

    async def forked(self) -> Forked:
        """Another computing process, as soon as there is one."""
        await self._there.wait()
        assert self._ours is not None
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._ours, [b"."], [theirs.fileno()])
        return Forked(*await asyncio.open_connection(sock=ours))


class Forked:
    """A forked process, with the interface of `asyncio.subprocess.Process`: it has ended when its socket is closed."""

    def __init__(self, stdout: asyncio.StreamReader, stdin: asyncio.StreamWriter) -> None:
        self.stdout, self.stdin = stdout, stdin
        self.pid = 0
        """Its number, once it has told us."""

    @property
    def returncode(self) -> int | None:
        """None while it may be running."""
        return 0 if self.stdout.at_eof() or not self.pid else None

    async def wait(self) -> int:
        """Wait until it has ended."""
        self.stdin.close()
        with suppress(ConnectionError):
            while await self.stdout.read(2**16):
                pass
        return 0


class Worker:
    """A process, and the visitors whose pages it computes.

    Parameters
    ----------
    about : what it is told. stem : forks it; None if a separate process is started.
    """

    def __init__(self, about: dict[str, Any], stem: Stem | None = None) -> None:
        self.about, self._stem = about, stem
        self.pages: dict[str, Any] = {}
        self.visitors: dict[int, Visitor] = {}
        self.ready = asyncio.Event()
        self.process: asyncio.subprocess.Process | Forked | None = None
        self._answers = 0
        self._heard = self._still = (-1.0, 0.0)  # how many answers, and how much processor time, and since when

    @property
    def pid(self) -> int:
        """The number of the process; 0 before it has started."""
        return self.process.pid if self.process else 0

    @property
    def arriving(self) -> int:
        """The number of visitors whose pages it is opening."""
        return sum(visitor.arriving for visitor in self.visitors.values())

    async def run(self) -> None:
        """Start the process, and listen to it until it ends; then tell its visitors."""
        self.process = await (self._stem.forked() if self._stem else self._started())
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                await self._listen()
        finally:
            self.ready.clear()
            self.end()
            visitors, self.visitors = self.visitors, {}
            for visitor in visitors.values():
                visitor.lost()
            await over(self.process)

    async def _started(self) -> asyncio.subprocess.Process:
        pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE, "env": ALLOCATED | os.environ}
        command = [sys.executable, "-P", "-c", PROGRAM.format("compute"), json.dumps(self.about)]
        return await asyncio.create_subprocess_exec(*command, **pipes, start_new_session=True)  # type: ignore[arg-type]

    async def _listen(self) -> None:
        assert self.process is not None and self.process.stdout is not None
        while True:
            length, what, number = HEAD.unpack(await self.process.stdout.readexactly(HEAD.size))
            content = await self.process.stdout.readexactly(length) if length else b""
            if what == READY:
                if isinstance(self.process, Forked):
                    self.process.pid = number
                self.pages = json.loads(content)
                self.ready.set()
            elif visitor := self.visitors.get(number):
                if what == ANSWERED:
                    self._answers += 1
                    visitor.answered()
                elif what == MESSAGE:
                    visitor.told(content)
                elif what == STATE:
                    visitor.stated(*STATED.unpack(content))

    def say(self, what: int, number: int, content: bytes = b"") -> None:
        """Tell the process something about a visitor."""
        if self.process and self.process.stdin and not self.process.stdin.is_closing():
            self.process.stdin.write(HEAD.pack(len(content), what, number) + content)

    async def drained(self) -> None:
        """Wait while the process has much to read."""
        if self.process and self.process.stdin:
            with suppress(ConnectionError):
                await self.process.stdin.drain()

    def end(self) -> None:
        """End the process: there is nothing in it to save."""
        if self.process:
            kill(self.process)

    def hangs(self, now: float, processor_s: float) -> bool:
        """Whether somebody waits for this process, and it has neither answered anything nor used processor time for
        `STILL_S`, or has answered nothing for `SILENT_S`. To be asked every second.

        Parameters
        ----------
        now : seconds on the clock. processor_s : what the process has used so far.
        """
        if self._answers != self._heard[0] or not any(visitor.waits for visitor in self.visitors.values()):
            self._heard, self._still = (self._answers, now), (processor_s, now)
        elif processor_s != self._still[0]:
            self._still = processor_s, now
        return now - self._heard[1] >= SILENT_S or now - self._still[1] >= STILL_S


def processor_time(pid: int) -> float:
    """The seconds that all cores together have worked for a process; 0 for one that has ended."""
    try:
        return sum(psutil.Process(pid).cpu_times()[:2])
    except psutil.Error:
        return 0.0


class Pool:
    """All processes of a server.

    Parameters
    ----------
    about : what each is told: track, timezone, memory_mb, the address of the file reader, or "", and whether processes
    that compute are forked.
    many : how many; None for one per core. memory_mb : the most memory in total; 0 for three quarters of the machine's.
    """

    def __init__(self, about: dict[str, Any], many: int | None = None, memory_mb: int = 0) -> None:
        self.scarce = False  # whether they use more memory than they may
        self._limit = memory_mb << 20 or 3 * whole_bytes() // 4
        self._about, self._stem = about, Stem(about) if about.get("reader") else None
        self._workers = [Worker(about) for _ in range(many or max(FEWEST, cores()))]
        self._tasks: list[asyncio.Task[None]] = []
        self._last = 0

    def start(self) -> None:
        """Start all of them, and look after them."""
        self._tasks = [asyncio.create_task(self._kept(k)) for k in range(len(self._workers))]
        self._tasks.append(asyncio.create_task(self._forking()))
        self._tasks.append(asyncio.create_task(self._watched()))
        self._tasks.append(asyncio.create_task(self._beating()))

    async def stop(self) -> None:
        """End all of them."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def enter(self, visitor: Visitor) -> tuple[Worker, int]:
        """A process for a visitor, as soon as one is ready, and the visitor's number in it."""
        worker = min(await self._ready(), key=lambda one: (one.arriving, len(one.visitors)))
        self._last = self._last % (2**32 - 1) + 1
        worker.visitors[self._last] = visitor
        worker.say(OPEN, self._last, visitor.names)
        return worker, self._last

    async def pages(self) -> dict[str, Any]:
        """What a browser must know about the computed pages, as soon as a process says it."""
        return (await self._ready())[0].pages

    async def _ready(self) -> list[Worker]:
        """The processes that are ready: all of them, or at least one after a moment."""
        moment = asyncio.get_running_loop().time() + MOMENT_S
        while True:
            ready = [worker for worker in self._workers if worker.ready.is_set()]
            if len(ready) == len(self._workers) or (ready and asyncio.get_running_loop().time() >= moment):
                return ready
            await asyncio.sleep(0.02)

    def leave(self, worker: Worker, number: int) -> None:
        """A visitor has gone, with everything in their pages."""
        if worker.visitors.pop(number, None) is not None:
            worker.say(CLOSE, number)

    async def _kept(self, k: int) -> None:
        while True:
            worker = self._workers[k] = Worker(self._about, self._stem if self._about["forks"] else None)
            was_ready = False
            try:
                running = asyncio.create_task(worker.run())
                waiting = asyncio.create_task(worker.ready.wait())
                await asyncio.wait([running, waiting], return_when=asyncio.FIRST_COMPLETED)
                was_ready = worker.ready.is_set()
                waiting.cancel()
                await running
            except OSError as error:  # a full disk, no memory, too many processes
                LOG.error("A process for pages could not be started: %s.", error.strerror)
            finally:
                running.cancel()
                worker.end()
                await asyncio.wait([running], timeout=ENDING_S)
            LOG.error("A process that computes pages has ended; another one is starting.")
            if not was_ready:
                await asyncio.sleep(AGAIN_S)

    async def _forking(self) -> None:
        """Keep the forking process running."""
        while self._stem:
            with suppress(OSError):
                await self._stem.run()
            await asyncio.sleep(AGAIN_S)

    async def _watched(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            await asyncio.to_thread(trim)  # what has passed through this process
            with suppress(psutil.Error):
                await self.look_at_memory()

    async def look_at_memory(self, used: Callable[[list[int], int], list[int]] = used_bytes) -> None:
        """Check how much memory this process and all that it started use, readers and writers among them. Shortly before the
        limit, nobody is let in; beyond it, the process that uses most is ended, but neither this one nor the one that
        forks, whose memory all share."""
        spared = {os.getpid(), self._stem.pid if self._stem else 0}
        numbers = [one.pid for one in family(os.getpid())]
        found = await asyncio.to_thread(used, numbers, self._limit)
        self.scarce = sum(found) > ALMOST * self._limit
        each = [(used, pid) for used, pid in zip(found, numbers, strict=True) if pid not in spared]
        if sum(found) > self._limit and each:
            most, number = max(each)
            LOG.error(
                "The server uses %d MB, more than the %d MB allowed: the process that uses %d MB is ended.",
                sum(found) >> 20,
                self._limit >> 20,
                most >> 20,
            )
            with suppress(psutil.Error):
                psutil.Process(number).kill()

    async def _beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            self.look_for_hanging(time.monotonic())

    def look_for_hanging(self, now: float, processor_s: Callable[[int], float] = processor_time) -> None:
        """End the processes that hang; others take their place, and their visitors go on there."""
        for worker in self._workers:
            if worker.ready.is_set() and worker.hangs(now, processor_s(worker.pid)):
                LOG.error("A process that computes pages does not answer: it is ended.")
                worker.end()


def kill(process: asyncio.subprocess.Process | Forked) -> None:
    """End a process; those who wait for it are told. (With its own `kill` they would not be.)"""
    if process.returncode is None:
        with suppress(OSError):
            os.kill(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


async def over(process: asyncio.subprocess.Process | Forked) -> None:
    """Wait until a process has ended, and close its pipes: the loop may be closed next."""
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), ENDING_S)
    if not isinstance(process, Forked):
        getattr(process, "_transport").close()  # noqa: B009


def family(pid: int) -> list[psutil.Process]:
    """A process and all its descendants, above all file readers."""
    try:
        found = psutil.Process(pid)
        return [found, *found.children(recursive=True)]
    except psutil.Error:
        return []


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
