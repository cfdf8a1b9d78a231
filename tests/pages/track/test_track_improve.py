"""The average of many draws: made in steps that are told, with the numbers of one go, cancelled, kept where it holds."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.budgets import release_many
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import CompareChoices
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.timeline import describe_timeline
from lmdk_widgets.scenario import SCHEMES, Scenario, describe, evaluate
from lmdk_widgets.scenario import evaluation as improving
from lmdk_widgets.scenario.evaluation import DRAWS, DRAWS_AT_ONCE, average, evaluate_one_draw
from lmdk_widgets.trajectory import sample

AVERAGED = Scenario(landmarks=(0, 2, 4, 7), average=True)


def put(name: str, value: object) -> dict[str, object]:
    return {"op": "set", "name": name, "value": value}


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """No average is made while one waits."""
    monkeypatch.setattr(improving, "AT_ONCE_S", -1.0)


def names(outcome: object) -> set[str]:
    return {trace["name"] for trace in describe_timeline(outcome)["data"]}


def test_draws_are_counted_and_the_average_comes_at_last() -> None:
    *steps, last = average(evaluate_one_draw(AVERAGED, sample("bob")))
    assert [step.drawn for step in steps] == list(range(DRAWS_AT_ONCE, DRAWS + 1, DRAWS_AT_ONCE))
    assert all(step.averages and step.error_low_m is None for step in steps) and not last.averages
    whole = evaluate(AVERAGED, sample("bob"))
    for name in ("error_m", "error_low_m", "error_high_m", "mean_error_m", "median_error_m"):
        np.testing.assert_array_equal(getattr(last, name), getattr(whole, name))
    assert last.budgets is steps[0].budgets and last.latitude is steps[0].latitude, "the very arrays"


@pytest.mark.parametrize("scheme", ["uniform", "skip", "adaptive", "budget-absorption"])
def test_steps_give_the_numbers_of_all_draws_at_once(scheme: str) -> None:
    track, scenario = sample("bob"), AVERAGED.with_changes(scheme=scheme)
    window = {"window": scenario.window} if scheme == "budget-absorption" else {}
    more = {"increase": scenario.increase, "decrease": scenario.decrease} if scheme == "adaptive" else {}
    how = {"scheme": scheme, "landmarks": scenario.landmarks, "epsilon": scenario.epsilon, **window, **more}
    how["mechanism"] = PlanarLaplace(radius_m=scenario.radius_m)
    errors = release_many(track.points_m, rng=np.random.default_rng(scenario.seed), draws=DRAWS, **how)
    out = evaluate(scenario, track)
    some = np.isfinite(errors).any(axis=0)
    assert np.array_equal(np.isfinite(out.error_m), some) and (scheme != "skip" or not some.all())
    assert out.error_m[some] == pytest.approx(np.nanmean(errors[:, some], axis=0), rel=1e-3)
    low, high = np.nanquantile(errors[:, some], (0.05, 0.95), axis=0)
    assert out.error_low_m[some] == pytest.approx(low, rel=1e-3) and out.error_high_m[some] == pytest.approx(
        high, rel=1e-3
    )


@pytest.mark.usefixtures("no_reader")
def test_a_short_average_is_there_at_once_and_a_long_one_is_one_draw_until_then(slow: None) -> None:
    session = TrackSession(scenario=AVERAGED)
    one = evaluate(AVERAGED.with_changes(average=False), sample("bob"))
    assert session.outcome.averages and np.array_equal(session.outcome.error_m, one.error_m)
    assert "Over 100 draws" not in describe(session.outcome).paragraph and "mean error" not in names(session.outcome)
    assert session.task(session.outcome) is not None
    improving.AT_ONCE_S = 60.0
    session.apply([put("epsilon", 0.5)], commit=True)
    assert not session.outcome.averages and session.task(session.outcome) is None
    assert "Over 100 draws" in describe(session.outcome).paragraph and "mean error" in names(session.outcome)


@pytest.mark.long
def test_progress_tells_draws_then_schemes(slow: None) -> None:
    session = TrackSession(scenario=TrackChoices(AVERAGED, compare=CompareChoices(open=True)))
    began, told = session.state, [session.progress(session.outcome, busy=True)]
    for better in session.improve(session.outcome):
        session.take(better, began)
        told.append(session.progress(session.outcome, busy=True))
    texts = [progress.text for progress in told]
    assert texts[0] == "Average of 100 draws: 0 done." and "Average of 100 draws: 60 done." in texts
    assert f"Comparing schemes: 3 of {len(SCHEMES)} are done." in texts
    assert [progress.share for progress in told if "Average" in progress.text] == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert session.progress(session.outcome, busy=False) == Progress()


def test_a_cancelled_average_says_what_is_shown_and_can_go_on(slow: None) -> None:
    session = TrackSession(scenario=AVERAGED)
    steps = session.improve(session.outcome)
    session.take(next(steps), session.state)
    session.outcome = session.interrupted(session.outcome)
    said = "Cancelled after 20 of 100 draws: the errors shown are those of one draw."
    assert session.progress(session.outcome, busy=False).text == said
    assert session.progress(session.outcome, busy=True).text == "Average of 100 draws: 0 done.", "it goes on"
    *_, last = session.improve(session.outcome)
    assert not last.averages and last.stopped == ""
    ended = session.interrupted(session.outcome, "There is not enough memory.")
    assert ended.stopped.startswith("Ended after") and ended.stopped.endswith("There is not enough memory.")


def test_an_average_stays_when_a_choice_changes_that_concerns_no_draw(slow: None) -> None:
    session = TrackSession(scenario=AVERAGED)
    *_, last = session.improve(session.outcome)
    session.take(last, session.state)
    session.apply([put("compare.open", True)], commit=True)
    assert session.outcome.error_low_m is last.error_low_m and session.choices["compare.open"]
    session.apply([put("seed", 7)], commit=True)
    assert session.outcome.averages


def test_what_follows_from_the_budgets_is_computed_once() -> None:
    outcome = evaluate_one_draw(AVERAGED, sample("bob"))
    assert outcome.landmark_bound is outcome.improved(drawn=20).landmark_bound
