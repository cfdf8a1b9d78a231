"""The few (q, d) that the loss function of a transition matrix is made of.

The loss is log max (1 + q theta) / (1 + d theta) with theta = e^alpha - 1, over every ordered pair of rows (Q, D) and
every subset S of the states, q = sum_S Q_j, d = sum_S D_j. The value is at least c exactly where
q - c d >= (c - 1) / theta, so only points on the upper-left convex hull of all (d, q) can ever be the maximum, and a
hull vertex in the direction sigma = 1/c is a hockey-stick divergence, the largest over all pairs of

    score(sigma) = sum_j max(sigma Q_j - D_j, 0),    0 <= sigma <= 1,

attained by the states with D_j / Q_j < sigma: a prefix of the states sorted by that ratio.

The score of one pair is convex in sigma, so between two values of sigma where it is known it lies below its chord. The
hull found so far, from the prefixes of a few pairs, is a lower bound. A pair whose chord nowhere rises above that bound
is done with; the others are tried at one more sigma, chosen where they are most hopeful, until so few are left that all
their prefixes can be looked at. Random matrices of 200 states, 39,800 pairs, need three to five passes over all pairs.

Everything is kept as (d, g) with g = q - d summed from the differences Q_j - D_j, so that nearly equal rows lose no
digit; the hull in (d, g) has the same vertices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

Indices = NDArray[np.intp]

FEW_PREFIXES = 12_000
"""Points (pairs times states) that are cheaper to enumerate than to prune any further."""

ROUNDING = 16 * np.finfo(float).eps
"""A relative excess below this is a tie: sums of the same numbers in another order."""


@dataclass(frozen=True)
class Vertices:
    """The hull vertices, from small alpha to large.

    Attributes
    ----------
    d, g, rest : (k,) the subset's probability in row D, q - d, and 1 - q summed from what is outside the subset.
    rows : (k, 2) the pair of rows (Q, D) that each vertex comes from.
    """

    d: Floats
    g: Floats
    rest: Floats
    rows: Indices


def vertices(p: Floats) -> Vertices:
    """The vertices of the upper-left hull of all (d, q), for a checked transition matrix (m, m).

    Equal rows give the one vertex (0, 0), two rows with disjoint supports the one vertex (0, 1).

    Examples
    --------
    >>> found = vertices(np.array([[0.8, 0.2], [0.0, 1.0]]))
    >>> found.d.tolist(), found.g.tolist(), found.rows.tolist()
    ([0.0], [0.8], [[0, 1]])
    """
    first = _distinct_rows(p)
    if len(first) == 1:
        return _constant(0.0, 0, 0)
    distinct = np.ascontiguousarray(p[first])
    if (apart := _disjoint_rows(distinct)) is not None:
        return _constant(1.0, *first[list(apart)])
    hull = _Search(distinct).run()
    found = _recompute(distinct, hull)
    return Vertices(found.d, found.g, found.rest, first[found.rows])


def _distinct_rows(p: Floats) -> Indices:
    """The first of each set of equal rows (several times faster than numpy.unique along an axis)."""
    seen: dict[bytes, int] = {}
    for x, row in enumerate(p + 0.0):  # -0.0 and 0.0 are equal
        seen.setdefault(row.tobytes(), x)
    return np.array(list(seen.values()))


def _disjoint_rows(p: Floats) -> tuple[int, int] | None:
    """Two rows with no common state of positive probability, or None."""
    support = p > 0
    if support.all():
        return None
    bits = np.packbits(support, axis=1)
    for x in range(len(p) - 1):
        common = (bits[x] & bits[x + 1 :]).any(axis=1)
        if not common.all():
            return x, x + 1 + int(common.argmin())
    return None


def _constant(q: float, x: int, y: int) -> Vertices:
    return Vertices(np.zeros(1), np.array([q]), np.array([1 - q]), np.array([[x, y]]))


@dataclass
class _Hull:
    """An upper-left hull by increasing d; for each vertex the pair (a number) and the ratio D/Q its prefix ends at."""

    d: Floats
    g: Floats
    pair: Indices
    ratio: Floats

    @classmethod
    def empty(cls) -> _Hull:
        """Only the origin: the empty subset."""
        return cls(np.zeros(1), np.zeros(1), np.full(1, -1), np.zeros(1))

    def add(self, d: Floats, g: Floats, pair: Indices, ratio: Floats) -> None:
        above = g > np.interp(d, self.d, self.g) * (1 + ROUNDING)
        if not above.any():
            return
        d, g = np.concatenate((self.d, d[above])), np.concatenate((self.g, g[above]))
        pair, ratio = np.concatenate((self.pair, pair[above])), np.concatenate((self.ratio, ratio[above]))
        keep = chain(d, g)
        self.d, self.g, self.pair, self.ratio = d[keep], g[keep], pair[keep], ratio[keep]


def chain(d: Floats, g: Floats) -> Indices:
    """Which points are the upper-left hull, by increasing d (Andrew's monotone chain on the rising part)."""
    order = np.lexsort((-g, d))
    rising = g[order]
    order = order[np.concatenate(([True], rising[1:] > np.maximum.accumulate(rising)[:-1]))]
    xs, ys = d[order].tolist(), g[order].tolist()
    kept: list[int] = []
    for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (ys[b] - ys[a]) / (xs[b] - xs[a]) > (y - ys[a]) / (x - xs[a]) * (1 + ROUNDING):
                break
            kept.pop()
        kept.append(i)
    return order[kept]


class _Search:
    """The search for the hull of one matrix with distinct rows, no two of them disjoint.

    Row sums are taken by einsum and not by a product with ones: products start the threads of the linear algebra
    library, which then wait for more work at full speed and slow down everything else on a busy machine.
    """

    def __init__(self, p: Floats) -> None:
        self.p, self.m = p, len(p)
        self.hull = _Hull.empty()
        self.zeros = np.zeros_like(p)
        self.states = p.shape[1]

    def run(self) -> _Hull:
        m, p = self.m, self.p
        pairs = np.flatnonzero(~np.eye(m, dtype=bool))
        if len(pairs) * self.states <= FEW_PREFIXES // 4:
            self._enumerate(pairs)
            return self.hull
        top = self._scores_of_all(1.0)
        self._enumerate(np.array([top.argmax()]))
        least, most = p.min(axis=0), p.max(axis=0)
        ratio = np.divide(least, most, out=np.ones_like(most), where=most > 0)
        j = int(ratio.argmin())
        self._enumerate(np.array([int(p[:, j].argmax()) * m + int(p[:, j].argmin())]))
        work = [(float(ratio[j]), 1.0, pairs, np.zeros(len(pairs)), top.ravel()[pairs])]
        while work:
            work += self._narrow(*work.pop())
        return self.hull

    def _narrow(self, low: float, high: float, pairs: Indices, at_low: Floats, at_high: Floats) -> list:
        """Drop the pairs that cannot rise above the hull between two sigmas; settle the others or split the range."""
        kink, excess = self._excess(low, high, at_low, at_high)
        hopeful = excess > 0
        if not hopeful.any():
            return []
        pairs, at_low, at_high, kink = pairs[hopeful], at_low[hopeful], at_high[hopeful], kink[hopeful]
        inside = kink[(kink > low) & (kink < high)]
        if len(pairs) * self.states <= FEW_PREFIXES or not len(inside):
            self._enumerate(pairs)
            return []
        sigma = float(np.partition(inside, len(inside) // 2)[len(inside) // 2])
        many = len(pairs) > 0.3 * self.m**2
        scores = self._scores_of_all(sigma).ravel()[pairs] if many else self._scores(sigma, pairs)
        self._enumerate(pairs[[scores.argmax()]])
        return [(low, sigma, pairs, at_low, scores), (sigma, high, pairs, scores, at_high)]

    def _excess(self, low: float, high: float, at_low: Floats, at_high: Floats) -> tuple[Floats, Floats]:
        """Where each chord rises highest above the hull's own score, and by how much.

        The hull's score is convex with slope q between its kinks, so a chord of slope s is highest above it where q
        passes s.
        """
        d, q = self.hull.d, self.hull.d + self.hull.g
        kinks = np.diff(d) / np.diff(q)
        places = np.concatenate(([low], kinks, [high])).clip(low, high)
        own = np.searchsorted(kinks, places)
        bounds = (places * q[own] - d[own]) * (1 + ROUNDING)
        slope = (at_high - at_low) / (high - low)
        here = np.searchsorted(q, slope, side="right")
        place = places[here]
        return place, at_low + slope * (place - low) - bounds[here]

    def _scores_of_all(self, sigma: float) -> Floats:
        """The scores of all pairs [x, y], the last of which may be any number where x = y."""
        if sigma == 1:
            return self._total_variation()
        scaled = sigma * self.p
        positive = self.p < scaled.max(axis=0)
        if positive.mean() < 0.4 - 30 / self.m:
            return self._scores_by_state(scaled, positive)
        out, buffer = np.empty((self.m, self.m)), np.empty_like(self.p)
        for x in range(self.m):
            np.subtract(scaled[x], self.p, out=buffer)
            np.maximum(buffer, self.zeros, out=buffer)  # an array of zeros is twice as fast as a scalar
            np.einsum("ij->i", buffer, out=out[x])
        return out

    def _scores_by_state(self, scaled: Floats, positive: NDArray[np.bool_]) -> Floats:
        """For small sigma: of row y only the states where some row can exceed it."""
        out, buffer, by_state = np.empty((self.m, self.m)), np.empty_like(self.p), np.ascontiguousarray(scaled.T)
        for y in range(self.m):
            states = np.flatnonzero(positive[y])
            some = buffer[: len(states)]
            np.take(by_state, states, axis=0, out=some, mode="clip")
            some -= self.p[y, states, None]
            np.maximum(some, self.zeros[: len(states)], out=some)
            np.einsum("ij->j", some, out=out[y])
        return out.T

    def _total_variation(self) -> Floats:
        """The scores at sigma = 1: the two orders of a pair differ only by the difference of the row sums."""
        out, buffer = np.zeros((self.m, self.m)), np.empty_like(self.p)
        for x in range(self.m - 1):
            rest = buffer[x + 1 :]
            np.subtract(self.p[x], self.p[x + 1 :], out=rest)
            signed = np.einsum("ij->i", rest)
            np.maximum(rest, self.zeros[x + 1 :], out=rest)
            np.einsum("ij->i", rest, out=out[x, x + 1 :])
            np.subtract(out[x, x + 1 :], signed, out=out[x + 1 :, x])
        return out

    def _scores(self, sigma: float, pairs: Indices) -> Floats:
        out, block = np.empty(len(pairs)), self.m
        scaled = sigma * self.p
        for i in range(0, len(pairs), block):
            x, y = np.divmod(pairs[i : i + block], self.m)
            positive = scaled[x]
            positive -= self.p[y]
            np.maximum(positive, self.zeros[: len(x)], out=positive)
            np.einsum("ij->i", positive, out=out[i : i + block])
        return out

    def _enumerate(self, pairs: Indices) -> None:
        """Add every prefix of these pairs to the hull."""
        block = max(1, 4 * FEW_PREFIXES // self.states)
        for i in range(0, len(pairs), block):
            some = pairs[i : i + block]
            x, y = np.divmod(some, self.m)
            order = np.argsort(ratios(self.p[x], self.p[y]), axis=1)
            q, d = self.p[x[:, None], order], self.p[y[:, None], order]
            gaining = d < q
            ratio = d[gaining] / q[gaining]
            pair = np.broadcast_to(some[:, None], gaining.shape)[gaining]
            self.hull.add(np.cumsum(d, axis=1)[gaining], np.cumsum(q - d, axis=1)[gaining], pair, ratio)


def ratios(q: Floats, d: Floats) -> Floats:
    """D_j / Q_j, never above 1 (such states are in no subset worth taking): it can neither overflow nor underflow."""
    return np.divide(d, q, out=np.ones_like(d), where=d < q)


def _recompute(p: Floats, hull: _Hull) -> Vertices:
    """The vertices without the origin, summed pairwise, from small alpha to large."""
    real = np.flatnonzero(hull.pair >= 0)[::-1]
    x, y = np.divmod(hull.pair[real], len(p))
    after, before = p[x], p[y]
    subset = (before < after) & (ratios(after, before) <= hull.ratio[real, None])
    d = np.where(subset, before, 0.0).sum(axis=1)
    g = np.where(subset, after - before, 0.0).sum(axis=1)
    rest = np.where(subset, 0.0, after).sum(axis=1)
    # Summed anew, a point may have moved by an ulp onto the line between its neighbours.
    keep = chain(np.append(d, 0.0), np.append(g, 0.0))[::-1]
    keep = keep[keep < len(real)]
    return Vertices(d[keep], g[keep], rest[keep], np.stack((x, y), axis=1)[keep])
