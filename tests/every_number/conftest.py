"""The page of landmarks, for the files that recompute what it shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lmdk_widgets import Explorer


@pytest.fixture(scope="module")
def explorer() -> Iterator[Explorer]:
    lab = Explorer()
    yield lab
    lab.close()
