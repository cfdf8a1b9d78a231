"""Generalisation: coarser values for a column, bands for numbers and higher levels of a hierarchy for categories."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.anonymity.coding import checked_column, checked_table, coded
from lmdk_widgets.checks import kind_of, positive, refused, seen, series, whole
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats

if TYPE_CHECKING:
    import pandas as pd

MOST_BANDS = 100_000


class Hierarchy:
    """One or more trees of categories.

    Parameters
    ----------
    parents : {category: the next more general category}, such as {"Montmartre": "Paris", "Paris": "France"}; a category
        that is not a key is at the top.

    Raises
    ------
    InputError : not a mapping, empty, or a category that would contain itself.

    Examples
    --------
    >>> tree = Hierarchy({"Montmartre": "Paris", "Opéra": "Paris", "Paris": "France", "Berlin": "Germany"})
    >>> tree.above("Montmartre", 1), tree.above("Montmartre", 9), tree.height("France"), tree.roots
    ('Paris', 'France', 2, ('France', 'Germany'))
    """

    def __init__(self, parents: Mapping[Hashable, Hashable], name: str = "hierarchy") -> None:
        if not isinstance(parents, Mapping) or not parents:
            got = "an empty mapping" if isinstance(parents, Mapping) else kind_of(parents)
            raise refused(name, "a mapping from each category to the more general one above it", got)
        self._parents = dict(parents)
        self._heights: dict[Any, int] = {}
        for start in self._parents:
            for steps, node in enumerate(self.path(start)):
                if steps > len(self._parents):
                    raise InputError(f"{name} must not contain a cycle", value="a category above itself")
                self._heights[node] = max(self._heights.get(node, 0), steps)

    def __contains__(self, value: Any) -> bool:
        return value in self._heights

    def path(self, value: Any) -> Any:
        """A category and those above it, in order, the most general last."""
        yield value
        while value in self._parents:
            value = self._parents[value]
            yield value

    def above(self, value: Any, level: int) -> Any:
        """The category `level` steps above a value, or the most general one if there are fewer steps."""
        for _ in range(level):
            value = self._parents.get(value, value)
        return value

    def height(self, value: Any) -> int:
        """The number of steps down from a category to its deepest leaf; 0 for a leaf."""
        return self._heights[value]

    def at_height(self, value: Any, height: int) -> Any:
        """The most general category above a value whose height is at most `height`."""
        return max((node for node in self.path(value) if self.height(node) <= height), key=self.height)

    @property
    def roots(self) -> tuple[Any, ...]:
        """The categories with none above them, in order of first occurrence."""
        return tuple(node for node in self._heights if node not in self._parents)

    def related(self, a: Any, b: Any) -> bool:
        """Whether two categories are equal or one contains the other: then both may describe the same person."""
        return a in self.path(b) or b in self.path(a)


def generalise(
    table: pd.DataFrame,
    column: Hashable,
    *,
    bands: float | Sequence[float] | None = None,
    hierarchy: Mapping[Hashable, Hashable] | None = None,
    level: int = 1,
) -> pd.DataFrame:
    """A copy of a table with one column generalised: numbers in bands, or categories replaced by more general ones.

    Parameters
    ----------
    table : a DataFrame with at least one row; it is not changed.
    column : the column to generalise.
    bands : the width of each band, above 0, with edges at its multiples; or the edges themselves in ascending order,
        where the lowest and the highest band are unbounded. Each band includes its upper edge but not its lower one.
    hierarchy : {category: the next more general one}.
    level : how many steps up the hierarchy, 1 or more; a category with fewer above it becomes the most general one.

    Returns
    -------
    DataFrame : the column contains words; for bands it is an ordered categorical of the bands that occur, lowest first.
        Missing values stay missing.

    Raises
    ------
    InputError : neither bands nor a hierarchy, or both; bands for a column that is not numeric; values that are not in
        the hierarchy.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [27, 20, 62], "place": ["Opéra", "Montmartre", "Paris"]})
    >>> generalise(table, "age", bands=[20])["age"].tolist(), generalise(table, "age", bands=10)["age"].tolist()
    (['>20', '<=20', '>20'], ['(20, 30]', '(10, 20]', '(60, 70]'])
    >>> generalise(table, "place", hierarchy={"Opéra": "Paris", "Montmartre": "Paris"})["place"].tolist()
    ['Paris', 'Paris', 'Paris']
    """
    frame = checked_table(table)
    checked_column(frame, column, "column")
    if (bands is None) == (hierarchy is None):
        what = "generalise must be given either bands, for numbers, or a hierarchy, for categories"
        raise InputError(what, value="neither" if bands is None else "both")
    found = frame.copy()
    if bands is not None:
        found[column] = _banded(frame[column], bands)
    else:
        found[column] = _raised(frame, column, Hierarchy(hierarchy or {}), whole(level, "level"))
    return found


def _banded(values: pd.Series, bands: Any) -> Any:
    pd = library("pandas", "A table")

    if not pd.api.types.is_numeric_dtype(values.dtype) or pd.api.types.is_bool_dtype(values.dtype):
        raise refused("column", "a column of numbers for bands", f"{seen(values.name)}, a column of {values.dtype}")
    number, words = banded(values.to_numpy(float, na_value=np.nan), bands)
    return pd.Series(pd.Categorical.from_codes(number, words, ordered=True), index=values.index)


def banded(held: Floats, bands: Any) -> tuple[NDArray[np.intp], list[str]]:
    """The band of each number, -1 if it is missing (nan), and the labels of the bands that occur, lowest first."""
    there = ~np.isnan(held)
    open_ended = np.ndim(bands) == 1
    edges = _edges(bands) if open_ended else _multiples(held[there], positive(bands, "bands"))
    band = np.searchsorted(edges, held[there], side="left")  # an edge belongs to the band below it
    number = np.full(len(held), -1)
    occur, number[there] = np.unique(band, return_inverse=True)
    return number, [_word(edges, int(k)) for k in occur]


def _edges(bands: Any) -> Floats:
    edges = series(bands, "bands")
    if not (np.diff(edges) > 0).all():
        raise InputError("the edges in bands must increase", value="an edge that is not above the one before it")
    return edges


def _multiples(held: Floats, width: float) -> Floats:
    """Multiples of the width, one below all values and one at or above them."""
    if not np.isfinite(held).all():
        raise refused("column", "a column of finite numbers for bands of equal width", "an infinite number")
    if not len(held):
        return np.array([0.0, width])
    low, high = _whole(held.min() / width) - 1, _whole(held.max() / width)
    if high - low > MOST_BANDS:
        raise InputError(f"bands must be wide enough for {MOST_BANDS:,} to cover all values", value=f"{width:g}")
    # as decimals people write: 3 * 0.1 is above 0.3 and -3 * 0.1 below -0.3, so these values would get the wrong band
    return np.array([float(_decimal(edge)) for edge in (np.arange(low, high + 1) * width).tolist()])


def _whole(quotient: float) -> float:
    """The quotient rounded up, or to the nearest whole number if it differs from it only by rounding."""
    near = np.rint(quotient)
    return float(near if np.isclose(quotient, near, rtol=1e-12, atol=0) else np.ceil(quotient))


def _decimal(edge: float) -> str:
    """An edge with the 15 digits that are reliable, and without a sign if it is zero."""
    return f"{edge + 0.0:.15g}"


def _word(edges: Floats, band: int) -> str:
    if band == 0:
        return f"<={_decimal(edges[0])}"
    return (
        f">{_decimal(edges[-1])}" if band == len(edges) else f"({_decimal(edges[band - 1])}, {_decimal(edges[band])}]"
    )


def refuse_lost(lost: int, what: str) -> None:
    """Raise an error if some values are missing; `what` is the requirement."""
    if lost:
        raise InputError(what, value=f"{lost:,} other value{'s' if lost > 1 else ''}")


def _raised(frame: pd.DataFrame, column: Hashable, tree: Hierarchy, level: int) -> Any:
    pd = library("pandas", "A table")

    found = coded(frame, column)
    times = np.bincount(found.code, minlength=found.count)
    raised = np.full(found.count, None, object)
    lost = 0
    for code in np.flatnonzero(times[: len(found.values)]).tolist():
        value = found.values[code]
        lost += value not in tree
        raised[code] = tree.above(value, level)
    refuse_lost(lost, f"hierarchy must contain every value of column {seen(column)}")
    return pd.Series(raised[found.code], index=frame.index)
