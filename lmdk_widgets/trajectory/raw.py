"""What the reader of a format hands over: the rows as they stand in the file, not yet checked, sorted or in UTC."""

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
from lmdk_widgets.trajectory.words import counted, printable, quoted

MAX_TIMESTAMPS = 1_000_000
"""Longest track that is read; a longer one is refused with this number named."""


_SHORT = 30  # characters of a track's name before its number
_YES = frozenset(("1", "1.0", "true", "t", "yes", "y"))
_NO = frozenset(("", "0", "0.0", "false", "f", "no", "n", "nan", "none", "null"))


class Waypoint(NamedTuple):
    """A place marked beside the track, with the time written there, or ""."""

    latitude: float
    longitude: float
    time: str


@dataclass
class RawPoints:
    """The points of a file, n of them, in the order of the file.

    Attributes
    ----------
    latitude, longitude : (n,) degrees; NaN where none could be read.
    times : n texts.
    numbers : (n,) where each point stands: its line, or which point it is, as `unit` says; left out, points count from 1.
    problems : reason by index, for points that cannot be used.
    is_landmark : (n,) bool, or None when the file says nothing of landmarks.
    labels : n texts, or empty.
    name : what the file calls its track.
    fixed_zone : the zone of times that carry none, with the words for why, where the format says it.
    waypoints : places that mark the nearest point as a landmark.
    notices : sentences on what was done.
    hint : what to do about repeated times.
    identities : what tells several tracks apart (`the column "user_id"`) and n values, for each such; `several` says so.
    in_tracks : what tells several tracks apart are their names. is_table : its columns can be chosen.
    strict : nobody can be asked: a point that cannot be used, or that comes after a later one, refuses the whole.
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
    in_tracks: bool = False
    is_table: bool = False
    strict: bool = False

    def __post_init__(self) -> None:
        limit(n := len(self.latitude), n)
        if len(self.numbers) < n:
            self.numbers = np.arange(1, n + 1)

    @property
    def noun(self) -> str:
        """What a point is called in messages."""
        return "row" if self.unit == "line" else self.unit

    def add_problems(self, problems: dict[int, str]) -> None:
        """Add problems; of two on one point the first found stays."""
        self.problems = problems | self.problems

    def note_left_out(self, count: int, singular: str, plural: str) -> None:
        """Say how many things beside the points were left out, if any were."""
        if count:
            self.notices.append(f"{counted(count, singular, plural)} left out.")

    def note_identities(self, identities: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Say so when a column such as vehicle_id has several values; whether that is one track only people know.

        Parameters
        ----------
        identities : heading and n values, for each such column.
        """
        several = [(heading, values) for heading, values in identities if _is_shared(values)]
        if several:
            counts = (f'"{printable(heading)}" has {len(set(values) - {""}):,} values' for heading, values in several)
            found = f"The column {' and '.join(counts)}"
            self.identities = [(f'the column "{printable(heading)}"', values) for heading, values in several]
            self.several = (
                f"{found}: the file seems to hold several tracks, and they were read as one. "
                "To see one alone, keep only its rows."
            )
            self.hint = f"{found}: if that is several tracks, keep the rows of one"

    def note_tracks(self, tracks: Sequence[tuple[str | None, int]], noun: str = "tracks") -> None:
        """Say so when the points follow one another in several tracks; one of them can be read alone.

        Parameters
        ----------
        tracks : name ("" without one) and number of points of each in the order of the file; None for points of no track.
        noun : what the format calls them.
        """
        tracks = [(name, count) for name, count in tracks if count]
        total = sum(name is not None for name, _ in tracks)
        if total < 2:
            return
        values: list[str] = []
        for name, (_, count) in zip(_labels([name for name, _ in tracks]), tracks, strict=True):
            values += [name] * count
        self.identities, self.in_tracks = [("the file", values)], True
        self.several = f"The file holds {total:,} {noun}; they were joined in order of time."
        self.hint = f"The file holds {total:,} {noun}: if they are of several people, read one of them"

    def only(self, rows: NDArray[np.intp]) -> RawPoints:
        """Some of the points, by index, in their order; they are of one track then."""
        place = {row: k for k, row in enumerate(rows.tolist())}
        return replace(
            self,
            latitude=self.latitude[rows],
            longitude=self.longitude[rows],
            times=[self.times[row] for row in place],
            numbers=self.numbers[rows],
            problems={place[row]: reason for row, reason in self.problems.items() if row in place},
            is_landmark=None if self.is_landmark is None else self.is_landmark[rows],
            labels=[self.labels[row] for row in place] if self.labels else (),
            identities=(),
            several="",
            hint="",
        )


def _labels(names: Sequence[str | None]) -> list[str]:
    """A label for each track, no two of which look alike where they are cut to 40 characters; "" where there is none.

    Examples
    --------
    >>> _labels(["Run", None, "Home", "Run", " ", "Run (1)"])
    ['Run (1)', '', 'Home', 'Run (3)', 'Track (4)', 'Run (1) (5)']
    """
    short = [None if name is None else printable(name, _SHORT) or "Track" for name in names]
    known, taken, labels, place = Counter(short), set[str](), list[str](), 0
    for name, text in zip(names, short, strict=True):
        if name is None or text is None:
            labels.append("")
            continue
        place += 1
        label = printable(name) if printable(name) and known[text] == 1 else f"{text} ({place})"
        while printable(label, 40) in taken:
            label = f"{printable(label, _SHORT)} ({place})"
        taken.add(printable(label, 40))
        labels.append(label)
    return labels


def _is_shared(values: Sequence[str]) -> bool:
    """Whether a column names people: several, and not a new one in each row."""
    count = len(set(values) - {""})
    return 1 < count <= max(2, len(values) // 2)


def read_degrees(texts: Sequence[str], which: str) -> tuple[Floats, dict[int, str]]:
    """Coordinates from texts, a decimal comma allowed: (n,) degrees with NaN where there are none, and the problems."""
    try:
        return np.array(list(map(float, texts)), float), {}
    except ValueError:
        pass
    degrees, problems = np.full(len(texts), np.nan), {}
    for row, text in enumerate(texts):
        try:
            degrees[row] = float(text.replace(",", ".", 1))
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
    """Refuse a track with more than `most` points, as many as are read; `said` is what the message names as their number."""
    if count > (MAX_TIMESTAMPS if most is None else most):
        remedy = "Cut it to the days that matter"
        raise InputError(f"a track must have at most {MAX_TIMESTAMPS:,} points", value=said, remedy=remedy)


def check_line(what: str, positions: Sequence[Any], times: Sequence[Any]) -> None:
    """Refuse a line whose times are not as many as its positions."""
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
    """Whether what names a coordinate reference system names degrees of WGS84."""
    return re.search(r"CRS:?84|4326|WGS ?84", system, re.IGNORECASE) is not None


def written(value: Any) -> str:
    """A value of a file as a text that the readers of times and flags know; "" where there is none.

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
