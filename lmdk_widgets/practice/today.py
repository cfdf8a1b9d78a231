"""What a page has found of the practices that it compares."""

from __future__ import annotations

from typing import NamedTuple

from lmdk_widgets.io import NOTE
from lmdk_widgets.practice.practised import Practised
from lmdk_widgets.practice.what_helps import Helps
from lmdk_widgets.scenario.outcome import Outcome

NAME = "practices"
"""Under which a page stores it in the results of an outcome."""

NOTE_OF_PRACTICES = f"{NOTE}; what is found is computed from the true data: never publish it"
"""What a file says of these rows."""


class Today(NamedTuple):
    """What is known of the practices so far. rows : in the order of the choices. helps : about a zone. done, of : how many
    draws of both there are, and will be."""

    rows: tuple[Practised, ...] = ()
    helps: tuple[Helps, ...] = ()
    done: int = 0
    of: int = 1


def compared_practices(outcome: Outcome) -> tuple[Practised, ...]:
    """The practices that a page compares, as far as they are known: those that publish something."""
    today: Today | None = outcome.found(NAME)
    return () if today is None else tuple(one for one in today.rows if one.worth is not None)
