"""What is said about budgets by hand: which they are, whether they fit epsilon, and what a budget of 0 does."""

from __future__ import annotations

import math

from lmdk_widgets.answers.dummies import together
from lmdk_widgets.page.amounts import amount, bound
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.scenario.by_hand import factor_of, times
from lmdk_widgets.scenario.outcome import Outcome


def by_hand_sentences(outcome: Outcome) -> list[str]:
    """What the budgets are, what the landmarks spend, and whether that fits."""
    low, high = float(outcome.budgets.min()), float(outcome.budgets.max())
    first = sentence("Budgets are set by hand, from {lowest} to {highest}.", lowest=amount(low), highest=amount(high))
    if low == high:
        first = sentence("Budgets are set by hand, {each_budget} at each timestamp.", each_budget=amount(low))
    said: list[str] = [first]
    if not outcome.scenario.landmarks:
        said.append(f"No landmark is marked yet: choose the moments that matter {outcome.kind.shown}.")
    return [*said, fit_sentence(outcome)]


def fit_sentence(outcome: Outcome) -> str:
    """Whether the budgets satisfy the Theorem, and the largest factor with which they do."""
    factor = factor_of(outcome)
    spend = sentence(
        "{who} up to {most_with_landmarks}",
        who=_who(outcome),
        most_with_landmarks=bound(float(outcome.totals.max())),
    )
    said = {"spend": spend, "epsilon": amount(outcome.scenario.epsilon), "fitting_factor": times(factor)}
    if math.isinf(factor):
        return sentence("Every budget is 0.")
    if factor < 1:
        named = "not landmark private" if outcome.scenario.landmarks else "too large for single timestamps"
        return sentence(
            "These budgets are {named}: {spend}, above the budget of {epsilon}; times {fitting_factor} they fit.",
            named=named,
            **said,
        )
    if factor == 1:
        return sentence("These budgets fit, and leave nothing: {spend} of the budget of {epsilon}.", **said)
    return sentence(
        "These budgets fit: {spend} of the budget of {epsilon}; {fitting_factor} times as large they still fit.", **said
    )


def _who(outcome: Outcome) -> str:
    k, n = len(outcome.protected), len(outcome)
    if not k:
        return "one timestamp spends"
    mine = together(outcome)
    if k == n:
        return sentence("your {protected} {spend}", protected=mine, spend="spends" if k == 1 else "spend")
    return sentence("your {protected} and one other timestamp spend", protected=mine)


def by_hand_warnings(outcome: Outcome) -> list[str]:
    """Where budgets by hand break the promise of epsilon without a landmark, and what a budget of 0 does."""
    scenario = outcome.scenario
    found: list[str] = []
    if not scenario.landmarks and factor_of(outcome) < 1:
        found.append("These budgets do not protect single timestamps within epsilon.")
    if not outcome.published.all() and outcome.published.any():
        found.append(
            f"Where a budget is 0 nothing is measured, and the last release is repeated. {outcome.kind.kept_back}"
        )
    return found
