"""An exam: its questions with other data, its papers and its key, each value computed again by a second program."""

from __future__ import annotations

import csv
import re
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest

from lmdk_widgets.course import LESSONS, question, questions
from lmdk_widgets.course.ask import Number
from lmdk_widgets.course.exam import Exam, accepted, exam, variant, write_exam
from lmdk_widgets.course.exam.drawn import FAMILIES
from lmdk_widgets.errors import InputError
from tests.course import second_program

SEEDS = ("7", "8", "a longer seed")
CLOSE = 1e-3
"""The second program reads numbers that are rounded to four digits."""


@pytest.fixture(scope="module")
def drawn() -> Exam:
    return exam(10, seed=7)


@pytest.fixture(scope="module")
def folder(drawn: Exam, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("exam") / "new"
    write_exam(drawn, place)
    return place


def numbers() -> list[str]:
    return [asked.name for lesson in LESSONS for asked in questions(lesson) if isinstance(asked, Number)]


def test_every_number_question_can_be_drawn() -> None:
    assert sorted(numbers()) == sorted(FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_value_follows_from_the_text(name: str) -> None:
    for seed in SEEDS:
        for paper in range(4):
            asked = variant(name, seed, paper)
            right = asked.right_answer()
            assert second_program.value(str(asked.text)) == pytest.approx(right, rel=CLOSE), asked.text
            assert asked.judge(right).right and 0 <= right <= asked.high


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.lesson])
def test_with_the_lessons_data_it_is_the_lessons_question(name: str) -> None:
    family, lesson = FAMILIES[name], question(name)
    assert family.lesson is not None
    assert family.question(**family.lesson).right_answer() == pytest.approx(lesson.right_answer(), rel=1e-9)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_lessons_data_are_never_drawn(name: str) -> None:
    family = FAMILIES[name]
    assert all(family.drawn(Random(str(seed))) != family.lesson for seed in range(300))


@pytest.mark.parametrize("name", FAMILIES)
def test_data_differ_between_papers(name: str) -> None:
    family = FAMILIES[name]
    texts = [str(family.question(**family.drawn(Random(f"{k}"))).text) for k in range(60)]
    assert len(set(texts)) >= 20


def test_a_known_mistake_is_told_as_in_the_lesson() -> None:
    for name in FAMILIES:
        asked = variant(name, "traps")
        low, high = accepted(asked)
        for trap in asked.traps:
            if 0 <= trap.value() <= asked.high and not low <= trap.value() <= high:
                said = asked.judge(trap.value())
                assert said.right or trap.why in said.words, (name, said.words)


def test_what_is_accepted_is_right_in_the_lesson_too() -> None:
    for name in FAMILIES:
        for paper in range(3):
            asked = variant(name, "accepted", paper)
            low, high = accepted(asked)
            right = asked.right_answer()
            inside = (low + (right - low) * 1e-6, high - (high - right) * 1e-6)
            assert all(asked.judge(end).right for end in inside if end <= asked.high), name
            assert not asked.judge(max(right - 3 * (right - low), 0)).right, name


def test_three_digits_are_enough() -> None:
    for name in FAMILIES:
        for paper in range(5):
            low, high = accepted(asked := variant(name, "digits", paper))
            right = asked.right_answer()
            assert low <= (right if asked.tolerance == 0.5 else float(f"{right:.2e}")) <= high, name


class Sheets(HTMLParser):
    """The questions of printed papers, by the number of the paper."""

    def __init__(self) -> None:
        super().__init__()
        self.papers: dict[int, list[str]] = {}
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._open.append(tag)
        if tag == "li":
            self._last.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["strong"] and data.startswith("Paper "):
            self._last = self.papers.setdefault(int(data[6:]), [])
        elif self._open[-2:] == ["li", "p"] and not data.strip().startswith("Answer") and not self._last[-1]:
            self._last[-1] = data.replace("\u00a0=\u00a0", " = ")


def sheets(text: str) -> dict[int, list[str]]:
    reader = Sheets()
    reader.feed(re.sub(r"<(meta|!doctype)[^>]*>", "", text))
    return reader.papers


def test_ten_papers_and_ten_keys_by_a_second_program(folder: Path) -> None:
    papers = sheets((folder / "papers" / "papers.html").read_text("utf-8"))
    with (folder / "teacher" / "key.csv").open(encoding="utf-8") as file:
        key = list(csv.DictReader(file))
    assert list(papers) == list(range(1, 11)) and all(len(asked) == 10 for asked in papers.values()) and len(key) == 100
    for row in key:
        computed = second_program.value(papers[int(row["paper"])][int(row["question"]) - 1])
        assert computed == pytest.approx(float(row["right"]), rel=CLOSE)
        assert float(row["from"]) < computed < float(row["to"])


def test_the_printed_key_says_the_same_as_the_table(folder: Path, drawn: Exam) -> None:
    text = (folder / "teacher" / "key.html").read_text("utf-8")
    rights = re.findall(r"<td class=number>([\d.,]+)[^<]*</td><td class=number>([\d.,]+) to ([\d.,]+)</td>", text)
    assert len(rights) == 100
    asked = [one for paper in drawn.papers for one in paper.questions]
    for written, one in zip(rights, asked, strict=True):
        exact = (one.right_answer(), *accepted(one))
        assert [float(part.replace(",", "")) for part in written] == pytest.approx(exact, rel=6e-4)


def test_each_student_has_a_paper_of_their_own(folder: Path) -> None:
    together = sheets((folder / "papers" / "papers.html").read_text("utf-8"))
    for number, asked in together.items():
        assert sheets((folder / "papers" / f"paper-{number:03}.html").read_text("utf-8")) == {number: asked}
    for place in range(10):
        assert len({asked[place] for asked in together.values()}) == 10


def test_what_is_handed_out_has_neither_seed_nor_answer(tmp_path: Path) -> None:
    drawn = exam(5, seed="abcdefgh-xyzzy")
    write_exam(drawn, tmp_path / "new")
    for path in (tmp_path / "new" / "papers").iterdir():
        text = path.read_text("utf-8")
        assert "xyzzy" not in text and not any(str(one.why) in text for p in drawn.papers for one in p.questions)
        assert not any(name in text for name in drawn.names) and "<script" not in text and "http" not in text
    for name in ("moodle.xml", "homework.ipynb", "key.csv"):
        assert "xyzzy" not in (tmp_path / "new" / "teacher" / name).read_text("utf-8")
    assert "abcdefgh-xyzzy" in (tmp_path / "new" / "teacher" / "key.html").read_text("utf-8")


def test_a_seed_is_drawn_anew_and_draws_the_same_again() -> None:
    first, second = exam(2, count=3), exam(2, count=3)
    assert first.seed != second.seed and re.fullmatch(r"[0-9a-f]{32}", first.seed)
    again = exam(2, count=3, seed=first.seed)
    assert again.names == first.names
    assert [str(one.text) for p in again.papers for one in p.questions] == [
        str(one.text) for p in first.papers for one in p.questions
    ]


def test_more_students_do_not_change_the_papers_of_the_first() -> None:
    few, many = (exam(n, seed="x", lessons=["start"], count=4) for n in (2, 5))
    assert [str(one.text) for p in few.papers for one in p.questions] == [
        str(one.text) for p in many.papers[:2] for one in p.questions
    ]


def test_questions_come_from_the_lessons_named_in_their_order() -> None:
    names = exam(1, seed=3, lessons=["noise", "start"], count=8).names
    assert [name for name in numbers() if name in names] == list(names)
    assert {name.partition("/")[0] for name in names} <= {"noise", "start"}
    assert len(exam(1, seed=3, lessons=["places"]).names) == 1


@pytest.mark.parametrize("wrong", ({"students": 0}, {"students": 1_001}, {"count": 0}, {"lessons": ["nothing"]}))
def test_what_cannot_be_drawn_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        exam(**{"students": 2, **wrong})  # type: ignore[arg-type]


def test_a_question_without_a_number_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="number question"):
        variant("moments/neighbours", 7)


def test_no_key_is_overwritten(folder: Path, drawn: Exam) -> None:
    with pytest.raises(InputError, match="new one"):
        write_exam(drawn, folder)
    assert (folder / "teacher").stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in (folder / "teacher").iterdir())
