"""The optimal mechanism in a browser: by the HiGHS inside SciPy where there is no other, and not beyond 8 x 8 places."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.errors import SCIPY_HIGHS, InputError, has_highs, highs
from lmdk_widgets.geoind import Solver
from lmdk_widgets.geoind.private import most_private_mechanism
from lmdk_widgets.linear import compiling


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


def test_a_scipy_without_its_private_module_has_no_solver(
    browser: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hidden, no SciPy, one that is no package, one without the module; nothing is imported to find out."""
    assert has_highs() == (importlib.util.find_spec(SCIPY_HIGHS) is not None)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, SCIPY_HIGHS, None)
        assert not has_highs() and compiling.is_plain() == (importlib.util.find_spec("numba") is None)
        with pytest.raises(InputError, match="A test needs the library highspy"):
            highs("A test")
    for name in [name for name in sys.modules if name.partition(".")[0] == "scipy"]:
        monkeypatch.delitem(sys.modules, name)
    for given, there in (
        ([], False),
        (["scipy.py"], False),
        (["scipy/__init__.py"], False),
        (["scipy/__init__.py", "scipy/optimize/_highspy/_core.py"], True),
    ):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        for name in given:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).touch()
        monkeypatch.setattr(sys, "path", [str(folder)])
        assert has_highs() == there and "scipy" not in sys.modules, given


def test_beyond_8_by_8_a_sentence_says_so(browser: None) -> None:
    with pytest.raises(InputError, match="In a browser, the optimal mechanism must have at most 64 places; got 81"):
        Solver(apart(9)).solve(np.full(81, 1 / 81), 1.0)
