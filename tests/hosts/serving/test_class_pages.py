"""A class of three real browsers, a teacher and two phones, from joining to the end of each activity."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from lmdk_widgets.course import question
from lmdk_widgets.course.classroom import Poll
from tests.browser import page
from tests.hosts.serving.class_shown import answered, board, fits, given, phone, put, put_question
from tests.hosts.serving.classes import TOKEN, class_server
from tests.hosts.serving.wire import wire
from tests.server import Address

pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    with class_server(tmp_path / "class.sqlite") as running:
        yield running


@pytest.mark.nightly
def test_a_class_of_three_from_joining_to_the_end(chromium: Any, address: Address) -> None:
    with (
        board(chromium, address) as teacher,
        phone(chromium, address) as one,
        phone(chromium, address, dark=True) as two,
    ):
        teacher.get_by_text("2 phones are here.").wait_for()
        one.get_by_text("You are in").wait_for()
        assert teacher.get_by_alt_text("QR code").evaluate("image => image.complete && image.naturalWidth > 100")
        assert teacher.url == f"{address}board", "the token does not stay in the address"
        assert teacher.locator(".class-address").inner_text() == f"{address}join"
        fits(teacher, one, two)

        put(teacher, "Randomised response")
        one.get_by_role("button", name="Yes", exact=True).wait_for()
        one.evaluate("tosses = [0.9, 0.9]")  # the coin draws, and draws No
        answered(one, "Yes")
        assert "Sent: No" in one.inner_text("main") and "The coin drew an answer for you" in one.inner_text("main")
        two.evaluate("tosses = [0.1]")  # the coin lets the truth through
        answered(two, "No")
        assert "The coin let your true answer through" in two.inner_text("main")
        assert "so you can deny it" in two.inner_text("main")
        teacher.get_by_text("0 of 2 sent “Yes”").wait_for()
        assert "the 95\u00a0% interval for it 0\u00a0% to" in teacher.inner_text("main"), "a number stays with its unit"
        teacher.get_by_text("The same class at other ε").click()
        assert teacher.get_by_role("region", name="The same class at other ε").is_visible()
        teacher.get_by_text("The same class and ε with m answers").click()
        fits(teacher, one, two)
        assert teacher.get_by_role("button", name="Show the outcome").count() == 0
        teacher.get_by_role("button", name="New activity").click()
        one.get_by_text("You are in").wait_for()

        put(teacher, "Guess where")
        one.locator(".class-cell").nth(30).tap()
        one.get_by_text("Cell D4").wait_for()
        named = ".class-markname"
        assert "".join(one.locator(named).all_text_contents()) == "ABCDEFGHI123456789"
        assert one.locator(named).all_text_contents() == teacher.locator(named).all_text_contents()
        chosen, letter, row = (
            one.locator(where).bounding_box()
            for where in (".class-chosen", f"{named} >> nth=3", f"{named} >> nth=12")  # D, and 4
        )
        middle = lambda box, side, size: box[side] + box[size] / 2  # noqa: E731
        assert abs(middle(letter, "x", "width") - middle(chosen, "x", "width")) < 4
        assert abs(middle(row, "y", "height") - middle(chosen, "y", "height")) < 6
        assert letter["y"] > one.locator(".class-cell").first.bounding_box()["y"], "below the cells"
        one.get_by_role("button", name="Send this guess").tap()
        one.get_by_text("has arrived").wait_for()
        two.locator("svg").focus()
        for key in ("ArrowLeft", "ArrowUp", "ArrowUp"):
            two.keyboard.press(key)
        two.get_by_role("button", name="Send this guess").tap()
        teacher.get_by_text("2 guesses so far.").wait_for()
        one.locator(".class-cell").nth(31).tap()
        one.get_by_role("button", name="Send this guess").tap()
        teacher.wait_for_timeout(300)
        assert "2 answers" in teacher.inner_text("main") and teacher.locator(".class-truth").count() == 0
        teacher.get_by_role("button", name="Close answers").click()
        one.get_by_text("Answers are closed.").wait_for()
        assert one.get_by_role("button").count() == 0
        teacher.get_by_role("button", name="Show the outcome").click()
        teacher.get_by_text("The exact adversary guessed").wait_for()
        assert teacher.locator(".class-truth").count() == 1 and teacher.locator(".class-adversary").count() == 1
        one.get_by_text("Your guess was").wait_for()
        assert one.locator(".class-truth").count() == one.locator(".class-adversary").count() == 1
        assert "The stronger the blue" in one.inner_text("main") and one.locator(".class-believed").count() == 0
        assert "The stronger the purple" in teacher.inner_text("main") and "blue" not in teacher.inner_text("main")
        fits(teacher, one, two)
        teacher.get_by_role("button", name="New activity").click()
        two.get_by_text("That question is over. You are in").wait_for()

        put_question(teacher, "moments/neighbours")
        for student, choice in ((one, 0), (two, 1)):
            student.get_by_role("radio").nth(choice).check()
            student.get_by_role("button", name="Send").tap()
            student.get_by_text("has arrived").wait_for()
        teacher.get_by_text("2 answers so far.").wait_for()
        assert teacher.locator(".class-right").count() == 0
        two.get_by_role("radio").nth(2).check()
        two.get_by_role("button", name="Send again").tap()
        two.get_by_text("has arrived").wait_for()
        teacher.get_by_role("button", name="Show the outcome").click()
        teacher.locator(".class-big", has_text="of 2 ").wait_for()
        assert teacher.locator(".class-right").count() == 1
        for student in (one, two):
            student.locator(".lmdk-verdict[data-how=wrong], .lmdk-verdict[data-how=right]").wait_for()
        fits(teacher, one, two)
        teacher.get_by_role("button", name="New activity").click()
        two.get_by_text("You are in").wait_for()


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["moments/levels", "moments/share", "moments/sums", "moments/silence"])
def test_questions_of_every_kind_are_answered_on_a_phone(chromium: Any, address: Address, name: str) -> None:
    asked, answer = question(name), Poll(name)
    with board(chromium, address) as teacher, phone(chromium, address) as one:
        put_question(teacher, name)
        one.locator(".lmdk-question").wait_for()
        given(one, asked.kind)
        one.get_by_role("button", name="Send").tap()
        one.get_by_text("has arrived").wait_for()
        teacher.get_by_text("1 answer so far.").wait_for()
        one.reload()
        one.get_by_text("has arrived").wait_for()
        posts = [url for method, url, _ in one.sent if method == "POST"]
        assert len(posts) == 1, "a reload sends nothing again"
        fits(teacher, one)
        teacher.get_by_role("button", name="Show the outcome").click()
        teacher.get_by_text(answer.explained[:40]).wait_for()
        one.locator(
            ".lmdk-verdict[data-how=wrong], .lmdk-verdict[data-how=close], .lmdk-verdict[data-how=right]"
        ).wait_for()
        fits(teacher, one)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["moments/neighbours", "noise/yes"])
def test_a_phone_sends_nothing_when_answers_are_closed_and_says_so(chromium: Any, address: Address, name: str) -> None:
    with board(chromium, address) as teacher, phone(chromium, address) as one, phone(chromium, address) as two:
        put_question(teacher, name)
        answer = lambda student: (  # noqa: E731
            student.get_by_role("radio").first.check() if name != "noise/yes" else student.locator("input").fill("0.5")
        )
        one.locator(".lmdk-question").wait_for()
        answer(one)
        one.get_by_role("button", name="Send").tap()
        one.get_by_text("has arrived").wait_for()
        two.locator(".lmdk-question").wait_for()
        answer(two)  # and does not send it
        for deed in ("Close answers", "Show the outcome"):
            teacher.get_by_role("button", name=deed).click()
            for student in (one, two):
                closed = student.get_by_role("button", name="Answers are closed")
                closed.wait_for()
                assert closed.is_disabled() and student.get_by_role("button", name="Send").count() == 0
                assert student.locator("[inert]").count() == 1
                assert not student.get_by_text("Try once more").count()
            one.locator(".lmdk-verdict", has_text="arrived" if deed == "Close answers" else "o. ").wait_for()
            assert (
                one.get_by_role("button", name="Show the answer").count() == 0
                or not one.get_by_role("button", name="Show the answer").is_visible()
            )
        if name == "noise/yes":
            words = one.locator(".lmdk-verdict").inner_text()
            assert "0.5 is the first coin alone." in words and words.index("0.5") < words.index(
                "The right answer is 0.75."
            )
        teacher.get_by_role("button", name="New activity").click()
        one.get_by_text("That question is over.").wait_for()
        assert one.get_by_role("button").count() == 0


def test_the_true_answer_never_leaves_the_phone(chromium: Any, address: Address) -> None:
    """With the same fall of the coin, phones with opposite truths send the same bytes; a spy on requests sees no more."""
    seen = []
    with board(chromium, address) as teacher:
        for truth in ("Yes", "No"):
            with phone(chromium, address) as student:
                if truth == "Yes":
                    put(teacher, "Randomised response")
                student.get_by_role("button", name="Yes", exact=True).wait_for()
                before = len(student.sent)
                student.get_by_role("button", name=truth, exact=True).tap()
                student.wait_for_timeout(300)
                assert len(student.sent) == before, "choosing sends nothing"
                student.evaluate("tosses = [0.9, 0.9]")
                student.get_by_role("button", name="Toss the coin and send").tap()
                student.get_by_text("Sent: No").wait_for()
                stored = student.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, location.href])")
                seen.append([student.sent[before:], stored])
        assert seen[0] == seen[1]
        (method, url, body), *more = seen[0][0]
        assert (method, url, more) == ("POST", f"{address}join/answer", [])
        assert set(json.loads(body)) == {"round", "answer"} and json.loads(body)["answer"] == 1


@pytest.mark.nightly
def test_a_phone_that_loses_its_answer_sends_the_same_one(chromium: Any, address: Address) -> None:
    with board(chromium, address) as teacher, phone(chromium, address, check=False) as student:
        put(teacher, "Randomised response")
        student.get_by_role("button", name="Yes", exact=True).tap()
        student.route("**/join/answer", lambda route: route.abort())
        student.evaluate("tosses = [0.9, 0.9]")
        student.get_by_role("button", name="Toss the coin and send").tap()
        student.get_by_text("has not arrived").wait_for()
        student.unroute("**/join/answer")
        student.reload()
        student.get_by_role("button", name="Send it").tap()
        student.get_by_text("Sent: No").wait_for()
        teacher.get_by_text("0 of 1 sent").wait_for()
        student.reload()
        student.get_by_text("Sent: No").wait_for()
        assert student.get_by_role("button").count() == 0, "answered: no second coin"


@pytest.mark.nightly
def test_answers_without_a_phone_are_set_aside_with_one_key_and_count_again_when_it_is_back(
    chromium: Any, address: Address
) -> None:
    with (
        board(chromium, address) as teacher,
        wire(address) as air,
        phone(chromium, f"http://127.0.0.1:{air.port}/", check=False) as student,
    ):
        put(teacher, "Randomised response")
        student.get_by_role("button", name="Yes", exact=True).wait_for()
        student.evaluate("tosses = [0.9, 0.9]")
        answered(student, "Yes")
        aside = teacher.get_by_role("button", name="Set aside")
        teacher.get_by_text("of 1 sent").wait_for()
        assert not aside.is_visible()
        air.cut()
        aside.get_by_text("Set aside 1 answer without a phone (key A)").wait_for()
        fits(teacher)
        teacher.keyboard.press("a")
        teacher.get_by_text("Count 1 answer again that is set aside (key A)").wait_for()
        teacher.get_by_text("0 answers").first.wait_for()
        teacher.keyboard.press("a")
        teacher.get_by_text("of 1 sent").wait_for()
        teacher.keyboard.press("a")
        teacher.get_by_text("0 answers").first.wait_for()
        air.mend()
        teacher.get_by_text("of 1 sent").wait_for(timeout=60_000)


@pytest.mark.nightly
def test_a_restart_is_survived_by_board_and_phones(chromium: Any, tmp_path: Path) -> None:
    file = tmp_path / "class.sqlite"
    with class_server(file) as first:
        port = urlsplit(first).port
        with board(chromium, first, check=False) as teacher, phone(chromium, first, check=False) as student:
            put(teacher, "Randomised response")
            answered(student, "Yes")
            teacher.get_by_text("of 1 sent").wait_for()
            first.process.kill()
            first.process.wait(20)
            teacher.get_by_role("alert").get_by_text("The connection is lost").wait_for()
            student.get_by_role("alert").get_by_text("The connection is lost").wait_for()
            with class_server(file, port=port) as second, page(chromium, width=390, has_touch=True) as other:
                teacher.get_by_role("alert").first.wait_for(state="hidden", timeout=60_000)
                student.get_by_role("alert").first.wait_for(state="hidden", timeout=60_000)
                assert "of 1 sent" in teacher.inner_text("main") and "Sent:" in student.inner_text("main")
                other.goto(f"{second}join")
                answered(other, "No")
                teacher.get_by_text("of 2 sent").wait_for()
                teacher.get_by_role("button", name="New activity").click()
                student.get_by_text("You are in").wait_for()


@pytest.mark.nightly
def test_the_board_asks_for_its_token(chromium: Any, address: Address) -> None:
    with page(chromium, check=False) as stranger:
        stranger.goto(f"{address}board")
        stranger.get_by_label("Token").fill("wrong")
        stranger.get_by_role("button", name="Open").click()
        stranger.get_by_role("alert").get_by_text("not this server's token").wait_for()
        stranger.get_by_label("Token").fill(TOKEN)
        stranger.get_by_role("button", name="Open").click()
        stranger.get_by_text("Join on your phone").wait_for()


@pytest.mark.nightly
def test_text_from_a_teacher_is_shown_as_text(chromium: Any, address: Address) -> None:
    payload = "<img src=x onerror=window.__x=1></script>"
    with board(chromium, address) as teacher, phone(chromium, address) as student:
        form = teacher.locator("form", has=teacher.locator("[name=answers]"))
        form.locator("[name=text]").fill(payload)
        form.locator("[name=answers]").fill(f"{payload}\n${{1}}`\nC")
        form.locator("[name=epsilon]").fill("ln 3")
        form.get_by_role("button").click()
        teacher.get_by_role("alert").get_by_text("Epsilon must be a number between 0.1 and 6").wait_for()
        teacher.guard.forget()
        form.locator("[name=epsilon]").fill("1,5")
        form.get_by_role("button").click()
        student.get_by_role("heading", name=payload).wait_for()
        student.get_by_role("button", name=payload).tap()
        student.get_by_role("button", name="Toss").tap()
        teacher.get_by_text("of 1 sent").wait_for()
        for one in (teacher, student):
            assert one.evaluate("window.__x") is None and one.locator("main img[src=x]").count() == 0


@pytest.mark.nightly
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious(chromium: Any, address: Address, dark: bool) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def check(*pages: Any) -> None:
        for one in pages:
            found = axe.run(one).response["violations"]
            serious = {v["id"]: str(v["nodes"])[:600] for v in found if v["impact"] in ("serious", "critical")}
            assert not serious, one.url

    # axe is a script that no page of a class would let in
    with (
        board(chromium, address, dark=dark, bypass_csp=True) as teacher,
        phone(chromium, address, dark=dark, bypass_csp=True) as student,
    ):
        check(teacher, student)
        put(teacher, "Randomised response")
        student.get_by_role("button", name="Yes", exact=True).wait_for()
        check(student)
        answered(student, "Yes")
        teacher.get_by_text("of 1 sent").wait_for()
        teacher.get_by_text("The same class at other").click()
        check(teacher, student)
        teacher.get_by_role("button", name="New activity").click()
        student.get_by_text("You are in").wait_for()
        put(teacher, "Guess where")
        student.locator(".class-cell").nth(30).tap()
        student.get_by_role("button", name="Send this guess").tap()
        teacher.get_by_text("1 guess").or_(teacher.get_by_text("One guess")).wait_for()
        teacher.get_by_role("button", name="Show the outcome").click()
        student.get_by_text("Your guess was").wait_for()
        teacher.get_by_text("The exact adversary guessed").wait_for()
        check(teacher, student)
        teacher.get_by_role("button", name="New activity").click()
        student.get_by_text("You are in").wait_for()
        put(teacher, "Duel")
        student.get_by_role("slider").first.wait_for()
        check(teacher, student)
        with phone(chromium, address, dark=dark, bypass_csp=True) as other:
            teacher.get_by_role("button", name="Release").click()
            other.get_by_role("checkbox").check()
            check(other)
            teacher.get_by_role("button", name="Show the outcome").click()
            other.get_by_text("You sent no guess").wait_for()
            teacher.get_by_text("Each dot is a spread").wait_for()
            check(teacher, student, other)
