"""How far work beside a page is: the one way in which every page tells it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Work that is under way, or that ended before its time.

    Attributes
    ----------
    text : a sentence; "" when there is nothing to say. share : of the work that is done, 0 to 1; None when nobody knows.
    """

    text: str = ""
    share: float | None = None
