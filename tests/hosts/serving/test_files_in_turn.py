"""Files are read two at a time, one of each visitor, and who waits is told the place in the queue."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.hosts.serving import reader


def heard(channel: socket.socket) -> int | None:
    channel.setblocking(False)
    try:
        told = channel.recv(4)
    except BlockingIOError:
        return None
    return int.from_bytes(told, "little") if told else -1


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[reader.Turns, list[int], Any]]:
    begun: list[int] = []

    def begin(_: socket.socket) -> int:
        ended, held = os.pipe()
        begun.append(ended)
        os.close(held)
        return ended

    made, ours = reader.Turns(begin), []

    def ask(person: bytes, network: bytes = b"1111") -> socket.socket:
        one, theirs = socket.socketpair()
        ours.append(one)
        one.sendall(person + network)
        made.ask(theirs)
        return one

    yield made, begun, ask
    for one in ours:
        one.close()


@pytest.mark.skipif(sys.platform == "win32", reason="files are not read in other processes there")
def test_two_files_are_read_at_a_time_and_one_of_each_visitor(turns: tuple[reader.Turns, list[int], Any]) -> None:
    made, begun, ask = turns
    first, second, other, third = ask(b"aaaa"), ask(b"aaaa"), ask(b"bbbb"), ask(b"cccc")
    assert heard(first) == 0 and heard(other) == 0 and len(begun) == 2
    assert heard(second) == 1 and heard(third) == 3, "one was read before the second, which was told so"
    made.over(begun[0])
    assert heard(second) == 2 and heard(second) == 0 and len(begun) == 3
    third.close()
    made.over(next(one for one in made.files if not isinstance(one, int)))
    assert len(made.files) == 2, "who has left waits no longer"


@pytest.mark.skipif(sys.platform == "win32", reason="files are not read in other processes there")
def test_the_queue_says_its_place_in_a_sentence(tmp_path: Path) -> None:
    said: list[str] = []
    server = reader.listening(str(tmp_path / "s"))
    asking = reader.Reader(str(tmp_path / "s"), b"aaaabbbb", said.append)
    kept: list[int] = []
    asking._changed = lambda: kept.append(asking.kept)

    async def scene() -> None:
        asked = asyncio.create_task(asyncio.to_thread(asking, str, b"x" * 7, "a.csv"))
        channel, _ = await asyncio.to_thread(server.accept)
        assert channel.recv(8, socket.MSG_WAITALL) == b"aaaabbbb"
        for before in (3, 1):
            channel.sendall(reader.PLACE.pack(before))
        while len(said) < 2:
            await asyncio.sleep(0.01)
        asking.close()
        with pytest.raises(Exception, match="must be read within"):
            await asked
        channel.close()

    asyncio.run(scene())
    server.close()
    assert said == ["3 files are read before yours.", "One file is read before yours."] and kept == [7, 0]
