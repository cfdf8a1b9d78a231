"""An exam in other programs: Moodle, by a reader of its format, and a notebook of nbgrader, whose cells are run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.course import questions
from lmdk_widgets.course.ask import Choose
from lmdk_widgets.course.exam import Exam, accepted, exam
from lmdk_widgets.course.exam.drawn import FAMILIES
from lmdk_widgets.course.exam.other_programs import moodle_xml, notebook
from tests.course import moodle_reader, second_program


@pytest.fixture(scope="module")
def every() -> Exam:
    """Every question there is."""
    return exam(3, seed="elsewhere", count=len(FAMILIES))


@pytest.fixture(scope="module")
def few() -> Exam:
    """Questions of two lessons, which have choices too."""
    return exam(2, seed="few", lessons=["start", "noise"], count=4)


def test_moodle_reads_every_question(every: Exam) -> None:
    found = moodle_reader.read(moodle_xml(every))
    assert len(found) == 3 * len(FAMILIES) and {one.kind for one in found} == {"numerical"}
    assert {one.category for one in found} == {f"$course$/top/lmdk exam/{name}" for name in every.names}
    by_name = {one.name: one for one in found}
    assert len(by_name) == len(found)
    for paper in every.papers:
        for asked in paper.questions:
            one = by_name[f"{asked.name} {paper.number:03}"]
            assert one.text == asked.text and one.feedback == asked.why
            low, high = accepted(asked)
            edge = (high - low) * 1e-6
            for given, mark in ((asked.right_answer(), 100), (low + edge, 100), (high - edge, 100)):
                answer = one.marked(repr(given))
                assert answer is not None and answer.fraction == mark, asked.name
            computed = one.marked(repr(second_program.value(one.text)))
            assert computed is not None and computed.fraction == 100
            for given in (low - (high - low) / 20, high + (high - low) / 20):
                answer = one.marked(repr(given))
                assert answer is None or answer.fraction == 0, asked.name


def test_moodle_says_what_is_wrong_with_a_known_number(every: Exam) -> None:
    told = 0
    by_name = {one.name: one for one in moodle_reader.read(moodle_xml(every))}
    for paper in every.papers:
        for asked in paper.questions:
            one = by_name[f"{asked.name} {paper.number:03}"]
            wrong = [answer for answer in one.answers if answer.fraction == 0]
            assert all(any(trap.why in answer.feedback for trap in asked.traps) for answer in wrong)
            assert all(
                asked.judge(float(answer.text)).right is False for answer in wrong if float(answer.text) <= asked.high
            )
            told += len(wrong)
    assert told > 150


def test_moodle_reads_the_choices_with_a_sentence_each(few: Exam) -> None:
    found = [one for one in moodle_reader.read(moodle_xml(few, choices=True)) if one.kind == "multichoice"]
    lessons = {name.partition("/")[0] for name in few.names}
    asked = {one.name: one for lesson in lessons for one in questions(lesson) if isinstance(one, Choose)}
    assert {one.name for one in found} == set(asked) and len(found) >= 5
    for one in found:
        choose = asked[one.name]
        right = one.marked(choose.choices[choose.right()].text)
        assert right is not None and right.fraction == 100 and all(answer.feedback for answer in one.answers)


def test_html_in_the_file_for_moodle_is_enclosed(few: Exam) -> None:
    source = moodle_xml(few, choices=True)
    outside = re.sub(r"<!\[CDATA\[.*?\]\]>", "", source, flags=re.S)
    assert "<p>" not in outside and "&lt;" not in outside and "<![CDATA[<p>" in source


def test_the_reader_notices_a_broken_file(every: Exam) -> None:
    source = moodle_xml(every)
    for wrong in (
        source[1:],
        source.replace('fraction="100"', 'fraction="99"', 1),
        source.replace("<tolerance>", "<x>", 1),
    ):
        with pytest.raises((AssertionError, SyntaxError)):
            moodle_reader.read(wrong)


REQUIRED = {"schema_version": int, "grade": bool, "solution": bool, "locked": bool}
KNOWN = {*REQUIRED, "task", "grade_id", "points", "cell_type", "checksum"}
"""The metadata of version 3: those that each cell has, and all that there are."""


def cells_of(every: Exam) -> list[dict[str, Any]]:
    return json.loads(json.dumps(notebook(every)))["cells"]


def test_the_notebooks_cells_have_the_metadata_of_nbgrader(every: Exam) -> None:
    cells = cells_of(every)
    nbformat.validate(nbformat.from_dict(notebook(every)))
    names = []
    for cell in cells:
        graded = cell["metadata"]["nbgrader"]
        assert all(type(graded[key]) is kind for key, kind in REQUIRED.items()) and set(graded) <= KNOWN
        assert graded["schema_version"] == 3 and graded["cell_type"] == cell["cell_type"]
        assert re.fullmatch(r"[a-zA-Z0-9_\-]+", graded["grade_id"])
        assert ("points" in graded) == graded["grade"]
        assert cell["cell_type"] == "code" or not (graded["grade"] or graded["solution"])
        assert graded["solution"] != graded["locked"] and not (graded["solution"] and graded["grade"])
        names.append(graded["grade_id"])
    assert len(set(names)) == len(names) == 1 + 3 * len(FAMILIES)


def code(cells: list[dict[str, Any]], what: str) -> list[str]:
    return [cell["source"] for cell in cells if cell["metadata"]["nbgrader"]["grade_id"].startswith(what)]


def test_hidden_tests_pass_with_the_right_answer_and_fail_with_a_wrong_one(every: Exam) -> None:
    cells = cells_of(every)
    asked, solutions, tests = (code(cells, what) for what in ("question", "solution", "tests"))
    for place, (text, solution, test, one) in enumerate(zip(asked, solutions, tests, every.homework, strict=True), 1):
        name = f"answer_{place}"
        scope: dict[str, Any] = {}
        exec(solution, scope)
        exec(test, scope)
        computed = second_program.value(text)
        exec(test, {name: computed})
        low, high = accepted(one)
        for wrong in (low - (high - low), high + (high - low), -1.0, float("nan")):
            with pytest.raises(AssertionError):
                exec(test, {name: wrong})


def student(source: str) -> str:
    """What `nbgrader generate_assignment` leaves of a cell."""
    source = re.sub(r"### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS\n?", "", source, flags=re.S)
    return re.sub(
        r"### BEGIN SOLUTION\n.*?### END SOLUTION", "# YOUR CODE HERE\nraise NotImplementedError()", source, flags=re.S
    )


def test_students_see_neither_a_solution_nor_a_hidden_test(every: Exam) -> None:
    cells = cells_of(every)
    for solution, test, one in zip(code(cells, "solution"), code(cells, "tests"), every.homework, strict=True):
        assert student(solution) == "# YOUR CODE HERE\nraise NotImplementedError()"
        left = student(test)
        name = re.findall(r"answer_\d+", left)[0]
        exec(left, {name: min(1.0, one.high)})
        with pytest.raises(AssertionError):
            exec(left, {name: -1.0})
        assert len(re.findall(r"[\d.e+]{4,}", left)) <= 1


def test_the_homework_is_on_no_paper(every: Exam) -> None:
    assert not {str(one.text) for one in every.homework} & {str(one.text) for p in every.papers for one in p.questions}


def test_the_command_writes_an_exam(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "new"
    assert main(["exam", str(place), "--students", "3", "--seed", "7", "--lesson", "start", "--questions", "2"]) == 0
    said = capsys.readouterr().out
    assert "hree papers with two questions each" in said
    assert "could be found by trying" in said
    assert sorted(path.name for path in (place / "teacher").iterdir()) == [
        "homework.ipynb",
        "key.csv",
        "key.html",
        "moodle.xml",
    ]
    assert main(["exam", str(place)]) == 2
    assert "new one" in capsys.readouterr().err
