"""docs/recipes.md: each recipe is run where its library is installed, and what it makes is right."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.trajectory import sample, sample_series

TEXT = (Path(__file__).parents[1] / "docs" / "recipes.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", TEXT, re.M | re.S))
BLOCKS = [(name, block) for name, text in SECTIONS.items() for block in re.findall(r"```python\n(.*?)```", text, re.S)]
NAMED = ["pandas", "GeoPandas", "movingpandas", "scikit-mobility", "polars", "OpenDP"]
LIBRARIES = {"pandas", "geopandas", "movingpandas", "polars", "opendp"}


def _pandas(made: dict[str, Any]) -> None:
    if "best" in made:
        least = made["found"].groupby("epsilon")["mean_error_m"].min()
        assert made["best"].set_index("epsilon")["mean_error_m"].sort_index().tolist() == least.tolist()
        assert len(least) == 3
        return
    assert (
        made["track"].latitude.tolist() == made["table"]["latitude"].tolist() and made["track"].zone == "Europe/Paris"
    )
    assert made["released"]["budget_epsilon"].tolist() == pytest.approx([1 / 3] * 4)


def _geopandas(made: dict[str, Any]) -> None:
    np.testing.assert_allclose(made["track"].latitude, sample("bob").latitude, atol=1e-8)
    np.testing.assert_allclose(made["apart_m"], made["table"]["error_m"], rtol=5e-3)


def _movingpandas(made: dict[str, Any]) -> None:
    bob = sample("bob")
    assert (made["track"].time == bob.time).all() and (made["track"].longitude == bob.longitude).all()
    assert made["longer"] > 1


def _scikit_mobility(made: dict[str, Any]) -> None:
    assert made["track"].time.astype("datetime64[m]").astype(str)[0] == "2026-03-01T07:00" and len(made["track"]) == 5
    assert made["text"].splitlines()[-5].startswith("2026-03-01T07:00:00Z,48.") or "48." in made["text"]
    import pandas as pd

    back = pd.read_csv("release.csv", comment="#")
    assert list(back.columns)[:3] == ["time", "latitude", "longitude"] and len(back) == 5


def _polars(made: dict[str, Any]) -> None:
    assert made["track"].time.astype("datetime64[m]").astype(str).tolist()[1] == "2026-03-01T08:30"
    assert (
        made["released"].height == 3
        and made["released"]["budget_epsilon"].to_list() == made["outcome"].budgets.tolist()
    )


def _opendp(made: dict[str, Any]) -> None:
    series = sample_series("household")
    assert made["spent"] == pytest.approx(made["budgets"].tolist(), rel=1e-9)
    marks = list(series.landmarks)
    other = max(set(range(len(series))) - set(marks), key=lambda t: made["spent"][t])
    assert sum(made["spent"][t] for t in [*marks, other]) == pytest.approx(2.0), "the landmarks and any one other"
    assert len(made["released"]) == len(series) and np.isfinite(made["released"]).all()


CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {
    "pandas": _pandas,
    "GeoPandas": _geopandas,
    "movingpandas": _movingpandas,
    "scikit-mobility": _scikit_mobility,
    "polars": _polars,
    "OpenDP": _opendp,
}


def test_there_is_a_recipe_for_each_library() -> None:
    assert list(SECTIONS) == NAMED == list(CHECKS) and {name for name, _ in BLOCKS} == set(NAMED)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.parametrize(("name", "block"), BLOCKS, ids=[f"{name}-{k}" for k, (name, _) in enumerate(BLOCKS)])
def test_a_recipe_runs_as_it_is_written(name: str, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in re.findall(r"^import (\w+)", block, re.M):
        assert library in LIBRARIES
        pytest.importorskip(library, reason=f"{library} is not installed: the recipe is not run")
    monkeypatch.chdir(tmp_path)
    made: dict[str, Any] = {}
    exec(block, made)
    CHECKS[name](made)


def test_the_versions_said_are_those_of_the_tests() -> None:
    """Of pandas, which the tests install; others are named as they were when the recipe was last run."""
    told = re.findall(r"^pandas (\d+)\.", SECTIONS["pandas"], re.M)
    assert told and importlib.metadata.version("pandas").split(".")[0] == told[0]
