"""Names removed from a table and nothing else done: how many people a few known points, or home and work, single out.

cells and hours --table.alone--> shares of people  -->  a sentence, a chart over cells, a table over hours
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lmdk_widgets.page.amounts import count, metres, percent, whole
from lmdk_widgets.page.blocks import Block, Chart, Column, Table, Text
from lmdk_widgets.page.figures import STYLES, line
from lmdk_widgets.page.sentences import Sentence, Written, join, listed, sentence
from lmdk_widgets.pages.people.model import PeopleChoices
from lmdk_widgets.palette import GREY

if TYPE_CHECKING:
    from lmdk_widgets.pages.people.tables import PeopleTable

POINTS = (1, 2, 3, 4)
"""How many points of a person somebody knows."""

CELLS_M = (100.0, 250.0, 500.0, 1_000.0, 2_000.0, 4_000.0, 8_000.0)
"""The sizes of cells over which the chart is drawn."""

FEWEST_CELLS = 3
"""The chart is drawn once it has this many."""

HOURS = (1, 6, 24, 168)
"""The time slots of the table."""

COARSER_M = (100.0, 1_000.0, 4_000.0, 8_000.0)
"""The cells of which an assessment tells."""

NOBODY_WORKS = "Nobody has both a home and a place of work here."
SHORTLY = "Being computed: whom a few points single out after names are removed."
WHAT = (
    "Names are removed, and places stay as they are. A point is a cell and a time slot in which somebody was seen. Those "
    "known of a person are drawn at random among that person's own. Whoever is the only one with these points is "
    "singled out, and the rest of the track is known too. This has no guarantee."
)


@dataclass(frozen=True)
class Removed:
    """What is left of privacy, as far as it is computed.

    Attributes
    ----------
    alone : by the side of a cell in metres and the hours of a time slot, the shares of people whom each number of `POINTS`
        singles out.
    homes : by the side of a cell, the share of people who are alone with the cells of their home and their work; NaN if
        nobody has both.
    """

    alone: Mapping[tuple[float, int], tuple[float, ...]] = field(default_factory=dict)
    homes: Mapping[float, float] = field(default_factory=dict)


def wanted(choices: PeopleChoices) -> list[tuple[float, int]]:
    """The cells and time slots that are computed: the chosen ones first, then those of the chart and the table."""
    cell, hours = choices.cell_m, choices.hours
    all_of_them = [(cell, hours), *((each, hours) for each in CELLS_M), *((cell, each) for each in HOURS)]
    return list(dict.fromkeys(all_of_them))


def steps(table: PeopleTable, choices: PeopleChoices, found: Removed) -> Iterator[Removed]:
    """More and more of it, beyond what is `found` already."""
    for cell, hours in wanted(choices):
        if (cell, hours) in found.alone:
            continue
        if cell not in found.homes:
            found = replace(found, homes={**found.homes, cell: table.homes(cell)})
            yield found
        alone = []
        for k in POINTS:  # a step each: one of a large table takes seconds
            alone.append(table.alone(cell, hours, k, choices.seed))
            if k != POINTS[-1]:
                yield found
        found = replace(found, alone={**found.alone, (cell, hours): tuple(alone)})
        yield found


def removed_blocks(found: Removed | None, choices: PeopleChoices) -> list[Block]:
    """The part of the page."""
    if found is None:
        return []
    done, of = len(found.alone), len(wanted(choices))
    if (choices.cell_m, choices.hours) not in found.alone:
        return [Text(SHORTLY)]
    waits = sentence(" {done} of {of} settings are computed.", done=whole(done), of=whole(of)) if done < of else ""
    what = Text(sentence("{what}{waits}", what=WHAT, waits=waits), "quiet")
    said, table = Text(removed_said(found, choices)), hours_table(found, choices)
    drawn = sum(hours == choices.hours for _, hours in found.alone) >= FEWEST_CELLS
    return [said, *([cells_chart(found, choices)] if drawn else []), table, what]


def removed_said(found: Removed, choices: PeopleChoices) -> str:
    """Whom the chosen cells and time slots single out."""
    shares = listed(
        sentence(
            "{alone}{of} with {k}", k=count(k, "point"), alone=percent(share), of=" of the people" if k == 1 else ""
        )
        for k, share in zip(POINTS, found.alone[choices.cell_m, choices.hours], strict=True)
    )
    first = sentence(
        "Somebody who knows points of a person, to {cell} and {slot}, singles out {shares}.",
        cell=metres(choices.cell_m),
        slot=slot(choices.hours),
        shares=shares,
    )
    pair = found.homes[choices.cell_m]
    if math.isnan(pair):
        return join([first, NOBODY_WORKS], " ")
    second = sentence(
        "Home and work, known to {cell}, single out {pair} of those who have both.",
        cell=metres(choices.cell_m),
        pair=percent(pair),
    )
    return join([first, second], " ")


def coarser_said(found: Removed, choices: PeopleChoices) -> Sentence:
    """What rounding places to a grid changes after names are removed: the most known points, over the side of a cell."""
    shares = listed(
        sentence(
            "{alone} where cells are {cell} wide",
            alone=percent(found.alone[cell, choices.hours][-1]),
            cell=metres(cell),
        )
        for cell in COARSER_M
        if (cell, choices.hours) in found.alone
    )
    return sentence(
        "Rounding places to a grid helps slowly: {k} of a person, in time slots of {slot}, still single out {shares}.",
        k=count(POINTS[-1], "point"),
        slot=slot(choices.hours),
        shares=shares,
    )


def linked_said(found: Removed, choices: PeopleChoices) -> Sentence | str:
    """For how many a table that has a person's home and work can be linked with this one."""
    pair = found.homes[choices.cell_m]
    if math.isnan(pair):
        return NOBODY_WORKS
    return sentence(
        "Of those who have both, {pair} are the only ones with their home and place of work, known to {cell}: another table "
        "that tells both of a person can be linked with this one.",
        pair=percent(pair),
        cell=metres(choices.cell_m),
    )


def slot(hours: int) -> Written:
    """A time slot.

    Examples
    --------
    >>> slot(1), slot(6), slot(24), slot(168)
    ('1 h', '6 h', '1 day', '7 days')
    """
    if hours % 24:
        return Written(f"{hours} h", hours)
    return Written(f"{hours // 24} day{'s' if hours > 24 else ''}", hours)


def cells_chart(found: Removed, choices: PeopleChoices) -> Chart:
    """The share of people singled out over the side of the cells, for each number of points, and for home and work."""
    cells = sorted(cell for cell, hours in found.alone if hours == choices.hours)
    data: list[dict[str, Any]] = [
        line(count(k, "point"), cells, [100 * found.alone[cell, choices.hours][at] for cell in cells], *STYLES[at])
        for at, k in enumerate(POINTS)
    ]
    homes = [100 * found.homes[cell] for cell in cells]
    if not any(map(math.isnan, homes)):
        data.append(line("home and work", cells, homes, GREY, "longdash", "lines+markers"))
    ticks = {str(metres(cell)): cell for cell in CELLS_M}
    rule = {"type": "line", "x0": choices.cell_m, "x1": choices.cell_m, "y0": 0, "y1": 1, "yref": "paper"}
    layout = {
        "height": 260,
        "xaxis": {
            "type": "log",
            "title": {"text": "side of a cell"},
            "tickvals": list(ticks.values()),
            "ticktext": list(ticks),
        },
        "yaxis": {"title": {"text": "singled out, of 100 people"}, "range": [0, 100]},
        "shapes": [rule | {"line": {"color": GREY, "width": 1.5, "dash": "dot"}}],
        "showlegend": True,
    }
    largest = cells[-1]
    summary = sentence(
        "How many of 100 people are singled out over the side of a cell, in time slots of {slot}. With cells of "
        "{largest_cell}, {most_points} single out {alone_there}.",
        slot=slot(choices.hours),
        largest_cell=metres(largest),
        most_points=count(POINTS[-1], "point"),
        alone_there=percent(found.alone[largest, choices.hours][-1]),
    )
    return Chart("removed", "Names removed", {"data": data, "layout": layout}, summary)


def hours_table(found: Removed, choices: PeopleChoices) -> Table:
    """The same for the chosen cells over the length of a time slot."""
    hours = sorted(each for cell, each in found.alone if cell == choices.cell_m)
    columns = (
        Column("time_slot_h", "time slot", slot),
        *(Column(f"alone_{k}", count(k, "point"), percent, "right") for k in POINTS),
    )
    rows = tuple((each, *found.alone[choices.cell_m, each]) for each in hours)
    marked = hours.index(choices.hours)
    return Table(
        sentence("Singled out, with cells of {cell}", cell=metres(choices.cell_m)), columns, rows, marked=marked
    )


def removed_table(found: Removed) -> Table:
    """All of it, for a file."""
    columns = (
        Column("cell_m"),
        Column("time_slot_h"),
        *(Column(f"alone_{k}") for k in POINTS),
        Column("home_and_work"),
    )
    rows = tuple((cell, hours, *alone, found.homes[cell]) for (cell, hours), alone in sorted(found.alone.items()))
    return Table("Names removed", columns, rows)
