"""What counts of people tell, by loops over rows, stays and people: with nothing of the package."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from tests.population.test_people_by_brute_force import R_M, apart_m, vector

DEGREE_M = 111_195
CLASSES_H = (0, 1, 2, 4, 8, 12)
LIMITS = (1, 2, 5, 10, 20, 50, 100, 200)
MOST_CELLS, MOST_COUNTS = 2_500, 2_000_000


class Report(NamedTuple):
    """A row of a table: whose, when, where."""

    name: str
    time: datetime
    latitude: float
    longitude: float


@dataclass(frozen=True)
class Setting:
    """A way of counting. slot : hours, 0 for those of the week."""

    what: str
    level: str
    cell_m: float
    slot: int
    most: int
    epsilon: float

    @property
    def hours(self) -> int:
        return self.slot or 1

    @property
    def sensitivity(self) -> int:
        return {"user": self.most, "window": max(1, 24 // self.hours), "event": 1}[self.level]

    @property
    def rate(self) -> float:
        return float(Fraction(self.epsilon) / self.sensitivity)


@dataclass(frozen=True)
class Box:
    """Squares of a grid that is counted from the equator and longitude 0, with their middle in a box of degrees."""

    south: float
    west: float
    north: float
    east: float
    cell_m: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.south + self.north) / 2, (self.west + self.east) / 2

    @cached_property
    def ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The first column and row, and the first ones beyond."""
        narrow = math.cos(math.radians(self.middle[0]))
        unit = DEGREE_M / self.cell_m
        low, high = (
            (math.ceil(x * narrow * unit - 0.5), math.ceil(y * unit - 0.5))
            for x, y in ((self.west, self.south), (self.east, self.north))
        )
        return low, high

    @cached_property
    def cells(self) -> list[tuple[int, int]]:
        """(column, row) from the south-west, row by row."""
        (west, south), (east, north) = self.ends
        return [(c - west, r - south) for r in range(south, north) for c in range(west, east)]

    def cell(self, latitude: float, longitude: float) -> tuple[int, int] | None:
        """The square of a place: distance and bearing from the middle, laid out flat."""
        a, b = math.radians(self.middle[0]), math.radians(latitude)
        along = math.radians(longitude - self.middle[1])
        away = apart_m(vector(latitude, longitude), vector(*self.middle)) * 6_371_008.8 / R_M
        bearing = math.atan2(
            math.sin(along) * math.cos(b), math.cos(a) * math.sin(b) - math.sin(a) * math.cos(b) * math.cos(along)
        )
        east, north = away * math.sin(bearing), away * math.cos(bearing)
        (west, south), (beyond, above) = self.ends
        x = self.middle[1] * math.cos(a) * DEGREE_M + east
        y = self.middle[0] * DEGREE_M + north
        c, r = math.floor(x / self.cell_m), math.floor(y / self.cell_m)
        return (c - west, r - south) if west <= c < beyond and south <= r < above else None


def name_of(cell: tuple[int, int]) -> str:
    """As on a chessboard, with two letters beyond the 26th column."""
    column, row = cell
    letters = chr(65 + column % 26)
    return f"{chr(64 + column // 26) if column >= 26 else ''}{letters}{row + 1}"


class Stay(NamedTuple):
    latitude: float
    longitude: float
    arrival: datetime
    departure: datetime


def stays_of(own: list[Report]) -> list[Stay]:
    """Runs of rows within 200 m of their first one that last for 20 minutes, at their mean place."""
    found, start, places = [], 0, [vector(each.latitude, each.longitude) for each in own]
    while start < len(own):
        end = start
        while end + 1 < len(own) and apart_m(places[end + 1], places[start]) <= 200.0:
            end += 1
        if own[end].time - own[start].time >= timedelta(minutes=20):
            run = own[start : end + 1]
            latitude, longitude = (math.fsum(each[k] for each in run) / len(run) for k in (2, 3))
            found.append(Stay(latitude, longitude, run[0].time, run[-1].time))
            start = end
        start += 1
    return found


class Kind(NamedTuple):
    """How far off the noisy counts of one cell or pair of cells are, and how large they are, on average over time slots."""

    error: float
    count: float

    @property
    def survives(self) -> bool:
        return self.count > 0 and self.error <= self.count / 2


class Told:
    """What counts tell under one setting."""

    def __init__(self, people: dict[str, list[Report]], zone: str, box: Box, setting: Setting) -> None:
        self.people, self.zone, self.box, self.setting = people, ZoneInfo(zone), box, setting

    @cached_property
    def period(self) -> tuple[datetime, int]:
        """Its first hour, a Monday's by the clock, and how many weeks it has."""
        every = [self.clock(each.time) for own in self.people.values() for each in own]
        first = min(every).replace(hour=0, minute=0, second=0)
        monday = first - timedelta(days=first.weekday())
        return monday, int((max(every) - monday) / timedelta(weeks=1)) + 1

    def clock(self, time: datetime) -> datetime:
        return time.astimezone(self.zone).replace(tzinfo=None)

    def bin(self, time: datetime) -> int:
        return int((self.clock(time) - self.period[0]) / timedelta(hours=self.setting.hours))

    @property
    def slots(self) -> int:
        return 168 if not self.setting.slot else self.period[1] * 168 // self.setting.hours

    @property
    def kinds(self) -> int:
        n = len(self.box.cells)
        return {"presence": n, "trips": n * (n - 1), "dwell": 6 * n}[self.setting.what]

    @property
    def possible(self) -> bool:
        return 0 < len(self.box.cells) <= MOST_CELLS and 0 < self.kinds * self.slots <= MOST_COUNTS

    @cached_property
    def added(self) -> set[tuple[str, Hashable, int]]:
        """Who adds to which kind in which time slot of the period."""
        found: set[tuple[str, Hashable, int]] = set()
        for name, own in self.people.items():
            if self.setting.what == "presence":
                found |= {(name, cell, self.bin(each.time)) for each in own if (cell := self.box.cell(*each[2:]))}
                continue
            before = None
            for stay in stays_of(own):
                cell = self.box.cell(stay.latitude, stay.longitude)
                if cell and self.setting.what == "dwell":
                    lasted = (stay.departure - stay.arrival) / timedelta(hours=1)
                    found.add((name, (cell, sum(lasted >= each for each in CLASSES_H) - 1), self.bin(stay.arrival)))
                elif cell and before and cell != before:
                    found.add((name, (before, cell), self.bin(stay.arrival)))
                before = cell
        return found

    def slot(self, at: int) -> int:
        return at % 168 if not self.setting.slot else at

    @cached_property
    def groups(self) -> dict[Hashable, list[tuple[Hashable, int]]]:
        """The counts of those contributions that share a limit."""
        found: dict[Hashable, list[tuple[Hashable, int]]] = defaultdict(list)
        for name, kind, at in self.added:
            shares = {"user": name, "window": (name, at), "event": (name, kind, at)}[self.setting.level]
            found[shares].append((kind, self.slot(at)))
        return found

    @property
    def limit(self) -> int:
        return self.setting.most if self.setting.level == "user" else 1

    @cached_property
    def cut(self) -> int:
        return sum(max(0, len(each) - self.limit) for each in self.groups.values())

    @cached_property
    def errors(self) -> dict[tuple[Hashable, int], float]:
        """How far off each count that somebody adds to is: over all ways to cut, and the noise."""
        lost: dict[tuple[Hashable, int], dict[int, float]] = defaultdict(lambda: {0: 1.0})
        for each in self.groups.values():
            n, drop = len(each), max(0, len(each) - self.limit)
            for count, alike in Counter(each).items():
                chance = {j: math.comb(alike, j) * math.comb(n - alike, drop - j) / math.comb(n, drop)
                          for j in range(max(0, drop - n + alike), min(alike, drop) + 1)}  # fmt: skip
                made: dict[int, float] = defaultdict(float)
                for a, p in lost[count].items():
                    for b, q in chance.items():
                        made[a + b] += p * q
                lost[count] = made
        return {count: math.fsum(p * self.off(cut) for cut, p in ways.items()) for count, ways in lost.items()}

    def off(self, cut: int) -> float:
        """The mean distance of whole noise from a number at least 0: ``c + 2 sum of P(X > j) over j >= c``."""
        q = math.exp(-self.setting.rate)
        return cut + 2 * q ** (cut + 1) / (1 - q * q)

    @cached_property
    def error(self) -> float:
        """The mean over all counts."""
        rest = self.kinds * self.slots - len(self.errors)
        return (math.fsum(self.errors.values()) + rest * self.off(0)) / (self.kinds * self.slots)

    @property
    def zeros(self) -> float:
        return len(self.added) / (self.kinds * self.slots)

    @property
    def useless(self) -> bool:
        return self.error > 0.9 * self.zeros

    @cached_property
    def by_kind(self) -> dict[Hashable, Kind]:
        """Of each kind that somebody adds to."""
        found: dict[Hashable, list[float]] = defaultdict(list)
        sizes = Counter(kind for _, kind, _ in self.added)
        for (kind, _), error in self.errors.items():
            found[kind].append(error)
        return {kind: self.kind(errors, sizes[kind]) for kind, errors in found.items()}

    def kind(self, errors: Iterable[float], size: int) -> Kind:
        known = list(errors)
        return Kind((math.fsum(known) + (self.slots - len(known)) * self.off(0)) / self.slots, size / self.slots)

    @property
    def survive(self) -> int:
        return sum(kind.survives for kind in self.by_kind.values())

    def index(self, kind: Hashable) -> int:
        """The position of a kind among all: cells row by row, pairs by where they begin, lengths of stays by their cell."""
        place = {cell: k for k, cell in enumerate(self.box.cells)}
        if self.setting.what == "presence":
            return place[kind]
        if self.setting.what == "dwell":
            return 6 * place[kind[0]] + kind[1]
        start, end = place[kind[0]], place[kind[1]]
        return start * (len(place) - 1) + end - (end > start)

    @cached_property
    def in_order(self) -> list[tuple[str, int, int]]:
        """Who adds in which slot to which kind, in this order."""
        return sorted((name, at, self.index(kind)) for name, kind, at in self.added)

    def by_slot(self, kept: Iterable[tuple[str, int, int]]) -> NDArray[np.int64]:
        """(slots, kinds) the counts."""
        found = np.zeros((self.slots, self.kinds), np.int64)
        for _, at, kind in kept:
            found[at, kind] += 1
        return found

    @cached_property
    def true(self) -> NDArray[np.int64]:
        return self.by_slot(self.in_order)

    def drawn_stream(self, scheme: str, seed: list[int]) -> tuple[NDArray[np.int64], int]:
        """What one draw of a stream says, and how many slots have new counts: algorithms 1 and 2 of Kellaris et al."""
        rng, epsilon, w = np.random.default_rng(seed), self.setting.epsilon, self.setting.sensitivity
        numbers = rng.random(len(self.in_order)).tolist()
        first: dict[tuple[str, int], tuple[float, tuple[str, int, int]]] = {}
        for number, each in zip(numbers, self.in_order, strict=True):
            first[each[:2]] = min(first.get(each[:2], (2.0, each)), (number, each))
        counts = self.by_slot(each for _, each in first.values())
        slots, kinds = counts.shape

        def noise(rate: float, size: int) -> NDArray[np.int64]:
            chance = -math.expm1(-rate)
            return rng.geometric(chance, size) - rng.geometric(chance, size)

        last, last_at, new, spent, said = np.zeros(kinds, np.int64), -1, 0, [0.0] * slots, []
        for t in range(slots):
            if scheme == "budget-distribution":
                budget = (epsilon / 2 - sum(spent[max(0, t - w + 1) : t])) / 2
            else:
                share = epsilon / (2 * w)
                skip = 0 if last_at < 0 else round(spent[last_at] / share) - 1
                if last_at >= 0 and t - last_at <= skip:
                    said.append(last)
                    continue
                budget = share * min(t - last_at - skip, w)
            off = (np.abs(counts[t] - last).sum() + noise(epsilon / (2 * w), 1)[0]) / kinds
            if off > 1 / math.sinh(budget):
                last, last_at, spent[t], new = counts[t] + noise(budget, kinds), t, budget, new + 1
            said.append(last)
        return np.array(said), new

    def at(self, kind: Hashable) -> Kind:
        """Of one cell or pair of cells as the map shows it: of stays, on average over their lengths."""
        empty = Kind(self.off(0), 0.0)
        if self.setting.what != "dwell":
            return self.by_kind.get(kind, empty)
        each = [self.by_kind.get((kind, k), empty) for k in range(6)]
        return Kind(math.fsum(one.error for one in each) / 6, math.fsum(one.count for one in each) / 6)


def reports_of(rows: Iterable[dict]) -> dict[str, list[Report]]:
    """The rows of each person in the order of time."""
    found: dict[str, list[Report]] = defaultdict(list)
    for row in rows:
        report = Report(row["person"], row["time"].to_pydatetime().astimezone(UTC), row["latitude"], row["longitude"])
        found[report.name].append(report)
    return {name: sorted(own, key=lambda each: each.time) for name, own in sorted(found.items())}


def box_around(people: dict[str, list[Report]], cell_m: float) -> Box:
    """The smallest box of quarters of a degree around all rows."""
    rows = [each for own in people.values() for each in own]
    ends = (
        math.floor(4 * min(each.latitude for each in rows)) / 4,
        math.floor(4 * min(each.longitude for each in rows)) / 4,
        math.ceil(4 * max(each.latitude for each in rows)) / 4,
        math.ceil(4 * max(each.longitude for each in rows)) / 4,
    )
    return Box(*ends, cell_m)
