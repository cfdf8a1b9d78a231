"""The lesson on eight moments in a real browser: every question answered wrong and right, by mouse, finger and keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.course import LESSONS, question, questions
from lmdk_widgets.course.ask import Curve
from tests.browser import page
from tests.server import serve

pytestmark = pytest.mark.browser

QUESTIONS = questions("moments")
FOLLOWED = {"moments/levels", "moments/sums", "moments/overspent", "moments/errors", "moments/silence"}
"""Questions that something follows."""


@pytest.fixture(scope="module")
def lesson() -> Iterator[str]:
    with serve() as address:
        yield f"{address}lesson/moments"


def read(tab: Any, address: str) -> None:
    tab.goto(address)
    tab.locator(".lmdk-answers").wait_for(timeout=60_000)


def box_of(tab: Any, name: str) -> Any:
    found = tab.locator(f'[data-question="{name}"]')
    for part in (found, found.locator("svg:visible")):
        if part.count():
            part.scroll_into_view_if_needed()
    return found


def unfolded(box: Any) -> Any:
    """A question, opened if it is folded."""
    opener = box.get_by_role("button", name="Open", exact=True)
    if opener.is_visible():
        opener.click()
    return box


def check(box: Any) -> str:
    """The words of the verdict on what is in the question now."""
    box.get_by_role("button", name="Check").click()
    said = box.get_by_role("status")
    said.and_(box.locator("[data-how]:not([data-how=said], [data-how=refused])")).wait_for(timeout=60_000)
    return said.inner_text()


def any_answer(name: str) -> Any:
    """The right answer, from the verdict on another one."""
    ask = question(name)
    told = ask.asked()
    other = {
        "choose": 0,
        "order": [*range(len(told.get("items", ())))],
        "number": told.get("low"),
        "point": told.get("edges", [])[:2],
        "curve": [told.get("low")] * len(told.get("x", ())),
    }
    return ask.judge(other[ask.kind]).answer


def choose(box: Any, ask: Any, right: Any, wrong: bool) -> None:
    radios = box.get_by_role("radio")
    if not wrong:
        return radios.nth(right).check()
    radios.nth(right).focus()
    box.page.keyboard.press("ArrowDown")  # the next one, or the first after the last
    return None


def _texts(box: Any) -> list[str]:
    """The items of an order, with spaces that may break."""
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in box.locator("li .lmdk-itemtext").all_inner_texts()]


def order(box: Any, ask: Any, right: Any, wrong: bool) -> None:
    items = ask.asked()["items"]
    wanted = [items[k] for k in (right[::-1] if wrong else right)]
    for place, text in enumerate(wanted):
        at = lambda: _texts(box).index(text)  # noqa: B023, E731
        if wrong:  # by mouse
            grip, target = box.get_by_role("button", name=f"{text}: arrow keys move it"), box.locator("li").nth(place)
            if at() != place:
                grip.hover()
                box.page.mouse.down()
                to = target.bounding_box()
                box.page.mouse.move(to["x"] + 20, to["y"] + to["height"] / 2, steps=8)
                box.page.mouse.up()
        else:
            box.get_by_role("button", name=f"{text}: arrow keys move it").focus()
            for _ in range(at() - place):
                box.page.keyboard.press("ArrowUp")
        assert at() == place


def number(box: Any, ask: Any, right: Any, wrong: bool) -> None:
    field = box.get_by_role("spinbutton")
    field.fill(str(right).replace(".", ",") if not wrong else "0,07")
    assert ask.judge(0.07).right is False


def pixels(box: Any, ask: Curve, heights: Any) -> list[tuple[float, float]]:
    """Where the points of a curve lie on the page."""
    area = box.locator(".lmdk-plotarea").bounding_box()
    xs = [
        about["x"] + about["width"] / 2 for about in (point.bounding_box() for point in box.get_by_role("slider").all())
    ]
    return [(x, area["y"] + (1 - s) * area["height"]) for x, s in zip(xs, ask._share(np.array(heights)), strict=True)]


def curve(box: Any, ask: Any, right: Any, wrong: bool) -> None:
    if not wrong:
        (first, *others), mouse = pixels(box, ask, right), box.page.mouse
        mouse.move(*first)
        mouse.down()
        for place in others:
            mouse.move(*place, steps=4)
        mouse.up()
        return
    box.get_by_role("slider").first.focus()
    for k in range(len(right)):
        keys = ["End", "PageDown", "ArrowDown"] if k % 2 else ["ArrowUp", "PageUp", "ArrowUp"]
        for key in [*keys, "ArrowRight"]:
            box.page.keyboard.press(key)


def point(box: Any, ask: Any, right: Any, wrong: bool) -> None:
    scene = box.get_by_role("application")
    west, south, east, north = ask.asked()["edges"]
    if wrong:
        scene.focus()
        for key in ["ArrowRight"] * 20 + ["Shift+ArrowUp"] * 3:
            box.page.keyboard.press(key)
        return
    (x, y), size = right[0], scene.bounding_box()
    left, top = (x - west) / (east - west) * size["width"], (north - y) / (north - south) * size["height"]
    scene.click(position={"x": left, "y": top})


ANSWER = {"choose": choose, "order": order, "number": number, "curve": curve, "point": point}


@pytest.mark.nightly
def test_every_question_is_answered_wrong_and_right(lesson: str, chromium: Any) -> None:
    with page(chromium) as tab:
        read(tab, lesson)
        for ask in QUESTIONS:
            box, right = box_of(tab, ask.name), any_answer(ask.name)
            assert box.locator("[data-how=said]").count() == 1, ask.name
            for wrong in (True, False):
                ANSWER[ask.kind](box, ask, right, wrong)
                words = check(box)
                assert words.startswith("✓Right") is not wrong, (ask.name, wrong, words)
                assert not wrong or words[0] in "✗≈", words
        answers = tab.locator(".lmdk-answers")
        assert (
            f"{len(QUESTIONS)} of {len(QUESTIONS)} questions answered, {len(QUESTIONS)} of them right."
            in answers.inner_text()
        )
        assert tab.evaluate("Object.keys(localStorage).filter(k => k.startsWith('lmdk-answer:')).length") == len(
            QUESTIONS
        )


@pytest.mark.nightly
def test_every_wrong_choice_says_why(lesson: str, chromium: Any) -> None:
    with page(chromium) as tab:
        read(tab, lesson)
        for ask in (ask for ask in QUESTIONS if ask.kind == "choose"):
            box = box_of(tab, ask.name)
            for k in range(len(ask.asked()["choices"])):
                unfolded(box).get_by_role("radio").nth(k).check()
                assert check(box)[1:] == ask.judge(k).words


@pytest.mark.nightly
def test_what_follows_waits_for_an_answer_and_answers_survive_a_reload(lesson: str, chromium: Any) -> None:
    with page(chromium, accept_downloads=True) as tab:
        read(tab, lesson)
        note = tab.get_by_text("What follows appears once your answer is right or the answer is shown.")
        assert note.count() == len(FOLLOWED) and all(one.is_visible() for one in note.all())
        assert tab.locator(".lmdk-figure .lmdk-drawing").count() == 0
        text = tab.get_by_text("This is the paper's figure about Bob.")
        assert text.count() == 1 and not text.is_visible() and tab.get_by_role("heading", name="7. ").is_visible()
        sums = box_of(tab, "moments/sums")
        sums.get_by_role("button", name="Check").click()
        assert "Draw the curve at every point first." in sums.get_by_role("status").inner_text()
        assert tab.locator(".lmdk-figure .lmdk-drawing").count() == 0
        curve(sums, question("moments/sums"), any_answer("moments/sums"), wrong=True)
        said = check(sums)
        tab.locator(".lmdk-figure .lmdk-drawing").first.wait_for(timeout=60_000)
        assert sum(one.is_visible() for one in note.all()) == len(FOLLOWED) - 1
        drawn = sums.get_by_role("slider").nth(2).get_attribute("aria-valuetext")
        read(tab, lesson)
        box_of(tab, "moments/sums")
        tab.locator(".lmdk-figure .lmdk-drawing").first.wait_for(timeout=60_000)
        sums.get_by_role("status").get_by_text(said[1:40]).wait_for(timeout=60_000)
        assert sums.get_by_role("status").inner_text() == said and text.is_visible()
        assert sums.get_by_role("slider").nth(2).get_attribute("aria-valuetext") == drawn
        answers = tab.locator(".lmdk-answers")
        assert answers.inner_text().startswith(f"1 of {len(QUESTIONS)} questions answered, 0 of them right.")
        with tab.expect_download() as waiting:
            answers.get_by_role("button", name="Save my answers").click()
        saved = json.loads(Path(waiting.value.path()).read_text("utf-8"))
        assert waiting.value.suggested_filename == "answers-moments.json" and saved["title"] == LESSONS["moments"].title
        (entry,) = saved["answers"]
        assert entry["question"] == "moments/sums" and set(entry["answer"]) == {f"p{k}" for k in range(1, 9)}
        assert entry["words"] == said[1:] and entry["right"] is False
        answers.get_by_role("button", name="Forget my answers").click()
        answers.get_by_role("button", name="Keep").click()
        assert tab.locator(".lmdk-figure").first.is_visible()
        answers.get_by_role("button", name="Forget my answers").click()
        answers.get_by_role("button", name="Yes, forget").click()
        tab.wait_for_function("!document.querySelector('.lmdk-figure').checkVisibility()")
        assert not text.is_visible()
        assert sums.get_by_role("status").inner_text() == "" and "0 of" in answers.inner_text()
        assert sums.get_by_role("slider").nth(2).get_attribute("aria-valuetext") == "not drawn yet"
        assert tab.evaluate("localStorage.length") == 0


@pytest.mark.nightly
def test_an_answer_of_an_older_question_is_not_shown(lesson: str, chromium: Any) -> None:
    with page(chromium) as tab:
        read(tab, lesson)
        for name, given in (
            ("share", '"x"'),
            ("levels", "[0]"),
            ("neighbours", "17"),
            ("sums", "null"),
            ("silence", "[1]"),
        ):
            stamp = question(f"moments/{name}").asked()["stamp"] if name != "share" else "older"
            entry = f'{{"stamp": "{stamp}", "given": {given}}}'
            tab.evaluate("([key, entry]) => localStorage.setItem(key, entry)", [f"lmdk-answer:moments/{name}", entry])
        read(tab, lesson)
        choose(box_of(tab, "moments/broken"), None, 0, wrong=False)
        check(box_of(tab, "moments/broken"))
        share = box_of(tab, "moments/share")
        assert share.get_by_role("spinbutton").input_value() == "" and share.get_by_role("status").inner_text() == ""
        number(share, question("moments/share"), 0.2, wrong=False)
        assert check(share).startswith("✓Right")


@pytest.mark.nightly
@pytest.mark.parametrize("dark", [False, True])
def test_a_finger_on_a_telephone(lesson: str, chromium: Any, dark: bool) -> None:
    with page(chromium, width=390, height=844, dark=dark, has_touch=True, is_mobile=True) as tab:
        read(tab, lesson)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
        ask, right = question("moments/many"), any_answer("moments/many")
        box = box_of(tab, ask.name)
        touch = tab.context.new_cdp_session(tab)
        places = [{"x": x, "y": y} for x, y in pixels(box, ask, right)]
        for kind, place in (("touchStart", places[0]), *(("touchMove", place) for place in places[1:])):
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        assert check(box).startswith("✓Right")
        box, ask = box_of(tab, "moments/silence"), question("moments/silence")
        (west, _, east, north), size = ask.asked()["edges"], box.get_by_role("application").bounding_box()
        x, y = any_answer(ask.name)[0]
        metre = size["width"] / (east - west)
        box.get_by_role("application").tap(position={"x": (x - west) * metre, "y": (north - y) * metre})
        box.get_by_text("Your mark:").wait_for()
        assert check(box).startswith("✓Right")
        levels = box_of(tab, "moments/levels")
        levels.get_by_role("button", name="Event level: up").tap()
        assert levels.locator("li .lmdk-itemtext").all_inner_texts()[2] == "Event level"
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_axe_finds_nothing_serious_in_questions(lesson: str, chromium: Any, width: int, dark: bool) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    with page(chromium, width=width, dark=dark) as tab:
        read(tab, lesson)
        for ask in QUESTIONS:
            if ask.name not in FOLLOWED:
                ANSWER[ask.kind](box_of(tab, ask.name), ask, any_answer(ask.name), wrong=ask.kind != "number")
                check(box_of(tab, ask.name))
        found = axe.Axe().run(tab, {"include": [[".lmdk-question"]]}).response["violations"]
        serious = {v["id"]: str([node["html"] for node in v["nodes"]])[:400] for v in found}
        assert not serious
