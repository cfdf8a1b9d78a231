"""A room of people for minutes on end: how memory goes, and that everybody else goes on when one kernel is killed.

    python benchmarks/people_soak.py [--minutes M] [--people N] [--page landmarks] [--quick] [--json FILE] [--figures FILE]

The people of `people_load.py` arrive within a minute and move a slider once a second until the end. In the middle the kernel
of one of them is killed: that person opens the page again, as a browser does, and nobody else may notice. Memory is that of
the server with all its kernels, in proportion where several share it, a minute after the last arrival and at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from class_load import percentiles
from measured import write
from people_client import Person
from people_load import N, Room, memory_mb
from servers import explorer, kernel_pid

sys.path.insert(0, str(Path(__file__).parent / "pages"))
from track import write_csv

EVERY_S = 10.0
GROWTH = 1.1
"""Memory at the end may be so many times that of a minute after the last arrival."""


class Soak(Room):
    """A room in which one person's kernel is killed, and how its memory went."""

    memory: list[tuple[float, float]]
    again_s = float("nan")

    async def kill_one(self, after_s: float) -> None:
        """Kill the kernel of the first person who is there, who then comes again."""
        await asyncio.sleep(after_s)
        person = next(one for one in self.people if one.moved_ms)
        self.hurt = person
        os.kill(kernel_pid(person.kernel), signal.SIGKILL)
        newcomer = Person(person.port, self.page, person.slider)
        self.people.append(newcomer)
        self.again_s = await newcomer.open(self.token)
        await self.moves(newcomer)

    async def moves(self, person: Person) -> None:
        """Move the slider until the end."""
        number = 0
        while time.monotonic() < self.until:
            began, number = time.monotonic(), number + 1
            await person.move(number, self.low + (self.high - self.low) * (number % 10) / 10)
            await asyncio.sleep(max(0.0, 1.0 - (time.monotonic() - began)))

    async def last(self, minutes: float) -> None:
        """Everybody, for so many minutes after the last arrival."""
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


def soak(page: str, count: int, minutes: float) -> dict[str, Any]:
    """One run."""
    with tempfile.TemporaryDirectory(prefix="lmdk-bench-") as folder:
        track = Path(folder) / "track.csv"
        write_csv(track, N)
        with explorer(track, "--people", str(count + 1)) as address:
            room = Soak(address["ours"], page, count, 60.0, 60.0 * minutes)
            asyncio.run(room.last(minutes))
    others = [person for person in room.people if person is not room.hurt]
    inside = [
        mb for at, mb in room.memory if room.arrive_s + min(60, 20 * minutes) <= at < room.arrive_s + 60 * minutes
    ]
    text = percentiles([ms for person in others for ms in person.moved_ms[1:]])
    found = {"page": page, "people": count, "minutes": minutes, "refused": room.refused, "again_s": room.again_s}
    found |= {"moves": sum(len(person.moved_ms) for person in others), "lost": sum(person.lost for person in others)}
    return found | {"text_ms": text, "first_mb": inside[0], "most_mb": max(inside), "last_mb": inside[-1]}


def markdown(found: dict[str, Any]) -> str:
    """The table."""
    met = not found["lost"] and not found["refused"] and found["last_mb"] <= GROWTH * found["first_mb"]
    text = found["text_ms"]
    return (
        "| page | people | minutes | moves, lost by others | refused | slider to text p50 / p95, ms "
        "| memory after a minute, most, at the end, MB | page again after the kill, s | |\n"
        f"{'|---' * 9}|\n"
        f"| {found['page']} | {found['people']} | {found['minutes']:g} | {found['moves']:,}, {found['lost']} "
        f"| {len(found['refused'])} | {text['median']:.0f} / {text['p95']:.0f} | {found['first_mb']:,.0f}, "
        f"{found['most_mb']:,.0f}, {found['last_mb']:,.0f} | {found['again_s']:.2f} | {'met' if met else 'not met'} |"
    )


def main() -> int:
    """Measure, print, and write the figures."""
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--minutes", type=float, default=10.0, metavar="M", help="after the last arrival; default 10")
    made.add_argument("--quick", action="store_true", help="5 people for one minute")
    made.add_argument("--people", type=int, default=30, metavar="N", help="default 30")
    made.add_argument("--page", choices=["landmarks", "places"], default="landmarks")
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
