"""Where a track mostly is, whatever the settings: its lasting places, and which of them may be called home and work."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import distance_m
from lmdk_widgets.inference.main_place import main_place
from lmdk_widgets.page.amounts import count
from lmdk_widgets.page.sentences import Written, capital, sentence
from lmdk_widgets.scenario.clock import clock_times
from lmdk_widgets.trajectory.model import Trajectory

EVEN = 0.01
"""The share by which the time between timestamps may differ for time still to be counted in hours."""

NIGHT_H = (22, 8)
"""The hour at which nights begin, and how many hours they have."""

NIGHTS, AT_HOME = 3, 0.6
"""A home needs this many nights with an hour or more, and this share of their timestamps."""

A_DAY = np.timedelta64(24, "h")
"""A shorter track is not asked for its nights."""

WORKING_H = (9, 8)
"""The hour at which working days begin, and how many hours they have."""

WORKING_DAYS = 3
"""A place of work needs this many weekdays with an hour or more there, and `AT_HOME` of their timestamps."""

MOST_PLACES = 10
"""The most places of a track that are considered."""

LASTING = 5
"""Timestamps of a lasting place, at least."""

MAIN = "main place"
"""What the main place is called where it may not be called home."""

APART_M = 400.0
"""Timestamps farther than this from a place may belong to another one, metres."""


class MainPlace(NamedTuple):
    """Where a track has most timestamps: (n,) which they are; how many nights are spent there, 0 where most are not or the
    zone is unknown; whether it is unknown for a day or more; hours there and in all, NaN where timestamps are not evenly
    spaced."""

    members: NDArray[np.bool_]
    nights: int
    unzoned: bool
    hours: float
    hours_in_all: float

    @property
    def home(self) -> bool:
        """Whether it may be called home."""
        return self.nights >= NIGHTS

    @property
    def not_home(self) -> str:
        """Why it is not called home although no night speaks against it; else ""."""
        if self.unzoned:
            return "Without a time zone it cannot be called your home."
        if self.home or not self.nights:
            return ""
        return sentence(
            "{nights} {are} too few to call it your home.",
            nights=capital(count(self.nights, "night")),
            are="is" if self.nights == 1 else "are",
        )

    @property
    def in_hours(self) -> bool:
        """Whether it is described in hours rather than timestamps."""
        return self.hours >= 1

    @property
    def called(self) -> str:
        """What it may be called: "your home"."""
        return "your home" if self.home else f"your {MAIN}"

    @property
    def when(self) -> str:
        """When you are there: "at home"."""
        return "at home" if self.home else f"at {self.called}"

    @property
    def often(self) -> str:
        """How much of the track is there: "87 h of 168"."""
        if self.in_hours:
            return Written(f"{self.hours:,.0f} h of {self.hours_in_all:,.0f}", self.hours)
        there = int(self.members.sum())
        return Written(f"{there:,} of {len(self.members):,}", there)


@cached("visitor", entries=4)
def main_place_of(trajectory: Trajectory) -> MainPlace:
    """The main place of a track.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> found = main_place_of(sample("commuter"))
    >>> int(found.members.sum()), found.home, found.called, found.often
    (1044, True, 'your home', '87 h of 168')
    """
    *_, members = main_place(trajectory.latitude, trajectory.longitude)
    gaps = np.diff(trajectory.time) / np.timedelta64(1, "h")
    usual = float(np.median(gaps)) if len(gaps) else math.nan
    even = len(gaps) > 0 and bool((np.abs(gaps - usual) <= EVEN * usual).all())
    each = usual if even else math.nan
    unzoned = not trajectory.zone and bool(trajectory.time[-1] - trajectory.time[0] >= A_DAY)
    return MainPlace(
        members, _nights_at(trajectory, members), unzoned, each * float(members.sum()), each * len(members)
    )


class LastingPlace(NamedTuple):
    """A place where a track lasts: (n,) the timestamps there; its name on a map, "home", "main place", "place 3"; in words,
    "your home"; its middle in degrees; how much of the track is there: "87 h of 168", or in timestamps where
    these are not evenly spaced."""

    members: NDArray[np.bool_]
    name: str
    your: str
    latitude: float
    longitude: float
    often: str

    @property
    def there(self) -> str:
        """When you are there: "at home"."""
        return f"at {self.name}" if self.name in ("home", "work") else f"at {self.your}"

    @property
    def called(self) -> str:
        """Its name in a list: "home", "your main place"."""
        return self.your if self.name == MAIN else self.name


@cached("visitor", entries=4)
def lasting_places_of(trajectory: Trajectory) -> tuple[LastingPlace, ...]:
    """Up to `MOST_PLACES` places with at least `LASTING` timestamps each, the one with most first.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> [(place.name, int(place.members.sum())) for place in lasting_places_of(sample("commuter"))][:3]
    [('home', 1044), ('work', 539), ('place 3', 108)]
    >>> lasting_places_of(sample("bob"))
    ()
    """
    return tuple(place for place in named_places_of(trajectory) if place.members.sum() >= LASTING)


@cached("visitor", entries=4)
def named_places_of(trajectory: Trajectory) -> tuple[LastingPlace, ...]:
    """The same with those that do not last, where there are fewer than `MOST_PLACES` that do.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> [place.called for place in named_places_of(sample("bob"))][:2]
    ['your main place', 'place 2']
    """
    main, found, worked = main_place_of(trajectory), [], False
    for k, (members, latitude, longitude) in enumerate(_places(trajectory), start=1):
        name = f"place {k}" if k > 1 else "home" if main.home else MAIN
        if not worked and name != "home" and _days_of_work_at(trajectory, members):
            name, worked = "work", True
        your = f"your {name}" if name in ("home", "work", MAIN) else name
        found.append(LastingPlace(members, name, your, latitude, longitude, _often(trajectory, int(members.sum()))))
    return tuple(found)


def _often(trajectory: Trajectory, there: int) -> str:
    """How much of a track so many of its timestamps are."""
    hours_in_all, n = main_place_of(trajectory).hours_in_all, len(trajectory)
    hours = hours_in_all / n * there
    if hours >= 1:
        return Written(f"{hours:,.0f} h of {hours_in_all:,.0f}", hours)
    return Written(f"{there:,} of {n:,} timestamps", there)


@cached("visitor", entries=4)
def places_of(trajectory: Trajectory) -> NDArray[np.bool_]:
    """(k, n) the timestamps at each of up to `MOST_PLACES` places: the main one, then the main place of the timestamps
    farther than `APART_M` from those before, and so on.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> places_of(sample("commuter")).sum(axis=1)[:2].tolist(), len(places_of(sample("bob")))
    ([1044, 539], 8)
    """
    return np.array([members for members, *_ in _places(trajectory)])


@cached("visitor", entries=4, what="the timestamps at each of the main places, and its middle")
def _places(trajectory: Trajectory) -> tuple[tuple[NDArray[np.bool_], float, float], ...]:
    """The same with the middle of each place, degrees."""
    latitude, longitude = trajectory.latitude, trajectory.longitude
    left = np.arange(len(trajectory))
    found: list[tuple[NDArray[np.bool_], float, float]] = []
    while len(left) and len(found) < MOST_PLACES:
        at_latitude, at_longitude, members = main_place(latitude[left], longitude[left])
        found.append((np.isin(np.arange(len(trajectory)), left[members]), at_latitude, at_longitude))
        left = left[distance_m(at_latitude, at_longitude, latitude[left], longitude[left]) > APART_M]
    return tuple(found)


def _nights_at(trajectory: Trajectory, members: NDArray[np.bool_]) -> int:
    """How many nights with an hour or more there are, where they are mostly spent there; else 0. A wrong zone would
    silently swap home and work, so it has to be known."""
    return _spent_at(trajectory, members, NIGHT_H, weekdays=False)


def _days_of_work_at(trajectory: Trajectory, members: NDArray[np.bool_]) -> bool:
    """Whether most of at least `WORKING_DAYS` weekdays is spent there."""
    return _spent_at(trajectory, members, WORKING_H, weekdays=True) >= WORKING_DAYS


def _spent_at(trajectory: Trajectory, members: NDArray[np.bool_], hours: tuple[int, int], *, weekdays: bool) -> int:
    """How many days have an hour or more within these hours, where these are mostly spent at a place; else 0."""
    if not trajectory.zone:
        return 0
    since = clock_times(trajectory, trajectory.zone) - np.timedelta64(hours[0], "h")
    day = since.astype("datetime64[D]")
    then = since - day < np.timedelta64(hours[1], "h")
    if weekdays:
        then &= (day.astype(np.int64) + 3) % 7 < 5  # day 0 was a Thursday
    days, which = np.unique(day[then], return_inverse=True)
    first, last = np.full(len(days), np.inf), np.full(len(days), -np.inf)
    hour = (trajectory.time - trajectory.time[0])[then] / np.timedelta64(1, "h")
    np.minimum.at(first, which, hour)
    np.maximum.at(last, which, hour)
    long = last - first >= 1
    counted = long[which]
    if not counted.any() or float(members[then][counted].mean()) < AT_HOME:
        return 0
    return int(long.sum())
