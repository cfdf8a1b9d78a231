"""The choices of a page in words: the name and value of each."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.page.amounts import count
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import Choice, Flag, Indices, Kind, Limit, Matrix, Number, RunLengths, Text
from lmdk_widgets.page.index_runs import Runs, expanded, runs
from lmdk_widgets.page.sentences import sentence

_MOST_RUNS = 12
"""Up to this many runs of timestamps are listed one by one."""


def said(kind: Kind, value: Any) -> str:
    """A value as a reader sees it.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> kinds = Scenario.kinds()
    >>> said(kinds["radius_m"], 200.0), said(kinds["scheme"], "uniform"), said(kinds["average"], False)
    ('200 m', 'Uniform', 'no')
    >>> said(kinds["landmarks"], (0, 1, 2, 7)), said(kinds["landmarks"], ())
    ('four timestamps: 1 to 3, 8', 'no timestamps')
    >>> said(kinds["budgets"], ((0.125, 3), (0.5, 1))), said(kinds["budgets"], ())
    ('0.125 to 0.5, 0.21875 on average', 'none')
    """
    match kind:
        case Choice():
            return kind.meanings[value].partition(":")[0].rstrip(".")
        case Flag():
            return "yes" if value else "no"
        case Matrix():
            return sentence("of {states}", states=count(len(value), "state"))
        case Indices():
            return _timestamps(value)
        case RunLengths():
            return _spread(value)
        case Limit() if value is None or value == kind.preset:
            return "none" if value is None else str(value)
        case Number():
            return f"{value + kind.origin:,.6g} {kind.unit}".strip()
        case Text() if kind.known is not None:
            return next((known["title"] for known in kind.known() if known["name"] == value), value or "your own")
    return ", ".join(f"{each:,.6g}" for each in value) if isinstance(value, tuple) else str(value)


def _spread(runs: Runs) -> str:
    """The least and the greatest of many numbers, and their mean."""
    if not runs:
        return "none"
    values = expanded(runs)
    low, mean, high = (f"{value:,.6g}" for value in (values.min(), values.mean(), values.max()))
    return low if low == high else f"{low} to {high}, {mean} on average"


def _timestamps(indices: tuple[int, ...]) -> str:
    found = runs(indices)
    text = count(len(indices), "timestamp")
    if not 0 < len(found) <= _MOST_RUNS:
        return text
    return f"{text}: {', '.join(str(a + 1) if a == b else f'{a + 1} to {b + 1}' for a, b in found)}"


def settings_rows(choices: Choices, names: list[str]) -> list[list[str]]:
    """The named choices with their labels, for a table."""
    kinds = choices.kinds()
    return [[kinds[name].label, said(kinds[name], choices[name])] for name in names]
