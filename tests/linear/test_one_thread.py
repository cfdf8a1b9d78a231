"""The solver's linear algebra has one thread, and whoever called it has the others again after each step."""

from __future__ import annotations

from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.geoind import Solver
from lmdk_widgets.linear import one_thread as module
from lmdk_widgets.linear.one_thread import one_thread
from tests.geoind.places import distances, grid


class Libraries:
    """Libraries of linear algebra with three threads, of which one may be left."""

    def __init__(self) -> None:
        self.threads = 3

    def limit(self, limits: int) -> Any:
        self.before, self.threads = self.threads, limits
        return self

    def restore_original_limits(self) -> None:
        self.threads = self.before


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> Libraries:
    found = Libraries()
    monkeypatch.setattr(module._OneThread, "_found", lambda _: found)
    return found


def test_the_first_sets_the_limit_and_the_last_removes_it(libraries: Libraries) -> None:
    """Two threads whose solves overlap: the second must not store the first one's limit as what was before."""
    inside, leave = Event(), Event()

    def other() -> None:
        with one_thread():
            inside.set()
            leave.wait(60)

    with one_thread():
        thread = Thread(target=other)
        thread.start()
        inside.wait(60)
        assert libraries.threads == 1
    assert libraries.threads == 1
    leave.set()
    thread.join()
    assert libraries.threads == 3
    with pytest.raises(ValueError), one_thread(), one_thread():
        raise ValueError
    assert libraries.threads == 3


def test_a_solve_has_one_thread_at_each_step_and_none_between(
    libraries: Libraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    original = Solver._scale
    monkeypatch.setattr(Solver, "_scale", lambda *given: seen.append(libraries.threads) or original(*given))
    steps = Solver(distances(grid(3))).improve(np.full(9, 1 / 9), 1.0)
    assert libraries.threads == 3
    for _ in steps:
        assert libraries.threads == 3
    assert seen == [1]
    with pytest.raises(StopIteration):
        next(steps)
    assert libraries.threads == 3


def test_the_threads_of_numpy_are_limited() -> None:
    """The library that really computes."""
    control = pytest.importorskip("threadpoolctl", reason="threadpoolctl is not installed")

    def blas() -> list[int]:
        return [one["num_threads"] for one in control.threadpool_info() if one["user_api"] == "blas"]

    np.ones((2, 2)) @ np.ones((2, 2))
    with control.threadpool_limits(2):
        before = blas()
        with one_thread():
            assert set(blas()) <= {1}
        assert blas() == before
