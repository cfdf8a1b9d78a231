"""Predictive: the last report is repeated while a noisy test finds it near, and the tests have their own budget.

The predictive mechanism of Chatzikokolakis, Palamidessi, Stronati, "A predictive differentially-private mechanism for
mobility traces", PETS 2014, with the parrot's prediction: someone stays where they were last reported. The test adds
noise to the distance to the prediction, and costs each timestamp epsilon / (2 w), whatever it finds; a fresh report
always costs the same. The budget manager keeps any w timestamps in a row within epsilon: once there are as many fresh
reports as it has budget for, the prediction is used without looking at the data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lmdk_widgets.budgets.schemes.base import Lanes, N, Pair, Sizes
from lmdk_widgets.budgets.schemes.comparing import FAR, Comparing, Halves
from lmdk_widgets.geo import Floats

EACH = 4
"""The number of timestamps in a window per fresh report."""


def fresh_reports(window: int) -> int:
    """How many fresh reports any w timestamps in a row may have: one for every four of them, at least one.

    Examples
    --------
    >>> [fresh_reports(window) for window in (1, 3, 4, 8, 24)]
    [1, 1, 1, 2, 6]
    """
    return max(1, window // EACH)


def predict(
    n: int,
    split: Halves,
    perturb: Callable[[int, float], Any],
    compare: Callable[[int, Any], float],
    displacement: Callable[[float], float],
    initial: Any = None,
) -> list[int]:
    """The predictive mechanism: the quanta of each fresh report, or 0 where the prediction is used.

    The parameters are those of `distribute`.

    Notes
    -----
    With m fresh reports per window, each costs ``eps / (2 m)``. At t, the last report is repeated if the last w - 1
    timestamps contain m fresh ones, or if the noisy distance to it is at most the mean displacement of a fresh one.
    """
    allowed = fresh_reports(split.window)
    amount, last, spent = split.publishing // allowed, initial, [0] * n
    budget = amount * split.quantum
    recent = 0
    for t in range(n):
        if t >= split.window and spent[t - split.window]:
            recent -= 1
        if recent >= allowed:
            continue
        if last is None or compare(t, last) > displacement(budget):
            last = perturb(t, budget)
            spent[t] = amount
            recent += 1
    return spent


def predict_lanes(
    split: Halves, true: Lanes, noise: Lanes, slack: Floats, size: Sizes, displacement: Sizes, initial: Any
) -> Lanes:
    """The current published outputs in k releases by the predictive mechanism; see `distribute_lanes`."""
    n, k = noise.shape
    allowed = fresh_reports(split.window)
    budget = split.publishing // allowed * split.quantum
    worth, scale = displacement / budget, np.broadcast_to(size, k) / budget
    last, recent = np.full(k, FAR if initial is None else initial, noise.dtype), np.zeros(k, np.int64)
    fresh, outputs = np.zeros((n, k), bool), np.empty_like(noise)
    for t in range(n):
        if t >= split.window:
            recent -= fresh[t - split.window]
        which = np.flatnonzero((recent < allowed) & (np.abs(last - true[t]) + slack[t] > worth))
        if which.size:
            last[which] = true[t] + noise[t, which] * scale[which]
            fresh[t, which] = True
            recent[which] += 1
        outputs[t] = last
    return outputs


class _Predictive(Comparing):
    def reserves(self, pair: Pair, epsilon: float, new: list[bool]) -> list[float]:
        """The budget of a fresh report, if the window has one left."""
        allowed = fresh_reports(pair.window)
        return [
            epsilon / (2 * allowed) if sum(new[max(0, t - pair.window + 1) : t]) < allowed else 0.0 for t in range(N)
        ]

    def largest(self, epsilon: float, window: int, here: float) -> float:
        """A fresh report and its test."""
        return epsilon / (2 * fresh_reports(window)) + self.compared(epsilon, window)


SCHEME = _Predictive(
    name="predictive",
    title="Predictive",
    meaning="the last report stays while a noisy test finds it near; any w in a row, with their tests, share one budget.",
    loop=predict,
    lanes=predict_lanes,
    part=1 / 2,
    colour="green",
    dash="dashdot",
)
