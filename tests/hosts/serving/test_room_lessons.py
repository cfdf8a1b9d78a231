"""The lessons of a room: written by one process at a time, at low priority, once a version."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from tests.hosts.serving.rooms import room
from tests.hosts.serving.visits import fetch
from tests.sweeps import FULL

pytestmark = pytest.mark.slow


def writers(server: int) -> list[psutil.Process]:
    """The processes that write lessons now."""
    children = psutil.Process(server).children()
    return [each for each in children if "site.lessons" in " ".join(each.cmdline())]


@pytest.mark.skipif(sys.platform == "win32", reason="its priorities are others")
def test_lessons_are_written_one_at_a_time_at_low_priority_and_kept_for_the_next_server(tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    asked, most, nice = ("start", "noise" if FULL else "start"), 0, set[int]()
    with room(env=env) as address, ThreadPoolExecutor(len(asked)) as pool:
        answers = [pool.submit(fetch, f"{address}lesson/{name}") for name in asked]
        while not all(answer.done() for answer in answers):
            try:
                found = writers(address.process.pid)
                most = max(most, len(found))
                nice |= {child.nice() for each in found for child in each.children()}  # the kernel that runs the lesson
            except psutil.Error:  # it has just ended
                continue
            time.sleep(0.05)
        assert {answer.result().status for answer in answers} == {200}
        first = answers[0].result().text
    assert most == 1 and nice and min(nice) >= min(19, os.nice(0) + 10)
    (kept,) = tmp_path.rglob("start.html")
    assert kept.parent.stat().st_mode & 0o077 == 0 and not list(kept.parent.glob("*.part"))
    kept.write_text(first.replace("</article>", "kept</article>"))
    with room(env=env) as address:
        assert "kept</article>" in fetch(f"{address}lesson/start").text
        assert not writers(address.process.pid)
