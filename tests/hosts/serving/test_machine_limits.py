"""What the room looks at on its machine: processes that hang, and memory."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import types

import pytest

from lmdk_widgets.hosts.serving import pool
from lmdk_widgets.hosts.serving.pool import SILENT_S, STILL_S, Pool, Worker


class Asks:
    waits, arriving, names = True, False, bytes(8)

    def answered(self) -> None: ...

    def lost(self) -> None: ...


def test_a_process_that_hangs_is_noticed_and_one_that_works_or_has_nothing_to_do_is_not() -> None:
    def worker() -> Worker:
        made = Worker({})
        made.visitors[1] = Asks()  # type: ignore[assignment]
        return made

    still, busy, idle, answers, endless = (worker() for _ in range(5))
    idle.visitors.clear()
    ended: dict[str, float] = {}
    for second in range(100):
        answers._answers += 1
        for name, one, used in (
            ("still", still, 1.0),
            ("busy", busy, float(second)),
            ("idle", idle, 1.0),
            ("answers", answers, 1.0),
        ):
            if name not in ended and one.hangs(second, used):
                ended[name] = second
    assert ended == {"still": STILL_S, "busy": SILENT_S}
    endless._answers = 7
    assert not endless.hangs(0, 0) and not endless.hangs(1, 0) and endless.hangs(STILL_S, 0)


def test_what_hangs_is_ended_and_its_visitors_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    here = Pool({}, 2)
    ended = []
    for k, one in enumerate(here._workers):
        one.visitors[1] = Asks()  # type: ignore[assignment]
        one.ready.set()
        one.end = lambda k=k: ended.append(k)  # type: ignore[method-assign]
    here._workers[1].visitors[1].waits = False  # type: ignore[misc]
    for second in range(7):
        here.look_for_hanging(float(second), lambda pid: 1.0)
    assert set(ended) == {0}


def test_the_server_itself_and_all_it_started_count_and_neither_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        here = Pool({}, 1, memory_mb=800)
        family = {
            os.getpid(): 500,
            11: 200,
            12: 90,
            13: 60,
        }  # MB: the server, a process, a reader, what writes a lesson
        monkeypatch.setattr(
            pool, "family", lambda pid: [types.SimpleNamespace(pid=one) for one in family if pid == os.getpid()]
        )
        killed: list[int] = []
        monkeypatch.setattr(pool.psutil, "Process", lambda pid: types.SimpleNamespace(kill=lambda: killed.append(pid)))

        def used(processes: list[int], limit: int) -> list[int]:
            return [family[one] << 20 for one in processes]

        await here.look_at_memory(used)
        assert here.scarce and killed == [11], "the one that uses most, but not the server"
        family[11] = 100
        await here.look_at_memory(used)
        assert here.scarce and killed == [11], "no page opens shortly before the limit"
        family[os.getpid()] = 300
        await here.look_at_memory(used)
        assert not here.scarce

    asyncio.run(scene())


GIVES_BACK = """
import psutil
from lmdk_widgets.hosts.serving.memory_limit import give_back

held = [bytes(100_000) for _ in range(2_000)]
last = bytes(100_000)  # at the end of the memory: what is before it stays with the process
full = psutil.Process().memory_info().rss
del held
give_back()
print(full - psutil.Process().memory_info().rss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems return memory in their own way")
def test_memory_that_visitors_have_left_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", GIVES_BACK], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 100e6
