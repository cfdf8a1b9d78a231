"""The most that moments can spend together, in any draw: what a release can promise, in budgets.

Where budgets are known beforehand it is what they add up to. A scheme that chooses as it goes may spend less in the draw
that is shown than in another one: no sum of a draw is ever called a maximum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import landmark_totals
from lmdk_widgets.budgets.schemes.comparing import Comparing, halves
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario.outcome import Outcome

MOST_LISTED = 12
"""The most timestamps for which every way to publish is gone through: two for each."""


def most_of_one(outcome: Outcome) -> float:
    """Of one moment: the largest budget, in any draw, of a moment of these data."""
    scenario, here = outcome.scenario, float(outcome.budgets.max())
    if not scenario.spread.online:
        return here
    if not scenario.spread.windowed:
        return float(caps(outcome).max())
    return scenario.spread.largest(scenario.epsilon, scenario.window, here)


def most_together(outcome: Outcome) -> float:
    """Of the landmarks and any one other moment together."""
    scenario = outcome.scenario
    if not scenario.spread.online:
        return float(outcome.totals.max())
    if (every := _every_release(outcome)) is not None:
        return float(max(landmark_totals(row, outcome.protected).max() for row in every))
    more = 1 if len(outcome.protected) < len(outcome) else 0
    times = windows(outcome.protected, scenario.window) + more if scenario.spread.windowed else 1
    each = (len(outcome.protected) + more) * most_of_one(outcome)
    return min(times * scenario.epsilon, each, most_of_all(outcome))


def most_of_all(outcome: Outcome) -> float:
    """Of all moments."""
    return most_of(outcome, np.ones(len(outcome), bool))


def most_of(outcome: Outcome, members: NDArray[np.bool_]) -> float:
    """Of some moments, (n,) bool: no more than each can spend, and than the landmarks, or all windows over them, do."""
    scenario = outcome.scenario
    if not scenario.spread.online:
        return float(outcome.budgets[members].sum())
    if not scenario.spread.windowed:
        marked, most = np.isin(np.arange(len(outcome)), outcome.protected), caps(outcome)
        landmarks = min(float(most[members & marked].sum()), float(scenario.epsilon))  # together within epsilon
        return landmarks + float(most[members & ~marked].sum())
    if (every := _every_release(outcome)) is not None:
        return float(every[:, members].sum(axis=1).max())
    each = float(members.sum()) * most_of_one(outcome)
    return min(windows(np.flatnonzero(members).tolist(), scenario.window) * scenario.epsilon, each)


def _every_release(outcome: Outcome) -> Floats | None:
    """(k, n) what the timestamps spend in each way in which a scheme that compares may publish; None where these are too
    many to go through."""
    scenario = outcome.scenario
    if not isinstance(scenario.spread, Comparing) or len(outcome) > MOST_LISTED:
        return None
    return scenario.epsilon * _ways(scenario.spread, len(outcome), min(scenario.window, len(outcome)))


@cached("settings", entries=8, what="budgets with an epsilon of 1 under every outcome of every comparison")
def _ways(scheme: Comparing, n: int, window: int) -> Floats:
    """(k, n) the same with an epsilon of 1: every outcome of every comparison, tests included."""
    split, found = halves(1.0, window), set()
    for far in product((-math.inf, math.inf), repeat=n):
        compare = lambda t, _, far=far: far[t]  # noqa: E731
        found.add(tuple(scheme.loop(n, split, lambda t, _: 0.0, compare, lambda _: 0.0, None)))
    return np.array(sorted(found)) * split.quantum + split.comparison


def caps(outcome: Outcome) -> Floats:
    """(n,) the most that Adaptive can spend at each timestamp, see `Scheme.caps`."""
    scenario = outcome.scenario
    return scenario.spread.caps(len(outcome), np.asarray(outcome.protected, np.intp), scenario.epsilon)


def windows(timestamps: Sequence[int], window: int) -> int:
    """How many windows cover them, from the first on.

    Examples
    --------
    >>> windows((0, 2, 4, 7), 3), windows((), 3)
    (3, 0)
    """
    covered, found = -1, 0
    for at in np.sort(timestamps).tolist():
        if at > covered:
            covered, found = at + window - 1, found + 1
    return found
