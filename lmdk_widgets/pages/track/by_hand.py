"""Budgets by hand on the page: where they start, how the page changes them, and what it then offers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.answers.by_hand_words import fit_sentence
from lmdk_widgets.budgets import SCHEMES as SPREADS
from lmdk_widgets.budgets import allocate, scaled_to_fit
from lmdk_widgets.checks import one_of, real, refused
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import outward
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.fields import Number
from lmdk_widgets.page.history import State
from lmdk_widgets.page.index_runs import runs_of
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.scenario.by_hand import factor_of, given_budgets, times
from lmdk_widgets.scenario.evaluation import evaluate_one_draw
from lmdk_widgets.scenario.hidden import protected
from lmdk_widgets.scenario.model import EPSILON_RANGE, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory


class ByHand(Panel):
    NAME = "by_hand"
    OPEN: ClassVar = {"scheme": "given"}
    OPERATIONS: ClassVar = {
        **dict.fromkeys(("budget", "fit", "scale"), lambda state, operation, _: _operated(state, operation)),
        "set scheme": lambda state, operation, _: _chosen(state, operation["value"]),
    }

    def text(self, choices: Any, outcome: Outcome) -> Message:
        return {"by_hand": describe_by_hand(outcome)}


def begun(scenario: Scenario, trajectory: Trajectory) -> Scenario:
    """The scenario by hand, starting with its scheme's budgets: Uniform's where those depend on releases, and the
    substitute's for a plan that is still being searched for.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> begun(Scenario(scheme="skip", landmarks=(0, 2, 4, 7)), sample("bob")).budgets
    ((0.0, 1), (1.0, 1), (0.0, 1), (1.0, 1), (0.0, 1), (1.0, 2), (0.0, 1))
    """
    if scenario.spread.online:
        n = len(trajectory)
        budgets = allocate("uniform", n, protected(scenario, n), scenario.epsilon)
    else:
        budgets = evaluate_one_draw(scenario.with_changes(mechanism="planar"), trajectory, wait=False).budgets
    return scenario.with_changes(scheme="given", budgets=runs_of(budgets))


def _chosen(state: State, scheme: Any) -> Any:
    """The choices with another scheme; unchanged if it is chosen already."""
    scenario: Scenario = state.choices.scenario
    if scheme == scenario.scheme:
        return state.choices
    return state.choices.with_changes(scenario=with_scheme(scenario, state.data, scheme))


def _operated(state: State, operation: Mapping[str, Any]) -> Any:
    return state.choices.with_changes(scenario=changed(state.choices.scenario, len(state.data), operation))


def with_scheme(scenario: Scenario, trajectory: Trajectory, scheme: Any) -> Scenario:
    """The scenario with another scheme; budgets by hand start from the previous scheme's, and go when another is
    chosen."""
    if scheme in SPREADS and SPREADS[scheme].by_hand:
        return begun(scenario, trajectory)
    return scenario.with_changes(scheme=scheme, budgets=())


def changed(scenario: Scenario, n: int, operation: Mapping[str, Any]) -> Scenario:
    """A scenario after an operation of the page on its budgets.

    "budget" sets the budget of the timestamp "index", or of all "landmarks" or "others" (as "of" says), to a "value";
    "scale" multiplies all by a "factor", and "fit" by the largest factor that keeps the sums within epsilon.

    Examples
    --------
    >>> bob = Scenario(scheme="given", landmarks=(0, 2, 4, 7))
    >>> bob = changed(bob, 8, {"op": "budget", "of": "landmarks", "value": 0.125})
    >>> changed(bob, 8, {"op": "budget", "of": "others", "value": 0.5}).budgets[:3]
    ((0.125, 1), (0.5, 1), (0.125, 1))
    """
    now = given_budgets(scenario, n)
    if operation["op"] == "fit":
        now = scaled_to_fit(now, protected(scenario, n), scenario.epsilon)
    elif operation["op"] == "scale":
        now = _scaled(now, operation["factor"])
    else:
        now = now.copy()
        now[_meant(scenario, n, operation)] = Scenario.kinds()["budgets"].one(operation["value"])  # type: ignore[attr-defined]
    return scenario.with_changes(scheme="given", budgets=runs_of(now))


def _scaled(budgets: Floats, factor: Any) -> Floats:
    by = real(factor)
    if not 0 < by < np.inf:
        raise refused("The factor of the budgets", "a finite number above 0", factor)
    return budgets * by


def _meant(scenario: Scenario, n: int, operation: Mapping[str, Any]) -> Any:
    """The timestamps whose budget an operation sets."""
    if "of" not in operation:
        return Number(label="The timestamp", low=0, high=n - 1, whole=True, origin=1).check(operation["index"])
    landmarks = np.isin(np.arange(n), protected(scenario, n))
    who = one_of(operation["of"], "the timestamps", ("landmarks", "others"))
    return landmarks if who == "landmarks" else ~landmarks


def describe_by_hand(outcome: Outcome) -> dict[str, Any]:
    """What is shown under the scheme: "text", whether the budgets fit; "over", whether they exceed epsilon; "fit", the
    label of the button that scales them, or ""; "raise", the epsilon at which they fit, or None; for "landmarks" and
    "others", whether there are any, and the "budget" of each, None where they differ."""
    if not outcome.scenario.spread.by_hand:
        return {}
    marked = np.isin(np.arange(len(outcome)), outcome.protected)
    factor, top = factor_of(outcome), float(outcome.totals.max())
    scales = factor != 1 and math.isfinite(factor)
    raised = outward(top, up=True) if factor < 1 else None
    return {
        "text": fit_sentence(outcome),
        "over": factor < 1,
        "fit": sentence("Fit: times {fitting_factor}", fitting_factor=times(factor)) if scales else "",
        "raise": raised if raised is not None and raised <= EPSILON_RANGE[1] else None,
        "landmarks": _common(outcome.budgets[marked]),
        "others": _common(outcome.budgets[~marked]),
    }


def _common(budgets: Floats) -> dict[str, Any]:
    different = set(budgets.tolist())
    return {"any": bool(different), "budget": different.pop() if len(different) == 1 else None}
