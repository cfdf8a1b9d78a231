"""What is done today, on these data: what each practice still tells a reader, and what an attacker finds of the main place.

None of the practices has a guarantee. What is found is found by the attacks of `lmdk_widgets.practice`; others may do better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.found_places import LEAST_M, found_text
from lmdk_widgets.answers.main_places import MAIN, lasting_places_of
from lmdk_widgets.answers.usefulness import ReaderWorth, reading_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import METRES_PER_DEGREE, Floats, distance_m
from lmdk_widgets.inference.averaging import geometric_median
from lmdk_widgets.inference.main_place import main_place
from lmdk_widgets.page.amounts import whole
from lmdk_widgets.page.sentences import sentence
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
)
from lmdk_widgets.practice.chosen_practice import (
    APPROXIMATE,
    CLUSTERING,
    ENDS,
    NOISY,
    ROUNDING,
    THINNING,
    VELOCITY,
    ZONE,
    Practice,
)
from lmdk_widgets.practice.pieces import NOISE_M, pieces
from lmdk_widgets.practice.place_attacks import at_rest
from lmdk_widgets.practice.publishing import cell_degrees
from lmdk_widgets.practice.trace_noise import LEVEL, clustered, find_clustered, velocity_aware
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

NINE = 0.9
"""The share of draws that a range covers, at least."""

Seed = int | tuple[int, int]
"""Of what a practice draws."""


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
        nothing is published. Of several draws the median.
    looked : where the attacker looks; None for a guess without an area.
    latitude, longitude : the guess, degrees; NaN without one.
    refused : why there is no number, as a sentence.
    reader_m : how far off a reader is of the whole track, metres, mean over its timestamps; left_out : the share of them
        that is not published. Of several draws the means.
    seed : of what was drawn. draws : how far off the guess is in each draw, ascending; none where nothing is drawn, or of
        one draw. Everything else is of the draw with the median.
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
    reader_m: float = math.nan
    left_out: float = math.nan
    seed: Seed = 0
    draws: tuple[float, ...] = ()

    @property
    def too_far_apart(self) -> bool:
        """Whether its points are too far apart for the attack by votes."""
        return isinstance(self.looked, ZoneFound) and self.looked.too_far_apart

    @property
    def shown_m(self) -> float:
        """The distance as it is shown and saved: never below 20 m."""
        return max(self.found_m, LEAST_M)

    @property
    def range_m(self) -> tuple[float, float]:
        """The nearest and the farthest of at least nine of ten draws, metres; of one draw that itself."""
        few = int(len(self.draws) * (1 - NINE) / 2)
        return (self.draws[few], self.draws[-1 - few]) if self.draws else (self.found_m, self.found_m)

    def hides(self, limit_m: float) -> bool:
        """Whether the guess is at least so far from the place, in all of nine in ten draws."""
        return not self.range_m[0] < limit_m

    def within(self, limit_m: float) -> str:
        """The distance in words: "20 m or less", "110 m", "nothing"."""
        return found_text(self.found_m, limit_m=limit_m) if math.isfinite(self.found_m) else "nothing"

    def of_draws(self, limit_m: float) -> str:
        """How often it is that near, and how near in nine of ten draws; "" where nothing is drawn."""
        if not self.draws:
            return ""
        nearest, farthest = (found_text(one, limit_m=limit_m) for one in self.range_m)
        return sentence(
            "in half of {practice_draws} draws, in nine of ten from {nearest_draw} to {farthest_draw}",
            practice_draws=whole(len(self.draws)),
            nearest_draw=nearest,
            farthest_draw=farthest,
        )

    def near(self, limit_m: float, name: str = "practice_found") -> str:
        """The distance, and how often it is that near; `name` is that of its value."""
        of_draws = self.of_draws(limit_m)
        within = sentence(f"{{{name}}}", **{name: self.within(limit_m)})
        return sentence("{within} {of_draws}", within=within, of_draws=of_draws) if of_draws else within

    def sentence(self, limit_m: float) -> str:
        """What it does, beside the distance from which on a place counts as hidden."""
        if self.refused:
            return f"{self.practice.what}: {self.refused}"
        if math.isinf(self.found_m):
            return sentence(
                "{what}: the attack computed here finds nothing of {your}.", what=self.practice.what, your=self.your
            )
        template = "{what} does not hide {your}: found to within {practice_found}{of_draws}."
        if self.hides(limit_m):
            template = "{what}: {your} is found to within {practice_found}{of_draws} by the attack computed here."
        elif self.found_m >= limit_m:
            template = "{what} does not always hide {your}: found to within {practice_found}{of_draws}."
        of_draws = self.of_draws(limit_m)
        return sentence(
            template,
            what=self.practice.what,
            your=self.your,
            practice_found=self.within(limit_m),
            of_draws=sentence(" {of_draws}", of_draws=of_draws) if of_draws else "",
        )


def target_of(trajectory: Trajectory) -> Target:
    """The place that is to be hidden: the lasting place with most timestamps, else the main place. Its middle is where one
    rests there: on outings the way is near home for longer than one stands at the door, so the mean of all would be off.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> found = target_of(sample("commuter"))
    >>> found.your, int(found.members.sum())
    ('your home', 1044)
    """
    place = next(iter(lasting_places_of(trajectory)), None)
    members = main_place(trajectory.latitude, trajectory.longitude)[2] if place is None else place.members
    your = f"your {MAIN}" if place is None else place.your
    return Target(*_middle(trajectory, at_rest(trajectory, np.flatnonzero(members))), members, your)


def publish(practice: Practice, trajectory: Trajectory, target: Target, seed: Seed) -> Trajectory:
    """What a practice publishes of a track, with what follows it.

    Raises
    ------
    InputError : nothing is left to publish.
    """
    return _published(practice, trajectory, target, seed)[0]


def _published(
    practice: Practice, trajectory: Trajectory, target: Target, seed: Seed
) -> tuple[Trajectory, NDArray[np.datetime64]]:
    """The published track, and the times that a zone left out."""
    hidden = trajectory.time[:0]
    for one in practice.steps:
        then = _step(one, trajectory, target, seed)
        if one.name == ZONE:
            hidden = trajectory.time[~np.isin(trajectory.time, then.time)]
        trajectory = then
    return trajectory, hidden


def _step(practice: Practice, trajectory: Trajectory, target: Target, seed: Seed) -> Trajectory:
    rng = np.random.default_rng(seed)
    if practice.name == ZONE:
        centre = [(target.latitude, target.longitude)]
        return zone(trajectory, centre, practice.size, offset_m=practice.moved_m, rng=rng)
    if practice.name == ENDS:
        return cut_ends(trajectory, practice.size)
    if practice.name == ROUNDING:
        return rounded(trajectory, decimals=int(practice.size))
    if practice.name == CLUSTERING:
        return clustered(trajectory, practice.size, LEVEL / practice.size, rng=rng)
    if practice.name == VELOCITY:
        return velocity_aware(trajectory, LEVEL / practice.size, rng=rng)
    return thinned(trajectory, practice.size) if practice.name == THINNING else approximate(trajectory, rng=rng)


def practised(
    practice: Practice,
    trajectory: Trajectory,
    *,
    knows: bool,
    seed: Seed,
    target: Target | None = None,
    whole_track: Trajectory | None = None,
) -> Practised:
    """What a practice comes to on a track: what it publishes, and what an attacker finds of the place, in one draw.

    Parameters
    ----------
    practice : its name and size. trajectory : the true track.
    knows : whether the attacker knows which silences are the place's, and when one is there.
    seed : of an offset that is drawn. target : the place; by default `target_of` the track.
    whole_track : what a reader wants to know, where only some of it is published; by default the track.

    Notes
    -----
    Guarantee: none. The nearest of several guesses counts, as the attacker may try them all: of a zone, if the silences are
    known, by the votes and by the geometric median of the points beside them; of ends that are cut off, by the votes and by
    the main place of what is published. Of practices that follow one another, the attacks on each that leaves points out
    are tried, with as much more noise as rounding adds; votes are not counted on approximate locations.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> found = practised(Practice("zone", 400.0), sample("taxi"), knows=True, seed=0)
    >>> found.hides(200.0), found.practice.what
    (False, 'A zone of 400 m')
    """
    place, everything = target or target_of(trajectory), trajectory if whole_track is None else whole_track
    try:
        published, hidden = _published(practice, trajectory, place, seed)
    except InputError as error:
        return Practised(practice, place.your, None, None, math.nan, None, refused=error.sentence, seed=seed)
    costs: dict[str, Any] = {
        "reader_m": float(reader_error_m(everything, published).mean()),
        "left_out": 1 - len(published) / len(everything),
        "seed": seed,
    }
    attacked = _Attacked(practice, trajectory, published, place, _beside(published, hidden) if knows else None)
    try:
        latitude, longitude, looked = attacked.guessed()
    except InputError as error:
        return Practised(practice, place.your, published, None, math.inf, None, refused=error.sentence, **costs)
    off = float(distance_m(latitude, longitude, place.latitude, place.longitude))
    return Practised(practice, place.your, published, None, off, looked, latitude, longitude, **costs)


Looked = ZoneFound | PlaceFound | None
"""Where an attacker looks."""


@dataclass(frozen=True, eq=False)
class _Attacked:
    """A published track and what its attacker knows: the timestamps beside what a zone left out, or None: nothing."""

    practice: Practice
    trajectory: Trajectory
    published: Trajectory
    place: Target
    silences: tuple[int, ...] | None

    @property
    def knows(self) -> bool:
        return self.silences is not None

    @property
    def _steps(self) -> dict[str, Practice]:
        return {one.name: one for one in self.practice.steps}

    def guessed(self) -> tuple[float, float, Looked]:
        """The guess, degrees, and where the attacker looks."""
        steps = self._steps
        if (CLUSTERING in steps or VELOCITY in steps) and not (ZONE in steps or ENDS in steps):
            return *self._among_noise(), None
        if APPROXIMATE in steps and not (ZONE in steps or ENDS in steps):
            return _place(find_approximate(self.published, timestamps=self._there()))
        if ROUNDING in steps and not (ZONE in steps or ENDS in steps):
            size = int(steps[ROUNDING].size)
            return _place(find_rounded(self.published, decimals=size, noise_m=None, timestamps=self._there()))
        if ZONE not in steps and ENDS not in steps:
            return *self._average(), None
        return self._voted()

    def _voted(self) -> tuple[float, float, Looked]:
        """The nearest of the guesses by votes of ends, if points are not moved too far for that, and of the others."""
        steps, guesses, refusal = self._steps, list[tuple[float, float, Looked]](), None
        for name, attack in ((ZONE, self._of_zone), (ENDS, self._of_ends)):
            if name in steps and not NOISY & steps.keys():
                try:
                    found = attack(steps[name])
                except InputError as error:
                    refusal = error
                else:
                    guesses.append((found.latitude, found.longitude, found))
        if refusal is not None and not guesses and not self.silences and ENDS not in steps:
            raise refusal
        looked = next((one for *_, one in guesses), None)
        if ZONE in steps and self.silences:
            guesses.append((*_middle(self.published, self.silences), looked))
        if ENDS in steps or not guesses:
            guesses.append((*self._average(), None))
        return min(guesses, key=self._off)

    def _among_noise(self) -> tuple[float, float]:
        """The nearer of the geometric median of the reports there, and for clustering where its repeats say that one is."""
        there = self._there()
        if there is None:
            there = np.flatnonzero(main_place(self.published.latitude, self.published.longitude)[2])
        guesses, clusters = [_middle(self.published, there)], self._steps.get(CLUSTERING)
        if clusters is not None and self.practice.steps[-1] == clusters:
            size = clusters.size
            guesses.append(find_clustered(self.published, size, LEVEL / size, timestamps=there))
        off = [self._off((*guess, None)) for guess in guesses]
        return guesses[off.index(min(off))]

    def _off(self, guess: tuple[float, float, Looked]) -> float:
        return float(distance_m(guess[0], guess[1], self.place.latitude, self.place.longitude))

    @property
    def _noise_m(self) -> float:
        """How far a published point may be from the true one, metres: half a diagonal of a cell."""
        if ROUNDING not in self._steps:
            return NOISE_M
        decimals = int(self._steps[ROUNDING].size)
        high, wide = cell_degrees([self.place.latitude], decimals=decimals)
        metres_wide = wide[0] * math.cos(math.radians(self.place.latitude))
        return NOISE_M + METRES_PER_DEGREE * math.hypot(float(high[0]), float(metres_wide)) / 2

    def _of_zone(self, one: Practice) -> ZoneFound:
        return find_zone(self.published, one.size, silences=self.silences, offset_m=one.moved_m, noise_m=self._noise_m)

    def _of_ends(self, one: Practice) -> ZoneFound:
        there = None
        if self.knows:
            track = self.trajectory
            ends = [k for first, last in pieces(track.time) for k in (first, last) if self.place.members[k]]
            there = _beside(self.published, track.time[ends])
        return find_cut_ends(self.published, one.size, ends=there, noise_m=self._noise_m)

    def _there(self) -> NDArray[np.int64] | None:
        """The published timestamps at the place; None where the attacker does not know them, or where there is none."""
        there = np.flatnonzero(np.isin(self.published.time, self.trajectory.time[self.place.members]))
        return there if self.knows and len(there) else None

    def _average(self) -> tuple[float, float]:
        """Where one rests at the main place of what is published; at the place where its timestamps are known."""
        there = self._there()
        if there is None:
            there = np.flatnonzero(main_place(self.published.latitude, self.published.longitude)[2])
        return _middle(self.published, at_rest(self.published, there))


def _place(found: PlaceFound) -> tuple[float, float, Looked]:
    return found.latitude, found.longitude, found


def _beside(published: Trajectory, times: NDArray[np.datetime64]) -> tuple[int, ...]:
    """The published timestamps before and after some times."""
    after = np.searchsorted(published.time, times)
    return tuple(sorted({int(k) for k in np.concatenate([after, after - 1]) if 0 <= k < len(published)}))


def _middle(track: Trajectory, timestamps: Iterable[int]) -> tuple[float, float]:
    """The geometric median of some points, degrees."""
    points = track.points_m[list(timestamps)]
    latitude, longitude = track.frame.to_degrees(geometric_median(points, np.ones(len(points))))
    return float(latitude), float(longitude)


def with_worth(found: Practised, outcome: Outcome) -> Practised:
    """The same with what the published track is worth to a reader.

    The reader takes a published place as it is, and at a timestamp that is left out the point between its neighbours, by
    time: nothing is random that a careful reader could remove.
    """
    if found.published is None:
        return found
    mean, reading = found.reader_m, reading_of(outcome)
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
