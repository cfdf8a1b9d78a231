"""What somebody finds who knows the streets of the file under the map: computed in the background, told beside Found."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from lmdk_widgets.answers.street_attack import STREETS, StreetAttack, may_follow, street_steps
from lmdk_widgets.answers.usefulness import asked_of
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.scenario.outcome import Outcome


class Streets(Panel):
    """Map matching as an attack, where the page has a file of streets. Its sentence is in the line of Found."""

    NAME = STREETS

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        if outcome.streets is None or not may_follow(outcome):
            return None
        return asked_of(outcome), outcome.trajectory, outcome.streets

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[StreetAttack | None]:
        yield from street_steps(outcome)

    def progress(self, choices: Any, outcome: Outcome) -> Progress | None:
        return Progress("Following the streets: what somebody who knows them finds.")

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before it was known what somebody who knows the streets finds"
