"""Proposed landmarks: where a track stays, a series' peaks, changes and absences, and the ends of each day."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from lmdk_widgets.answers.exposure import found_now
from lmdk_widgets.cache import cached
from lmdk_widgets.page.amounts import count
from lmdk_widgets.page.blocks import Act, Block, Buttons, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.fields import choice, flag, number
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.sentences import capital, sentence
from lmdk_widgets.scenario.data_kinds import kind_of
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.moments import Moment, find_moments
from lmdk_widgets.trajectory.stays import StayPoint, stay_points

BY = {
    "stays": "Stays in one place",
    "peaks": "Peaks",
    "changes": "Sudden changes",
    "absences": "Absences: long stretches of low values",
    "ends": "First and last of each day",
}
_NOUNS = {"stays": "stay", "peaks": "peak", "changes": "change", "absences": "absence"}
_NONE = {
    "stays": "No stay that long: choose a longer distance or a shorter time.",
    "peaks": "No peaks: all values are equal.",
    "changes": "No changes: all values are equal.",
    "absences": "No absence that long: choose a larger share or a shorter time.",
}


@dataclass(frozen=True)
class StayChoices(Choices):
    """Propose landmarks: which moments, and how near, how long or how large."""

    open: bool = flag(False, "Propose landmarks")
    within_m: float = number(200.0, (1.0, 100_000.0), "Stay within", subject="The size of a stay", unit="m")
    at_least_minutes: float = number(
        20.0, (1.0, 10_080.0), "For at least", subject="The duration of a stay or an absence", unit="min"
    )
    by: str = choice("stays", BY, "Moments")
    share_percent: float = number(5.0, (0.1, 50.0), "The outermost", subject="The share of timestamps", unit="%")

    def visible(self) -> list[str]:
        """The choices that affect the moments being looked for."""
        needed = {"within_m": ("stays",), "at_least_minutes": ("stays", "absences")}
        needed["share_percent"] = ("peaks", "changes", "absences")
        return [name for name in super().visible() if self.by in needed.get(name, (self.by,))]


def ways(trajectory: Trajectory) -> tuple[str, ...]:
    """The kinds of moments that the data can have, the default first."""
    return ("stays", "ends") if kind_of(trajectory).placed else ("peaks", "changes", "absences", "ends")


class Proposed(NamedTuple):
    """The proposed timestamps that are not landmarks yet.

    Attributes
    ----------
    timestamps : one of each moment. whole : all of them. text : what was found, in words. found : what averaging finds now.
    """

    timestamps: list[int]
    whole: list[int]
    text: str
    found: str


def proposed(choices: Any, outcome: Outcome) -> Proposed:
    """What is proposed now; without texts where nothing was searched for."""
    found: tuple[StayPoint | Moment, ...] | None = outcome.found(Stays.NAME)
    one = _one(outcome)
    whole = _unmarked((i for moment in found or () for i in range(moment.first, moment.last + 1)), outcome)
    text = _said(choices.stays.by, found, len(one), len(whole))
    return Proposed(one, whole, text, "" if found is None else found_now(outcome))


def _one(outcome: Outcome) -> list[int]:
    """One timestamp of each moment that is no landmark yet."""
    return _unmarked((moment.timestamp for moment in outcome.found(Stays.NAME) or ()), outcome)


def _unmarked(timestamps: Iterable[int], outcome: Outcome) -> list[int]:
    return sorted(set(timestamps) - set(outcome.scenario.landmarks))


class Stays(Panel):
    NAME = "stays"
    FOLD = StayChoices
    PLACE = "landmarks"
    ABOUT = "Moments that stand out in your data. Nothing is marked until you say so."
    FIELDS = ("by", "within_m", "share_percent", "at_least_minutes")
    REPORTED = False

    def asked(self, choices: Any, outcome: Outcome) -> Hashable:
        return choices.stays, outcome.trajectory

    def at_once(self, choices: Any, outcome: Outcome) -> tuple[StayPoint | Moment, ...]:
        return _found(outcome.trajectory, choices.stays)

    def text(self, choices: Any, outcome: Outcome) -> Message:
        """One of each moment, which the page draws hollow."""
        return {"proposed": _one(outcome)}

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        now = proposed(choices, outcome)
        yield Text(" ".join(filter(None, (now.text, now.found))), "quiet")
        one = [_marking("Mark one timestamp of each", now.timestamps)] if now.timestamps else []
        whole = [_marking("Mark all of their timestamps", now.whole)] if len(now.whole) > len(now.timestamps) else []
        clear = Act("Clear all landmarks", {"op": "set", "name": "landmarks", "value": []}, where="page")
        yield Buttons((*one, *whole, clear))


def _marking(label: str, timestamps: list[int]) -> Act:
    return Act(label, {"op": "mark", "indices": timestamps, "on": True}, where="page")


@cached("visitor", entries=4, what="the stays and other moments that are proposed as landmarks")
def _found(trajectory: Trajectory, asked: StayChoices) -> tuple[StayPoint | Moment, ...]:
    lasts_s = asked.at_least_minutes * 60
    if asked.by == "stays":
        return tuple(stay_points(trajectory, distance_m=asked.within_m, duration_s=lasts_s))
    return find_moments(trajectory, asked.by, share=asked.share_percent / 100, at_least_s=lasts_s)


def _said(by: str, found: tuple[Any, ...] | None, one: int, whole: int) -> str:
    """What was found; "" where nothing was searched for."""
    if found is None:
        return ""
    if not found:
        return _NONE[by]
    if by == "ends":
        drawn: str = "all of them are landmarks already"
        if one:
            drawn = sentence("{stays_one} to mark, drawn hollow", stays_one=count(one, "timestamp"))
        ends = count(len(found), "timestamp")
        return sentence("First and last of each day, {stays}: {drawn}.", stays=ends, drawn=drawn)
    noun = _NOUNS[by]
    if not whole:
        return f"Every timestamp of every {noun} is a landmark already."
    drawn = "one timestamp of each is marked"
    if one:
        drawn = sentence(
            "{stays_one} to mark, one per {noun}, drawn hollow", stays_one=count(one, "timestamp"), noun=noun
        )
    return sentence(
        "{stays} found: {drawn}; {stays_whole} to mark them in full.",
        stays=capital(count(len(found), noun)),
        drawn=drawn,
        stays_whole=count(whole, "timestamp"),
    )
