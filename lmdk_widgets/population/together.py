"""The rows of a table brought together by person: sorted by person and time, each person's times increasing.

Which column is which is found by its heading, as for one track. Nobody is joined with anybody: without a column that names
the person, one has to be named. A few rows that cannot be used are left out and counted; many are refused.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats
from lmdk_widgets.population.table_files import read_table
from lmdk_widgets.trajectory.clean import are_few, coordinate_reason, listed
from lmdk_widgets.trajectory.columns import WHOSE, Chosen, Columns, find_columns, in_degrees, plain, says_utc
from lmdk_widgets.trajectory.data_frame import as_frame, degrees_of, text_of, times_of, zone_named
from lmdk_widgets.trajectory.times import change_sentences
from lmdk_widgets.trajectory.words import counted, printable, quoted
from lmdk_widgets.trajectory.zones import find_zone

if TYPE_CHECKING:
    from pandas import DataFrame

NOBODY = "the person is missing"
REPEATED = "the same person and time as an earlier row"
_WHOLE = 2.0**53
"""From here on, a decimal may stand for several whole numbers."""

MOST_LISTED = 1_000
"""How many rows that cannot be used are listed in an error."""


@dataclass(frozen=True, eq=False, repr=False)
class Rows:
    """The rows of several people.

    Attributes
    ----------
    names : (people,) texts, sorted.
    starts : (people + 1,) where each person's rows begin; the last is the number of rows.
    latitude, longitude : (rows,) degrees WGS84. time : (rows,) datetime64[ns] UTC, increasing for each person.
    zone : IANA name of their time zone, or "".
    left_out : how many rows were left out, by reason. notices : sentences about what was done.
    """

    names: NDArray[np.str_]
    starts: NDArray[np.int64]
    latitude: Floats
    longitude: Floats
    time: NDArray[np.datetime64]
    zone: str
    left_out: Mapping[str, int]
    notices: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.time)

    @property
    def reports(self) -> NDArray[np.int64]:
        """(people,) how many rows each person has."""
        return np.diff(self.starts)

    @property
    def person(self) -> NDArray[np.int64]:
        """(rows,) the number of each row's person, an index into the names."""
        return np.repeat(np.arange(len(self.names)), self.reports)


@dataclass(frozen=True, eq=False)
class Layout:
    """What the columns of a table are.

    Attributes
    ----------
    headings : of all columns. columns : which is which; the first of its identities names the person.
    """

    headings: tuple[str, ...]
    columns: Columns

    @property
    def person(self) -> int:
        return self.columns.identities[0]

    @property
    def needed(self) -> list[int]:
        """The columns that are read."""
        columns = self.columns
        return [self.person, columns.latitude, columns.longitude, columns.time, *([columns.date] * (columns.date >= 0))]


def layout_of(headings: Sequence[str], chosen: Mapping[str, int | str] | None = None) -> Layout:
    """Which column of a table of people is which.

    Parameters
    ----------
    headings : of all columns. chosen : columns by meaning, a heading or a number from 0, instead of those found: "person",
        "time" or "date" and "clock", "latitude", "longitude".

    Raises
    ------
    InputError (kind "columns") if a column is missing.

    Examples
    --------
    >>> layout = layout_of(["lat", "lon", "time", "user_id"])
    >>> layout.person, layout.columns.latitude
    (3, 0)
    """
    found = find_columns(headings)
    keys = [plain(heading) for heading in headings]
    people = found.identities or tuple(keys.index(name) for name in WHOSE if name in keys)[:1]
    at: dict[str, int | str] = {"latitude": found.latitude, "longitude": found.longitude}
    at |= {"date": found.date, "clock": found.time} if found.date >= 0 else {"time": found.time}
    at |= {"person": people[0]} if people else {}
    given = dict(chosen or {})
    if given.keys() & {"time", "date", "clock"}:
        at = {name: value for name, value in at.items() if name not in ("time", "date", "clock")}
    at = {name: value for name, value in at.items() if value != -1 and value not in given.values()} | given
    missing = [name for name in ("person", "latitude", "longitude") if name not in at]
    missing += ["time"] if not at.keys() & {"time", "date"} else []
    if missing:
        shown = ", ".join(printable(name, 30) for name in headings[:8] if quoted(name))
        raise InputError(
            f"A table of people must have columns for {', '.join(missing)}",
            value=shown or None,
            remedy="Say which column it is",
            argument=f'columns={{"{missing[0]}": "its heading"}}',
            kind="columns",
        )
    layout = Layout(tuple(headings), Chosen(at).found_in(headings))
    for k in layout.needed:
        if headings.count(headings[k]) > 1 and k not in given.values():
            what = f"a table of people must have one column named{quoted(headings[k])}"
            remedy = "Rename the others, or say which column it is by its number"
            raise InputError(what, value="several", remedy=remedy, kind="columns")
    return layout


def bring_together(
    table: Any,
    *,
    columns: Mapping[str, int | str] | None = None,
    timezone: str | None = None,
    day_first: bool | None = None,
) -> Rows:
    """The rows of a table, brought together by person.

    Parameters
    ----------
    table : of pandas, GeoPandas, movingpandas or polars, or a list of dicts, with columns for the person, the time (datetimes
        or texts), latitude and longitude; or the path of a file or folder, see `read_table`; or `Rows`, which are returned.
        columns : see `layout_of`. timezone : IANA name of the zone for times without one.
        day_first : for times that are texts, whether 1/2/2026 is the first of February.

    Raises
    ------
    InputError for a missing column, of kind "timezone" or "day-order" as for one track, and of kind "rows" for too many rows
    that cannot be used.
    """
    if isinstance(table, Rows):
        return table
    if timezone is not None:
        find_zone(timezone)
    frame, zone = as_frame(read_table(table, columns) if isinstance(table, (str, os.PathLike)) else table)
    layout = layout_of([str(name) for name in frame.columns], columns)
    rows = rows_of_frame(frame, layout, timezone=timezone or zone or None, day_first=day_first)
    return replace(rows, zone=zone_of(frame, layout, timezone, zone))


def zone_of(frame: DataFrame, layout: Layout, timezone: str | None, named: str) -> str:
    """The time zone of people's rows, IANA name or "": as given, as the table names it, or that of its times."""
    return timezone or named or zone_named(frame, layout.columns.time)


@dataclass(frozen=True, eq=False, repr=False)
class Cleaned:
    """The usable rows of a frame, in its order.

    Attributes
    ----------
    codes : (rows,) each row's person, an index into `names`. reasons : why other rows cannot be used, by their number.
    notices, day_first, unit, changes : as in `trajectory.times.Times`.
    """

    names: NDArray[np.str_]
    codes: NDArray[np.int64]
    latitude: Floats
    longitude: Floats
    time: NDArray[np.datetime64]
    reasons: Mapping[int, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    day_first: bool | None = None
    unit: str = ""
    changes: tuple[int, int] = (0, 0)

    @property
    def nowhere(self) -> int:
        """How many rows are at latitude 0, longitude 0."""
        return int(((self.latitude == 0) & (self.longitude == 0)).sum())


def cleaned(frame: DataFrame, layout: Layout, timezone: str | None, day_first: bool | None) -> Cleaned:
    """The usable rows of a frame whose columns are known."""
    utc_named = says_utc(layout.headings[layout.columns.time])
    times = times_of(frame, layout.columns, "UTC" if utc_named else timezone, day_first, several=True)
    latitude, problems = degrees_of(frame.iloc[:, layout.columns.latitude], "latitude")
    longitude, more = degrees_of(frame.iloc[:, layout.columns.longitude], "longitude")
    latitude, longitude = in_degrees(latitude, longitude, layout.headings, layout.columns)
    codes, names = _people(frame.iloc[:, layout.person])
    nowhere = np.flatnonzero(~((np.abs(latitude) <= 90) & (np.abs(longitude) <= 180)))  # written so that NaN is nowhere
    reasons = {row: coordinate_reason(latitude[row], longitude[row]) for row in nowhere.tolist()} | more | problems
    reasons |= times.problems | dict.fromkeys(np.flatnonzero(codes < 0).tolist(), NOBODY)
    kept = np.ones(len(frame), bool)
    kept[list(reasons)] = False
    of = codes[kept], latitude[kept], longitude[kept], times.utc[kept]
    return Cleaned(names, *of, reasons, times.notices, times.day_first, times.unit, times.changes)


def rows_of_frame(
    frame: DataFrame, layout: Layout, *, timezone: str | None = None, day_first: bool | None = None
) -> Rows:
    """The same for a frame whose columns are known."""
    if not len(frame):
        raise InputError("A table of people must have at least one row", value="none")
    of = cleaned(frame, layout, timezone, day_first)
    left_out = check_left_out(of.reasons, len(of.reasons), len(frame))
    return sorted_rows(of, timezone or "", left_out)


def check_left_out(reasons: Mapping[int, str], count: int, total: int) -> Counter[str]:
    """How many rows are left out for each reason, if there are few.

    Raises
    ------
    InputError (kind "rows") if there are many: `count` of `total`, of which the first are in `reasons`.
    """
    if count and not are_few(count, total):
        found = sorted(reasons.items())[:MOST_LISTED]
        raise InputError(
            f"Every row of a table of people must be valid; {count:,} of {counted(total, 'row')} cannot be used "
            f"({listed(found, 'row')})",
            remedy="Correct them, or leave them out",
            kind="rows",
            rows=found,
            row_name="row",
        )
    return Counter(map(kind_of_reason, reasons.values()))


def _people(column: Any) -> tuple[NDArray[np.int64], NDArray[np.str_]]:
    """The number of each row's person, -1 for none, and the sorted names."""
    pandas = library("pandas", "A table of people")
    if column.dtype.kind == "f" and (np.abs(column.to_numpy(float, na_value=0.0)) >= _WHOLE).any():
        remedy = "Read the column as text, or as whole numbers: decimals with so many digits may make two people one"
        raise InputError("the persons of a table must be texts or whole numbers", value="large decimals", remedy=remedy)
    try:
        codes, values = pandas.factorize(column)
    except TypeError:  # such as lists
        raise InputError("the persons of a table must be texts or numbers", value="values that are neither") from None
    texts = np.array([text_of(value) for value in values.tolist()] + [""], str)
    names, which = np.unique(texts, return_inverse=True)
    codes = which[codes]  # -1 is the last text, ""
    return codes.astype(np.int64) - 1, names[1:]


def sorted_rows(of: Cleaned, zone: str, left_out: Counter[str]) -> Rows:
    """Rows sorted by person and time, the first of those with the same person and time kept."""
    said = [*of.notices, *clock_sentences(of.changes, zone), *nowhere_sentences(of.nowhere, len(of.codes))]
    names = of.names
    codes, latitude, longitude, utc = of.codes, of.latitude, of.longitude, of.time
    same = codes[1:] == codes[:-1]
    if (codes[1:] < codes[:-1]).any() or (same & (utc[1:] < utc[:-1])).any():
        order = np.lexsort((utc, codes))
        codes, latitude, longitude, utc = codes[order], latitude[order], longitude[order], utc[order]
        said.append("The rows were sorted by person and time.")
        same = codes[1:] == codes[:-1]
    repeated = np.concatenate(([False], same & (utc[1:] == utc[:-1])))
    if repeated.any():
        left_out[REPEATED] += int(repeated.sum())
        first = ~repeated
        codes, latitude, longitude, utc = codes[first], latitude[first], longitude[first], utc[first]
    said += left_out_sentences(left_out)
    found, counts = np.unique(codes, return_counts=True)
    starts = np.concatenate(([0], np.cumsum(counts)))
    return Rows(names[found], starts, latitude, longitude, utc, zone, dict(left_out), tuple(said))


def joined_rows(parts: Sequence[Rows]) -> Rows:
    """The rows of parts with different people, sorted by name."""
    names = np.concatenate([part.names for part in parts])
    owner = np.concatenate([np.full(len(part.names), k) for k, part in enumerate(parts)])
    number = np.concatenate([np.arange(len(part.names)) for part in parts])
    order = np.argsort(names, kind="stable")
    before = np.cumsum([0, *(len(part) for part in parts)])
    first = np.concatenate([before[k] + part.starts[:-1] for k, part in enumerate(parts)])[order]
    sizes = np.array([parts[owner[k]].reports[number[k]] for k in order], np.intp)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    at = np.repeat(first - starts[:-1], sizes) + np.arange(starts[-1])
    latitude, longitude, time = (
        np.concatenate([getattr(part, name) for part in parts])[at] for name in ("latitude", "longitude", "time")
    )
    return Rows(names[order], starts, latitude, longitude, time, parts[0].zone, {}, ())


def clock_sentences(changes: tuple[int, int], zone: str) -> list[str]:
    """What was done with clock times that exist twice, which are read as the first of the two, or never."""
    return change_sentences(changes[0], 0, changes[1], zone)


def nowhere_sentences(count: int, total: int) -> list[str]:
    """What is said of places that devices do not know, where not all are."""
    said = f"{counted(count, 'row is', 'rows are')} at latitude 0, longitude 0, where devices put unknown places."
    return [said] if 0 < count < total else []


def left_out_sentences(left_out: Mapping[str, int]) -> list[str]:
    """What was left out, a sentence for each reason."""
    return [f"{counted(count, 'row was', 'rows were')} left out: {why}." for why, count in sorted(left_out.items())]


def kind_of_reason(reason: str) -> str:
    """A reason without the text of its row, so that equal ones are counted together."""
    if '"' in reason:
        return f"{reason.partition(chr(34))[0].strip()} {reason.rpartition(chr(34))[2].strip()}".strip()
    return reason
