"""One browser for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser import browser


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found
