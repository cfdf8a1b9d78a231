"""The charts of the part on noise as plain descriptions."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import Any

from lmdk_widgets.page.figures import BLUE, GREY, ORANGE, PURPLE, line
from lmdk_widgets.pages.foundations.model import Foundations
from lmdk_widgets.pages.foundations.noise import (
    Noise,
    chart_summaries,
    drawn_beliefs,
    drawn_errors,
    drawn_ratios,
    most_believed,
    noise_rows,
)

Figure = dict[str, Any]

_DIAMOND = {"symbol": "diamond", "size": 12, "color": PURPLE, "line": {"width": 1.5, "color": GREY}}


def noise_text(choices: Foundations, found: Noise) -> dict[str, Any]:
    """What changes in words."""
    return {"rows": noise_rows(choices, found)}


def noise_figures(choices: Foundations, found: Noise) -> dict[str, Any]:
    """Every chart with the sentence that says what it shows."""
    summaries = chart_summaries(choices, found)
    figures = {
        "outputs": _outputs(found),
        "ratio": _ratio(found),
        "belief": _belief(choices, found),
        "people": _people(choices, found),
    }
    return {name: {"figure": figure, "summary": summaries[name]} for name, figure in figures.items()}


def _outputs(found: Noise) -> Figure:
    x, data = found.outputs.tolist(), []
    looks = ((found.first, BLUE, "solid", ""), (found.second, ORANGE, "dash", "/"))
    for name, (chances, colour, dash, shape) in zip(found.names, looks, strict=True):
        if found.smooth:
            data.append(line(name, x, chances.tolist(), colour, dash, hoverinfo="skip"))
        else:
            marker = {"color": colour, "pattern": {"shape": shape, "fillmode": "overlay"}}
            bars = {"type": "bar", "name": name, "x": x, "y": chances.tolist(), "marker": marker}
            data.append(bars | {"hovertemplate": "%{y:.4f}<extra></extra>"})
    drawn = {
        "type": "scatter",
        "mode": "markers",
        "name": "one draw",
        "x": [min(max(found.drawn, x[0]), x[-1])],
        "y": [0],
        "marker": _DIAMOND,
    }
    data.append(drawn | {"hoverinfo": "skip", "cliponaxis": False})
    unit = "density" if found.smooth else "chance"
    return {
        "data": data,
        "layout": {"height": 280, "xaxis": _axis(found), "yaxis": {"title": {"text": unit}, "rangemode": "tozero"}},
    }


def _axis(found: Noise) -> dict[str, Any]:
    if not found.labels:
        return {"title": {"text": "output"}, "range": [float(found.outputs[0]), float(found.outputs[-1])]}
    short = [label.removeprefix("answer ") for label in found.labels]
    return {
        "tickvals": found.outputs.tolist(),
        "ticktext": short,
        "ticklabeloverflow": "allow",
        "range": [-0.6, len(short) - 0.4],
    }


def _ratio(found: Noise) -> Figure:
    ratios, limits = drawn_ratios(found)
    x, data = found.outputs.tolist(), []
    if found.smooth:
        data.append(line("ratio", x, ratios.tolist(), BLUE, hoverinfo="skip"))
    else:
        marks = {"type": "scatter", "mode": "markers", "name": "ratio", "x": x, "y": ratios.tolist()}
        data.append(marks | {"marker": {"color": BLUE, "size": 9}, "hovertemplate": "%{y:.4g}<extra></extra>"})
    ends = [x[0] - 0.5, x[-1] + 0.5]
    most = float(max(ratios.max(), 1 / ratios.min()))
    if limits is not None:
        most = max(most, limits[0])
        data += [
            line("e^ε", ends, [limits[0]] * 2, GREY, "longdash", hoverinfo="skip"),
            line("e^−ε", ends, [limits[1]] * 2, GREY, "dot", hoverinfo="skip"),
        ]
    reach = max(0.05, 1.15 * log10(most))
    axis = {"type": "log", "title": {"text": "ratio"}, "range": [-reach, reach]} | _ticks(reach)
    return {"data": data, "layout": {"height": 240, "xaxis": _axis(found), "yaxis": axis}}


def _ticks(reach: float) -> dict[str, Any]:
    """Round ratios on both sides of 1, few enough for the axis."""
    powers = (
        (1, 2, 5, 10, 20, 50, 100, 1000, 10_000, 100_000, 1e6) if reach > 0.35 else (1, 1.02, 1.05, 1.1, 1.2, 1.5, 2)
    )
    values = [v for v in powers if log10(v) <= reach]
    values = values[:: max(1, len(values) // 4)]
    words = [f"{v:g}" for v in values] + [f"1/{v:g}" for v in values[1:]]
    return {"tickvals": values + [1 / v for v in values[1:]], "ticktext": words}


def _belief(choices: Foundations, found: Noise) -> Figure:
    x, up, down = drawn_beliefs(found)
    prior = choices.prior
    mark = {"type": "scatter", "mode": "markers", "marker": {"size": 11, "color": BLUE, "symbol": "circle"}}
    data = [
        line("at most", x, up, BLUE, hoverinfo="skip"),
        line("at least", x, down, ORANGE, "dash", hoverinfo="skip"),
        line("unchanged", [0, 1], [0, 1], GREY, "dot", hoverinfo="skip"),
        mark | {"name": "this belief", "x": [prior], "y": [most_believed(prior, found.up)]},
        mark | {"name": "after the draw", "x": [prior], "y": [found.after], "marker": _DIAMOND},
    ]
    axes = [{"title": {"text": f"belief {when}"}, "range": [-0.01, 1.01]} for when in ("before", "after")]
    return {"data": data, "layout": {"height": 300, "xaxis": axes[0], "yaxis": axes[1]}}


def _people(choices: Foundations, found: Noise) -> Figure:
    needed = found.needed or 1
    n, errors = drawn_errors(choices, found)
    data = [
        line("error", n.tolist(), errors.tolist(), BLUE, hovertemplate="%{x:.3g} people: %{y:.3g}<extra></extra>"),
        line("wanted", [1, float(n[-1])], [choices.wanted] * 2, GREY, "longdash", hoverinfo="skip"),
        {
            "type": "scatter",
            "mode": "markers",
            "name": "people needed",
            "x": [needed],
            "y": [choices.wanted],
            "marker": _DIAMOND,
        },
    ]
    top = min(0.7, log10(float(errors.max())) + 0.2)
    low = min(log10(choices.wanted), top) - 0.5
    ticks = [10.0**k for k in range(floor(low), ceil(top) + 1)]
    yaxis = {
        "type": "log",
        "title": {"text": "error"},
        "range": [low, top],
        "tickvals": ticks,
        "ticktext": [f"{t:g}" for t in ticks],
    }
    people = [10.0**k for k in range(ceil(log10(float(n[-1]))) + 1)]
    xaxis = {"type": "log", "title": {"text": "people"}, "tickvals": people, "ticktext": [_short(p) for p in people]}
    return {"data": data, "layout": {"height": 300, "xaxis": xaxis, "yaxis": yaxis}}


def _short(people: float) -> str:
    return f"{people:,.0f}" if people < 1e4 else f"10^{log10(people):.0f}"
