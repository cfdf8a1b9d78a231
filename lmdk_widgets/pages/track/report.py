"""What the track page exports: its charts one by one, and its parts of the report.

Like all files of an outcome, a report's map shows a release drawn for the files alone, as the one on the screen can be
computed from its seed. The charts are the page's: budgets and losses contain no place; errors are computed from the
true track, and the report says so at its top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lmdk_widgets.answers.exposure import Circle, found_circles
from lmdk_widgets.io.report import Part, paragraph
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.pages.track import chart_texts
from lmdk_widgets.pages.track.cards import report_cards
from lmdk_widgets.pages.track.charts import panel_pictures
from lmdk_widgets.pages.track.choices import PANELS
from lmdk_widgets.pages.track.release_drawing import released_chart, released_map
from lmdk_widgets.pages.track.timeline import TIMELINE, arrays_beside, describe_timeline
from lmdk_widgets.pages.track.verdict import reasons_parts, verdict_part
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.outcome import Outcome

PINNED = " The pinned option is not drawn: a second release would spend its budget as well."

SEED = (
    "The charts and errors belong to the release that the page showed, which is not in this file: its noise can be "
    "computed from the seed among the settings, so never share both."
)

STOOD_IN = (
    "This release replaces the true data throughout the report. The charts and errors are those of a second release, "
    "simulated from this one."
)

SECOND = "Error of a second release, simulated from this one"


def landmark_pictures(choices: Any, outcome: Outcome, *, stands_in: bool = False) -> list[Chart]:
    """The panels of the timeline, each as a separate chart, and those of the open questions."""
    summaries = chart_texts.summaries(outcome)
    beside = outcome.found("side_by_side")
    found = panel_pictures(
        describe_timeline(outcome, beside), arrays_beside(outcome, beside), TIMELINE, summaries, outcome
    )
    if stands_in:
        found = [replace(each, title=SECOND) if each.name == "errors" else each for each in found]
    return found + [picture for panel in PANELS.opened(choices) for picture in panel.pictures(choices, outcome)]


def landmark_opens(choices: Any, outcome: Outcome, fresh: Fresh, *, stands_in: bool = False) -> list[Part]:
    """What comes first: the verdict, settings side by side as cards, and the map or the chart of the release."""
    about, pinned = STOOD_IN if stands_in else SEED, choices.pinned is not None
    cards = report_cards(outcome, None if stands_in else fresh)
    found = () if stands_in else found_circles(outcome, fresh)
    parts = [Part(cards.title, [cards]), _picture(outcome, fresh, pinned, about, found)]
    return [verdict_part(choices, outcome), *parts]


def landmark_parts(choices: Any, outcome: Outcome, fresh: Fresh, *, stands_in: bool = False) -> list[Part]:
    """The reasons of the verdict, and the parts of the open questions."""
    elsewhere = stands_in and outcome.reports is not None  # the release is on cells of the true track
    release = None if elsewhere else fresh
    parts = [part for panel in PANELS.opened(choices) for part in panel.parts(choices, outcome, release)]
    return [*reasons_parts(choices, outcome), *parts]


def _picture(outcome: Outcome, fresh: Fresh, pinned: bool, about: str, circles: Sequence[Circle]) -> Part:
    """The map of the release drawn for the files, or a chart of its values over time."""
    more = PINNED if pinned and not outcome.scenario.track else ""  # for a sample it is drawn, on its card
    if outcome.kind.placed:
        title, found = "The map", released_map(outcome, fresh, more, circles)
        points = int(np.isfinite(fresh.latitude).sum())
        none = "There are more released points than a report can draw." if points else "Nothing is released."
    else:
        title, found, none = "The release", released_chart(outcome, fresh, more), "Nothing is released."
    return Part(title, [paragraph(none)] if found is None else [found, paragraph(about, "quiet")])
