"""Figures of lessons: named curves, and Bob's bars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.budgets import allocate, landmark_totals
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.page.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, line
from lmdk_widgets.trajectory import sample

STYLES = ((BLUE, "solid"), (ORANGE, "dash"), (GREEN, "dot"), (PURPLE, "dashdot"))
"""Colour and dash of the first, second, ... curve: told apart without colour too."""


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
    """A figure description of named curves, with a mark at every point while these are few.

    Parameters
    ----------
    series : name: values; a value that is not finite leaves a gap.
    x : where they lie; 1, 2, 3, ... when left out.
    levels : name: a height at which a dashed line crosses the figure.
    ticks : word: where on the x axis it stands, instead of numbers.
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


def bob_figure() -> tuple[dict[str, Any], str]:
    """Bob's figure: what user level and landmark privacy (Uniform) give each timestamp, and what the Theorem adds up.

    Returns
    -------
    A figure description with two rows of bars, those of the two levels side by side, and a sentence that says what it shows.

    Notes
    -----
    The scenario of Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022, with epsilon 1.

    Examples
    --------
    >>> figure, summary = bob_figure()
    >>> summary.partition(".")[0]
    'User level gives every timestamp 0'
    """
    track = sample("bob")
    levels = {"user level": "user", "landmark privacy (Uniform)": "uniform"}
    names = [f"{label} ◆" if k in track.landmarks else label for k, label in enumerate(track.labels)]
    data: list[dict[str, Any]] = []
    said = []
    for k, (title, scheme) in enumerate(levels.items()):
        budgets = allocate(scheme, len(track), track.landmarks, 1.0)
        sums = landmark_totals(budgets, track.landmarks)
        for axis, heights in (("", budgets), ("2", sums)):
            look = {"color": (GREY, BLUE)[k], "pattern": {"shape": ("/", "")[k]}}
            on = {"xaxis": f"x{axis}", "yaxis": f"y{axis}", "showlegend": not axis}
            data.append({"type": "bar", "name": title, "x": names, "y": heights.tolist(), "marker": look, **on})
        one = amount(float(budgets[0]))
        said.append(
            f"gives every timestamp {one}, so that the landmarks and one other spend {amount(float(sums.max()))}"
        )
    ends = [names[0], names[-1]]
    data.append(line("ε", ends, [1, 1], ORANGE, "longdash", xaxis="x2", yaxis="y2"))
    layout = {
        "height": 460,
        "xaxis": {"anchor": "y"},
        "yaxis": {"title": {"text": "budget"}, "domain": [0.58, 1], "rangemode": "tozero"},
        "xaxis2": {"anchor": "y2", "title": {"text": "timestamp, ◆ landmark"}},
        "yaxis2": {"title": {"text": "spent by L and t"}, "domain": [0, 0.42], "rangemode": "tozero"},
    }
    return {"data": data, "layout": layout}, f"User level {said[0]}. Landmark privacy {said[1]}: all that it may."
