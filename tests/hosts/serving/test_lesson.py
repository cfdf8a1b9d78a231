"""Lessons: `lmdk lesson` finds them, and the served page reads like one, wide and narrow, light and dark."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from lmdk_widgets import cli
from lmdk_widgets.course import LESSONS, STORIES
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving import launch
from lmdk_widgets.hosts.site import notebooks as lessons
from tests.browser import page
from tests.hosts.serving.visits import fetch
from tests.server import ROOT, Address, serve, started

SECTIONS, FIGURES = 8, 3
"""Of the lesson on correlation; the other figures wait for an answer."""


def test_every_lesson_is_there_and_in_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included["notebooks"] == "lmdk_widgets/hosts/serving/notebooks"
    assert {path.stem for path in (ROOT / "notebooks").iterdir()} - {".ipynb_checkpoints"} == {
        "explorer",
        "build_your_own",
        *LESSONS,
        *STORIES,
    }
    for lesson in LESSONS.values():
        assert 0 < lesson.minutes[0] < lesson.minutes[1] <= 60 and len(lesson.goals) >= 3


def test_the_command_lists_lessons_and_refuses_others(capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["lesson", "--list"]) == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == f"{next(iter(LESSONS))}   {next(iter(LESSONS.values())).title}"
    assert last == f"followed   {STORIES['followed']}" and lessons.known_lesson("followed") == "followed"
    assert cli.main(["lesson", "nothing", "--no-browser"]) == 2
    *others, last = (f'"{name}"' for name in [*LESSONS, *STORIES])
    assert capsys.readouterr().err == f"lmdk: NAME must be {', '.join(others)} or {last}; got nothing.\n"
    with pytest.raises(InputError):
        lessons.known_lesson("../explorer")


@pytest.mark.parametrize("arguments", [[], ["correlation"]])
def test_the_command_opens_the_lesson(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(launch, "explore", lambda **options: asked.append(options))
    assert cli.main(["lesson", *arguments, "--port", "9000", "--no-browser"]) == 0
    (options,) = asked
    first = next(iter(LESSONS))
    usual = {"token": None, "basemap": None}
    assert options == {"lesson": "correlation" if arguments else first, "port": 9000, "browser": False, **usual}


@pytest.fixture(scope="module")
def address() -> Iterator[Address]:
    with serve() as running:
        yield running


@pytest.fixture
def lesson(address: Address) -> str:
    return f"{address}lesson/correlation"


def read(tab: Any, address: str) -> None:
    tab.goto(address, wait_until="commit")
    painted = "document.querySelectorAll('.lmdk-figure[data-lmdk-painted] .lmdk-drawing').length"
    tab.wait_for_function(f"{painted} >= {FIGURES}", timeout=60_000)
    tab.locator(".lmdk-slidingfigure[data-lmdk-ready]").first.wait_for()


@pytest.mark.nightly
@pytest.mark.browser
def test_text_and_figures_are_shown(lesson: str, chromium: Any) -> None:
    with page(chromium) as tab:
        read(tab, lesson)
        assert tab.title() == "lmdk: Temporal privacy loss"
        assert tab.get_by_role("heading", level=2).filter(has_text=re.compile(r"^\d\. ")).count() == SECTIONS
        assert tab.get_by_role("cell", name="A, one way").is_visible()
        text = tab.locator("#rendered_cells").inner_text()
        assert "is 0.8585, not 0.6368" in text
        assert "import numpy" not in text and "**" not in text, "no code, no raw markdown"
        column = tab.locator(".lmdk-text").first.bounding_box()
        assert column["width"] <= 800 and column["x"] > 200, "a column to read in"


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_a_telephone_light_and_dark(lesson: str, chromium: Any, dark: bool) -> None:
    with page(chromium, width=400, dark=dark) as tab:
        read(tab, lesson)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 400
        drawn = tab.locator(".lmdk-figure .lmdk-drawing").first
        assert 300 < drawn.bounding_box()["width"] <= 400
        colour = "getComputedStyle(document.querySelector('.lmdk-figure text[data-text=x]')).fill"
        assert tab.evaluate(colour) == ("rgb(238, 242, 246)" if dark else "rgb(22, 32, 44)")
        tab.emulate_media(color_scheme="light" if dark else "dark")
        tab.wait_for_function(f"{colour} === '{'rgb(22, 32, 44)' if dark else 'rgb(238, 242, 246)'}'")


@pytest.mark.slow
def test_lessons_stand_beside_the_explorer_with_sessions_of_their_own(address: Address) -> None:
    lesson = address.placed(f"{address}lesson/start")
    explorer, first, second = fetch(address.page), fetch(lesson), fetch(lesson)
    assert {answer.status for answer in (explorer, first, second)} == {200}
    assert len({answer.kernel for answer in (explorer, first, second)}) == 3
    assert f'href="{urlsplit(address.page).path}?page=lessons"' in first.text and "All lessons" not in explorer.text
    assert "track.js" in explorer.text.partition("</head>")[0]
    assert "track.js" not in first.text.partition("</head>")[0], "what it does not need is not loaded first"
    assert first.headers["Content-Security-Policy"] == explorer.headers["Content-Security-Policy"]
    text = first.text.partition("lmdk.session(")[0]
    assert text.count('class="lmdk-text"') > 3 and "lmdk.computed" not in text, "its words come first"


@pytest.mark.nightly
@pytest.mark.slow
def test_the_command_prints_the_address_of_the_lesson() -> None:
    command = [sys.executable, "-m", "lmdk_widgets.cli", "lesson", "states", "--no-browser", "--port", "0"]
    with started(command) as address:
        assert address.opened.endswith("&next=/voila/render/lesson/states.ipynb")
        assert fetch(address.opened, Cookie="").headers["Location"] == "/voila/render/lesson/states.ipynb"


@pytest.mark.nightly
@pytest.mark.browser
def test_words_of_the_text_explain_themselves_where_they_come_first(lesson: str, chromium: Any) -> None:
    with page(chromium) as tab:
        read(tab, lesson)
        terms = tab.locator(".lmdk-text .lmdk-term")
        marked = [term.lower().rstrip("s") for term in terms.all_inner_texts()]
        assert {"budget", "timestamp", "landmark"} <= set(marked) and len(marked) == len(set(marked))
        assert not tab.locator(".lmdk-text :is(h1, h2, code, blockquote) .lmdk-term").count(), (
            "formulas stay as they are"
        )
        tip = tab.locator(".lmdk-tip:popover-open")
        terms.filter(has_text="budget").first.hover()
        assert "one timestamp spends" in tip.inner_text()
        tab.keyboard.press("Escape")
        assert tip.count() == 0
