"""The linear programme of the optimal mechanism, a lower bound, and its solution by HiGHS.

    minimise sum_xz c_xz K_xz   subject to   K_x'z - a_xx' K_xz >= 0,  rows sum to 1,     a = e^{-epsilon d(x, x')}

HiGHS is the reference that tests compare with, and the fallback for the compiled simplex. Few constraints bind, so it
starts with those of a sparse graph and adds those that its solution violates (row generation) until there are none.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError, highs, silent_highs
from lmdk_widgets.geo import Floats
from lmdk_widgets.linear.trees import ROUNDED, ROUNDINGS, shrunk

DETOUR, IMPLIED = 0.2, 1e-9
"""A pair that a third place implies with at most this relative detour is left out: at first; and permanently."""
VIOLATED = 1e-9
"""How much a constraint must be violated to be added."""
TOLERANCE, LOOSEST = 1e-10, 1e-7
"""HiGHS tolerances: the smallest that it accepts, and its default, the loosest used if rounding prevents a solution."""
SLICE_S = 0.5
"""Seconds after which HiGHS is interrupted, so that its caller can stop it."""


@dataclass(frozen=True, eq=False)
class Program:
    """The programme for k places and n reports.

    Attributes
    ----------
    cost : (k, n), ``cost[x, z] = pi_x d_Q(x, z)``. pairs : (m, 2) ordered pairs (x, x') with a constraint.
    lengths : (m,) epsilon d of each pair, already divided by the dilation.
    """

    cost: Floats
    pairs: NDArray[np.intp]
    lengths: Floats


@dataclass(frozen=True, eq=False)
class Solution:
    """A matrix, not yet certified; a proven lower bound on the loss; and whether HiGHS has finished."""

    matrix: Floats
    bound: float
    finished: bool = True


def program(cost: Floats, lengths: Floats) -> Program:
    """The programme with the constraints of all pairs whose length (k, k) is finite."""
    apart = np.isfinite(lengths) & ~np.eye(len(lengths), dtype=bool)
    return Program(cost, np.argwhere(apart), lengths[apart])


def lower_bound(task: Program, flows: Floats) -> float:
    """A lower bound for all mechanisms, from any multipliers of the constraints: ``sum_x min_z (c - A^T f)_xz``.

    Parameters
    ----------
    flows : (m, n) one multiplier for each pair and report; negative ones count as 0.

    Notes
    -----
    Guarantee: weak duality, for *any* flows, so a solver that went wrong gives a poor bound, never an invalid one. It is
    rounded down by more than all roundings on the way can add up to.
    """
    (first, second), roundings = task.pairs.T, ROUNDED * (2 * len(task.cost) + ROUNDINGS)
    pushed = np.clip(flows, 0, None)
    gained = shrunk(task.lengths)[:, None] * pushed
    left, size = task.cost.copy(), np.abs(task.cost)
    np.subtract.at(left, second, pushed)
    np.add.at(left, first, gained)
    np.add.at(size, second, pushed)
    np.add.at(size, first, gained)
    least = (left - roundings * size).min(axis=1)
    return float(least.sum() - roundings * np.abs(least).sum())


def explained(lengths: Floats, detour: float) -> NDArray[np.bool_]:
    """(k, k): the pairs whose constraint follows from a path through a third place, with at most this detour."""
    found = lengths <= 0
    if np.isinf(lengths).any():
        return found
    for middle in range(len(lengths)):
        through = lengths[:, middle, None] + lengths[middle] <= lengths * (1 + detour)
        through[middle] = through[:, middle] = False
        found |= through
    return found


def solve_whole(task: Program) -> Solution:
    """The solution with all constraints in one programme: the tests' oracle, for small n."""
    *_, found = generated(task, np.ones(len(task.pairs), bool))
    assert found is not None  # the last one is finished
    return found


def solve_by_rows(cost: Floats, lengths: Floats) -> Generator[Solution | None, None, None]:
    """Row generation: yields a matrix and a bound after every round, or None if HiGHS was interrupted; the last is
    finished.

    Parameters
    ----------
    cost : (k, n). lengths : (k, k) epsilon d, infinite where there is no constraint, above 0 off the diagonal.

    Raises
    ------
    InputError : HiGHS found no optimum.
    """
    task = program(cost, np.where(explained(lengths, IMPLIED), np.inf, lengths))
    near = ~explained(lengths, DETOUR)
    yield from generated(task, near[tuple(task.pairs.T)])


def generated(task: Program, begun: NDArray[np.bool_]) -> Generator[Solution | None, None, None]:
    k, n = task.cost.shape
    (first, second), weight = task.pairs.T, np.exp(-task.lengths)
    scale = float(task.cost.sum(axis=0).min()) or 1.0  # the loss of the best constant report
    model = empty_model(task.cost.ravel() / scale)
    # rows sum to 1
    model.addRows(k, np.ones(k), np.ones(k), k * n, np.arange(0, k * n, n), np.arange(k * n), np.ones(k * n))
    active = np.repeat(begun[:, None], n, axis=1)
    pair, report = np.nonzero(active)
    added = []
    while True:
        many = len(pair)
        columns = np.stack([first[pair] * n + report, second[pair] * n + report], axis=1).ravel()
        values = np.stack([weight[pair], -np.ones(many)], axis=1).ravel()
        model.addRows(
            many, np.full(many, -np.inf), np.zeros(many), 2 * many, np.arange(0, 2 * many, 2), columns, values
        )
        added.append(pair * n + report)
        while not run(model, SLICE_S):
            yield None
        found = model.getSolution()
        matrix = np.array(found.col_value).reshape(k, n)
        flows = np.zeros(len(task.pairs) * n)
        flows[np.concatenate(added)] = -np.array(found.row_dual)[k:] * scale
        broken = (weight[:, None] * matrix[first] - matrix[second] > VIOLATED) & ~active
        finished = not broken.any()
        yield Solution(matrix, lower_bound(task, flows.reshape(-1, n)), finished)
        if finished:
            return
        active |= broken
        pair, report = np.nonzero(broken)


def empty_model(cost: Floats) -> Any:
    """A HiGHS model with one non-negative variable for each cost, and no rows."""
    model = silent_highs("The optimal mechanism")
    settings: dict[str, Any] = {"output_flag": False, "threads": 1, "solver": "simplex", "presolve": "off"}
    settings |= {"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE}
    for name, value in settings.items():
        model.setOptionValue(name, value)
    many = len(cost)
    model.addVars(many, np.zeros(many), np.full(many, np.inf))
    model.changeColsCost(many, np.arange(many), cost)
    return model


def run(model: Any, seconds: float) -> bool:
    """Let HiGHS continue for this many seconds; returns whether it has finished.

    Raises
    ------
    InputError : HiGHS found no optimum.
    """
    highspy = highs("The optimal mechanism")
    done = highspy.HighsModelStatus.kOptimal
    model.setOptionValue("time_limit", model.getRunTime() + seconds)
    model.run()
    status = model.getModelStatus()
    if status == highspy.HighsModelStatus.kNotset:  # other code set this process's thread count: use that number
        model.setOptionValue("threads", 0)
        model.run()
        status = model.getModelStatus()
    if status == highspy.HighsModelStatus.kUnknown:  # rounding: try ten times the tolerance
        _, tolerance = model.getOptionValue("dual_feasibility_tolerance")
        if tolerance < LOOSEST:
            for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
                model.setOptionValue(name, 10 * tolerance)
            return run(model, seconds)
    if status not in (done, highspy.HighsModelStatus.kTimeLimit):
        raise InputError(
            "HiGHS must find an optimum of the linear programme",
            value=model.modelStatusToString(status),
            remedy="Choose another epsilon or fewer places",
        )
    return bool(status == done)
