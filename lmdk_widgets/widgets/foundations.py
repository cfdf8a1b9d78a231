"""The foundations page as one widget: what protects a published table, and how that fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.io.report import Part, paragraph, table
from lmdk_widgets.scenario.foundations import Foundations, FoundationsOutcome, describe, read_table
from lmdk_widgets.scenario.foundations.release import Release
from lmdk_widgets.scenario.foundations.scenes import steps
from lmdk_widgets.scenario.foundations.session import FoundationsSession
from lmdk_widgets.scenario.foundations.table import MAX_BYTES
from lmdk_widgets.trajectory.words import counted
from lmdk_widgets.widgets.figure_view import plain_figure
from lmdk_widgets.widgets.foundations_adding import adding_figures, adding_text
from lmdk_widgets.widgets.foundations_noise import noise_figures, noise_text
from lmdk_widgets.widgets.foundations_stream import stream_figures, stream_text
from lmdk_widgets.widgets.foundations_table import table_drawing, table_text
from lmdk_widgets.widgets.lab import Drawing, Lab
from lmdk_widgets.widgets.page import Message
from lmdk_widgets.widgets.takeaway import Picture

TITLES = {
    "noise": {
        "outputs": "What two neighbouring inputs make likely",
        "ratio": "How many times likelier",
        "belief": "What a belief can become",
        "people": "Error, and how many people it takes",
    },
    "stream": {
        "counts": "The count of each hour",
        "counter": "The pan-private counter",
        "budgets": "What each hour gets",
    },
    "adding": {
        "rules": "What the rules say, and what may be true",
        "belief": "Two coins: a belief about Donald",
    },
}
"""The charts of each part by their names, as the page calls them."""

TABLES: dict[str, tuple[str, list[str]]] = {
    "table": ("How well the classes hide", ["measure", "here", "meaning"]),
    "noise": ("The mechanism in numbers", ["what", "here", "meaning"]),
    "stream": (
        "The levels beside each other",
        ["level", "ε of an hour", "error", "ε of a day there", "whom it protects"],
    ),
    "adding": ("The rules", ["rule", "says", "here, up to", "because"]),
}
"""The table of each part: its title and its headings."""

MOST_CLASSES = 100
"""Classes of a published table that a report lists; the others are counted."""


class FoundationsLab(Lab):
    """What the words of privacy mean, on tables small enough to see everything.

    Parameters
    ----------
    choices : to begin with; six people at t1 when left out.
    query : the query string of a link made by "Copy link".
    table : path of a CSV of one's own, for choices whose table is "own".

    Attributes
    ----------
    choices : the present `Foundations`; set them to change the page, observe them to follow the user.
    outcome : the `FoundationsOutcome` that follows from them.

    Examples
    --------
    >>> lab = FoundationsLab(Foundations(levels=(4, 2)))
    >>> lab.outcome.shown.measures.k
    3
    """

    MODULE: ClassVar[str] = "foundations.js"
    TITLE: ClassVar[str] = "What protects people in published data?"

    session: FoundationsSession

    def __init__(
        self,
        choices: Foundations | None = None,
        *,
        query: str = "",
        table: str | os.PathLike | None = None,
        **traits: Any,
    ) -> None:
        own = None if table is None else read_table(Path(table).read_bytes(), Path(table).name)
        super().__init__(FoundationsSession(choices, own), query=query, **traits)

    def pictures(self) -> list[Picture]:
        return foundation_pictures(self.outcome.choices.part, _drawn(self.outcome)[0].get("figures", {}))

    def _answers(self) -> list[Part]:
        return foundation_parts(self.outcome, _told(self.outcome)["rows"])

    def _options(self) -> Message:
        return {"most_bytes": MAX_BYTES}

    def _text(self, outcome: FoundationsOutcome) -> Message:
        return {"words": asdict(describe(outcome)), "told": _told(outcome)}

    def _drawings(self, outcome: FoundationsOutcome) -> Iterator[Drawing]:
        drawn, arrays = _drawn(outcome)
        yield Drawing("draw", (outcome,), {"drawn": {"part": outcome.choices.part, **drawn}}, arrays)


def _told(outcome: FoundationsOutcome) -> Message:
    """What the chosen part says beside its words."""
    if outcome.choices.part == "noise":
        return noise_text(outcome.choices, outcome.shown)
    if outcome.choices.part == "adding":
        return adding_text(outcome.choices, outcome.shown)
    if outcome.choices.part == "stream":
        return stream_text(outcome.choices, outcome.shown)
    return table_text(outcome)


def _drawn(outcome: FoundationsOutcome) -> tuple[Message, dict[str, np.ndarray]]:
    """What the chosen part draws, and its arrays."""
    if outcome.choices.part == "noise":
        return {"figures": noise_figures(outcome.choices, outcome.shown)}, {}
    if outcome.choices.part == "adding":
        return {"figures": adding_figures(outcome.choices, outcome.shown)}, {}
    if outcome.choices.part == "stream":
        return {"figures": stream_figures(outcome.choices, outcome.shown)}, {}
    return table_drawing(outcome)


def foundation_pictures(part: str, figures: dict[str, Any]) -> list[Picture]:
    """The charts of the part that is shown; that on tables has none."""
    return [Picture(n, TITLES[part][n], plain_figure(one["figure"]), one["summary"]) for n, one in figures.items()]


def foundation_parts(outcome: FoundationsOutcome, rows: list[list[str]]) -> list[Part]:
    """The table of the part that is shown; of a published table its classes, and the attack that is played."""
    title, heads = TABLES[outcome.choices.part]
    parts = [Part(title, [table(title, heads, rows)])] if rows else []
    if outcome.choices.part != "table":
        return parts
    shown = outcome.shown
    release = shown.release
    more = len(release) - MOST_CLASSES
    beyond = [paragraph(f"And {counted(more, 'smaller class', 'smaller classes')}.")] if more > 0 else []
    classes = Part("The table as it is published", [_classes(release), *beyond])
    played = [] if shown.scene is None else [paragraph(f"{s.title}: {s.text}") for s in steps(shown.table, shown.scene)]
    return [classes, *parts, *([Part("The attack", played)] if played else [])]


def _classes(release: Release) -> str:
    heads = [release.table.heads[k] for k in release.publishing.quasi]
    rows = [
        [str(k + 1), *release.published(int(row)), f"{size:,}"]
        for k, (row, size) in enumerate(zip(release.first.tolist(), release.size.tolist(), strict=True))
    ]
    return table("Classes of people who look alike", ["class", *heads, "people"], rows[:MOST_CLASSES])
