"""Several files of one person, such as one for each day: read as tracks of one file, and what lies between and over them.

files --read--> RawPoints of each --join_files--> RawPoints in tracks, one of which, or all as one, is read
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.words import counted, printable

NEAR_IN_TIME = np.timedelta64(10, "m")
"""Reports of two files are compared if there is at most so much time between them."""

FAR_M = 1_000.0
"""Two files that are so far apart at the same time may be those of two people, metres."""


def join_files(files: Sequence[Contents], read: Callable[[Contents], RawPoints]) -> RawPoints:
    """The points of several files, of which each is a track.

    Parameters
    ----------
    files : two or more. read : returns the points of one.

    Raises
    ------
    InputError : a file is none of a track, or has several people; only some have times that are UTC by their format.
    """
    parts = [_part(file, read) for file in files]
    if len({bool(part.fixed_zone) for part in parts}) > 1:
        what = "Files that are joined must all have times in UTC by their format, or none of them"
        raise InputError(
            what, value=" and ".join(sorted({part.format for part in parts})), remedy="Join files of one format"
        )
    sizes = [len(part.latitude) for part in parts]
    starts = np.cumsum([0, *sizes[:-1]]).tolist()
    marked = any(part.is_landmark is not None for part in parts)
    labelled = any(part.labels for part in parts)
    whole = RawPoints(
        np.concatenate([part.latitude for part in parts]),
        np.concatenate([part.longitude for part in parts]),
        [time for part in parts for time in part.times],
        problems={
            start + row: why for start, part in zip(starts, parts, strict=True) for row, why in part.problems.items()
        },
        is_landmark=np.concatenate([_flags(part) for part in parts]) if marked else None,
        labels=[label for part in parts for label in (part.labels or [""] * len(part.latitude))] if labelled else (),
        fixed_zone=parts[0].fixed_zone,
        waypoints=[each for part in parts for each in part.waypoints],
        notices=[
            f"{file.name or 'A file'}: {said}" for file, part in zip(files, parts, strict=True) for said in part.notices
        ],
        strict=any(part.strict for part in parts),
        format=parts[0].format if len({part.format for part in parts}) == 1 else "",
    )
    whole.note_tracks([(file.name, size) for file, size in zip(files, sizes, strict=True)], "files")
    if whole.identities:
        whole.identities = [("the archive", whole.identities[0][1])]
        whole.several = f"{len(files):,} files were read as one track, in time order."
        whole.hint = f"There are {len(files):,} files: if they are of several people, read one of them"
    return whole


def _part(file: Contents, read: Callable[[Contents], RawPoints]) -> RawPoints:
    named = printable(file.name, 40) or "a file"
    try:
        part = read(file)
    except InputError as error:
        raise InputError(f"Each of several files must be a track that can be read; {named}: {error}") from None
    if part.values is not None or (part.identities and not part.in_tracks):
        what = "a series" if part.values is not None else "rows of several people"
        raise InputError("Each of several files must be a track of one person", value=f"{what} in {named}")
    return part


def _flags(part: RawPoints) -> NDArray[np.bool_]:
    return np.zeros(len(part.latitude), bool) if part.is_landmark is None else part.is_landmark


class _Stretch(NamedTuple):
    """The rows of a file with a time, by their position, and from when to when they are."""

    name: str
    rows: NDArray[np.intp]
    first: np.datetime64
    last: np.datetime64


def joins_said(names: Sequence[str], utc: NDArray[np.datetime64], latitude: Floats, longitude: Floats) -> list[str]:
    """How long nothing is known between files, and for how long they overlap, in sentences.

    Parameters
    ----------
    names : (n,) the file of each row. utc : (n,) times, NaT for none. latitude, longitude : (n,) degrees.

    Examples
    --------
    >>> day = np.array(["2026-03-01T08", "2026-03-01T10", "2026-03-02T08", "2026-03-02T09"], "datetime64[ns]")
    >>> joins_said(["a", "a", "b", "b"], day, np.zeros(4), np.zeros(4))
    ['Between “a” and “b”, nothing is known for 22 h.']
    """
    of, files = np.array(names), list[_Stretch]()
    for name in dict.fromkeys(names):
        rows = np.flatnonzero((of == name) & ~np.isnat(utc))
        if len(rows):
            files.append(_Stretch(name, rows, utc[rows].min(), utc[rows].max()))
    files.sort(key=lambda each: each.first)
    gaps, overlaps, longest = list[tuple[np.timedelta64, str]](), list[tuple[np.timedelta64, str]](), files[:1]
    apart = 0.0
    for _, after in pairwise(files):
        before = longest[0]
        if after.first > before.last:
            gaps.append((after.first - before.last, f"“{before.name}” and “{after.name}”"))
        else:
            both = min(before.last, after.last) - after.first
            overlaps.append((both, f"“{before.name}” and “{after.name}”"))
            apart = max(apart, _apart_m(before, after, utc, latitude, longitude))
        longest = [max(before, after, key=lambda each: each.last)]
    said = []
    if gaps:
        most, where = max(gaps, key=lambda gap: gap[0])
        again = f" There are {len(gaps):,} such gaps; this is the longest." if len(gaps) > 1 else ""
        said.append(f"Between {where}, nothing is known for {lasting(most)}.{again}")
    if overlaps:
        most, where = max(overlaps, key=lambda one: one[0])
        pairs = (
            f"{len(overlaps):,} pairs of files overlap, {where} the longest,"
            if len(overlaps) > 1
            else f"{where} overlap"
        )
        said.append(f"{pairs} for {lasting(most)}: there, the reports of both follow each other in time order.")
    if apart > FAR_M:
        said.append(
            f"Where files overlap, they are up to {apart / 1000:,.1f} km apart within ten minutes: if they are not of one "
            "person, read one of them."
        )
    return said


def _apart_m(one: _Stretch, other: _Stretch, utc: NDArray[np.datetime64], latitude: Floats, longitude: Floats) -> float:
    """How far apart two files are at most, of reports that follow each other within a few minutes."""
    mine, theirs = (each.rows[np.argsort(utc[each.rows], kind="stable")] for each in (one, other))
    at = np.clip(np.searchsorted(utc[mine], utc[theirs]), 1, max(1, len(mine) - 1))
    found = [0.0]
    for near in (np.minimum(at - 1, len(mine) - 1), np.minimum(at, len(mine) - 1)):
        close = np.abs(utc[mine[near]] - utc[theirs]) <= NEAR_IN_TIME
        a, b = mine[near[close]], theirs[close]
        found += distance_m(latitude[a], longitude[a], latitude[b], longitude[b]).tolist()
    return float(np.nanmax(found))


def lasting(time: np.timedelta64) -> str:
    """A length of time in its two largest units at most.

    Examples
    --------
    >>> [lasting(np.timedelta64(minutes, "m")) for minutes in (0, 1, 59, 61, 120, 2_880, 3_000)]
    ['less than a minute', '1 min', '59 min', '1 h 1 min', '2 h', '2 days', '2 days 2 h']
    """
    minutes = int(time / np.timedelta64(1, "m"))
    if not minutes:
        return "less than a minute"
    days, rest = divmod(minutes, 1440) if minutes >= 2880 else (0, minutes)
    hours, left = divmod(rest, 60)
    parts = [counted(days, "day")] if days else []
    parts += [f"{hours} h"] if hours else []
    parts += [f"{left} min"] if left and not days else []
    return " ".join(parts)
