"""Choices of the landmark page by the names of its controls, with two underscores for a dot: ``table__most_loss=1``."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.pages.landmarks.choices import LandmarkChoices
from lmdk_widgets.pages.landmarks.page import LandmarkPage
from lmdk_widgets.pages.landmarks.session import LandmarkSession
from lmdk_widgets.scenario import Outcome


def chosen(**names: Any) -> LandmarkChoices:
    return LandmarkChoices().with_changes(**dotted(names))


def dotted(names: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("__", "."): value for name, value in names.items()}


def page_of(choices: LandmarkChoices, track: Any = None) -> LandmarkPage:
    """The page with choices on a track, with all that its panels find."""
    page = LandmarkPage(LandmarkSession(track, choices))
    page.finish()
    return page


def finished(choices: LandmarkChoices, track: Any = None) -> Outcome:
    """The outcome of choices on a track, with all that its panels find."""
    return page_of(choices, track).outcome
