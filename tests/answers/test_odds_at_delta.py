"""What all timestamps, and the landmarks with one other, tell at a delta, beside sums, and where sums alone count."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from lmdk_widgets.answers.odds import all_at_delta
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.budgets.schemes.comparing import halves
from lmdk_widgets.composition import laplace_epsilon, planar_laplace_epsilon, response_delta, response_epsilon
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import bound
from lmdk_widgets.page.link import from_query, to_query
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.scenario.model import SPREADS
from lmdk_widgets.trajectory import Series, Trajectory, sample
from lmdk_widgets.trajectory.samples import sample_data

BOB = (0, 2, 4, 7)
AT = "With δ = 1e-6, a {} that differs from yours at every timestamp{} is told apart from it by at most ε = {} "
AT += "(by sums at most {})"
ONE = "; one that differs only at your four landmarks and one other timestamp, by at most ε = {} (by sums at most {})."


def said(**choices) -> str:
    return describe(evaluate(Scenario(track="bob", landmarks=BOB, **choices), sample("bob"))).assumption


def series(kind: str) -> Series:
    time = np.datetime64("2026-01-26T08:00", "ns") + np.arange(12) * np.timedelta64(60, "s")
    values = np.arange(12) % 2 if kind == "answers" else np.linspace(0, 4, 12)
    return (
        Series(time, values=values, lower=0.0, upper=4.0)
        if kind == "numbers"
        else Series(time, values=values, kind=kind)
    )


def test_points_by_planar_laplace():
    at, one = (bound(planar_laplace_epsilon([0.2] * n, 1e-6)) for n in (8, 5))
    expected = AT.format("track", ", each time within 200 m,", at, "1.60") + ONE.format(one, "1")
    assert f"{expected} A bound at δ may fail with probability δ; a sum cannot." in said(scheme="uniform", epsilon=1.0)


@pytest.mark.parametrize(("mechanism", "far"), [("optimal", ", each time within one cell,"), ("randomised", "")])
def test_cells_by_the_bound_for_every_mechanism(mechanism, far):
    outcome = evaluate(
        Scenario(track="bob", landmarks=BOB, mechanism=mechanism, place_m=4000.0, radius_m=4000.0), sample("bob")
    )
    at, one = (bound(response_epsilon([0.2] * n, 1e-6)) for n in (8, 5))
    expected = AT.format("track", far, at, "1.60")
    words = describe(outcome).assumption
    assert (expected in words) == (at != "1.60") and ("δ" in words) == (at != "1.60")
    assert at == "1.60" or one == "1" or ONE.format(one, "1") in words


@pytest.mark.parametrize(("kind", "epsilon_of"), [("numbers", laplace_epsilon), ("answers", response_epsilon)])
def test_series_by_their_own_mechanism(kind, epsilon_of):
    words = describe(evaluate(Scenario(landmarks=(1, 2), scheme="user", epsilon=0.12), series(kind))).assumption
    assert AT.format("series", "", bound(epsilon_of([0.01] * 12, 1e-6)), "0.12") in words


@pytest.mark.parametrize("scheme", ["adaptive", "budget-distribution", "budget-absorption"])
def test_the_budgets_of_eight_timestamps_that_depend_on_releases_are_summed(scheme):
    words = said(scheme=scheme, epsilon=1.0, window=3)
    caps = 1 + 1 / 4 + 1 / 3 + 2 / 2  # the landmarks, and what is left to the others if every landmark was skipped
    # each timestamp is tested for 1/6; Distribution halves what is left of 1/2, Absorption takes units of 1/6
    most = {"adaptive": caps, "budget-distribution": 2.4329427083, "budget-absorption": 8 / 6 + 8 / 6}[scheme]
    assert "δ" not in words and "as it goes, all timestamps together spend at most " + bound(most) in words


@pytest.mark.long
@pytest.mark.each_case
@pytest.mark.parametrize(
    ("track", "scheme", "at"),
    [
        ("commuter", "adaptive", 124.39),
        ("contacts", "adaptive", 123.14),
        ("taxi", "adaptive", 431.15),
        ("household", "adaptive", 35.16),
        ("bob", "adaptive", 2.629),
        ("taxi", "budget-absorption", 700.17),
        ("taxi", "predictive", 700.17),
        ("taxi", "budget-distribution", 592.6),
    ],
)
def test_schemes_that_choose_are_added_up_at_their_caps(track, scheme, at):
    data = sample_data(track)
    outcome = evaluate(Scenario(track=track, landmarks=data.landmarks, scheme=scheme), data)
    assert all_at_delta(outcome) == pytest.approx(at, rel=1e-4)
    summed = Promised(outcome).all_loss
    words = describe(outcome).assumption
    if at < summed:
        assert f"by at most ε = {bound(all_at_delta(outcome))} (by sums at most {bound(summed)})." in words
    else:
        assert f"spend at most {bound(summed)}." in words


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.4, 0.9])
def test_no_choice_of_budgets_in_a_window_tells_more_than_one_answer_with_all_of_it(epsilon):
    """Every way to choose the budgets of four answers from those before, on a grid, with the sum of a window at most 1.2."""

    def worst(loss: float, left: float, answers: int) -> float:
        ends = max(0.0, 1 - math.exp(epsilon - loss))
        if not answers:
            return ends
        found = ends
        for budget in np.arange(0.1, left + 1e-9, 0.1).tolist():
            true = 1 / (1 + math.exp(-budget))
            more, less = (worst(loss + sign * budget, left - budget, answers - 1) for sign in (1, -1))
            found = max(found, true * more + (1 - true) * less)
        return found

    whole = response_delta([1.2], epsilon)
    assert worst(0.0, 1.2, 4) <= whole * (1 + 1e-9)
    assert worst(0.0, 1.2, 1) == pytest.approx(whole)


@pytest.mark.parametrize("scheme", ["budget-distribution", "budget-absorption", "predictive"])
@pytest.mark.parametrize("window", [1, 2, 3, 5])
def test_no_window_publishes_more_than_its_cap(scheme, window):
    spread, split = SPREADS[scheme], halves(1.0, window)
    for far in product((-math.inf, math.inf), repeat=9):
        spent = spread.loop(9, split, lambda t, _: 0.0, lambda t, _, far=far: far[t], lambda _: 0.0, None)
        sums = [sum(spent[t : t + window]) * split.quantum for t in range(9)]
        assert max(sums) <= spread.published(1.0, window) * (1 + 1e-12)


def test_delta_is_a_choice_that_changes_no_release():
    at, one = (bound(planar_laplace_epsilon([0.2] * n, 1e-3)) for n in (8, 5))
    text = said(scheme="uniform", epsilon=1.0, delta=1e-3)
    expected = AT.format("track", ", each time within 200 m,", at, "1.60") + ONE.format(one, "1")
    assert expected.replace("1e-6", "0.001") in text
    one, other = (Scenario(track="bob", landmarks=BOB, delta=delta) for delta in (1e-6, 1e-3))
    assert one.released == other.released and "delta" in one.visible()
    assert "delta" in one.with_changes(scheme="adaptive").visible()
    with pytest.raises(InputError, match="The delta must be between"):
        Scenario(delta=0.0)


@pytest.mark.parametrize("version", ["", "&v=3"])
def test_links_without_a_delta_have_the_default(version):
    found = Scenario.from_dict(from_query(f"page=track{version}&track=bob&epsilon=0.5", Scenario))
    assert found.delta == 1e-6
    assert "delta" not in to_query(found) and "delta=0.001" in to_query(found.with_changes(delta=1e-3))


@pytest.mark.parametrize("kind", ["points", "numbers"])
def test_many_different_budgets_are_rounded_up_and_said_to_be(kind):
    n, rng = 40, np.random.default_rng(4)
    budgets = [(float(b), 1) for b in rng.uniform(0.01, 0.2, n)]
    time = np.datetime64("2026-01-26T08:00", "ns") + np.arange(n) * np.timedelta64(60, "s")
    data = (
        Series(time, values=rng.uniform(0, 4, n), lower=0.0, upper=4.0)
        if kind == "numbers"
        else Trajectory(48.8 + np.zeros(n), 2.3 + np.zeros(n), time)
    )
    text = describe(evaluate(Scenario(track="", landmarks=(1, 5), scheme="given", budgets=budgets), data)).assumption
    assert "; to add them up, the budgets are rounded up to 24 different ones." in text
    exact = (laplace_epsilon if kind == "numbers" else planar_laplace_epsilon)([b for b, _ in budgets], 1e-6)
    shown = float(text.split("is told apart from it by at most ε = ")[1].split()[0])
    assert exact <= shown <= 1.05 * exact
    few = describe(evaluate(Scenario(track="", landmarks=(1, 5), scheme="uniform"), data)).assumption
    assert "rounded up" not in few and "δ" in few


def test_nothing_is_said_where_nothing_is_gained():
    assert "δ" not in said(scheme="event", epsilon=30.0, radius_m=200.0) or "ε = 240" not in said(
        scheme="event", epsilon=30.0
    )
    one = evaluate(
        Scenario(landmarks=(), scheme="event"), Series(np.array(["2026-01-26T08:00"], "M8[ns]"), values=[1.0])
    )
    assert "δ" not in describe(one).assumption
