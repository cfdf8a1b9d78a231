"""How many people are connected, how much memory that takes, and a line in the terminal that says so."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, TextIO

import psutil
from tornado.ioloop import PeriodicCallback

from lmdk_widgets.hosts.serving.allowed_memory import allowed
from lmdk_widgets.hosts.serving.classroom.room import Bell
from lmdk_widgets.hosts.serving.sockets import Room
from lmdk_widgets.page.amounts import whole
from lmdk_widgets.page.sentences import Written, sentence

LOOK_S = 1.0
MEASURE_EVERY = 10
"""Looks between two measurements of memory, each of which reads the tables of every process."""
SELDOM_S = 60.0
"""Minimum seconds between two lines in a log that is not a terminal."""
SCARCE = 0.1
"""Share of the machine's memory; if less is free, that deserves a warning."""


@dataclass(frozen=True)
class Memory:
    """Bytes: used by the server with all its kernels, free on this machine or in this container, and its total."""

    used: int
    free: int
    whole: int

    @property
    def scarce(self) -> bool:
        """Whether the machine is about to run out of it."""
        return self.free < SCARCE * self.whole


@dataclass(frozen=True)
class Count:
    """Who is connected: people with a page, their pages, the most pages allowed, and the memory used in total."""

    people: int
    pages: int
    most: int
    memory: Memory | None = None

    def to_dict(self) -> dict[str, Any]:
        """The values for the overview, with the memory in words."""
        return asdict(self) | {"memory": memory_words(self.memory), "scarce": bool(self.memory and self.memory.scarce)}

    def line(self) -> str:
        """One line for the terminal.

        Examples
        --------
        >>> Count(1, 2, 1000, Memory(460_000_000, 3_140_000_000, 8_200_000_000)).line()
        '1 person connected, 2 of 1,000 pages open. Memory: 0.46 GB used; 3.1 of 8.2 GB free.'
        """
        words = memory_words(self.memory)
        memory = sentence(" Memory: {used} used; {free} free.", **words) if words else ""
        return sentence(
            "{people} {noun} connected, {pages} of {most_pages} pages open.{memory}",
            people=whole(self.people),
            noun="person" if self.people == 1 else "people",
            pages=whole(self.pages),
            most_pages=whole(self.most),
            memory=memory,
        )


def memory_words(memory: Memory | None) -> dict[str, str]:
    """Amounts of memory in words; empty before the first measurement."""
    if memory is None:
        return {}
    free, of = (Written(f"{size / 1e9:.1f}", size) for size in (memory.free, memory.whole))
    return {
        "used": Written(f"{memory.used / 1e9:.2f} GB", memory.used),
        "free": sentence("{free} of {memory} GB", free=free, memory=of),
    }


def measured() -> Memory:
    """The memory of this process and all its descendants; shared memory counts once."""
    own, used = psutil.Process(), 0
    for process in [own, *own.children(recursive=True)]:
        try:
            found = process.memory_full_info()
        except psutil.Error:  # it has just ended
            continue
        used += getattr(found, "pss", found.uss)
    machine = psutil.virtual_memory()
    free, whole = min((machine.available, machine.total), allowed() or (machine.available, machine.total))
    return Memory(round(used, -7), round(free, -8), whole)


class Terminal:
    """A line that changes in place; in a log, which is not a terminal, an occasional new line."""

    def __init__(self, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.out, self._clock = out or sys.stdout, clock
        self._last, self._said = float("-inf"), (0, 0)

    def say(self, count: Count) -> None:
        """Show who is connected."""
        if self.out.isatty():
            width = shutil.get_terminal_size().columns - 1
            self.out.write(f"\r\x1b[K{count.line()[:width]}")
            self.out.flush()
            return
        people = (count.people, count.pages)
        if people != self._said and self._clock() - self._last >= SELDOM_S:
            self._last, self._said = self._clock(), people
            print(count.line(), file=self.out, flush=True)

    def end(self) -> None:
        """End the line before anything else is printed."""
        if self.out.isatty():
            self.out.write("\n")


class Watch:
    """Looks once a second, and rings a bell when something has changed."""

    def __init__(self, room: Room, terminal: Terminal) -> None:
        self.bell, self.terminal, self._room = Bell(), terminal, room
        self.now = Count(0, 0, room.accounts.pages.whole)
        self._pool, self._looks = ThreadPoolExecutor(1, "lmdk-memory"), 0
        self._measuring: Future[Memory] = Future()
        self._measuring.set_result(measured())
        self._timer = PeriodicCallback(self.look, 1e3 * LOOK_S)

    def start(self) -> None:
        """Start looking."""
        self._timer.start()

    def stop(self) -> None:
        """Stop looking."""
        self._timer.stop()
        self._pool.shutdown(cancel_futures=True)
        self.terminal.end()

    def look(self) -> None:
        """See who is connected. People and pages are known immediately; memory is measured in a thread, and comes later."""
        of = self._room
        now = replace(self.now, people=of.people, pages=of.pages)
        if self._measuring.done() and not self._measuring.exception():
            now = replace(now, memory=self._measuring.result())
        if self._measuring.done() and self._looks % MEASURE_EVERY == 0:
            self._measuring = self._pool.submit(measured)
        self._looks += 1
        if now != self.now:
            self.now = now
            self.bell.ring()
            self.terminal.say(now)
