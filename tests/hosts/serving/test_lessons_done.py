"""Lessons done from start to end in a real browser: every question wrong, then right, and what follows each appears."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lmdk_widgets.course import LESSONS, questions
from tests.browser import page
from tests.hosts.serving.test_moments_lesson import ANSWER, any_answer, box_of, check
from tests.server import ROOT, Address

pytestmark = pytest.mark.browser

LONGEST_PX = 9_500
"""At a width of 1280 pixels."""

BY_PLACE = ("curve", "order", "point")
"""Questions that are answered by where the mouse is, for which nothing may move."""


def followed(lesson: str) -> int:
    """How many questions of a notebook something follows."""
    cells = json.loads((ROOT / "notebooks" / f"{lesson}.ipynb").read_text("utf-8"))["cells"]
    return sum("then=" in "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


FOLLOWS = "[...document.querySelectorAll('.lmdk-then, .lmdk-reading > details[open]')]"
"""What follows a question: of a page with a kernel in its own place, else in a fold that an answer opens."""


def settle(tab: Any) -> None:
    """Waits until what follows a question has its room: a curve is drawn where it stands."""
    figures = "[...document.querySelectorAll('.lmdk-figure:has(.lmdk-figureplot)')]"
    shown = f"{figures}.filter((figure) => figure.checkVisibility())"
    tab.wait_for_function(f"{shown}.every((figure) => figure.dataset.lmdkPainted !== undefined)")
    tab.evaluate(
        """async () => {
            const rest = () => new Promise((done) => setTimeout(done, 200));
            let [before, same] = [0, 0];
            for (let k = 0; k < 80 && same < 3; k++) {
                const height = document.documentElement.scrollHeight;
                same = height === before ? same + 1 : 0;
                before = height;
                await rest();
            }
        }"""
    )


@pytest.mark.parametrize("lesson", [name for name in LESSONS if name != "moments"])
@pytest.mark.nightly
def test_a_lesson_is_done_from_start_to_end(address: Address, chromium: Any, lesson: str) -> None:
    asked = questions(lesson)
    with page(chromium) as tab:
        tab.goto(f"{address}lesson/{lesson}")
        tab.locator(".lmdk-answers").wait_for(timeout=180_000)
        assert not tab.locator(".lmdk-then [data-lmdk-ready]").count()
        assert not tab.locator(".lmdk-reading > details[open]").count()
        for ask in asked:
            box, right = box_of(tab, ask.name), any_answer(ask.name)
            for wrong in (True, False):
                if ask.kind in BY_PLACE:
                    settle(tab)
                ANSWER[ask.kind](box, ask, right, wrong)
                words = check(box)
                assert words.startswith("✓Right") is not wrong, (ask.name, wrong, words)
        n = len(asked)
        assert f"{n} of {n} questions answered, {n} of them right." in tab.locator(".lmdk-answers").inner_text()
        tab.wait_for_function(
            f"n => {FOLLOWS}.filter((part) => part.querySelector('[data-lmdk-ready], [data-lmdk-painted]')).length === n",
            arg=followed(lesson),
            timeout=60_000,
        )
        opened = tab.locator(".lmdk-reading:has([data-question]) > details[open] > summary")
        assert opened.count() in (0, followed(lesson)), "none on the page of a kernel"
        assert not any(summary.is_visible() for summary in opened.all()), "what follows has no heading once it is there"


@pytest.mark.parametrize("address", ["kernel"], indirect=True)
@pytest.mark.nightly
def test_a_lesson_opened_again_makes_what_follows_when_it_is_near(address: Address, chromium: Any) -> None:
    with page(chromium) as tab:
        kept = {f"lmdk-answer:{ask.name}": _entry(ask) for ask in questions("tables")}
        tab.add_init_script(f"Object.assign(localStorage, {json.dumps(kept)})")
        tab.goto(f"{address}lesson/tables")
        tab.locator(".lmdk-answers").wait_for(timeout=60_000)
        tab.locator(".lmdk-then [data-lmdk-ready]").first.wait_for(timeout=60_000)
        ready = "document.querySelectorAll('.lmdk-then [data-lmdk-ready]').length"
        assert tab.evaluate(ready) < followed("tables"), "not all at once"
        last = box_of(tab, "tables/matching")
        assert last.get_by_role("status").and_(last.locator("[data-how=right]")).wait_for(timeout=60_000) is None
        tab.locator(".lmdk-then [data-lmdk-ready]").last.wait_for(timeout=60_000)


@pytest.mark.parametrize("lesson", LESSONS)
@pytest.mark.nightly
def test_a_lesson_with_all_questions_answered_is_not_long(address: Address, chromium: Any, lesson: str) -> None:
    with page(chromium) as tab:
        kept = {f"lmdk-answer:{ask.name}": _entry(ask) for ask in questions(lesson)}
        tab.add_init_script(f"Object.assign(localStorage, {json.dumps(kept)})")
        tab.goto(f"{address}lesson/{lesson}")
        tab.locator(".lmdk-answers").wait_for(timeout=180_000)
        for ask in questions(lesson):  # what follows is made when it is near
            box_of(tab, ask.name)
        drawn = f"{FOLLOWS}.filter((part) => part.childElementCount).length"
        tab.wait_for_function(f"{drawn} === {followed(lesson)}")
        settle(tab)
        assert tab.evaluate("document.documentElement.scrollHeight") < LONGEST_PX


def _entry(ask: Any) -> str:
    """A right answer as a browser keeps it."""
    verdict = ask.judge(right := ask.right_answer())
    return json.dumps(
        {"stamp": ask.asked()["stamp"], "given": right, "said": "", "right": True, "words": verdict.in_full}
    )
