"""The quilt lab: a series of states, the quilt of any timestamp, what is released, how releases compose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from lmdk_widgets.io.report import Part, bullets
from lmdk_widgets.page.answers import answers_message
from lmdk_widgets.page.blocks import Chart, Text, block_messages, chart_messages
from lmdk_widgets.page.drawing import Drawing, Message
from lmdk_widgets.page.what_if import RecordablePage
from lmdk_widgets.pages.series import SeriesOutcome, describe
from lmdk_widgets.pages.series import composition as together
from lmdk_widgets.pages.series.belief import long_run
from lmdk_widgets.pages.series.cards import report_cards, setting_cards, small_charts
from lmdk_widgets.pages.series.chains import believed, chain_sentences, typed
from lmdk_widgets.pages.series.files import TRUE_NOTE
from lmdk_widgets.pages.series.mechanisms import mechanism_charts, mechanisms_table
from lmdk_widgets.pages.series.own import describe_file
from lmdk_widgets.pages.series.practices import TITLE as PRACTICES_TITLE
from lmdk_widgets.pages.series.practices import practice_blocks
from lmdk_widgets.pages.series.series import unit_of_levels
from lmdk_widgets.pages.series.session import SeriesSession
from lmdk_widgets.pages.series.timeline import drawn_timeline, timeline_charts, timeline_summary
from lmdk_widgets.pages.series.words import first_answers


class SeriesPage(RecordablePage):
    """Pufferfish privacy of a series of states, by Markov quilts."""

    MODULE: ClassVar[str] = "series.js"
    TITLE: ClassVar[str] = "How private is any one moment of a day?"
    TOLD: ClassVar[tuple[str, ...]] = ("releases",)
    SHORT: ClassVar[tuple[str, ...]] = ("epsilon", "source")
    CAN_OPEN: ClassVar[tuple[str, ...]] = (
        *("epsilon", "mechanism", "query", "source", "stay_one", "stay_two", "length", "theta", "support", "smoothing"),
        *("gap", "epsilon_a", "epsilon_b", "truth_percent", "node"),
    )
    OPEN: ClassVar[int] = 3
    NOT_OPEN: ClassVar[Mapping[str, tuple[str, ...]]] = {"source": ("own",)}

    SESSION = SeriesSession
    session: SeriesSession

    def ranges(self) -> dict[str, Sequence[int]]:
        return {"node": range(-1, len(self.outcome))}

    def pictures(self) -> list[Chart]:
        return [chart.alone() for chart in quilt_charts(self.outcome)]

    def _opens(self) -> list[Part]:
        """The settings side by side, or the answers for a single one."""
        cards = report_cards(self.outcome)
        return [Part(cards.title, [cards])]

    def _answers(self) -> list[Part]:
        outcome = self.outcome
        conditions = [f"{'Met' if kept else 'Not met'}: {text}" for text, kept in together.far_conditions(outcome)]
        mechanisms = mechanisms_table(outcome)
        return [
            Part(mechanisms.title, [mechanisms]),
            *([] if outcome.metered is None else [Part(PRACTICES_TITLE, practice_blocks(outcome))]),
            Part(together.TITLES["stack"], [Text(together.stack_summary(outcome))]),
            Part(together.TITLES["segments"], [*map(Text, together.segments_sentences(outcome))]),
            Part(together.TITLES["far"], [Text(together.far_sentence(outcome)), bullets(conditions)]),
            Part(together.TITLES["story"], [*map(Text, outcome.story.story())]),
        ]

    def _rests_on(self) -> list[Text]:
        return [*map(Text, chain_sentences(self.outcome))]

    def _note(self) -> str:
        return TRUE_NOTE

    def _options(self) -> Message:
        return {"titles": together.TITLES}

    def _text(self, outcome: SeriesOutcome) -> Message:
        return {
            "words": describe(outcome).message(),
            "answers": answers_message(first_answers(outcome)),
            "cards": setting_cards(outcome).message(),
            "timeline": timeline_summary(outcome),
            "mechanisms": mechanisms_table(outcome).message(),
            "practices": block_messages(practice_blocks(outcome)),
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
                "units": {"level_w": unit_of_levels(outcome.choices, outcome.own)},
                "believed": believed(outcome),
                "typed": typed(outcome),
                "widest_gap": together.widest_gap(outcome),
                "placed": together.drawn_segments(outcome),
            },
        }

    def _drawings(self, outcome: SeriesOutcome) -> Iterator[Drawing]:
        charts = quilt_charts(outcome)
        timeline, arrays = drawn_timeline(outcome)
        chain = outcome.belief.chains[0]
        arrays |= {"transition": chain.transition.ravel(), "long_run": long_run(chain)}
        for chart in charts:
            arrays |= chart.arrays
        described = {"figures": chart_messages(charts), "timeline": timeline, "small": small_charts(outcome)}
        yield Drawing("draw", (outcome,), described, arrays)


def quilt_charts(outcome: SeriesOutcome) -> list[Chart]:
    """Every chart of the page."""
    return [*timeline_charts(outcome), *mechanism_charts(outcome), *together.composition_charts(outcome)]
