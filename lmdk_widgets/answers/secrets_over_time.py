"""Secrets over time: "at this place on these days", "home is here, not there", for an adversary who knows the hours and for
one who does not.

Someone who knows when one was at the place adds up the reports of these hours (`inference.known_hours`). Someone who does not
follows the track over the reader's own cells, with the public way of moving, and adds up all paths of which the secret is
true (`inference.days_there`). Both start from odds; the release changes them, in this draw, in typical draws, and at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.largest_spent import most_of
from lmdk_widgets.answers.lasting_secrets import hours_of
from lmdk_widgets.answers.main_places import LastingPlace, named_places_of
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.report_budgets import DRAWS, spent_of
from lmdk_widgets.answers.usefulness import reading_of, releases
from lmdk_widgets.budgets import Release
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.days_there import DaysThere, log_chances, most_changed, most_forgotten
from lmdk_widgets.inference.forward_backward import Carry
from lmdk_widgets.inference.known_hours import KnownHours
from lmdk_widgets.inference.reader import blocks, carries
from lmdk_widgets.linear.one_thread import one_thread
from lmdk_widgets.page.amounts import whole
from lmdk_widgets.scenario.clock import clock_times, zone_shown
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.reading import PlaceReading

WITHIN_M = 200.0
"""A cell whose middle is this close to a place belongs to it, metres, as timestamps do (`inference.main_place`)."""

TOGETHER = 64
"""How many beliefs are carried together: more take more memory, and no less time."""


LEAST = 1e-250
"""A likelihood below this share of its row's largest counts as this: nothing is impossible, and odds stay below what reports
say."""


class Asked(NamedTuple):
    """A secret about the places of a track.

    Attributes
    ----------
    kind : "days" (at the place on at least `least` of the days asked about, or not) or "home" (on most of these days at the
        place and never at the other one, or the other way round).
    place : the place, from 0, as in `named_places_of`. other : the other one, or -1 for the one at this offset.
    east_m, north_m : from the place, metres.
    when : "always", "landmarks", or "part" (from `first` to `last`, from 0).
    """

    kind: str = "days"
    place: int = 0
    other: int = -1
    east_m: float = 200.0
    north_m: float = 0.0
    when: str = "always"
    first: int = 0
    last: int = 0
    least: int = 1


@dataclass(frozen=True)
class UnknownHours:
    """What a release tells of a secret to someone who does not know the hours. All are natural logarithms of odds.

    Attributes
    ----------
    before : the odds of what is true without the release, by the public way of moving; for a home, of the place against the
        other one. shown : by how much the release shown changes them, above 0 in favour of what is true.
    half, tenth : in half of all releases, and in one of ten, by at least this, of so many `draws`.
    most : any release by at most this, one way or the other.
    """

    before: float
    shown: float
    half: float
    tenth: float
    most: float
    draws: int


@dataclass(frozen=True, eq=False)
class Secret:
    """A secret over time about the track of an outcome.

    Attributes
    ----------
    outcome, asked : what is released, and what is asked.
    here : the place. other : another of the track's places; None: the place is at an offset from `here`.
    there_m : (2,) the other place, metres in the frame of the track. chosen : (n,) bool, the timestamps asked about.
    """

    outcome: Outcome
    asked: Asked
    here: LastingPlace
    other: LastingPlace | None
    there_m: Floats
    chosen: NDArray[np.bool_]

    @cached_property
    def here_m(self) -> Floats:
        """(2,) the place, metres in the frame of the track."""
        return np.asarray(self.outcome.trajectory.frame.to_metres(self.here.latitude, self.here.longitude)).reshape(2)

    @property
    def apart_m(self) -> float:
        """Between the two places, metres."""
        return float(np.hypot(*(self.there_m - self.here_m)))

    @cached_property
    def members(self) -> NDArray[np.bool_]:
        """(n,) the timestamps asked about at which one was at the place."""
        return self.here.members & self.chosen

    @cached_property
    def day(self) -> NDArray[np.int64]:
        """(n,) the day of each timestamp, by the clock that the page shows."""
        trajectory = self.outcome.trajectory
        times = clock_times(trajectory, zone_shown(self.outcome.scenario, trajectory))
        return times.astype("datetime64[D]").astype(np.int64)

    @cached_property
    def days(self) -> int:
        """How many days are asked about."""
        return len(np.unique(self.day[self.chosen]))

    @property
    def least(self) -> int:
        """On how many of them the place is visited."""
        return self.days // 2 + 1 if self.asked.kind == "home" else min(self.asked.least, self.days)

    @cached_property
    def true(self) -> bool:
        """Whether the place is visited on that many, and for a home never the other place."""
        if self.asked.kind == "home":
            at = self.outcome.trajectory.points_m[self.chosen]
            if (np.hypot(*(at - self.there_m).T) <= WITHIN_M).any():
                return False
        return len(np.unique(self.day[self.members])) >= self.least

    @property
    def sign(self) -> int:
        """1 where the odds are those of the secret, -1 where they are those of its opposite, which is then true."""
        return -1 if self.asked.kind == "days" and not self.true else 1

    @cached_property
    def hours(self) -> KnownHours | None:
        """What reports reveal about the two places to someone who knows when one was at `here`; None without a report, and
        while a page still draws the budgets."""
        spent = spent_of(self.outcome)
        if spent is None or not (spent[:, self.members] > 0).any():
            return None
        return hours_of(self.outcome, spent, self.members, self.apart_m / self.outcome.scenario.radius_m)

    def known_shown(self) -> float:
        """By how much the release shown changes the log odds of `here` against the other place, for the same person."""
        released = next(releases(self.outcome))
        spent, at = _noise_spent(released)[self.members], released.outputs[self.members]
        reported = spent > 0
        to_there, to_here = (np.hypot(*(at[reported] - place).T) for place in (self.there_m, self.here_m))
        return float(spent[reported] @ (to_there - to_here)) / self.outcome.scenario.radius_m

    @cached_property
    def _cells(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """(m,) the reader's cells of the place and of the other one: none in both, and without the other where one place is
        asked about."""
        reading, frame = self.reading, self.outcome.trajectory.frame
        apart, nearest = [], []
        for place in (self.here_m, self.there_m):
            latitude, longitude = frame.to_degrees(place[None])
            at = np.asarray(reading.seen_in.to_metres(latitude, longitude)).reshape(2)
            apart.append(np.hypot(*(reading.seen_at - at).T))
            nearest.append(np.arange(len(reading.points)) == int(apart[-1].argmin()))
        near = [own | (far <= WITHIN_M) for own, far in zip(nearest, apart, strict=True)]
        if self.asked.kind != "home":
            return near[0], np.zeros(len(near[0]), bool)
        return near[0] & (apart[0] <= apart[1]), near[1] & (apart[1] < apart[0])

    @property
    def reading(self) -> PlaceReading:
        """How a reader, and this adversary, reads a release."""
        reading = reading_of(self.outcome)
        assert isinstance(reading, PlaceReading)
        return reading

    @property
    def side_m(self) -> float:
        """The side of a cell, metres."""
        points = self.reading.seen_at
        return float(np.hypot(*(points[0] - points[1:]).T).min()) if len(points) > 1 else math.inf

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first timestamp of each of the reader's blocks."""
        return blocks(len(self.outcome), self.reading.most_blocks)

    @property
    def in_blocks(self) -> bool:
        """Whether the reader's blocks tell the days apart."""
        return self.events()[0].days == self.days

    @property
    def told_apart(self) -> bool:
        """Whether the cells tell the two places apart; a secret about one place needs none."""
        here, there = self._cells
        return self.asked.kind != "home" or bool(here.any() and there.any())

    def events(self) -> tuple[DaysThere, ...]:
        """The event about the blocks of timestamps; for a home also the other one."""
        (here, there), starts = self._cells, self.starts
        asked = np.logical_or.reduceat(self.chosen, starts)
        last = np.maximum.reduceat(np.where(self.chosen, self.day, self.day[0]), starts)  # asked about, of each block
        day = np.maximum.accumulate(np.where(asked, last, self.day[starts]))
        if self.asked.kind != "home":
            return (DaysThere(here, there, asked, day, self.least),)
        return tuple(DaysThere(*pair, asked, day, self.least) for pair in ((here, there), (there, here)))


def asks(outcome: Outcome) -> bool:
    """Whether a secret over time is asked about: of a track under planar Laplace, from the true data."""
    return outcome.kind.placed and outcome.reports is None and outcome.trajectory.name != RELEASE_NAME


def secret_of(outcome: Outcome, asked: Asked) -> Secret:
    """The secret about an outcome.

    Raises
    ------
    InputError : a place that the track does not have, twice the same one, no timestamp asked about.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> secret = secret_of(evaluate(Scenario(track="commuter", landmarks=commuter.landmarks), commuter), Asked(least=4))
    >>> secret.here.called, secret.days, secret.least, secret.true, round(math.exp(secret.hours.half)), round(secret.apart_m)
    ('home', 7, 4, True, 25, 200)
    """
    places, n = named_places_of(outcome.trajectory), len(outcome)
    for number in (asked.place, asked.other):
        if number >= len(places):
            raise InputError(f"The place must be one of the {len(places)} of this track", value=whole(number + 1))
    if asked.place == asked.other or (asked.other < 0 and asked.east_m == asked.north_m == 0):
        raise InputError("The two places must differ", remedy="Choose another place, or a distance from the first one")
    chosen = np.ones(n, bool)
    if asked.when == "landmarks":
        chosen = np.isin(np.arange(n), outcome.scenario.landmarks)
    elif asked.when == "part":
        chosen = (np.arange(n) >= asked.first) & (np.arange(n) <= asked.last)
    if not chosen.any():
        remedy = "Mark landmarks, or ask about all of the time" if asked.when == "landmarks" else ""
        raise InputError("At least one timestamp must be asked about", value="none", remedy=remedy)
    here, other = places[asked.place], places[asked.other] if asked.other >= 0 else None
    at, frame = here if other is None else other, outcome.trajectory.frame
    moved = np.array([asked.east_m, asked.north_m]) if other is None else np.zeros(2)
    there_m = np.asarray(frame.to_metres(at.latitude, at.longitude)).reshape(2) + moved
    return Secret(outcome, asked, here, other, there_m, chosen)


def unknown_hours(secret: Secret, draws: int = DRAWS) -> Iterator[float | UnknownHours]:
    """What releases tell of a secret to someone who does not know the hours: shares of the work, then the answer; nothing
    where the cells do not tell the two places apart, or the blocks the days.

    Notes
    -----
    Guarantee: `most` bounds every release, for someone who reasons over these cells with the public way of moving. The rest
    describes typical releases and promises nothing.
    """
    if not (secret.told_apart and secret.in_blocks):
        return
    reading, starts = secret.reading, secret.starts
    events, moves = secret.events(), carries(reading.moves)
    at_once, drawn = max(1, TOGETHER // (2 * events[0].least)), releases(secret.outcome)
    nothing = np.ones((len(starts), 1, len(reading.points)))
    with one_thread():
        before = float(_log_odds(nothing, moves, events)[0])
    after: list[float] = []
    while len(after) < draws:
        yield len(after) / draws
        some = list(islice(drawn, min(at_once, draws - len(after))))
        with one_thread():
            after += _log_odds(np.maximum(reading.weights(some, starts), LEAST), moves, events).tolist()
    changed = secret.sign * (np.array(after) - before)
    half, tenth = np.quantile(changed, (0.5, 0.9)).tolist()
    yield UnknownHours(secret.sign * before, float(changed[0]), half, tenth, _most(secret, events[0]), draws)


def _log_odds(weights: Floats, moves: list[Carry], events: tuple[DaysThere, ...]) -> Floats:
    """(d,) of the first event against the second, or against its opposite."""
    true, false = log_chances(weights, moves, events[0])
    return true - (false if len(events) == 1 else log_chances(weights, moves, events[1])[0])


def _most(secret: Secret, event: DaysThere) -> float:
    """What bounds every release: reports count at the largest distance of two cells."""
    outcome, reading, starts = secret.outcome, secret.reading, secret.starts
    far = float(np.hypot(*np.ptp(reading.seen_at, axis=0))) / outcome.scenario.radius_m
    rows = np.flatnonzero(event.asked)
    ends = np.append(starts, len(outcome))
    told = np.array([_spent_within(outcome, *ends[t : t + 2].tolist()) for t in range(len(starts))])
    within = _spent_within(outcome, int(ends[rows[0]]), int(ends[rows[-1] + 1]))
    known = {step: most_forgotten(step[0].matrix(step[1])) for step in set(reading.moves)}
    return most_changed(told * far, [known[step] for step in reading.moves], event.asked, within=within * far)


def _spent_within(outcome: Outcome, first: int, end: int) -> float:
    """The most that the timestamps from `first` up to `end` spend, in any release."""
    members = np.zeros(len(outcome), bool)
    members[first:end] = True
    return most_of(outcome, members)


def _noise_spent(released: Release) -> Floats:
    """(n,) what each timestamp spent on its own report."""
    return np.where(released.published, np.maximum(released.budgets - released.comparison_budget, 0.0), 0.0)
