"""What is done today, on these data: what each practice still tells a reader, and what an attacker finds of the main place.

None of the practices has a guarantee. What is found is found by the attacks of `lmdk_widgets.practice`; others may do better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.found_places import LEAST_M
from lmdk_widgets.answers.main_places import MAIN, lasting_places_of
from lmdk_widgets.answers.usefulness import ReaderWorth, reading_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.inference.averaging import geometric_median
from lmdk_widgets.inference.main_place import main_place
from lmdk_widgets.page.amounts import digits, metres, whole
from lmdk_widgets.page.sentences import Written, capital, sentence
from lmdk_widgets.practice import (
    PlaceFound,
    ZoneFound,
    approximate,
    cut_ends,
    find_approximate,
    find_cut_ends,
    find_rounded,
    find_zone,
    rounded,
    thinned,
    zone,
    zone_silences,
)
from lmdk_widgets.practice.pieces import pieces
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

NAME = "practices"
"""Under which a page stores what it found in the results of an outcome."""

ZONE, ENDS, ROUNDING, APPROXIMATE, THINNING = "zone", "ends", "rounding", "approximate", "thinning"

_THIRD = 3
"""One day in so many is published, where fewer outings are."""

_SPARSE_MIN, _SPARSE_INTERVALS = 3.0, 3
"""Sparser points are this many minutes or median intervals apart, whichever is more."""

_ROUND = 100.0
"""The grid of offsets and radii that are tried, metres."""


class Practice(NamedTuple):
    """A practice and its size: metres, decimals or minutes. moved_m : how far a zone's centre is moved at most, metres."""

    name: str
    size: float = 0.0
    moved_m: float = 0.0

    @property
    def what(self) -> str:
        """At the beginning of a sentence: "A zone of 400 m"."""
        if self.name == ZONE and self.moved_m:
            return sentence(
                "A zone of {zone_radius} with its centre moved by up to {zone_moved}",
                zone_radius=metres(self.size),
                zone_moved=metres(self.moved_m),
            )
        if self.name == ZONE:
            return sentence("A zone of {zone_radius}", zone_radius=metres(self.size))
        if self.name == ENDS:
            return sentence("Cutting {cut_length} off both ends", cut_length=metres(self.size))
        if self.name == ROUNDING:
            decimals = int(self.size)
            plural = "" if decimals == 1 else "s"
            return sentence("Rounding to {decimals} decimal{plural}", decimals=whole(decimals), plural=plural)
        if self.name == THINNING:
            return sentence(
                "One point in {practice_minutes} min", practice_minutes=Written(f"{self.size:g}", self.size)
            )
        return "Approximate location"


@dataclass(frozen=True, eq=False)
class Target:
    """The place that is to be hidden: its middle in degrees, (n,) the timestamps there, and what it is called: "your
    home"."""

    latitude: float
    longitude: float
    members: NDArray[np.bool_]
    your: str


@dataclass(frozen=True, eq=False)
class Practised:
    """A practice on these data; computed from the true data, for their owner's eyes.

    Attributes
    ----------
    practice : what was done. your : what the place is called.
    published : the track that it publishes; None where it leaves nothing.
    worth : what that is worth to a reader; None where nothing is published, or is not computed.
    found_m : how far the attacker's guess is from the place, metres; infinite where the attack finds nothing, NaN where
        nothing is published.
    looked : where the attacker looks; None for a guess without an area.
    latitude, longitude : the guess, degrees; NaN without one.
    refused : why there is no number, as a sentence.
    """

    practice: Practice
    your: str
    published: Trajectory | None
    worth: ReaderWorth | None
    found_m: float
    looked: ZoneFound | PlaceFound | None
    latitude: float = math.nan
    longitude: float = math.nan
    refused: str = ""

    @property
    def too_far_apart(self) -> bool:
        """Whether its points are too far apart for the attack by votes."""
        return isinstance(self.looked, ZoneFound) and self.looked.too_far_apart

    @property
    def shown_m(self) -> float:
        """The distance as it is shown: never below 20 m, with two digits."""
        return max(digits(self.found_m, 2), LEAST_M) if math.isfinite(self.found_m) else self.found_m

    def hides(self, limit_m: float) -> bool:
        """Whether the guess is at least so far from the place."""
        return not self.found_m < limit_m

    def sentence(self, limit_m: float) -> str:
        """What it does, beside the distance from which on a place counts as hidden."""
        if self.refused:
            return f"{self.practice.what}: {self.refused}"
        if math.isinf(self.found_m):
            return sentence(
                "{what}: the attack computed here finds nothing of {your}.", what=self.practice.what, your=self.your
            )
        template = "{what} does not hide {your}: found to within {practice_found}."
        if self.hides(limit_m):
            template = "{what}: {your} is found to within {practice_found} by the attack computed here."
        return sentence(template, what=self.practice.what, your=self.your, practice_found=metres(self.shown_m))


class Helps(NamedTuple):
    """Something that could be done about a zone. change : in words. found : what it comes to."""

    change: str
    found: Practised


class Today(NamedTuple):
    """What is known of the practices so far. rows : in the order of the choices. helps : about a zone. of : how many of both
    there will be."""

    rows: tuple[Practised, ...] = ()
    helps: tuple[Helps, ...] = ()
    of: int = 1


def target_of(trajectory: Trajectory) -> Target:
    """The place that is to be hidden: the lasting place with most timestamps, else the main place.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> found = target_of(sample("commuter"))
    >>> found.your, int(found.members.sum())
    ('your home', 1044)
    """
    for place in lasting_places_of(trajectory):
        return Target(place.latitude, place.longitude, place.members, place.your)
    latitude, longitude, members = main_place(trajectory.latitude, trajectory.longitude)
    return Target(latitude, longitude, members, f"your {MAIN}")


def publish(practice: Practice, trajectory: Trajectory, target: Target, seed: int) -> Trajectory:
    """What a practice publishes of a track.

    Raises
    ------
    InputError : nothing is left to publish.
    """
    rng = np.random.default_rng(seed)
    if practice.name == ZONE:
        centre = [(target.latitude, target.longitude)]
        return zone(trajectory, centre, practice.size, offset_m=practice.moved_m, rng=rng)
    if practice.name == ENDS:
        return cut_ends(trajectory, practice.size)
    if practice.name == ROUNDING:
        return rounded(trajectory, decimals=int(practice.size))
    return thinned(trajectory, practice.size) if practice.name == THINNING else approximate(trajectory, rng=rng)


def practised(
    practice: Practice, trajectory: Trajectory, *, knows: bool, seed: int, target: Target | None = None
) -> Practised:
    """What a practice comes to on a track: what it publishes, and what an attacker finds of the place.

    Parameters
    ----------
    practice : its name and size. trajectory : the true track.
    knows : whether the attacker knows which silences are the place's, and when one is there.
    seed : of an offset that is drawn. target : the place; by default `target_of` the track.

    Notes
    -----
    Guarantee: none. The nearer of two guesses counts, as the attacker may try both: of a zone, if the silences are known, by
    the votes and by the geometric median of the points beside them; of ends that are cut off, by the votes and by the main
    place of what is published.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> found = practised(Practice("zone", 400.0), sample("taxi"), knows=True, seed=0)
    >>> found.hides(200.0), found.practice.what
    (False, 'A zone of 400 m')
    """
    place = target or target_of(trajectory)
    try:
        published = publish(practice, trajectory, place, seed)
    except InputError as error:
        return Practised(practice, place.your, None, None, math.nan, None, refused=error.sentence)
    try:
        latitude, longitude, looked = _guessed(practice, trajectory, published, place, knows)
    except InputError as error:
        return Practised(practice, place.your, published, None, math.inf, None, refused=error.sentence)
    off = float(distance_m(latitude, longitude, place.latitude, place.longitude))
    return Practised(practice, place.your, published, None, off, looked, latitude, longitude)


def _guessed(
    practice: Practice, trajectory: Trajectory, published: Trajectory, place: Target, knows: bool
) -> tuple[float, float, ZoneFound | PlaceFound | None]:
    """The guess, degrees, and where the attacker looks."""
    looked: ZoneFound | PlaceFound
    if practice.name == ZONE:
        silences = zone_silences(trajectory, published) if knows else None
        looked = find_zone(published, practice.size, silences=silences, offset_m=practice.moved_m)
        guesses = [(looked.latitude, looked.longitude), *([] if silences is None else [_between(published, silences)])]
        return *_nearest(guesses, place), looked
    if practice.name == THINNING:
        return *_average(trajectory, published, place, knows), None
    there = np.flatnonzero(place.members) if knows else None
    if practice.name == ENDS:
        return _of_ends(practice, trajectory, published, place, knows)
    if practice.name == ROUNDING:
        looked = find_rounded(published, decimals=int(practice.size), noise_m=None, timestamps=there)
    else:
        looked = find_approximate(published, timestamps=there)
    return looked.latitude, looked.longitude, looked


def _between(published: Trajectory, ends: tuple[int, ...]) -> tuple[float, float]:
    """The geometric median of the points beside silences, degrees."""
    points = published.points_m[list(ends)]
    latitude, longitude = published.frame.to_degrees(geometric_median(points, np.ones(len(points))))
    return float(latitude), float(longitude)


def _nearest(guesses: Sequence[tuple[float, float]], place: Target) -> tuple[float, float]:
    """The guess that is nearest to the place, degrees."""
    return min(guesses, key=lambda guess: float(distance_m(guess[0], guess[1], place.latitude, place.longitude)))


def _average(trajectory: Trajectory, published: Trajectory, place: Target, knows: bool) -> tuple[float, float]:
    """The main place of what is published; of the timestamps at the place where these are known."""
    there = np.isin(published.time, trajectory.time[place.members])
    if knows and there.any():
        latitude, longitude, _ = main_place(published.latitude[there], published.longitude[there])
    else:
        latitude, longitude, _ = main_place(published.latitude, published.longitude)
    return latitude, longitude


def _of_ends(
    practice: Practice, trajectory: Trajectory, published: Trajectory, place: Target, knows: bool
) -> tuple[float, float, ZoneFound | None]:
    """The nearer of two guesses: by the votes of the ends, and the main place of what is published."""
    latitude, longitude = _average(trajectory, published, place, knows)
    there = None
    if knows:
        ends = [k for first, last in pieces(trajectory.time) for k in (first, last) if place.members[k]]
        times = trajectory.time[ends]
        after = np.searchsorted(published.time, times)
        there = sorted({int(k) for k in np.concatenate([after, after - 1]) if 0 <= k < len(published)})
    try:
        looked = find_cut_ends(published, practice.size, ends=there)
    except InputError:
        return latitude, longitude, None
    nearest = _nearest([(latitude, longitude), (looked.latitude, looked.longitude)], place)
    return *nearest, None if nearest == (latitude, longitude) else looked


def with_worth(found: Practised, outcome: Outcome) -> Practised:
    """The same with what the published track is worth to a reader.

    The reader takes a published place as it is, and at a timestamp that is left out the point between its neighbours, by
    time: nothing is random that a careful reader could remove.
    """
    if found.published is None:
        return found
    error, reading = reader_error_m(outcome.trajectory, found.published), reading_of(outcome)
    mean = float(error.mean())
    worth = ReaderWorth(
        reader=mean,
        draws=1,
        expected=mean,
        noise=math.nan,
        spread=reading.spread,
        nothing=reading.nothing,
        nothing_over_region=reading.nothing_over_region,
        kind=outcome.kind,
    )
    return replace(found, worth=worth)


def reader_error_m(trajectory: Trajectory, published: Trajectory) -> Floats:
    """(n,) how far off a reader of a published track is at each timestamp of the true one, metres.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = sample("bob")
    >>> float(reader_error_m(bob, bob).max()), reader_error_m(bob, bob[1:])[1:].max() < 1e-6
    (0.0, np.True_)
    """
    seconds = ((one.time - trajectory.time[0]) / np.timedelta64(1, "s") for one in (trajectory, published))
    at, told = seconds
    points = trajectory.frame.to_metres(published.latitude, published.longitude)
    estimates = np.stack([np.interp(at, told, axis) for axis in points.T], axis=1)
    return np.hypot(*(estimates - trajectory.points_m).T)


def what_helps(practice: Practice, trajectory: Trajectory, *, knows: bool, seed: int) -> Iterator[Helps]:
    """What a zone comes to if something is changed: a larger radius, a moved centre, fewer days, sparser points.

    Parameters
    ----------
    practice : a zone. trajectory, knows, seed : as for `practised`.
    """
    place = target_of(trajectory)
    moved = max(_ROUND, math.floor(practice.size / 2 / _ROUND) * _ROUND)
    days = trajectory.time.astype("datetime64[D]")
    which = np.unique(days, return_inverse=True)[1].ravel()
    fewer = trajectory[np.flatnonzero(which % _THIRD == 0)]
    usual = float(np.median(np.diff(trajectory.time) / np.timedelta64(1, "m"))) if len(trajectory) > 1 else 0.0
    minutes = max(_SPARSE_MIN, math.ceil(_SPARSE_INTERVALS * usual))
    tried: list[tuple[str, Practice, Trajectory]] = [
        (
            sentence("a radius of {twice_radius}", twice_radius=metres(2 * practice.size)),
            practice._replace(size=2 * practice.size),
            trajectory,
        ),
        (
            sentence("the centre moved by up to {moved}", moved=metres(moved)),
            practice._replace(moved_m=moved),
            trajectory,
        ),
        ("one day in three", practice, fewer),
        (
            sentence("one point in {sparse_minutes} min", sparse_minutes=Written(f"{minutes:g}", minutes)),
            practice,
            thinned(trajectory, minutes),
        ),
    ]
    for change, then, track in tried:
        if track is fewer and which.max(initial=0) < _THIRD:
            continue
        at = replace(place, members=np.isin(track.time, trajectory.time[place.members]))
        yield Helps(capital(change), practised(then, track, knows=knows, seed=seed, target=at))
