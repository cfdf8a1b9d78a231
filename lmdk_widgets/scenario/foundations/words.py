"""The words of the foundations page: those of the chosen part."""

from __future__ import annotations

from lmdk_widgets.scenario.base.words import Words
from lmdk_widgets.scenario.foundations.adding_words import adding_words
from lmdk_widgets.scenario.foundations.noise_words import noise_words
from lmdk_widgets.scenario.foundations.outcome import FoundationsOutcome
from lmdk_widgets.scenario.foundations.stream_words import stream_words
from lmdk_widgets.scenario.foundations.table_words import table_words


def describe(outcome: FoundationsOutcome) -> Words:
    """What the settings mean, in sentences that are true of them."""
    if outcome.choices.part == "noise":
        return noise_words(outcome.choices, outcome.shown)
    if outcome.choices.part == "adding":
        return adding_words(outcome.choices, outcome.shown)
    if outcome.choices.part == "stream":
        return stream_words(outcome.choices, outcome.shown)
    return table_words(outcome)
