"""Choices of the track page by the names of its controls, with two underscores for a dot: ``table__most_loss=1``."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import Outcome


def chosen(**names: Any) -> TrackChoices:
    return TrackChoices().with_changes(**dotted(names))


def dotted(names: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("__", "."): value for name, value in names.items()}


def page_of(choices: TrackChoices, track: Any = None) -> TrackPage:
    """The page with choices on a track, with all that its panels find."""
    page = TrackPage(TrackSession(track, choices))
    page.finish()
    return page


def finished(choices: TrackChoices, track: Any = None) -> Outcome:
    """The outcome of choices on a track, with all that its panels find."""
    return page_of(choices, track).outcome
