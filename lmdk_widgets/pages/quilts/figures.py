"""The figures of the quilt lab as plain descriptions, in which ``{"$": "past"}`` stands for an array of the drawing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import amount, bound
from lmdk_widgets.page.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, line
from lmdk_widgets.pages.quilts.belief import long_run
from lmdk_widgets.pages.quilts.outcome import QuiltOutcome
from lmdk_widgets.pages.quilts.words import short_title, title

Figure = dict[str, Any]

_CHOSEN = {"symbol": "diamond", "size": 13, "color": ORANGE, "line": {"width": 1.5, "color": GREY}}
"""The mark of what the page looks at."""
_EDGE = {"color": GREY, "width": 1}

_MANY = 60
"""Above so many points a line has no marks."""
_MOST_EPSILONS = 8
"""The axis of influence holds every value up to so many times ε; higher ones are marked at its edge."""
_NAMED_BARS = 12
"""Up to so many states every bar has its name."""
_LONG_NAME, _NAMES_IN_A_LINE = 16, 28
"""Letters of a name on an axis, the rest being left out; letters of all names that stand upright side by side."""


def quilt_figures(outcome: QuiltOutcome) -> tuple[dict[str, Figure], dict[str, np.ndarray]]:
    """Every figure of the lab by its name, and the arrays that they and the timeline draw."""
    figures = {
        "influence": _influence(outcome),
        "nodes": _nodes(outcome),
        "histogram": _histogram(outcome),
        "methods": _methods(outcome),
        "stack": _stack(outcome),
        "story": _story(outcome),
    }
    past, future = outcome.belief.influence(outcome.node)
    arrays: dict[str, np.ndarray] = {
        "states": outcome.series.states.astype(np.int32),
        "scale": outcome.nodes.scale,
        "timestamps": np.arange(1, len(outcome) + 1),
        "distances": outcome.belief.distances.astype(np.int32),
        "past": past,
        "future": future,
        "transition": outcome.belief.chains[0].transition.ravel(),
        "long_run": long_run(outcome.belief.chains[0]),
    }
    if outcome.segments is not None:
        figures["gap"] = _gap(outcome)
        arrays |= {"gaps": outcome.segments.gaps, "guarantee": outcome.segments.guarantee}
    return figures, arrays


def _influence(outcome: QuiltOutcome) -> Figure:
    past, future = outcome.belief.influence(outcome.node)
    epsilon, distances = outcome.choices.epsilon, outcome.belief.distances
    away = [(abs(outcome.node - end), side) for side, end in enumerate(outcome.quilt) if end is not None]
    finite = np.concatenate((past, future))
    finite = finite[np.isfinite(finite)]
    highest = float(finite.max()) if len(finite) else epsilon
    data = [
        _side("past", BLUE, "solid", "circle"),
        _side("future", PURPLE, "dash", "square"),
        _level(f"ε = {amount(epsilon)}", [1, int(distances[-1])], epsilon),
    ]
    exact = [(d, float(outcome.belief.influence(outcome.node, [d])[side][0])) for d, side in away]
    known = [(d, e) for d, e in exact if math.isfinite(e)]
    if known:
        data.append(_marks("the quilt", [d for d, _ in known], [e for _, e in known], _CHOSEN))
    top = max(1.25 * epsilon, min(_MOST_EPSILONS * epsilon, 1.06 * highest))
    axis = {"range": [0, top], "title": {"text": "influence"}}
    data += _beyond(outcome, top)
    shown = float(min(distances[-1], max([15, *(2.2 * d for d, _ in away)])))
    told = {"x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper", "text": "without bound at<br>every distance"}
    notes = [] if len(finite) else [told | {"showarrow": False}]
    return _figure(data, "timestamps away", axis, xaxis={"range": [0, shown + 0.5]}, annotations=notes)


def _beyond(outcome: QuiltOutcome, top: float) -> list[dict[str, Any]]:
    """Triangles at the upper edge, with their values, for what would need a higher axis than shows where ε is."""
    found = []
    distances = outcome.belief.distances
    for side, colour, shift in zip(outcome.belief.influence(outcome.node), (BLUE, PURPLE), (0.96, 0.86), strict=True):
        above = np.isfinite(side) & (side > top)
        if not above.any():
            continue
        marker = {"symbol": "triangle-up", "size": 11, "color": colour}
        values = [f"{value:.3g}" for value in side[above]]
        marks = _marks("higher", distances[above].tolist(), [shift * top] * len(values), marker)
        text = [""] * (len(values) - 1) + [f" up to {bound(float(side[above].max()))}"]
        named = {"mode": "markers+text", "text": text, "textposition": "middle right", "hovertext": values}
        found.append(marks | named | {"hoverinfo": "text", "showlegend": False})
    return found


def _nodes(outcome: QuiltOutcome) -> Figure:
    scale, node, worst = outcome.nodes.scale, outcome.node, outcome.scale.node
    mode = "lines+markers" if len(scale) <= _MANY else "lines"
    hover = "timestamp %{x}: σ = %{y:.4g}<extra></extra>"
    top = {"symbol": "triangle-up-open", "size": 15, "color": PURPLE, "line": {"width": 2.5}}
    data = [
        line("each timestamp", {"$": "timestamps"}, {"$": "scale"}, BLUE, mode=mode, hovertemplate=hover),
        _marks("chosen", [node + 1], [float(scale[node])], _CHOSEN),
        _marks("needs the most", [worst + 1], [float(scale[worst])], top),
    ]
    return _figure(data, "timestamp", {"title": {"text": "σ"}, "rangemode": "tozero"})


def _histogram(outcome: QuiltOutcome) -> Figure:
    found, labels = outcome.histogram, list(outcome.series.labels)
    data: list[dict[str, Any]] = [_bars("true", found.true, BLUE, "true")]
    if found.released is not None and found.low is not None and found.high is not None:
        name = f"released: {title(outcome.choices.mechanism)}"
        data.append(_bars(name, found.released, "rgba(224,138,0,0.6)", "released", outline=ORANGE))
        whiskers = _whiskers(found.high - found.true, found.true - found.low, GREY) | {"thickness": 2}
        around = _bars("90 % of draws", found.true, "rgba(0,0,0,0)", "released")  # carries the whiskers, unseen
        data.append(around | {"error_y": whiskers, "showlegend": False, "hoverinfo": "skip"})
    m = len(labels)
    shown = list(range(0, m, max(1, math.ceil(m / _NAMED_BARS))))
    names = [label if len(label) <= _LONG_NAME else label[: _LONG_NAME - 1] + "…" for label in labels]
    upright = m * max(map(len, names)) <= _NAMES_IN_A_LINE
    axis = {"tickvals": shown, "ticktext": [names[k] for k in shown], "tickangle": 0 if upright else -35}
    axis["ticklabeloverflow"] = "allow"  # of the first name, when it leans out of the figure
    unit = "share of the timestamps" if outcome.choices.query == "shares" else "timestamps"
    return _figure(data, "", {"title": {"text": unit}}, xaxis=axis, barmode="group")


def _methods(outcome: QuiltOutcome) -> Figure:
    names = [short_title(method.name) for method in outcome.methods]
    data = []
    for protects, colour, symbol, name in ((True, BLUE, "circle", "protects"), (False, ORANGE, "x", "does not*")):
        some = [(k, m) for k, m in enumerate(outcome.methods) if m.scale is not None and m.protects == protects]
        if not some:
            continue
        places, methods = zip(*some, strict=True)
        marker = {"size": 12, "color": colour, "symbol": symbol}
        error = np.array([m.error for m in methods])
        whiskers = _whiskers([m.error_high for m in methods] - error, error - [m.error_low for m in methods], colour)
        data.append(_marks(name, list(places), error.tolist(), marker) | {"error_y": whiskers})
    # upright, so that two side by side have room on a narrow page
    missing = {"y": 0.03, "yref": "paper", "text": "not applicable", "showarrow": False, "yanchor": "bottom"}
    notes = [missing | {"x": k, "textangle": -90} for k, m in enumerate(outcome.methods) if m.scale is None]
    axis = {"tickvals": list(range(len(names))), "ticktext": names, "range": [-0.5, len(names) - 0.5], "tickangle": -25}
    errors = {"type": "log", "title": {"text": "error of the histogram"}} | _log_ticks(outcome)
    return _figure(data, "", errors, xaxis=axis, annotations=notes)


def _log_ticks(outcome: QuiltOutcome) -> dict[str, Any]:
    """Round numbers on a log axis, few enough not to overprint each other."""
    known = [m for m in outcome.methods if m.scale is not None]
    low = math.log10(min(m.error_low for m in known)) - 0.15
    high = math.log10(max(m.error_high for m in known)) + 0.15
    digits = (1, 2, 5) if high - low < 1.5 else (1,)
    values = [digit * 10.0**decade for decade in range(math.floor(low), math.ceil(high) + 1) for digit in digits]
    return {"range": [low, high], "tickvals": values, "ticktext": [f"{value:,g}" for value in values]}


def _stack(outcome: QuiltOutcome) -> Figure:
    releases = outcome.choices.releases
    rows, most = ["sum (any quilts)", "K × max (same quilts)"], max(releases)
    data = []
    for k, epsilon in enumerate(releases):
        name, marker = f"release {k + 1}", {"color": (BLUE, SKY, GREEN, PURPLE)[k % 4], "line": _EDGE}
        bar = {"type": "bar", "orientation": "h", "name": name, "x": [epsilon, most], "y": rows, "marker": marker}
        data.append(bar | {"hovertemplate": f"{name}: %{{x:.3g}}<extra></extra>"})
    axis = {"autorange": "reversed", "ticks": ""}
    layout = {"barmode": "stack", "height": 170, "showlegend": False}
    return _figure(data, "ε of all releases together", axis, xaxis={"rangemode": "tozero"}, **layout)


def _gap(outcome: QuiltOutcome) -> Figure:
    segments = outcome.segments
    assert segments is not None
    one, two = outcome.choices.epsilon_a, outcome.choices.epsilon_b
    ends = [1, max(2, int(segments.gaps[-1]))]
    data = [
        _level(f"sum {amount(one + two)}", ends, one + two, dash="dot"),
        _level(f"larger {amount(max(one, two))}", ends, max(one, two)),
        line("guarantee", {"$": "gaps"}, {"$": "guarantee"}, BLUE),
        _marks("present gap", [segments.gap], [segments.epsilon], _CHOSEN),
    ]
    axis = {"title": {"text": "ε together"}, "range": [0, 1.15 * (one + two)]}
    powers = [k for k in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if k <= ends[1]]
    return _figure(data, "moves from A to B", axis, xaxis={"type": "log", "tickvals": powers}, height=260)


def _story(outcome: QuiltOutcome) -> Figure:
    """The bars of the story in the order in which it tells them; the page shows as many as it has told.

    A trace for each, as plotly's patterns do not take a list of colours.
    """
    story = outcome.story
    total = story.epsilon_alice + story.epsilon_bob
    bars = (
        ("Alice", story.epsilon_alice, BLUE, ""),
        ("Bob", story.epsilon_bob, BLUE, ""),
        ("their<br>sum", total, SKY, "."),
        ("both<br>together", story.epsilon_both, ORANGE, "/"),
        ("sum<br>and 2 E", story.epsilon_bound, GREEN, "x"),
    )
    bar = {"type": "bar", "textposition": "outside", "cliponaxis": False, "hoverinfo": "skip"}
    data = []
    for name, value, colour, shape in bars:
        marker = {"color": colour, "pattern": {"shape": shape, "fillmode": "overlay"}, "line": _EDGE}
        data.append(bar | {"x": [name], "y": [value], "text": [f"{value:.4f}" if value else "0"], "marker": marker})
    axis = {"title": {"text": "ε"}, "range": [0, 1.2 * max(story.epsilon_bound, 0.05)]}
    places = {"range": [-0.5, 4.5], "type": "category", "categoryarray": [name for name, *_ in bars], "tickangle": 0}
    return _figure(data, "", axis, xaxis=places, height=240, showlegend=False, barmode="overlay")


def _side(name: str, colour: str, dash: str, symbol: str) -> dict[str, Any]:
    marker = {"symbol": symbol, "size": 5, "color": colour}
    return line(name, {"$": "distances"}, {"$": name}, colour, dash, "lines+markers", marker=marker)


def _marks(name: str, x: list, y: list, marker: dict[str, Any]) -> dict[str, Any]:
    return {"type": "scatter", "mode": "markers", "name": name, "x": x, "y": y, "marker": marker, "hoverinfo": "y"}


def _level(name: str, ends: list, value: float, *, dash: str = "longdash") -> dict[str, Any]:
    return line(name, ends, [value] * 2, GREY, dash, hoverinfo="skip")


def _whiskers(above: np.ndarray, below: np.ndarray, colour: str) -> dict[str, Any]:
    ends = {"array": above.tolist(), "arrayminus": below.tolist()}
    return {"type": "data", "symmetric": False, "color": colour, **ends}


def _bars(name: str, y: np.ndarray, colour: str, group: str, *, outline: str = "") -> dict[str, Any]:
    """Bars of one series; the outlined ones are hatched, too."""
    marker: dict[str, Any] = {"color": colour}
    if outline:
        hatched = {"shape": "/", "fillmode": "overlay", "solidity": 0.15, "fgcolor": outline}
        marker |= {"line": {"color": outline, "width": 1.5}, "pattern": hatched}
    place = {"x": list(range(len(y))), "y": y.tolist(), "offsetgroup": group}
    return {"type": "bar", "name": name, "marker": marker, "hovertemplate": "%{y:.4g}<extra></extra>", **place}


def _figure(
    data: list, x_title: str, yaxis: dict[str, Any], *, xaxis: dict[str, Any] | None = None, **rest: Any
) -> Figure:
    axis = {"title": {"text": x_title}} if x_title else {}
    return {"data": data, "layout": {"height": 300, "xaxis": axis | (xaxis or {}), "yaxis": yaxis, **rest}}
