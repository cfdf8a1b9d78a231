"""Names removed: how many people a few known points single out, and home and work together.

A point is a cell and a bin of hours in which a person reported. Somebody who knows k points of a person, from having seen
them there, looks for the tracks that have all k. Unicity is the share of people of whom only one track is left. Sources:
de Montjoye, Hidalgo, Verleysen, Blondel, "Unique in the crowd", 2013; Golle, Partridge, "On the anonymity of home/work
location pairs", 2009.

Everything here works on arrays of codes: whole numbers that name people, cells and bins.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import generator, number, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import METRES_PER_DEGREE, Floats, LocalFrame

Codes = NDArray[np.int64]

MOST_KNOWN = 20
"""The most points that are drawn of a person."""

NIGHT, WORK = (22.0, 6.0), (9.0, 17.0)
"""Hours in which people are at home, and from Monday to Friday at work, as in `inference.home_and_work`."""

LEAST_CELL_M, LEAST_HOURS = 1.0, 0.02
"""The smallest cell, and the shortest bin: a little more than a minute."""

_STRETCH = 1.01
"""Squares of a plane are used where it stretches lengths by at most this factor: within 1,560 km of its middle."""

_BLOCK = 2_000_000
"""How many pairs of a person and another one who may fit are compared at a time."""


def cell_codes(latitude: ArrayLike, longitude: ArrayLike, cell_m: float) -> Codes:
    """The square of `cell_m` metres in which each place lies, as a number; the middle of one square is the places' middle.

    No plane has squares for all of the Earth. Where places are more than 1,560 km from their middle, the squares lie in rows
    along parallels instead, as many in each as fit around the Earth.

    Parameters
    ----------
    latitude, longitude : (n,) degrees. cell_m : the side of a cell, metres, at least 1.

    Returns
    -------
    (n,) int64 : equal for places in one cell.

    Examples
    --------
    >>> cell_codes([48.860, 48.8601, 48.87], [2.34, 2.34, 2.34], 500.0).tolist()
    [0, 0, 2]
    """
    side = number(cell_m, "cell_m", LEAST_CELL_M)
    north, east = np.asarray(latitude, float), np.asarray(longitude, float)
    if not len(north):
        return np.zeros(0, np.int64)
    frame = LocalFrame.around(north, east)
    points = frame.to_metres(north, east)
    if frame.stretch(points) > _STRETCH:
        return _cells_along_parallels(north, east, side)
    square = np.floor(points / side + 0.5).astype(np.int64)
    square -= square.min(axis=0)
    return square[:, 0] * (int(square[:, 1].max()) + 1) + square[:, 1]


def _cells_along_parallels(latitude: Floats, longitude: Floats, side: float) -> Codes:
    """The square of each place, in rows along parallels; the sides differ where not a whole number fits around a row."""
    row = np.floor((latitude + 90.0) * METRES_PER_DEGREE / side)
    middle = np.radians(np.minimum((row + 0.5) * side / METRES_PER_DEGREE, 180.0) - 90.0)
    columns = np.maximum(np.round(360.0 * METRES_PER_DEGREE * np.cos(middle) / side), 1.0)
    column = np.floor((longitude + 180.0) / 360.0 * columns) % columns  # 180 degrees east and west are one meridian
    return (row * (columns.max() + 1.0) + column).astype(np.int64)


def hour_codes(local_time: ArrayLike, hours: float = 1.0) -> Codes:
    """The bin of `hours` hours in which each time lies: bins follow each other from midnight on 1 January 1970, a Thursday.

    Parameters
    ----------
    local_time : (n,) datetime64, the clock times of the place. hours : the length of a bin, 0.02 or more; to a second.

    Examples
    --------
    >>> hour_codes(np.array(["1970-01-01T05:59", "1970-01-01T06:00"], "datetime64[s]"), 6).tolist()
    [0, 1]
    """
    seconds = np.asarray(local_time).astype("datetime64[s]").astype(np.int64)
    return np.floor_divide(seconds, round(3_600 * number(hours, "hours", LEAST_HOURS))).astype(np.int64)


class KnownPoints:
    """The distinct points of many people, ready for `unicity` with several k.

    Parameters
    ----------
    person, cell, hour : (n,) whole numbers, one row a report.

    Attributes
    ----------
    people, points : how many people, and how many distinct pairs of a person and a point, there are.
    """

    def __init__(self, person: ArrayLike, cell: ArrayLike, hour: ArrayLike) -> None:
        who, where, when = (_codes(each, name) for each, name in ((person, "person"), (cell, "cell"), (hour, "hour")))
        if not len(who) == len(where) == len(when):
            raise InputError("person, cell and hour must have as many values as each other")
        names, who = _numbered(who)
        point = _numbered(where)[1] * (int(np.ptp(when)) + 1 if len(when) else 1) + (when - when.min(initial=0))
        # by point, then by person
        self.people = len(names)
        pairs = np.sort(_numbered(point)[1] * max(self.people, 1) + who)  # faster than np.unique
        self._pairs = pairs[np.diff(pairs, prepend=-1) > 0]
        self.points = len(self._pairs)

    @cached_property
    def _person(self) -> Codes:
        return self._pairs % self.people

    @cached_property
    def _first(self) -> Codes:
        """Where the people who have each point start in the pairs, and the end."""
        point = self._pairs // self.people
        return np.searchsorted(point, np.arange(int(point[-1]) + 2))

    @cached_property
    def _own(self) -> tuple[Codes, Codes]:
        """The points of all, person by person, and where each person's start, with the end."""
        order = np.argsort(self._person, kind="stable")
        start = np.searchsorted(self._person[order], np.arange(self.people + 1))
        return self._pairs[order] // self.people, start

    def unicity(self, k: int, *, rng: np.random.Generator) -> float:
        """The share of people whose k points, drawn at random among their own, no other person has all of.

        Parameters
        ----------
        k : how many points somebody knows, from 1 to 20; all of them of a person with fewer. rng : draws
            them.

        Returns
        -------
        float : from 0 to 1; 0 if there is nobody.

        Raises
        ------
        InputError : k is out of range.

        Notes
        -----
        Guarantee: none, this is a measurement with one draw per person. It says what is singled out in this table, not in
        a larger one.

        Examples
        --------
        >>> points = KnownPoints([1, 1, 2, 2, 3], [7, 8, 7, 9, 7], [0, 0, 0, 0, 0])
        >>> points.unicity(2, rng=np.random.default_rng(1))  # 7 is everybody's, 8 and 9 are one person's
        0.6666666666666666
        """
        whole(k, "k", most=MOST_KNOWN)
        return float(self.singled_out(self.drawn(k, rng)).mean()) if self.people else 0.0

    def drawn(self, k: int, rng: np.random.Generator) -> Codes:
        """k points of each person, drawn without replacement, (people, k); -1 where a person has fewer."""
        random = generator(rng)
        points, start = self._own
        size = np.diff(start)
        ranks = np.empty((self.people, k), np.int64)
        for j in range(k):
            rank = (random.random(self.people) * np.maximum(size - j, 1)).astype(np.int64)
            for before in np.sort(ranks[:, :j], axis=1).T:
                rank += rank >= before
            ranks[:, j] = rank
        there = np.arange(k) < size[:, None]
        return np.where(there, points[np.where(there, start[:-1, None] + ranks, 0)], -1)

    def singled_out(self, known: Codes) -> NDArray[np.bool_]:
        """Whether the known points of each person, (people, k) as `drawn` gives them, are together nobody else's."""
        count = np.diff(self._first)
        often = np.where(known < 0, self.points + 1, count[np.maximum(known, 0)])
        order = np.argsort(often, axis=1, kind="stable")
        known = np.take_along_axis(known, order, axis=1)  # the rarest first: few others have it
        alone = often.min(axis=1) == 1
        if known.shape[1] == 1:
            return alone
        left, step, done = np.flatnonzero(~alone), 16, 0
        size = count[known[:, 0]]
        while len(left):
            found = np.zeros(self.people, bool)
            for some in np.array_split(left, max(1, len(left) * step // _BLOCK)):
                found[some[self._shared(some, known[some], done, step)]] = True
            done += step
            left = left[~found[left]]
            alone[left[size[left] <= done]] = True
            left, step = left[size[left] > done], 4 * step
        return alone

    def _shared(self, who: Codes, known: Codes, done: int, step: int) -> NDArray[np.bool_]:
        """Which of the people `who` share all their known points with somebody else: of those who have the first point, the
        `step` people from number `done` on are compared."""
        start = self._first[known[:, 0]] + done
        size = np.clip(self._first[known[:, 0] + 1] - start, 0, step)
        owner = np.repeat(np.arange(len(who)), size)
        other = self._person[np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size) + start[owner]]
        owner, other = owner[other != who[owner]], other[other != who[owner]]
        for column in known[:, 1:].T:
            point = column[owner]
            wanted = np.maximum(point, 0) * self.people + other
            at = np.minimum(np.searchsorted(self._pairs, wanted), self.points - 1)
            fits = (point < 0) | (self._pairs[at] == wanted)
            owner, other = owner[fits], other[fits]
        found = np.zeros(len(who), bool)
        found[owner] = True
        return found


def unicity(person: ArrayLike, cell: ArrayLike, hour: ArrayLike, k: int, *, rng: np.random.Generator) -> float:
    """The share of people whose k points, drawn at random among their own (cell, hour) points, fit nobody else.

    Parameters
    ----------
    person, cell, hour : (n,) whole numbers, one row a report. k, rng : as in `KnownPoints.unicity`, which is faster for
    several k.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> unicity([1, 1, 2, 2], [5, 6, 5, 6], [0, 0, 0, 0], 2, rng=rng), unicity([1, 2], [5, 6], [0, 0], 1, rng=rng)
    (0.0, 1.0)
    """
    return KnownPoints(person, cell, hour).unicity(k, rng=rng)


class HomeWork(NamedTuple):
    """How many people home and work single out.

    Attributes
    ----------
    share : of the people with both, those whose pair of cells is nobody else's; NaN if nobody has both.
    alone, people : how many these are, and how many people have both.
    home_share : the same of people with a home, for the home cell by itself.
    """

    share: float
    alone: int
    people: int
    home_share: float


def home_and_work(person: ArrayLike, cell: ArrayLike, local_time: ArrayLike) -> HomeWork:
    """How many people are the only ones with their cell of home and their cell of work.

    Home is the cell of the largest share of the nights, work that of the working hours, as in `inference.home_and_work`:
    within a night every report counts the same, and every night counts the same.

    Parameters
    ----------
    person, cell : (n,) whole numbers, one row a report. local_time : (n,) datetime64, the clock times of the place.

    Examples
    --------
    >>> time = np.tile(np.array(["2026-03-02T12:00", "2026-03-02T23:00"], "datetime64[m]"), 3)
    >>> home_and_work([1, 1, 2, 2, 3, 3], [8, 5, 9, 5, 8, 5], time)
    HomeWork(share=0.3333333333333333, alone=1, people=3, home_share=0.0)
    """
    who, where = _codes(person, "person"), _codes(cell, "cell")
    clock = np.asarray(local_time).astype("datetime64[s]")
    if not len(who) == len(where) == len(clock):
        raise InputError("person, cell and local_time must have as many values as each other")
    names, who = _numbered(who)
    home, work = (usual_cells(who, where, clock, window, len(names)) for window in (NIGHT, WORK))
    both = (home >= 0) & (work >= 0)
    single = _single(np.stack([home[both], work[both]], axis=1))
    share = float(single.mean()) if both.any() else float("nan")
    at_home = _single(home[home >= 0][:, None])
    return HomeWork(share, int(single.sum()), int(both.sum()), float(at_home.mean()) if len(at_home) else float("nan"))


def usual_cells(person: Codes, cell: Codes, clock: NDArray[Any], window: tuple[float, float], people: int) -> Codes:
    """The cell of the largest share of the days' windows of each person, the lowest of equal ones; -1 without any, (people,).

    Parameters
    ----------
    person : (n,) from 0. cell : (n,) not negative. clock : (n,) datetime64. window : start and end in hours; one that crosses
    midnight belongs to the day on which it starts, and any other is only of Monday to Friday.
    """
    shift = np.timedelta64(round(3_600 * window[0]), "s")
    since = clock - shift
    day = since.astype("datetime64[D]")
    length = (window[1] - window[0]) % 24
    within = (since - day).astype("timedelta64[s]").astype(np.int64) < 3_600 * length
    if window[0] < window[1]:
        within &= (day.astype(np.int64) + 3) % 7 < 5  # 1 January 1970 was a Thursday
    who, where, when = person[within], cell[within], day[within].astype(np.int64)
    found = np.full(people, -1)
    if not len(who):
        return found
    _, nights, rows = np.unique(np.stack([who, when], axis=1), axis=0, return_inverse=True, return_counts=True)
    weight = 1.0 / rows[nights.ravel()]
    pairs, row = np.unique(np.stack([who, where], axis=1), axis=0, return_inverse=True)
    share = _sums(row.ravel(), weight, len(pairs))
    best = np.lexsort((pairs[:, 1], -share, pairs[:, 0]))
    first = best[np.unique(pairs[best, 0], return_index=True)[1]]
    found[pairs[first, 0]] = pairs[first, 1]
    return found


def _sums(group: Codes, weight: Floats, groups: int) -> Floats:
    """Sums by group, rounded so that equal shares are equal whatever the order of their terms."""
    return np.asarray(np.bincount(group, weight, groups), float).round(9)


def _single(rows: Codes) -> NDArray[np.bool_]:
    """Which rows are there only once."""
    _, group, count = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return count[group.ravel()] == 1


def _codes(values: ArrayLike, name: str) -> Codes:
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise refused(name, "one row of whole numbers", array.dtype.name if array.ndim == 1 else array.shape)
    return array.astype(np.int64)


def _numbered(values: Codes) -> tuple[Codes, Codes]:
    """The distinct values in order, and the number of each one."""
    low = int(values.min(initial=0))
    if len(values) and int(values.max()) - low <= 4 * len(values):  # a table instead of a sort
        there = np.bincount(values - low) > 0
        return np.flatnonzero(there) + low, (np.cumsum(there) - 1)[values - low]
    names, number = np.unique(values, return_inverse=True)
    return names, number.astype(np.int64)
