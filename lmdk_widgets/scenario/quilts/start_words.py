"""What it means that chains do not start in their long run, in words."""

from __future__ import annotations

from lmdk_widgets.scenario.quilts.belief import Belief
from lmdk_widgets.scenario.quilts.outcome import QuiltOutcome

_NOTES = {
    "exact": " The start is counted as it is, timestamp by timestamp.",
    "approximate": " Its bound holds for every start.",
    "gk16": " The start is counted in what the first two timestamps tell of each other.",
    "local": " The start is counted in what the first two timestamps tell of each other.",
    "group": " It holds whatever the start.",
}


def start_of(belief: Belief) -> str:
    """From where adversaries believe that the series starts, as a part of a sentence."""
    if belief.stationary:
        return "already in its long-run distribution at the start"
    return "each with its own start" if len(belief.chains) > 1 else "with its own start"


def start_note(outcome: QuiltOutcome, mechanism: str) -> str:
    """What such a start means for a mechanism, a sentence behind others."""
    return "" if outcome.belief.stationary else _NOTES.get(mechanism, "")


def near_start(outcome: QuiltOutcome) -> str:
    """Why timestamps near the start differ, the end of a sentence."""
    return "" if outcome.belief.stationary else ", and near the start the chains remember how they began"


def past_states(outcome: QuiltOutcome) -> str:
    """Over which past states a quilt is judged, the end of a sentence."""
    if outcome.choices.support == "definition" or not outcome.series.theta:
        return "over the states that can occur there, as max-influence is defined"
    return "over every state, possible there or not, as the authors' code does"
