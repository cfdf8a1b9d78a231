"""A proxy as the usual recipe makes one: ends the encryption, and asks the server under the server's own name."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest


@contextmanager
def tls_proxy(folder: Path, port: int) -> Iterator[tuple[int, list[int]]]:
    """Encrypted on a free port, whose number is given first; the server's number is put into the list later."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("no openssl on this machine to make a certificate with")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout {key} -out {certificate}"
    subprocess.run([openssl, *command.split()], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    loop, behind = asyncio.new_event_loop(), [port]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            asked, sink = await asyncio.open_connection("127.0.0.1", behind[0])
            sink.write(_told(head, behind[0]))
            await asyncio.wait(
                [asyncio.create_task(_copy(reader, sink)), asyncio.create_task(_copy(asked, writer))],
                return_when=asyncio.FIRST_COMPLETED,
            )
            sink.close()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    starting = asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    serving = asyncio.run_coroutine_threadsafe(starting, loop).result(10)
    try:
        yield serving.sockets[0].getsockname()[1], behind
    finally:
        loop.call_soon_threadsafe(serving.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


def _told(head: bytes, port: int) -> bytes:
    """The head of a request as a proxy sends it on; every request but a WebSocket ends its connection."""
    first, *lines = head.rstrip(b"\r\n").split(b"\r\n")
    upgraded = any(line.lower().startswith(b"upgrade:") for line in lines)
    dropped = (b"host:",) if upgraded else (b"host:", b"connection:")
    kept = [line for line in lines if not line.lower().startswith(dropped)]
    own = [b"Host: 127.0.0.1:%d" % port, b"X-Forwarded-For: 203.0.113.7", b"X-Forwarded-Proto: https"]
    return b"\r\n".join([first, *kept, *own, *([] if upgraded else [b"Connection: close"]), b"", b""])


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):  # who asked, or was asked, has gone
        while part := await reader.read(2**16):
            writer.write(part)
            await writer.drain()
