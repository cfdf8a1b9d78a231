"""The page of landmarks, for the files that recompute what it shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lmdk_widgets import Explorer
from lmdk_widgets.pages.track.verdict import Verdicts


@pytest.fixture(scope="module")
def explorer() -> Iterator[Explorer]:
    lab = Explorer()
    yield lab
    lab.close()


@pytest.fixture(autouse=True)
def nothing_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would meet the limits of a verdict is not looked for: `tests/verdict` holds that."""
    monkeypatch.setattr(Verdicts, "asked", lambda *_: None)
