"""What a channel reveals whatever an attacker believes beforehand: the same words on every page and in its files."""

from __future__ import annotations

from lmdk_widgets.page.amounts import bound, bound_percent
from lmdk_widgets.page.sentences import sentence

CAPACITY, SECURITY = "Bayes capacity", "Bayes security"
"""The names of the two numbers in tables and sentences."""

COLUMNS = ("bayes_capacity", "bayes_security")
"""Their names in files."""

NOTHING_LEARNED = 1 + 1e-9
"""Up to this capacity a report tells nothing."""
NO_SHARE = 1e-6
"""Below this, no share of the wrong guesses is said to stay wrong."""


def every_prior_sentence(capacity: float, security: float, *, shown: str, guess: str) -> str:
    """What the two numbers say, in a sentence. shown : what the attacker sees; guess : what is guessed, to follow "a right
    guess".

    Examples
    --------
    >>> said = every_prior_sentence(1.5, 0.5, shown="the report", guess="of the cell")
    >>> said.partition(" (Bayes capacity), and ")[2]
    'of the guesses that would be wrong without it, at least 50 % stay wrong (Bayes security).'
    """
    if capacity <= NOTHING_LEARNED:
        return sentence(
            "Whatever an attacker believes beforehand, {shown} makes a right guess {guess} no likelier (Bayes capacity 1, "
            "Bayes security 100 %).",
            shown=shown,
            guess=guess,
        )
    if security < NO_SHARE:
        stay = sentence("for some beliefs, hardly any guess stays wrong (Bayes security 0 %)")
    else:
        stay = sentence(
            "of the guesses that would be wrong without it, at least {least_still_wrong} stay wrong (Bayes security)",
            least_still_wrong=bound_percent(security, up=False),
        )
    return sentence(
        "Whatever an attacker believes beforehand, {shown} makes a right guess {guess} at most {most_times_right} times as "
        "likely (Bayes capacity), and {stay}.",
        shown=shown,
        guess=guess,
        most_times_right=bound(capacity),
        stay=stay,
    )
