"""What a release promises, and about which secret: one moment, the landmarks with any one other, a stay, or a place that
is always the same.

A budget b changes the odds of two places one radius apart by a factor of at most e^b. Of guesses between two that are
equally likely beforehand, at most ``1 / (1 + e^-b)`` are right. Both hold in every draw, about one moment if moments are
independent. About a stay or a home, someone who knows when one is there adds up all its reports (`inference.known_hours`):
what that reveals is computed, and not promised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from lmdk_widgets.answers.dummies import together
from lmdk_widgets.answers.guarantee import SLACK
from lmdk_widgets.answers.largest_spent import most_of_all, most_of_one, most_together
from lmdk_widgets.answers.lasting_secrets import LastingSecret, home_of, lasting_secrets, stay_of
from lmdk_widgets.answers.odds import counts, most_told
from lmdk_widgets.inference.known_hours import KnownHours
from lmdk_widgets.page.amounts import MILLION, bound, factor, metres, times
from lmdk_widgets.page.answers import NOTHING, guesses, look_of, of_100
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
        """The most that one moment spends, in any draw, counted between two that are `alike`."""
        return most_of_one(self.outcome) * counts(self.outcome)

    @cached_property
    def together_loss(self) -> float:
        """The same for the landmarks and any one other moment together."""
        return most_together(self.outcome) * counts(self.outcome)

    @cached_property
    def all_loss(self) -> float:
        """The same for all moments."""
        return most_of_all(self.outcome) * counts(self.outcome)

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
    def moment(self) -> float:
        """The log odds of one moment change by at most this, in any draw, if moments are independent."""
        return self.one_loss

    @property
    def landmarks(self) -> float | None:
        """The same of the landmarks and any one other moment together; None without landmarks."""
        return self.together_loss if self.outcome.protected else None

    @property
    def guesses(self) -> float:
        """Of 100 guesses about one moment between two that are equally likely, at most so many are right."""
        return 100 * self.one

    @property
    def stay(self) -> KnownHours | None:
        """What the reports of the longest stay reveal at known hours; None where that is not computed."""
        found = stay_of(self.outcome)
        return None if found is None else found.hours

    @property
    def home(self) -> KnownHours | None:
        """The same of the main place of a track."""
        found = home_of(self.outcome)
        return None if found is None else found.hours

    @property
    def chain(self) -> float | None:
        """The log odds of two cells under the chain of the chosen attacker, a what-if: a place within its cell is drawn
        anew at every timestamp; None without a chain."""
        return None if self.outcome.correlation.matrix is None else most_told(self.outcome)

    @property
    def alike(self) -> str:
        """Between which two an attacker guesses, and what the guesses assume: "two equally likely places 200 m apart"."""
        outcome = self.outcome
        if not outcome.kind.placed:
            return outcome.kind.guessed
        if outcome.scenario.mechanism == "randomised":
            return "any two equally likely cells"
        if outcome.reports is None:
            return f"{outcome.kind.guessed} {metres(outcome.scenario.radius_m)} apart"
        return f"two equally likely neighbouring cells of {metres(outcome.scenario.place_m)}"

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
        return f"{of_100(self.one)} of 100" if self.one < NOTHING else "no promise"

    def look(self) -> str:
        """Its colour."""
        return look_of(self.one)

    def short(self) -> str:
        """What the value refers to, in a few words."""
        return "guesses about one moment, at most" if self.one < NOTHING else "about one moment"

    def brief(self) -> str:
        """The line without its details: one moment, the landmarks, and that nothing is promised about what lasts."""
        first = "right guesses about one moment, at most" if self.one < NOTHING else "about one moment"
        kept = of_100(self.together) if self.together < NOTHING else "no promise"
        marks = f"; {kept} about the {self.who.split(' ', 2)[2]}" if self.who else ""  # without their number
        worst = self._unpromised()
        return f"{first}{marks}.{f' No promise about {worst.called}.' if worst else ''}"

    def _unpromised(self) -> LastingSecret | None:
        """The lasting secret that is revealed most, of those about which nothing is promised."""
        open_ = [secret for secret in lasting_secrets(self.outcome) if guesses(secret.hours.most) >= NOTHING]
        return max(open_, key=lambda secret: (secret.hours.tenth, secret.hours.most), default=None)

    def both(self) -> str:
        """The same with the promise for the landmarks, to compare with other settings."""
        if not self.who:
            return self.short()
        kept = f"{of_100(self.together)}" if self.together < NOTHING else "no promise"
        first = "guesses right at most about one moment" if self.one < NOTHING else "about one moment"
        return f"{first}; {kept} about {self.who}"

    def line(self) -> str:
        """What the value refers to, in a line or two."""
        more = ""
        if self.who:
            more = f"; {of_100(self.together) if self.together < NOTHING else 'no promise'} about {self.who}{self._times()}"
        if self.one < NOTHING:
            first = f"guesses between {self.alike} are right at most, about one moment{more}."
        else:
            first = f"about one moment, between {self.alike}{more}. {self.nearer()}".strip()
        return " ".join(filter(None, (first, self.lasting())))

    def lasting(self) -> str:
        """What is promised about what lasts, or else by how much the odds change of what is revealed most; "" where nothing
        lasts."""
        secrets = lasting_secrets(self.outcome)
        kept = [secret for secret in secrets if guesses(secret.hours.most) < NOTHING]
        said = [f"{of_100(guesses(secret.hours.most))} about {secret.called}{self._levels_apart()}" for secret in kept]
        text = [f"At most {_listed(said, 'and')}."] if said else []
        if (worst := self._unpromised()) is not None:
            half, tenth = (f"×{times(loss)}" for loss in (worst.hours.half, worst.hours.tenth))
            none = f"No promise about {worst.called}: odds {half} in half of all releases, {tenth} in one of ten"
            text.append(f"{none}, to someone who knows {self.outcome.kind.known_when}.")
        return " ".join(text)

    def _levels_apart(self) -> str:
        """Between which levels the guesses about a lasting level are; "" where they are as for one moment."""
        kind = self.outcome.kind
        if kind.placed or kind.counts_wrong:
            return ""
        return f", {kind.lasting_apart(self.outcome.scenario, self.outcome.ground)}"

    def _times(self) -> str:
        """How many times the budget the landmarks spend together, where that is more than once."""
        outcome = self.outcome
        over = most_together(outcome) / outcome.allowed
        if over <= 1 + SLACK:
            return ""
        return f", at {bound(over)} {'times the target' if outcome.scenario.spread.plans else 'ε'}"

    def sentence(self) -> str:
        """All of it in words."""
        each = [(self.one, "one moment")]
        if self.who:
            each.append((self.together, f"{self.who} together"))
        if len(self.outcome) > 1:
            each.append((self.all, "all moments together"))
        kept = [f"{of_100(chance)} for {what}" for chance, what in each if chance < NOTHING]
        none = [f"for {what}" for chance, what in each if chance >= NOTHING]
        said = f"Promised against someone who guesses between {self.alike} and knows everything else: "
        if kept:
            said += f"of 100 guesses, of which 50 are right by chance, at most {_listed(kept, 'and')}"
        if none:
            said += f"{'; nothing is promised' if kept else 'nothing'} {_listed(none, 'or')}"
        first = f"{said}. {self.nearer() if self.one >= NOTHING else ''}".strip()
        return " ".join([first, *self.known_sentences()])

    def known_sentences(self) -> list[str]:
        """What the reports of a stay and of the main place reveal to someone who knows when one is there."""
        apart = self.outcome.kind.lasting_apart(self.outcome.scenario, self.outcome.ground)
        return [
            f"{secret.called[:1].upper()}{secret.called[1:]} ({secret.length}), for someone who knows "
            f"{self.outcome.kind.known_when}: the odds {apart} change by a factor of {times(secret.hours.half)} in half "
            f"of all releases, of {times(secret.hours.tenth)} or more in one of ten, {_at_most(secret.hours.most)}."
            for secret in lasting_secrets(self.outcome)
        ]

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


def _at_most(loss: float) -> str:
    """What bounds every release: a promise, or that there is hardly any."""
    if loss > MILLION:
        return "and a release may change them by a factor of more than a million: no promise"
    if guesses(loss) >= NOTHING:
        return f"and a release may change them by a factor of up to {factor(loss)}: no promise"
    return f"and at most by a factor of {factor(loss)}"
