"""The first sentence of the landmark page: what whoever sees the release can learn of one moment, in everyday words."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.scenario.base.amounts import metres
from lmdk_widgets.scenario.base.odds import change
from lmdk_widgets.scenario.landmarks.clock import clock
from lmdk_widgets.scenario.landmarks.guarantee_words import SLACK, stretched
from lmdk_widgets.scenario.landmarks.outcome import Outcome
from lmdk_widgets.scenario.landmarks.series_words import odds_of

KNOWS = {
    "both": "knows how places follow each other",
    "past": "knows how places follow each other and reasons from the past",
    "future": "knows how places follow each other and reasons from the future",
    "any": "knows how places follow each other and believes anything about the start",
}
"""What the adversary brings along who is assumed under a correlation."""


def odds_sentence(outcome: Outcome) -> str:
    """By what factor the release changes the odds of the moment that it tells most of."""
    scenario, trajectory, loss = outcome.scenario, outcome.trajectory, losses(outcome)
    worst = int(np.argmax(loss))
    who = "Whoever sees this release"
    if scenario.correlation != "none":
        who += f" and {KNOWS[scenario.adversary]}"
    if loss[worst] == 0:
        what = "where you were" if outcome.series is None else "any value"
        return f"{who} learns nothing from it about {what}."
    others = ""
    if len(loss) == 1:
        when = "at the one moment of this track"
    elif float(loss.min()) >= loss[worst] * (1 - SLACK):
        when = "at any one moment"
    else:
        when, others = f"at {clock(scenario, trajectory, worst)}", "; of no other moment by more"
    odds = f"the odds of where you were {when}, between {_apart(outcome)},"
    if outcome.series is not None:
        odds = odds_of(outcome, when)
    return f"{change(who, odds, float(loss[worst])).removesuffix(',')}{others}."


def losses(outcome: Outcome) -> Floats:
    """(n,) the total loss of each timestamp between two places `_apart`: a distance that counts k times needs k times the
    budget, and what then adds up along the track is not k times the loss."""
    scenario, known = outcome.scenario, outcome.correlation
    cells = outcome.reports is not None and scenario.mechanism != "randomised"
    times = stretched(outcome) * (scenario.place_m / scenario.radius_m if cells else 1.0)
    if times == 1:
        return outcome.total
    if math.isinf(times):
        return np.where(outcome.total > 0, np.inf, 0.0)
    return temporal_loss(known.backward, known.forward, outcome.budgets * times).total


def _apart(outcome: Outcome) -> str:
    if outcome.scenario.mechanism == "randomised":
        return "any two cells, however far apart"
    if outcome.reports is None:
        return f"two places {metres(outcome.scenario.radius_m)} apart"
    return f"two neighbouring cells of {metres(outcome.scenario.place_m)}"
