"""Tables beyond memory: equal to the last bit however they are read, and nothing is computed twice."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.population import People, people_parts
from lmdk_widgets.population.people_parts import Summary

pytest.importorskip("pyarrow", reason='parts need pyarrow: pip install "lmdk-widgets[study]"')

_spec = importlib.util.spec_from_file_location("crowds", Path(__file__).with_name("crowds.py"))
assert _spec is not None and _spec.loader is not None
crowds = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(crowds)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return crowds.crowd(12)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_parts, "PART_BYTES", 4_000)


def same(one: People, other: People) -> None:
    assert one.names.tolist() == other.names.tolist() and one.reports.tolist() == other.reports.tolist()
    assert one.left_out == other.left_out
    for scheme in ("uniform", "weighted", "skip"):
        assert one.found(scheme, 0.7).tobytes() == other.found(scheme, 0.7).tobytes()
    assert one.share_found("uniform", 1.0, 200.0) == other.share_found("uniform", 1.0, 200.0)
    assert one.epsilon_for(0.05, 200.0) == other.epsilon_for(0.05, 200.0)


def parquet(table: pd.DataFrame, folder: Path) -> Path:
    """The table as three Parquet files in a folder."""
    folder.mkdir()
    for k in range(3):
        table.iloc[k * len(table) // 3 : (k + 1) * len(table) // 3].to_parquet(folder / f"part{k}.parquet", index=False)
    return folder


def test_chunks_and_parts_change_nothing(table: pd.DataFrame, tmp_path: Path) -> None:
    source = parquet(table, tmp_path / "table")
    made = People.read(source, chunk_rows=50)
    assert made._files is not None and made._files.parts > 3
    same(made, People(table))
    assert made.track("p0001").landmarks == People(table).track("p0001").landmarks
    rows, own = made.rows, People(table).rows
    assert rows.starts.tolist() == own.starts.tolist() and rows.latitude.tobytes() == own.latitude.tobytes()
    assert rows.time.tobytes() == own.time.tobytes()


def test_a_csv_file_is_the_same_table(table: pd.DataFrame, tmp_path: Path) -> None:
    table.to_csv(tmp_path / "table.csv", index=False)
    same(People.read(tmp_path / "table.csv", chunk_rows=70), People(tmp_path / "table.csv"))


@pytest.mark.slow
def test_several_processes_change_nothing(table: pd.DataFrame, tmp_path: Path) -> None:
    same(People.read(parquet(table, tmp_path / "table"), jobs=2), People(table))


def test_a_stopped_reading_goes_on(table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, folder, made = parquet(table, tmp_path / "table"), tmp_path / "kept", []

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        People.read(source, directory=folder, progress=stop)
    assert len(list(folder.glob("part-*.npz"))) == 2
    damaged = next(folder.glob("part-*.npz"))
    damaged.write_bytes(damaged.read_bytes()[:-40])
    write, shuffled = Summary.write, []
    monkeypatch.setattr(Summary, "write", lambda self, path: (made.append(path), write(self, path)))
    monkeypatch.setattr(people_parts, "_shuffle", lambda *_: shuffled.append(1))
    told: list[tuple[int, int]] = []
    found = People.read(source, directory=folder, progress=lambda done, of: told.append((done, of)))
    assert found._files is not None and not shuffled
    assert len(made) == found._files.parts - 1 and damaged in made
    assert told[0] == (1, found._files.parts) and told[-1] == (found._files.parts, found._files.parts)
    same(found, People(table))


def test_a_directory_has_one_table_and_rule(table: pd.DataFrame, tmp_path: Path) -> None:
    source = parquet(table, tmp_path / "table")
    People.read(source, directory=tmp_path / "kept")
    with pytest.raises(InputError, match="same table"):
        People.read(source, directory=tmp_path / "kept", rule="none")
    with pytest.raises(InputError, match="empty or contain the same table"):
        People.read(source, directory=source)


def test_bad_rows_have_their_numbers_in_the_file(table: pd.DataFrame, tmp_path: Path) -> None:
    bad = table.copy()
    bad.loc[bad.index[[3]], "latitude"] = np.nan
    bad.to_parquet(tmp_path / "few.parquet", index=False)
    assert People.read(tmp_path / "few.parquet", chunk_rows=50).left_out == {"the latitude is not a number": 1}
    bad.loc[bad.index[60:120], "latitude"] = np.nan
    bad.to_parquet(tmp_path / "many.parquet", index=False)
    with pytest.raises(InputError, match="61 of .* cannot be used .*rows 3, 60, 61, 62 and 57 more") as error:
        People.read(tmp_path / "many.parquet", chunk_rows=50)
    assert error.value.kind == "rows" and error.value.rows[1] == (60, "the latitude is not a number")


def test_landmarks_by_name_reach_their_part(table: pd.DataFrame, tmp_path: Path) -> None:
    source, rule = parquet(table, tmp_path / "table"), {"p0003": [0, 1], "p0005": [2]}
    same(People.read(source, rule=rule), People(table, rule=rule))
    with pytest.raises(InputError, match="people of the table"):
        People.read(source, rule={"nobody": [0]})
    with pytest.raises(InputError, match="by name"):
        People.read(source, rule=[[0]])  # type: ignore[arg-type]


def test_without_pyarrow_a_sentence_says_what_to_install(
    table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.to_csv(tmp_path / "table.csv", index=False)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=r"needs the library pyarrow.*lmdk-widgets\[study\]"):
        People.read(tmp_path / "table.csv")


@pytest.mark.slow
def test_a_cluster_with_a_killed_worker_changes_nothing(table: pd.DataFrame, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason='clusters need distributed: pip install "lmdk-widgets[dask]"')
    from tests.study.test_study_dask import Cluster

    source, killed = parquet(table, tmp_path / "table"), []
    (tmp_path / "cluster").mkdir()
    cluster = Cluster(tmp_path / "cluster")

    def kill(done: int, of: int) -> None:
        if done == 1 and not killed:
            killed.append(done)
            cluster.workers[0].kill()

    try:
        found = People.read(source, dask=cluster.address(), directory=tmp_path / "kept", progress=kill)
    finally:
        cluster.stop()
    assert killed
    same(found, People(table))
