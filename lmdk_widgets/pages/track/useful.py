"""Useful, the first answer of the page: a careful reader's error, shown a moment after the text of a change."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.usefulness import (
    RESULT,
    Useful,
    asked_of,
    known_useful,
    remember,
    useful_answer,
    useful_of,
    useful_scale,
    useful_sentence,
    useful_steps,
)
from lmdk_widgets.io.report import Part, paragraph
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.outcome import Outcome

AT_A_TIME = 40
"""Timestamps that are read, in whole releases, before another page has a turn or the user can cancel: about 10 ms."""


class Usefulness(Panel):
    """What the release is worth to a careful reader: computed in the background, and shown when complete."""

    NAME = RESULT

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        return None if outcome.trajectory.name == RELEASE_NAME else (asked_of(outcome), outcome.trajectory)

    def at_once(self, choices: Any, outcome: Outcome) -> Useful | None:
        return known_useful(outcome)

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Useful | None]:
        last, some = None, max(1, AT_A_TIME // len(outcome))
        for k, last in enumerate(useful_steps(outcome), start=1):
            if last is None and k % some == 0:
                yield None
        assert last is not None
        remember(outcome, last)
        yield last

    def text(self, choices: Any, outcome: Outcome) -> Message:
        found = useful_of(outcome)
        said = [] if found is None else [useful_sentence(found, outcome)]
        scale = None if found is None else useful_scale(found, outcome)._asdict()
        return {"useful": {**useful_answer(outcome)._asdict(), "said": said, "scale": scale}}

    def parts(self, choices: Any, outcome: Outcome, release: Fresh | None) -> Iterable[Part]:
        found = useful_of(outcome)
        return () if found is None else (Part("Useful", [paragraph(useful_sentence(found, outcome))]),)
