"""Questions turned round on the page: which epsilon keeps an error or a loss, in words."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import amount, count, outward
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.fields import flag, number
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.progress import Progress
from lmdk_widgets.scenario.curve import asked as same
from lmdk_widgets.scenario.model import EPSILON_RANGE, LENGTHS, SPREADS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.sweep import DRAWS
from lmdk_widgets.scenario.turned import Turned, affordable_landmarks, turn

_ERROR, _LOSS = "inverse.error_m", "inverse.loss"
"""The choices that are answered."""

_NAMES = {"epsilon": "epsilon", "target": "target", "budgets": "factor"}
"""What is asked for, by what is given: of a plan its target, of budgets by hand by what they are multiplied."""


@dataclass(frozen=True)
class InverseChoices(Choices):
    """Which epsilon keeps the mean error at `error_m`, metres or in the unit of a series, and which the landmarks' `loss`."""

    open: bool = flag(False, "Ask the other way round")
    error_m: float = number(500.0, LENGTHS, "Mean error at most", subject="The mean error that is wanted", unit="m")
    loss: float = number(
        1.0, EPSILON_RANGE, "Landmarks lose at most", subject="The loss of the landmarks that is wanted"
    )


class Inverse(Panel):
    NAME = "inverse"

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        asked: InverseChoices = choices.inverse
        if not asked.open:
            return None
        return same(outcome.scenario, outcome.scenario.scheme), asked.error_m, asked.loss, outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Turned]:
        asked: InverseChoices = choices.inverse
        yield turn(outcome.scenario, outcome.trajectory, error_m=asked.error_m, loss=asked.loss)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        return Progress("Looking for the epsilon that is needed.")

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before the epsilon that is needed was found"

    def text(self, choices: Any, outcome: Outcome) -> Message:
        return {"turned": inverse_rows(choices.inverse, outcome)}


def inverse_rows(asked: InverseChoices, outcome: Outcome) -> list[dict[str, Any]]:
    """The answers: of each the name of the choice that it answers, a sentence, and what its button sets, name and value."""
    if not asked.open:
        return []
    found: Turned | None = outcome.found(Inverse.NAME)
    if found is None:
        return [{"name": name, "text": "Not known yet.", "set": None} for name in (_ERROR, _LOSS)]
    return [_error(asked, outcome, found), _loss(asked, outcome, found)]


def _error(asked: InverseChoices, outcome: Outcome, found: Turned) -> dict[str, Any]:
    scenario = outcome.scenario
    title, name = _title(scenario.scheme), _NAMES[scenario.spread.given]
    wanted = _wanted(asked, outcome)
    if found.no_error:
        text = f"{title}: {found.no_error}"
        return {"name": _ERROR, "text": text, "set": None}
    if math.isnan(found.error_epsilon):
        return {
            "name": _ERROR,
            "text": f"{wanted} under {title}: no {name} up to a million gives it.",
            "set": None,
        }
    value = outward(found.error_epsilon, up=True)
    text = f"{wanted} takes {_taken(name, value)} under {title}: {_how(outcome, found)}.{_room(asked, outcome)}"
    return {"name": _ERROR, "text": text, "set": [name, value]}


def _wanted(asked: InverseChoices, outcome: Outcome) -> str:
    """The error that is wanted, in the unit of the data."""
    return outcome.kind.wanted(outcome.trajectory, f"{asked.error_m:,.7g}")


def _taken(name: str, value: float) -> str:
    return f"{value:,.4g} times these budgets" if name == "factor" else f"{name} {value:,.4g}"


def _how(outcome: Outcome, found: Turned) -> str:
    if found.how == "draws":
        return f"found by search, as the mean of {DRAWS} releases"
    if found.how == "search":
        return "found by search over expected errors"
    formula = outcome.scenario.spread.formula_for(landmarks=bool(outcome.scenario.landmarks))
    return f"the expected mean error is {formula}"


def _room(asked: InverseChoices, outcome: Outcome) -> str:
    """How many landmarks the error leaves room for, where there is a formula."""
    scenario, n = outcome.scenario, len(outcome)
    known = scenario.spread.mean_shares(np.arange(1.0), n) is not None
    if not known or scenario.mechanism != "planar" or not outcome.kind.placed:
        return ""
    most = affordable_landmarks(scenario, n, asked.error_m)
    at = f" At epsilon {amount(scenario.epsilon)} it leaves room for"
    if most is None:
        return f"{at} no landmark, and is not reached without one."
    yours = f"you {'protect' if scenario.hide else 'have'} {len(outcome.protected)}"
    return f"{at} {count(most, 'landmark')} of {count(n, 'timestamp')}; {yours}."


def _loss(asked: InverseChoices, outcome: Outcome, found: Turned) -> dict[str, Any]:
    scenario = outcome.scenario
    if found.no_loss:
        text = f"{_title(scenario.scheme)}: {found.no_loss}"
        return {"name": _LOSS, "text": text, "set": None}
    value, name = outward(found.loss_epsilon, up=False), _NAMES[scenario.spread.given]
    up_to = f"With these budgets times {value:,.4g} or less" if name == "factor" else f"Up to epsilon {value:,.4g}"
    who = "the landmarks lose" if scenario.landmarks else "no timestamp loses"
    loss = f"{asked.loss:,.7g}"
    with_one = f"{loss} or less together with any one timestamp" if scenario.landmarks else f"more than {loss}"
    text = f"{up_to} {who} {with_one}: {_proven(outcome)}; found by search."
    counted = f"{outward(found.counted_epsilon, up=False):,.4g}"
    if counted != f"{value:,.4g}":
        text += f" The landmark paper's count says {counted} instead; it is not a bound."
    return {"name": _LOSS, "text": text, "set": [name, value]}


def _proven(outcome: Outcome) -> str:
    """Whom the bound holds for."""
    if outcome.scenario.correlation == "none":
        return "this is proven for timestamps that do not depend on each other"
    start = {"any": "with any start", "future": "whatever its start"}
    how = start.get(outcome.scenario.adversary, "with a stationary start")
    return f"this is proven against someone who assumes this chain {how}"


def _title(scheme: str) -> str:
    return SPREADS[scheme].title
