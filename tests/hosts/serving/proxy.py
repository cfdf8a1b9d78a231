"""Proxies that end the encryption: nginx with the server block of the documents, and one of our own."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from tests.hosts.serving.hub import free_ports
from tests.server import ROOT, until

BLOCK = ROOT / "docs" / "deploy" / "nginx.conf"

Proxy = tuple[int, Callable[[int], None]]
"""Its own port, and what has it carry the server that listens on another."""


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that nobody trusts, and its key."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("no openssl on this machine to make a certificate with")
    made, key = folder / "certificate.pem", folder / "key.pem"
    command = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout {key} -out {made}"
    subprocess.run([openssl, *command.split()], check=True, capture_output=True)
    return made, key


@contextmanager
def nginx_proxy(folder: Path, name: str = "localhost") -> Iterator[Proxy]:
    """nginx on a free port with the server block of the documents, in which names, ports and certificate are put."""
    if (nginx := shutil.which("nginx")) is None:
        pytest.skip("no nginx on this machine: apt-get install nginx-light")
    made, key = certificate(folder)
    (port,), running = free_ports(1), ExitStack()

    def carry(behind: int) -> None:
        text = BLOCK.read_text("utf-8")
        for told, ours in {
            "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
            "server_name class.example.org": f"server_name {name}",
            "/etc/ssl/class.example.org.pem": str(made),
            "/etc/ssl/class.example.org.key": str(key),
            "http://127.0.0.1:8866;": f"http://127.0.0.1:{behind};",
        }.items():
            assert text.count(told) == 1, told
            text = text.replace(told, ours)
        around = f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors; events {{}}\n"
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        inside = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
        path = folder / "nginx.conf"
        path.write_text(f"{around}http {{\naccess_log off;\n{inside}{text}\n}}\n", "utf-8")
        process = running.enter_context(subprocess.Popen([nginx, "-p", str(folder), "-c", str(path)]))
        running.callback(process.kill)
        until(lambda: (None, socket.socket().connect_ex(("127.0.0.1", port)) == 0), "nginx", 20)

    with running:
        yield port, carry


@contextmanager
def tls_proxy(folder: Path) -> Iterator[Proxy]:
    """One of our own, as the usual recipe makes it: the server is asked under its own name."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(folder))
    loop, behind = asyncio.new_event_loop(), [0]

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
        yield serving.sockets[0].getsockname()[1], lambda port: behind.__setitem__(0, port)
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
    own = [
        b"Host: 127.0.0.1:%d" % port,
        b"X-Real-Ip: 203.0.113.7",
        b"X-Forwarded-For: 203.0.113.7",
        b"X-Forwarded-Proto: https",
    ]
    return b"\r\n".join([first, *kept, *own, *([] if upgraded else [b"Connection: close"]), b"", b""])


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):  # who asked, or was asked, has gone
        while part := await reader.read(2**16):
            writer.write(part)
            await writer.drain()
