"""Figures of the lesson on privacy zones: maps of what is published, and of where an attacker looks for the home."""

from __future__ import annotations

from typing import Any

import numpy as np

from lmdk_widgets.course.zones import (
    COUNTS,
    HECTARE_M2,
    MIA_WEEK,
    OFFSET_M,
    OUTINGS,
    RADII_M,
    RADIUS_M,
    Attacked,
    attacked,
)
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, count, metres, whole
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.page.sliding_figures import Sliding, Stops
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE

MOST_CELLS = 900
"""A chart draws no more of the cells in which the attacker looks."""

OFFSETS_M = (0.0, 100.0, 200.0, OFFSET_M)


def by_outings() -> Sliding:
    """Where the attacker looks, by the number of outings."""
    stops = Stops("Outings", COUNTS, COUNTS.index(OUTINGS), whole)
    return Sliding(lambda n: [_map(attacked(n, number=MIA_WEEK))], (stops,))


def by_radius() -> Sliding:
    """The same by the radius of the zone."""
    stops = Stops("Radius of the zone", RADII_M, RADII_M.index(RADIUS_M), metres)
    return Sliding(lambda radius: [_map(attacked(radius_m=radius, number=MIA_WEEK))], (stops,))


def by_offset() -> Sliding:
    """The same if the middle of the zone is moved once."""
    stops = Stops("Middle moved by up to", OFFSETS_M, 0, metres)
    return Sliding(lambda offset: [_map(attacked(offset_m=offset, number=MIA_WEEK))], (stops,))


def _map(week: Attacked) -> Chart:
    """What is published, home, the cells in which the attacker looks, and the guess; in kilometres from home."""
    found = week.found
    cells = week.published.frame.to_metres(*found.cells.T) - week.home_m
    cells = cells[:: max(1, len(cells) // MOST_CELLS)]
    turn = np.linspace(0, 2 * np.pi, 73)
    circle = np.stack([np.sin(turn), np.cos(turn)], axis=1)
    guess = week.guess_m - week.home_m
    data = [
        _marks("published", week.published.points_m - week.home_m, GREY, "circle", 3),
        _marks("the attacker looks here", cells, ORANGE, "square", 4),
        _line("a zone round the guess", guess + found.radius_m * circle),
        _marks("home", np.zeros((1, 2)), GREEN, "star", 14),
        _marks("the guess", guess[None], BLUE, "diamond", 10),
    ]
    if found.offset_m:
        data.insert(2, _line("home may be here", guess + found.offset_m * circle, ORANGE, "dot"))
    far = 1.25 * found.radius_m / 1000 + 0.3
    layout = {
        "xaxis": {"title": {"text": "km to the east"}, "range": [-far, far]},
        "yaxis": {"title": {"text": "km to the north"}, "scaleanchor": "x", "range": [-far, far]},
    }
    said = sentence(
        "{outings}: the attacker looks on {hectares} ha, and guesses {off} from home.{moved}",
        outings=count(_pieces(week), "outing").capitalize(),
        hectares=amount(found.area_m2 / HECTARE_M2),
        off=metres(week.off_m),
        moved=_moved(week),
    )
    return Chart("zone", "Where the attacker looks", {"data": data, "layout": layout}, said)


def _moved(week: Attacked) -> str:
    """What is left to know where the middle of the zone was moved."""
    if not week.found.offset_m:
        return ""
    return sentence(
        " That is the middle of the zone: home may be anywhere within {offset} of it.",
        offset=metres(week.found.offset_m),
    )


def _pieces(week: Attacked) -> int:
    """The outings that are published: one a day."""
    return len(np.unique(week.published.time.astype("datetime64[D]")))


def _marks(name: str, places_m: Floats, colour: str, symbol: str, size: int) -> dict[str, Any]:
    east, north = (np.round(places_m / 1000, 4).T).tolist()
    marker = {"color": colour, "symbol": symbol, "size": size, "line": {"width": 0}}
    return {"type": "scatter", "mode": "markers", "name": name, "x": east, "y": north, "marker": marker}


def _line(name: str, places_m: Floats, colour: str = BLUE, dash: str = "dash") -> dict[str, Any]:
    east, north = (np.round(places_m / 1000, 4).T).tolist()
    style = {"color": colour, "width": 1.5, "dash": dash}
    return {"type": "scatter", "mode": "lines", "name": name, "x": east, "y": north, "line": style, "hoverinfo": "skip"}
