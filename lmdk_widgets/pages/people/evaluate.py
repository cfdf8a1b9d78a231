"""From the choices of the people page to everything that it shows.

How near each person is found is proportional to 1 / epsilon, so a move of epsilon costs one pass over the people. How
useful the releases are, and who stands out after names are removed, follow in the background.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.pages.people.model import DISTANCES_M, PeopleChoices
from lmdk_widgets.pages.people.names_removed import POINTS, Removed, steps
from lmdk_widgets.pages.people.tables import PeopleTable, sample_city

SAMPLE, FEWEST = 20, 5
"""How many people are drawn to see whether the releases are useful, as each takes a while; and after how many the first
number is shown."""

DOTS = 100
"""The people who stand for all others in the picture, evenly spread over them."""


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
    useful : on a random sample, as far as it is computed; None before.
    removed : what is left after names are removed; None while that is closed.
    """

    choices: PeopleChoices
    table: PeopleTable
    people: Any
    found_m: Floats
    expected: Floats
    expected_here: float
    epsilon_for: float
    useful: Any = None
    removed: Removed | None = None

    def __len__(self) -> int:
        return len(self.found_m)

    def with_slow(self, other: PeopleOutcome) -> PeopleOutcome:
        """The same with what took longer of another outcome, as far as it is about the same settings."""
        if self.table is not other.table or self.choices.seed != other.choices.seed:
            return self
        useful = other.useful if _useful_of(self.choices) == _useful_of(other.choices) else None
        removed = other.removed if _removed_of(self.choices) == _removed_of(other.choices) else self.removed
        return replace(self, useful=useful, removed=removed)

    @property
    def most_allowed(self) -> float:
        """How many people may be expected to be found."""
        return self.choices.most_percent / 100 * len(self)

    @property
    def meets(self) -> bool:
        """Whether no more people than that are expected to be found."""
        return self.expected_here <= self.most_allowed * (1 + 1e-9)

    @cached_property
    def nearest_first(self) -> NDArray[np.intp]:
        """(people,) who they are, the most exposed first."""
        return np.argsort(self.found_m, kind="stable")

    @property
    def dots(self) -> NDArray[np.intp]:
        """The people in the picture, the most exposed first: everyone, or `DOTS` who are evenly spread over all."""
        order, n = self.nearest_first, len(self)
        return order if n <= DOTS else order[((np.arange(DOTS) + 0.5) * n / DOTS).astype(np.intp)]


def _useful_of(choices: PeopleChoices) -> Any:
    return choices.rule, choices.scheme, choices.epsilon


def _removed_of(choices: PeopleChoices) -> Any:
    return choices.removed, choices.cell_m, choices.hours


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
        removed=Removed() if choices.removed else None,
    )


def improve(outcome: PeopleOutcome) -> Iterator[PeopleOutcome]:
    """The same outcome with what takes longer: whom names removed leave alone, for the chosen points; usefulness, person by
    person; then names removed for other points."""
    choices, table = outcome.choices, outcome.table
    removed = steps(table, choices) if choices.removed else iter(())
    for found in islice(removed, 1 + len(POINTS)):
        outcome = replace(outcome, removed=found)
        yield outcome
    for useful in table.useful(choices.rule, choices.scheme, choices.epsilon, SAMPLE, choices.seed):
        if useful.people >= min(FEWEST, len(outcome)):
            outcome = replace(outcome, useful=useful)
        yield outcome
    for found in removed:
        outcome = replace(outcome, removed=found)
        yield outcome
