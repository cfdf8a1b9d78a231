"""Measures what twenty visitors of a room notice while somebody attacks it.

    python benchmarks/attack_load.py [NAME ...] [--people N] [--seconds S] [--same] [--json FILE]

The people are protocol clients who move a slider on Track once a second, before, during and after each attack, and a
newcomer arrives every two seconds all the time. Each keeps to a schedule: people who wait a second after each answer
fall into step, and the last of twenty waits for the others. Attacks come from another address of this machine, or with
`--same` from that of the people. A row says how long the slider's text takes (p50 and p95 in ms, before and during), how
many moves were lost, how many newcomers were kept out, and the most memory of the server with all its processes. Each
attack is bounded in time.

The clients, the attack and the server share the cores, so compare a row with the one of `nothing`.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from class_load import percentiles
from people_client import Person
from servers import children, pss_mb, room

sys.path.insert(0, str(Path(__file__).parent / "pages"))
from track import write_csv

EVERY_S, BEFORE_S, AFTER_S, NEWCOMER_S = 1.0, 10.0, 5.0, 2.0
PIECE = 1 << 20
ROWS = 900_000
"""Lines of the file that takes long to read."""


class Attacker:
    """Somebody with the token, or without, at an address of this machine."""

    def __init__(self, port: int, token: str, source: str, seconds: float) -> None:
        self.port, self.token, self.source = port, token, source
        self.end = time.monotonic() + seconds

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.end

    def connect(self, timeout_s: float = 20.0) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout_s, (self.source, 0))

    def cookie(self) -> str:
        """Of a new browser that shows the token."""
        with self.connect() as one:
            one.sendall(f"GET /?token={self.token} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
            return "; ".join(re.findall(r"Set-Cookie: ([^;]+)", one.recv(2**16).decode()))

    def page(self, cookie: str) -> socket.socket:
        """The socket of a page, which opens none yet."""
        one = self.connect()
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            "GET /pages HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"Origin: http://127.0.0.1:{self.port}",
            f"Cookie: {cookie}",
        ]
        one.sendall("\r\n".join([*lines, "", ""]).encode())
        return one

    def each(self, many: int, act: Callable[[int], None]) -> None:
        """Do something many times at once, until the time is over."""

        def one(k: int) -> None:
            with suppress(OSError):
                act(k)

        threads = [threading.Thread(target=one, args=(k,), daemon=True) for k in range(many)]
        for thread in threads:
            thread.start()
        time.sleep(max(0.0, self.end - time.monotonic()))


def frame(kind: int, content: bytes = b"") -> bytes:
    """A frame of a browser, with a mask of zeros."""
    size = len(content)
    long = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 127]) + struct.pack(">Q", size)
    return bytes([0x80 | kind]) + long + bytes(4) + content


def message(do: str, *buffers: bytes, **more: Any) -> bytes:
    """A message of the page Track."""
    parts = [json.dumps({"do": do, "name": "track", **more}).encode(), *buffers]
    return frame(2, b"".join(struct.pack("<I", len(part)) + part for part in parts))


def drain(one: socket.socket) -> None:
    """Read whatever comes, in a thread."""

    def read() -> None:
        with suppress(OSError):
            while one.recv(2**18):
                pass

    threading.Thread(target=read, daemon=True).start()


def upload(one: socket.socket, content: bytes, pieces: int, goes_on: Callable[[], bool]) -> None:
    """Open a page, and send it a file of so many pieces, as far as they go."""
    drain(one)
    one.sendall(message("open", query=""))
    size = -(-len(content) // max(1, pieces)) if pieces < 200 else PIECE
    for k in range(-(-len(content) // size)):
        if goes_on():
            about = {"type": "upload", "id": 1, "name": "a.csv", "piece": k, "pieces": pieces, "view": "v"}
            one.sendall(message("message", content[k * size : (k + 1) * size], text=json.dumps(about)))


def nothing(by: Attacker) -> None:
    """Wait, for comparison."""
    time.sleep(max(0.0, by.end - time.monotonic()))


def unfinished(by: Attacker) -> None:
    """Thirty pages of three browsers begin to send 120 MB each, in messages of 7 MB, and never finish."""
    cookies, content = [by.cookie() for _ in range(3)], bytes(7 * PIECE)

    def one(k: int) -> None:
        page = by.page(cookies[k % 3])
        drain(page)
        page.sendall(message("open", query=""))
        for piece in range(17):
            about = {"type": "upload", "id": 1, "name": "a.csv", "piece": piece, "pieces": 99, "view": "v"}
            page.sendall(message("message", content, text=json.dumps(about)))
        time.sleep(max(0.0, by.end - time.monotonic()))

    by.each(30, one)


def long_files(by: Attacker) -> None:
    """Ten pages of one browser send files that take long to read, at once."""
    cookie = by.cookie()

    def line(k: int) -> bytes:
        time_of_day = (1 + k // 86_400, k // 3600 % 24, k // 60 % 60, k % 60)
        return b"2026-03-%02dT%02d:%02d:%02dZ,%.5f,2.3\n" % (*time_of_day, 48 + k % 1000 / 1000)

    content = b"time,lat,lon\n" + b"".join(map(line, range(ROWS)))
    pieces = -(-len(content) // PIECE)
    by.each(10, lambda _: upload(by.page(cookie), content, pieces, lambda: by.goes_on))


def empty_messages(by: Attacker) -> None:
    """Six sockets of six browsers send empty messages and read nothing."""
    block = frame(2) * 5000

    def one(_: int) -> None:
        page = by.page(by.cookie())
        while by.goes_on:
            page.sendall(block)

    by.each(6, one)


def pings(by: Attacker) -> None:
    """A socket sends pings and reads nothing."""
    page, block = by.page(by.cookie()), frame(9) * 5000
    with suppress(OSError):
        while by.goes_on:
            page.sendall(block)


def places(by: Attacker) -> None:
    """A browser after another takes ten places each, and opens no page there."""
    held = []
    with suppress(OSError):
        while by.goes_on and len(held) < 1050:
            cookie = by.cookie()
            held += [by.page(cookie) for _ in range(10)]
    time.sleep(max(0.0, by.end - time.monotonic()))


def heads(by: Attacker) -> None:
    """Twenty heads that are long and do not end, again and again; without a token."""

    def one(_: int) -> None:
        while by.goes_on:
            with suppress(OSError), by.connect() as held:
                held.sendall(b"GET /join HTTP/1.1\r\na: " + b"b" * 15_000)
                while by.goes_on:
                    held.sendall(b"c")
                    time.sleep(0.05)

    by.each(20, one)


def guesses(by: Attacker) -> None:
    """Eight connections try wrong tokens."""

    def one(k: int) -> None:
        while by.goes_on:
            with suppress(OSError), by.connect() as asked:
                asked.sendall(f"GET /?token=wrong-token-{k} HTTP/1.1\r\nHost: 127.0.0.1:{by.port}\r\n\r\n".encode())
                asked.recv(2**16)

    by.each(8, one)


def long_texts(by: Attacker) -> None:
    """Ten browsers send messages whose text takes long to read."""
    text = "[" + "[]," * 160_000 + "[]]"

    def one(_: int) -> None:
        page = by.page(by.cookie())
        drain(page)
        page.sendall(message("open", query=""))
        while by.goes_on:
            page.sendall(message("message", text=f'{{"type": "change", "x": {text}}}'))

    by.each(10, one)


def hanging(by: Attacker) -> None:
    """A process that computes pages is stopped, so that it neither answers nor ends; nobody attacks from outside."""
    (server,) = [pid for pid in direct(os.getppid()) if pid != os.getpid()]
    computing = [pid for pid in children(server) if not children(pid)]
    os.kill(computing[-1], signal.SIGSTOP)
    nothing(by)


ATTACKS = (nothing, unfinished, long_files, empty_messages, pings, places, heads, guesses, long_texts, hanging)


class Room:
    """The people, what they notice, and what the server takes."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token, self.phase = port, token, "before"
        self.ms: dict[str, list[float]] = {"before": [], "during": [], "after": []}
        self.lost, self.out, self.came, self.memory = 0, 0, 0, 0.0

    def person(self) -> Person:
        return Person(self.port, "track", "epsilon")

    async def stays(self, person: Person) -> None:
        due = time.monotonic() + random.random()
        for number in range(10**6):
            await asyncio.sleep(due - time.monotonic())
            due = max(due + EVERY_S, time.monotonic())
            phase, known, lost = self.phase, len(person.moved_ms), person.lost
            await person.move(number, round(random.uniform(0.2, 3.0), 2))
            self.ms[phase] += person.moved_ms[known:]
            self.lost += person.lost - lost

    async def newcomers(self) -> None:
        while True:
            self.came += 1
            try:
                person = self.person()
                await asyncio.wait_for(person.open(self.token), 30)
                person.close()
            except Exception:
                self.out += 1
            await asyncio.sleep(NEWCOMER_S)

    async def watched(self, server: int) -> None:
        while True:
            used = 0.0
            for pid in [server, *children(server)]:
                with suppress(OSError):
                    used += pss_mb(pid)
            self.memory = max(self.memory, used)
            await asyncio.sleep(1)


async def attacked(name: str, port: int, token: str, server: int, given: argparse.Namespace) -> dict[str, Any]:
    """What the people notice of one attack."""
    here = Room(port, token)
    people = [here.person() for _ in range(given.people)]
    await asyncio.gather(*(person.open(token) for person in people))
    tasks = [asyncio.create_task(here.stays(person)) for person in people]
    tasks += [asyncio.create_task(one) for one in (here.watched(server), here.newcomers())]
    await asyncio.sleep(BEFORE_S)
    source = "127.0.0.1" if given.same else "127.0.0.2"
    command = [sys.executable, __file__, "--attack", name, str(port), token, source, str(given.seconds)]
    attack = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    here.phase = "during"
    await asyncio.to_thread(attack.wait)
    here.phase = "after"
    await asyncio.sleep(AFTER_S)
    for task in tasks:
        task.cancel()
    for person in people:
        person.close()
    found = {phase: percentiles(ms) for phase, ms in here.ms.items() if ms}
    return {
        "attack": name,
        **found,
        "lost": here.lost,
        "kept out": f"{here.out} of {here.came}",
        "MB": round(here.memory),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="What twenty visitors of a room notice while somebody attacks it.")
    parser.add_argument("names", nargs="*", help=", ".join(one.__name__ for one in ATTACKS))
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--same", action="store_true", help="attack from the people's own address")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--attack", nargs=5, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.attack:
        name, port, token, source, seconds = given.attack
        {one.__name__: one for one in ATTACKS}[name](Attacker(int(port), token, source, float(seconds)))
        return
    rows = []
    for name in given.names or [one.__name__ for one in ATTACKS]:
        with tempfile.TemporaryDirectory() as folder:
            track = Path(folder) / "track.csv"
            write_csv(track, 100)
            with room(track) as found:
                port, token = re.search(r":(\d+)/\?token=(\S+)", found["ours"]).groups()  # type: ignore[union-attr]
                (server,) = direct(os.getpid())
                rows.append(asyncio.run(attacked(name, int(port), token, server, given)))
                print(json.dumps(rows[-1]), flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n")


def direct(pid: int) -> list[int]:
    """The processes that a process has started itself."""
    return [int(one) for task in Path(f"/proc/{pid}/task").iterdir() for one in (task / "children").read_text().split()]


if __name__ == "__main__":
    main()
