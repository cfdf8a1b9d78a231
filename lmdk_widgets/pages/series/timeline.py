"""One timestamp and all of them: its quilt on the timeline, how far influence reaches, and the noise that each needs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import amount, bound, whole
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.series.figures import CHOSEN, Figure, figure, level, marks
from lmdk_widgets.pages.series.mechanisms import short
from lmdk_widgets.pages.series.outcome import SeriesOutcome
from lmdk_widgets.palette import BLUE, PURPLE

ROUNDING = 1e-12
"""An influence below this comes from the arithmetic, not from the chain."""

_MANY = 60
"""A line with more points than this has no marks."""

_MOST_EPSILONS = 8
"""The axis of influence covers values up to this many times ε; higher ones are marked at its edge."""


def timeline_summary(outcome: SeriesOutcome) -> str:
    """What the timeline shows, for people who cannot see it."""
    series, node = outcome.series, outcome.node
    state = series.labels[int(series.states[node])]
    return sentence(
        "{here_first}: {state}.", here_first=outcome.when(node).replace("timestamp", "Timestamp", 1), state=state
    )


def drawn_timeline(outcome: SeriesOutcome) -> tuple[Message, dict[str, np.ndarray]]:
    """The series with its chosen timestamp, nearby set and quilt, for the page to draw, and its arrays."""
    series, segments = outcome.series, outcome.segments
    described = {
        "node": outcome.node,
        "nearby": list(outcome.nearby),
        "quilt": list(outcome.quilt),
        "labels": list(series.labels),
        "minutes": series.minutes,
        "start_minute": series.start_minute,
        "segments": [list(segments.a), list(segments.b)] if segments is not None else None,
    }
    return described, {"states": series.states.astype(np.int32), "scale": outcome.nodes.scale}


def timeline_charts(outcome: SeriesOutcome) -> list[Chart]:
    """How far influence reaches from the chosen timestamp, and what each timestamp needs."""
    past, future = outcome.belief.influence(outcome.node)
    reach: dict[str, np.ndarray] = {
        "distances": outcome.belief.distances.astype(np.int32),
        "past": past,
        "future": future,
    }
    scales = {"timestamps": np.arange(1, len(outcome) + 1), "scale": outcome.nodes.scale}
    return [
        Chart("influence", "Influence against distance", _influence(outcome), influence_summary(outcome), reach),
        Chart("nodes", "Noise that each timestamp needs", _nodes(outcome), nodes_summary(outcome), scales),
    ]


def influence_summary(outcome: SeriesOutcome) -> str:
    """How fast influence falls with distance."""
    past, future = outcome.belief.influence(outcome.node)
    where = "away" if outcome.belief.alike else sentence("from {here}", here=outcome.when(outcome.node))
    the_past = "there is no past"
    if not math.isnan(past[0]):
        the_past = sentence("the past tells {past_tells}", past_tells=told(float(past[0])))
    the_future = "there is no future"
    if not math.isnan(future[0]):
        the_future = sentence("the future {future_tells}", future_tells=told(float(future[0])))
    start = sentence("One timestamp {apart} {past}, {future}.", apart=where, past=the_past, future=the_future)
    epsilon = outcome.choices.epsilon
    distance = outcome.belief.first_below(epsilon, outcome.node)
    if distance is None:
        return sentence("{start} At no distance do both sides together fall below ε.", start=start)
    return sentence(
        "{start} Both sides together fall below ε = {epsilon} at distance {falls_below}.",
        start=start,
        epsilon=amount(epsilon),
        falls_below=whole(distance),
    )


def told(value: float) -> str:
    """How much an influence tells, in words: "at most 0.41"; below rounding, nothing.

    Examples
    --------
    >>> [told(value) for value in (0.4142, 1e-8, 8.88e-16, float("inf"))]
    ['at most 0.415', 'next to nothing', 'nothing (below rounding)', 'an unbounded amount']
    """
    if value < ROUNDING:
        return "nothing (below rounding)"
    if value < 1e-3:
        return "next to nothing" if value < 1e-6 else "less than 0.001"
    if math.isinf(value):
        return "an unbounded amount"
    return sentence("at most {most_told}", most_told=bound(value))


def nodes_summary(outcome: SeriesOutcome) -> str:
    """How much noise the timestamps need."""
    scale = outcome.nodes.scale
    low, high = float(scale.min()), float(scale.max())
    if high <= low * (1 + 1e-9):
        return sentence("Every timestamp needs σ = {scale}.", scale=short(high))
    between = sentence("of about {scale}", scale=short(high))
    if short(low) != short(high):
        between = sentence("from {least_scale} to {scale}", least_scale=short(low), scale=short(high))
    return sentence(
        "Each timestamp by itself would need σ {between}; the largest, at timestamp {worst_node}, decides. Near "
        "the ends there are neighbours on one side only{near_start}.",
        between=between,
        worst_node=whole(outcome.scale.node + 1),
        near_start=near_start(outcome),
    )


def near_start(outcome: SeriesOutcome) -> str:
    """Why timestamps near the start differ, the end of a sentence."""
    return "" if outcome.belief.stationary else ", and near the start the chains remember how they began"


def _influence(outcome: SeriesOutcome) -> Figure:
    past, future = outcome.belief.influence(outcome.node)
    epsilon, distances = outcome.choices.epsilon, outcome.belief.distances
    away = [(abs(outcome.node - end), side) for side, end in enumerate(outcome.quilt) if end is not None]
    finite = np.concatenate((past, future))
    finite = finite[np.isfinite(finite)]
    highest = float(finite.max()) if len(finite) else epsilon
    data = [
        _side_line("past", BLUE, "solid", "circle"),
        _side_line("future", PURPLE, "dash", "square"),
        level(sentence("ε = {epsilon}", epsilon=amount(epsilon)), [1, int(distances[-1])], epsilon),
    ]
    exact = [(d, float(outcome.belief.influence(outcome.node, [d])[side][0])) for d, side in away]
    known = [(d, e) for d, e in exact if math.isfinite(e)]
    if known:
        data.append(marks("the quilt", [d for d, _ in known], [e for _, e in known], CHOSEN))
    top = max(1.25 * epsilon, min(_MOST_EPSILONS * epsilon, 1.06 * highest))
    axis = {"range": [0, top], "title": {"text": "influence"}}
    data += _beyond(outcome, top)
    shown = float(min(distances[-1], max([15, *(2.2 * d for d, _ in away)])))
    told = {"x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper", "text": "unbounded at<br>every distance"}
    notes = [] if len(finite) else [told | {"showarrow": False}]
    return figure(data, "timestamps away", axis, xaxis={"range": [0, shown + 0.5]}, annotations=notes)


def _beyond(outcome: SeriesOutcome, top: float) -> list[dict[str, Any]]:
    """Triangles at the upper edge, with their values, for influences that would need an axis too high to show ε well."""
    found = []
    distances = outcome.belief.distances
    for side, colour, shift in zip(outcome.belief.influence(outcome.node), (BLUE, PURPLE), (0.96, 0.86), strict=True):
        above = np.isfinite(side) & (side > top)
        if not above.any():
            continue
        marker = {"symbol": "triangle-up", "size": 11, "color": colour}
        values = [f"{value:.3g}" for value in side[above]]
        higher = marks("higher", distances[above].tolist(), [shift * top] * len(values), marker)
        text = [""] * (len(values) - 1) + [
            sentence(" up to {most_highest}", most_highest=bound(float(side[above].max())))
        ]
        named = {"mode": "markers+text", "text": text, "textposition": "middle right", "hovertext": values}
        found.append(higher | named | {"hoverinfo": "text", "showlegend": False})
    return found


def _side_line(name: str, colour: str, dash: str, symbol: str) -> dict[str, Any]:
    marker = {"symbol": symbol, "size": 5, "color": colour}
    return line(name, {"$": "distances"}, {"$": name}, colour, dash, "lines+markers", marker=marker)


def _nodes(outcome: SeriesOutcome) -> Figure:
    scale, node, worst = outcome.nodes.scale, outcome.node, outcome.scale.node
    mode = "lines+markers" if len(scale) <= _MANY else "lines"
    hover = "timestamp %{x}: σ = %{y:.4g}<extra></extra>"
    top = {"symbol": "triangle-up-open", "size": 15, "color": PURPLE, "line": {"width": 2.5}}
    data = [
        line("each timestamp", {"$": "timestamps"}, {"$": "scale"}, BLUE, mode=mode, hovertemplate=hover),
        marks("chosen", [node + 1], [float(scale[node])], CHOSEN),
        marks("needs the most", [worst + 1], [float(scale[worst])], top),
    ]
    return figure(data, "timestamp", {"title": {"text": "σ"}, "rangemode": "tozero"})
