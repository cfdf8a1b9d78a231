"""Blocks say the same to the page, to a report and to a file."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.blocks import Chart, Column, Notes, Table, Text

COLUMNS = (
    Column("mechanism", "mechanism"),
    Column("error_m", "error", lambda m: "none" if m is None else f"{m:.0f} m", "right"),
    Column("protects", "protects", lambda kept: "yes" if kept else "no", warned=lambda kept: not kept),
    Column("seed"),
    Column("", "only here"),
)
TABLE = Table(
    "Errors <1>", COLUMNS, (("Laplace", 168.25, True, 3, "a"), ("=none", None, False, 4, "b")), ("So.", "Not.")
)


def cells(html: str) -> list[list[str]]:
    return [re.findall(r"<t[hd][^>]*>([^<]*)</t", row) for row in re.findall(r"<tr.*?</tr>", html)]


def test_page_and_report_show_the_same_table() -> None:
    message, html = TABLE.message(), TABLE.html()
    heads, *rows = cells(html)
    assert (
        heads == [column["heading"] for column in message["columns"]] == ["mechanism", "error", "protects", "only here"]
    )
    assert rows[::2] == message["rows"] and [note for (note,) in rows[1::2]] == message["notes"] == ["So.", "Not."]
    assert message["warned"] == [[1, 2]] and message["marked"] == -1
    assert "<caption>Errors &lt;1&gt;</caption>" in html and html.count('class="right"') == 3


def test_a_file_holds_the_values_that_are_shown_and_more() -> None:
    heads, *rows = csv.reader(io.StringIO(TABLE.csv(note="simulation")))
    assert heads == ["mechanism", "error_m", "protects", "seed", "note"]
    assert rows == [["Laplace", "168.25", "1", "3", "simulation"], ["'=none", "", "0", "4", "simulation"]]


def test_names_and_values_have_no_headings_and_nothing_is_no_table() -> None:
    table = Table.of_texts("Settings", ("", ""), [("ε", "1")])
    assert "<thead>" not in table.html() and [column["heading"] for column in table.message()["columns"]] == ["", ""]
    assert table.message()["rows"] == [["ε", "1"]] and Table("None", COLUMNS).html() == ""


def test_a_chart_that_leaves_the_page_has_its_arrays_in_place() -> None:
    trace = {"type": "scatter", "x": {"$": "at"}, "y": [1.0, float("nan")]}
    chart = Chart("loss", "Loss", {"data": [trace], "layout": {}}, "It falls.", {"at": np.arange(5000)})
    assert chart.message()["figure"]["data"][0]["x"] == {"$": "at"} and not chart.is_empty
    alone = chart.alone()
    drawn = alone.figure["data"][0]
    assert len(drawn["x"]) == 2000 and (drawn["x"][0], drawn["x"][-1]) == (0, 4999) and drawn["y"] == [1.0, None]
    assert alone.alone().figure == alone.figure and "It falls." in chart.html()
    assert Chart("none", "", {"data": [{"type": "bar", "y": []}]}, "").is_empty


def test_texts_are_escaped_and_notes_are_told_whole() -> None:
    assert Text("a < b", "quiet").html() == '<p class="quiet">a &lt; b</p>' and Text("a").message() == "a"
    notes = Notes("It is.", "If so.", ("Not always.",))
    assert notes.message() == {"paragraph": "It is.", "assumption": "If so.", "warnings": ("Not always.",)}
    assert notes.lines() == ["It is.", "Not always.", "If so."]
    assert notes.html() == '<p class="said">It is.</p><ul class="warnings"><li>Not always.</li></ul>'


def test_a_file_has_a_note_for_each_row_and_as_many_digits_as_are_asked_for() -> None:
    table = Table("Errors", (Column("error_m"), Column("kept")), ((1 / 3, True), (float("inf"), False)))
    assert table.csv(note=["one", "two"], digits=3) == "error_m,kept,note\n0.333,1,one\n,0,two\n"
    assert table.csv(note="all").splitlines()[1:] == [f"{1 / 3!r},1,all", "inf,0,all"]
    with pytest.raises(InputError):
        table.csv(note=["one\nline", "two"])
