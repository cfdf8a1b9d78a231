"""Budget Absorption: any w in a row share one budget; a publication absorbs unused shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lmdk_widgets.budgets.schemes.base import Lanes, N, Pair, Sizes
from lmdk_widgets.budgets.schemes.comparing import FAR, Comparing, Halves
from lmdk_widgets.geo import Floats


def absorb(
    n: int,
    split: Halves,
    perturb: Callable[[int, float], Any],
    compare: Callable[[int, Any], float],
    displacement: Callable[[float], float],
    initial: Any = None,
) -> list[int]:
    """Budget Absorption, where unused shares add up: the quanta of each publication, or 0.

    A publication absorbs the unused shares before it and blocks as many timestamps after it as it absorbed. The
    parameters are those of `distribute`.

    Notes
    -----
    With u = eps / (2 w), last publication l and ``t_N = eps_l / u - 1``: republish while t - l <= t_N; then publish
    with ``u min(t - l - t_N, w)`` if dis > displacement for that budget. Before any publication, l is the timestamp
    before the first and t_N = 0; the formula's -1 would absorb the share of a timestamp that does not exist. The
    comparison counts at blocked timestamps too. Paper: Kellaris et al., VLDB 2014, "Budget Absorption".
    """
    last, blocked, spent = initial, -1, [0] * n  # blocked is l + t_N, the last timestamp whose share has been used
    for t in range(n):
        if t <= blocked:
            continue
        shares = min(t - blocked, split.window)
        budget = shares * split.share * split.quantum
        if last is None or compare(t, last) > displacement(budget):
            last = perturb(t, budget)
            blocked = t + shares - 1
            spent[t] = shares * split.share
    return spent


def absorb_lanes(
    split: Halves, true: Lanes, noise: Lanes, slack: Floats, size: Sizes, displacement: Sizes, initial: Any
) -> Lanes:
    """The current published outputs in k releases by Budget Absorption; see `distribute_lanes`."""
    n, k = noise.shape
    blocked, last = np.full(k, -1), np.full(k, FAR if initial is None else initial, noise.dtype)
    size, budgets = np.broadcast_to(size, k), np.arange(split.window + 1, dtype=np.int64) * split.share * split.quantum
    outputs = np.empty_like(noise)
    for t in range(n):
        shares = np.minimum(np.maximum(t - blocked, 0), split.window)
        with np.errstate(divide="ignore"):  # a blocked release has no share, and a threshold that nothing exceeds
            which = np.flatnonzero(np.abs(last - true[t]) + slack[t] > displacement / budgets[shares])
        if which.size:
            taken = shares[which]
            last[which] = true[t] + noise[t, which] * (size[which] / budgets[taken])
            blocked[which] = t + taken - 1
        outputs[t] = last
    return outputs


class _Absorption(Comparing):
    def reserves(self, pair: Pair, epsilon: float, new: list[bool]) -> list[float]:
        """The shares since the last publication, except those that it absorbed in advance."""
        could, blocked = [0.0] * N, -1
        for t in range(N):
            if t > blocked:
                shares = min(t - blocked, pair.window)
                could[t] = shares * epsilon / (2 * pair.window)
                blocked = t + shares - 1 if new[t] else blocked
        return could


SCHEME = _Absorption(
    name="budget-absorption",
    title="Budget Absorption",
    meaning="any w in a row share one budget; a publication absorbs unused shares.",
    loop=absorb,
    lanes=absorb_lanes,
    part=1 / 2,
    colour="sky",
    dash="dot",
)
