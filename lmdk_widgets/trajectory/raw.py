"""The result of a format's reader: the rows as in the file, not yet checked, sorted or converted to UTC."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory.crowd import find_crowd, is_several
from lmdk_widgets.trajectory.words import counted, printable, quoted

MAX_TIMESTAMPS = 1_000_000
"""The length of the longest track that is read; a longer one is refused, naming this number."""


_SHORT = 30  # characters kept of a track's name before its number
_DATED = 24  # and before its day
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_YES = frozenset(("1", "1.0", "true", "t", "yes", "y"))
_NO = frozenset(("", "0", "0.0", "false", "f", "no", "n", "nan", "none", "null"))


class Waypoint(NamedTuple):
    """A place marked in addition to the track, with its time as text, or ""."""

    latitude: float
    longitude: float
    time: str


@dataclass
class RawPoints:
    """The n points of a file, in file order.

    Attributes
    ----------
    latitude, longitude : (n,) degrees; NaN where none could be read.
    times : n texts.
    numbers : (n,) each point's position: its line, or its number, as `unit` says; if left out, points are counted from 1.
    problems : reason by index, for points that cannot be used.
    is_landmark : (n,) bool, or None if the file says nothing about landmarks.
    labels : n texts, or empty.
    name : what the file calls its track.
    fixed_zone : why times without a zone are UTC, as words for a notice, if the format says so.
    waypoints : places that mark the nearest point as a landmark.
    notices : sentences about what was done.
    hint : what to do about repeated times.
    identities : what distinguishes several tracks (`the column "user_id"`), each with n values; `several` is its notice.
    others : the other columns that may name people (`the column "caid"`), each with n values.
    in_tracks : whether tracks are distinguished by name. is_table : whether its columns can be chosen.
    format : what the file is, if its content says more than the name of its format.
    strict : nobody can be asked: a point that cannot be used, or that comes after a later one, refuses everything.
    values : (n,) of the rows of a series, which have no places.
    names_problems : whether the notice about the points left out says why.
    """

    latitude: Floats
    longitude: Floats
    times: Sequence[str]
    numbers: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    unit: str = "point"
    problems: dict[int, str] = field(default_factory=dict)
    is_landmark: NDArray[np.bool_] | None = None
    labels: Sequence[str] = ()
    name: str = ""
    fixed_zone: str = ""
    waypoints: Sequence[Waypoint] = ()
    notices: list[str] = field(default_factory=list)
    hint: str = ""
    identities: Sequence[tuple[str, Sequence[str]]] = ()
    several: str = ""
    others: Sequence[tuple[str, Sequence[str]]] = ()
    in_tracks: bool = False
    is_table: bool = False
    strict: bool = False
    values: Floats | None = None
    names_problems: bool = False
    format: str = ""

    def __post_init__(self) -> None:
        limit(n := len(self.latitude), n)
        if len(self.numbers) < n:
            self.numbers = np.arange(1, n + 1)

    @property
    def noun(self) -> str:
        """What a point is called in messages."""
        return "row" if self.unit == "line" else self.unit

    def add_problems(self, problems: dict[int, str]) -> None:
        """Add problems; if a point has two, the first one found is kept."""
        self.problems = problems | self.problems

    def note_left_out(self, count: int, singular: str, plural: str) -> None:
        """Add a notice about how many things other than the points were left out, if any."""
        if count:
            self.notices.append(f"{counted(count, singular, plural)} left out.")

    def note_identities(self, identities: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Add a notice if a column such as vehicle_id has several values; only people know whether that is one track.

        Parameters
        ----------
        identities : heading and n values, for each such column.
        """
        several = [(heading, values) for heading, values in identities if is_several(values)]
        if several:
            counts = (f'"{printable(heading)}" has {len(set(values) - {""}):,} values' for heading, values in several)
            found = f"The column {' and '.join(counts)}"
            self.identities = [(f'the column "{printable(heading)}"', values) for heading, values in several]
            self.several = (
                f"{found}: the file seems to contain several tracks, which were read as one. "
                "To see only one, keep only its rows."
            )
            self.hint = f"{found}: if these are several tracks, keep the rows of one"

    def note_crowd(self, utc: NDArray[np.datetime64]) -> None:
        """Add a notice if one of the other columns tells several people apart; `utc` are the times of the points."""
        found = find_crowd([values for _, values in self.others], self.latitude, self.longitude, utc)
        if found is None:
            return
        what, values = self.others[found.column]
        count = len(set(values) - {""})
        shorter = f"the paths of its {count:,} values are together {found.share:.2g} times as long as that of all rows"
        self.identities = [(what, values)]
        self.several = f"{what[:1].upper()}{what[1:]} seems to name several people, who were read as one: {shorter}."
        self.hint = f"{what[:1].upper()}{what[1:]} seems to name several people: {shorter}. Read one of them"

    def note_tracks(self, tracks: Sequence[tuple[str | None, int]], noun: str = "tracks") -> None:
        """Add a notice if the points form several consecutive tracks; one of them can be read alone.

        Tracks with the same name, or without one, are told apart by their days. All of them together are not called after
        one of them: that name is left to the file.

        Parameters
        ----------
        tracks : name ("" without one) and number of points of each, in file order; None for points outside any track.
        noun : what the format calls them.
        """
        tracks = [(name, count) for name, count in tracks if count]
        total = sum(name is not None for name, _ in tracks)
        if total < 2:
            return
        names, ends = [name for name, _ in tracks], np.cumsum([count for _, count in tracks]).tolist()
        if len({printable(name) for name in names if name is not None}) > 1 and self.name in map(
            printable, filter(None, names)
        ):
            self.name = ""
        days = [_first_day(self.times[end - count : end]) for end, (_, count) in zip(ends, tracks, strict=True)]
        values: list[str] = []
        for name, (_, count) in zip(_labels(names, days), tracks, strict=True):
            values += [name] * count
        self.identities, self.in_tracks = [("the file", values)], True
        self.several = f"The file contains {total:,} {noun}; they were joined in time order."
        self.hint = f"The file contains {total:,} {noun}: if they belong to several people, read one of them"

    def only(self, rows: NDArray[np.intp]) -> RawPoints:
        """Some of the points, by index, in their order; they then count as one track."""
        place = {row: k for k, row in enumerate(rows.tolist())}
        return replace(
            self,
            latitude=self.latitude[rows],
            longitude=self.longitude[rows],
            times=[self.times[row] for row in place] if len(self.times) else (),
            numbers=self.numbers[rows],
            values=None if self.values is None else self.values[rows],
            problems={place[row]: reason for row, reason in self.problems.items() if row in place},
            is_landmark=None if self.is_landmark is None else self.is_landmark[rows],
            labels=[self.labels[row] for row in place] if self.labels else (),
            identities=(),
            several="",
            hint="",
            others=(),
        )


def _first_day(times: Sequence[str]) -> tuple[int, int, int] | None:
    """Year, month and day of the first time, as the file writes it; None if it does not begin with a date."""
    found = _DAY.match(next(filter(None, times), ""))
    year, month, day = map(int, found.groups()) if found else (0, 0, 0)
    return (year, month, day) if 1 <= month <= len(_MONTHS) else None


def _labels(names: Sequence[str | None], days: Sequence[tuple[int, int, int] | None]) -> list[str]:
    """A label for each track, all different even when cut to 40 characters; "" if there is no track.

    A name that several have, or none, is followed by the track's day, or, where it is not known, by its number.

    Examples
    --------
    >>> _labels(["Run", None, "Home", "Run", " ", "Run (1)"], [None] * 6)
    ['Run (1)', '', 'Home', 'Run (3)', 'Track (4)', 'Run (1) (5)']
    >>> _labels(["Run", "Run", "Run", ""], [(2026, 5, 3), (2026, 5, 4), (2026, 5, 4), (2026, 5, 9)])
    ['Run of 3 May', 'Run of 4 May', 'Run of 4 May (3)', 'Track of 9 May']
    >>> _labels(["Run", "Run"], [(2025, 5, 3), (2026, 5, 3)])
    ['Run of 3 May 2025', 'Run of 3 May 2026']
    """
    several_years = len({day[0] for day in days if day}) > 1
    short = [None if name is None else printable(name, _SHORT) or "Track" for name in names]
    known, taken, labels, place = Counter(short), set[str](), list[str](), 0
    for name, text, day in zip(names, short, days, strict=True):
        if name is None or text is None:
            labels.append("")
            continue
        place += 1
        if printable(name) and known[text] == 1:
            label = printable(name)
        elif day:
            year = f" {day[0]}" if several_years else ""
            label = f"{printable(text, _DATED)} of {day[2]} {_MONTHS[day[1] - 1]}{year}"
        else:
            label = f"{text} ({place})"
        while printable(label, 40) in taken:
            label = f"{printable(label, _SHORT)} ({place})"
        taken.add(printable(label, 40))
        labels.append(label)
    return labels


def read_degrees(texts: Sequence[str], which: str) -> tuple[Floats, dict[int, str]]:
    """Coordinates from texts, with decimal points or commas: (n,) degrees, NaN where there is none, and the problems."""
    try:
        return np.array(list(map(float, texts)), float), {}
    except ValueError:
        pass
    degrees, problems = np.full(len(texts), np.nan), {}
    sides = "NnSs" if which == "latitude" else "EeWw"
    for row, text in enumerate(texts):
        side = text.strip()[-1:]
        try:
            if side and side in sides:
                degrees[row] = float(text.strip()[:-1].strip().rstrip("°").replace(",", ".", 1)) * (
                    -1 if side in "SsWw" else 1
                )
            else:
                degrees[row] = float(text.strip().rstrip("°").replace(",", ".", 1))
        except ValueError:
            problems[row] = f"the {which}{quoted(text)} is not a number" if text.strip() else f"the {which} is missing"
    return degrees, problems


def read_flags(texts: Iterable[str]) -> tuple[NDArray[np.bool_], dict[int, str]]:
    """Landmark flags from texts (1/0, true/false, yes/no), and the problems.

    Examples
    --------
    >>> flags, problems = read_flags(["yes", "0", "perhaps"])
    >>> flags.tolist(), problems
    ([True, False, False], {2: 'the landmark flag "perhaps" is neither yes nor no'})
    """
    words = [text.strip().lower() for text in texts]
    unknown = {
        row: f"the landmark flag{quoted(word)} is neither yes nor no"
        for row, word in enumerate(words)
        if word not in _YES and word not in _NO
    }
    return np.array([word in _YES for word in words], bool), unknown


def limit(count: int, said: int | str = "more", most: int | None = None) -> None:
    """Refuse a track with more than `most` points, by default `MAX_TIMESTAMPS`; the message gives `said` as their number."""
    if count > (MAX_TIMESTAMPS if most is None else most):
        remedy = "Cut it to the days you need"
        raise InputError(f"a track must have at most {MAX_TIMESTAMPS:,} points", value=said, remedy=remedy)


def check_line(what: str, positions: Sequence[Any], times: Sequence[Any]) -> None:
    """Refuse a line whose numbers of times and positions differ."""
    if len(positions) != len(times):
        raise InputError(
            f"a {what} must have one time for each position",
            value=f"{len(positions):,} positions and {len(times):,} times",
            remedy="Export it again",
        )


def read_places(latitude: Sequence[str], longitude: Sequence[str]) -> tuple[Floats, Floats, dict[int, str]]:
    """Latitude and longitude from texts, see `read_degrees`, and the problems of both."""
    north, problems = read_degrees(latitude, "latitude")
    east, more = read_degrees(longitude, "longitude")
    return north, east, more | problems


def is_wgs84(system: str) -> bool:
    """Whether the name of a coordinate reference system means degrees of WGS84; "WGS 84 / UTM zone 32N" does not."""
    return re.search(r"CRS:?84|4326|WGS ?84(?! */)", system, re.IGNORECASE) is not None


def written(value: Any) -> str:
    """A value from a file as text for the readers of times and flags; "" if there is none.

    Examples
    --------
    >>> written(1769421600.0), written(None), written(True), written([1])
    ('1769421600', '', 'True', '?')
    """
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e18:
        return str(int(value))
    if isinstance(value, (str, bool, int, float)):
        return str(value)
    return value.isoformat() if hasattr(value, "isoformat") else "?"
