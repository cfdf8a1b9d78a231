"""Tables of the user's own on the people page: read, refused with a sentence, and handed on."""

from __future__ import annotations

import csv
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.reader import _answered
from lmdk_widgets.pages.people import PeopleChoices, evaluate, tables
from lmdk_widgets.pages.people.page import PeoplePage
from lmdk_widgets.pages.people.session import PeopleSession
from lmdk_widgets.pages.people.tables import PeopleTable, read_table_at
from lmdk_widgets.pages.people.words import verdict_said
from lmdk_widgets.population import People
from lmdk_widgets.trajectory import load_trajectory
from tests.pages.few_people import ROWS


def test_a_table_of_the_users_own_is_read_and_said_to_be_for_its_owner() -> None:
    lines = ["person,time,latitude,longitude", *(",".join(map(str, row.values())) for row in ROWS)]
    session = PeopleSession()
    session.load("\n".join(lines).encode(), "three.csv")
    assert session.choices.table == "own" and session.outcome.people.names.tolist() == ["Ada", "Bob", "Cy"]
    assert session.left_out() == ("your table",)
    file = session.save("everyone").data.decode()
    assert "do not share" in file and "Ada" in file
    assert "table=own" in session.link.query and "Ada" not in session.link.query
    with pytest.raises(InputError, match="true data"):
        session.what_if()


def test_the_track_of_one_person_is_handed_to_the_track_page() -> None:
    session = PeopleSession(PeopleChoices(table="own", person=1), PeopleTable(People(ROWS)))
    sent: list[Any] = []
    page = PeoplePage(session, send=lambda message, buffers: sent.append((message, buffers)))
    page.receive({"type": "person"})
    assert sent[-1][0]["type"] == "person", sent[-1][0]
    message, (data,) = sent[-1]
    assert message["type"] == "person" and message["name"] == "Bob.csv"
    assert message["settings"] == {"scheme": "uniform", "epsilon": 1.0} and message["read"] == {}
    page.receive({"type": "change", "operations": [{"op": "zone", "timezone": "Europe/Paris"}]})
    page.receive({"type": "person"})
    assert sent[-1][0]["read"] == {"timezone": "Europe/Paris"}
    assert load_trajectory(sent[-1][1][0], **sent[-1][0]["read"]).zone == "Europe/Paris"
    assert "person" not in session.link.query
    rows = list(csv.DictReader(data.decode().splitlines()))
    assert len(rows) == 24 and {row["latitude"] for row in rows} == {"48.87"}
    track = session.outcome.people.track("Bob")
    assert [k for k, row in enumerate(rows) if row["landmark"] == "1"] == list(track.landmarks)
    page.receive({"type": "change", "operations": [{"op": "set", "name": "person", "value": -1}]})
    page.receive({"type": "person"})
    assert sent[-1][0]["type"] == "refused"


NAIVE = "person,time,latitude,longitude\n" + "".join(
    f"{who},2026-03-02 08:{minute:02d}:00,48.85,2.35\n" for who in ("Ada", "Bob") for minute in range(0, 60, 10)
)


def test_a_path_is_read_only_where_the_user_may_read_every_file(tmp_path: Path) -> None:
    file = tmp_path / "rides.csv"
    file.write_text(NAIVE.replace(":00,", ":00Z,"))
    with pytest.raises(InputError, match="your own computer"):
        PeopleSession().read_path(str(file))
    sent: list[Any] = []
    page = PeoplePage(PeopleSession(), send=lambda message, _: sent.append(message))
    page.receive({"type": "ready"})
    assert sent[0]["paths"] is False and sent[0]["reads"] is True
    page.receive({"type": "path", "path": str(file)})
    assert [each["type"] for each in sent[-2:]] == ["refused", "read"] and sent[-1]["taken"] is False
    assert "rides" not in sent[-2]["text"] and page.session.data is None


def test_a_path_is_read_and_its_zone_can_be_chosen(tmp_path: Path) -> None:
    file = tmp_path / "rides.csv"
    file.write_text(NAIVE)
    sent: list[Any] = []
    page = PeoplePage(PeopleSession(paths=True), send=lambda message, _: sent.append(message))
    page.receive({"type": "ready"})
    page.receive({"type": "path", "path": str(file)})
    assert sent[-2]["kind"] == "timezone" and sent[-1]["taken"] is False
    page.receive({"type": "reload", "timezone": "Europe/Paris"})
    assert sent[-1]["taken"] is True and page.session.choices.table == "own"
    assert page.session.outcome.people.names.tolist() == ["Ada", "Bob"] and page.session.data.name == "rides.csv"
    page.receive({"type": "path", "path": str(tmp_path / "no.csv")})
    assert "exists" in sent[-2]["text"] and page.session.data.name == "rides.csv"


def test_a_large_table_is_read_in_parts_to_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "rides.csv"
    file.write_text(NAIVE)
    whole = read_table_at(str(file), timezone="UTC")
    monkeypatch.setattr(tables, "MAX_UPLOAD_BYTES", 10)
    parts = read_table_at(str(file), timezone="UTC")
    choices = PeopleChoices(table="own", removed=True)
    one, other = (evaluate(choices, table) for table in (whole, parts))
    assert one.found_m.tolist() == other.found_m.tolist()
    assert parts.alone(500.0, 1, 2, 1) == whole.alone(500.0, 1, 2, 1) == 0.0
    assert parts.people("none").track("Bob").landmarks == ()


def test_bad_input_gets_a_sentence() -> None:
    with pytest.raises(InputError, match="table of your own"):
        evaluate(PeopleChoices(table="own"))
    with pytest.raises(InputError, match="Epsilon must be"):
        PeopleChoices(epsilon=-1)
    with pytest.raises(InputError):
        PeopleSession().load(b"a,b\n1,2\n", "x.csv")


def test_rows_that_cannot_be_used_are_a_sentence_without_a_choice() -> None:
    rows = b"person,time,latitude,longitude\n" + b"Ada,2026-03-02T08:00:00Z,98,2\n" * 9
    with pytest.raises(InputError, match="cannot be used") as refused:
        PeopleSession().load(rows, "x.csv")
    assert refused.value.kind == ""


def test_landmarks_of_nobody_are_those_of_a_table_read_with_that_rule() -> None:
    table = PeopleTable(People(ROWS))
    ours, theirs = table.people("none"), People(ROWS, rule="none")
    assert ours.found("uniform", 0.5).tolist() == theirs.found("uniform", 0.5).tolist()
    assert ours.track("Bob").landmarks == () and ours.rows is table.people("stays").rows


def test_a_table_that_another_process_has_read_is_the_same() -> None:
    """A room reads visitors' files elsewhere, and trusts only a few kinds of values that come back."""
    lines = ["person,time,latitude,longitude", *(",".join(map(str, row.values())) for row in ROWS)]
    data = "\n".join(lines).encode()
    found = _answered(pickle.dumps(("found", PeopleSession().read(data, "three.csv"))))
    own, other = (evaluate(PeopleChoices(table="own"), table) for table in (PeopleTable(People(ROWS)), found))
    assert own.found_m.tolist() == other.found_m.tolist() and found.said == "three.csv: 72 reports of 3 people."


def test_the_name_of_a_saved_file_can_be_written_on_any_system() -> None:
    assert not set(PeopleSession().save("everyone").name) & set(':*?"<>|/\\ ')


def test_a_small_tables_limit_is_said_of_100() -> None:
    outcome = evaluate(PeopleChoices(table="own", epsilon=0.3), PeopleTable(People(ROWS)))
    assert "at most 5 of 100 may be." in verdict_said(outcome)


def test_the_zone_of_an_own_table_can_be_set() -> None:
    table = PeopleTable(People(ROWS))
    session = PeopleSession(PeopleChoices(table="own"), table)
    assert table.zone == "" and any("No time zone" in each for each in table.notices)
    before = table.alone(500.0, 24, 1, 1)
    session.apply([{"op": "zone", "timezone": "Pacific/Kiritimati"}], commit=True)
    moved = session.outcome.table
    assert moved.zone == "Pacific/Kiritimati" and not any("No time zone" in each for each in moved.notices)
    assert moved.people("stays").track("Bob").zone == moved.people("none").track("Bob").zone == "Pacific/Kiritimati"
    assert np.array_equal(moved.people("stays").found("uniform", 1.0), table.people("stays").found("uniform", 1.0))
    assert before >= 0 and session.choices.table == "own"
    with pytest.raises(InputError, match="IANA"):
        session.apply([{"op": "zone", "timezone": "Mars/Base"}], commit=True)
    with pytest.raises(InputError, match="own"):
        PeopleSession().apply([{"op": "zone", "timezone": "UTC"}], commit=True)
