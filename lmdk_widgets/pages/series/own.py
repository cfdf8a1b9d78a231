"""A series that a user uploads: power readings, a track, or states as they are; told apart by the content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import ordinal, whole
from lmdk_widgets.page.own_file import describe_track
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.series.uploaded_series import (
    JUDGED,
    OwnData,
    is_whole,
    lasting,
    read_table,
    said_of_energy,
    states_of,
)
from lmdk_widgets.pages.series.uploaded_table import Found, find_series, is_time
from lmdk_widgets.trajectory import load_trajectory
from lmdk_widgets.trajectory.card import span
from lmdk_widgets.trajectory.columns import find_columns
from lmdk_widgets.trajectory.opened import open_source
from lmdk_widgets.trajectory.series import NUMBERS
from lmdk_widgets.trajectory.series_content import NO_DATES, WANTED, load_by_content
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.table import split_unit
from lmdk_widgets.trajectory.words import counted
from lmdk_widgets.trajectory.zones import find_zone, to_local

NO_ZONE = "The times of the track have no time zone and were read as UTC; here they only put its points in order."
_HEADS = frozenset({"state", "states", "activity", "activities", "level", "value", "values", "x"})


def read_own(data: bytes, name: str = "", **options: Any) -> OwnData:
    """The series in an uploaded file.

    Parameters
    ----------
    data : a table with a heading (a column of times, and one of power or of states), a track in any format that
        `load_trajectory` reads, or a list of states: one per line, or separated by commas; whole numbers or names.
    name : of the file, shown on the page.
    options : of `load_series` for a table, those on its columns and the person; of `load_trajectory` for a track.

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
    lmdk_widgets.errors.InputError: The file must have one state on each line, or commas between the states; got 1 line that \
cannot be read, line 3. Correct the lines, and upload the file again.
    """
    text = _text(open_source(data).data)
    lines = text.splitlines()
    first = next((line.strip().lower() for line in lines if line.strip()), "")
    if not first:
        raise InputError("The file must have one state on each line", value="an empty file")
    columns = options.get("columns") or {}
    placed = bool(columns) and "value" not in columns
    if first.startswith(("<", "{", "geolife")) or placed or _names_places(first):
        try:
            return _track(data, name, options)
        except InputError as error:
            content, _ = _by_content(text, name, options) if first.startswith("{") and not error.kind else (None, None)
            if content is None:
                raise
            return content
    content, question = _by_content(text, name, options)
    if content is None or not _is_worked_out(content):
        try:
            found = find_series(Contents(text.encode()), options)
            if content is None or found is not None:
                own = _states(lines, name) if found is None else read_table(found, name)
                if content is None or not _is_misread(own, content, found):
                    return own
        except InputError as error:
            if content is None:
                raise question or error from None
            if question is not None and error.rows:  # faults in its lines, whatever the order of its dates
                raise
    if question is not None:
        raise question
    return content


def _is_misread(own: OwnData, content: OwnData, found: Found | None) -> bool:
    """Whether a table with a plain heading misses what its content shows: numbers, their unit, how long each lasts."""
    if own.states is not None:
        named = found is not None and found.table.kinds[found.column] == "state"
        measured = sum(
            bool(split_unit(label)[0]) or (_is_number(label) and not is_whole(label)) for label in own.labels
        )
        return not named or content.unit == "W" or 2 * measured > len(own.labels)
    judged = any(JUDGED in said for said in own.notices) and content.unit == "W"
    return judged or (own.minutes is None and content.minutes is not None)


def _is_worked_out(own: OwnData) -> bool:
    """Whether no column is power as it is written: a counter, one of several registers, the ends of intervals."""
    return any(said.startswith(("Read as", "Each row is a day")) for said in own.notices[:2])


def _by_content(text: str, name: str, options: dict[str, Any]) -> tuple[OwnData | None, InputError | None]:
    """The numbers of a table whose rows have dates, energy and power as watts, None if there are none; and the question
    which of them to read, or whether the day or the month comes first in its dates, if another reader may still answer it.

    The zone does not matter here.
    """
    known = {
        option: value for option, value in options.items() if option in ("day_first", "person", "accept", "reading")
    }
    how = {"timezone": options.get("timezone") or "UTC", **known}
    try:
        series = None if options.get("columns") else load_by_content(Contents(text.encode()), how)
    except InputError as error:
        if error.kind == "day-order":
            try:
                return _by_content(text, name, options | error.offers[0][1])[0], error
            except InputError:
                raise error from None  # the order of its dates comes first
        if error.kind != "which":
            return None, None
        taken, _ = _by_content(text, name, options | {"accept": True})
        if taken is not None and _is_worked_out(taken):
            raise
        return None, error if taken is not None else None
    if series is None or series.kind != NUMBERS or len(series) < 2 or NO_DATES in series.notices:
        return None, None
    steps = np.diff(series.time) / np.timedelta64(1, "m")
    minutes, energy = float(np.median(steps)), series.unit in ("Wh", "kWh", "MWh")
    even = np.mean(np.abs(steps - minutes) <= 0.05 * minutes) >= 0.9
    if energy and not even:
        return None, None  # nobody knows how long each reading lasts
    power = energy or series.unit in ("W", "kW", "MW")
    scale = {"k": 1e3, "M": 1e6}.get(series.unit[0], 1.0) * (60 / minutes if energy else 1.0) if power else 1.0
    said = [said_of_energy(minutes)] if energy else []
    local = to_local(series.time[[0, -1]], find_zone(how["timezone"]))
    found = OwnData(
        name,
        series.values * scale,
        notices=(*series.notices, *said),
        when=f"{span(local)} (as in the file)",
        minutes=minutes if power or even else None,
        start_minute=float((local[0] - local[0].astype("datetime64[D]")) / np.timedelta64(1, "m")),
        unit="W" if power else series.unit,
    )
    return found, None


def _names_places(heading: str) -> bool:
    """Whether a heading is that of a track: latitude and longitude, not merely states such as "late" and "plate"."""
    columns = find_columns(re.split(r"[,;\t|]", heading))
    return (columns.latitude >= 0 and columns.longitude >= 0) or ("easting" in heading and "northing" in heading)


def _track(data: bytes, name: str, options: dict[str, Any]) -> OwnData:
    try:
        track, notices = load_trajectory(data, **options), []
    except InputError as error:
        if error.kind != "timezone":
            raise
        # no need to ask for a zone: cells do not depend on the hour, the times only give the order
        track, notices = load_trajectory(data, **options | {"timezone": "UTC"}), [NO_ZONE]
    return OwnData(name, trajectory=track, notices=(*notices, *track.notices))


def describe_file(own: OwnData) -> str:
    """What was uploaded, in one line.

    Examples
    --------
    >>> describe_file(read_own(b"1\\n2\\n2\\n", "days.txt"))
    'days.txt: 3 readings, 2 different states.'
    """
    name = own.name or "Your file"
    if own.trajectory is not None:
        return f"{name}: {describe_track(replace(own.trajectory, notices=())).partition(': ')[2]}"
    often = "" if own.minutes is None else f", every {lasting(own.minutes)}"
    what = f", {counted(len(own.labels), 'different state')}"
    if own.watts is not None:
        what = " of power" if own.unit == "W" else f" in {own.unit}" if own.unit else ""
    when = own.when and f", {own.when}"
    return f"{name}: {counted(len(own), 'reading')}{what}{when}{often}."


def file_notices(own: OwnData, every: int, timestamps: int) -> tuple[str, ...]:
    """What was done to a file, and how much of it is read if only every k-th reading is.

    Examples
    --------
    >>> print(*file_notices(read_own(b"1\\n2\\n" * 600), 3, 400))
    Every 3rd of the file's 1,200 readings is read: 400 timestamps; the others are left out. A smaller number under \
“Read every k-th” reads more of them.
    """
    if every == 1:
        return own.notices
    thinned = sentence(
        "Every {every} of the file's {n_readings} readings is read: {length} timestamps; the others are left "
        "out. A smaller number under “Read every k-th” reads more of them.",
        every=ordinal(every),
        n_readings=whole(len(own)),
        length=whole(timestamps),
    )
    return thinned, *own.notices


def _text(data: bytes) -> str:
    for encoding in ("utf-8-sig", "cp1252") if b"\0" not in data[:4096] else ():
        with suppress(UnicodeDecodeError):
            return data.decode(encoding)
    raise InputError("The file must be text", remedy="Save the series as CSV in UTF-8")


def _states(lines: Sequence[str], name: str) -> OwnData:
    cells = _listed(lines)
    heading = [is_whole(cell) for _, cell in cells[:2]] == [False, True]
    if cells[0][1].lower() in _HEADS or heading:
        cells = cells[1:]
    _no_measurements([cell for _, cell in cells])
    states, labels = states_of(cells, "one state on each line, or commas between the states")
    return OwnData(name, states=states, labels=labels)


def _listed(lines: Sequence[str]) -> list[tuple[int, str]]:
    """(line, state) of a list: commas, semicolons or tabs between states; blanks if there is nothing else."""
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    plain = not any(mark in line for _, line in filled for mark in ",;\t")
    words = [(number, word) for number, line in filled for word in line.split()]
    if plain and len(words) > len(filled) and (len(filled) == 1 or all(is_whole(word) for _, word in words)):
        return words
    return [
        (number, cell.strip().strip('"'))
        for number, line in filled
        for cell in line.replace(";", ",").replace("\t", ",").removesuffix(",").split(",")
    ]


def _no_measurements(cells: Sequence[str]) -> None:
    decimal = sum(not is_whole(cell) and _is_number(cell) for cell in cells)
    for found, what in ((decimal, "numbers with decimals"), (sum(map(is_time, cells)), "dates or times")):
        if len(cells) > 1 and 2 * found > len(cells):
            allowed = f"The file must list states, which are whole numbers or names, or be a table with {WANTED}"
            remedy = "Power readings need a first line that says so, such as power or time,power"
            raise InputError(allowed, value=what, remedy=remedy)


def _is_number(cell: str) -> bool:
    try:
        return np.isfinite(float(cell)).item()
    except ValueError:
        return False
