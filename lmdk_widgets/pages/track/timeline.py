"""The timeline as a figure description: plain values in which ``{"$": "budgets"}`` refers to an array of the outcome.

The page sends it with binary buffers to its own charts; `timeline_figure`, which is `Outcome.figure`, puts the
arrays in for notebooks and reports. There is one description for both, and only the second imports plotly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import library
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, bound, metres
from lmdk_widgets.page.drawing import Drawing, Later
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.palette import BLUE, CLEAR, GREEN, GREY, ORANGE, PURPLE, RED, SKY, faded
from lmdk_widgets.scenario.clock import time_axis
from lmdk_widgets.scenario.region import is_beyond

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from lmdk_widgets.scenario.outcome import Outcome

Charts = tuple[tuple[str, str, str, str], ...]
"""For each panel: axis, file name, title, and title of the axis."""

MOST_BARS = 100
"""Above this many timestamps bars are a few pixels wide and cost more than all lines together: steps are drawn
instead."""

LOG_TICKS = [((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), 1), ((1, 1.5, 2, 3, 5, 7), 1), ((1, 2, 5), 1), ((1, 3), 1)]
LOG_TICKS += [((1,), decades) for decades in range(1, 18)]
"""Ticks of a log axis, from many to few: the digits, and every how many decades."""

WHAT_IF = "loss, what if"
"""The axis of losses where a chain is assumed."""

LOSS_DECADES = 3
"""The most decades of a logarithmic axis of losses."""

FAR_ABOVE = 10.0
"""The error of user level is not drawn where it is more than this many times all others: the axis ends below it."""

HOLLOW = faded(ORANGE, 0.12)
"""The inside of a dummy's bar: a trace of the colour of landmarks."""

SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

TIMELINE: Charts = (
    ("y", "budgets", "Budgets", "budget, ε"),
    ("y2", "losses", "Temporal privacy loss", "loss, ε"),
    ("y3", "errors", "Error of the release on the screen", "error"),
    ("y4", "sampling-rate", "Sampling rate", "rate"),
)
"""The panels of the timeline: axis, file name, title, and title of the axis."""

PANELS = (("", (0.715, 0.965), 0.995), ("2", (0.375, 0.625), 0.66), ("3", (0.035, 0.285), 0.32))
"""What a figure adds to the names of a panel's axis and legend, its part of the height, and the position of its
legend."""


PINNED = "side_by_side"
"""The result that is drawn next to the present one: the pinned option."""

PRECISE = frozenset({"latitude", "longitude", "pinned_latitude", "pinned_longitude", "values"})
"""Arrays that keep their full precision."""

BESIDE = (("pinned_budgets", "y"), ("pinned_total", "y2"), ("pinned_error_m", "y3"))
"""What is drawn of an outcome beside this one, and in which panel."""


def array_names(outcome: Outcome, beside: Outcome | None = None) -> tuple[str, ...]:
    """The arrays that the views draw of an outcome, perhaps with another one beside it."""
    places = outcome.kind.drawn
    names = [*places, "budgets", "totals", "backward", "forward", "total", "error_m", "radius95_m"]
    names += ["pair_total"] if outcome.pair_total is not None else []
    names += ["error_low_m", "error_high_m"] if outcome.error_low_m is not None else []
    names += ["planar_error_m"] if outcome.planar_error_m is not None else []
    names += ["reader_error_m"] if outcome.reader_error_m is not None else []
    names += ["rate"] if outcome.rate is not None else []
    names += ["threshold_m"] if outcome.threshold_m is not None else []
    if outcome.scenario.spread.windowed:
        names += ["window_totals", "window_loss"]
    elif outcome.scenario.landmark_loss:
        names += ["landmark", "landmark_bound"]
    if beside is not None:
        names += [f"pinned_{name}" for name in (*places, "budgets", "total", "error_m")]
    return tuple(names)


def arrays_beside(outcome: Outcome, beside: Outcome | None = None) -> Callable[[str], NDArray]:
    """Returns an array by its name; "pinned_total" is that of the outcome beside it."""

    def array(name: str) -> NDArray:
        if beside is not None and name.startswith("pinned_"):
            return beside.array(name.removeprefix("pinned_"))
        return outcome.array(name)

    return array


def timeline_drawing(outcome: Outcome) -> Later:
    """The timeline of the page, with the pinned option next to the present one."""
    beside: Outcome | None = outcome.found(PINNED)
    made_of = outcome.budgets, outcome.error_m, outcome.reader_error_m, beside

    def made() -> Drawing:
        array = arrays_beside(outcome, beside)
        arrays = {name: array(name) for name in array_names(outcome, beside)} | {"published": outcome.published}
        return Drawing("draw", made_of, {"figure": describe_timeline(outcome, beside)}, arrays, PRECISE)

    return Later("draw", made_of, made)


def describe_timeline(outcome: Outcome, beside: Outcome | None = None) -> dict[str, Any]:
    """The traces and the layout of the timeline of an outcome, perhaps with another one beside it."""
    ghosts = [] if beside is None else [array_line("pinned", *of, RED, dash="dash") for of in BESIDE]
    shown = _errors_shown(outcome, beside)
    most = max((float(np.nanmax(each)) for each in shown if np.isfinite(each).any()), default=math.inf)
    above = not outcome.kind.counts_wrong and outcome.user_error_m > FAR_ABOVE * most
    data = [*_budget_traces(outcome), *_loss_traces(outcome), *_error_traces(outcome, above), *ghosts]
    layout = panels(log_ticks([*shown, *([] if above else [np.array([outcome.user_error_m])])]))
    layout["meta"] = {"panels": TIMELINE}
    layout["yaxis2"] |= loss_axis(outcome)
    if outcome.scenario.correlation != "none":
        layout["yaxis2"]["title"] |= {"text": WHAT_IF}
    layout["yaxis3"] |= outcome.kind.axis(outcome.trajectory, layout["yaxis3"]["tickvals"])
    if outcome.rate is None:
        return {"data": data, "layout": layout}
    return {"data": [*data, array_line("sampling rate", "rate", "y4", BLUE, shape="hvh")], "layout": _with_rate(layout)}


def timeline_figure(outcome: Outcome, beside: Outcome | None = None) -> Figure:
    """The timeline of an outcome as a plotly figure, perhaps with another one beside it."""
    Figure = library("plotly.graph_objects", "A figure of plotly").Figure
    described, array = describe_timeline(outcome, beside), arrays_beside(outcome, beside)
    marker = bar_marker(outcome)
    data = []
    for trace in described["data"]:
        done = dict(trace)
        if isinstance(done["y"], dict):
            done |= {"x": np.arange(len(outcome)), "y": array(done["y"]["$"])}
        if isinstance(done.get("marker", {}).get("color"), dict):
            done["marker"] = {**done["marker"], **marker}
        data.append(done)
    layout = described["layout"]
    layout["xaxis"] = layout["xaxis"] | time_axis(outcome.scenario, outcome.trajectory)
    return Figure(data=data, layout=layout)


def bar_marker(outcome: Outcome) -> dict[str, Any]:
    """The colours of the bars of all timestamps: landmarks orange, their dummies hollow, the others blue."""
    full, every = set(outcome.scenario.landmarks), set(outcome.protected)
    fill = [ORANGE if i in full else HOLLOW if i in every else BLUE for i in range(len(outcome))]
    if full == every:
        return {"color": fill}
    return {"color": fill, "line": {"color": ORANGE, "width": [0 if c != HOLLOW else 2 for c in fill]}}


def _budget_traces(outcome: Outcome) -> list[dict[str, Any]]:
    n, epsilon = len(outcome), outcome.scenario.epsilon
    budget: dict[str, Any] = {"name": "budget", "y": {"$": "budgets"}, "yaxis": "y", "hoverinfo": "skip"}
    if n <= MOST_BARS:
        each = f"each (landmarks orange{', dummies hollow' if outcome.scenario.hide else ''})"
        bars = [budget | {"name": each, "type": "bar", "marker": {"color": {"$": "colours"}}}]
    else:
        steps = {"type": "scatter", "mode": "lines", "line": {"color": BLUE, "width": 1, "shape": "hvh"}}
        bars = [budget | steps | {"fill": "tozeroy"}]
    bars += _over_the_steps(outcome)
    windowed = outcome.scenario.spread.windowed
    named = ("in a window", "window_totals") if windowed else ("with the landmarks", "totals")
    sums = array_line(*named, "y", PURPLE, shape="hvh")
    if outcome.scenario.spread.plans:  # its budgets follow from the target, not from an epsilon
        return [*bars, sums]
    return [*bars, sums, _level(sentence("ε = {epsilon}", epsilon=amount(epsilon)), epsilon, n, "y")]


def _over_the_steps(outcome: Outcome) -> list[dict[str, Any]]:
    """The bars of the landmarks of a long track, and hollow ones of their dummies, each at least a pixel wide."""
    n, marks = len(outcome), outcome.scenario.landmarks
    others = tuple(i for i in outcome.protected if i not in set(marks))
    looks = {"landmarks": (marks, ORANGE, 0), "dummies, hollow": (others, HOLLOW, 1)}
    found = []
    for name, (some, colour, width) in looks.items():
        if n > MOST_BARS >= len(some) > 0:
            heights = outcome.budgets[list(some)].tolist()
            over = {"name": name, "type": "bar", "x": list(some), "y": heights, "width": max(1.0, n / 250)}
            marker = {"color": colour, "line": {"width": width} | ({"color": ORANGE} if width else {})}
            found.append(over | {"marker": marker, "yaxis": "y", "hoverinfo": "skip"})
    return found


def pair_name(pairs: Any, outcome: Outcome) -> str:
    """What the line of the loss pair by pair is called: between what it is.

    Parameters
    ----------
    pairs : what a page has found.
    """
    name: str = outcome.kind.two_cells
    if pairs.by_distance and pairs.states.exact and pairs.states.near == pairs.states.step:
        name = "neighbouring cells"
    elif pairs.by_distance:
        name = sentence("{two_cells}, {near_states} apart", two_cells=name, near_states=metres(pairs.states.near))
    return sentence("{name}, by one number", name=name) if pairs.one_number else name


def loss_axis(outcome: Outcome) -> dict[str, Any]:
    """What the axis of losses has in addition to the others: logarithmic where places are drawn pair by pair, as their
    loss is many times that by one number, and of at most `LOSS_DECADES`."""
    pairs = outcome.pair_total
    if pairs is None or not outcome.kind.placed:
        return {}
    axis: dict[str, Any] = {"type": "log", "rangemode": "normal"}
    drawn = np.concatenate([outcome.backward, outcome.forward, outcome.total, pairs])
    top = math.log10(max(float(drawn.max()), 1e-300))
    if float(drawn[drawn > 0].min(initial=math.inf)) < 10.0 ** (top - LOSS_DECADES):
        axis["range"] = [top - LOSS_DECADES, top + 0.15]
    return axis


def _loss_traces(outcome: Outcome) -> list[dict[str, Any]]:
    traces = [
        array_line("backward", "backward", "y2", SKY, dash="dot"),
        array_line("forward", "forward", "y2", GREEN, dash="dash"),
        array_line("total", "total", "y2", BLUE, width=2.5),
    ]
    if outcome.pair_total is not None:
        traces.append(array_line(pair_name(outcome.found("pairs"), outcome), "pair_total", "y2", RED, width=2))
    scenario, n = outcome.scenario, len(outcome)
    if scenario.spread.windowed:
        traces.append(array_line("in a window", "window_loss", "y2", PURPLE, width=2))
    elif scenario.landmark_loss:
        traces.append(array_line("landmarks ≤", "landmark_bound", "y2", PURPLE, width=2))
        traces.append(array_line("count", "landmark", "y2", PURPLE, width=1, dash="dot"))
    if scenario.spread.plans:
        name = sentence("target {target}", target=amount(scenario.target))
        traces.append(_level(name, scenario.target, n, "y2", colour=ORANGE, dash="dashdot"))
    elif scenario.correlation != "none":
        endless = math.isinf(outcome.supremum)  # no line to draw: the words are in the legend
        name = sentence("never above {supremum}", supremum=bound(outcome.supremum))
        name = sentence("grows without bound") if endless else name
        traces.append(_level(name, outcome.supremum, n, "y2"))
    return traces


def _error_traces(outcome: Outcome, above: bool) -> list[dict[str, Any]]:
    traces = []
    if outcome.error_low_m is not None:
        traces.append(array_line("5 %", "error_low_m", "y3", SKY, width=0.5) | {"showlegend": False})
        band = array_line("5 to 95 %", "error_high_m", "y3", SKY, width=0.5)
        traces.append(band | {"fill": "tonexty", "fillcolor": faded(SKY, 0.25)})
    name = "mean error" if outcome.error_low_m is not None else "error"
    error = array_line(name, "error_m", "y3", BLUE)
    if len(outcome) <= MOST_BARS:
        error |= {"mode": "lines+markers", "line": {"color": BLUE, "width": 1.5}}
    if outcome.planar_error_m is not None:
        planar = "planar" if outcome.error_low_m is not None else "planar Laplace"
        traces.append(array_line(planar, "planar_error_m", "y3", GREY, width=1.5))
    if outcome.threshold_m is not None:  # markers as well: a value between two missing ones makes no line
        steps = array_line("threshold", "threshold_m", "y3", GREY, shape="hvh")
        traces.append(steps | ({"mode": "lines+markers", "marker": {"size": 4}} if len(outcome) <= MOST_BARS else {}))
    if outcome.reader_error_m is not None:
        traces.append(array_line("reader", "reader_error_m", "y3", RED, width=2))
    return [*traces, error, *_error_levels(outcome, above)]


def _error_levels(outcome: Outcome, above: bool) -> list[dict[str, Any]]:
    """The reference lines of the error; without their values where other lines need the space for their names.

    above : whether user level is above the axis: its words in the legend say so, with its value.
    """
    crowded = (
        outcome.planar_error_m is not None or outcome.error_low_m is not None or outcome.reader_error_m is not None
    )
    user = math.inf if above else outcome.user_error_m
    levels: tuple[tuple[str, str, float, str, str], ...] = (
        ("mean", "mean {mean_error}", outcome.mean_error_m, PURPLE, "longdash"),
        ("event level", "event level {event_error}", outcome.event_error_m, GREEN, "dot"),
        ("user level", "user level {user_error}", user, ORANGE, "dashdot"),
    )
    if (found := outcome.found("useful")) is not None:
        levels = (*levels, ("nothing", "nothing {blind_error}", found.nothing, GREY, "dash"))
    drawn = []
    for name, template, value, colour, dash in levels:
        error = outcome.user_error_m if name == "user level" else value
        far = name in ("event level", "user level") and is_beyond(outcome.scenario, outcome.trajectory, error)
        over = above and name == "user level"
        text: str = f"{name} beyond the region" if far else _with_error(template, outcome.ground.write(error))
        text = sentence("{line}, above", line=text) if over else name if crowded else text
        drawn.append(_level(text, value, len(outcome), "y3", colour=colour, dash=dash))
    return drawn


def _with_error(template: str, error: str) -> str:
    """The name of a line with its error."""
    return sentence(template, **dict.fromkeys(("mean_error", "event_error", "user_error", "blind_error"), error))


def _errors_shown(outcome: Outcome, beside: Outcome | None) -> list[Floats]:
    """All that the panel of errors shows, apart from the error of user level."""
    drawn = (
        None if beside is None else beside.error_m,
        outcome.error_m,
        outcome.reader_error_m,
        outcome.error_low_m,
        outcome.error_high_m,
        outcome.planar_error_m,
        outcome.threshold_m,
    )
    return [np.array([outcome.event_error_m]), *(errors for errors in drawn if errors is not None)]


def log_ticks(lines: Iterable[Floats]) -> dict[str, Any]:
    """At most six ticks of a log axis at round lengths, few enough for a low panel.

    They extend beyond what is shown, so that they stay the same while the axis moves.
    """
    shown: list[float] = []
    for errors in lines:
        if np.isfinite(errors).any():
            shown += [float(np.nanmin(errors)), float(np.nanmax(errors))]
    low, high = (max(v, 1e-6) for v in (min(shown), max(shown)))
    for digits, decades in LOG_TICKS:
        values = [digit * 10.0**decade for decade in range(-6, 12, decades) for digit in digits]
        if sum(low / 1.25 <= v <= high * 1.25 for v in values) <= 6:
            break
    return {"tickvals": values, "ticktext": [_round(v) for v in values]}


def _round(value: float) -> str:
    """A tick, in no more letters than fit in the margin.

    Examples
    --------
    >>> [_round(v) for v in (20, 5e6, 1e7, 2e8)]
    ['20 m', '5,000 km', '10⁴ km', '2·10⁵ km']
    """
    if value < 1000:
        return f"{value:g} m"
    if value < 1e7:
        return f"{value / 1000:,g} km"
    digit, power = f"{value / 1000:.1e}".split("e+")
    factor = "" if float(digit) == 1 else f"{float(digit):g}·"
    return f"{factor}10{str(int(power)).translate(SUPERSCRIPT)} km"


def _line(name: str, y: Any, axis: str, colour: str, **line: Any) -> dict[str, Any]:
    """A line in the panel of an axis, with its name in the legend of that panel."""
    where = {"yaxis": axis, "legend": axis.replace("y", "legend"), "hoverinfo": "skip"}
    return {"type": "scatter", "mode": "lines", "name": name, "y": y, "line": {"color": colour, **line}, **where}


def array_line(name: str, array: str, axis: str, colour: str, *, width: float = 1.5, **line: Any) -> dict[str, Any]:
    return _line(name, {"$": array}, axis, colour, width=width, **line)


def _level(name: str, value: float, n: int, axis: str, *, colour: str = GREY, dash: str = "dash") -> dict[str, Any]:
    """A horizontal reference line across all timestamps; without a finite value only its words in the legend."""
    y = [value if math.isfinite(value) else None] * 2
    return _line(name, y, axis, colour, width=1.5, dash=dash) | {"x": [-0.5, n - 0.5]}


def panels(error_ticks: dict[str, Any], titles: tuple[str, ...] = ("budget", "loss", "error")) -> dict[str, Any]:
    """The layout of three panels, one above the other, the lowest with a logarithmic axis."""
    layout: dict[str, Any] = {
        "height": 480,
        "margin": {"l": 66, "r": 10, "t": 2, "b": 50},
        "font": {"size": 12},
        "bargap": 0.25,
        "dragmode": "zoom",
        "hovermode": False,
        "showlegend": True,
        "modebar": {"remove": ["sendChartToCloud"]},
        "xaxis": {"anchor": "y3", "showgrid": False, "zeroline": False, "ticks": "outside"},
    }
    axis = {"fixedrange": True, "rangemode": "tozero", "nticks": 4, "exponentformat": "power"}
    legend = {"orientation": "h", "x": 0, "xanchor": "left", "yanchor": "middle", "bgcolor": CLEAR}
    legend |= {"itemclick": False, "itemdoubleclick": False}
    for (number, domain, top), title in zip(PANELS, titles, strict=True):
        layout[f"yaxis{number}"] = axis | {"domain": domain, "title": {"text": title, "standoff": 4}}
        layout[f"legend{number}"] = legend | {"y": top}
    layout["yaxis3"] |= {"type": "log", "rangemode": "normal", **error_ticks}
    return layout


def _with_rate(layout: dict[str, Any]) -> dict[str, Any]:
    """A layout with one more panel below the others, for a share between 0 and 1."""
    below, legend = layout["yaxis"] | {"title": {"text": "rate", "standoff": 4}, "nticks": 3}, layout["legend"]
    moved: dict[str, Any] = {
        "yaxis4": below | {"domain": (0.02, 0.19), "range": (0.0, 1.05)},
        "legend4": legend | {"y": 0.225},
    }
    for number, domain, top in PANELS:
        low, high, at = (0.25 + 0.75 * part for part in (*domain, top))
        moved[f"yaxis{number}"] = layout[f"yaxis{number}"] | {"domain": (low, high)}
        moved[f"legend{number}"] = layout[f"legend{number}"] | {"y": at}
    return layout | moved | {"xaxis": layout["xaxis"] | {"anchor": "y4"}}
