"""An exam for other programs: a file that Moodle imports, and the homework as a notebook for nbgrader.

The first is Moodle's own XML ("Moodle XML format" in its documentation). A numerical question has its right value with a
tolerance, and each known wrong number with a fraction of 0 and a sentence that says what is wrong with it. Each question is a
category of its own, from which a quiz draws one at random.

The notebook is the teacher's version: `nbgrader generate_assignment` takes the solutions and the hidden tests out. The
metadata of its cells are nbgrader's, version 3 ("Creating and grading assignments" in its documentation).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any
from xml.sax.saxutils import escape as xml_escape

from lmdk_widgets.course import questions
from lmdk_widgets.course.ask import Choose, Number
from lmdk_widgets.course.ask.number import plainly
from lmdk_widgets.course.ask.verdict import said
from lmdk_widgets.course.exam.papers import Exam, accepted
from lmdk_widgets.page.amounts import digits, whole
from lmdk_widgets.page.sentences import Written, sentence

TOP = "$course$/top/lmdk exam"
"""The category that holds all others, in the question bank of the course."""

NO_UNIT = (
    "<unitgradingtype>0</unitgradingtype><unitpenalty>0.1</unitpenalty><showunits>3</showunits><unitsleft>0</unitsleft>"
)
"""Only a number is asked for; the text says its unit."""

COMMON = "<defaultgrade>1</defaultgrade><penalty>0.3333333</penalty><hidden>0</hidden>"

SCHEMA, POINTS = 3, 1
"""The version of the metadata; the points of a question."""

INTRODUCTION = (
    "# Privacy: homework\n\nReplace each `# YOUR CODE HERE` and the line below it by a program, or by a number. Three digits "
    "are enough; how many there are of something is exact. The cell below each answer tests that there is a number; whether "
    "it is right is tested when it is graded."
)


def moodle_xml(exam: Exam, *, choices: bool = False) -> str:
    """The numerical questions of all papers.

    Parameters
    ----------
    exam : its papers. choices : also the lessons' questions with choices, the same for everyone; their answers are published.

    Returns
    -------
    The file's text, in UTF-8.
    """
    parts = []
    for column, name in enumerate(exam.names):
        parts.append(_category(name))
        parts += [_numerical(paper.questions[column], paper.number) for paper in exam.papers]
    if choices:
        for lesson in dict.fromkeys(name.partition("/")[0] for name in exam.names):
            parts.append(_category(f"{lesson}/choices"))
            parts += [_multichoice(asked) for asked in questions(lesson) if isinstance(asked, Choose)]
    return '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n' + "\n".join(parts) + "\n</quiz>\n"


def _category(name: str) -> str:
    return f'<question type="category"><category><text>{xml_escape(f"{TOP}/{name}")}</text></category></question>'


def _numerical(question: Number, paper: int) -> str:
    low, high = accepted(question)
    answers = [_valued(question.right_answer(), (high - low) / 2, 100, "")]
    answers += [_valued(value, half, 0, words) for value, half, words in _wrong(question)]
    body = _headed(f"{question.name} {paper:03}", said(question.text), said(question.why))
    return f'<question type="numerical">{body}{"".join(answers)}{NO_UNIT}</question>'


def _wrong(question: Number) -> Iterator[tuple[float, float, str]]:
    """Each known wrong number, the distance within which it is meant, and what to say; none that touches another."""
    low, high = accepted(question)
    half = (high - low) / 2
    taken = [question.right_answer()]
    for trap in question.traps:
        value = float(trap.value())
        near = half if question.scale == "difference" else half * value / taken[0]
        if all(abs(value - other) > half + near for other in taken):
            taken.append(value)
            yield value, near, sentence("{number} {why}", number=Written(plainly(value), value), why=trap.why)


def _multichoice(question: Choose) -> str:
    right = int(question.right())
    answers = "".join(
        _answer(f'fraction="{100 if k == right else 0}" format="html"', _cdata(escape(choice.text)), said(choice.why))
        for k, choice in enumerate(question.choices)
    )
    options = "<single>true</single><shuffleanswers>true</shuffleanswers><answernumbering>abc</answernumbering>"
    return (
        f'<question type="multichoice">{_headed(question.name, said(question.text), "")}{options}{answers}</question>'
    )


def _headed(name: str, text: str, why: str) -> str:
    return (
        f"<name><text>{xml_escape(name)}</text></name>"
        f'<questiontext format="html"><text>{_cdata(_paragraphs([text]))}</text></questiontext>'
        f'<generalfeedback format="html"><text>{_cdata(_paragraphs([why]))}</text></generalfeedback>{COMMON}'
    )


def _valued(value: float, half: float, fraction: int, words: str) -> str:
    attributes = f'fraction="{fraction}" format="moodle_auto_format"'
    return _answer(attributes, _ten(value), words, f"<tolerance>{_ten(half)}</tolerance>")


def _ten(value: float) -> str:
    """A number with ten digits."""
    return f"{value:.10g}"


def _answer(attributes: str, text: str, words: str, more: str = "") -> str:
    feedback = f'<feedback format="html"><text>{_cdata(_paragraphs([words]))}</text></feedback>'
    return f"<answer {attributes}><text>{text}</text>{feedback}{more}</answer>"


def _paragraphs(texts: Iterable[str]) -> str:
    return "".join(f"<p>{escape(text)}</p>" for text in texts if text)


def _cdata(html: str) -> str:
    """HTML as it stands in XML."""
    return "<![CDATA[" + html.replace("]]>", "]]]]><![CDATA[>") + "]]>" if html else ""


def notebook(exam: Exam) -> dict[str, Any]:
    """The notebook, in the types of JSON (nbformat 4.5)."""
    cells = [_cell("markdown", "introduction", INTRODUCTION, locked=True)]
    for place, question in enumerate(exam.homework, 1):
        cells += _cells(place, question)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cells(place: int, question: Number) -> Iterator[dict[str, Any]]:
    number, name = whole(place), f"answer_{place}"
    unit = sentence(" The unit is {unit}.", unit=question.unit) if question.unit else ""
    asked = sentence("**{number}.** {text}{unit}", number=number, text=said(question.text), unit=unit)
    yield _cell("markdown", f"question-{place}", asked, locked=True)
    solution = [f"# {said(question.why)}", f"{name} = {digits(question.right_answer(), 8)!r}"]
    yield _cell("code", f"solution-{place}", _enclosed("SOLUTION", solution), solution=True)
    low, high = (digits(end, 8) for end in accepted(question))
    tests = [
        _visible(name, question),
        _enclosed("HIDDEN TESTS", [f"assert {low!r} <= float({name}) <= {high!r}"]),
    ]
    yield _cell("code", f"tests-{place}", "\n".join(tests), grade=True, locked=True)


def _visible(name: str, question: Number) -> str:
    """The test that students see: whether it can be an answer."""
    if question.high == 1:
        return f"assert 0 <= float({name}) <= 1, '{name} has to be a probability, from 0 to 1'"
    return f"assert float({name}) >= 0, '{name} has to be a number that is not below 0'"


def _enclosed(what: str, lines: list[str]) -> str:
    return "\n".join([f"### BEGIN {what}", *lines, f"### END {what}"])


def _cell(
    kind: str, name: str, source: str, *, grade: bool = False, solution: bool = False, locked: bool = False
) -> dict[str, Any]:
    graded: dict[str, Any] = {
        "schema_version": SCHEMA,
        "grade": grade,
        "solution": solution,
        "locked": locked,
        "task": False,
        "grade_id": name,
        "cell_type": kind,
        **({"points": POINTS} if grade else {}),
    }
    cell = {"cell_type": kind, "id": name, "metadata": {"nbgrader": graded}, "source": str(source)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
