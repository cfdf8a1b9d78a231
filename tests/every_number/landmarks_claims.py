"""What the track page shows that is no sentence with names yet: arrays, fields, and the sentences of some panels."""

from __future__ import annotations

from tests.every_number.claims import Claims, Pattern, least
from tests.every_number.landmarks_fields import ARRAYS, STRUCTURE

PATTERNS = [
    Pattern("Fit: times {factor}", alone=True, factor=least("fits")),
    Pattern("{stays#} stay<s|> found", stays=lambda t: len(t.stays)),
    Pattern("{one#} timestamp<s|> to mark, one per stay, drawn hollow", one="stays_one"),
    Pattern("First and last of each day, {stays#} timestamp<s|>:", stays=lambda t: len(t.stays)),
    Pattern("{one#} timestamp<s|> to mark, drawn hollow", one="stays_one"),
    Pattern("; {whole#} timestamp<s|> to mark them in full.", whole="stays_whole"),
    Pattern("any two cells were within the radius"),
    Pattern("it says nothing about two cells"),
    # the timeline's legend
    Pattern("{low}", alone=True, low=lambda t: 0.05),
    Pattern("{low} to {high}", alone=True, low=lambda t: "5", high=lambda t: 0.95),
]


def landmark_claims() -> Claims:
    return Claims(PATTERNS, ARRAYS, STRUCTURE)
