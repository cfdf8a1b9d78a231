"""The charts of the part on noise: what outputs are likely, what a belief can become, what the best test misses."""

from __future__ import annotations

from math import ceil, floor, inf, log10
from typing import Any

from lmdk_widgets.page.amounts import amount, bound_percent, percent
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.model import TableChoices
from lmdk_widgets.pages.table.neighbours import (
    Noise,
    drawn_beliefs,
    drawn_errors,
    drawn_ratios,
    drawn_test,
    most_believed,
)
from lmdk_widgets.pages.table.noise import drawn_said, people_needed
from lmdk_widgets.palette import BLUE, GREY, ORANGE, PURPLE

FEW = 1e-4
"""A share below which a test misses hardly anything."""


def noise_charts(choices: TableChoices, found: Noise) -> list[Chart]:
    """What two inputs make likely, how many times likelier, what a belief can become, and how many people it takes."""
    kind = "density" if found.smooth else "chance"
    ratio = "unbounded"
    if found.largest < inf:
        ratio = sentence("{ratio}, {where}", ratio=amount(found.largest), where=found.where)
    if found.mu:
        ratio = sentence("unbounded, and beyond e^ε with chance {beyond_chance}", beyond_chance=percent(found.beyond))
    most = bound_percent(most_believed(choices.prior, found.epsilon if found.mu else found.up))
    but = ", except after outputs beyond e^ε" if found.mu else ""
    needed = ""
    if found.needed is not None:
        needed = sentence(
            "{people_needed} people reach {wanted_error}.",
            people_needed=people_needed(found),
            wanted_error=percent(choices.wanted),
        )
    error = "The chance of a wrong choice" if choices.mechanism == "exponential" else "The standard error of a share"
    beyond = "" if found.outputs[0] <= found.drawn <= found.outputs[-1] else ", beyond the end of the chart"
    outputs = sentence(
        "The {kind} of each output for two neighbouring inputs; the diamond is one draw, {drawn}{beyond}.",
        kind=kind,
        drawn=drawn_said(found),
        beyond=beyond,
    )
    ratios = sentence(
        "How many times likelier an output is for one of them, on a log scale. The largest ratio is {largest}.",
        largest=ratio,
    )
    belief = sentence(
        "The most and the least that a belief can become{but}: {prior}, at most {most_belief}.",
        but=but,
        prior=percent(choices.prior),
        most_belief=most,
    )
    people = sentence("{error} falls with the number of people; {reach}", error=error, reach=needed)
    return [
        Chart("outputs", "What two neighbouring inputs make likely", _outputs_figure(found), outputs),
        Chart("ratio", "How many times likelier", _ratio_figure(found), ratios),
        Chart("belief", "What a belief can become", _belief_figure(choices, found), belief),
        _tests(found),
        Chart("people", "Error, and how many people it takes", _people_figure(choices, found), people),
    ]


_DIAMOND = {"symbol": "diamond", "size": 12, "color": PURPLE, "line": {"width": 1.5, "color": GREY}}


def _outputs_figure(found: Noise) -> dict[str, Any]:
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


def _ratio_figure(found: Noise) -> dict[str, Any]:
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
    values = values[:: ceil(len(values) / 5)]
    words = [f"{v:g}" for v in values] + [f"1/{v:g}" for v in values[1:]]
    return {"tickvals": values + [1 / v for v in values[1:]], "ticktext": words}


def _belief_figure(choices: TableChoices, found: Noise) -> dict[str, Any]:
    x, up, down = drawn_beliefs(found)
    prior = choices.prior
    mark = {"type": "scatter", "mode": "markers", "marker": {"size": 11, "color": BLUE, "symbol": "circle"}}
    data = [
        line("at most", x, up, BLUE, hoverinfo="skip"),
        line("at least", x, down, ORANGE, "dash", hoverinfo="skip"),
        line("unchanged", [0, 1], [0, 1], GREY, "dot", hoverinfo="skip"),
        mark
        | {"name": "this belief", "x": [prior], "y": [most_believed(prior, found.epsilon if found.mu else found.up)]},
        mark | {"name": "after the draw", "x": [prior], "y": [found.after], "marker": _DIAMOND},
    ]
    axes = [{"title": {"text": f"belief {when}"}, "range": [-0.01, 1.01]} for when in ("before", "after")]
    return {"data": data, "layout": {"height": 300, "xaxis": axes[0], "yaxis": axes[1]}}


def _tests(found: Noise) -> Chart:
    """What the best test of the whole release misses, and what epsilon and delta alone would allow."""
    alarms, missed, allowed = drawn_test(found)
    x, tenth = alarms.tolist(), len(alarms) // 10
    least = float(missed[tenth])
    told = percent(least) if least >= FEW else "hardly any"
    said = sentence(
        "The best test of whether {case}: with {false_alarms} false alarms, it misses {missed}.",
        case=found.names[0],
        false_alarms=percent(x[tenth]),
        missed=told,
    )
    data = [line("best test", x, missed.tolist(), BLUE, hovertemplate="%{x:.2f}, %{y:.3f}<extra></extra>")]
    if allowed is not None:
        name = "ε and δ allow" if found.mu else "ε allows"
        data.append(line(name, x, allowed.tolist(), ORANGE, "dash", hoverinfo="skip"))
    data.append(line("guessing", [0, 1], [1, 0], GREY, "dot", hoverinfo="skip"))
    axes = [{"title": {"text": text}, "range": [-0.01, 1.01]} for text in ("false alarms", "missed")]
    figure = {"data": data, "layout": {"height": 300, "xaxis": axes[0], "yaxis": axes[1]}}
    return Chart("tests", "What the best test still misses", figure, said)


def _people_figure(choices: TableChoices, found: Noise) -> dict[str, Any]:
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
