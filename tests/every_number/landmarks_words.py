"""What several of the track page's numbers share."""

from __future__ import annotations

from typing import Any

from tests.every_number.claims import Hole, most, near
from tests.every_number.landmarks_fields import GROUND


def metre(find: Any) -> Hole:
    """A length on the ground."""
    return near(find, slack=GROUND, size=1e-6)


def told_unless(sentence: str, holds: Any) -> dict[str, Any]:
    """A text hole that is the sentence where it holds, and nothing that is ever said where it does not."""
    return {"how": lambda t: sentence if holds(t) else "NOT TRUE HERE"}


TOP = most("top")
"""What the landmarks spend with any one other timestamp."""
