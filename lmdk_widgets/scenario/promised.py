"""What a release promises, in guesses: of 100 between two values that budgets are counted between, 50 are right by
chance.

A budget b changes the odds of two places one radius apart by a factor of at most e^b, so someone who knows all other
moments guesses right at most ``1 / (1 + e^-b)`` of the time. The promise holds whatever the draw, but assumes no chain:
with a chain, the other moments reveal more about a moment (`odds`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lmdk_widgets.page.amounts import bound, metres
from lmdk_widgets.page.answers import NOTHING, guesses, of_100
from lmdk_widgets.scenario.dummies import together
from lmdk_widgets.scenario.guarantee import SLACK
from lmdk_widgets.scenario.odds import counts
from lmdk_widgets.scenario.outcome import Outcome

SHORTEST_M = 1.0
"""Nobody asks about places nearer than this."""


@dataclass(frozen=True, eq=False, repr=False)
class Promised:
    """What an outcome promises, whatever the draw.

    Attributes
    ----------
    outcome : whose budgets they are.
    """

    outcome: Outcome

    @cached_property
    def one_loss(self) -> float:
        """The most that one moment spends, in any draw, counted between two that are `apart`."""
        scenario, here = self.outcome.scenario, float(self.outcome.budgets.max())
        most = scenario.spread.largest(scenario.epsilon, scenario.window, here) if scenario.spread.online else here
        return most * counts(self.outcome)

    @cached_property
    def together_loss(self) -> float:
        """The same for the landmarks and any one other moment together."""
        outcome, scenario = self.outcome, self.outcome.scenario
        if not scenario.spread.online:
            return float(outcome.totals.max()) * counts(outcome)
        more = 1 if len(outcome.protected) < len(outcome) else 0
        times = _windows(outcome.protected, scenario.window) + more if scenario.spread.windowed else 1
        each = (len(outcome.protected) + more) * self.one_loss
        return min(times * scenario.epsilon * counts(outcome), each, self.all_loss)

    @cached_property
    def all_loss(self) -> float:
        """The same for all moments: under Adaptive the landmarks with one other stay within epsilon, as does each
        further one."""
        outcome, scenario, n = self.outcome, self.outcome.scenario, len(self.outcome)
        if not scenario.spread.online:
            return float(outcome.budgets.sum()) * counts(outcome)
        times = math.ceil(n / scenario.window) if scenario.spread.windowed else max(n - len(outcome.protected), 1)
        return min(times * scenario.epsilon * counts(outcome), n * self.one_loss)

    @property
    def one(self) -> float:
        """The largest chance of a right guess about one moment."""
        return guesses(self.one_loss)

    @property
    def together(self) -> float:
        """The same about the landmarks and any one other moment."""
        return guesses(self.together_loss)

    @property
    def all(self) -> float:
        """The same about all moments."""
        return guesses(self.all_loss)

    @property
    def apart(self) -> str:
        """Between which two an attacker guesses."""
        outcome = self.outcome
        if not outcome.kind.placed:
            return outcome.kind.guessed
        if outcome.scenario.mechanism == "randomised":
            return "any two cells"
        if outcome.reports is None:
            return f"{outcome.kind.guessed} {metres(outcome.scenario.radius_m)} apart"
        return f"two neighbouring cells of {metres(outcome.scenario.place_m)}"

    @property
    def who(self) -> str:
        """The landmarks, and any one other moment where there is one; "" without landmarks."""
        outcome = self.outcome
        if not outcome.protected:
            return ""
        marks = together(outcome)
        return f"the {marks} and any one other" if len(outcome.protected) < len(outcome) else f"the {marks}"

    def value(self) -> str:
        """The promise for one moment, in a few characters."""
        return f"{of_100(self.one)} of 100" if self.one < NOTHING else "nothing"

    def short(self) -> str:
        """What the value refers to, in a few words."""
        return "guesses right at most; 50 is chance" if self.one < NOTHING else "is promised about one moment"

    def both(self) -> str:
        """The same with the promise for the landmarks, to compare with other settings."""
        if not self.who:
            return self.short()
        kept = f"{of_100(self.together)}" if self.together < NOTHING else "nothing is promised"
        first = "guesses right at most about one moment" if self.one < NOTHING else "is promised about one moment"
        return f"{first}; {kept} about {self.who}"

    def line(self) -> str:
        """What the value refers to, in a line."""
        if self.one >= NOTHING:
            nothing = f"is promised about one moment, between {self.apart}: all of 100 guesses may be right."
            return f"{nothing} {self.nearer()}".strip()
        most = of_100(self.together) if self.together < NOTHING else "no promise"
        more = f"; {most} about {self.who}{self._times()}" if self.who else ""
        known = "50 is chance. Correlation may add more."
        return f"guesses, at most, are right about one moment, between {self.apart}{more}. {known}"

    def _times(self) -> str:
        """How many times the budget the landmarks spend together, where that is more than once."""
        outcome = self.outcome
        if outcome.overrun <= 1 + SLACK:
            return ""
        return f", at {bound(outcome.overrun)} {'times the target' if outcome.scenario.spread.plans else 'ε'}"

    def sentence(self) -> str:
        """All of it in words."""
        each = [(self.one, "one moment")]
        if self.who:
            each.append((self.together, f"{self.who} together"))
        if len(self.outcome) > 1:
            each.append((self.all, "all moments together"))
        kept = [f"{of_100(chance)} for {what}" for chance, what in each if chance < NOTHING]
        none = [f"for {what}" for chance, what in each if chance >= NOTHING]
        said = f"Promised against someone who guesses between {self.apart} and knows everything else: "
        if kept:
            said += f"of 100 guesses, of which 50 are right by chance, at most {_listed(kept, 'and')}"
        if none:
            said += f"{'; nothing is promised' if kept else 'nothing'} {_listed(none, 'or')}"
        return f"{said}. {self.nearer() if self.one >= NOTHING else ''}".strip()

    def nearer(self) -> str:
        """The distance at which something is promised about one moment, where nothing is promised between two that are
        `apart`."""
        outcome = self.outcome
        if outcome.reports is not None:
            return "Two places in one cell are not told apart at all."
        if not outcome.kind.placed or (far := outcome.scenario.radius_m / self.one_loss) < SHORTEST_M:
            return ""
        digit = 10.0 ** math.floor(math.log10(far))
        near = math.floor(far / digit) * digit
        chance = guesses(self.one_loss * near / outcome.scenario.radius_m)
        return f"Between two places {metres(near)} apart, at most {of_100(chance)} of 100 are."


def _listed(parts: list[str], before_last: str) -> str:
    """Parts of a sentence, one after the other."""
    *first, last = parts
    return f"{', '.join(first)}{',' * (len(first) > 1)} {before_last} {last}" if first else last


def _windows(landmarks: tuple[int, ...], window: int) -> int:
    """How many windows cover them, from the first on.

    Examples
    --------
    >>> _windows((0, 2, 4, 7), 3), _windows((), 3)
    (3, 0)
    """
    covered, found = -1, 0
    for at in np.sort(landmarks).tolist():
        if at > covered:
            covered, found = at + window - 1, found + 1
    return found
