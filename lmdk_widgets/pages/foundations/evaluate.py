"""From the choices of the foundations page to everything that it shows; only the chosen part is computed."""

from __future__ import annotations

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.foundations.adding import adding_of
from lmdk_widgets.pages.foundations.model import DEFAULT, NO_ATTACK, Foundations
from lmdk_widgets.pages.foundations.noise import noise_of
from lmdk_widgets.pages.foundations.outcome import FoundationsOutcome, Published
from lmdk_widgets.pages.foundations.release import Publishing, publish
from lmdk_widgets.pages.foundations.scenes import play
from lmdk_widgets.pages.foundations.stream import stream_of
from lmdk_widgets.pages.foundations.table import Table, example


def evaluate(choices: Foundations, own: Table | None = None) -> FoundationsOutcome:
    """Everything that follows from the choices; `own` is the table of the user's own, if there is one.

    Raises
    ------
    InputError : columns that the table lacks or that do not go together.

    Examples
    --------
    >>> outcome = evaluate(Foundations(levels=(4, 2)))
    >>> outcome.shown.measures.k, outcome.shown.measures.closeness
    (3, 0.5)
    """
    if choices.part == "noise":
        return FoundationsOutcome(choices, own, noise_of(choices))
    if choices.part == "adding":
        return FoundationsOutcome(choices, own, adding_of(choices))
    if choices.part == "stream":
        return FoundationsOutcome(choices, own, stream_of(choices))
    return FoundationsOutcome(choices, own, published(choices, own))


def published(choices: Foundations, own: Table | None) -> Published:
    """The release of the chosen table, and the attack on it."""
    table, publishing = table_of(choices, own), publishing_of(choices, own)
    release = publish(table, publishing)
    scene = None if choices.attack == NO_ATTACK else play(table, publishing, choices.attack)
    return Published(release, release.measures(choices.recursive_c), scene)


def table_of(choices: Foundations, own: Table | None) -> Table:
    """The table that is chosen."""
    if choices.table != "own":
        return example(choices.table)
    if own is None:
        raise InputError("A table of your own must be uploaded first", value="none", remedy="Choose another table")
    return own


def publishing_of(choices: Foundations, own: Table | None) -> Publishing:
    """What is published of the chosen table."""
    table = table_of(choices, own)
    sensitive = table.sensitive if choices.sensitive == DEFAULT else choices.sensitive
    quasi = choices.quasi or table.quasi
    return Publishing(quasi, sensitive, tuple(map(int, choices.levels)), choices.least)
