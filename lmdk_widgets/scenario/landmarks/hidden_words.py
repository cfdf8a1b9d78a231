"""Hidden landmarks in words: how many dummies there are, what they cost, how well one guesses, and what is not promised."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.budgets import allocate
from lmdk_widgets.scenario.base.amounts import amount, count
from lmdk_widgets.scenario.landmarks.hidden import dummies
from lmdk_widgets.scenario.landmarks.outcome import Outcome

NO_PROMISE = (
    "Hidden landmarks are not differentially private: a timestamp that is not protected is certainly no landmark. Choose the "
    "dummies once and keep them: the landmarks are in every choice, so that another choice shows more."
)
"""What dummies do not promise."""

_NO_COST = {"event", "user", "window", "budget-distribution", "budget-absorption", "planned", "given"}
"""Schemes that give a timestamp the same budget whether it is a landmark or not."""


def together(outcome: Outcome) -> str:
    """What is protected together: "four landmarks", or "six protected timestamps" where the landmarks are hidden."""
    return count(len(outcome.protected), "protected timestamp" if hides(outcome) else "landmark")


def hides(outcome: Outcome) -> bool:
    """Whether landmarks are hidden: where there is none, there is nothing to hide."""
    return outcome.scenario.hide and bool(outcome.scenario.landmarks)


def describe_hidden(outcome: Outcome) -> dict[str, Any]:
    """What stands under the switch: the "timestamps" of the dummies, and a "text", "" where nothing is hidden."""
    if not outcome.scenario.hide:
        return {"timestamps": [], "text": ""}
    if not hides(outcome):
        return {"timestamps": [], "text": "No landmark is marked, so there is nothing to hide."}
    said = [_how_many(outcome), *_budget_cost(outcome), _choice_cost(outcome), _guess(outcome)]
    return {"timestamps": list(dummies(outcome.scenario, len(outcome))), "text": " ".join(said)}


def hidden_sentences(outcome: Outcome) -> list[str]:
    """How many of the protected timestamps are dummies, and what choosing them spends."""
    return [_how_many(outcome), _choice_cost(outcome)] if hides(outcome) else []


def _how_many(outcome: Outcome) -> str:
    k, more = len(outcome.scenario.landmarks), len(outcome.protected) - len(outcome.scenario.landmarks)
    if not more:
        return "The choice fell on no dummy this time: the protected timestamps are your landmarks."
    are = "is a dummy" if more == 1 else "are dummies"
    every = count(k + more, "timestamp").capitalize()
    return f"{every} are protected as landmarks; {_bare(more)} of them {are}."


def _bare(number: int) -> str:
    """A number without a noun: "one", "four", "2,016"."""
    return count(number, "timestamp").partition(" ")[0]


def _budget_cost(outcome: Outcome) -> list[str]:
    """What enlarging the set costs in budget and expected error, or in timestamps that are measured."""
    scenario, n = outcome.scenario, len(outcome)
    sets = scenario.landmarks, outcome.protected
    if len(sets[0]) == len(sets[1]):
        return []
    if scenario.scheme in _NO_COST:
        return ["This scheme spends no less on a landmark than on others, so the dummies cost no noise."]
    if scenario.scheme == "skip":
        return [f"Skip leaves out {count(len(sets[1]), 'timestamp')} instead of {_bare(len(sets[0]))}."]
    scheme = "weighted" if scenario.scheme == "weighted" else "uniform"
    with_all, without = (allocate(scheme, n, marks, scenario.epsilon) for marks in reversed(sets))
    first = "Adaptive begins with a budget of" if scenario.scheme == "adaptive" else "A landmark gets a budget of"
    at = scenario.landmarks[0]
    said = f"{first} {amount(float(with_all[at]))} instead of {amount(float(without[at]))}"
    if scenario.scheme == "adaptive" or outcome.reports is not None:
        return [f"{said}."]
    more, less = (outcome.ground.write(float(outcome.ground.expected(spent).mean())) for spent in (with_all, without))
    return [f"{said}, and the expected mean error is {more} instead of {less}."]


def _choice_cost(outcome: Outcome) -> str:
    scenario = outcome.scenario
    own = amount(scenario.hide_epsilon)
    if scenario.scheme == "planned":
        return f"Choosing them spends another {own}, beside the budgets."
    both = amount(scenario.hide_epsilon + scenario.epsilon)
    return f"Choosing them spends another {own}: {both} in all."


def _guess(outcome: Outcome) -> str:
    """How often one timestamp that is picked from the protected ones is a landmark, before and after."""
    k, every = len(outcome.scenario.landmarks), len(outcome.protected)
    after = "always is one still" if every == k else f"now is one with probability {amount(k / every)}"
    blind = f"any timestamp at all is one with probability {amount(k / len(outcome))}"
    return (
        f"Before, whoever picked a protected timestamp always had a landmark; a random pick {after}, while {blind}. "
        "Who knows how people live, or how the dummies were chosen, may guess better."
    )


def hidden_warnings(outcome: Outcome) -> list[str]:
    return [NO_PROMISE] if hides(outcome) else []


def known(outcome: Outcome) -> str:
    """What the adversary is taken to know about the landmarks."""
    if not hides(outcome):
        return "Which timestamps are landmarks is taken as known to everybody"
    return "Which timestamps are protected is taken as known to everybody, and not which of them are landmarks"
