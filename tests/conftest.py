"""Settings of the tests: random cases take the time they take, and what takes longest comes first."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the kernels: threads of several workers only wait for cores

import pytest
from hypothesis import settings

from tests.browser import close_browser

CASES = pytest.StashKey[Counter[str]]()
"""How many cases of each test with a browser, and of each long one, were collected."""

FEW = 13
"""Of the cases of a long test, `make test` runs one in so many, the first included: few grids of cases have rows of 13."""

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Of a browser test with several cases, sizes, colours or settings, `make test` runs the first, and of a long one each
    thirteenth from the first on; `each_case`: all."""
    test, _, case = item.nodeid.partition("[")
    browser, long = (item.get_closest_marker(name) is not None for name in ("browser", "long"))
    if not case or not (browser or long) or any(map(item.get_closest_marker, ("each_case", "nightly"))):
        return
    before = item.config.stash.setdefault(CASES, Counter())
    if before[test] if browser else before[test] % FEW:
        item.add_marker(pytest.mark.nightly)
    before[test] += 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """The collector of garbage would look again and again at the tests that are collected."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay until the end: the collector of garbage need not look at them each time."""
    gc.enable()
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files that drive a browser first, then every number, so that no long file is left for the end of one worker.

    What waits for another process, a browser or a server, is tried once more when it fails, as a busy machine may be late;
    the summary names it. A test that computes has one try.
    """
    for item in items if config.pluginmanager.hasplugin("rerunfailures") else []:
        if any(item.get_closest_marker(name) for name in ("browser", "slow")):
            item.add_marker(pytest.mark.flaky(reruns=1, reruns_delay=2))
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        for item in items:
            if item.get_closest_marker("machine_code"):
                item.add_marker(pytest.mark.skip(reason="NUMBA_DISABLE_JIT is set: there is no machine code"))
    items.sort(key=lambda item: (item.get_closest_marker("browser") is None, "every_number" not in item.nodeid))


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    """What a reader makes of a sample is found by each test anew, and what another visitor's page has found."""
    if (session := sys.modules.get("lmdk_widgets.page.session")) is not None:
        session.FINISHED.clear()
    if (useful := sys.modules.get("lmdk_widgets.answers.usefulness")) is not None:
        useful._KNOWN.clear()


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader reads two releases in place of a hundred: for what asks what is said, and not how far it is off."""
    for module in ("answers.usefulness", "pages.track.cards", "pages.track.compare", "sweep.defences_compared"):
        monkeypatch.setattr(f"lmdk_widgets.{module}.MOST_DRAWS", 2)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser") is None:
        close_browser()


def pytest_sessionfinish() -> None:
    close_browser()
