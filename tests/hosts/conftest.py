"""The pages of a room and of kernels, for all files of a worker: a start takes seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hosts.serving.rooms import room
from tests.server import Address, serve


@pytest.fixture(scope="session", params=["room", "kernel"])
def address(request: pytest.FixtureRequest) -> Iterator[Address]:
    """The pages, as a room gets them and, in the longest tests, as `lmdk explore` serves them with a kernel a page.

    One server for all files; one that needs another has its own fixture.
    """
    with room() if request.param == "room" else serve() as running:
        yield running
