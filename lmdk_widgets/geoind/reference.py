"""The linear programme of the optimal mechanism, what bounds it from below, and its solution by HiGHS.

    minimise sum_xz c_xz K_xz   subject to   K_x'z - a_xx' K_xz >= 0,  rows sum to 1,     a = e^{-epsilon d(x, x')}

HiGHS is the reference that tests compare with, and answers where the compiled simplex cannot. Few constraints bind, so
it begins with those of a sparse graph, and takes in those that its solution violates (row generation) until there are none.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError, highs, silent_highs
from lmdk_widgets.geo import Floats

DETOUR, IMPLIED = 0.2, 1e-9
"""A pair that a third place explains with a detour of that share is left out to begin with; and for good."""
VIOLATED = 1e-9
"""By how much a constraint has to be violated to be taken in."""
TOLERANCE, LOOSEST = 1e-10, 1e-7
"""Of HiGHS: the smallest that it accepts, and its own default, up to which it is loosened where rounding forbids."""
SLICE_S = 0.5
"""Seconds after which HiGHS is interrupted, so that its caller may stop it."""


@dataclass(frozen=True, eq=False)
class Program:
    """The programme on k places and n reports.

    Attributes
    ----------
    cost : (k, n), ``cost[x, z] = pi_x d_Q(x, z)``. pairs : (m, 2) ordered pairs (x, x') with a constraint.
    lengths : (m,) epsilon d of each pair, the dilation already divided out.
    """

    cost: Floats
    pairs: NDArray[np.intp]
    lengths: Floats


@dataclass(frozen=True, eq=False)
class Solution:
    """A matrix, not certified yet; a proven lower bound of the loss; whether HiGHS is done."""

    matrix: Floats
    bound: float
    finished: bool = True


def program(cost: Floats, lengths: Floats) -> Program:
    """With the constraints of all pairs (k, k) that are not infinite."""
    apart = np.isfinite(lengths) & ~np.eye(len(lengths), dtype=bool)
    return Program(cost, np.argwhere(apart), lengths[apart])


def lower_bound(task: Program, flows: Floats) -> float:
    """What no mechanism can go below, from any multipliers of the constraints: ``sum_x min_z (c - A^T f)_xz``.

    Parameters
    ----------
    flows : (m, n) one multiplier for each pair and report; negative ones count as 0.

    Notes
    -----
    Guarantee: weak duality, for *any* flows, so a solver that went astray gives a poor bound, never a wrong one.
    """
    first, second = task.pairs.T
    pushed = np.clip(flows, 0, None)
    left = task.cost.copy()
    np.subtract.at(left, second, pushed)
    np.add.at(left, first, np.exp(-task.lengths)[:, None] * pushed)
    return float(left.min(axis=1).sum())


def explained(lengths: Floats, detour: float) -> NDArray[np.bool_]:
    """(k, k): the pairs that a third place explains, with a detour of at most that share: their path says as much."""
    found = lengths <= 0
    if np.isinf(lengths).any():
        return found
    for middle in range(len(lengths)):
        through = lengths[:, middle, None] + lengths[middle] <= lengths * (1 + detour)
        through[middle] = through[:, middle] = False
        found |= through
    return found


def solve_whole(task: Program) -> Solution:
    """All constraints at once: the oracle of the tests, for small n."""
    *_, found = generated(task, np.ones(len(task.pairs), bool))
    assert found is not None  # the last is finished
    return found


def solve_by_rows(cost: Floats, lengths: Floats) -> Generator[Solution | None, None, None]:
    """By row generation: after every round a matrix and a bound, None where HiGHS was interrupted; the last is finished.

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
    """HiGHS with one variable, 0 or more, for each cost, and no rows."""
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
    """Lets HiGHS go on for so long; whether it is done.

    Raises
    ------
    InputError : it found no optimum.
    """
    highspy = highs("The optimal mechanism")
    done = highspy.HighsModelStatus.kOptimal
    model.setOptionValue("time_limit", model.getRunTime() + seconds)
    model.run()
    status = model.getModelStatus()
    if status == highspy.HighsModelStatus.kNotset:  # another program chose the threads of this process: take as many
        model.setOptionValue("threads", 0)
        model.run()
        status = model.getModelStatus()
    if status == highspy.HighsModelStatus.kUnknown:  # rounding: what is asked cannot be had, ten times as much may
        _, tolerance = model.getOptionValue("dual_feasibility_tolerance")
        if tolerance < LOOSEST:
            for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
                model.setOptionValue(name, 10 * tolerance)
            return run(model, seconds)
    if status not in (done, highspy.HighsModelStatus.kTimeLimit):
        raise InputError(
            "HiGHS must find an optimum of the linear programme",
            value=model.modelStatusToString(status),
            remedy="Choose another epsilon, or fewer places",
        )
    return bool(status == done)
