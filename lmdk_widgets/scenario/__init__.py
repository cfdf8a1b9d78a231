"""Scenario, evaluate, Outcome: what a user chooses, the one computation, and every number that a view shows."""

from typing import Any

from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import CORRELATIONS, SCHEMES, Scenario
from lmdk_widgets.scenario.outcome import Outcome
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


_ABOVE = {
    "Notes": "page.blocks",
    "defences": "sweep.defences_compared",
    "describe": "pages.track.words",
    "infer": "answers.adversary",
    "settings_table": "sweep.many_settings",
    "summarise": "pages.track.chart_texts",
}
"""The modules above this one whose functions have names here, imported on first use."""


def __getattr__(name: str) -> Any:
    if name not in _ABOVE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return from_above(_ABOVE[name], name)


def __dir__() -> list[str]:
    return [*globals(), *_ABOVE]
