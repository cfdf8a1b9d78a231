"""Four people decide, without a server: roles, votes, what each phone is told when, and simulated phones that talk."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.course import law_ways
from lmdk_widgets.course.classroom import Council, activity, stored
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.classroom.room import CLOSED_WORDS, OTHER_SIDE, Refusal, Room
from lmdk_widgets.hosts.serving.classroom.store import Store

NAMES = list(law_ways.SAID)
RIGHT = NAMES.index("Counts, a person protected")
PHONES = [f"{k:02}-phone" for k in range(30)]


def test_a_role_sees_its_own_numbers_and_no_other() -> None:
    council = activity("council", {})
    assert isinstance(council, Council) and stored("council", council.to_dict()) == council
    told = [council.dealt("x", side, None, False) for side in range(4)]
    for side, (role, mine) in enumerate(zip(law_ways.ROLES, told, strict=True)):
        assert mine["numbers"] == [str(role.written(role.number(way))) for way in law_ways.ways()]
        assert mine["accepted"] == [role.number(way) <= role.limit() for way in law_ways.ways()]
        assert "words" not in mine and mine["accepted"][RIGHT]
        assert council.asked(1)["before"][side].startswith(f"You are the {role.name}. ")
    asked = json.dumps(council.asked(1), ensure_ascii=False)
    assert "897" not in asked and "385" not in asked, "the numbers are dealt, each to its role"
    assert sum(all(column) for column in zip(*(mine["accepted"] for mine in told), strict=True)) == 1


@pytest.mark.parametrize(
    "given", [None, 3, [], [1], [4, 0], [0, 7], [-1, 0], [0.5, 1], [0, True], [0, 1, 2], ["0", "1"]]
)
def test_what_is_no_vote_is_refused_in_a_sentence(given: Any) -> None:
    with pytest.raises(InputError):
        Council().read(given)


def test_there_is_nothing_to_set() -> None:
    with pytest.raises(InputError):
        activity("council", {"limit": 5})


def test_what_the_board_says_by_counting() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        votes = [
            [int(role), int(way)] for role, way in zip(rng.integers(0, 4, 25), rng.integers(0, 7, 25), strict=True)
        ]
        shown = Council().board(votes, True)
        counts = Counter(way for _, way in votes)
        assert [bar["sent"] for bar in shown["bars"]] == [counts[k] for k in range(7)]
        assert [bar["name"] for bar in shown["bars"] if bar["right"]] == [NAMES[RIGHT]]
        for k, bar in enumerate(shown["bars"]):
            for side, role in enumerate(law_ways.ROLES):
                mine = votes.count([side, k])
                assert (f"{role.name} {mine}" in bar["said"]) == (mine > 0)
        most = max(counts.values())
        first = [k for k in counts if counts[k] == most]
        if len(first) == 1:
            assert shown["summary"].startswith(f"The class decided for “{NAMES[first[0]]}” with {most} of 25 votes.")
            assert shown["summary"].endswith(law_ways.refused_by(law_ways.ways()[first[0]]) or "All four accept it.")
        else:
            assert shown["summary"].startswith("No decision: ") and f"have {most} votes each" in shown["summary"]
        before = Council().board(votes, False)
        assert not any(bar["right"] for bar in before["bars"]) and "table" not in before
        assert before["summary"] == "25 votes so far." and len(before["notes"]) == 4


def test_a_board_without_votes_and_with_one() -> None:
    assert Council().board([], False)["summary"] == "No vote yet."
    assert Council().board([], True)["summary"] == "Nobody voted."
    one = Council().board([[3, 0]], True)
    assert one["summary"].startswith(
        "The class decided for “The table as it is” with its only vote. Refused by the operator"
    )
    table = one["table"]["rows"]
    assert [row[0] for row in table] == [*NAMES, "at most"]


def mine(room: Room, student: str) -> dict[str, Any]:
    return json.loads(room.for_phone(student))["mine"]


def test_thirty_phones_decide(tmp_path: Path) -> None:
    """Each phone first votes for the first way that it accepts; then the four roles tell each other what they refuse."""

    async def play() -> None:
        room = Room(Store(tmp_path / "c"))
        await room.put("council", {})
        sides = {phone: mine(room, phone)["side"] for phone in PHONES}
        assert sorted(Counter(sides.values()).values()) == [7, 7, 8, 8]
        accepted = {sides[phone]: mine(room, phone)["dealt"]["accepted"] for phone in PHONES}
        for phone, side in sides.items():
            await room.answer(phone, 1, [side, accepted[side].index(True)])
        alone = room.for_board()["view"]
        assert alone["summary"] == "30 votes so far." and sum(bar["sent"] > 0 for bar in alone["bars"]) >= 2
        with pytest.raises(Refusal, match=OTHER_SIDE):
            await room.answer(PHONES[0], 1, [(sides[PHONES[0]] + 1) % 4, 0])
        agreed = [all(each) for each in zip(*accepted.values(), strict=True)].index(True)
        for phone, side in sides.items():
            await room.answer(phone, 1, [side, agreed])
        await room.act(1, "close")
        with pytest.raises(Refusal, match=CLOSED_WORDS):
            await room.answer(PHONES[0], 1, [sides[PHONES[0]], 0])
        assert "words" not in mine(room, PHONES[0])["dealt"]
        await room.act(1, "show")
        shown = room.for_board()["view"]
        assert shown["summary"] == (
            "The class decided for “Counts, a person protected” with 30 of 30 votes. All four accept it."
        )
        said = mine(room, PHONES[0])["dealt"]["words"]
        assert said.startswith("You chose “Counts, a person protected”: ") and said.endswith("All four accept it.")
        room.close()
        again = Room(Store(tmp_path / "c"))
        assert again.for_board()["view"] == shown
        again.close()

    asyncio.run(play())
