"""Tables of people for the table page: the examples, and the user's own CSV.

Columns are plain values and codes of NumPy, so that the page is light: it needs no pandas.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import StringIO
from math import isfinite
from typing import Any

import numpy as np

from lmdk_widgets.anonymity.coding import Column
from lmdk_widgets.anonymity.examples import CITY, PEOPLE, WHERE
from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.trajectory.samples import data_folder
from lmdk_widgets.trajectory.words import counted, printable

MAX_BYTES = 64 << 20
MAX_ROWS = 200_000
MAX_COLUMNS = 60
LONGEST = 60
"""The most letters of a value or a name that are kept."""

MISSING = frozenset({"", "?", "na", "n/a", "nan", "null"})
"""How files write a missing value."""

PARTS_OF_PARIS = dict.fromkeys(("Montmartre", "Belleville", "Opéra"), "north of Paris") | dict.fromkeys(
    ("Le Marais", "Latin Quarter"), "centre of Paris"
)
OUT = ("driving", "running", "walking", "biking", "sightseeing")
MEANING = dict.fromkeys(OUT, "on the move") | dict.fromkeys(("at work", "at home", "dining", "at the mall"), "staying")
"""What the statuses of the running example mean, for the similarity attack."""

ADULTS: dict[str, tuple[str, dict[str, str]]] = {
    "workclass": (
        "sector",
        dict.fromkeys(("local government", "state government", "federal government"), "government")
        | dict.fromkeys(("private", "self-employed"), "not government"),
    ),
    "education": (
        "degree or none",
        dict.fromkeys(("no diploma", "high school", "some college"), "no degree")
        | dict.fromkeys(("associate", "bachelor", "master", "doctorate"), "degree"),
    ),
    "marital_status": (
        "married or not",
        dict.fromkeys(("never married", "divorced", "widowed"), "not married") | {"married": "is married"},
    ),
    "occupation": (
        "kind of work",
        dict.fromkeys(("clerical", "executive", "professional", "sales", "technical"), "at a desk")
        | dict.fromkeys(("craft", "machine operator", "transport", "cleaning", "farming", "service"), "by hand"),
    ),
}
"""For columns of the invented adults: the name of a coarser level, and the category above each value."""


Step = tuple[str, Mapping[Any, Any]]
"""A coarser level of a column of words: its name, and the category above each value."""


@dataclass(frozen=True, eq=False)
class Table:
    """A person in each row.

    Attributes
    ----------
    name : of the file or the example. heads : names of the columns. columns : values of each, a number, a text or None.
    quasi, sensitive : the columns to begin with: those that an attacker knows, and the one to be hidden.
    people : names of the people, empty if they have none; never published.
    trees : for columns of words that can be made coarser in steps: the name of each step and the category above each value.
    """

    name: str
    heads: tuple[str, ...]
    columns: tuple[tuple[Any, ...], ...]
    quasi: tuple[int, ...]
    sensitive: int
    people: tuple[str, ...] = ()
    trees: Mapping[int, tuple[Step, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.columns[0])

    @cached_property
    def missing(self) -> int:
        """How many cells have no value."""
        return sum(column.count(None) for column in self.columns)

    def person(self, row: int) -> str:
        """The name of a person, or the row, counted from 1."""
        return self.people[row] if self.people else f"row {row + 1:,}"

    @cached_property
    def numeric(self) -> tuple[bool, ...]:
        """Whether each column contains numbers, apart from missing values."""
        there = [[value for value in column if value is not None] for column in self.columns]
        return tuple(bool(values) and not isinstance(values[0], str) for values in there)

    @cached_property
    def coded(self) -> tuple[Column, ...]:
        """The columns as codes; numbers in their order, words in the order in which they come."""
        return tuple(map(coded, self.columns))

    def meaning(self, column: int) -> dict[Any, Any] | None:
        """What the values of a column mean, for the similarity attack; None if the page does not know."""
        if column in self.trees:
            return {v: tree for v, tree in self.trees[column][0][1].items() if v in set(self.columns[column])}
        if not self.numeric[column]:
            known = dict.fromkeys(v for v in self.columns[column] if v is not None)
            return {v: MEANING[v] for v in known} if known and known.keys() <= MEANING.keys() else None
        values = sorted({v for v in self.columns[column] if v is not None})
        middle = values[(len(values) - 1) // 2]
        text = Written(f"{middle:.15g}", middle)
        low, high = sentence("up to {middle}", middle=text), sentence("above {middle}", middle=text)
        return {v: low if v <= middle else high for v in values}


def coded(values: tuple[Any, ...]) -> Column:
    """A column of plain values as codes; a missing value is a value of its own, the last."""
    there = dict.fromkeys(value for value in values if value is not None)
    known = list(there) if any(isinstance(value, str) for value in there) else sorted(there)
    place = {value: k for k, value in enumerate(known)} | {None: len(known)}
    code = np.fromiter((place[value] for value in values), np.int64, len(values))
    return Column(code, known, None in set(values))


@cached("everybody", entries=4)
def example(name: str) -> Table:
    """An example: "t1", "t2" or "adults"."""
    if name == "adults":
        heads, *rows = csv.reader(StringIO((data_folder() / "adults.csv").read_text("utf-8")))
        trees: dict[int, tuple[Step, ...]] = {heads.index(column): (step,) for column, step in ADULTS.items()}
        quasi = tuple(map(heads.index, ("age", "education", "sex")))
        return Table("the invented adults", tuple(heads), _typed(rows), quasi, heads.index("occupation"), (), trees)
    return six_people(name, WHERE[name])


def six_people(name: str, where: Sequence[tuple[str, str]]) -> Table:
    """The six people of the running example, each with a place and a status."""
    names, ages = zip(*PEOPLE, strict=True)
    places, statuses = zip(*where, strict=True)
    above: dict[int, tuple[Step, ...]] = {1: (("parts of the city", PARTS_OF_PARIS), ("the city", CITY))}
    return Table(name, ("age", "location", "status"), (ages, places, statuses), (0, 1), 2, names, above)


def read_table(data: bytes, name: str) -> Table:
    """The user's own CSV: a heading, then one person per line. Anything else is refused with one sentence.

    Raises
    ------
    InputError : too large, not text, no rows, rows with too few or too many cells, two columns with the same name, too many
    columns.
    """
    if len(data) > MAX_BYTES:
        what = f"A table must have at most {MAX_BYTES >> 20} MB"
        raise InputError(what, value=f"{len(data) >> 20:,} MB", remedy="Leave out columns or rows")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if "\x00" in text:
        raise InputError("A table must be a CSV file", value="a file that is not text", remedy="Save it as CSV")
    heading = text.partition("\n")[0]
    separator = max(";\t,", key=heading.count)
    try:
        lines = [(number, row) for number, row in _numbered(text, separator) if any(map(str.strip, row))]
    except csv.Error:
        remedy = "Look for a quotation mark that is never closed"
        raise InputError("A table must be a CSV file", value="cells that never end", remedy=remedy) from None
    heads, rows = _checked(lines)
    columns = _typed(rows)
    different = [len(set(column)) for column in columns]
    sensitive = len(heads) - 1
    others = [k for k in range(sensitive) if different[k] < len(rows) or not isinstance(columns[k][0], str)]
    quasi = tuple(others[:3]) or (0,)
    return Table(name, heads, columns, quasi, sensitive)


def describe_table(table: Table) -> str:
    """What was uploaded, in one line.

    Examples
    --------
    >>> describe_table(read_table(b"age;city\\n30;Paris\\n;Rome\\n", "people.csv"))
    'people.csv: 2 rows, 2 columns; 1 cell has no value.'
    """
    missing = table.missing
    empty = f"; {counted(missing, 'cell')} {'has' if missing == 1 else 'have'} no value" if missing else ""
    sizes = f"{counted(len(table), 'row')}, {counted(len(table.heads), 'column')}"
    return f"{table.name or 'Your file'}: {sizes}{empty}."


def _numbered(text: str, separator: str) -> Any:
    reader = csv.reader(StringIO(text, newline=None), delimiter=separator)  # a line may end as on any system
    for row in reader:
        yield reader.line_num, row
        if reader.line_num > 2 * MAX_ROWS:
            raise InputError(f"A table must have at most {MAX_ROWS:,} rows", value="more", remedy="Leave out rows")


def _checked(lines: list[tuple[int, list[str]]]) -> tuple[tuple[str, ...], list[list[str]]]:
    """The names of the columns and the rows of a table, once they are checked."""
    heads = tuple(printable(cell, LONGEST) for cell in lines[0][1]) if lines else ()
    rows = [row for _, row in lines[1:]]
    if not rows:
        raise InputError("A table must have a heading and at least one row", value="no rows")
    if not 2 <= len(heads) <= MAX_COLUMNS:
        what = f"A table must have between 2 and {MAX_COLUMNS} columns"
        raise InputError(what, value=f"{len(heads):,}", remedy="Keep those that matter")
    if len(rows) > MAX_ROWS:
        raise InputError(f"A table must have at most {MAX_ROWS:,} rows", value=len(rows), remedy="Leave out rows")
    twice = next((head for k, head in enumerate(heads) if head in heads[:k]), None)
    if twice is not None:
        what = "Each column must have its own name"
        raise InputError(what, value=f"“{twice}” twice", remedy="Rename one of them")
    ragged = [
        (number, "one cell" if len(row) == 1 else f"{len(row):,} cells")
        for number, row in lines
        if len(row) != len(heads)
    ]
    if ragged:
        what = f"Each row must have {len(heads)} cells, as the heading has"
        raise InputError(what, value=f"{len(ragged):,} with more or fewer", rows=ragged)
    return heads, rows


def _typed(rows: list[list[str]]) -> tuple[tuple[Any, ...], ...]:
    """Columns of numbers if all their cells are numbers, of texts otherwise; a missing cell is None."""
    return tuple(map(_typed_column, zip(*rows, strict=True)))


def _typed_column(cells: tuple[str, ...]) -> tuple[Any, ...]:
    stripped = [None if cell.strip().lower() in MISSING else cell.strip() for cell in cells]
    try:
        numbers = tuple(None if cell is None else float(cell) for cell in stripped)
    except ValueError:
        numbers = ()
    if numbers and all(number is None or isfinite(number) for number in numbers):
        return tuple(n if n is None or n != int(n) else int(n) for n in numbers)
    kept = {cell: printable(cell, LONGEST) for cell in set(stripped) if cell is not None}
    return tuple(None if cell is None else kept[cell] for cell in stripped)
