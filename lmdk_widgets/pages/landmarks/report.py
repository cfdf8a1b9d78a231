"""The landmark page as it is taken away: its charts one by one, and its parts of the report.

The map of a report shows a release that was drawn for the files of this outcome alone, as all of them do: that of the
screen can be computed from its seed. The charts are those of the page: budgets and losses hold no place, and errors are
computed from the true track, which the report says at its top.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lmdk_widgets.io.graticule import in_one_piece
from lmdk_widgets.io.released import DECIMALS
from lmdk_widgets.io.report import Part, drawn, paragraph
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.pages.landmarks.charts import Charts, ends_of_stretches, panel_pictures
from lmdk_widgets.pages.landmarks.choices import PANELS
from lmdk_widgets.pages.landmarks.files import rounded
from lmdk_widgets.scenario import captions
from lmdk_widgets.scenario.clock import clock_times, zone_shown
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.timeline import arrays_beside, describe_timeline
from lmdk_widgets.trajectory.words import counted

MOST_POINTS = 20_000
"""Released points that a report draws at most; more of them would be one blot, and a file of many megabytes."""

PINNED = " The pinned option is not drawn: a second release would spend its budget as well."

TIMELINE: Charts = (
    ("y", "budgets", "Budgets", "budget, ε"),
    ("y2", "losses", "Temporal privacy loss", "loss, ε"),
    ("y3", "errors", "Error of the release on the screen", "error"),
    ("y4", "sampling-rate", "Sampling rate", "rate"),
)
"""The panels of the timeline: their axis, the name of a file, a title, and that of the axis."""

SEED = (
    "The charts and errors belong to the release on the screen, which is not in this file: its noise can be computed "
    "from the seed among the settings, so never pass on both."
)

STOOD_IN = (
    "This release stands in for the true data in the whole report. The charts and errors are those of a second release, "
    "which was simulated from it."
)

SECOND = "Error of a second release, simulated from this one"


def landmark_pictures(choices: Any, outcome: Outcome, *, stands_in: bool = False) -> list[Chart]:
    """The panels of the timeline, each a chart of its own, and those of the questions that are open."""
    summaries = captions.summaries(outcome)
    beside = outcome.found("side_by_side")
    found = panel_pictures(
        describe_timeline(outcome, beside), arrays_beside(outcome, beside), TIMELINE, summaries, outcome
    )
    if stands_in:
        found = [replace(each, title=SECOND) if each.name == "errors" else each for each in found]
    return found + [picture for panel in PANELS for picture in panel.pictures(choices, outcome)]


def landmark_parts(choices: Any, outcome: Outcome, fresh: Fresh, *, stands_in: bool = False) -> list[Part]:
    """The map, and the parts of the questions that are open."""
    about, pinned = STOOD_IN if stands_in else SEED, choices.pinned is not None
    if outcome.kind.placed:
        parts = [Part("The map", _map(outcome, pinned, fresh, about))]
    else:
        parts = [Part("The release", _chart(outcome, pinned, fresh, about))]
    elsewhere = stands_in and outcome.reports is not None  # the release is on cells of the true track
    release = None if elsewhere else fresh
    return parts + [part for panel in PANELS for part in panel.parts(choices, outcome, release)]


def _map(outcome: Outcome, pinned: bool, fresh: Fresh, about: str) -> list[str]:
    there = np.isfinite(fresh.latitude)
    points = int(there.sum())
    if not 0 < points <= MOST_POINTS:
        none = "There are more released points than a report can draw." if points else "Nothing is released."
        return [paragraph(none)]
    drawing = {
        "latitudes": np.round(fresh.latitude[there], DECIMALS).tolist(),
        "longitudes": in_one_piece(np.round(fresh.longitude[there], DECIMALS)).tolist(),
        "places": [list(place) for place in (outcome.trajectory.places if outcome.scenario.track else ())],
    }
    line = "; the thin line joins them in order of time" if points > 1 else ""
    summary = f"{counted(points, 'released point').capitalize()}{line}. Their noise was drawn for the files alone."
    summary += PINNED if pinned else ""
    return [drawn("release", "Map of the released points", drawing, summary), paragraph(about, "quiet")]


def _chart(outcome: Outcome, pinned: bool, fresh: Fresh, about: str) -> list[str]:
    """The values of a release that was drawn for the files, in order of time."""
    series = outcome.series
    assert series is not None and fresh.values is not None
    known = np.isfinite(fresh.values)
    if not known.any():
        return [paragraph("Nothing is released.")]
    at, zone = ends_of_stretches(fresh.values), zone_shown(outcome.scenario, series)
    drawing = {
        "values": rounded(fresh.values[at]),
        "time": clock_times(series, zone)[at].astype("M8[ms]").astype(np.int64).tolist(),
        "series": {"kind": series.kind, "unit": series.unit, "answers": list(series.answers)},
    }
    summary = f"{counted(int(known.sum()), 'released value').capitalize()}, times in {zone}. "
    summary += "Their noise was drawn for the files alone." + (PINNED if pinned else "")
    return [drawn("series", "Chart of the released values", drawing, summary), paragraph(about, "quiet")]
