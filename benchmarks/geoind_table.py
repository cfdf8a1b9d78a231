"""The figures of `geoind_speed.py` as a table in FIGURES.md.

Its place is between `<!-- geoind:begin -->` and `<!-- geoind:end -->`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Figures = Mapping[str, Any]

TARGETS_S = {
    6: {"cold": 0.03, "next": 0.016},
    7: {"cold": 0.05, "next": 0.016},
    10: {"cold": 0.3, "next_1e-3": 0.1},
    20: {"cold": 5.0},
}
"""Indexed by the side of the grid."""
COLUMNS = {"cold_1e-3": "cold, to 1e-3, s", "cold": "cold, s", "next_1e-3": "next, to 1e-3, s", "next": "next, s"}
OTHERS = {"direct": "HiGHS / cold", "lazy": "HiGHS by rows / cold", "qif": "qif / cold"}


def markdown(found: Figures) -> str:
    """One row per grid and prior: times, how many times as long the others take, targets, and whether they are met.

    Examples
    --------
    >>> row = {"side": 7, "prior": "uniform", "cold": {"median": 0.04, "low": 0.03, "high": 0.2}}
    >>> row |= {"direct": {"ratio": 30.0, "finished": False}}
    >>> print(markdown({"geoind": [row], "noise": 1.1, "load": [0.1, 1.0], "limit_s": 3}).splitlines()[2])
    | 7 × 7, uniform |  | 0.04 (0.03 to 0.2); ≤ 0.05: yes |  |  | > 30× |  |  |
    """
    names = ["optimal mechanism", *COLUMNS.values(), *OTHERS.values()]
    lines = ["| " + " | ".join(names) + " |", "|---" + "|--:" * (len(names) - 1) + "|"]
    lines += [_line(row) for row in found["geoind"]]
    before, after = found["load"]
    note = (
        f"Median (lowest to highest), gap 1e-6 unless stated; >: stopped after {found['limit_s']:g} s. The same small "
        f"calculation took up to {found['noise']:.2f} times its fastest; load average {before:.3g} before, {after:.3g} "
        "after."
    )
    return "\n".join([*lines, "", note])


def _line(row: Figures) -> str:
    side = row["side"]
    times = TARGETS_S.get(side, {})
    cells = [f"{side} × {side}, {row['prior']}"]
    cells += [_time(row[name], times.get(name)) if name in row else "" for name in COLUMNS]
    cells += [_ratio(row[name]) if name in row else "" for name in OTHERS]
    return "| " + " | ".join(cells) + " |"


def _time(figures: Figures, target: float | None) -> str:
    said = f"{figures['median']:.2g} ({figures['low']:.2g} to {figures['high']:.2g})"
    return said if target is None else f"{said}; ≤ {target:g}: {_met(figures['median'] <= target)}"


def _ratio(figures: Figures) -> str:
    return f"{'' if figures['finished'] else '> '}{figures['ratio']:.3g}×"


def _met(met: bool) -> str:
    return "yes" if met else "**no**"
