"""Settings side by side on cards, the same on every page: the present one, the pinned one and the proposed one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lmdk_widgets.page.blocks import Act, Card, Cards
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.session import Operation

TITLE = "Settings side by side"
ALONE = "The answers"
"""The heading of a single card in a report."""

USE, PIN = "Use this one", "Pin these settings"
PIN_SAID = "Pin the present settings, change something, and see both."

NOTICED = 0.9
"""At this ratio or below it, an error is noticeably smaller, or a promise noticeably stronger."""

CHANCE = "50 of 100 guesses are right by chance."


def side_by_side(now: Card, pinned: Card | None, proposed: Card | str, note: str) -> Cards:
    """The cards of a page; an empty place has a button that fills it, or says why it is empty.

    Parameters
    ----------
    pinned : None if nothing is. proposed : a card with its button, or why nothing is proposed. note : about all numbers.

    Examples
    --------
    >>> [card.name for card in side_by_side(Card("Now"), None, "None is better.", CHANCE).cards]
    ['Now', 'Pinned', 'Proposed']
    """
    kept = pinned or Card("Pinned", said=PIN_SAID, act=Act(PIN, {"op": "pin"}))
    found = Card("Proposed", said=proposed) if isinstance(proposed, str) else proposed
    return Cards(TITLE, (now, kept, found), note)


def compared(outcome: Any, proposed: Any) -> dict[str, Any]:
    """The outcomes to compare, by the names of their cards."""
    each = {"Now": outcome, "Pinned": outcome.beside, "Proposed": proposed}
    return {name: one for name, one in each.items() if one is not None}


def titled(cards: Sequence[Card], note: str) -> Cards:
    """The cards of a report, which has no empty ones."""
    return Cards(TITLE if len(cards) > 1 else ALONE, tuple(cards), note)


def pinned_or_swapped(choices: Any, operation: Operation, names: Sequence[str]) -> Choices | None:
    """The choices with the present values of `names` pinned, or exchanged for the pinned ones; None if the operation asks
    for neither.

    Examples
    --------
    >>> from lmdk_widgets.pages.place import PlaceChoices
    >>> two = pinned_or_swapped(PlaceChoices(level=2.0), {"op": "pin"}, ["level"]).with_changes(level=0.5)
    >>> swapped = pinned_or_swapped(two, {"op": "swap"}, ["level"])
    >>> swapped.level, swapped.pinned.level
    (2.0, 0.5)
    """
    kept = {name: choices[name] for name in names}
    match operation.get("op"):
        case "pin":
            return choices.with_changes(pinned=kept)
        case "swap" if choices.pinned is not None:
            return choices.with_changes(pinned=kept, **{name: choices.pinned[name] for name in names})
    return None


def with_pinned(choices: Any, names: Sequence[str]) -> Any:
    """The present choices with the pinned values of `names`, and nothing pinned; None if nothing is pinned.

    Examples
    --------
    >>> from lmdk_widgets.pages.place import PlaceChoices
    >>> with_pinned(PlaceChoices(rows=3, pinned={"level": 2.0}), ["level"]).level, with_pinned(PlaceChoices(), ["level"])
    (2.0, None)
    """
    pinned = choices.pinned
    return None if pinned is None else choices.with_changes(pinned=None, **{name: pinned[name] for name in names})
