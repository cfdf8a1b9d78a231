"""The optimal mechanism in a browser: by the HiGHS inside SciPy where there is no other, and not beyond 8 x 8 places."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from lmdk_widgets.errors import InputError, has_highs, highs
from lmdk_widgets.geoind import Solver
from lmdk_widgets.geoind.private import most_private_mechanism
from lmdk_widgets.geoind.simplex import compiling


def apart(side: int) -> np.ndarray:
    at = np.stack(np.meshgrid(range(side), range(side)), axis=-1).reshape(-1, 2).astype(float)
    return np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setitem(sys.modules, "highspy", None)
    monkeypatch.setattr(compiling, "ready", lambda **_: False)


def test_scipy_brings_the_same_solver(browser: None, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy.optimize._highspy._core")
    prior = np.arange(1, 17.0) / 136
    assert has_highs() and highs("A test").__name__.startswith("scipy")
    here = Solver(apart(4)).solve(prior, 0.7)
    private = most_private_mechanism(apart(4), prior, 1.2)
    monkeypatch.undo()
    assert here.method == "highs" and here.quality_loss == pytest.approx(
        Solver(apart(4)).solve(prior, 0.7).quality_loss
    )
    assert private.quality_loss == pytest.approx(most_private_mechanism(apart(4), prior, 1.2).quality_loss)


def test_beyond_8_by_8_a_sentence_says_so(browser: None) -> None:
    with pytest.raises(InputError, match="In a browser, the optimal mechanism must have at most 64 places; got 81"):
        Solver(apart(9)).solve(np.full(81, 1 / 81), 1.0)
