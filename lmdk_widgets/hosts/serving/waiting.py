"""Who waits for a place when all are taken, and whose browser has shown that it opens a page for a person to see."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import takewhile

Clock = Callable[[], float]


class Waiting:
    """Visitors for whom there was no room, in the order in which they came.

    A browser slows down a page that nobody looks at: who was not heard of for `here_s` is passed over, but keeps the place
    in the order for `kept_s`. Who was told that there is room and does not take it within `offered_s` is passed over from
    then on: programs that only ask keep nobody out.

    Examples
    --------
    >>> waiting = Waiting()
    >>> waiting.come("a"), waiting.come("b"), waiting.come("a")
    (None, None, None)
    >>> waiting.before("a"), waiting.before("b"), waiting.before("somebody new"), len(waiting)
    (0, 1, 2, 2)
    """

    def __init__(
        self,
        *,
        here_s: float = 15.0,
        kept_s: float = 600.0,
        offered_s: float = 20.0,
        most: int = 1_000,
        clock: Clock = time.monotonic,
    ) -> None:
        self.here_s, self.kept_s, self.offered_s, self.most = here_s, kept_s, offered_s, most
        self._clock = clock
        self._heard: dict[str, float] = {}  # in order of arrival: when each was last heard of
        self._offered: dict[str, float] = {}  # when each was first told that there is room

    def come(self, visitor: str) -> None:
        """Take a place at the end, or say that one is still there. Nothing happens when too many wait."""
        now = self._clock()
        for name in [name for name, at in self._heard.items() if now - at > self.kept_s]:
            self.leave(name)
        if self._is_late(visitor):
            self.leave(visitor)  # who did not take the room begins at the end
        if visitor in self._heard or len(self._heard) < self.most:
            self._heard[visitor] = now

    def ask(self, visitor: str) -> None:
        """Say that one is still there; nothing happens for somebody who does not wait."""
        if visitor in self._heard:
            self._heard[visitor] = self._clock()

    def offer(self, visitor: str) -> None:
        """Somebody is told that there is room."""
        if visitor in self._heard:
            self._offered.setdefault(visitor, self._clock())

    def leave(self, visitor: str) -> None:
        """Wait no more."""
        self._heard.pop(visitor, None)
        self._offered.pop(visitor, None)

    def before(self, visitor: str) -> int:
        """How many are there who came before; all of them for somebody who does not wait yet."""
        return sum(map(self._is_here, takewhile(lambda name: name != visitor, self._heard)))

    def __len__(self) -> int:
        return sum(map(self._is_here, self._heard))

    def _is_here(self, visitor: str) -> bool:
        return self._clock() - self._heard[visitor] <= self.here_s and not self._is_late(visitor)

    def _is_late(self, visitor: str) -> bool:
        return self._clock() - self._offered.get(visitor, float("inf")) > self.offered_s


class Shown:
    """Visitors whose browser has just shown one of our pages to a person: each may start one session.

    Examples
    --------
    >>> shown = Shown()
    >>> shown.note("a"), shown.take("a"), shown.take("a"), shown.take("b")
    (None, True, False, False)
    """

    def __init__(self, *, lasts_s: float = 30.0, clock: Clock = time.monotonic) -> None:
        self.lasts_s, self._clock = lasts_s, clock
        self._noted: dict[str, float] = {}

    def note(self, visitor: str) -> None:
        """The browser of this visitor has run a page of ours."""
        now = self._clock()
        self._noted = {name: at for name, at in self._noted.items() if now - at <= self.lasts_s}
        self._noted[visitor] = now

    def take(self, visitor: str) -> bool:
        """Whether that is so, and was not so long ago; asked once only."""
        return self._clock() - self._noted.pop(visitor, float("-inf")) <= self.lasts_s
