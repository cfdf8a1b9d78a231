"""A table that was written as CSV, as Parquet: where pandas has a library that writes it."""

from __future__ import annotations

import csv
from importlib.util import find_spec
from io import BytesIO, StringIO
from typing import Any

from lmdk_widgets.errors import library

WRITERS = ("pyarrow", "fastparquet")
"""What pandas writes Parquet with; neither is required, as both are large."""


def can_write() -> bool:
    """Whether Parquet can be written here."""
    return any(find_spec(name) is not None for name in WRITERS)


def parquet_of(csv_text: str) -> bytes:
    """The table of a CSV file of this package, with the same columns, the note among them.

    Numbers stay the same to the last bit; a column `time` becomes times in UTC.

    Raises
    ------
    ImportError : where pandas cannot write Parquet.
    """
    pandas = library("pandas", "Parquet")

    heads, *rows = csv.reader(StringIO(csv_text))
    frame = pandas.DataFrame(dict(zip(heads, map(_typed, zip(*rows, strict=True)), strict=True)))
    if "time" in frame:
        frame["time"] = pandas.to_datetime(frame["time"], utc=True)
    written = BytesIO()
    frame.to_parquet(written, index=False)
    return written.getvalue()


def _typed(cells: tuple[str, ...]) -> list[Any]:
    """A column of whole numbers, of numbers, or of texts; an empty cell, and no other, is missing."""
    for kind in (int, float):
        try:
            return [kind(cell) for cell in cells] if kind is int else [float(cell or "nan") for cell in cells]
        except ValueError:
            continue
    return [cell or None for cell in cells]
