"""The simplex on one problem: from the constant report, or from the optimum at another epsilon, to a proven optimum."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.linear import cone, jit
from lmdk_widgets.linear.dual import dual, shift_costs
from lmdk_widgets.linear.pivots import begin, is_feasible, price_trees, primal
from lmdk_widgets.linear.state import FAILED, GOING, empty
from lmdk_widgets.linear.symmetry import Symmetry, none
from lmdk_widgets.linear.trees import Lengths, dual_bound

SLICE, ROUNDS = 400, 10
"""Pivots between two fresh inverses of the basis; rounds of pivots and proofs."""
MOST, MOST_COLD = 200, 2000
"""The most pivots: as a multiple of the rows from a nearby basis, and of the places from the constant report."""
PROOF_S = 5.0
"""Seconds until a bound is proven on the way, and again whenever this time has doubled."""
REPORTS = 16
"""Reports priced for a proof before the caller may stop the solve."""


class Stalled(Exception):
    """The simplex stopped before the optimum: too many pivots, or too much rounding."""


class Simplex:
    """A basic mechanism: the state of the simplex between two solves.

    Parameters
    ----------
    lengths : (n, n) epsilon d of the pairs. cost : (m, n) by report, as shares of the loss of the best constant report.
    roots : (m,) the place of each report. symmetry : of lengths and cost.

    Attributes
    ----------
    bound : a proven lower bound for all mechanisms, as a share of that loss.
    """

    def __init__(self, lengths: Lengths, cost: Floats, roots: NDArray[np.intp], symmetry: Symmetry) -> None:
        self.lengths, self.symmetry, self.cost, self.bound = lengths, symmetry, cost[symmetry.reports], -np.inf
        self.roots = roots[symmetry.reports]
        self.state = s = empty(lengths.short, self.cost, symmetry.orbit, self.roots, len(symmetry.sizes))
        s.tree_parent[:], s.tree_sign[:], s.tree_height[:] = lengths.shortest_path_trees(self.roots)
        s.used[0], s.report[0] = 1, self.cost.sum(axis=1).argmin()
        heads = np.unique(symmetry.orbit, return_index=True)[1]  # one place of each orbit
        s.parent[0], s.component[0] = heads[s.orbit], s.orbit
        self._begin(MOST_COLD * len(lengths.short))

    @property
    def loss(self) -> float:
        return float(self.state.value[:-1] @ self.state.weight[:-1])

    def rescale(self, lengths: Lengths, ratio: float) -> None:
        """The same blocks and trees at `ratio` times epsilon."""
        s = self.state
        s.height[: s.used[0]] *= ratio
        s.tree_height[:] *= ratio
        self.lengths, self.state = lengths, s._replace(short=np.ascontiguousarray(lengths.short))
        self._begin(MOST * len(s.row))

    def matrix(self) -> Floats:
        """(n, reports): the mechanism of the basis, not certified; a report with several blocks has their sum."""
        s, used = self.state, self.state.used[0]
        columns = np.zeros((len(self.symmetry.stands), len(s.orbit)))
        weights = s.ray[:used] * s.weight[s.component[:used]]
        np.add.at(columns, self.symmetry.reports[s.report[:used]], np.maximum(weights, 0.0))
        return columns.T

    def feasible(self) -> bool:
        """Whether the mechanism is private, up to rounding."""
        return bool(is_feasible(self.state))

    def optimise(self, aim: float) -> Generator[None, None, None]:
        """Pivot, slice by slice, until the loss is within the aim of the proven `bound`.

        Raises
        ------
        Stalled : the aim was not reached.
        """
        s, self.bound = self.state, -np.inf
        s.pivots[0] = 0
        for _ in range(ROUNDS):
            if not self.feasible():
                shift_costs(s)
                yield from self._run(dual, shifted=True)
                self.refresh()
            begun, due = time.perf_counter(), PROOF_S
            for _ in self._run(primal):
                if time.perf_counter() - begun > due:
                    yield from self._prove()
                    due *= 2
                yield
            yield from self._prove()
            if self.feasible() and self.loss - self.bound <= aim:
                return
        raise Stalled

    def _prove(self) -> Iterator[None]:
        """Raise `bound` to what the current dual values prove."""
        s, duals = self.state, self.state.dual.copy()
        for first in range(0, len(s.cost), REPORTS):
            price_trees(s, first, min(first + REPORTS, len(s.cost)))
            yield
        trees = s.tree_parent.astype(np.intp), s.tree_sign, s.tree_height
        self.bound = max(self.bound, dual_bound(self.lengths, self.roots, *trees, self.cost, duals, self.symmetry))

    def _run(self, method, shifted: bool = False) -> Iterator[None]:  # type: ignore[no-untyped-def]
        ended = GOING
        while ended == GOING:
            ended = method(self.state, SLICE)
            if ended == FAILED or self.state.pivots[0] > self.most:
                raise Stalled
            self.refresh(shifted)
            yield

    def refresh(self, shifted: bool = False) -> None:
        """Recompute weights, dual values and the inverse from the blocks, without the accumulated rounding of pivots."""
        s, used = self.state, self.state.used[0]
        if not shifted:
            s.charged[:used] = s.cost[s.report[:used]]
        s.ray[:used] = np.exp(s.height[:used])
        rows = len(s.row)
        at = s.orbit * rows + s.component[:used]
        basis = np.bincount(at.ravel(), s.ray[:used].ravel(), rows * rows).reshape(rows, rows)
        value = np.bincount(s.component[:used].ravel(), (s.charged[:used] * s.ray[:used]).ravel(), rows)
        if not (np.isfinite(basis).all() and np.isfinite(value).all()):
            raise Stalled
        try:
            inverse = np.linalg.inv(basis)
        except np.linalg.LinAlgError:
            raise Stalled from None
        s.inverse[:, :-1], s.value[:-1] = inverse.T, value
        s.weight[:-1], s.dual[:] = inverse @ self.symmetry.sizes, value @ inverse

    def _begin(self, most: int) -> None:
        s, self.most = self.state, most
        s.tree_ray[:] = np.exp(s.tree_height - s.tree_height.max(axis=1, keepdims=True))
        self.refresh()
        begin(s)


def run_all() -> None:
    """Solve small problems, one at two epsilons, so that every function is compiled or loaded, and checked.

    Raises
    ------
    AssertionError : the losses differ from the closed form.
    """
    apart = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    solved = Simplex(Lengths(apart), apart / 2, np.arange(3), none(3, 3))
    for epsilon in (1.0, 1.5):
        if epsilon > 1:
            solved.rescale(Lengths(epsilon * apart), epsilon)
        for _ in solved.optimise(1e-7):
            pass
        a = np.exp(-epsilon)
        assert abs(solved.loss - a * (2 + a) / (1 + a)) < 1e-6
    shift_costs(solved.state)
    dual(solved.state, 0)
    _run_cone(apart)


def _run_cone(apart: Floats) -> None:
    """The largest ratio of two rows of a chain, by machine code, against its value by a linear programme."""
    rows = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.3, 0.2]])
    parent, sign = np.zeros((3, 3, 3), np.int32), np.full((3, 3, 3), -1, np.int8)
    sign[:, :, 0], found = 0, np.empty(1)
    pairs = np.array([[2, 0]], np.int32)
    jit.machine_code(cone)(cone.cone(apart, apart, 1e-13), rows, np.log(rows), pairs, parent, sign, found, 100)
    assert abs(found[0] - 0.8653006474) < 1e-9


def compile_all() -> None:
    """Compile every function, and store the machine code on disk; `compiling` lets one process do so at a time."""
    run_all()
    kept = jit.folder()
    if kept is None:
        raise SystemExit("Machine code cannot be stored, either in the package folder or in the user's cache folder.")
    (kept / jit.READY).touch()
