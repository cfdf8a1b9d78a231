"""A basic mechanism that moves in machine code."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.basis import Basis
from lmdk_widgets.geoind.machine import compiled
from lmdk_widgets.geoind.machine.compiled import OnState
from lmdk_widgets.geoind.machine.state import DONE, GOING, LOST, Act, State, empty
from lmdk_widgets.geoind.simplex import Optimum, Stuck, prove
from lmdk_widgets.geoind.symmetry import Symmetry
from lmdk_widgets.geoind.trees import Forest

SLICE, TURNS = 400, 10
"""Moves between two fresh inverses; turns of moving and proving."""
MOVES, MOVES_AFRESH = 200, 2000
"""Most moves: in multiples of the rows from a basis that is near, of the places from the constant report."""
PROVEN_S = 5.0
"""Seconds after which a bound is proven on the way, and again whenever twice as many have gone by."""


class Machine:
    """A basic mechanism that moves in machine code: what `Basis` is to `simplex`, with the same trees and pieces.

    Parameters
    ----------
    forest : trees at one epsilon. cost : (m, n) by report. symmetry : of the cost. basis : where to begin; None: with the
    best constant report, whose places are a piece each, or held together by the symmetry. code : what moves it; None: the
    machine code.

    Attributes
    ----------
    bound : share of the scale that was proven to be the least loss at most, so far.
    """

    def __init__(
        self,
        forest: Forest,
        cost: Floats,
        symmetry: Symmetry,
        basis: Basis | None = None,
        code: Callable[[State], OnState] | None = None,
    ) -> None:
        self.symmetry, self.cost, self.code, self.bound = symmetry, cost, code or compiled.code(), -np.inf
        n, rows = len(forest.short), len(symmetry.sizes)
        self.state = s = empty(
            short=forest.short,
            cost=cost[symmetry.reports],
            orbit=symmetry.orbit,
            root=forest.roots[symmetry.reports],
            rows=rows,
        )
        if basis is None:
            s.used[0], s.report[0] = 1, s.cost.sum(axis=1).argmin()
            s.parent[0], s.piece[0] = symmetry.orbit_heads[s.orbit], s.orbit
            self.most = MOVES_AFRESH * n
        else:
            self.most = MOVES * rows
            s.used[0] = used = basis.used
            s.report[:used] = np.searchsorted(symmetry.reports, basis.report[:used])
            for name in ("parent", "sign", "height", "piece"):
                getattr(s, name)[:used] = getattr(basis, name)[:used]
        self._begin()

    @property
    def loss(self) -> float:
        return float(self.state.value[:-1] @ self.state.weight[:-1])

    def reports(self) -> NDArray[np.intp]:
        """(slots taken,): of each slot."""
        return self.symmetry.reports[self.state.report[: self.state.used[0]]]

    def columns(self) -> Floats:
        """(slots taken, n): what each forest says of its report."""
        used = self.state.used[0]
        return self.state.ray[:used] * self.state.weight[self.state.piece[:used]]

    def rescale(self, short: Floats, ratio: float) -> None:
        """The same forests at `ratio` times epsilon."""
        self.state.height[: self.state.used[0]] *= ratio
        self.state, self.most = self.state._replace(short=np.ascontiguousarray(short)), MOVES * len(self.state.row)
        self._begin()

    def optimise(self, forest: Forest, aim: float, bound: float = -np.inf) -> Generator[None, None, Optimum]:
        """As `simplex.optimise`, slice by slice; the trees of the forest are moved along.

        Raises
        ------
        Stuck : the aim was not reached.
        """
        reports, s = self.symmetry.reports, self.state
        s.moves[0], self.bound = 0, bound
        s.tree_parent[:], s.tree_sign[:] = forest.parent[reports], forest.sign[reports]
        s.tree_height[:] = forest.height[reports]
        s.tree_ray[:] = np.exp(s.tree_height - s.tree_height.max(axis=1, keepdims=True))
        for _ in range(TURNS):
            if not self.fits():
                self.act(Act.BEGIN_DUAL, 0)
                yield from self._run(Act.DUAL, raised=True)
                self.refresh()
            begun, due = time.perf_counter(), PROVEN_S
            for _ in self._run(Act.PRIMAL):
                if time.perf_counter() - begun > due:
                    yield from self._prove(forest)
                    due *= 2
                yield
            prices = yield from self._prove(forest)
            if self.fits() and self.loss - self.bound <= aim:
                return Optimum(prices, self.bound)
        raise Stuck

    def _prove(self, forest: Forest) -> Generator[None, None, Floats]:
        """Moves the trees of the forest along and raises `bound` by what the prices prove; the prices."""
        s, reports, prices = self.state, self.symmetry.reports, self.state.prices.copy()
        for report in range(len(reports)):
            self.act(Act.SETTLE, report)
            yield
        forest.parent[reports], forest.sign[reports], forest.height[reports] = s.tree_parent, s.tree_sign, s.tree_height
        self.bound = max(self.bound, prove(forest, self.cost, self.symmetry, prices)[0])
        return prices

    def _run(self, kind: Act, raised: bool = False) -> Iterator[None]:
        ended = GOING
        while ended == GOING:
            ended = self.act(kind, SLICE)
            if ended == LOST or self.state.moves[0] > self.most:
                raise Stuck
            self.refresh(raised)
            yield

    def refresh(self, raised: bool = False) -> None:
        """Weights, prices and the inverse from the forests alone; at the true cost, or at the raised one."""
        s, used = self.state, self.state.used[0]
        if not raised:
            s.paid[:used] = s.cost[s.report[:used]]
        s.ray[:used] = np.exp(s.height[:used])
        rows = len(s.row)
        place = s.orbit * rows + s.piece[:used]
        matrix = np.bincount(place.ravel(), s.ray[:used].ravel(), rows * rows).reshape(rows, rows)
        value = np.bincount(s.piece[:used].ravel(), (s.paid[:used] * s.ray[:used]).ravel(), rows)
        if not (np.isfinite(matrix).all() and np.isfinite(value).all()):
            raise Stuck
        try:
            inverse = np.linalg.inv(matrix)
        except np.linalg.LinAlgError:
            raise Stuck from None
        s.inverse[:, :-1], s.value[:-1] = inverse.T, value
        s.weight[:-1], s.prices[:] = inverse @ self.symmetry.sizes, value @ inverse

    def fits(self) -> bool:
        """Whether the mechanism is private, but for rounding."""
        return self.act(Act.FITS, 0) == DONE

    def _begin(self) -> None:
        self.refresh()
        self.act = self.code(self.state)
        self.act(Act.BEGIN, 0)
