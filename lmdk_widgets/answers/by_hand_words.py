"""What is said about budgets by hand: which they are, whether they fit epsilon, and what a budget of 0 does."""

from __future__ import annotations

import math

from lmdk_widgets.answers.dummies import together
from lmdk_widgets.page.amounts import amount, bound
from lmdk_widgets.scenario.by_hand import factor_of, times
from lmdk_widgets.scenario.outcome import Outcome


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
