"""The part on a sequence: the same six people published at t1, t2 and t3, each time k-anonymous, but not together.

Anyone who links a person's rows across the releases, by their order or by a number, can intersect the person's classes
(Sweeney 2002: unsorted matching and complementary release). The remedies are those that follow there: each release with rows
in its own order, earlier columns as quasi-identifiers of later releases, releases on the classes of earlier ones; and waiting
until all can be made as one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from lmdk_widgets.anonymity.examples import PEOPLE, WHERE
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.page.amounts import percent, whole
from lmdk_widgets.page.answers import Answer, out_of_100
from lmdk_widgets.page.blocks import Chart, Notes, Table
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.coarsen import TIE, detail_of
from lmdk_widgets.pages.table.levels import coarser, titles
from lmdk_widgets.pages.table.model import REMEDIES, TableChoices
from lmdk_widgets.pages.table.table import Table as People
from lmdk_widgets.pages.table.table import six_people
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE, PURPLE

T3 = (
    ("Opéra", "dining"),
    ("Le Marais", "at work"),
    ("Montmartre", "at home"),
    ("Montmartre", "running"),
    ("Belleville", "walking"),
    ("Belleville", "at home"),
)
"""Where the six are at t3, and what they do: the original running example ends with t2."""
TIMES = ("t1", "t2", "t3")
AGE, PLACE, STATUS = range(3)
Levels = tuple[int, int]
Cells = tuple[tuple[str, str], ...]
"""What is published of each person at one time: age and place."""


@dataclass(frozen=True, eq=False)
class Sequence:
    """Three releases of the same people under one remedy.

    Attributes
    ----------
    cells : for each time the published age and place of each person.
    alone : k of each release by itself.
    alike : (3, n) how many people each person may be, by all releases so far, including that person.
    detail : the share of the detail of ages and places that is left, over people, columns and times.
    late : how many timestamps the first release is late.
    """

    cells: tuple[Cells, ...]
    alone: tuple[int, ...]
    alike: np.ndarray
    detail: float
    late: int = 0

    @property
    def together(self) -> int:
        """k of the three releases together."""
        return int(self.alike[-1].min())


Sequences = dict[str, Sequence]


@cached("everybody", entries=1)
def tables() -> tuple[People, ...]:
    """The people at t1, t2 and t3."""
    return tuple(six_people(name, where) for name, where in zip(TIMES, (WHERE["t1"], WHERE["t2"], T3), strict=True))


def sequence_of(choices: TableChoices) -> Sequences:
    """The three releases under every remedy.

    Examples
    --------
    >>> found = sequence_of(TableChoices(part="sequence", together=3))
    >>> {name: (each.alone, each.together) for name, each in found.items()}["none"]
    ((3, 3, 3), 3)
    """
    return dict(_sequences(choices.together))


@cached("settings", entries=8, what="the example's sequences of releases for a k")
def _sequences(k: int) -> tuple[tuple[str, Sequence], ...]:
    each = [_best(k, (table,), ()) for table in tables()]
    by_itself = [_cells(table, *levels) for table, (levels,) in zip(tables(), each, strict=True)]
    detail = _mean([_detail(table, *levels) for table, (levels,) in zip(tables(), each, strict=True)])
    found = {"none": _made(by_itself, detail), "order": _made(by_itself, detail, linked=False)}
    before: list[Cells] = []
    details = []
    for table in tables():
        (levels,) = _best(k, (table,), tuple(before))
        before.append(_cells(table, *levels))
        details.append(_detail(table, *levels))
    found["earlier"] = _made(before, _mean(details))
    found["classes"] = _same_classes(by_itself[0], each[0][0])
    together = _best(k, tables(), ())
    cells = [_cells(table, *levels) for table, levels in zip(tables(), together, strict=True)]
    detail = _mean([_detail(table, *levels) for table, levels in zip(tables(), together, strict=True)])
    found["delayed"] = _made(cells, detail, late=len(TIMES) - 1)
    return tuple(found.items())


def _cells(table: People, age: int, place: int) -> Cells:
    """What is published of each person at these levels."""
    columns = [coarser(table, column, level) for column, level in ((AGE, age), (PLACE, place))]
    return tuple(zip(*([str(held.values[code]) for code in held.code] for held in columns), strict=True))


def _detail(table: People, age: int, place: int) -> Floats:
    """(n,) the detail that is left for each person."""
    parts = [
        detail_of(table, column, level)[coarser(table, column, level).code] for column, level in enumerate((age, place))
    ]
    return np.mean(parts, axis=0)


def _mean(details: list[Floats]) -> float:
    return float(np.mean(details))


def _best(k: int, at: tuple[People, ...], before: tuple[Cells, ...]) -> tuple[Levels, ...]:
    """The levels of some releases, made as one, that keep the most detail if k are alike in them and in those before.

    Ages do not change, so releases that are made as one show them at the same level. Among equals, the first.
    """
    ages, places = (range(len(titles(at[0], column))) for column in (AGE, PLACE))
    best, most = ((0, 0),) * len(at), -1.0
    for age, *chosen in product(ages, *[places] * len(at)):
        levels = tuple((age, place) for place in chosen)
        made = [*before, *(_cells(table, *each) for table, each in zip(at, levels, strict=True))]
        if _sizes(made).min() < k:
            continue
        detail = _mean([_detail(table, *each) for table, each in zip(at, levels, strict=True)])
        if detail > most + TIE:
            best, most = levels, detail
    return best


def _sizes(releases: list[Cells]) -> np.ndarray:
    """(n,) people who are published like each person in all of some releases."""
    rows = list(zip(*releases, strict=True))
    times = Counter(rows)
    return np.array([times[row] for row in rows])


def _made(cells: list[Cells], detail: float, *, linked: bool = True, late: int = 0) -> Sequence:
    single = [_sizes([each]) for each in cells]
    alike = [_sizes(cells[: k + 1]) if linked else np.min(single[: k + 1], axis=0) for k in range(len(cells))]
    if late:  # nothing is published before
        alike[:late] = [np.full(len(PEOPLE), len(PEOPLE))] * late
    return Sequence(tuple(cells), tuple(int(sizes.min()) for sizes in single), np.array(alike), detail, late)


def _same_classes(first: Cells, levels: Levels) -> Sequence:
    """Later releases on the classes of the first: the finest place that all people of a class share."""
    age, place = levels
    cells, details = [first], [_detail(tables()[0], age, place)]
    for table in tables()[1:]:
        published, kept = [("", "")] * len(first), np.zeros(len(first))
        for of in sorted(set(first)):
            rows = [row for row, cell in enumerate(first) if cell == of]
            level = next(level for level in range(len(titles(table, PLACE))) if _alike(table, level, rows))
            made, left = _cells(table, age, level), _detail(table, age, level)
            for row in rows:
                published[row], kept[row] = made[row], left[row]
        cells.append(tuple(published))
        details.append(kept)
    return _made(cells, _mean(details))


def _alike(table: People, level: int, rows: list[int]) -> bool:
    return len(set(coarser(table, PLACE, level).code[rows].tolist())) == 1


def _title(remedy: str) -> str:
    return REMEDIES[remedy].split(":", 1)[0]


def few_alike(choices: TableChoices, found: Sequence) -> int:
    """How many people are in a group of fewer than k by all three releases."""
    return int((found.alike[-1] < choices.together).sum())


def sequence_answers(choices: TableChoices, every: Sequences) -> tuple[Answer, Answer, Answer]:
    """The detail that is left, who is in too small a group, and what is promised about anyone's row."""
    found, k, n = every[choices.remedy], choices.together, len(PEOPLE)
    late = "; the first release is two timestamps late" if found.late else ""
    useful = sentence("of the detail of ages and places is left{late}.", late=late)
    line_ = sentence("people are in a group of fewer than {wanted_k} once their rows are linked.", wanted_k=whole(k))
    if choices.remedy == "order":
        line_ = sentence("people are in a group of fewer than {wanted_k}: nothing links their rows.", wanted_k=whole(k))
    hit = Answer("Found", f"{few_alike(choices, found)} of {n}", line_, short=f"in a group of fewer than {k}")
    return Answer("Useful", percent(found.detail), useful, short="of the detail left"), hit, _promised(found)


def _promised(found: Sequence) -> Answer:
    k = found.together
    if k == 1:
        return Answer(
            "Promised", "nothing", "One person is alone in the three releases: those rows are known.", "red", "alone"
        )
    line_ = sentence(
        "guesses, at most, pick a person's rows (k = {k} in all three); nothing is promised about statuses.",
        k=whole(k),
    )
    return Answer("Promised", out_of_100(1 / k), line_, short="guesses pick a person's rows")


def sequence_words(choices: TableChoices, every: Sequences) -> Notes:
    """What each release keeps, what they are together, what the remedy costs."""
    found, k = every[choices.remedy], choices.together
    at_t1, at_t2, at_t3 = map(whole, found.alone)
    hit = few_alike(choices, found)
    who = "nobody is" if not hit else "one person is" if hit == 1 else sentence("{n_few} people are", n_few=whole(hit))
    what = {
        "none": "each release is made by itself, and its rows are in the same order as those before",
        "order": "each release is made by itself and has its rows in an order of its own",
        "earlier": "ages and places that were published before count as known, so later releases are coarser",
        "classes": "people who were alike at t1 stay together, and a class shows the finest place that all of them share",
        "delayed": "nothing is published before t3, and the three releases are made as one",
    }[choices.remedy]
    paragraph: list[str] = [
        sentence(
            "The same {n_people} people are published at t1, t2 and t3: {what}. Taken alone, k is {k_t1} at t1, "
            "{k_t2} at t2, {k_t3} at t3; in all three it is {k_together}, and {who} in a group of fewer than "
            "{wanted_k}.",
            n_people=whole(len(PEOPLE)),
            what=what,
            k_t1=at_t1,
            k_t2=at_t2,
            k_t3=at_t3,
            k_together=whole(found.together),
            who=who,
            wanted_k=whole(k),
        ),
        sentence("{detail} of the detail of ages and places is left.", detail=percent(found.detail)),
    ]
    if choices.remedy not in ("none", "order"):
        paragraph.append(
            sentence("Without a remedy, it is {detail_without}.", detail_without=percent(every["none"].detail))
        )
    if choices.remedy == "classes":
        paragraph.append("Here each class has a level of its own; the others show all places at one level.")
    return Notes(" ".join(paragraph), _guarantee(choices, found), tuple(_warnings(choices, found)))


def _guarantee(choices: TableChoices, found: Sequence) -> str:
    links = {
        "order": "nothing else links the rows of one person, such as a status that stays the same",
    }.get(choices.remedy, "rows of one person can be linked across the releases")
    what = (
        sentence("which rows are whose, among {k_together}", k_together=whole(found.together))
        if found.together > 1
        else "nothing about whose rows they are"
    )
    return sentence(
        "What is protected: {what}. Against whom: an attacker who knows ages and places at all three times. "
        "Under which assumption: {links}. A status that all people of a class share is not protected.",
        what=what,
        links=links,
    )


def _warnings(choices: TableChoices, found: Sequence) -> list[str]:
    said = []
    if found.together < min(found.alone):
        said.append("Each release keeps its promise, but together they do not: k must be counted over all of them.")
    if choices.remedy == "order":
        said.append(
            "A later release that shows a name, a number or a status that does not change links the rows again."
        )
    return said


def sequence_table(choices: TableChoices, every: Sequences) -> Table:
    """Each remedy: k of each release, k of all, what is left, how late it is."""
    heads = ("remedy", "k at t1, t2, t3", "k together", "detail left", "first release")
    rows = [
        (
            _title(name),
            ", ".join(map(str, found.alone)),
            str(found.together),
            percent(found.detail),
            "two timestamps late" if found.late else "at t1",
        )
        for name, found in every.items()
    ]
    return Table.of_texts("The remedies side by side", heads, rows)


def published_rows(choices: TableChoices, every: Sequences) -> Table:
    """What is published at each time; in an order of its own if that is the remedy."""
    found = every[choices.remedy]
    columns = []
    for table, cells in zip(tables(), found.cells, strict=True):
        texts = [f"{age}, {place}: {status}" for (age, place), status in zip(cells, table.columns[STATUS], strict=True)]
        columns.append(sorted(texts) if choices.remedy == "order" else texts)
    return Table.of_texts("What is published", TIMES, list(zip(*columns, strict=True)))


def sequence_told(choices: TableChoices, every: Sequences) -> dict[str, Any]:
    """The published rows, for their tab."""
    return {"published": published_rows(choices, every).message()}


def sequence_charts(choices: TableChoices, every: Sequences) -> list[Chart]:
    """How many people look like each person after each release, and what the remedies keep."""
    found, k = every[choices.remedy], choices.together
    alike = sentence(
        "How many people may be each of the six, by all releases so far: {k_together} or more after t3, where "
        "{wanted_k} or more are wanted.",
        k_together=whole(found.together),
        wanted_k=whole(k),
    )
    kept = {
        name: sentence(
            "{remedy} {remedy_detail}, k = {remedy_k}",
            remedy=_title(name),
            remedy_detail=percent(each.detail),
            remedy_k=whole(each.together),
        )
        for name, each in every.items()
    }
    remedies = sentence("Detail that is left: {none}; {order}; {earlier}; {classes}; {delayed}.", **kept)
    return [
        Chart("alike", "How many are alike", _alike_figure(choices, found), alike),
        Chart("remedies", "What the remedies keep", _remedies_figure(every), remedies),
    ]


def _alike_figure(choices: TableChoices, found: Sequence) -> dict[str, Any]:
    x = [name for name, _ in PEOPLE]
    looks = ((BLUE, ""), (GREEN, "/"), (ORANGE, "x"))
    bar: Any = partial(dict, type="bar", x=x, hovertemplate="%{y}<extra></extra>")
    data = [
        bar(name=name, y=each, marker={"color": colour, "pattern": {"shape": shape, "fillmode": "overlay"}})
        for name, each, (colour, shape) in zip(("t1", "t1, t2", "t1, t2, t3"), found.alike.tolist(), looks, strict=True)
    ]
    wanted = line("wanted", x, [choices.together] * len(x), PURPLE, "longdash", hoverinfo="skip")
    layout = {"barmode": "group", "yaxis": {"title": {"text": "people alike"}, "rangemode": "tozero", "dtick": 1}}
    return {"data": [*data, wanted], "layout": layout | {"height": 280, "xaxis": {"range": [-0.6, len(x) - 0.4]}}}


def _remedies_figure(every: Sequences) -> dict[str, Any]:
    names, detail = [_title(name) for name in every], [100 * each.detail for each in every.values()]
    text = [f"k = {each.together}" for each in every.values()]
    bars = {"type": "bar", "name": "detail left", "x": names, "y": detail, "text": text, "marker": {"color": GREY}}
    data = [bars | {"hovertemplate": "%{y:.3g} %<extra></extra>", "textposition": "outside", "cliponaxis": False}]
    return {"data": data, "layout": {"height": 280, "yaxis": {"title": {"text": "detail left, %"}, "range": [0, 100]}}}


def sequence_csv(choices: TableChoices, every: Sequences) -> str:
    """What is published at each time, one row per line."""
    table = published_rows(choices, every)
    return table_csv({head: [str(row[k]) for row in table.rows] for k, head in enumerate(TIMES)}, note=NOTE)
