"""Board and phones of a class in a real browser: how a test opens them, and what it does there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.browser import page
from tests.hosts.serving.classes import TOKEN

COIN = """
window.tosses = [];
const real = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = (array) => {
  real(array);
  if (window.tosses.length) array.fill(0)[0] = Math.floor(window.tosses.shift() * 2 ** 32);
  return array;
};
"""
"""Lets a test say how the coin falls: each toss takes two numbers from 0 to 1, the second only where the first is high."""


@contextmanager
def phone(chromium: Any, address: str, **options: Any) -> Iterator[Any]:
    with page(chromium, width=390, height=800, has_touch=True, **options) as opened:
        opened.add_init_script(COIN)
        opened.sent = []
        opened.on("request", lambda request: opened.sent.append([request.method, request.url, request.post_data]))
        opened.goto(f"{address}join")
        opened.locator("main > div > *").first.wait_for()
        yield opened


@contextmanager
def board(chromium: Any, address: str, **options: Any) -> Iterator[Any]:
    with page(chromium, width=1280, height=800, **options) as opened:
        opened.goto(f"{address}board?token={TOKEN}")
        opened.get_by_text("Join on your phone").wait_for()
        yield opened


def put(teacher: Any, activity: str) -> None:
    """Begin an activity with the settings of its form."""
    form = teacher.locator("form", has=teacher.get_by_role("heading", name=activity))
    form.get_by_role("button", name="Put to the class").click()


def put_question(teacher: Any, name: str) -> None:
    """Put a question of a lesson to the class."""
    poll = teacher.locator("form", has=teacher.get_by_role("heading", name="Poll"))
    poll.locator("[name=lesson]").select_option(name.partition("/")[0])
    poll.locator("[name=name]").select_option(name)
    put(teacher, "Poll")


def fits(*pages: Any) -> None:
    for one in pages:
        assert one.evaluate("document.documentElement.scrollWidth <= innerWidth"), one.url


def answered(student: Any, answer: str) -> None:
    student.get_by_role("button", name=answer, exact=True).tap()
    student.get_by_role("button", name="Toss the coin and send").tap()
    student.get_by_text("Sent:").wait_for()


def given(student: Any, kind: str) -> None:
    """Some answer to a question of that kind, as a finger gives it."""
    if kind == "choose":
        student.get_by_role("radio").first.check()
    elif kind == "number":
        student.locator("input").fill("0.3")
    elif kind == "curve":
        box = student.locator(".lmdk-drawing").bounding_box()
        student.mouse.move(box["x"] + 60, box["y"] + 90)
        student.mouse.down()
        student.mouse.move(box["x"] + box["width"] - 8, box["y"] + 150, steps=9)
        student.mouse.up()
    elif kind == "point":
        student.locator(".lmdk-scene").click()
