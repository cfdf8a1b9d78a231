"""Scenario, evaluate, Outcome: what a user chooses, the one computation, and every number that a view shows."""

from lmdk_widgets.scenario.base.words import Words
from lmdk_widgets.scenario.landmarks.captions import summarise
from lmdk_widgets.scenario.landmarks.defence import defences
from lmdk_widgets.scenario.landmarks.evaluate import evaluate
from lmdk_widgets.scenario.landmarks.model import CORRELATIONS, SCHEMES, Scenario
from lmdk_widgets.scenario.landmarks.outcome import Outcome
from lmdk_widgets.scenario.landmarks.settings_table import settings_table
from lmdk_widgets.scenario.landmarks.words import describe

__all__ = [
    "CORRELATIONS",
    "SCHEMES",
    "Outcome",
    "Scenario",
    "Words",
    "defences",
    "describe",
    "evaluate",
    "settings_table",
    "summarise",
]
