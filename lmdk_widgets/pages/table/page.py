"""The table page: what protects a published table, and how that fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np

from lmdk_widgets.io.report import Part, paragraph
from lmdk_widgets.page.answers import answers_message
from lmdk_widgets.page.blocks import Chart, Text, chart_messages
from lmdk_widgets.page.drawing import Drawing, Message
from lmdk_widgets.page.open_controls import Source
from lmdk_widgets.page.what_if import RecordablePage
from lmdk_widgets.pages.table import TableOutcome, describe
from lmdk_widgets.pages.table.people_found import scene_drawing
from lmdk_widgets.pages.table.published import MOST_CLASSES, classes_table, published_drawing
from lmdk_widgets.pages.table.scenes import steps
from lmdk_widgets.pages.table.sequence import published_rows
from lmdk_widgets.pages.table.session import TableSession
from lmdk_widgets.pages.table.table import MAX_BYTES, describe_table
from lmdk_widgets.trajectory.words import counted


class TablePage(RecordablePage):
    """What the words of privacy mean, on tables small enough to see everything."""

    MODULE: ClassVar[str] = "table.js"
    TITLE: ClassVar[str] = "What protects people in published data?"
    SHORT: ClassVar[tuple[str, ...]] = ("part",)
    CAN_OPEN: ClassVar[tuple[str, ...]] = (
        *("table", "least", "attack", "recursive_c"),
        *("mechanism", "level", "query", "remedy", "epsilon", "sigma", "truth", "answers", "counted", "neighbours"),
        *("prior", "wanted", "window", "discount", "announced", "fresh"),
        *("repeats", "budget", "delta", "correlated", "limit", "far", "clipped", "together"),
    )
    NOT_OPEN: ClassVar[Mapping[str, tuple[str, ...]]] = {"table": ("own",)}

    SESSION = TableSession
    session: TableSession

    def known(self, source: Source) -> list[str]:
        """Those of the part that is shown."""
        part = source.state.choices.of_part()
        return [name for name in self.CAN_OPEN if name in part]

    def pictures(self) -> list[Chart]:
        outcome = self.outcome
        return [chart.alone() for chart in outcome.part.charts(outcome.choices, outcome.shown)]

    def _answers(self) -> list[Part]:
        """The table of the part shown; for a published table, its classes and the attack that is played."""
        outcome = self.outcome
        shown, table = outcome.shown, outcome.part.table(outcome.choices, outcome.shown)
        parts = [Part(table.title, [table])] if table.rows else []
        if outcome.choices.part == "sequence":
            rows = published_rows(outcome.choices, outcome.shown)
            return [Part(rows.title, [rows]), *parts]
        if outcome.choices.part != "table":
            return parts
        more = len(shown.release) - MOST_CLASSES
        beyond = [paragraph(f"And {counted(more, 'smaller class', 'smaller classes')}.")] if more > 0 else []
        classes = Part("The table as it is published", [classes_table(shown), *beyond])
        if shown.scene is None:
            return [classes, *parts]
        played = [Text(f"{step.title}: {step.text}") for step in steps(shown.table, shown.scene)]
        return [classes, *parts, Part("The attack", played)]

    def _options(self) -> Message:
        return {"most_bytes": MAX_BYTES}

    def _text(self, outcome: TableOutcome) -> Message:
        choices, shown, part = outcome.choices, outcome.shown, outcome.part
        told = {"table": part.table(choices, shown).message(), **part.told(choices, shown)}
        if choices.part == "table":
            told["own"] = "" if outcome.own is None else describe_table(outcome.own)
        answers = answers_message(part.answers(choices, shown))
        return {"words": describe(outcome).message(), "answers": answers, "told": told}

    def _drawings(self, outcome: TableOutcome) -> Iterator[Drawing]:
        charts = outcome.part.charts(outcome.choices, outcome.shown)
        drawn: Message = {"part": outcome.choices.part, "figures": chart_messages(charts)}
        arrays: dict[str, np.ndarray] = {}
        if outcome.choices.part == "table":
            classes, arrays = published_drawing(outcome.shown)
            scene, more = scene_drawing(outcome.shown)
            drawn, arrays = drawn | classes | {"scene": scene}, arrays | more
        yield Drawing("draw", (outcome,), {"drawn": drawn}, arrays)
