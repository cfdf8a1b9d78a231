"""How values of a series and their errors are written: numbers with their unit, and shares of wrong answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lmdk_widgets.page.amounts import amount, chance
from lmdk_widgets.page.sentences import Written
from lmdk_widgets.trajectory.series import Series

IN_ITS_UNIT = ("lower", "upper", "level_width")
"""Choices that are in the unit of the data."""

BOUNDS: dict[str, str] = {
    "known": "Known with the series: what is public about such values; without that they are taken from the data.",
    "stated": "Stated by you: known before anyone looks at the values; a value outside is moved to the nearer bound.",
    "data": "Taken from the data: the smallest and the largest value, which the noise then reveals.",
}
"""Where the bounds of a series of numbers come from: they determine how much one value can change."""


def written_in(series: Series) -> Callable[[float], str]:
    """Returns what writes an error: a number with the unit of the series; for answers, the share of wrong ones.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample_series
    >>> written_in(sample_series("household"))(1.234), written_in(sample_series("contacts"))(0.5)
    ('1.23 kWh', '50.0 %')
    """
    return (lambda share: "none" if share != share else chance(share)) if series.is_answers else with_unit(series.unit)


def with_unit(unit: str) -> Callable[[float], str]:
    """Returns what writes a number with a unit.

    Examples
    --------
    >>> with_unit("bpm")(12.0), with_unit("")(12.0), with_unit("W")(float("nan"))
    ('12 bpm', '12', 'none')
    """

    def written(value: float) -> str:
        said = amount(value)
        return Written(f"{said} {unit}", value) if unit and said not in ("none", "no bound") else said

    return written


def series_axis(series: Series, ticks: list[float], name: str = "error") -> dict[str, Any]:
    """The axis of errors of a series, by its name: logarithmic in its unit; for answers, from right, 0, to wrong, 1.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample_series
    >>> series_axis(sample_series("heart"), [20.0, 5e6])["ticktext"]
    ['20', '5e+06']
    """
    if series.is_answers:
        shares = {"tickvals": [0, 0.5, 1], "ticktext": ["right", "half", "wrong"], "range": [-0.06, 1.06]}
        return {"type": "linear", "title": {"text": name, "standoff": 4}, **shares}
    title = f"{name}, {series.unit}" if series.unit else name
    return {"title": {"text": title, "standoff": 4}, "ticktext": [f"{value:,g}" for value in ticks]}
