"""What would meet the limit: for each scheme the largest epsilon that does, and for how many people its releases are useful.

limit --table.epsilon_for--> epsilon of each scheme --table.useful--> the best two, which the page offers

The promise counts too: an epsilon under which nearly all guesses may be right is never offered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lmdk_widgets.page.amounts import bound
from lmdk_widgets.pages.people.model import CHOSEN, PeopleChoices
from lmdk_widgets.population import UsefulShare

if TYPE_CHECKING:
    from lmdk_widgets.pages.people.tables import PeopleTable

MOST_CHANCE = 0.9
"""With an option, at most this share of guesses between equally likely possibilities may be right: above it the answer
"Promised" is red."""

MOST_EPSILON = math.log(MOST_CHANCE / (1 - MOST_CHANCE))

SAME_NOISE = "event"
"""Not among the options: w-event uniform at w times its epsilon has the same noise, and promises more."""

TRIED = tuple(name for name in CHOSEN if name != SAME_NOISE)

COMPARED = 20
"""How many people of the sample are tried to compare the options."""

FEW_USEFUL = 0.1
"""Releases that are useful to fewer people than this share are of little use."""

MOST_OFFERED = 2


@dataclass(frozen=True)
class Option:
    """A setting that meets the limit. epsilon : rounded down, as it is written. useful : on a random sample."""

    scheme: str
    epsilon: float
    useful: UsefulShare


@dataclass(frozen=True)
class Options:
    """What is known of them.

    Attributes
    ----------
    tried : every option so far. offered : the best, the best one first; none before all were tried. share : of the work that
        is done: all of it once the whole sample was tried of those offered.
    """

    tried: tuple[Option, ...] = ()
    offered: tuple[Option, ...] = ()
    share: float = 0.0

    @property
    def known(self) -> bool:
        """Whether all of them were compared."""
        return bool(self.offered) or self.share >= 1

    @property
    def all(self) -> tuple[Option, ...]:
        """Every option; those offered with the whole sample, and first."""
        whole = {option.scheme for option in self.offered}
        return (*self.offered, *(option for option in self.tried if option.scheme not in whole))

    @property
    def useful(self) -> tuple[Option, ...]:
        """Those offered whose releases are useful to more than a few, or may be as long as the sample is not complete."""
        return tuple(
            option
            for option in self.offered
            if (option.useful.share if self.share >= 1 else option.useful.high) >= FEW_USEFUL
        )


def most_epsilon(table: PeopleTable, choices: PeopleChoices, scheme: Any) -> float:
    """The largest epsilon under a scheme that meets the limit and still promises something, rounded down; 0 for none."""
    most = table.epsilon_for(choices.rule, scheme, choices.most_percent / 100, choices.distance_m)
    most = min(most, MOST_EPSILON)
    return float(bound(most, up=False).replace(",", "")) if most > 0 else 0.0


def options_steps(table: PeopleTable, choices: PeopleChoices, sample: int, known: Options | None) -> Iterator[Options]:
    """More and more of what would meet the limit, a step for each person who is tried: first all options on a part of the
    sample, then those offered on all of it."""
    if known is not None and known.share >= 1:
        return
    found, few = Options(), min(COMPARED, table.count)
    epsilons = {name: most_epsilon(table, choices, name) for name in TRIED}
    work, done = few * len(epsilons) + MOST_OFFERED * (min(sample, table.count) - few) + 1, 0
    for name, epsilon in epsilons.items():
        useful = None
        for useful in table.useful(choices.rule, name, epsilon, sample, choices.seed) if epsilon else ():
            done += 1
            yield replace(found, share=done / work)
            if useful.people == few:
                break
        if useful is not None:
            found = replace(found, tried=(*found.tried, Option(name, epsilon, useful)))
    found = replace(found, offered=_best_first(found.tried)[:MOST_OFFERED], share=done / work)
    yield found
    whole = list(found.offered)
    for k, option in enumerate(found.offered):
        for useful in table.useful(choices.rule, option.scheme, option.epsilon, sample, choices.seed):
            if useful.people > few:
                done += 1
                yield replace(found, share=min(done, work - 1) / work)
            whole[k] = replace(option, useful=useful)
    yield replace(found, offered=_best_first(whole), share=1.0)


def _best_first(options: Iterable[Option]) -> tuple[Option, ...]:
    return tuple(sorted(options, key=lambda option: (-option.useful.share, option.epsilon)))
