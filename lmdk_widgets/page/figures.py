"""What charts share: the styles of lines, a line, and named curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE, PURPLE

STYLES = ((BLUE, "solid"), (ORANGE, "dash"), (GREEN, "dot"), (PURPLE, "dashdot"))
"""Colour and dash of the first, second, ... curve, which also differ without colour."""


def line(
    name: str, x: Any, y: Any, colour: str, dash: str = "solid", mode: str = "lines", **more: Any
) -> dict[str, Any]:
    """The trace of a line through points; `more` adds entries to the trace."""
    style = {"color": colour, "dash": dash, "width": 2}
    return {"type": "scatter", "name": name, "x": x, "y": y, "mode": mode, "line": style, **more}


def curves(
    series: Mapping[str, ArrayLike],
    *,
    x: ArrayLike | None = None,
    x_title: str = "timestamp",
    y_title: str = "privacy loss",
    levels: Mapping[str, float] | None = None,
    ticks: Mapping[str, float] | None = None,
    log_y: bool = False,
) -> dict[str, Any]:
    """A figure description of named curves, with a mark at every point if there are few.

    Parameters
    ----------
    series : name: values; a value that is not finite leaves a gap.
    x : their positions; 1, 2, 3, ... if left out.
    levels : name: a height at which a dashed line crosses the figure.
    ticks : word: its position on the x axis, instead of numbers.
    log_y : a logarithmic axis of values.

    Examples
    --------
    >>> figure = curves({"backward": [0.1, 0.18]}, levels={"supremum": 0.65})
    >>> [(trace["name"], trace["x"]) for trace in figure["data"]]
    [('backward', [1, 2]), ('supremum', [1, 2])]
    """
    values = {name: np.asarray(y, dtype=float) for name, y in series.items()}
    longest = max(len(y) for y in values.values())
    places = list(range(1, longest + 1)) if x is None else np.asarray(x).tolist()
    mode = "lines+markers" if len(places) <= 30 else "lines"
    data = [
        line(name, places[: len(y)], y.tolist(), *STYLES[k % len(STYLES)], mode)
        for k, (name, y) in enumerate(values.items())
    ]
    ends = [places[0], places[-1]]
    data += [line(name, ends, [y, y], GREY, "longdash") for name, y in (levels or {}).items()]
    axis: dict[str, Any] = {"title": {"text": y_title}, "rangemode": "tozero"}
    layout = {
        "xaxis": {"title": {"text": x_title}},
        "yaxis": axis | ({"type": "log", "exponentformat": "none"} if log_y else {}),
    }
    if ticks:
        layout["xaxis"] |= {"tickvals": list(ticks.values()), "ticktext": list(ticks)}
    return {"data": data, "layout": layout}
