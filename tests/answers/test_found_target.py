"""Safety as a target: the epsilon that keeps every lasting place far, leaving out what is found too near, and what gets
worse: against closed forms, by evaluating each answer again, and by many releases that are attacked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers import (
    epsilon_for_found,
    found_target,
    lasting_places,
    leave_out,
    leaving_out,
    leaving_out_sentence,
    nothing_worse,
    shifts,
    silence,
)
from lmdk_widgets.answers.found_target import epsilon_steps
from lmdk_widgets.answers.leaving_out import left_out
from lmdk_widgets.answers.main_places import lasting_places_of
from lmdk_widgets.answers.silences import silence_ends
from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.budgets import release
from lmdk_widgets.errors import InputError
from lmdk_widgets.inference.averaging import geometric_median
from lmdk_widgets.inference.main_place import main_place
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.pages.track.found_epsilon import FoundEpsilon, found_text
from lmdk_widgets.scenario import SCHEMES, Scenario, evaluate
from lmdk_widgets.scenario.data_kinds import kind_of
from lmdk_widgets.scenario.evaluation import how_released
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory import Trajectory, sample
from lmdk_widgets.trajectory.samples import sample_data
from lmdk_widgets.verdict.judged_answers import Judged, with_worth
from lmdk_widgets.verdict.limits import Limits
from lmdk_widgets.verdict.search import searched


def outcome_of(name: str = "commuter", **changes: Any) -> Outcome:
    track = sample(name)
    plain = {"track": name, "landmarks": track.landmarks, "correlation": "none"}
    return evaluate(Scenario(**(plain | changes)), track)


def at(outcome: Outcome, epsilon: float) -> Outcome:
    return evaluate(outcome.scenario.with_changes(epsilon=epsilon, target=epsilon), outcome.trajectory)


def nearest_m(outcome: Outcome) -> float:
    return min(place.found_m for place in lasting_places(outcome))


@pytest.mark.parametrize(("epsilon", "found_m"), [(0.1, 927.6), (0.3, 309.2), (1.0, 92.8), (3.0, 30.9), (10.0, 9.3)])
def test_the_epsilon_of_a_distance_that_is_known_is_the_one_it_comes_from(epsilon: float, found_m: float) -> None:
    """The table of the commuter's home under Uniform, asked the other way round."""
    assert epsilon_for_found(outcome_of(), found_m) == pytest.approx(epsilon, rel=4e-3)
    assert epsilon_for_found(outcome_of(epsilon=epsilon), 200.0) == pytest.approx(0.4638, abs=5e-5)


@pytest.mark.parametrize(("scheme", "found_m"), [("uniform", 92.76), ("event", 10.31), ("user", 20_778.0)])
def test_one_division_answers_where_budgets_are_proportional_to_epsilon(scheme: str, found_m: float) -> None:
    outcome = outcome_of(scheme=scheme)
    assert [*epsilon_steps(outcome, 400.0)] == [pytest.approx(found_m / 400, rel=1e-3)]


@pytest.mark.parametrize("reports", [5, 40])
def test_a_place_without_end_has_the_epsilon_of_the_closed_form(reports: int) -> None:
    """Event level, n reports at one place: X = 1.6651 r / (eps sqrt n)."""
    time = np.datetime64("2026-01-26T08:00", "s") + np.arange(reports) * 600
    track = Trajectory(np.full(reports, 48.85), np.full(reports, 2.35), time, name="still")
    outcome = evaluate(Scenario(track="", scheme="event", correlation="none", epsilon=2.0), track)
    wanted = math.sqrt(2 * math.log(2)) * math.sqrt(2) * 200 / (300 * math.sqrt(reports))
    assert epsilon_for_found(outcome, 300.0) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    "scheme",
    [name for name in SCHEMES if name != "best-plan"],  # its search takes long
)
@pytest.mark.parametrize("distance_m", [120.0, 700.0])
def test_each_answer_evaluated_again_keeps_the_distance_and_no_more(scheme: str, distance_m: float) -> None:
    correlation = "moderate" if scheme == "planned" else "none"
    outcome = outcome_of(scheme=scheme, correlation=correlation)
    found = epsilon_for_found(outcome, distance_m)
    assert nearest_m(at(outcome, found)) >= distance_m * (1 - 1e-6)
    slack = 1.3 if scheme == "adaptive" else 1.01  # where X jumps, only the first jump counts
    assert nearest_m(at(outcome, slack * found)) < distance_m


def members(outcome: Outcome, k: int = 0) -> np.ndarray:
    return lasting_places(outcome)[k].members


@pytest.mark.long
@pytest.mark.parametrize("distance_m", [150.0, 185.0, 300.0, 600.0])
@pytest.mark.parametrize("name", ["commuter", "taxi"])
def test_a_silence_that_comes_nearer_makes_the_epsilon_smaller(name: str, distance_m: float) -> None:
    """With only the main place left out and everything else far away, what is found is what the silences give away."""
    track = sample(name)
    there = main_place(track.latitude, track.longitude)[2]
    alone = Trajectory(track.latitude, track.longitude, track.time, name="mine", zone=track.zone)
    landmarks = np.flatnonzero(there).tolist()
    outcome = evaluate(Scenario(track="", scheme="skip", landmarks=landmarks, correlation="none"), alone)
    found = epsilon_for_found(outcome, distance_m)
    places = lasting_places(at(outcome, found))
    assert min(place.found_m for place in places) >= distance_m * (1 - 1e-6)
    by_reports = min(place.reports_m for place in lasting_places(outcome)) / distance_m
    assert found <= by_reports * (1 + 1e-9)


def test_what_silences_give_away_limits_epsilon_where_nothing_else_is_reported() -> None:
    """A walk to a place and back: only the place lasts, and it is left out."""
    there = np.concatenate([np.linspace(0.3, 0.004, 40), np.zeros(60), np.linspace(0.004, 0.3, 40)])
    time = np.datetime64("2026-01-26T08:00", "s") + np.arange(140) * 600
    track = Trajectory(48.85 + there, 2.35 + there, time, name="walk")
    still = np.flatnonzero(there < 0.002).tolist()  # all within 200 m
    skip = evaluate(Scenario(track="", scheme="skip", landmarks=still, correlation="none"), track)
    (place,) = [each for each in lasting_places(skip) if each.silence is not None]
    near, far = 0.5 * place.silence.limit_m, 5 * place.silence.limit_m
    assert place.reports == 0 and epsilon_for_found(skip, near) == math.inf
    found = epsilon_for_found(skip, far)
    assert found < math.inf and nearest_m(at(skip, found)) >= far * (1 - 1e-6)
    assert nearest_m(at(skip, 1.5 * found)) < far


def test_nothing_released_needs_no_epsilon_and_what_has_no_place_is_refused() -> None:
    week = sample("commuter")
    all_out = outcome_of(scheme="skip", landmarks=range(len(week)))
    assert epsilon_for_found(all_out, 200.0) == math.inf
    assert epsilon_for_found(outcome_of("bob"), 200.0) == math.inf  # nothing lasts
    household = sample_data("household")
    series = evaluate(Scenario(track="household"), household)
    assert not kind_of(household).placed
    with pytest.raises(InputError, match="needs a track"):
        epsilon_for_found(series, 200.0)
    with pytest.raises(InputError, match="planar Laplace"):
        epsilon_for_found(outcome_of("bob", mechanism="optimal"), 200.0)
    with pytest.raises(InputError, match="must be a finite number above 0"):
        epsilon_for_found(outcome_of("bob"), 0.0)


def attacked(outcome: Outcome, draws: int) -> dict[str, float]:
    """The median distance at which the library's release gives each lasting place away, at known hours: the geometric median
    of its own reports, or of those beside its silences, weighted by their budgets."""
    how, track, rng = (
        how_released(outcome.scenario, outcome.trajectory)[1],
        outcome.trajectory,
        np.random.default_rng(1),
    )
    off: dict[str, list[float]] = {}
    for _ in range(draws):
        made = release(track.points_m, rng=rng, **how)
        spent = np.where(made.published, made.budgets - made.comparison_budget, 0.0)
        for place in lasting_places(outcome):
            used = place.members & (spent > 0)
            if place.by_silence:
                used = np.isin(np.arange(len(track)), silence_ends(track, place.members & (spent <= 0), spent > 0))
            true = track.frame.to_metres(place.latitude, place.longitude)
            found = geometric_median(made.outputs[used], spent[used])
            off.setdefault(place.name, []).append(float(np.hypot(*(found - true))))
    return {name: float(np.median(each)) for name, each in off.items()}


@pytest.mark.long
@pytest.mark.parametrize("name", ["commuter", pytest.param("taxi", marks=pytest.mark.nightly)])
def test_half_of_all_releases_find_no_lasting_place_nearer(name: str) -> None:
    """200 releases at the epsilon of the answer, with every lasting place attacked; few reports are found less well."""
    outcome = outcome_of(name)
    then = at(outcome, epsilon_for_found(outcome, 300.0))
    assert isinstance(how_released(then.scenario, then.trajectory)[1]["mechanism"], PlanarLaplace)
    found = attacked(then, 200)
    assert min(found.values()) >= 0.9 * 300
    assert min(found.values()) <= 1.35 * 300


@pytest.mark.long
@pytest.mark.parametrize("name", ["commuter", pytest.param("taxi", marks=pytest.mark.nightly)])
def test_half_of_all_releases_find_nothing_nearer_than_what_is_left_out_allows(name: str) -> None:
    outcome = outcome_of(name)
    then = evaluate(leave_out(outcome, 200.0), outcome.trajectory)
    found = attacked(then, 200)
    told = {place.name: place.found_m for place in lasting_places(then)}
    assert min(told.values()) >= 200 and min(found.values()) >= 0.9 * 200
    for place in lasting_places(then):
        if place.reports >= 30:
            assert found[place.name] == pytest.approx(place.found_m, rel=0.2), place.name


def test_leaving_out_marks_what_is_found_too_near_and_keeps_the_rest_far() -> None:
    outcome = outcome_of()
    near = left_out(outcome, 200.0)
    assert [place.name for place in near] == ["home", "work"]
    then = leave_out(outcome, 200.0)
    there = set(np.flatnonzero(near[0].members | near[1].members).tolist())
    assert then.scheme == "skip" and set(then.landmarks) == there | set(outcome.scenario.landmarks)
    others = [place for place in lasting_places(evaluate(then, outcome.trajectory)) if not place.by_silence]
    assert others[0].name == "place 3" and 200 <= others[0].found_m < 201 and others[0].reports == 107
    assert then.epsilon == pytest.approx(200 / 200 * 2 * math.sqrt(math.log(2)) / math.sqrt(107), rel=1e-3)
    assert leave_out(outcome_of(scheme="user"), 200.0) == outcome_of(scheme="user").scenario  # nothing is found
    only_home = leave_out(outcome, 95.0)  # work has 539 reports, and place 3 107
    assert only_home.epsilon == pytest.approx(200 / 95 * 2 * math.sqrt(math.log(2)) / math.sqrt(538), rel=5e-3)
    small = leave_out(outcome_of(epsilon=0.1, scheme="event"), 200.0)
    assert small.epsilon == 0.1  # the present one, which keeps the others far


@pytest.mark.long
def test_leaving_out_more_allows_a_larger_epsilon() -> None:
    outcome = outcome_of()
    some, all_of_them = leave_out(outcome, 200.0), leave_out(outcome, 200.0, least=10)
    assert len(all_of_them.landmarks) > len(some.landmarks) and all_of_them.epsilon > some.epsilon
    assert nearest_m(evaluate(all_of_them, outcome.trajectory)) >= 200


def test_leaving_out_is_refused_without_places_or_for_cells() -> None:
    for outcome in (evaluate(Scenario(track="household"), sample_data("household")), outcome_of(mechanism="optimal")):
        with pytest.raises(InputError, match="planar Laplace"):
            leave_out(outcome, 200.0)


def test_what_leaving_out_costs_is_said_with_what_the_silences_still_give_away() -> None:
    outcome = outcome_of()
    then = evaluate(leave_out(outcome, 200.0), outcome.trajectory)
    said = leaving_out_sentence(outcome, then, 200.0)
    quiet = {place.name: place.silence.error_m for place in lasting_places(then) if place.silence is not None}
    assert set(quiet) == {"home", "work"} and "found: 93 m becomes 200 m" in said
    assert (
        "one moment: 53 becomes 55 of 100" in said and "useful: " in said and said.index("But") < said.index("useful")
    )
    assert f"when you are at home and at work, and still give your home away to within {quiet['home']:.0f} m." in said
    assert leaving_out_sentence(outcome_of(scheme="user"), then, 200.0) == ""


@pytest.mark.long
def test_a_proposal_is_recommended_only_where_nothing_gets_worse() -> None:
    now = outcome_of()
    skip, better = outcome_of(scheme="skip"), outcome_of()
    assert [shift.sentence() for shift in shifts(now, skip) if shift.worse] == [
        "found: 93 m becomes 20 m or less",
        "one moment: 53 becomes 74 of 100",
    ]
    assert not nothing_worse(now, skip) and nothing_worse(now, better)
    assert not any(shift.worse or shift.better or shift.seen for shift in shifts(now, better))
    less = outcome_of(epsilon=0.5)
    assert {shift.answer for shift in shifts(now, less) if shift.worse} == {"useful"}
    assert {shift.answer for shift in shifts(less, now) if shift.worse} == {
        "found",
        "one moment",
        "the landmarks and any one other",
    }


def test_timestamps_that_do_not_exist_are_refused() -> None:
    outcome = evaluate(Scenario(track="commuter", landmarks=sample("commuter").landmarks), sample("commuter"))
    for wrong in ([-1, 2], [0, 5000]):
        with pytest.raises(InputError):
            silence(outcome, wrong)


def test_nothing_is_proposed_that_releases_nothing() -> None:
    """Forty timestamps at two places: leaving both out would leave no report."""
    time = np.datetime64("2026-01-26T08:00", "ns") + np.arange(40) * np.timedelta64(600, "s")
    two = Trajectory(np.repeat([48.85, 48.9], 20), np.full(40, 2.35), time)
    outcome = evaluate(Scenario(track="", epsilon=50.0), two)
    with pytest.raises(InputError, match="nothing would be released"):
        leave_out(outcome, 200.0)
    proposed = searched(Judged(outcome, Limits(useful_share=None))).proposed
    assert all(tried.judged.outcome.published.any() for tried in proposed)


@pytest.mark.long
def test_an_epsilon_between_those_of_the_search_is_found() -> None:
    """Where silences come nearest, epsilon is halved first: the most useful one that keeps the limit lies above."""
    commuter = sample("commuter")
    home = np.flatnonzero(np.any([place.members for place in lasting_places_of(commuter)], axis=0))
    outcome = evaluate(Scenario(track="commuter", scheme="skip", landmarks=home), commuter)
    read = with_worth(outcome, useful(outcome))
    own = searched(Judged(read, Limits(found_m=300.0, useful_share=0.43))).own
    assert own is None or own.scenario.epsilon > 0.5


def test_a_correction_is_evaluated_before_it_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the distance falls much more slowly than 1 / epsilon, proportional corrections need more than four."""
    outcome = outcome_of(scheme="budget-absorption")
    tried: list[float] = []

    def found_m(_: Outcome, epsilon: float) -> float:
        tried.append(epsilon)
        return 200.0 * (0.01 / epsilon) ** 0.2

    monkeypatch.setattr(found_target, "_found_m", found_m)
    found = epsilon_for_found(outcome, 200.0)
    assert len(tried) > 5 and found in tried and found_m(outcome, found) >= 200.0 * (1 - 1e-9)
    assert found > 0.01 * (1 - 1e-3), "and hardly smaller than it has to be"
    assert all(one <= found or one > 0.01 for one in tried), "what was tried below it was far enough too"


@pytest.mark.parametrize("power", [0.2, 0.9, 1.0, 1.1, 3.0])
@pytest.mark.parametrize("start", [0.3, 0.999, 1.0, 1.04, 3.0])
def test_a_guess_that_is_too_small_is_made_larger(power: float, start: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest epsilon is known to a thousandth, on whichever side of it the first guess lies."""
    outcome = outcome_of(scheme="budget-absorption")
    guess = min(place.reports_m for place in lasting_places(outcome)) / 200.0
    most = guess / start
    monkeypatch.setattr(found_target, "_found_m", lambda _, epsilon: 200.0 * (most / epsilon) ** power)
    assert most * (1 - 1e-3) <= epsilon_for_found(outcome, 200.0) <= most * (1 + 1e-9)


def test_the_largest_epsilon_is_that_of_a_dense_search() -> None:
    """Each epsilon up to it keeps the distance, and one that is a thousandth larger does not."""
    outcome = outcome_of(scheme="budget-absorption")
    found = epsilon_for_found(outcome, 200.0)
    assert all(nearest_m(at(outcome, found * share)) >= 200.0 * (1 - 1e-6) for share in (0.9, 0.97, 0.99, 1.0))
    assert min(nearest_m(at(outcome, found * (1 + more))) for more in (0.001, 0.005, 0.01)) < 200.0


@pytest.mark.parametrize("scheme", ["budget-absorption", "adaptive"])
def test_where_every_epsilon_is_nearer_the_answer_is_0_and_is_said(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = outcome_of(scheme=scheme)
    monkeypatch.setattr(found_target, "_found_m", lambda _, epsilon: 150.0)
    assert epsilon_for_found(outcome, 200.0) == 0.0
    said = found_text(FoundEpsilon(0.0), outcome, 200.0, "Up to epsilon 0")
    assert "of those tried: a lasting place is found nearer than 200 m at each." in said and "no bound" not in said
    with pytest.raises(InputError, match="At every epsilon the silences of these places come nearer"):
        monkeypatch.setattr(leaving_out, "epsilon_for_found", lambda *_: 0.0)
        leave_out(outcome, 200.0)
