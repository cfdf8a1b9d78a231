"""The trade-off of the landmark page as a plain description of a chart."""

from __future__ import annotations

from typing import Any

import numpy as np

from lmdk_widgets.budgets import SCHEMES as SPREADS
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.page.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY, line
from lmdk_widgets.scenario.curve import EPSILONS, Line
from lmdk_widgets.scenario.model import AGAINST, CURVE_ERRORS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.sweep import expected_error_m, mean_known

Figure = dict[str, Any]

_COLOURS = {"blue": BLUE, "green": GREEN, "grey": GREY, "orange": ORANGE, "purple": PURPLE, "red": RED, "sky": SKY}

LOOKS = {name: (_COLOURS[scheme.colour], scheme.dash) for name, scheme in SPREADS.items()}
"""Colour and dash of each scheme: told apart without colour too."""

_SHADE = "rgba(127,138,150,0.18)"
_NOW = {"symbol": "diamond", "size": 14, "color": RED, "line": {"width": 1.5, "color": GREY}}


def trade_off_figure(outcome: Outcome) -> Figure:
    """Error against epsilon or a loss: a line for each scheme, a mark for now, and a band where
    the chosen scheme's line is an average."""
    data: list[Figure] = []
    for found in outcome.curves:
        # one band, as ten of them hide the lines
        banded = found.scheme == outcome.scenario.scheme and not found.exact
        if banded and outcome.scenario.curve_error == "mean":
            data += _band(found, outcome.scenario.against)
        data.append(_line(found, outcome))
    if data:
        data.append(_now(outcome))
    titles = {
        "epsilon": "epsilon (the target, for Cao's plan)",
        "loss": "largest total loss",
        "landmarks": "landmarks together",
    }
    x_title = titles[outcome.scenario.against]
    unit = outcome.kind.unit_of_error(outcome.trajectory)
    what = "mean error" if outcome.scenario.curve_error == "mean" else "95 % radius"
    y_title = f"{what}, {unit}" if unit else what
    layout: Figure = {
        "height": 420,
        "xaxis": {"title": {"text": x_title}, "type": "log", "dtick": 1},
        "yaxis": {"title": {"text": y_title}, "type": "log", "dtick": 1},
        "hovermode": "closest",
        "legend": {"traceorder": "normal"},
    }
    return {"data": data, "layout": layout}


def _line(found: Line, outcome: Outcome) -> Figure:
    colour, dash = LOOKS[found.scheme]
    name = SPREADS[found.scheme].title
    chosen = found.scheme == outcome.scenario.scheme
    spent = SPREADS[found.scheme].spent
    told = [
        f"{name}, {spent} {epsilon:g}: {outcome.ground.write(y)}"
        for epsilon, y in zip(EPSILONS, _y(found, outcome), strict=True)
    ]
    trace = line(name, _plain(_x(found, outcome.scenario.against)), _plain(_y(found, outcome)), colour, dash)
    marks = {"mode": "lines+markers", "marker": {"size": 5 + 2 * chosen}, "meta": found.scheme}
    trace["line"]["width"] = 4 if chosen else 1.75
    return trace | marks | {"text": told, "hovertemplate": "%{text}<extra></extra>"}


def _band(found: Line, against: str) -> list[Figure]:
    """From the 5 % to the 95 % point: two lines that are not seen, and what lies between them."""
    edge = {"type": "scatter", "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    x = _plain(_x(found, against))
    low, high = ({"x": x, "y": _plain(values)} for values in (found["error_low_m"], found["error_high_m"]))
    return [edge | low, edge | high | {"fill": "tonexty", "fillcolor": _SHADE}]


def _now(outcome: Outcome) -> Figure:
    x, y = now(outcome)
    trace = {"type": "scatter", "mode": "markers", "name": "now", "x": [x or None], "y": [y], "marker": _NOW}
    return trace | {
        "text": [f"now: {outcome.ground.write(y)} at {amount(x)}"],
        "hovertemplate": "%{text}<extra></extra>",
    }


def now(outcome: Outcome) -> tuple[float, float]:
    """Where the present settings stand in the chart; the error expected, or else that of the draw."""
    scenario = outcome.scenario
    spread = scenario.spread
    spent = float(outcome.totals.max()) if spread.by_hand else getattr(scenario, spread.spent)
    x = {"epsilon": spent, "loss": float(outcome.total.max()), "landmarks": float(outcome.landmark.max())}
    if scenario.curve_error == "radius95":
        return x[scenario.against], mean_known(outcome.radius95_m)
    expected = expected_error_m(outcome)
    return x[scenario.against], outcome.mean_error_m if expected is None else expected


def _x(found: Line, against: str) -> Floats:
    assert against in AGAINST
    return {"epsilon": np.array(EPSILONS), "loss": found["largest_total_loss"], "landmarks": found["landmark_loss"]}[
        against
    ]


def _y(found: Line, outcome: Outcome) -> Floats:
    assert outcome.scenario.curve_error in CURVE_ERRORS
    return found["error_m" if outcome.scenario.curve_error == "mean" else "radius95_m"]


def _plain(values: Floats) -> list[float | None]:
    """What a logarithmic axis can show, to five digits."""
    return [float(f"{value:.5g}") if np.isfinite(value) and value > 0 else None for value in values]
