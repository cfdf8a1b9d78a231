"""The run of show in a room without a browser: steps, outcomes, back with the answers, restarts, and keys that come late."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from lmdk_widgets.course.classroom.plans import read_plan
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.classroom.class_server import open_class
from lmdk_widgets.hosts.serving.classroom.room import Room
from lmdk_widgets.hosts.serving.classroom.run import OVER, Run
from lmdk_widgets.hosts.serving.classroom.store import Store

PLAN = read_plan("say Welcome.\npoll moments/share\nresponse Did you ever?\npoll noise/told", "Mine")
OTHER = read_plan("say Welcome.\npoll moments/share", "Mine")


def acted(file: Path, act: Callable[[Room, Run], Awaitable[None]], *plans: object) -> None:
    """What is done in a room of that file, which is closed afterwards."""

    async def whole() -> None:
        room = Room(Store(file))
        try:
            await act(room, Run(room, plans or (PLAN,)))  # type: ignore[arg-type]
        finally:
            room.close()

    asyncio.run(whole())


async def go(run: Run, by: int = 1) -> None:
    await run.move(by, run.seen)


def test_each_step_and_its_outcome_by_one_key_and_back_with_its_answers(tmp_path: Path) -> None:
    async def act(room: Room, run: Run) -> None:
        assert run.for_board() is None
        await run.follow("Mine")
        assert run.for_board()["text"] == "Welcome." and run.for_board()["first"] and room.round is None
        assert run.for_board()["next"] == "Next: Poll" and run.for_board()["said"] == "Step 1 of 4"
        await go(run)
        assert room.round.activity.name == "moments/share" and run.for_board()["next"] == "Show the outcome"
        await room.answer("a", 1, 0.2)
        await go(run)
        assert room.round.status == "shown" and run.at == 1
        await go(run)
        assert room.round.activity.kind == "response" and run.for_board()["next"] == "Next: Poll", "it has no outcome"
        await room.answer("a", 2, 1)
        await go(run, -1)
        assert (room.round.number, room.round.status, room.round.answers) == (1, "shown", {"a": 0.2})
        await go(run)
        assert (room.round.number, room.round.status, room.round.answers) == (2, "open", {"a": 1}), (
            "the same coin counts"
        )
        for _ in range(3):
            await go(run)
        assert room.round is None and run.for_board()["said"] == OVER and not run.for_board()["next"]
        await go(run)
        await go(run, -1)
        assert room.round.number == 3 and room.round.status == "shown"
        for _ in range(5):
            await go(run, -1)
        assert run.at == 0 and room.round is None
        await run.leave()
        assert run.for_board() is None

    acted(tmp_path / "c", act)


def test_a_key_that_was_pressed_for_something_else_does_nothing(tmp_path: Path) -> None:
    async def act(room: Room, run: Run) -> None:
        with pytest.raises(InputError, match='title of a plan must be "Mine"; got Yours'):
            await run.follow("Yours")
        await run.follow("Mine")
        seen = run.seen
        await run.move(1, seen)
        await run.move(1, seen)  # pressed twice
        await run.move(1, None)
        assert run.at == 1 and room.round.status == "open"
        await room.put("poll", {"name": "noise/told"})  # by hand, between two steps
        assert run.for_board()["next"] == "Next: Randomised response", "its outcome is not that of the step"
        await go(run)
        assert run.at == 2 and room.round.activity.kind == "response"

    acted(tmp_path / "c", act)


def test_a_restart_goes_on_at_the_same_step_of_the_same_plan(tmp_path: Path) -> None:
    async def begin(room: Room, run: Run) -> None:
        await run.follow("Mine")
        for _ in range(3):
            await go(run)
        await room.answer("a", 2, 1)
        await go(run, -1)

    async def goes_on(room: Room, run: Run) -> None:
        assert run.at == 1 and room.round.number == 1 and room.round.status == "shown"
        await go(run)
        assert room.round.number == 2 and room.round.answers == {"a": 1}

    async def another(room: Room, run: Run) -> None:
        assert run.for_board() is None

    acted(tmp_path / "c", begin)
    acted(tmp_path / "c", goes_on)
    acted(tmp_path / "c", another, OTHER)


def test_a_file_of_before_has_no_run_and_gets_one(tmp_path: Path) -> None:
    Store(tmp_path / "c").close()
    with closing(sqlite3.connect(tmp_path / "c")) as opened:
        opened.execute("DROP TABLE run")
    acted(tmp_path / "c", lambda room, run: run.follow("Mine"))
    store = Store(tmp_path / "c")
    assert store.run()["at"] == 0
    store.close()


def test_a_step_that_cannot_be_written_is_not_taken(tmp_path: Path) -> None:
    async def act(room: Room, run: Run) -> None:
        await run.follow("Mine")
        room.store._file.execute("PRAGMA query_only = ON")
        with pytest.raises(OSError):
            await go(run)
        assert run.at == 0 and room.round is None
        room.store._file.execute("PRAGMA query_only = OFF")

    acted(tmp_path / "c", act)


def test_the_plan_of_a_teacher_comes_first_and_a_bad_one_opens_no_class(tmp_path: Path) -> None:
    plan = tmp_path / "mine.txt"
    plan.write_text("poll noise/told\npol moments/share\n")
    with pytest.raises(InputError, match='Line 2 must begin with "poll".*; got pol moments/share'):
        open_class(tmp_path / "c", host="127.0.0.1", port=1, token="a-long-enough-one", plan=plan)
    assert not (tmp_path / "c").exists()
    plan.write_text("poll noise/told\n")
    opened = open_class(tmp_path / "c", host="127.0.0.1", port=1, token="a-long-enough-one", plan=plan)
    assert [one.title for one in opened.plans] == ["mine.txt", "90 minutes", "45 minutes", "30 minutes"]
    opened.room.close()
