"""A class of 300 phones on one server: how long an answer takes, how late the board is, and whether any answer is lost.

    python benchmarks/class_load.py [--quick] [--phones N ...] [--pages K ...] [--json FILE] [--figures FIGURES.md]

Phones join at random times within a minute. Then each activity is put to them, and each phone answers at a random time within
ten seconds of receiving it. At the end the server is killed without warning and restarted with the same file: every answer
from every phone must be there. With --pages, that many pages are open meanwhile.

The clients share the cores with the server, so their own delays count as the server's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from class_client import Browser
from measured import write
from people_client import Person

ROOT = Path(__file__).parent.parent
TOKEN = "bench-of-the-class"
JOIN_S, ANSWER_S = 60.0, 10.0
ANSWER_MS, BOARD_S = 200.0, 1.0
"""What is promised: the 95th percentile for an answer, and the maximum for the board."""

ACTIVITIES: dict[str, tuple[dict[str, Any], Any]] = {
    "response": ({"text": "Have you ever copied homework?"}, lambda: random.randrange(2)),
    "guess": ({}, lambda: random.randrange(81)),
    "poll": ({"name": "moments/sums"}, lambda: [round(random.uniform(0.1, 1.3), 3) for _ in range(8)]),
}


class Class:
    """The phones and the board, and what they saw."""

    def __init__(self, port: int, phones: int) -> None:
        self.phones = [Browser(port) for _ in range(phones)]
        self.board = Browser(port)
        self.seen: list[tuple[float, int]] = []  # on the board: the time, and the number of answers
        self.asked: dict[
            int, asyncio.Future[tuple[float, int]]
        ] = {}  # when each phone received the activity, and which one
        self.refused: list[str] = []

    async def open_board(self) -> None:
        await self.board.open(f"/board?token={TOKEN}")
        await self.board.follow("/board/stream", self._on_board)

    def _on_board(self, state: Any, now: float) -> None:
        if state["round"] is not None:
            self.seen.append((now, state["answers"]))

    async def join(self, k: int, within_s: float) -> float:
        """Seconds from opening the page to the first state."""
        await asyncio.sleep(random.uniform(0, within_s))
        began = time.monotonic()
        await self.phones[k].open("/join")
        await self.phones[k].follow("/join/stream", lambda state, now: self._on_phone(k, state, now))
        return time.monotonic() - began

    def _on_phone(self, k: int, state: Any, now: float) -> None:
        if state["question"] and (waiting := self.asked.get(k)) is not None and not waiting.done():
            waiting.set_result((now, state["question"]["round"]))

    async def put(self, kind: str, answer: Any) -> dict[str, Any]:
        """One activity, answered by all phones; times in seconds."""
        self.seen.clear()
        loop = asyncio.get_running_loop()
        self.asked = {k: loop.create_future() for k in range(len(self.phones))}
        began = time.monotonic()
        settings = ACTIVITIES[kind][0]
        await self.board.request("POST", "/board/do", {"do": "put", "kind": kind, "settings": settings})
        told = await asyncio.gather(*self.asked.values())
        number = told[0][1]
        times = await asyncio.gather(*(self._answer(k, number, answer()) for k in range(len(self.phones))))
        await asyncio.sleep(1.5)
        replied = sorted(at for _, at in times)
        late = [self._shown(k + 1) - at for k, at in enumerate(replied)]
        await self.board.request("POST", "/board/do", {"do": "end", "round": number})
        return {
            "told_s": [at - began for at, _ in told],
            "answer_ms": [1e3 * took for took, _ in times],
            "board_s": late,
            "counted": self.seen[-1][1] if self.seen else 0,
        }

    async def _answer(self, k: int, number: int, value: Any) -> tuple[float, float]:
        await asyncio.sleep(random.uniform(0, ANSWER_S))
        began = time.monotonic()
        status, said = await self.phones[k].request("POST", "/join/answer", {"round": number, "answer": value})
        now = time.monotonic()
        if status != 200 or json.loads(said)["answer"] != value:
            self.refused.append(f"{status} {said[:100]}")
        return now - began, now

    def _shown(self, count: int) -> float:
        """When the board first showed this many answers; infinite if it never did."""
        return next((at for at, answers in self.seen if answers >= count), float("inf"))


class Server:
    """`lmdk class` in its own process."""

    def __init__(self, file: Path, log: Path, port: int = 0) -> None:
        command = [sys.executable, "-m", "lmdk_widgets.cli", "class", str(file), "--no-browser", "--host", "127.0.0.1"]
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        env = os.environ | {"PYTHONPATH": path, "LMDK_BOARD_TOKEN": TOKEN, "LMDK_TOKEN": TOKEN}
        with log.open("wb") as sink:
            self.process = subprocess.Popen(
                [*command, "--port", str(port)], env=env, stdout=sink, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + 60
        while (found := re.search(r"Students join at http://127\.0\.0\.1:(\d+)/", log.read_text())) is None:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"the server did not start:\n{log.read_text()}")
            time.sleep(0.1)
        self.port = int(found[1])

    def cpu_s(self) -> float:
        """The processor time of the server itself."""
        ticks = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self) -> float:
        """The resident memory of the server itself."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]

    def end(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(60)


async def pages(port: int, count: int) -> list[Person]:
    """Open pages one after the other."""
    people = [Person(port, "track", "epsilon") for _ in range(count)]
    for person in people:
        await person.open(TOKEN)
    return people


async def measure(server: Server, phones: int, count: int, join_s: float) -> dict[str, Any]:
    """The whole class on a running server."""
    people = await pages(server.port, count)
    school = Class(server.port, phones)
    await school.open_board()
    load, cpu, began = os.getloadavg()[0], server.cpu_s(), time.monotonic()
    joined = await asyncio.gather(*(school.join(k, join_s) for k in range(phones)))
    print(f"{phones} phones joined, {count} pages are open, load {os.getloadavg()[0]:.1f}", flush=True)
    found: dict[str, Any] = {"phones": phones, "pages": count, "join_ms": percentiles(1e3 * t for t in joined)}
    found["activities"] = {}
    for kind, (_, answer) in ACTIVITIES.items():
        seen = await school.put(kind, answer)
        rows = {name: percentiles(seen[name]) for name in ("told_s", "answer_ms", "board_s")}
        found["activities"][kind] = rows | {"counted": seen["counted"]}
        print(f"{kind}: {rows}, {seen['counted']} counted", flush=True)
    found["refused"] = school.refused
    found["load"] = [load, os.getloadavg()[0]]
    found["cpu_share"] = (server.cpu_s() - cpu) / (time.monotonic() - began)
    found["memory_mb"] = server.memory_mb()
    for browser in [*school.phones, school.board]:
        browser.close()
    for person in people:
        person.close()
    return found


def percentiles(values: Any) -> dict[str, float]:
    """Median, 95th percentile and largest."""
    median, most, largest = np.percentile(list(values), (50, 95, 100)).tolist()
    return {"median": median, "p95": most, "largest": largest}


def noise() -> float:
    """The time of a small calculation, as a multiple of its fastest run: the 95th percentile."""
    times = []
    for _ in range(200):
        began = time.perf_counter()
        sum(k * k for k in range(20_000))
        times.append(time.perf_counter() - began)
    return float(np.percentile(times, 95) / min(times))


def run(phones: int, count: int, join_s: float) -> dict[str, Any]:
    """One class, from joining to the restart."""
    with tempfile.TemporaryDirectory(prefix="lmdk-bench-") as folder:
        file, log = Path(folder) / "class.sqlite", Path(folder) / "log"
        before = noise()
        server = Server(file, log)
        try:
            found = asyncio.run(measure(server, phones, count, join_s))
        finally:
            server.end(signal.SIGKILL)
        again = Server(file, log)  # continues with the file as it was left
        again.end()
        with sqlite3.connect(file) as opened:
            kept = opened.execute("SELECT count(*) FROM answers").fetchone()[0]
    found["lost"] = phones * len(ACTIVITIES) - kept
    found["noise"] = [before, noise()]
    return found


def disturbance(found: dict[str, Any]) -> str:
    """How busy the machine was with other programs, by the load and the noise of a run."""
    load, busy = found["load"], found["noise"]
    return (
        f"load average {load[0]:.1f} before, {load[1]:.1f} after; the same small calculation took {busy[0]:.2f} and "
        f"{busy[1]:.2f} times its fastest (95th percentile, before and after)."
    )


def markdown(runs: list[dict[str, Any]]) -> str:
    """The table."""
    lines = ["| a class | | median | p95 | largest | target |", "|---|---|--:|--:|--:|---|"]
    for found in runs:
        who = f"{found['phones']} phones, {found['pages']} pages"
        lines.append(_row(who, "joining: page, scripts, stream, ms", found["join_ms"], ""))
        for kind, rows in found["activities"].items():
            met = "yes" if rows["answer_ms"]["p95"] <= ANSWER_MS else "no"
            shown = "yes" if rows["board_s"]["largest"] <= BOARD_S else "no"
            board = {name: 1e3 * value for name, value in rows["board_s"].items()}
            told = {name: 1e3 * value for name, value in rows["told_s"].items()}
            lines.append(_row(who, f"{kind}: question on all phones, ms", told, ""))
            lines.append(_row(who, f"{kind}: an answer, ms", rows["answer_ms"], f"p95 ≤ {ANSWER_MS:.0f}: {met}"))
            lines.append(_row(who, f"{kind}: delay on the board, ms", board, f"all ≤ {1e3 * BOARD_S:,.0f}: {shown}"))
        lost = "yes" if found["lost"] == 0 and not found["refused"] else "no"
        lines.append(
            f"| {who} | answers lost after a kill, refused | {found['lost']}, {len(found['refused'])} | | | 0: {lost} |"
        )
    lines.append("")
    for found in runs:
        lines.append(
            f"{found['phones']} phones, {found['pages']} pages: the server used {percent(found['cpu_share'])} of a "
            f"core and {found['memory_mb']:.0f} MB; {disturbance(found)}"
        )
    return "\n".join(lines)


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _row(who: str, what: str, found: dict[str, float], target: str) -> str:
    return f"| {who} | {what} | {found['median']:.0f} | {found['p95']:.0f} | {found['largest']:.0f} | {target} |"


def main() -> int:
    """Measure, print, and write the figures."""
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--quick", action="store_true", help="60 phones that join within ten seconds")
    made.add_argument("--phones", type=int, nargs="*", default=[300], metavar="N", help="one run for each")
    made.add_argument(
        "--pages", type=int, nargs="*", default=[0], metavar="K", help="number of open pages, one run for each"
    )
    made.add_argument("--json", type=Path, metavar="FILE")
    made.add_argument("--figures", type=Path, metavar="FIGURES.md", help="write the table between its markers")
    options = made.parse_args()
    numbers, join_s = ([60], 10.0) if options.quick else (options.phones, JOIN_S)
    runs = [run(phones, count, join_s) for phones in numbers for count in options.pages]
    print(f"\n{markdown(runs)}")
    write(options, "class", {"class": runs}, markdown(runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
