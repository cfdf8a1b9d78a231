"""Measures a room of people on the dashboard, who arrive within a minute and each move a slider once a second.

    python benchmarks/people_load.py [--people N ...] [--place N ...] [--apart N ...] [--quick] [--json FILE]

The people are protocol clients in this process: each loads the page with its scripts, keeps a socket, has the page drawn, and
sends a slider change each second until a minute after the last arrival. A page is ready when its text and its main drawing
have arrived. On Place, a mechanism that nobody has solved yet arrives after the text: the time until the optimal one is ready
for the chosen level, and the share of moves for which it came before the next move, are reported too. People move a slider
over its stops, which are the same for everyone, and take what has been found for a stop from each other, as a class on one
track does; "apart" is the worst case on Place, in which no two people ever ask for the same level.

The clients share the cores with the server, so their own delays count as the server's.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from class_load import disturbance, noise, percentiles
from measured import write
from people_client import Person
from servers import children, pss_mb, room

sys.path.insert(0, str(Path(__file__).parent / "pages"))
from track import write_csv

APART = "place, apart"
ARRIVE_S, STAY_S, EVERY_S = 60.0, 60.0, 1.0
PROMISED_PEOPLE = 100
"""With more, only that nobody is refused and no move is lost."""
READY_S, TEXT_MS, MEMORY_MB = 1.0, {"track": 60.0, "place": 100.0, APART: 100.0}, 400.0
"""What is promised for a hundred people: 95 % ready, 95 % of the texts by page, and the memory of all processes."""
SLIDERS = {"track": ("epsilon", 0.2, 3.0), "place": ("level", 0.7, 2.0)}
"""For each page: the slider that is moved, and its range."""


def stops(low: float, high: float) -> list[float]:
    """The stops of a logarithmic slider between two ends: a hundred stops per factor of ten, with three digits."""
    found = (float(f"{10 ** (number / 100):.3g}") for number in range(-200, 200))
    return [value for value in found if low <= value <= high]


N = 288


class Room:
    """The people in one run, and what they saw."""

    def __init__(self, address: str, page: str, count: int, arrive_s: float, stay_s: float) -> None:
        port, self.token = int(address.split(":")[2].split("/")[0]), address.partition("token=")[2]
        self.page, self.arrive_s, self.stay_s = page.partition(",")[0], arrive_s, stay_s
        slider, self.low, self.high = SLIDERS[self.page]
        known = stops(self.low, self.high)
        self.value: Callable[[], float] = lambda: random.choice(known)
        if page == APART:
            self.value = lambda: random.uniform(self.low, self.high)
        self.people = [Person(port, self.page, slider) for _ in range(count)]
        self.ready_s: list[float] = []
        self.refused: list[str] = []

    async def stay(self, person: Person, until: float) -> None:
        """One person, from arrival to the end."""
        await asyncio.sleep(random.uniform(0, self.arrive_s))
        try:
            self.ready_s.append(await person.open(self.token))
        except (RuntimeError, TimeoutError, OSError) as error:
            self.refused.append(f"{type(error).__name__}: {error}")
            return
        number = 0
        while time.monotonic() < until:
            began, number = time.monotonic(), number + 1
            await person.move(number, self.value())
            await asyncio.sleep(max(0.0, EVERY_S - (time.monotonic() - began)))

    async def run(self) -> float:
        """Run everyone; the maximum memory of the server and its processes meanwhile, in MB."""
        until = time.monotonic() + self.arrive_s + self.stay_s
        together = asyncio.gather(*(self.stay(person, until) for person in self.people))
        most = 0.0
        while not together.done():
            await asyncio.wait([together], timeout=10)
            most = max(most, await asyncio.to_thread(memory_mb))
        await together
        for person in self.people:
            person.close()
        return most


def memory_mb() -> float:
    """The proportional set size, in MB, of the server that this process has started, with all its descendants."""
    total = 0.0
    for pid in children(os.getpid()):
        try:
            if b"lmdk" in Path(f"/proc/{pid}/cmdline").read_bytes():
                total += pss_mb(pid)
        except (OSError, TypeError):  # the process has just ended
            continue
    return total


async def measure(address: str, page: str, count: int, arrive_s: float, stay_s: float) -> dict[str, Any]:
    room = Room(address, page, count, arrive_s, stay_s)
    load = os.getloadavg()[0]
    most = await room.run()
    found: dict[str, Any] = {"page": page, "people": count, "ready_s": percentiles(room.ready_s), "memory_mb": most}
    found["text_ms"] = percentiles([ms for person in room.people for ms in person.moved_ms[1:]])
    best = [ms for person in room.people for ms in person.best_ms]
    found["best_ms"], found["best"] = percentiles(best) if best else None, len(best)
    found["moves"] = sum(len(person.moved_ms) for person in room.people)
    found["lost"] = sum(person.lost for person in room.people)
    found["refused"] = room.refused
    found["load"] = [load, os.getloadavg()[0]]
    return found


def run(page: str, count: int, arrive_s: float, stay_s: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="lmdk-bench-") as folder:
        track = Path(folder) / "track.csv"
        write_csv(track, N)
        before = noise()
        with room(track) as address:
            found = asyncio.run(measure(address["ours"], page, count, arrive_s, stay_s))
        return found | {"noise": [before, noise()]}


def markdown(runs: list[dict[str, Any]]) -> str:
    """The table."""
    head = (
        "| page | people within a minute | ready p50 / p95, s | slider to text p50 / p95, ms | moves, lost "
        "| slider to optimum p50 / p95, ms; share of moves | refused "
    )
    lines = [f"{head}| memory of all processes, MB | |", "|---" * 9 + "|"]
    for found in runs:
        ready, text = found["ready_s"], found["text_ms"]
        met = ready["p95"] <= READY_S and text["p95"] <= TEXT_MS[found["page"]] and found["memory_mb"] <= MEMORY_MB
        if found["people"] > PROMISED_PEOPLE:
            met = True
        met = met and not found["lost"] and not found["refused"]
        best = "–"
        if found.get("best_ms"):
            share = found["best"] / (found["moves"] + found["lost"])
            best = f"{found['best_ms']['median']:.0f} / {found['best_ms']['p95']:.0f}; {share:.0%}"
        lines.append(
            f"| {found['page']} | {found['people']} | {ready['median']:.2f} / {ready['p95']:.2f} "
            f"| {text['median']:.0f} / {text['p95']:.0f} | {found['moves']:,}, {found['lost']} | {best} "
            f"| {len(found['refused'])} | {found['memory_mb']:,.0f} | {'met' if met else 'not met'} |"
        )
    lines.append("")
    lines += [f"{found['people']} on {found['page']}: {disturbance(found)}" for found in runs]
    return "\n".join(lines)


def main() -> int:
    """Measure, print, and write the figures."""
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--quick", action="store_true", help="5 people within ten seconds")
    made.add_argument("--people", type=int, nargs="*", default=[30, 100, 300], metavar="N", help="one run for each")
    made.add_argument("--place", type=int, nargs="*", default=[30, 100], metavar="N", help="the same on Place")
    made.add_argument(
        "--apart", type=int, nargs="*", default=[30], metavar="N", help="on Place, with different levels for everyone"
    )
    made.add_argument("--json", type=Path, metavar="FILE")
    made.add_argument("--figures", type=Path, metavar="FIGURES.md", help="write the table between its markers")
    options = made.parse_args()
    plan = [("track", n) for n in options.people] + [("place", n) for n in options.place]
    plan += [(APART, n) for n in options.apart]
    plan = [("track", 5), ("place", 3)] if options.quick else plan
    times = (10.0, 10.0) if options.quick else (ARRIVE_S, STAY_S)
    runs = []
    for page, count in plan:
        runs.append(run(page, count, *times))
        print(markdown(runs[-1:]), flush=True)
    write(options, "people", {"people": runs}, markdown(runs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
