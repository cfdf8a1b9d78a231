"""An exam: the number questions of the lessons, with other data for each student, and the key.

    exam(60) --> Exam: a Paper for each student, from one seed --> write_exam: papers, key, Moodle, notebook

Whoever has this program and the seed can compute every paper and its key. So the seed is drawn at random, and is written into
the key alone.
"""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

from lmdk_widgets.course.exam.other_programs import moodle_xml, notebook
from lmdk_widgets.course.exam.papers import Exam, Paper, accepted, exam, variant
from lmdk_widgets.course.exam.sheets import key_html, key_rows, papers_html
from lmdk_widgets.errors import InputError

__all__ = ["Exam", "Paper", "accepted", "exam", "variant", "write_exam"]

PAPERS, TEACHER = "papers", "teacher"
"""The folders: what students get, and what only the teacher reads."""


def write_exam(exam: Exam, folder: Path | str, *, choices: bool = False) -> None:
    """Write an exam into a new folder.

    Parameters
    ----------
    exam : what is written. folder : must not be there yet, so that no key is ever lost.
    choices : whether the file for Moodle also has the lessons' questions with choices.

    Notes
    -----
    "papers" has a page for each student, and "papers.html" with all of them to print at once. "teacher", which only the user
    can read, has "key.html", "key.csv", "moodle.xml" and "homework.ipynb", the assignment for nbgrader.

    Raises
    ------
    InputError : the folder is there already, or cannot be made.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True)
        (place / PAPERS).mkdir()
        (place / TEACHER).mkdir(0o700)
        for paper in exam.papers:
            _write(place / PAPERS / f"paper-{paper.number:03}.html", papers_html([paper]), 0o644)
        _write(place / PAPERS / "papers.html", papers_html(exam.papers), 0o644)
        for name, text in _for_the_teacher(exam, choices=choices).items():
            _write(place / TEACHER / name, text, 0o600)
    except OSError as error:
        raise InputError("The folder must be a new one", value=str(place), remedy=str(error.strerror)) from None


def _for_the_teacher(exam: Exam, *, choices: bool) -> dict[str, str]:
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows(key_rows(exam))
    return {
        "key.html": key_html(exam),
        "key.csv": table.getvalue(),
        "moodle.xml": moodle_xml(exam, choices=choices),
        "homework.ipynb": json.dumps(notebook(exam), ensure_ascii=False, indent=1) + "\n",
    }


def _write(path: Path, text: str, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode), "w", encoding="utf-8") as file:
        file.write(text)
