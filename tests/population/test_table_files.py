"""Tables of people in files: CSV, Parquet, and made files in the shapes of the published data sets."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.population import People
from lmdk_widgets.population.table_files import read_chunks, read_table

PLT = "Geolife trajectory\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,2,255,My Track,0,0,2,8421376\r\n0\r\n"


def t_drive(folder: Path) -> Path:
    """Three taxis, one of them without a line, as in the data set."""
    folder.mkdir()
    for taxi in (1, 10):
        lines = [f"{taxi},2008-02-02 15:{30 + k}:08,116.5117{taxi % 7},39.9212{k}" for k in range(3)]
        (folder / f"{taxi}.txt").write_text("\n".join([*lines, ""]))
    (folder / "2.txt").write_text("")
    return folder


def test_t_drive_is_a_folder_of_taxis_by_the_clock_of_beijing(tmp_path: Path) -> None:
    folder = t_drive(tmp_path / "taxi_log_2008_by_id")
    people = People(folder, timezone="Asia/Shanghai")
    assert people.names.tolist() == ["1", "10"] and people.reports.tolist() == [3, 3]
    assert people.rows.time[0] == np.datetime64("2008-02-02T07:30:08")
    assert people.rows.latitude[:3].tolist() == [39.92120, 39.92121, 39.92122]
    assert people.rows.longitude[0] == 116.51171
    with pytest.raises(InputError) as refused:
        People(folder)
    assert refused.value.kind == "timezone"
    assert len(People(folder / "10.txt", timezone="Asia/Shanghai")) == 1


@pytest.mark.parametrize("packed", [False, True])
def test_gowalla_is_check_ins_between_tabs(tmp_path: Path, packed: bool) -> None:
    lines = [f"{user}\t2010-10-19T23:5{k}:27Z\t30.2359{user}\t-97.79513\t2284{k}" for user in (0, 1) for k in (3, 2)]
    content = "\n".join([*lines, ""]).encode()
    file = tmp_path / ("loc-gowalla_totalCheckins.txt" + ".gz" * packed)
    file.write_bytes(gzip.compress(content) if packed else content)
    people = People(file)
    assert people.names.tolist() == ["0", "1"] and people.reports.tolist() == [2, 2]
    assert people.rows.time[:2].astype("datetime64[s]").astype(str).tolist() == [
        "2010-10-19T23:52:27",
        "2010-10-19T23:53:27",
    ]
    assert people.rows.latitude.tolist() == [30.23590, 30.23590, 30.23591, 30.23591]


def test_cabspotting_is_a_file_for_each_taxi(tmp_path: Path) -> None:
    for taxi in ("abboip", "abcoij"):
        lines = [f"37.7513{k} -122.3948{k} 0 121308{k}082" for k in (4, 3)]
        (tmp_path / f"new_{taxi}.txt").write_text("\n".join([*lines, ""]))
    (tmp_path / "_cabs.txt").write_text('<cab id="abboip" updates="2"/>\n')
    people = People(tmp_path)
    assert people.names.tolist() == ["abboip", "abcoij"] and people.reports.tolist() == [2, 2]
    assert people.rows.time[0] == np.datetime64(1213083082, "s") and people.rows.latitude[0] == 37.75133


def test_geolife_is_a_folder_for_each_person(tmp_path: Path) -> None:
    for person, days in (("000", (23, 24)), ("153", (25,))):
        trips = tmp_path / "Data" / person / "Trajectory"
        trips.mkdir(parents=True)
        for day in days:
            rows = [f"39.98470{k},116.31841{k},0,492,39744.12,2008-10-{day},02:53:0{k}" for k in (4, 5)]
            (trips / f"200810{day}025304.plt").write_bytes((PLT + "\r\n".join([*rows, ""])).encode())
    (tmp_path / "Data" / "153" / "labels.txt").write_text("Start Time\tEnd Time\tTransportation Mode\n")
    people = People(tmp_path)
    assert people.names.tolist() == ["000", "153"] and people.reports.tolist() == [4, 2]
    assert people.rows.time[0] == np.datetime64("2008-10-23T02:53:04")
    assert People(tmp_path / "Data" / "153").names.tolist() == ["153"]
    one = People(tmp_path / "Data" / "153" / "Trajectory" / "20081025025304.plt")
    assert one.names.tolist() == ["20081025025304"] and one.reports.tolist() == [2]


TABLE = pandas.DataFrame(
    {
        "user_id": ["007", "7", "007"],
        "time": ["2026-03-02T08:00:00Z", "2026-03-02T08:00:00Z", "2026-03-02T09:00:00Z"],
        "lat": [48.86, 48.87, 48.88],
        "lon": [2.34, 2.35, 2.36],
    }
)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_keeps_names_as_they_are_written(tmp_path: Path, separator: str) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(b"\xef\xbb\xbf" + TABLE.to_csv(sep=separator, index=False).encode())
    people = People(file)
    assert people.names.tolist() == ["007", "7"] and people.reports.tolist() == [2, 1]
    assert people.rows.latitude.tolist() == [48.86, 48.88, 48.87]


def test_a_folder_of_csv_or_parquet_is_one_table(tmp_path: Path) -> None:
    for k, part in enumerate((TABLE[:2], TABLE[2:])):
        part.to_csv(tmp_path / f"part{k}.csv", index=False)
    (tmp_path / ".hidden.csv").write_text("a,b\n1,2\n")
    assert People(tmp_path).reports.tolist() == [2, 1]
    for k, part in enumerate((TABLE[:2], TABLE[2:])):
        part.to_parquet(tmp_path / f"part{k}.parquet")
    assert len(read_table(tmp_path)) == 3
    assert People(str(tmp_path / "part0.parquet")).reports.tolist() == [1, 1]
    TABLE[2:].drop(columns="lon").to_parquet(tmp_path / "part1.parquet")
    with pytest.raises(InputError, match="must have the same columns"):
        People(tmp_path)


def test_folders_may_name_the_person(tmp_path: Path) -> None:
    """As a data set of Parquet is written by person: the column is in the names of the folders."""
    pytest.importorskip("pyarrow")
    named = TABLE.assign(user_id=["a b", "7", "a b"])
    named.to_parquet(tmp_path / "table", partition_cols=["user_id"], index=False)
    for people in (People(tmp_path / "table"), People.read(tmp_path / "table")):
        assert people.names.tolist() == ["7", "a b"] and people.reports.tolist() == [1, 2]


def test_whole_numbers_stay_whole_where_one_is_missing(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    people = [2**60, 2**60 + 1] * 30 + [None]
    columns = {
        "user_id": pyarrow.array(people, pyarrow.int64()),
        "time": [f"2026-03-02T{k // 60:02}:{k % 60:02}Z" for k in range(61)],
    }
    parquet.write_table(pyarrow.table({**columns, "lat": [48.86] * 61, "lon": [2.34] * 61}), tmp_path / "table.parquet")
    for found in (People(tmp_path / "table.parquet"), People.read(tmp_path / "table.parquet", chunk_rows=7)):
        assert found.names.tolist() == [str(2**60), str(2**60 + 1)] and found.reports.tolist() == [30, 30]
        assert found.left_out == {"the person is missing": 1}


def test_short_files_of_a_data_set_are_read_together(tmp_path: Path) -> None:
    folder = t_drive(tmp_path / "taxi_log_2008_by_id")
    assert [len(chunk) for chunk in read_chunks(folder, 100)] == [6]
    assert [len(chunk) for chunk in read_chunks(folder, 2)] == [3, 3]


def test_what_cannot_be_read_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"must be a file or a folder that exists; got no\.csv\."):
        People(tmp_path / "no.csv")
    with pytest.raises(InputError, match="must contain files of one kind"):
        People(tmp_path)
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(InputError, match="at least one row"):
        People(tmp_path / "empty.csv")
    (tmp_path / "damaged.parquet").write_bytes(b"PAR1 and nothing more")
    with pytest.raises(InputError, match="which cannot be read"):
        People(tmp_path / "damaged.parquet")
    (tmp_path / "noise.csv").write_bytes(bytes(range(1, 256)) * 9)
    with pytest.raises(InputError):
        People(tmp_path / "noise.csv")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="must have columns for person"):
        People(tmp_path / "other.csv")
