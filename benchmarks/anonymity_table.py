"""The figures of `anonymity_speed.py` as a table in FIGURES.md.

Its place is between `<!-- anonymity:begin -->` and `<!-- anonymity:end -->`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

MEASURES = {"k": "k-anonymity", "l": "distinct l-diversity", "t": "t-closeness, equal distance", "all": "all three"}

Figures = Mapping[str, Any]


def markdown(found: Figures) -> str:
    """A row for each measure, and one for each alternative against all three; each is a median (lowest to highest).

    Examples
    --------
    >>> spread = {"median": 300.0, "low": 250.0, "high": 400.0}
    >>> one = {"table": "adults", "rows": 10**6, "classes": 5000, "target_ms": 1000, "all": spread, "k": spread,
    ...        "l": spread, "t": spread}
    >>> ratio = {"table": "adults", "rows": 10**5, "classes": 4000, "against": "pycanon", "ratio": spread, "target": 10}
    >>> print(markdown({"tables": [one], "ratios": [ratio], "load": [0.1, 1.0]}))
    | anonymity of a table | | measured | target |
    |---|---|--:|---|
    | k-anonymity, ms | adults, 1,000,000 rows, 5,000 classes | 300 (250 to 400) |  |
    | distinct l-diversity, ms | adults, 1,000,000 rows, 5,000 classes | 300 (250 to 400) |  |
    | t-closeness, equal distance, ms | adults, 1,000,000 rows, 5,000 classes | 300 (250 to 400) |  |
    | all three, ms | adults, 1,000,000 rows, 5,000 classes | 300 (250 to 400) | ≤ 1,000: yes |
    | pycanon / all three | adults, 100,000 rows, 4,000 classes | 300× (250× to 400×) | ≥ 10×: yes |
    <BLANKLINE>
    Median (lowest to highest), one core, four quasi-identifiers; load average 0.1 before, 1 after.
    """
    lines = ["| anonymity of a table | | measured | target |", "|---|---|--:|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in _rows(found)]
    before, after = found["load"]
    note = f"load average {before:.3g} before, {after:.3g} after."
    return "\n".join([*lines, "", f"Median (lowest to highest), one core, four quasi-identifiers; {note}"])


def _rows(found: Figures) -> Iterator[tuple[str, str, str, str]]:
    for one in found["tables"]:
        for name, words in MEASURES.items():
            aim = f"≤ {one['target_ms']:,}: {_kept(one['all']['median'] <= one['target_ms'])}" if name == "all" else ""
            yield f"{words}, ms", _case(one), _spread(one[name]), aim
    for one in found["ratios"]:
        aim = f"≥ {one['target']}×: {_kept(one['ratio']['median'] >= one['target'])}" if one["target"] else ""
        yield f"{one['against']} / all three", _case(one), _spread(one["ratio"], "×"), aim


def _case(one: Figures) -> str:
    return f"{one['table']}, {one['rows']:,} rows, {one['classes']:,} classes"


def _kept(met: bool) -> str:
    return "yes" if met else "**no**"


def _spread(figures: Figures, unit: str = "") -> str:
    values = (figures[name] for name in ("low", "median", "high"))
    low, median, high = (f"{value:,.0f}{unit}" if value >= 1000 else f"{value:.3g}{unit}" for value in values)
    return f"{median} ({low} to {high})"
