"""What an outcome is judged by: the three answers of its page, each against its limit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from lmdk_widgets.answers.averaging_attack import Found
from lmdk_widgets.answers.exposure import found_of
from lmdk_widgets.answers.found_places import FoundPlace, Place
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.report_budgets import DRAWN
from lmdk_widgets.answers.usefulness import RESULT, ReaderWorth, known_useful, useful, useful_of
from lmdk_widgets.page.panel import Result
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.verdict.limits import Limits, found_limit, found_reach, most_loss

SLACK = 1e-9
"""Rounding by which a number may miss its limit."""


@dataclass(frozen=True, eq=False, repr=False)
class Judged:
    """An outcome and its limits: which are missed, and by how much.

    A page's outcome is judged by what the page has computed so far; any other is computed here.

    Attributes
    ----------
    outcome : of `evaluate`. limits : what it must keep to. computes : whether what is not known is computed here.
    """

    outcome: Outcome
    limits: Limits
    computes: bool = True

    @property
    def stands_in(self) -> bool:
        """Whether a release replaces the true data: then there is no verdict."""
        return self.outcome.trajectory.name == RELEASE_NAME

    @cached_property
    def found(self) -> Found | None:
        """What averaging finds; None while it is computed, and for cells."""
        if self.outcome.in_place or (DRAWN in self.outcome.results and self.outcome.found(DRAWN) is None):
            return None
        return found_of(self.outcome)

    @cached_property
    def worth(self) -> ReaderWorth | None:
        """What the release is worth to a careful reader; None while a page computes it."""
        if self.outcome.in_place:
            return None
        if RESULT in self.outcome.results or not self.computes:
            return useful_of(self.outcome)
        return known_useful(self.outcome) or useful(self.outcome)

    @cached_property
    def promised(self) -> Promised:
        """What is promised."""
        return Promised(self.outcome)

    @property
    def found_limit(self) -> float | None:
        """In the unit of the data."""
        return found_limit(self.limits, self.outcome)

    @property
    def useful_limit(self) -> float | None:
        """The largest error of a reader, metres or in the unit of a series."""
        worth, share = self.worth, self.limits.useful_share
        return None if worth is None or share is None else share * worth.nothing

    @cached_property
    def found_reach(self) -> float:
        """How far an attacker is off as a multiple of the limit; infinite where nothing is found, NaN where that is not
        known."""
        if self.found_limit is None:
            return math.inf
        return math.nan if self.found is None else found_reach(self.found, self.found_limit)

    @cached_property
    def useful_reach(self) -> float:
        """The limit of the reader's error as a multiple of that error; NaN while it is computed."""
        if self.limits.useful_share is None:
            return math.inf
        most = self.useful_limit
        if most is None or self.worth is None:
            return math.nan
        return most / self.worth.reader if self.worth.reader else math.inf

    @cached_property
    def guesses_reach(self) -> float:
        """The limit of the loss of one moment as a multiple of that loss."""
        if self.limits.guesses is None:
            return math.inf
        if self.outcome.in_place:
            return math.nan
        loss = self.promised.one_loss
        return most_loss(self.limits.guesses) / loss if loss else math.inf

    @property
    def reaches(self) -> tuple[float, float, float]:
        """Found, useful and guesses: a limit is missed below 1."""
        return self.found_reach, self.useful_reach, self.guesses_reach

    @property
    def missed(self) -> tuple[bool, bool, bool]:
        """Which limits are known to be missed."""
        found, reader, guesses = (reach < 1 - SLACK for reach in self.reaches)
        return found, reader, guesses

    @property
    def unknown(self) -> tuple[bool, bool, bool]:
        """Which are not known."""
        found, reader, guesses = (math.isnan(reach) for reach in self.reaches)
        return found, reader, guesses

    @property
    def meets(self) -> bool | None:
        """Whether every limit is kept; None without limits, while one is not known, and where a release replaces the
        true data."""
        if self.stands_in or not self.limits.is_set:
            return None
        if any(self.missed):
            return False
        return None if any(self.unknown) else True

    @property
    def near(self) -> tuple[Place, ...]:
        """The lasting places that are found nearer than the limit, nearest first."""
        if self.found_limit is None or not isinstance(self.found, FoundPlace):
            return ()
        most = min(self.found_limit * (1 - SLACK), self.found.most_m)
        return tuple(place for place in self.found.places if place.found_m < most)

    @property
    def shortfall(self) -> float:
        """The smallest of the three multiples: how far the worst limit is missed."""
        return min(self.reaches)

    @property
    def silent(self) -> int:
        """How many timestamps have no report of their own under a scheme that knows its budgets beforehand."""
        return 0 if self.outcome.scenario.spread.online else int((~self.outcome.published).sum())


def with_worth(outcome: Outcome, worth: ReaderWorth) -> Outcome:
    """An outcome with what it is worth to a reader."""
    return outcome.improved(results={**outcome.results, RESULT: Result(None, worth, done=True)})
