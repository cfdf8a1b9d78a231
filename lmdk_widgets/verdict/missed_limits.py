"""The limits that a release misses, a sentence each: what it gives, and what was asked for."""

from __future__ import annotations

from lmdk_widgets.answers.averaging_attack import FoundAnswer, FoundLevel
from lmdk_widgets.answers.found_places import FoundPlace, Place
from lmdk_widgets.page.answers import NOTHING, of_100
from lmdk_widgets.page.sentences import Written, join, sentence
from lmdk_widgets.verdict.answers_and_limits import found_beside, reader_beside, reader_words
from lmdk_widgets.verdict.judged_answers import Judged

NAMED = 2
"""The most places that a sentence names."""


def misses(judged: Judged) -> list[str]:
    """The limits that are missed, a sentence each."""
    parts = (missed_found, missed_useful, missed_guesses)
    return [part(judged) for part, missed in zip(parts, judged.missed, strict=True) if missed]


def misses_in_short(judged: Judged) -> str:
    """The same for a first screen: the first one in full, the next one with its limit alone."""
    first, *others = misses(judged)
    if not others:
        return first
    if judged.missed[0] and judged.missed[1]:
        beyond = "below" if judged.outcome.kind.counts_wrong else "above"
        return f"{first} A careful reader {reader_words(judged)}, {beyond} {reader_beside(judged)[1]}."
    above = sentence(
        "Of 100 guesses about one moment, {right}, above {most_guesses}.",
        right=right_words(judged),
        most_guesses=guesses_words(judged),
    )
    return join([first, above], " ")


def missed_found(judged: Judged) -> str:
    """What is found nearer than its limit."""
    found, (near, most) = judged.found, found_beside(judged)
    if isinstance(found, FoundAnswer):
        return f"The main answer is guessed right in {near}; you asked for at most {most.removesuffix(' of 100')}."
    asked = f"you asked for no nearer than {most}"
    if isinstance(found, FoundLevel):
        return f"A level is found to within {near}; {asked}."
    assert isinstance(found, FoundPlace)
    if found.few:
        return f"Each report is found to within {near}; {asked}."
    first = judged.near[0]
    return f"{capital(first.your)} is found to within {near}{how(first)}; {asked}."


def missed_useful(judged: Judged) -> str:
    """That a reader is off by more than the limit."""
    least = "least" if judged.outcome.kind.counts_wrong else "most"
    return f"A careful reader {reader_words(judged)}; you asked for at {least} {reader_beside(judged)[1]}."


def missed_guesses(judged: Judged) -> str:
    """That more can be guessed about one moment than the limit."""
    return sentence(
        "Of 100 guesses about one moment, {right}; you asked for at most {most_guesses}.",
        right=right_words(judged),
        most_guesses=guesses_words(judged),
    )


def guesses_words(judged: Judged) -> Written:
    """The most guesses of 100 that may be right, as the limit sets it."""
    most = judged.limits.guesses
    assert most is not None
    return Written(f"{most:.4g}", most)


def right_words(judged: Judged) -> str:
    """How many of 100 guesses about one moment can be right."""
    return sentence("{many_can_be} right", many_can_be=can_be(judged.promised.one))


def can_be(chance: float) -> str:
    """ "53 can be", before "right"."""
    if chance >= NOTHING:
        return "any number can be"
    return sentence("{guesses} can be", guesses=of_100(chance))


def how(place: Place) -> str:
    """That a place is found by its silences."""
    return ", from where you fall silent" if place.by_silence else ""


def capital(text: str) -> str:
    """With a capital letter."""
    return text[:1].upper() + text[1:]
