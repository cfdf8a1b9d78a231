"""What an adversary who follows a series infers: the sentences of a track in the words of levels and of answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lmdk_widgets.scenario.base.amounts import percent
from lmdk_widgets.scenario.landmarks.outcome import Outcome
from lmdk_widgets.scenario.landmarks.series_words import in_values

if TYPE_CHECKING:
    from lmdk_widgets.scenario.landmarks.adversary import Inferred

_PHRASES = (
    ("away from where you were", "away from the true level"),
    ("your true cell", "the true cell"),
    ("the very track", "the very series"),
    ("how often this track was in each", "how often this series was in each"),
    ("The track has one day", "The series has one day"),
    ("following so long a track", "following so long a series"),
    ("people stay with a chance", "a value stays in its level with a chance"),
    ("or else go anywhere", "or else goes anywhere"),
    ("moves to places nearby", "moves to levels nearby"),
    ("a little about the place", "a little about the value"),
    (
        "Under randomised response that is a proven bound: whatever is reported, she never learns more.",
        "As her levels lie within the bounds, that is a proven bound: whatever is released, she never learns more.",
    ),
    ("She does not know where you were: ", "She does not know the true values: "),
    ("where the true track is known", "where they are known"),
    (
        "Cells stand for all places in them, the truth of a timestamp is its cell, and she takes it that you never leave the "
        "cells shown.",
        "She takes a value for the middle of its level, and the truth of a timestamp is its level: her belief is an "
        "approximation, the better the narrower the levels. They lie between the bounds, and she takes it that values do.",
    ),
)
"""What is said of a track, and of a series; "cell" becomes "level" beside that."""

_ANSWERS = (
    (r"As her levels lie within the bounds, that is", "Under randomised response that is"),
    (r"She does not know the true values: ", "She does not know the true answers: "),
    (r" She takes a value for the middle of its level.*", " Her belief is exact, as an answer is one or the other."),
    (r"with every level alike", "with both answers alike"),
    (r"was in each level", "had each answer"),
    (r"is in each level", "has each answer"),
    (r"from level to level", "from answer to answer"),
    (r"a value stays in its level with", "an answer stays with"),
    (r"or else goes anywhere", "or else changes"),
    (r"about the value", "about the answer"),
    (r"finds the level of", "finds the answer at"),
    (r"not find the level of", "not find the answer at"),
    (r"between two levels", "between the two answers"),
    (r"the true level", "the true answer"),
)
"""The same of answers, as patterns."""


def in_levels(outcome: Outcome, text: str) -> str:
    """A sentence on an adversary in the words of the outcome's own data; as it is where they are a track.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample_series
    >>> in_levels(evaluate(Scenario(), sample_series("household")), "She finds the cell of your landmark.")
    'She finds the level of your landmark.'
    >>> in_levels(evaluate(Scenario(), sample_series("contacts")), "She finds the cell of your landmark.")
    'She finds the answer at your landmark.'
    """
    if outcome.series is None:
        return text
    for said, instead in _PHRASES:
        text = text.replace(said, instead)
    text = re.sub(r"\b([Cc])ell(s?)\b", lambda found: f"{'L' if found[1] == 'C' else 'l'}evel{found[2]}", text)
    for pattern, instead in _ANSWERS if outcome.series.is_answers else ():
        text = re.sub(pattern, instead, text)
    return in_values(outcome, text)


def of_answers(outcome: Outcome, found: Inferred, sees: str) -> str:
    """The first sentence on a series of answers, whose errors are chances; "" of anything else."""
    if outcome.series is None or not outcome.series.is_answers:
        return ""
    off, alone, blind = (percent(float(worth.error_m.mean())) for worth in (found.whole, found.alone, found.blind))
    return (
        f"Someone who sees {sees} still gives the wrong answer a chance of {off} on average; from each timestamp's release "
        f"alone it would be {alone}, and without any release {blind}. She"
    )
