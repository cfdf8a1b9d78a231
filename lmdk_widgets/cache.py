"""What is computed once and used again: each cache of the package says what it holds, of whom, and how many entries.

`cached` is `functools.lru_cache` with these words, and as fast: it returns the same object. `RecentResults` holds what
something else finds. Both are listed in `CACHES`, which a test reads, and `forget` empties them. An entry stays
until as many others have been used after it, or the process ends. What lives in an object (`functools.cached_property`) or
in one call ends with it and is not listed.
"""

from __future__ import annotations

import functools
import inspect
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

Whose = Literal["everybody", "settings", "visitor"]
"""everybody: of the package, its examples and lessons, or numbers, the same for all; settings: of what a user chose, without
data; visitor: made from somebody's data."""


@dataclass(frozen=True)
class Cache:
    """One cache.

    Attributes
    ----------
    name : module and function. what : what it holds. entries : the most; None: as many as there are, only where they are few.
    size : how many there are now. clear : drops them all.
    """

    name: str
    what: str
    of: Whose
    entries: int | None
    size: Callable[[], int]
    clear: Callable[[], Any]


CACHES: dict[str, Cache] = {}
"""Every cache of the modules that are loaded, by its name."""


def listed(name: str, what: str, of: Whose, entries: int | None, size: Callable[[], int], clear: Any) -> None:
    """Add a cache that a module has made itself to `CACHES`."""
    CACHES[name] = Cache(name, what, of, entries, size, clear)


def cached(
    of: Whose, *, entries: int | None = None, what: str = ""
) -> Callable[[Callable[..., T]], _lru_cache_wrapper[T]]:
    """A decorator: the results of a function for the arguments that were used last.

    Parameters
    ----------
    of : whose data the results are made from. entries : the most; None: all, only where there are few.
    what : what the results are, where the function's docstring does not say it.

    Examples
    --------
    >>> @cached("everybody", entries=2, what="squares")
    ... def square(n: int) -> int:
    ...     return n * n
    >>> square(3), square(3), square.cache_info().hits
    (9, 9, 1)
    >>> del CACHES[next(name for name in CACHES if name.endswith(".square"))]
    """

    def decorate(function: Callable[..., T]) -> _lru_cache_wrapper[T]:
        found = functools.lru_cache(maxsize=entries)(function)
        said = what or inspect.cleandoc(function.__doc__ or "").partition("\n\n")[0].replace("\n", " ")
        name = f"{function.__module__.removeprefix('lmdk_widgets.')}.{function.__qualname__}"
        listed(name, said, of, entries, lambda: found.cache_info().currsize, found.cache_clear)
        return found

    return decorate


class RecentResults(Generic[K, T]):
    """The results that were used last, of something that finds them elsewhere; several threads may use it.

    Parameters
    ----------
    name : module and purpose. what, of, entries : as for `cached`.

    Examples
    --------
    >>> plans = RecentResults("example.plans", "plans", "settings", entries=1)
    >>> plans.put("a", 1); plans.put("b", 2)
    >>> plans.get("a"), plans.get("b")
    (None, 2)
    >>> del CACHES["example.plans"]
    """

    def __init__(self, name: str, what: str, of: Whose, *, entries: int) -> None:
        self._entries = entries
        self._found: OrderedDict[K, T] = OrderedDict()
        self._lock = Lock()
        listed(name, what, of, entries, self.__len__, self.clear)

    def __len__(self) -> int:
        return len(self._found)

    def get(self, key: K) -> T | None:
        """What is stored under a key; None if there is nothing."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def put(self, key: K, value: T) -> None:
        """Stores a result, and drops those that were used longest ago if there are too many."""
        with self._lock:
            self._found[key] = value
            self._found.move_to_end(key)
            while len(self._found) > self._entries:
                self._found.popitem(last=False)

    def clear(self) -> None:
        """Drops all."""
        with self._lock:
            self._found.clear()


def forget(of: Whose | None = None) -> None:
    """Empty every cache, or those of everybody's, settings' or visitors' results."""
    for cache in list(CACHES.values()):
        if of in (None, cache.of):
            cache.clear()
