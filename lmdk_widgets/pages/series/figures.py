"""What the charts of the quilt lab share; in them ``{"$": "past"}`` stands for an array of the drawing."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.page.figures import line
from lmdk_widgets.palette import GREY, ORANGE

Figure = dict[str, Any]

CHOSEN = {"symbol": "diamond", "size": 13, "color": ORANGE, "line": {"width": 1.5, "color": GREY}}
"""The mark of what is chosen."""


def marks(name: str, x: list, y: list, marker: dict[str, Any]) -> dict[str, Any]:
    """The trace of single marks."""
    return {"type": "scatter", "mode": "markers", "name": name, "x": x, "y": y, "marker": marker, "hoverinfo": "y"}


def level(name: str, ends: list, value: float, *, dash: str = "longdash") -> dict[str, Any]:
    """A horizontal line from one end to the other."""
    return line(name, ends, [value] * 2, GREY, dash, hoverinfo="skip")


def figure(
    data: list, x_title: str, yaxis: dict[str, Any], *, xaxis: dict[str, Any] | None = None, **rest: Any
) -> Figure:
    """A figure with these axes; `rest` goes into its layout."""
    axis = {"title": {"text": x_title}} if x_title else {}
    return {"data": data, "layout": {"height": 300, "xaxis": axis | (xaxis or {}), "yaxis": yaxis, **rest}}
