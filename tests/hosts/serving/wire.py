"""A wire between the browser and the server: it can be cut, mended and be as slow and lossy as a telephone's."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit

from tests.server import Address

LOST = 0.01
"""Share of the packets that are lost."""


class Wire:
    """What connects a port of its own with the server; `delay_s` each way, and thrice of it for what is lost once."""

    def __init__(self, server: Address) -> None:
        self.server, self.port, self.delay_s = server, 0, 0.0
        self.moved = 0  # packets
        self._whole, self._loop, self._lost = True, asyncio.new_event_loop(), random.Random(1)
        self._ends: set[asyncio.StreamWriter] = set()

    @property
    def address(self) -> str:
        """Where the server is found, with its token."""
        return self.server.opened.replace(f":{urlsplit(self.server).port}/", f":{self.port}/")

    def cut(self) -> None:
        """Ends all connections and takes no other."""
        self._whole = False
        asyncio.run_coroutine_threadsafe(self._drop(), self._loop).result(10)

    def mend(self) -> None:
        """Takes connections again."""
        self._whole = True

    async def _drop(self) -> None:
        for end in list(self._ends):
            end.transport.abort()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connects one connection of the browser with the server."""
        if not self._whole:
            return writer.transport.abort()
        with suppress(OSError):
            there, sink = await asyncio.open_connection("127.0.0.1", self.server.port)
            ends = {writer, sink}
            self._ends |= ends
            ways = [asyncio.create_task(self._carry(*way)) for way in ((reader, sink), (there, writer))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            self._ends -= ends
            for end in ends:
                end.close()
        return None

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while part := await reader.read(1400 if self.delay_s else 2**16):
                self.moved += 1
                if self.delay_s:
                    if self._lost.random() < LOST:
                        await asyncio.sleep(3 * self.delay_s)  # what comes behind it waits as well
                    self._loop.call_later(self.delay_s, _write, writer, part)
                else:
                    writer.write(part)
                    await writer.drain()


def _write(writer: asyncio.StreamWriter, part: bytes) -> None:
    if not writer.is_closing():
        writer.write(part)


@contextmanager
def wire(server: Address) -> Iterator[Wire]:
    """A wire to a server while the test runs."""
    between = Wire(server)
    thread = Thread(target=between._loop.run_forever, daemon=True)
    thread.start()
    starting = asyncio.start_server(between.answer, "127.0.0.1", 0)
    serving = asyncio.run_coroutine_threadsafe(starting, between._loop).result(10)
    between.port = serving.sockets[0].getsockname()[1]
    try:
        yield between
    finally:
        between._loop.call_soon_threadsafe(serving.close)
        between.cut()
        between._loop.call_soon_threadsafe(between._loop.stop)
        thread.join(10)
