"""The checks of arguments at their boundaries, and the one sentence in which every public function refuses."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import checks
from lmdk_widgets.budgets import adaptive_budgets, allocate, landmark_totals, release, window_totals
from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind import (
    Solver,
    adversary_error,
    bayes_capacity,
    bayes_security,
    bayes_vulnerability,
    best_remap,
    most_private_mechanism,
    optimal_mechanism,
    planar_laplace_capacity,
    planar_laplace_channel,
    posterior,
    quality_loss,
    smallest_epsilon,
    spanner,
)
from lmdk_widgets.geoind.checkins import read_checkins
from lmdk_widgets.hosts.widget.figure_view import plain_figure
from lmdk_widgets.leakage import (
    LossFunction,
    backward_loss,
    best_plan,
    estimate_transitions,
    forward_loss,
    landmark_loss,
    plan_budgets,
    reverse,
    temporal_loss,
    temporal_loss_at_delta,
    window_loss,
)
from lmdk_widgets.leakage.layouts import landmark_layouts, mean_distance
from lmdk_widgets.noise import (
    Laplace,
    PlanarLaplace,
    exponential_mechanism,
    laplace,
    planar_laplace,
    planar_laplace_radius,
    randomized_response,
)
from lmdk_widgets.page.link import from_query
from lmdk_widgets.page.matrix_text import parse_matrix
from lmdk_widgets.pages.place import PlaceChoices, track_area
from lmdk_widgets.pages.place import evaluate as evaluate_places
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.series import evaluate as evaluate_quilts
from lmdk_widgets.pages.series.own import read_own
from lmdk_widgets.pages.track.files import choices_from_json
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.snippet import python_snippet
from lmdk_widgets.pufferfish import (
    MarkovChain,
    approximate_quilt_scale,
    compose_parallel,
    compose_sequential,
    max_influence,
    quilt_mechanism,
    quilt_scale,
)
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import Trajectory, load_trajectory, sample

TINY = np.finfo(float).tiny


def said(call: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        call(*arguments, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    "value", [0, 1, 1e-300, 0.5, np.float32(1), np.int8(1), np.array(0.25), Fraction(1, 3), Decimal(1)]
)
def test_numbers_that_are_fine(value: Any) -> None:
    for found in (checks.number(value, "x", 0, 1), checks.fraction(value, "x"), checks.positive(value, "x", zero=True)):
        assert type(found) is float and found == float(value)


@pytest.mark.parametrize(
    "value", [nan, -1e-300, np.nextafter(1, 2), True, np.True_, "1", b"1", None, [1], 1j, {}, 10**400]
)
def test_numbers_that_are_none(value: Any) -> None:
    assert said(checks.number, value, "x", 0, 1).startswith("X must be a number between 0 and 1; got ")
    assert said(checks.fraction, value, "x").startswith("X must be a number between 0 and 1; got ")


def test_limits_of_numbers() -> None:
    assert checks.number(inf, "x", 0) == inf and checks.number(-inf, "x", high=0) == -inf
    assert said(checks.number, -1, "x", 0) == "X must be a number, 0 or more; got -1."
    assert said(checks.number, 1, "x", high=0) == "X must be a number, 0 or less; got 1."
    assert said(checks.number, nan, "x") == "X must be a number; got nan."
    assert said(checks.number, 2e6, "x", 1e-9, 1e6) == "X must be a number between 1e-9 and 1,000,000; got 2,000,000.0."
    assert checks.positive(TINY, "x") == TINY and checks.positive(5e-324, "x", zero=True) == 5e-324
    assert "too few digits" in said(checks.positive, TINY / 2, "x")
    for value in (0, -1, inf, nan):
        assert said(checks.positive, value, "x").startswith("X must be a finite number above 0; got ")
    assert said(checks.positive, inf, "x", zero=True) == "X must be a finite number, 0 or more; got inf."
    assert checks.fraction(5e-324, "x", inside=True) == 5e-324
    for value in (0, 1):
        assert "strictly between 0 and 1" in said(checks.fraction, value, "x", inside=True)


@pytest.mark.parametrize("value", [1, 8, np.int64(3), np.uint8(8), np.array(5)])
def test_whole_numbers(value: Any) -> None:
    assert type(found := checks.whole(value, "x", most=8)) is int and found == value


@pytest.mark.parametrize("value", [0, 9, 2.0, True, np.True_, "3", None, [3], np.array([3]), nan])
def test_no_whole_numbers(value: Any) -> None:
    assert said(checks.whole, value, "x", most=8).startswith("X must be a whole number between 1 and 8; got ")


def test_limits_of_whole_numbers() -> None:
    assert checks.whole(10**30, "x") == 10**30 and checks.whole(0, "x", least=0) == 0
    assert said(checks.whole, -1, "x", least=0) == "X must be a whole number, 0 or more; got -1."
    assert said(checks.whole, 12345, "x", most=1) == "X must be 1; got 12,345."


def test_names_options_and_generators() -> None:
    assert checks.one_of("b", "x", ("a", "b")) == "b"
    for value, shown in (("c", "c"), ("", "''"), (None, "None"), (["a"], "a list"), (1, "1"), ("a\nb", r"'a\nb'")):
        assert said(checks.one_of, value, "x", ("a", "b")) == f'X must be "a" or "b"; got {shown}.'
    checks.options({"a": 1}, "f", {"a"})
    assert said(checks.options, {"c": 1}, "f", {"b", "a"}) == 'The options of f must be "a" or "b"; got c.'
    assert said(checks.options, {"c": 1}, "f", ()) == "F must have no options; got c."
    assert checks.generator(rng := np.random.default_rng(0)) is rng
    for value, shown in ((7, "an int"), (None, "None"), (np.random.RandomState(0), "a RandomState")):
        assert f"numpy.random.Generator; got {shown}." in said(checks.generator, value)


def test_arrays_of_numbers() -> None:
    given = np.arange(3.0)
    assert checks.numbers(given, "x") is given
    assert checks.numbers([], "x").shape == (0,)
    assert said(checks.numbers, [[1, 2], [3, inf]], "x") == "X must contain finite numbers; got inf at index (1, 1)."
    assert said(checks.numbers, nan, "x") == "X must contain finite numbers; got nan."
    assert said(checks.numbers, [[1], [2, 3]], "x").endswith("got rows of different lengths.")
    assert said(checks.numbers, ["48.85 N"], "x").endswith("got something that is not a number.")
    assert checks.positives([TINY, 1], "x").tolist() == [TINY, 1] and checks.positives(2, "x").shape == ()
    assert said(checks.positives, [1, 0], "x") == "X must contain finite numbers above 0; got 0.0 at index 1."
    assert said(checks.positives, 0, "x") == "X must be a finite number above 0; got 0."
    assert checks.probabilities([0, 1], "x").tolist() == [0, 1]
    assert said(checks.probabilities, [0, nan], "x") == "X must contain numbers between 0 and 1; got nan at index 1."
    assert checks.series([1], "x").tolist() == [1]
    for values in ([], [[1]], 1):
        assert "at least one number, shape (n,)" in said(checks.series, values, "x", remedy="Do it")


def test_points_and_probabilities() -> None:
    assert checks.points(np.empty((0, 2))).shape == (0, 2)
    assert "at least one point in metres" in said(checks.points, np.empty((0, 2)), least=1)
    for values in ([1, 2], [[1, 2, 3]]):
        assert "LocalFrame" in said(checks.points, values)
    given = np.array([0.25, 0.75])
    assert (found := checks.distribution(given, "prior", 2)).tolist() == [0.25, 0.75] and found is not given
    assert checks.distribution([0.5, 0.5 + 9e-7], "prior", 2).sum() == pytest.approx(1, abs=1e-15)
    assert said(checks.distribution, [0.5, 0.5 + 2e-9], "prior", 2, tolerance=1e-9).startswith("Prior must sum to 1")
    assert said(checks.distribution, [0.5, 0.4], "prior", 2).startswith("Prior must sum to 1; got 0.9.")
    assert said(checks.distribution, [1.5, -0.5], "prior", 2) == "Prior must not be negative; got -0.5 at index 1."
    assert (
        said(checks.distribution, [1], "prior", 2) == "Prior must contain 2 probabilities, shape (2,); got shape (1,)."
    )


def test_matrices() -> None:
    assert checks.square([[3]], "x").tolist() == [[3]]
    for values in ([[1, 2]], [1], np.empty((0, 0))):
        assert "a square matrix, shape (n, n); got shape" in said(checks.square, values, "x")
    assert "a square matrix of shape (2, 2); got shape (1, 1)" in said(checks.square, [[1]], "x", 2)
    assert said(checks.square, [[0, -1], [0, 0]], "x") == "X must not be negative; got -1.0 at index (0, 1)."
    assert checks.metric([[0, 2], [2, 0]]).tolist() == [[0, 2], [2, 0]]
    assert said(checks.metric, [[0, 2], [2, 1]]).startswith("Distances must be 0 from each place to itself; got 1 at")
    with pytest.raises(InputError, match=r"symmetric; got 2 at index \(0, 1\) and 3 at \(1, 0\)") as caught:
        checks.metric([[0, 2], [3, 0]])
    assert caught.value.kind == "symmetry"
    assert checks.channel_matrix([[0.5, 0.5, 0]]).shape == (1, 3)
    assert said(checks.channel_matrix, [[1, 0], [0, 0.9]]) == "Row 1 of matrix must sum to 1; got 0.9."
    assert "must not be negative" in said(checks.channel_matrix, [[1.5, -0.5]])
    assert "shape (n, m)" in said(checks.channel_matrix, [1])


def test_indices_states_and_budgets() -> None:
    for chosen in ([3, 0, 3], (3, 0), {0, 3}, np.array([3, 0], np.uint8), iter([0, 3]), [np.int64(3), 0]):
        assert checks.indices(chosen, "x", 4).tolist() == [0, 3]
    assert checks.indices(range(2), "x", 2).dtype == checks.indices([], "x", 4).dtype == np.intp
    for chosen, shown in (([4], "4"), ([-1], "-1"), ("01", "01"), (None, "None"), (3, "3"), ([1.5], "float64")):
        assert f"indices between 0 and 3; got {shown}" in said(checks.indices, chosen, "x", 4)
    assert "A mask must have 4 values" in said(checks.indices, [True, False], "x", 4)
    assert checks.indices([True, False, False, True], "x", 4).tolist() == [0, 3]
    assert "something else" in said(checks.indices, [[1], [1, 2]], "x", 4)
    assert checks.states([0, 2.0, True], "x", 3).tolist() == [0, 2, 1]
    assert checks.states([], "x", 3).dtype == np.int64
    for states in ([0, 3], [0, -1], [0, 0.5], [0, nan], [0, inf]):
        assert said(checks.states, states, "x", 3).endswith("between 0 and 2; got another number at index 1.")
    for states in (["a"], [[0]], 0):
        assert "whole numbers between 0 and 2" in said(checks.states, states, "x", 3)
    assert "shape (0,)" in said(checks.states, [], "x", 3, least=1)
    given = np.ones(2)
    assert checks.budgets(given) is given and checks.budgets([0, 1], n=2).tolist() == [0, 1]
    assert said(checks.budgets, [1, -1]) == "Budgets must contain finite numbers, 0 or more; got -1.0 at timestamp 1."
    for values in ([inf], [nan]):
        assert "at timestamp 0" in said(checks.budgets, values)
    for values in ([], [[1]], 1):
        assert "one number for each timestamp, shape (n,)" in said(checks.budgets, values)
    assert "shape (3,); got shape (1,)" in said(checks.budgets, [1], n=3)


@pytest.mark.parametrize("check", [checks.number, checks.positive, checks.fraction, checks.whole])
def test_what_may_be_private_is_not_repeated(check: Callable[..., Any]) -> None:
    for track in ([48.8566, 2.3522], (48.8566, 2.3522), np.array([48.8566, 2.3522]), {"lat": 48.8566}, {48.8566}):
        assert "48" not in said(check, track, "epsilon") and "2.35" not in said(check, track, "epsilon")
    place = [[48.8566, 2.3522], [48.8566, nan]]
    assert "48" not in said(checks.points, place) and "48" not in said(checks.points, place[0])


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


A = [[0.8, 0.2], [0.0, 1.0]]
PAIR = [[0, 1], [1, 0]]
CHAIN = MarkovChain.stationary([[0.9, 0.1], [0.4, 0.6]])
HOURS = np.array(["2026-01-26T08", "2026-01-26T09"], "datetime64[ns]")
CSV = b"lat,lon,time\n48.5,2.5,2026-01-26T10:00Z\n"

BAD: list[Callable[[], Any]] = [
    # budgets
    lambda: allocate("even", 8, [], 1.0),
    lambda: allocate("uniform", 0, [], 1.0),
    lambda: allocate("uniform", 8.0, [], 1.0),  # type: ignore[arg-type]
    lambda: allocate("uniform", 8, [8], 1.0),
    lambda: allocate("uniform", 8, [-1], 1.0),
    lambda: allocate("uniform", 8, None, 1.0),  # type: ignore[arg-type]
    lambda: allocate("uniform", 8, [True] * 7, 1.0),
    lambda: allocate("uniform", 8, [], 0),
    lambda: allocate("uniform", 8, [], inf),
    lambda: allocate("window", 8, [], 1.0),
    lambda: allocate("window", 8, [], 1.0, window=9),
    lambda: adaptive_budgets(8, [0], 1.0, [9]),
    lambda: adaptive_budgets(8, [0], -1.0, []),
    lambda: landmark_totals([], []),
    lambda: landmark_totals([0.1, nan], []),
    lambda: window_totals([0.1], 2),
    lambda: window_totals([[0.1]], 1),
    lambda: release([1.0], "even", [], 1.0, Laplace(), rng=rng()),
    lambda: release([1.0, nan], "event", [], 1.0, Laplace(), rng=rng()),
    lambda: release([[1.0, 2.0]], "event", [], 1.0, Laplace(), rng=rng()),
    lambda: release([1.0], "event", [], 1.0, "gauss", rng=rng()),
    lambda: release([1.0], "event", [], 1.0, 5, rng=rng()),  # type: ignore[arg-type]
    lambda: release([], "event", [], 1.0, lambda value, epsilon, rng: value, rng=rng()),
    lambda: release([1.0], "event", [], 1.0, Laplace(), rng=7),  # type: ignore[arg-type]
    lambda: release([1.0], "adaptive", [], 1.0, Laplace(), rng=rng(), increase=1),
    lambda: release([1.0], "event", [], 1.0, Laplace(), rng=rng(), increase=0.5),
    lambda: release([1.0], "budget-absorption", [], 1.0, Laplace(), rng=rng()),
    lambda: release([1.0], "budget-absorption", [], 1.0, Laplace(), rng=rng(), window=1, initial=[1, 2]),
    # noise
    lambda: laplace([1.0], 0, rng()),
    lambda: laplace([1.0, nan], 1, rng()),
    lambda: laplace([1.0], [1.0, 2.0], rng()),
    lambda: planar_laplace([48.85, 2.35], 1.0, rng()),
    lambda: planar_laplace([[1.0, 2.0]], [1.0, 0.0], rng()),
    lambda: planar_laplace_radius(1.5, 1.0),
    lambda: planar_laplace_radius([0.5, nan], 1.0),
    lambda: exponential_mechanism([], 1, 1),
    lambda: exponential_mechanism([1, 2], 1, -1),
    lambda: randomized_response([True], rng(), design="warner"),
    lambda: randomized_response([True], rng(), design="warner", probability=0.5),
    lambda: randomized_response([True], rng(), design="two-coin", probability=0.7),
    lambda: randomized_response([True], rng(), design="three-coin"),
    lambda: randomized_response([], rng()),
    lambda: randomized_response([0, 2], rng()),
    lambda: Laplace(0),
    lambda: PlanarLaplace().scale(-1),
    # leakage
    lambda: LossFunction([[1, 0]]),
    lambda: LossFunction([[1, 0], [0.4, 0.5]]),
    lambda: LossFunction([[1, 0], [-0.5, 1.5]]),
    lambda: LossFunction(A)(-1.0),
    lambda: LossFunction(A)("much"),
    lambda: LossFunction(A).supremum(-1),
    lambda: backward_loss(A, []),
    lambda: backward_loss([A, A], [0.1, 0.1]),
    lambda: forward_loss(A, [0.1, -1]),
    lambda: temporal_loss(A, [[1, 0], [0.4, 0.5]], [0.1]),
    lambda: temporal_loss_at_delta(A, A, [0.1], 2),
    lambda: landmark_loss(A, A, [0.1] * 8, [8]),
    lambda: window_loss(A, A, [0.1], 0),
    lambda: plan_budgets(A, A, -1),
    lambda: plan_budgets(A, A, 1.0, 0),
    lambda: best_plan(A, A, 1.0, 0),
    lambda: best_plan(A, A, 1.0, 2, initial_budgets=[1.0, 0.0]),
    lambda: plan_budgets([A, A], None, 1.0),
    lambda: plan_budgets([np.eye(2), None], [None, np.eye(2)], 1.0, 3),
    lambda: reverse([A, A]),
    lambda: reverse(A, [0.5, 0.6]),
    lambda: estimate_transitions([0, 3], 3),
    lambda: estimate_transitions([0, 1], 3, smoothing=-1),
    # pufferfish
    lambda: MarkovChain([1, 1], np.eye(2)),
    lambda: MarkovChain([1, 0, 0], np.eye(2)),
    lambda: max_influence(CHAIN, 10, 10),
    lambda: max_influence(CHAIN, 10, 3, 3),
    lambda: max_influence(CHAIN, 10, 3, None, 10),
    lambda: max_influence("chain", 10, 3),  # type: ignore[arg-type]
    lambda: quilt_scale([], 10, 1.0),
    lambda: quilt_scale([CHAIN, MarkovChain([1], [[1]])], 10, 1.0),
    lambda: quilt_scale(CHAIN, 10, 1.0, support="some"),  # type: ignore[arg-type]
    lambda: approximate_quilt_scale(length=10, epsilon=1.0),
    lambda: approximate_quilt_scale(length=10, epsilon=1.0, minimum_probability=2, gap=1),
    lambda: quilt_mechanism([0], lambda states: nan, 1, 1, rng()),
    lambda: quilt_mechanism([0], lambda states: 1.0, 0, 1, rng()),
    lambda: compose_sequential([]),
    lambda: compose_sequential([1, 0]),
    lambda: compose_parallel(1, 1, CHAIN, 5, 5),
    # trajectory
    lambda: Trajectory([48.5], [2.5], HOURS),
    lambda: Trajectory([], [], HOURS[:0]),
    lambda: Trajectory([48.5, 91], [2.5, 2.5], HOURS),
    lambda: Trajectory([48.5, 48.5], [2.5, 2.5], HOURS[::-1]),
    lambda: Trajectory([48.5, 48.5], [2.5, 2.5], HOURS, landmarks=(2,)),
    lambda: Trajectory([48.5, 48.5], [2.5, 2.5], HOURS, landmarks=(0.5,)),  # type: ignore[arg-type]
    lambda: load_trajectory(5),  # type: ignore[arg-type]
    lambda: load_trajectory("nowhere.gpx"),
    lambda: load_trajectory(b""),
    lambda: load_trajectory(b"%PDF-1.7"),
    lambda: load_trajectory(b"lat,lon\n1,2\n"),
    lambda: load_trajectory(b"{"),
    lambda: load_trajectory(b"<gpx/>"),
    lambda: load_trajectory(CSV.replace(b"Z", b"")),
    lambda: load_trajectory(CSV, timezone="Paris"),
    lambda: load_trajectory(CSV, on_problem="ignore"),
    lambda: load_trajectory(CSV, day_first="yes"),  # type: ignore[arg-type]
    lambda: load_trajectory(CSV.replace(b"2026-01-26T10:00Z", b"1/2/2026 10:00"), timezone="UTC"),
    lambda: load_trajectory(CSV + b"48.5,2.5,\n"),
    lambda: sample("alice"),
    # geoind
    lambda: Solver([[0, 1], [2, 0]]),
    lambda: Solver(PAIR, quality=[[0, 1]]),
    lambda: Solver(PAIR, dilation=inf),
    lambda: Solver(PAIR).solve([0.5, 0.5], -1),
    lambda: Solver(PAIR).improve([0.5, 0.5], 1, tolerance=0),
    lambda: Solver(PAIR).reference([1], 1),
    lambda: adversary_error([[0.5, 0.5]], [0.9], [[0, 1]]),
    lambda: bayes_capacity([[0.5, 0.6]]),
    lambda: bayes_security([0.5, 0.5]),
    lambda: bayes_vulnerability([[1, 0], [0, 1]], [0.5, 0.6]),
    lambda: planar_laplace_capacity(-1, 4, 1),
    lambda: planar_laplace_capacity(1, 4, 0),
    lambda: best_remap([[1, 0], [0, 1]], [0.5, 0.5], []),
    lambda: best_remap([[1, 0], [0, 1]], [0.5, 0.5], np.empty((2, 0))),
    lambda: most_private_mechanism(PAIR, [0.5, 0.5], -1),
    lambda: most_private_mechanism(PAIR, [0.5, 0.5], 1, quality=[[2, 3], [3, 2]]),
    lambda: most_private_mechanism(np.zeros((65, 65)), np.full(65, 1 / 65), 1),
    lambda: optimal_mechanism(PAIR, [0.5, 0.5], "much"),  # type: ignore[arg-type]
    lambda: optimal_mechanism(PAIR, [0.5, 0.5], 1, method="magic"),
    lambda: optimal_mechanism(PAIR, [1.5, -0.5], 1),
    lambda: planar_laplace_channel([1, 2], 1),
    lambda: planar_laplace_channel(np.empty((0, 2)), 1),
    lambda: planar_laplace_channel([[1, 2]], 0),
    lambda: posterior([[1, 0], [nan, 0]], [0.5, 0.5]),
    lambda: quality_loss([[0.5, 0.5]], [1], [[0, 1], [1, 0]]),
    lambda: quality_loss([[0.5, 0.5]], [1], [[0, -1]]),
    lambda: smallest_epsilon([[1, 0], [1, 0]], [[1, 1], [1, 0]]),
    lambda: spanner(PAIR, 0.5),
    # scenario: what a choice can be
    lambda: Scenario(epsilon=-3),
    lambda: Scenario(epsilon="1,000"),  # type: ignore[arg-type]
    lambda: Scenario(window=0),
    lambda: Scenario(seed=2**60),
    lambda: Scenario(scheme="fair"),
    lambda: Scenario(track=7),  # type: ignore[arg-type]
    lambda: Scenario(average=1),  # type: ignore[arg-type]
    lambda: Scenario(landmarks=3),  # type: ignore[arg-type]
    lambda: Scenario(landmarks=(-1,)),
    lambda: Scenario(matrix=((0.5, 0.4), (0.0, 1.0))),
    lambda: Scenario().with_changes(colour="red"),
    lambda: Scenario.from_dict([1]),  # type: ignore[arg-type]
    lambda: SeriesChoices(releases=()),
    lambda: SeriesChoices(releases=(0.0,)),
    lambda: SeriesChoices(a_first=-1),
    lambda: from_query("landmarks=1-x", Scenario),
    lambda: from_query("a" * 9_000, Scenario),
    # scenario: choices and data that do not go together
    lambda: evaluate(Scenario(landmarks=(8,)), sample("bob")),
    lambda: evaluate(Scenario(scheme="window", window=9), sample("bob")),
    lambda: evaluate(Scenario(scheme="adaptive", mechanism="optimal"), sample("bob")),
    lambda: evaluate(Scenario(mechanism="optimal", place_m=50_000), sample("bob")),
    lambda: evaluate(Scenario(mechanism="optimal", place_m=100), sample("taxi")),
    lambda: evaluate(Scenario(correlation="matrix"), sample("bob")),
    lambda: evaluate(Scenario(correlation="estimated", cell_m=50), sample("taxi")),
    lambda: evaluate_places(PlaceChoices(place=36)),
    lambda: evaluate_places(PlaceChoices(prior="checkins")),
    lambda: evaluate_places(PlaceChoices(prior="painted", painted=(1, 2))),
    lambda: evaluate_places(PlaceChoices(prior="painted", painted=(0,) * 36)),
    lambda: evaluate_places(PlaceChoices(prior="time", latitude=10, longitude=10)),
    lambda: track_area(sample("bob"), 50_000),
    lambda: evaluate_quilts(SeriesChoices(source="own")),
    lambda: evaluate_quilts(SeriesChoices(level_w=50.0, every=1)),
    # scenario: operations, texts and files
    lambda: TrackSession().apply([{"op": "toggle", "index": 8}], commit=True),
    lambda: PlaceSession().apply([{"op": "paint", "cells": [36], "weight": 1}], commit=True),
    lambda: PlaceSession().apply([{"op": "paint", "cells": [], "weight": 1}], commit=True),
    lambda: python_snippet(Scenario(track=""), source={"day_first": "yes"}),
    lambda: python_snippet(Scenario(track=""), source={"path": 3}),
    lambda: python_snippet(Scenario(track=""), source={"colour": "red"}),
    lambda: parse_matrix(""),
    lambda: parse_matrix("1 a; 0 1"),
    lambda: parse_matrix("1 0 0; 0 1"),
    lambda: choices_from_json("{"),
    lambda: choices_from_json("[]"),
    lambda: choices_from_json('{"format": "lmdk-widgets scenario", "version": 2}'),
    lambda: choices_from_json('{"seed": NaN}'),
    lambda: choices_from_json('{"seed": ' + "9" * 30 + "}"),
    lambda: read_checkins(b"1,a,2,3"),
    lambda: read_checkins(b"1,2,3"),
    lambda: read_checkins(b"0,0,0,0"),
    lambda: read_checkins(b"1,2\n\xff\xfe,3"),
    lambda: read_checkins(b"user,where\n1,2\n"),
    lambda: read_checkins(b"lat,lon\nabc,2.33\n"),
    lambda: read_checkins(b"lat,lon\n"),
    lambda: read_own(b""),
    lambda: read_own(b"1\n"),
    lambda: read_own(b"\x00\x01"),
    lambda: read_own(b"0\n1\nabc\n1\n"),
    lambda: read_own(b"0.5\n1.5\n"),
    lambda: read_own(b"\n".join(b"s%d" % k for k in range(1500))),
    lambda: read_own(b"Date;reactive_power\n1;2\n"),
    lambda: read_own(b"2020-01-01 00:00,100\n2020-01-01 00:01,120\n"),
    lambda: read_own(b"time power\n2020-01-01 00:00 100\n2020-01-01 00:01 90\n"),
    # widgets
    lambda: plain_figure(None),
    lambda: plain_figure({"data": [{"type": "heatmap"}]}),
    lambda: plain_figure({"data": [{"y": [object()]}]}),
    lambda: landmark_layouts(16, 9),
    lambda: mean_distance(3, []),
]


@pytest.mark.parametrize("call", BAD, ids=range(len(BAD)))
def test_every_refusal_is_one_sentence(call: Callable[[], Any]) -> None:
    with pytest.raises(InputError) as caught:
        call()
    text = caught.value.sentence
    first = text.split("; got ")[0]
    assert re.match(r"[A-Z“]", text) and " must " in first, text
    assert ("; got " in text) == (caught.value.value is not None), text
    assert text.endswith(".") and ".." not in text and "\n" not in text, text
    assert "Allowed:" not in text, text
    assert not re.search(r"np\.|array\(|it is no |there is no |manieth", text), text


def test_the_list_of_refusals_is_long() -> None:
    assert len(BAD) >= 150
