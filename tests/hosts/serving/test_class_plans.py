"""Plans and duels of a class in real browsers: a board and its phones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.course import question
from lmdk_widgets.course.classroom.plans import plan_of, plans, polls
from tests.hosts.serving.class_shown import board, fits, given, phone, put
from tests.hosts.serving.classes import Teacher, class_server
from tests.server import Address

pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with class_server(tmp_path / "class.sqlite") as running:
        yield running


@pytest.mark.nightly
@pytest.mark.each_case
@pytest.mark.parametrize("title", ["90 minutes", "45 minutes", "30 minutes"])
def test_each_poll_of_a_plan_is_answered_on_one_screen_of_a_phone(chromium: Any, address: Address, title: str) -> None:
    teacher = Teacher(address)
    teacher.post("board/do", {"do": "follow", "plan": title})
    wanted = polls(plan_of(title, plans()))
    with phone(chromium, address) as one:
        while (run := teacher.state()["run"])["next"]:
            state = teacher.state()
            if state["round"] is not None and state["kind"] == "poll" and state["status"] == "open":
                name = wanted.pop(0)
                one.locator(f'[data-question="{name}"]').wait_for()
                assert one.evaluate("document.documentElement.scrollHeight") <= 800, name
                given(one, question(name).kind)
                one.get_by_role("button", name="Send").tap()
                one.get_by_text("has arrived").wait_for()
                fits(one)
            assert teacher.post("board/do", {"do": "next", "seen": run["seen"]})[0] == 200
    assert not wanted


@pytest.mark.nightly
def test_a_duel_of_two_phones(chromium: Any, address: Address) -> None:
    with board(chromium, address) as teacher, phone(chromium, address) as one, phone(chromium, address) as two:
        put(teacher, "Duel")
        for each in (one, two):
            each.get_by_role("heading", name="Who hides Bob").wait_for()
        spreads, guesses = (one, two) if one.locator("input[type=range]").count() else (two, one)
        assert guesses.locator("input").count() == 0 and "You guess." in guesses.inner_text("main")
        assert "★" not in guesses.inner_text("main") + teacher.inner_text("main"), "only who spreads knows"
        sliders = spreads.locator("input[type=range]")
        marked = [k for k in range(8) if sliders.nth(k).get_attribute("aria-label").startswith("★")]
        assert len(marked) == 4
        for k in marked:
            sliders.nth(k).fill("5")
        sliders.nth(next(k for k in range(8) if k not in marked)).fill("1")
        send = spreads.get_by_role("button", name="Send this spread")
        assert send.is_disabled() and "0.20 too much" in spreads.inner_text("main")
        sliders.nth(marked[-1]).fill("4")
        send.tap()
        spreads.get_by_text("It has arrived").wait_for()
        teacher.get_by_text("one spread, 0 guesses so far").wait_for()
        fits(teacher, one, two)
        teacher.get_by_role("button", name="Release").click()
        guesses.get_by_text("Which 4 timestamps are landmarks").wait_for()
        spreads.get_by_text("Answers are closed.").wait_for()
        assert guesses.locator(".class-report").count() == 5, "what got nothing is not reported"
        guesses.get_by_role("checkbox").check()
        assert guesses.locator(".class-believed").count() == 24
        for k in range(4):
            assert guesses.get_by_role("button", name="Send these guesses").is_disabled()
            guesses.locator(".class-chip").nth(k).tap()
            guesses.locator(".class-cell").nth(8 + k).tap()
        guesses.locator(".class-chip").nth(6).tap()
        guesses.locator(".class-cell").nth(3).tap()
        guesses.get_by_text("You have named 4. Choose one of them").wait_for()
        guesses.locator(".class-chip").nth(2).tap()
        guesses.get_by_role("button", name="p3 is no landmark").tap()
        assert guesses.get_by_role("button", name="Send these guesses").is_disabled()
        guesses.locator(".class-cell").nth(5).tap()
        guesses.get_by_role("button", name="Send these guesses").tap()
        guesses.get_by_text("It has arrived").wait_for()
        teacher.get_by_role("button", name="Show the outcome").click()
        teacher.get_by_text("One spread, one guess.").wait_for()
        guesses.get_by_text("You found").wait_for()
        spreads.get_by_text("With your spread, a reader is").wait_for()
        assert (
            teacher.locator(".class-rightmark").count() == 5
            and "NaN" not in teacher.locator(".class-bars").inner_html()
        )
        fits(teacher, one, two)


@pytest.mark.nightly
def test_four_phones_decide(chromium: Any, address: Address) -> None:
    with board(chromium, address) as teacher, ExitStack() as opened:
        put(teacher, "Four people decide")
        phones = [opened.enter_context(phone(chromium, address)) for _ in range(4)]
        for each in phones:
            each.get_by_role("heading", name="What may the city publish").wait_for()
        cards = {each.locator(".class-card").inner_text().split(".")[0] for each in phones}
        assert cards == {f"You are the {role}" for role in ("mayor", "operator", "regulator", "resident")}
        assert "897" not in teacher.inner_text("main") and sum("897" in each.inner_text("main") for each in phones) == 1
        for each in phones:
            send = each.get_by_role("button", name="Send this vote")
            assert send.is_disabled() and each.get_by_role("radio").count() == 7
            each.locator(".class-way-row", has_text="Counts, a person protected").tap()
            send.tap()
            each.get_by_text("Your vote has arrived").wait_for()
        teacher.get_by_text("4 votes so far.").wait_for()
        fits(teacher, *phones)
        teacher.get_by_role("button", name="Show the outcome").click()
        teacher.get_by_text("with 4 of 4 votes. All four accept it.").wait_for()
        for each in phones:
            each.get_by_text("You chose “Counts, a person protected”").wait_for()
            assert each.get_by_role("radio", checked=True).is_disabled()
        assert teacher.get_by_role("cell", name="897 ✗").count() == 1
        fits(teacher, *phones)


@pytest.mark.nightly
def test_keys_step_through_a_plan_and_the_code_stays_large(chromium: Any, address: Address) -> None:
    with board(chromium, address) as teacher:
        teacher.get_by_role("button", name="Start", exact=True).click()
        teacher.get_by_text("Toss two coins by hand").wait_for()
        for key, said in {
            "ArrowRight": "Step 2",
            "Space": "Step 3",
            "PageDown": "Step 4",
            "ArrowLeft": "Step 3",
        }.items():
            teacher.keyboard.press(key)
            teacher.get_by_text(said).wait_for()
        teacher.keyboard.press("ArrowRight")
        teacher.get_by_text("Poll noise/told (2): open").wait_for()
        teacher.keyboard.press("ArrowRight")
        teacher.get_by_text("Poll noise/told (2): the outcome is shown").wait_for()
        for said in ("Step 5", "Step 6"):
            teacher.keyboard.press("ArrowRight")
            teacher.get_by_text(said).wait_for()
        link = teacher.get_by_role("link", name="Open the page")
        link.wait_for()
        assert "?page=track" in link.get_attribute("href") and "correlation=none" in link.get_attribute("href")
        assert link.evaluate("element => element === document.activeElement"), "Enter opens it"
        for said in ("Step 5", "Step 4"):
            teacher.keyboard.press("ArrowLeft")
            teacher.get_by_text(said).wait_for()
        code = teacher.get_by_alt_text("QR code")
        assert code.bounding_box()["width"] >= 1280 / 4, "a quarter of the picture, for the last row"
        code.click()
        assert code.bounding_box()["width"] >= 0.8 * 800 - 1
        teacher.keyboard.press("Escape")
        fits(teacher)
        teacher.get_by_role("button", name="Leave the plan").click()
        teacher.get_by_role("button", name="New activity").click()
        teacher.get_by_role("heading", name="Run of show").wait_for()
        teacher.locator("[name=text]").press("ArrowRight")  # letters that are typed step nowhere
        assert teacher.get_by_text("Step 1 of").count() == 0


@pytest.mark.nightly
def test_arrows_move_the_slider_of_a_question_and_not_the_plan(chromium: Any, address: Address) -> None:
    with board(chromium, address) as teacher, phone(chromium, address) as one:
        plan = teacher.locator("form", has=teacher.get_by_role("heading", name="Run of show"))
        plan.locator("select").select_option("45 minutes")
        plan.get_by_role("button", name="Start").click()
        teacher.get_by_text("Step 1 of").wait_for()
        for said in ("Step 2", "the outcome is shown"):
            teacher.keyboard.press("ArrowRight")
            teacher.get_by_text(said).first.wait_for()
        slider = teacher.get_by_role("slider", name="Chance that the truth is told")
        slider.wait_for()
        before = slider.get_attribute("aria-valuetext")
        teacher.keyboard.press("ArrowUp")
        assert slider.get_attribute("aria-valuetext") != before
        moved = slider.input_value()
        one.reload()  # a phone goes and comes, and the figure stays
        teacher.wait_for_timeout(1000)
        assert slider.input_value() == moved and teacher.get_by_text("Step 2").count() == 1
        teacher.keyboard.press("ArrowDown")
        assert slider.get_attribute("aria-valuetext") == before
        fits(teacher, one)
        teacher.keyboard.press("ArrowRight")
        teacher.get_by_text("Step 3").wait_for()
        assert teacher.locator(".class-slider").count() == 0
