"""The file of streets that a server gives out: in parts, to its own pages, and nothing else."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from lmdk_widgets.io.basemap import MOST_BYTES, Basemap
from tests.basemaps import around, streets, write
from tests.hosts.serving.rooms import room
from tests.server import Address, commands

pytestmark = pytest.mark.slow

OURS = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = write(tmp_path_factory.mktemp("maps") / "city.pmtiles", around(2.335, 48.866, range(12)), streets())
    with path.open("r+b") as file:
        file.truncate(MOST_BYTES + 2**20)  # more than can be asked for at a time
    (path.parent / "secret.txt").write_text("secret")
    return path


@pytest.fixture(scope="module")
def running(city: Path) -> Iterator[Address]:
    with room(basemap=str(city)) as address:
        yield address


def asked(
    address: Address, path: str, *, cookie: bool = True, method: str = "GET", **headers: str
) -> tuple[int, dict, bytes]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    sent = OURS | {name.replace("_", "-"): value for name, value in headers.items()}
    if cookie:
        sent["Cookie"] = "=".join(address.admitted())
    connection.request(method, path, headers={name: value for name, value in sent.items() if value})
    answer = connection.getresponse()
    found = answer.status, dict(answer.headers), answer.read()
    connection.close()
    return found


@pytest.fixture(scope="module")
def part(running: Address, city: Path) -> str:
    return f"/lmdk/basemap/{Basemap(city).key}"


@pytest.mark.nightly
def test_the_page_names_it_and_no_folder(running: Address, part: str, city: Path) -> None:
    _, _, page = asked(running, "/", Sec_Fetch_Site="none", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document")
    assert f'<meta name="lmdk-basemap" content="{part}" data-name="city.pmtiles">' in page.decode()
    assert str(city.parent) not in page.decode()


def test_a_range_gives_its_bytes(running: Address, part: str, city: Path) -> None:
    whole, size = city.read_bytes(), city.stat().st_size
    for first, last in [(0, 0), (0, 126), (127, 16_383), (size - 3, size + 900), (5, MOST_BYTES + 4)]:
        status, headers, body = asked(running, part, Range=f"bytes={first}-{last}")
        assert status == 206 and body == whole[first : last + 1], (first, last)
        assert headers["Content-Range"] == f"bytes {first}-{min(last, size - 1)}/{size}"
        assert headers["Etag"] == f'"{part[-16:]}"' and "Content-Encoding" not in headers
        assert headers["Cache-Control"].startswith("private") and headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin" and "Access-Control-Allow-Origin" not in headers


RANGES = ["", "bytes=0-", "bytes=-500", "bytes=5-4", "bytes=0-1,5-9", "lines=0-9", "bytes=0x0-9", "bytes=1e3-9999"]
RANGES += [f"bytes=0-{MOST_BYTES}", "bytes=0-99999999999999", f"bytes={'9' * 15}-{'9' * 15}", f"bytes=0-{'9' * 400}"]
RANGES += ["bytes = 0-9", "bytes=0-9;q=1", "bytes=\u00b2-\u00b3"]


@pytest.mark.parametrize("range_", RANGES)
def test_other_ranges_are_refused_in_a_sentence(running: Address, part: str, city: Path, range_: str) -> None:
    status, headers, body = asked(running, part, Range=range_)
    assert status == 416 and headers["Content-Range"] == f"bytes */{city.stat().st_size}"
    assert body == b"Ask for one range with both ends, in the file and at most 4 MB long."


def test_only_pages_of_this_server_are_answered(running: Address, part: str) -> None:
    got = {"Range": "bytes=0-9"}
    assert asked(running, part, **got)[0] == 206
    assert asked(running, part, Sec_Fetch_Site="", **got)[0] == 206  # a plain connection: browsers say nothing there
    for site in ("cross-site", "same-site", "none", "anything"):
        assert asked(running, part, Sec_Fetch_Site=site, **got)[0] == 403, site
    assert asked(running, part, cookie=False, **got)[0] == 403
    name, _ = running.admitted()
    assert asked(running, part, cookie=False, Cookie=f"{name}=guessed", **got)[0] == 403
    assert asked(running, part, Host="elsewhere.example", **got)[0] == 403


def test_no_other_file_and_no_other_method(running: Address, part: str, city: Path) -> None:
    base, key = part.rsplit("/", 1)
    for path in (
        f"{base}/",
        f"{base}/{key}/",
        f"{base}/{key[:-1]}",
        f"{base}/{key}.pmtiles",
        f"{part}/../secret.txt",
        f"{base}/../../secret.txt",
        f"{base}/..%2f..%2fsecret.txt",
        f"{base}/%252e%252e/secret.txt",
        f"{base}/{city}",
        f"{base}/secret.txt",
        f"{part}%00",
        f"{part}%0a",
    ):
        status, _, body = asked(running, path, Range="bytes=0-9")
        assert status == 404 and b"secret" not in body.lower(), path
    for method in ("HEAD", "POST", "PUT", "DELETE", "OPTIONS"):
        status, _, body = asked(running, part, method=method, Range="bytes=0-9")
        assert status in (403, 405) and b"PMTiles" not in body, method


@pytest.mark.nightly
def test_a_server_without_a_basemap_has_no_such_address(part: str) -> None:
    with room() as plain:
        assert asked(plain, part, Range="bytes=0-9")[0] == 404
        _, _, page = asked(plain, "/", Sec_Fetch_Site="none", Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="document")
        assert b"lmdk-basemap" not in page


@pytest.mark.nightly
def test_the_commands_refuse_a_bad_file_before_they_start(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pmtiles"
    bad.write_bytes(b"PK\x03\x04" * 99)
    found = commands([name, "--basemap", str(bad), "--port", "0"] for name in ("explore", "serve", "class", "lesson"))
    for done in found:
        assert done.returncode == 2 and done.stdout == "", done
        assert "--basemap must be a PMTiles file, which starts with the word PMTiles; got bad.pmtiles." in done.stderr
