"""How a process shares its work among visitors, and how a file is read apart from all pages."""

from __future__ import annotations

import io
import json
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind.solver import Solver
from lmdk_widgets.hosts.page_list import CAN, LESSONS, OPENED, PAGES, page_class
from lmdk_widgets.hosts.serving import reader
from lmdk_widgets.hosts.serving.compute import FIRST, Beside, Fair, Lane, Line, Process
from lmdk_widgets.hosts.serving.frames import ANSWERED, HEAD, MESSAGE, OPEN, packed, unpacked
from lmdk_widgets.hosts.serving.pool import PROGRAM
from lmdk_widgets.hosts.serving.reader import Reader
from lmdk_widgets.hosts.site.pages import described_pages
from lmdk_widgets.hosts.widget.dashboard import widget_of
from lmdk_widgets.linear import compiling
from lmdk_widgets.page.runner import END, Inline
from lmdk_widgets.pages.track.session import TrackSession
from tests.server import until

TRACK = "latitude,longitude,time\n" + "\n".join(f"48.8{k},2.3{k},2026-03-02T0{k}:00Z" for k in range(8))


def done(found: list[Any], wanted: int) -> None:
    until(lambda: (len(found), len(found) >= wanted), f"{wanted} things", 20)


def test_one_thing_of_each_visitor_in_turn() -> None:
    fair, found, open_ = Fair(1), list[str](), threading.Event()
    blocker, greedy, modest = Line(fair), Line(fair), Line(fair)
    blocker.add(lambda: open_.wait(20) and None)
    for k in range(5):
        greedy.add(lambda k=k: found.append(f"greedy {k}"))
    modest.add(lambda: found.append("modest"))
    open_.set()
    done(found, 6)
    assert found[:2] == ["greedy 0", "modest"] and found[2:] == [f"greedy {k}" for k in range(1, 5)]


def test_what_takes_long_keeps_nobody_else_waiting() -> None:
    fair, found, end = Fair(2), list[str](), threading.Event()
    Line(fair).add(lambda: end.wait(20) and None)
    Line(fair).add(lambda: found.append("modest"))
    done(found, 1)
    end.set()


def test_what_fails_ends_nothing_but_itself(caplog: pytest.LogCaptureFixture) -> None:
    found: list[int] = []
    line = Line(Fair(1))
    line.add(lambda: 1 // 0)
    line.add(lambda: found.append(1))
    done(found, 1)
    assert "A message from a page failed" in caplog.text


def test_what_somebody_waits_for_comes_first_in_the_lane_and_sliders_before_it() -> None:
    fair, found, open_ = Fair(1), list[str](), threading.Event()
    lane = Lane(fair)
    lane.add(lambda: True, lambda: open_.wait(20) and None)
    lane.add(lambda: False, lambda: found.append("later"))
    lane.add(lambda: True, lambda: found.append("urgent"))
    line = Line(fair)

    def slide() -> None:
        open_.set()
        time.sleep(0.02)
        found.append("slider")

    line.add(slide)
    done(found, 3)
    assert found == ["slider", "urgent", "later"]


def test_results_come_in_order_and_work_that_was_replaced_while_it_waited_never_begins() -> None:
    fair, open_ = Fair(2), threading.Event()
    lane, begun, found = Lane(fair), list[str](), list[Any]()
    work = Beside(Line(fair), lane, lambda: True)
    lane.add(lambda: True, lambda: open_.wait(20) and None)

    def steps(name: str) -> Iterator[str]:
        begun.append(name)
        yield f"{name} 1"
        yield f"{name} 2"

    work.submit(steps("old"), found.append)
    work.submit(steps("new"), found.append)
    open_.set()
    done(found, 3)
    assert begun == ["new"] and found == ["new 1", "new 2", END] and not work.busy


def test_a_slice_of_what_was_replaced_while_it_waited_is_its_end() -> None:
    begun, runner = list[str](), Inline()

    def steps(name: str) -> Iterator[str]:
        begun.append(name)
        yield name

    runner.submit(steps("old"), begun.append)
    waiting = runner._work
    runner.submit(steps("new"), begun.append)
    assert waiting is not None and runner._slice(waiting) is END and begun == []


def test_a_page_that_moves_on_has_one_place_in_the_lane_and_what_it_replaced_is_let_go_of() -> None:
    fair, open_ = Fair(1), threading.Event()
    lane, found = Lane(fair), list[Any]()
    work = Beside(Line(fair), lane, lambda: True)
    lane.add(lambda: True, lambda: open_.wait(20) and None)
    replaced = []
    for number in range(50):
        steps = (number for _ in range(1))
        replaced.append(weakref.ref(steps))
        work.submit(steps, found.append)
    del steps
    assert len(lane._waiting) <= 2 and sum(one() is not None for one in replaced) == 1
    open_.set()
    done(found, 2)
    assert found == [49, END]


def test_a_long_solve_keeps_no_answer_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS takes many seconds for 8 x 8 places: it runs in the lane, and lets the threads that answer continue."""
    monkeypatch.setattr(compiling, "ready", lambda *_, **__: False)
    monkeypatch.setattr(compiling, "is_plain", lambda: False)
    points = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), axis=-1).reshape(-1, 2)
    steps = Solver(np.hypot(*(points[:, None] - points).T)).improve(np.arange(1.0, 65.0) / 2080, 1.0)
    fair = Fair()
    lane, line, solved, answers = Lane(fair), Line(fair), list[int](), list[int]()

    def solve() -> None:
        next(steps)
        next(steps)
        solved.append(len(answers))

    lane.add(lambda: False, solve)
    until_answered: list[int] = []
    while not solved:
        line.add(lambda: answers.append(1))
        until_answered.append(len(answers))
        until(lambda: (answers, len(answers) >= len(until_answered)), "an answer", 60)
    assert solved[0] > 5, "answers come while it solves"


def test_a_file_is_read_while_the_lane_is_at_work() -> None:
    fair, open_, found = Fair(1), threading.Event(), list[Any]()
    lane = Lane(fair)
    lane.add(lambda: True, lambda: open_.wait(20) and None)
    Beside(Line(fair), lane).submit(iter(["read"]), found.append)
    done(found, 1)
    open_.set()
    assert found[0] == "read"


class Told(io.BytesIO):
    """What a process has said, decoded."""

    def messages(self, visitor: int) -> list[dict[str, Any]]:
        said, rest = [], self.getvalue()
        while rest:
            length, what, whom = HEAD.unpack_from(rest)
            content, rest = rest[HEAD.size : HEAD.size + length], rest[HEAD.size + length :]
            if (what, whom) == (MESSAGE, visitor):
                said.append(json.loads(unpacked(content)[0]))
        return said


def asks(process: Process, out: Told, visitor: int, *asked: dict[str, Any]) -> list[dict[str, Any]]:
    """What a visitor is told after opening the first page and saying something to it."""
    process.hear(OPEN, visitor, b"")
    for each in ({"do": "open"}, *({"do": "message", "text": json.dumps(text)} for text in asked)):
        process.hear(MESSAGE, visitor, packed(json.dumps({**each, "name": FIRST}).encode(), []))
    wanted = HEAD.pack(0, ANSWERED, visitor)
    until(lambda: (None, out.getvalue().count(wanted) == 1 + len(asked)), "its answers", 20)
    return [said["message"] for said in out.messages(visitor) if said["said"] == "message"]


def test_the_file_of_the_command_line_is_evaluated_once_and_no_page_sees_what_another_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[Any] = []
    evaluate = TrackSession.evaluate
    monkeypatch.setattr(TrackSession, "evaluate", lambda *given: evaluated.append(given) or evaluate(*given))
    (tmp_path / "mine.csv").write_text(TRACK)
    out = Told()
    process = Process(out, "", str(tmp_path / "mine.csv"), "UTC")
    ready = {"type": "ready", "view": "v"}
    change = {"type": "change", "id": 1, "operations": [{"op": "set", "name": "epsilon", "value": 0.3}], "view": "v"}
    first = asks(process, out, 1, ready, change)
    once = len(evaluated)
    second = asks(process, out, 2, ready)
    assert len(evaluated) == once
    for told in (first, second):
        numbers = next(each for each in told if each["type"] == "numbers")
        assert numbers["choices"]["epsilon"] == 1.0 and numbers["choices"]["track"] == "", "the file, not a sample"
    assert [each["choices"]["epsilon"] for each in first if each["type"] == "numbers"][-1] == 0.3
    third = asks(process, out, 3, ready, {"type": "change", "id": 2, "operations": [{"op": "undo"}], "view": "v"})
    last = [each["choices"] for each in third if each["type"] == "numbers"][-1]
    assert (last["epsilon"], last["track"]) == (1.0, "bob"), "it undoes its own file, not what another page chose"


def test_every_page_says_why_the_file_of_the_command_line_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("nothing")
    out = Told()
    process = Process(out, "", str(tmp_path / "mine.csv"), "UTC")
    for visitor in (1, 2):
        told = asks(process, out, visitor, {"type": "ready", "view": "v"})
        assert any(each["type"] == "refused" for each in told), [each["type"] for each in told]


def test_the_pages_of_a_room_are_those_of_the_dashboard() -> None:
    for name in CAN:
        assert page_class(name) is widget_of(name).PAGE
    told = described_pages(list(PAGES))
    assert [name for name, _ in told["titles"] if name not in told["apart"]] == list(CAN) and LESSONS not in OPENED


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    address = str(tmp_path_factory.mktemp("r") / "s")
    ours, theirs = socket.socketpair()
    about = json.dumps({"reader": address, "forks": False})
    with theirs:
        process = subprocess.Popen([sys.executable, "-c", PROGRAM.format("forking_process"), about], stdin=theirs)
    until(lambda: (address, Path(address).exists()), "the reader", 60)
    yield Reader(address)
    ours.close()
    assert process.wait(20) == 0


class Session:
    """Stands where the session of a page does."""

    def read(self, data: bytes, name: str, **options: Any) -> Any:
        if data == b"long":
            time.sleep(20)
        if data == b"much":
            return len(bytearray(3 << 30))
        if data == b"writes":
            Path(name).write_bytes(b"x" * 10)
        if data == b"bad":
            raise InputError("A file must be good", value="bad", kind="rows", rows=[(1, "bad")])
        return name, options


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_reader_says_what_is_in_a_file_and_has_no_rights(apart: Reader, tmp_path: Path) -> None:
    assert apart(Session, b"", "a", zone="UTC") == ("a", {"zone": "UTC"})
    with pytest.raises(InputError, match="A file must be good; got bad") as refused:
        apart(Session, b"bad", "a")
    assert refused.value.kind == "rows" and refused.value.rows == ((1, "bad"),)
    if sys.platform == "linux":
        with pytest.raises(InputError, match="MB of memory"):
            apart(Session, b"much", "a")
    with pytest.raises((RuntimeError, InputError)):
        apart(Session, b"writes", str(tmp_path / "written"))
    assert not (tmp_path / "written").exists() or not (tmp_path / "written").read_bytes()


def test_an_answer_that_would_run_something_is_no_answer() -> None:
    class Bad:
        def __reduce__(self) -> Any:
            return os.system, ("true",)

    for bad in (Bad(), os.getcwd, subprocess.Popen):
        with pytest.raises(pickle.UnpicklingError):
            reader._answered(pickle.dumps(("found", bad)))
