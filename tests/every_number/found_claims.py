"""What several tests ask about what is found and promised."""

from __future__ import annotations

import math
from typing import Any

from tests.every_number.found_truth import FoundTruth


def when(holds: Any, value: Any = 1) -> Any:
    """A count that is right where something holds, and never elsewhere."""
    return lambda t: (value(t) if callable(value) else value) if holds(t) else -1


def nothing(*losses: str) -> Any:
    """Whether of so many nothing is promised."""
    return lambda t: all(1 / (1 + math.exp(-min(getattr(t, name), 700))) >= 0.99 for name in losses)


def holds_at(t: FoundTruth) -> float:
    """A distance of one digit at which a moment tells no more than a factor of e."""
    far, near = t.radius / t.dearest, 1e-3
    while near * 10 <= far:
        near *= 10
    return near * next(k for k in range(9, 0, -1) if k * near <= far * (1 + 1e-12))
