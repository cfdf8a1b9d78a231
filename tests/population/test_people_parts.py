"""Tables beyond memory: equal to the last bit however they are read, and nothing is computed twice."""

from __future__ import annotations

import importlib.util
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.population import People, people_files, people_parts
from lmdk_widgets.population.people_parts import Summary, compute_people
from lmdk_widgets.population.people_places import Places
from lmdk_widgets.population.people_table import UNZONED

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
    monkeypatch.setattr(people_files, "PART_BYTES", 4_000)


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
    assert made._parts is not None and made._parts.files.parts > 3
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
    monkeypatch.setattr(people_parts, "write_parts", lambda *_, **__: shuffled.append(1))
    told: list[tuple[int, int]] = []
    found = People.read(source, directory=folder, progress=lambda done, of: told.append((done, of)))
    assert found._parts is not None and not shuffled
    parts = found._parts.files.parts
    assert len(made) == parts - 1 and damaged in made
    assert told[0] == (1, parts) and told[-1] == (parts, parts)
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
        found.found("skip", 0.7)  # the workers find the ends of silences, too
    finally:
        cluster.stop()
    assert killed
    same(found, People(table))


def together(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of each person together: people and times in any order."""
    order = dict(zip(pd.unique(table["person"]), np.random.default_rng(3).permutation(12), strict=True))
    return table.sort_values("person", key=lambda names: names.map(order), kind="stable").reset_index(drop=True)


def test_rows_that_are_together_are_not_shuffled(
    table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = parquet(together(table), tmp_path / "table")
    with monkeypatch.context() as patched:
        patched.setattr(people_files, "crc32", lambda _: pytest.fail("the rows were shuffled"))
        made = People.read(source, chunk_rows=7)
    assert made._parts is not None and made._parts.files.parts > 3
    firsts = [made._parts.files.of(part).names for part in range(made._parts.files.parts)]
    assert sorted(name for names in firsts for name in names) == made.names.tolist()  # nobody is in two parts
    same(made, People(table))
    for name in ("p0003", "p0011"):
        assert made.track(name).time.tolist() == People(table).track(name).time.tolist()


def test_one_row_at_the_end_is_seen(table: pd.DataFrame, tmp_path: Path) -> None:
    """The last row is of the first person: nobody's rows may be in two parts."""
    rows = together(table)
    rows = pd.concat([rows[1:], rows[:1]], ignore_index=True)
    same(People.read(parquet(rows, tmp_path / "table"), chunk_rows=50), People(table))


def test_silences_are_found_when_a_scheme_needs_them(
    table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    whole = people_parts.places_of_people

    def counted(rows: object, rule: object, *, silences: bool) -> Places:
        asked.append(silences)
        return whole(rows, rule, silences=silences)  # type: ignore[arg-type]

    monkeypatch.setattr(people_parts, "places_of_people", counted)
    source = parquet(table, tmp_path / "table")
    made = People.read(source, directory=tmp_path / "kept")
    assert made.found("uniform", 0.7).tobytes() == People(table).found("uniform", 0.7).tobytes()
    assert asked and not any(asked)
    asked.clear()
    assert made.found("skip", 0.7).tobytes() == People(table).found("skip", 0.7).tobytes()
    assert made.share_found("skip", 0.2, 200.0) == People(table).share_found("skip", 0.2, 200.0)
    assert made._parts is not None and asked == [True] * made._parts.files.parts
    asked.clear()
    again = People.read(source, directory=tmp_path / "kept")
    assert again.found("skip", 0.7).tobytes() == made.found("skip", 0.7).tobytes() and not asked


def test_without_its_cluster_silences_are_found_here(
    table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = People.read(parquet(table, tmp_path / "table"))
    assert made._parts is not None
    made._parts = replace(made._parts, jobs=None, dask="tcp://127.0.0.1:1")
    engine = people_parts.engine

    def gone(*of: Any) -> Any:
        if of[-1]:
            raise InputError("the Dask address must be that of a running scheduler")
        return engine(*of)

    monkeypatch.setattr(people_parts, "engine", gone)
    same(made, People(table))


KILLED = """
import os, signal, sys
from lmdk_widgets.population import People, people_files
people_files.PART_BYTES = 4_000
if sys.argv[3] == "rows":
    write = people_files._Written._write
    people_files._Written._write = lambda self, *of: os.kill(os.getpid(), 9) if self.chunks == 2 else write(self, *of)
stop = lambda done, of: os.kill(os.getpid(), 9) if done == 3 else None
People.read(sys.argv[1], directory=sys.argv[2], chunk_rows=50, progress=stop)
"""


@pytest.mark.slow
@pytest.mark.parametrize("at", ["rows", "parts"])
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_a_killed_reading_goes_on(table: pd.DataFrame, tmp_path: Path, at: str) -> None:
    source, folder = parquet(table, tmp_path / "table"), tmp_path / "kept"
    command = [sys.executable, "-c", KILLED, str(source), str(folder), at]
    assert subprocess.run(command, timeout=120, check=False).returncode == -signal.SIGKILL
    assert len(list(folder.glob("part-*.npz"))) == (0 if at == "rows" else 3)
    (folder / ".part-00004.npz.1.tmp").write_bytes(b"half of a summary")
    same(People.read(source, directory=folder, chunk_rows=50), People(table))
    assert not list(folder.glob(".*.tmp"))


def test_a_killed_first_write_leaves_an_empty_directory(table: pd.DataFrame, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "._people.json.tmp").write_text("{")
    same(People.read(parquet(table, tmp_path / "table"), directory=tmp_path / "kept"), People(table))


def test_missing_rows_are_no_people(table: pd.DataFrame, tmp_path: Path) -> None:
    """A worker that cannot read the directory must not return that nobody is there."""
    source, folder = parquet(table, tmp_path / "table"), tmp_path / "kept"
    made = People.read(source, directory=folder)
    assert made._parts is not None
    next((folder / "rows").iterdir()).unlink()
    (folder / "part-00000.npz").unlink()
    with pytest.raises(InputError, match="must contain all rows"):
        for part in range(made._parts.files.parts):
            compute_people(made._parts.files, part)
    (folder / "rows").rename(folder / "away")
    with pytest.raises(InputError, match="must contain all rows"):
        People.read(source, directory=folder)


def test_nothing_true_is_written_where_others_read(
    table: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = parquet(table, tmp_path / "table")
    made = People.read(source, directory=tmp_path / "kept", rule={"p0003": [0, 1]})
    assert made._parts is not None
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700
    shown = repr([made, made._parts, made._parts.files, made._parts.found, made._places, made.rows])
    assert "p0003" not in shown and "48." not in shown and "kept" not in shown
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()

    def stop(done: int, of: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        People.read(source, progress=stop)
    assert not list((tmp_path / "temporary").iterdir())
    kept = People.read(source)
    assert len(list((tmp_path / "temporary").iterdir())) == 1
    del kept
    assert not list((tmp_path / "temporary").iterdir())


def test_a_reading_can_be_stopped_while_rows_are_read(table: pd.DataFrame, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    def stop(done: int, of: int) -> None:
        told.append((done, of))
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        People.read(parquet(table, tmp_path / "table"), chunk_rows=50, directory=tmp_path / "kept", progress=stop)
    assert not list((tmp_path / "kept").glob("part-*.npz")) and {done for done, _ in told} == {0}


def test_the_directory_is_outside_the_table(table: pd.DataFrame, tmp_path: Path) -> None:
    source = parquet(table, tmp_path / "table")
    with pytest.raises(InputError, match="outside the folder of the table"):
        People.read(source, directory=source / "kept")


def test_other_landmarks_in_the_middle_are_another_rule(tmp_path: Path) -> None:
    """The text of a long array leaves out its middle."""
    time = pd.date_range("2026-01-05", periods=2_500, freq="h", tz="UTC")
    pd.DataFrame({"person": "a", "time": time, "latitude": 48.86, "longitude": 2.34}).to_parquet(tmp_path / "a.parquet")
    marks = np.zeros(2_500, bool)
    People.read(tmp_path / "a.parquet", directory=tmp_path / "kept", rule={"a": marks})
    other = marks.copy()
    other[1_000:1_200] = True
    assert repr(marks) == repr(other)
    with pytest.raises(InputError, match="same table"):
        People.read(tmp_path / "a.parquet", directory=tmp_path / "kept", rule={"a": other})


def both(source: Path, **how: object) -> Iterator[People]:
    """The people of a table, read at once and in short chunks."""
    yield People(source, **how)  # type: ignore[arg-type]
    yield People.read(source, chunk_rows=4, **how)  # type: ignore[arg-type]


def test_the_zone_of_a_column_of_times_is_kept(table: pd.DataFrame, tmp_path: Path) -> None:
    zoned = table.assign(time=table["time"].dt.tz_convert("America/New_York"))
    zoned.to_parquet(tmp_path / "zoned.parquet", index=False)
    for people in both(tmp_path / "zoned.parquet"):
        assert people.rows.zone == people.track("p0003").zone == "America/New_York"
        assert UNZONED not in people.notices
    table.to_parquet(tmp_path / "utc.parquet", index=False)
    assert all(UNZONED in people.notices for people in both(tmp_path / "utc.parquet"))
    one, other = both(tmp_path / "zoned.parquet")
    assert one.home_and_work(3_000.0) == other.home_and_work(3_000.0)


def csv(folder: Path, *times: str, person: str = "user_id", names: str = "") -> Path:
    """A file with a row for each time."""
    people = names.split() or ["a"] * len(times)
    lines = [f"{name},{time},48.86,2.3{k % 10}" for k, (name, time) in enumerate(zip(people, times, strict=True))]
    (folder / "table.csv").write_text("\n".join([f"{person},time,lat,lon", *lines, ""]))
    return folder / "table.csv"


def test_the_order_of_day_and_month_does_not_depend_on_chunks(tmp_path: Path) -> None:
    first = [f"{day}/3/2026 10:00Z" for day in (13, 14, 15, 16)]
    source = csv(tmp_path, *first, *[f"{day}/4/2026 10:00Z" for day in (1, 2, 3, 5)])
    one, other = both(source)
    assert one.rows.time.tolist() == other.rows.time.tolist()
    assert str(other.rows.time[-1])[:10] == "2026-04-05"
    source = csv(tmp_path, *first, *[f"4/{day}/2026 10:00Z" for day in (13, 14, 15, 16)])
    for read in (People, lambda path: People.read(path, chunk_rows=4)):
        with pytest.raises(InputError, match="day first|cannot be used"):
            read(source)


def test_times_that_are_numbers_are_of_one_unit(tmp_path: Path) -> None:
    seconds = [1_767_600_000 + 600 * k for k in range(4)]
    source = csv(tmp_path, *map(str, seconds), *(str(1_000 * (second + 9_000)) for second in seconds))
    with pytest.raises(InputError, match="one unit; got seconds and milliseconds"):
        People.read(source, chunk_rows=4)


def test_names_do_not_depend_on_chunks(tmp_path: Path) -> None:
    times = [f"2026-03-0{day}T10:00Z" for day in range(1, 9)]
    source = csv(tmp_path, *times, person="who", names="007 7 007 7 x7 NA null 007")
    for people in both(source, columns={"person": "Who"}):
        assert people.names.tolist() == ["007", "7", "NA", "null", "x7"] and people.reports.tolist() == [3, 2, 1, 1, 1]


def test_an_hour_that_comes_twice_is_the_first_for_everybody(tmp_path: Path) -> None:
    """The step back from one person's rows to the next person's is no change of the clock."""
    times = ["2026-10-25 02:10", "2026-10-25 02:40", "2026-10-25 02:05", "2026-10-25 02:50", "2026-10-25 04:00"]
    source = csv(tmp_path, *times, names="a a b b b")
    for people in both(source, timezone="Europe/Paris"):
        assert [str(time)[11:16] for time in people.rows.time] == ["00:10", "00:40", "00:05", "00:50", "03:00"]
        assert "4 times exist twice in Europe/Paris, when the clocks go back: read as the first." in people.notices


def test_unknown_places_are_said(table: pd.DataFrame, tmp_path: Path) -> None:
    table = table.copy()
    table.loc[table.index[[3, 60, 200]], ["latitude", "longitude"]] = 0.0
    table.to_parquet(tmp_path / "table.parquet", index=False)
    said = "3 rows are at latitude 0, longitude 0, where devices put unknown places."
    assert all(said in people.notices for people in both(tmp_path / "table.parquet"))
