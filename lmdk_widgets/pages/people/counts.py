"""Counts instead of tracks: how far off noisy counts are, over the limit on a person, and under other settings.

choices --table.contributions--> Accuracy for the chosen limit, then over limits, as streams, then with other settings
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.people.counts_streams import Streamed, can_stream, streams
from lmdk_widgets.pages.people.model import PeopleChoices
from lmdk_widgets.population.counts_of_people import USELESS, Accuracy, Protection

if TYPE_CHECKING:
    from lmdk_widgets.pages.people.tables import PeopleTable

LIMITS = (1, 2, 5, 10, 20, 50, 100, 200)
"""The limits on a person's contributions over which the chart is drawn."""

COARSER = (2, 4)
"""How many times as large the cells of other settings are."""

LONGER = {"1": ("week", "24", "168"), "6": ("24", "168"), "24": ("168",), "week": ("168",), "168": ()}
"""The longer slots that are tried instead of each."""

WEAKER = {"user": ("window", "event"), "window": ("event",), "event": ()}
"""What else could be protected instead, which is less."""


@dataclass(frozen=True)
class Other:
    """Another setting.

    Attributes
    ----------
    changes : of the choices. error, zeros : the mean error of a count, and that of zeros everywhere.
    survive, of : how many cells, or pairs of cells, survive, of how many.
    """

    changes: tuple[tuple[str, Any], ...]
    error: float
    zeros: float
    survive: int
    of: int

    @property
    def useless(self) -> bool:
        return self.error > USELESS * self.zeros


@dataclass(frozen=True, eq=False)
class Counted:
    """What counts tell, as far as it is computed.

    Attributes
    ----------
    here : for the chosen settings; None before. curve : the mean error for each of `LIMITS`, to protect a whole person.
    streamed : streams of the same counts, where a day is protected. others : other settings. done : whether all of them are
    computed. refused : why there are no counts, if there are none.
    """

    here: Accuracy | None = None
    curve: tuple[float, ...] = ()
    streamed: tuple[Streamed, ...] = ()
    others: tuple[Other, ...] = ()
    done: bool = False
    refused: str = ""


def counts_of(choices: PeopleChoices) -> Any:
    """The choices on which counts depend."""
    chosen = choices.counted, choices.level, choices.count_cell_m, choices.slot, choices.most
    return (choices.epsilon, *chosen) if choices.counts or choices.assessed else None


def protection_of(choices: PeopleChoices) -> Protection:
    """What is protected: whatever a person does in a day, where that is chosen."""
    return Protection(choices.level, choices.epsilon, choices.most, max(1, 24 // hours_of(choices.slot)[0]))


def hours_of(slot: str) -> tuple[int, bool]:
    """The length of a slot in hours, and whether the same slots of all weeks are one count."""
    return (1, True) if slot == "week" else (int(slot), False)


def accuracy_of(table: PeopleTable, choices: PeopleChoices) -> Accuracy:
    """How far off the counts of these choices are.

    Raises
    ------
    InputError : there are too many counts.
    """
    hours, weekly = hours_of(choices.slot)
    found = table.contributions(choices.counted, choices.count_cell_m, hours, weekly=weekly)
    return Accuracy.of(found, protection_of(choices))


def other_changes(choices: PeopleChoices) -> Iterator[dict[str, Any]]:
    """The other settings that are tried: coarser cells, longer slots, less protected."""
    for times in COARSER:
        yield {"count_cell_m": times * choices.count_cell_m}
    for slot in LONGER[choices.slot]:
        yield {"slot": slot}
    for level in WEAKER[choices.level]:
        yield {"level": level}


def counts_steps(table: PeopleTable, choices: PeopleChoices, found: Counted) -> Iterator[Counted]:
    """More and more of it, beyond what is `found` already."""
    if found.done or found.refused:
        return
    if not table.in_memory:
        yield Counted(refused="Counts are computed here for a table that fits into memory.")
        return
    if found.here is None:
        try:
            found = Counted(accuracy_of(table, choices))
        except InputError as error:
            yield Counted(refused=str(error))
            return
        yield found
    here = found.here
    assert here is not None
    if choices.level == "user" and not found.curve:
        added = here.found
        limits = (Protection("user", choices.epsilon, limit) for limit in LIMITS)
        found = replace(found, curve=tuple(Accuracy.of(added, each).error for each in limits))
        yield found
    if can_stream(here) and not (found.streamed and found.streamed[-1].done):
        for made in streams(here, choices.seed):
            found = replace(found, streamed=made)
            yield found
    others = [*other_changes(choices)]
    for changes in others[len(found.others) :]:
        try:
            one = accuracy_of(table, choices.with_changes(**changes))
        except InputError:  # cells that the region has no room for
            continue
        survive = one.survives
        told = Other(tuple(changes.items()), one.error, one.zeros, int(survive.sum()), len(survive))
        found = replace(found, others=(*found.others, told))
        yield found
    yield replace(found, done=True)
