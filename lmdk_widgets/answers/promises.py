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
from lmdk_widgets.page.sentences import capital, join, listed, sentence
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
            apart = metres(outcome.scenario.radius_m)
            return sentence("{guessed} {radius} apart", guessed=outcome.kind.guessed, radius=apart)
        side = metres(outcome.scenario.place_m)
        return sentence("two equally likely neighbouring cells of {cell_side}", cell_side=side)

    @property
    def who(self) -> str:
        """The landmarks, and any one other moment where there is one; "" without landmarks."""
        outcome = self.outcome
        if not outcome.protected:
            return ""
        marks = together(outcome)
        if len(outcome.protected) < len(outcome):
            return sentence("the {protected} and any one other", protected=marks)
        return sentence("the {protected}", protected=marks)

    def value(self) -> str:
        """The promise for one moment, in a few characters."""
        return sentence("{most_right} of 100", most_right=of_100(self.one)) if self.one < NOTHING else "no promise"

    def look(self) -> str:
        """Its colour."""
        return look_of(self.one)

    def short(self) -> str:
        """What the value refers to, in a few words."""
        return "guesses about one moment, at most" if self.one < NOTHING else "about one moment"

    def brief(self) -> str:
        """The line without its details: one moment, the landmarks, and that nothing is promised about what lasts."""
        first = "right guesses about one moment, at most" if self.one < NOTHING else "about one moment"
        marks: str = ""
        if self.who:
            names = self.who.split(" ", 2)[2]  # without their number
            marks = sentence("; {kept_promise} about the {landmarks}", kept_promise=self._kept, landmarks=names)
        worst = self._unpromised()
        open_ = f" No promise about {worst.called}." if worst else ""
        return sentence("{first}{marks}.{open}", first=first, marks=marks, open=open_)

    @property
    def _kept(self) -> str:
        """The promise for the landmarks and any one other moment, in a few characters."""
        if self.together >= NOTHING:
            return "no promise"
        return of_100(self.together)

    def _unpromised(self) -> LastingSecret | None:
        """The lasting secret that is revealed most, of those about which nothing is promised."""
        open_ = [secret for secret in lasting_secrets(self.outcome) if guesses(secret.hours.most) >= NOTHING]
        return max(open_, key=lambda secret: (secret.hours.tenth, secret.hours.most), default=None)

    def both(self) -> str:
        """The same with the promise for the landmarks, to compare with other settings."""
        if not self.who:
            return self.short()
        first = "guesses right at most about one moment" if self.one < NOTHING else "about one moment"
        return sentence("{first}; {kept_promise} about {who}", first=first, kept_promise=self._kept, who=self.who)

    def line(self) -> str:
        """What the value refers to, in a line or two."""
        more: str = ""
        if self.who:
            more = sentence(
                "; {kept_promise} about {who}{over_budget}",
                kept_promise=self._kept,
                who=self.who,
                over_budget=self._times(),
            )
        if self.one < NOTHING:
            right = "guesses between {alike} are right at most, about one moment{more}."
            return join((sentence(right, alike=self.alike, more=more), self.lasting()), " ")
        first = sentence("about one moment, between {alike}{more}.", alike=self.alike, more=more)
        return join((first, self.nearer(), self.lasting()), " ")

    def lasting(self) -> str:
        """What is promised about what lasts, or else by how much the odds change of what is revealed most; "" where nothing
        lasts."""
        secrets = lasting_secrets(self.outcome)
        kept = [secret for secret in secrets if guesses(secret.hours.most) < NOTHING]
        said = [
            sentence(
                "{most_right_lasting} about {secret}{levels_apart}",
                most_right_lasting=of_100(guesses(secret.hours.most)),
                secret=secret.called,
                levels_apart=self._levels_apart(),
            )
            for secret in kept
        ]
        text: list[str] = [sentence("At most {lasting}.", lasting=listed(said, comma=True))] if said else []
        if (worst := self._unpromised()) is not None:
            none = sentence(
                "No promise about {secret}: odds ×{half_odds} in half of all releases, ×{tenth_odds} in one of ten, to "
                "someone who knows {known_when}.",
                secret=worst.called,
                half_odds=times(worst.hours.half),
                tenth_odds=times(worst.hours.tenth),
                known_when=self.outcome.kind.known_when,
            )
            text.append(none)
        return join(text, " ") if text else ""

    def _levels_apart(self) -> str:
        """Between which levels the guesses about a lasting level are; "" where they are as for one moment."""
        kind = self.outcome.kind
        if kind.placed or kind.counts_wrong:
            return ""
        return sentence(", {apart}", apart=kind.lasting_apart(self.outcome.scenario, self.outcome.ground))

    def _times(self) -> str:
        """How many times the budget the landmarks spend together, where that is more than once."""
        outcome = self.outcome
        over = most_together(outcome) / outcome.allowed
        if over <= 1 + SLACK:
            return ""
        what = "times the target" if outcome.scenario.spread.plans else "ε"
        return sentence(", at {times_allowed} {what}", times_allowed=bound(over), what=what)

    def sentence(self) -> str:
        """All of it in words."""
        each = [(self.one, "{most_right} for {what}", "one moment")]
        if self.who:
            landmarks = sentence("{who} together", who=self.who)
            each.append((self.together, "{most_right_together} for {what}", landmarks))
        if len(self.outcome) > 1:
            each.append((self.all, "{most_right_all} for {what}", "all moments together"))
        names = ("most_right", "most_right_together", "most_right_all")
        kept = [
            sentence(template, what=what, **dict.fromkeys(names, of_100(chance)))
            for chance, template, what in each
            if chance < NOTHING
        ]
        none = [sentence("for {what}", what=what) for chance, _, what in each if chance >= NOTHING]
        right: str = ""
        if kept:
            right = sentence(
                "of 100 guesses, of which 50 are right by chance, at most {kept}", kept=listed(kept, comma=True)
            )
        nothing: str = ""
        if none:
            open_ = listed(none, "or", comma=True)
            nothing = sentence("{nothing} {open}", nothing="; nothing is promised" if kept else "nothing", open=open_)
        first = sentence(
            "Promised against someone who guesses between {alike} and knows everything else: {right}{nothing}.",
            alike=self.alike,
            right=right,
            nothing=nothing,
        )
        return join([first, self.nearer() if self.one >= NOTHING else "", *self.known_sentences()], " ")

    def known_sentences(self) -> list[str]:
        """What the reports of a stay and of the main place reveal to someone who knows when one is there."""
        apart = self.outcome.kind.lasting_apart(self.outcome.scenario, self.outcome.ground)
        return [
            sentence(
                "{secret} ({length}), for someone who knows {known_when}: the odds {apart} change by a factor of {half_odds} "
                "in half of all releases, of {tenth_odds} or more in one of ten, {at_most}.",
                secret=capital(secret.called),
                length=secret.length,
                known_when=self.outcome.kind.known_when,
                apart=apart,
                half_odds=times(secret.hours.half),
                tenth_odds=times(secret.hours.tenth),
                at_most=_at_most(secret),
            )
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
        return sentence(
            "Between two places {nearer} apart, at most {most_right_nearer} of 100 are.",
            nearer=metres(near),
            most_right_nearer=of_100(chance),
        )


def _at_most(secret: LastingSecret) -> str:
    """What bounds every release: a promise, or that there is hardly any."""
    loss, of = secret.hours.most, {"about": secret.called}
    if loss > MILLION:
        return sentence("and a release may change them by a factor of more than a million: no promise")
    if guesses(loss) >= NOTHING:
        may = "and a release may change them by a factor of up to {most_lasting_factor}: no promise"
        return sentence(may, most_lasting_factor=factor(loss), **of)
    return sentence("and at most by a factor of {most_lasting_factor}", most_lasting_factor=factor(loss), **of)
