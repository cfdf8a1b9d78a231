"""A drawing of a table's first rows as its columns would be read, so that a person sees whether that is right.

Places are a path with north above, and a mark on a map of the earth, whose cities are those that name a time zone:
latitude and longitude in the wrong order are another country, or the sea. Values are a line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lmdk_widgets.geo import METRES_PER_DEGREE, Floats
from lmdk_widgets.trajectory.place_columns import cities, nearest_city
from lmdk_widgets.trajectory.raw import read_degrees

_SIDE = 100.0
"""The side of the box in which a path or a line is drawn."""
_LENGTHS = tuple(step * 10.0**power for power in range(7) for step in (1, 2, 5))


def draw_rows(rows: Sequence[Sequence[str]], columns: Mapping[str, int]) -> dict[str, Any] | None:
    """The drawing of rows by the meanings of their columns; None if no two rows have places or values.

    Parameters
    ----------
    rows : the cells of each row. columns : the number of a column for each meaning.

    Returns
    -------
    dict
        "line" ((n, 2) points in a box of 100 by 100, y downwards), "is_path" (whether they are places), "scale" (its length
        in the box and as text, or None), "here" (longitude and latitude of the first row in whole degrees, or None),
        "cities" (those of all cities of the map) and "said".

    Examples
    --------
    >>> rows = [["52.52", "13.40"], ["52.53", "13.42"]]
    >>> drawn = draw_rows(rows, {"latitude": 0, "longitude": 1})
    >>> drawn["here"], drawn["said"]
    ([13, 53], 'The first row is 3 km from Berlin.')
    >>> draw_rows(rows, {"latitude": 1, "longitude": 0})["said"]
    'The first row is 1,325 km from Qatar.'
    """
    for north, east, in_degrees in (("latitude", "longitude", True), ("y", "x", False)):
        if north in columns and east in columns:
            return _path(*_numbers(rows, columns[north], columns[east]), in_degrees=in_degrees)
    if "value" in columns:
        (values,) = _numbers(rows, columns["value"])
        return _line(values)
    return None


def _numbers(rows: Sequence[Sequence[str]], *columns: int) -> list[Floats]:
    """The numbers of columns in the rows in which all are numbers."""
    found = [read_degrees([row[column] for row in rows], "place")[0] for column in columns]
    whole = np.isfinite(found).all(axis=0)
    return [numbers[whole] for numbers in found]


def _path(north: Floats, east: Floats, *, in_degrees: bool) -> dict[str, Any] | None:
    if len(north) < 2 or (in_degrees and (np.abs(north).max() > 90 or np.abs(east).max() > 180)):
        return None
    across, up, metres = east, north, 1.0
    if in_degrees:
        across, metres = np.unwrap(east, period=360) * np.cos(np.radians(north[0])), METRES_PER_DEGREE
    line, unit = _fitted(across, up, alike=True)
    length = max((one for one in _LENGTHS if one * unit / metres <= _SIDE / 2), default=0.0) if unit else 0.0
    text = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
    here, said = None, ""
    if in_degrees:
        name, distance = nearest_city(float(north[0]), float(east[0]))
        here = [round(float(east[0])), round(float(north[0]))]
        said = f"The first row is {distance / 1000:,.0f} km from {name}."
    return {
        "line": line,
        "is_path": True,
        "scale": [round(length * unit / metres, 1), text] if length else None,
        "here": here,
        "cities": np.round(cities()[1][:, ::-1]).astype(int).tolist() if in_degrees else [],
        "said": said,
    }


def _line(values: Floats) -> dict[str, Any] | None:
    if len(values) < 2:
        return None
    line, _ = _fitted(np.arange(len(values), dtype=float), values, alike=False)
    said = f"The values of these rows go from {values.min():g} to {values.max():g}."
    return {"line": line, "is_path": False, "scale": None, "here": None, "cities": [], "said": said}


def _fitted(across: Floats, up: Floats, *, alike: bool) -> tuple[list[list[float]], float]:
    """Points in the box, and how much of it one unit is; `alike`: both directions have one scale."""
    spans = [float(np.ptp(across)), float(np.ptp(up))]
    if alike:
        spans = [max(spans)] * 2
    scales = [_SIDE / span if span else 0.0 for span in spans]
    middle = [(float(one.min()) + float(one.max())) / 2 for one in (across, up)]
    x = _SIDE / 2 + (across - middle[0]) * scales[0]
    y = _SIDE / 2 - (up - middle[1]) * scales[1]
    return np.round(np.column_stack([x, y]), 1).tolist(), scales[0]
