"""Figures of the lesson in which a city decides: who is singled out without names, and who is found in noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from lmdk_widgets.course.city import (
    CELL_M,
    EPSILON,
    EPSILONS,
    KNOWN,
    NEAR_M,
    cells,
    expected,
    found_m,
    home_and_work,
    people,
    unicity,
)
from lmdk_widgets.page.amounts import amount, metres, percent, whole
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.page.sliding_figures import Sliding, Stops
from lmdk_widgets.palette import BLUE, GREEN, ORANGE

SPANS = {
    1: ("by the hour", BLUE, "circle"),
    6: ("by a quarter of a day", ORANGE, "square"),
    24: ("by the day", GREEN, "diamond"),
}
DOTS = 100
"""So many people stand for all, evenly spread over them."""


def by_cell() -> Sliding:
    """Who is singled out by a few moments, by the side of the squares."""
    stops = Stops("Side of a square", cells(), cells().index(CELL_M), metres)
    return Sliding(lambda side: [_singled_out(int(side))], (stops,))


def _singled_out(cell_m: int) -> Chart:
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": name,
            "x": list(KNOWN),
            "y": [round(100 * share, 2) for share in unicity(cell_m, hours)],
            "marker": {"color": colour, "symbol": symbol, "size": 8},
            "line": {"color": colour, "width": 2},
        }
        for hours, (name, colour, symbol) in SPANS.items()
    ]
    layout = {
        "xaxis": {"title": {"text": "known moments"}, "tickvals": list(KNOWN), "range": [0.8, 4.2]},
        "yaxis": {"title": {"text": "singled out, of 100 people"}, "range": [0, 102]},
    }
    said = sentence(
        "Squares of {side}: four moments by the hour single out {four} of the people, home and work {pair}.",
        side=metres(cell_m),
        four=percent(unicity(cell_m)[-1]),
        pair=percent(home_and_work(cell_m)["pair"]),
    )
    return Chart("alone", "Who is singled out", {"data": data, "layout": layout}, said)


def by_epsilon() -> Sliding:
    """How near people are found, by epsilon."""
    return Sliding(lambda epsilon: [_found(float(epsilon))], (Stops("ε", EPSILONS, EPSILONS.index(EPSILON), amount),))


def _found(epsilon: float) -> Chart:
    """A dot for ten people, at the distance to which they are found in half of all releases, the nearest at the left."""
    order = np.sort(found_m("uniform", epsilon))
    dots = order[((np.arange(DOTS) + 0.5) * len(order) / DOTS).astype(int)]
    near = dots <= NEAR_M
    number = np.arange(1, DOTS + 1)
    data: list[dict[str, Any]] = [
        _dots("within 200 m in half of all releases", number[near], dots[near], ORANGE, "diamond"),
        _dots("less often", number[~near], dots[~near], BLUE, "circle"),
    ]
    layout = {
        "xaxis": {"title": {"text": "100 people who stand for all, the most exposed first"}, "range": [0, DOTS + 1]},
        "yaxis": {"title": {"text": "found to within, m"}, "type": "log", "range": [1, 4.2]},
    }
    said = sentence(
        "ε = {epsilon}: {found} of {n_people} people are expected to be found nearer than {near}. The most exposed is found "
        "to within {nearest} in half of all releases.",
        epsilon=amount(epsilon),
        found=amount(expected("uniform", epsilon, NEAR_M)),
        n_people=whole(people()),
        near=metres(NEAR_M),
        nearest=metres(float(order[0])),
    )
    return Chart("found", "How near people are found", {"data": data, "layout": layout}, said)


def _dots(name: str, x: Any, y: Any, colour: str, symbol: str) -> dict[str, Any]:
    marker = {"color": colour, "symbol": symbol, "size": 7, "line": {"width": 0}}
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": x.tolist(),
        "y": y.round(1).tolist(),
        "marker": marker,
    }
