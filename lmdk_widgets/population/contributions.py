"""What people add to counts: which of them were in which cell and hour, went from where to where, or stayed how long.

    rows --Counting--> contributions: (person, count, time slot), each once  --> counts of people

Everything that says which counts there are is public: the region, the cells of the fixed global grid in it, the period and
the time slots. So the list of counts does not depend on the table, and a count of nobody is among them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import one_of, positive, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Area, Floats, Region
from lmdk_widgets.population.people_places import stay_rows
from lmdk_widgets.population.together import Rows
from lmdk_widgets.trajectory.zones import find_zone, to_local

Whole = NDArray[np.int64]

WHAT: dict[str, str] = {
    "presence": "people who were in each cell, in each time slot",
    "trips": "people who went from one cell to another and stayed there",
    "dwell": "people who stayed in each cell, by how long they stayed",
}
"""What is counted."""

STAYED_H = (0.0, 1.0, 2.0, 4.0, 8.0, 12.0)
"""Where the classes of how long somebody stayed begin, hours."""

WEEK_H = 168
MOST_COUNTS = 2_000_000
"""The most counts that are made at once."""

_MONDAY = np.datetime64("1970-01-05", "h")


@dataclass(frozen=True)
class Counting:
    """Which counts there are. All of it is public, and none of it may come from the table.

    Attributes
    ----------
    region : the public area. cell_m : the side of a cell, metres.
    start, until : the period by the clock of the zone, whole hours, as texts or datetime64; `until` is beyond its end.
    hours : the length of a time slot. weekly : whether the same slots of all weeks are one count.
    what : a key of `WHAT`. zone : IANA name of the clock.

    Raises
    ------
    InputError : a period that is no whole number of slots, a week that is none, too many counts.

    Examples
    --------
    >>> week = Counting(Region(48.75, 2.25, 49.0, 2.5), 4_000.0, "2026-03-02", "2026-03-09", 6)
    >>> len(week.area), week.slots, len(week)
    (35, 28, 980)
    """

    region: Region
    cell_m: float
    start: Any
    until: Any
    hours: int = 1
    weekly: bool = False
    what: str = "presence"
    zone: str = "UTC"
    area: Area = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        one_of(self.what, "what", tuple(WHAT))
        positive(self.cell_m, "cell_m")
        start, until = (_hour(getattr(self, name), name) for name in ("start", "until"))
        for name, value in (("start", start), ("until", until), ("zone", find_zone(self.zone).key)):
            object.__setattr__(self, name, value)
        length, hours = int((until - start) / np.timedelta64(1, "h")), whole(self.hours, "hours")
        if length <= 0 or length % hours:
            raise refused("the period", f"a whole number of time slots of {hours} h", f"{length:,} h")
        if self.weekly and (WEEK_H % hours or (start - _MONDAY) // np.timedelta64(1, "h") % hours):
            raise refused("a time slot of a week", "a part of the week that the period begins with", f"{hours} h")
        object.__setattr__(self, "area", self.region.grid(self.cell_m))
        if len(self) > MOST_COUNTS:
            remedy = "Choose larger cells, longer time slots or a shorter period"
            raise InputError(
                f"There must be at most {MOST_COUNTS:,} counts", value=f"{len(self):,}", remedy=remedy, kind="counts"
            )
        if not self.kinds:
            raise InputError("Trips must have at least two cells", value="one", remedy="Choose smaller cells")

    @property
    def bins(self) -> int:
        """How many time slots the period has."""
        return int((self.until - self.start) / np.timedelta64(1, "h")) // self.hours

    @property
    def slots(self) -> int:
        """How many of them are counted apart."""
        return WEEK_H // self.hours if self.weekly else self.bins

    @property
    def kinds(self) -> int:
        """How many counts each slot has."""
        cells = len(self.area)
        return {"presence": cells, "trips": cells * (cells - 1), "dwell": cells * len(STAYED_H)}[self.what]

    def __len__(self) -> int:
        return self.kinds * self.slots

    def bins_of(self, local: NDArray[np.datetime64]) -> Whole:
        """The time slot of each local time, counted from the start of the period; -1 outside the period."""
        since = (local.astype("datetime64[s]") - np.datetime64(self.start, "s")).astype(np.int64)
        at: Whole = np.floor_divide(since, 3_600 * self.hours)
        return np.where((at >= 0) & (at < self.bins), at, -1)

    def slots_of(self, bins: Whole) -> Whole:
        """The slot that is counted, of each time slot of the period."""
        if not self.weekly:
            return bins
        first = int((np.datetime64(self.start, "h") - _MONDAY) / np.timedelta64(1, "h")) // self.hours
        return (bins + first) % self.slots

    def cells_of(self, latitude: Floats, longitude: Floats) -> Whole:
        """The cell of each place; -1 for those outside."""
        return self.area.cell_of(self.region.frame.to_metres(latitude, longitude))

    def outside(self, rows: Rows) -> int:
        """How many rows are outside the region or the period."""
        at = self.bins_of(to_local(rows.time, find_zone(self.zone)))
        return int(((self.cells_of(rows.latitude, rows.longitude) < 0) | (at < 0)).sum())

    def split(self, of: Whole | None = None) -> tuple[Whole, Whole]:
        """The kind and the slot of each count: the counts of one slot follow each other."""
        counts = np.arange(len(self)) if of is None else of
        return counts % self.kinds, counts // self.kinds

    def ends_of(self, kind: Whole) -> tuple[Whole, Whole]:
        """For trips, the cells from which and to which each kind leads."""
        beyond = len(self.area) - 1
        start, rest = kind // beyond, kind % beyond
        return start, rest + (rest >= start)

    def trip(self, start: Whole, end: Whole) -> Whole:
        """The kind of a trip between two different cells."""
        return start * (len(self.area) - 1) + end - (end > start)


def _hour(value: Any, name: str) -> np.datetime64:
    try:
        found = np.datetime64(value, "s")
    except ValueError:
        raise refused(name, "a time such as 2026-03-02 or 2026-03-02T06", value) from None
    if np.isnat(found) or found != found.astype("datetime64[h]"):
        raise refused(name, "a whole hour", value)
    return found.astype("datetime64[h]")


class Stays(NamedTuple):
    """The stays of many people, by person and time.

    person : (stays,) whose it is. latitude, longitude : its mean place, degrees. arrival, departure : UTC.
    """

    person: Whole
    latitude: Floats
    longitude: Floats
    arrival: NDArray[np.datetime64]
    departure: NDArray[np.datetime64]


def stays_of(rows: Rows) -> Stays:
    """The stays of each person, as `stay_points` finds them: each from that person's rows alone."""
    first, last = stay_rows(rows)
    latitude, longitude = (_means(each, first, last) for each in (rows.latitude, rows.longitude))
    return Stays(rows.person[first], latitude, longitude, rows.time[first], rows.time[last])


def _means(values: Floats, first: Whole, last: Whole) -> Floats:
    """The mean of each stretch of values, both ends included; the stretches do not overlap."""
    ends = np.stack([first, last + 1], axis=1).ravel().astype(np.intp)  # of 4 bytes in a browser
    sums = np.add.reduceat(np.append(values, 0.0), ends)[::2] if len(ends) else np.zeros(0)
    return np.asarray(sums / (last - first + 1))


@dataclass(frozen=True, eq=False)
class Contributions:
    """What each person adds to the counts: each of these adds 1 to one of them.

    Attributes
    ----------
    counting : which counts there are.
    names : (people,) texts, sorted.
    person : (n,) whose it is, increasing. kind : (n,) of the count. bin : (n,) the time slot, counted from the start of the
        period. A person has a kind and a bin together only once.
    """

    counting: Counting
    names: NDArray[np.str_]
    person: Whole
    kind: Whole
    bin: Whole

    @classmethod
    def of(cls, rows: Rows, counting: Counting, stays: Stays | None = None) -> Contributions:
        """Of a table's rows. What is outside the region or the period adds nothing. stays : those of the rows, if known."""
        zone = find_zone(counting.zone)
        if counting.what == "presence":
            at = counting.bins_of(to_local(rows.time, zone))
            kind = counting.cells_of(rows.latitude, rows.longitude)
            return cls._made(counting, rows.names, rows.person, kind, at)
        found = stays_of(rows) if stays is None else stays
        cell, at = counting.cells_of(found.latitude, found.longitude), counting.bins_of(to_local(found.arrival, zone))
        if counting.what == "dwell":
            long_h = (found.departure - found.arrival) / np.timedelta64(1, "h")
            kind = cell * len(STAYED_H) + np.searchsorted(STAYED_H, long_h, side="right") - 1
            return cls._made(counting, rows.names, found.person, np.where(cell < 0, -1, kind), at)
        start, end, goes = cell[:-1], cell[1:], found.person[:-1] == found.person[1:]
        goes &= (start >= 0) & (end >= 0) & (start != end)
        trip = np.where(goes, counting.trip(start, end), -1)
        return cls._made(counting, rows.names, found.person[1:], trip, at[1:])

    @classmethod
    def _made(cls, counting: Counting, names: NDArray[np.str_], person: Whole, kind: Whole, at: Whole) -> Contributions:
        inside = (kind >= 0) & (at >= 0)
        each = (person[inside] * counting.bins + at[inside]) * counting.kinds + kind[inside]
        once = np.unique(each)
        rest = once // counting.kinds
        return cls(counting, names, rest // counting.bins, once % counting.kinds, rest % counting.bins)

    def __len__(self) -> int:
        return len(self.person)

    def __repr__(self) -> str:
        return f"Contributions({len(self.names):,} people, {len(self):,} of them)"  # no name and no place

    @cached_property
    def count(self) -> Whole:
        """(n,) the count that each adds to."""
        return self.counting.slots_of(self.bin) * self.counting.kinds + self.kind

    @cached_property
    def true(self) -> Whole:
        """(counts,) the true counts."""
        return self.added(np.ones(len(self), bool))

    @cached_property
    def each(self) -> Whole:
        """(people,) how many each person has."""
        return np.bincount(self.person, minlength=len(self.names))

    def added(self, kept: NDArray[np.bool_]) -> Whole:
        """(counts,) the counts of some of them."""
        return np.bincount(self.count[kept], minlength=len(self.counting))

    def by_bin(self, kept: NDArray[np.bool_]) -> Whole:
        """(bins, kinds) the counts of some of them in each time slot of the period."""
        at = self.bin[kept] * self.counting.kinds + self.kind[kept]
        return np.bincount(at, minlength=self.counting.bins * self.counting.kinds).reshape(-1, self.counting.kinds)
