"""Secrets over time on the page: "at this place on these days", "home is here, not there", chosen on the map and on the time
axis, with the odds of the truth before and after a release, for an adversary who knows the hours and for one who does not."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lmdk_widgets.answers.main_places import named_places_of
from lmdk_widgets.answers.secrets_over_time import Asked, Secret, UnknownHours, asks, secret_of, unknown_hours
from lmdk_widgets.checks import real
from lmdk_widgets.errors import InputError
from lmdk_widgets.inference.known_hours import KnownHours
from lmdk_widgets.page.amounts import changed, count, factor, metres, numeral, odds, whole
from lmdk_widgets.page.answers import NOTHING, guesses
from lmdk_widgets.page.blocks import Act, Block, Buttons, Column, Table, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Drawing, Later
from lmdk_widgets.page.fields import choice, flag, number
from lmdk_widgets.page.fields import whole as whole_number
from lmdk_widgets.page.history import State
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import capital, sentence
from lmdk_widgets.scenario.model import MAX_TIMESTAMPS
from lmdk_widgets.scenario.outcome import Outcome

KINDS = {
    "days": "At this place on these days: on at least so many of the days asked about, or not.",
    "home": "Home is here, not there: on most of the days asked about at the one place and never at the other.",
}
WHEN = {"always": "All of the time", "landmarks": "The landmarks", "part": "A part, from one timestamp to another"}
FARTHEST_M = 1_000_000.0
STEP_M = 10.0
"""A place that is clicked is stored at so many metres from the first one, never as a coordinate."""

OTHER_DATA = "Such secrets are asked about a track under planar Laplace."
TYPICAL = (
    "Odds before and after the release shown; then the factor by which half of all releases change them, or more, and one in "
    "ten: typical, and not promised. At most is what the budgets allow in any release."
)
NEITHER = "Your track does neither, so these are the odds of two statements of which none is true."
MOST_BUTTONS = 4
"""The most places that have a button; the others are chosen by their numbers."""
SEPARATE = "The cells of the reader do not tell the two places apart: choose places that are farther from each other."
LONG_BLOCKS = "The reader follows this track in blocks that are too long to tell these days apart."


@dataclass(frozen=True)
class SecretChoices(Choices):
    """A secret over time: which, at which places, and which part of the time it is about."""

    open: bool = flag(False, "A secret over time: home, or a place on some days")
    kind: str = choice("days", KINDS, "Secret")
    least: int = whole_number(1, (1, 10_000), "On at least", subject="The number of days", unit="days")
    place: int = whole_number(0, (0, 9), "Place", origin=1, help="Of your places, the one with most timestamps first.")
    other: int = whole_number(
        0, (0, 10), "Other place", help="Another of your places by its number; 0: the point at the distance below."
    )
    east_m: float = number(
        200.0, (-FARTHEST_M, FARTHEST_M), "To the east by", subject="The distance to the east", unit="m"
    )
    north_m: float = number(
        0.0, (-FARTHEST_M, FARTHEST_M), "To the north by", subject="The distance to the north", unit="m"
    )
    pick: bool = flag(False, "Choose the other place by a click on the map")
    when: str = choice("always", WHEN, "Asked about")
    first: int = whole_number(0, (0, MAX_TIMESTAMPS - 1), "From timestamp", origin=1)
    last: int = whole_number(0, (0, MAX_TIMESTAMPS - 1), "To timestamp", origin=1)

    @property
    def asked(self) -> Asked:
        """The secret itself, with a place that is counted from 0."""
        where = self.place, self.other - 1, self.east_m, self.north_m
        return Asked(self.kind, *where, self.when, self.first, self.last, self.least)

    def visible(self) -> list[str]:
        """The choices that have an effect now."""
        unused = {"least"} if self.kind == "home" else set()
        unused |= {"east_m", "north_m"} if self.other else set()
        unused |= {"first", "last"} if self.when != "part" else set()
        return [name for name in super().visible() if name not in unused]


class Row(NamedTuple):
    """What one adversary learns. Logarithms of odds, as in `UnknownHours`."""

    who: str
    before: float
    after: float
    half: float
    tenth: float
    most: float
    note: str


class Secrets(Panel):
    NAME = "secrets"
    FOLD = SecretChoices
    PLACE = "words"
    ABOUT = "By how much does a release change the odds of a secret about several moments?"
    OPERATIONS: ClassVar = {
        "secret_place": lambda state, operation, outcome: _placed(state, operation, outcome()),
        "secret_part": lambda state, operation, _: _part(state, operation),
    }

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        secret = _secret(choices, outcome)
        if not isinstance(secret, Secret):
            return None
        return secret.asked, outcome.scenario.released.with_changes(average=False), outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[float | UnknownHours]:
        secret = _secret(choices, outcome)
        return unknown_hours(secret) if isinstance(secret, Secret) else iter(())

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        share = outcome.found(self.NAME)
        text = "Following the track: what someone who does not know the hours learns about the secret."
        return Progress(text, share if isinstance(share, float) else 0.0)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before it was known what someone learns about the secret who does not know the hours"

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        secret = _secret(choices, outcome)
        if not isinstance(secret, Secret):
            yield Text(secret)
            return
        yield Text(secret_sentence(secret), "answer")
        yield from _buttons(secret)
        rows = list(_rows(secret, outcome.found(self.NAME)))
        if rows:
            yield _table(secret, rows)
            yield Text(TYPICAL, "quiet")
        yield from (Text(missing, "quiet") for missing in _missing(secret, outcome))

    def drawings(self, choices: Any, outcome: Outcome) -> Iterable[Later]:
        secret = _secret(choices, outcome)
        if not isinstance(secret, Secret):
            return ()
        made_of = outcome.trajectory, secret.asked

        def made() -> Drawing:
            latitude, longitude = outcome.trajectory.frame.to_degrees(np.stack((secret.here_m, secret.there_m)))
            named = zip(latitude.tolist(), longitude.tolist(), ("", "" if secret.other else "other place"), strict=True)
            return Drawing("secret", made_of, {"marks": [list(each) for each in named]}, {})

        return (Later("secret", made_of, made),)


def _secret(choices: Any, outcome: Outcome) -> Secret | str:
    """The secret; where there is none, why, in a sentence."""
    if not asks(outcome):
        return OTHER_DATA
    try:
        return secret_of(outcome, choices.secrets.asked)
    except InputError as error:
        return str(error)


def _placed(state: State, operation: Any, outcome: Outcome) -> Any:
    """The choices after a click on the map: the other place lies where it was."""
    if not asks(outcome):
        raise InputError(OTHER_DATA)
    secret = secret_of(outcome, state.choices.secrets.asked._replace(other=-1, east_m=STEP_M, north_m=STEP_M))
    clicked = (np.array([real(operation.get(name))]) for name in ("latitude", "longitude"))
    at = outcome.trajectory.frame.to_metres(*clicked)[0]
    east, north = (STEP_M * np.round((at - secret.here_m) / STEP_M)).tolist()
    place = {"secrets.other": 0, "secrets.east_m": east, "secrets.north_m": north, "secrets.pick": False}
    return state.choices.with_changes(**place)


def _part(state: State, operation: Any) -> Any:
    """The choices after a part of the time was chosen on the charts."""
    part = {"when": "part", "first": operation.get("first"), "last": operation.get("last")}
    return state.choices.with_changes(**{f"secrets.{name}": value for name, value in part.items()})


def _there(secret: Secret) -> str:
    """The other place, in words: "work", "a point 200 m away"."""
    if secret.other is not None:
        return secret.other.called
    return sentence("a point {secret_distance} away", secret_distance=metres(secret.apart_m))


def secret_sentence(secret: Secret) -> str:
    """What the odds are of."""
    there = secret.here.there
    days = sentence("of the {asked_days} asked about", asked_days=count(secret.days, "day"))
    if secret.days == 1:
        days = sentence("the day asked about")
    if secret.asked.kind == "home":
        return sentence(
            "The secret: you are {there} on {on_days}, and never at {other}; against the other way round.",
            there=there,
            on_days=_at_least(secret, days),
            other=_there(secret),
        )
    if secret.true:
        return sentence("The secret: you were {there} on {on_days}.", there=there, on_days=_at_least(secret, days))
    if secret.least == 1:
        some = "{days}" if secret.days == 1 else "any {days}"
        return sentence(
            "The secret: you were not {there} on {which_days}.", there=there, which_days=sentence(some, days=days)
        )
    return sentence(
        "The secret: you were {there} on fewer than {least_days} {days}.",
        there=there,
        least_days=numeral(secret.least),
        days=days,
    )


def _at_least(secret: Secret, days: str) -> str:
    """On how many of the days."""
    if secret.days == 1:
        return days
    return sentence("at least {least_days} {days}", least_days=numeral(secret.least), days=days)


def _rows(secret: Secret, found: Any) -> Iterator[Row]:
    """What each adversary learns, as far as it is computed."""
    hours = secret.hours
    if hours is not None and secret.apart_m > 0:
        shown = secret.known_shown()
        yield Row("knows the hours", 0.0, shown, hours.half, hours.tenth, hours.most, _known_note(secret, hours))
    if isinstance(found, UnknownHours):
        after = found.before + found.shown
        odds_of = found.before, after, found.half, found.tenth, found.most
        yield Row("does not know the hours", *odds_of, _unknown_note(secret, found))


def _known_note(secret: Secret, hours: KnownHours) -> str:
    return sentence(
        "Assumption: the adversary knows when you were {there} ({secret_reports}), and asks only whether it was there or at "
        "{other}; even odds before. Computed without draws.",
        secret_reports=count(hours.reports, "report"),
        there=secret.here.there,
        other=_there(secret),
    )


def _unknown_note(secret: Secret, found: UnknownHours) -> str:
    return sentence(
        "Assumption: the adversary knows no hours, and believes that people move as a careful reader does, over "
        "{secret_cells} of {secret_side}; typical of {secret_draws} draws.",
        secret_cells=count(len(secret.reading.points), "cell"),
        secret_side=metres(secret.side_m),
        secret_draws=whole(found.draws),
    )


def _missing(secret: Secret, outcome: Outcome) -> Iterator[str]:
    """Why an adversary is not in the table."""
    if secret.hours is None and not secret.members.any():
        yield sentence(
            "You were not {there} in the time asked about, so there are no hours to know.", there=secret.here.there
        )
    elif secret.hours is None and not (outcome.published & secret.members).any():
        yield sentence("Nothing is released while you are {there}.", there=secret.here.there)
    if secret.asked.kind == "home" and not secret.true:
        yield NEITHER
    if not secret.told_apart:
        yield SEPARATE
    elif not secret.in_blocks:
        yield LONG_BLOCKS


def _at_most(loss: float) -> str:
    return "no promise" if guesses(loss) >= NOTHING else sentence("×{most}", most=factor(loss))


def _table(secret: Secret, rows: list[Row]) -> Table:
    title = "Odds of the truth" if secret.true or secret.sign < 0 else "Odds of the place against the other one"
    columns = (
        Column("adversary", "the adversary"),
        Column("log_odds_before", "before", odds, "right"),
        Column("log_odds_after", "after", odds, "right"),
        Column("log_half", "in half", changed, "right"),
        Column("log_tenth", "one in ten", changed, "right"),
        Column("log_most", "at most", _at_most, "right"),
    )
    return Table(title, columns, tuple(row[:-1] for row in rows), tuple(row.note for row in rows))


def _buttons(secret: Secret) -> Iterator[Buttons]:
    """The places of the track, for the place and for the other one."""
    places = named_places_of(secret.outcome.trajectory)
    for name, taken, first in (("place", secret.asked.other, 0), ("other", secret.asked.place, 1)):
        acts = [
            Act(
                capital(place.called), {"op": "set", "name": f"secrets.{name}", "value": k + first}, place.often, "page"
            )
            for k, place in enumerate(places[:MOST_BUTTONS])
            if k != taken
        ]
        if first and secret.other is not None:
            away = {"op": "set", "name": "secrets.other", "value": 0}
            acts.append(Act("A point", away, "At a distance, or where you click on the map", "page"))
        if acts:
            yield Buttons(tuple(acts), below=f"secrets.{name}")
