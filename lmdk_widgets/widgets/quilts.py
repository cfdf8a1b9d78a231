"""The quilt lab as one widget: a series of states, the quilt of any timestamp, what is released, how releases compose."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

from lmdk_widgets.io.report import Part
from lmdk_widgets.page.drawing import Drawing, Picture
from lmdk_widgets.pages.quilts.figures import quilt_figures
from lmdk_widgets.pages.quilts.report import quilt_chain, quilt_parts, quilt_pictures, quilt_summaries
from lmdk_widgets.scenario.quilts import QuiltChoices, QuiltOutcome, describe, read_own
from lmdk_widgets.scenario.quilts import compose_words as together
from lmdk_widgets.scenario.quilts import words as said
from lmdk_widgets.scenario.quilts.belief_words import believed, chain_sentences
from lmdk_widgets.scenario.quilts.files import TRUE_NOTE
from lmdk_widgets.scenario.quilts.own import describe_file
from lmdk_widgets.scenario.quilts.own_words import typed
from lmdk_widgets.scenario.quilts.session import QuiltSession
from lmdk_widgets.widgets.lab import Lab
from lmdk_widgets.widgets.page import Message


class QuiltLab(Lab):
    """Pufferfish privacy of a series of states, by Markov quilts.

    Parameters
    ----------
    choices : to begin with; the household's power when left out.
    query : the query string of a link made by "Copy link".
    series : path of a file with a series of one's own, for choices whose source is "own".

    Attributes
    ----------
    choices : the present `QuiltChoices`; set them to change the page, observe them to follow the user.
    outcome : the `QuiltOutcome` that follows from them.

    Examples
    --------
    >>> lab = QuiltLab(QuiltChoices(source="binary", length=100, epsilon=1.0))
    >>> round(lab.outcome.scale.scale, 4)
    12.84
    """

    MODULE: ClassVar[str] = "quilts.js"
    TITLE: ClassVar[str] = "How private is any one moment of a day?"
    TOLD: ClassVar[tuple[str, ...]] = ("releases",)
    CAN_OPEN: ClassVar[tuple[str, ...]] = (
        *("epsilon", "mechanism", "query", "source", "stay_one", "stay_two", "length", "theta", "support", "smoothing"),
        *("gap", "epsilon_a", "epsilon_b", "truth_percent", "node"),
    )
    OPEN: ClassVar[int] = 3
    NOT_OPEN: ClassVar[Mapping[str, tuple[str, ...]]] = {"source": ("own",)}

    session: QuiltSession

    def __init__(
        self,
        choices: QuiltChoices | None = None,
        *,
        query: str = "",
        series: str | os.PathLike | None = None,
        **traits: Any,
    ) -> None:
        own = None if series is None else read_own(Path(series).read_bytes(), Path(series).name)
        super().__init__(QuiltSession(choices, own), query=query, **traits)

    def ranges(self) -> dict[str, Sequence[int]]:
        return {"node": range(-1, len(self.outcome))}

    def pictures(self) -> list[Picture]:
        return quilt_pictures(self.outcome)

    def _answers(self) -> list[Part]:
        return quilt_parts(self.outcome)

    def _rests_on(self) -> list[str]:
        return quilt_chain(self.outcome)

    def _note(self) -> str:
        return TRUE_NOTE

    def _text(self, outcome: QuiltOutcome) -> Message:
        return {
            "words": asdict(describe(outcome)),
            "timeline": said.timeline_summary(outcome),
            "rows": said.method_rows(outcome),
            "protects": [method.protects or method.scale is None for method in outcome.methods],
            "notes": said.method_notes(outcome),
            "chain": chain_sentences(outcome),
            "stack": together.stack_summary(outcome),
            "segments": together.segments_sentences(outcome),
            "far": together.far_sentence(outcome),
            "conditions": [list(condition) for condition in together.far_conditions(outcome)],
            "story": list(outcome.story.story()),
            "shown": {  # what the controls show beyond the choices
                "length": len(outcome),
                "node": outcome.node + 1,
                "own": "" if outcome.own is None else describe_file(outcome.own),
                "believed": believed(outcome),
                "typed": typed(outcome),
                "widest_gap": together.widest_gap(outcome),
                "placed": _placed(outcome),
            },
        }

    def _drawings(self, outcome: QuiltOutcome) -> Iterator[Drawing]:
        figures, arrays = quilt_figures(outcome)
        series, segments = outcome.series, outcome.segments
        timeline = {
            "node": outcome.node,
            "nearby": list(outcome.nearby),
            "quilt": list(outcome.quilt),
            "labels": list(series.labels),
            "minutes": series.minutes,
            "start_minute": series.start_minute,
            "segments": [list(segments.a), list(segments.b)] if segments is not None else None,
        }
        described = {"figures": figures, "summaries": quilt_summaries(outcome), "timeline": timeline}
        yield Drawing("draw", (outcome,), described, arrays)


def _placed(outcome: QuiltOutcome) -> Message:
    """Where the segments really lie: a short series shortens and moves them."""
    segments = outcome.segments
    if segments is None:
        return {}
    (a_first, a_last), (b_first, b_last) = segments.a, segments.b
    lengths = {"a_length": a_last - a_first + 1, "b_length": b_last - b_first + 1}
    return {"a_first": a_first, "gap": segments.gap, **lengths}
