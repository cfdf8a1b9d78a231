"""Worksheets, slides and keys: no answer where none belongs, every question in order, a picture for each, nothing fetched."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.course import LESSONS, questions
from lmdk_widgets.course.ask import Ask, Choose, Number, Order
from lmdk_widgets.course.ask.verdict import said
from lmdk_widgets.hosts.site import lessons
from lmdk_widgets.hosts.site.handouts import on_paper, write_handouts, written
from lmdk_widgets.hosts.site.notebooks import notebook
from lmdk_widgets.io.report import STYLE
from tests.browser import browser, page

PUBLIC = ("worksheet", "slides")


def revealed_by(ask: Ask) -> Iterator[str]:
    """Every sentence about the answer to a question."""
    if isinstance(ask, Choose):
        yield from (said(choice.why) for choice in ask.choices)
    else:
        yield said(getattr(ask, "why", ""))
    if isinstance(ask, Order):
        yield from (said(item.why) for item in ask.items)
    if isinstance(ask, Number):
        yield from (trap.why for trap in ask.traps)
        yield ask.judge(ask.right_answer()).words


def words(html: str) -> str:
    """What is read, in one line."""
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def cells(lesson: str) -> list[dict[str, Any]]:
    return json.loads(notebook(lesson).read_text("utf-8"))["cells"]


def check(folder: Path, lesson: str) -> None:
    """What must be true of a lesson's worksheet and slides."""
    asked = questions(lesson)
    for kind in PUBLIC:
        html = (folder / f"{lesson}-{kind}.html").read_text("utf-8")
        places = re.findall(r'data-question="([^"]*)"', html)
        assert places == [ask.name for ask in asked], "each question once, in order"
        numbers = re.findall(r"Question (\d+)<", html)
        assert numbers == [str(k) for k in range(1, len(asked) + 1)]
        read = words(html)
        for ask, part in zip(asked, html.split("data-question=")[1:], strict=True):
            assert " ".join(on_paper(ask).split()) in read and "Tap " not in read, ask.name
            assert '<figure class="room"><' in part, "a picture to answer in"
            assert not [text for text in revealed_by(ask) if text and " ".join(text.split()) in read], ask.name
        plain = re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.S)
        for mark in ('class="keyed"', "What follows an answer", "Solution", "verdict"):
            assert mark not in plain, mark
        assert not re.findall(r"""(?:src|href)=["']?(?!#|data:)[^"'>]""", plain)
        assert "default-src 'none'" in html


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_answer_on_a_worksheet_or_a_slide(lesson: str, tmp_path: Path) -> None:
    written(tmp_path, lesson, cells(lesson), PUBLIC)
    check(tmp_path, lesson)
    assert len(re.findall("Exercise [123]<", (tmp_path / f"{lesson}-worksheet.html").read_text("utf-8"))) == 3


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_right_number_is_read_before_its_question(lesson: str, tmp_path: Path) -> None:
    """On the slides of its step, if it has three characters or more: a shorter one may be there by chance."""
    (path,) = written(tmp_path, lesson, cells(lesson), ["slides"])
    slides = re.findall(r'<section class="slide.*?</section>', path.read_text("utf-8"), re.S)
    named = {ask.name: ask for ask in questions(lesson)}
    before = ""
    for slide in slides:
        before += " " + words(slide)
        if found := re.search(r'data-question="([^"]*)"', slide):
            ask = named[found[1]]
            if isinstance(ask, Number):
                number = ask.written(ask.right_answer()).split()[0]
                hits = re.findall(rf"(?<![\d.,]){re.escape(number)}(?![\d.,]*\d)", before.replace(on_paper(ask), ""))
                assert len(number) < 3 or not hits, (ask.name, number)
            before = ""


def test_the_key_says_each_answer_and_why(tmp_path: Path) -> None:
    (path,) = written(tmp_path, "tables", cells("tables"), ["key"])
    read = words(path.read_text("utf-8"))
    for ask in questions("tables"):
        why = ask.choices[ask.right()].why if isinstance(ask, Choose) else getattr(ask, "why", "")
        assert f"{ask.name} " in read and " ".join(said(why).split()) in read, ask.name
    assert "It is 99" in read and "alone It is 6" not in read


@pytest.mark.parametrize("lesson", ("tables", "city"))
def test_the_key_has_the_letters_of_the_worksheet(lesson: str, tmp_path: Path) -> None:
    """In words, and as the same list: no style that it shares with other pages takes the mark of a line away."""
    sheet, keyed = (path.read_text("utf-8") for path in written(tmp_path, lesson, cells(lesson), ("worksheet", "key")))
    lists = [re.findall(r'<ol class="choices".*?</ol>', html) for html in (sheet, keyed)]
    assert [re.sub(' class="keyed"', "", one) for one in lists[1]] == lists[0]
    for ask in questions(lesson):
        if isinstance(ask, Choose):
            assert f"<b>{'ABCDEFG'[ask.right_answer()]}. {escape(ask.choices[ask.right()].text)}" in keyed
    assert "keyed" not in STYLE


def test_the_command_names_what_it_cannot_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["handout", "zone"]) == 2
    assert '"zones"' in capsys.readouterr().err


def slides_fit(chromium: Any, path: Path, width: int) -> None:
    """Every slide is on one screen, and nothing is wider than the page."""
    with page(chromium, width=width, height=720) as opened:
        opened.goto(path.as_uri())
        opened.wait_for_function("document.querySelectorAll('.lmdk-drawn > figcaption').length === 0")
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        if width > 1000:
            high = "[...document.querySelectorAll('.slide')].filter(s => s.scrollHeight > 721).map(s => s.id)"
            assert opened.evaluate(high) == []
        assert opened.guard.requests in ([], [path.as_uri()]), "nothing is fetched"


@pytest.mark.browser
@pytest.mark.slow
def test_handouts_in_a_browser(tmp_path: Path) -> None:
    write_handouts(tmp_path, "moments")
    check(tmp_path, "moments")
    key = (tmp_path / "moments-key.html").read_text("utf-8")
    assert key.count('<figure class="lmdk-drawn">') >= 4 and 'class="keyed"' in key
    with browser() as chromium:
        for width in (1280, 400):
            for kind in ("slides", "worksheet", "key"):
                slides_fit(chromium, tmp_path / f"moments-{kind}.html", width)


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_is_a_worksheet_and_slides(lesson: str, tmp_path: Path) -> None:
    write_handouts(tmp_path, lesson)
    check(tmp_path, lesson)
    with browser() as chromium:
        for width in (1280, 400):
            slides_fit(chromium, tmp_path / f"{lesson}-slides.html", width)


def test_a_site_has_worksheets_and_slides_but_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a lesson's page links to them; a table in Markdown that a program shows is a table there."""
    found = nbformat.read(notebook("zones"), as_version=4)
    shown = nbformat.v4.new_output(
        "display_data", {"text/plain": "<Markdown object>", "text/markdown": "| a |\n|---|\n| 7 |"}
    )
    found.cells[1]["outputs"] = [shown]
    monkeypatch.setattr(lessons, "run", lambda path: found)
    path = lessons.write_lesson(tmp_path, "zones", ["zones"])
    assert {each.name for each in tmp_path.iterdir()} == {path.name, "zones-worksheet.html", "zones-slides.html"}
    html = path.read_text("utf-8")
    assert '<a href="zones-worksheet.html">Worksheet</a>' in html and '<a href="zones-slides.html">Slides</a>' in html
    assert "<td>7</td>" in html and "Markdown object" not in html
