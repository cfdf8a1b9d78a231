"""What an attacker finds by averaging, which is quick, and by following the track, and when it is computed.

The code that computes and shows the beliefs is loaded only when it is needed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, ClassVar

from lmdk_widgets.answers.exposure import attacker_sentences, first_answers, found_circles
from lmdk_widgets.answers.report_budgets import DRAWN, drawn_budgets, draws_asked, of_budgets
from lmdk_widgets.geo import Floats
from lmdk_widgets.io.report import Part, paragraph
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.drawing import Drawing, Later, Message
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.pages.track.attacker_choices import NAME, Attacker
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.knowledge import check_followed, states_at_most
from lmdk_widgets.scenario.outcome import Outcome

DRAWN_AT_ONCE = 100
"""Longest track whose budgets are drawn with the outcome, which takes two milliseconds."""

AT_ONCE = 70_000
"""Timestamps times cells up to which beliefs are computed with the outcome: 288 times 225, and a little more."""


class Attack(Panel):
    NAME = NAME
    OPEN: ClassVar = {"attacker.open": True}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        attacker: Attacker = choices.attacker
        check_followed(outcome.scenario, attacker, outcome.trajectory)
        return outcome.scenario.released.with_changes(average=False), attacker.known, outcome.trajectory

    def at_once(self, choices: Any, outcome: Outcome) -> Any | None:
        attacker: Attacker = choices.attacker
        if len(outcome) * states_at_most(outcome.scenario, attacker, outcome.trajectory) > AT_ONCE:
            return None
        from lmdk_widgets.answers.adversary import infer

        return infer(outcome, attacker.known)

    def whole(self, found: Any) -> bool:
        return "marks" in found.__dict__

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Any]:
        from lmdk_widgets.answers.adversary import infer

        found = outcome.found(self.NAME)
        if found is None:
            found = infer(outcome, choices.attacker.known)
        yield found
        found.marks  # noqa: B018  what the map shows at every timestamp, computed once, here in the background
        yield found

    def progress(self, choices: Any, outcome: Outcome) -> Progress | None:
        if outcome.found(self.NAME) is not None:
            return None
        return Progress(f"Following the {outcome.kind.data}: what an attacker infers.")

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "" if outcome.found(self.NAME) is not None else "before it was known what an attacker infers"

    def text(self, choices: Any, outcome: Outcome) -> Message:
        from lmdk_widgets.pages.track.belief_words import describe_adversary

        return {"inferred": describe_adversary(choices.attacker, outcome)}

    def drawings(self, choices: Any, outcome: Outcome) -> Iterable[Drawing]:
        if outcome.found(self.NAME) is None:
            return ()
        from lmdk_widgets.pages.track.belief import adversary_drawings

        return adversary_drawings(choices.attacker, outcome)

    def pictures(self, choices: Any, outcome: Outcome) -> Iterable[Chart]:
        if outcome.found(self.NAME) is None:
            return ()
        from lmdk_widgets.pages.track.belief import adversary_pictures

        return adversary_pictures(choices.attacker, outcome)

    def parts(self, choices: Any, outcome: Outcome, release: Fresh | None) -> Iterable[Part]:
        from lmdk_widgets.pages.track.belief import adversary_part

        return (adversary_part(choices.attacker, outcome, release),)


class Averaging(Panel):
    """Found and promised, the first answers of the page, and what is found on the map. Budgets that depend on releases
    are drawn in the background where that takes longer."""

    NAME = DRAWN

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        return draws_asked(outcome)

    def at_once(self, choices: Any, outcome: Outcome) -> Floats | None:
        return self._drawn(outcome) if len(outcome) <= DRAWN_AT_ONCE else None

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Floats]:
        yield self._drawn(outcome)

    def _drawn(self, outcome: Outcome) -> Floats:
        return drawn_budgets(of_budgets(outcome.scenario), outcome.trajectory)

    def text(self, choices: Any, outcome: Outcome) -> Message:
        more = attacker_sentences(outcome) if choices.attacker.open else []
        return {"answers": [answer._asdict() for answer in first_answers(outcome)], "exposed": more}

    def parts(self, choices: Any, outcome: Outcome, release: Fresh | None) -> Iterable[Part]:
        yield Part("Found and promised", [paragraph(sentence) for sentence in attacker_sentences(outcome)])

    def drawings(self, choices: Any, outcome: Outcome) -> Iterable[Later]:
        made_of = outcome.trajectory, outcome.budgets, outcome.latitude, outcome.published, outcome.found(DRAWN)

        def made() -> Drawing:
            return Drawing("found", made_of, {"circles": [circle.message() for circle in found_circles(outcome)]}, {})

        yield Later("found", made_of, made)
