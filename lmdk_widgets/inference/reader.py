"""The reader: the estimates of an honest user of a release, who only has public knowledge.

Post-processing is free, so nobody has to use reports as they are. The reader knows budgets, mechanism, bounds or region,
times and a public model of movement, and never the data. The estimate for a timestamp is the state with the smallest expected
distance under the posterior. An attacker asks the same posterior a different question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

import lmdk_widgets.checks as checks
from lmdk_widgets.checks import refused
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.beliefs import best_guesses, first_least
from lmdk_widgets.inference.forward_backward import Carry, beliefs, product
from lmdk_widgets.inference.track import normalised

MOST_BLOCKS = 300
"""The most blocks of timestamps in which a track is followed."""

LEAVING_S_PER_M = 1.8
"""With this, a person leaves a cell of 1 km after half an hour on average."""

SPEED_M_PER_S, FARTHEST_M = 5.0, 2_000.0
"""A person's mean speed, and the largest mean distance of a move."""

ANYWHERE = 0.001
"""The share of moves that may go to any cell."""

OFTEN = 30
"""A step that occurs at least this often uses its matrix: a track of 300 blocks has at most ten of these."""

ROWS = 32
"""How many beliefs are multiplied with the distances at a time, so their losses fit in the processor's cache."""

OWN_CELL = 0.3826
"""Mean distance of a square's points from its middle, in units of its side: ``(sqrt 2 + asinh 1) / 6``."""


def reader_estimates(
    log_likelihood: ArrayLike, distances: ArrayLike, prior: ArrayLike | None = None
) -> NDArray[np.int64]:
    """The reader's estimate for each timestamp alone: ``argmin_c sum_x post_t(x) d(x, c)``, ``post_t ~ prior e^l_t``.

    Parameters
    ----------
    log_likelihood : (n, m) natural logarithms, such as those of `log_likelihoods`; rows of 0 where nothing was measured.
    distances : (m, m) between the states, 0 or more, in any unit.
    prior : (m,) distribution at every timestamp; uniform if left out.

    Returns
    -------
    (n,) states, int64; the lowest one if several are equally good up to rounding.

    Raises
    ------
    InputError : shapes that do not match, a timestamp without a possible state, an invalid distribution, negative distances.

    Notes
    -----
    Guarantee: none is needed, as it only uses a release and public knowledge (post-processing). For one release this is
    the remapping of Chatzikokolakis, ElSalamouny, Palamidessi, "Efficient utility improvement for location privacy", PoPETs
    2017. Numerics: rows are shifted by their largest entry, so any budget works.

    Examples
    --------
    >>> apart = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    >>> reader_estimates(np.log([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1], [1, 1, 1]]), apart).tolist()
    [1, 0, 1]
    >>> reader_estimates(np.zeros((1, 3)), apart, [0.1, 0.2, 0.7]).tolist()
    [2]
    """
    seen = _likelihoods(log_likelihood)
    belief = np.array(seen)
    if prior is not None:
        with np.errstate(divide="ignore"):
            belief += np.log(checks.distribution(prior, "prior", seen.shape[1]))
    if not (belief.max(axis=1) > -np.inf).all():
        t = int((belief.max(axis=1) == -np.inf).argmax())
        raise refused("log_likelihood", "possible in some state at each timestamp", f"none at index {t}")
    return best_guesses(np.exp(normalised(belief)), distances).astype(np.int64)


@dataclass(frozen=True, eq=False)
class PublicWay:
    """A public model of movement between m states: to nearby states, and occasionally anywhere.

    A state is left with a chance q that depends on the elapsed time. The matrix is symmetric, so the uniform
    distribution is stationary: ``P = (1 - a) (I - diag(q K 1) + q K) + a / m`` with the kernel K and the share a of
    `anywhere`.

    Attributes
    ----------
    kernel : (m, m) symmetric, 0 on the diagonal, its largest row sum 1. anywhere : a.
    """

    kernel: Floats
    row_sums: Floats
    anywhere: float = ANYWHERE

    @classmethod
    def nearby(cls, distances: Floats, length: float, *, anywhere: float = ANYWHERE) -> PublicWay:
        """Moves with probabilities proportional to ``exp(-distance / length)``.

        Examples
        --------
        >>> way = PublicWay.nearby(np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0))), 1.0, anywhere=0.0)
        >>> way.matrix(0.2).round(3).tolist()
        [[0.863, 0.1, 0.037], [0.1, 0.8, 0.1], [0.037, 0.1, 0.863]]
        """
        kernel = np.exp(-np.asarray(distances, float) / length)
        np.fill_diagonal(kernel, 0.0)
        most = float(kernel.sum(axis=1).max())
        kernel /= most if most > 0 else 1.0
        return cls(kernel, kernel.sum(axis=1), anywhere)

    def carried(self, belief: Floats, leave: float) -> Floats:
        """Beliefs (d, m) after one move: ``v P``, which is ``P v``."""
        moved = (1 - self.anywhere) * (belief + leave * (belief @ self.kernel - self.row_sums * belief))
        return np.asarray(moved + self.anywhere * belief.mean(axis=1, keepdims=True))

    def matrix(self, leave: float) -> Floats:
        """The transition matrix (m, m)."""
        m = len(self.kernel)
        moved = np.diag(1 - leave * self.row_sums) + leave * self.kernel
        return np.asarray((1 - self.anywhere) * moved + self.anywhere / m)


Step = tuple[PublicWay, float]
"""How one row of likelihoods follows the previous one: a model of movement, and the chance of leaving a state."""


def chance_of_leaving(gap_s: float, cell_m: float) -> float:
    """``1 - exp(-D / (1,800 s per km of cell))`` after D seconds.

    Examples
    --------
    >>> round(chance_of_leaving(1800, 1000), 6)  # 1 - 1/e
    0.632121
    """
    return float(-np.expm1(-gap_s / (LEAVING_S_PER_M * cell_m)))


def length_of_moves(gap_s: float, cell_m: float) -> float:
    """``max(cell, min(5 m/s D, 2 km))`` metres: the length scale on which the chance of a move decays.

    Examples
    --------
    >>> [length_of_moves(gap, 1000.0) for gap in (10, 300, 3600)]
    [1000.0, 1500.0, 2000.0]
    """
    return max(cell_m, min(SPEED_M_PER_S * gap_s, FARTHEST_M))


def rounded_gaps(time: NDArray[np.datetime64]) -> Floats:
    """(k - 1,) seconds between successive times, each rounded to a power of two times their median.

    Examples
    --------
    >>> rounded_gaps(np.array([0, 10, 20, 32, 72], "datetime64[s]")).tolist()
    [11.0, 11.0, 11.0, 44.0]
    """
    gaps = np.diff(time) / np.timedelta64(1, "s")
    if not len(gaps):
        return gaps
    usual = float(np.median(gaps))
    usual = usual if usual > 0 else 1.0
    with np.errstate(divide="ignore"):
        return np.asarray(usual * 2.0 ** np.round(np.log2(gaps / usual)))


def blocks(n: int, most: int = MOST_BLOCKS) -> NDArray[np.int64]:
    """The first timestamp of each block of ceil(n / most) timestamps.

    Examples
    --------
    >>> blocks(8).tolist(), blocks(7, most=3).tolist()
    ([0, 1, 2, 3, 4, 5, 6, 7], [0, 3, 6])
    """
    return np.arange(0, n, -(-n // most))


def relative(logs: Floats) -> Floats:
    """Likelihoods relative to the largest of their row, from their logarithms (k, m), which are overwritten."""
    logs -= logs.max(axis=1, keepdims=True)
    return np.exp(logs, out=logs)


def follow(weights: Floats, steps: Sequence[Step], look: str = "smoothed") -> Floats:
    """The beliefs of a reader with a public model of movement, by default the smoothed posteriors, from a uniform start.

    Parameters
    ----------
    weights : (k, d, m) likelihoods of d releases, each row relative to its largest, as from `relative`. steps : k - 1, one
        from each row to the next. look : as for `passes.beliefs`.

    Returns
    -------
    (k, d, m), each row a distribution.

    Raises
    ------
    InputError : a wrong number of steps.

    Notes
    -----
    Forward and backward in plain numbers, as any state is reached with a chance that is not tiny; `track_posterior` handles
    any chain.
    """
    if len(steps) != len(weights) - 1:
        raise refused("steps", f"{len(weights) - 1:,}, one between every two rows", len(steps))
    moves = carries(steps)
    return beliefs(moves, moves, weights, look)


def carries(steps: Sequence[Step]) -> list[Carry]:
    """What carries beliefs (d, m) along each of these steps: one that occurs often uses its matrix."""
    carried = {step: _carry(*step, times) for step, times in Counter(steps).items()}
    return [carried[step] for step in steps]


def _carry(way: PublicWay, leave: float, times: int) -> Carry:
    if times < OFTEN:
        return lambda belief: way.carried(belief, leave)
    return product(way.matrix(leave))


def least_expected(posterior: Floats, losses: Carry) -> tuple[NDArray[np.intp], Floats]:
    """`best_guesses` for a checked belief (k, m), and the expected error of each, (k,).

    Parameters
    ----------
    losses : `product` of the distances between the states.
    """
    guess, off = np.empty(len(posterior), np.intp), np.empty(len(posterior))
    for first in range(0, len(posterior), ROWS):
        some = slice(first, first + ROWS)
        guess[some], off[some] = first_least(losses(posterior[some]))
    return guess, off


def clipped_median(reports: Floats, scale: Floats, lower: float, upper: float) -> Floats:
    """The posterior median of a bounded value after one report with Laplace noise, (n,), for a uniform prior.

    With the report clipped to the bounds, c, A = 1 - e^(-(c - lo) / s) and B = 1 - e^(-(hi - c) / s), the median is
    ``c + s ln((A + B) / 2 + e^(-(c - lo) / s))`` if A >= B, otherwise ``c - s ln(1 - (B - A) / 2)``.

    Parameters
    ----------
    reports : (n,) in the series' unit. scale : (n,) of the noise, above 0; infinite where nothing was measured.

    Examples
    --------
    >>> clipped_median(np.array([3.0, 99.0, 5.0]), np.array([1.0, 1e9, 1e-9]), 0.0, 6.0).round(6).tolist()
    [3.0, 3.0, 5.0]
    """
    # beyond this, differences are lost to rounding, and the middle remains
    s = np.minimum(scale, 1e9 * (upper - lower))
    c = np.clip(reports, lower, upper)
    below, above = -np.expm1(-(c - lower) / s), -np.expm1(-(upper - c) / s)
    with np.errstate(divide="ignore"):
        down = c + s * np.log1p((above - below) / 2)
        up = c - s * np.log1p(-(above - below) / 2)
    return np.where(below >= above, down, up)


_GROUP, _MOST_GROUPS = 100, 10
"""The fewest reports from which it is judged how far off estimates are, and the most groups."""

_SQUARE, _DEVIATION = 1.5, float(np.sqrt(84)) / 4
"""Of the squared distance of planar Laplace noise, in squares of its mean: the mean and the standard deviation."""

_OF_MEAN = 4 / np.pi
"""The mean square of an error in the plane that is normally distributed, in squares of its mean."""


def doubt(apart: Floats, noise: Floats, expected: Floats) -> Floats:
    """(k,) by how much estimates are farther off than the posterior says, at least 1, judged by the reports alone.

    Planar Laplace reports whose mean distance from the truth is ``noise`` lie a mean square of ``1.5 noise^2`` from it, and
    of ``1.5 noise^2 + e^2`` from estimates that are e off. The e^2 that is left of what is seen, less one standard error,
    is compared with what is expected, in up to ten groups of like expectation: who moves in another way than a reader
    assumes is read far worse than the reader believes, and then a report itself may be nearer.

    Parameters
    ----------
    apart : (k,) between each report and the estimate for its timestamp. noise, expected : (k,) of the report, and of the
        estimate; all positive and finite.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> turn, reports = rng.uniform(0, 2 * np.pi, 4000), rng.gamma(2, 200, 4000)
    >>> off = np.hypot(reports * np.cos(turn) + 600, reports * np.sin(turn))  # estimates 600 m from the truth
    >>> float(doubt(off, np.full(4000, 400.0), np.full(4000, 200.0)).mean().round(1))
    2.6
    >>> float(doubt(off, np.full(4000, 400.0), np.full(4000, 600.0)).max())
    1.0
    """
    found, groups = np.ones(len(apart)), max(1, min(_MOST_GROUPS, len(apart) // _GROUP))
    for part in np.array_split(np.argsort(expected, kind="stable"), groups):
        if len(part):
            weight = noise[part] ** -4.0  # by the inverse variance
            seen = weight @ (apart[part] ** 2 - _SQUARE * noise[part] ** 2) - _DEVIATION * np.sqrt(weight.sum())
            found[part] = max(1.0, float(np.sqrt(max(seen, 0.0) / _OF_MEAN / (weight @ expected[part] ** 2))))
    return found


def _likelihoods(log_likelihood: ArrayLike) -> Floats:
    seen = checks.floats(log_likelihood, "log_likelihood", "numbers, or -inf where a state is impossible")
    if seen.ndim != 2 or 0 in seen.shape:
        raise refused("log_likelihood", "a row for each timestamp and a column for each state", f"shape {seen.shape}")
    if not seen.max() < np.inf:
        raise refused("log_likelihood", "finite, or -inf where a state is impossible", "another number")
    return seen
