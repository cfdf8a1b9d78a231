"""Dummies and landmarks: what someone who knows the method learns about the landmarks, where computing it takes
longer."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.answers.dummies import asked, attack_found, growing, hides, how_many, joining
from lmdk_widgets.budgets.posterior import DummyPosterior
from lmdk_widgets.io.report import Part, paragraph
from lmdk_widgets.page.amounts import amount, count, numeral, whole
from lmdk_widgets.page.blocks import Act, Block, Buttons, Text
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.scenario.hidden import dummies
from lmdk_widgets.scenario.outcome import Outcome

BELOW = "hide_draw"
"""The choice below whose control the page says what the dummies reveal."""


class Dummies(Panel):
    NAME = "dummies"
    BARE = ""
    OPEN: ClassVar = {"hide": True}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        return asked(outcome)

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[DummyPosterior]:
        return growing(outcome)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        found: DummyPosterior | None = outcome.found(self.NAME)
        if found is None:
            return Progress("Testing which sets of landmarks could give these dummies.")
        said = sentence(
            "Testing which sets of landmarks could give these dummies: {sets_tried} of {sets_wanted} tested.",
            sets_tried=whole(found.tried),
            sets_wanted=whole(found.wanted),
        )
        return Progress(said, found.tried / found.wanted)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before it was known what the dummies reveal"

    def text(self, choices: Any, outcome: Outcome) -> Message:
        """The timestamps of the dummies, which the page draws hollow."""
        return {"dummies": list(dummies(outcome.scenario, len(outcome))) if hides(outcome) else []}

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        other = {"op": "set", "name": "hide_draw", "value": outcome.scenario.hide_draw + 1}
        yield Buttons((Act("Draw other dummies", other, where="page"),), below=BELOW)
        yield Text(describe_hidden(outcome), "quiet", below=BELOW)

    def parts(self, choices: Any, outcome: Outcome, release: Any) -> Iterator[Part]:
        if outcome.scenario.hide:
            yield Part("Dummies and landmarks", [paragraph(describe_hidden(outcome))])


def describe_hidden(outcome: Outcome) -> str:
    """What is shown under the switch; "" where nothing is hidden."""
    if not outcome.scenario.hide:
        return ""
    if not hides(outcome):
        return "No landmark is marked, so there is nothing to hide."
    chosen = joining(outcome) if outcome.scenario.joins_at_random else [_choice_cost(outcome)]
    said = [how_many(outcome), *attack_found(outcome), *_budget_cost(outcome), *chosen]
    return " ".join(said)


def _budget_cost(outcome: Outcome) -> list[str]:
    """What enlarging the set costs in budget and expected error, or in timestamps measured."""
    scenario, n = outcome.scenario, len(outcome)
    sets = scenario.landmarks, outcome.protected
    if len(sets[0]) == len(sets[1]):
        return []
    spread = scenario.spread
    if cost := spread.dummies():
        more, fewer = count(len(sets[1]), "timestamp"), numeral(len(sets[0]))
        return [sentence(cost, protected_timestamps=more, own_landmarks=fewer)]
    with_all, without = (
        spread.allocate(n, np.array(marks, np.intp), scenario.epsilon, scenario.window) for marks in reversed(sets)
    )
    at = scenario.landmarks[0]
    budgets = [amount(float(spent[at])) for spent in (with_all, without)]
    said = sentence("{begins} {budget}", begins=spread.begins, budget=_instead("budget", *budgets))
    if spread.online or outcome.reports is not None:
        return [sentence("{said}.", said=said)]
    errors = [outcome.ground.write(float(outcome.ground.expected(spent).mean())) for spent in (with_all, without)]
    text = "{said}, and the expected mean error is {error}."
    return [sentence(text, said=said, error=_instead("error", *errors))]


def _instead(name: str, with_dummies: str, without: str) -> str:
    """A number with the dummies, and without them where that is another one."""
    values = {f"{name}_with_dummies": with_dummies, f"{name}_without": without}
    if with_dummies == without:
        return sentence("{" + name + "_with_dummies}, the same as without dummies", **values)
    return sentence("{" + name + "_with_dummies} instead of {" + name + "_without}", **values)


def _choice_cost(outcome: Outcome) -> str:
    return sentence(
        "The budget of {hide_epsilon} for the number of dummies makes only that number private. It buys no privacy for the "
        "landmarks, so it is not added to epsilon.",
        hide_epsilon=amount(outcome.scenario.hide_epsilon),
    )
