"""Thirty phones through a duel in a room without browsers: halves, order, restarts in the middle, and what is refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.course.classroom import Duel
from lmdk_widgets.course.classroom.days import spent, worth
from lmdk_widgets.course.classroom.plans import read_plan
from lmdk_widgets.hosts.serving.classroom import room as room_module
from lmdk_widgets.hosts.serving.classroom.room import CLOSED_WORDS, OTHER_SIDE, Refusal, Room
from lmdk_widgets.hosts.serving.classroom.run import Run
from lmdk_widgets.hosts.serving.classroom.store import Store

PHONES = [f"{k:02}-phone" for k in range(30)]


def mine(room: Room, student: str) -> dict[str, Any]:
    """What one phone is told of itself."""
    return json.loads(room.for_phone(student))["mine"]


def spread(room: Room, k: int) -> list[int]:
    """A spread of its own for each phone, which keeps the budget with the landmarks that the phone is told."""
    marks = [k % 4, (k // 2) % 4, (k // 3) % 3, 1]
    most = 20 - sum(marks)
    rest = [most, most - k % 3, most - k % 5, most - 1]
    landmarks = room.round.activity.landmarks
    return [(marks if at in landmarks else rest).pop() for at in range(8)]


async def spreads(room: Room) -> list[str]:
    """The half that spreads, after each has sent its spread; the other half is refused."""
    await room.put("duel", {})
    sides = {phone: mine(room, phone)["side"] for phone in PHONES}
    assert [*sides.values()].count(0) == 15, "one half spreads"
    for k, phone in enumerate(PHONES):
        if sides[phone] == 0:
            told = mine(room, phone)
            assert not told["closed"] and told["dealt"]["landmarks"] == list(room.round.activity.landmarks)
            await room.answer(phone, 1, spread(room, k))
        else:
            assert "dealt" not in mine(room, phone) and "landmarks" not in json.dumps(mine(room, phone))
            with pytest.raises(Refusal, match=CLOSED_WORDS):
                await room.answer(phone, 1, spread(room, k))
    await room.answer(PHONES[0], 1, spread(room, 0))  # it can be changed
    assert room.for_board()["view"]["summary"] == "15 spreads, 0 guesses so far."
    assert room.for_board()["deeds"] == [("close", "Release")] and room.for_board()["said"] == "one half spreads ε"
    return [phone for phone in PHONES if sides[phone] == 0]


async def guesses(room: Room, spreading: list[str]) -> dict[str, list[list[int]]]:
    """The guesses of the other half: the four timestamps that are likeliest landmarks by the hint, in the likeliest cells."""
    found = {}
    for phone in PHONES:
        if phone in spreading:
            with pytest.raises(Refusal, match=CLOSED_WORDS):
                await room.answer(phone, 1, spread(room, 1))
            assert "belief" not in mine(room, phone)["dealt"]
        else:
            dealt = mine(room, phone)["dealt"]
            chances = [float(each.partition(" ")[0]) for each in dealt["chances"]]
            assert sum(chances) == pytest.approx(400, abs=4)
            named = sorted(np.argsort(chances)[-4:].tolist())
            found[phone] = [[at, int(np.argmax(dealt["belief"][at]))] for at in named]
            with pytest.raises(Refusal, match=OTHER_SIDE):
                await room.answer(phone, 1, spread(room, 1))
            await room.answer(phone, 1, found[phone])
    return found


def test_thirty_phones(tmp_path: Path) -> None:
    async def first() -> list[str]:
        room = Room(Store(tmp_path / "c"))
        spreading = await spreads(room)
        await room.act(1, "show")
        assert room.round.status == "open", "first it is released"
        await room.act(1, "close")
        await room.act(1, "open")
        assert room.round.status == "closed", "what is out is out"
        before = {phone: mine(room, phone).get("dealt") for phone in PHONES}
        room.close()
        Path(tmp_path / "before").write_text(json.dumps(before))
        return spreading

    async def second(spreading: list[str]) -> None:
        room = Room(Store(tmp_path / "c"))  # the server was started again
        before = json.loads(Path(tmp_path / "before").read_text())
        duel = room.round.activity
        assert isinstance(duel, Duel)
        guessing = [phone for phone in PHONES if phone not in spreading]
        assert all(mine(room, phone)["side"] == 1 for phone in guessing)
        assert {phone: mine(room, phone).get("dealt") for phone in guessing} == {
            phone: before[phone] for phone in guessing
        }
        assert mine(room, "one who comes late")["side"] == 1
        sent = await guesses(room, spreading)
        text = json.dumps([room.for_board(), *(room.for_phone(phone) for phone in guessing)])
        assert "truth" not in text and "landmarks\\" not in text and json.dumps(list(duel.day)) not in text
        await room.act(1, "show")
        view = room.for_board()["view"]
        sent_spreads = {tuple(spread(room, PHONES.index(phone))) for phone in spreading}
        assert all(spent(one, duel.landmarks) <= 20 for one in sent_spreads)
        expected = [worth(tuple(part * 4 / 20 for part in one), duel.landmarks, 4.0) for one in sent_spreads]
        assert sorted(view["chart"]["class"]) == sorted(
            [round(one.reader, 1), round(4 - one.found, 3)] for one in expected
        )
        assert view["summary"].startswith("15 spreads, 15 guesses.")
        for phone, guess in sent.items():
            told = mine(room, phone)["dealt"]
            hits = sum(at in duel.landmarks and duel.day[at] == cell for at, cell in guess)
            assert told["truth"] == list(duel.day) and duel.found(guess) == hits
            assert told["words"].startswith(f"You found {hits if hits else '0'}")
        with pytest.raises(Refusal, match=CLOSED_WORDS):
            await room.answer(PHONES[-1], 1, [[k, 0] for k in range(4)])
        room.close()

    spreading = asyncio.run(first())
    asyncio.run(second(spreading))
    store = Store(tmp_path / "c")
    assert len(store.read()[0].answers) == 30
    store.close()


def test_a_key_steps_through_a_duel(tmp_path: Path) -> None:
    async def act() -> None:
        room = Room(Store(tmp_path / "c"))
        run = Run(room, (read_plan("duel 2\nsay Thanks.", "Mine"),))
        await run.follow("Mine")
        said = []
        for _ in range(3):
            said.append((run.for_board()["next"], room.round.status))
            await run.move(1, run.seen)
        assert said == [("Release", "open"), ("Show the outcome", "closed"), ("Next", "shown")]
        assert run.for_board()["text"] == "Thanks."
        await run.move(-1, run.seen)
        assert room.round.status == "shown" and room.for_board()["view"]["chart"]["marks"]
        room.close()

    asyncio.run(act())


def test_of_very_many_phones_no_more_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_module, "MOST_ANSWERS", 40)

    async def act() -> None:
        room = Room(Store(tmp_path / "c"))
        await room.put("duel", {})
        sides = [room.round.side(f"phone {k}") for k in range(400)]
        assert sides == [room.round.side(f"phone {k}") for k in range(400)] and len(room.round.sides) == 40
        assert sides[:40].count(0) == 20 and 100 < sides[40:].count(0) < 260
        room.close()

    asyncio.run(act())
