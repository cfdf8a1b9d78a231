"""The foundations page: what protects a published table, and how that fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import ClassVar

import numpy as np

from lmdk_widgets.io.report import Part
from lmdk_widgets.page.drawing import Drawing, Message, Picture
from lmdk_widgets.page.what_if import RecordablePage
from lmdk_widgets.pages.foundations import FoundationsOutcome, describe
from lmdk_widgets.pages.foundations.adding_figure import adding_figures, adding_text
from lmdk_widgets.pages.foundations.noise_figure import noise_figures, noise_text
from lmdk_widgets.pages.foundations.report import foundation_parts, foundation_pictures
from lmdk_widgets.pages.foundations.session import FoundationsSession
from lmdk_widgets.pages.foundations.stream_figure import stream_figures, stream_text
from lmdk_widgets.pages.foundations.table import MAX_BYTES
from lmdk_widgets.pages.foundations.table_figure import table_drawing, table_text


class FoundationsPage(RecordablePage):
    """What the words of privacy mean, on tables small enough to see everything."""

    MODULE: ClassVar[str] = "foundations.js"
    TITLE: ClassVar[str] = "What protects people in published data?"

    SESSION = FoundationsSession
    session: FoundationsSession

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
