"""The trade-off and the questions turned round, in words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import amount, count, outward
from lmdk_widgets.scenario.curve import EPSILONS
from lmdk_widgets.scenario.model import MECHANISMS, SCHEMES, SPREADS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.sweep import DRAWS, MOST_DRAWN
from lmdk_widgets.scenario.turned import affordable_landmarks

_NAMES = {"epsilon": "epsilon", "target": "target", "budgets": "factor"}
"""What is asked for, by what is given: of a plan its target, of budgets by hand by what they are multiplied."""


def describe_trade_off(outcome: Outcome, *, clicks: bool = True) -> str:
    """What the curves show, how their points were found, and what a click on one does, where that is possible."""
    if not outcome.scenario.curve:
        return ""
    if not outcome.curves_done:
        return f"{len(outcome.curves)} of {count(len(SCHEMES), 'scheme')} drawn so far."
    drawn = [_title(line.scheme) for line in outcome.curves if not line.exact]
    text = f"Each line is a scheme, each mark on it an epsilon between {EPSILONS[0]:g} and {EPSILONS[-1]:g}. "
    text += f"The diamond is where you are{'; click a mark to go to its scheme and epsilon' if clicks else ''}. "
    if outcome.scenario.spread.by_hand:
        text += "Budgets by hand have no line: their diamond is at the largest sum of the landmarks and one other timestamp. "
    if outcome.scenario.curve_error == "mean":
        text += "Errors are the expected ones"
        text += (
            f"; of {', '.join(drawn)} the mean of {DRAWS} releases, nine in ten of them in the band. "
            if drawn
            else ". "
        )
    if len(outcome.curves) < len(SCHEMES):
        text += f"Schemes whose releases depend on each other are left out above {MOST_DRAWN:,} timestamps. "
    other = {line.mechanism for line in outcome.curves} - {outcome.scenario.mechanism}
    if other:
        text += f"Schemes that decide while they release are drawn with {MECHANISMS['planar'].partition(':')[0]}. "
    return text + "They protect different things: what a scheme keeps is said above."


def turned_rows(outcome: Outcome) -> list[dict[str, Any]]:
    """The answers: of each the name of the choice that it answers, a sentence, and what its button sets, name and value."""
    found, scenario = outcome.turned, outcome.scenario
    if not scenario.turned:
        return []
    if found is None:
        return [{"name": name, "text": "Not known yet.", "set": None} for name in ("wanted_error_m", "wanted_loss")]
    return [_error(outcome), _loss(outcome)]


def _error(outcome: Outcome) -> dict[str, Any]:
    found, scenario = outcome.turned, outcome.scenario
    assert found is not None
    title, name = _title(scenario.scheme), _NAMES[scenario.spread.given]
    wanted = _wanted(outcome)
    if found.no_error:
        text = f"{title}: {found.no_error}"
        return {"name": "wanted_error_m", "text": text, "set": None}
    if math.isnan(found.error_epsilon):
        return {
            "name": "wanted_error_m",
            "text": f"{wanted} under {title}: no {name} up to a million gives it.",
            "set": None,
        }
    value = outward(found.error_epsilon, up=True)
    text = f"{wanted} takes {_taken(name, value)} under {title}: {_how(outcome)}.{_room(outcome)}"
    return {"name": "wanted_error_m", "text": text, "set": [name, value]}


def _wanted(outcome: Outcome) -> str:
    """The error that is wanted, in the unit of the data."""
    return outcome.kind.wanted(outcome.trajectory, f"{outcome.scenario.wanted_error_m:,.7g}")


def _taken(name: str, value: float) -> str:
    return f"{value:,.4g} times these budgets" if name == "factor" else f"{name} {value:,.4g}"


def _how(outcome: Outcome) -> str:
    found = outcome.turned
    assert found is not None
    if found.how == "draws":
        return f"found by search, as the mean of {DRAWS} releases"
    if found.how == "search":
        return "found by search over expected errors"
    formula = outcome.scenario.spread.formula_for(landmarks=bool(outcome.scenario.landmarks))
    return f"the expected mean error is {formula}"


def _room(outcome: Outcome) -> str:
    """How many landmarks the error leaves room for, where there is a formula."""
    scenario, n = outcome.scenario, len(outcome)
    known = scenario.spread.mean_shares(np.arange(1.0), n) is not None
    if not known or scenario.mechanism != "planar" or not outcome.kind.placed:
        return ""
    most = affordable_landmarks(scenario, n)
    at = f" At epsilon {amount(scenario.epsilon)} it leaves room for"
    if most is None:
        return f"{at} no landmark, and is not reached without one."
    yours = f"you {'protect' if scenario.hide else 'have'} {len(outcome.protected)}"
    return f"{at} {count(most, 'landmark')} of {count(n, 'timestamp')}; {yours}."


def _loss(outcome: Outcome) -> dict[str, Any]:
    found, scenario = outcome.turned, outcome.scenario
    assert found is not None
    if found.no_loss:
        text = f"{_title(scenario.scheme)}: {found.no_loss}"
        return {"name": "wanted_loss", "text": text, "set": None}
    value, name = outward(found.loss_epsilon, up=False), _NAMES[scenario.spread.given]
    up_to = f"With these budgets times {value:,.4g} or less" if name == "factor" else f"Up to epsilon {value:,.4g}"
    who = "the landmarks lose" if scenario.landmarks else "no timestamp loses"
    loss = f"{scenario.wanted_loss:,.7g}"
    with_one = f"{loss} or less together with any one timestamp" if scenario.landmarks else f"more than {loss}"
    text = f"{up_to} {who} {with_one}: {_proven(outcome)}; found by search."
    counted = f"{outward(found.counted_epsilon, up=False):,.4g}"
    if counted != f"{value:,.4g}":
        text += f" The landmark paper's count says {counted} instead; it is not a bound."
    return {"name": "wanted_loss", "text": text, "set": [name, value]}


def _proven(outcome: Outcome) -> str:
    """Whom the bound holds for."""
    if outcome.scenario.correlation == "none":
        return "this is proven for timestamps that do not depend on each other"
    start = {"any": "with any start", "future": "whatever its start"}
    how = start.get(outcome.scenario.adversary, "with a stationary start")
    return f"this is proven against someone who assumes this chain {how}"


def _title(scheme: str) -> str:
    return SPREADS[scheme].title
