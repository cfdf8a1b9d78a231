"""What tests of the landmark page share."""

import pytest

from lmdk_widgets.pages.landmarks.useful import Usefulness


@pytest.fixture
def no_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Useful is not asked, which the page otherwise computes after each move: what is left is what other panels ask."""
    monkeypatch.setattr(Usefulness, "asked", lambda *_: None)
