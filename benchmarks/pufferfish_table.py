"""The figures of `pufferfish_speed.py` as a table in FIGURES.md.

Its place is between `<!-- pufferfish:begin -->` and `<!-- pufferfish:end -->`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

MOVE_TARGET_US = 10_000

Figures = Mapping[str, Any]


def markdown(found: Figures) -> str:
    """Three rows per chain: the table, another epsilon, the loop against the table; each is a median (lowest to highest).

    Examples
    --------
    >>> spread = {"median": 30.0, "low": 25.0, "high": 40.0}
    >>> short = {"loop_length": 100, "loop": spread, "ratio": spread}
    >>> one = {"chain": "slow", "states": 51, "length": 10**6, "table": spread, "target_ms": 40, "move": spread, **short}
    >>> print(markdown({"chains": [one], "load": [0.1, 1.0]}))
    | Markov quilts, exact | | measured | target |
    |---|---|--:|---|
    | table, ms | slow chain, 51 states, T = 1,000,000 | 30 (25 to 40) | ≤ 40: yes |
    | then another epsilon, µs | slow chain, 51 states, T = 1,000,000 | 30 (25 to 40) | ≤ 10000: yes |
    | loop over nodes and quilts / table | slow chain, 51 states, T = 100 | 30× (25× to 40×) |  |
    <BLANKLINE>
    Median (lowest to highest), one core, NumPy alone; load average 0.1 before, 1 after. The loop is measured up to \
the length that it can manage, as it tries about T³ / 6 quilts; the table for a longer series is the same.
    """
    lines = ["| Markov quilts, exact | | measured | target |", "|---|---|--:|---|"]
    lines += ["| " + " | ".join(row) + " |" for one in found["chains"] for row in _rows(one)]
    before, after = found["load"]
    note = (
        f"Median (lowest to highest), one core, NumPy alone; load average {before:.3g} before, {after:.3g} after. "
        "The loop is measured up to the length that it can manage, as it tries about T³ / 6 quilts; the table for a longer "
        "series is the same."
    )
    return "\n".join([*lines, "", note])


def _rows(one: Figures) -> Iterator[tuple[str, str, str, str]]:
    chain = f"{one['chain']} chain, {one['states']} states, T = "
    case = f"{chain}{one['length']:,}"
    yield "table, ms", case, _spread(one["table"]), met(one["table"]["median"], one["target_ms"])
    yield "then another epsilon, µs", case, _spread(one["move"]), met(one["move"]["median"], MOVE_TARGET_US)
    yield "loop over nodes and quilts / table", f"{chain}{one['loop_length']}", _spread(one["ratio"], "×"), ""


def _spread(figures: Figures, unit: str = "") -> str:
    values = (figures[name] for name in ("low", "median", "high"))
    low, median, high = (f"{value:,.0f}{unit}" if value >= 1000 else f"{value:.3g}{unit}" for value in values)
    return f"{median} ({low} to {high})"


def met(value: float, bound: float) -> str:
    """The bound, and whether a value is within it.

    Examples
    --------
    >>> met(41, 40)
    '≤ 40: **no**'
    """
    return f"≤ {bound:g}: {'yes' if value <= bound else '**no**'}"
