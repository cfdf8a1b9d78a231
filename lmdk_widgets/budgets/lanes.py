"""Many releases side by side: the loops of `adaptive` and `window` with an array of releases in the place of one.

Every array runs over timestamps first and releases second. Decisions are the same as in the loops for one release, so
that a row here and a release made with the same random numbers agree. `size` and `displacement` are those of the mechanism
at a budget of 1: one number, or (k,), one for each release.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets.adaptive import Reservation
from lmdk_widgets.budgets.window import FAR, Halves
from lmdk_widgets.geo import Floats

Lanes = NDArray[Any]
"""(n, k): k releases of n timestamps; real for series, complex for points."""

Sizes = float | Floats


def adaptive_lanes(
    start: Reservation, true: Lanes, noise: Lanes, uniforms: Floats, size: Sizes, increase: float, decrease: float
) -> Lanes:
    """What stands published in each release by Adaptive: `adaptive.decide_with_noise` for k releases."""
    n, k = noise.shape
    reserved, rate = np.full(k, start.quanta), np.ones(k)
    scale = size / (reserved * start.quantum)
    outputs = np.empty_like(noise)
    last = outputs[0] = true[0] + noise[0] * scale
    for t in range(1, n):
        sampled = uniforms[t] < rate
        output = noise[t] * scale
        output += true[t]
        still = scale > np.abs(output - last)
        moved = np.where(still, rate - rate * decrease, rate + (1 - rate) * increase)
        rate = np.where(sampled, moved, rate)
        last = np.where(sampled, output, last)
        outputs[t] = last
        if start.to_come[t] >= 0:
            reserved += np.where(sampled, 0, reserved // (start.to_come[t] + 1))
            scale = size / (reserved * start.quantum)
    return outputs


def distribute_lanes(
    split: Halves, true: Lanes, noise: Lanes, slack: Floats, size: Sizes, displacement: Sizes, initial: Any
) -> Lanes:
    """What stands published in each release by Budget Distribution: `window.distribute_with_noise` for k releases."""
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
    """What stands published in each release by Budget Absorption: `window.absorb_with_noise` for k releases."""
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
