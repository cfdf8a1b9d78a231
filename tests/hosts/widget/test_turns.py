"""Turns of long work: as many at a time as there are lanes, urgent work first, and none is lost with its process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier, Event, Lock, Thread

import pytest

from lmdk_widgets.page import turns
from lmdk_widgets.page.turns import VARIABLE, open_lanes, processors, turn

pytestmark = pytest.mark.skipif(turns._LOCKS is None, reason="the system locks no files")
PATIENCE_S = 60.0


def lanes(folder: Path, monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    for name, value in open_lanes(folder / "turns", many).items():
        monkeypatch.setenv(name, value)


def test_without_a_server_everybody_s_turn_is_now(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with turn(), turn(), turn(urgent=False):
        pass
    monkeypatch.setenv(VARIABLE, str(tmp_path / "gone"))
    with turn(), turn():
        pass


def test_there_is_a_lane_for_each_processor_and_only_its_owner_sees_them(tmp_path: Path) -> None:
    folder = Path(open_lanes(tmp_path / "turns")[VARIABLE])
    assert len(list(folder.glob("lane-*"))) == processors() >= 1
    assert {path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())} == {0}


def test_as_many_pieces_run_at_once_as_there_are_lanes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes(tmp_path, monkeypatch, 2)
    counted, both, inside, most = Lock(), Barrier(2), 0, 0

    def meet() -> None:
        with turn():
            both.wait(PATIENCE_S)

    def work() -> None:
        nonlocal inside, most
        for _ in range(20):
            with turn():
                with counted:
                    inside, most = inside + 1, max(most, inside + 1)
                time.sleep(0.001)
                with counted:
                    inside -= 1

    for what, many in ((meet, 2), (work, 6)):
        workers = [Thread(target=what) for _ in range(many)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(PATIENCE_S)
            assert not worker.is_alive()
    assert inside == 0 and most <= 2


def test_what_can_wait_leaves_a_lane_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes(tmp_path, monkeypatch, 2)
    entered = Event()
    row = tmp_path / "turns" / turns.ROWS[1]

    def later() -> None:
        with turn(urgent=False):
            entered.set()

    with turn(urgent=False):
        waiting = Thread(target=later)
        waiting.start()
        while turns._is_free(row) and not entered.is_set():  # until it stands in its row
            time.sleep(0.001)
        with turn():
            assert not entered.is_set()
    waiting.join(PATIENCE_S)
    assert entered.is_set()


def test_what_can_wait_waits_while_urgent_work_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes(tmp_path, monkeypatch, 2)
    entered, looked = Event(), Event()
    taken = turns._taken

    def look(path: Path, held: ExitStack) -> bool:
        if (found := taken(path, held)) is False and path.name == turns.ROWS[0]:
            looked.set()
        return found

    def later() -> None:
        with turn(urgent=False):
            entered.set()

    monkeypatch.setattr(turns, "_taken", look)
    with ExitStack() as standing:
        assert taken(tmp_path / "turns" / turns.ROWS[0], standing)
        waiting = Thread(target=later)
        waiting.start()
        assert looked.wait(PATIENCE_S) and not entered.is_set()  # though all lanes are free
    waiting.join(PATIENCE_S)
    assert entered.is_set()


def test_one_lane_serves_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes(tmp_path, monkeypatch, 1)
    for urgent in (True, False, True):
        with turn(urgent):
            pass


def test_a_process_that_ends_in_its_turn_gives_its_lane_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes(tmp_path, monkeypatch, 1)
    program = (
        "import time\nfrom lmdk_widgets.page.turns import turn\nwith turn():\n print(1, flush=1)\n time.sleep(600)"
    )
    other = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3])
    assert other.stdout is not None and other.stdout.readline() == b"1\n"
    entered = Event()

    def wait() -> None:
        with turn():
            entered.set()

    waiting = Thread(target=wait)
    waiting.start()
    assert not entered.is_set()
    other.kill()
    other.wait()
    other.stdout.close()
    waiting.join(PATIENCE_S)
    assert entered.is_set()


def test_a_folder_that_goes_away_ends_the_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes(tmp_path, monkeypatch, 1)
    looked, entered = Event(), Event()
    taken = turns._taken

    def look(*arguments: object) -> bool:
        looked.set()
        return taken(*arguments)  # type: ignore[arg-type]

    def wait() -> None:
        with turn():
            entered.set()

    with turn():
        monkeypatch.setattr(turns, "_taken", look)
        waiting = Thread(target=wait)
        waiting.start()
        assert looked.wait(PATIENCE_S)
        for path in (tmp_path / "turns").iterdir():
            os.unlink(path)
        waiting.join(PATIENCE_S)
        assert entered.is_set()


def test_what_fails_in_its_turn_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes(tmp_path, monkeypatch, 1)
    with pytest.raises(OSError, match="disk"), turn():
        raise OSError("disk")
    with turn():
        pass
