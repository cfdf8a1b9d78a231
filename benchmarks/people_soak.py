"""A room of people over many minutes: how memory use develops, and that everyone can continue when a process is killed.

    python benchmarks/people_soak.py [--minutes M] [--people N] [--page track] [--quick] [--json FILE] [--figures FILE]

The people of `people_load.py` arrive within a minute and move a slider once a second until the end. Halfway through, a
computing process is killed: its people reconnect, as a browser does, and nobody loses a move. Memory is that of the
server with all its processes, counted proportionally if it is shared, a minute after the last arrival and at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from class_load import percentiles
from measured import write
from people_load import N, Room, memory_mb
from servers import children
from servers import room as serving

sys.path.insert(0, str(Path(__file__).parent / "pages"))
from track import write_csv

EVERY_S = 10.0
BACK_S = 1.0
"""How soon everyone can continue after the kill, with all that was chosen."""
GROWTH = 1.1
"""At the end, memory may be at most this many times that of a minute after the last arrival."""


class Soak(Room):
    """A room in which a process is killed, with a record of its memory."""

    memory: list[tuple[float, float]]

    async def kill_one(self, after_s: float) -> None:
        """Kill a process that computes pages."""
        await asyncio.sleep(after_s)
        os.kill(computing()[0], signal.SIGKILL)

    async def last(self, minutes: float) -> None:
        """Run everyone, for this many minutes after the last arrival."""
        began = time.monotonic()
        self.until, self.memory = began + self.arrive_s + 60 * minutes, []
        tasks = [asyncio.create_task(self.stay(person, self.until)) for person in list(self.people)]
        tasks.append(asyncio.create_task(self.kill_one(self.arrive_s + 30 * minutes)))
        together = asyncio.gather(*tasks)
        while not together.done():
            await asyncio.wait([together], timeout=EVERY_S)
            self.memory.append((time.monotonic() - began, await asyncio.to_thread(memory_mb)))
        await together
        for person in self.people:
            person.close()


def computing() -> list[int]:
    """The server's processes that compute pages: forked by one process, or started by the server."""
    found = []
    for pid in children(os.getpid()):
        with suppress(OSError):
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            if b"serving.forking_process" in command:  # forked processes have its command line
                return children(pid)
            found += [pid] if b"serving.compute" in command else []
    return found


def soak(page: str, count: int, minutes: float) -> dict[str, Any]:
    """One run."""
    with tempfile.TemporaryDirectory(prefix="lmdk-bench-") as folder:
        track = Path(folder) / "track.csv"
        write_csv(track, N)
        with serving(track) as address:
            room = Soak(address["ours"], page, count, 60.0, 60.0 * minutes)
            asyncio.run(room.last(minutes))
    back = percentiles([seconds for person in room.people for seconds in person.back_s])
    inside = [
        mb for at, mb in room.memory if room.arrive_s + min(60, 20 * minutes) <= at < room.arrive_s + 60 * minutes
    ]
    text = percentiles([ms for person in room.people for ms in person.moved_ms[1:]])
    found = {"page": page, "people": count, "minutes": minutes, "refused": room.refused, "back_s": back}
    found |= {
        "moves": sum(len(person.moved_ms) for person in room.people),
        "lost": sum(person.lost for person in room.people),
    }
    return found | {"text_ms": text, "first_mb": inside[0], "most_mb": max(inside), "last_mb": inside[-1]}


def markdown(found: dict[str, Any]) -> str:
    """The table."""
    text, back = found["text_ms"], found["back_s"]
    again = f"{back['median']:.2f} / {back['p95']:.2f} / {back['largest']:.2f}"
    met = not found["lost"] and not found["refused"] and found["last_mb"] <= GROWTH * found["first_mb"]
    met = met and back["largest"] <= BACK_S
    return (
        "| page | people | minutes | moves, lost | refused | slider to text p50 / p95, ms "
        "| memory after a minute, maximum, at the end, MB | reconnected after the kill p50 / p95 / last, s | |\n"
        f"{'|---' * 9}|\n"
        f"| {found['page']} | {found['people']} | {found['minutes']:g} | {found['moves']:,}, {found['lost']} "
        f"| {len(found['refused'])} | {text['median']:.0f} / {text['p95']:.0f} | {found['first_mb']:,.0f}, "
        f"{found['most_mb']:,.0f}, {found['last_mb']:,.0f} | {again} "
        f"| {'met' if met else 'not met'} |"
    )


def main() -> int:
    """Measure, print, and write the figures."""
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--minutes", type=float, default=10.0, metavar="M", help="after the last arrival; default 10")
    made.add_argument("--quick", action="store_true", help="5 people for one minute")
    made.add_argument("--people", type=int, default=30, metavar="N", help="default 30")
    made.add_argument("--page", choices=["track", "place"], default="track")
    made.add_argument("--json", type=Path, metavar="FILE")
    made.add_argument("--figures", type=Path, metavar="FIGURES.md", help="write the table between its markers")
    options = made.parse_args()
    count, minutes = (5, 1.0) if options.quick else (options.people, options.minutes)
    found = soak(options.page, count, minutes)
    print(markdown(found), flush=True)
    write(options, "soak", found, markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
