"""Measures of reader, attacker and averaging in a study, and in how many repetitions the slow ones are computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.answers.adversary import infer
from lmdk_widgets.answers.usefulness import reading_of, useful
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.leakage import temporal_loss_at_delta
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.study import MEASURES, Study
from lmdk_widgets.study.opened_results import Opened
from lmdk_widgets.study.study_file import read_study
from lmdk_widgets.trajectory import Series, Trajectory, sample, sample_series
from tests.sweeps import FULL

REGIONS = [(48.75, 2.25, 49.0, 2.5), (48.5, 2.0, 49.25, 2.75)]


def of(name: str, scenario: Scenario, track: Trajectory) -> float:
    return MEASURES[name].of(evaluate(scenario, track))


@pytest.mark.parametrize("adversary", ["both", "past", "future"])
def test_the_attacker_is_the_one_of_the_page(adversary: str) -> None:
    for track in (sample("bob"), sample_series("contacts")):
        outcome = evaluate(Scenario(landmarks=track.landmarks, epsilon=9.0, adversary=adversary), track)
        found = infer(outcome)
        assert MEASURES["attacker_error_m"].of(outcome) == pytest.approx(found.error_m.mean())
        assert MEASURES["attacker_by_reader"].of(outcome) == float(found.model == "reader")
        assert MEASURES["attacker_right"].of(outcome) == pytest.approx(found.whole.right.mean())
    assert found.whole.error_m.tolist() == (found.whole.right < 0.5).tolist(), "of answers, which are guessed"


def test_the_main_place_is_found_in_half_of_all_releases_to_within_what_the_formula_says() -> None:
    track = sample("commuter")
    within = of("found_within_m", Scenario(track="commuter", scheme="event", epsilon=0.3), track)
    draws = [Scenario(track="commuter", scheme="event", epsilon=0.3, seed=seed) for seed in range(40)]
    off = np.array([of("home_off_m", draw, track) for draw in draws])
    assert 0.25 < (off <= within).mean() < 0.75
    sure = Scenario(track="commuter", scheme="event", epsilon=100.0)
    assert of("home_off_m", sure, track) < 5 and of("home_found", sure, track) == 1.0
    hidden = Scenario(track="commuter", scheme="user", epsilon=1.0)
    assert of("home_off_m", hidden, track) > 200 and of("home_found", hidden, track) == 0.0


def test_where_no_place_can_be_found_there_is_no_number() -> None:
    bob = Scenario(landmarks=(0, 2))
    assert np.isnan([of(name, bob, sample("bob")) for name in ("home_off_m", "home_found")]).all(), "eight places"
    assert np.isnan(of("home_off_m", Scenario(), sample_series("household")))
    still = Trajectory(np.full(9, 48.9), np.full(9, 2.3), np.datetime64("2026-03-01") + np.arange(9), name="still")
    skipped = Scenario(track="", scheme="skip", landmarks=tuple(range(9)))
    assert of("home_off_m", skipped, still) == np.inf and of("home_found", skipped, still) == 0.0
    outcome = evaluate(Scenario(track="", scheme="event", epsilon=50.0), still)
    far = distance_m(outcome.latitude, outcome.longitude, 48.9, 2.3)
    assert MEASURES["home_off_m"].of(outcome) < far.max()


def test_what_is_spent_at_a_delta_is_that_of_the_specification() -> None:
    n = 288
    day = Trajectory(np.full(n, 48.9), np.full(n, 2.3), np.datetime64("2026-03-01") + np.arange(n), name="day")
    event = Scenario(track="", scheme="event", epsilon=0.1, delta=1e-6)
    assert of("spent_at_delta", event, day) == pytest.approx(5.99, abs=0.02)
    numbers = Series(day.time, values=np.linspace(0, 1, n), name="numbers")
    stated = event.with_changes(bounds="stated", lower=0.0, upper=1.0)
    assert of("spent_at_delta", stated, numbers) == pytest.approx(8.7768, abs=0.001)
    adaptive = event.with_changes(scheme="adaptive")  # no landmark saves anything for it, so it can spend as much
    assert of("spent_at_delta", adaptive, day) == of("spent_at_delta", event, day)


def test_the_loss_of_a_chain_at_a_delta_and_the_limit_of_any_mechanism() -> None:
    """By the functions of the mathematics alone: answers under a chain, and one piece of a track."""
    times = np.datetime64("2026-03-01T00:00") + np.arange(60) * np.timedelta64(10, "m")
    contacts = Series(times, values=np.arange(60) // 7 % 2, kind="answers", name="contacts")
    chained = Scenario(track="", scheme="event", epsilon=0.5, correlation="strong", delta=1e-3)
    outcome = evaluate(chained, contacts)
    known = outcome.correlation
    exact = temporal_loss_at_delta(known.backward, known.forward, outcome.budgets, 1e-3).total.max()
    assert of("chain_at_delta", chained, contacts) == pytest.approx(float(exact)) and exact < outcome.total.max()
    bob, event = sample("bob"), Scenario(scheme="event")
    spread = reading_of(evaluate(event, bob)).spread
    least = 2 / (event.epsilon * len(bob) / event.radius_m + 2 / spread)
    assert of("least_error_m", event, bob) == pytest.approx(least, rel=1e-6)
    assert np.isnan([of("chain_at_delta", event, bob), of("least_error_m", chained, contacts)]).all()


def test_slow_measures_are_computed_in_the_first_repetitions(tmp_path: Path) -> None:
    names = ["reader_error_m", "mean_error_m", "attacker_error_m"]
    every = Study(["bob"], {"scheme": ["event", "skip"]}, repetitions=3, measures=names)
    some = Study(["bob"], {"scheme": ["event", "skip"]}, repetitions=3, measures=names, read=2)
    assert every != some
    all_of, first = (study.run(None, jobs=1) for study in (every, some))
    assert first.mean_error_m.tolist() == all_of.mean_error_m.tolist(), "and change no other number"
    assert first.reader_error_m.isna().tolist() == (first.repetition == 2).tolist()
    kept = first.repetition < 2
    assert first[kept].equals(all_of[kept])
    outcome = evaluate(*every.scenario(4))
    assert all_of.reader_error_m[4] == useful(outcome, 1).reader
    for wrong in (0, 4, 1.5):
        with pytest.raises(InputError, match="Read must be a whole number between 1 and 3"):
            Study(["bob"], {}, repetitions=3, read=wrong)  # type: ignore[arg-type]
    file = tmp_path / "some.toml"
    text = 'tracks = ["bob"]\nrepetitions = 3\nmeasures = ["mean_error_m"]\nread = {}\n[grid]\nscheme = "event"\n'
    file.write_text(text.format(2))
    assert read_study(file).study.read == 2
    file.write_text(text.format(9))
    with pytest.raises(InputError, match=r"Line 4 of some\.toml: Read must be"):
        read_study(file)


def test_regions_and_deltas_are_varied_and_found_again() -> None:
    study = Study(["bob"], {"region": REGIONS, "delta": [1e-6, 1e-3]}, measures=["reader_error_m", "spent_at_delta"])
    assert len(study) == 4 and len(Study(["bob"], {"region": REGIONS[0]})) == 1
    frame = study.run(None, jobs=1)
    assert frame.region.tolist() == ["48.75,2.25,49,2.5"] * 2 + ["48.5,2,49.25,2.75"] * 2
    assert frame.spent_at_delta[1] < frame.spent_at_delta[0]
    opened = Opened(frame, "some")
    for k in range(4):
        assert opened.scenario(opened.frame.iloc[k]) == study.scenario(k)[0]
    assert study.scenario(2)[0].region == REGIONS[1]
    with pytest.raises(InputError, match="The region must be south, west, north and east"):
        Study(["bob"], {"region": [[1.0, 2.0]]})


@pytest.mark.long
def test_what_is_computed_together_is_what_is_computed_alone() -> None:
    grid = {
        "scheme": ["event", "skip"],
        "correlation": ["weak", "strong"],
        "adversary": ["both", "past"] if FULL else ["past"],
        "radius_m": [200.0, 900.0] if FULL else [200.0],
    }
    names = ["reader_error_m", "attacker_error_m", "attacker_right"]
    study = Study(["bob", sample("commuter")], grid, repetitions=2, measures=names)
    frame = study.run(None, jobs=1)
    assert not frame[names].isna().any(axis=None)
    for k in range(0, len(study), 7):
        outcome = evaluate(*study.scenario(k))
        assert frame.loc[k, names].tolist() == [MEASURES[name].of(outcome) for name in names]


def test_one_that_is_refused_leaves_the_others() -> None:
    series = sample_series("household")
    study = Study([series], {"level_width": [1e-6, 0.5], "correlation": "estimated"}, measures=["attacker_right"])
    frame = study.run(None, jobs=1)
    assert frame.attacker_right.isna().tolist() == [True, False] and frame.refused.str.len().gt(0).tolist() == [
        True,
        False,
    ]


def test_what_the_attacker_knows_is_an_axis() -> None:
    grid = {
        "epsilon": 5.0,
        "attacker_start": ["uniform", "track"],
        "attacker_moves": ["page", "near"],
        "attacker_step_m": 300.0,
    }
    names = ["attacker_error_m", "attacker_by_reader", "attacker_right", "mean_error_m", "reader_error_m"]
    study = Study(
        ["bob"], grid | {"attacker_step_m": 300.0, "attacker_cells": [25, 225]}, repetitions=2, measures=names
    )
    frame = study.run(None, jobs=1)
    assert frame.groupby("repetition").mean_error_m.nunique().tolist() == [1, 1], "of the same release"
    assert frame.attacker_right.nunique() == len(study)
    assert (frame.attacker_error_m <= frame.reader_error_m).all() and 0 < frame.attacker_by_reader.mean() < 1
    for k in (0, 3, 9, 14):
        found = infer(evaluate(*study.scenario(k)), study.knowledge(k))
        assert frame.attacker_error_m[k] == pytest.approx(found.error_m.mean(), rel=1e-9)
        assert frame.attacker_right[k] == pytest.approx(found.whole.right.mean(), rel=1e-9)
    assert study.knowledge(15) == Knowledge(225, "track", "near", 300.0)
    opened = Opened(frame, "attackers")
    assert opened.scenario(opened.frame.iloc[9]) == study.scenario(9)[0]
    with pytest.raises(InputError, match="Where the attacker starts must be"):
        Study(["bob"], {"attacker_start": "here"})
    series = Study(["household"], {"attacker_start": ["people", "uniform"]}, measures=names).run(None, jobs=1)
    assert series.attacker_right.isna().tolist() == [True, False] and "places" in series.refused[0]
