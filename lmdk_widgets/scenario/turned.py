"""Questions turned round: which epsilon keeps an error or a loss, and how many landmarks an error leaves room for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import effective_epsilon, effective_epsilon_bound
from lmdk_widgets.scenario.by_hand import settled
from lmdk_widgets.scenario.curve import asked
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.model import EPSILON_RANGE, Scenario
from lmdk_widgets.scenario.sweep import MOST_DRAWN, SLACK, at, drawn_error, expected_error_m
from lmdk_widgets.trajectory.model import Trajectory

STEPS = 60
"""Most steps of a search; each halves what is left of the range, or does better."""

MOST_SEARCHED_WORK = 1e9
"""Numbers that one bound in a search may look at: thirty of them take some seconds, beside the page."""

CLOSE = 1e-4
"""A search ends where the epsilon is known to this share."""


@dataclass(frozen=True)
class Turned:
    """Answers for one scheme under a scenario's other choices; none depends on its epsilon.

    Attributes
    ----------
    scenario : the choices that were asked about.
    error_epsilon : the smallest epsilon (the smallest target of a plan, the smallest factor of budgets by hand) whose mean
        error is at most `wanted_error_m`; NaN: none up to a million keeps it.
    how : "formula", "search" over expected errors, or "draws", over the mean of 20; "" with a sentence in `no_error`.
    loss_epsilon : the largest epsilon (or factor) at which the landmarks, with any one timestamp, lose at most
        `wanted_loss`, as is proven by bridges; NaN with a sentence in `no_loss`.
    counted_epsilon : the same by the authors' count, which is no bound.
    """

    scenario: Scenario
    error_epsilon: float
    how: str
    loss_epsilon: float
    no_error: str = ""
    no_loss: str = ""
    counted_epsilon: float = math.nan


def turn(scenario: Scenario, trajectory: Trajectory) -> Turned:
    """The answers for the scenario's scheme.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = Scenario(landmarks=(0, 2, 4, 7), correlation="none", wanted_error_m=500)
    >>> found = turn(bob, sample("bob"))
    >>> round(found.error_epsilon, 9), found.how, round(found.loss_epsilon, 9)
    (4.0, 'formula', 1.0)
    """
    wanted = {"wanted_error_m": scenario.wanted_error_m, "wanted_loss": scenario.wanted_loss}
    scenario = settled(scenario, len(trajectory))
    return _turn(asked(scenario, scenario.scheme).with_changes(**wanted), trajectory)


@lru_cache(maxsize=32)
def _turn(scenario: Scenario, trajectory: Trajectory) -> Turned:
    found, how, no_error, kept, counted, no_loss = math.nan, "", "", math.nan, math.nan, ""
    try:
        found, how = _epsilon_for_error(scenario, trajectory)
    except InputError as error:
        no_error = str(error)
    try:
        kept, counted = _epsilons_for_loss(scenario, trajectory)
    except InputError as error:
        no_loss = str(error)
    return Turned(scenario, found, how, kept, no_error, no_loss, counted)


def _epsilon_for_error(scenario: Scenario, trajectory: Trajectory) -> tuple[float, str]:
    wanted = scenario.wanted_error_m
    one = evaluate(scenario, trajectory)
    expected = expected_error_m(one)
    if not one.published.any():
        raise InputError("Nothing is released, so there is no error")
    if expected is None and len(trajectory) > MOST_DRAWN:
        what = f"There must be at most {MOST_DRAWN:,} timestamps for a search over many releases"
        raise InputError(what, value=f"{len(trajectory):,}")
    formula = scenario.spread.formula_for(landmarks=bool(one.protected))
    if expected is not None and one.reports is None and one.kind.placed and formula:
        found = (
            2 * scenario.radius_m * float((1 / one.budgets).mean()) / wanted
        )  # budgets follow epsilon, or the factor
        return (found if found <= EPSILON_RANGE[1] else math.nan), "formula"

    def error_m(epsilon: float) -> float:
        each = at(scenario, epsilon)
        if expected is not None:
            return expected_error_m(evaluate(each, trajectory)) or 0.0
        return drawn_error(each, trajectory)[0]

    return _least(error_m, wanted), "search" if expected is not None else "draws"


def _least(error_m: Callable[[float], float], wanted: float) -> float:
    """The smallest epsilon with an error of at most so many metres: bisection of its logarithm, the safe end kept."""
    most = wanted * (1 + SLACK)
    low, high = EPSILON_RANGE
    for high in (1.0, 10.0, 100.0, 1e4, EPSILON_RANGE[1]):
        if error_m(high) <= most:
            break
        low = high
    else:
        return math.nan
    for _ in range(STEPS):
        if high <= low * (1 + CLOSE):
            break
        middle = math.sqrt(max(low, high / 10) * high)
        low, high = (low, middle) if error_m(middle) <= most else (middle, high)
    return high


def _epsilons_for_loss(scenario: Scenario, trajectory: Trajectory) -> tuple[float, float]:
    """By the proven bound, and by the authors' count."""
    if scenario.spread.online:
        raise InputError("Its budgets depend on what is released, so no epsilon keeps this in every draw")
    if scenario.spread.plans:
        raise InputError("A plan keeps the loss of each timestamp: its target is set by itself")
    one = evaluate(scenario, trajectory)
    known, wanted = one.correlation, scenario.wanted_loss
    if one.bound_work > MOST_SEARCHED_WORK:
        remedy = "Mark landmarks closer to each other, or take fewer places for the correlation"
        raise InputError("The proven bound takes too long for stretches this long without a landmark", remedy=remedy)
    start = "any" if scenario.adversary == "any" else "stationary"
    kept = effective_epsilon_bound(known.matrix, one.budgets, one.protected, wanted, start=start)
    return kept, effective_epsilon(known.backward, known.forward, one.budgets, one.protected, wanted)


def affordable_landmarks(scenario: Scenario, n: int) -> int | None:
    """How many landmarks of n timestamps leave a mean error of at most `wanted_error_m`, at the scenario's epsilon.

    Uniform: 2 r (|L| + 1) / epsilon, one less when all are landmarks; Weighted: 2 r (|L| + sqrt(n - |L|))^2 / (n epsilon).

    Returns
    -------
    0 to n; None where not even no landmark does, and for other schemes and mechanisms, for which there is no formula.

    Examples
    --------
    >>> affordable_landmarks(Scenario(epsilon=1.0, wanted_error_m=2000), 8)
    4
    """
    shares = scenario.spread.mean_shares(np.arange(n + 1.0), n)
    if shares is None or scenario.mechanism != "planar":
        return None
    fits = np.flatnonzero(2 * scenario.radius_m * shares / scenario.epsilon <= scenario.wanted_error_m * (1 + 1e-12))
    return int(fits[-1]) if len(fits) else None
