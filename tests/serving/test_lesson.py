"""Lessons: `lmdk lesson` finds them, and the served page reads like one, wide and narrow, light and dark."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.serving import launch
from tests.browser import page
from tests.server import ROOT, Address, serve

FIGURES = 8


def test_every_lesson_is_there_and_in_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included["notebooks"] == "lmdk_widgets/serving/notebooks"
    assert {path.stem for path in (ROOT / "notebooks").iterdir()} - {".ipynb_checkpoints"} == {
        "explorer",
        *launch.LESSONS,
    }


@pytest.mark.parametrize("name", ["losses", "temporal_loss", "temporal-loss"])
def test_a_lesson_opens_by_its_name_and_the_one_before(name: str) -> None:
    assert launch.lesson_notebook(name).name == "losses.ipynb"
    assert set(launch.FORMER.values()) == set(launch.LESSONS)


def test_the_command_lists_lessons_and_refuses_others(capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["lesson", "--list"]) == 0
    assert capsys.readouterr().out.startswith("losses   Losses: temporal privacy loss")
    assert cli.main(["lesson", "nothing", "--no-browser"]) == 2
    *others, last = (f'"{name}"' for name in launch.LESSONS)
    assert capsys.readouterr().err == f"lmdk: NAME must be {', '.join(others)} or {last}; got nothing.\n"
    with pytest.raises(InputError):
        launch.lesson_notebook("../explorer")


@pytest.mark.parametrize("arguments", [[], ["losses"], ["temporal-loss"]])
def test_the_command_serves_the_notebook(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []
    monkeypatch.setattr(launch, "explore", lambda **options: asked.append(options))
    assert cli.main(["lesson", *arguments, "--port", "9000", "--no-browser"]) == 0
    (options,) = asked
    assert options.pop("notebook").name == "losses.ipynb"
    assert options == {"port": 9000, "browser": False, "token": None, "name": "Lesson"}


@pytest.fixture(scope="module")
def lesson() -> Iterator[Address]:
    with serve(launch.lesson_notebook("losses")) as address:
        yield address


def read(tab: Any, address: str) -> None:
    tab.goto(address, wait_until="commit")
    painted = "document.querySelectorAll('.lmdk-figure[data-lmdk-painted] .main-svg').length"
    tab.wait_for_function(f"{painted} >= {FIGURES}", timeout=60_000)
    tab.get_by_role("application").or_(tab.locator(".lmdk-map")).first.wait_for()


@pytest.mark.browser
def test_text_and_figures_are_shown(lesson: Address, chromium: Any) -> None:
    with page(chromium) as tab:
        read(tab, lesson)
        assert tab.title() == "lmdk: Temporal privacy loss"
        assert tab.get_by_role("heading", level=2).filter(has_text=re.compile(r"^\d\. ")).count() == FIGURES
        assert tab.get_by_role("cell", name="A, one way").is_visible()
        text = tab.locator("#rendered_cells").inner_text()
        assert "the total reaches 0.6368" in text
        assert "import numpy" not in text and "**" not in text, "no code, no raw markdown"
        column = tab.locator(".lmdk-text").first.bounding_box()
        assert column["width"] <= 760 and column["x"] > 200, "a column to read in"


@pytest.mark.browser
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_a_telephone_light_and_dark(lesson: Address, chromium: Any, dark: bool) -> None:
    with page(chromium, width=400, dark=dark) as tab:
        read(tab, lesson)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 400
        drawn = tab.locator(".lmdk-figure .main-svg").first
        assert 300 < drawn.bounding_box()["width"] <= 400
        colour = "getComputedStyle(document.querySelector('.lmdk-figure .xtick text')).fill"
        assert tab.evaluate(colour) == ("rgb(238, 242, 246)" if dark else "rgb(22, 32, 44)")
        tab.emulate_media(color_scheme="light" if dark else "dark")
        tab.wait_for_function(f"{colour} === '{'rgb(22, 32, 44)' if dark else 'rgb(238, 242, 246)'}'")
