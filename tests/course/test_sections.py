"""A lesson as sections and steps: every question in order, and nothing in them that the lesson shows only after an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lmdk_widgets.course import LESSONS, questions
from lmdk_widgets.course.sections import Shown, Words, asked_in, outline
from tests.server import ROOT


def cells(lesson: str) -> list[dict[str, Any]]:
    """The cells of a notebook that was never run."""
    return json.loads((ROOT / "notebooks" / f"{lesson}.ipynb").read_text("utf-8"))["cells"]


def text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source}


def code(source: str, *shown: str) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": [{"data": {"text/html": each}} for each in shown]}


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_question_is_in_the_outline_in_order(lesson: str) -> None:
    found = outline(cells(lesson))
    assert found.questions() == [ask.name for ask in questions(lesson)]
    assert len(found.exercises) == 3 and all(found.exercises) and "<details>" not in "".join(found.exercises)
    assert found.opening and "**Time:**" not in found.opening and "Answer each question" not in found.opening
    assert not {"Summary", "Exercises", "Sources"} & {section.heading for section in found.sections}
    assert found.sections[-1].steps[-1].question, "nothing follows the last question"


def test_what_waits_for_an_answer_is_not_before_the_next_question() -> None:
    told = [
        text("# T\n\nWhy?\n\n**Time:** 5\n\n- a goal;\n\nOne thing more."),
        text(
            "## 1. A\n\nBefore. Move the slider once. In a notebook, name it. The tables below tell.\n\n"
            "> a formula of the figure"
        ),
        code("show()", "a picture"),
        code('Question("start/coin", then=f, text_waits=True)', "coin asked"),
        text("The coin explained."),
        code("quiet = 1"),
        text("More of it."),
        code("show()", "computed"),
        text("What was computed."),
        text("About the next one."),
        code('Question("start/odds")', "odds asked"),
        text("And this too."),
        code('Question("start/noise")'),
        text("The end of A.\n\n## 2. B\n\nNo question.\n\n## 3. C\n\n"),
        code('Question("start/sum")'),
        text("## 4. Try it\n\nMove it.\n\n## Exercises\n\n**1.** Count.\n\n<details>Two.</details>\n\n## Sources"),
    ]
    found = outline(told)
    assert found.opening == "Why?\n\nOne thing more." and found.exercises == ("Count.",)
    assert [section.heading for section in found.sections] == ["1. A", "2. B", "3. C"]
    coin, odds, noise = found.sections[0].steps
    picture, asked, computed = (Shown({"text/html": each}) for each in ("a picture", "coin asked", "computed"))
    assert coin.before == (Words("Before.\n\n> a formula of the figure"), picture) and coin.after == (asked, computed)
    assert odds.before == (Words("About the next one."),) and odds.question == "start/odds"
    assert noise.before == (Words("And this too."),) and noise.after == ()
    assert found.sections[1].steps[0].question == ""


def test_a_page_to_try_is_not_for_paper() -> None:
    told = [
        text("# T"),
        text("## 1. Page"),
        code("PeopleLab()", "all of it"),
        text("## 2. Ask"),
        code('Question("start/coin")'),
    ]
    assert [section.heading for section in outline(told).sections] == ["2. Ask"]


def test_a_question_is_found_wherever_it_stands_in_a_cell() -> None:
    assert asked_in('def f():\n    return 1\n\n\nQuestion("noise/told", then=f, text_waits=True)') == (
        "noise/told",
        True,
    )
    assert asked_in('figure = Figure("Question")') == ("", False)
