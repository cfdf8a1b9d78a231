"""What tests of the track page share."""

import pytest

from lmdk_widgets.pages.track.pairs import PairByPair
from lmdk_widgets.pages.track.useful import Usefulness
from lmdk_widgets.pages.track.verdict import Verdicts


@pytest.fixture
def no_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Useful, the loss pair by pair and the verdict are not asked, which the page otherwise computes after each move: what
    is left is what other panels ask."""
    monkeypatch.setattr(Usefulness, "asked", lambda *_: None)
    monkeypatch.setattr(PairByPair, "asked", lambda *_: None)
    monkeypatch.setattr(Verdicts, "asked", lambda *_: None)
