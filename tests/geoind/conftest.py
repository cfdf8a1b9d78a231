"""The tests of this room run the engine that users run: they wait until its machine code is there.

With NUMBA_DISABLE_JIT=1 there is none, and they run what answers then (`test_without_machine_code.py`).
"""

from __future__ import annotations

import os

import pytest

from lmdk_widgets.linear import compiling


@pytest.fixture(autouse=True, scope="session")
def machine_code() -> None:
    assert compiling.ready(wait=True) or os.environ.get("NUMBA_DISABLE_JIT") == "1", compiling.notice()
