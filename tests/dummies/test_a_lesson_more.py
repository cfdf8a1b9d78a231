"""A lesson more is a module, a notebook, an entry and a test: one is added to a copy, listed, opened and answered there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.dummies.copied import Copy

NUMBERS = ("half", "quarter", "eighth", "sixteenth")
MODULE = '''"""Questions of a lesson of a test: how often coins fall alike."""

from __future__ import annotations

from lmdk_widgets.course.ask import Curve, Number, Trap

TOSSES = (1, 2, 3, 4, 5)


def alike(tosses: int) -> float:
    """The chance of heads only."""
    return 0.5**tosses


QUESTIONS = (
    *(
        Number(
            name=f"coins/{name}",
            text=f"Toss a coin {tosses} times: how large is the chance of heads only?",
            right=lambda tosses=tosses: alike(tosses),
            low=0.0,
            high=1.0,
            why="Each toss halves it.",
            traps=(Trap(lambda tosses=tosses: 2 * alike(tosses), "is that of one toss fewer. Count all of them."),),
        )
        for tosses, name in enumerate(("half", "quarter", "eighth", "sixteenth"), 1)
    ),
    *(
        Curve(
            name=f"coins/{name}",
            text=text,
            x=TOSSES,
            right=lambda sign=sign: [sign + (1 - 2 * sign) * alike(n) for n in TOSSES],
            low=0.0,
            high=1.0,
            x_title="tosses",
            y_title="chance",
        )
        for name, text, sign in (("heads", "Draw the chance of heads only.", 0), ("tails", "Draw that of a tail.", 1))
    ),
)
'''
ENTRY = """    "coins": Lesson(
        "Coins: how often they fall alike",
        (10, 20),
        ("say how often a coin falls on heads", "draw that over many tosses", "say when it is certain"),
        "probability",
    ),
"""
TEST = '''"""The numbers of the lesson on coins by hand."""

from itertools import product

from lmdk_widgets.course.coins import alike


def test_heads_only_by_counting() -> None:
    for tosses in range(1, 6):
        assert alike(tosses) == sum(map(all, product((True, False), repeat=tosses))) / 2**tosses
'''
HEAD = """# Coins

**Time:** 10 to 20 minutes. **You need:** what a probability is.

**Afterwards you can**

- say how often a coin falls on heads;
- draw that over many tosses;
- say when it is certain.

Answer each question before you read on.
"""
EXERCISE = """**{}.** Count.

<details><summary>Solution</summary>

```python
from lmdk_widgets.course.coins import alike

assert alike({}) < 1
```

</details>"""
END = "\n\n".join(
    (
        "## Summary\n\nEach toss halves it.",
        "## Exercises",
        *(EXERCISE.format(k, k) for k in (1, 2, 3)),
        "## Sources\n\nNone.",
    )
)
WALK = """
import sys
from pathlib import Path

import lmdk_widgets
from lmdk_widgets import Answers, Question
from lmdk_widgets.cli import main
from lmdk_widgets.course.classroom.activity import offers
from tests.browser import browser, page
from tests.server import serve

assert Path(lmdk_widgets.__file__).is_relative_to(sys.argv[1])
assert main(["lesson", "--list"]) == 0
asked = Question("coins/half")
assert asked.judge(0.5).right and "one toss fewer" in asked.judge(1.0).words
assert len(offers()["poll"]["coins"]["questions"]) == 6
assert "Next lesson: Coins: how often they fall alike." in Answers("law").reading()
with serve() as address, browser() as chromium, page(chromium) as tab:
    tab.goto(f"{address}?page=lessons")
    tab.get_by_text("draw that over many tosses").wait_for()
    tab.goto(f"{address}lesson/coins")
    tab.get_by_text("how large is the chance of heads only?").first.wait_for()
    assert tab.get_by_role("heading", level=1).inner_text() == "Coins"
    tab.get_by_role("textbox").or_(tab.get_by_role("spinbutton")).first.fill("0.5")
    tab.keyboard.press("Enter")
    tab.get_by_text("Right: it is 0.5").wait_for()
"""
CHECKED = (
    "tests/course/test_coins.py",
    "tests/course/test_course_questions.py",
    "tests/course/test_lesson_texts.py",
    "tests/test_teaching_guide.py",
    "tests/test_document_tables.py",
)
"""What asks every lesson, and holds the documents."""


def notebook() -> str:
    """A notebook with the text of a lesson and its six questions."""
    asked = [f'Question("coins/{name}")' for name in (*NUMBERS, "heads", "tails")]
    cells = [
        ("start", "from lmdk_widgets import Answers, Question"),
        *((f"ask-{k}", code) for k, code in enumerate(asked)),
    ]
    code = [
        {"cell_type": "code", "id": name, "metadata": {}, "source": [text], "outputs": [], "execution_count": None}
        for name, text in (*cells, ("answers", 'Answers("coins")'))
    ]
    text = [
        {"cell_type": "markdown", "id": f"text-{k}", "metadata": {}, "source": [said]}
        for k, said in enumerate((HEAD, END))
    ]
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "title": "Coins"}
    return json.dumps(
        {"cells": [text[0], *code[:-1], text[1], code[-1]], "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    )


@pytest.mark.nightly
@pytest.mark.browser
def test_a_lesson_more_is_a_module_a_notebook_and_an_entry(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    copy.new("lmdk_widgets/course/coins.py", MODULE)
    copy.insert("lmdk_widgets/course/__init__.py", ENTRY, '}\n"""The lessons by name, in order."""')
    copy.new("notebooks/coins.ipynb", notebook())
    copy.new("tests/course/test_coins.py", TEST)
    copy.follows("Add a lesson", "coins", most=4)
    copy.run("docs/tables.py")
    assert "| `coins` | Coins | 10–20 | probability |" in (tmp_path / "docs" / "teaching.md").read_text("utf-8")
    assert "coins   Coins: how often they fall alike" in copy.run("-c", WALK, str(tmp_path))
    copy.run("-m", "pytest", "-q", "-k", "coins or documents", *CHECKED)
