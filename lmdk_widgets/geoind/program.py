"""The linear program of the optimal mechanism, what bounds it from below, and the reference path by scipy's HiGHS.

    minimise sum_xz c_xz K_xz   subject to   K_x'z - a_xx' K_xz >= 0,  rows sum to 1,     a = e^{-epsilon d(x, x')}

in which a = 0 says no more than K >= 0, so that nothing overflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats


@dataclass(frozen=True, eq=False)
class Program:
    """The program on n places.

    Attributes
    ----------
    cost : (n, n), ``cost[x, z] = pi_x d_Q(x, z)``.
    pairs : (m, 2) ordered pairs (x, x') with a constraint.
    lengths : (m,) epsilon d of each pair, the dilation already divided out.
    """

    cost: Floats
    pairs: NDArray[np.intp]
    lengths: Floats

    @property
    def scale(self) -> float:
        """The loss of the best constant report, by which gaps are measured."""
        return float(self.cost.sum(axis=0).min())

    @property
    def constraints(self) -> int:
        """How many inequalities the linear program has."""
        return len(self.pairs) * self.cost.shape[1]


def lower_bound(program: Program, flows: Floats) -> float:
    """What no mechanism can go below, from any multipliers of the constraints: ``sum_x min_z (c - A^T f)_xz``.

    Parameters
    ----------
    flows : (m, n) one multiplier for each pair and report; negative ones count as 0.

    Notes
    -----
    Guarantee: weak duality, for *any* flows, so a solver that went astray gives a poor bound, never a wrong one.
    """
    first, second = program.pairs.T
    pushed = np.clip(flows, 0, None)
    left = program.cost.copy()
    np.subtract.at(left, second, pushed)
    np.add.at(left, first, np.exp(-program.lengths)[:, None] * pushed)
    return float(left.min(axis=1).sum())


@dataclass(frozen=True, eq=False)
class Solution:
    """A matrix, not certified yet, and a proven lower bound of the loss."""

    matrix: Floats
    bound: float


def solve_by_highs(program: Program) -> Solution:
    """The whole program in one call of scipy's HiGHS: the oracle, for any metric and small n.

    Raises
    ------
    InputError : scipy is not installed, or HiGHS found no optimum.
    """
    linprog, sparse = scipy_linprog("The reference path")
    n, m = len(program.cost), len(program.pairs)
    report = np.tile(np.arange(n), m)
    row = np.arange(m * n)
    first, second = (np.repeat(column, n) * n + report for column in program.pairs.T)
    weight = np.repeat(np.exp(-program.lengths), n)
    limits = sparse.csr_array(
        (np.concatenate([weight, -np.ones(m * n)]), (np.concatenate([row, row]), np.concatenate([first, second]))),
        shape=(m * n, n * n),
    )
    sums = sparse.csr_array((np.ones(n * n), (np.repeat(np.arange(n), n), np.arange(n * n))), shape=(n, n * n))
    scale = program.scale or 1.0
    found = linprog(
        program.cost.ravel() / scale,
        A_ub=limits if m else None,
        b_ub=np.zeros(m * n) if m else None,
        A_eq=sums,
        b_eq=np.ones(n),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.x is None:
        raise InputError("HiGHS found no optimum", where="optimal mechanism", value=found.message)
    flows = -found.ineqlin.marginals.reshape(m, n) * scale if m else np.zeros((0, n))
    return Solution(found.x.reshape(n, n), lower_bound(program, flows))


def scipy_linprog(what: str) -> tuple[Any, Any]:
    """scipy's linprog and sparse arrays, which only this path needs; a sentence when scipy is not installed."""
    try:
        from scipy import sparse
        from scipy.optimize import linprog
    except ImportError:
        raise InputError(
            "scipy is not installed",
            where=what,
            remedy="Install scipy (pip install scipy); the optimal mechanism of the fast path needs NumPy alone",
            kind="scipy",
        ) from None
    return linprog, sparse
