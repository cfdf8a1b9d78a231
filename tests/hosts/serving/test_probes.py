"""What an attacker tries first on a room, as it is shipped: each attempt ends with a refusal, a sentence and no more.

Others are where they belong: the server of one person in test_one_person.py, cookies in test_visitors.py, sockets in
test_room.py and test_attacks.py, addresses that are none in test_wire.py, a class in test_class_server.py.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.hosts.serving.test_wire import raw, request
from tests.hosts.serving.visits import Answer, cookie, fetch
from tests.server import ROOT, Address

pytestmark = pytest.mark.slow

SECRETS = re.compile(
    r"Traceback|tornado|jupyter|voila/|\.py\b|site-packages|/home/|/tmp/|/usr/|root:|\b\d+\.\d+\.\d+\b", re.I
)
"""What tells how the server is made, or comes from a file."""


@pytest.fixture(scope="module")
def visit(open_room: Address) -> Answer:
    """A page whose session is attacked."""
    return fetch(open_room)


def refused(answer: Answer, *statuses: int) -> bool:
    """Whether nothing was done, and nothing told."""
    return answer.status in (statuses or (403, 404, 405)) and not SECRETS.search(text_of(answer))


def text_of(answer: Answer) -> str:
    """What a person reads, without the style that a page holds."""
    return re.sub(r"<style>.*?</style>|<link[^>]*>", "", answer.text, flags=re.S)


@pytest.mark.parametrize("base", ["", "voila/"])
def test_no_other_part_of_jupyter_answers(open_room: Address, base: str) -> None:
    paths = ["api", "api/spec.yaml", "api/status", "api/me", "api/contents", "api/contents/page.ipynb", "api/terminals"]
    paths += [
        "api/config/notebook",
        "api/kernelspecs",
        "api/nbconvert",
        "metrics",
        "terminals/1",
        "tree",
        "lab",
        "login",
    ]
    paths += ["logout", "files/page.ipynb", "view/page.ipynb", "nbconvert/html/page.ipynb", "edit/page.ipynb", "doc"]
    paths += ["kernelspecs/python3/logo-64x64.png", "custom/custom.css", "static/voila.js", "render/page.ipynb"]
    paths += ["render/../page.ipynb", "files/explorer.ipynb", "nbextensions/x.js", "themes/x.css", ".git/config"]
    for path in paths:
        assert refused(fetch(f"{open_room}{base}{path}"), 404), path


UP = [
    "../",
    "..%2f",
    "%2e%2e/",
    "%2e%2e%2f",
    "..%252f",
    "%252e%252e%252f",
    "..\\",
    "..%5c",
    "....//",
    "..;/",
    "..%c0%af",
]
ROOMS = ["static", "extensions/lmdk"]


@pytest.mark.parametrize("up", UP)
def test_no_way_leads_out_of_the_folders_that_are_served(open_room: Address, visit: Answer, up: str) -> None:
    prefix = re.search(r'name="lmdk-static" content="/(.*?)/static/"', visit.text)[1]
    places = [f"{prefix}/{room}/" for room in ROOMS] + [
        "",
        "voila/files/",
        "static/",
        "files/",
        "nbextensions/",
        "lesson/",
    ]
    for place in places:
        for target in (f"{up * 12}etc/passwd", f"{up}launch.py", f"{up * 2}hosts/serving/settings.py"):
            answer = raw(
                open_room, request(open_room, f"/{place}{target}".encode(), b"Cookie: " + cookie(open_room).encode())
            )
            assert re.match(rb"HTTP/1.1 (400|403|404) ", answer), (place, target, answer[:80])
            assert b"root:" not in answer and b"from __future__" not in answer
    for absolute in (b"//etc/passwd", b"/%2fetc/passwd", b"/file:///etc/passwd", b"/C:%5cwindows%5cwin.ini"):
        assert re.match(
            rb"HTTP/1.1 (400|403|404) ", raw(open_room, request(open_room, f"/{prefix}/static".encode() + absolute))
        )


QUERIES = {
    "two thousand parameters": "&".join(f"a{k}=1" for k in range(1_000)),
    "the same one many times": "&".join(["epsilon=1"] * 500),
    "no names": "=&=&&&=1",
    "escapes that are none": "%&%zz=%u0041&%=%",
    "deep": "page=" + "[" * 2_000 + "]" * 2_000,
    "a number without an end": "epsilon=" + "9" * 5_000,
    "not a number": "epsilon=nan&seed=-inf&landmarks=1e999",
    "markup": "page=<script>window.__x=1</script>&person=%22%3E%3Cimg%20src=x%20onerror=window.__x=1%3E",
    "the token twice": "token=a&token=b",
    "line ends": "a=%0d%0aSet-Cookie:%20x=1%0d%0a%0d%0a<b>",
}


@pytest.mark.parametrize("name", QUERIES)
def test_strange_queries_end_in_an_answer_without_them(open_room: Address, name: str) -> None:
    answer = fetch(f"{open_room}?{QUERIES[name].replace(' ', '%20')}")
    assert answer.status in {200, 302, 414}
    assert "__x" not in answer.text and "<b>" not in answer.text and "Traceback" not in answer.text
    assert not any("x=1" in line for line in answer.headers.get_all("Set-Cookie") or [])


def test_no_answer_tells_what_the_server_is_made_of(open_room: Address, visit: Answer) -> None:
    prefix = re.search(r'name="lmdk-static" content="/(.*?)static/"', visit.text)[1]
    answers = [visit, fetch(open_room, Cookie=""), fetch(f"{open_room}nowhere"), fetch(open_room, Host="evil.example")]
    answers += [fetch(f"{open_room}{prefix}static/{name}") for name in ("map.js", "nothing.js")]
    answers += [fetch(open_room, method) for method in ("PUT", "TRACE", "OPTIONS", "HEAD", "PROPFIND")]
    answers += [fetch(f"{open_room}?{'a' * 9_000}")]
    for answer in answers:
        assert answer.headers["Server"] is None and answer.headers["X-Powered-By"] is None
        if answer.status >= 400:
            assert not SECRETS.search(text_of(answer)), answer.text[-500:]


def test_pages_have_every_header_that_protects_them(open_room: Address, visit: Answer) -> None:
    for answer in (
        visit,
        fetch(open_room, Cookie=""),
        fetch(f"{open_room}nowhere"),
    ):
        policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
        nothing = policy.get("object-src", policy["default-src"])
        assert policy["default-src"] in ("'self'", "'none'") and policy["frame-ancestors"] == nothing == "'none'"
        assert policy["base-uri"] == "'none'" and policy["form-action"] == "'self'"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "strict-origin-when-cross-origin", "an address holds settings"
        assert answer.headers["Access-Control-Allow-Origin"] is None
    for line in visit.headers.get_all("Set-Cookie") or []:
        assert "SameSite=Lax" in line and "Path=/" in line, line


@pytest.mark.parametrize(
    "path",
    ["//evil.example/", "/\\evil.example/", "//evil.example/..", "/%2f%2fevil.example", "/lesson//evil.example", "///"],
)
def test_no_redirect_leads_elsewhere(open_room: Address, path: str) -> None:
    token = open_room.opened.partition("token=")[2]
    for query in (f"?token={token}", f"?token={token}&next=//evil.example", "?next=http://evil.example"):
        answer = raw(open_room, request(open_room, f"{path}{query}".encode()))
        location = re.search(rb"\r\nLocation: (\S+)", answer)
        assert location is None and re.match(rb"HTTP/1.1 (400|403|404) ", answer), answer[:300]
    assert fetch(f"{open_room.opened}&next=//evil.example", Cookie="").headers["Location"] == "/?next=//evil.example"


def test_other_names_get_nothing(open_room: Address) -> None:
    port = urlsplit(open_room).port
    for host in (
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "0.0.0.0",
        "",
    ):
        assert fetch(open_room, Host=host or "[::]").status == 403, host


@contextmanager
def many_files(count: int) -> Iterator[None]:
    """Let this process have so many files open; skips the test where it may not."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        pytest.skip("this user may not have so many files open")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, count), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_thousand_sockets_of_one_address_leave_room_for_others(open_room: Address) -> None:
    parts = urlsplit(open_room)
    with many_files(2_048), ExitStack() as held:
        for _ in range(1_000):
            held.enter_context(socket.create_connection((parts.hostname, parts.port), timeout=30))
        assert fetch(open_room).status == 200
    started = time.monotonic()
    assert fetch(f"{open_room}nowhere").status == 404 and time.monotonic() - started < 30


def test_all_addresses_are_bound_with_a_token_or_with_a_warning_that_says_who_comes_in(tmp_path: Path) -> None:
    program = (
        "import json, sys\n"
        "from lmdk_widgets.hosts.serving import launch\n"
        "print(json.dumps([launch._warning(host, token) for host in ('0.0.0.0', '::', '192.0.2.1', '127.0.0.1')"
        " for token in ('', 'x')] + [launch._warning('127.0.0.1', token, launch.read_public('https://a.example/b'))"
        " for token in ('', 'x')]))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    everybody, known, six, _, one, _, local, nothing, proxied, named = json.loads(done.stdout)
    assert "everyone on your network can open this page without a token" in everybody and "without a token" in six
    assert "who has the address with the token" in known and "not encrypted" in known
    assert "everyone who can reach 192.0.2.1 can open this page without a token" in one
    assert "every user of this machine can open this page without a token" in local and nothing == "" == named
    assert "everyone who can reach https://a.example/b/ can open this page without a token" in proxied
    for text, loud in ((everybody, True), (known, False), (one, True), (local, False), (proxied, True)):
        assert text.startswith("WARNING: " if loud else "Note: ") and ("Without --no-token" in text) == loud


def test_parts_that_were_attacked_before_are_at_least_as_new_as_the_floors() -> None:
    import tomllib

    floors = {
        "voila": "0.5.13",
        "jupyter_server": "2.20",
        "nbconvert": "7.17.1",
        "tornado": "6.5.6",
        "ipywidgets": "8.1",
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    listed = project["optional-dependencies"]["dashboard"]
    asked = dict(line.split(">=") for line in listed if ">=" in line)
    assert {name: asked[name] for name in floors} == floors
