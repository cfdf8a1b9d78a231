"""The file of a class: what cannot be one is refused, and what was not written is not counted."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.accountant import Rate
from lmdk_widgets.hosts.serving.classroom import room as room_module
from lmdk_widgets.hosts.serving.classroom.room import Refusal, Room
from lmdk_widgets.hosts.serving.classroom.store import Store
from lmdk_widgets.hosts.serving.secret_file import kept_secret

SETTINGS = {"text": "Did you ever?"}


def test_answers_are_there_when_it_is_opened_again(tmp_path: Path) -> None:
    async def fill() -> None:
        room = Room(Store(tmp_path / "c"))
        await room.put("response", SETTINGS)
        await asyncio.gather(*(room.answer(f"s{k}", 1, k % 2) for k in range(300)))
        room.close()

    asyncio.run(fill())
    store = Store(tmp_path / "c")
    (kept,) = store.read()
    assert kept.answers == {f"s{k}": k % 2 for k in range(300)} and kept.status == "open"
    store.close()


def test_the_last_of_many_answers_counts_where_it_can_be_changed(tmp_path: Path) -> None:
    async def fill() -> dict:
        room = Room(Store(tmp_path / "c"))
        await room.put("guess", {})
        await asyncio.gather(*(room.answer("s", 1, k) for k in range(40)))
        room.close()
        return room.round.answers

    assert asyncio.run(fill()) == {"s": 39}
    store = Store(tmp_path / "c")
    assert store.read()[0].answers == {"s": 39}
    store.close()


def test_an_answer_that_cannot_be_written_does_not_count(tmp_path: Path) -> None:
    async def fill() -> None:
        room = Room(Store(tmp_path / "c"))
        await room.put("guess", {})
        await room.answer("a", 1, 1)
        room.store._file.execute("PRAGMA query_only = ON")  # as a full disk would: nothing is written
        for student in ("a", "b"):
            with pytest.raises(OSError):
                await room.answer(student, 1, 2)
        assert room.round.answers == {"a": 1}
        room.store._file.execute("PRAGMA query_only = OFF")
        await room.answer("b", 1, 3)
        assert room.round.answers == {"a": 1, "b": 3}
        room.close()

    asyncio.run(fill())


def test_answers_without_a_phone_take_no_place_and_are_set_aside_but_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_module, "MOST_STUDENTS", 3)
    monkeypatch.setattr(room_module, "MOST_ANSWERS", 5)

    async def act() -> None:
        room = Room(Store(tmp_path / "c"))
        await room.put("guess", {})
        for student in ("x", "y", "z"):
            await room.answer(student, 1, 1)
        with pytest.raises(Refusal, match="full"):
            await room.answer("a", 1, 1, here={"b"})
        for student in ("a", "b"):
            await room.answer(student, 1, 2, here={"a", "b", "c"})
        with pytest.raises(Refusal, match="full"):
            await room.answer("c", 1, 2, here={"a", "b", "c"})
        assert await room.answer("x", 1, 3) == 3, "who has answered has a place"
        room.set_aside(7, {"a"})
        room.set_aside(True, {"a"})
        assert room.absent({"a", "b"}) == ["x", "y", "z"] and room.for_board()["aside"] == 0
        room.set_aside(1, {"a", "b"})
        assert room.round.counted == {"a": 2, "b": 2} and room.absent({"a", "b"}) == []
        assert room.for_board()["aside"] == 3 and room.for_board()["answers"] == 2
        assert '"answered": true, "answer": 3' in room.for_phone("x"), "its phone still shows it"
        room.back("x")
        assert room.round.counted == {"x": 3, "a": 2, "b": 2}, "a phone that is back counts again"
        assert await room.answer("y", 1, 5) == 5 and room.round.counted["y"] == 5
        room.set_aside(1, {"a", "b"})
        monkeypatch.setattr(room_module, "MOST_ANSWERS", 6)
        assert await room.answer("d", 1, 4) == 4, "a phone that was told full gets in, without a stream"
        room.set_aside(1, {"a", "b", "d"})
        assert len(room.round.counted) == 6 and not room.for_board()["aside"], "the same key counts them again"
        room.close()

    asyncio.run(act())
    store = Store(tmp_path / "c")
    assert store.read()[0].answers == {"x": 3, "y": 5, "z": 1, "a": 2, "b": 2, "d": 4}
    store.close()


def test_the_secret_of_a_class_is_whole_and_for_its_user_alone(tmp_path: Path) -> None:
    secret = kept_secret(tmp_path / "c")
    beside = tmp_path / "c.secret"
    assert len(secret) == 32 and kept_secret(tmp_path / "c") == secret == beside.read_bytes()
    assert beside.stat().st_mode & 0o077 == 0 and list(tmp_path.iterdir()) == [beside]
    assert kept_secret(tmp_path / "other") != secret
    beside.write_bytes(b"")
    with pytest.raises(InputError, match="must contain 32 bytes"):
        kept_secret(tmp_path / "c")


def test_only_one_server_has_a_file(tmp_path: Path) -> None:
    store = Store(tmp_path / "c")
    with pytest.raises(InputError, match="no other server has open"):
        Store(tmp_path / "c")
    store.close()
    Store(tmp_path / "c").close()


def test_what_is_no_class_stays_as_it_is(tmp_path: Path) -> None:
    text, other, folder = tmp_path / "my.csv", tmp_path / "other.sqlite", tmp_path / "folder"
    text.write_text("time,latitude,longitude\n" * 100)
    folder.mkdir()
    with sqlite3.connect(other) as opened:
        opened.execute("CREATE TABLE mine (x)")
    opened.close()
    before = text.read_bytes(), other.read_bytes()
    for path in (text, other, folder, tmp_path / "nowhere" / "c"):
        with pytest.raises(InputError, match="FILE must be the file of a class"):
            Store(path)
    assert (text.read_bytes(), other.read_bytes()) == before


def test_deeds_that_do_not_fit_change_nothing(tmp_path: Path) -> None:
    async def act() -> None:
        room = Room(Store(tmp_path / "c"))
        await room.act(None, "close")
        await room.put("guess", {})
        for number, deed in ((2, "close"), (1, "open"), (None, "end"), ([1], "end")):
            await room.act(number, deed)
            assert room.round.status == "open"
        with pytest.raises(InputError):
            await room.act(1, "explode")
        with pytest.raises(InputError):
            await room.put("guess", {"scene": "moon"})
        assert room.round.number == 1
        with pytest.raises(Refusal):
            await room.answer("s", True, 1)
        room.close()

    asyncio.run(act())


def test_a_class_behind_one_address_passes_together_and_a_flood_does_not() -> None:
    now = [0.0]
    limit = Rate(at_once=1_500, per_second=150, clock=lambda: now[0])
    for _ in range(300):  # 300 phones join within a minute, four requests each
        now[0] += 0.2
        assert all(limit.allows("room") for _ in range(4))
    assert sum(limit.allows("flood") for _ in range(5_000)) == 1_500
    assert limit.allows("room"), "another address has a bucket of its own"


def test_limits_do_not_grow_without_end() -> None:
    now = [0.0]
    limit = Rate(at_once=2, per_second=1, most=100, clock=lambda: now[0])
    for k in range(1_000):
        limit.allows(str(k))
    assert len(limit._spent) <= 101
    now[0] += 10
    assert limit.allows("fresh") and len(limit._spent) <= 2
