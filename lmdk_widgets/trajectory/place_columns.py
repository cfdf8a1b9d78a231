"""Which columns of a table are a time and a place, judging by their contents, where no heading says it.

Two columns of degrees below 90 may be latitude and longitude, or the other way round. The order is proposed in which the
place is nearer to a city after which a time zone is named, and always asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import pairwise

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import joined
from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.trajectory.columns import find_columns
from lmdk_widgets.trajectory.proposal import find_times, rated, unit_of
from lmdk_widgets.trajectory.table import Grid, is_missing

_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?$")
_AXES = ({"n", "e"}, {"x", "y"}, {"rechts", "hoch"})
_NORTHWARD = re.compile(r"(n|y|nord\w*|north\w*|hoch\w*|breite\w*|lat\w*)$", re.IGNORECASE)
_NORTH, _EAST = (
    re.compile(f"({words})", re.IGNORECASE) for words in ("nord|north|norte|hoch", "east|ost|est[ei]?$|rechts")
)
_MEASURED = re.compile(r"volt|amp|curr|temp|humid|press|speed|acc|alti|elev|co2|pm\d|%", re.IGNORECASE)
"""Headings of what is measured, beside energy and power, and no place."""
_CITY = re.compile(r"\t([+-])(\d\d)(\d\d)(?:\d\d)?([+-])(\d{3})(\d\d)(?:\d\d)?\t\S*?([^/\s]+)(?=\s)")
_METRES = 10_000.0  # of a projected system, whose coordinates are larger
_POLAR = 72.0  # degrees; beyond it, a place is hardly ever somebody's
_EXACT = 4  # decimals of degrees without a heading


def is_place(grid: Grid) -> bool:
    """Whether a table has places: by its headings, or as two smooth neighbours have four decimals; two if their headings are
    n and e, or x and y."""
    found = find_columns(grid.heads)
    begins = [re.match(r"(lat|lon|lng)(g?itude)?\b", head.strip(), re.IGNORECASE) for head in grid.heads]
    named = {match[1].lower() for match in begins if match}  # in the first of several lines of headings
    return max(found.latitude, found.longitude) >= 0 or len(named) > 1 or smooth_pair(grid) != ()


def smooth_pair(grid: Grid) -> tuple[int, int] | tuple[()]:
    """Two neighbouring columns called north and east, or that go on smoothly within degrees under no or an unknown heading;
    () if there are none, or if any other column is named as values."""
    numbers = [k for k, kind in enumerate(grid.kinds) if kind == "number"]
    pairs = [(a, b) for a, b in pairwise(numbers) if b == a + 1]
    named = next((pair for pair in pairs if _are_axes(grid, *pair)), ())
    if named or any(rate > 2 for rate, _ in rated(grid, set())):
        return named
    return next((pair for pair in pairs if _are_smooth(grid, *pair)), ())


def _are_axes(grid: Grid, a: int, b: int) -> bool:
    """Whether two columns are called north and east, and are degrees, or too large for anything but metres."""
    named = {grid.heads[k].strip().lower() for k in (a, b)}
    far = [farthest(grid.columns[k][:400]) for k in (a, b)]
    words = any(map(_NORTH.match, named)) and any(map(_EAST.match, named))
    return (words and max(far) <= 180) or ((words or named in _AXES) and min(far) > _METRES)


def _are_smooth(grid: Grid, a: int, b: int) -> bool:
    named = {grid.heads[k].strip().lower() for k in (a, b)}
    if named not in _AXES and any(_MEASURED.search(head) or unit_of(head) for head in named):
        return False
    return all(_is_smooth(grid, k, 2 if named in _AXES else _EXACT) for k in (a, b))


def _is_smooth(grid: Grid, column: int, decimals: int) -> bool:
    cells = [cell.replace(",", ".") for cell in grid.columns[column][:400] if not is_missing(cell)]
    exact = sum(len(cell.rpartition(".")[2]) >= decimals for cell in cells if "." in cell)
    try:
        values = np.array(list(map(float, cells)))
    except ValueError:
        return False
    if len(values) < 2 or 2 * exact < len(values) or np.abs(values).max() > 180:
        return False
    return bool(np.abs(np.diff(values)).max() < 1)


def columns_by_content(grid: Grid) -> dict[str, int]:
    """The columns that seem to be a date or a time, and a place, by their meanings; in degrees, or x and y in metres.

    Examples
    --------
    >>> rows = Grid(("", "", ""), (["2024-05-04 06:00"], ["11.5"], ["48.2"]), np.arange(1), {})
    >>> columns_by_content(rows)
    {'time': 0, 'latitude': 2, 'longitude': 1}
    """
    time, _ = find_times(grid)
    alone = ("date",) if time and grid.kinds[time[0]] == "date" else ("time",)
    found = dict(zip(("date", "clock") if len(time) == 2 else alone, time, strict=False))
    decimal = [
        k
        for k, cells in enumerate(grid.columns)
        if grid.kinds[k] == "number" and any("." in cell or "," in cell for cell in cells[:400])
    ]
    pair = smooth_pair(grid) or tuple(decimal[:2])
    if len(pair) < 2:
        return found
    a, b = pair
    far_a, far_b = (farthest(grid.columns[k][:400]) for k in pair)
    if max(far_a, far_b) > 180:
        first, second = (b, a) if _is_northward(grid, a) and not _is_northward(grid, b) else (a, b)
        return found | {"x": first, "y": second}
    return found | (
        {"latitude": b, "longitude": a} if _is_swapped(grid, a, b, far_a, far_b) else {"latitude": a, "longitude": b}
    )


def _is_swapped(grid: Grid, a: int, b: int, far_a: float, far_b: float) -> bool:
    """Whether the first of two columns of degrees is likelier the longitude."""
    if max(far_a, far_b) > 90:
        return far_a > far_b
    first, second = (_is_northward(grid, k) for k in (a, b))
    if first != second:
        return second
    north, east = (_middle(grid.columns[k]) for k in (a, b))
    return _from_a_city(east, north) < _from_a_city(north, east)


def _is_northward(grid: Grid, column: int) -> bool:
    return _NORTHWARD.match(grid.heads[column].strip()) is not None


def _middle(cells: Sequence[str]) -> float:
    numbers = [float(cell.replace(",", ".")) for cell in cells[:400] if _NUMBER.match(cell)]
    return float(np.median(numbers)) if numbers else 0.0


def _from_a_city(north: float, east: float) -> float:
    """Metres from a place to the nearest city of the time zone database."""
    return np.inf if abs(north) > _POLAR else nearest_city(north, east)[1]


@cached("everybody", what="the cities that name time zones")
def cities() -> tuple[list[str], Floats]:
    """The cities of the time zone database: their names, and latitude and longitude of each."""
    table = (files("tzdata") / "zoneinfo" / "zone1970.tab").read_text("utf-8")
    found = [
        [name.replace("_", " "), float(f"{a}{b}") + float(f"{a}{c}") / 60, float(f"{d}{e}") + float(f"{d}{f}") / 60]
        for a, b, c, d, e, f, name in _CITY.findall(table)
    ]
    return [str(name) for name, *_ in found], np.array([place for _, *place in found], float)


def nearest_city(north: float, east: float) -> tuple[str, float]:
    """The nearest city of the time zone database, and the metres to it.

    Examples
    --------
    >>> name, metres = nearest_city(48.8, 2.3)
    >>> name, round(metres)
    ('Paris', 7804)
    """
    names, places = cities()
    metres = distance_m(places[:, 0], places[:, 1], north, east)
    return names[int(metres.argmin())], float(metres.min())


def farthest(cells: Iterable[str]) -> float:
    """The largest absolute value of the numbers; 0 if there is none."""
    return max((abs(float(cell.replace(",", "."))) for cell in cells if _NUMBER.match(cell)), default=0.0)


def said_of(columns: Mapping[str, int | str]) -> str:
    """Which columns the time and the place are in, in words.

    Examples
    --------
    >>> said_of({"time": 0, "latitude": 2, "longitude": 1})
    'time in column 1, latitude in column 3 and longitude in column 2'
    """
    named = (("time of day" if name == "clock" else name, k) for name, k in columns.items())
    return joined((f"{name} in column {int(k) + 1}" for name, k in named), "and")
