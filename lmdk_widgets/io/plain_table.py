"""A table of numbers and texts as CSV, in full precision, with what it is in every row."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.io.released import checked_note
from lmdk_widgets.trajectory.words import printable

_FORMULA = ("=", "+", "-", "@")
"""How a cell begins that a spreadsheet would run as a formula."""


def table_csv(columns: Mapping[str, Sequence[Any] | np.ndarray], *, note: str) -> str:
    """Columns of equal length as CSV, then the note in each row, so that it survives a row being copied.

    Numbers are written so that they read back exactly; one that is not finite is "inf", "-inf" or left empty. A text that a
    spreadsheet would run as a formula gets a quotation mark before it, and texts are one line.

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
    checked_note(note)
    lists = {
        name: np.asarray(values).tolist() if isinstance(values, np.ndarray) else list(values)
        for name, values in columns.items()
    }
    if len({len(values) for values in lists.values()}) > 1:
        raise InputError("Columns must have the same length", value=", ".join(str(len(v)) for v in lists.values()))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*map(_cell, lists), "note"])
    table.writerows([*map(_cell, row), note] for row in zip(*lists.values(), strict=True))
    return text.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    text = printable(str(value), len(str(value)))
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text
