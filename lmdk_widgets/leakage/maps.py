"""From any timestamp to a later end in one step: the Moebius maps of a recursion whose vertices are known."""

from __future__ import annotations

from math import ceil, log, sqrt

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats

LONGEST = 48
"""Timestamps of a stretch: with budgets below 5 its map cannot overflow."""

SCALE = 1e100


def losses_at_end(theta: Floats, grown: Floats, d: Floats, g: Floats, end: Indices) -> Floats:
    """The losses at its end of a run that has the given theta at each timestamp.

    Parameters
    ----------
    theta : (n,) at every timestamp, finite.
    grown : (n,) e^eps - 1.
    d, g : (n,) the vertex that leads on from each timestamp.
    end : (n,) the end that each timestamp belongs to, at or after it; not decreasing, end[-1] = n - 1.

    Examples
    --------
    >>> d, g = np.zeros(3), np.full(3, 0.8)
    >>> losses_at_end(np.expm1([0.1] * 3), np.expm1([0.1] * 3), d, g, np.array([2, 2, 2])).round(10).tolist()
    [0.2471477411, 0.1807840339, 0.1]
    """
    n = len(theta)
    length = max(1, min(LONGEST, ceil(sqrt(n) / 3)))
    stretches = ceil(n / length)
    # the move into the next timestamp; the last leads nowhere
    e = np.append(grown[1:], 0.0)
    a = e * d + (1 + e) * g
    final = np.arange(n) == end
    e, a, d, final = (_side_by_side(x, length, stretches) for x in (e, a, d, final))
    first, second = _within(e, a, d, final)
    p, r, q, s = (x.T.reshape(-1)[:n] for x in (first[:, 0], first[:, 1], second[:, 0], second[:, 1]))
    value = (p * theta + q) / (r * theta + s)
    stretch = np.arange(n) // length
    beyond = end // length > stretch
    onward = _onward(np.stack((p, q, r, s))[:, ::length], a[-1], e[-1], d[-1], final.sum(axis=0) > 0)
    p, q, r, s, scale = onward[:, stretch[beyond]]
    ratio = (p * value[beyond] + q) / (r * value[beyond] + s)
    losses = np.log1p(value)
    with np.errstate(over="ignore", divide="ignore"):
        far = ratio * SCALE**scale
        losses[beyond] = np.where(far < 1e290, np.log1p(far), np.log(ratio) + scale * log(SCALE))
    return losses


def _side_by_side(values: NDArray, length: int, stretches: int) -> NDArray:
    """(n,) as (length, stretches): each stretch a column, the last filled up with zeros."""
    padded = np.zeros(length * stretches, dtype=values.dtype)
    padded[: len(values)] = values
    return np.ascontiguousarray(padded.reshape(stretches, length).T)


def _within(e: Floats, a: Floats, d: Floats, final: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The maps from each timestamp to its end or the last of its stretch, whichever comes first.

    theta -> (p theta + q) / (r theta + s) as two arrays (length, 2, stretches): (p, r) and (q, s).
    """
    first, second = np.empty((2, len(e), 2, e.shape[1]))
    first[-1], second[-1] = [[1.0], [0.0]], [[0.0], [1.0]]
    product = np.empty_like(first[0])
    ends_here = (final.sum(axis=1) > 0).tolist()
    for j in range(len(e) - 2, -1, -1):
        np.multiply(first[j + 1], a[j], out=first[j])
        np.multiply(second[j + 1], d[j], out=product)
        first[j] += product
        np.multiply(first[j + 1], e[j], out=second[j])
        second[j] += second[j + 1]
        if ends_here[j]:
            first[j][:, final[j]], second[j][:, final[j]] = [[1.0], [0.0]], [[0.0], [1.0]]
    return first, second


def _onward(heads: Floats, a: Floats, e: Floats, d: Floats, closed: NDArray[np.bool_]) -> Floats:
    """The maps from the last timestamp of each stretch to its end, (5, stretches): p, q, r, s and the scale.

    A value is (p theta + q) / (r theta + s) * SCALE^scale. `heads` are the maps from the first timestamp of each
    stretch, (a, e, d) the moves into the next, and `closed` says whether an end lies within a stretch.
    """
    out = []
    p, q, r, s, k = 1.0, 0.0, 0.0, 1.0, 0
    following = zip(*heads[:, :0:-1].tolist(), closed[:0:-1].tolist(), strict=True)
    moves = zip(a[-2::-1].tolist(), e[-2::-1].tolist(), d[-2::-1].tolist(), strict=True)
    out.append((p, q, r, s, k))
    for (hp, hq, hr, hs, has_end), (ma, me, md) in zip(following, moves, strict=True):
        if has_end:
            p, q, r, s, k = hp, hq, hr, hs, 0
        else:
            p, q, r, s = p * hp + q * hr, p * hq + q * hs, r * hp + s * hr, r * hq + s * hs
        p, q, r, s = p * ma + q * md, p * me + q, r * ma + s * md, r * me + s
        for _ in range(2):
            if p + q > SCALE:
                p, q, k = p / SCALE, q / SCALE, k + 1
            if r + s > SCALE:
                r, s, k = r / SCALE, s / SCALE, k - 1
        out.append((p, q, r, s, k))
    return np.array(out[::-1]).T
