"""What the track page shows that is no sentence with names yet: arrays, fields, and the sentences of some panels."""

from __future__ import annotations

from tests.every_number.claims import Claims, Pattern
from tests.every_number.landmarks_fields import ARRAYS, STRUCTURE

PATTERNS = [
    Pattern("any two cells were within the radius"),
    Pattern("it says nothing about two cells"),
    # the timeline's legend
    Pattern("{low}", alone=True, low=lambda t: 0.05),
    Pattern("{low} to {high}", alone=True, low=lambda t: "5", high=lambda t: 0.95),
]


def landmark_claims() -> Claims:
    return Claims(PATTERNS, ARRAYS, STRUCTURE)
