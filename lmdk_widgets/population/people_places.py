"""The stays and lasting places of many people at once: the same as `stay_points` and `places_of`, person by person.

Of each person with at most `MOST_DENSE` rows, all pairs of rows are compared once. The stays follow from these pairs, and so
does each place: the row with the most neighbours, then their mean. The places of several people are computed together,
round by round. Longer tracks are read one by one, by the functions for a single track.

No number depends on who else is computed with a person: every sum is over one person's rows, in their order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.main_places import APART_M, LASTING, MOST_PLACES, LastingPlace, lasting_places_of
from lmdk_widgets.answers.silences import LEAST_INTERVALS, LEAST_SILENCE_S, silence_ends
from lmdk_widgets.checks import one_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import EARTH_RADIUS_M, Floats, LocalFrame, distance_m
from lmdk_widgets.inference.main_place import main_place
from lmdk_widgets.population.together import Rows
from lmdk_widgets.trajectory.data_frame import text_of
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.parts import timestamps
from lmdk_widgets.trajectory.stays import stay_points

MOST_DENSE = 2_048
"""The most rows of a person of whom all pairs are compared."""

PAIRS = 4_000_000
"""About how many pairs of rows are stored at a time."""

NEAR_M = 200.0
"""The radius of a place and of a stay, metres."""

STAY_NS = 1_200_000_000_000
"""The shortest stay, nanoseconds."""

_UNSURE_M2 = 1e-2
"""Squared chords that are this close to a limit are decided by the great-circle distance, square metres."""

Whole = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, repr=False)
class Places:
    """The lasting places of some people.

    Attributes
    ----------
    landmarks : (people,) how many landmarks each has.
    reports : (people, MOST_PLACES) how many rows each person has at each place; 0 where there is no lasting place.
    marked : (people, MOST_PLACES) how many of these are landmarks.
    ends : by person and place, the places of the reports beside the silences that it leaves if its landmarks are left out,
        (k, 2) metres from its middle; only where there are any, and if they were asked for.
    """

    landmarks: Whole
    reports: Whole
    marked: Whole
    ends: dict[tuple[int, int], Floats] = field(default_factory=dict)


def places_of_people(rows: Rows, rule: Any = "stays", *, silences: bool = False) -> Places:
    """The lasting places of each person, and how many of its rows are landmarks.

    Parameters
    ----------
    rows : of all people. rule : "stays", "none", or the landmarks of each person by name, or in the order of the names: each
        indices, a mask or times. silences : whether the ends of silences are found too, which takes several times as long.
    """
    count = len(rows.names)
    by_place = np.zeros((2, count, MOST_PLACES), np.int64)
    found = Places(np.zeros(count, np.int64), by_place[0], by_place[1])
    vectors, given = vectors_of(rows), landmarks_by_rule(rows, rule)
    for who in _batches(rows.reports):
        _Batch(rows, vectors, who, given, silences=silences).add_to(found)
    for person in np.flatnonzero(rows.reports > MOST_DENSE).tolist():
        _add_long(rows, person, given, found, silences=silences)
    return found


def stay_rows(rows: Rows) -> tuple[Whole, Whole]:
    """The first and the last row of each stay, (stays,) each, by person and time: as `stay_points` of each track."""
    found: list[NDArray[np.int64]] = []
    vectors = vectors_of(rows)
    for who in _batches(rows.reports):
        first, last, owner = _Batch(rows, vectors, who, None, silences=False).stays
        found.append(rows.starts[who[owner]] + np.stack([first, last]))
    for person in np.flatnonzero(rows.reports > MOST_DENSE).tolist():
        stays = [(stay.first, stay.last) for stay in stay_points(track_of(rows, person))]
        found.append(rows.starts[person] + np.array(stays, np.int64).reshape(-1, 2).T)
    both = np.concatenate([*found, np.zeros((2, 0), np.int64)], axis=1)
    first, last = both[:, np.argsort(both[0])]
    return first, last


def vectors_of(rows: Rows) -> tuple[Floats, ...]:
    """Where each row is, metres from the middle of the Earth: three axes, (rows,) each."""
    phi, lam = np.radians(rows.latitude), np.radians(rows.longitude)
    unit = np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)
    return tuple(EARTH_RADIUS_M * axis for axis in unit)


def landmarks_by_rule(rows: Rows, rule: Any) -> Mask | None:
    """(rows,) which rows are landmarks; None if their stays decide."""
    if isinstance(rule, str):
        return None if one_of(rule, "rule", ("stays", "none")) == "stays" else np.zeros(len(rows), bool)
    chosen = _chosen(rows, rule)
    if unknown := sorted(set(chosen) - set(rows.names.tolist())):
        raise InputError("rule must name people of the table", value=f"{len(unknown):,} other names")
    marked = np.zeros(len(rows), bool)
    for k, name in enumerate(rows.names.tolist()):
        if name in chosen:
            marked[rows.starts[k] + _timestamps(rows, k, chosen[name])] = True
    return marked


def _chosen(rows: Rows, rule: Any) -> dict[str, Any]:
    """The landmarks by name."""
    if isinstance(rule, Mapping):
        return {text_of(name): value for name, value in rule.items()}
    if not isinstance(rule, Sequence):
        raise refused("rule", '"stays", "none" or the landmarks of each person', rule)
    if len(rule) != len(rows.names):
        raise refused("rule", f"landmarks for each of {len(rows.names):,} people", f"those of {len(rule):,}")
    return dict(zip(rows.names.tolist(), rule, strict=True))


def _timestamps(rows: Rows, person: int, chosen: Any) -> Whole:
    """The landmarks of one person, who may be given as indices, a mask or times."""
    start, end = rows.starts[person], rows.starts[person + 1]
    return np.array(timestamps(chosen, rows.time[start:end], rows.zone), np.int64)


def track_of(rows: Rows, person: int, landmarks: Sequence[int] = ()) -> Trajectory:
    """One person's track."""
    of = slice(rows.starts[person], rows.starts[person + 1])
    name = str(rows.names[person])
    return Trajectory(rows.latitude[of], rows.longitude[of], rows.time[of], tuple(landmarks), name=name, zone=rows.zone)


def track_by_rule(rows: Rows, person: int, rule: Any) -> Trajectory:
    """One person's track with the landmarks of a rule for all of them."""
    track = track_of(rows, person)
    if isinstance(rule, str):
        marks = [] if rule == "none" else [stay.timestamp for stay in stay_points(track)]
    elif (name := str(rows.names[person])) in (chosen := _chosen(rows, rule)):
        marks = _timestamps(rows, person, chosen[name]).tolist()
    else:
        marks = []
    return track_of(rows, person, marks)


def _batches(reports: Whole) -> Iterator[Whole]:
    """People of similar length, as many together as fit."""
    order = np.argsort(reports, kind="stable")
    order = order[reports[order] <= MOST_DENSE]
    while len(order):
        sizes = reports[order[: max(1, PAIRS)]]
        pairs = sizes**2 * np.arange(1, len(sizes) + 1)
        some = max(1, int(np.searchsorted(pairs, PAIRS, side="right")))
        yield order[:some]
        order = order[some:]


class _Batch:
    """Some people, each a row of arrays (people, width)."""

    def __init__(
        self, rows: Rows, vectors: tuple[Floats, ...], who: Whole, given: Mask | None, *, silences: bool
    ) -> None:
        self.rows, self.who = rows, who
        self.sizes = rows.reports[who]
        width = int(self.sizes.max())
        self.there = np.arange(width) < self.sizes[:, None]
        self.at = np.where(self.there, rows.starts[who, None] + np.arange(width), rows.starts[who, None])
        self.vectors = [np.ascontiguousarray(axis[self.at]) for axis in vectors]
        self.near = np.zeros((len(who), width, width), bool)
        self.stays = first, last, owner = self._compare()
        self.marked = self._stays(first, last, owner) if given is None else given[self.at] & self.there
        self.long = self._long_silences() if silences else np.zeros(self.there.shape, bool)

    def _compare(self) -> tuple[Whole, Whole, Whole]:
        """Compare all pairs; first and last row of each stay, and whose it is."""
        chord2 = (2 * EARTH_RADIUS_M * math.sin(NEAR_M / EARTH_RADIUS_M / 2)) ** 2
        width = self.there.shape[1]
        later = np.triu(np.ones((width, width), bool), 1)
        first, last, owner = list[int](), list[int](), list[int]()
        buffers = np.empty(width * width), np.empty(width * width)
        for k, n in enumerate(self.sizes.tolist()):
            square, axis2 = (buffer[: n * n].reshape(n, n) for buffer in buffers)
            for number, axis in enumerate(self.vectors):
                target = axis2 if number else square
                np.subtract(axis[k, :n, None], axis[k, None, :n], out=target)
                np.multiply(target, target, out=target)
                if number:
                    square += axis2
            near = square <= chord2
            self.near[k, :n, :n] = near
            far = ~near
            far &= later[:n, :n]
            end = far.argmax(axis=1)
            end[~far[np.arange(n), end]] = n
            time = self.rows.time[self.rows.starts[self.who[k]] :][:n].astype(np.int64)
            enough = np.searchsorted(time, time + STAY_NS)
            after = 0
            for anchor in np.flatnonzero((enough < n) & (end > enough)).tolist():
                if anchor >= after:
                    after = int(end[anchor])
                    first.append(anchor)
                    last.append(after - 1)
                    owner.append(k)
        return np.array(first, np.int64), np.array(last, np.int64), np.array(owner, np.int64)

    def _stays(self, first: Whole, last: Whole, owner: Whole) -> Mask:
        """The landmarks: of each stay the row nearest to its mean."""
        marked = np.zeros(self.there.shape, bool)
        if not len(first):
            return marked
        lengths = (last - first + 1).astype(np.intp)  # of 4 bytes in a browser, where a repetition takes no others
        stay = np.repeat(np.arange(len(first)), lengths)
        column = np.arange(len(stay)) - np.repeat(np.cumsum(lengths) - lengths - first, lengths)
        rows = self.at[owner[stay], column]
        points = _points_m(self.rows, rows, self.at[owner, first][stay])
        mean = _means(points, stay, lengths)
        away = np.hypot(points[:, 0] - mean[stay, 0], points[:, 1] - mean[stay, 1])
        least = np.minimum.reduceat(away, np.cumsum(lengths) - lengths)
        at_least = np.flatnonzero(away == least[stay])
        _, nearest = np.unique(stay[at_least], return_index=True)
        marked[owner, column[at_least[nearest]]] = True
        return marked

    def _long_silences(self) -> Mask:
        """Landmarks that leave a silence if they are left out."""
        found = np.zeros(self.there.shape, bool)
        for k in np.flatnonzero(self.marked.any(axis=1)).tolist():
            n = int(self.sizes[k])
            when = self.rows.time[self.at[k, :n]].astype("datetime64[ms]").astype(np.int64) / 1e3
            mark = self.marked[k, :n]
            heard = np.flatnonzero(~mark)
            usual = float(np.median(np.diff(when))) if n > 1 else 0.0
            at = np.flatnonzero(mark)
            place = np.searchsorted(heard, at)
            heard = np.concatenate(([0], heard, [n - 1]))
            long = when[heard[place + 1]] - when[heard[place]] >= max(LEAST_SILENCE_S, LEAST_INTERVALS * usual)
            found[k, at] = long
        return found

    def add_to(self, found: Places) -> None:
        """Find the places of these people, one after another for all of them together."""
        found.landmarks[self.who] = self.marked.sum(axis=1)
        left = self.there.copy()
        counts = np.where(left, self.near.sum(axis=2), 0)
        for place in range(MOST_PLACES):
            best = counts.argmax(axis=1)
            most = counts[np.arange(len(best)), best]
            if most.max() < 2:  # only single rows are left
                return
            latitude, longitude, members, far = self._place(best, left)
            lasting = members.sum(axis=1) >= LASTING
            there = np.where(lasting[:, None], members, False)
            found.reports[self.who, place] = there.sum(axis=1)
            found.marked[self.who, place] = (there & self.marked).sum(axis=1)
            for k in np.flatnonzero((there & self.long).any(axis=1)).tolist():
                self._add_ends(found, k, place, there[k], float(latitude[k]), float(longitude[k]))
            gone = left & ~far
            left &= far
            for k in np.flatnonzero(gone.any(axis=1)).tolist():
                counts[k] -= self.near[k, gone[k]].sum(axis=0)
            counts[~left] = 0

    def _place(self, best: Whole, left: Mask) -> tuple[Floats, Floats, Mask, Mask]:
        """The middles of the places around these rows, degrees; the rows left there, and those farther than `APART_M`."""
        people = np.arange(len(best))
        near = self.near[people, best] & left
        near[~left[people, best]] = False
        near[people, best] = True  # of nobody's rows the first, which is left out below
        person, column = np.nonzero(near)
        sizes = near.sum(axis=1)
        centre = self.at[people, best]
        points = _points_m(self.rows, self.at[person, column], centre[person])
        mean = _means(points, person, sizes)
        frame = _frame(self.rows.latitude[centre], self.rows.longitude[centre])
        latitude, longitude = frame.to_degrees(mean)
        phi, lam = np.radians(latitude), np.radians(longitude)
        axes = np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)
        away2 = np.zeros(left.shape)
        for number, (axis, middle) in enumerate(zip(self.vectors, axes, strict=True)):
            apart = (axis - (EARTH_RADIUS_M * middle)[:, None]) ** 2
            away2 = apart if not number else away2 + apart
        members = left & (away2 <= _chord2(NEAR_M))
        far = left & (away2 > _chord2(APART_M))
        person, column = np.nonzero(left & (np.abs(away2 - _chord2(APART_M)) < _UNSURE_M2))
        if len(person):
            at = self.at[person, column]
            metres = distance_m(latitude[person], longitude[person], self.rows.latitude[at], self.rows.longitude[at])
            far[person, column] = metres > APART_M
        return latitude, longitude, members, far

    def _add_ends(self, found: Places, k: int, place: int, there: Mask, latitude: float, longitude: float) -> None:
        n, person = int(self.sizes[k]), int(self.who[k])
        left_out = there[:n] & self.marked[k, :n]

        def middle() -> tuple[float, float]:
            if (left_out == there[:n]).all():
                return latitude, longitude
            own = np.flatnonzero(left_out)
            near = self.near[k][np.ix_(own, own)]
            best = int(near.sum(axis=1).argmax())
            centre, members = self.at[k, own[best]], self.at[k, own[near[best]]]
            frame = LocalFrame(float(self.rows.latitude[centre]), float(self.rows.longitude[centre]))
            mean = frame.to_metres(self.rows.latitude[members], self.rows.longitude[members]).mean(axis=0)
            return tuple(map(float, frame.to_degrees(mean)))  # type: ignore[return-value]

        _add_ends(found, (person, place), track_of(self.rows, person), left_out, self.marked[k, :n], middle)


def _add_long(rows: Rows, person: int, given: Mask | None, found: Places, *, silences: bool) -> None:
    """The same for one person with many rows."""
    track = track_of(rows, person)
    marked = np.zeros(len(track), bool)
    if given is None:
        marked[[stay.timestamp for stay in stay_points(track)]] = True
    else:
        marked[:] = given[rows.starts[person] : rows.starts[person + 1]]
    found.landmarks[person] = marked.sum()
    for place, one in enumerate(lasting_places_of(track)):
        found.reports[person, place] = one.members.sum()
        found.marked[person, place] = (one.members & marked).sum()
        if silences:
            left_out = one.members & marked
            _add_ends(found, (person, place), track, left_out, marked, partial(_middle, track, one, left_out))


def _middle(track: Trajectory, place: LastingPlace, left_out: Mask) -> tuple[float, float]:
    """Of a place, or of those of its rows that are left out, degrees."""
    if (left_out == place.members).all():
        return place.latitude, place.longitude
    return main_place(track.latitude[left_out], track.longitude[left_out])[:2]


def _add_ends(
    found: Places,
    key: tuple[int, int],
    track: Trajectory,
    left_out: Mask,
    marked: Mask,
    middle: Callable[[], tuple[float, float]],
) -> None:
    """Add the reports beside the silences of a place whose landmarks are left out."""
    if left_out.any() and len(ends := silence_ends(track, left_out, ~marked)):
        found.ends[key] = track.points_m[ends] - track.frame.to_metres(*middle())


def _chord2(metres: float) -> float:
    return (2 * EARTH_RADIUS_M * math.sin(metres / EARTH_RADIUS_M / 2)) ** 2


def _frame(latitude: Floats, longitude: Floats) -> LocalFrame:
    """A frame around each of several points, for one point each."""
    return LocalFrame(latitude, longitude)  # type: ignore[arg-type]


def _points_m(rows: Rows, at: Whole, centre: Whole) -> Floats:
    """(k, 2) rows in metres, each in the frame around another row."""
    frame = _frame(rows.latitude[centre], rows.longitude[centre])
    return frame.to_metres(rows.latitude[at], rows.longitude[at])


def _means(points: Floats, group: Whole, sizes: Whole) -> Floats:
    """(groups, 2) the mean of each group, summed in the order of its rows."""
    sums = [np.bincount(group, points[:, axis], len(sizes)) for axis in (0, 1)]
    return np.stack(sums, axis=-1) / sizes[:, None]
