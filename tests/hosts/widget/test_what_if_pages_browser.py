"""What-if files of Place and Series opened from the disk, without a network: they are the pages, and they answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import PlacesLab, QuiltLab
from lmdk_widgets.page.open_controls import opened
from lmdk_widgets.page.what_if import WhatIf
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.series import SeriesChoices
from tests.browser import from_help, page, unfold

pytestmark = pytest.mark.browser

WIDTHS = (1280, 390)
Made = tuple[Path, Any]


def written(lab: Any, names: list[str], folder: Path) -> Made:
    """A file with three stops a slider, and a page with a kernel that shows the same."""
    source, kind = lab.session.what_if(), type(lab)
    given = {"known": kind.PAGE.CAN_OPEN, "left_out": kind.PAGE.NOT_OPEN, "ranges": lab.ranges()}
    made = WhatIf(kind.PAGE, source, opened(source.state.choices, names, stops=3, **given))
    for _ in made.record():
        pass
    return made.file().write(folder), lab


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    lab = PlacesLab(PlaceChoices(rows=2, columns=3, other="uniform", place=1))
    yield written(lab, ["level", "mechanism", "prior", "place"], tmp_path_factory.mktemp("places"))
    lab.close()


@pytest.fixture(scope="module")
def quilts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    lab = QuiltLab(SeriesChoices(source="binary", length=12))
    yield written(lab, ["epsilon", "mechanism", "source", "node"], tmp_path_factory.mktemp("quilts"))
    lab.close()


def drive(chromium: Any, made: Made, width: int, steps: Callable[[Any], list[tuple[Callable[[], Any], dict]]]) -> None:
    """Each step changes the file, and the page with a kernel in the same way: the words are the same."""
    file, lab = made
    first = lab.choices
    with page(chromium, width=width, offline=True) as seen:
        seen.goto(file.as_uri())
        seen.wait_for_selector(".lmdk-lab[data-lmdk-ready]")
        unfold(seen)
        seen.wait_for_function(
            "() => [...document.querySelectorAll('.lmdk-figureplot')].some((plot) => plot.drawn?.traces.length)"
        )
        assert seen.locator("[role=note]").inner_text().startswith("Simulation, not a private release. ")
        for act, changes in steps(seen):
            act()
            lab.choices = first.with_changes(**changes)
            text = lab.text()
            seen.wait_for_function(
                "text => document.querySelector('[data-lmdk=numbers]').textContent"
                ".normalize('NFKC').includes(text.normalize('NFKC'))",
                arg=text["words"]["paragraph"],
            )
        lab.choices = first
        for absent in (
            "Save",
            "Copy link",
            "Streets",
            "Upload a track",
            "Upload check-ins",
            "Upload a series",
            "Cancel",
        ):
            assert not seen.get_by_text(absent, exact=True).first.is_visible(), absent
        assert seen.evaluate("document.documentElement.scrollWidth") <= width
        assert [url for url in seen.guard.requests if not url.startswith(("file:", "blob:", "data:"))] == []


@pytest.mark.nightly
@pytest.mark.parametrize("width", WIDTHS)
def test_places(chromium: Any, places: Made, width: int) -> None:
    def steps(seen: Any) -> list[tuple[Callable[[], Any], dict]]:
        level = seen.get_by_label("Privacy level", exact=True)
        mechanism = seen.get_by_label("Mechanism", exact=True)
        return [
            (lambda: level.press("ArrowRight"), {"level": 10.0}),
            (lambda: mechanism.select_option("private"), {"level": 10.0, "mechanism": "private"}),
            (lambda: seen.get_by_role("button", name="Undo").click(), {"level": 10.0}),
            (
                lambda: seen.get_by_label("Prior", exact=True).select_option("uniform"),
                {"level": 10.0, "prior": "uniform"},
            ),
            (lambda: _choose_a_cell(seen), {"level": 10.0, "prior": "uniform", "place": 4}),
            (lambda: from_help(seen, "Reset").click(), {}),
            (lambda: _fixed(seen), {}),
        ]

    drive(chromium, places, width, steps)


def _choose_a_cell(seen: Any) -> None:
    """The cell above the one that is chosen, with the keyboard."""
    told = seen.locator("[data-lmdk=drawing]")
    assert "true place B1" in told.inner_text()
    seen.mouse.move(1, 1)  # over no cell, wherever the page scrolls
    seen.locator(".lmdk-map").focus()
    for key in ("Left", "Left", "Down", "Right", "Up"):  # from the corner, as the mouse may have been over any cell
        seen.keyboard.press(f"Arrow{key}")
    seen.wait_for_function("() => document.querySelector('.lmdk-readout').textContent.startsWith('B2:')")
    seen.keyboard.press("Enter")
    seen.wait_for_function("() => document.querySelector('[data-lmdk=drawing]').textContent.includes('true place B2')")


def _fixed(seen: Any) -> None:
    assert seen.get_by_label("Dilation of the spanner", exact=True).is_disabled()
    assert seen.get_by_role("button", name="Paint", exact=True).is_disabled()
    offered = (
        seen.get_by_label("Prior", exact=True).locator("option").evaluate_all("all => all.map((each) => each.value)")
    )
    assert offered == ["city", "uniform", "time", "counts"]


@pytest.mark.nightly
@pytest.mark.parametrize("width", WIDTHS)
def test_quilts(chromium: Any, quilts: Made, width: int) -> None:
    def steps(seen: Any) -> list[tuple[Callable[[], Any], dict]]:
        epsilon = seen.get_by_label("Epsilon", exact=True)
        mechanism = seen.get_by_label("Mechanism drawn", exact=True)
        timeline = seen.get_by_role("slider", name="Chosen timestamp")
        return [
            (lambda: epsilon.press("ArrowRight"), {"epsilon": 10.0}),
            (lambda: mechanism.select_option("group"), {"epsilon": 10.0, "mechanism": "group"}),
            (lambda: seen.get_by_role("button", name="Undo").click(), {"epsilon": 10.0}),
            (lambda: timeline.press("End"), {"epsilon": 10.0, "node": 11}),
            (lambda: timeline.press("ArrowLeft"), {"epsilon": 10.0, "node": 10}),
            (lambda: from_help(seen, "Reset").click(), {}),
        ]

    drive(chromium, quilts, width, steps)
