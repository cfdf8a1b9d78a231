"""One step towards the plan with the least mean error: a linear programme around the current plan, solved by HiGHS.

The variables are b_t, f_t (backward and forward loss in units of alpha), u_t (the budget in units of the current one), c_t:

    least sum_t w_t c_t,  c_t >= 2 / g - u_t / g^2 at some g around 1          tangents of 1 / u_t, which is convex
    b_1 = eps_1,  b_t >= L_B(p) + L_B'(p) (b_{t-1} - p) + eps_t                tangents of L_B at b_{t-1} and next to it
    f_n = eps_n,  f_t >= L_F(p) + L_F'(p) (f_{t+1} - p) + eps_t
    b_t + f_t - eps_t <= 1

within a radius of the current plan. L is smooth except at the breakpoints, where another pair of rows starts to carry the
most. It is convex there, so neighbouring tangents are added if they pass below L here. If both sides carry the same, the plan
is symmetric, f_t = b_{n+1-t}, and the programme half as large. HiGHS' answers are never relied on: `least_error` recomputes
each loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import highs, silent_highs
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.recursion import Carriers

WHAT = "The plan with the least mean error"

BUDGET_RADIUS, LOSS_RADIUS = 3.0, 0.5
"""How far the logarithm of a budget, and a loss in units of alpha, may move in a step of radius 1."""

TANGENTS = 4
"""Tangents of 1 / u on either side of the current budget."""

SAME = 1e-9
"""Slopes that differ by less belong to the same tangent."""

Columns = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Side:
    """A recursion in the order in which it runs.

    Attributes
    ----------
    carried : what carries the loss. loss : (n,) in the current plan, in units of alpha. column : (n,) of the losses in the
        programme. budget : (n,) columns of the budgets. spent : (n,) current budgets in units of alpha.
    """

    carried: Carriers
    loss: Floats
    column: Columns
    budget: Columns
    spent: Floats


class Rows:
    """The rows of a linear programme, in blocks of rows with the same number of entries."""

    def __init__(self) -> None:
        self.columns: list[Columns] = []
        self.values: list[Floats] = []
        self.counts: list[Columns] = []
        self.bounds: list[Floats] = []

    def add(self, columns: list[Columns], values: list[Any], lower: Any, upper: Any) -> None:
        """Add rows with an entry in each of the columns (k,), between bounds; a single number is used for all k."""
        k = len(columns[0])
        self.columns.append(np.stack(columns, axis=1).ravel())
        self.values.append(np.stack([np.broadcast_to(value, k) for value in values], axis=1).ravel())
        self.counts.append(np.full(k, len(columns)))
        self.bounds.append(np.stack([np.broadcast_to(np.asarray(bound, float), k) for bound in (lower, upper)]))

    def programme(self, cost: Floats, lower: Floats, upper: Floats) -> Any:
        """These rows as a model for HiGHS, with the costs and bounds of the variables."""
        highspy = highs(WHAT)
        model = highspy.HighsLp()
        model.num_col_, model.col_cost_, model.col_lower_, model.col_upper_ = len(cost), cost, lower, upper
        model.row_lower_, model.row_upper_ = np.concatenate(self.bounds, axis=1)
        model.num_row_ = len(model.row_lower_)
        matrix = model.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        matrix.start_ = np.concatenate(([0], np.cumsum(np.concatenate(self.counts))))
        matrix.index_, matrix.value_ = np.concatenate(self.columns), np.concatenate(self.values)
        return model


def stepped(
    before: Carriers, after: Carriers, alpha: float, budgets: Floats, losses: tuple[Floats, Floats], radius: float
) -> tuple[Floats, float] | None:
    """A plan within the radius, and the share of the mean error that the tangents say it saves; None if HiGHS found none.

    Parameters
    ----------
    before, after : what carries the loss, the same object if both sides are equal. budgets : (n,) the current plan.
    losses : its backward and forward losses, (n,) each.

    Raises
    ------
    InputError : HiGHS is not installed.
    """
    n, alike = len(budgets), after is before
    half = (n + 1) // 2 if alike else n
    place = np.minimum(np.arange(n), n - 1 - np.arange(n)) if alike else np.arange(n)
    u, eps = (1 if alike else 2) * n + np.arange(half), budgets / alpha
    sides = [Side(before, losses[0] / alpha, np.arange(n), u[place], eps)]
    if not alike:
        reverse = after[::-1] if isinstance(after, list) else after
        sides.append(Side(reverse, losses[1][::-1] / alpha, 2 * n - 1 - np.arange(n), u[::-1], eps[::-1]))
    rows, near, far = Rows(), LOSS_RADIUS * radius, BUDGET_RADIUS * radius
    for side in sides:
        _recursion(rows, side, near, alpha)
    _totals(rows, sides)
    for g in np.exp(far * np.arange(-TANGENTS, TANGENTS + 1) / TANGENTS):
        rows.add([u + half, u], [1.0, 1 / g**2], 2 / g, np.inf)
    weight = np.bincount(place) / eps[:half]
    cost = np.concatenate([np.zeros(u[0] + half), weight / weight.sum()])
    lower = np.concatenate([np.zeros(u[0]), np.full(half, np.exp(-far)), np.zeros(half)])
    upper = np.concatenate([np.zeros(u[0]), np.full(half, np.exp(far)), np.full(half, np.inf)])
    for side in sides:
        lower[side.column], upper[side.column] = np.maximum(side.loss - near, 0.0), side.loss + near
    found = _solved(rows.programme(cost, lower, upper))
    return None if found is None else (budgets * found[u[place]], 1 - float(cost @ found))


def _recursion(rows: Rows, side: Side, near: float, alpha: float) -> None:
    """The first loss of a side is its budget; every other one is at least what the tangents carry plus its budget."""
    column, budget, spent = side.column, side.budget, side.spent
    rows.add([column[:1], budget[:1]], [1.0, -spent[:1]], 0.0, 0.0)
    here = side.loss[:-1]
    value, slope = _line(side.carried, here, alpha)
    for at in (here, here + near, np.maximum(here - near, 0.0)):
        height, steep = _line(side.carried, at, alpha)
        rest = height - steep * at
        use = (at == here) | ((rest + steep * here <= value) & (np.abs(steep - slope) > SAME))
        columns = [column[1:][use], budget[1:][use], column[:-1][use]]
        rows.add(columns, [1.0, -spent[1:][use], -steep[use]], rest[use], np.inf)


def _line(carried: Carriers, at: Floats, alpha: float) -> tuple[Floats, Floats]:
    """L and its slope at losses in units of alpha; L is in these units too."""
    if isinstance(carried, list):
        values = [
            (one(alpha * float(a)) / alpha, one.slope(alpha * float(a))) for one, a in zip(carried, at, strict=True)
        ]
        return np.array([v for v, _ in values]), np.array([s for _, s in values])
    return carried(alpha * at) / alpha, carried.slope(alpha * at)


def _totals(rows: Rows, sides: list[Side]) -> None:
    """No timestamp loses more than 1; for a symmetric plan, half of them are enough."""
    first = sides[0]
    n, alike = len(first.column), len(sides) == 1
    pairs = np.arange(n // 2 if alike else n)
    other = (first if alike else sides[1]).column[::-1]
    rows.add([first.column[pairs], other[pairs], first.budget[pairs]], [1.0, 1.0, -first.spent[pairs]], -np.inf, 1.0)
    if alike and n % 2:
        middle = np.array([n // 2])
        rows.add([first.column[middle], first.budget[middle]], [2.0, -first.spent[middle]], -np.inf, 1.0)


def _solved(model: Any) -> Floats | None:
    """The variables at the optimum, None if HiGHS finds none."""
    solver = silent_highs(WHAT)
    for name, value in {"output_flag": False, "threads": 1}.items():
        solver.setOptionValue(name, value)
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() != highs(WHAT).HighsModelStatus.kOptimal:
        return None
    return np.array(solver.getSolution().col_value)
