"""The quilt lab: a series of states, the quilt of any timestamp, what is released, how releases compose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import ClassVar

from lmdk_widgets.io.report import Part
from lmdk_widgets.page.drawing import Drawing, Message, Picture
from lmdk_widgets.page.what_if import RecordablePage
from lmdk_widgets.pages.quilts import QuiltOutcome, describe
from lmdk_widgets.pages.quilts import compose_words as together
from lmdk_widgets.pages.quilts import words as said
from lmdk_widgets.pages.quilts.figures import quilt_figures
from lmdk_widgets.pages.quilts.files import TRUE_NOTE
from lmdk_widgets.pages.quilts.own import describe_file
from lmdk_widgets.pages.quilts.own_words import typed
from lmdk_widgets.pages.quilts.report import quilt_chain, quilt_parts, quilt_pictures, quilt_summaries
from lmdk_widgets.pages.quilts.session import QuiltSession
from lmdk_widgets.pages.quilts.words import believed, chain_sentences


class QuiltPage(RecordablePage):
    """Pufferfish privacy of a series of states, by Markov quilts."""

    MODULE: ClassVar[str] = "quilts.js"
    TITLE: ClassVar[str] = "How private is any one moment of a day?"
    TOLD: ClassVar[tuple[str, ...]] = ("releases",)
    CAN_OPEN: ClassVar[tuple[str, ...]] = (
        *("epsilon", "mechanism", "query", "source", "stay_one", "stay_two", "length", "theta", "support", "smoothing"),
        *("gap", "epsilon_a", "epsilon_b", "truth_percent", "node"),
    )
    OPEN: ClassVar[int] = 3
    NOT_OPEN: ClassVar[Mapping[str, tuple[str, ...]]] = {"source": ("own",)}

    SESSION = QuiltSession
    session: QuiltSession

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
