"""k-anonymity, l-diversity and t-closeness: properties of a table, not of how it was made.

None of them is a guarantee against an attacker who knows more than the quasi-identifiers, or another release
(`lmdk_widgets.anonymity.all_attacks`); differential privacy is. A missing value counts as a separate value throughout.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.anonymity.coding import Column, checked_columns, checked_sensitive, checked_table, grouped
from lmdk_widgets.anonymity.generalise import Hierarchy, refuse_lost
from lmdk_widgets.anonymity.tally import Tally, equal_distance, hierarchical_distance, ordered_distance, tallied
from lmdk_widgets.checks import one_of, positive, refused
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.geo import Floats

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("distinct", "entropy", "recursive")
DISTANCES = ("equal", "ordered", "hierarchical")

TIE = 1e-12
"""Two sides this close, relatively, count as equal: rounding must not make a strict inequality true."""
WHOLE = 1e-9
"""exp(log 3) may be 2.9999999999999996: an entropy l this close to a whole number is rounded to it."""


def k_anonymity(table: pd.DataFrame, quasi_identifiers: Sequence[Hashable]) -> int:
    """The k of k-anonymity: the size of the smallest class, ``min over classes of |class|``.

    Parameters
    ----------
    table : a DataFrame with at least one row; each row is a person.
    quasi_identifiers : the columns that an attacker knows about a person; rows that agree in all of them form a class.

    Returns
    -------
    k, a whole number from 1 to the number of rows.

    Raises
    ------
    InputError : no rows, no such column, two columns with the same name, a column named twice.

    Notes
    -----
    Missing values in a column count as equal to each other and different from everything else.
    Guarantee: none by itself; an attacker who knows exactly these columns of a person in the table finds at least k
    rows. Paper: Sweeney, "k-anonymity: a model for protecting privacy", IJUFKS 2002.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": ["<=20", ">20", "<=20", "<=20", ">20"], "city": "Paris"})
    >>> k_anonymity(table, ["age", "city"])
    2
    """
    frame = checked_table(table)
    return int(grouped(frame, checked_columns(frame, quasi_identifiers)).size.min())


def l_diversity(
    table: pd.DataFrame,
    quasi_identifiers: Sequence[Hashable],
    sensitive: Hashable,
    *,
    kind: str = "distinct",
    c: float | None = None,
) -> float:
    """The largest l for which a table is l-diverse: how varied the sensitive column is in every class.

    Parameters
    ----------
    table, quasi_identifiers : as for `k_anonymity`.
    sensitive : the column to be hidden; it must not be a quasi-identifier.
    kind : "distinct": the smallest number of different values in a class. "entropy": ``exp(min over classes of H)``,
        where H is the entropy of the values in a class; rarely a whole number. "recursive": the largest l with ``r_1 <
        c (r_l + ... + r_m)`` in every class, where r are the counts of its values in descending order.
    c : for "recursive", above 0: how many times as frequent as the rest the most frequent value may be.

    Returns
    -------
    l, 1 or more; for "recursive" also 0, if in some class not even l = 1 holds: r_1 is not below c times all of it.

    Raises
    ------
    InputError : as for `k_anonymity`; a sensitive column that is a quasi-identifier; c missing, not above 0 or not
        needed; an unknown kind.

    Notes
    -----
    The entropy is that of each class, not of the whole table, which says nothing about a class. If l is within 1e-9 of
    a whole number, it is rounded to it, so that ``exp(log 3)`` is not floored to 2. A tie does not satisfy the
    recursive inequality, whatever the rounding. A missing sensitive value counts as one more value. Guarantee: none by
    itself. Paper: Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam, "l-diversity", ICDE 2006.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": ["<=20"] * 3 + [">20"] * 4, "status": list("abc") + list("aabb")})
    >>> [l_diversity(table, ["age"], "status", kind=kind) for kind in ("distinct", "entropy")]
    [2.0, 2.0]
    >>> [l_diversity(table, ["age"], "status", kind="recursive", c=c) for c in (0.5, 1.0, 1.1)]
    [0.0, 1.0, 2.0]
    """
    chosen = one_of(kind, "kind", KINDS)
    if chosen != "recursive" and c is not None:
        raise refused("c", 'None, as only kind="recursive" has one', c)
    factor = positive(c, 'c of kind="recursive"') if chosen == "recursive" else 0.0
    frame = checked_table(table)
    names = checked_columns(frame, quasi_identifiers)
    counts, _ = tallied(frame, names, checked_sensitive(frame, sensitive, names))
    if chosen == "distinct":
        return float(np.diff(np.append(counts.start, len(counts.times))).min())
    return entropy_l(counts).min().item() if chosen == "entropy" else recursive_l(counts, factor).min().item()


def entropy_l(counts: Tally) -> Floats:
    """exp(entropy) of each class, (K,): ``H = log n - sum t log t / n``; rounded if within `WHOLE` of a whole one."""
    found = np.exp(np.log(counts.size) - counts.sums(counts.times * np.log(counts.times)) / counts.size)
    near = np.rint(found)
    return np.where(np.abs(found - near) <= WHOLE, near, found)


def recursive_l(counts: Tally, c: float) -> Floats:
    """The largest l for which each class is recursively (c, l)-diverse, (K,); 0 if not even l = 1 holds."""
    order = np.lexsort((-counts.times, counts.group))
    times = counts.times[order]
    reached = np.cumsum(times) - times
    rest = counts.size[counts.group] - (reached - reached[counts.start][counts.group])
    largest = times[counts.start][counts.group]
    return np.asarray(counts.sums(largest * (1 + TIE) < c * rest), float)


def t_closeness(
    table: pd.DataFrame,
    quasi_identifiers: Sequence[Hashable],
    sensitive: Hashable,
    *,
    distance: str = "equal",
    order: Sequence[Hashable] | None = None,
    hierarchy: Mapping[Hashable, Hashable] | None = None,
) -> float:
    """The t of t-closeness: the largest earth mover's distance from a class's sensitive values to those of the table.

    Parameters
    ----------
    table, quasi_identifiers, sensitive : as for `l_diversity`.
    distance : between two of the m sensitive values. "equal": 1. "ordered": the difference of their ranks over m - 1.
        "hierarchical": the height of the lowest category that contains both, over the height of the hierarchy.
    order : for "ordered", all values from the lowest to the highest; values that do not occur count towards m. None:
        the table's values by size, or all categories of an ordered categorical column.
    hierarchy : for "hierarchical", {category: the next more general one}, with a single category at the top.

    Returns
    -------
    t from 0 (every class is like the table) to 1.

    Raises
    ------
    InputError : as for `l_diversity`; words without an order; values, including missing ones, that are not in the order
        or the hierarchy; a hierarchy with several categories at the top; an order or a hierarchy that is not needed.

    Notes
    -----
    For the equal distance, a missing value counts as one more value. The ordered distance is based on ranks, not on
    sizes: 3, 4 and 11 are as far apart as 3, 4 and 5 when these are all the values. Some call it theta-closeness.
    Guarantee: none by itself. Paper: Li, Li, Venkatasubramanian, "t-closeness", ICDE 2007.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"class": list("aaabbbccc"), "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10]})
    >>> round(t_closeness(table, ["class"], "salary", distance="ordered"), 9)
    0.375
    """
    chosen = one_of(distance, "distance", DISTANCES)
    for name, given, fits in (("order", order, "ordered"), ("hierarchy", hierarchy, "hierarchical")):
        if given is not None and chosen != fits:
            raise refused(name, f'None, as only distance="{fits}" has one', given)
    frame = checked_table(table)
    names = checked_columns(frame, quasi_identifiers)
    counts, column = tallied(frame, names, checked_sensitive(frame, sensitive, names))
    return float(distances(counts, column, frame[sensitive], chosen, order, hierarchy).max())


def distances(
    counts: Tally, column: Column, values: pd.Series, distance: str, order: Any = None, hierarchy: Any = None
) -> Floats:
    """The earth mover's distance from each class to the table, (K,); only the values have yet to be checked."""
    if distance == "equal":
        return equal_distance(counts)
    if column.missing:
        remedy = "Leave these rows out, or give them a value"
        lost = f"{int(counts.total[-1]):,} missing values"
        raise InputError(f'sensitive must have no missing values for distance="{distance}"', value=lost, remedy=remedy)
    if distance == "hierarchical":
        return hierarchical_distance(counts, _levels(counts, column, hierarchy))
    places, count = _places(counts, column, values, order)
    return ordered_distance(counts.by(places, count))


def _places(counts: Tally, column: Column, values: pd.Series, order: Any) -> tuple[NDArray[np.int64], int]:
    """The rank of each code in the order, and the number of ranks; codes that never occur get an arbitrary rank."""
    pd = library("pandas", "A table")

    present = np.flatnonzero(counts.total)
    places = np.zeros(column.count, np.int64)
    if order is not None:
        given = _listed(order)
        place = {value: k for k, value in enumerate(given)}
        places[present] = [place.get(value, -1) for value in _taken(column, present)]
        refuse_lost(int((places[present] < 0).sum()), "order must contain every value of the sensitive column")
        return places, len(given)
    if isinstance(values.dtype, pd.CategoricalDtype) and values.cat.ordered:
        return np.arange(column.count), column.count
    if not (pd.api.types.is_numeric_dtype(values.dtype) or pd.api.types.is_datetime64_any_dtype(values.dtype)):
        remedy = "Give order, all values from the lowest to the highest"
        raise InputError('words have no natural order for distance="ordered"', remedy=remedy)
    ranked = present[np.argsort(np.asarray(column.values)[present], kind="stable")]
    places[ranked] = np.arange(len(ranked))
    return places, len(ranked)


def _listed(order: Any) -> list[Any]:
    given = [] if isinstance(order, str) or not hasattr(order, "__iter__") else list(order)
    if not given:
        raise refused("order", "a list of all values, from the lowest to the highest", order)
    if len(set(given)) < len(given):
        raise InputError("order must contain each value once", value=f"{len(given) - len(set(given)):,} repeated")
    return given


def _levels(counts: Tally, column: Column, hierarchy: Any) -> list[NDArray[np.int64]]:
    """For each height below that of the tree, the number of the category that contains each code."""
    tree = Hierarchy(hierarchy)
    if len(tree.roots) > 1:
        raise refused("hierarchy", "a tree with one category at the top", f"{len(tree.roots):,} at the top")
    present = np.flatnonzero(counts.total)
    taken = _taken(column, present)
    lost = sum(not (value in tree and tree.height(value) == 0) for value in taken)
    refuse_lost(lost, "hierarchy must contain every value of the sensitive column, at its lowest level")
    levels = []
    for height in range(tree.height(tree.roots[0])):
        number: dict[Any, int] = {}
        level = np.zeros(column.count, np.int64)
        level[present] = [number.setdefault(tree.at_height(value, height), len(number)) for value in taken]
        levels.append(level)
    return levels


def _taken(column: Column, codes: NDArray[np.intp]) -> list[Any]:
    return [column.values[int(code)] for code in codes]
