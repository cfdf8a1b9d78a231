"""The tests of this room run the engine that users run: they wait until its machine code is there."""

from __future__ import annotations

import pytest

from lmdk_widgets.geoind.simplex import compiling


@pytest.fixture(autouse=True, scope="session")
def machine_code() -> None:
    assert compiling.ready(wait=True), compiling.notice()
