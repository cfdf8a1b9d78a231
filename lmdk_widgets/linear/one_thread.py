"""Linear algebra on one thread: many small matrices, for which several threads mostly wait for each other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")


class _OneThread:
    """The limit, which holds for the whole process: the first to enter sets it, and the last to leave removes it."""

    def __init__(self) -> None:
        self._lock, self._entered, self._limit = Lock(), 0, None
        self._libraries: Any = None
        self._modules = 0

    def __enter__(self) -> None:
        with self._lock:
            self._entered += 1
            if self._entered == 1 and (libraries := self._found()) is not None:
                self._limit = libraries.limit(limits=1)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._entered -= 1
            if not self._entered and self._limit is not None:
                self._limit.restore_original_limits()
                self._limit = None

    def _found(self) -> Any:
        """The process's libraries of linear algebra, searched for again when modules were imported; None if unknown."""
        if len(sys.modules) != self._modules:
            if find_spec("threadpoolctl") is not None:
                from threadpoolctl import ThreadpoolController

                self._libraries = ThreadpoolController()
            self._modules = len(sys.modules)
        return self._libraries


_ONE = _OneThread()


def one_thread() -> _OneThread:
    """Linear algebra on one thread while this is open, if threadpoolctl is installed; otherwise as many as before.

    It may be opened within itself and by several threads. With another number of threads the last digits may differ.

    Examples
    --------
    >>> with one_thread():
    ...     pass
    """
    return _ONE


def each_on_one_thread(steps: Iterator[T]) -> Iterator[T]:
    """The same steps, each computed on one thread; between two steps the caller has all threads.

    Examples
    --------
    >>> list(each_on_one_thread(iter([1, 2])))
    [1, 2]
    """
    while True:
        with one_thread():
            try:
                step = next(steps)
            except StopIteration:
                return
        yield step
