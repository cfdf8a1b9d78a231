"""The recursion of the temporal privacy loss: what the past and the future add to each timestamp's budget.

    BPL_1 = eps_1, BPL_t = L_B(BPL_{t-1}) + eps_t        FPL_n = eps_n, FPL_t = L_F(FPL_{t+1}) + eps_t

In theta = e^loss - 1 one timestamp is theta' = E + (1 + E) g theta / (1 + d theta) with E = e^eps - 1 and (d, g) the
best vertex of the loss function: one division and no logarithm, all terms positive, so every loss keeps its relative
precision down to 1e-300. The vertex is looked up again only when theta leaves its interval. Where theta would overflow
(a loss above 340) the recursion goes on in the loss itself, and where the last vertex has d = 0, as a running sum.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise, repeat
from math import inf

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.inputs import Carrier, Carriers
from lmdk_widgets.leakage.loss import FAR, LossFunction
from lmdk_widgets.leakage.scan import MOST, SEGMENT, scan

LOSS_MOST = 340.0
"""Largest single budget that can be added in theta; the logarithm of `MOST`."""

FEW_VALUES = 1 / 100
"""Below this share of timestamps at which the budget changes, constant budgets are followed to their fixed point."""


def run(budgets: Floats, carried: Carriers) -> Floats:
    """The losses (n,) of a recursion over budgets (n,) in the order in which it runs."""
    if isinstance(carried, list):
        return _run_changing(budgets, carried)
    if carried is None or carried.is_zero:
        return budgets.copy()
    if carried.is_identity:
        return np.cumsum(budgets)
    if budgets.max() > LOSS_MOST:
        return _run_changing(budgets, [carried] * (len(budgets) - 1))
    return _run(budgets, carried)


def _run(budgets: Floats, carrier: LossFunction) -> Floats:
    n = len(budgets)
    losses, done, theta = np.empty(n), 0, 0.0
    steady = np.count_nonzero(np.diff(budgets)) < FEW_VALUES * n
    while done < n:
        thetas = (_steady if steady else _varying)(budgets[done:], theta, carrier)
        losses[done : done + len(thetas)] = np.log1p(thetas)
        done = _far(budgets, done + len(thetas), losses, carrier)
        theta = float(np.expm1(losses[done - 1])) if done < n else 0.0
    return losses


def _varying(budgets: Floats, theta: float, carrier: LossFunction) -> Floats:
    """theta at every timestamp, given the theta before them; fewer where theta grows too large."""
    if len(budgets) >= (1_000 if len(carrier.d) == 1 else 8_000):
        thetas = scan(np.expm1(budgets), carrier, theta)
        if len(thetas):
            return thetas
    return np.array(_one_by_one(np.expm1(budgets[:SEGMENT]).tolist(), theta, carrier))


def _steady(budgets: Floats, theta: float, carrier: LossFunction) -> Floats:
    """The same for budgets that seldom change: each value is followed until theta changes no more."""
    thetas = np.empty(len(budgets))
    edges = [0, *(np.flatnonzero(np.diff(budgets)) + 1).tolist(), len(budgets)]
    for t, end in pairwise(edges):
        e = float(np.expm1(budgets[t]))
        while t < end:
            some = _one_by_one(repeat(e, min(256, end - t)), theta, carrier)
            thetas[t : t + len(some)] = some
            t += len(some)
            theta = some[-1]
            if theta >= MOST:
                return thetas[:t]
            if len(some) > 1 and theta == some[-2]:
                thetas[t:end] = theta
                break
    return thetas


def _one_by_one(grown: Iterable[float], theta: float, carrier: LossFunction) -> list[float]:
    breaks = [0.0, *(x for x in carrier.theta_breaks.tolist() if x < MOST), MOST]
    ds, gs = carrier.d.tolist(), carrier.g.tolist()
    thetas: list[float] = []
    append = thetas.append
    low = high = d = g = 0.0
    for e in grown:
        if not low <= theta < high:
            if theta >= MOST:
                break
            k = bisect_right(breaks, theta) - 1
            low, high, d, g = breaks[k], breaks[k + 1], ds[k], gs[k]
        theta = e + (1.0 + e) * (g * theta / (1.0 + d * theta))
        append(theta)
    return thetas


def _far(budgets: Floats, start: int, losses: Floats, carrier: LossFunction) -> int:
    """Go on in the loss itself for as long as it is large; returns how many timestamps are done."""
    n, a = len(budgets), float(losses[start - 1])
    d, g = float(carrier.d[-1]), float(carrier.g[-1])
    last = float(carrier.breakpoints[-1]) if len(carrier.breakpoints) else 0.0
    linear = max(FAR, last) if d == 0 and g > 1e-280 else inf
    t = start
    while t < n and a > LOSS_MOST - 20:
        if a >= linear:
            # L(a) = a + log q exactly, for as long as it stays that large
            ahead = a + np.cumsum(budgets[t:] + np.log(g))
            below = np.flatnonzero(ahead < linear)
            stop = t + (int(below[0]) + 1 if len(below) else len(ahead))
            losses[t:stop] = ahead[: stop - t]
            t = stop
        else:
            losses[t] = carrier(a) + float(budgets[t])
            t += 1
        a = float(losses[t - 1])
    return t


def _run_changing(budgets: Floats, carried: list[Carrier]) -> Floats:
    """A chain that changes with time, or budgets so large that theta overflows: one call of L a timestamp."""
    losses = budgets.copy()
    a = float(losses[0])
    for t, carrier in enumerate(carried, start=1):
        if carrier is not None:
            losses[t] += carrier(a)
        a = float(losses[t])
    return losses
