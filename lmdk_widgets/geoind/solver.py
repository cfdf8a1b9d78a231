"""The optimal mechanism at slider speed: one solver for one set of places, many priors and many epsilons.

Rays of the cone of private columns depend neither on the prior nor, as heights per unit of epsilon, on epsilon.
`Solver` keeps them, so that the next position of a slider, or another prior, begins with what is known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.central import central_prices
from lmdk_widgets.geoind.channel import Channel, certify
from lmdk_widgets.geoind.checks import distribution, metric, positive, square
from lmdk_widgets.geoind.generation import Generation
from lmdk_widgets.geoind.master import mix
from lmdk_widgets.geoind.program import Program, solve_by_highs
from lmdk_widgets.geoind.spanner import spanner
from lmdk_widgets.geoind.trees import Forest

ROUNDS = 300
"""Rounds of column generation before it counts as not converging."""
AIM = 0.2
"""Share of the tolerance that is aimed at: the gap is relative, and losses are compared in units."""
_SPARE = 8
"""Rounds spent on that aim once the tolerance itself is reached."""
_CENTRAL = 150
"""Most places for which the interior point method makes the first prices; its memory grows with the cube."""
_FIRST_DILATION = 1.05


@dataclass(frozen=True, eq=False)
class Progress:
    """Where a solve stands.

    Attributes
    ----------
    round : rounds of column generation so far. seconds : since the solve began. gap : the proven gap of `channel`, as a
    share of the loss of the best constant report. estimate : the gap that the model expects to close still.
    channel : the last good picture, certified; replaced by a better one at 1e-2, 1e-3, ... and at the end.
    """

    round: int
    seconds: float
    gap: float
    estimate: float
    channel: Channel
    finished: bool = False


@dataclass(frozen=True, eq=False)
class _Task:
    """One solve: cost (k, n) from k distinct places to n reports, and the loss of the best constant report."""

    prior: Floats
    epsilon: float
    cost: Floats
    scale: float


@dataclass(frozen=True, eq=False)
class _Known:
    """What one solve leaves to the next: rays, trees, and the best prices for its cost."""

    epsilon: float
    heights: Floats
    forest: Forest
    prices: Floats
    cost: Floats


class Solver:
    """Least quality loss at epsilon d-privacy on fixed places, for any priors and epsilons, by NumPy alone.

    Parameters
    ----------
    distances : (n, n) symmetric, the metric of the privacy. quality : (n, n) from true place (row) to report (column);
    None: `distances`. dilation : of the spanner whose constraints are used; 1: all pairs. divide_by_reached : divides
    epsilon by the dilation that the spanner reached, not by the one asked for, which is as private and loses less.

    Notes
    -----
    Guarantee: `Channel.epsilon` is taken over all pairs of the matrix returned and never exceeds the request; `gap` is
    proven by weak duality with the loss of that very matrix. Not safe to share between threads.

    Examples
    --------
    >>> solver = Solver([[0, 1], [1, 0]])
    >>> round(solver.solve([0.5, 0.5], np.log(3)).quality_loss, 6)
    0.25
    >>> [round(p.gap, 6) for p in solver.improve([0.9, 0.1], 1.0)][-1]
    0.0
    """

    def __init__(
        self,
        distances: ArrayLike,
        *,
        quality: ArrayLike | None = None,
        dilation: float = 1.0,
        divide_by_reached: bool = False,
    ) -> None:
        self.distances = metric(distances)
        n = len(self.distances)
        self.quality = self.distances if quality is None else square(quality, "quality", n)
        if positive(dilation, "dilation") < 1:
            raise InputError(
                "a path cannot be shorter than the distance", where="dilation", value=dilation, allowed=">= 1"
            )
        _, self._first, self._group = np.unique(_groups(self.distances), return_index=True, return_inverse=True)
        self._apart = self.distances[np.ix_(self._first, self._first)]
        self._lengths, self.dilation = _constraint_lengths(self._apart, float(dilation), divide_by_reached)
        self._known: _Known | None = None

    def solve(
        self,
        prior: ArrayLike,
        epsilon: float,
        *,
        tolerance: float = 1e-6,
        progress: Callable[[Progress], object] | None = None,
    ) -> Channel:
        """The mechanism with the least loss, to a proven gap of `tolerance`; see `optimal_mechanism`.

        `progress` is called after every round; when it returns True the solve ends with the last good picture.
        """
        for state in self.improve(prior, epsilon, tolerance=tolerance):
            if progress is not None and progress(state) is True:
                break
        return state.channel

    def improve(self, prior: ArrayLike, epsilon: float, *, tolerance: float = 1e-6) -> Iterator[Progress]:
        """The same, round by round: draw what comes, stop iterating to cancel.

        Raises
        ------
        InputError : a prior that does not fit, an epsilon or a tolerance that is not above 0.
        """
        before = distribution(prior, len(self.distances))
        asked, wanted = positive(epsilon, "epsilon"), positive(tolerance, "tolerance")
        return self._improve(before, asked, wanted)

    def _improve(self, prior: Floats, epsilon: float, tolerance: float) -> Iterator[Progress]:
        begun = time.perf_counter()
        # places at distance 0 are one place, from which every report is as likely
        cost = np.zeros((len(self._first), len(prior)))
        np.add.at(cost, self._group, prior[:, None] * self.quality)
        task = _Task(prior, epsilon, cost, self._scale(cost))
        if cost.sum(axis=0).min() <= 1e-9 * task.scale or len(self._first) == 1:
            yield Progress(0, time.perf_counter() - begun, 0.0, 0.0, self._constant(task), True)
            return
        run = self._begin(task)
        picture, goal, aim = self._constant(task, run.bound), 1.0, AIM * tolerance
        spare = _SPARE
        while True:
            last = run.rounds >= ROUNDS or spare == 0
            if run.estimate <= max(aim, min(goal, 1e-2)) or last or not run.rounds:
                picture = min(picture, self._picture(run, task, aim), key=lambda channel: channel.gap)
                goal = min(goal, run.estimate) / 10
            if picture.gap <= aim or last:
                break
            spare -= picture.gap <= tolerance
            yield Progress(run.rounds, time.perf_counter() - begun, picture.gap, run.estimate, picture)
            run.round(aim)
        self._keep(run, epsilon)
        if picture.gap > tolerance:
            picture = self._by_reference(picture, task)
        yield Progress(run.rounds, time.perf_counter() - begun, picture.gap, run.estimate, picture, True)

    def _scale(self, cost: Floats) -> float:
        """What gaps are shares of: the loss of the best constant report, or a millionth of the longest distance."""
        return max(float(cost.sum(axis=0).min()), 1e-6 * float(self.quality.max()))

    def _begin(self, task: _Task) -> Generation:
        """Rays and prices of the solve before, if there was one; else the rays of the stars and central prices."""
        lengths, cost = task.epsilon * self._lengths, task.cost.T / task.scale
        forest = Forest(lengths, self._group)
        known = self._known
        if known is not None:
            ratio = task.epsilon / known.epsilon
            forest.parent, forest.sign = known.forest.parent.copy(), known.forest.sign.copy()
            forest.height = known.forest.height * ratio
            # the prices of the rays as they are now; those of the other epsilon may be far off
            prices = _mixed_prices(cost, known.heights * ratio)
            return Generation(cost, forest, known.heights * ratio, prices, 0.1)
        star = forest.height
        heights = np.concatenate([np.zeros((1, len(self._first))), star, star / 2])
        if len(self._first) == len(self._group) <= _CENTRAL:
            pairs = self._first_pairs()
            start = np.exp(star / 2)
            start = (start / start.sum(axis=0)).copy()
            prices = central_prices(cost, pairs, lengths[tuple(pairs.T)], start, 1e-3)
            return Generation(cost, forest, heights, prices, 0.004)
        return Generation(cost, forest, heights, _mixed_prices(cost, heights), 0.1)

    def _first_pairs(self) -> NDArray[np.intp]:
        """The pairs of the relaxation that makes the first prices: a spanner of the constraints there are."""
        edges = spanner(self._apart, _FIRST_DILATION).edges
        if np.isinf(self._lengths).any():
            return np.argwhere(np.isfinite(self._lengths) & (self._lengths > 0))
        return np.concatenate([edges, edges[:, ::-1]])

    def _picture(self, run: Generation, task: _Task, aim: float) -> Channel:
        """The cheapest mechanism of the rays known, certified, with the gap of that very matrix."""
        matrix = run.matrix(float(np.clip(0.1 * run.estimate, 0.1 * aim, 1e-3)))
        return self._channel(matrix[self._group], run.bound * task.scale, task, "rays")

    def _channel(
        self, matrix: Floats, bound: float, task: _Task, method: str, notices: tuple[str, ...] = ()
    ) -> Channel:
        sure = certify(matrix, self.distances, task.epsilon)
        loss = float(task.prior @ (sure.matrix * self.quality).sum(axis=1))
        # the bound is exact arithmetic's; a difference below its rounding is no gap
        gap = max(0.0, loss - bound) / task.scale if task.scale > 0 else 0.0
        return Channel(
            matrix=sure.matrix,
            quality_loss=loss,
            epsilon=sure.epsilon,
            gap=gap,
            requested_epsilon=task.epsilon,
            bound=bound,
            dilation=self.dilation,
            method=method,
            clipped=sure.clipped,
            mixed=sure.mixed,
            notices=notices,
        )

    def _constant(self, task: _Task, bound: float | None = None) -> Channel:
        """The best report that is the same wherever one is; optimal where it costs nothing or there is one place."""
        matrix = np.zeros((len(task.prior), len(task.prior)))
        matrix[:, int(task.cost.sum(axis=0).argmin())] = 1.0
        least = float(task.cost.min(axis=1).sum())  # of any mechanism
        if len(self._first) == 1:
            least = float(task.cost.sum(axis=0).min())
        return self._channel(matrix, least if bound is None else bound * task.scale, task, "constant")

    def _keep(self, run: Generation, epsilon: float) -> None:
        self._known = _Known(epsilon, run.heights, run.forest, run.best, run.cost)

    def _by_reference(self, picture: Channel, task: _Task) -> Channel:
        """What HiGHS finds where the rounds did not suffice, if that is better; said in `notices` either way."""
        said = f"The fast path stopped at a gap of {picture.gap:.1e} after {ROUNDS} rounds"
        try:
            solution = solve_by_highs(self.program(task.prior, task.epsilon))
        except InputError as reason:
            return replace(
                picture, notices=(*picture.notices, f"{said}, and the reference path is not there: {reason}")
            )
        bound = max(solution.bound, picture.bound)
        found = self._channel(solution.matrix, bound, task, "highs", (f"{said}; this is by the reference path.",))
        if found.gap < picture.gap:
            return found
        return replace(picture, notices=(*picture.notices, f"{said}; the reference path was no better."))

    def program(self, prior: Floats, epsilon: float) -> Program:
        """The linear program in full, for the reference path."""
        lengths = epsilon * self._lengths[np.ix_(self._group, self._group)]
        apart = np.isfinite(lengths) & ~np.eye(len(lengths), dtype=bool)
        return Program(prior[:, None] * self.quality, np.argwhere(apart), lengths[apart])

    def reference(self, prior: ArrayLike, epsilon: float) -> Channel:
        """The same by scipy's HiGHS, all constraints in one linear program: the oracle, for small n."""
        before, asked = distribution(prior, len(self.distances)), positive(epsilon, "epsilon")
        solution = solve_by_highs(self.program(before, asked))
        cost = before[:, None] * self.quality
        task = _Task(before, asked, cost, self._scale(cost))
        return self._channel(solution.matrix, solution.bound, task, "highs")


def _mixed_prices(cost: Floats, heights: Floats) -> Floats:
    """Prices of the rays at hand, by the master problem alone."""
    columns = np.exp((heights - heights.max(axis=1, keepdims=True)).T)
    return mix(columns, (cost @ columns).min(axis=0), 1e-2).prices


def _groups(distances: Floats) -> NDArray[np.intp]:
    """A number for each place, the same for places joined by distances of 0."""
    number = np.arange(len(distances))
    while True:
        lowest = np.where(distances == 0, number, len(number)).min(axis=1)
        if (lowest == number).all():
            return number
        number = lowest


def _constraint_lengths(apart: Floats, dilation: float, divide_by_reached: bool) -> tuple[Floats, float]:
    """d, divided by the dilation, on the pairs that get a constraint, infinite elsewhere; and the dilation reached."""
    if dilation == 1:
        return apart, 1.0
    graph = spanner(apart, dilation)
    lengths = np.full_like(apart, np.inf)
    np.fill_diagonal(lengths, 0.0)
    first, second = graph.edges.T
    divisor = graph.dilation if divide_by_reached else dilation
    lengths[first, second] = lengths[second, first] = apart[first, second] / divisor
    return lengths, graph.dilation
