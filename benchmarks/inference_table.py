"""The figures of `inference_speed.py` as a table in FIGURES.md.

Its place is between `<!-- inference:begin -->` and `<!-- inference:end -->`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

RATIO_TARGET = 10

Figures = Mapping[str, Any]


def markdown(found: Figures) -> str:
    """Two to five rows per chain: beliefs, the likeliest track, hmmlearn against them; each is a median (lowest to highest).

    Examples
    --------
    >>> some, ten = {"median": 8.0, "low": 7.5, "high": 9.0}, {"median": 31.5, "low": 30.0, "high": 40.0}
    >>> ratios = {"log_ratio": ten, "scaling_ratio": some, "decode_ratio": some}
    >>> one = {"chain": "stay or jump", "n": 288, "cells": 225, "target_ms": 30.0, "beliefs": some, "path": some, **ratios}
    >>> print(markdown({"tracks": [one], "load": [0.1, 1.0]}))
    | an adversary who follows the track | | measured | target |
    |---|---|--:|---|
    | beliefs, ms | stay or jump, 288 timestamps, 225 cells | 8 (7.5 to 9) | ≤ 30: yes |
    | hmmlearn, default / beliefs | stay or jump, 288 timestamps, 225 cells | 31.5× (30× to 40×) | ≥ 10×: yes |
    | hmmlearn, scaling / beliefs | stay or jump, 288 timestamps, 225 cells | 8× (7.5× to 9×) |  |
    | likeliest track, ms | stay or jump, 288 timestamps, 225 cells | 8 (7.5 to 9) |  |
    | hmmlearn's decode / likeliest track | stay or jump, 288 timestamps, 225 cells | 8× (7.5× to 9×) |  |
    <BLANKLINE>
    Median (lowest to highest), processor time of one core, NumPy alone; load average 0.1 before, 1 after.
    """
    lines = ["| an adversary who follows the track | | measured | target |", "|---|---|--:|---|"]
    lines += ["| " + " | ".join(row) + " |" for one in found["tracks"] for row in _rows(one)]
    before, after = found["load"]
    note = (
        "Median (lowest to highest), processor time of one core, NumPy alone; "
        f"load average {before:.3g} before, {after:.3g} after."
    )
    return "\n".join([*lines, "", note])


def _rows(one: Figures) -> Iterator[tuple[str, str, str, str]]:
    case = f"{one['chain']}, {one['n']:,} timestamps, {one['cells']} cells"
    taken = one["beliefs"]["median"]
    yield "beliefs, ms", case, _spread(one["beliefs"]), f"≤ {one['target_ms']:,.0f}: {_yes(taken <= one['target_ms'])}"
    if "log_ratio" in one:
        kept = f"≥ {RATIO_TARGET}×: {_yes(one['log_ratio']['median'] >= RATIO_TARGET)}"
        yield "hmmlearn, default / beliefs", case, _spread(one["log_ratio"], "×"), kept
        yield "hmmlearn, scaling / beliefs", case, _spread(one["scaling_ratio"], "×"), ""
    yield "likeliest track, ms", case, _spread(one["path"]), ""
    if "decode_ratio" in one:
        yield "hmmlearn's decode / likeliest track", case, _spread(one["decode_ratio"], "×"), ""


def _spread(figures: Figures, unit: str = "") -> str:
    values = (figures[name] for name in ("low", "median", "high"))
    low, median, high = (f"{value:,.0f}{unit}" if value >= 1000 else f"{value:.3g}{unit}" for value in values)
    return f"{median} ({low} to {high})"


def _yes(kept: bool) -> str:
    return "yes" if kept else "**no**"
