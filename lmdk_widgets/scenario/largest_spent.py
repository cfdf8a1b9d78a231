"""The most that moments can spend together, in any draw: what a release can promise, in budgets.

Where budgets are known beforehand it is what they add up to. A scheme that chooses as it goes may spend less in the draw
that is shown than in another one: no sum of a draw is ever called a maximum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario.outcome import Outcome


def most_of_one(outcome: Outcome) -> float:
    """Of one moment."""
    scenario, here = outcome.scenario, float(outcome.budgets.max())
    return scenario.spread.largest(scenario.epsilon, scenario.window, here) if scenario.spread.online else here


def most_together(outcome: Outcome) -> float:
    """Of the landmarks and any one other moment together."""
    scenario = outcome.scenario
    if not scenario.spread.online:
        return float(outcome.totals.max())
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
    each = float(members.sum()) * most_of_one(outcome)
    return min(windows(np.flatnonzero(members).tolist(), scenario.window) * scenario.epsilon, each)


def caps(outcome: Outcome) -> Floats:
    """(n,) the most that Adaptive can spend at each timestamp: what is left to it if every landmark before was skipped,
    ``epsilon / (landmarks left + 1)``.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = evaluate(Scenario(scheme="adaptive", landmarks=(0, 2, 4, 7)), sample("bob"))
    >>> (1 / caps(bob)).round().astype(int).tolist()
    [5, 4, 4, 3, 3, 2, 2, 2]
    """
    marked = np.isin(np.arange(len(outcome)), outcome.protected)
    left = int(marked.sum()) - (np.cumsum(marked) - marked)
    return np.asarray(outcome.scenario.epsilon / (left + (0 if marked.all() else 1)), float)


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
