"""The part on adding up: what stacked releases guarantee together, and what is left of it when people are correlated.

First the numbers, then the sentences, the table, the charts and the file: which rule counts what, and how each fails when
people depend on each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.anonymity.correlation import Correlation, data_correlation
from lmdk_widgets.composition import (
    group,
    laplace_epsilon,
    parallel,
    planar_laplace_epsilon,
    response_epsilon,
    sequential,
    trade_off,
)
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.noise import TWO_COINS
from lmdk_widgets.page.amounts import amount, bound, change, count, every, factor, percent, whole
from lmdk_widgets.page.answers import NOTHING, Answer, guesses, out_of_100
from lmdk_widgets.page.blocks import Notes, Table
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.table.model import MAX_RELEASES, SOURCES, TableChoices
from lmdk_widgets.pages.table.scenes import JOINT

ALONE = ((0.25, 0.25), (0.25, 0.25))
"""Donald at work and Dewey at home, each with chance 1/2 and independently."""

TIED = 2
"""How many people always do the same, if the data are correlated."""
SIX_SEVENTHS = "(6/7)"


MECHANISMS = (
    ("numbers", "Laplace noise", laplace_epsilon),
    ("answers", "randomised response, or any mechanism", response_epsilon),
    ("points", "planar Laplace noise", planar_laplace_epsilon),
)
"""What is released, what the mechanism is called, and its epsilon at a delta."""

CURVES = (("pure", "any, by the sum"), ("response", "answers"), ("laplace", "numbers"), ("planar_laplace", "points"))
"""Trade-off curves, by their kinds."""

FEW = 1e-4
"""A share below which a test misses hardly anyone."""


class Repeated(NamedTuple):
    """All releases, made several times, for the person who pays most.

    Attributes
    ----------
    by_sums : epsilon. at_delta : epsilon at the delta, for each of `MECHANISMS`. false_alarm : shares of false alarms.
    missed : for each of `CURVES`, what the best test misses.
    """

    by_sums: float
    at_delta: tuple[float, ...]
    false_alarm: list[float]
    missed: tuple[list[float], ...]


@dataclass(frozen=True, eq=False)
class StackedReleases:
    """Several releases together.

    Attributes
    ----------
    everybody : the sum of those from everybody. of_part : the sum of those from each disjoint part.
    largest : the largest of the parts' sums, 0 if there are none. together : the epsilon of all releases.
    left : of the budget.
    repeated : when all releases are made several times.
    tied : what the releases from everybody may reveal about two people who always do the same.
    family : what those from the parts may reveal about a family with one in each, who always do the same.
    coins : what two coins tell about Donald, by his own answer and by Dewey's too.
    """

    everybody: float
    of_part: tuple[float, ...]
    largest: float
    together: float
    left: float
    repeated: Repeated
    tied: float
    family: float
    coins: Correlation

    @property
    def bound(self) -> float:
        """The most that a belief of one half can become after Donald's answer."""
        return 1 / (1 + exp(-TWO_COINS.epsilon))


def stacked_of(choices: TableChoices) -> StackedReleases:
    """What the stacked releases guarantee together; refused if they exceed the budget.

    Examples
    --------
    >>> found = stacked_of(TableChoices(part="adding", correlated=True))
    >>> found.together, found.family, round(float(found.coins.after_both[0]), 6)
    (0.75, 0.5, 0.857143)
    """
    releases, sources = choices.releases, [int(source) for source in choices.sources]
    if len(releases) != len(sources):
        raise InputError("Each release must have a source", value=f"{len(releases)} and {len(sources)}")
    sums = [
        sequential([0.0, *(epsilon for epsilon, source in zip(releases, sources, strict=True) if source == place)])
        for place in range(len(SOURCES))
    ]
    everybody, of_part = sums[0], tuple(sums[1:])
    largest = parallel(of_part)
    together = sequential([everybody, largest])
    if together > choices.budget * (1 + 1e-12):
        remedy = "Remove a release, make one smaller, or compute from the existing ones, which costs nothing"
        what = sentence("All releases together must cost at most the budget of {budget}", budget=amount(choices.budget))
        raise InputError(what, value=amount(together), remedy=remedy)
    rows = [[TWO_COINS.yes_if_yes, 1 - TWO_COINS.yes_if_yes], [TWO_COINS.yes_if_no, 1 - TWO_COINS.yes_if_no]]
    return StackedReleases(
        everybody,
        of_part,
        largest,
        together,
        max(0.0, choices.budget - together),
        _repeated(choices, sources),
        group(everybody, TIED),
        sequential(of_part),
        data_correlation(JOINT if choices.correlated else ALONE, rows, rows, 0, 0),
    )


def _repeated(choices: TableChoices, sources: list[int]) -> Repeated:
    """A person is in one part at most: the one who pays most, by each measure."""
    releases = np.array(choices.releases)
    of_person = [np.tile(releases[np.isin(sources, (0, part))], choices.repeats) for part in range(1, len(SOURCES))]
    of_person = [spent for spent in of_person if spent.any()] or [np.zeros(1)]
    dearest = max(of_person, key=sequential)
    drawn = [trade_off(kind, epsilons=dearest, points=101) for kind, _ in CURVES]
    return Repeated(
        sequential(dearest),
        tuple(max(found(spent, choices.delta) for spent in of_person) for _, _, found in MECHANISMS),
        drawn[0][0].tolist(),
        tuple(missed.tolist() for _, missed in drawn),
    )


def stacked_answers(choices: TableChoices, found: StackedReleases) -> tuple[Answer, Answer, Answer]:
    """What is left of the budget, what is promised when all releases are repeated, and when they are made once."""
    line_ = sentence("of the budget of {budget} is left for further releases.", budget=amount(choices.budget))
    left = Answer("Left", amount(found.left), line_, short="of the budget")
    if found.left < 1e-9:
        left = Answer(
            "Left",
            "nothing",
            sentence("of the budget of {budget} is left.", budget=amount(choices.budget)),
            "red",
            "of the budget",
        )
    often = _guessed(
        "Repeated", sentence("after all are made {times}, by sums", times=_times(choices)), found.repeated.by_sums
    )
    if not choices.correlated:
        return left, often, _guessed("Promised", "about whether a person is in the data", found.together)
    own, both = (percent(float(after[0])) for after in (found.coins.after_own, found.coins.after_both))
    line_ = sentence(
        "is promised about people who depend on each other: two answers take a belief to {belief_after_both}, "
        "one to {belief_after_own}.",
        belief_after_both=both,
        belief_after_own=own,
    )
    return left, often, Answer("Promised", "nothing", line_, "red", "about dependent people")


def _guessed(name: str, when: str, loss: float) -> Answer:
    if guesses(loss) >= NOTHING:
        return Answer(
            name,
            "nothing",
            sentence("is promised {when}: ε = {most_loss}.", when=when, most_loss=bound(loss)),
            "red",
            "is promised",
        )
    line_ = sentence("guesses between equally likely cases, at most, are right {when}; 50 is chance.", when=when)
    return Answer(name, out_of_100(guesses(loss)), line_, short="guesses right at most")


def stacked_words(choices: TableChoices, found: StackedReleases) -> Notes:
    """What the releases cost together, and whether that is true of the data."""
    paragraph = f"{_odds(choices, found)} {_rules(choices, found)} {_over_time(choices, found)} "
    paragraph += _correlated(found) if choices.correlated else _alone(found)
    return Notes(paragraph, _guarantee(choices, found), tuple(_warnings(choices, found)))


def _odds(choices: TableChoices, found: StackedReleases) -> str:
    """What anyone who sees the releases can learn about a person, in everyday words."""
    if choices.correlated:
        own, both = (factor(loss) for loss in (found.coins.most_own, found.coins.most_both))
        return sentence(
            "People here depend on each other, so what one says reveals something about another: two answers change "
            "the odds that Donald is at work by a factor of up to {most_both_odds}, of which his own answer explains "
            "at most {most_own_odds}.",
            most_both_odds=both,
            most_own_odds=own,
        )
    seen = "the release" if len(choices.releases) == 1 else every(len(choices.releases), "releases")
    who = sentence("Anyone who sees {seen}", seen=seen)
    changed = change(who, "the odds that a person is in the data", found.together)
    return sentence("{changed}.", changed=changed)


def _rules(choices: TableChoices, found: StackedReleases) -> str:
    parts = sum(value > 0 for value in found.of_part)
    releases = count(len(choices.releases), "release")
    said = sentence(
        "{releases} cost ε = {together} together",
        releases=Written(releases.capitalize(), len(choices.releases)),
        together=amount(found.together),
    )
    if len(choices.releases) == 1:
        said = sentence("One release costs ε = {together}", together=amount(found.together))
    of_parts = ""
    if parts:
        which = "one part" if parts == 1 else count(parts, "disjoint part")
        of_parts = sentence(
            ", and of {parts} the largest sum counts, {largest}", parts=which, largest=amount(found.largest)
        )
    computed = sum(epsilon == 0 for epsilon in choices.releases)
    free = ", and what is computed from releases alone costs nothing" if computed else ""
    left = sentence(
        "Of the budget of {budget}, {left} is left.", budget=amount(choices.budget), left=amount(found.left)
    )
    if found.left < 1e-9:
        left = sentence(
            "The budget of {budget} has run out: nothing more can be released, only computed.",
            budget=amount(choices.budget),
        )
    return sentence(
        "{said}: those from everybody add up to {everybody}{of_parts}{free}. {budget_left}",
        said=said,
        everybody=amount(found.everybody),
        of_parts=of_parts,
        free=free,
        budget_left=left,
    )


def _over_time(choices: TableChoices, found: StackedReleases) -> str:
    """What repeating costs, by sums and at the delta."""
    all_of = found.repeated
    numbers, answers, points = (
        sentence("at most {most_at_delta} by {how} ({what})", most_at_delta=bound(epsilon), how=how, what=what)
        for (what, how, _), epsilon in zip(MECHANISMS, all_of.at_delta, strict=True)
    )
    return sentence(
        "Made {times}, they cost one person ε = {repeated} by sums; with δ = {delta} {numbers}, {answers}, {points}.",
        times=_times(choices),
        repeated=amount(all_of.by_sums),
        delta=amount(choices.delta),
        numbers=numbers,
        answers=answers,
        points=points,
    )


def _times(choices: TableChoices) -> str:
    return "once" if choices.repeats == 1 else sentence("{repeats} times", repeats=whole(choices.repeats))


def _alone(found: StackedReleases) -> str:
    own = percent(float(found.coins.after_own[0]))
    both = percent(float(found.coins.after_both[0]))
    return sentence(
        "With two coins, a belief of 50 % about Donald becomes {belief_after_own} by his answer, and stays "
        "{belief_after_both} after Dewey's.",
        belief_after_own=own,
        belief_after_both=both,
    )


def _correlated(found: StackedReleases) -> str:
    own, both = (percent(float(after[0])) for after in (found.coins.after_own, found.coins.after_both))
    one = sentence(
        "up to {most_two_alike} instead of {most_everybody}",
        most_two_alike=bound(found.tied),
        most_everybody=bound(found.everybody),
    )
    if found.tied == found.everybody:
        one = sentence("the same, up to {most_everybody}", most_everybody=bound(found.everybody))
    family = sentence(
        "up to {most_family} instead of {most_largest}",
        most_family=bound(found.family),
        most_largest=bound(found.largest),
    )
    if found.family == found.largest:
        family = sentence("the same, up to {most_largest}", most_largest=bound(found.largest))
    return sentence(
        "But the data are correlated. About two people who always do the same, the releases from everybody tell "
        "{two_alike}; about a family with one in each part, those from the parts tell {family}. With two coins, a belief "
        "of 50 % about Donald becomes {belief_after_own} by his own answer, and {belief_after_both} {as_a_fraction} "
        "after Dewey's.",
        two_alike=one,
        family=family,
        belief_after_own=own,
        belief_after_both=both,
        as_a_fraction=SIX_SEVENTHS,
    )


def _guarantee(choices: TableChoices, found: StackedReleases) -> str:
    who = "anyone who sees all releases, whatever else they know"
    if choices.correlated:
        return sentence(
            "What is protected: a person's own record, with ε = {most_together}, but not what the records of others "
            "tell about the person: the rules above do not bound that. Against whom: {who}. Under which assumption: "
            "none that would bound it; a belief about the correlation does, as Series and Track show.",
            most_together=bound(found.together),
            who=who,
        )
    return sentence(
        "What is protected: a person's record in all releases, with ε = {most_together}. Against whom: {who}. "
        "Under which assumption: each release has fresh noise, parts have nobody in common and nobody chooses "
        "one after looking at others, and no record depends on another. Neighbours add or remove a person.",
        most_together=bound(found.together),
        who=who,
    )


def _warnings(choices: TableChoices, found: StackedReleases) -> list[str]:
    said: list[str] = []
    largest = sorted(found.of_part, reverse=True)
    if largest[1] > 0:
        moved = bound(found.everybody + largest[0] + largest[1])
        said.append(
            sentence(
                "If a person may be replaced, and so move from one part to another, the two largest parts add up: ε = "
                "{most_moved} together, if each ε is counted for replacing.",
                most_moved=moved,
            )
        )
    if choices.correlated:
        said.append("No composition rule holds unchanged for what is learned about people who depend on each other.")
    return said


_WHY = (
    ("the sum", "two people who always do the same"),
    ("the largest sum", "a family with one in each part, who always do the same"),
    ("nothing but releases is looked at", "still free: it cannot undo what the releases told"),
    ("Dewey's answer tells nothing about Donald", "both answers together, at most"),
)
"""Why each rule gives what it does, without and with correlation."""


def stacked_table(choices: TableChoices, found: StackedReleases) -> Table:
    """Each rule: what it says, what is true here, and why."""
    bad = choices.correlated
    own, both = (exp(value) for value in (found.coins.most_own, found.coins.most_both))
    rows = (
        ("sequential: from everybody", bound(found.everybody), bound(found.tied if bad else found.everybody)),
        ("parallel: disjoint parts", bound(found.largest), bound(found.family if bad else found.largest)),
        ("post-processing", "0", "0"),
        (
            "two coins: odds of Donald",
            sentence("{most_own_odds} times", most_own_odds=bound(own)),
            sentence("{most_both_odds} times", most_both_odds=bound(both)),
        ),
    )
    told = [(*row, why[bad]) for row, why in zip(rows, _WHY, strict=True)]
    all_of = found.repeated
    told.append(
        (
            sentence("{repeats} times, by sums", repeats=whole(choices.repeats)),
            bound(all_of.by_sums),
            bound(all_of.by_sums),
            "of one person, δ = 0",
        )
    )
    for (what, how, _), epsilon in zip(MECHANISMS, all_of.at_delta, strict=True):
        name = sentence("{repeats} times, {what}", repeats=whole(choices.repeats), what=what)
        told.append(
            (name, bound(epsilon), bound(epsilon), sentence("{how}, δ = {delta}", how=how, delta=amount(choices.delta)))
        )
    return Table.of_texts("The rules", ("rule", "says", "here, up to", "because"), told)


def stacked_told(choices: TableChoices, found: StackedReleases) -> dict[str, Any]:
    """The stack of releases, for its controls."""
    stack, start = [], [0.0] * len(SOURCES)
    start[1:] = [found.everybody] * (len(SOURCES) - 1)  # the parts are side by side, after what everybody pays
    for epsilon, source in zip(choices.releases, map(int, choices.sources), strict=True):
        stack.append({"epsilon": epsilon, "source": source, "start": start[source], "said": amount(epsilon)})
        start[source] += epsilon
    return {
        "stack": stack,
        "sources": list(SOURCES),
        "budget": choices.budget,
        "together": found.together,
        "left": found.left,
        "ends": sentence("ε = {together} of {budget}", together=amount(found.together), budget=amount(choices.budget)),
        "most": MAX_RELEASES,
    }


def stacked_csv(choices: TableChoices, found: StackedReleases) -> str:
    """Each release: its epsilon, whose data it is computed from, and in each row what all of them guarantee together."""
    n = len(choices.releases)
    together = {
        "epsilon_together": found.together,
        "epsilon_left": found.left,
        "epsilon_repeated_by_sums": found.repeated.by_sums,
        **{
            f"epsilon_repeated_at_delta_{what}": epsilon
            for (what, _, _), epsilon in zip(MECHANISMS, found.repeated.at_delta, strict=True)
        },
        "epsilon_of_two_who_do_the_same": found.tied,
        "epsilon_of_a_family": found.family,
    }
    return table_csv(
        {
            "release": range(1, n + 1),
            "epsilon": choices.releases,
            "source": [list(SOURCES)[int(source)] for source in choices.sources],
            **{name: [value] * n for name, value in together.items()},
        },
        note=NOTE,
    )
