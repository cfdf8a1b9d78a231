"""`lmdk exam` writes papers with other data for each student, and their key; `lmdk marks` the marks of a class's answers."""

from __future__ import annotations

import argparse
import csv
import os
from pathlib import Path
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import count, whole
from lmdk_widgets.page.sentences import sentence

SHORT = 16
"""Seeds with fewer letters can be found by trying all of them."""


def add_exam(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "exam",
        help="write exam papers with other numbers for each student, the key, and the same for Moodle and nbgrader",
        description="Draws number questions from the lessons, and for each student other data. Writes a paper for each of "
        "them that prints, the key with the working, a file that Moodle imports, and a notebook for nbgrader. Everything "
        "follows from the seed, which is drawn at random and written into the key only: whoever knows it and has this "
        "program can compute the key. See docs/teaching.md.",
    )
    command.add_argument("folder", nargs="?", type=Path, default=Path("exam"), metavar="FOLDER", help="default: exam")
    command.add_argument("--students", type=int, default=30, metavar="N", help="number of papers; default: 30")
    command.add_argument(
        "--questions", type=int, default=10, metavar="N", help="questions on a paper, the same on each; default: 10"
    )
    command.add_argument(
        "--lesson",
        action="append",
        metavar="NAME",
        help="take questions from this lesson only; give it several times for several lessons",
    )
    command.add_argument(
        "--seed",
        metavar="S",
        help="draw the same exam again: the seed in its key. Do not choose a short one for an exam that counts, as all short "
        "ones can be tried; default: 128 random bits",
    )
    command.add_argument(
        "--choices",
        action="store_true",
        help="put the lessons' questions with choices into the file for Moodle too; their answers are published",
    )
    command.set_defaults(run=_exam)


def _exam(options: argparse.Namespace) -> None:
    from lmdk_widgets.course.exam import exam, write_exam

    drawn = exam(options.students, seed=options.seed, lessons=options.lesson, count=options.questions)
    write_exam(drawn, options.folder, choices=options.choices)
    print(
        sentence(
            "{papers} with {questions} each are in {folder}/papers; papers.html prints all of them. The key, the file for "
            "Moodle and the notebook for nbgrader are in {folder}/teacher, for you only: the seed is in the key.",
            papers=count(len(drawn.papers), "paper"),
            questions=count(len(drawn.names), "question"),
            folder=str(options.folder),
        )
    )
    if options.seed is not None and len(options.seed) < SHORT:
        print(
            sentence(
                "This seed has fewer than {letters} letters, and could be found by trying: leave --seed out for an exam that "
                "counts.",
                letters=whole(SHORT),
            )
        )


def add_marks(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "marks",
        help="write which polls each phone of a class answered rightly",
        description="Reads the file of `lmdk class`, and writes a table: a row for each phone, a column for each poll, 1 if "
        "the answer was right. A phone is known by the code that it shows. There are no names, unless you join them with "
        "--names. See docs/class.md.",
    )
    command.add_argument("file", type=Path, metavar="FILE", help="the file of a class, such as class.sqlite")
    command.add_argument(
        "--names", type=Path, metavar="NAMES", help="a CSV file of yours with the columns code and name"
    )
    command.add_argument("--output", type=Path, default=Path("marks.csv"), metavar="OUT", help="default: marks.csv")
    command.set_defaults(run=_marks)


def _marks(options: argparse.Namespace) -> None:
    from lmdk_widgets.hosts.serving.classroom.marks import marks

    rows, out = marks(options.file, options.names), options.output
    try:
        with os.fdopen(os.open(out, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
    except OSError as error:
        raise InputError("OUT must be a new file", value=out.name, remedy=str(error.strerror)) from None
    print(sentence("The marks of {phones} are in {file}.", phones=count(len(rows) - 1, "phone"), file=str(out)))
