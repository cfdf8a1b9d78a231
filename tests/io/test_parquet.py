"""Parquet: offered only where it can be written, with the table of the CSV."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pytest

from lmdk_widgets import FoundationsLab
from lmdk_widgets.io import tables
from lmdk_widgets.io.tables import table_csv


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> list[pandas.DataFrame]:
    """The tables that are written, where no library for it need be here."""
    written: list[pandas.DataFrame] = []

    def write(self: pandas.DataFrame, path: Any, **options: Any) -> None:
        assert options == {"index": False}
        written.append(self)
        path.write(b"PAR1")

    monkeypatch.setattr(pandas.DataFrame, "to_parquet", write)
    return written


def test_the_table_is_that_of_the_csv(frames: list[pandas.DataFrame]) -> None:
    x = np.array([0.1, 1 / 3, np.inf, np.nan])
    columns = {"time": ["2026-01-26T08:00:00Z"] * 4, "x": x, "name": ["NA", "b", None, "=1"]}
    assert tables.parquet_of(table_csv(columns, note="simulation")) == b"PAR1"
    (frame,) = frames
    assert list(frame.columns) == ["time", "x", "name", "note"]
    assert np.array_equal(frame["x"], x, equal_nan=True)
    assert frame["name"].tolist()[:2] == ["NA", "b"] and frame["name"].isna().tolist() == [False, False, True, False]
    assert frame["time"].dt.tz is not None and str(frame["time"][0]) == "2026-01-26 08:00:00+00:00"


@pytest.mark.skipif(not tables.can_write_parquet(), reason="no library that writes Parquet")
def test_it_reads_back(tmp_path: Any) -> None:
    (tmp_path / "a.parquet").write_bytes(tables.parquet_of(table_csv({"x": [0.1, 1 / 3]}, note="simulation")))
    assert pandas.read_parquet(tmp_path / "a.parquet")["x"].tolist() == [0.1, 1 / 3]


def test_a_page_offers_it_where_it_can_be_written(
    monkeypatch: pytest.MonkeyPatch, frames: list[pandas.DataFrame]
) -> None:
    for there in (False, True):
        monkeypatch.setattr(tables, "can_write_parquet", lambda there=there: there)
        lab, sent = FoundationsLab(), []
        lab.send = lambda message, buffers=None, sent=sent: sent.append((message, buffers))
        lab._on_message(None, {"type": "ready", "view": "v"}, [])
        assert sent[0][0]["parquet"] is there
    lab._on_message(None, {"type": "save", "what": "part.parquet", "view": "v"}, [])
    message, buffers = sent[-1]
    assert message["name"] == "anonymised-table_table_t1.parquet" and buffers == [b"PAR1"]
    assert frames[0]["age"].tolist() and "anonymised table" in frames[0]["note"][0]
