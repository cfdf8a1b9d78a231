"""The recursion over many timestamps at once.

With the vertex of every timestamp given, one timestamp is a Moebius map theta -> (a theta + E) / (d theta + 1),
a = E d + (1 + E) g, and maps compose like 2 x 2 matrices. The series is cut into stretches that are composed side by
side, the result is carried from stretch to stretch, and the stretches are then run side by side from the right start.
All entries are positive: nothing cancels, and how long the chain remembers does not matter.

Which vertex belongs to which timestamp is guessed at first, one for each stretch; the run that follows says better, a
carry with its vertices gives better starts, and so on until a run ends each stretch where the next one started. A carry
never gives too much, because the loss is the maximum over the vertices, and every round is a Newton step.
"""

from __future__ import annotations

from math import ceil, expm1, log1p, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.loss import LossFunction

Indices = NDArray[np.intp]

MOST = 1e147
"""Largest theta, about e^340, that is answered for: with one more budget it still cannot overflow."""

SEGMENT = 16_384
"""Timestamps treated together: few enough to stay in the cache."""

WARM_UP = 12
ROUNDS = 12
ROUNDING = 16 * np.finfo(float).eps


class _Run(NamedTuple):
    """theta, and the vertex that led to it, both (length, stretches)."""

    theta: Floats
    vertex: Indices


def scan(grown: Floats, carrier: LossFunction, theta: float = 0.0) -> Floats:
    """theta at every timestamp, from grown = e^eps - 1, (n,), and the theta before the first.

    Returns
    -------
    (n,), or fewer where theta grows beyond e^340 soon after (or, never seen, where no round settles).

    Examples
    --------
    >>> loss = LossFunction([[0.8, 0.2], [0, 1]])
    >>> np.log1p(scan(np.expm1([0.1] * 4), loss)).round(10).tolist()
    [0.1, 0.1807840339, 0.2471477411, 0.3023648491]
    """
    out = np.empty(len(grown))
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(0, len(grown), SEGMENT):
            part = _segment(grown[i : i + SEGMENT], carrier, theta)
            if part is None:
                return out[:i]
            out[i : i + len(part)] = part
            theta = float(part[-1])
    return out


def _segment(grown: Floats, carrier: LossFunction, theta: float) -> Floats | None:
    n = len(grown)
    e = _side_by_side(grown, max(4, ceil(sqrt(n) / 3)))
    vertex = _likely_vertices(e, carrier) if len(carrier.d) > 1 else None
    known = None
    for _ in range(ROUNDS):
        start = _carry(e, vertex, carrier, theta)
        if start is None:
            return None
        known = _run(e, start, carrier, known)
        if vertex is None or _close(known.theta[-1, :-1], start[1:]):
            return _series(known.theta, n)
        vertex = known.vertex
    return None


def _series(out: Floats, n: int) -> Floats | None:
    theta = out.T.reshape(-1)[:n]
    return theta if theta.max() < MOST else None


def _side_by_side(grown: Floats, length: int) -> Floats:
    """(n,) as (length, stretches): each stretch a column, the last filled up with budgets of 0."""
    stretches = ceil(len(grown) / length)
    padded = np.zeros(length * stretches)
    padded[: len(grown)] = grown
    return np.ascontiguousarray(padded.reshape(stretches, length).T)


def _likely_vertices(e: Floats, carrier: LossFunction) -> Indices:
    """For each stretch the vertex that the timestamps just before lead to from where the mean budget does."""
    usual = carrier.supremum(log1p(float(e.mean())))
    ahead = _run(e[-WARM_UP:], np.full(e.shape[1], expm1(min(usual, 300.0))), carrier).vertex[-1]
    return np.broadcast_to(np.concatenate((ahead[:1], ahead[:-1])), e.shape)


def _close(a: Floats, b: Floats) -> bool:
    return bool((np.abs(a - b) <= ROUNDING * b).all())


def _run(e: Floats, start: Floats, carrier: LossFunction, known: _Run | None = None) -> _Run:
    """All stretches side by side. A known run is corrected, up to where the two agree to rounding."""
    out, vertex = known or _Run(np.empty_like(e), np.empty(e.shape, dtype=np.intp))
    below, theta, before = np.empty_like(start), np.empty_like(start), start
    d, g, breaks = carrier.d, carrier.g, carrier.theta_breaks
    factor = e + 1
    if not len(breaks):
        d, factor = d[0], factor * g[0]
    for j, row in enumerate(out):
        if len(breaks):
            vertex[j] = k = breaks.searchsorted(before, side="right")
            np.multiply(before, d.take(k), out=below)
            np.multiply(before, g.take(k), out=theta)
            theta *= factor[j]
        else:
            np.multiply(before, d, out=below)
            np.multiply(before, factor[j], out=theta)
        below += 1
        theta /= below
        theta += e[j]
        if known and j % 6 == 5 and _close(theta, row):
            break
        row[:] = theta
        before = row
    return _Run(out, vertex)


def _carry(e: Floats, vertex: Indices | None, carrier: LossFunction, theta: float) -> Floats | None:
    """theta before every stretch, for given vertices; None where it grows too large."""
    d, g = (carrier.d[0], carrier.g[0]) if vertex is None else (carrier.d[vertex], carrier.g[vertex])
    upper, lower = _compose(e * (d + g) + g, e, np.broadcast_to(d, e.shape))
    start = []
    for p, q, r, s in zip(*upper.tolist(), *lower.tolist(), strict=True):
        start.append(theta)
        theta = (p * theta + q) / (r * theta + s)
        if not theta < MOST:
            return None
    return np.array(start)


def _compose(a: Floats, e: Floats, d: Floats) -> tuple[Floats, Floats]:
    """The matrix of every stretch: its two rows, each (2, stretches)."""
    upper, lower, other, product = np.zeros((4, 2, a.shape[1]))
    upper[0], lower[1] = 1, 1
    for row_a, row_e, row_d in zip(a, e, d, strict=True):
        np.multiply(upper, row_d, out=product)
        np.multiply(upper, row_a, out=other)
        np.multiply(lower, row_e, out=upper)
        other += upper
        lower += product
        upper, other = other, upper
    return upper, lower
