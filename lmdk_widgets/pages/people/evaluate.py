"""From the choices of the people page to everything that it shows.

How near each person is found is proportional to 1 / epsilon, so a move of epsilon costs one pass over the people. Whom the
table singles out as it is, how useful the releases are, and what else would meet the limit follow in the background.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.answers import guesses, promised
from lmdk_widgets.pages.people.counts import Counted, counts_of, counts_steps
from lmdk_widgets.pages.people.model import DISTANCES_M, PeopleChoices
from lmdk_widgets.pages.people.names_removed import POINTS, Removed, steps
from lmdk_widgets.pages.people.options import COMPARED, FEW_USEFUL, Options, options_steps
from lmdk_widgets.pages.people.tables import FEWEST, SAMPLE, PeopleTable, sample_city
from lmdk_widgets.pages.people.today import PractisedShare, today_steps
from lmdk_widgets.population.exposure_of_people import even_releases

DOTS = 100
"""The dots of the picture: releases that stand for those of all people, evenly spread over them."""

KNOWN = 4
"""How many points of a person somebody knows who looks for that person in the table without names."""


@dataclass(frozen=True)
class Unnamed:
    """What the table tells as it is, without noise and without names.

    Attributes
    ----------
    alone : the share of people whom `KNOWN` points of their own single out, in the chosen cells and hours.
    """

    alone: float


@dataclass(frozen=True, eq=False)
class PeopleOutcome:
    """The choices, and what follows from them.

    Attributes
    ----------
    choices, table : what it came from.
    people : the table's people with the chosen rule of landmarks.
    found_m : (people,) how near each is found in half of all releases, metres; inf for nobody.
    expected : (4,) how many people are expected to be found nearer than each of `DISTANCES_M`.
    expected_here : the same for the chosen distance.
    epsilon_for : the epsilon at which the chosen share of people is expected to be found nearer than that.
    unnamed : what the table tells without noise and names; None before it is computed, and for a table that is not in memory.
    useful : on a random sample, as far as it is computed; None before.
    options : what would meet the limit, as far as it is known; None before.
    removed : what is left after names are removed; None while that is closed.
    counted : what counts instead of tracks tell, as far as it is known; None while that is closed.
    today : what zones and rounding come to on the sample, as far as an assessment is asked for and it is known.
    """

    choices: PeopleChoices
    table: PeopleTable
    people: Any
    found_m: Floats
    expected: Floats
    expected_here: float
    epsilon_for: float
    unnamed: Unnamed | None = None
    useful: Any = None
    options: Options | None = None
    removed: Removed | None = None
    counted: Counted | None = None
    today: tuple[PractisedShare, ...] = ()

    def __len__(self) -> int:
        return len(self.found_m)

    def with_slow(self, other: PeopleOutcome) -> PeopleOutcome:
        """The same with what took longer of another outcome, as far as it is about the same settings."""
        if self.table is not other.table or self.choices.seed != other.choices.seed:
            return self
        mine, others = self.choices, other.choices
        return replace(
            self,
            unnamed=other.unnamed if _points_of(mine) == _points_of(others) else None,
            useful=other.useful if _useful_of(mine) == _useful_of(others) else None,
            options=other.options if _options_of(mine) == _options_of(others) else None,
            removed=other.removed if _removed_of(mine) == _removed_of(others) else self.removed,
            counted=other.counted if counts_of(mine) == counts_of(others) else self.counted,
            today=other.today if _today_of(mine) == _today_of(others) else (),
        )

    @property
    def most_allowed(self) -> float:
        """How many people may be expected to be found."""
        return self.choices.most_percent / 100 * len(self)

    @property
    def meets(self) -> bool:
        """Whether no more people than that are expected to be found."""
        return self.expected_here <= self.most_allowed * (1 + 1e-9)

    @property
    def lasting(self) -> int:
        """How many people have a place where they stay; without noise each of these places can be read from the table."""
        return int(np.isfinite(self.found_m).sum())

    @property
    def as_it_is_meets(self) -> bool | None:
        """Whether the table as it is shows no more people's places than may be found, nor singles out more; None as long as
        that is not known."""
        if self.lasting > self.most_allowed:
            return False
        return None if self.unnamed is None else self.unnamed.alone * len(self) <= self.most_allowed

    @property
    def chance(self) -> float:
        """The largest chance of a right guess that the scheme promises."""
        return guesses(self.choices.epsilon)

    @property
    def keeps_promise(self) -> bool:
        """Whether the promise is one: its answer is not red."""
        return promised(self.chance)[1] != "red"

    @property
    def is_useless(self) -> bool:
        """Whether the whole sample was tried, and hardly anybody's release is useful: that answer is red."""
        whole = min(SAMPLE, len(self))
        return self.useful is not None and self.useful.people >= whole and self.useful.share < FEW_USEFUL

    @cached_property
    def nearest_first(self) -> NDArray[np.intp]:
        """(people,) who they are, the most exposed first."""
        return np.argsort(self.found_m, kind="stable")

    @cached_property
    def dots(self) -> tuple[NDArray[np.intp], Floats]:
        """(dots,) whose release each dot is, and how near that person is found in it, metres; the nearest first."""
        order = self.nearest_first
        who, found = even_releases(self.found_m[order], DOTS)
        return order[who], found


def _points_of(choices: PeopleChoices) -> Any:
    return choices.cell_m, choices.hours


def _options_of(choices: PeopleChoices) -> Any:
    return choices.rule, choices.distance_m, choices.most_percent


def _useful_of(choices: PeopleChoices) -> Any:
    return choices.rule, choices.scheme, choices.epsilon


def _removed_of(choices: PeopleChoices) -> Any:
    return choices.removed or choices.assessed, choices.cell_m, choices.hours


def _today_of(choices: PeopleChoices) -> Any:
    return choices.assessed, choices.zone_m, choices.decimals, _useful_of(choices)


def evaluate(choices: PeopleChoices, own: PeopleTable | None = None) -> PeopleOutcome:
    """Everything that follows at once from the choices; `own` is the user's own table, if there is one.

    Raises
    ------
    InputError : the own table is chosen and there is none.

    Examples
    --------
    >>> outcome = evaluate(PeopleChoices(epsilon=0.1))
    >>> len(outcome), outcome.meets
    (1000, True)
    """
    table = own if choices.table == "own" else sample_city()
    if table is None:
        raise InputError("There must be a table of your own to show it", value="none", remedy="Upload one")
    people = table.people(choices.rule)
    if choices.person >= len(people.names):
        choices = choices.with_changes(person=-1)
    here = choices.scheme, choices.epsilon
    share = choices.most_percent / 100
    return PeopleOutcome(
        choices,
        table,
        people,
        people.found(*here),
        people.expected_found(*here, DISTANCES_M),
        float(people.expected_found(*here, (choices.distance_m,))[0]),
        table.epsilon_for(choices.rule, choices.scheme, share, choices.distance_m),
        removed=Removed() if choices.removed or choices.assessed else None,
        counted=Counted() if choices.counts or choices.assessed else None,
    )


def improve(outcome: PeopleOutcome) -> Iterator[PeopleOutcome]:
    """The same outcome with what takes longer, as far as it is not known: whom the table singles out as it is; after names
    are removed, counts, and what is done today, if somebody looks at that; usefulness, person by person, and what would meet
    the limit."""
    for stage in stages_of(outcome.choices):
        for better in STAGES[stage](outcome):
            outcome = better
            yield outcome


def stages_of(choices: PeopleChoices) -> tuple[str, ...]:
    """What is computed for these choices, in order: names of `STAGES`."""
    asked = {"removed": choices.removed, "counts": choices.counts, "today": False}
    return tuple(name for name in STAGES if choices.assessed or asked.get(name, True))


def _bare(outcome: PeopleOutcome) -> Iterator[PeopleOutcome]:
    """Whom a table in memory singles out as it is."""
    choices, table = outcome.choices, outcome.table
    if outcome.unnamed is None and table.in_memory:
        alone = table.alone(choices.cell_m, choices.hours, KNOWN, choices.seed)
        yield replace(outcome, unnamed=Unnamed(alone))


def _removed(outcome: PeopleOutcome) -> Iterator[PeopleOutcome]:
    """Whom it singles out after names are removed."""
    choices = outcome.choices
    here = choices.cell_m, choices.hours
    for found in steps(outcome.table, choices, outcome.removed or Removed()):
        outcome = replace(outcome, removed=found)
        if outcome.unnamed is None and here in found.alone:
            outcome = replace(outcome, unnamed=Unnamed(found.alone[here][POINTS.index(KNOWN)]))
        yield outcome


def _counts(outcome: PeopleOutcome) -> Iterator[PeopleOutcome]:
    """What counts instead of tracks tell."""
    for counted in counts_steps(outcome.table, outcome.choices, outcome.counted or Counted()):
        yield replace(outcome, counted=counted)


def _today(outcome: PeopleOutcome) -> Iterator[PeopleOutcome]:
    """What zones and rounding come to on the sample."""
    for found in today_steps(outcome.table, outcome.choices, SAMPLE, outcome.today):
        yield replace(outcome, today=found)


def _worth(outcome: PeopleOutcome) -> Iterator[PeopleOutcome]:
    """How useful the releases are on a part of the sample, what would meet the limit, and both on the whole sample."""
    choices, table = outcome.choices, outcome.table
    people = 0 if outcome.useful is None else outcome.useful.people
    options = options_steps(table, choices, SAMPLE, outcome.options)
    for sample in (COMPARED, SAMPLE):
        if people < min(sample, len(outcome)):
            for useful in islice(
                table.useful(choices.rule, choices.scheme, choices.epsilon, SAMPLE, choices.seed), sample
            ):
                if useful.people >= max(people + 1, min(FEWEST, len(outcome))):
                    people, outcome = useful.people, replace(outcome, useful=useful)
                yield outcome
        for found in options:
            outcome = replace(outcome, options=found)
            yield outcome
            if sample == COMPARED and found.offered:
                break


STAGES: dict[str, Callable[[PeopleOutcome], Iterator[PeopleOutcome]]] = {
    "bare": _bare,
    "removed": _removed,
    "counts": _counts,
    "today": _today,
    "worth": _worth,
}
"""What takes longer, a step at a time, in the order in which it is computed."""
