"""The verdict at the top of the page: its limits, its sentence, and the settings that would meet them, found in the
background.

The sentence uses what the answers already computed, so it costs a slider nothing. It is computed from the true data: a file
to share says instead that it is not there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.errors import InputError
from lmdk_widgets.io.report import Part, bullets, paragraph
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.fields import flag
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.verdict.judged_answers import Judged
from lmdk_widgets.verdict.limits import RADIUS, Limits, found_limit
from lmdk_widgets.verdict.proposals import proposed, setting_words, worse
from lmdk_widgets.verdict.search import Helped, search
from lmdk_widgets.verdict.sentences import LOOKING, NOT_HERE, Verdict

NAME = "limits"
"""Of the panel, of its group of choices, and of its result."""

VERDICT = "The verdict"
REASONS = "Why, and what would help"


@dataclass(frozen=True)
class LimitChoices(Limits):
    """The limits of the verdict; and whether there is one, which a recorded file never has."""

    shown: bool = flag(True, "Show the verdict")


class Verdicts(Panel):
    """What would meet the limits that are missed."""

    NAME = NAME
    OPERATIONS: ClassVar = {
        "take": lambda state, operation, outcome: state.choices.with_changes(scenario=taken(outcome(), operation["k"]))
    }

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        asked: LimitChoices = choices.limits
        if not (asked.shown and asked.is_set) or outcome.trajectory.name == RELEASE_NAME or outcome.in_place:
            return None
        scenario = outcome.scenario
        return asked, scenario.released.with_changes(average=False), scenario.level_width, outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Helped | None]:
        last: Helped | None = None
        for found in search(Judged(outcome, choices.limits, computes=False)):
            last = found or last
            yield last

    def progress(self, choices: Any, outcome: Outcome) -> Progress | None:
        found: Helped | None = outcome.found(self.NAME)
        return None if found is None else Progress(LOOKING, found.share)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before a setting that meets your limits was found" if outcome.found(self.NAME) is not None else ""

    def text(self, choices: Any, outcome: Outcome) -> Message:
        return {"verdict": verdict_message(choices, outcome)}


def page_verdict(choices: Any, outcome: Outcome) -> Verdict:
    """The verdict on what the page has computed so far."""
    return Verdict(Judged(outcome, choices.limits, computes=False), outcome.found(NAME))


def verdict_sentence(choices: Any, outcome: Outcome) -> str:
    """The verdict for a text, or that it is not there."""
    return page_verdict(choices, outcome).sentence if choices.limits.shown else NOT_HERE


def verdict_part(choices: Any, outcome: Outcome) -> Part:
    """The first part of a report; of one to share, that the verdict is not there."""
    said = [verdict_sentence(choices, outcome)]
    if choices.limits.shown and (today := page_verdict(choices, outcome).today):
        said.append(today)
    return Part(VERDICT, [paragraph(text, "said") for text in said], "first")


def reasons_parts(choices: Any, outcome: Outcome) -> list[Part]:
    """The part with the reasons of the verdict, where it is there."""
    reasons = page_verdict(choices, outcome).reasons if choices.limits.shown else ()
    return [Part(REASONS, [bullets(reasons)])] if reasons else []


def verdict_message(choices: Any, outcome: Outcome) -> Message:
    """For the page.

    Returns
    -------
    dict
        "lead", "why", "help" and "cost", the sentence; "today": what the practices of today leave open;
        "look": "meets", "misses" or "open"; "reasons"; "takes": the settings
        that can be taken, each with "text" on its button, "said" in full, and "star" where nothing gets worse; "radius": the
        preset of what is found, and "found", the label of that limit, None where a file has no verdict.
    """
    limits: LimitChoices = choices.limits
    if not limits.shown or outcome.trajectory.name == RELEASE_NAME:
        none = {"why": "", "help": "", "cost": "", "reasons": [], "takes": []}
        return {"lead": NOT_HERE, "look": "open", "radius": None, "today": "", **none}
    found = page_verdict(choices, outcome)
    result = outcome.results.get(NAME)
    lead, why, help_ = found.first
    looking = found.meets is False and result is not None and not result.done
    return {
        "lead": lead,
        "why": why,
        "help": f"{help_} {LOOKING if looking else ''}".strip(),
        "cost": found.cost,
        "today": found.today,
        "look": found.look,
        "reasons": list(found.reasons),
        "takes": _takes(found),
        "radius": found_limit(limits.with_changes(found_m=RADIUS), outcome),
    }


def _takes(found: Verdict) -> list[Message]:
    now, told = found.judged, () if found.search is None or found.meets is not False else found.search.proposed
    return [
        {
            "text": _capital(setting_words(one, now)),
            "said": proposed(one, now),
            "star": one.meets and not worse(one, now),
        }
        for one in told
    ]


def taken(outcome: Outcome, k: Any) -> Scenario:
    """The scenario of a proposal that the page shows.

    Raises
    ------
    InputError : it belongs to earlier settings.
    """
    found: Helped | None = outcome.found(NAME)
    if found is None or type(k) is not int or not 0 <= k < len(found.proposed):
        raise InputError("This proposal belongs to earlier settings", remedy="Wait for the next one")
    return found.proposed[k].scenario


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
