"""Dummies beside the landmarks: what someone who knows the method finds of the landmarks, where it takes longer."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from lmdk_widgets.budgets.posterior import DummyPosterior
from lmdk_widgets.io.report import Part, paragraph
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.progress import Progress
from lmdk_widgets.scenario.dummies import asked, describe_hidden, growing
from lmdk_widgets.scenario.outcome import Outcome


class Dummies(Panel):
    NAME = "dummies"

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        return asked(outcome)

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[DummyPosterior]:
        return growing(outcome)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        found: DummyPosterior | None = outcome.found(self.NAME)
        if found is None:
            return Progress("Trying which sets of landmarks lead to these dummies.")
        said = f"Trying which sets of landmarks lead to these dummies: {found.tried:,} of {found.wanted:,} are tried."
        return Progress(said, found.tried / found.wanted)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before it was known what the dummies tell"

    def text(self, choices: Any, outcome: Outcome) -> Message:
        return {"hidden": describe_hidden(outcome)}

    def parts(self, choices: Any, outcome: Outcome, release: Any) -> Iterator[Part]:
        if outcome.scenario.hide:
            yield Part("Dummies beside the landmarks", [paragraph(describe_hidden(outcome)["text"])])
