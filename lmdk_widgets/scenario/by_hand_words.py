"""Budgets by hand in words: whether they fit epsilon, by what factor they would, and what the page offers to do about it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, bound, outward
from lmdk_widgets.scenario.by_hand import factor_of, times
from lmdk_widgets.scenario.hidden_words import together
from lmdk_widgets.scenario.model import EPSILON_RANGE
from lmdk_widgets.scenario.outcome import Outcome


def describe_by_hand(outcome: Outcome) -> dict[str, Any]:
    """What stands under the scheme: "text", whether the budgets fit, and "over", whether they exceed epsilon; "fit", the
    name of the button that scales them, or ""; "raise", the epsilon with which they fit, or None; of the "landmarks" and the
    "others" whether there are any, and the "budget" of each of them; None: they differ."""
    if not outcome.scenario.spread.by_hand:
        return {}
    marked = np.isin(np.arange(len(outcome)), outcome.protected)
    factor, top = factor_of(outcome), float(outcome.totals.max())
    scales = factor != 1 and math.isfinite(factor)
    raised = outward(top, up=True) if factor < 1 else None
    return {
        "text": fit_sentence(outcome),
        "over": factor < 1,
        "fit": f"Fit: times {times(factor)}" if scales else "",
        "raise": raised if raised is not None and raised <= EPSILON_RANGE[1] else None,
        "landmarks": _common(outcome.budgets[marked]),
        "others": _common(outcome.budgets[~marked]),
    }


def _common(budgets: Floats) -> dict[str, Any]:
    different = set(budgets.tolist())
    return {"any": bool(different), "budget": different.pop() if len(different) == 1 else None}


def by_hand_sentences(outcome: Outcome) -> list[str]:
    """What the budgets are, what the landmarks spend, and whether that fits."""
    low, high = float(outcome.budgets.min()), float(outcome.budgets.max())
    each = f"{amount(low)} at each timestamp" if low == high else f"from {amount(low)} to {amount(high)}"
    said = [f"Budgets are set by hand, {each}."]
    if not outcome.scenario.landmarks:
        said.append(f"No landmark is marked yet: choose the moments that matter {outcome.kind.shown}.")
    return [*said, fit_sentence(outcome)]


def fit_sentence(outcome: Outcome) -> str:
    """Whether the budgets satisfy the Theorem, and the largest factor with which they do."""
    factor, top = factor_of(outcome), bound(float(outcome.totals.max()))
    epsilon, who = amount(outcome.scenario.epsilon), _who(outcome)
    if math.isinf(factor):
        return "Every budget is 0."
    if factor < 1:
        named = "not landmark private" if outcome.scenario.landmarks else "too large for single timestamps"
        mend = f"times {times(factor)} they fit"
        return f"These budgets are {named}: {who} up to {top}, above the budget of {epsilon}; {mend}."
    if factor == 1:
        return f"These budgets fit, and leave nothing: {who} up to {top} of the budget of {epsilon}."
    room = f"{times(factor)} times as large they still fit"
    return f"These budgets fit: {who} up to {top} of the budget of {epsilon}; {room}."


def _who(outcome: Outcome) -> str:
    k, n = len(outcome.protected), len(outcome)
    if not k:
        return "one timestamp spends"
    mine = f"your {together(outcome)}"
    if k == n:
        return f"{mine} {'spends' if k == 1 else 'spend'}"
    return f"{mine} and one other timestamp spend"


def by_hand_warnings(outcome: Outcome) -> list[str]:
    """Where budgets by hand break the promise of epsilon without a landmark, and what a budget of 0 does."""
    scenario = outcome.scenario
    found: list[str] = []
    if not scenario.spread.by_hand:
        return found
    if not scenario.landmarks and factor_of(outcome) < 1:
        found.append("These budgets do not protect single timestamps within epsilon.")
    if not outcome.published.all() and outcome.published.any():
        found.append(
            f"Where a budget is 0 nothing is measured, and the last release is repeated. {outcome.kind.kept_back}"
        )
    return found
