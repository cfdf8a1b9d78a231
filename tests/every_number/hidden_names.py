"""The numbers of hidden landmarks by their names, and where each comes from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from tests.every_number.claims import least


def of_a_landmark(*, dummies: bool, error: bool = False) -> Callable[[Any], float]:
    """The budget of a landmark, or the expected mean error, with the dummies or without them, by the schemes' formulas."""

    def find(t: Any) -> float:
        k = t.k if dummies else len(t.s.landmarks)
        share = t.epsilon / (k + (k < t.n))
        each = [share] * t.n
        if t.scheme == "weighted" and k < t.n:
            share = t.epsilon / (k + math.sqrt(t.n - k))
            each = [share] * k + [share * math.sqrt(t.n - k)] * (t.n - k)
        return sum(t.planar_error(b) for b in each) / t.n if error else share

    return find


def real(t: Any) -> int:
    return len(t.s.landmarks)


HIDDEN: Mapping[str, Any] = {
    "protected_timestamps": "k",
    "dummies": lambda t: t.k - real(t),
    "own_landmarks": real,
    "landmark_timestamps": real,
    "hide_epsilon": lambda t: t.s.hide_epsilon,
    "sets": lambda t: t.attacked.of,
    "sets_left": lambda t: t.attacked.left,
    "certain": lambda t: t.attacked.certain,
    "least_chance": least(lambda t: t.attacked.top),
    "blind_chance": lambda t: real(t) / t.n,
    "each_chance": lambda t: real(t) / t.k,
    "odds_factor": lambda t: 1 / t.drawn.chance,
    "chance": lambda t: t.drawn.chance,
    "mean_protected": lambda t: t.drawn.mean,
    "no_dummy_chance": lambda t: t.drawn.alone,
    "one_sided_epsilon": lambda t: abs(math.log(t.drawn.chance)),
    "draw": lambda t: t.s.hide_draw,
    "all_draws": lambda t: t.s.hide_draw,
    "timestamps_left": lambda t: t.drawn.left,
    "grown_factor": lambda t: "more than a million" if t.drawn.grown >= 1e6 else t.drawn.grown,
    "budget_with_dummies": of_a_landmark(dummies=True),
    "budget_without": of_a_landmark(dummies=False),
    "error_with_dummies": of_a_landmark(dummies=True, error=True),
    "error_without": of_a_landmark(dummies=False, error=True),
}
