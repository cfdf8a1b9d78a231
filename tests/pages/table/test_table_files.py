"""What is saved of the table page: a table as it is published and no more of it, and the numbers of other parts."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.table import TableChoices, read_table
from lmdk_widgets.pages.table.session import TableSession
from lmdk_widgets.pages.table.stream import COUNTS

SECRET = b"age;city;illness\n" + b"".join(b"%d;Paris;%s\n" % (30 + k % 4, b"abcdefgh"[k : k + 1]) for k in range(8))


def rows_of(session: TableSession, what: str = "part") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(session.save(what).data.decode())))


def test_the_published_table_is_all_that_is_saved() -> None:
    session = TableSession(TableChoices(levels=(4, 2)))
    file = session.save("part")
    release = session.outcome.shown.release
    rows = rows_of(session)
    assert file.name == "anonymised-table_table_t1.csv" and "Donald" not in file.data.decode()
    assert list(rows[0]) == ["class", "age", "location", "status", "note"]
    assert Counter(int(row["class"]) for row in rows) == {k + 1: int(n) for k, n in enumerate(release.size)}
    for row in rows:
        assert (row["age"], row["location"]) == release.published(int(release.first[int(row["class"]) - 1]))
    assert Counter(row["status"] for row in rows) == Counter(release.table.columns[2])


@pytest.mark.parametrize("step", [1, -1])
def test_the_order_of_rows_tells_nobody_apart(step: int) -> None:
    """Within a class rows are in the order of the hidden value, however the file was; who is left out is not in it."""
    head, *lines = SECRET.strip().split(b"\n")
    own = read_table(b"\n".join([head, *lines[::step], b"99;Rome;z"]), "mine.csv")
    session = TableSession(TableChoices(table="own", quasi=(0,), sensitive=2, least=2, levels=(0,)), own)
    rows = rows_of(session)
    assert len(rows) == 8 and not {"Rome", "z", "99"} & {value for row in rows for value in row.values()}
    for k in {row["class"] for row in rows}:
        hidden = [row["illness"] for row in rows if row["class"] == k]
        assert len(hidden) == 2 and hidden == sorted(hidden)
    assert session.save("part").name == "anonymised-table_table_mine.csv"


def test_an_attack_is_saved_where_one_is_played() -> None:
    with pytest.raises(InputError, match="must be played"):
        TableSession().save("attack")
    rows = rows_of(TableSession(TableChoices(attack="homogeneity")), "attack")
    assert {row["attack"] for row in rows} == {"homogeneity"} and len(rows) == 4
    assert "names people" in rows[0]["note"]


def test_noise_stream_and_adding_up() -> None:
    noise = TableSession(TableChoices(part="noise", mechanism="geometric"))
    rows, found = rows_of(noise), noise.outcome.shown
    assert [float(row["output"]) for row in rows] == found.outputs.tolist()
    assert [float(row[f"probability if {found.names[1]}"]) for row in rows] == found.second.tolist()
    stream = TableSession(TableChoices(part="stream", level="window", window=4))
    rows = rows_of(stream)
    assert [int(row["true_count"]) for row in rows] == list(COUNTS)
    assert {row["epsilon_window"] for row in rows} == {"0.25"}
    assert [float(row["released_count"]) for row in rows] == stream.outcome.shown.released.tolist()
    assert "computed from its seed" in rows[0]["note"]
    rows = rows_of(TableSession(TableChoices(part="stream", level="pan")))
    assert {row["released_count"] for row in rows} == {""}
    rows = rows_of(TableSession(TableChoices(part="adding", releases=(0.5, 0.25, 0.125), sources=(0, 1, 2))))
    assert [float(row["epsilon"]) for row in rows] == [0.5, 0.25, 0.125] and {
        row["epsilon_together"] for row in rows
    } == {"0.75"}
