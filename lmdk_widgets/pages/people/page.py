"""The people page: what publishing a table of tracks does to the people in it.

    a table --People--> how near each is found at epsilon 1 --move of epsilon--> verdict, answers, picture
                        releases of a random sample          --improve-->         for how many they are useful

One person opens on the track page: the browser hands the file of that person's track to it, as if it were uploaded there.
Everything is computed from the true tracks, for their owner.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from lmdk_widgets.io.report import Part
from lmdk_widgets.page.answers import answers_message
from lmdk_widgets.page.blocks import Chart, Text, block_messages, chart_messages
from lmdk_widgets.page.drawing import Drawing, Message
from lmdk_widgets.page.messages import Handler
from lmdk_widgets.page.what_if import RecordablePage
from lmdk_widgets.pages.people.assessment import assessment_blocks
from lmdk_widgets.pages.people.counts_blocks import cells_on_map, counts_blocks, in_parts
from lmdk_widgets.pages.people.evaluate import PeopleOutcome
from lmdk_widgets.pages.people.figures import curves_chart, dots_chart, expected_table, exposed_table
from lmdk_widgets.pages.people.names_removed import cells_chart, hours_table, removed_blocks, removed_said
from lmdk_widgets.pages.people.publishing import publishing_blocks
from lmdk_widgets.pages.people.session import PeopleSession
from lmdk_widgets.pages.people.tables import can_read
from lmdk_widgets.pages.people.words import (
    FOR_THE_OWNER,
    LOOKED_AT,
    describe,
    first_answers,
    person_message,
    verdict,
    verdict_said,
    zone_message,
)

COUNTS = ("counts", "cells", "settings")
"""The parts of the tab of counts: what stands before the picture of the cells, that picture, and what follows it."""

CLICK = "Click a person to see how near that person is found, and to open the track on Track."


class PeoplePage(RecordablePage):
    """From one track to a city: who is found, and at which epsilon."""

    MODULE: ClassVar[str] = "people.js"
    TITLE: ClassVar[str] = "May these people's tracks be published?"
    SHORT: ClassVar[tuple[str, ...]] = ("table", "epsilon", "scheme")
    CAN_OPEN: ClassVar[tuple[str, ...]] = ("epsilon", "scheme", "rule")
    FIRST_PARTS: ClassVar[int] = 1

    SESSION = PeopleSession
    session: PeopleSession

    def _handlers(self) -> dict[Any, Handler]:
        return super()._handlers() | {"person": self._open_person, "path": self._open_path}

    def _options(self) -> Message:
        return {"reads": can_read(), "paths": self.session.paths and can_read()}

    def _open_path(self, message: Message, _buffers: list[Any]) -> None:
        """Reads a table where Python runs, in the background."""
        path = str(message["path"])
        self._read(lambda: self.session.read_path(path), message)

    def _open_person(self, message: Message, _buffers: list[Any]) -> None:
        """Hands the track of the person chosen to the track page, by way of the browser."""
        file, settings, read = self.session.one_track()
        view = {"view": message.get("view")}
        self.send({"type": "person", "name": file.name, "settings": settings, "read": read, **view}, [file.data])

    def pictures(self) -> list[Chart]:
        charts, outcome = self._charts(self.outcome), self.outcome
        if self._has_removed:
            charts.append(cells_chart(outcome.removed, outcome.choices))
        charts += [block for block in counts_blocks(outcome) if isinstance(block, Chart)]
        return [chart.alone() for chart in charts]

    @property
    def _has_removed(self) -> bool:
        """Whether it is computed whom the chosen points single out."""
        return self.outcome.removed is not None and bool(self.outcome.removed.alone)

    def _charts(self, outcome: PeopleOutcome) -> list[Chart]:
        return [dots_chart(outcome), curves_chart(outcome)]

    def _answers(self) -> list[Part]:
        outcome = self.outcome
        expected, exposed = expected_table(outcome), exposed_table(outcome)
        removed: list[Part] = []
        if self._has_removed:
            told = outcome.removed, outcome.choices
            removed = [Part("Names removed", [Text(removed_said(*told)), hours_table(*told)])]
        return [
            Part("The verdict", [Text(verdict_said(outcome)), Text(FOR_THE_OWNER)]),
            Part(expected.title, [expected]),
            Part(exposed.title, [exposed]),
            *removed,
            *([Part("Counts instead of tracks", counted)] if (counted := counts_blocks(outcome)) else []),
            *([Part("Assessment", assessed)] if (assessed := assessment_blocks(outcome)) else []),
        ]

    def _rests_on(self) -> list[Text]:
        """Why an epsilon that follows from the limit is not free."""
        return [Text(LOOKED_AT)]

    def _text(self, outcome: PeopleOutcome) -> Message:
        return {
            "words": describe(outcome).message(),
            "answers": answers_message(first_answers(outcome)),
            "verdict": verdict(outcome),
            "person": person_message(outcome),
            "zone": zone_message(outcome),
            "tables": {
                "publish": block_messages(publishing_blocks(outcome)),
                "expected": block_messages([expected_table(outcome)]),
                "exposed": block_messages([Text(CLICK), exposed_table(outcome)]),
                **dict(zip(COUNTS, map(block_messages, in_parts(counts_blocks(outcome))), strict=True)),
                "assessment": block_messages(assessment_blocks(outcome)),
                "removed": block_messages(removed_blocks(outcome.removed, outcome.choices)),
            },
        }

    def _drawings(self, outcome: PeopleOutcome) -> Iterator[Drawing]:
        made_of = (outcome.choices.to_dict().__repr__(), outcome.people)
        yield Drawing("draw", made_of, {"drawn": {"figures": chart_messages(self._charts(outcome))}}, {})
        here = None if outcome.counted is None else outcome.counted.here
        yield Drawing("cells", (here,), *cells_on_map(here))
