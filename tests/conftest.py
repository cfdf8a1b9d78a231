"""Settings of the tests: random cases take the time they take, and what takes longest comes first."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that drive a browser first, so that none of them is left for the end when the other workers are idle."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)
