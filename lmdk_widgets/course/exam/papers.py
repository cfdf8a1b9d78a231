"""The papers of an exam: which questions are asked, and each student's data, all drawn from one seed."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from lmdk_widgets.checks import one_of, whole
from lmdk_widgets.course import LESSONS, questions
from lmdk_widgets.course.ask import Number
from lmdk_widgets.course.exam.drawn import FAMILIES

MOST_STUDENTS, TRIES = 1_000, 30
"""How many papers there may be; how often data are drawn again where an earlier paper has them."""


@dataclass(frozen=True)
class Paper:
    """The paper of one student.

    Attributes
    ----------
    number : of the paper, from 1.
    questions : with the student's own data; `right_answer()` is the right value, `why` the working.
    """

    number: int
    questions: tuple[Number, ...]


@dataclass(frozen=True)
class Exam:
    """The papers of an exam.

    Attributes
    ----------
    seed : from which everything is drawn. Keep it secret until the exam is over: with it, anyone who has this program can
        compute every paper and its key.
    papers : one for each student. All ask the same questions, in the order of the course, each with data of its own.
    homework : the same questions with data that no paper has.
    """

    seed: str
    papers: tuple[Paper, ...]
    homework: tuple[Number, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the questions, "lesson/short-name"."""
        return tuple(question.name for question in self.homework)


def exam(
    students: int = 30, *, seed: int | str | None = None, lessons: Sequence[str] | None = None, count: int = 10
) -> Exam:
    """Draw an exam: the same questions on every paper, with other data on each.

    Parameters
    ----------
    students : number of papers, 1 to 1,000.
    seed : a number or a text; None draws 128 random bits. A short seed can be guessed by trying.
    lessons : from which lessons questions are taken; None for all that ask for numbers.
    count : how many questions a paper has; where the lessons have fewer, all of them are asked.

    Returns
    -------
    Exam : its papers, and the same questions once more as homework.

    Raises
    ------
    InputError : a number out of range, or a lesson that there is not.

    Notes
    -----
    No two papers have the same data for a question as long as data are easily found that no earlier paper has.

    Examples
    --------
    >>> drawn = exam(2, seed=7, lessons=["start"], count=1)
    >>> drawn.names
    ('start/noise',)
    """
    whole(students, "students", most=MOST_STUDENTS), whole(count, "count", most=len(FAMILIES))
    drawn_from = secrets.token_hex(16) if seed is None else str(seed)
    names = _chosen(_asked(LESSONS if lessons is None else lessons), drawn_from, count)
    columns = [tuple(_column(name, drawn_from, students)) for name in names]
    homework, *rows = zip(*columns, strict=True)
    return Exam(drawn_from, tuple(Paper(number, row) for number, row in enumerate(rows, 1)), homework)


def variant(name: str, seed: int | str, paper: int = 1) -> Number:
    """A lesson's number question with data that are drawn; `right_answer()` computes its right value.

    Parameters
    ----------
    name : of the question, "lesson/short-name". seed : a number or a text.
    paper : the number of the student's paper; 0 is homework.

    Returns
    -------
    Number : the question.

    Raises
    ------
    InputError : no lesson has this number question.

    Examples
    --------
    >>> asked = variant("start/composition", seed=7)
    >>> asked.judge(asked.right_answer()).right
    True
    """
    one_of(name, "a number question", FAMILIES)
    return _drawn(name, str(seed), whole(paper, "paper", least=0), 0)


def accepted(question: Number) -> tuple[float, float]:
    """From where to where an answer counts as right: an interval whose middle is the right value.

    The question's own verdict is as wide, or wider above where it goes by the ratio.

    Examples
    --------
    >>> low, high = accepted(variant("start/coin", seed=7))
    >>> round(high - low, 9)
    0.02
    """
    right, off = question.right_answer(), question.tolerance
    half = off if question.scale == "difference" else right * off / (1 + off)
    return right - half, right + half


def _asked(lessons: Iterable[str]) -> list[str]:
    """The number questions of these lessons, in the order of the course."""
    wanted = {one_of(lesson, "lesson", LESSONS) for lesson in lessons}
    every = (asked.name for lesson in LESSONS if lesson in wanted for asked in questions(lesson))
    return [name for name in every if name in FAMILIES]


def _chosen(names: Sequence[str], seed: str, count: int) -> list[str]:
    drawn = Random(f"{seed}/questions").sample(names, min(count, len(names)))
    return [name for name in names if name in drawn]


def _column(name: str, seed: str, students: int) -> Iterator[Number]:
    """A question with data for the homework and for each paper in turn."""
    there: set[str] = set()
    for paper in range(students + 1):
        found = (_drawn(name, seed, paper, again) for again in range(TRIES))
        first = next(found)
        question = first if first.text not in there else next((new for new in found if new.text not in there), first)
        there.add(str(question.text))
        yield question


def _drawn(name: str, seed: str, paper: int, again: int) -> Number:
    family = FAMILIES[name]
    return family.question(**family.drawn(Random(f"{seed}/{name}/{paper}/{again}")))
