"""The sample city: invented people on the streets of `streets`, whose phones report for two weeks where they are.

Each person has a home and perhaps a place of work, goes there and back, to shops and parks, and to somebody else's home.
Each trip leads along the streets. A phone reports at irregular times, more often on the way and rarely at night; some
phones report ten times as often as others. Everybody's days come from a random stream of their own.

The city is generated at first use, in a few seconds, and stored in the user's folder for caches. It describes no real
person, and no share in it is fitted to anything.
"""

from __future__ import annotations

import hashlib
import heapq
import math
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import whole
from lmdk_widgets.errors import library
from lmdk_widgets.geo import Floats
from lmdk_widgets.population import streets

if TYPE_CHECKING:
    from pandas import DataFrame

ZONE = "Europe/Paris"
"""The time zone of the city."""

MOST_PEOPLE, MOST_DAYS = 20_000, 31

_STREETS_SEED = 20260302
"""The streets are those of the sample tracks."""

_START = np.datetime64("2026-03-01T23:00:00", "s")
"""Monday, 2 March 2026, midnight in Paris, in UTC."""

_EMPLOYERS, _OUTINGS = 40, 25
_DAY_S, _HOUR_S = 86_400.0, 3_600.0
_GAP_S, _GAP_SPREAD = 4_300.0, 0.6
"""The median over people of the mean time between two reports while awake, and the spread of its logarithm."""

_AT_NIGHT, _ON_THE_WAY = 0.3, 4.0
"""How much more often a phone reports between midnight and half past six, and while it moves."""

_WALK, _RIDE, _FAR_M = 1.3, 4.2, 1_500.0
"""Metres per second on foot, and from door to door by bicycle, bus or metro on ways longer than `_FAR_M`."""

_NOISE_M, _COARSE_M, _COARSE = 6.0, 40.0, 0.03
"""Standard deviation of a report per axis; of a report without a satellite; and the share of those."""


class Reports(NamedTuple):
    """The rows of a city, by person and time.

    person : number from 0. time : UTC, whole seconds. latitude, longitude : degrees, six decimals.
    """

    person: NDArray[np.int32]
    time: NDArray[np.datetime64]
    latitude: Floats
    longitude: Floats


def sample_city(people: int = 1_000, days: int = 14, seed: int = 1) -> DataFrame:
    """The reports of an invented city's people, as a table that `People` reads.

    Parameters
    ----------
    people : from 1 to 20,000. days : from 1 to 31, the first one a Monday. seed : the same seed gives the same city.

    Returns
    -------
    DataFrame
        `person` (text), `time` (UTC), `latitude` and `longitude` (degrees), by person and time: about 300 rows a person
        in two weeks. Its attributes name the time zone.

    Raises
    ------
    InputError : a number out of range; pandas is not installed.

    Notes
    -----
    The rows are stored in the user's folder for caches and read from there the next time.
    """
    pandas = library("pandas", "A table of people")
    reports = city_reports(people, days, seed)
    names = np.array([f"p{number:05d}" for number in range(1, people + 1)], object)
    columns = {
        "person": names[reports.person],
        "time": pandas.DatetimeIndex(reports.time.astype("datetime64[ns]")).tz_localize("UTC"),
        "latitude": reports.latitude,
        "longitude": reports.longitude,
    }
    frame = pandas.DataFrame(columns)
    frame.attrs = {"lmdk_widgets": {"name": "A sample city", "zone": ZONE}}
    return frame


def city_reports(people: int = 1_000, days: int = 14, seed: int = 1) -> Reports:
    """The same as arrays, without pandas; from the user's folder for caches if they are there.

    Examples
    --------
    >>> city_reports(0)
    Traceback (most recent call last):
    ...
    lmdk_widgets.errors.InputError: People must be a whole number between 1 and 20,000; got 0.
    """
    whole(people, "people", most=MOST_PEOPLE)
    whole(days, "days", most=MOST_DAYS)
    whole(seed, "seed", least=0, most=2**32 - 1)
    file = _file(people, days, seed)
    if file is None:
        return _made(people, days, seed)
    found = _stored(file)
    if found is None:
        found = _made(people, days, seed)
        _store(file, found)
    return found


def _file(people: int, days: int, seed: int) -> Path | None:
    """The file of a city as this version generates it; None if there is no folder for caches."""
    digest = hashlib.sha256()
    try:
        for name in ("city", "streets", "paris"):
            digest.update(Path(__file__).with_name(f"{name}.py").read_bytes())
        folder = _cache_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (ImportError, OSError):
        return None
    return folder / f"{people}-{days}-{seed}-{digest.hexdigest()[:16]}.npz"


def _cache_folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("lmdk_widgets") / "city"


def _stored(file: Path) -> Reports | None:
    """What a file holds; None if there is no such file, or it is damaged."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return Reports(*(arrays[name] for name in Reports._fields))
    except Exception:  # a damaged file fails in any way
        return None


def _store(file: Path, reports: Reports) -> None:
    """Write a file in one step, and remove those of the same city by other versions; a full disk is no error."""
    part = file.with_name(f"{file.stem}.{os.getpid()}.part")
    with suppress(OSError):
        with part.open("wb") as out:
            np.savez(out, **reports._asdict())
        part.replace(file)
        for other in file.parent.glob(f"{file.stem.rpartition('-')[0]}-*.npz"):
            if other != file:
                other.unlink()
    with suppress(OSError):
        part.unlink()


def _made(people: int, days: int, seed: int) -> Reports:
    city = City(seed, people)
    parts = [_reported(city, person, days) for person in range(people)]
    person = np.repeat(np.arange(people, dtype=np.int32), [len(time) for time, _ in parts])
    latitude, longitude = streets.FRAME.to_degrees(np.concatenate([points for _, points in parts]))
    time = _START + np.concatenate([time for time, _ in parts]).astype("timedelta64[s]")
    return Reports(person, time, latitude.round(6), longitude.round(6))


class Tree(NamedTuple):
    """The shortest ways from everywhere to one crossing. towards : the next crossing from each; -1 at the goal."""

    goal: int
    towards: list[int]

    def way(self, start: int) -> list[int]:
        """The crossings from one to the goal."""
        found = [start]
        while (after := self.towards[found[-1]]) >= 0:
            found.append(after)
        return found


class City:
    """The streets, and where people live, work and go out.

    Parameters
    ----------
    seed : of the people. people : how many.
    """

    def __init__(self, seed: int, people: int) -> None:
        random = np.random.RandomState([seed, 0])
        self.seed, self.people = seed, people
        self.streets = _streets()
        self.goals = self._goals(random, _EMPLOYERS + _OUTINGS)
        sizes = 1.0 / np.arange(3, 3 + _EMPLOYERS)
        self.by_size = np.cumsum(sizes / sizes.sum())
        self.doors = [self.door(goal, random) for goal in self.goals]
        self.homes = [int(node) for node in random.randint(len(self.streets.nodes), size=people)]
        self.home_doors = [self.door(node, random) for node in self.homes]
        self._trees = dict[int, Tree]()

    def _goals(self, random: np.random.RandomState, n: int) -> list[int]:
        """Where people go: mostly near a square, otherwise anywhere."""
        squares = sorted(self.streets.squares.values())
        found = []
        for _ in range(n):
            x, y = self.streets.nodes[squares[random.randint(len(squares))]] + 350 * random.standard_normal(2)
            anywhere = int(random.randint(len(self.streets.nodes)))
            found.append(self.streets.nearest((x, y)) if random.random_sample() < 0.7 else anywhere)
        return found

    def door(self, node: int, random: np.random.RandomState) -> Floats:
        """A door near a crossing: somewhere along a road from it, 14 m from the middle of the road."""
        roads = self.streets.roads[node]
        here, other = self.streets.nodes[node], self.streets.nodes[roads[random.randint(len(roads))][0]]
        along = (other - here) / max(math.dist(here, other), 1.0)
        side = 14.0 if random.random_sample() < 0.5 else -14.0
        return here + (0.2 + 0.5 * random.random_sample()) * (other - here) + side * np.array([-along[1], along[0]])

    def tree(self, goal: int) -> Tree:
        """The ways to a goal, found once."""
        if goal not in self._trees:
            self._trees[goal] = shortest_ways(self.streets, goal)
        return self._trees[goal]

    def way(self, start: int, end: int) -> list[int]:
        """The crossings from one to another: the shortest way if one is a goal, otherwise past a goal near the end."""
        if end in self.goals:
            return self.tree(end).way(start)
        if start in self.goals:
            return self.tree(start).way(end)[::-1]
        away = np.hypot(*(self.streets.nodes[self.goals] - self.streets.nodes[end]).T)
        tree = self.tree(self.goals[int(away.argmin())])
        there, back = tree.way(start), tree.way(end)
        while len(there) > 1 and len(back) > 1 and there[-2] == back[-2]:  # no detour on what both have in common
            there.pop()
            back.pop()
        return there + back[-2::-1]


@cached("everybody", entries=1, what="the streets of the sample city")
def _streets() -> streets.Streets:
    return streets.build(_STREETS_SEED)


def shortest_ways(network: streets.Streets, goal: int) -> Tree:
    """The shortest way from every crossing to one (Dijkstra); of equal ones, that over the crossing with the lower number."""
    length = network.length.tolist()
    best, towards = [math.inf] * len(network.roads), [-1] * len(network.roads)
    best[goal] = 0.0
    queue = [(0.0, goal)]
    while queue:
        so_far, here = heapq.heappop(queue)
        if so_far > best[here]:
            continue
        for there, road in network.roads[here]:
            total = so_far + length[road]
            if total < best[there]:
                best[there], towards[there] = total, here
                heapq.heappush(queue, (total, there))
    return Tree(goal, towards)


@dataclass
class Days:
    """Where one person is: knots (seconds, x, y) that are joined linearly, and when they are on the way."""

    city: City
    node: int
    door: Floats
    now: float = 0.0
    knots: list[Floats] = field(default_factory=list)
    on_the_way: list[tuple[float, float]] = field(default_factory=list)
    known: dict[tuple[int, int], Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.knots.append(np.array([[0.0, *self.door]]))

    def stay(self, until: float) -> None:
        """Stay until a time, seconds."""
        self.now = max(self.now + 300.0, until)
        self.knots.append(np.array([[self.now, *self.door]]))

    def go(self, node: int, door: Floats, pace: float) -> None:
        """Go along the streets from door to door."""
        way = self.known.get((self.node, node))
        if way is None:
            way = self.known[self.node, node] = self.city.streets.nodes[self.city.way(self.node, node)]
        points = np.concatenate([self.door[None], way, door[None]])
        metres = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        speed = pace * (_RIDE if metres[-1] > _FAR_M else _WALK)
        times = self.now + metres / speed
        self.knots.append(np.column_stack([times, points]))
        self.on_the_way.append((self.now, float(times[-1])))
        self.now, self.node, self.door = float(times[-1]), node, door


def _reported(city: City, person: int, days: int) -> tuple[NDArray[np.int64], Floats]:
    """When one person's phone reports, seconds from the start (n,), and what, metres (n, 2)."""
    random = np.random.RandomState([city.seed, 1 + person])
    lived = _lived(city, person, days, random)
    gap = _GAP_S * math.exp(_GAP_SPREAD * random.standard_normal())
    gap = min(max(gap, 600.0), 6 * _HOUR_S)
    candidates = 3 + int(random.poisson(_ON_THE_WAY * days * _DAY_S / gap))
    times = np.unique((random.random_sample(candidates) * days * _DAY_S).astype(np.int64))
    starts, ends = np.array(lived.on_the_way or [(0.0, 0.0)]).T
    trip = np.searchsorted(starts, times, side="right") - 1
    moving = (trip >= 0) & (times <= ends[trip])
    asleep = times % int(_DAY_S) < 6.5 * _HOUR_S
    often = np.where(moving, _ON_THE_WAY, np.where(asleep, _AT_NIGHT, 1.0)) / _ON_THE_WAY
    kept = random.random_sample(len(times)) < often
    kept[random.randint(len(times))] = True  # nobody is without a row
    times = times[kept]
    knots = np.concatenate(lived.knots)
    points = np.column_stack([np.interp(times, knots[:, 0], knots[:, axis]) for axis in (1, 2)])
    spread = np.where(random.random_sample(len(times)) < _COARSE, _COARSE_M, _NOISE_M)
    return times, points + spread[:, None] * random.standard_normal((len(times), 2))


def _lived(city: City, person: int, days: int, random: np.random.RandomState) -> Days:
    """The days of one person."""
    home = city.homes[person], city.home_doors[person]
    lived = Days(city, *home)
    pace = math.exp(0.15 * random.standard_normal())
    work = int(np.searchsorted(city.by_size, random.random_sample()))
    employed, at_office = random.random_sample() < 0.82, 0.95 if random.random_sample() < 0.7 else 0.5
    starts, lasts = 8.7 + 1.0 * random.standard_normal(), 8.2 + 0.8 * random.standard_normal()
    if random.random_sample() < 0.05:
        starts = 21.5  # at night
    outings = [_EMPLOYERS + int(place) for place in random.randint(_OUTINGS, size=3)]
    friend = int(random.randint(city.people))
    for day in range(days):
        midnight, weekend = day * _DAY_S, day % 7 > 4
        if employed and not weekend and random.random_sample() < at_office:
            begin = midnight + _HOUR_S * (starts + 0.3 * random.standard_normal())
            lived.stay(begin)
            lived.go(city.goals[work], city.doors[work], pace)
            lived.stay(lived.now + _HOUR_S * (lasts + 0.4 * random.standard_normal()))
            if random.random_sample() > 0.3:
                lived.go(*home, pace)
        for _ in range(_trips(weekend, random)):
            _outing(city, lived, outings, friend, midnight, random, pace)
        if lived.door is not home[1]:
            lived.go(*home, pace)
    lived.stay((days + 1) * _DAY_S)
    return lived


def _trips(weekend: bool, random: np.random.RandomState) -> int:
    """How often somebody goes out on a day."""
    return int(random.random_sample() < 0.45) + (int(random.random_sample() < 0.6) if weekend else 0)


def _outing(
    city: City,
    lived: Days,
    outings: Sequence[int],
    friend: int,
    midnight: float,
    random: np.random.RandomState,
    pace: float,
) -> None:
    """Out to a usual place, or to a friend's home, for an hour or more."""
    at_home = lived.node == city.homes[friend]
    late = midnight + _HOUR_S * (10.0 + 8.0 * random.random_sample())
    which, long, seldom = random.random_sample(), random.random_sample(), random.random_sample() < 0.25
    lived.stay(max(late, lived.now + 0.25 * _HOUR_S))
    if seldom and not at_home:
        lived.go(city.homes[friend], city.home_doors[friend], pace)
    else:
        place = outings[int(len(outings) * which * which)]
        lived.go(city.goals[place], city.doors[place], pace)
    lived.stay(lived.now + _HOUR_S * (0.5 + 2.0 * long))
