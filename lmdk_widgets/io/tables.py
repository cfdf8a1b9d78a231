"""Exported tables, with a note in every row: a release as CSV and as GeoJSON (RFC 7946), others as CSV.

Each CSV can also be written as Parquet, if pandas has a library for it.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.io.released import DECIMALS, Released, checked_note, released
from lmdk_widgets.trajectory.words import printable

_FORMULA = ("=", "+", "-", "@")
"""How a cell starts if a spreadsheet would run it as a formula."""

PARQUET_WRITERS = ("pyarrow", "fastparquet")
"""The libraries with which pandas writes Parquet; neither is required, as both are large."""


def release_csv(
    time: ArrayLike,
    latitude: ArrayLike,
    longitude: ArrayLike,
    *,
    note: str,
    columns: Mapping[str, ArrayLike] | None = None,
) -> str:
    """A release as CSV: time, latitude, longitude, further columns and the note, one row for every timestamp.

    A timestamp without a release keeps its row, with empty coordinates: so row numbers match timestamps in every file of a
    track, and it is no secret that nothing was released there. `load_trajectory` can read the file, and asks before it
    leaves out such rows.

    Parameters
    ----------
    time : (n,) datetime64, UTC; written as ISO 8601 with a Z.
    latitude, longitude : (n,) released degrees, in [-90, 90] and [-180, 180], NaN where there is no release; written
        with six decimals (0.11 m). Never pass true places.
    note : repeated in every row, so it survives when rows are copied.
    columns : more columns by name, each (n,) numbers, flags or texts; a number that is not finite is left empty.

    Raises
    ------
    InputError : see `lmdk_widgets.io.released`; a column of another length or kind, or one named "time".

    Examples
    --------
    >>> import numpy as np
    >>> time = np.array(["2026-01-26T08:00", "2026-01-26T09:00"], "datetime64[ns]")
    >>> print(release_csv(time, [np.nan, 48.85], [np.nan, 2.25], note="simulation, not a private release"), end="")
    time,latitude,longitude,note
    2026-01-26T08:00:00Z,,,"simulation, not a private release"
    2026-01-26T09:00:00Z,48.850000,2.250000,"simulation, not a private release"
    """
    rows, note = released(time, latitude, longitude), checked_note(note)
    more = {name: _column(name, values, len(rows)) for name, values in (columns or {}).items()}
    places = [
        [
            f"{degrees:.{DECIMALS}f}" if present else ""
            for degrees, present in zip(column.tolist(), rows.present.tolist(), strict=True)
        ]
        for column in (rows.latitude, rows.longitude)
    ]
    cells = [rows.times, *places, *(list(map(_short, values)) for values in more.values())]
    return _csv(["time", "latitude", "longitude", *more], cells, note)


def _csv(heads: Iterable[str], columns: Sequence[Sequence[str]], note: str | Sequence[str]) -> str:
    """Cells in columns of equal length, then each row's note."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*heads, "note"])
    rows = list(zip(*columns, strict=True))
    table.writerows(
        [*row, last] for row, last in zip(rows, [note] * len(rows) if isinstance(note, str) else note, strict=True)
    )
    return text.getvalue()


def _short(value: Any) -> str:
    """A number with seven digits, a flag as 1 or 0, a text as it is."""
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:.7g}" if isinstance(value, float) else str(int(value))


def release_geojson(
    time: ArrayLike,
    latitude: ArrayLike,
    longitude: ArrayLike,
    *,
    note: str,
    properties: Mapping[str, ArrayLike] | None = None,
) -> str:
    """A release as a FeatureCollection of Points with their times, one Feature per line.

    The note is a foreign member of the collection. A timestamp without a release is a Feature whose geometry is null
    (RFC 7946, section 3.2). Points need not be cut at the antimeridian. `load_trajectory` can read the file.

    Parameters
    ----------
    time : (n,) datetime64, UTC; written as ISO 8601 with a Z in the property `time`.
    latitude, longitude : (n,) released degrees, in [-90, 90] and [-180, 180], NaN where there is no release; rounded to
        six decimals (0.11 m). Never pass true places.
    note : what the file is.
    properties : more properties by name, each (n,) numbers, flags or texts; a number that is not finite becomes null.

    Raises
    ------
    InputError : see `lmdk_widgets.io.released`; a property of another length or kind, or one named "time".

    Examples
    --------
    >>> import numpy as np
    >>> time = np.array(["2026-01-26T08:00"], "datetime64[ns]")
    >>> text = release_geojson(time, [-16.5], [179.9], note="simulation, not a private release")
    >>> json.loads(text)["features"][0]["geometry"]
    {'type': 'Point', 'coordinates': [179.9, -16.5]}
    """
    points, note = released(time, latitude, longitude), checked_note(note)
    columns = {name: _column(name, values, len(points)) for name, values in (properties or {}).items()}
    features = ",\n".join(_features(points, columns))
    return f'{{"type": "FeatureCollection", "note": {json.dumps(note)}, "features": [\n{features}\n]}}\n'


def _features(points: Released, columns: Mapping[str, list[Any]]) -> Iterator[str]:
    encode = json.JSONEncoder(allow_nan=False).encode  # one encoder: json.dumps would make one for each feature
    coordinates = zip(points.longitude.tolist(), points.latitude.tolist(), strict=True)
    for i, (position, present) in enumerate(zip(coordinates, points.present.tolist(), strict=True)):
        feature = {
            "type": "Feature",
            "geometry": {"type": "Point", "coordinates": position} if present else None,
            "properties": {"time": points.times[i], **{name: values[i] for name, values in columns.items()}},
        }
        yield encode(feature)


def _column(name: str, values: ArrayLike, n: int) -> list[Any]:
    column = np.asarray(values)
    if not isinstance(name, str) or name == "time" or column.shape != (n,) or column.dtype.kind not in "biufU":
        raise InputError(
            f'property {name!r} must contain {n:,} numbers, flags or texts under a name other than "time"',
            value=f"{column.dtype} of shape {column.shape}",
        )
    if column.dtype.kind != "f":
        return column.tolist()
    return [value if math.isfinite(value) else None for value in column.tolist()]


def table_csv(
    columns: Mapping[str, Sequence[Any] | np.ndarray], *, note: str | Sequence[str], digits: int | None = None
) -> str:
    """Columns of equal length as CSV, then the note in each row, so it survives when rows are copied.

    Numbers are written so that they can be read back exactly; one that is not finite is "inf", "-inf" or left empty. A text
    that a spreadsheet would run as a formula is preceded by a quotation mark, and every text is on one line.

    Parameters
    ----------
    note : the same for every row, or one for each. digits : how many digits of a number that is not whole are written; then
        numbers that are not finite are left empty. None: all digits.

    Raises
    ------
    InputError : columns of different lengths, or a note of several lines.

    Examples
    --------
    >>> print(table_csv({"state": ["on", "=1"], "share": [0.1, float("nan")]}, note="simulation"), end="")
    state,share,note
    on,0.1,simulation
    '=1,,simulation
    """
    for each in {note} if isinstance(note, str) else set(note):
        checked_note(each)
    lists = {
        name: np.asarray(values).tolist() if isinstance(values, np.ndarray) else list(values)
        for name, values in columns.items()
    }
    if len({len(values) for values in lists.values()}) > 1:
        raise InputError("Columns must have the same length", value=", ".join(str(len(v)) for v in lists.values()))
    cells = [[_cell(value, digits) for value in values] for values in lists.values()]
    return _csv(map(_cell, lists), cells, note)


def _cell(value: Any, digits: int | None = None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float) and digits is not None:
        return f"{value:.{digits}g}" if math.isfinite(value) else ""
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    text = printable(str(value), len(str(value)))
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text


def can_write_parquet() -> bool:
    """Whether Parquet can be written in this environment."""
    return any(find_spec(name) is not None for name in PARQUET_WRITERS)


def parquet_of(csv_text: str) -> bytes:
    """The table in a CSV file from this package as Parquet, with the same columns, including the note.

    Numbers stay the same to the last bit; a column `time` is converted to times in UTC.

    Raises
    ------
    ImportError : pandas cannot write Parquet.
    """
    pandas = library("pandas", "Parquet")

    heads, *rows = csv.reader(io.StringIO(csv_text))
    frame = pandas.DataFrame(dict(zip(heads, map(_typed, zip(*rows, strict=True)), strict=True)))
    if "time" in frame:
        frame["time"] = pandas.to_datetime(frame["time"], utc=True)
    written = io.BytesIO()
    frame.to_parquet(written, index=False)
    return written.getvalue()


def _typed(cells: tuple[str, ...]) -> list[Any]:
    """A column of whole numbers, of numbers, or of texts; only empty cells are missing."""
    for kind in (int, float):
        try:
            return [kind(cell) for cell in cells] if kind is int else [float(cell or "nan") for cell in cells]
        except ValueError:
            continue
    return [cell or None for cell in cells]
