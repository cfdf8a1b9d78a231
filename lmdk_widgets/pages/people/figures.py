"""The picture of the people page and its other charts and tables: who is found how near, and at which epsilon."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import amount, metres, whole
from lmdk_widgets.page.blocks import Chart, Column, Table
from lmdk_widgets.page.figures import STYLES, line
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.pages.people.evaluate import DOTS, PeopleOutcome
from lmdk_widgets.pages.people.model import DISTANCES_M
from lmdk_widgets.pages.people.words import count_people, found_text, headcount
from lmdk_widgets.palette import BLUE, GREY, ORANGE, RED

LOW_M, HIGH_M = 10.0, 50_000.0
"""The ends of the axis of distances: the dots move over it while the slider moves."""

COLUMNS = 56
"""The number of columns of dots between them."""

TICKS = {"20 m": 20, "100 m": 100, "500 m": 500, "2 km": 2_000, "10 km": 10_000}
"""The distances written along the axis."""

DOTS_TITLE = "How near people are found"

_LEAST, _STEP, _FIRST = 8, 2, 0.7
"""The picture has room for at least this many dots in a column, and grows in steps of so many; the height of the lowest."""

_HIGH, _SIZE = 300, 8
_SYMBOLS = ("circle", "diamond")

EPSILONS = tuple(float(f"{10**power:.3g}") for power in np.linspace(-2, 1, 31))
"""Where the curves over epsilon are computed."""

MOST_LISTED = 10
"""The most people in the list of the most exposed."""


def dots_chart(outcome: PeopleOutcome) -> Chart:
    """Releases as dots, each above the distance to which somebody finds that person in it: of 100 dots, as many are nearer
    than the limit as people are expected to be found of 100."""
    limit = outcome.choices.distance_m
    who, found = outcome.dots
    never = int(np.isinf(found).sum())
    who, found = who[np.isfinite(found)], found[np.isfinite(found)]
    near, column = found < limit, _columns(found)
    height, x = _stacked(column), _middle(column)
    data = []
    for name, those, colour, mark in (
        (
            sentence("{n_dots} nearer than {distance}", n_dots=whole(int(near.sum())), distance=metres(limit)),
            near,
            RED,
            0,
        ),
        (farther(int((~near).sum()), never), ~near, BLUE, 1),
    ):
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": name,
                "x": x[those].tolist(),
                "y": height[those].tolist(),
                "hoverinfo": "text",
                "hovertext": [
                    f"found to within {found_text(float(each), limit)} in one release" for each in found[those]
                ],
                "marker": {"color": colour, "symbol": _SYMBOLS[mark], "size": _SIZE},
                "meta": [{"op": "set", "name": "person", "value": int(k)} for k in who[those]],
            }
        )
    data += _ring(outcome, who, x, height)
    layout = _dots_layout(limit, float(height.max(initial=0)), y_title(outcome))
    return Chart("people", DOTS_TITLE, {"data": data, "layout": layout}, dots_summary(outcome))


def farther(dots: int, never: int) -> str:
    """How many dots are farther, and how many releases have none, as nobody is found in them."""
    if not never:
        return sentence("{n_dots} farther", n_dots=whole(dots))
    return sentence("{n_dots} farther, {n_never} not found", n_dots=whole(dots), n_never=whole(never))


def y_title(outcome: PeopleOutcome) -> str:
    """What a dot stands for."""
    n = len(outcome)
    if n < DOTS:
        return sentence("each dot: one of {dots} releases", dots=whole(DOTS))
    return "each dot: a person" if n == DOTS else sentence("each dot: {each_dot} people", each_dot=headcount(n / DOTS))


def _ring(outcome: PeopleOutcome, who: np.ndarray, x: np.ndarray, height: np.ndarray) -> list[dict[str, Any]]:
    """The mark of the person chosen: around that person's dots, or on the axis where there is none, at the distance of half
    of all releases."""
    person = outcome.choices.person
    if person < 0 or not math.isfinite(outcome.found_m[person]):
        return []
    own = who == person
    there = own.any()
    trace = {
        "type": "scatter",
        "mode": "markers",
        "name": "the person chosen",
        "x": (x[own] if there else _middle(_columns(outcome.found_m[[person]]))).tolist(),
        "y": (height[own] if there else np.array([_FIRST])).tolist(),
        "hoverinfo": "skip",
        "marker": {"color": ORANGE, "symbol": "circle-open", "size": 2 * _SIZE, "line": {"width": 3}},
    }
    return [trace]


def _dots_layout(limit: float, highest: float, title: str) -> dict[str, Any]:
    """The axes under the dots, and the line at the limit."""
    most = max(_LEAST, _STEP * math.ceil((highest + 0.5) / _STEP))
    rule = {"type": "line", "x0": limit, "x1": limit, "y0": 0, "y1": 1, "yref": "paper"}
    return {
        "height": _HIGH,
        "xaxis": {
            "type": "log",
            "title": {"text": "found to within"},
            "range": [math.log10(LOW_M), math.log10(HIGH_M)],
            "tickvals": list(TICKS.values()),
            "ticktext": list(TICKS),
        },
        "yaxis": {"range": [0, most], "tickvals": [], "showgrid": False, "title": {"text": title}},
        "shapes": [rule | {"line": {"color": GREY, "width": 1.5, "dash": "dash"}}],
        "showlegend": True,
    }


def _columns(found: np.ndarray) -> np.ndarray:
    """The column of each dot."""
    share = np.log10(np.clip(found, LOW_M, HIGH_M * (1 - 1e-9)) / LOW_M) / math.log10(HIGH_M / LOW_M)
    return (share * COLUMNS).astype(np.int64)


def _middle(column: np.ndarray) -> np.ndarray:
    """The distance in the middle of each column, metres."""
    return LOW_M * 10 ** ((column + 0.5) * math.log10(HIGH_M / LOW_M) / COLUMNS)


def _stacked(column: np.ndarray) -> np.ndarray:
    """The height of each dot above the axis; those of one column lie on top of each other. column : never decreasing."""
    first = np.searchsorted(column, column, side="left")
    return np.arange(len(column)) - first + _FIRST


def dots_summary(outcome: PeopleOutcome) -> str:
    """The picture in words."""
    n, found = len(outcome), outcome.found_m[outcome.nearest_first]
    near = int((outcome.dots[1] < outcome.choices.distance_m).sum())
    what = (
        sentence("Each of {dots} dots is a release of one of {people}.", dots=whole(DOTS), people=count_people(n))
        if n < DOTS
        else sentence(
            "One release of {people}, drawn evenly: {dots} dots, each of {each_dot}.",
            people=count_people(n),
            dots=whole(DOTS),
            each_dot="one person" if n == DOTS else sentence("{number} people", number=headcount(n / DOTS)),
        )
    )
    nearer = sentence(
        "{n_dots} are nearer than {distance}.", n_dots=whole(near), distance=metres(outcome.choices.distance_m)
    )
    quarters = [float(found[int(share * (n - 1))]) for share in (0.25, 0.5, 0.75)]
    spread = sentence(
        "In half of all releases, a quarter of the people are found to within {lower_quarter}, half to within {middle}, and "
        "three quarters to within {upper_quarter}.",
        lower_quarter=found_text(quarters[0]),
        middle=found_text(quarters[1]),
        upper_quarter=found_text(quarters[2]),
    )
    return join([what, nearer, spread, "Click a dot to see that person."], " ")


def curves_chart(outcome: PeopleOutcome) -> Chart:
    """The share of people expected to be found against epsilon, for each distance."""
    choices = outcome.choices
    shares = outcome.table.curves(choices.rule, choices.scheme, EPSILONS)
    data: list[dict[str, Any]] = []
    for k, distance in enumerate(DISTANCES_M):
        data.append(line(str(metres(distance)), list(EPSILONS), (100 * shares[:, k]).tolist(), *STYLES[k]))
    rule = {"type": "line", "x0": choices.epsilon, "x1": choices.epsilon, "y0": 0, "y1": 1, "yref": "paper"}
    limit = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": choices.most_percent, "y1": choices.most_percent}
    layout = {
        "height": 250,
        "xaxis": {"type": "log", "title": {"text": "epsilon"}, "tickvals": [0.01, 0.03, 0.1, 0.3, 1, 3, 10]},
        "yaxis": {"title": {"text": "found, of 100 people"}, "range": [0, 100]},
        "shapes": [
            rule | {"line": {"color": GREY, "width": 1.5, "dash": "dot"}},
            limit | {"line": {"color": RED, "width": 1.5, "dash": "dash"}},
        ],
    }
    said = sentence(
        "How many of 100 people are expected to be found nearer than each distance, against epsilon. At epsilon {epsilon}: "
        "{expected_shares}. Dashed: the limit.",
        epsilon=amount(choices.epsilon),
        expected_shares=join(
            sentence(
                "{expected} of {n} within {within}",
                expected=headcount(float(e)),
                n=whole(len(outcome)),
                within=metres(d),
            )
            for e, d in zip(outcome.expected, DISTANCES_M, strict=True)
        ),
    )
    return Chart("epsilons", "Which epsilon", {"data": data, "layout": layout}, said)


def exposed_table(outcome: PeopleOutcome) -> Table:
    """The people who are found nearest; a click on a row chooses one."""
    nearest = [int(k) for k in outcome.nearest_first[:MOST_LISTED]]
    columns = (
        Column("person", "person"),
        Column("found_m", "found to within", found_text, "right"),
        Column("reports", "reports", lambda each: f"{each:,}", "right"),
    )
    people = outcome.people
    rows = tuple((str(people.names[k]), float(outcome.found_m[k]), int(people.reports[k])) for k in nearest)
    acts = tuple({"op": "set", "name": "person", "value": k} for k in nearest)
    marked = nearest.index(outcome.choices.person) if outcome.choices.person in nearest else -1
    return Table("The most exposed", columns, rows, acts=acts, signs=("",) * len(rows), marked=marked)


def expected_table(outcome: PeopleOutcome) -> Table:
    """How many people are expected to be found within each distance."""
    columns = (
        Column("nearer_than_m", "nearer than", metres),
        Column("expected_people", "people, expected", headcount, "right"),
        Column("share", "of 100", lambda each: headcount(100 * each), "right"),
    )
    n = len(outcome)
    rows = tuple((at, float(each), float(each) / n) for at, each in zip(DISTANCES_M, outcome.expected, strict=True))
    return Table("Expected to be found", columns, rows)


def people_table(outcome: PeopleOutcome) -> Table:
    """Everyone, for a file: who, how near in half of all releases, and the chance of being found."""
    choices, people = outcome.choices, outcome.people
    chances = people.chances(choices.scheme, choices.epsilon, choices.distance_m)
    columns = (Column("person"), Column("reports"), Column("found_m"), Column("chance_found"))
    rows = zip(people.names, people.reports.tolist(), outcome.found_m.tolist(), chances.tolist(), strict=True)
    return Table("Everyone", columns, tuple((str(who), *rest) for who, *rest in rows))
