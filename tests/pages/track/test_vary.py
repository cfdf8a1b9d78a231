"""A study run on the page: the settings that it holds, its means, and the same as files."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas
import pytest

from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.blocks import Chart, Table
from lmdk_widgets.page.panel import Result
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.pages.track.choices import PANELS, TrackChoices
from lmdk_widgets.pages.track.varied_study import VaryChoices, study_of, study_toml
from lmdk_widgets.pages.track.vary import Vary, results_csv
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.study import run
from lmdk_widgets.study.opened_results import read_results
from lmdk_widgets.study.study_file import read_study
from lmdk_widgets.trajectory import sample, sample_series
from tests.landmark_choices import finished, page_of

BOB = Scenario(landmarks=(0, 2, 4, 7))
FEW = VaryChoices(True, values=2, repetitions=3)
SETTINGS = (
    BOB,
    Scenario(
        radius_m=99.0, correlation="strong", adversary="past", states=7, region=(48.5, 2.0, 49.25, 2.75), delta=1e-3
    ),
    Scenario(landmarks=(1,), hide=True, hide_joining="stated", hide_chance=0.4, decrease=0.7),
    Scenario(landmarks=(1, 5), hide=True, hide_method="greedy", hide_epsilon=2.0, hide_most=3),
    Scenario(
        correlation="matrix", matrix=((0.5, 0.5), (0.1, 0.9)), scheme="given", mechanism="randomised", place_m=3e3
    ),
)


@pytest.mark.parametrize("scenario", SETTINGS)
def test_its_scenarios_are_the_present_one_with_other_epsilons_and_schemes(scenario: Scenario, tmp_path: Path) -> None:
    study = study_of(FEW, scenario, sample("bob"))
    drawn = {"seed", "hide_seed", "scheme", "epsilon"}
    assert len(study) == 3 * 2 * 3
    for k in range(len(study)):
        found, _ = study.scenario(k)
        setting = study.setting(k)
        assert (found.scheme, found.epsilon) == (setting["scheme"], setting["epsilon"])
        assert found.with_changes(**{name: getattr(scenario, name) for name in drawn}) == scenario
    path = tmp_path / "vary.toml"
    path.write_text(study_toml(study))
    again = read_study(path).study
    assert again.key == study.key, "a file with the same numbers"
    known = Knowledge(start="track", moves="near")
    assert study_of(FEW, scenario, sample("bob"), known).knowledge(0) == known and study.knowledge(0) == Knowledge()


def test_a_series_and_a_track_of_ones_own_keep_their_names(tmp_path: Path) -> None:
    meter = sample_series("household")
    study = study_of(FEW, Scenario(track="household", landmarks=(3,)), meter)
    assert list(study.tracks) == ["household"]
    own = replace(sample("bob"), name="walk.csv", landmarks=(1,))
    assert 'tracks = ["walk.csv"]' in study_toml(study_of(FEW, Scenario(track="", landmarks=()), own))
    assert study_of(FEW, Scenario(track="", landmarks=()), own).scenario(0)[0].landmarks == ()


def test_its_means_are_those_of_its_rows_and_its_results_open(tmp_path: Path) -> None:
    outcome = finished(TrackChoices(BOB, vary=FEW), sample("bob"))
    found = outcome.found("vary")
    frame = found.study.run(None, jobs=1)
    for name in ("mean_error_m", "reader_error_m", "home_found"):
        means = found.means(name)
        by = frame.groupby(["scheme", "epsilon"], observed=True)[name].agg(["mean", "sem", "count"])
        for key, row in by.iterrows():
            assert means[key] == pytest.approx(tuple(row), nan_ok=True)
    read = read_results([("results.csv", results_csv(outcome).encode())])
    columns = ["scheme", "epsilon", "repetition", "mean_error_m", "attacker_error_m"]
    pandas.testing.assert_frame_equal(read.frame[columns], frame[columns], check_dtype=False, check_categorical=False)
    assert read.scenario(read.frame.iloc[4]) == found.study.scenario(4)[0]
    assert read.varied == ["scheme", "epsilon"] and math.isnan(read.frame.reader_error_m[2])
    assert "never publish" in pandas.read_csv(BytesIO(results_csv(outcome).encode())).note[0]


def test_the_page_draws_it_and_says_what_is_left_out() -> None:
    choices = TrackChoices(BOB.with_changes(mechanism="randomised"), vary=FEW.with_changes(shown="published"))
    outcome = finished(choices, sample("bob"))
    chart, table, text = next(panel for panel in PANELS if panel.NAME == "vary").blocks(choices, outcome)
    assert isinstance(chart, Chart) and isinstance(table, Table)
    assert "Six of 18 evaluations could not be made" in text.text and "in 2 of 3 repetitions" in text.text
    shares = [trace["y"] for trace in chart.figure["data"]]
    assert shares[0] == [1.0, 1.0] and shares[1] == [0.5, 0.5] and len(shares) == 2, "Skip measures half of them"
    assert [row[2] for row in table.texts()][:2] == ["1", "1"] and "none" in {row[2] for row in table.texts()}


@pytest.mark.parametrize(("shown", "log"), [("mean_error_m", True), ("published", False)])
def test_errors_of_schemes_far_apart_are_drawn_on_a_logarithmic_axis(shown: str, log: bool) -> None:
    choices = TrackChoices(BOB, vary=FEW.with_changes(shown=shown))
    chart, *_ = next(panel for panel in PANELS if panel.NAME == "vary").blocks(
        choices, finished(choices, sample("bob"))
    )
    axis = chart.figure["layout"]["yaxis"]
    assert (axis.get("type") == "log", axis.get("rangemode") == "tozero") == (log, not log)
    assert all(y > 0 for trace in chart.figure["data"] for y in trace["y"])


def test_what_is_too_much_is_refused_in_a_sentence() -> None:
    for asked, said in (
        (FEW.with_changes(low=2.0, high=1.0), "The smallest epsilon must be below the largest; got 2 and 1"),
        (FEW.with_changes(values=20, repetitions=50, schemes="all"), "must have at most 3,000 evaluations; got"),
    ):
        with pytest.raises(InputError, match=said):
            study_of(asked, BOB, sample("bob"))


@pytest.mark.long
def test_epsilons_are_spread_by_factors() -> None:
    study = study_of(VaryChoices(low=0.5, high=8.0, values=5), BOB, sample("bob"))
    assert study.axes["epsilon"] == (0.5, 1.0, 2.0, 4.0, 8.0)
    assert np.all(np.diff(np.log(study.axes["epsilon"])) > 0)


@pytest.mark.long
def test_a_browser_without_a_clock_of_threads_loads_it_too() -> None:
    program = "import time; del time.thread_time; import lmdk_widgets.pages.track.vary"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_it_says_how_far_it_is_and_where_it_was_left() -> None:
    (panel,) = [each for each in PANELS if each.NAME == "vary"]
    choices = TrackChoices(BOB, vary=FEW)
    outcome = page_of(TrackChoices(BOB), sample("bob")).outcome
    assert panel.progress(choices, outcome).text == "Varying scheme and epsilon: 0 of 18 evaluations are done."
    some = [found for found, _ in zip(panel.compute(choices, outcome), range(7), strict=False)][-1]
    left = outcome.improved(results={**outcome.results, "vary": Result(None, some)})
    assert panel.progress(choices, left) == Progress(
        "Varying scheme and epsilon: 7 of 18 evaluations are done.", 7 / 18
    )
    assert panel.ended(choices, left) == "after 7 of 18 evaluations"
    assert len(list(panel.blocks(choices, left))[1].texts()) == 3, "what is done is shown"


def test_between_two_steps_there_are_the_releases_of_one_setting_so_that_sliders_can_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (panel,) = [each for each in PANELS if each.NAME == "vary"]
    choices, made = TrackChoices(BOB, vary=FEW.with_changes(values=5)), []
    outcome = page_of(TrackChoices(BOB), sample("bob")).outcome
    monkeypatch.setattr(run, "evaluate", lambda *given: made.append(1) or evaluate(*given))
    ahead = [len(made) - len(found.rows) for found in panel.compute(choices, outcome)]
    assert len(ahead) == 45 and max(ahead) < FEW.repetitions


def test_the_page_saves_both_files_and_the_command_runs_what_it_saved(tmp_path: Path) -> None:
    session = page_of(TrackChoices(BOB, vary=FEW), sample("bob")).session
    saved = {name: session.save(name) for name in Vary.FILES}
    assert saved["results"].name.endswith(".csv") and saved["study.toml"].name.endswith(".toml")
    path = saved["study.toml"].write(tmp_path)
    assert cli.main(["study", str(path), "--jobs", "1", "--output", str(tmp_path / "out")]) == 0
    ran = pandas.read_parquet(tmp_path / "out").sort_values("evaluation")
    here = pandas.read_csv(BytesIO(saved["results"].data))
    for name in ("mean_error_m", "reader_error_m", "attacker_error_m"):
        assert ran[name].tolist() == pytest.approx(here[name].tolist(), rel=1e-6, nan_ok=True)
