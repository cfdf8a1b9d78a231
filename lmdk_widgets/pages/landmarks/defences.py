"""The comparison of defences as a message: a chart of error against error, and the rows of its table."""

from __future__ import annotations

import math
from typing import Any

from lmdk_widgets.page.amounts import metres
from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.page.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, RED
from lmdk_widgets.scenario.defence import HER_ERROR, OWN_ERROR
from lmdk_widgets.scenario.defence_words import Shown, called, defence_rows, defence_texts, shown, titled
from lmdk_widgets.scenario.model import MECHANISMS
from lmdk_widgets.scenario.outcome import Outcome

Figure = dict[str, Any]

LOOKS = {
    "planar": (BLUE, "circle"),
    "optimal": (GREEN, "square"),
    "spanner": (PURPLE, "triangle-up"),
    "remapped": (ORANGE, "cross"),
    "randomised": (GREY, "x"),
}
"""Colour and sign of each mechanism: told apart without colour too."""

_SIGN = {"size": 9, "line": {"width": 0}}
_NOW = {"symbol": "diamond-open", "size": 17, "color": RED, "line": {"width": 2.5, "color": RED}}


def defence_figure(found: Shown) -> Figure:
    """Her error over its owner's: a mark for each defence, a line through the efficient ones, a diamond around now."""
    drawn = [k for k, one in enumerate(found.rows) if not math.isnan(one[OWN_ERROR])]
    best = [k for k in drawn if found.efficient[k]]
    steps = {"mode": "lines", "line": {"color": GREY, "width": 1.5, "dash": "dot"}, "hoverinfo": "skip"}
    data = [_marks(found, best) | steps | {"name": "efficient"}]
    for mechanism, (colour, symbol) in LOOKS.items():
        some = [k for k in drawn if found.rows[k].mechanism == mechanism]
        if some:
            sign = {"mode": "markers", "marker": _SIGN | {"color": colour, "symbol": symbol}, "meta": some}
            told = {"text": [_told(found, k) for k in some], "hovertemplate": "%{text}<extra></extra>"}
            data.append(_marks(found, some) | sign | told | {"name": titled(MECHANISMS[mechanism])})
    now = [found.now] if found.now in drawn else []
    data.append(_marks(found, now) | {"mode": "markers", "marker": _NOW, "name": "now", "hoverinfo": "skip"})
    layout = {
        "height": 420,
        "xaxis": {"title": {"text": "your error, m"}, "type": "log", "dtick": "D2"},
        "yaxis": {"title": {"text": "her error, m"}, "rangemode": "tozero"},
        "hovermode": "closest",
        "legend": {"traceorder": "normal"},
    }
    return {"data": data, "layout": layout}


def _marks(found: Shown, some: list[int]) -> Figure:
    x, y = ([_plain(found.rows[k][name]) for k in some] for name in (OWN_ERROR, HER_ERROR))
    return {"type": "scatter", "x": x, "y": y}


def _plain(value: float) -> float:
    return float(f"{value:.5g}")


def _told(found: Shown, k: int) -> str:
    one = found.rows[k]
    return f"{called(one)}: you {metres(one[OWN_ERROR])}, she {metres(one[HER_ERROR])} off"


def defences_drawing(outcome: Outcome) -> Drawing:
    """The chart, the rows in their order, and the sentences."""
    found, all_ = shown(outcome), outcome.defended
    described: dict[str, Any] = {
        "texts": defence_texts(outcome),
        "waits": all_ is None or not all_.done,
        "figure": {"data": [], "layout": {}},
        "cells": [],
        "go": [],
        "efficient": [],
        "best": -1,
        "chosen": -1,
    }
    if found is not None:
        described |= {
            "figure": defence_figure(found),
            "cells": defence_rows(found),
            "go": [[one.scheme, one.mechanism, one.place_m] for one in found.rows],
            "efficient": list(found.efficient),
            "best": found.best,
            "chosen": found.now,
        }
    return Drawing("defences", (all_, outcome.scenario.scheme, outcome.scenario.mechanism), described, {})
