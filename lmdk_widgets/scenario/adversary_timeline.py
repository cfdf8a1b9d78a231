"""What an adversary infers over time, as a figure description: three panels on the timeline's axis."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.geo import Floats
from lmdk_widgets.page.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, RED
from lmdk_widgets.scenario.adversary import Inferred
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.timeline import array_line, log_ticks, panels

Described = tuple[dict[str, Any], dict[str, Floats]]
"""A figure description, and the arrays that it names."""


def describe_over_time(outcome: Outcome, found: Inferred) -> Described:
    """Her chance of the true cell, what she learned beside the loss, and how far off she is, at each timestamp.

    Her belief from all that she looks at is drawn beside that from the timestamp's release alone and that without any.
    """
    worths = {"": found.whole, "alone_": found.alone, "blind_": found.blind}
    arrays = {f"{name}right": worth.right for name, worth in worths.items()}
    arrays |= {f"{name}error_m": worth.error_m for name, worth in worths.items()}
    arrays |= {"learned": found.learned, "budgets": outcome.budgets}
    data = [
        *_landmarks(outcome, found),
        array_line("without a release", "blind_right", "y", GREY, dash="dot"),
        array_line("from one release", "alone_right", "y", GREEN, dash="dash"),
        array_line("from all", "right", "y", BLUE, width=2.5),
        *_followed(outcome, found, arrays),
        array_line("budget", "budgets", "y2", GREY, dash="dot"),
        array_line("learned", "learned", "y2", BLUE, width=2.5),
        *_bound(outcome, found, arrays),
        array_line("without a release", "blind_error_m", "y3", GREY, dash="dot"),
        array_line("from one release", "alone_error_m", "y3", GREEN, dash="dash"),
        array_line("from all", "error_m", "y3", BLUE, width=2.5),
    ]
    ticks = log_ticks([array for name, array in arrays.items() if name.endswith("error_m")])
    layout = panels(ticks, ("chance", "learned", "off by"))
    layout["yaxis3"] |= outcome.kind.axis(outcome.trajectory, layout["yaxis3"]["tickvals"], "off by")
    return {"data": data, "layout": layout}, arrays


def _landmarks(outcome: Outcome, found: Inferred) -> list[dict[str, Any]]:
    """A bar at each landmark, as high as her chance of the true cell there."""
    marks = list(outcome.scenario.landmarks)
    if not marks:
        return []
    bars = {"type": "bar", "x": marks, "y": found.whole.right[marks].tolist(), "width": max(0.5, len(outcome) / 250)}
    return [bars | {"name": "landmarks", "marker": {"color": ORANGE}, "yaxis": "y", "hoverinfo": "skip"}]


def _followed(outcome: Outcome, found: Inferred, arrays: dict[str, Floats]) -> list[dict[str, Any]]:
    """The belief in the cell that was picked."""
    cell = outcome.scenario.infer_cell
    if not 0 <= cell < len(found.area):
        return []
    arrays["cell"] = found.belief[:, cell]
    named = "cell" if outcome.kind.placed else "level"
    return [array_line(f"{named} {found.area.names[cell]}", "cell", "y", PURPLE, dash="dashdot")]


def _bound(outcome: Outcome, found: Inferred, arrays: dict[str, Floats]) -> list[dict[str, Any]]:
    if found.bound is None:
        return []
    arrays["bound"] = found.bound
    proven = not outcome.kind.placed or outcome.scenario.mechanism == "randomised"
    return [array_line(f"loss, {'a bound' if proven else 'read at the radius'}", "bound", "y2", RED, dash="dash")]
