"""Figures of the lesson on what the law asks: who is linked, how far off counts are, and the table on which four people "
"decide."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.course.city import people
from lmdk_widgets.course.law import HALF, SIDE, SIDES
from lmdk_widgets.course.law_ways import ASKED, all_accept, counted, limits, linked, table, zeros
from lmdk_widgets.course.law_ways import ways as law_ways
from lmdk_widgets.page.amounts import amount, count, metres, percent, whole
from lmdk_widgets.page.blocks import Chart, Text
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.page.sliding_figures import Sliding, Stops
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE

HOURS = {1: "an hour", 24: "a day", 168: "a week"}
CELLS = (1_000, 2_000, 4_000)


def by_side() -> Sliding:
    """Whom two weeks link, by the side of the squares."""
    return Sliding(lambda side: [_linked(int(side))], (Stops("Side of a square", SIDES, SIDES.index(SIDE), metres),))


def _linked(side: int) -> Chart:
    right, wrong = linked(side)
    numbers = (
        ("rightly", right, ORANGE),
        ("wrongly", wrong, GREY),
        ("not linked", people() - right - wrong, BLUE),
    )
    data: list[dict[str, Any]] = [
        {"type": "bar", "name": name, "x": [name], "y": [number], "marker": {"color": colour}}
        for name, number, colour in numbers
    ]
    layout = {
        "xaxis": {"title": {"text": ""}},
        "yaxis": {"title": {"text": "people"}, "range": [0, people()]},
        "showlegend": False,
        "barmode": "overlay",
    }
    said = sentence(
        "Squares of {side}: home and work link {right} of {n_people} people with themselves, {share} of those whom they "
        "link.",
        side=metres(side),
        right=whole(right),
        n_people=whole(people()),
        share=percent(right / (right + wrong)),
    )
    return Chart(
        "linked", "Who is linked, of 1,000 people with new numbers in each week", {"data": data, "layout": layout}, said
    )


def by_setting() -> Sliding:
    """How far off counts are that protect a whole person, by the squares and times."""
    stops = (
        Stops("Squares of", CELLS, CELLS.index(ASKED[0]), metres),
        Stops("Counted in", tuple(HOURS), list(HOURS).index(ASKED[1]), HOURS.__getitem__),
    )
    return Sliding(lambda side, hours: [_counts(int(side), int(hours))], stops)


def _counts(side: int, hours: int) -> Chart:
    off, nothing = counted(side, hours)["errors"], zeros(side, hours)
    best = min(range(len(off)), key=off.__getitem__)
    line = {"type": "scatter", "mode": "lines", "x": [limits()[0], limits()[-1]]}
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": "noisy counts",
            "x": limits(),
            "y": off,
            "marker": {"color": BLUE, "size": 8},
            "line": {"color": BLUE, "width": 2},
        },
        {
            **line,
            "name": "zeros everywhere",
            "y": [nothing, nothing],
            "line": {"color": ORANGE, "width": 2, "dash": "dash"},
        },
        {
            **line,
            "name": "half of that",
            "y": [HALF * nothing] * 2,
            "line": {"color": GREEN, "width": 2, "dash": "dot"},
        },
    ]
    layout = {
        "xaxis": {"title": {"text": "contributions of a person that count"}, "type": "log"},
        "yaxis": {"title": {"text": "a count is off by"}, "type": "log", "range": [0, 3]},
    }
    said = sentence(
        "Squares of {side}, counted in {slot}: {mean} people on average. With at most {most} of a person a "
        "count is off by {off}, {share} of what a zero is off.",
        side=metres(side),
        slot=HOURS[hours],
        mean=amount(nothing),
        most=count(limits()[best], "contribution"),
        off=amount(off[best]),
        share=percent(off[best] / nothing),
    )
    return Chart(
        "counts", "How far off counts are, with ε = 1 for a whole person", {"data": data, "layout": layout}, said
    )


def ways() -> Sliding:
    """The table on which four people decide, with what each of them refuses."""
    accepted = [way.name for way in law_ways() if all_accept(way)]
    said = sentence(
        "✗ marks a number above the limit, which stands in the last row. All four accept: {accepted}.",
        accepted="; ".join(accepted),
    )
    return Sliding(lambda: [Text(said), table()])
