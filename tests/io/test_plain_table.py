"""Tables as CSV: what is written reads back to the last bit, and no cell is a formula."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.io.tables import table_csv


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_numbers_read_back_exactly() -> None:
    values = np.concatenate(
        (np.random.default_rng(1).normal(size=50) * 10.0 ** np.arange(-25, 25), [0.1, 1e-320, np.inf])
    )
    rows = rows_of(table_csv({"x": values, "n": range(len(values))}, note="simulation"))
    assert [float(row["x"]) for row in rows] == values.tolist()
    assert [row["n"] for row in rows] == [str(k) for k in range(len(values))]
    assert {row["note"] for row in rows} == {"simulation"}


def test_what_is_missing_stays_empty_and_flags_are_numbers() -> None:
    rows = rows_of(table_csv({"x": [None, np.nan, 1.5], "on": [True, False, None]}, note="simulation"))
    assert [(row["x"], row["on"]) for row in rows] == [("", "1"), ("", "0"), ("1.5", "")]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1"])
def test_a_spreadsheet_runs_nothing(text: str) -> None:
    (row,) = rows_of(table_csv({"name": [text], "number": [-1.0]}, note="simulation"))
    assert row["name"] == f"'{text.strip()}" and row["number"] == "-1.0"
    assert table_csv({text: [1]}, note="simulation").lstrip('"').startswith("'")


def test_columns_have_one_length() -> None:
    with pytest.raises(InputError, match="same length"):
        table_csv({"a": [1], "b": [1, 2]}, note="simulation")
