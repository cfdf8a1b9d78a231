"""Budget Distribution and Budget Absorption: w-event privacy for streams that change seldom.

At every timestamp a private comparison, paid from one half of epsilon, says how far the last release has fallen behind;
only if it is farther than the noise of a new release would be, one is made and paid from the other half.

For locations the dissimilarity is the distance from the last release to the true point. It changes by at most d when the
point moves by d, so that Laplace noise of scale ``2 w r / epsilon`` metres makes it cost ``epsilon / (2 w)`` at the
protection radius r. As in `adaptive`, each scheme stands here twice: for one release, without data, and for many at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.budgets.adaptive import Lanes, Sizes
from lmdk_widgets.budgets.quanta import quanta, quantum
from lmdk_widgets.geo import Floats

FAR = float("inf")
"""Stands for the last release where there is none: the distance to it exceeds every threshold."""


class Halves(NamedTuple):
    """Epsilon split for a window: one half for comparing, the same everywhere, and one for publishing.

    Attributes
    ----------
    quantum : what one quantum is worth.
    share : epsilon / (2 w) in quanta: what a comparison costs, and what Budget Absorption has for each timestamp.
    publishing : epsilon / 2 in quanta: what a window has for publications.
    window : w.
    """

    quantum: float
    share: int
    publishing: int
    window: int

    @property
    def comparison(self) -> float:
        """The budget of one comparison."""
        return self.share * self.quantum


def halves(epsilon: float, window: int) -> Halves:
    """Epsilon split for a window."""
    half = quanta(epsilon) // 2
    return Halves(quantum(epsilon), half // window, half, window)


def distribute(
    n: int,
    split: Halves,
    perturb: Callable[[int, float], Any],
    compare: Callable[[int, Any], float],
    displacement: Callable[[float], float],
    initial: Any = None,
) -> list[int]:
    """Budget Distribution, publish with half of what the window has left: the quanta of each publication, or 0.

    Parameters
    ----------
    n : number of timestamps.
    split : the two halves of epsilon.
    perturb : ``perturb(t, budget)``, a private output for timestamp t.
    compare : ``compare(t, output)``, a private distance from an output to the true value at t.
    displacement : ``displacement(budget)``, the mean displacement of an output.
    initial : a public value that stands for the last release before there is one; None: the first timestamp publishes.

    Notes
    -----
    ``eps_rm = eps / 2 - sum of the last w - 1 publications``; publish with ``eps_rm / 2`` if dis > displacement of it.
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


def absorb(
    n: int,
    split: Halves,
    perturb: Callable[[int, float], Any],
    compare: Callable[[int, Any], float],
    displacement: Callable[[float], float],
    initial: Any = None,
) -> list[int]:
    """Budget Absorption, unused shares add up: the quanta of each publication, or 0.

    A publication takes up the unused shares before it and blocks as many timestamps after it as it took up. Parameters
    are those of `distribute`.

    Notes
    -----
    With u = eps / (2 w), last publication l and ``t_N = eps_l / u - 1``: republish while t - l <= t_N; then publish
    with ``u min(t - l - t_N, w)`` if dis > displacement of it. Before any publication l is the timestamp before the
    first and t_N = 0; the formula's -1 would take up the share of a timestamp that there is not. The comparison is
    counted at blocked timestamps too. Paper: Kellaris et al., VLDB 2014, "Budget Absorption".
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


def distribute_lanes(
    split: Halves, true: Lanes, noise: Lanes, slack: Floats, size: Sizes, displacement: Sizes, initial: Any
) -> Lanes:
    """What stands published in each of k releases by Budget Distribution: `distribute` with an array in the place of one.

    `size` and `displacement` are those of the mechanism at a budget of 1: one number, or (k,), one for each release.
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


def absorb_lanes(
    split: Halves, true: Lanes, noise: Lanes, slack: Floats, size: Sizes, displacement: Sizes, initial: Any
) -> Lanes:
    """What stands published in each of k releases by Budget Absorption; see `distribute_lanes`."""
    n, k = noise.shape
    blocked, last = np.full(k, -1), np.full(k, FAR if initial is None else initial, noise.dtype)
    size, budgets = np.broadcast_to(size, k), np.arange(split.window + 1) * split.share * split.quantum
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
