"""The recursion of the temporal privacy loss: what the past and the future add to each timestamp's budget.

    BPL_1 = eps_1, BPL_t = L_B(BPL_{t-1}) + eps_t        FPL_n = eps_n, FPL_t = L_F(FPL_{t+1}) + eps_t

In theta = e^loss - 1 one timestamp is theta' = E + (1 + E) g theta / (1 + d theta) with E = e^eps - 1 and (d, g) the
best vertex of the loss function: one division and no logarithm, all terms positive, so every loss keeps its relative
precision down to 1e-300. The vertex is looked up again only when theta leaves its interval. Where theta would overflow
(a loss above 340) the recursion goes on in the loss itself, and where the last vertex has d = 0, as a running sum.
"""

from __future__ import annotations

from bisect import bisect_right
from math import inf, log1p

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.inputs import Carrier, Carriers
from lmdk_widgets.leakage.loss import FAR, LossFunction

THETA_MOST = 1e147
"""About e^340: theta and one budget's e^eps up to here cannot overflow together."""

LOSS_MOST = 340.0


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
    grown = np.expm1(budgets).tolist()
    losses = np.empty(len(budgets))
    done, theta = 0, 0.0
    while True:
        thetas = _run_theta(grown, done, theta, carrier)
        losses[done : done + len(thetas)] = np.log1p(thetas)
        done += len(thetas)
        if done == len(budgets):
            return losses
        done = _run_far(budgets, done, losses, carrier)
        if done == len(budgets):
            return losses
        theta = float(np.expm1(losses[done - 1]))


def _run_theta(grown: list[float], start: int, theta: float, carrier: LossFunction) -> list[float]:
    """theta at timestamps from `start` on, given the theta before it; ends early when theta grows too large."""
    breaks = [0.0, *(x for x in carrier.theta_breaks.tolist() if x < THETA_MOST), THETA_MOST]
    ds, gs = carrier.d.tolist(), carrier.g.tolist()
    thetas: list[float] = []
    append = thetas.append
    low = high = d = g = 0.0
    for e in grown[start:] if start else grown:
        if not low <= theta < high:
            if theta >= THETA_MOST:
                break
            k = bisect_right(breaks, theta) - 1
            low, high, d, g = breaks[k], breaks[k + 1], ds[k], gs[k]
        theta = e + (1.0 + e) * (g * theta / (1.0 + d * theta))
        append(theta)
    return thetas


def _run_far(budgets: Floats, start: int, losses: Floats, carrier: LossFunction) -> int:
    """Go on in the loss itself while it is large; returns how many timestamps are done."""
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


def limit(carrier: Carrier) -> float:
    """L(inf): more than this no past can add."""
    if carrier is None:
        return 0.0
    d, g = float(carrier.d[-1]), float(carrier.g[-1])
    return log1p(g / d) if d > 0 else inf if g > 0 else 0.0
