"""How coarse a column is published: numbers in ever wider bands, words by their hierarchy, finally everybody alike."""

from __future__ import annotations

from decimal import Decimal
from math import ceil

import numpy as np

from lmdk_widgets.anonymity.coding import Column
from lmdk_widgets.anonymity.generalise import banded
from lmdk_widgets.cache import cached
from lmdk_widgets.checks import whole
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.table.table import Table

EXACT, ALIKE = "exact", "all alike"
ANY = "any"
"""What is published for everybody at the last level."""
WIDTHS = (5, 10, 20)
"""Widths of bands for ages; for other numbers, these times a power of ten."""


@cached("visitor", entries=64)
def titles(table: Table, column: int) -> tuple[str, ...]:
    """The names of a column's levels, from exact to all alike.

    Examples
    --------
    >>> from lmdk_widgets.pages.table.table import example
    >>> titles(example("t1"), 0)
    ('exact', 'bands of 5', 'bands of 10', 'bands of 20', 'up to 20, and above', 'all alike')
    >>> titles(example("t1"), 1)
    ('exact', 'parts of the city', 'the city', 'all alike')
    """
    if not table.numeric[column]:
        return EXACT, *(name for name, _ in table.trees.get(column, ())), ALIKE
    widths, edge = _bands(table, column)
    return EXACT, *map(_band, widths), sentence("up to {edge}, and above", edge=Written(f"{edge:.15g}", edge)), ALIKE


def _band(width: float) -> str:
    return sentence("bands of {width}", width=Written(f"{width:.15g}", width))


@cached("visitor", entries=64)
def coarser(table: Table, column: int, level: int) -> Column:
    """A column at a level, as codes and what is published for each."""
    names = titles(table, column)
    level = whole(level, f"the level of {table.heads[column]}", least=0, most=len(names) - 1)
    found = table.coded[column]
    if level == 0:
        return found
    if level == len(names) - 1:
        return Column(np.zeros(len(table), np.int64), [ANY], False)
    if table.numeric[column]:
        widths, edge = _bands(table, column)
        held = np.array([*found.values, *[np.nan] * found.missing], float)[found.code]
        number, words = banded(held, widths[level - 1] if level <= len(widths) else [edge])
        return Column(np.where(number < 0, len(words), number), words, found.missing)
    tree = table.trees[column][level - 1][1]
    above = [tree[value] for value in found.values]
    words = list(dict.fromkeys(above))
    place = np.array([words.index(word) for word in above] + [len(words)] * found.missing)
    return Column(place[found.code], words, found.missing)


def _bands(table: Table, column: int) -> tuple[list[float], float]:
    """The widths of the bands, and where the halves meet: a multiple of the widest one near the median.

    Computed from the decimals that the cells show: with floats, halfway between two multiples may be on either side of it.
    """
    held = np.sort([value for value in table.columns[column] if value is not None]).astype(float)
    low, below, above, high = (Decimal(repr(float(held[k]))) for k in (0, (len(held) - 1) // 2, len(held) // 2, -1))
    power = ceil(((high - low) / 200).log10()) if high > low else 0
    if (held == np.rint(held)).all():
        power = max(0, power)
    *_, widest = widths = [Decimal(f"{width}e{power}") for width in WIDTHS]
    return list(map(float, widths)), float(round((below + above) / 2 / widest) * widest)
