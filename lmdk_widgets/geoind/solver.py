"""The optimal mechanism at slider speed: one solver for one set of places, many priors and many epsilons.

Rays of the cone of private columns depend neither on the prior nor, as heights per unit of epsilon, on epsilon.
`Solver` keeps them, so that the next position of a slider, or another prior, begins with what is known.

A cold solve goes by rounds of column generation (`central`, `generation`) until simplex moves (`simplex`) are the quicker
way to the end; the next position of a slider is simplex moves alone. Where there is machine code (`machine`) they do
all of it. Whatever fails is left to the rounds, and what the rounds do not prove to the reference path.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.basis import Basis
from lmdk_widgets.geoind.central import MOST, Central, few_pairs
from lmdk_widgets.geoind.channel import Channel, certify
from lmdk_widgets.geoind.checks import distribution, metric, positive, square
from lmdk_widgets.geoind.generation import Generation, mechanism
from lmdk_widgets.geoind.machine.background import ready
from lmdk_widgets.geoind.machine.machine import Machine
from lmdk_widgets.geoind.master import mix, settle
from lmdk_widgets.geoind.program import Program, solve_by_highs
from lmdk_widgets.geoind.simplex import Stuck, first_basis, optimise
from lmdk_widgets.geoind.symmetry import Symmetry, none, symmetries
from lmdk_widgets.geoind.task import Known, Progress, Task, constraint_lengths, exhausted, forest_at, near, restated
from lmdk_widgets.geoind.trees import Forest, groups, simple_rays

ROUNDS = 300
"""Rounds of column generation before it counts as not converging."""
AIM = 0.2
"""Share of the tolerance that is aimed at: the gap is relative, and losses are compared in units."""
_SPARE = 8
"""Rounds spent on that aim once the tolerance itself is reached."""
_CENTRAL_GAP = 5e-4
"""Gap at which the interior point method that makes the first prices is left."""
_CORNER = 1e-4
"""Gap that rounds still hope to close at which simplex moves take over."""
_ROWS = 64
"""Rows, places but for symmetry, above which simplex moves take too long."""
_PLACES = 400
"""Places above which those in machine code, from the constant report, take too long as well."""
_ROOM = 1_000_000
"""Rows times pairs of places, up to which simplex moves by NumPy are quick."""
_SHOWN_S, _PAUSE = 0.2, 10
"""Seconds after which a picture on the way is due; and in multiples of what the one before took to make and to draw."""
_USEFUL = 1e-3
"""Share of the reports that a mixture of simple rays must give to one for it to be priced from the start."""


class Solver:
    """Least quality loss at epsilon d-privacy on fixed places, for any priors and epsilons.

    By NumPy alone, and quicker with the extra `fast`, once its machine code is there.

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
        _, self._first, self._group = np.unique(groups(self.distances), return_index=True, return_inverse=True)
        self._apart = self.distances[np.ix_(self._first, self._first)]
        self._lengths, self.dilation = constraint_lengths(self._apart, float(dilation), divide_by_reached)
        self._known: Known | None = None

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
        task = Task(prior, epsilon, cost, self._scale(cost), self._symmetry(cost))
        if cost.sum(axis=0).min() <= 1e-9 * task.scale or len(self._first) == 1:
            yield Progress(0, time.perf_counter() - begun, 0.0, 0.0, self._constant(task), True)
            return
        found = yield from self._at_once(task, AIM * tolerance, begun)
        if found is not None:
            yield Progress(0, time.perf_counter() - begun, found.gap, found.gap, found, True)
            return
        run = yield from self._begin(task, begun)
        basis = None
        try:
            picture, basis = yield from self._rounds(run, task, tolerance, begun)
        finally:
            self._known = Known(epsilon, run.heights, run.forest, run.cost, run.centre, run.useful, basis)
        if picture.gap > tolerance:
            picture = self._by_reference(picture, task)
        yield Progress(run.rounds, time.perf_counter() - begun, picture.gap, run.estimate, picture, True)

    def _rounds(
        self, run: Generation, task: Task, tolerance: float, begun: float
    ) -> Generator[Progress, None, tuple[Channel, Basis | Machine | None]]:
        """Rounds until a picture is good enough, or no better for long; yields where they stand, returns the best."""
        picture, goal, aim, spare = self._constant(task, run.bound), 1.0, AIM * tolerance, _SPARE
        few = len(task.symmetry.sizes) <= _ROWS and (self._small(task.symmetry) or _machine(task.symmetry))
        while True:
            last = run.rounds >= ROUNDS or spare == 0
            if run.estimate <= max(aim, min(goal, 1e-2)) or last or not run.rounds:
                run.verify()
                picture = min(picture, self._picture(run, task, aim), key=lambda channel: channel.quality_loss)
                goal = min(goal, max(run.estimate, picture.gap)) / (10 if goal > 1e-3 else 100)
            picture = restated(picture, run.bound * task.scale, task.scale)
            if picture.gap <= aim or last:
                return picture, None
            spare -= picture.gap <= tolerance
            yield Progress(run.rounds, time.perf_counter() - begun, picture.gap, run.estimate, picture)
            if few and run.estimate <= _CORNER:
                few = False
                found = self._finish(run, task, aim)
                if found is not None:
                    return found
            run.round(aim)

    def _small(self, symmetry: Symmetry) -> bool:
        """Whether simplex moves by NumPy are quick."""
        return len(symmetry.sizes) * len(self._first) ** 2 <= _ROOM

    def _at_once(self, task: Task, aim: float, begun: float) -> Generator[Progress, None, Channel | None]:
        """By simplex moves: from the slider's position before, or, in machine code, from the constant report.

        None where that is not the quicker way, or leads nowhere.
        """
        known, cost, symmetry = self._known, task.cost.T / task.scale, task.symmetry
        quick = _machine(symmetry)
        if known is not None and known.basis is not None and known.continues(task.epsilon, cost):
            forest, basis = forest_at(self._lengths, self._group, known, task.epsilon), known.basis
            self._known = None  # trees that led nowhere lead others nowhere
            try:
                basis.rescale(forest.short, task.epsilon / known.epsilon)
                if quick and isinstance(basis, Basis):
                    basis = Machine(forest, cost, symmetry, basis)
                return (yield from self._moved(basis, forest, task, aim, begun))
            except (Stuck, np.linalg.LinAlgError):
                pass
        if quick and (len(self._first) <= _PLACES or len(symmetry.sizes) <= _ROWS):
            forest = forest_at(self._lengths, self._group, self._known, task.epsilon)
            try:
                return (yield from self._moved(Machine(forest, cost, symmetry), forest, task, aim, begun))
            except Stuck:
                self._known = None
        return None

    def _moved(
        self, basis: Basis | Machine, forest: Forest, task: Task, aim: float, begun: float
    ) -> Generator[Progress, None, Channel | None]:
        """What simplex moves arrive at, and on the way, where that is long, what they have; None if it is no good."""
        if isinstance(basis, Machine):
            moves, due = basis.optimise(forest, aim), time.perf_counter() + _SHOWN_S
            while True:
                try:
                    next(moves)
                except StopIteration as ended:
                    optimum = ended.value
                    break
                if (now := time.perf_counter()) > due and basis.fits():
                    picture = self._corner(basis, max(task.least, basis.bound * task.scale), task)
                    yield Progress(0, time.perf_counter() - begun, picture.gap, picture.gap, picture)
                    due = (after := time.perf_counter()) + max(_SHOWN_S, _PAUSE * (after - now))
        else:
            optimum = optimise(basis, forest, aim)
        reports = task.symmetry.reports
        useful = np.isin(reports, basis.reports())
        self._known = Known(task.epsilon, forest.height[reports], forest, basis.cost, optimum.prices, useful, basis)
        picture = self._corner(basis, optimum.bound * task.scale, task)
        return picture if picture.gap <= aim else None

    def _finish(self, run: Generation, task: Task, aim: float) -> tuple[Channel, Basis | Machine] | None:
        """By simplex moves from the rays that carry the last mixture; None where they lead nowhere."""
        weights = np.zeros(len(run.heights))
        weights[: len(run.last)] = run.last
        try:
            basis: Basis | Machine
            basis = start = first_basis(run.forest, run.cost, run.symmetry, run.heights, weights)
            if self._small(run.symmetry):
                optimum = optimise(start, run.forest, aim, run.bound)
            else:
                basis = Machine(run.forest, run.cost, run.symmetry, start)
                optimum = exhausted(basis.optimise(run.forest, aim, run.bound))
        except Stuck:
            return None
        run.bound, run.estimate, run.centre = optimum.bound, 0.0, optimum.prices
        picture = self._corner(basis, optimum.bound * task.scale, task)
        return (picture, basis) if picture.gap <= aim else None

    def _corner(self, basis: Basis | Machine, bound: float, task: Task) -> Channel:
        """The mechanism of a basis, certified, with the gap of that very matrix."""
        matrix = np.zeros(basis.cost.shape)
        np.add.at(matrix, basis.reports(), np.maximum(basis.columns(), 0.0))
        return self._channel(task.symmetry.spread(matrix.T)[self._group], bound, task, "rays")

    def _symmetry(self, cost: Floats) -> Symmetry:
        if len(self._first) < len(self._group):
            return none(len(self._first), len(self._group))
        return symmetries(self._lengths, cost)

    def _scale(self, cost: Floats) -> float:
        """What gaps are shares of: the loss of the best constant report, or a millionth of the longest distance."""
        return max(float(cost.sum(axis=0).min()), 1e-6 * float(self.quality.max()))

    def _begin(self, task: Task, begun: float) -> Generator[Progress, None, Generation]:
        """Rays and prices to begin with: those of the slider's position before, or a first picture and central ones."""
        lengths, cost, symmetry = task.epsilon * self._lengths, task.cost.T / task.scale, task.symmetry
        known = self._known
        forest = forest_at(self._lengths, self._group, known, task.epsilon)
        heights = simple_rays(forest.distance[symmetry.orbit_heads])
        if known is not None:
            heights = np.concatenate([heights, known.heights * (task.epsilon / known.epsilon)])
            if known.continues(task.epsilon, cost):
                return near(known, heights, forest, symmetry)
        columns = np.exp((heights - heights.max(axis=1, keepdims=True)).T)
        cheapest = cost @ columns
        folded = symmetry.fold(columns)
        mixture = mix(folded, cheapest.min(axis=0), 1e-3 if known is None else 1e-4, symmetry.sizes)
        weights = settle(folded, np.clip(mixture.weights, 0, None), symmetry.sizes)
        first = self._channel(mechanism(cost, heights, weights, symmetry)[self._group], task.least, task, "rays")
        picture = min(self._constant(task), first, key=lambda channel: channel.gap)
        yield Progress(0, time.perf_counter() - begun, picture.gap, 1.0, picture)
        kept = mixture.weights > 1e-6 * mixture.weights.max()
        kept[0] = True
        heights, prices = heights[kept], mixture.prices
        report = symmetry.stands[cheapest.argmin(axis=0)]
        given = np.bincount(report, weights * folded.sum(axis=0), len(symmetry.reports))
        useful = given > _USEFUL * len(self._first)
        if 0 < useful.sum() * lengths.size <= MOST:
            reports = symmetry.reports[useful]
            central = Central(cost[reports].T, few_pairs(lengths), lengths, symmetry)
            for gap in central.run(_CENTRAL_GAP):
                yield Progress(0, time.perf_counter() - begun, picture.gap, gap, picture)
            heights, prices = np.concatenate([heights, central.heights()]), central.best_prices
        return Generation(cost, forest, symmetry, heights, prices, useful)

    def _picture(self, run: Generation, task: Task, aim: float) -> Channel:
        """The cheapest mechanism of the rays known, certified, with the gap of that very matrix."""
        matrix = run.matrix(float(np.clip(0.1 * run.estimate, 0.1 * aim, 1e-3)), max(0.8 * aim, run.estimate))
        return self._channel(matrix[self._group], run.bound * task.scale, task, "rays")

    def _channel(self, matrix: Floats, bound: float, task: Task, method: str, notices: tuple[str, ...] = ()) -> Channel:
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

    def _constant(self, task: Task, bound: float | None = None) -> Channel:
        """The best report that is the same wherever one is; optimal where it costs nothing or there is one place."""
        matrix = np.zeros((len(task.prior), len(task.prior)))
        matrix[:, int(task.cost.sum(axis=0).argmin())] = 1.0
        return self._channel(matrix, task.least if bound is None else bound * task.scale, task, "constant")

    def _by_reference(self, picture: Channel, task: Task) -> Channel:
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
        task = Task(before, asked, cost, self._scale(cost), none(len(cost), len(cost)))
        return self._channel(solution.matrix, solution.bound, task, "highs")


def _machine(symmetry: Symmetry) -> bool:
    """Whether there is machine code."""
    return ready()
