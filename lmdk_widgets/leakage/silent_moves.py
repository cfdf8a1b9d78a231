"""Timestamps without a budget: the moves between two reports are one move of the chain.

Let j moves lie between the last report, at s, and timestamp t. Nothing is released in between, so

    B_t = D_t + L[P^j](B_s)        and not        L applied j times, once for each move,

which is never smaller: the j single moves allow a different worst case at each of them. If t is silent too, D_t = 0. The
forward loss is the same in the other direction. Proof: Theorem 9 in `docs/pairs.md`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.any_start import AnyStart
from lmdk_widgets.leakage.loss import MOST, LossFunction
from lmdk_widgets.leakage.markov import product
from lmdk_widgets.leakage.recursion import LOSS_MOST, NOTHING, Carrier, Carriers, at, run

EXACT, MOST_DIGITS = 30_000, 10
"""Silence of up to this number of moves times squared states, and of 2^10 moves, is one power of the matrix."""

SHORT = 24
"""Stretches of fewer reports than this, on average, are followed report by report."""


def run_merged(budgets: Floats, carried: Carriers) -> Floats:
    """The losses (n,) of the recursion over budgets (n,), in the order in which it runs, with silent timestamps merged."""
    reports = np.flatnonzero(budgets)
    if len(reports) == len(budgets):
        return run(budgets, carried)
    losses = np.zeros(len(budgets))
    if not len(reports):
        return losses
    found = None
    if np.count_nonzero(np.diff(reports) > 1) * SHORT > len(reports) and not isinstance(carried, list):
        found = _one_by_one(budgets[reports], np.diff(reports), carried)
    losses[reports] = _by_stretches(budgets, reports, carried) if found is None else found
    silent = np.flatnonzero(budgets == 0)
    losses[silent] = _since(losses, silent, reports, carried)
    return losses


def _by_stretches(budgets: Floats, reports: Indices, carried: Carriers) -> Floats:
    """The losses at the reports: each stretch of them begins with what is left of the one before."""
    losses, last = np.zeros(len(budgets)), -1
    edges = [0, *(np.flatnonzero(np.diff(reports) > 1) + 1).tolist(), len(reports)]
    for some in (reports[a:b] for a, b in pairwise(edges)):
        first, end = int(some[0]), int(some[-1]) + 1
        spent = budgets[first:end].copy()
        if last >= 0:
            spent[0] += carried_by(carried, last, first, float(losses[last]))
        losses[first:end] = run(spent, at(carried, slice(first, end - 1)))
        last = end - 1
    return losses[reports]


def _one_by_one(budgets: Floats, gaps: Indices, carrier: Carrier) -> Floats | None:
    """The same in terms of theta = e^loss - 1, report by report: many short stretches. None if theta gets too large.

    Parameters
    ----------
    budgets : (k,) of the reports. gaps : (k - 1,) moves between them.
    """
    if isinstance(carrier, AnyStart):
        half = _in_theta(budgets / 2, gaps, lambda part: carrier.over(part).half, carrier)
        return None if half is None else 2 * half
    return _in_theta(budgets, gaps, carrier.over, carrier)


def _in_theta(budgets: Floats, gaps: Indices, over: Callable[[int], LossFunction], carrier: Carrier) -> Floats | None:
    if budgets.max() > LOSS_MOST:
        return None
    known: dict[int, list[tuple[list[float], list[float], list[float]]]] = {}
    theta, thetas = 0.0, list[float]()
    for e, gap in zip(np.expm1(budgets).tolist(), [1, *gaps.tolist()], strict=True):
        if gap not in known:
            known[gap] = [over(part).pieces for part in few_digits(min(gap, carrier.settling), carrier.n_states)]
        for breaks, ds, gs in known[gap]:
            k = bisect_right(breaks, theta) - 1
            theta = gs[k] * theta / (1.0 + ds[k] * theta)
        theta = e + (1.0 + e) * theta
        if theta >= MOST:
            return None
        thetas.append(theta)
    return np.log1p(thetas)


def carried_over(losses: Floats, budgets: Floats, carried: Carriers) -> Floats:
    """(n,) the part of losses (n,) from `run_merged` that other timestamps add, computed without subtraction."""
    return _since(losses, np.arange(len(budgets)), np.flatnonzero(budgets), carried)


def _since(losses: Floats, wanted: Indices, reports: Indices, carried: Carriers) -> Floats:
    """What the last report before each of some timestamps still reveals there."""
    place, found = np.searchsorted(reports, wanted), np.zeros(len(wanted))
    later = np.flatnonzero(place > 0)  # the others have no report before them
    last = reports[place[later] - 1]
    if isinstance(carried, list):
        found[later] = _step_by_step(losses, wanted[later], last, carried)
        return found
    moves = np.minimum(wanted[later] - last, carried.settling)
    order = np.argsort(moves, kind="stable")
    for some in np.split(order, np.flatnonzero(np.diff(moves[order])) + 1):
        if len(some):
            alpha = losses[last[some]]
            alone = float(alpha[0]) if (alpha == alpha[0]).all() else alpha
            found[later[some]] = carried_by(carried, 0, int(moves[some[0]]), alone)
    return found


def carried_by(carried: Carriers, first: int, last: int, loss: Any) -> Any:
    """What is left of a loss (a number or an array) at timestamp `first` after the moves from there to `last`."""
    for carrier in moves_between(carried, first, last):
        loss = carrier(loss)
    return loss


def moves_between(carried: Carriers, first: int, last: int) -> list[Carrier]:
    """The moves between two timestamps, merged: one carrier, or a few to apply one after the other."""
    if isinstance(carried, list):
        return _joined(carried[first:last])
    return [carried.over(part) for part in few_digits(min(last - first, carried.settling), carried.n_states)]


@cached("settings", entries=2**14)
def few_digits(moves: int, n_states: int) -> tuple[int, ...]:
    """A number of moves as a sum of numbers with few binary digits, the largest first.

    A long silence needs a power for each number of moves; so there are only a few for each power of two. To apply the
    loss function of one part after that of the other is a bound too, between merging all and merging nothing.

    Examples
    --------
    >>> few_digits(1000, 5), few_digits(1000, 50)
    ((1000,), (896, 96, 8))
    """
    digits = max(1, min(MOST_DIGITS, (EXACT // n_states**2).bit_length() - 1))
    found = list[int]()
    while moves:
        found.append(moves >> (drop := max(moves.bit_length() - digits, 0)) << drop)
        moves -= found[-1]
    return tuple(found)


def _joined(carried: list[Carrier]) -> list[Carrier]:
    """Moves in a row as few ones: one, unless some of them hold for any start and others do not."""
    found = carried[:1]
    for carrier in carried[1:]:
        found[-1:] = together(found[-1], carrier)
    return found


def together(first: Carrier, second: Carrier) -> list[Carrier]:
    """Two moves as one, or both where they cannot be one. The first is nearer to the report whose loss is carried."""
    if NOTHING in (first, second):
        return [NOTHING]
    if first.n_states != second.n_states:
        return [first, second]
    if isinstance(first, AnyStart) and isinstance(second, AnyStart):
        return [AnyStart(product(first.matrix, second.matrix))]
    if isinstance(first, LossFunction) and isinstance(second, LossFunction):
        return [LossFunction(product(second.matrix, first.matrix))]
    return [first, second]


def _step_by_step(losses: Floats, wanted: Indices, last: Indices, carried: list[Carrier]) -> Floats:
    """For a chain that changes over time: each stretch of silence is followed once, from its report on."""
    found, report, known = np.empty(len(wanted)), -1, list[Carrier]()
    done = -1
    for k, (t, s) in enumerate(zip(wanted.tolist(), last.tolist(), strict=True)):
        if s != report:
            report, done, known = s, s + 1, [carried[s]]
        for move in range(done, t):
            known[-1:] = together(known[-1], carried[move])
        done, a = t, float(losses[s])
        for carrier in known:
            a = carrier(a)
        found[k] = a
    return found
