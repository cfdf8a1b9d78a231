"""The panels of a figure over time as separate charts, for files and reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.pages.track.timeline import Charts, bar_marker
from lmdk_widgets.scenario.clock import time_axis
from lmdk_widgets.scenario.outcome import Outcome

MOST_DRAWN = 1_000
"""With more timestamps than this, a line is drawn through the smallest and the largest value of each stretch, at most
this many."""

Named = Callable[[str], np.ndarray]
"""Returns an array by its name."""


def panel_pictures(
    described: dict[str, Any], array: Named, charts: Charts, summaries: Sequence[str], outcome: Outcome
) -> list[Chart]:
    """Each panel that has lines, as a separate chart."""
    found = []
    for (axis, name, title, unit), summary in zip(charts, summaries, strict=False):
        traces = [_filled(trace, array, outcome) for trace in described["data"] if trace["yaxis"] == axis]
        if traces:
            figure = {"data": traces, "layout": _layout(described, axis, unit, outcome)}
            found.append(Chart(name, title, figure, summary))
    return found


def _filled(trace: dict[str, Any], array: Named, outcome: Outcome) -> dict[str, Any]:
    """A trace with the numbers that it draws, thinned where no difference shows."""
    done = {name: value for name, value in trace.items() if name not in ("yaxis", "legend")}
    if isinstance(done["y"], dict):
        y = np.asarray(array(done["y"]["$"]), float)
        at = thinned(y)
        done |= {"x": at.tolist(), "y": [float(f"{v:.6g}") if np.isfinite(v) else None for v in y[at]]}
    if isinstance(done.get("marker", {}).get("color"), dict):
        done["marker"] = {**done["marker"], **bar_marker(outcome)}
    return done


def thinned(y: np.ndarray) -> np.ndarray:
    """The indices that are drawn: all, or the smallest and the largest value of each stretch."""
    return np.unique([0, *ends_of_stretches(y), len(y) - 1])


def ends_of_stretches(y: np.ndarray) -> np.ndarray:
    """The same in order, two for each stretch: its smallest and its largest value, so all stretches are equally wide
    where the values are drawn at equal distances."""
    if len(y) <= MOST_DRAWN:
        return np.arange(len(y))
    edges = np.linspace(0, len(y), MOST_DRAWN // 2 + 1).astype(int)
    low, high = np.where(np.isfinite(y), y, np.inf), np.where(np.isfinite(y), y, -np.inf)
    ends = [(a + int(np.argmin(low[a:b])), a + int(np.argmax(high[a:b]))) for a, b in pairwise(edges)]
    return np.sort(np.array(ends), axis=1).ravel()


def _layout(described: dict[str, Any], axis: str, unit: str, outcome: Outcome) -> dict[str, Any]:
    """The layout of one panel by itself, with the times below it."""
    yaxis = {
        name: v for name, v in described["layout"][f"yaxis{axis[1:]}"].items() if name not in ("domain", "fixedrange")
    }
    return {
        "height": 290,
        "bargap": 0.25,
        "xaxis": time_axis(outcome.scenario, outcome.trajectory),
        "yaxis": yaxis | {"title": {"text": unit}},
    }
