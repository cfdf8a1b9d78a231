"""Scenario, evaluate, Outcome: what a user chooses, the one computation, and every number that a view shows."""

from lmdk_widgets.scenario.captions import summarise
from lmdk_widgets.scenario.evaluate import evaluate
from lmdk_widgets.scenario.model import CORRELATIONS, SCHEMES, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.words import Words, describe

__all__ = ["CORRELATIONS", "SCHEMES", "Outcome", "Scenario", "Words", "describe", "evaluate", "summarise"]
