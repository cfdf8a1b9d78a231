"""The recursion over many timestamps at once.

The series is cut into stretches that are followed side by side, at first all but one from a wrong start (0: nothing
before). Then every stretch starts once more where the one before it has ended, and so on until none starts anywhere else
than it did. What comes out has the digits of a recursion one by one, because every stretch then starts, to the last bit,
where the one before ends.

In a chain that forgets, a later run of a stretch meets the one before: the same theta, bit for bit, leads to the same
rest, which need not be followed again. This takes as long as the chain remembers. A chain that remembers for more than a
small share of the series is better followed one by one, and `scan` leaves it alone.
"""

from __future__ import annotations

from math import ceil, inf, log, log1p, sqrt

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.loss import LossFunction

MOST = 1e147
"""Largest theta, about e^340, that is answered for: with one more budget it still cannot overflow."""

MANY, SEGMENT = 4_000, 131_072
"""Timestamps from which on this may be faster than one by one, and up to which they stay near the processor."""

MEMORY_MOST = 1 / 80
"""Share of the series that a chain may remember: one row side by side costs as much as 40 timestamps one by one."""

LENGTH = 0.07
"""Length of a stretch over the geometric mean of memory and series: measured, and flat around the best."""


def scan(grown: Floats, carrier: LossFunction, theta: float = 0.0) -> Floats | None:
    """theta at every timestamp, from grown = e^eps - 1, (n,), and the theta before the first.

    Returns
    -------
    (n,) with the digits of `recursion._one_by_one`; None where theta grows beyond e^340 or the chain remembers for long.

    Examples
    --------
    >>> loss = LossFunction([[0.8, 0.2], [0.2, 0.8]])
    >>> np.log1p(scan(np.expm1([0.1] * 10_000), loss))[[0, 1, -1]].round(10).tolist()
    [0.1, 0.1599680147, 0.248771835]
    """
    n, memory = len(grown), _memory(grown, carrier)
    if memory > MEMORY_MOST * n:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        e = _side_by_side(grown, ceil(LENGTH * sqrt(n * memory)) + 1)
        start = np.zeros(e.shape[1])
        start[0] = theta
        out = _follow(e, start, carrier)
        for _ in range(3 + 2 * ceil(memory / len(e))):
            ends = np.concatenate((start[:1], out[-1, :-1]))
            if (ends == start).all():
                found = out.T.reshape(-1)[:n]
                return found if found.max() < MOST else None
            start = ends
            out = _follow(e, start, carrier, out)
    return None


def _memory(grown: Floats, carrier: LossFunction) -> float:
    """About how many timestamps it takes until where a run started makes no difference to the last bit."""
    usual = carrier.supremum(log1p(float(grown.mean())))
    slope = carrier.slope(usual)
    return inf if slope >= 1 else log(1e-16) / log(max(slope, 1e-16))


def _side_by_side(grown: Floats, length: int) -> Floats:
    """(n,) as (length, stretches): each stretch a column, the last filled up with budgets of 0."""
    stretches = ceil(len(grown) / length)
    padded = np.zeros(length * stretches)
    padded[: len(grown)] = grown
    return np.ascontiguousarray(padded.reshape(stretches, length).T)


def _follow(e: Floats, start: Floats, carrier: LossFunction, known: Floats | None = None) -> Floats:
    """theta of all stretches, (length, stretches). Known ones are corrected, up to where old and new meet."""
    out = np.empty_like(e) if known is None else known
    below, before = np.empty_like(start), start
    d, g, breaks = carrier.d, carrier.g, carrier.theta_breaks
    factor = e + 1
    if not len(breaks):
        factor *= g
    for j, (row, grown, by) in enumerate(zip(out, e, factor, strict=True)):
        old = row.copy() if known is not None and j % 8 == 7 else None
        if len(breaks):
            vertex = breaks.searchsorted(before, side="right")
            g.take(vertex, out=row, mode="clip")  # clip spares a copy; no vertex is out of range
            row *= by
            row *= before
            d.take(vertex, out=below, mode="clip")
            below *= before
        else:
            np.multiply(before, by, out=row)
            np.multiply(before, d, out=below)
        below += 1
        row /= below
        row += grown
        if old is not None and (row == old).all():
            break
        before = row
    return out
