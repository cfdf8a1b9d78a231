"""Scenario, evaluate, Outcome: what a user chooses, the one computation, and every number that a view shows."""

from typing import Any

from lmdk_widgets.page.blocks import Notes
from lmdk_widgets.scenario.captions import summarise
from lmdk_widgets.scenario.defence import defences
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.many_settings import settings_table
from lmdk_widgets.scenario.model import CORRELATIONS, SCHEMES, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.words import describe
from lmdk_widgets.upwards import from_above

__all__ = [
    "CORRELATIONS",
    "SCHEMES",
    "Knowledge",
    "Notes",
    "Outcome",
    "Scenario",
    "defences",
    "describe",
    "evaluate",
    "infer",
    "settings_table",
    "summarise",
]


def __getattr__(name: str) -> Any:
    if name != "infer":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return from_above("scenario.adversary", name)  # loaded only where an attacker follows a track
