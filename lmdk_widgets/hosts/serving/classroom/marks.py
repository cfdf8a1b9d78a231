"""The marks of a class: for each phone, which polls it answered rightly. Without names, unless the teacher joins them.

A phone is known by its code, which it shows to its student. Only polls are marked: of randomised answers, guesses, duels and
votes there is no right one.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from lmdk_widgets.course.classroom.poll import Poll
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.classroom.store import Kept, Store, code_of

COLUMNS = ("code", "name")
"""The columns of a file of names."""

Row = list[str | int]


def marks(file: Path, names: Path | None = None) -> list[Row]:
    """The marks of the class in a file, as a table with its heading.

    Parameters
    ----------
    file : of `lmdk class`, which no server has open.
    names : a CSV file with the columns "code" and "name", if the teacher has one.

    Returns
    -------
    A row for each student who answered a poll, in the order of the codes: the code, the name if there are names, for each
    question 1 if right, 0 if wrong and "" without an answer, how many are right, and how many were asked. If a question was
    put twice, a student's last answer counts.

    Raises
    ------
    InputError : there is no such file, it is not a class's or is open, or the names cannot be read or joined.
    """
    if not file.is_file():
        raise InputError("FILE must be the file of a class", value=str(file), remedy="Check its name")
    store = Store(file)
    try:
        kept = store.read()
    finally:
        store.close()
    by_student = _right(kept)
    asked = list(dict.fromkeys(str(one.settings["name"]) for one in kept if one.kind == Poll.kind))
    codes = {student: code_of(student) for student in sorted(by_student)}
    named = None if names is None else _names(names, list(codes.values()))
    rows: list[Row] = [["code", *(["name"] if named is not None else []), *asked, "right", "asked"]]
    for student, code in codes.items():
        found = by_student[student]
        each: Row = [int(found[name]) if name in found else "" for name in asked]
        name: Row = [] if named is None else [named.get(code, "")]
        rows.append([code, *name, *each, sum(found.values()), len(asked)])
    return rows


def _right(kept: list[Kept]) -> dict[str, dict[str, bool]]:
    """For each student, whether the last answer to each poll was right."""
    found: dict[str, dict[str, bool]] = {}
    for one in kept:
        if one.kind == Poll.kind:
            poll = Poll.from_dict(one.settings)
            for student, answer in one.answers.items():
                found.setdefault(student, {})[poll.name] = poll.judged(answer).right
    return found


def _names(path: Path, codes: list[str]) -> Mapping[str, str]:
    """The names by code.

    Raises
    ------
    InputError : no such file or columns, a code twice, or one that no phone of this class has, or two have.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            "NAMES must be a CSV file", value=path.name, remedy="Check its name and its encoding"
        ) from error
    if not rows or not set(COLUMNS) <= set(rows[0]):
        raise InputError(
            "NAMES must have the columns code and name", value=path.name, remedy="Write them in its first line"
        )
    found: dict[str, str] = {}
    for row in rows:
        code = (row["code"] or "").replace(" ", "").lower()
        if codes.count(code) != 1 or code in found:
            many = "twice in NAMES" if code in found else "no phone" if code not in codes else "two phones"
            raise InputError(
                "A code in NAMES must be that of one phone of this class, once",
                value=f"{code!r}, {many}",
                remedy="Compare it with the marks without names",
            )
        found[code] = (row["name"] or "").strip()
    return found
