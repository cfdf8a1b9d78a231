"""The limits that a release is judged by: choices with presets, for a page and for programs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from lmdk_widgets.answers.averaging_attack import LIKELY_RED, Found, FoundAnswer
from lmdk_widgets.answers.found_places import RADIUS, FoundPlace
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import limit
from lmdk_widgets.scenario.model import LENGTHS, Scenario
from lmdk_widgets.scenario.outcome import Outcome

SURE_Z = 8.0
"""Standard deviations beyond which a vote is as good as always right."""


@dataclass(frozen=True)
class Limits(Choices):
    """What a release must keep to. None: no such limit.

    Attributes
    ----------
    found_m : nothing lasting is found nearer than this in half of all releases, metres or the unit of a series; for answers
        the most guesses of 100 that are right. "radius": the protection radius of a track, the level width of numbers, and
        for answers 72 of 100, which is what a place at that distance gives. Where no place lasts, each report counts.
    useful_share : a careful reader's error is at most this share of the error without a release.
    guesses : of 100 guesses about one moment at most so many are right, 50 to 100.

    Raises
    ------
    InputError : a limit that is no number, or out of its range.

    Examples
    --------
    >>> Limits(), Limits(found_m=None, guesses=60)
    (Limits(found_m='radius', useful_share=0.5, guesses=None), Limits(found_m=None, useful_share=0.5, guesses=60.0))
    """

    found_m: float | str | None = limit(
        RADIUS, LENGTHS, "Found, no nearer than", preset=RADIUS, subject="The limit of what is found"
    )
    useful_share: float | None = limit(
        0.5, (1e-3, 1.0), "Reader's error, at most this share of that without a release", subject="The limit of useful"
    )
    guesses: float | None = limit(
        None, (50.0, 100.0), "Right guesses about one moment, at most", unit="of 100", subject="The limit of guesses"
    )

    @property
    def is_set(self) -> bool:
        """Whether there is any limit."""
        return any(each is not None for each in (self.found_m, self.useful_share, self.guesses))


def found_limit(limits: Limits, outcome: Outcome) -> float | None:
    """The limit of what is found in the unit of these data: metres, that of a series, or guesses of 100; None for none.

    Examples
    --------
    >>> from lmdk_widgets.scenario import evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> found_limit(Limits(), evaluate(Scenario(radius_m=300.0), sample("bob")))
    300.0
    """
    scenario: Scenario = outcome.scenario
    if limits.found_m is None or not isinstance(limits.found_m, str):
        return limits.found_m
    if outcome.kind.placed:
        return scenario.radius_m
    return 100 * LIKELY_RED if outcome.kind.counts_wrong else scenario.level_width


def found_reach(found: Found, limit: float) -> float:
    """How far an attacker is off, as a multiple of the limit: it is missed below 1, and about proportional to 1 / epsilon.

    Infinite where nothing is found.
    """
    if not found.is_found:
        return math.inf
    if isinstance(found, FoundAnswer):
        far, most = _far(found.right), _far(limit / 100)
        return most / far if far > 0 else math.inf
    return _nearest(found) / limit


def _nearest(found: Found) -> float:
    """In half of all releases, in the unit of the data; of a track the nearest of its lasting places."""
    return found.places[0].found_m if isinstance(found, FoundPlace) and not found.few else found.within()


def _far(chance: float) -> float:
    """Standard deviations of a vote that is right with this chance."""
    return SURE_Z if chance >= NormalDist().cdf(SURE_Z) else max(NormalDist().inv_cdf(max(chance, 0.5)), 0.0)


def most_loss(guesses: float) -> float:
    """The log odds at which at most so many of 100 guesses are right.

    Examples
    --------
    >>> round(most_loss(73.10586), 4), most_loss(50.0), most_loss(100.0)
    (1.0, 0.0, inf)
    """
    share = guesses / 100
    return math.inf if share >= 1 else math.log(share / (1 - share))
