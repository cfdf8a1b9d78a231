"""The districts and hours of the stream: how many people are where, and which hours of one person a level protects together.

The picture of the levels in the thesis's preliminaries, on a whole day: a level is a set of hours in which presence is
hidden together, and the budgets of such a set add up to its epsilon.
"""

from __future__ import annotations

from typing import Any

from lmdk_widgets.anonymity.examples import DISTRICTS
from lmdk_widgets.composition import sequential
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import bound, whole
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.model import HOURS, TableChoices, level_title
from lmdk_widgets.palette import BLUE, GREY

COUNTS = (3, 2, 1, 1, 1, 2, 4, 9, 14, 16, 15, 17, 21, 19, 16, 15, 17, 22, 27, 29, 24, 17, 10, 6)
"""Invented: how many people are at Montmartre in each hour of a day."""
ELSEWHERE = {
    "Le Marais": (2, 1, 1, 1, 1, 2, 5, 12, 19, 22, 24, 25, 23, 24, 25, 24, 21, 17, 13, 11, 9, 7, 5, 3),
    "Belleville": (9, 9, 8, 8, 8, 9, 8, 6, 5, 4, 4, 5, 6, 5, 5, 6, 7, 9, 11, 12, 12, 12, 11, 10),
    "Latin Quarter": (4, 3, 2, 2, 1, 2, 3, 7, 11, 13, 14, 12, 10, 13, 14, 13, 12, 11, 12, 14, 15, 12, 9, 6),
    "Opéra": (1, 1, 1, 1, 1, 1, 2, 5, 8, 9, 10, 14, 17, 13, 10, 9, 9, 10, 13, 17, 19, 16, 9, 3),
}
"""Invented too: the other districts."""
QUACKMORE = "MMMMMMMLLLLOLLLLBBBOOMMM"
"""Invented: where Quackmore is in each hour, by the first letter of the district; L is Le Marais."""
_DISTRICT = {"M": "Montmartre", "L": "Le Marais", "B": "Belleville", "O": "Opéra"}


def district_counts(district: str) -> tuple[int, ...]:
    """(24,) people in a district in each hour."""
    return COUNTS if district == "Montmartre" else ELSEWHERE[district]


def whereabouts() -> list[str]:
    """(24,) the district that Quackmore is in."""
    return [_DISTRICT[letter] for letter in QUACKMORE]


def protected_hours(choices: TableChoices) -> list[int]:
    """Hours from 0 that the drawn level protects together; for a level with many such sets, one with the first hour at Opéra.

    Examples
    --------
    >>> protected_hours(TableChoices(part="stream", level="window", window=3))
    [11, 12, 13]
    """
    first = QUACKMORE.index("O")
    match choices.level:
        case "user":
            return list(range(HOURS))
        case "window":
            start = min(first, HOURS - choices.window)
            return list(range(start, start + choices.window))
        case "landmark":
            return sorted({*choices.landmarks, first})
    return [first]


def districts_chart(choices: TableChoices, budgets: Floats | None) -> Chart:
    """The people in each district and hour, with Quackmore's day; `budgets` of each hour, None if hours have none."""
    hours = protected_hours(choices)
    first, cost = whole(hours[0] + 1), ""
    if len(hours) == HOURS:
        together = "protects the whole day together"
    elif len(hours) == 1:
        together = sentence("protects each hour by itself, here hour {first_hour}", first_hour=first)
    else:
        together = sentence(
            "protects the {hours_together} filled hours together, the first is hour {first_hour}",
            hours_together=whole(len(hours)),
            first_hour=first,
        )
    if budgets is not None:
        cost = sentence(
            ", with ε = {most_together}", most_together=bound(sequential([float(budgets[hour]) for hour in hours]))
        )
    said = sentence(
        "The people in each district and hour; a square is where Quackmore is. {level} level {together}{cost}.",
        level=level_title(choices.level),
        together=together,
        cost=cost,
    )
    return Chart("districts", "Whose hours are protected together", _figure(hours), said)


def _figure(hours: list[int]) -> dict[str, Any]:
    """Districts side by side and hours below each other, so that the numbers fit on a phone."""
    where = whereabouts()
    looks = (("protected together", hours, BLUE, "square"), ("by itself", range(HOURS), GREY, "square-open"))
    data: list[dict[str, Any]] = []
    for name, held, colour, symbol in looks:
        shown = [hour for hour in held if symbol == "square" or hour not in hours]
        marks = {"type": "scatter", "mode": "markers", "name": name, "y": [h + 1 for h in shown], "hoverinfo": "skip"}
        marker = {"symbol": symbol, "size": 17, "color": colour, "opacity": 0.6}
        data.append(marks | {"x": [where[h] for h in shown], "marker": marker})
    for district in DISTRICTS:
        texts = {"type": "scatter", "mode": "text", "name": district, "showlegend": False, "hoverinfo": "skip"}
        counts = [str(people) for people in district_counts(district)]
        place = {"y": list(range(1, HOURS + 1)), "x": [district] * HOURS, "text": counts}
        data.append(texts | place | {"textfont": {"size": 10}})
    order = {"categoryorder": "array", "categoryarray": list(DISTRICTS), "range": [-0.6, len(DISTRICTS) - 0.4]}
    yaxis = {"title": {"text": "hour"}, "range": [HOURS + 0.7, 0.3], "dtick": 4, "tick0": 4}
    return {"data": data, "layout": {"height": 540, "xaxis": order, "yaxis": yaxis}}
