"""Choices for a file that was read or refused, as messages: columns, repeated times, people and days. No browser."""

from __future__ import annotations

from typing import Any

import pytest

from lmdk_widgets import Explorer, PlacesLab, QuiltLab
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.trajectory import load_trajectory
from tests.hosts.widget.declared import TO_KERNEL

BARE = "".join(f"26/1/2026;10:{m:02d};48,86{m};2,34{m}\n" for m in range(10, 40))
TWICE = "lat,lon,time\n48,2,2026-01-26T10:00Z\n48.1,2.1,2026-01-26T10:00Z\n48.2,2.2,2026-01-26T10:05Z\n"
PEOPLE = "time,lat,lon,user_id\n" + "".join(
    f"2026-01-2{day}T{10 + k}:00Z,48.8{k},2.3{k},{'ab'[k % 2]}\n" for day in (6, 7, 8) for k in range(4)
)

FLEET = "time,lat,lon,tid\n" + "".join(
    f"2026-01-26T{10 + k}:00Z,{48 + k % 2}.80{k},2.3,u{(7, 9)[k % 2]}\n" for k in range(12)
)


class Page:
    """A page that says everything that it was sent."""

    def __init__(self, lab: Any) -> None:
        self.lab, self.sent = lab, []
        lab.send = lambda message, buffers=None: self.sent.append(message)

    def tell(self, buffer: bytes = b"", **message: Any) -> list[dict[str, Any]]:
        self.sent.clear()
        self.lab._on_message(None, message, [buffer] if buffer else [])
        return list(self.sent)

    def upload(self, text: str) -> dict[str, Any]:
        """What is said of a file, or of the last message that was no drawing."""
        said = self.tell(text.encode(), type="upload", id=1, name="walk.csv", piece=0, pieces=1)
        return next((m for m in said if m["type"] == "refused"), said[0])

    def again(self, **chosen: Any) -> dict[str, Any]:
        assert chosen.keys() <= TO_KERNEL["reload"] | {"on_repeat", "on_several", "person"}
        said = self.tell(type="reload", **chosen)
        return next((m for m in said if m["type"] == "refused"), next(m for m in said if m["type"] == "read"))


@pytest.fixture
def page() -> Page:
    return Page(Explorer())


def test_columns_are_chosen_from_a_preview_that_goes_to_the_page_alone(page: Page) -> None:
    said = page.upload(BARE)
    assert (said["kind"], said["table"]) == ("columns", True)
    assert "48" not in str(said)  # the refusal is in logs and screenshots, the preview is not
    (preview,) = page.tell(type="preview", view="mine")
    assert preview["view"] == "mine" and len(preview["lines"]) == 21
    assert (preview["headings"], preview["fixed"]) == (False, False)
    swapped = preview["columns"] | {"latitude": 3, "longitude": 2}
    (rows,) = page.tell(type="preview", view="mine", columns=swapped, headings=False)
    assert rows["type"] == "rows" and rows["drawn"]["here"] == preview["drawn"]["here"][::-1]
    assert page.again(columns=preview["columns"], headings=False, epsg=None)["kind"] == "timezone"
    assert page.again(timezone="Europe/Paris")["type"] == "read"
    assert len(page.lab.trajectory) == 30
    code = page.lab.session.snippet()
    assert "columns={'date': 0, 'clock': 1, 'latitude': 2, 'longitude': 3}, headings=False" in code
    assert page.tell(type="preview")[-1]["type"] == "refused"


def test_columns_that_were_all_guessed_are_asked_about_and_nothing_is_refused(page: Page) -> None:
    said = page.upload("wann;n;e\n" + "".join(f"2026-03-01T08:{m}:00Z;48,8{m};2,3{m}\n" for m in range(10, 40)))
    asked = 'Is this right? Judging by their contents, "wann" is date and time, "n" is latitude, "e" is longitude.'
    assert (said["text"], said["asks"], said["table"]) == (asked, True, True)
    (preview,) = page.tell(type="preview")
    assert page.again(columns=preview["columns"], headings=True, epsg=None)["type"] == "read"
    for text in (
        "wann;n;e\n1;2;3\n",
        "when;a;b\n2026-03-01T08:00Z;48,8;x\n",
        "t,e,n\n2026-01-26 10:00,652000.5,6862000.2\n",
    ):
        said = page.upload(text)  # too little is clear, or nobody can guess the system of x and y
        assert not said["asks"] and said["kind"] == "columns" and "Is this right" not in said["text"]
    page.upload(BARE)
    said = page.again(columns={"date": 0, "latitude": 2, "longitude": 9}, headings=False, epsg=None)
    assert not said["asks"] and "numbers from 0 to 3" in said["text"]  # what was chosen is refused, and not asked about


def test_columns_that_do_not_do_are_asked_for_again(page: Page) -> None:
    page.upload(BARE)
    for columns in ({"time": 0}, {"latitude": 2, "longitude": 9, "date": 0}, "x"):
        said = page.again(columns=columns, headings=False, epsg=None)
        assert said["type"] == "refused" and said["text"].endswith(".")
    assert page.lab.scenario.track == "bob"


def test_a_table_whose_rows_are_refused_can_have_its_columns_chosen(page: Page) -> None:
    said = page.upload("lat,lon,time\n48,2,2026-01-26T10:00Z\nx,2,2026-01-26T10:01Z\n")
    assert (said["kind"], said["table"], said["offers"]) == ("rows", True, [])


def test_repeated_times_are_offered_and_the_choice_is_in_the_program(page: Page) -> None:
    said = page.upload(TWICE)
    assert [list(options) for _, options in said["offers"]] == [["on_repeat"]] * 3
    assert page.again(**said["offers"][2][1])["type"] == "read"
    assert page.lab.trajectory.latitude.tolist() == [48.05, 48.2]
    assert "on_repeat='average'" in page.lab.session.snippet()


def test_one_of_several_people(page: Page) -> None:
    said = page.upload(PEOPLE)
    assert (said["kind"], len(said["offers"])) == ("people", 3)
    assert page.again(**said["offers"][2][1])["type"] == "read"
    assert len(page.lab.trajectory) == 6
    page.upload(PEOPLE)
    page.again(**said["offers"][0][1])
    assert len(page.lab.trajectory) == 12


def test_a_column_of_any_name_is_asked_about_if_it_tells_people_apart(page: Page) -> None:
    said = page.upload(FLEET)
    assert (said["kind"], [text for text, _ in said["offers"]]) == (
        "people",
        ["All as one track", "u7 (6 rows)", "u9 (6 rows)"],
    )
    assert 'the column "tid" has 2 values' in said["text"] and "In Python" not in said["text"]
    assert page.again(**said["offers"][1][1])["type"] == "read"
    assert len(page.lab.trajectory) == 6 and "person='u7'" in page.lab.session.snippet()


def test_days_of_a_file_and_all_of_them_again(page: Page) -> None:
    whole = PEOPLE.replace(",user_id", "").replace(",a\n", "\n").replace(",b\n", "\n")
    page.upload(whole)
    session = page.lab.session
    assert session.days.of(session.data) == ["2026-01-26", "2026-01-28"] * 2
    page.again(days=["2026-01-27", "2026-01-27"])
    assert len(session.data) == 4
    assert session.days.of(session.data) == ["2026-01-26", "2026-01-28", "2026-01-27", "2026-01-27"]
    assert "days=['2026-01-27', '2026-01-27']" in session.snippet()
    assert page.again(days=["2026-02-27", "2026-02-27"])["kind"] == "days"
    assert len(session.data) == 4
    page.again(days=None)
    assert len(session.data) == 12
    page.tell(type="change", id=1, operations=[{"op": "set", "name": "track", "value": "bob"}], commit=True)
    assert session.days.of(session.data) == []


def test_the_other_pages_read_again_with_what_was_chosen() -> None:
    places = Page(PlacesLab(PlaceChoices(rows=2, columns=2, prior="uniform")))
    assert places.upload(BARE)["table"]
    columns = {"date": 0, "clock": 1, "latitude": 2, "longitude": 3}
    assert places.again(columns=columns, headings=False, epsg=None)["type"] == "read"
    quilts = Page(QuiltLab())
    for one in (places, quilts):
        for crowd in (PEOPLE, FLEET):
            said = one.upload(crowd)
            assert said["kind"] == "people" and len(said["offers"]) == 3
            assert one.again(**said["offers"][2][1])["type"] == "read"
    said = quilts.upload(TWICE)
    assert said["table"]
    assert quilts.again(**said["offers"][0][1])["type"] == "read"
    assert len(load_trajectory(TWICE.encode(), on_repeat="first")) == 2
    for one in (places, quilts):
        one.lab.close()
