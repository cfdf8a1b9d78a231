"""The few (q, d) that determine the loss function of a transition matrix.

The loss is log max (1 + q theta) / (1 + d theta) with theta = e^alpha - 1, over every ordered pair of rows (Q, D) and
every subset S of the states, q = sum_S Q_j, d = sum_S D_j. The value is at least c exactly if
q - c d >= (c - 1) / theta, so only points on the upper-left convex hull of all (d, q) can ever be the maximum, and a
hull vertex in the direction sigma = 1/c is a hockey-stick divergence, the largest over all pairs of

    score(sigma) = sum_j max(sigma Q_j - D_j, 0),    0 <= sigma <= 1,

attained by the states with D_j / Q_j < sigma: a prefix of the states sorted by that ratio. A pair's score is
convex in sigma, so between two values of sigma where it is known it is below its chord, and the hull found so far is
a lower bound. A pair whose chord never rises above that bound is discarded. The others are evaluated at one more sigma,
where they are most promising, until so few are left that all their prefixes can be enumerated.

Everything is stored as (d, g) with g = q - d summed from the differences Q_j - D_j, so nearly equal rows keep their
digits; the hull in (d, g) has the same vertices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats

ROUNDING = 16 * np.finfo(float).eps
"""A relative excess below this is a tie: sums of the same numbers in a different order."""

FEW_PREFIXES = 12_000
"""The number of points (pairs times states) below which enumerating is cheaper than further pruning."""

AT_ONCE = 20_000
"""How many numbers are processed at a time: few enough to fit in the processor's cache."""


@dataclass(frozen=True)
class Vertices:
    """The hull vertices, from small alpha to large.

    Attributes
    ----------
    d, g, rest : (k,) the subset's probability in row D, q - d, and 1 - q summed over the states outside the subset.
    rows : (k, 2) the pair of rows (Q, D) that each vertex comes from.
    """

    d: Floats
    g: Floats
    rest: Floats
    rows: Indices


def vertices(p: Floats) -> Vertices:
    """The vertices of the upper-left hull of all (d, q), for a checked transition matrix (m, m).

    Equal rows give the single vertex (0, 0), two rows with disjoint supports the single vertex (0, 1).

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
    if (same := _one_diagonal(distinct)) is not None:
        return Vertices(*same, first[[[0, 1]]])
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


def _one_diagonal(p: Floats) -> tuple[Floats, Floats, Floats] | None:
    """d, g and 1 - q of a matrix with one number on the diagonal and one off it: all pairs of rows are equivalent."""
    m, (stay, move) = len(p), p[0, :2].tolist()
    pattern = np.full((m, m), move)
    np.fill_diagonal(pattern, stay)
    if p.shape != pattern.shape or (np.abs(p - pattern) > ROUNDING / 4 * pattern).any():
        return None
    rest = (m - 1) * move if stay > move else stay + (m - 2) * move
    return np.array([min(stay, move)]), np.array([abs(stay - move)]), np.array([rest])


def _constant(q: float, x: int, y: int) -> Vertices:
    return Vertices(np.zeros(1), np.array([q]), np.array([1 - q]), np.array([[x, y]]))


class _Scores(NamedTuple):
    """The scores of some pairs of rows at one sigma."""

    sigma: float
    of: Floats


class _Search:
    """The search for the hull of one matrix with distinct rows, no two of them disjoint. Pair number x m + y is (x, y)."""

    def __init__(self, p: Floats) -> None:
        self.p, self.hull = p, Hull.empty()

    def run(self) -> Hull:
        p, m = self.p, len(self.p)
        pairs = np.flatnonzero(~np.eye(m, dtype=bool))
        if self._few(pairs):
            self._enumerate(pairs)
            return self.hull
        high = self._scores(1.0, pairs)
        least, most = p.min(axis=0), p.max(axis=0)
        ratio = np.divide(least, most, out=np.ones_like(most), where=most > 0)
        j = int(ratio.argmin())
        self._enumerate(np.array([pairs[high.of.argmax()], p[:, j].argmax() * m + p[:, j].argmin()]))
        # below the smallest ratio every score is 0
        work = [(pairs, _Scores(float(ratio[j]), np.zeros(len(pairs))), high)]
        while work:
            work += self._narrow(*work.pop())
        return self.hull

    def _few(self, pairs: Indices) -> bool:
        return len(pairs) * self.p.shape[1] <= FEW_PREFIXES

    def _scores(self, sigma: float, pairs: Indices) -> _Scores:
        """The score of each pair: sum_j max(sigma Q_j - D_j, 0).

        Sums use einsum instead of a product with ones: products start the threads of the linear algebra library,
        which then busy-wait for more work and slow down a loaded machine.
        """
        scaled, out, block = sigma * self.p, np.empty(len(pairs)), max(1, AT_ONCE // self.p.shape[1])
        for i in range(0, len(pairs), block):
            x, y = np.divmod(pairs[i : i + block], len(self.p))
            positive = scaled[x]
            positive -= self.p[y]
            np.maximum(positive, 0.0, out=positive)
            np.einsum("ij->i", positive, out=out[i : i + block])
        return _Scores(sigma, out)

    def _narrow(self, pairs: Indices, low: _Scores, high: _Scores) -> list[tuple[Indices, _Scores, _Scores]]:
        """Drop the pairs that cannot rise above the hull between two sigmas; enumerate the others or split the range."""
        kink, excess = self._excess(low, high)
        hopeful = excess > 0
        pairs, kink = pairs[hopeful], kink[hopeful]
        low, high = (_Scores(end.sigma, end.of[hopeful]) for end in (low, high))
        inside = kink[(kink > low.sigma) & (kink < high.sigma)]
        if self._few(pairs) or not len(inside):
            self._enumerate(pairs)
            return []
        middle = self._scores(float(np.partition(inside, len(inside) // 2)[len(inside) // 2]), pairs)
        self._enumerate(pairs[[middle.of.argmax()]])
        return [(pairs, low, middle), (pairs, middle, high)]

    def _excess(self, low: _Scores, high: _Scores) -> tuple[Floats, Floats]:
        """Where each chord rises highest above the hull's own score, and by how much.

        The hull's score is convex with slope q between its kinks, so a chord of slope s is highest above it where q
        crosses s.
        """
        d, q = self.hull.d, self.hull.d + self.hull.g
        kinks = np.diff(d) / np.diff(q)
        places = np.concatenate(([low.sigma], kinks, [high.sigma])).clip(low.sigma, high.sigma)
        own = np.searchsorted(kinks, places)
        bounds = (places * q[own] - d[own]) * (1 + ROUNDING)
        slope = (high.of - low.of) / (high.sigma - low.sigma)
        here = np.searchsorted(q, slope, side="right")
        place = places[here]
        return place, low.of + slope * (place - low.sigma) - bounds[here]

    def _enumerate(self, pairs: Indices) -> None:
        """Add every prefix of these pairs to the hull."""
        block = max(1, 4 * FEW_PREFIXES // self.p.shape[1])
        for i in range(0, len(pairs), block):
            some = pairs[i : i + block]
            x, y = np.divmod(some, len(self.p))
            order = np.argsort(ratios(self.p[x], self.p[y]), axis=1)
            q, d = self.p[x[:, None], order], self.p[y[:, None], order]
            gaining = d < q
            ratio = d[gaining] / q[gaining]
            pair = np.broadcast_to(some[:, None], gaining.shape)[gaining]
            self.hull.add(np.cumsum(d, axis=1)[gaining], np.cumsum(q - d, axis=1)[gaining], pair, ratio)


def ratios(q: Floats, d: Floats) -> Floats:
    """D_j / Q_j, capped at 1 (larger ratios are in no useful subset): it can neither overflow nor underflow."""
    return np.divide(d, q, out=np.ones_like(d), where=d < q)


def _recompute(p: Floats, hull: Hull) -> Vertices:
    """The vertices without the origin, summed pairwise, from small alpha to large."""
    real = np.flatnonzero(hull.pair >= 0)[::-1]
    x, y = np.divmod(hull.pair[real], len(p))
    after, before = p[x], p[y]
    subset = (before < after) & (ratios(after, before) <= hull.ratio[real, None])
    d = np.where(subset, before, 0.0).sum(axis=1)
    g = np.where(subset, after - before, 0.0).sum(axis=1)
    rest = np.where(subset, 0.0, after).sum(axis=1)
    # Summed again, a point may have moved by an ulp onto the line between its neighbours.
    keep = chain(np.append(d, 0.0), np.append(g, 0.0))[::-1]
    keep = keep[keep < len(real)]
    return Vertices(d[keep], g[keep], rest[keep], np.stack((x, y), axis=1)[keep])


@dataclass
class Hull:
    """An upper-left hull by increasing d; for each vertex the pair (a number) and the ratio D/Q its prefix ends at."""

    d: Floats
    g: Floats
    pair: Indices
    ratio: Floats

    @classmethod
    def empty(cls) -> Hull:
        """Only the origin: the empty subset."""
        return cls(np.zeros(1), np.zeros(1), np.full(1, -1), np.zeros(1))

    def add(self, d: Floats, g: Floats, pair: Indices, ratio: Floats) -> None:
        """Add the points that are above the hull."""
        above = g > np.interp(d, self.d, self.g) * (1 + ROUNDING)
        if not above.any():
            return
        d, g = np.concatenate((self.d, d[above])), np.concatenate((self.g, g[above]))
        pair, ratio = np.concatenate((self.pair, pair[above])), np.concatenate((self.ratio, ratio[above]))
        keep = chain(d, g)
        self.d, self.g, self.pair, self.ratio = d[keep], g[keep], pair[keep], ratio[keep]


def chain(d: Floats, g: Floats) -> Indices:
    """Indices of the upper-left hull's points, by increasing d (Andrew's monotone chain on the rising part)."""
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
