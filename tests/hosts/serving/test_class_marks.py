"""The marks of a class: what was answered rightly, by the code that a phone shows, with names only if they are joined."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.classroom.marks import marks
from lmdk_widgets.hosts.serving.classroom.room import Room
from lmdk_widgets.hosts.serving.classroom.store import Store

ANN, BEN, CAT = (hashlib.sha256(name.encode()).hexdigest() for name in ("ann", "ben", "cat"))
POLLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("start/composition", {ANN: 1.0, BEN: 0.5}),
    ("moments/share", {ANN: 0.2, BEN: 0.2, CAT: 3.0}),
    ("start/composition", {BEN: 1.0}),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    async def fill() -> None:
        room = Room(Store(tmp_path / "c"))
        await room.put("response", {"text": "Did you ever?"})
        await room.answer("only-randomised", 1, 1)
        for name, answers in POLLS:
            await room.put("poll", {"name": name})
            for student, answer in answers.items():
                await room.answer(student, room.round.number, answer)
        told = json.loads(room.for_phone(ANN))
        assert told["code"] == ANN[:8]
        room.close()

    asyncio.run(fill())
    return tmp_path / "c"


def by_code(rows: list[list[str | int]]) -> dict[str | int, list[str | int]]:
    return {row[0]: row[1:] for row in rows}


def test_marks_are_of_the_last_answer_to_each_poll(file: Path) -> None:
    rows = by_code(marks(file))
    assert rows == {
        "code": ["start/composition", "moments/share", "right", "asked"],
        ANN[:8]: [1, 1, 2, 2],
        BEN[:8]: [1, 1, 2, 2],
        CAT[:8]: ["", 0, 0, 2],
    }


def test_without_a_file_of_names_there_is_nothing_but_codes(file: Path) -> None:
    first = [row[0] for row in marks(file)[1:]]
    assert first == sorted([ANN[:8], BEN[:8], CAT[:8]])


def test_names_are_joined_by_codes(file: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.csv"
    names.write_text(f"\ufeffname,code\nAnn A.,{ANN[:4].upper()} {ANN[4:8]}\n", encoding="utf-8")
    rows = by_code(marks(file, names))
    assert rows[ANN[:8]][0] == "Ann A." and rows[BEN[:8]][0] == "" and rows["code"][0] == "name"


@pytest.mark.parametrize(
    ("text", "said"),
    (
        ("code,name\n00000000,Eve\n", "no phone"),
        (f"code,name\n{ANN[:8]},Ann\n{ANN[:8]},Eve\n", "twice"),
        (f"phone,name\n{ANN[:8]},Ann\n", "columns code and name"),
        ("", "columns code and name"),
    ),
)
def test_names_that_cannot_be_joined_are_refused(file: Path, tmp_path: Path, text: str, said: str) -> None:
    names = tmp_path / "names.csv"
    names.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        marks(file, names)


def test_what_is_no_class_is_refused(tmp_path: Path, file: Path) -> None:
    with pytest.raises(InputError, match="file of a class"):
        marks(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()
    open_elsewhere = Store(file)
    with pytest.raises(InputError, match="no other server"):
        marks(file)
    open_elsewhere.close()


def test_the_command_writes_the_marks_for_the_teacher_only(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "marks.csv"
    assert main(["marks", str(file), "--output", str(out)]) == 0
    assert "three phones" in capsys.readouterr().out and out.stat().st_mode & 0o077 == 0
    with out.open(encoding="utf-8", newline="") as table:
        assert [row[-2] for row in csv.reader(table)] == ["right", *(str(row[-2]) for row in marks(file)[1:])]
    assert main(["marks", str(file), "--output", str(out)]) == 2
    assert "new file" in capsys.readouterr().err
