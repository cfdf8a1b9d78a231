"""How often a visitor may ask: a burst of requests, and then a number per second.

Names are kept in memory only, and forgotten as soon as they make no difference.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable

from lmdk_widgets.cache import cached


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


class Limit:
    """Buckets of `at_once` requests, one for each name, each refilled at `per_second`.

    Examples
    --------
    >>> clock = iter([0.0, 0.0, 0.0, 0.5])
    >>> limit = Limit(2, 2, clock=lambda: next(clock))
    >>> [limit.allows("a") for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(
        self, at_once: float, per_second: float, *, most: int = 20_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.at_once, self.per_second, self.most = at_once, per_second, most
        self._clock = clock
        self._spent: dict[str, tuple[float, float]] = {}  # how much was taken out of each, and when

    def allows(self, name: str) -> bool:
        """Whether one more is allowed; if so, it counts as taken. If there are too many names, new ones share a bucket."""
        now = self._clock()
        if name not in self._spent and len(self._spent) >= self.most:
            self._forget(now)
            name = name if len(self._spent) < self.most else ""
        spent = self._taken(name, now)
        if spent + 1 > self.at_once:
            return False
        self._spent[name] = (spent + 1, now)
        return True

    def has_room(self, name: str) -> bool:
        """Whether one more would be allowed; nothing is taken."""
        counted = name if name in self._spent or len(self._spent) < self.most else ""
        return self._taken(counted, self._clock()) + 1 <= self.at_once

    def _taken(self, name: str, now: float) -> float:
        spent, since = self._spent.get(name, (0.0, now))
        return max(0.0, spent - (now - since) * self.per_second)

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again."""
        rate = self.per_second
        self._spent = {n: (spent, at) for n, (spent, at) in self._spent.items() if spent > (now - at) * rate}


class Open:
    """Limits how many connections stay open for each name and in total; with `of_names`, how many names.

    Examples
    --------
    >>> streams = Open(most_each=1, most=2)
    >>> streams.enter("a"), streams.enter("a"), streams.enter("b"), streams.enter("c")
    (True, False, True, False)
    >>> streams.leave("a")
    >>> streams.enter("c"), len(streams)
    (True, 2)
    >>> phones = Open(most_each=2, most=1, of_names=True)
    >>> phones.enter("a"), phones.enter("a"), phones.enter("b")
    (True, True, False)
    """

    def __init__(self, most_each: int, most: int, *, of_names: bool = False) -> None:
        self.most_each, self.most, self.of_names = most_each, most, of_names
        self._open: dict[str, int] = {}
        self._all = 0

    def __contains__(self, name: object) -> bool:
        return name in self._open

    def __len__(self) -> int:
        """The number of names with at least one connection."""
        return len(self._open)

    def enter(self, name: str) -> bool:
        """Whether one more may stay open; if so, it counts."""
        taken = len(self._open) - (name in self._open) if self.of_names else self._all
        if taken >= self.most or self._open.get(name, 0) >= self.most_each:
            return False
        self._open[name] = self._open.get(name, 0) + 1
        self._all += 1
        return True

    def leave(self, name: str) -> None:
        """One has been closed."""
        self._all -= 1
        self._open[name] -= 1
        if not self._open[name]:
            del self._open[name]
