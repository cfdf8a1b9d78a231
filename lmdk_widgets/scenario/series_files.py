"""A release of a series as a file: its times, what was released, and perhaps what each timestamp spent and lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import DRAWN_NOTE, NOTE, export_name
from lmdk_widgets.io.released import time_texts
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.page.session import File
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.from_track import noted
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory.series import Series

DIGITS = 7
"""Digits of a released number: rounding is post-processing, and cuts off those that tell most of how a float came about."""

TABLE_NOTE = f"for you: the true values can be computed from this file, from its errors; never publish it; {NOTE}"
FOR_YOU = "for you, tells the true series"
DRAWN = "Its noise was drawn for it: the values differ from those here."


def series_file(what: str, series: Series, fresh: Fresh, scenario: Scenario, named: Sequence[str]) -> File:
    """The release as CSV; "table" has the numbers of each timestamp beside it.

    Raises
    ------
    InputError : a map, as a series has no places.
    """
    if what not in ("csv", "table"):
        raise InputError("A map needs a track of places", value="a series of values", remedy="Save the release as CSV")
    assert fresh.values is not None
    columns: dict[str, Any] = {"time": time_texts(series.time), value_name(series): rounded(fresh.values)}
    if what == "table":
        landmark = np.isin(np.arange(len(series)), scenario.landmarks)
        spent = {"budget": fresh.budgets, "total_loss": fresh.total, "error": fresh.error_m}
        numbers = {name: rounded(values) for name, values in spent.items()}
        columns |= {"landmark": landmark.tolist(), "measured": fresh.published.tolist()} | numbers
    text = table_csv(columns, note=noted(TABLE_NOTE if what == "table" else DRAWN_NOTE, scenario))
    part = [FOR_YOU] if what == "table" else []
    return File(export_name("csv", *named, *part), "text/csv", text.encode(), DRAWN)


def value_name(series: Series) -> str:
    """The heading of released values, with their unit.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample_series
    >>> value_name(sample_series("household")), value_name(sample_series("contacts"))
    ('value_kWh', 'answer')
    """
    if series.is_answers:
        return "answer"
    return f"value_{series.unit}" if series.unit.isalnum() else "value"


def rounded(values: np.ndarray) -> list[Any]:
    """Numbers with so many digits, whole ones as whole numbers; None for what is none."""
    return [_short(value) if np.isfinite(value) else None for value in values.tolist()]


def _short(value: float) -> float | int:
    found = float(f"{value:.{DIGITS}g}")
    return int(found) if found == int(found) and abs(found) < 1e15 else found
