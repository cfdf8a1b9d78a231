"""A published table computed apart from the page: classes by loops over rows, bands by fractions."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any

Cell = Any
"""A number, a word, or None for no value."""

NO_VALUE = "no value"
MARKED, LOOKS, BLOCKS = 60, 8, 300

SIX = {
    "t1": """Donald 27 Le_Marais at_work; Daisy 25 Belleville driving; Huey 12 Montmartre running; Dewey 11 Montmartre
        at_home; Louie 10 Latin_Quarter walking; Quackmore 62 Opéra dining""",
    "t2": """Donald 27 Montmartre driving; Daisy 25 Montmartre at_the_mall; Huey 12 Latin_Quarter sightseeing; Dewey 11 Opéra
        walking; Louie 10 Latin_Quarter at_home; Quackmore 62 Montmartre biking""",
}
ABOVE: dict[str, tuple[str, dict[str, str]]] = {
    "location": (
        "parts of the city",
        {"north of Paris": "Montmartre, Belleville, Opéra", "centre of Paris": "Le Marais, Latin Quarter"},
    ),
    "workclass": (
        "sector",
        {
            "government": "local government, state government, federal government",
            "not government": "private, self-employed",
        },
    ),
    "education": (
        "degree or none",
        {"no degree": "no diploma, high school, some college", "degree": "associate, bachelor, master, doctorate"},
    ),
    "marital_status": ("married or not", {"not married": "never married, divorced, widowed", "is married": "married"}),
    "occupation": (
        "kind of work",
        {
            "at a desk": "clerical, executive, professional, sales, technical",
            "by hand": "craft, machine operator, transport, cleaning, farming, service",
        },
    ),
}
"""For columns of the examples: what their coarser level is called, and what each category of it holds."""


@dataclass(frozen=True)
class Held:
    """A table as it was written down: names of columns, rows of cells, and the columns to begin with."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    quasi: tuple[int, ...]
    sensitive: int
    people: tuple[str, ...] = ()


@cache
def example(name: str) -> Held:
    """One of the examples, from the sentence that describes it or from its file."""
    if name == "adults":
        lines = list(csv.reader((Path(__file__).parents[2] / "data" / "adults.csv").read_text("utf-8").splitlines()))
        rows = tuple(zip(*(typed(lines[1:], k) for k in range(len(lines[0]))), strict=True))
        return Held("the invented adults", tuple(lines[0]), rows, (0, 2, 5), 4)
    six = [one.split() for one in SIX[name].split(";")]
    words = [[word.replace("_", " ") for word in one] for one in six]
    rows = tuple((int(age), where, what) for _, age, where, what in words)
    return Held(name, ("age", "location", "status"), rows, (0, 1), 2, tuple(one[0] for one in words))


def typed(lines: list[list[str]], column: int) -> list[Cell]:
    """A column of a file: numbers where every cell is one."""
    cells = [None if cell.strip() in ("", "?") else cell.strip() for cell in (line[column] for line in lines)]
    try:
        found = [None if cell is None else float(cell) for cell in cells]
    except ValueError:
        return cells
    if all(number is None for number in found):
        return cells
    return [n if n is None or n % 1 else int(n) for n in found]


def uploaded(text: str, name: str) -> Held:
    """What a user uploads, read here once more; the last column is to be hidden."""
    heads, *lines = [line.split(",") for line in text.strip("\n").split("\n")]
    columns = [typed(lines, k) for k in range(len(heads))]
    last = len(heads) - 1
    usual = [
        k for k in range(last) if len(set(columns[k])) < len(lines) or not isinstance(columns[k][0], str)
    ]  # a name or a number of its own tells nobody what an attacker knows
    quasi = tuple(usual[:3]) or (0,)
    return Held(name, tuple(heads), tuple(zip(*columns, strict=True)), quasi, last)


def exact(number: float) -> Fraction:
    """The decimal number that a cell shows."""
    return Fraction(repr(number))


def shown(number: Fraction | float) -> str:
    return f"{float(number):.15g}"


def people(number: int) -> str:
    return "one person" if number == 1 else f"{number:,} people"


def listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def distances(ours: Counter[Any], all_of_it: Counter[Any]) -> float:
    """Half the sum of the differences of two distributions."""
    a, b = ours.total(), all_of_it.total()
    return float(sum(abs(Fraction(ours[v], a) - Fraction(all_of_it[v], b)) for v in all_of_it) / 2)


def in_order(ours: Counter[Any], all_of_it: Counter[Any]) -> float:
    """The same with values in their order, neighbours 1 / (m - 1) apart."""
    values, a, b = sorted(all_of_it), ours.total(), all_of_it.total()
    sums = [sum(Fraction(ours[v], a) - Fraction(all_of_it[v], b) for v in values[: k + 1]) for k in range(len(values))]
    return float(sum(map(abs, sums)) / (len(values) - 1)) if len(values) > 1 else 0.0


class TableTruth:
    """A release of a table, as far as the page says something of it."""

    def __init__(self, held: Held, choices: Any) -> None:
        self.held, self.c = held, choices
        self.n = len(held.rows)
        self.quasi = tuple(choices.quasi) or held.quasi
        self.sensitive = held.sensitive if choices.sensitive < 0 else choices.sensitive
        self.numeric = [any(isinstance(row[k], int | float) for row in held.rows) for k in range(len(held.heads))]

    # -- how coarse ---------------------------------------------------------------------------------------------------

    def level(self, column: int) -> int:
        if not self.c.levels:
            return dict(zip(self.quasi, self.by_itself(self.c.least), strict=True)).get(column, 0)
        return int(self.c.levels[column]) if column < len(self.c.levels) else 0

    def keeps(self, column: int, level: int) -> list[Fraction]:
        """The detail that is left of each person: 1 where the value is exact, 0 where it may be any."""
        exact_, now = [row[column] for row in self.held.rows], self.coarse(column, level)
        below: dict[Cell, set[Cell]] = {}
        for one, other in zip(now, exact_, strict=True):
            below.setdefault(one, set()).add(other)
        others = len(set(exact_)) - 1
        return [1 - Fraction(len(below[one]) - 1, others) if others else Fraction(1) for one in now]

    @cached_property
    def _ways(self) -> dict[tuple[int, ...], list[tuple[list[int], Fraction]]]:
        return {}

    def way(self, levels: tuple[int, ...]) -> list[tuple[list[int], Fraction]]:
        """The rows of each class at some levels, and the detail that is left of them together."""
        if levels not in self._ways:
            kept = [self.keeps(k, level) for k, level in zip(self.quasi, levels, strict=True)]
            of_row = [sum(each) / len(levels) for each in zip(*kept, strict=True)]
            found: dict[tuple[Cell, ...], list[int]] = {}
            coarse = [self.coarse(k, level) for k, level in zip(self.quasi, levels, strict=True)]
            for row, key in enumerate(zip(*coarse, strict=True)):
                found.setdefault(key, []).append(row)
            self._ways[levels] = [(rows, sum(of_row[row] for row in rows)) for rows in found.values()]
        return self._ways[levels]

    @cached_property
    def every_way(self) -> list[tuple[int, ...]]:
        return list(product(*(range(len(self.titles(k))) for k in self.quasi)))

    def by_itself(self, least: int) -> tuple[int, ...]:
        """Of all levels those that keep the most detail, then the most people, then the first."""
        if least == 1:
            return (0,) * len(self.quasi)

        def worth(levels: tuple[int, ...]) -> tuple[Fraction, int]:
            large = [(rows, left) for rows, left in self.way(levels) if len(rows) >= least]
            return sum((left for _, left in large), Fraction(0)), sum(len(rows) for rows, _ in large)

        return max(self.every_way, key=worth)

    def at(self, least: int) -> tuple[float, float]:
        """The detail that is left, and the share of people whose class has one value, for a least class."""
        levels = tuple(map(self.level, self.quasi)) if self.c.levels else self.by_itself(least)
        large = [(rows, left) for rows, left in self.way(levels) if len(rows) >= least]
        alike = sum(len(rows) for rows, _ in large if len({self.hidden[row] for row in rows}) == 1)
        return float(sum(left for _, left in large) / self.n), alike / self.n

    @property
    def detail(self) -> float:
        return self.at(self.c.least)[0]

    def widths(self, column: int) -> list[Fraction]:
        """5, 10 and 20 times the smallest power of ten for which 200 of it span the column; a whole number for whole ones."""
        held = [exact(row[column]) for row in self.held.rows if row[column] is not None]
        power, span = Fraction(1), max(held) - min(held)
        whole = all(value.denominator == 1 for value in held)
        while 200 * power < span:
            power *= 10
        while span and not whole and 20 * power >= span:
            power /= 10
        return [5 * power, 10 * power, 20 * power]

    def edge(self, column: int) -> Fraction:
        """Where the halves meet: a multiple of the widest band nearest to the median."""
        held = sorted(exact(row[column]) for row in self.held.rows if row[column] is not None)
        middle = (held[(len(held) - 1) // 2] + held[len(held) // 2]) / 2
        widest = self.widths(column)[-1]
        return round(middle / widest) * widest

    def titles(self, column: int) -> list[str]:
        return self._titles[column]

    @cached_property
    def _titles(self) -> list[list[str]]:
        return list(map(self._titles_of, range(len(self.held.heads))))

    def _titles_of(self, column: int) -> list[str]:
        if not self.numeric[column]:
            return ["exact", *(name for name, _ in self.trees(column)), "all alike"]
        bands = [f"bands of {shown(width)}" for width in self.widths(column)]
        return ["exact", *bands, f"up to {shown(self.edge(column))}, and above", "all alike"]

    def trees(self, column: int) -> list[tuple[str, dict[str, str]]]:
        """Coarser levels of words: what each is called, and the category above each value."""
        head = self.held.heads[column]
        if self.c.table == "own" or head not in ABOVE:
            return []
        title, below = ABOVE[head]
        tree = {value: category for category, values in below.items() for value in values.split(", ")}
        return [(title, tree)] + ([("the city", dict.fromkeys(tree, "Paris"))] if head == "location" else [])

    @cached_property
    def _coarse(self) -> dict[tuple[int, int], list[Cell]]:
        return {}

    def coarse(self, column: int, level: int) -> list[Cell]:
        """What is published of everybody in a column at a level."""
        if (column, level) not in self._coarse:
            self._coarse[column, level] = self._coarse_of(column, level)
        return self._coarse[column, level]

    def _coarse_of(self, column: int, level: int) -> list[Cell]:
        cells, last = [row[column] for row in self.held.rows], len(self.titles(column)) - 1
        if level == 0:
            return cells
        if level == last:
            return ["any"] * self.n
        if not self.numeric[column]:
            above = self.trees(column)[level - 1][1]
            return [None if cell is None else above[cell] for cell in cells]
        if level == last - 1:
            edge = self.edge(column)
            sides = (f"<={shown(edge)}", f">{shown(edge)}")
            return [None if cell is None else sides[exact(cell) > edge] for cell in cells]
        width = self.widths(column)[level - 1]

        def band(cell: float) -> str:
            top = math.ceil(exact(cell) / width) * width
            return f"({shown(top - width)}, {shown(top)}]"

        known = {cell: band(cell) for cell in set(cells) if cell is not None}
        return [None if cell is None else known[cell] for cell in cells]

    # -- classes ------------------------------------------------------------------------------------------------------

    @cached_property
    def published(self) -> list[tuple[Cell, ...]]:
        """What is published of each person in the columns that an attacker knows."""
        return list(zip(*(self.coarse(k, self.level(k)) for k in self.quasi), strict=True))

    @cached_property
    def classes(self) -> list[list[int]]:
        """Rows of each class that is large enough: the largest first, then as they come."""
        found: dict[tuple[Cell, ...], list[int]] = {}
        for row, key in enumerate(self.published):
            found.setdefault(key, []).append(row)
        return sorted((rows for rows in found.values() if len(rows) >= self.c.least), key=lambda r: (-len(r), r[0]))

    @cached_property
    def of_row(self) -> list[int]:
        found = [-1] * self.n
        for number, rows in enumerate(self.classes):
            for row in rows:
                found[row] = number
        return found

    @cached_property
    def kept(self) -> list[int]:
        return [row for row in range(self.n) if self.of_row[row] >= 0]

    @property
    def lost(self) -> int:
        return self.n - len(self.kept)

    @property
    def alone(self) -> int:
        return sum(len(rows) == 1 for rows in self.classes)

    @property
    def lacking(self) -> int:
        """People who are left and lack a value of what an attacker knows, as it is published."""
        return sum(None in self.published[row] for row in self.kept)

    @cached_property
    def hidden(self) -> list[Cell]:
        return [row[self.sensitive] for row in self.held.rows]

    def times(self, rows: Sequence[int]) -> Counter[Cell]:
        return Counter(self.hidden[row] for row in rows)

    # -- measures -----------------------------------------------------------------------------------------------------

    @property
    def k(self) -> int:
        return min(map(len, self.classes), default=0)

    @cached_property
    def mixtures(self) -> list[Counter[Cell]]:
        return [self.times(rows) for rows in self.classes]

    @property
    def distinct(self) -> int:
        return min(map(len, self.mixtures), default=0)

    @property
    def entropy(self) -> float:
        def of(found: Counter[Cell]) -> float:
            return math.exp(-sum(t / found.total() * math.log(t / found.total()) for t in found.values()))

        return min(map(of, self.mixtures))

    @property
    def recursive(self) -> int:
        """The largest l for which r_1 < c (r_l + ... + r_m) in every class; 0 if there is none."""
        c = exact(self.c.recursive_c)

        def holds(found: Counter[Cell], l: int) -> bool:
            r = sorted(found.values(), reverse=True)
            return len(r) >= l and r[0] < c * sum(r[l - 1 :])

        most = max(map(len, self.mixtures))
        return max((l for l in range(1, most + 1) if all(holds(found, l) for found in self.mixtures)), default=0)

    @property
    def closeness(self) -> float:
        everybody = self.times(self.kept)
        return max(distances(found, everybody) for found in self.mixtures)

    @property
    def ordered(self) -> float | None:
        if not self.numeric[self.sensitive] or None in self.hidden:
            return None
        everybody = self.times(self.kept)
        return max(in_order(found, everybody) for found in self.mixtures)

    # -- names --------------------------------------------------------------------------------------------------------

    def person(self, row: int) -> str:
        return self.held.people[row] if self.held.people else f"row {row + 1:,}"

    def names(self, columns: Sequence[int]) -> str:
        return listed([self.held.heads[k] for k in columns])

    @property
    def known(self) -> str:
        return self.names(self.quasi)

    @property
    def hides(self) -> str:
        return self.held.heads[self.sensitive]

    # -- the picture --------------------------------------------------------------------------------------------------

    def different(self, column: int) -> int:
        """Values of a column as it is published; a missing one is none."""
        return len(set(self.coarse(column, min(self.level(column), len(self.titles(column)) - 1))) - {None})

    def labels(self, number: int) -> list[str]:
        """What is published of a class."""
        return [NO_VALUE if cell is None else str(cell) for cell in self.published[self.classes[number][0]]]

    @cached_property
    def ranked(self) -> list[Cell]:
        """Values of the hidden column, the most frequent first; numbers in their order, words as they "
        "come, none last."""
        there = [v for v in dict.fromkeys(self.hidden) if v is not None]
        there = sorted(there) if self.numeric[self.sensitive] else there
        times = Counter(self.hidden)
        return sorted([*there, *[None] * (None in times)], key=lambda v: -times[v])

    @cached_property
    def look(self) -> list[int]:
        place = {v: min(k, LOOKS) for k, v in enumerate(self.ranked)}
        return [place[v] for v in self.hidden]

    @cached_property
    def legend(self) -> list[str]:
        words = [NO_VALUE if v is None else str(v) for v in self.ranked]
        more = len(words) - LOOKS
        return words[:LOOKS] + ([words[-1]] if more == 1 else [f"{more:,} other values"] if more > 1 else [])

    @property
    def sizes(self) -> list[int]:
        """People of each class that is drawn; those of a large table beyond the first ones as one."""
        found = list(map(len, self.classes))
        if self.n <= MARKED or len(found) <= BLOCKS:
            return found
        return [*found[:BLOCKS], sum(found[BLOCKS:])]

    @property
    def mixed(self) -> list[int]:
        """How many of each class that is drawn have each look."""
        found = [[0] * len(self.legend) for _ in self.sizes]
        for row in self.kept:
            found[min(self.of_row[row], BLOCKS)][self.look[row]] += 1
        return [times for one in found for times in one]
