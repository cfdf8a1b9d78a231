"""Cao's plan beside user level at the same target, which keeps to the same loss and sometimes errs less."""

from __future__ import annotations

from lmdk_widgets.scenario.outcome import Outcome


def beside_user_level(outcome: Outcome) -> list[str]:
    """That user level is expected to err less at the same target, where it is; of cells by planar Laplace, as elsewhere."""
    planned, user, write = _expected(outcome), outcome.user_at_target_m, outcome.ground.write
    if not outcome.scenario.spread.plans or not user < planned or write(user) == write(planned):
        return []
    by_planar = " by planar Laplace" if outcome.reports is not None and outcome.reports.beside_planar else ""
    less = f"an expected mean error of {write(user)} against {write(planned)}{by_planar}"
    return [f"User level at the same target errs less here: {less}."]


def _expected(outcome: Outcome) -> float:
    """The mean expected error of the plan."""
    if outcome.reports is None or outcome.reports.beside_planar:
        return float(outcome.ground.expected(outcome.budgets).mean())
    return outcome.reports.mean_expected_m
