"""The one table in a workbook of Excel (.xlsx), as CSV; python-calamine opens it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from lmdk_widgets.errors import InputError, install, library
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.table import find_grid
from lmdk_widgets.trajectory.words import counted

_MOST_CELLS = 20_000_000
"""From the first cell to the last: the library makes all between them."""
_CELL = re.compile(rb"""\sr\s*=\s*["']([A-Z]{1,3})(\d{1,9})["']""")
NAME = "Excel"
_ALONE = "Save the sheet you need as CSV"


def table_in(file: Contents, parts: Callable[[], Iterable[bytes]]) -> Contents:
    """The sheet that has a table with dates, or else the only sheet, as CSV; `parts` unpacks the workbook's files.

    Raises
    ------
    InputError : the library is missing; a workbook that is damaged or too large, or has several such sheets.
    """
    try:
        calamine = library("python_calamine", "A workbook")
    except InputError:
        remedy = f"{_ALONE}, or install it: {install('excel')}"
        raise InputError(
            "A workbook needs the library python-calamine, which is not installed", remedy=remedy
        ) from None
    for part in parts():
        columns, rows = 1, 1
        for letters, row in _CELL.findall(part):
            columns, rows = (
                max(columns, sum((c - 64) * 26**k for k, c in enumerate(reversed(letters)))),
                max(rows, int(row)),
            )
        if columns * rows > _MOST_CELLS:
            raise InputError(f"A workbook must have at most {_MOST_CELLS:,} cells", remedy=_ALONE)
    texts = dict[str, str]()
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(file.data))
        for name in book.sheet_names:
            if text := _as_csv(book.get_sheet_by_name(name).to_python()):
                texts[name] = text
    except (calamine.CalamineError, OSError, ValueError, ArithmeticError):
        raise InputError("A workbook must be an undamaged .xlsx without a password", remedy=_ALONE) from None
    tables = [name for name in texts if _has_dates(texts[name])] or list(texts)
    if len(tables) != 1:
        raise InputError(
            "A workbook must have one sheet with a table", value=counted(len(tables), "such sheet"), remedy=_ALONE
        )
    said = (f"{counted(left, 'other sheet was', 'other sheets were')} left out.",) if (left := len(texts) - 1) else ()
    return replace(file, data=texts[tables[0]].encode(), is_text=True, notices=said, container=NAME)


def _has_dates(text: str) -> bool:
    with suppress(InputError):
        return find_grid(text) is not None
    return False


def _as_csv(rows: list[list[Any]]) -> str:
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    write.writerows([_text(cell) for cell in row] for row in rows)
    return out.getvalue()


def _text(cell: Any) -> str:
    """A cell as text: 5 for 5.0, and a time without a trace of the fraction of a day that it is stored as."""
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell).removesuffix(".000000")
