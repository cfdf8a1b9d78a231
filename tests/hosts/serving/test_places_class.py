"""Several people on Place of one server: each move is answered, and what one page has solved the next one has at once."""

from __future__ import annotations

import pytest

from lmdk_widgets.pages.place import MECHANISMS
from tests.hosts.serving.rooms import Visitor, room

pytestmark = pytest.mark.slow
LEVELS = (1.0, 1.26, 0.794, 1.58, 1.0, 2.0)
"""Stops of the slider."""


@pytest.mark.nightly
def test_each_move_is_answered_and_what_one_page_has_solved_the_next_has_at_once() -> None:
    with room() as address:
        people = [Visitor(address).open("place") for _ in range(2)]
        for level in LEVELS:
            for person in people:
                assert person.move("level", level)["choices"]["level"] == level
        for person in people:
            while set(person.told("numbers")["known"]) != set(MECHANISMS):
                pass
        solved = list((address.folder / "solved").iterdir())
        assert len(solved) >= len(MECHANISMS) and {file.stat().st_mode & 0o777 for file in solved} == {0o600}
        people.append(Visitor(address).open("place"))
        answer = people[-1].move("level", LEVELS[-1])
        assert set(answer["known"]) == set(MECHANISMS) and not answer["stale"]
        for person in people:
            person.socket.close()
