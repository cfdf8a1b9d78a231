"""The charts of the part on a stream: the counts, the pan-private counter, the budgets, the districts."""

from __future__ import annotations

from math import log10
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import count
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.districts import COUNTS, districts_chart
from lmdk_widgets.pages.table.model import HOURS, TableChoices, level_title
from lmdk_widgets.pages.table.stream import Stream, running_sums
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY


def stream_charts(choices: TableChoices, found: Stream) -> list[Chart]:
    """The counts as they are and are released, the pan-private counter, and the budgets."""
    marks = count(len(choices.landmarks), "landmark") if choices.landmarks else "no landmark"
    drawn: str = sentence("the release at {level} level", level=level_title(choices.level))
    if found.released is None:
        drawn = "no count of single hours is published"
    seized = count(len(choices.intrusions), "intrusion") if choices.intrusions else "no intrusion"
    counts = sentence("The true count of each hour, and {drawn}; {marks}.", drawn=drawn, marks=marks)
    counter = sentence(
        "The true sum of the day so far, {seized} with what was read, and the output at the end.", seized=seized
    )
    budgets = "The budget of each hour under every level, on a log scale."
    return [
        Chart("counts", "The count of each hour", _counts_figure(choices, found), counts),
        Chart("counter", "The pan-private counter", _counter_figure(choices, found), counter),
        Chart("budgets", "What each hour gets", _budgets_figure(found), budgets),
        districts_chart(choices, found.budgets.get(choices.level)),
    ]


_LOOKS = {
    "event": (BLUE, "solid"),
    "user": (ORANGE, "dash"),
    "window": (GREEN, "dot"),
    "landmark": (PURPLE, "dashdot"),
    "discounted": (SKY, "longdash"),
}
_HOURS = list(range(1, HOURS + 1))
_XAXIS = {"title": {"text": "hour"}, "range": [0.3, HOURS + 1.7], "dtick": 4, "tick0": 4}


def _counts_figure(choices: TableChoices, found: Stream) -> dict[str, Any]:
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
        name = f"released: {level_title(choices.level)}"
        squares = {"size": 7, "symbol": "square"}
        y = found.released.tolist()
        data.append(line(name, _HOURS, y, ORANGE, mode="lines+markers", marker=squares, hovertemplate=hover))
    if choices.landmarks:
        marker = {"symbol": "diamond", "size": 11, "color": PURPLE, "line": {"width": 1, "color": GREY}}
        x = [hour + 1 for hour in choices.landmarks]
        marks = {"type": "scatter", "mode": "markers", "name": "landmark", "x": x, "y": [0] * len(x), "marker": marker}
        data.append(marks | {"hoverinfo": "skip", "cliponaxis": False})
    return {"data": data, "layout": {"height": 260, "xaxis": _XAXIS, "yaxis": {"title": {"text": "people"}}}}


def _counter_figure(choices: TableChoices, found: Stream) -> dict[str, Any]:
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


def _budgets_figure(found: Stream) -> dict[str, Any]:
    data = [
        line(level_title(level), _HOURS, budgets.tolist(), *_LOOKS[level], hovertemplate="%{y:.4g}<extra></extra>")
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
