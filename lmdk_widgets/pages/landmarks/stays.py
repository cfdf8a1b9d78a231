"""Landmarks that are proposed: where the track stays within a distance for a time."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lmdk_widgets.page.amounts import count
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.fields import flag, number
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.scenario.data_kinds import kind_of
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.stays import StayPoint, stay_points


@dataclass(frozen=True)
class StayChoices(Choices):
    """Propose landmarks where the track stays within so many metres for at least so many minutes."""

    open: bool = flag(False, "Propose landmarks")
    within_m: float = number(200.0, (1.0, 100_000.0), "Stay within", subject="The size of a stay", unit="m")
    at_least_minutes: float = number(
        20.0, (1.0, 10_080.0), "Stay for at least", subject="The duration of a stay", unit="min"
    )


class Stays(Panel):
    NAME = "stays"

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        asked: StayChoices = choices.stays
        return (asked, outcome.trajectory) if asked.open else None

    def at_once(self, choices: Any, outcome: Outcome) -> tuple[StayPoint, ...]:
        asked: StayChoices = choices.stays
        return _stays(outcome.trajectory, asked.within_m, asked.at_least_minutes * 60)

    def text(self, choices: Any, outcome: Outcome) -> Message:
        """The timestamps that it proposes, as far as they are no landmarks yet: one of each stay, and all of them."""
        stays: tuple[StayPoint, ...] | None = outcome.found(self.NAME)
        marked = set(outcome.scenario.landmarks)
        one = sorted({stay.timestamp for stay in stays or ()} - marked)
        whole = sorted({i for stay in stays or () for i in range(stay.first, stay.last + 1)} - marked)
        return {"proposed": {"timestamps": one, "whole": whole, "text": _said(stays, len(one), len(whole))}}


@lru_cache(maxsize=4)
def _stays(trajectory: Trajectory, distance_m: float, duration_s: float) -> tuple[StayPoint, ...]:
    if not kind_of(trajectory).placed:
        return ()
    return tuple(stay_points(trajectory, distance_m=distance_m, duration_s=duration_s))


def _said(stays: tuple[StayPoint, ...] | None, one: int, whole: int) -> str:
    """What was found; "" when nobody asked for it."""
    if stays is None:
        return ""
    if not stays:
        return "No stay as long as that: choose a longer distance or a shorter time."
    if not whole:
        return "Every timestamp of every stay is a landmark already."
    drawn = (
        f"{count(one, 'timestamp')} to mark, one per stay, drawn hollow" if one else "one timestamp of each is marked"
    )
    return f"{count(len(stays), 'stay').capitalize()} found: {drawn}; {count(whole, 'timestamp')} to mark them whole."
