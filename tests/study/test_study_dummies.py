"""Dummies in studies: as choices of the grid, of a file and of the page, and the measures that say what they hide."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.budgets import dummy_posterior
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.studies.page import StudiesPage
from lmdk_widgets.scenario import evaluate
from lmdk_widgets.scenario.hidden import protected
from lmdk_widgets.study import MEASURES, Study
from lmdk_widgets.study.opened_results import read_results
from lmdk_widgets.study.study_file import read_study

SEEN = ["protected", "landmarks", "landmark_chance", "landmark_odds", "mean_error_m"]
GRID = {"hide": [False, True], "hide_chance": [0.1, 0.5, 1.0], "correlation": "none"}


def test_every_measure_by_its_definition() -> None:
    frame = Study(["bob"], GRID, repetitions=40, measures=SEEN).run(None, jobs=1)
    assert not frame.refused.any() and (frame.landmarks == 4).all()
    plain = frame[~frame.hide]
    assert (plain.protected == 4).all() and (plain.landmark_chance == 1).all() and np.isinf(plain.landmark_odds).all()
    some = frame[frame.hide]
    assert some.landmark_chance.tolist() == pytest.approx((4 / some.protected).tolist())
    more = some[(some.protected > 4) & (some.protected < 8)]
    assert more.landmark_odds.tolist() == pytest.approx((4 / (more.protected - 4)).tolist()) and len(more) > 20
    assert np.isinf(some[some.protected == 4].landmark_odds).all() and (some.protected == 4).any()
    every = some[some.hide_chance == 1]
    assert (every.protected == 8).all() and every.landmark_odds.tolist() == pytest.approx([1] * 40)
    expected = [4 + 4 * p for p in (0.1, 0.5, 1.0)]
    found = some.groupby("hide_chance").protected.mean()
    assert found.tolist() == pytest.approx(expected, abs=5 * math.sqrt(1 / 40))
    grid = {"landmarks": [[1, 6]], "hide": True, "hide_chance": 0.5}
    few = Study(["bob"], grid, repetitions=20, measures=SEEN[:1] + SEEN[2:]).run(None, jobs=1)
    few = few[few.protected > 2]
    assert few.landmark_odds.tolist() == pytest.approx((6 / (few.protected - 2)).tolist()) and len(few) > 10
    exact = Study(["bob"], {"landmarks": [[]], "hide": True}, measures=SEEN[2:4]).run(None, jobs=1).iloc[0]
    assert math.isnan(exact.landmark_chance) and math.isnan(exact.landmark_odds)


@pytest.mark.parametrize("method", ["greedy", "histogram", "optimal"])
def test_the_papers_methods_are_attacked_exactly(method: str) -> None:
    study = Study(["bob"], {"hide": True, "hide_method": method, "hide_most": 3}, repetitions=8, measures=SEEN)
    frame = study.run(None, jobs=1)
    for k, row in enumerate(frame.itertuples()):
        scenario, track = study.scenario(k)
        how = {"method": method, "epsilon_select": 1.0, "most": 3}
        chances = dummy_posterior(evaluate(scenario, track).protected, 8, 4, **how)[list(scenario.landmarks)]
        assert row.landmark_chance == pytest.approx(chances.mean())
        assert row.landmark_odds == pytest.approx(
            math.inf if row.landmark_chance == 1 else chances.mean() / (1 - chances.mean())
        )
        assert row.protected == len(protected(scenario, 8))
    assert frame.landmark_chance.max() > frame.landmark_chance.min() or method == "optimal"


def test_dummies_stay_with_the_track_and_the_repetition() -> None:
    study = Study(
        ["commuter"], {"hide": True, "hide_chance": [0.01, 0.05], "scheme": ["uniform", "skip"]}, repetitions=3
    )
    sets: dict[tuple, set] = {}
    for k in range(len(study)):
        setting, scenario = study.setting(k), study.scenario(k)[0]
        assert scenario.hide_joining == "stated" and scenario.hide_chance == setting["hide_chance"]
        sets.setdefault((setting["repetition"], setting["hide_chance"]), set()).add(protected(scenario, 2016))
    assert all(len(some) == 1 for some in sets.values()), "schemes have the same"
    assert len(set.union(*sets.values())) == 6
    for repetition in range(3):
        few, many = (set(next(iter(sets[repetition, chance]))) for chance in (0.01, 0.05))
        assert few < many
    assert Study(["bob"], {"hide": True}).scenario(0)[0].hide_joining == "proposed"
    assert Study(["bob"], {"hide": [False]}).scenario(0)[0].hide_seed == 1


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(
        InputError, match="“hide_chance” must come with “hide”, which adds the dummies; got hide_chance alone"
    ):
        Study(["bob"], {"hide_chance": 0.5})
    with pytest.raises(InputError, match="“Add dummies to landmarks” must be true or false; got yes"):
        Study(["bob"], {"hide": "yes"})
    with pytest.raises(InputError, match="The chance to join must be between 1e-6 and 1; got 2"):
        Study(["bob"], {"hide": True, "hide_chance": [0.5, 2]})


def test_a_file_says_them_and_names_the_line_of_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "dummies.toml"
    text = 'tracks = ["bob"]\nmeasures = ["landmark_chance"]\n[grid]\n'
    text += 'hide = [false, true]\nhide_method = ["random", "greedy"]\n'
    path.write_text(text)
    assert read_study(path).study == Study(
        ["bob"], {"hide": [False, True], "hide_method": ["random", "greedy"]}, measures=["landmark_chance"]
    )
    path.write_text(text.replace("hide = [false, true]\n", ""))
    with pytest.raises(InputError, match=r"Line 4 of dummies\.toml: “hide_method” must come with “hide”"):
        read_study(path)
    path.write_text(text.replace("true]", "maybe]").replace("maybe", '"maybe"'))
    with pytest.raises(InputError, match=r"Line 4 of dummies\.toml: “Add dummies to landmarks” must be true or false"):
        read_study(path)


def test_the_page_draws_them_and_leads_to_the_setting() -> None:
    study = Study(["bob"], GRID, repetitions=6, measures=[name for name in SEEN if name != "landmarks"])
    frame = study.run(None, jobs=1)
    page = StudiesPage(frame)
    page.choose("y", "landmark_odds")
    page.choose("x", "hide_chance")
    page.choose("colour", "hide")
    lines = {trace["name"]: trace["y"] for trace in page.figure["data"]}
    assert lines["False"] == [] and lines["True"][2] == pytest.approx(1)
    infinite = int(np.isinf(frame["landmark_odds"]).sum())
    assert infinite >= 18 and f"Left out: {infinite} evaluations without a finite value" in page.summary
    assert page.summary.endswith(", where the attacker is certain of the landmarks."), "not a place that is never found"
    trace = [trace["name"] for trace in page.figure["data"]].index("True")
    page.pick(trace, 2)
    assert "hide True" in page.picked["said"] and "hide=1" in page.picked["query"] and not page.picked["why"]
    read = read_results([("dummies.csv", frame.to_csv(index=False).encode())])
    row = read.frame[(read.frame.hide) & (read.frame.repetition == 2)].iloc[0].to_dict()
    k = next(k for k in range(len(study)) if study.setting(k)["hide"] and study.setting(k)["repetition"] == 2)
    assert read.scenario(row) == study.scenario(k)[0]


def test_each_measure_says_what_it_is() -> None:
    assert all(MEASURES[name].meaning for name in SEEN)
