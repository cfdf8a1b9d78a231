"""The charts of the part on a stream as plain descriptions."""

from __future__ import annotations

from math import log10
from typing import Any

import numpy as np

from lmdk_widgets.page.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, line
from lmdk_widgets.pages.foundations.model import HOURS, Foundations
from lmdk_widgets.pages.foundations.stream import COUNTS, Stream, level_rows, running_sums, stream_summaries, title

Figure = dict[str, Any]

_LOOKS = {
    "event": (BLUE, "solid"),
    "user": (ORANGE, "dash"),
    "window": (GREEN, "dot"),
    "landmark": (PURPLE, "dashdot"),
    "discounted": (SKY, "longdash"),
}
_HOURS = list(range(1, HOURS + 1))
_XAXIS = {"title": {"text": "hour"}, "range": [0.3, HOURS + 1.7], "dtick": 4, "tick0": 4}


def stream_text(choices: Foundations, found: Stream) -> dict[str, Any]:
    """What changes in words and in the hours."""
    return {
        "rows": level_rows(choices, found),
        "hours": HOURS,
        "placed": list(getattr(choices, choices.clicks)),
        "places": {"intrusions": "intrusion", "landmarks": "landmark"}[choices.clicks],
    }


def stream_figures(choices: Foundations, found: Stream) -> dict[str, Any]:
    """Every chart with the sentence that says what it shows."""
    summaries = stream_summaries(choices, found)
    figures = {"counts": _counts(choices, found), "counter": _counter(choices, found), "budgets": _budgets(found)}
    return {name: {"figure": figure, "summary": summaries[name]} for name, figure in figures.items()}


def _counts(choices: Foundations, found: Stream) -> Figure:
    hover = "hour %{x}: %{y:.1f}<extra></extra>"
    bars = {
        "type": "bar",
        "name": "true",
        "x": _HOURS,
        "y": list(COUNTS),
        "marker": {"color": SKY},
        "hovertemplate": hover,
    }
    data: list[dict[str, Any]] = [bars]
    if found.released is not None:
        name = f"released: {title(choices.level)}"
        squares = {"size": 7, "symbol": "square"}
        y = found.released.tolist()
        data.append(line(name, _HOURS, y, ORANGE, mode="lines+markers", marker=squares, hovertemplate=hover))
    if choices.landmarks:
        marker = {"symbol": "diamond", "size": 11, "color": PURPLE, "line": {"width": 1, "color": GREY}}
        x = [hour + 1 for hour in choices.landmarks]
        marks = {"type": "scatter", "mode": "markers", "name": "landmark", "x": x, "y": [0] * len(x), "marker": marker}
        data.append(marks | {"hoverinfo": "skip", "cliponaxis": False})
    return {"data": data, "layout": {"height": 260, "xaxis": _XAXIS, "yaxis": {"title": {"text": "people"}}}}


def _counter(choices: Foundations, found: Stream) -> Figure:
    counter = found.counter
    marker = {"size": 13, "line": {"width": 1.5, "color": GREY}}
    data = [
        line(
            "true sum so far",
            _HOURS,
            running_sums(),
            SKY,
            mode="lines+markers",
            hovertemplate="hour %{x}: %{y}<extra></extra>",
        )
    ]
    if choices.intrusions:
        x = [hour + 1 for hour in choices.intrusions]
        read = {
            "type": "scatter",
            "mode": "markers",
            "name": "read by an intruder",
            "x": x,
            "y": list(counter.readings),
        }
        data.append(
            read | {"marker": marker | {"symbol": "x", "color": ORANGE}, "hovertemplate": "%{y:.2f}<extra></extra>"}
        )
    out = {"type": "scatter", "mode": "markers", "name": "output", "x": [HOURS + 1], "y": [counter.output]}
    spread = {"type": "data", "array": [counter.deviation], "color": PURPLE, "thickness": 2}
    data.append(
        out
        | {
            "marker": marker | {"symbol": "star", "color": PURPLE},
            "error_y": spread,
            "hovertemplate": "%{y:.2f}<extra></extra>",
        }
    )
    return {"data": data, "layout": {"height": 260, "xaxis": _XAXIS, "yaxis": {"title": {"text": "visits"}}}}


def _budgets(found: Stream) -> Figure:
    data = [
        line(title(level), _HOURS, budgets.tolist(), *_LOOKS[level], hovertemplate="%{y:.4g}<extra></extra>")
        for level, budgets in found.budgets.items()
    ]
    values = np.concatenate(list(found.budgets.values()))
    low, high = log10(values.min()) - 0.2, log10(values.max()) + 0.2
    ticks = [digit * 10.0**k for k in range(int(np.floor(low)), int(np.ceil(high)) + 1) for digit in (1, 2, 5)]
    ticks = [t for t in ticks if low <= log10(t) <= high]
    yaxis = {
        "type": "log",
        "title": {"text": "ε of an hour"},
        "range": [low, high],
        "tickvals": ticks,
        "ticktext": [f"{t:g}" for t in ticks],
    }
    return {"data": data, "layout": {"height": 300, "xaxis": _XAXIS | {"range": [0.3, HOURS + 0.7]}, "yaxis": yaxis}}
