"""A transition matrix as people write one: pasted from a paper, a spreadsheet or a program."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lmdk_widgets.checks import seen
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage.markov import transition_matrix

MOST_CHARACTERS = 1_000_000


def parse_matrix(
    text: str, *, normalize: bool = False, name: str = "the transition matrix"
) -> tuple[tuple[float, ...], ...]:
    """The rows of a transition matrix in a text: one per line (or after ";" or in brackets), cells after commas or blanks.

    Parameters
    ----------
    text : for example "0.8 0.2; 0 1", "[[0.8, 0.2], [0, 1]]", or lines of a CSV file.
    normalize : divide each row by its sum, if the user asked for it.
    name : what to call the matrix in a refusal; its rows count from 1 there.

    Raises
    ------
    InputError : a cell is not a number, the rows are not square, or a row does not sum to 1 (kind "row-sums").

    Examples
    --------
    >>> parse_matrix("[[0.8, 0.2], [0, 1]]")
    ((0.8, 0.2), (0.0, 1.0))
    >>> parse_matrix("4\\t1\\n0\\t3", normalize=True)
    ((0.8, 0.2), (0.0, 1.0))
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"The text of a matrix must have at most {MOST_CHARACTERS:,} characters", value=len(text))
    lines = re.split(r"\]\s*,?\s*\[|[;\n\r]+", text.strip().strip("[]()"))
    cells = [re.split(r"[,\s]+", filled) for line in lines if (filled := line.strip(" \t,[]()"))]
    rows = [[_number(cell, k, name) for cell in row if cell] for k, row in enumerate(cells, start=1)]
    if not rows:
        raise InputError("A matrix must have rows of probabilities, such as 0.8 0.2; 0 1", value="none")
    for k, row in enumerate(rows, start=1):
        if len(row) != len(rows):
            what = f"Row {k} of {name} must have as many numbers as the matrix has rows, {len(rows)}"
            raise InputError(what, value=len(row))
    return tuple(tuple(row) for row in transition_matrix(rows, normalize=normalize, name=name, origin=1).tolist())


def matrix_text(matrix: Sequence[Sequence[float]]) -> str:
    """A matrix as `parse_matrix` reads it back exactly, one row per line.

    Examples
    --------
    >>> print(matrix_text(((0.8, 0.2), (0.0, 1.0))))
    0.8 0.2
    0.0 1.0
    """
    return "\n".join(" ".join(map(repr, row)) for row in matrix)


def _number(cell: str, row: int, name: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise InputError(f"Row {row} of {name} must contain numbers", value=seen(cell)) from None
