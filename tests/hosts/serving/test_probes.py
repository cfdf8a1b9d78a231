"""What an attacker tries first, on the shipped configuration: each attempt ends with a refusal, a sentence and no more.

Others are where they belong: another's session and cookies in test_visitors.py, malformed messages in test_frames.py,
addresses that are none in test_wire.py, who may start a session in test_doors.py, a class in test_class_server.py.
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

import psutil
import pytest
import websocket

from lmdk_widgets.hosts.serving.kernel_pages import PROTOCOL
from tests.hosts.serving.test_settings import connect, packed
from tests.hosts.serving.test_wire import raw, request
from tests.hosts.serving.visits import Answer, cookie, fetch
from tests.server import ROOT, Address

pytestmark = pytest.mark.slow

SECRETS = re.compile(
    r"Traceback|tornado|jupyter|voila/|\.py\b|site-packages|/home/|/tmp/|/usr/|root:|\b\d+\.\d+\.\d+\b", re.I
)
"""What tells how the server is made, or comes from a file."""


@pytest.fixture(scope="module")
def visit(server: Address) -> Answer:
    """A page whose session is attacked."""
    return fetch(server)


def refused(answer: Answer, *statuses: int) -> bool:
    """Whether nothing was done, and nothing told."""
    return answer.status in (statuses or (403, 404, 405)) and not SECRETS.search(text_of(answer))


def text_of(answer: Answer) -> str:
    """What a person reads, without the style that a page holds."""
    return re.sub(r"<style>.*?</style>|<link[^>]*>", "", answer.text, flags=re.S)


def test_nobody_lists_starts_interrupts_restarts_or_ends_anything_by_rest(server: Address, visit: Answer) -> None:
    xsrf = "a" * 32
    own = {"Cookie": f"{cookie(server)}; _xsrf={xsrf}", "X_XSRFToken": xsrf}
    kernel = f"api/kernels/{visit.kernel}"
    tried = [("GET", "api/kernels"), ("POST", "api/kernels"), ("GET", "api/sessions"), ("POST", "api/sessions")]
    tried += [(method, kernel) for method in ("POST", "PUT", "PATCH", "DELETE")]
    tried += [
        (method, f"{kernel}/{deed}") for deed in ("interrupt", "restart", "shutdown") for method in ("GET", "POST")
    ]
    tried += [("DELETE", f"api/sessions/{visit.kernel}"), ("GET", f"voila/api/shutdown/{visit.kernel}")]
    before = sorted(process.pid for process in server.kernels())
    for method, path in tried:
        assert refused(fetch(server + path, method, **own)), (method, path)
    assert sorted(process.pid for process in server.kernels()) == before
    assert fetch(f"{server}{kernel}").status == 200


@pytest.mark.parametrize("base", ["", "voila/"])
def test_no_other_part_of_jupyter_answers(server: Address, base: str) -> None:
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
        assert refused(fetch(f"{server}{base}{path}"), 404), path


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
ROOMS = ["static", "voila", "extensions/lmdk", "extensions/anywidget"]


@pytest.mark.parametrize("up", UP)
def test_no_way_leads_out_of_the_folders_that_are_served(server: Address, visit: Answer, up: str) -> None:
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
            answer = raw(server, request(server, f"/{place}{target}".encode(), b"Cookie: " + cookie(server).encode()))
            assert re.match(rb"HTTP/1.1 (400|403|404) ", answer), (place, target, answer[:80])
            assert b"root:" not in answer and b"from __future__" not in answer
    for absolute in (b"//etc/passwd", b"/%2fetc/passwd", b"/file:///etc/passwd", b"/C:%5cwindows%5cwin.ini"):
        assert re.match(
            rb"HTTP/1.1 (400|403|404) ", raw(server, request(server, f"/{prefix}/static".encode() + absolute))
        )


def test_another_notebook_cannot_be_asked_for(server: Address, visit: Answer) -> None:
    for query in (
        "notebook=other.ipynb",
        "path=/etc/passwd",
        "notebook_path=x&voila-notebook=y",
        "kernel_name=ir&kernel=x",
    ):
        assert "lmdk.prepared()" in fetch(f"{server}?{query}").text
    for path in ("explorer.ipynb", "lesson/explorer", "lesson/..", "lesson/Places", "lesson/page.ipynb", "lesson/"):
        assert refused(fetch(server + path), 404)


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
def test_strange_queries_end_in_an_answer_without_them(server: Address, name: str) -> None:
    answer = fetch(f"{server}?{QUERIES[name].replace(' ', '%20')}")
    assert answer.status in {200, 302, 414}
    assert "__x" not in answer.text and "<b>" not in answer.text and "Traceback" not in answer.text
    assert not any("x=1" in line for line in answer.headers.get_all("Set-Cookie") or [])


def test_no_answer_tells_what_the_server_is_made_of(server: Address, visit: Answer) -> None:
    prefix = re.search(r'name="lmdk-static" content="/(.*?)static/"', visit.text)[1]
    answers = [visit, fetch(server, Cookie=""), fetch(f"{server}nowhere"), fetch(server, Host="evil.example")]
    answers += [fetch(f"{server}{prefix}static/{name}") for name in ("map.js", "nothing.js")]
    answers += [fetch(server, method) for method in ("PUT", "TRACE", "OPTIONS", "HEAD", "PROPFIND")]
    answers += [fetch(f"{server}api/kernels/{visit.kernel}/channels"), fetch(f"{server}?{'a' * 9_000}")]
    for answer in answers:
        assert answer.headers["Server"] is None and answer.headers["X-Powered-By"] is None
        if answer.status >= 400:
            assert not SECRETS.search(text_of(answer)), answer.text[-500:]


def test_pages_have_every_header_that_protects_them(server: Address, visit: Answer) -> None:
    for answer in (
        visit,
        fetch(server, Cookie=""),
        fetch(f"{server}nowhere"),
        fetch(f"{server}api/kernels/{visit.kernel}"),
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
def test_no_redirect_leads_elsewhere(server: Address, path: str) -> None:
    token = server.opened.partition("token=")[2]
    for query in (f"?token={token}", f"?token={token}&next=//evil.example", "?next=http://evil.example"):
        answer = raw(server, request(server, f"{path}{query}".encode()))
        location = re.search(rb"\r\nLocation: (\S+)", answer)
        assert location is None and re.match(rb"HTTP/1.1 (400|403|404) ", answer), answer[:300]
    assert fetch(f"{server.opened}&next=//evil.example", Cookie="").headers["Location"] == "/?next=//evil.example"


def test_other_names_origins_and_ports_get_nothing(server: Address, visit: Answer) -> None:
    port = urlsplit(server).port
    for host in (
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "0.0.0.0",
        "",
    ):
        assert fetch(server, Host=host or "[::]").status == 403, host
    for origin in (
        "http://evil.example",
        "null",
        f"http://127.0.0.1:{port + 1}",
        "file://",
    ):
        with pytest.raises(websocket.WebSocketBadStatusException) as answer:
            connect(server, visit.kernel, subprotocols=[PROTOCOL], origin=origin)
        assert answer.value.status_code == 403, origin


MESSAGES = ["execute_request", "inspect_request", "complete_request", "history_request", "is_complete_request"]
MESSAGES += [
    "debug_request",
    "interrupt_request",
    "create_subshell_request",
    "input_reply",
    "usage_request",
    "apply_request",
]


def test_no_message_but_those_of_widgets_reaches_a_kernel(server: Address, visit: Answer, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    code = f"open({str(proof)!r}, 'w').close()"
    asked = connect(server, visit.kernel, subprotocols=[PROTOCOL])
    for kind in MESSAGES:
        for channel in ("shell", "control", "stdin"):
            header = {"msg_id": kind, "msg_type": kind, "username": "", "session": "s", "version": "5.3"}
            content = {"code": code, "silent": False, "value": code, "user_expressions": {"a": code}, "cursor_pos": 4}
            asked.send_binary(packed(channel, header, content))
    last = {"msg_id": "last", "msg_type": "comm_info_request", "username": "", "session": "s", "version": "5.3"}
    asked.send_binary(packed("shell", last, {}))
    heard = b""
    while b"comm_info_reply" not in heard:
        heard = asked.recv()
        assert not any(f"{kind.removesuffix('_request')}_reply".encode() in heard for kind in MESSAGES)
    asked.close()
    assert not proof.exists() and server.kernel(visit.kernel).is_running()


def test_a_flood_of_messages_of_one_page_leaves_the_others_alone(server: Address, visit: Answer) -> None:
    process, flooding = psutil.Process(server.process.pid), connect(server, visit.kernel, subprotocols=[PROTOCOL])
    header = {"msg_id": "1", "msg_type": "comm_msg", "username": "", "session": "s", "version": "5.3"}
    content = {"comm_id": "none", "data": {"x": "y" * 2_000}}
    memory = process.memory_info().rss
    for count in range(3_000):
        flooding.send_binary(packed("shell", header | {"msg_id": str(count)}, content))
        if count % 1_000 == 500:
            assert fetch(f"{server}nowhere").status == 404
    flooding.close()
    assert "lmdk.prepared()" in fetch(server).text
    assert process.memory_info().rss - memory < 200e6


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


def test_a_thousand_sockets_of_one_address_leave_room_for_others(server: Address) -> None:
    parts = urlsplit(server)
    with many_files(2_048), ExitStack() as held:
        for _ in range(1_000):
            held.enter_context(socket.create_connection((parts.hostname, parts.port), timeout=30))
        assert "lmdk.prepared()" in fetch(server).text
    started = time.monotonic()
    assert fetch(f"{server}nowhere").status == 404 and time.monotonic() - started < 30


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


def test_a_true_place_is_in_no_log_and_no_file_of_the_server(tmp_path: Path) -> None:
    from tests.server import serve

    track = tmp_path / "secret.csv"
    rows = [f"2026-01-05 {h:02}:00:00,{47.12345671 + h / 1e4:.8f},{8.98765432 + h / 1e4:.8f}" for h in range(12)]
    track.write_text("\n".join(["time,latitude,longitude", *rows, "2026-01-05 13:00:00,91.7654321,8.9876543"]), "utf-8")
    with serve(track=track) as address:
        answer = fetch(f"{address}?epsilon=0.5&landmarks=2")
        assert "lmdk.prepared()" in answer.text
        written = b"".join(path.read_bytes() for path in address.folder.rglob("*") if path.is_file())
        said = address.output() + answer.text + str(answer.headers)
    for canary in ("47.1234", "8.98765", "91.76543", "8.987654"):
        assert canary not in said and canary.encode() not in written


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
