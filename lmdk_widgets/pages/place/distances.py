"""How far apart two cells are: for privacy (d_X), for the report's loss (d_Q) and for the adversary's error (d_A).

The three are chosen separately (Bordenabe et al. 2014, section 2): straight, along streets, squared, or from the user's own
matrix, for example of travel times. All are in metres: squares are divided by the radius, and a matrix is multiplied by the
metres per unit. The privacy distance and the user's own are the lengths of shortest paths through other cells, so they are
metrics: a chain of near cells guarantees as much anyway.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Area, Floats
from lmdk_widgets.geoind.cells import MAX_CELLS
from lmdk_widgets.pages.place.model import PlaceChoices
from lmdk_widgets.trajectory.words import counted

MOST_BYTES = 4 << 20
LARGEST = 1e9
"""Of a number in a matrix."""
_SEPARATORS = (";", "\t", ",")


@dataclass(frozen=True, eq=False)
class Matrix:
    """The user's own distances: (n, n), symmetric, 0 on the diagonal and above 0 elsewhere, in the user's own unit.

    Attributes
    ----------
    unlike : pairs of cells whose two directions differ in the file. shortened : pairs with a shorter route through others.
    """

    values: Floats
    unlike: int = 0
    shortened: int = 0

    @property
    def said(self) -> str:
        """What was read, and where it differs from the file.

        Examples
        --------
        >>> read_matrix(b"0,5\\n7,0\\n").said
        'Distances between 2 cells were read. For 1 pair the two directions differ: the shorter one counts.'
        """
        found = f"Distances between {len(self)} cells were read."
        if self.unlike:
            found += f" For {counted(self.unlike, 'pair')} the two directions differ: the shorter one counts."
        if self.shortened:
            found += f" For {counted(self.shortened, 'pair')} a route through other cells is shorter, so it counts."
        return found

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"Matrix({len(self)} cells)"


@dataclass(frozen=True, eq=False)
class Apart:
    """Three distances between cells, (n, n) metres each."""

    privacy: Floats
    quality: Floats
    error: Floats


def apart_of(places: PlaceChoices, area: Area, matrices: Mapping[str, Matrix]) -> Apart:
    """The chosen distances.

    Raises
    ------
    InputError : the chosen matrix is missing or has another number of cells.

    Examples
    --------
    >>> from lmdk_widgets.geoind.cells import grid_area
    >>> places = PlaceChoices(rows=2, columns=3, quality_by="squared", error_by="manhattan")
    >>> found = apart_of(places, grid_area(2, 3, 1000), {})
    >>> [float(each[0, 5]) for each in (found.privacy, found.quality, found.error)]
    [2236.06797749979, 5000.0, 3000.0]
    """
    names = places.privacy_by, places.quality_by, places.error_by
    made = {name: _by(name, places, area, matrices) for name in set(names)}
    privacy = shortest(made[places.privacy_by]) if places.privacy_by == "squared" else made[places.privacy_by]
    return Apart(privacy, made[places.quality_by], made[places.error_by])


def _by(name: str, places: PlaceChoices, area: Area, matrices: Mapping[str, Matrix]) -> Floats:
    match name:
        case "manhattan":
            steps = np.abs(area.squares[:, None] - area.squares[None]).sum(axis=2)
            return np.asarray(area.cell_m * steps, float)
        case "squared":
            return area.distances_m**2 / places.radius_m
        case "matrix":
            return _fitting(places, len(area), matrices).values * places.unit_m
    return area.distances_m


def _fitting(places: PlaceChoices, n: int, matrices: Mapping[str, Matrix]) -> Matrix:
    if places.distances not in matrices:
        raise InputError("Distances must be uploaded first", remedy="Upload them, or choose straight lines")
    matrix = matrices[places.distances]
    if len(matrix) != n:
        what = f"The distances must have a row and a column for each of the {n:,} cells"
        raise InputError(what, value=f"{len(matrix):,} of them", remedy="Choose cells to match, or straight lines")
    return matrix


def shortest(apart: Floats) -> Floats:
    """The length of the shortest path through other places, (n, n). Floyd and Warshall, O(n³).

    Examples
    --------
    >>> shortest(np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]))[0].tolist()
    [0.0, 1.0, 2.0]
    """
    found = np.array(apart, float)
    for k in range(len(found)):
        np.minimum(found, found[:, k, None] + found[k], out=found)
    return found


def read_matrix(data: bytes) -> Matrix:
    """Distances between cells from a CSV: one row per starting cell, one column per destination.

    The cells are in the page's order, row by row from the south-west (A1, B1, ...). A heading and a first column with names
    are allowed. Of two directions the shorter one counts, or a route through other cells if that is shorter still.

    Raises
    ------
    InputError : not a square of numbers, a negative number, no numbers, a distance from a cell to itself that is not 0, or
    a distance of 0 between two cells.

    Examples
    --------
    >>> read_matrix(b";A1;B1\\nA1;0;5\\nB1;7;0\\n").values.tolist()
    [[0.0, 5.0], [5.0, 0.0]]
    """
    if len(data) > MOST_BYTES:
        raise InputError(f"Distances must have at most {MOST_BYTES >> 20} MB", value="more")
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("Distances must be text in UTF-8", remedy="Save them as UTF-8") from None
    values = _numbers([(k, line) for k, line in enumerate(lines, 1) if line.strip()])
    if np.diagonal(values).any():
        line = int(np.flatnonzero(np.diagonal(values))[0]) + 1
        raise InputError("The distance from a cell to itself must be 0", value=f"another number in row {line:,}")
    nearer = np.minimum(values, values.T)
    both = shortest(nearer)
    if (both + np.eye(len(both)) <= 0).any():
        remedy = "With no distance between them, two cells would be one"
        raise InputError("The distance between two cells must be above 0", value="0", remedy=remedy)
    shortened = both < nearer * (1 - 1e-12)  # rounding apart
    return Matrix(both, int((values != values.T).sum()) // 2, int(shortened.sum()) // 2)


def _numbers(lines: Sequence[tuple[int, str]]) -> Floats:
    separator = max(_SEPARATORS, key=lines[0][1].count) if lines else ","
    rows = [(number, next(csv.reader([line], delimiter=separator))) for number, line in lines]
    if rows and not any(map(_is_number, rows[0][1][1:])):
        rows = rows[1:]  # a heading
    if rows and not any(_is_number(row[0]) for _, row in rows):
        rows = [(number, row[1:]) for number, row in rows]  # names of the cells
    n = len(rows)
    if not 2 <= n <= MAX_CELLS:
        raise InputError(f"Distances must be of between 2 and {MAX_CELLS} cells", value=counted(n, "row"))
    ragged = [(number, f"{len(row):,} numbers") for number, row in rows if len(row) != n]
    if ragged:
        what = f"Each row of the distances must have {n} numbers, as there are {n} rows"
        raise InputError(what, value=f"{len(ragged):,} with more or fewer", rows=ragged)
    wrong = [
        (number, f"column {k + 1}") for number, row in rows for k, cell in enumerate(row) if not _is_distance(cell)
    ]
    if wrong:
        what = f"Distances must be numbers between 0 and {LARGEST:,.0f}"
        raise InputError(what, value=f"something else in line {wrong[0][0]:,}", rows=wrong)
    return np.array([[float(cell) for cell in row] for _, row in rows])


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _is_distance(text: str) -> bool:
    return _is_number(text) and 0 <= float(text) <= LARGEST
