"""Names of columns in files, with the unit of the data that they are about: metres, or that of a series."""

from __future__ import annotations

from dataclasses import replace

from lmdk_widgets.page.blocks import Table
from lmdk_widgets.trajectory import Series, Trajectory


def unit_name(name: str, data: Trajectory) -> str:
    """The name of a column, in whose place of metres stands the unit of a series.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample, sample_series
    >>> [unit_name("error_m", data) for data in (sample("bob"), sample_series("household"), sample_series("contacts"))]
    ['error_m', 'error_kWh', 'error']
    >>> unit_name("pair_loss", sample_series("household"))
    'pair_loss'
    """
    if not isinstance(data, Series) or not name.endswith("_m"):
        return name
    return f"{name.removesuffix('_m')}_{data.unit}" if data.unit.isalnum() else name.removesuffix("_m")


def in_its_unit(table: Table, data: Trajectory) -> Table:
    """A table for a file, its columns named by `unit_name`."""
    columns = tuple(replace(column, key=unit_name(column.key, data)) for column in table.columns)
    return replace(table, columns=columns)
