"""Who uses how much of the server: asked by connections, sockets, uploads, file readers, phones and tokens alike.

A `Rate` is so much at once, and then so much a second: whoever has used it up waits. `Held` is what the server has only so
much of, such as pages or bytes: a person may have no more than a share of it, and when all of it is taken, whoever does
nothing with it, or has most, gives way. A person is a browser, known by its cookie. A school may share one network
address, so the address never refuses anybody: it decides only the order of those who wait.

Names are kept in memory only, and forgotten as soon as they make no difference.
"""

from __future__ import annotations

import asyncio
import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from lmdk_widgets.cache import cached
from lmdk_widgets.hosts.serving.settings import MOST_UNREAD_BYTES, ONE_FILE_BYTES

MOST_EACH = 10
"""The most pages of one person."""


@cached("visitor", entries=10_000)
def network(address: str) -> str:
    """The name by which an address is counted: itself, or for IPv6 the /64 that one machine has to itself.

    Examples
    --------
    >>> network("192.0.2.7"), network("::ffff:192.0.2.7"), network("2001:db8::1:2:3:4")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    mapped = found.ipv4_mapped
    return str(mapped or ipaddress.ip_network((found, 64), strict=False))


class Rate:
    """Buckets of `at_once`, one for each name, each refilled at `per_second`.

    Examples
    --------
    >>> clock = iter([0.0, 0.0, 0.0, 0.5])
    >>> rate = Rate(2, 2, clock=lambda: next(clock))
    >>> [rate.allows("a") for _ in range(4)]
    [True, True, False, True]
    >>> rate = Rate(2, 2, clock=lambda: 0.0)
    >>> [rate.take("a", 2), rate.take("a"), rate.take("a")]
    [0.0, 0.5, 1.0]
    """

    def __init__(
        self, at_once: float, per_second: float, *, most: int = 20_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.at_once, self.per_second, self.most = at_once, per_second, most
        self._clock = clock
        self._spent: dict[str, tuple[float, float]] = {}  # how much was taken out of each, and when

    def take(self, name: str, amount: float = 1.0, *, patience_s: float = math.inf) -> float:
        """Take so much; returns for how many seconds whoever takes it has to wait first, in the order of asking. Nothing is
        taken where that is longer than `patience_s`. If there are too many names, new ones share a bucket."""
        now = self._clock()
        if name not in self._spent and len(self._spent) >= self.most:
            self._forget(now)
            name = name if len(self._spent) < self.most else ""
        spent, since = self._spent.get(name, (0.0, now))
        spent = max(0.0, max(0.0, spent - (now - since) * self.per_second) + amount)
        beyond = max(0.0, spent - self.at_once)
        wait = beyond / self.per_second if self.per_second else math.inf if beyond else 0.0
        if wait <= patience_s:
            self._spent[name] = (spent, now)
        return wait

    def allows(self, name: str) -> bool:
        """Whether one more is allowed now; if so, it counts as taken."""
        return self.take(name, patience_s=0) == 0

    async def turn(self, name: str, patience_s: float) -> bool:
        """Wait for a turn; False, immediately, if it would come too late."""
        wait = self.take(name, patience_s=patience_s)
        if 0 < wait <= patience_s:
            await asyncio.sleep(wait)
        return wait <= patience_s

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again."""
        rate = self.per_second
        self._spent = {n: (spent, at) for n, (spent, at) in self._spent.items() if spent > (now - at) * rate}


@dataclass(eq=False)
class Claim:
    """What somebody has of something: so much of it, since when, and whether nothing is done with it yet."""

    owner: Any
    person: str
    network: str = ""
    amount: int = 1
    idle: bool = False
    since: float = 0.0


class Held:
    """Something of which a person may have `each`, and all together `whole`; further claims wait in a queue.

    Examples
    --------
    >>> pages = Held(each=2, whole=3, clock=iter(range(99)).__next__)
    >>> greedy = [pages.claim("a tab", "a") for _ in range(2)]
    >>> pages.room("a"), pages.room("b")
    (0, 2)
    >>> one, two = pages.claim("another", "b"), pages.claim("a third", "c")
    >>> [who.person for who in pages.surplus(two)]
    ['a']
    >>> pages.people, len(pages), "c" in pages
    (3, 3, True)
    """

    def __init__(self, each: int, whole: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.each, self.whole, self._clock = each, whole, clock
        self.claims: dict[Claim, None] = {}
        self.waiting: list[Claim] = []
        self._of, self._all = Counter[str](), 0

    def __len__(self) -> int:
        """How much is taken."""
        return self._all

    def __contains__(self, person: object) -> bool:
        return person in self._of

    @property
    def people(self) -> int:
        """How many have some of it."""
        return len(self._of)

    def room(self, person: str) -> int:
        """How much a person may still have."""
        return self.each - self._of[person]

    def claim(self, owner: Any, person: str, network: str = "", amount: int = 1, *, idle: bool = False) -> Claim:
        """A claim that counts from now on, whether or not there is room."""
        made = Claim(owner, person, network, 0, idle)
        self.change(made, amount)
        return made

    def change(self, claim: Claim, amount: int) -> None:
        """A claim is for another amount from now on; one for nothing is none."""
        if claim not in self.claims:
            claim.amount, claim.since = 0, self._clock()
        self._of[claim.person] += amount - claim.amount
        self._all += amount - claim.amount
        claim.amount = amount
        if amount:
            self.claims[claim] = None
        else:
            self.claims.pop(claim, None)
        if not self._of[claim.person]:
            del self._of[claim.person]

    def mark(self, claim: Claim, *, idle: bool) -> None:
        """From now on, something is done with it, or nothing."""
        claim.idle, claim.since = idle, self._clock()

    def leave(self, claim: Claim) -> None:
        """A claim ends, or waits no longer."""
        if claim in self.waiting:
            self.waiting.remove(claim)
        elif claim in self.claims:
            self.change(claim, 0)

    def surplus(self, asker: Claim) -> Iterator[Claim]:
        """The claims that give way until all fit; they have ended. First those with which nothing is done, the oldest of the
        network that has most of them; then one of the person who has most. The asker's is the last of its kind."""
        while self._all > self.whole:
            idle = Counter(one.network for one in self.claims if one.idle)

            def rank(one: Claim) -> tuple[Any, ...]:
                if one.idle and one is not asker:
                    return True, idle[one.network], -one.since  # noqa: B023
                return False, self._of[one.person] if one.person else 1, one is asker, one.amount, -one.since

            gone = max(self.claims, key=rank)
            self.change(gone, 0)
            yield gone
            if gone is asker:
                return

    def overdue(self, seconds: float, *, idle: bool = False) -> list[Claim]:
        """The claims that have been there for so long, or those with which nothing was done for so long, the oldest first."""
        now = self._clock()
        return [one for one in self.claims if now - one.since >= seconds and (one.idle or not idle)]

    def wait(self, owner: Any, person: str, network: str = "") -> Claim:
        """A claim that waits for its turn."""
        made = Claim(owner, person, network, since=self._clock())
        self.waiting.append(made)
        return made

    def in_turn(self) -> list[Claim]:
        """Those who wait, in the order of their turns: the network that has least comes first, then who came first."""
        has, before = Counter(one.network for one in self.claims), dict[Claim, int]()
        for one in self.waiting:
            before[one] = has[one.network]
            has[one.network] += 1
        return sorted(self.waiting, key=before.__getitem__)

    def admitted(self) -> list[Claim]:
        """Those whose turn it is: they wait no longer, and their claims count."""
        found = []
        for one in self.in_turn():
            if self._all < self.whole and self.room(one.person) > 0:
                self.waiting.remove(one)
                self.change(one, 1)
                found.append(one)
        return found


class Accountant:
    """Everything that is limited, for one server.

    Parameters
    ----------
    pages : the most that may be open at the same time. connections : the most, apart from those of open pages.
    """

    def __init__(self, pages: int, connections: int, clock: Callable[[], float] = time.monotonic) -> None:
        held, rate = partial(Held, clock=clock), partial(Rate, clock=clock)
        self.connections = held(connections, connections)  # those without a request do nothing
        self.pages = held(MOST_EACH, pages)  # those whose browser has opened none do nothing
        self.unread = held(MOST_UNREAD_BYTES, 8 * MOST_UNREAD_BYTES)  # bytes that wait for browsers
        self.unfinished = held(ONE_FILE_BYTES, 256 << 20)  # bytes of files that arrive, wait, or are being read
        # what a browser sends: short frames, where one that only asks whether the server is there counts for three; bytes of
        # long ones, by person and of all; bytes of text, whose reading takes time from others
        self.frames, self.text = rate(120, 60), rate(1 << 20, 128 << 10)
        self.bytes, self.bytes_of_all = rate(16 << 20, 6 << 20), rate(32 << 20, 16 << 20)
        # of a class: requests and new phones, each by network, and requests and answers of a phone
        self.requests, self.newcomers = rate(1_500, 150), rate(1_000, 20)
        self.phone, self.answers = rate(60, 5), rate(20, 2)
        self.phones, self.boards = held(6, 3_000), held(20, 20)
