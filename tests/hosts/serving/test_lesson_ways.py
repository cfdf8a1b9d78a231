"""Ways through a lesson in a real browser: how a number may be written, back to a question, on to the next lesson."""

from __future__ import annotations

from typing import Any

import pytest

from lmdk_widgets.course import LESSONS, questions
from tests.browser import page
from tests.hosts.serving.test_moments_lesson import box_of, check, read, unfolded
from tests.server import Address

pytestmark = pytest.mark.browser

TEXT = ":is(.lmdk-text, article > section)"
"""The text of a lesson: of a page with a kernel, or of a room."""


@pytest.mark.nightly
def test_a_number_may_be_a_fraction_or_a_percentage_and_says_how_it_was_read(address: Address, chromium: Any) -> None:
    with page(chromium) as tab:
        read(tab, f"{address}lesson/moments")
        share = box_of(tab, "moments/share")
        field = share.get_by_role("spinbutton")
        for typed in ("1/5", "20 %", "0,2", " 2 / 10 "):
            unfolded(share)
            field.fill(typed)
            assert share.locator(".lmdk-beside").inner_text().split() == ["read", "as", "0.2"]
            assert check(share).startswith("✓Right: it is 0.20.")
        unfolded(share)
        field.fill("0.2")
        assert share.locator(".lmdk-beside").inner_text().strip() == "", (
            "nothing is said where nothing was read otherwise"
        )
        field.fill("1/0")
        share.get_by_role("button", name="Check").click()
        refused = share.locator("[data-how=refused]")
        refused.wait_for()
        assert "Your answer must be a number between 0 and 10; got 1/0." in refused.inner_text()
        belief = box_of(tab, "moments/belief")
        belief.get_by_role("spinbutton").fill("73 %")
        assert check(belief).startswith("✓Right")


@pytest.mark.nightly
def test_the_answers_lead_to_their_questions_and_to_the_next_lesson(address: Address, chromium: Any) -> None:
    with page(chromium) as tab:
        read(tab, f"{address}lesson/moments")
        asked = questions("moments")[3]
        tab.locator(".lmdk-answers summary").click()
        tab.locator(".lmdk-answerlist").get_by_role("button", name=asked.asked()["text"]).click()
        box = tab.locator(f'[data-question="{asked.name}"]')
        assert -2 <= box.bounding_box()["y"] < 300
        assert box.evaluate("element => element.contains(document.activeElement)")
        way = tab.get_by_role("navigation", name="Other lessons")
        assert way.get_by_role("link", name="All lessons").get_attribute("href").endswith("?page=lessons")
        way.get_by_role("link", name="Next lesson").click()
        tab.wait_for_url(address.placed(f"{address}lesson/streams"))


@pytest.mark.nightly
def test_the_last_lesson_leads_back(address: Address, chromium: Any) -> None:
    with page(chromium, width=390) as tab:
        last = [*LESSONS][-1]
        read(tab, f"{address}lesson/{last}")
        way = tab.get_by_role("navigation", name="Other lessons")
        assert "This was the last lesson." in way.inner_text()
        assert way.get_by_role("link").all_inner_texts() == ["← All lessons"]
        way.get_by_role("link").click()
        tab.wait_for_selector(".lmdk-lessons[data-lmdk-ready]", timeout=60_000)


@pytest.mark.nightly
def test_exercises_stand_apart_and_names_and_papers_are_no_terms(address: Address, chromium: Any) -> None:
    with page(chromium, width=390) as tab:
        read(tab, f"{address}lesson/tables")
        tab.locator(f"{TEXT} summary", has_text="Exercises").click()
        folded = tab.locator(f"{TEXT} details details")
        assert folded.count() == 3
        for fold in folded.all()[:2]:
            gap = "fold => fold.nextElementSibling.getBoundingClientRect().top - fold.getBoundingClientRect().bottom"
            assert fold.evaluate(gap) >= 16
        for fold in folded.all():
            fold.locator("summary").click()
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390, "programs of solutions scroll by themselves"
        terms = tab.locator(f"{TEXT} .lmdk-term")
        terms.first.wait_for()
        sources = tab.locator(f"{TEXT} > details", has_text="Sources").locator("ul")
        assert sources.locator("li").count() > 3 and sources.locator(".lmdk-term").count() == 0
        read(tab, f"{address}lesson/noise")
        terms.first.wait_for()
        assert not {"States", "draws"} & set(terms.all_inner_texts()), "the name of a lesson, and a verb"


@pytest.mark.nightly
def test_a_wrong_number_is_named_and_may_be_tried_once_more_before_the_right_one_is_told(
    address: Address, chromium: Any
) -> None:
    with page(chromium) as tab:
        read(tab, f"{address}lesson/moments")
        share = box_of(tab, "moments/share")
        field, shower = share.get_by_role("spinbutton"), share.get_by_role("button", name="Show the answer")
        said = share.get_by_role("status")
        field.fill("0.25")
        first = check(share)
        landmarks = "0.25 is ε shared by the landmarks alone. Nothing is left for the one other timestamp."
        assert first == f"✗No. {landmarks} Try once more." and "0.2 " not in first
        assert shower.is_visible()
        assert check(share) == first, "the same number checked twice is one try"

        read(tab, f"{address}lesson/moments")  # a reload is no try
        box_of(tab, "moments/share")
        said.get_by_text("Try once more.").wait_for(timeout=60_000)
        assert said.inner_text() == first and shower.is_visible()

        field.fill("0.125")
        second = check(share)
        assert second.startswith("✗No. 0.125 is ε shared by all eight timestamps.") and "Try once more" not in second
        assert second.endswith("The right answer is 0.20. Four landmarks and one other timestamp share ε: five shares.")
        assert not shower.is_visible()
        field.fill("0.2")
        assert check(share) == "✓Right: it is 0.20. Four landmarks and one other timestamp share ε: five shares."
        assert share.bounding_box()["height"] < 90 and not field.is_visible(), "a line with its verdict"
        tab.keyboard.press("Enter")  # the button that opens it has the focus
        assert field.is_visible() and field.input_value() == "0.2"
        share.get_by_role("button", name="Fold").click()
        assert not field.is_visible()
        read(tab, f"{address}lesson/moments")
        assert share.locator("visible=true").get_by_role("status").inner_text().startswith("✓Right: it is 0.20.")
        assert not field.is_visible()

        overspent = box_of(tab, "moments/overspent")
        overspent.get_by_role("spinbutton").fill("1")
        check(overspent)
        overspent.get_by_role("button", name="Show the answer").click()
        assert "The right answer is 1.20. The landmarks" in overspent.get_by_role("status").inner_text()


@pytest.mark.nightly
def test_a_teacher_shows_a_lesson_whole_and_keeps_no_answer(address: Address, chromium: Any) -> None:
    unsolved = (
        "[...document.querySelectorAll('[data-question] .lmdk-verdict')].filter(v => v.dataset.how !== 'right').length"
    )
    closed = f"document.querySelectorAll('{TEXT} details:not([open])').length"
    with page(chromium) as tab:
        read(tab, f"{address}lesson/noise")
        whole = tab.get_by_role("button", name="Show the whole lesson")
        whole.click()
        tab.wait_for_function(f"{unsolved} === 0")
        tab.wait_for_function("[...document.querySelectorAll('.lmdk-then')].every((part) => !part.hidden)")
        assert tab.evaluate(closed) == 0 and tab.evaluate("localStorage.length") == 0
        whole.click()
        tab.wait_for_function(f"{unsolved} === {len(questions('noise'))}")
        assert tab.evaluate(closed) == 5, "three solutions, exercises and sources"
        tab.goto("about:blank")
        read(tab, f"{address}lesson/noise#whole")
        tab.wait_for_function(f"{unsolved} === 0")
