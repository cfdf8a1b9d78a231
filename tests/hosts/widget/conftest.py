"""One Chromium and one server for all files of a worker: a start of either takes seconds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import browser
from tests.server import Address, serve


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as running:
        yield running


@pytest.fixture(scope="session")
def address() -> Iterator[Address]:
    """The explorer as `lmdk explore` serves it, one for all files; one that needs another server has its own fixture."""
    with serve() as running:
        yield running
