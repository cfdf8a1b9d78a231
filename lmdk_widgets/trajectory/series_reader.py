"""Reading a series of numbers or of answers from a table: its column, its unit, its times and its landmarks."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from lmdk_widgets.checks import joined
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.columns import find_columns
from lmdk_widgets.trajectory.data_frame import as_csv, as_frame, has_several, is_frame
from lmdk_widgets.trajectory.formats.csv import proposed_columns
from lmdk_widgets.trajectory.load import FileOptions, load_trajectory
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.opened import open_source
from lmdk_widgets.trajectory.place_columns import said_of
from lmdk_widgets.trajectory.samples import find_track, only_of_files, sample_names, sample_series, series_names
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.trajectory.series_content import WANTED, load_by_content
from lmdk_widgets.trajectory.source import Contents, Source

OPTIONS = frozenset(
    ("timezone", "day_first", "on_problem", "on_repeat", "person", "columns", "headings", "accept", "reading")
)
"""What can be chosen for the file of a series; the other options of `load_trajectory` are only for tracks."""
_ASKED = ("columns", "reading")


def load_data(source: Source | Any, **options: Unpack[FileOptions]) -> Trajectory:
    """The track or series of values in a file, or in a table in memory, as its content determines.

    Options as for `load_trajectory`; of a table in memory `timezone` and `person`, see `Trajectory.from_frame`.

    Raises
    ------
    InputError : as for `load_trajectory` and `load_series`.

    Examples
    --------
    >>> type(load_data(b"time,kwh\\n2026-01-26T08:00Z,0.3\\n2026-01-26T09:00Z,0.2\\n")).__name__
    'Series'
    """
    if is_frame(source):
        return load_frame(source, **options)
    file = open_source(source)
    how = {name: value for name, value in options.items() if name in OPTIONS}
    table = options.keys() <= OPTIONS | {"on_several"} and not file.more  # several files are tracks
    if table and file.beginning[:1] not in (b"{", b"[") and (series := _series(file, how)) is not None:
        return series
    try:
        return load_trajectory(file, **options)
    except InputError as error:
        if table and not error.kind and (series := _series(file, how)) is not None:
            return series
        raise (_neither(error, file) if error.kind == "columns" and _is_nowhere(file, options) else error) from None


def _series(file: Contents, how: Mapping[str, Any]) -> Series | None:
    """The series in a table, with what is known about the file that it was taken from; None if it holds none."""
    chosen = how.get("columns")
    if file.format:  # its structure says what its columns are
        heading = file.beginning.partition(b"\n")[0].count(b",")
        how = {**how, "columns": {"time": 0, "value": 1} | ({"person": 2} if heading > 1 else {})}
    elif chosen is not None and not (isinstance(chosen, Mapping) and "value" in chosen):
        return None
    if (series := load_by_content(file, how)) is None:
        return None
    return replace(series, notices=(*file.notices, *series.notices), format=file.format or file.container)


def _is_nowhere(file: Contents, options: Mapping[str, Any]) -> bool:
    """Whether a table's heading names no place, and nobody has said what its columns contain."""
    if b"\0" in file.data[:4096]:
        return False
    heading = next((line for line in file.text().splitlines() if line.strip()), "")
    named = find_columns(re.split(r"[,;\t|]", heading))
    return max(named.latitude, named.longitude) < 0 and not options.get("columns")


def _neither(error: InputError, file: Contents) -> InputError:
    """The error for a table that may contain a series or a track."""
    if (proposed := proposed_columns(file)) is not None:
        found = dict(proposed.columns)
        other = found | {"latitude": found["longitude"], "longitude": found["latitude"]}
        ways = [{"columns": columns, "headings": proposed.headings} for columns in (found, other)]
        return InputError(
            "the first line must name the columns of a track or a series",
            value=error.value,
            remedy=f"Is this right? It is read as {said_of(found)}",
            argument=f"accept=True for that, or columns={json.dumps(other)}, headings={proposed.headings}",
            kind="columns",
            offers=[(f"Yes: {said_of(found)}", ways[0]), (said_of(other), ways[1])],
        )
    return InputError(
        "the first line must name the columns of a track (latitude, longitude and time) or of a series (time and value)",
        value=error.value,
        remedy="Say what each column contains",
        argument='columns={"time": 0, "value": 1}',
        kind="columns",
    )


def load_frame(what: Any, *, accept: bool = False, **options: Any) -> Trajectory:
    """The track in a table in memory, or the series if it has no places; one of several columns as from a file.

    Raises
    ------
    InputError : as `Trajectory.from_frame`, or `load_data` on its rows; an option that only a file has.
    """
    frame, _ = as_frame(what)
    named = find_columns([str(name) for name in frame.columns])
    kind = Trajectory if max(named.latitude, named.longitude) >= 0 else Series
    asks = kind is Series and has_several(frame)
    if others := [
        name for name in options if name not in ("timezone", "person", "day_first", *(_ASKED if asks else ()))
    ]:
        raise InputError(f"{joined(others, 'and')} must come with a file", value="a table in memory")
    if asks:
        return load_data(as_csv(what)[0], accept=accept, **options)
    try:
        return kind.from_frame(what, **options)
    except InputError as error:
        if not (accept and error.kind == "day-order"):
            raise
        return kind.from_frame(what, **options | error.offers[0][1])


def find_data(what: object, *, timezone: str | None = None, **options: Any) -> Trajectory:
    """The track or series that is meant: itself, the name of a sample, or the path of a file.

    Further options say how to read a file, as for `load_data`.

    Raises
    ------
    InputError : it is none of these, the file cannot be read, or there are options but no file.

    Examples
    --------
    >>> len(find_data("bob")), len(find_data("household"))
    (8, 336)
    """
    if isinstance(what, str) and what in series_names():
        only_of_files(options, what)
        return sample_series(what)
    if is_frame(what) or (isinstance(what, (str, os.PathLike)) and what not in sample_names() and os.path.isfile(what)):
        return load_data(what, timezone=timezone, **options)
    return find_track(what, timezone=timezone, **options)


def load_series(
    source: Source,
    *,
    timezone: str | None = None,
    day_first: bool | None = None,
    on_problem: str | None = None,
    on_repeat: str | None = None,
    person: str | None = None,
    columns: Mapping[str, int | str] | None = None,
    headings: bool = True,
    accept: bool = False,
    reading: str | None = None,
) -> Series:
    """Read a series from a table with a heading: a column of times, and one of numbers or of yes and no.

    The time may be in two columns, a date and a time of day or a whole hour. A column `landmark` (1 or 0) proposes
    landmarks, a column `label` names timestamps. A timestamp without a value is
    left out: a gap stays a gap. A unit is taken from the heading,
    such as "power (kW)" or "energy_kWh". A file never says which bounds are public. Bluetooth scans (timestamp, user_a,
    user_b, rssi) are read as answers: whether one person's device saw another device in the study at each scan.

    Parameters
    ----------
    source : a path, the bytes of a file, or a file object.
    timezone, day_first, on_problem, on_repeat : as for `load_trajectory`; the average of answers is that of the majority.
    person : whose series to read, if the file contains several.
    columns : what each column contains: maps "value" and, if present, "time", or "date" and "clock", "person",
        "landmark" and "label" to a heading or a number from 0. None: determined by the headings.
    headings : whether the first line names the columns; only with `columns`.
    accept : whether to take the proposed answer to every question but the time zone and the person.
    reading : one of the ways to read a table that the error of kind "which" offers.

    Raises
    ------
    InputError : no possible column, or more than one; with `kind` "timezone", "day-order", "people", "columns" or
    "rows" if there is something to choose. No message contains a value of the series.

    Examples
    --------
    >>> found = load_series(b"time;near\\n2026-01-26T08:00Z;yes\\n2026-01-26T08:10Z;no\\n2026-01-26T08:20Z;yes\\n")
    >>> found.kind, found.values.tolist(), found.answers
    ('answers', [1.0, 0.0, 1.0], ('no', 'yes'))
    """
    given: dict[str, Any] = {"timezone": timezone, "day_first": day_first, "on_problem": on_problem}
    given |= {"on_repeat": on_repeat, "person": person, "columns": columns, "headings": headings}
    file = open_source(source)
    if file.more:
        raise InputError(
            "A series must come from one file", value=f"{1 + len(file.more):,}", remedy="Choose one of them"
        )
    series = _series(file, given | {"accept": accept, "reading": reading})
    if series is None:
        what = f"The file must have {WANTED}, with at most two different states"
        raise InputError(what, value="another kind of file")
    return series
