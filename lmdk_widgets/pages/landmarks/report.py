"""The landmark page as it is taken away: its charts one by one, and its parts of the report.

The map of a report shows a release that was drawn for the files of this outcome alone, as all of them do: that of the
screen can be computed from its seed. The charts are those of the page: budgets and losses hold no place, and errors are
computed from the true track, which the report says at its top.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from lmdk_widgets.io.report import Part, bullets, paragraph, picture, table
from lmdk_widgets.io.report_drawings import release_svg, series_svg
from lmdk_widgets.page.drawing import Picture
from lmdk_widgets.pages.landmarks.defences import defence_figure
from lmdk_widgets.pages.landmarks.figures import trade_off_figure
from lmdk_widgets.scenario import captions
from lmdk_widgets.scenario.clock import clock_times, zone_shown
from lmdk_widgets.scenario.defence_words import HEADS, defence_rows, defence_texts, shown
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.hidden_words import describe_hidden
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.pinned_words import describe_pinned
from lmdk_widgets.scenario.timeline import bar_marker, describe_timeline
from lmdk_widgets.scenario.turned_words import describe_trade_off
from lmdk_widgets.scenario.values import with_unit
from lmdk_widgets.scenario.words import describe
from lmdk_widgets.trajectory.words import counted

MOST_DRAWN = 1_000
"""Above so many timestamps a line is drawn by the least and the greatest value of each of so many stretches."""

Named = Callable[[str], np.ndarray]
"""What gives an array by its name."""

Panels = tuple[tuple[str, str, str, str], ...]

PANELS: Panels = (
    ("y", "budgets", "Budgets", "budget, ε"),
    ("y2", "losses", "Temporal privacy loss", "loss, ε"),
    ("y3", "errors", "Error of the release on the screen", "error"),
    ("y4", "sampling-rate", "Sampling rate", "rate"),
)
"""The panels of the timeline: their axis, the name of a file, a title, and that of the axis."""

INFERRED: Panels = (
    ("y", "adversary-chance", "The adversary's chance of the true {cell}", "chance"),
    ("y2", "adversary-learned", "What the adversary learned, beside the loss", "ε"),
    ("y3", "adversary-error", "How far off the adversary is", "off by"),
)
"""The same of what an adversary infers, whose `cell` is the word of the data."""

COMPARED = ["scheme", "largest loss", "supremum", "landmarks together", "mean error, one draw"]

SEED = (
    "The charts and errors belong to the release on the screen, which is not in this file: its noise can be computed "
    "from the seed that the settings below name, so never pass on both."
)

STOOD_IN = (
    "This release stands in for the true data in the whole report. The charts and errors are those of a second release, "
    "which was simulated from it."
)

SECOND = "Error of a second release, simulated from this one"

_TICKS = 6


def landmark_pictures(outcome: Outcome, *, stands_in: bool = False) -> list[Picture]:
    """The panels of the timeline, each a chart of its own, and the trade-off and the adversary where they are open."""
    found = _panels(describe_timeline(outcome), outcome.array, PANELS, captions.summaries(outcome), outcome)
    if stands_in:
        found = [each._replace(title=SECOND) if each.name == "errors" else each for each in found]
    if outcome.scenario.curve and outcome.curves:
        text = describe_trade_off(outcome, clicks=False)
        found.append(Picture("trade-off", "Error against epsilon or a loss", trade_off_figure(outcome), text))
    return found + _inferred(outcome)


def _inferred(outcome: Outcome) -> list[Picture]:
    """What an adversary infers over time; what computes it is loaded only then."""
    if not outcome.scenario.infer:
        return []
    from lmdk_widgets.scenario.adversary_timeline import describe_over_time
    from lmdk_widgets.scenario.adversary_words import describe_adversary
    from lmdk_widgets.scenario.following import at_hand

    found = at_hand(outcome)
    if found is None:
        return []
    described, arrays = describe_over_time(outcome, found)
    away, right, *_, learned = describe_adversary(outcome)["found"]
    named = tuple((axis, file, title.format(cell=outcome.kind.cell), unit) for axis, file, title, unit in INFERRED)
    pictures = _panels(described, arrays.__getitem__, named, (right, learned, away), outcome)
    compared = shown(outcome) if outcome.scenario.defences else None
    if compared is not None:
        text = " ".join(defence_texts(outcome))
        pictures.append(Picture("defences", "Your error against the adversary's", defence_figure(compared), text))
    return pictures


def _panels(
    described: dict[str, Any], array: Named, panels: Panels, summaries: Sequence[str], outcome: Outcome
) -> list[Picture]:
    """Each panel that has lines, as a chart of its own."""
    found = []
    for (axis, name, title, unit), summary in zip(panels, summaries, strict=False):
        traces = [_filled(trace, array, outcome) for trace in described["data"] if trace["yaxis"] == axis]
        if traces:
            figure = {"data": traces, "layout": _layout(described, axis, unit, outcome)}
            found.append(Picture(name, title, figure, summary))
    return found


def landmark_parts(outcome: Outcome, fresh: Fresh, *, stands_in: bool = False) -> list[Part]:
    """The map, both options where one is pinned, and every scheme where they were compared."""
    about = STOOD_IN if stands_in else SEED
    if outcome.kind.placed:
        parts = [Part("The map", _map(outcome, fresh, about))]
    else:
        parts = [Part("The release", _chart(outcome, fresh, about))]
    if outcome.pinned is not None:
        told = describe_pinned(outcome)
        rows = table("The pinned option beside the present one", ["", "pinned", "now"], told["rows"])
        before = paragraph(f"Pinned: {describe(outcome.pinned).paragraph}")
        parts.append(Part("Two options", [paragraph(told["text"], "said"), rows, before]))
    if outcome.scenario.hide:
        parts.append(Part("Dummies beside the landmarks", [paragraph(describe_hidden(outcome)["text"])]))
    if outcome.compared:
        rows = table("Every scheme on this track", COMPARED, captions.comparison_rows(outcome))
        parts.append(Part("Every scheme", [rows]))
    if outcome.scenario.infer:
        from lmdk_widgets.pages.landmarks.belief import belief_pieces
        from lmdk_widgets.scenario.adversary_words import describe_adversary

        elsewhere = stands_in and outcome.reports is not None  # the release is on cells of the true track
        told, drawn = describe_adversary(outcome), [] if elsewhere else belief_pieces(outcome, fresh)
        parts.append(Part("What an adversary infers", [*map(paragraph, told["found"]), *drawn, bullets(told["notes"])]))
    if outcome.scenario.infer and outcome.scenario.defences and (defended := shown(outcome)) is not None:
        rows = table("Every defence, by your error", list(HEADS), defence_rows(defended))
        parts.append(Part("Defences compared", [*map(paragraph, defence_texts(outcome)), rows]))
    return parts


def _map(outcome: Outcome, fresh: Fresh, about: str) -> list[str]:
    places = outcome.trajectory.places if outcome.scenario.track else ()
    there = int(np.isfinite(fresh.latitude).sum())
    svg = release_svg(fresh.latitude, fresh.longitude, places)
    if not svg:
        none = "Nothing is released." if not there else "There are more released points than a report can draw."
        return [paragraph(none)]
    line = "; the thin line joins them in order of time" if there > 1 else ""
    summary = f"{counted(there, 'released point').capitalize()}{line}. Their noise was drawn for the files alone."
    if outcome.pinned is not None:
        summary += " The pinned option is not drawn: a second release would spend its budget as well."
    return [picture(svg, summary), paragraph(about, "quiet")]


def _chart(outcome: Outcome, fresh: Fresh, about: str) -> list[str]:
    """The values of a release that was drawn for the files, in order of time."""
    series = outcome.series
    assert series is not None and fresh.values is not None
    known = fresh.values[np.isfinite(fresh.values)]
    if not len(known):
        return [paragraph("Nothing is released.")]
    at = thinned(fresh.values)
    write = with_unit(series.unit)
    ends = [series.answers[int(v)] if series.is_answers else write(float(v)) for v in (known.min(), known.max())]
    zone = zone_shown(outcome.scenario, series)
    first, last = (
        f"{when.day} {when:%b %H:%M}" for when in clock_times(series, zone)[[0, -1]].astype("M8[m]").tolist()
    )
    drawn = series_svg(fresh.values[at], at, len(series), names=ends, ends=(f"{first} ({zone})", last))
    summary = f"{counted(len(known), 'released value').capitalize()}. Their noise was drawn for the files alone."
    if outcome.pinned is not None:
        summary += " The pinned option is not drawn: a second release would spend its budget as well."
    return [picture(drawn, summary), paragraph(about, "quiet")]


def _filled(trace: dict[str, Any], array: Named, outcome: Outcome) -> dict[str, Any]:
    """A trace with the numbers that it draws, as few as show what all of them would."""
    done = {name: value for name, value in trace.items() if name not in ("yaxis", "legend")}
    if isinstance(done["y"], dict):
        y = np.asarray(array(done["y"]["$"]), float)
        at = thinned(y)
        done |= {"x": at.tolist(), "y": [float(f"{v:.6g}") if np.isfinite(v) else None for v in y[at]]}
    if isinstance(done.get("marker", {}).get("color"), dict):
        done["marker"] = {**done["marker"], **bar_marker(outcome)}
    return done


def thinned(y: np.ndarray) -> np.ndarray:
    """The indices that are drawn: all, or the least and the greatest value of each stretch."""
    if len(y) <= MOST_DRAWN:
        return np.arange(len(y))
    edges = np.linspace(0, len(y), MOST_DRAWN // 2 + 1).astype(int)
    low, high = np.where(np.isfinite(y), y, np.inf), np.where(np.isfinite(y), y, -np.inf)
    ends = [(a + int(np.argmin(low[a:b])), a + int(np.argmax(high[a:b]))) for a, b in pairwise(edges)]
    return np.unique(np.array([[0, len(y) - 1], *ends]))


def _layout(described: dict[str, Any], axis: str, unit: str, outcome: Outcome) -> dict[str, Any]:
    """The layout of one panel by itself, with the times below it."""
    yaxis = {
        name: v for name, v in described["layout"][f"yaxis{axis[1:]}"].items() if name not in ("domain", "fixedrange")
    }
    n = len(outcome)
    zone = zone_shown(outcome.scenario, outcome.trajectory)
    times = clock_times(outcome.trajectory, zone).astype("datetime64[m]")
    at = np.unique(np.linspace(0, n - 1, min(n, _TICKS)).round().astype(int))
    days = len(np.unique(times.astype("datetime64[D]"))) > 2
    shown = times[at].tolist()
    names = [f"{when.day} {when:%b %H:%M}" if days else f"{when:%H:%M}" for when in shown]
    xaxis = {"tickvals": at.tolist(), "ticktext": names, "range": [-0.6, n - 0.4], "showgrid": False, "zeroline": False}
    return {
        "height": 290,
        "bargap": 0.25,
        "xaxis": xaxis | {"title": {"text": f"time ({zone})"}},
        "yaxis": yaxis | {"title": {"text": unit}},
    }
