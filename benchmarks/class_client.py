"""Phones, a board and explorer pages as plain HTTP clients, hundreds of them in one process.

Each does what a browser does: it keeps cookies, accepts compressed answers, keeps one connection for the stream and another
for everything else, and fetches the scripts and styles that its page names.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import time
from collections.abc import Callable
from typing import Any

LONGEST_LINE = 2**22
XSRF = re.compile(r'name="xsrf" content="([^"]+)"')
FILES = re.compile(r'(?:href|src)="(/lmdk/[^"]+)"')


class Browser:
    """One browser: its cookies, and a connection that is kept open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self.xsrf = ""
        self._kept: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.following: asyncio.Task[None] | None = None
        self._held: asyncio.StreamWriter | None = None  # a writer without a reference closes its connection

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, limit=LONGEST_LINE)

    def _head(self, method: str, path: str, *more: str) -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Accept-Encoding: gzip",
            "Sec-Fetch-Site: none",
        ]
        return "\r\n".join([*lines, *([f"Cookie: {cookies}"] if cookies else []), *more, "", ""]).encode()

    async def request(self, method: str, path: str, content: Any = None) -> tuple[int, str]:
        """The status and text of an answer."""
        body = b"" if content is None else json.dumps(content).encode()
        more = [f"Content-Length: {len(body)}", f"X-XSRFToken: {self.xsrf}"] if content is not None else []
        if self._kept is None or self._kept[0].at_eof():  # the server closes a connection that was idle for a minute
            self._kept = await self._connect()
        reader, writer = self._kept
        writer.write(self._head(method, path, *more) + body)
        status, headers = await self._answer_head(reader)
        if "content-length" in headers:
            found = await reader.readexactly(int(headers["content-length"]))
        else:
            found = await _chunks(reader)
        if headers.get("content-encoding") == "gzip":
            found = gzip.decompress(found)
        return status, found.decode("utf-8", "replace")

    async def _answer_head(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {}
        for line in head[1:-2]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content
            headers[name.lower()] = value
        return int(head[0].split()[1]), headers

    async def open(self, path: str) -> None:
        """Open a page with its scripts and styles."""
        status, text = await self.request("GET", path)
        if status == 302:
            status, text = await self.request("GET", path.partition("?")[0])
        found = XSRF.search(text)
        if status != 200 or found is None:
            raise RuntimeError(f"{path} was answered with {status}")
        self.xsrf = found[1]
        for file in sorted(set(FILES.findall(text))):
            await self.request("GET", file)

    async def follow(self, path: str, told: Callable[[Any, float], None]) -> None:
        """Follow a stream; returns once its first state has arrived."""
        reader, writer = await self._connect()
        writer.write(self._head("GET", path))
        status, _ = await self._answer_head(reader)
        if status != 200:
            raise RuntimeError(f"{path} was answered with {status}")
        self._held = writer
        first = asyncio.get_running_loop().create_future()

        async def listen() -> None:
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    now = time.monotonic()
                    told(json.loads(line[6:]), now)
                    if not first.done():
                        first.set_result(None)

        self.following = asyncio.create_task(listen())
        await first

    def close(self) -> None:
        """Leave."""
        if self.following is not None:
            self.following.cancel()
        if self._kept is not None:
            self._kept[1].close()


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)
