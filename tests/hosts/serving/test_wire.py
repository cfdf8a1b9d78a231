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

from lmdk_widgets.hosts.serving import files
from lmdk_widgets.hosts.serving.files import PACKAGE_STATIC as STATIC
from lmdk_widgets.hosts.serving.settings import QUERY_LIMIT_BYTES
from tests.browser import page
from tests.hosts.serving.visits import cookie, fetch
from tests.server import Address

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


def test_a_link_up_to_the_limit_reaches_the_page(open_room: Address) -> None:
    query = "x=" + "7" * (QUERY_LIMIT_BYTES - 2)
    answer = fetch(f"{open_room}?{query}")
    assert answer.status == 200


@pytest.mark.parametrize("size", [QUERY_LIMIT_BYTES + 400, 82_000, 2_000_000])
def test_a_longer_link_gets_a_sentence(open_room: Address, size: int) -> None:
    started = time.monotonic()
    for who in (cookie(open_room), ""):
        answer = raw(open_room, request(open_room, b"/?" + b"a=1&" * (size // 4), b"Cookie: " + who.encode()))
        assert answer.startswith(b"HTTP/1.1 414"), answer[:200]
    assert "This link is too long" in fetch(f"{open_room}?x=" + "a" * size).text
    assert time.monotonic() - started < 20


@pytest.mark.browser
def test_a_browser_shows_the_sentence(open_room: Address, chromium: Any) -> None:
    with page(chromium, check=False) as tab:
        assert tab.goto(f"{open_room}?matrix={'0.25,' * 16_400}").status == 414
        assert tab.get_by_text("This link is too long").is_visible()


PATHS = {
    "null byte in a file": b"/lmdk/%s/static/a%%00.js",
    "null byte in an extension": b"/lmdk/%s/extensions/lmdk/%%00",
    "null byte in the path": b"/a%%00b",
    "raw null byte": b"/?a=\0b",
    "raw control characters": b"/?a=\x01\x7f",
    "raw bytes that are no UTF-8": b"/?\xff\xfe=\xff",
    "bytes that are no UTF-8": b"/?%%ff=%%fe&token=%%ff",
    "a folder": b"/lmdk/%s/static/",
    "letters of another alphabet": "/lesson/é".encode(),
    "many dots": b"/lmdk/%s/static/" + b"../" * 2_000 + b"etc/passwd",
}


@pytest.mark.parametrize("name", PATHS)
def test_malformed_addresses_end_without_a_traceback(open_room: Address, name: str) -> None:
    key = re.search(r"/lmdk/(\w+)/", fetch(open_room).text)[1].encode()
    path = PATHS[name].replace(b"%s", key).replace(b"%%", b"%")
    answer = raw(open_room, request(open_room, path, b"Cookie: " + cookie(open_room).encode()))
    assert re.match(rb"HTTP/1.1 (200|302|400|403|404|414)", answer) or not answer, answer[:200]
    # the server's fixture looks for tracebacks


@pytest.mark.parametrize(
    "bad",
    [b"GARBAGE\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n"],
)
def test_what_is_no_request_ends_without_a_traceback(open_room: Address, bad: bytes) -> None:
    raw(open_room, bad)
    assert fetch(open_room + "nowhere").status == 404


def test_a_head_of_many_lines_does_not_keep_the_server(open_room: Address) -> None:
    lines = [b"a%d: b" % k for k in range(150_000)]
    started = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(raw, open_room, request(open_room, b"/nowhere", *lines))
        assert fetch(open_room + "nowhere").status == 404
        asked.result()
    assert time.monotonic() - started < 15


def test_everything_is_compressed_for_who_takes_it(open_room: Address) -> None:
    plain = fetch(open_room)
    asked = [b"Accept-Encoding: gzip", b"Sec-Fetch-Site: none", b"Cookie: " + cookie(open_room).encode()]
    packed = raw(open_room, request(open_room, b"/", *asked))
    assert b"Content-Encoding: gzip" in packed and "Content-Encoding" not in plain.headers
    prefix = re.search(r'name="lmdk-static" content="(/lmdk/\w+)/static/"', plain.text)[1]
    for path in ("static/map.js", "static/track.js", "extensions/lmdk/class.css"):
        url = f"{open_room.rstrip('/')}{prefix}/{path}"
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
    files._COMPRESSED.clear()
    path = STATIC / "track.js"
    found = [files.squeezed(str(path)) for _ in range(30)]
    assert gzip.decompress(found[29].result()) == path.read_bytes() and len(packed) == 1


@pytest.mark.nightly
@pytest.mark.browser
def test_a_page_loads_less_than_2_mb(open_room: Address, chromium: Any) -> None:
    with page(chromium, anew=True) as tab:  # a page that was used before has the bundles
        session = tab.context.new_cdp_session(tab)
        session.send("Network.enable")
        sizes: list[float] = []
        session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
        tab.goto(open_room)
        tab.locator(".lmdk-drawing").first.wait_for(timeout=60_000)
        tab.wait_for_timeout(500)
        assert 100_000 < sum(sizes) < 2_000_000
