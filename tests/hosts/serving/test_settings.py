"""The shipped configuration, started for real: each setting takes effect, and nothing else is answered."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import websocket

from lmdk_widgets.hosts.serving.kernel_pages import PROTOCOL
from lmdk_widgets.hosts.serving.settings import settings
from tests.hosts.serving.visits import Answer, cookie, fetch
from tests.server import Address, serve, until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def visit(server: Address) -> Answer:
    """The page as a program without a browser sees it."""
    return fetch(f"{server}?theme=<script>&voila-theme=dark&template=nowhere&voila-template=lab")


def connection(server: Address, kernel: str) -> dict:
    """What the connection file of a kernel says."""
    return json.loads(server.told(kernel)["connection"])


def test_theme_and_template_cannot_be_overridden(visit: Answer) -> None:
    assert visit.status == 200
    assert "<title>lmdk: location privacy explorer</title>" in visit.text
    assert visit.text.rstrip().endswith("</html>"), "an unknown template must not hang the page"
    assert "theme=<script>" not in visit.text and "nowhere" not in visit.text
    assert json.loads(re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', visit.text)[1])["jupyterLabTheme"] == (
        "light"
    )


def test_sources_prints_and_warnings_stay_out_of_the_page(visit: Answer, server: Address) -> None:
    assert "IntSlider(" not in visit.text and "secret" not in visit.text
    assert "a secret line" in server.output()


def test_page_names_no_other_host(visit: Answer) -> None:
    # the favicon names the SVG name space, which nothing fetches
    found = set(re.findall(r"https?://[\w.]+", visit.text)) - {"http://www.w3.org"}
    assert not found


def test_page_is_complete_without_widgets(visit: Answer) -> None:
    for part in ('<html lang="en">', 'name="viewport"', "<noscript>", 'rel="icon" href="data:', 'name="lmdk-static"'):
        assert part in visit.text


def test_only_needed_extensions_are_named(visit: Answer) -> None:
    config = json.loads(re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', visit.text)[1])
    names = {extension["name"] for extension in config["federated_extensions"]}
    assert names == {"@voila-dashboards/widgets-manager8", "anywidget", "lmdk"}


def test_page_is_not_kept_and_loads_nothing_foreign(visit: Answer) -> None:
    assert visit.headers["Cache-Control"] == "no-store"
    policy = visit.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert set(re.findall(r"https://[\w.]+", policy)) == {"https://tile.openstreetmap.org"}


def test_kernels_speak_through_sockets_in_a_private_folder(visit: Answer, server: Address) -> None:
    found = connection(server, visit.kernel)
    assert found["transport"] == "ipc"
    folder = Path(found["ip"]).parent
    assert folder.stat().st_mode & 0o077 == 0 and folder.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "path",
    [
        "explorer.ipynb",
        "page.ipynb",
        "picture.svg",
        "voila/files/explorer.ipynb",
        "voila/files/picture.svg",
        "voila/render/explorer.ipynb",
        "voila/tree",
        "voila/api/contents",
        "voila/labextensions/jupyterlab-plotly/package.json",
        "voila/templates/lmdk/static/controls.js",
        "api/kernels",
        "api/contents",
        "login",
        "static/x.js",
    ],
)
def test_nothing_else_is_served(server: Address, path: str) -> None:
    answer = fetch(server + path)
    assert answer.status == 404
    assert "There is no such page here" in answer.text and "Traceback" not in answer.text


def test_nobody_starts_restarts_or_ends_kernels(visit: Answer, server: Address) -> None:
    kernel = f"{server}api/kernels/{visit.kernel}"
    assert fetch(kernel).status == 200
    assert fetch(f"{server}api/kernels", "POST").status in {403, 404, 405}
    assert fetch(f"{kernel}/restart", "POST").status in {403, 404, 405}
    assert fetch(kernel, "DELETE").status in {403, 405}
    assert fetch(f"{server}voila/api/shutdown/{visit.kernel}", "POST").status == 403, "without the page's cookie"
    assert fetch(kernel).status == 200


def test_names_that_point_here_are_refused(server: Address) -> None:
    answer = fetch(server, Host="attacker.example")
    assert answer.status == 403 and "refused" in answer.text


def test_no_kernel_for_frames_of_other_sites_or_prefetching(server: Address) -> None:
    before = len(server.kernels())
    assert fetch(server, Sec_Fetch_Site="cross-site", Sec_Fetch_Dest="iframe").status == 403
    assert fetch(server, Sec_Purpose="prefetch;prerender").status == 503
    assert len(server.kernels()) == before


def test_files_are_kept_by_the_browser_and_stay_in_their_folder(visit: Answer, server: Address) -> None:
    prefix = re.search(r'name="lmdk-static" content="/(.*?)static/"', visit.text)[1]
    answer = fetch(f"{server}{prefix}extensions/lmdk/controls.js")
    assert answer.status == 200 and "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Content-Type"].startswith("text/javascript")
    for outside in ("..%2fsettings.py", "%2e%2e/%2e%2e/launch.py", "../page.css"):
        assert fetch(f"{server}{prefix}static/{outside}").status in {403, 404}


def connect(server: Address, kernel: str, query: str | None = None, **options: Any) -> websocket.WebSocket:
    query = f"session_id={uuid4().hex}" if query is None else query
    url = f"{server.replace('http', 'ws', 1)}api/kernels/{kernel}/channels?{query}"
    return websocket.create_connection(url, timeout=30, **{"cookie": cookie(server), **options})


@pytest.mark.parametrize(
    ("subprotocols", "origin", "status"), [([], None, 400), (["other"], None, 400), ([PROTOCOL], "http://evil", 403)]
)
def test_old_protocol_and_foreign_pages_get_no_socket(
    visit: Answer, server: Address, subprotocols: list[str], origin: str | None, status: int
) -> None:
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        connect(server, visit.kernel, subprotocols=subprotocols, origin=origin)
    assert refused.value.status_code == status


def test_code_sent_through_the_socket_is_not_run(visit: Answer, server: Address, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    header = {"msg_id": "1", "msg_type": "execute_request", "username": "", "session": "s", "version": "5.3"}
    content = {"code": f"open({str(proof)!r}, 'w').close()", "silent": False}
    # a comm_info_request behind it: when its reply is here, the code before it would have run
    asked = {**header, "msg_id": "2", "msg_type": "comm_info_request"}
    socket = connect(server, visit.kernel, subprotocols=[PROTOCOL])
    socket.send_binary(packed("shell", header, content))
    socket.send_binary(packed("shell", asked, {}))
    while b"comm_info_reply" not in socket.recv():
        pass
    socket.close()
    assert not proof.exists()


def packed(channel: str, header: dict, content: dict, metadata: dict | None = None) -> bytes:
    """A message of the binary protocol: offsets, then channel, header, parent, metadata, content."""
    parts = [channel.encode(), *(json.dumps(part).encode() for part in (header, {}, metadata or {}, content))]
    offsets = [8 * (2 + len(parts))]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    numbers = [len(offsets), *offsets]
    return b"".join(number.to_bytes(8, "little") for number in numbers) + b"".join(parts)


def test_cell_that_fails_leaves_no_trace_of_it_in_the_page(server: Address) -> None:
    answer = fetch(f"{server}?fail")
    assert answer.status == 200 and '<main id="rendered_cells"><div class="lmdk-slot"></div></main>' in answer.text
    assert "<template></template>" in answer.text
    assert not re.search("Traceback|RuntimeError|secret", answer.text)
    assert "RuntimeError: secret" in server.output()


@pytest.mark.nightly
def test_kernels_without_a_page_end(widgets_notebook: Path) -> None:
    short = {"MappingKernelManager": {"cull_interval": 1, "cull_idle_timeout": 2}}
    with serve(widgets_notebook, settings=short) as address:
        kept = fetch(address).kernel
        page = connect(address, kept, subprotocols=[PROTOCOL])
        lost = fetch(address).kernel
        until(lambda: _gone(address, lost), "the end of a kernel without a page", 30)
        assert not _gone(address, kept)[1], "the kernel of an open page is older and goes on"
        page.close()
        until(lambda: _gone(address, kept), "the end of a kernel whose page was lost", 30)
        address.wait_for_kernels(0, 10)


def test_kernel_that_does_not_start_becomes_a_sentence(widgets_notebook: Path) -> None:
    broken = {"VoilaExecutor": {"startup_timeout": 0}}
    with serve(widgets_notebook, settings=broken, tracebacks=".") as address:
        answer = fetch(address)
        assert "could not start a Python session" in answer.text and answer.text.rstrip().endswith("</html>")
        assert "Traceback" not in answer.text
        address.wait_for_kernels(0, 10)


FULL_DISK = """
import errno, os, pathlib
is_full, opens = pathlib.Path(__file__).with_name("full"), os.open
def full(path, flags, *rest, **named):
    if flags & (os.O_WRONLY | os.O_CREAT) and is_full.exists():
        raise OSError(errno.ENOSPC, "No space left on device")
    return opens(path, flags, *rest, **named)
os.open = full
"""
"""Writes of the server and its kernels end as on a full disk while there is a file of that name."""


def test_a_full_disk_is_a_sentence_and_a_line_in_the_log_and_open_pages_go_on(
    widgets_notebook: Path, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(FULL_DISK, "utf-8")
    with serve(widgets_notebook, {"PYTHONPATH": str(tmp_path)}) as address:
        opened = fetch(address).kernel
        (tmp_path / "full").touch()
        refused = fetch(address)
        assert refused.status == 200 and "could not start a Python session" in refused.text
        assert "A Python session could not be started: No space left on device." in address.output()
        assert fetch(f"{address}api/kernels/{opened}").status == 200
        (tmp_path / "full").unlink()
        assert fetch(address).kernel
        address.wait_for_kernels(2)


def _gone(address: Address, kernel: str) -> tuple[str, bool]:
    """Whether a kernel has ended; asked of its file, as a request for it says that its page is there."""
    return kernel, not list(address.folder.glob(f"*/{kernel}.pid"))


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
    }
    with serve(widgets_notebook, env) as address:
        answer = fetch(address)
        assert "lmdk.session" in answer.text and "application/vnd.voila.cell-output+json" in answer.text
        assert fetch(f"{address}voila/files/voila.json").status == 404


def test_overrides_are_on_top_of_the_shipped_settings() -> None:
    changed = settings({"Sessions": {"most": 3}, "VoilaConfiguration": {"strip_sources": False}})
    assert changed["Sessions"] == {"most": 3}
    assert changed["VoilaConfiguration"].pop("strip_sources") is False
    shipped = settings()["VoilaConfiguration"]
    assert shipped.pop("strip_sources") is True
    assert changed["VoilaConfiguration"] == shipped
