"""The optimal mechanism at slider speed: one solver for one set of places, many priors and many epsilons.

The compiled simplex solves; if only epsilon has changed a little, it starts from the previous basis. HiGHS takes over
if machine code cannot run or is still being compiled, or if the simplex fails, which is rare. If neither is installed,
the same simplex runs in plain Python, for up to `PLAIN_MOST` places.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import distribution, metric, one_of, positive, square
from lmdk_widgets.errors import InputError, install
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.channel import Channel, certify
from lmdk_widgets.geoind.reference import Program, program, solve_by_rows, solve_whole
from lmdk_widgets.geoind.spanner import checked_dilation, spanner
from lmdk_widgets.linear import compiling
from lmdk_widgets.linear.one_thread import each_on_one_thread
from lmdk_widgets.linear.symmetry import Symmetry, none, symmetries
from lmdk_widgets.linear.trees import Lengths

AIM = 0.2
"""The share of the tolerance to aim for: the gap is relative, but losses are compared in units."""
NEAR = 2.0
"""The ratio of two epsilons up to which the optimum at one is the start for the other."""
SHOWN_S, PAUSE = 0.2, 10
"""Seconds between incumbents; and as a multiple of the time that the previous one took to make and to draw."""

PLAIN_MOST = 36
"""The most places for plain Python: 6 x 6 take a few seconds, ten in a browser, and 7 x 7 take a minute."""
BROWSER_MOST = 64
"""The most places for HiGHS in a browser, on one thread: 8 x 8 take a minute or more."""


@dataclass(frozen=True, eq=False)
class Progress:
    """The progress of a solve.

    Attributes
    ----------
    seconds : since the solve began. gap : the proven gap of `channel`, as a share of the loss of the best constant
        report.
    channel : the incumbent, certified. finished : whether this is the end. notice : which solver is used, if it is not
    the fast one.
    """

    seconds: float
    gap: float
    channel: Channel
    finished: bool = False
    notice: str = ""


@dataclass(frozen=True, eq=False)
class Problem:
    """Cost (k, n) from k distinct places to n reports, with `scale`, the loss of the best constant report."""

    prior: Floats
    epsilon: float
    cost: Floats
    scale: float
    symmetry: Symmetry

    @property
    def least(self) -> float:
        """A lower bound for all mechanisms, whatever their privacy; with one place, the best constant report's loss."""
        return float(self.cost.sum(axis=0).min() if len(self.cost) == 1 else self.cost.min(axis=1).sum())


class Solver:
    """The least quality loss under epsilon d-privacy on fixed places, for any priors and epsilons.

    Parameters
    ----------
    distances : (n, n) symmetric, the privacy metric. quality : (n, n) from true place (row) to report (column); None:
    `distances`. dilation : the largest allowed for the spanner whose constraints are used; 1: all pairs. Epsilon is
    divided by the dilation that the spanner reaches, `dilation` of the solver: that is as private as dividing by the
    one allowed, and loses less.

    Notes
    -----
    Guarantee: `Channel.epsilon` is computed over all pairs of the returned matrix and never exceeds the request; `gap`
    is proven by weak duality with the loss of that same matrix. Not safe to share between threads. While it solves, the
    linear algebra of the whole process has one thread, if threadpoolctl is installed (the extra "places" includes it).

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
    ) -> None:
        self.distances = metric(distances)
        n = len(self.distances)
        self.quality = self.distances if quality is None else square(quality, "quality", n).copy()
        allowed = checked_dilation(dilation)
        _, self._first, self._group = np.unique(groups(self.distances), return_index=True, return_inverse=True)
        self._apart = self.distances[np.ix_(self._first, self._first)]
        self._lengths, self.dilation = constraint_lengths(self._apart, allowed)
        self._last: tuple[Problem, Any] | None = None

    def solve(
        self,
        prior: ArrayLike,
        epsilon: float,
        *,
        tolerance: float = 1e-6,
        progress: Callable[[Progress], object] | None = None,
    ) -> Channel:
        """The mechanism with the least loss, to a proven gap of `tolerance`; see `optimal_mechanism`.

        `progress` is called with every incumbent; if it returns True, the solve ends with that one.
        """
        for state in self.improve(prior, epsilon, tolerance=tolerance):
            if progress is not None and progress(state) is True:
                break
        return state.channel

    def improve(self, prior: ArrayLike, epsilon: float, *, tolerance: float = 1e-6) -> Iterator[Progress]:
        """The same, incumbent by incumbent: draw each as it comes; stop iterating to cancel.

        Raises
        ------
        InputError : a prior that does not fit, an epsilon or a tolerance that is not above 0.
        """
        before = distribution(prior, "prior", len(self.distances))
        asked, wanted = positive(epsilon, "epsilon"), positive(tolerance, "tolerance")
        return each_on_one_thread(self._improve(before, asked, wanted))

    def _improve(self, prior: Floats, epsilon: float, tolerance: float) -> Iterator[Progress]:
        begun = time.perf_counter()
        # places at distance 0 are the same place, with the same probability for every report
        cost = np.zeros((len(self._first), len(prior)))
        np.add.at(cost, self._group, prior[:, None] * self.quality)
        apart = len(self._first) == len(self._group)
        symmetry = symmetries(self._lengths, cost) if apart else none(*cost.shape)
        task = Problem(prior, epsilon, cost, self._scale(cost), symmetry)
        found: Channel | None = None
        plain = False
        if cost.sum(axis=0).min() <= 1e-9 * task.scale or len(self._first) == 1:
            found = self._constant(task)
        elif compiling.ready() or (plain := compiling.is_plain()):
            if plain:
                _few_enough(len(task.cost))
            found = yield from self._by_simplex(task, AIM * tolerance, begun)
        if found is None:
            if sys.platform == "emscripten":
                _few_enough_for_a_browser(len(task.cost))
            found = yield from self._by_highs(task, tolerance, begun)
        yield Progress(time.perf_counter() - begun, found.gap, found, True)

    # -- the compiled simplex -----------------------------------------------------------------------------------------

    def _by_simplex(self, task: Problem, aim: float, begun: float) -> Generator[Progress, None, Channel | None]:
        """From the previous optimum, if that is near; otherwise, or if that fails, from the constant report."""
        from lmdk_widgets.linear.engine import Simplex, Stalled

        lengths, last = Lengths(task.epsilon * self._lengths), self._last
        self._last = None  # a basis that failed, or was left in the middle of a pivot, is not a start for another solve
        near = last is not None and 1 / NEAR < task.epsilon / last[0].epsilon < NEAR
        if last is not None and near and np.array_equal(last[0].cost, task.cost):
            before, simplex = last
            try:
                simplex.rescale(lengths, task.epsilon / before.epsilon)
                return (yield from self._pivoted(simplex, task, aim, begun))
            except Stalled:
                pass
        try:
            simplex = Simplex(lengths, task.cost.T / task.scale, self._group, task.symmetry)
            return (yield from self._pivoted(simplex, task, aim, begun))
        except Stalled:
            return None

    def _pivoted(
        self, simplex: Any, task: Problem, aim: float, begun: float
    ) -> Generator[Progress, None, Channel | None]:
        """The optimum, with incumbents on the way if that takes long; None if the optimum is not within the aim."""
        due = time.perf_counter() + SHOWN_S
        for _ in simplex.optimise(aim):
            if (now := time.perf_counter()) > due and simplex.feasible():
                shown = self._basic(simplex, task)
                yield Progress(time.perf_counter() - begun, shown.gap, shown)
                due = (after := time.perf_counter()) + max(SHOWN_S, PAUSE * (after - now))
        self._last = task, simplex
        found = self._basic(simplex, task)
        return found if found.gap <= aim else None

    def _basic(self, simplex: Any, task: Problem) -> Channel:
        """The mechanism of the current basis, certified, with the gap of that same matrix."""
        matrix = task.symmetry.spread(simplex.matrix())
        return self._channel(matrix[self._group], max(task.least, simplex.bound * task.scale), task, "simplex")

    # -- HiGHS --------------------------------------------------------------------------------------------------------

    def _by_highs(self, task: Problem, tolerance: float, begun: float) -> Generator[Progress, None, Channel]:
        """By row generation; switches to the simplex once its machine code is ready."""
        shown, waiting = self._constant(task), not compiling.ready()
        steps = solve_by_rows(task.cost, task.epsilon * self._lengths)
        for found in steps:
            if found is not None:
                bound = max(shown.bound, found.bound)
                made = self._channel(found.matrix[self._group], bound, task, "highs")
                shown = min(shown, made, key=lambda channel: channel.quality_loss)
                shown = replace(shown, bound=bound, gap=max(0.0, shown.quality_loss - bound) / task.scale)
                if found.finished:
                    break
            if waiting and compiling.ready():
                steps.close()
                better = yield from self._by_simplex(task, AIM * tolerance, begun)
                if better is not None:
                    return better
                waiting, steps = False, solve_by_rows(task.cost, task.epsilon * self._lengths)
            yield Progress(time.perf_counter() - begun, shown.gap, shown, notice=compiling.notice())
        if shown.gap <= tolerance:
            return shown
        notice = f"The solver HiGHS ended at a gap of {shown.gap:.1e}, not at {tolerance:.1e}."
        return replace(shown, notices=(notice,))

    def program(self, prior: Floats, epsilon: float) -> Program:
        """The full linear programme, with all places and pairs."""
        return program(prior[:, None] * self.quality, epsilon * self._lengths[np.ix_(self._group, self._group)])

    def reference(self, prior: ArrayLike, epsilon: float) -> Channel:
        """The optimum by HiGHS, with all constraints in one linear programme: the oracle, for small n."""
        before, asked = distribution(prior, "prior", len(self.distances)), positive(epsilon, "epsilon")
        solution = solve_whole(self.program(before, asked))
        cost = before[:, None] * self.quality
        task = Problem(before, asked, cost, self._scale(cost), none(len(cost), len(cost)))
        return self._channel(solution.matrix, solution.bound, task, "highs")

    # -- both ---------------------------------------------------------------------------------------------------------

    def _scale(self, cost: Floats) -> float:
        """The unit of gaps: the loss of the best constant report, but at least a millionth of the longest distance."""
        return max(float(cost.sum(axis=0).min()), 1e-6 * float(self.quality.max()))

    def _channel(self, matrix: Floats, bound: float, task: Problem, method: str) -> Channel:
        sure = certify(matrix, self.distances, task.epsilon)
        loss = float(task.prior @ (sure.matrix * self.quality).sum(axis=1))
        # the bound is for exact arithmetic; a difference smaller than rounding is not a gap
        gap = max(0.0, loss - bound) / task.scale if task.scale > 0 else 0.0
        return replace(sure, quality_loss=loss, gap=gap, bound=bound, dilation=self.dilation, method=method)

    def _constant(self, task: Problem) -> Channel:
        """The best report that does not depend on the place; optimal if it costs nothing or there is only one place."""
        matrix = np.zeros((len(task.prior), len(task.prior)))
        matrix[:, int(task.cost.sum(axis=0).argmin())] = 1.0
        return self._channel(matrix, task.least, task, "constant")


def _few_enough(places: int) -> None:
    """Raise `InputError` if there are too many places for plain Python."""
    if places > PLAIN_MOST:
        what = f"Without the solvers HiGHS and Numba, the optimal mechanism must have at most {PLAIN_MOST} places"
        raise InputError(what, value=places, remedy=f"Choose fewer cells. In Python: {install('places')}")


def _few_enough_for_a_browser(places: int) -> None:
    """Raise `InputError` if there are too many places for HiGHS in a browser."""
    if places > BROWSER_MOST:
        what = f"In a browser, the optimal mechanism must have at most {BROWSER_MOST} places"
        raise InputError(what, value=places, remedy=f"Choose fewer cells. In your own Python: {install('places')}")


def constraint_lengths(apart: Floats, dilation: float) -> tuple[Floats, float]:
    """d divided by the dilation reached for the pairs with a constraint, infinite elsewhere; and that dilation."""
    if dilation == 1:
        return apart, 1.0
    graph = spanner(apart, dilation)
    lengths = np.full_like(apart, np.inf)
    np.fill_diagonal(lengths, 0.0)
    first, second = graph.edges.T
    lengths[first, second] = lengths[second, first] = apart[first, second] / graph.dilation
    return lengths, graph.dilation


def groups(distances: Floats) -> NDArray[np.intp]:
    """A number for each place, the same for places joined by distances of 0."""
    number = np.arange(len(distances))
    while True:
        lowest = np.where(distances == 0, number, len(number)).min(axis=1)
        if (lowest == number).all():
            return number
        number = lowest


def optimal_mechanism(
    distances: ArrayLike,
    prior: ArrayLike,
    epsilon: float,
    *,
    quality: ArrayLike | None = None,
    dilation: float = 1.0,
    tolerance: float = 1e-6,
    method: str = "simplex",
) -> Channel:
    """OptQL: minimise ``sum_xz pi_x K_xz d_Q(x, z)`` with ``K_xz <= e^{epsilon d(x, x')} K_x'z``, where rows sum to 1.

    Parameters
    ----------
    distances : (n, n) symmetric, the privacy metric, in any unit. prior : (n,) probabilities, zeros allowed.
    epsilon : above 0, in the inverse of that unit.
    quality : (n, n) loss from true place (row) to report (column), 0 or more; None: `distances`.
    dilation : 1 uses the constraints of all pairs; above 1 only those of a greedy spanner with at most that dilation, with
        epsilon divided by the dilation that it reaches, `Channel.dilation`, which costs some quality.
    tolerance : the gap to reach, as a share of the loss of the best constant report.
    method : "simplex", compiled, with HiGHS if that cannot run; or "highs", the whole linear programme, for small n.

    Returns
    -------
    Channel: `epsilon` is the certificate over all pairs, at most the request; `gap` is proven for that same matrix by
    weak duality; if `dilation` is above 1, the gap is to the best mechanism under the spanner's constraints.

    Raises
    ------
    InputError : distances that are not symmetric, a prior that does not sum to 1, an epsilon or tolerance that is not
    above 0, or an unknown method; more than `PLAIN_MOST` places if neither Numba nor HiGHS is installed.

    Notes
    -----
    Guarantee: epsilon d-privacy whatever the solver did, as the matrix is certified after clipping and scaling.
    Optima are not unique: compare losses, never matrices. With the same metric for both, the adversary's error is the
    loss. Numerics: ratios are stored as e^{-epsilon d}, which cannot overflow. Paper: Bordenabe et al. 2014, sections
    3.1 (program), 3.2 (spanner), Theorem 3. For many epsilons or priors on the same places, use `Solver`, which reuses
    earlier solutions.

    Examples
    --------
    >>> line = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    >>> round(optimal_mechanism(line, [1 / 3, 1 / 3, 1 / 3], 0.6931471805599453).quality_loss, 6)  # 5/9
    0.555556
    """
    solver = Solver(distances, quality=quality, dilation=dilation)
    if one_of(method, "method", ("simplex", "highs")) == "highs":
        return solver.reference(prior, epsilon)
    return solver.solve(prior, epsilon, tolerance=tolerance)
