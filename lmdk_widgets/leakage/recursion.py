"""The recursion of the temporal privacy loss: what the past and the future add to each timestamp's budget.

    BPL_1 = eps_1, BPL_t = L_B(BPL_{t-1}) + eps_t        FPL_n = eps_n, FPL_t = L_F(FPL_{t+1}) + eps_t

In terms of theta = e^loss - 1, one timestamp is theta' = E + (1 + E) g theta / (1 + d theta) with E = e^eps - 1 and (d, g)
the best vertex of the loss function: one division, no logarithm and only positive terms, so every loss keeps its relative
precision down to 1e-300. If theta would overflow (a loss above 340), the recursion continues with the loss itself, and if
the last vertex has d = 0, as a running sum.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise, repeat
from math import inf
from typing import Any

import numpy as np

from lmdk_widgets.checks import refused
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.any_start import AnyStart
from lmdk_widgets.leakage.loss import FAR, MOST, LossFunction
from lmdk_widgets.leakage.markov import is_sequence_of_matrices, transition_matrix

Carrier = LossFunction | AnyStart
"""What carries a loss from one timestamp to the next."""

NOTHING = LossFunction([[1.0]])
"""Carries nothing: there is only one state. Used for None."""

Carriers = Carrier | list[Carrier]
"""One for all timestamps, or the n - 1 of a chain that changes over time."""

LOSS_MOST = 340.0
"""The largest single budget that can be added in terms of theta; the logarithm of `MOST`."""

FEW_VALUES = 1 / 100
"""If the budget changes at less than this share of timestamps, constant budgets are followed to their fixed point."""

AHEAD_AFTER_FAR = 64
"""How many timestamps are tried after theta was too large; four times as many each time it stays small."""


def carriers(p_backward: Any, p_forward: Any, n: int) -> tuple[Carriers, Carriers]:
    """The loss functions of both sides; if both sides are the same object, it is computed once."""
    known: dict[int, tuple[Any, Carrier]] = {}
    return _carriers(p_backward, n, "p_backward", known), _carriers(p_forward, n, "p_forward", known)


def _carriers(given: Any, n: int, name: str, known: dict[int, tuple[Any, Carrier]]) -> Carriers:
    if not is_sequence_of_matrices(given):
        return _carrier(given, name, known)
    if len(given) != n - 1:
        what = f"a single matrix or one for each move, {n - 1:,} for {n:,} timestamps"
        raise refused(name, what, f"{len(given):,} matrices")
    found = [_carrier(p, f"{name}[{k}]", known) for k, p in enumerate(given)]
    same = all(f is found[0] for f in found)
    return (found[0] if found else NOTHING) if same else found


def _carrier(given: Any, name: str, known: dict[int, tuple[Any, Carrier]]) -> Carrier:
    if given is None:
        return NOTHING
    if isinstance(given, LossFunction | AnyStart):
        return given
    if id(given) not in known:
        loss = LossFunction(transition_matrix(given, name=name))
        known[id(given)] = given, loss  # kept alive, so no other object can get its id
    return known[id(given)][1]


def at(carried: Carriers, moves: slice) -> Carriers:
    """The carriers for a range of moves; move k is from timestamp k to k + 1."""
    return carried[moves] if isinstance(carried, Sequence) else carried


def run(budgets: Floats, carried: Carriers) -> Floats:
    """The losses (n,) of a recursion over budgets (n,), in the order in which it runs."""
    if isinstance(carried, AnyStart):
        return 2 * run(budgets / 2, carried.half)
    if isinstance(carried, list):
        return _run_changing(budgets, carried)
    if carried.is_zero:
        return budgets.copy()
    if carried.is_identity:
        return np.cumsum(budgets)
    if budgets.max() > LOSS_MOST:
        return _run_changing(budgets, [carried] * (len(budgets) - 1))
    # on a reversed view, NumPy's functions give different last digits
    return _run(np.ascontiguousarray(budgets), carried)


def _run(budgets: Floats, carrier: LossFunction) -> Floats:
    n, losses = len(budgets), np.empty(len(budgets))
    seldom = np.count_nonzero(budgets[1:] != budgets[:-1]) < FEW_VALUES * n
    follow = _steady if seldom else _one_by_one
    done, theta, ahead = 0, 0.0, n
    while done < n:
        thetas = follow(np.expm1(budgets[done : done + ahead]), theta, carrier)
        losses[done : done + len(thetas)] = np.log1p(thetas)
        done, theta, ahead = done + len(thetas), float(thetas[-1]), 4 * ahead
        if theta >= MOST:
            done, ahead = _far(budgets, done, losses, carrier), AHEAD_AFTER_FAR
            theta = float(np.expm1(losses[done - 1])) if done < n else 0.0
    return losses


def _steady(grown: Floats, theta: float, carrier: LossFunction) -> Floats:
    """Budgets that seldom change: each value is followed until theta stops changing."""
    thetas = np.empty(len(grown))
    edges = [0, *(np.flatnonzero(np.diff(grown)) + 1).tolist(), len(grown)]
    for t, end in pairwise(edges):
        e = float(grown[t])
        while t < end:
            some = followed(repeat(e, min(256, end - t)), theta, carrier)
            thetas[t : t + len(some)] = some
            t += len(some)
            theta = some[-1]
            if theta >= MOST:
                return thetas[:t]
            if len(some) > 1 and theta == some[-2]:
                thetas[t:end] = theta
                break
    return thetas


def _one_by_one(grown: Floats, theta: float, carrier: LossFunction) -> Floats:
    """From e^eps - 1 of some timestamps and the previous theta: every theta up to the first that is `MOST` or more."""
    return np.array(followed(grown.tolist(), theta, carrier))


def followed(grown: Iterable[float], theta: float, carrier: LossFunction) -> list[float]:
    """The same in plain Python: the definition."""
    breaks, ds, gs = carrier.pieces
    thetas: list[float] = []
    append = thetas.append
    low = high = d = g = 0.0
    for e in grown:
        if not low <= theta < high:
            if theta >= MOST:
                break
            k = bisect_right(breaks, theta) - 1
            low, high, d, g = breaks[k], breaks[k + 1], ds[k], gs[k]
        theta = e + (1.0 + e) * g * theta / (1.0 + d * theta)
        append(theta)
    return thetas


def _far(budgets: Floats, start: int, losses: Floats, carrier: LossFunction) -> int:
    """Continue with the loss itself while it is large; returns how many timestamps are done."""
    n, a = len(budgets), float(losses[start - 1])
    d, g = float(carrier.d[-1]), float(carrier.g[-1])
    last = float(carrier.breakpoints[-1]) if len(carrier.breakpoints) else 0.0
    linear = max(FAR, last) if d == 0 and g > 1e-280 else inf
    t = start
    while t < n and a > LOSS_MOST - 20:
        if a >= linear:
            # L(a) = a + log q exactly, as long as it stays this large
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
    """A chain that changes over time, or budgets so large that theta overflows: one call of L per timestamp."""
    losses = budgets.copy()
    a = float(losses[0])
    for t, carrier in enumerate(carried, start=1):
        losses[t] += carrier(a)
        a = float(losses[t])
    return losses
