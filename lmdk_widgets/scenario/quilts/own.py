"""A series that a user uploads: power readings, a track, or states as they are; told apart by the content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.trajectory import Trajectory, load_trajectory

MOST_READINGS = 1_000_000
MOST_LABELS = 1_000
"""More different states than this are no states; how many the page takes is decided later."""
_LONGEST_LABEL = 40
NO_ZONE = "The times of the track carry no time zone and were read as UTC; here they only put its points in order."
_HEADS = frozenset({"state", "states", "activity", "activities", "level", "value", "values", "x"})
_POWER = "active_power"
_MISSING = frozenset({"", "?", "nan", "na"})
_TRACK_HEADS = ("lat", "lon", "lng", "easting", "northing")


@dataclass(frozen=True, eq=False)
class OwnData:
    """What was uploaded; one of `watts`, `trajectory` and `states` is there.

    Attributes
    ----------
    name : of the file.
    watts : (n,) readings of power.
    trajectory : a track.
    states, labels : (n,) numbers from 0, and what each stands for.
    notices : what was done to the file.
    """

    name: str
    watts: Floats | None = None
    trajectory: Trajectory | None = None
    states: NDArray[np.int64] | None = None
    labels: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    def __len__(self) -> int:
        for found in (self.watts, self.trajectory, self.states):
            if found is not None:
                return len(found)
        return 0


def read_own(data: bytes, name: str = "") -> OwnData:
    """The series in an uploaded file.

    Parameters
    ----------
    data : power readings (`;` between columns, a heading with "active_power" in kilowatts), a track in any format that
        `load_trajectory` reads, or states: one a line, or with commas between them; whole numbers or names.
    name : of the file, shown on the page.

    Raises
    ------
    InputError : with the line numbers of what cannot be read.

    Examples
    --------
    >>> read_own(b"home\\nhome\\nwork\\n").labels
    ('home', 'work')
    >>> read_own(b"3, 1, 1, 2").states.tolist()
    [2, 0, 0, 1]
    >>> read_own(b"0\\n1\\nabc\\n1\\n")
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: the file: 1 line cannot be read, the first is line 3. Allowed: states, one a line or \
with commas between them: whole numbers, or names. Correct the lines, and upload the file again.
    """
    text = _text(data)
    lines = text.splitlines()
    first = next((line.strip().lower() for line in lines if line.strip()), "")
    if not first:
        raise InputError("it is empty", where="the file", remedy="Upload a file with one state a line")
    if _POWER in first.replace(" ", "_"):
        return _power(lines, name)
    if first.startswith(("<", "{", "geolife")) or any(head in first for head in _TRACK_HEADS):
        return _track(data, name)
    return _states(lines, name)


def _track(data: bytes, name: str) -> OwnData:
    try:
        track, notices = load_trajectory(data), []
    except InputError as error:
        if error.kind != "timezone":
            raise
        # a zone need not be asked for: a cell has no hour, the times only say what comes after what
        track, notices = load_trajectory(data, timezone="UTC"), [NO_ZONE]
    return OwnData(name, trajectory=track, notices=(*notices, *track.notices))


def file_notices(own: OwnData, every: int, timestamps: int) -> tuple[str, ...]:
    """What was done to a file, and how much of it is read when every how-manieth reading is.

    Examples
    --------
    >>> print(*file_notices(read_own(b"1\\n2\\n" * 600), 3, 400))
    Of the 1,200 readings of the file every 3rd is read: 400 timestamps, the others are left out. A smaller number under \
“Read every k-th” reads more of them.
    """
    if every == 1:
        return own.notices
    ending = "th" if every % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(every % 10, "th")
    thinned = (
        f"Of the {len(own):,} readings of the file every {every}{ending} is read: {timestamps:,} timestamps, the others "
        "are left out. A smaller number under “Read every k-th” reads more of them."
    )
    return thinned, *own.notices


def _text(data: bytes) -> str:
    if b"\0" in data[:4096]:
        raise InputError("it is not text", where="the file", remedy="Save the series as CSV in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            return data.decode("cp1252")
        except UnicodeDecodeError:
            raise InputError("it is not text", where="the file", remedy="Save the series as CSV in UTF-8") from None


def _power(lines: Sequence[str], name: str) -> OwnData:
    head = [cell.strip().lower().replace(" ", "_") for cell in lines[0].split(";")]
    columns = [k for k, cell in enumerate(head) if _POWER in cell and "re" + _POWER not in cell]
    if not columns:
        raise InputError(
            "there is no column of power", where="line 1", allowed="a heading such as Global_active_power, kilowatts"
        )
    at, missing = columns[0], 0
    watts: list[float] = []
    bad: list[tuple[int, str]] = []
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        cells = line.split(";")
        cell = cells[at].strip() if at < len(cells) else None
        if cell is not None and cell.lower() in _MISSING and watts:
            missing += 1
            watts.append(watts[-1])
            continue
        value = _kilowatts(cell)
        if value is None:
            bad.append(
                (number, "there is no power from 0 to 100 kW in it" if cell is not None else "a column is missing")
            )
            continue
        watts.append(1000 * value)
    _refuse(bad, "one reading a line, as the heading says", len(watts))
    notice = (f"{missing:,} missing readings repeat the one before.",) if missing else ()
    return OwnData(name, watts=np.array(watts), notices=notice)


def _kilowatts(cell: str | None) -> float | None:
    try:
        value = float(cell or "")
    except ValueError:
        return None
    return value if 0 <= value <= 100 else None


def _states(lines: Sequence[str], name: str) -> OwnData:
    cells = [
        (number, cell.strip().strip('"'))
        for number, line in enumerate(lines, start=1)
        if line.strip()
        for cell in line.replace(";", ",").replace("\t", ",").removesuffix(",").split(",")
    ]
    if cells[0][1].lower() in _HEADS or (_is_whole(cells[1:2]) and not _is_whole(cells[:1])):
        cells = cells[1:]
    numeric = 2 * sum(_is_whole([cell]) for cell in cells) > len(cells)
    bad = [(number, reason) for number, cell in cells if (reason := _wrong(cell, numeric))]
    _refuse(bad, "states, one a line or with commas between them: whole numbers, or names", len(cells))
    values = [str(int(cell)) if numeric else cell for _, cell in cells]
    labels = sorted(set(values), key=(lambda v: (int(v), v)) if numeric else None)
    if len(labels) > MOST_LABELS:
        raise InputError(
            "there are too many different states",
            where="the file",
            value=len(labels),
            allowed=f"at most {MOST_LABELS:,}",
            remedy="Put them into classes first; power readings want a heading with active_power",
        )
    number_of = {label: k for k, label in enumerate(labels)}
    return OwnData(name, states=np.array([number_of[v] for v in values], np.int64), labels=tuple(labels))


def _is_whole(cells: Sequence[tuple[int, str]]) -> bool:
    return bool(cells) and cells[0][1].removeprefix("-").isdecimal() and len(cells[0][1]) <= 18


def _wrong(cell: str, numeric: bool) -> str:
    if not cell:
        return "a state is missing"
    if numeric and not _is_whole([(0, cell)]):
        return "it is not a whole number, as the other states are"
    if len(cell) > _LONGEST_LABEL or not cell.isprintable():
        return f"it is not a name of at most {_LONGEST_LABEL} letters"
    return ""


def _refuse(bad: Sequence[tuple[int, str]], allowed: str, readings: int) -> None:
    if bad:
        lines = len({number for number, _ in bad})
        raise InputError(
            f"{lines:,} line{'s' if lines > 1 else ''} cannot be read, the first is line {bad[0][0]:,}",
            where="the file",
            allowed=allowed,
            remedy="Correct the lines, and upload the file again",
            rows=bad,
        )
    if readings < 2:
        raise InputError("there are too few readings", where="the file", value=readings, allowed="2 or more")
    if readings > MOST_READINGS:
        raise InputError("it is too long", where="the file", value=readings, allowed=f"at most {MOST_READINGS:,}")
