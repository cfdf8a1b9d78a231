"""An action beside "Found": leave out the lasting places that are found nearer than the protection radius, with what that
costs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from lmdk_widgets.answers.found_places import Place
from lmdk_widgets.answers.leaving_out import leave_out, leaving_out_sentence, leaving_out_title, left_out
from lmdk_widgets.answers.report_budgets import DRAWN
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.fields import flag
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.pages.track.compared_option import answered, unanswered
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.outcome import Outcome

USE = "Leave out"
WAITS = "Computing what that costs."


@dataclass(frozen=True)
class LeaveOutChoices(Choices):
    """Compute what leaving out the places costs that are found too near."""

    open: bool = flag(False, "Leave out what is found too near")


class LeftOut(NamedTuple):
    """What leaving out costs, in words; and whether it can be done."""

    text: str
    useable: bool


class LeaveOut(Panel):
    NAME = "leave_out"
    OPERATIONS: ClassVar = {"leave_out": lambda state, _, outcome: _without_near(state.choices, outcome())}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        if not choices.leave_out.open or not outcome.kind.placed or outcome.reports is not None:
            return None
        return outcome.scenario.released.with_changes(average=False), outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[LeftOut | None]:
        distance_m = outcome.scenario.radius_m
        if not left_out(outcome, distance_m):
            yield LeftOut("", False)
            return
        yield None
        try:
            then = unanswered(evaluate(leave_out(outcome, distance_m), outcome.trajectory))
        except InputError as error:
            yield LeftOut(str(error), False)
            return
        for better in answered(then):
            then = better
            yield None
        yield LeftOut(leaving_out_sentence(outcome, then, distance_m), True)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        return Progress("Leaving out what is found too near: a careful reader reads that release.")

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before it was known what leaving out costs"

    def text(self, choices: Any, outcome: Outcome) -> Message:
        title = leaving_out_title(_near(outcome))
        found: LeftOut | None = outcome.found(self.NAME)
        text = WAITS if found is None else found.text
        useable = found is not None and found.useable
        return {"leave_out": {"title": title, "text": text, "use": USE if useable else ""}}


def _without_near(choices: Any, outcome: Outcome) -> Any:
    return choices.with_changes(scenario=leave_out(outcome, choices.scenario.radius_m))


def _near(outcome: Outcome) -> tuple[Place, ...]:
    """The places found nearer than the radius; none while draws of budgets are not known yet."""
    if outcome.scenario.spread.online and outcome.found(DRAWN) is None:
        return ()
    return left_out(outcome, outcome.scenario.radius_m)
