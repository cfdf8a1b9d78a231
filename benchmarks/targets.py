"""What the project promises about speed, as data in one place that every benchmark and the report read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SIZES = (288, 2_000, 10_000)
"""Timestamps in the track: a day and a week at five minutes, a taxi's log."""


@dataclass(frozen=True)
class Target:
    """A bound on one figure: at most this, of `ours / bare` or of our value."""

    metric: str
    n: int
    of: Literal["ours / bare", "ours"]
    bound: float

    def met(self, value: float) -> bool:
        """Whether the value is within the bound.

        Examples
        --------
        >>> Target("text_ms", 288, "ours / bare", 1.7).met(1.6)
        True
        >>> Target("kernel_mb", 288, "ours", 75.0).met(80.0)
        False
        """
        return value <= self.bound

    def __str__(self) -> str:
        return f"≤ {self.bound:g}" + ("" if self.of == "ours" else "×")


TARGETS = (
    *(Target("complete_s", n, "ours / bare", 1.1) for n in SIZES),
    Target("text_ms", 288, "ours / bare", 1.7),
    Target("text_ms", 2_000, "ours / bare", 2.0),
    Target("text_ms", 10_000, "ours / bare", 2.0),
    *(Target("painted_ms", n, "ours / bare", 2.0) for n in SIZES),
    Target("strength_ms", 2_000, "ours / bare", 3.0),
    Target("curves_ms", 2_000, "ours / bare", 2.0),
    Target("foundations_ms", 288, "ours / bare", 1.7),
    Target("foundations_mb", 288, "ours", 75.0),
    Target("websocket_mb", 288, "ours", 1.8),
    *(Target("kernel_mb", n, "ours", 75.0) for n in SIZES),
    *(Target("kernel_growth_mb", n, "ours", 20.0) for n in SIZES),
    Target("evaluate_ms", 288, "ours", 2.0),
    Target("evaluate_ms", 10_000, "ours", 16.0),
)


def target(metric: str, n: int) -> Target | None:
    """The target for a figure at a length, if there is one.

    Examples
    --------
    >>> str(target("painted_ms", 2_000)), str(target("kernel_mb", 288)), target("http_mb", 288)
    ('≤ 2×', '≤ 75', None)
    """
    return next((t for t in TARGETS if (t.metric, t.n) == (metric, n)), None)
