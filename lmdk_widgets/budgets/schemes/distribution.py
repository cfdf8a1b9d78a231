"""Budget Distribution: any w in a row share one budget, halving it at each publication."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lmdk_widgets.budgets.schemes.base import Lanes, N, Pair, Sizes
from lmdk_widgets.budgets.schemes.comparing import FAR, Comparing, Halves
from lmdk_widgets.geo import Floats


def distribute(
    n: int,
    split: Halves,
    perturb: Callable[[int, float], Any],
    compare: Callable[[int, Any], float],
    displacement: Callable[[float], float],
    initial: Any = None,
) -> list[int]:
    """Budget Distribution, which publishes with half of what the window has left: the quanta of each publication, or 0.

    Parameters
    ----------
    n : number of timestamps.
    split : the two halves of epsilon.
    perturb : ``perturb(t, budget)``, a private output for timestamp t.
    compare : ``compare(t, output)``, a private distance from an output to the true value at t.
    displacement : ``displacement(budget)``, the mean displacement of an output.
    initial : a public value that serves as the last release until there is one; None: the first timestamp publishes.

    Notes
    -----
    ``eps_rm = eps / 2 - sum of the last w - 1 publications``; publish with ``eps_rm / 2`` if dis > displacement for it.
    Paper: Kellaris, Papadopoulos, Xiao, Papadias, VLDB 2014, "Budget Distribution".
    """
    left, last, spent = split.publishing, initial, [0] * n
    for t in range(n):
        if t >= split.window:
            left += spent[t - split.window]
        amount = left // 2
        if last is None or (amount and compare(t, last) > displacement(amount * split.quantum)):
            last = perturb(t, amount * split.quantum)
            spent[t] = amount
            left -= amount
    return spent


def distribute_lanes(
    split: Halves, true: Lanes, noise: Lanes, slack: Floats, size: Sizes, displacement: Sizes, initial: Any
) -> Lanes:
    """The current published outputs in k releases by Budget Distribution: `distribute` for an array of releases.

    `size` and `displacement` are those of the mechanism at budget 1: one number, or (k,), one for each release.
    """
    n, k = noise.shape
    window, worth, size = split.window, displacement / split.quantum, np.broadcast_to(size, k)
    left, last = np.full(k, split.publishing), np.full(k, FAR if initial is None else initial, noise.dtype)
    spent = np.zeros((n, k), np.int64)
    outputs = np.empty_like(noise)
    for t in range(n):
        if t >= window:
            left += spent[t - window]
        amount = left >> 1
        which = np.flatnonzero((np.abs(last - true[t]) + slack[t]) * amount > worth)
        if which.size:
            half = amount[which]
            last[which] = true[t] + noise[t, which] * (size[which] / (half * split.quantum))
            spent[t, which] = half
            left[which] -= half
        outputs[t] = last
    return outputs


class _Distribution(Comparing):
    def reserves(self, pair: Pair, epsilon: float, new: list[bool]) -> list[float]:
        """Half of what the window has left for publications."""
        could, spent = [0.0] * N, [0.0] * N
        for t in range(N):
            could[t] = (epsilon / 2 - sum(spent[max(0, t - pair.window + 1) : t])) / 2
            spent[t] = could[t] * new[t]
        return could

    def published(self, epsilon: float, window: int) -> float:
        """``(1 - 2^-w) epsilon / 2``: with each of the w publications at most half of the rest goes.

        With s_j the sum of the last j <= w of them, ``s_j <= s_(j-1) + (epsilon / 2 - s_(j-1)) / 2``, as the window holds at
        least those j - 1; so ``s_j <= (1 - 2^-j) epsilon / 2`` by induction.
        """
        return epsilon / 2 * (1 - 2.0**-window)


SCHEME = _Distribution(
    name="budget-distribution",
    title="Budget Distribution",
    meaning="any w in a row share one budget, halving it at each publication.",
    pairs=(
        Pair(
            "series that differ at the first timestamp, window 1; spends three quarters",
            (0,),
            (0.0,) * N,
            1,
            -2.0,
            False,
        ),
        Pair(
            "series that differ at two timestamps in a row; seldom spends everything",
            (0, 1),
            (0.0,) * N,
            2,
            -1.0,
            False,
        ),
    ),
    loop=distribute,
    lanes=distribute_lanes,
    part=1 / 4,
    colour="sky",
    dash="dash",
)
