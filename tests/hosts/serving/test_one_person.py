"""The server of one person, started for real and asked over the network: Voila as it is, with this package's settings.

Each test here is a fault that a setting closes. A new version of Voila may open it again: so each asks the address.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import websocket

from lmdk_widgets.hosts.serving.settings import MESSAGE_LIMIT_BYTES, settings
from tests.hosts.serving.visits import Answer, cookie, fetch
from tests.server import Address, serve, until

pytestmark = pytest.mark.slow

STRANGER = {"Cookie": ""}
PROTOCOL = "v1.kernel.websocket.jupyter.org"


@pytest.fixture(scope="module")
def visit(server: Address) -> Answer:
    """The page as a program without a browser sees it."""
    return fetch(f"{server.page}?theme=<script>&voila-theme=dark&template=nowhere&voila-template=lab")


def config_of(answer: Answer) -> dict[str, Any]:
    return json.loads(re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', answer.text)[1])


def connect(server: Address, kernel: str, **options: Any) -> websocket.WebSocket:
    url = f"{server.replace('http', 'ws', 1)}api/kernels/{kernel}/channels?session_id={uuid4().hex}"
    return websocket.create_connection(
        url, timeout=30, **{"cookie": cookie(server), "subprotocols": [PROTOCOL], **options}
    )


def packed(channel: str, kind: str, content: dict) -> bytes:
    """A message of the binary protocol: offsets, then channel, header, parent, metadata, content."""
    header = {"msg_id": kind, "msg_type": kind, "username": "", "session": "s", "version": "5.3"}
    parts = [channel.encode(), *(json.dumps(part).encode() for part in (header, {}, {}, content))]
    offsets = [8 * (2 + len(parts))]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    numbers = [len(offsets), *offsets]
    return b"".join(number.to_bytes(8, "little") for number in numbers) + b"".join(parts)


def test_the_token_opens_the_login_which_leads_to_an_address_without_it(server: Address) -> None:
    assert re.fullmatch(rf"{server}login\?token=[0-9a-f]{{48}}&next=/voila/render/explorer\.ipynb", server.opened)
    answer = fetch(server.opened, **STRANGER)
    assert answer.status == 302 and answer.headers["Location"] == "/voila/render/explorer.ipynb"
    (given,) = answer.headers.get_all("Set-Cookie")
    assert given.startswith(f"username-127-0-0-1-{urlsplit(server).port}=")
    assert "HttpOnly" in given and "SameSite=Lax" in given and "expires" not in given.lower()


def test_the_old_address_leads_to_the_page_with_its_settings(server: Address) -> None:
    answer = fetch(f"{server}?page=place&level=1%3C%22")
    assert 'content="0;url=/voila/render/explorer.ipynb?page=place&amp;level=1%3C%22"' in answer.text
    assert "http://" not in answer.text and "https://" not in answer.text


@pytest.mark.parametrize("query", ["", "?epsilon=0.5", "?token=wrong", "?token="])
def test_strangers_get_no_page_and_no_kernel(server: Address, query: str) -> None:
    before = len(server.kernels())
    for path in ("", "voila/render/explorer.ipynb", "voila/render/lesson/places.ipynb", "voila/tree"):
        answer = fetch(f"{server}{path}{query}", **STRANGER)
        assert answer.status in {302, 403} and "lmdk.session" not in answer.text, path
        assert urlsplit(answer.headers["Location"] or "/login").path == "/login"
        assert not answer.headers["Set-Cookie"]
    assert len(server.kernels()) == before


@pytest.mark.parametrize("made", ["username-127-0-0-1-{port}=abc", "username-127-0-0-1-{port}=2|1:0|1:1|1:a|1:a|00"])
def test_a_cookie_of_ones_own_making_opens_nothing(server: Address, made: str) -> None:
    answer = fetch(server.page, Cookie=made.format(port=urlsplit(server).port))
    assert answer.status in {302, 403} and "lmdk.session" not in answer.text


def test_a_stranger_reaches_no_kernel_whose_number_it_knows(server: Address, visit: Answer) -> None:
    kernel = f"{server}api/kernels/{visit.kernel}"
    for method in ("GET", "DELETE"):
        assert fetch(kernel, method, **STRANGER).status in {302, 403}
    assert fetch(f"{server}voila/api/shutdown/{visit.kernel}", "POST", **STRANGER).status in {302, 403}
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        connect(server, visit.kernel, cookie="")
    assert refused.value.status_code == 403 and fetch(kernel).status == 200


def test_what_a_kernel_is_told_of_its_request_has_no_token(server: Address, visit: Answer) -> None:
    """Anyone who knows a kernel's number is told this: only the address of the page may stand there, which has no token."""
    token = re.search("token=([^&]+)", server.opened)[1]
    environment = server.told(visit.kernel)["environment"]
    assert not any(token in value for value in environment.values()) and "LMDK_TOKEN" not in environment
    assert environment["MALLOC_ARENA_MAX"] == "1", "or each thread keeps memory of its own"
    shown = " ".join([*server.kernel(visit.kernel).cmdline(), *server.process.args])
    assert token not in shown, "everyone on this machine sees the arguments of processes"
    assert visit.kernel not in shown and str(server.folder) not in shown


def test_names_origins_and_sites_that_are_not_ours_get_nothing(server: Address, visit: Answer) -> None:
    port = urlsplit(server).port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0"):
        for path in ("voila/render/explorer.ipynb", "login", f"api/kernels/{visit.kernel}", ""):
            assert fetch(server + path, Host=host).status == 403, (host, path)
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{port + 1}", "file://"):
        with pytest.raises(websocket.WebSocketBadStatusException) as answer:
            connect(server, visit.kernel, origin=origin)
        assert answer.value.status_code == 403, origin
    # a cross-site frame, script or form has no cookie: SameSite=Lax; a form without the page's own cookie is refused
    assert fetch(f"{server}voila/api/shutdown/{visit.kernel}", "POST").status == 403
    assert fetch(f"{server}api/kernels/{visit.kernel}", "DELETE").status == 403
    assert fetch(f"{server}api/kernels/{visit.kernel}").status == 200


@pytest.mark.parametrize("next_", ["//evil.example/", "http://evil.example", "https:evil.example", "/\\evil.example"])
def test_no_redirect_leads_elsewhere(server: Address, next_: str) -> None:
    login = server.opened.partition("&next=")[0]
    answer = fetch(f"{login}&next={next_}", **STRANGER)
    assert answer.status == 302
    assert not urlsplit(answer.headers["Location"].replace("\\", "/")).netloc, answer.headers["Location"]


def test_every_answer_has_the_headers_that_protect_it(server: Address, visit: Answer) -> None:
    for answer in (visit, fetch(f"{server}login", **STRANGER), fetch(server.page, **STRANGER), fetch(str(server))):
        policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
        assert policy["default-src"] == policy["form-action"] == "'self'"
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
        assert set(re.findall(r"https://[\w.]+", str(policy))) == {"https://tile.openstreetmap.org"}
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "strict-origin-when-cross-origin", "an address holds settings"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert not answer.headers["Access-Control-Allow-Origin"] and answer.headers["Server"] == "lmdk"
        assert "Traceback" not in answer.text
    assert "no-store" in visit.headers["Cache-Control"]


def test_theme_and_template_cannot_be_overridden(visit: Answer) -> None:
    assert visit.status == 200 and "<title>lmdk: " in visit.text
    assert visit.text.rstrip().endswith("</html>"), "an unknown template must not hang the page"
    assert "theme=<script>" not in visit.text and "nowhere" not in visit.text
    assert config_of(visit)["jupyterLabTheme"] == "light"


def test_the_page_holds_no_source_no_print_and_no_other_host(visit: Answer, server: Address) -> None:
    assert "IntSlider(" not in visit.text and "secret" not in visit.text
    assert "a secret line" in server.output()
    # the favicon names the SVG name space, which nothing fetches
    assert not set(re.findall(r"https?://[\w.]+", visit.text)) - {"http://www.w3.org"}
    for part in ('<html lang="en">', 'name="viewport"', "<noscript>", 'rel="icon" href="data:', 'name="lmdk-static"'):
        assert part in visit.text


def test_only_needed_extensions_are_named(visit: Answer) -> None:
    names = {extension["name"] for extension in config_of(visit)["federated_extensions"]}
    assert names == {"@voila-dashboards/widgets-manager8", "anywidget", "lmdk"}


def test_kernels_speak_through_sockets_in_a_private_folder(visit: Answer, server: Address) -> None:
    found = json.loads(server.told(visit.kernel)["connection"])
    assert found["transport"] == "ipc"
    assert Path(found["ip"]).parent.stat().st_mode & 0o077 == 0 and server.folder.stat().st_mode & 0o077 == 0


HIDDEN = ["explorer.ipynb", "voila/files/explorer.ipynb", "voila/files/lesson/places.ipynb", "voila/files/x.svg"]
HIDDEN += ["voila/render/voila.json", "voila/render/../voila.json", "voila/render/..%2fvoila.json", "api/kernels"]
HIDDEN += ["voila/api/contents/..%2fvoila.json", "voila/api/contents/../voila.json", "api/contents", "api/terminals"]
HIDDEN += ["voila/files/..%2fvoila.json", "voila/tree/..%2f..", "api", "metrics", "lab", "files/explorer.ipynb"]
HIDDEN += ["voila/static/..%2f..%2fvoila.json", "voila/templates/lmdk/static/..%2f..%2f..%2f..%2f..%2fvoila.json"]
HIDDEN += ["voila/templates/lmdk/static/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/voila.json", "voila/static//etc/passwd"]
HIDDEN += ["voila/labextensions/..%2f..%2fvoila.json", "api/sessions"]


@pytest.mark.parametrize("path", HIDDEN)
def test_no_file_and_no_other_part_of_jupyter_answers(server: Address, path: str) -> None:
    answer = fetch(server + path)
    if answer.status == 302:  # what is no notebook is looked for among the files, of which none is served
        answer = fetch(server.rstrip("/") + answer.headers["Location"])
    assert answer.status in {400, 403, 404, 405, 500}, answer.text[:300]
    assert "token" not in answer.text.lower() and "root:" not in answer.text and "Traceback" not in answer.text


@pytest.mark.parametrize("path", ["lesson/nothing", "page", "lesson", "..%2fvoila", "lesson/..%2f..%2fvoila"])
def test_only_the_notebooks_of_the_folder_are_run(server: Address, path: str) -> None:
    before = len(server.kernels())
    answer = fetch(f"{server}voila/render/{path}.ipynb")
    assert "lmdk.session" not in answer.text and "Traceback" not in answer.text
    assert len(server.kernels()) <= before + 1  # the next page may be made meanwhile


@pytest.mark.parametrize("path", ["lmdk", "lmdk/page.css", "lmdk/static", "%00", "lmdk/other/page.css"])
def test_a_malformed_address_of_a_template_leaves_no_traceback(server: Address, path: str) -> None:
    answer = fetch(f"{server}voila/templates/{path}")
    assert answer.status in {404, 500} and "Traceback" not in answer.text
    assert "static_file_handler.py" not in server.output()


def test_what_is_not_there_is_said_without_a_traceback_and_without_another_host(server: Address) -> None:
    for path in ("voila/render/nothing.ipynb", "voila/tree/nothing", f"api/kernels/{uuid4()}/channels"):
        answer = fetch(server + path)
        assert answer.status in {400, 404} and "cdn." not in answer.text, (path, answer.text[:300])
    assert "There is no such page here." in fetch(f"{server}voila/render/nothing.ipynb").text
    assert "Uncaught exception in write_error" not in server.output()


def test_nobody_starts_restarts_or_interrupts_a_kernel(server: Address, visit: Answer) -> None:
    xsrf = "a" * 32
    own = {"Cookie": f"{cookie(server)}; _xsrf={xsrf}", "X_XSRFToken": xsrf}
    kernel = f"{server}api/kernels/{visit.kernel}"
    tried = [("POST", f"{server}api/kernels"), ("POST", f"{server}api/sessions")]
    tried += [(method, kernel) for method in ("POST", "PUT", "PATCH")]
    tried += [("POST", f"{kernel}/{deed}") for deed in ("interrupt", "restart", "shutdown")]
    for method, path in tried:
        assert fetch(path, method, **own).status in {403, 404, 405}, (method, path)
    assert fetch(kernel).status == 200


MESSAGES = ["execute_request", "inspect_request", "complete_request", "history_request", "is_complete_request"]
MESSAGES += ["debug_request", "interrupt_request", "create_subshell_request", "input_reply", "usage_request"]


def test_no_message_runs_code(server: Address, visit: Answer, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    code = f"open({str(proof)!r}, 'w').close()"
    asked = connect(server, visit.kernel)
    for kind in MESSAGES:
        for channel in ("shell", "control", "stdin"):
            content = {"code": code, "silent": False, "value": code, "user_expressions": {"a": code}, "cursor_pos": 4}
            asked.send_binary(packed(channel, kind, content))
    # behind them: when its reply is here, the code before it would have run
    asked.send_binary(packed("shell", "comm_info_request", {}))
    while b"comm_info_reply" not in (heard := asked.recv()):
        assert b"execute_reply" not in heard
    asked.close()
    assert not proof.exists() and server.kernel(visit.kernel).is_running()


def test_a_message_beyond_the_limit_closes_its_socket(server: Address, visit: Answer) -> None:
    one = connect(server, visit.kernel)
    try:
        one.send_binary(bytes(MESSAGE_LIMIT_BYTES + 1))
        while one.recv_data()[0] != websocket.ABNF.OPCODE_CLOSE:
            pass
    except (OSError, websocket.WebSocketConnectionClosedException):
        pass
    assert fetch(f"{server}api/kernels/{visit.kernel}").status == 200


def test_a_page_that_says_farewell_ends_its_kernel(server: Address) -> None:
    kernel, xsrf = fetch(server.page).kernel, "a" * 32
    own = {"Cookie": f"{cookie(server)}; _xsrf={xsrf}", "X_XSRFToken": xsrf}
    assert fetch(f"{server}voila/api/shutdown/{kernel}", "POST", **own).status == 204
    assert fetch(f"{server}api/kernels/{kernel}").status == 404


def test_a_kernel_that_died_is_not_replaced_by_an_empty_one(server: Address) -> None:
    kernel = fetch(server.page).kernel
    server.kernel(kernel).kill()
    state = f"{server}api/kernels/{kernel}"
    until(lambda: (found := fetch(state), found.status == 404 or '"dead"' in found.text), "the end of the kernel", 30)
    assert not server.kernels_named(kernel)


def test_a_cell_that_fails_leaves_no_trace_of_it_in_the_page(server: Address) -> None:
    answer = fetch(f"{server.page}?fail")
    assert answer.status == 200 and "<template></template>" in answer.text, "no output: the page then says a sentence"
    assert not re.search("Traceback|RuntimeError|secret", answer.text)
    assert "RuntimeError: secret" in server.output()


QUERIES = {
    "two thousand parameters": "&".join(f"a{k}=1" for k in range(1_000)),
    "no names": "=&=&&&=1",
    "escapes that are none": "%&%zz=%u0041&%=%",
    "a number without an end": "epsilon=" + "9" * 5_000,
    "markup": "page=<script>window.__x=1</script>&person=%22%3E%3Cimg%20src=x%20onerror=window.__x=1%3E",
    "line ends": "a=%0d%0aSet-Cookie:%20x=1%0d%0a%0d%0a<b>",
}


@pytest.mark.parametrize("name", QUERIES)
def test_strange_queries_end_in_an_answer_without_them(server: Address, name: str) -> None:
    answer = fetch(f"{server}?{QUERIES[name].replace(' ', '%20')}")
    assert answer.status in {200, 400}
    assert "<script>window" not in answer.text and "<b>" not in answer.text and "Traceback" not in answer.text
    assert not any("x=1" in line for line in answer.headers.get_all("Set-Cookie") or [])


def test_the_first_page_is_made_in_advance_and_keeps_the_settings_of_its_address(widgets_notebook: Path) -> None:
    with serve(widgets_notebook) as address:
        (first,) = address.wait_for_kernels(1)
        answer = fetch(f"{address.page}?page=place&x=%20")
        assert address.kernel(answer.kernel).pid == first.pid, "it was started before anyone asked"
        assert address.told(answer.kernel)["environment"]["QUERY_STRING"] == "page=place&x=%20"
        time.sleep(2)
        assert len(address.kernels()) == 1, "the next one starts once the first page is drawn"
        lesson = fetch(f"{address}voila/render/lesson/start.ipynb")
        assert lesson.kernel != answer.kernel and lesson.headers["Content-Security-Policy"]
        address.wait_for_kernels(3, 60)  # the next page, none for a lesson


@pytest.mark.nightly
def test_a_page_made_in_advance_waits_for_longer_than_a_cell_usually_may(widgets_notebook: Path) -> None:
    with serve(widgets_notebook) as address:
        (first,) = address.wait_for_kernels(1)
        time.sleep(125)
        answer = fetch(f"{address.page}?page=place")
        assert address.kernel(answer.kernel).pid == first.pid and "lmdk.prepared()" in answer.text
        assert address.told(answer.kernel)["environment"]["QUERY_STRING"] == "page=place"
    assert settings(1, "", "", {})["VoilaExecutor"]["timeout"] is None


def test_kernels_without_a_page_end_and_those_with_one_stay(widgets_notebook: Path) -> None:
    short = {"MappingKernelManager": {"cull_interval": 1, "cull_idle_timeout": 4}}
    with serve(widgets_notebook, settings=short) as address:
        kept = fetch(address.page).kernel
        page = connect(address, kept)
        lost = fetch(address.page).kernel
        until(lambda: _gone(address, lost), "the end of a kernel without a page", 60)
        assert fetch(f"{address}api/kernels/{kept}").status == 200, "the kernel of an open page is older and goes on"
        page.close()
        until(lambda: _gone(address, kept), "the end of a kernel whose page was lost", 60)
    assert settings(1, "", "", {})["MappingKernelManager"]["cull_idle_timeout"] == 3600


def _gone(address: Address, kernel: str) -> tuple[str, bool]:
    return kernel, not address.kernels_named(kernel)


def test_settings_of_the_user_are_not_read(widgets_notebook: Path, tmp_path: Path) -> None:
    bad = {"VoilaConfiguration": {"show_tracebacks": True, "template": "lab", "file_allowlist": [".*"]}}
    for place in (tmp_path, tmp_path / ".jupyter", tmp_path / "config"):
        place.mkdir(exist_ok=True)
        (place / "voila.json").write_text(json.dumps(bad), "utf-8")
    startup = tmp_path / ".ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "first.py").write_text("import os\nos._exit(3)\n", "utf-8")
    (tmp_path / "start.py").write_text("import os\nos._exit(3)\n", "utf-8")
    env = {
        "HOME": str(tmp_path),
        "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
        "JUPYTER_CONFIG_PATH": str(tmp_path / "config"),
        "IPYTHONDIR": str(tmp_path / ".ipython"),
        "PYTHONSTARTUP": str(tmp_path / "start.py"),
        "LMDK_TOKEN": "autumn-class+1",
    }
    with serve(widgets_notebook, env) as address:
        assert "login?token=autumn-class%2B1&next=" in address.opened
        answer = fetch(address.page)
        assert "lmdk.session" in answer.text and "application/vnd.voila.cell-output+json" in answer.text
        assert fetch(f"{address}voila/files/explorer.ipynb").status == 403
        assert "LMDK_TOKEN" not in address.told(answer.kernel)["environment"]


def test_overrides_are_on_top_of_the_shipped_settings() -> None:
    changed = settings(1, "", "", {}, {"More": {"most": 3}, "VoilaConfiguration": {"strip_sources": False}})
    assert changed["More"] == {"most": 3}
    assert changed["VoilaConfiguration"].pop("strip_sources") is False
    shipped = settings(1, "", "", {})["VoilaConfiguration"]
    assert shipped.pop("strip_sources") is True
    assert changed["VoilaConfiguration"] == shipped


@pytest.fixture(scope="module")
def secret_track(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    track = tmp_path_factory.mktemp("tracks") / "secret.csv"
    rows = [f"2026-01-05 {h:02}:00:00,{47.12345671 + h / 1e4:.8f},{8.98765432 + h / 1e4:.8f}" for h in range(12)]
    track.write_text("\n".join(["time,latitude,longitude", *rows, "2026-01-05 13:00:00,91.7654321,8.9876543"]), "utf-8")
    yield track


def test_a_true_place_is_in_no_log_and_no_file_of_the_server(secret_track: Path) -> None:
    with serve(track=secret_track) as address:
        answer = fetch(f"{address.page}?epsilon=0.5&landmarks=2")
        assert "lmdk.prepared()" in answer.text
        stays = (path for path in address.folder.rglob("*") if path.is_file() and path.suffix != ".tmp")
        written = b"".join(path.read_bytes() for path in stays)
        said = address.output() + answer.text + str(answer.headers)
    for canary in ("47.1234", "8.98765", "91.76543", "8.987654"):
        assert canary not in said and canary.encode() not in written
