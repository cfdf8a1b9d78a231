"""Thirty phones spread epsilon as Skip, Uniform, the plan for a total loss, or not at all: who is best is what we say."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.budgets import allocate
from lmdk_widgets.course.classroom import duel as duel_module
from lmdk_widgets.course.classroom.days import Worth, loss_plan, spent, worth
from lmdk_widgets.hosts.serving.classroom.room import Room
from lmdk_widgets.hosts.serving.classroom.store import Store
from tests.course.classroom.duel_truth import by_hand

GUIDE = " ".join((Path(__file__).parents[3] / "docs" / "class.md").read_text("utf-8").split())
EPSILON, PARTS = 4.0, 20
SEEDS = (1, 5, 11)
"""Each draws another day and other landmarks."""


def longest_run(marks: tuple[int, ...]) -> int:
    return max(len([*run]) for inside, run in groupby(range(8), lambda at: at in marks) if inside)


def in_parts(marks: tuple[int, ...]) -> dict[str, list[int]]:
    """What each kind of phone sends."""
    plan = np.array(loss_plan(EPSILON, marks).budgets) * PARTS / EPSILON
    rounded = plan.round().astype(int).tolist()
    return {
        "Skip": [0 if at in marks else PARTS for at in range(8)],
        "Uniform": [PARTS // 5] * 8,
        "plan": rounded if spent(rounded, marks) <= PARTS else [int(each) for each in plan],
        "zero": [0] * 8,
    }


async def play(room: Room) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Sixty phones: thirty spread in four ways and thirty guess; what each of the thirty is told, by its way."""
    await room.put("duel", {"epsilon": EPSILON})
    phones = [f"{k:02}-phone" for k in range(60)]
    half = [phone for phone in phones if json.loads(room.for_phone(phone))["mine"]["side"] == 0]
    assert len(half) == 30
    ways = in_parts(room.round.activity.landmarks)
    sent = {phone: [*ways][k % 4] for k, phone in enumerate(half)}
    for phone, way in sent.items():
        await room.answer(phone, 1, ways[way])
    await room.act(1, "close")
    for phone in phones:
        mine: dict[str, Any] = json.loads(room.for_phone(phone))["mine"]
        if mine["side"] == 1:
            named = np.argsort([float(each.partition(" ")[0]) for each in mine["dealt"]["chances"]])[-4:].tolist()
            await room.answer(phone, 1, [[at, int(np.argmax(mine["dealt"]["belief"][at]))] for at in named])
    await room.act(1, "show")
    words = {phone: json.loads(room.for_phone(phone))["mine"]["dealt"]["words"] for phone in half}
    return {way: [words[phone] for phone in half if sent[phone] == way] for way in ways}, ways


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_the_ranking_of_thirty_phones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(duel_module.secrets, "randbits", lambda _bits: seed)

    async def act() -> None:
        room = Room(Store(tmp_path / "c"))
        words, ways = await play(room)
        marks, view = room.round.activity.landmarks, room.for_board()["view"]
        truth = {
            way: Worth(*by_hand(tuple(part * EPSILON / PARTS for part in parts), marks, EPSILON))
            for way, parts in ways.items()
        }
        even, skip, zero = truth["Uniform"], truth["Skip"], truth["zero"]
        assert even.reader < skip.reader < zero.reader and truth["plan"].reader < zero.reader
        assert even.found < skip.found or longest_run(marks) > 2
        assert not (truth["plan"].reader < even.reader and truth["plan"].found < even.found)
        assert (skip.fitting, even.fitting) == (1, 70)
        for way in ("Skip", "Uniform", "plan"):
            (told,) = set(words[way])
            off, found = re.search(r"a reader is (\d+) m off .* finds ([\d.]+) of 4 landmarks", told).groups()
            assert (int(off), float(found)) == (round(truth[way].reader), round(truth[way].found, 2))
            assert [round(truth[way].reader, 1), round(4 - truth[way].found, 3)] in view["chart"]["class"]
        assert len(view["chart"]["class"]) == 3, "who releases nothing is no dot of the class"
        assert set(words["zero"]) == {words["zero"][0]} and words["zero"][0].startswith("You released nothing.")
        assert any(note.startswith("Of the class, seven phones released nothing") for note in view["notes"])
        drawn = {name: point for name, *point in view["chart"]["marks"]}
        assert view["chart"]["nothing"] == ["Nothing", round(zero.reader, 1), round(4 - zero.found, 3)]
        if longest_run(marks) <= 2:
            assert drawn["Skip"] not in view["chart"]["frontier"] and drawn["Uniform"] in view["chart"]["frontier"]
            assert any("more than with Uniform" in note for note in view["notes"])
        room.close()

    asyncio.run(act())


def every_draw() -> Iterator[tuple[tuple[int, ...], dict[str, Worth]]]:
    for marks in combinations(range(8), 4):
        ways = {name: tuple(allocate(name, 8, marks, EPSILON).tolist()) for name in ("uniform", "weighted", "skip")}
        ways |= {"plan": loss_plan(EPSILON, marks).budgets, "zero": (0.0,) * 8}
        yield marks, {name: worth(each, marks, EPSILON) for name, each in ways.items()}


@pytest.mark.long
def test_what_the_guide_says_of_all_draws() -> None:
    """The sentences for the teacher, at epsilon 4 with each of the seventy sets of landmarks."""
    more = 0
    for marks, found in every_draw():
        even, skip = found["uniform"], found["skip"]
        assert even.reader < skip.reader and skip.fitting == 1 and even.fitting == 70
        assert (skip.found > even.found) or longest_run(marks) > 2
        more += skip.found > even.found
        assert found["zero"].reader == max(each.reader for each in found.values())
        assert found["weighted"].reader == min(each.reader for each in found.values())
        assert found["weighted"].fitting == 1 and found["weighted"].found > even.found
        assert not (found["plan"].reader < even.reader and found["plan"].found < even.found)
    assert f"in {more} of the 70 draws it also gives away more landmarks" in GUIDE
