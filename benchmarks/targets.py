"""What the project promises about speed, as data in one place that every benchmark and the report read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SIZES = (288, 2_000, 10_000)
"""Timestamps in the track: a day and a week at five minutes, a taxi's log."""


@dataclass(frozen=True)
class Target:
    """A bound on one figure: an upper bound on `ours / bare` or on our value, or a lower bound on `afternoon / ours`."""

    metric: str
    n: int
    of: Literal["ours / bare", "afternoon / ours", "ours"]
    bound: float

    @property
    def at_least(self) -> bool:
        return self.of == "afternoon / ours"

    def met(self, value: float) -> bool:
        """Whether the value is within the bound.

        Examples
        --------
        >>> Target("text_ms", 288, "ours / bare", 1.7).met(1.6)
        True
        >>> Target("painted_ms", 288, "afternoon / ours", 2.5).met(2.4)
        False
        """
        return value >= self.bound if self.at_least else value <= self.bound

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {self.bound:g}" + ("" if self.of == "ours" else "×")


TARGETS = (
    *(Target("complete_s", n, "ours / bare", 1.1) for n in SIZES),
    Target("text_ms", 288, "ours / bare", 1.7),
    Target("text_ms", 2_000, "ours / bare", 2.0),
    Target("text_ms", 10_000, "ours / bare", 2.0),
    Target("painted_ms", 288, "afternoon / ours", 2.5),
    Target("painted_ms", 2_000, "afternoon / ours", 6.0),
    Target("painted_ms", 10_000, "afternoon / ours", 25.0),
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
    ('≥ 6×', '≤ 75', None)
    """
    return next((t for t in TARGETS if (t.metric, t.n) == (metric, n)), None)
