"""The figures of `leakage_speed.py` as a table in FIGURES.md.

Its place is between `<!-- leakage:begin -->` and `<!-- leakage:end -->`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

CALL_TARGET_US = 20
RATIO_TARGET, RATIO_STATES = 50, 100

Figures = Mapping[str, Any]


def markdown(found: Figures) -> str:
    """One row per promise and case: the figure, the middle half of its repetitions, the target, and whether it was met.

    Examples
    --------
    >>> spread = {"median": 0.5, "low": 0.4, "high": 0.7}
    >>> one = {"matrix": "dense random", "states": 10, "build": spread, "target_ms": 2.0, "call": spread}
    >>> print(markdown({"build": [one], "series": [], "load": [0.1, 1.0]}))
    | temporal privacy loss | | measured | target |
    |---|---|--:|---|
    | envelope, ms | dense random, 10 states | 0.5 (0.4 to 0.7) | ≤ 2: yes |
    | then each alpha, µs | dense random, 10 states | 500 (400 to 700) | ≤ 20: **no** |
    <BLANKLINE>
    Median (middle half); load average 0.1 before, 1 after.
    """
    lines = ["| temporal privacy loss | | measured | target |", "|---|---|--:|---|"]
    lines += [row for built in found["build"] for row in _built(built)]
    lines += [row for series in found["series"] for row in _series(series)]
    lines += [row for plan in found.get("plans", []) for row in _plan(plan)]
    before, after = found["load"]
    note = f"Median (middle half); load average {before:.3g} before, {after:.3g} after."
    return "\n".join([*lines, "", note])


def _built(row: Figures) -> Iterator[str]:
    case = f"{row['matrix']}, {row['states']} states"
    yield _row("envelope, ms", case, _spread(row["build"]), _at_most(row["build"]["median"], row["target_ms"]))
    call = {k: v * 1e3 for k, v in row["call"].items()}
    yield _row("then each alpha, µs", case, _spread(call), _at_most(call["median"], CALL_TARGET_US))
    for name, ratio in row.get("ratios", {}).items():
        aim = f"≥ {RATIO_TARGET}×: {_met(ratio >= RATIO_TARGET)}"
        bound = aim if (name, row["states"]) == ("plain", RATIO_STATES) else ""
        what = "linear programme" if name == "programme" else f"Algorithm 1, {name}"
        yield _row(f"{what}, one alpha / envelope", case, f"{ratio:,.3g}×", bound)


def _series(row: Figures) -> Iterator[str]:
    case = f"{row['chain']}, T = {row['n']:,}"
    what = "backward, forward, total, ms"
    yield _row(f"{what}, one by one", case, _spread(row["losses"]), _at_most(row["losses"]["median"], row["target_ms"]))
    aim = _at_most(row["landmarks"]["median"], row["landmarks_target_ms"])
    yield _row("landmark loss, 8 landmarks, ms", case, _spread(row["landmarks"]), aim)


def _plan(row: Figures) -> Iterator[str]:
    case = f"{row['chain']}, T = {row['n']:,}"
    yield _row(
        "plan with the least mean error, ms",
        case,
        _spread(row["plan"]),
        _at_most(row["plan"]["median"], row["target_ms"]),
    )
    if "ratio" in row:
        yield _row("sequential quadratic programming / plan", case, f"{row['ratio']:,.3g}×", "")


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _spread(figures: Figures) -> str:
    return f"{figures['median']:,.3g} ({figures['low']:,.3g} to {figures['high']:,.3g})"


def _at_most(value: float, bound: float | None) -> str:
    return "" if bound is None else f"≤ {bound:g}: {_met(value <= bound)}"


def _met(met: bool) -> str:
    return "yes" if met else "**no**"
