"""What goes over the wire: compressed answers, links up to a limit, and requests that are none."""

from __future__ import annotations

import gzip
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import pytest
import websocket

from lmdk_widgets.hosts.serving import files
from lmdk_widgets.hosts.serving.files import PACKAGE_STATIC as STATIC
from lmdk_widgets.hosts.serving.kernel_pages import PROTOCOL
from lmdk_widgets.hosts.serving.settings import MESSAGE_LIMIT_BYTES, QUERY_LIMIT_BYTES
from tests.browser import page
from tests.hosts.serving.test_settings import connect
from tests.hosts.serving.visits import cookie, fetch
from tests.server import Address, serve

pytestmark = pytest.mark.slow


def raw(address: Address, data: bytes, patience_s: float = 30) -> bytes:
    """The first bytes of the answer to bytes as they are; b"" for a connection that is dropped."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=patience_s) as asked:
        try:
            asked.sendall(data)
            return asked.recv(60_000)
        except (BrokenPipeError, ConnectionResetError):
            return b""


def request(address: Address, path: bytes, *more: bytes) -> bytes:
    head = [b"GET " + path + b" HTTP/1.1", b"Host: " + urlsplit(address).netloc.encode(), *more, b"Connection: close"]
    return b"\r\n".join([*head, b"", b""])


def test_a_link_up_to_the_limit_reaches_the_page(server: Address) -> None:
    query = "x=" + "7" * (QUERY_LIMIT_BYTES - 2)
    answer = fetch(f"{server}?{query}")
    assert answer.status == 200
    assert server.told(answer.kernel)["environment"]["QUERY_STRING"] == query


@pytest.mark.parametrize("size", [QUERY_LIMIT_BYTES + 400, 82_000, 2_000_000])
def test_a_longer_link_gets_a_sentence_and_no_kernel(server: Address, size: int) -> None:
    before, started = len(server.kernels()), time.monotonic()
    for who in (cookie(server), ""):
        answer = raw(server, request(server, b"/?" + b"a=1&" * (size // 4), b"Cookie: " + who.encode()))
        assert answer.startswith(b"HTTP/1.1 414"), answer[:200]
    assert "This link is too long" in fetch(f"{server}?x=" + "a" * size).text
    assert len(server.kernels()) == before and time.monotonic() - started < 20


@pytest.mark.browser
def test_a_browser_shows_the_sentence(server: Address, chromium: Any) -> None:
    with page(chromium, check=False) as tab:
        assert tab.goto(f"{server}?matrix={'0.25,' * 16_400}").status == 414
        assert tab.get_by_text("This link is too long").is_visible()


PATHS = {
    "null byte in a file": b"/lmdk/%s/static/a%%00.js",
    "null byte in an extension": b"/lmdk/%s/extensions/anywidget/%%00",
    "null byte in the path": b"/a%%00b",
    "raw null byte": b"/?a=\0b",
    "raw control characters": b"/?a=\x01\x7f",
    "raw bytes that are no UTF-8": b"/?\xff\xfe=\xff",
    "bytes that are no UTF-8": b"/?%%ff=%%fe&token=%%ff",
    "a folder": b"/lmdk/%s/static/",
    "a status without number": b"/api/kernels/----",
    "a number of another alphabet": "/api/kernels/é-é-é-é-é".encode(),
    "many dots": b"/lmdk/%s/voila/" + b"../" * 2_000 + b"etc/passwd",
}


@pytest.mark.parametrize("name", PATHS)
def test_malformed_addresses_end_without_a_traceback(server: Address, name: str) -> None:
    key = re.search(r"/lmdk/(\w+)/", fetch(server).text)[1].encode()
    path = PATHS[name].replace(b"%s", key).replace(b"%%", b"%")
    answer = raw(server, request(server, path, b"Cookie: " + cookie(server).encode()))
    assert re.match(rb"HTTP/1.1 (200|302|400|403|404|414)", answer) or not answer, answer[:200]
    # the server's fixture looks for tracebacks


@pytest.mark.parametrize(
    "bad",
    [b"GARBAGE\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n"],
)
def test_what_is_no_request_ends_without_a_traceback(server: Address, bad: bytes) -> None:
    raw(server, bad)
    assert fetch(server + "nowhere").status == 404


def test_a_head_of_many_lines_does_not_keep_the_server(server: Address) -> None:
    lines = [b"a%d: b" % k for k in range(150_000)]
    started = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(raw, server, request(server, b"/nowhere", *lines))
        assert fetch(server + "nowhere").status == 404
        asked.result()
    assert time.monotonic() - started < 15


def test_a_message_beyond_the_limit_closes_its_socket(server: Address) -> None:
    one = connect(server, fetch(server).kernel, subprotocols=[PROTOCOL])
    try:
        one.send_binary(bytes(MESSAGE_LIMIT_BYTES + 1))
        while one.recv_data()[0] != websocket.ABNF.OPCODE_CLOSE:
            pass
    except (OSError, websocket.WebSocketConnectionClosedException):
        pass
    assert fetch(server + "nowhere").status == 404


def test_everything_is_compressed_for_who_takes_it(server: Address) -> None:
    plain = fetch(server)
    asked = [b"Accept-Encoding: gzip", b"Sec-Fetch-Site: none", b"Cookie: " + cookie(server).encode()]
    packed = raw(server, request(server, b"/", *asked))
    assert b"Content-Encoding: gzip" in packed and "Content-Encoding" not in plain.headers
    prefix = re.search(r'name="lmdk-static" content="(/lmdk/\w+)/static/"', plain.text)[1]
    for path in ("static/map.js", "static/track.js", "voila/voila.js", "extensions/lmdk/controls.js"):
        url = f"{server.rstrip('/')}{prefix}/{path}"
        asked, whole = fetch(url, Accept_Encoding="gzip"), fetch(url)
        assert asked.headers["Content-Encoding"] == "gzip" and asked.headers["Vary"] == "Accept-Encoding"
        assert "immutable" in asked.headers["Cache-Control"]
        assert asked.headers["Content-Type"] == whole.headers["Content-Type"]
        assert int(asked.headers["Content-Length"]) < int(whole.headers["Content-Length"]) * 0.6
        again = fetch(url, Accept_Encoding="gzip", If_Modified_Since=asked.headers["Last-Modified"])
        assert again.status == 304 and fetch(url, "HEAD", Accept_Encoding="gzip").text == ""
        part = fetch(url, Accept_Encoding="gzip", Range="bytes=0-9")
        assert part.status == 200, "a part of a compressed file is of no use"
        assert fetch(url, Range="bytes=0-9").text == whole.text[:10]


def test_each_file_is_compressed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[int] = []
    compress = gzip.compress
    monkeypatch.setattr(files.gzip, "compress", lambda data, *a, **k: (packed.append(1), compress(data, *a, **k))[1])
    monkeypatch.setattr(files, "_kept", {})
    path = STATIC / "track.js"
    found = [files.squeezed(str(path)) for _ in range(30)]
    assert gzip.decompress(found[29].result()) == path.read_bytes() and len(packed) == 1


@pytest.mark.nightly
@pytest.mark.browser
def test_a_page_loads_less_than_2_mb(chromium: Any) -> None:
    with serve() as address, page(chromium) as tab:
        session = tab.context.new_cdp_session(tab)
        session.send("Network.enable")
        sizes: list[float] = []
        session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        tab.goto(address)
        tab.locator(".lmdk-drawing").first.wait_for(timeout=60_000)
        tab.wait_for_timeout(500)
        assert 500_000 < sum(sizes) < 2_000_000
