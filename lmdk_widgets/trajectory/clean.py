"""From the rows of a file to a track: check every point, drop what the user allows, sort, find the landmarks.

If a time occurs more than once, the first of its points is kept, or the last, or their mean, as the user chooses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError, Offer
from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.trajectory.raw import RawPoints, Waypoint
from lmdk_widgets.trajectory.times import FORMS, Times, parse_times
from lmdk_widgets.trajectory.words import counted

NEAR_M = 200.0
"""A waypoint marks the nearest point of the track if it is at most this far away, metres."""

MOST_LOST = 0.02
"""The share of rows that can be left out without asking; below `_MOST_FEW`, up to `_FEW` of them can."""
_FEW, _MOST_FEW = 3, 0.1
_STAY, _MOST_NAMED = (
    np.timedelta64(10, "m"),
    50,
)  # of points left out, those of which it is found whether they end a stay
_MOST_WAYPOINTS = 1_000
_SHOWN = 4  # reasons that a message lists, and lines for each
_DEGREES_PER_M = 1 / 111_000  # slightly too large: a margin for the search by latitude


CHOICES = ("first", "last", "average")
"""What can be done about repeated times, other than refusing them."""

Rows = NDArray[np.intp]


class TrackFields(TypedDict):
    """The fields of a `Trajectory` that is made from rows."""

    latitude: Floats
    longitude: Floats
    time: NDArray[np.datetime64]
    landmarks: tuple[int, ...]
    labels: tuple[str, ...]
    name: str
    notices: tuple[str, ...]
    zone: str
    format: str


class _Kept(NamedTuple):
    """The m points kept, one for each time, from points in time order that may share times.

    Attributes
    ----------
    rows : (m,) the points kept. latitude, longitude : (m,) degrees.
    moved_m : (m,) how far each place is from that of the first point with its time, metres.
    """

    rows: Rows
    latitude: Floats
    longitude: Floats
    moved_m: Floats


def clean(
    raw: RawPoints, times: Times, *, drop: bool | None, zone: str = "", on_repeat: str | None = None
) -> TrackFields:
    """The fields of the track made from the rows of a file.

    `on_repeat` is one of `CHOICES`, "stop", or None: then points with repeated times cannot be used. `drop` says whether
    points that cannot be used are left out; None: if they are few, and of rows that repeat another one all but the first.

    Raises
    ------
    InputError of kind "rows" for points that cannot be used, unless `drop`, for repeated times if `on_repeat` is
    "stop", and if no point is left.
    """
    bad = ~((np.abs(raw.latitude) <= 90) & (np.abs(raw.longitude) <= 180))  # written so that NaN is bad
    where = np.flatnonzero(bad).tolist()
    raw.add_problems({row: coordinate_reason(raw.latitude[row], raw.longitude[row]) for row in where})
    raw.add_problems(times.problems)
    usable = np.ones(len(times.utc), bool)
    usable[list(raw.problems)] = False
    rows = np.flatnonzero(usable)
    if raw.strict:
        raw.add_problems(_late(raw, times, rows))
    rows = rows[np.argsort(times.utc[rows], kind="stable")]
    repeated = np.r_[False, np.diff(times.utc[rows]) == np.timedelta64(0, "ns")] if len(rows) else np.zeros(0, bool)
    chosen = on_repeat in CHOICES
    if drop is None and on_repeat is None and not raw.strict and repeated.any():
        copies = _copies(raw, rows, repeated)
        if copies.any():
            raw.note_left_out(
                int(copies.sum()),
                f"{raw.noun} that repeats another one was",
                f"{raw.noun}s that repeat another one were",
            )
            rows, repeated = rows[~copies], repeated[~copies]
    twice = {} if chosen else _repeats(raw, rows, repeated)
    alone = drop or not raw.problems  # repeated times are the only problem
    raw.add_problems(twice)
    if drop is None and on_repeat != "stop" and are_few(len(raw.problems), len(times.utc)) and not raw.strict:
        drop, raw.names_problems = True, True
    if (raw.problems and not drop) or (twice and on_repeat == "stop") or not len(rows):
        offers = _offers(raw, rows, repeated, alone=alone) if twice and not raw.strict else ()
        raise _rows_error(raw, len(times.utc), twice if drop and twice else raw.problems, offers)
    kept = _resolve(raw, rows, repeated, str(on_repeat))
    said = [_said_of_repeats(raw, kept, repeated, str(on_repeat))] if chosen and repeated.any() else []
    flags, landmarks = raw.is_landmark, list[int]()
    if flags is not None:
        marked = np.logical_or.reduceat(flags[rows], np.flatnonzero(~repeated)) if chosen else flags[kept.rows]
        landmarks = np.flatnonzero(marked).tolist()
    return _track(raw, times, kept, landmarks, said, zone)


def drop_of(how: Mapping[str, Any]) -> bool | None:
    """Whether points that cannot be used are left out, by the options of a reader; None if they are few."""
    said = how.get("on_problem")
    return True if said == "drop" or (said is None and how.get("accept")) else None if said is None else False


def are_few(count: int, total: int) -> bool:
    """Whether so many rows of a file can be left out without asking: under 2 %, or at most 3 and under 10 %."""
    return 0 < count < MOST_LOST * total or (0 < count <= _FEW and count < _MOST_FEW * total)


def _copies(raw: RawPoints, rows: NDArray[np.intp], repeated: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the points with a repeated time say the same as the first of that time: (n,) bool."""
    first = rows[np.maximum.accumulate(np.where(repeated, 0, np.arange(len(rows))))]
    same = repeated & (raw.latitude[rows] == raw.latitude[first]) & (raw.longitude[rows] == raw.longitude[first])
    if raw.values is not None:
        same &= (raw.values[rows] == raw.values[first]) | (np.isnan(raw.values[rows]) & np.isnan(raw.values[first]))
    if raw.is_landmark is not None:
        same &= raw.is_landmark[rows] == raw.is_landmark[first]
    return same


def _track(raw: RawPoints, times: Times, kept: _Kept, landmarks: list[int], said: list[str], zone: str) -> TrackFields:
    """The track of the points kept, in time order."""
    rows, place = kept.rows, (kept.latitude, kept.longitude)
    marked, beside = _mark(raw.waypoints, *place, times.utc[rows])
    return TrackFields(
        latitude=kept.latitude,
        longitude=kept.longitude,
        time=times.utc[rows],
        landmarks=tuple({*landmarks, *marked}),
        labels=tuple(raw.labels[row] for row in rows) if raw.labels else (),
        name=raw.name,
        notices=(*_notices(raw, times, rows), *said, *beside, *_no_fix(*place)),
        zone=zone,
        format=raw.format,
    )


def _offers(raw: RawPoints, rows: NDArray[np.intp], repeated: NDArray[np.bool_], *, alone: bool) -> Sequence[Offer]:
    """The choices for repeated times; if there are other problem rows, these are dropped first."""
    if alone:
        return _choices(raw, rows, repeated)
    return [(f"Drop these {raw.noun}s and load", {"on_problem": "drop", "on_repeat": "stop"})]


def coordinate_reason(latitude: float, longitude: float) -> str:
    """Why coordinates are out of range. Their values are not shown: swapped ones would give the place away."""
    if 90 < abs(latitude) <= 180 and abs(longitude) <= 90:
        return "latitude and longitude look swapped"
    for which, value, most in (("latitude", latitude, 90), ("longitude", longitude, 180)):
        if not np.isfinite(value):
            return f"the {which} is not a number"
        if abs(value) > most:
            # 999 and similar numbers mean "no fix"; any other value may be a place in another unit.
            sentinel = f" {value:.0f}" if re.fullmatch(r"-?9{3,6}\.0", str(float(value))) else ""
            return f"the {which}{sentinel} is outside -{most} to {most}"
    raise AssertionError("the coordinates are in range")


def _repeats(raw: RawPoints, rows: NDArray[np.intp], repeated: NDArray[np.bool_]) -> dict[int, str]:
    """Reasons for points with a repeated time; `rows` are in time order, and the first of equal times is kept."""
    first = np.maximum.accumulate(np.where(repeated, 0, np.arange(len(rows))))
    return _beside(raw, "it has the same time as", rows[repeated], rows[first[repeated]])


def _late(raw: RawPoints, times: Times, rows: NDArray[np.intp]) -> dict[int, str]:
    """Reasons for points that come after a later one; `rows` are in file order."""
    time = times.utc[rows]
    newest = np.maximum.accumulate(time)
    at = np.maximum.accumulate(np.where(time == newest, np.arange(len(time)), 0))
    late = time < newest
    return _beside(raw, "its time is before that of", rows[late], rows[at[late]])


def _beside(raw: RawPoints, reason: str, rows: NDArray[np.intp], others: NDArray[np.intp]) -> dict[int, str]:
    numbers = raw.numbers[others].tolist()
    return {row: f"{reason} {raw.unit} {number}" for row, number in zip(rows.tolist(), numbers, strict=True)}


def _rows_error(raw: RawPoints, total: int, problems: dict[int, str], offers: Sequence[Offer] = ()) -> InputError:
    found = sorted((int(raw.numbers[row]), reason) for row, reason in problems.items())
    if not found:
        return InputError("the file must have at least one point with a time", value="none")
    unreadable = any("cannot be read" in reason for _, reason in found)
    hints = [
        "Correct them, or leave them out" if len(found) < total else "Correct the file",
        f"Times are written as {FORMS}" if unreadable else "",
        raw.hint if any("same time" in reason for _, reason in found) else "",
        "Sort the frame by its times" if any("is before that of" in reason for _, reason in found) else "",
    ]
    return InputError(
        f"every {raw.noun} must be valid; {len(found):,} of {counted(total, raw.noun)} cannot be used "
        f"({listed(found, raw.unit)})",
        remedy=". ".join(hint for hint in hints if hint),
        argument='on_problem="drop"' if len(found) < total and not raw.strict else "",
        kind="columns" if raw.is_table and _in_another_unit(raw) else "rows",
        offers=offers,
        rows=found,
        row_name=raw.unit,
    )


def _in_another_unit(raw: RawPoints) -> bool:
    """Whether most places are finite but not degrees: they may be metres, or the wrong columns."""
    known = np.isfinite(raw.latitude) & np.isfinite(raw.longitude)
    return bool(
        known.sum() * 2 > len(known) and np.median(np.maximum(np.abs(raw.latitude), np.abs(raw.longitude))[known]) > 180
    )


def listed(found: Sequence[tuple[int, str]], unit: str) -> str:
    """The first problems in words, with lines grouped by reason: "lines 3, 4 and 7 more: the time is missing"."""
    lines: dict[str, list[int]] = {}
    for number, reason in found:
        lines.setdefault(reason, []).append(number)
    parts = []
    for reason, numbers in list(lines.items())[:_SHOWN]:
        more = f" and {len(numbers) - _SHOWN:,} more" if len(numbers) > _SHOWN else ""
        where = f"{unit}{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers[:_SHOWN]))}{more}"
        parts.append(f"{where}: {reason}")
    rest = sum(len(numbers) for numbers in list(lines.values())[_SHOWN:])
    return "; ".join([*parts, f"and {rest:,} more"] if rest else parts)


def _notices(raw: RawPoints, times: Times, rows: NDArray[np.intp]) -> Iterator[str]:
    """What was done to the file; `rows` are those kept, in time order."""
    yield from (*raw.notices, *filter(None, [raw.several]))
    if raw.fixed_zone and times.without_zone:
        yield f"Times without a zone were read as UTC, as {raw.fixed_zone}."
    yield from times.notices
    if count := len(raw.problems):
        lost = 0 if raw.is_landmark is None else int(raw.is_landmark[list(raw.problems)].sum())
        among = f", {lost:,} of them marked as landmarks" if lost else ""
        what = counted(count, f"{raw.noun} that could not be used was", f"{raw.noun}s that could not be used were")
        yield f"{what} left out{among}{_named(raw, times, rows) if raw.names_problems else ''}."
    kept = counted(len(rows), raw.noun)
    place_in_time = np.argsort(rows)  # of each row, in file order
    late = int((place_in_time < np.maximum.accumulate(place_in_time)).sum())
    if len(rows) > 1 and (np.diff(rows) < 0).all():
        yield f"{len(rows):,} of {kept} came newest first; sorted."
    elif late:
        yield f"{late:,} of {kept} came after a later one; sorted."


def _named(raw: RawPoints, times: Times, rows: NDArray[np.intp]) -> str:
    """Why points were left out, in brackets; one that is a landmark, or ends a stay, is named as such."""
    found = []
    for place, (row, reason) in enumerate(sorted(raw.problems.items())):
        landmark = raw.is_landmark is not None and raw.is_landmark[row]
        stay = place < _MOST_NAMED and raw.values is None and _ends_stay(raw, times, rows, row)
        said = ", and it is marked as a landmark" if landmark else ", and it may end a stay" if stay else ""
        found.append((int(raw.numbers[row]), reason + said))
    return f" ({listed(found, raw.unit)})"


def _ends_stay(raw: RawPoints, times: Times, rows: NDArray[np.intp], row: int) -> bool:
    """Whether the points kept before a point stayed within 200 m for ten minutes or more, and the next one is farther."""
    at = int(np.searchsorted(times.utc[rows], times.utc[row])) if not np.isnat(times.utc[row]) else 0
    start = int(np.searchsorted(times.utc[rows[:at]], times.utc[rows[at - 1]] - _STAY, "right")) - 1 if at else -1
    if start < 0 or at == len(rows):
        return False
    stay, last = rows[start:at], rows[at - 1]
    near = distance_m(raw.latitude[stay], raw.longitude[stay], raw.latitude[last], raw.longitude[last]) <= NEAR_M
    away = distance_m(raw.latitude[[last]], raw.longitude[[last]], raw.latitude[rows[at]], raw.longitude[rows[at]])
    return bool(near.all() and away[0] > NEAR_M)


def _no_fix(latitude: Floats, longitude: Floats) -> list[str]:
    zeros = int(((latitude == 0) & (longitude == 0)).sum())
    if not 0 < zeros < len(latitude):
        return []
    found = counted(zeros, "point is", "points are")
    return [f"{found} at latitude 0, longitude 0, where devices put unknown places."]


def _mark(
    waypoints: Sequence[Waypoint], latitude: Floats, longitude: Floats, time: NDArray[np.datetime64]
) -> tuple[set[int], list[str]]:
    """The points marked by waypoints: the nearest in time if they have one, otherwise the nearest within 200 m."""
    if not waypoints:
        return set(), []
    if len(waypoints) > _MOST_WAYPOINTS:
        return set(), [f"The file has {len(waypoints):,} waypoints; these are too many to be used as landmarks."]
    when = parse_times([waypoint.time for waypoint in waypoints], timezone="UTC", day_first=True).utc
    within = (when >= time[0]) & (when <= time[-1])  # NaT compares as false
    found = [
        _nearest_in_time(time, moment) if inside else _nearest_in_space(latitude, longitude, waypoint)
        for waypoint, moment, inside in zip(waypoints, when, within, strict=True)
    ]
    marked = {index for index in found if index is not None}
    beside = found.count(None)
    sentence = f"{len(found) - beside:,} of {counted(len(found), 'waypoint')} mark {counted(len(marked), 'landmark')}"
    return marked, [f"{sentence}; {beside:,} farther than {NEAR_M:.0f} m from the track." if beside else f"{sentence}."]


def _nearest_in_time(time: NDArray[np.datetime64], moment: np.datetime64) -> int:
    after = int(np.searchsorted(time, moment))
    if after == 0 or (after < len(time) and time[after] - moment < moment - time[after - 1]):
        return after
    return after - 1


def _nearest_in_space(latitude: Floats, longitude: Floats, waypoint: Waypoint) -> int | None:
    # A degree of latitude has the same length everywhere: only points within 200 m by latitude can be near.
    near = np.flatnonzero(np.abs(latitude - waypoint.latitude) <= NEAR_M * _DEGREES_PER_M)
    if not len(near) or not abs(waypoint.longitude) <= 180:
        return None
    away = distance_m(latitude[near], longitude[near], waypoint.latitude, waypoint.longitude)
    return int(near[np.argmin(away)]) if away.min() <= NEAR_M else None


def _resolve(raw: RawPoints, rows: Rows, repeated: NDArray[np.bool_], how: str) -> _Kept:
    """One point for each time.

    Parameters
    ----------
    rows : (n,) points in time order, and in file order if times are equal.
    repeated : (n,) whether a point has the same time as the previous one.
    how : one of `CHOICES`.

    Returns
    -------
    _Kept
        "average" is the mean of the degrees relative to the first point with each time, so it is also correct across the
        antimeridian.
    """
    starts = np.flatnonzero(~repeated)
    first = rows[starts]
    north, east = raw.latitude[first], raw.longitude[first]
    if how == "last":
        kept = rows[np.r_[starts[1:], len(rows)] - 1]
        latitude, longitude = raw.latitude[kept], raw.longitude[kept]
    elif how == "average":
        kept, group, size = first, np.cumsum(~repeated) - 1, np.diff(np.r_[starts, len(rows)])
        latitude = north + np.bincount(group, raw.latitude[rows] - north[group], len(starts)) / size
        beside = (raw.longitude[rows] - east[group] + 180) % 360 - 180
        longitude = (east + np.bincount(group, beside, len(starts)) / size + 180) % 360 - 180
        longitude[size == 1] = east[size == 1]  # exact to the last bit
    else:
        kept, latitude, longitude = first, north, east
    return _Kept(kept, latitude, longitude, distance_m(north, east, latitude, longitude))


def _choices(raw: RawPoints, rows: Rows, repeated: NDArray[np.bool_]) -> list[Offer]:
    """The choices for repeated times, each with what it changes, in distances and never places."""
    fewer = int(repeated.sum())
    left_out = counted(fewer, raw.noun)
    said: list[Offer] = []
    for how in CHOICES:
        farthest_m = float(_resolve(raw, rows, repeated, how).moved_m.max())
        moves = f"up to {_metres(farthest_m)} from the first"
        text = {
            "first": f"Keep the first: leaves out {left_out}",
            "last": f"Keep the last: leaves out {left_out}, {moves}",
            "average": f"Average: {left_out} fewer, places {moves}",
        }[how]
        said.append((text, {"on_repeat": how}))
    return said


def _said_of_repeats(raw: RawPoints, kept: _Kept, repeated: NDArray[np.bool_], how: str) -> str:
    """What was done to repeated times."""
    group = np.cumsum(~repeated) - 1
    times = len(set(group[repeated].tolist()))
    often = counted(times, "time comes", "times come")
    if how == "average":
        farthest = _metres(float(kept.moved_m.max()))
        return f"{often} more than once: each now has the mean of its places, up to {farthest} from the first."
    left_out = counted(int(repeated.sum()), raw.noun)
    return f"{often} more than once: the {how} {raw.noun} of each is kept, {left_out} left out."


def _metres(distance: float) -> str:
    """A distance in words.

    Examples
    --------
    >>> _metres(0.2), _metres(340.2), _metres(12_345)
    ('0 m', '340 m', '12.3 km')
    """
    return f"{distance:,.0f} m" if distance < 1_000 else f"{distance / 1_000:,.1f} km"
