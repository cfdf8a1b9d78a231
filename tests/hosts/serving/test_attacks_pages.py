"""Attacks on the pages, each against the address of a running server and bounded in time and memory.

Limits that would need a crowd are set lower; what is attacked is what everybody can send.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from contextlib import ExitStack, suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psutil
import pytest
import websocket
from tornado.web import create_signed_value

from lmdk_widgets.hosts.serving.sockets import PROTOCOL
from lmdk_widgets.hosts.serving.visitors import derived
from tests.hosts.serving.conftest import MakeNotebook
from tests.hosts.serving.test_settings import connect, packed
from tests.hosts.serving.visits import fetch
from tests.server import Address, serve, started, until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="what Linux counts is looked at")]

EXPLORE = [sys.executable, "-m", "lmdk_widgets.cli", "explore", "--no-browser", "--port", "0"]


def header(kind: str) -> dict[str, str]:
    return {"msg_id": uuid4().hex, "msg_type": kind, "username": "", "session": "s", "version": "5.3"}


def answers(page: websocket.WebSocket) -> None:
    """Ask a kernel something, and wait for what it says."""
    page.send_binary(packed("shell", header("kernel_info_request"), {}))
    while b"kernel_info_reply" not in page.recv():
        pass


def closed_with(page: websocket.WebSocket) -> tuple[int, str]:
    """The code and the words with which the server closes a socket."""
    while True:
        kind, data = page.recv_data()
        if kind == websocket.ABNF.OPCODE_CLOSE:
            return int.from_bytes(data[:2], "big"), data[2:].decode()


def test_json_beyond_512_kb_closes_its_socket_before_it_is_parsed(server: Address) -> None:
    kernel = fetch(server).kernel
    good, bad = (connect(server, kernel, subprotocols=[PROTOCOL]) for _ in range(2))
    good.send_binary(packed("shell", header("comm_msg"), {"comm_id": "none", "data": {"x": "a" * 500_000}}))
    answers(good)
    for size in (600_000, 7_800_000):
        bad.send_binary(packed("shell", header("comm_msg"), {"comm_id": "none", "data": {"x": "a" * size}}))
        code, words = closed_with(bad)
        assert code == 1009 and "more than 512 KB" in words
        bad = connect(server, kernel, subprotocols=[PROTOCOL])
    answers(good)
    for each in (good, bad):
        each.close()


WIDE = "import ipywidgets; w = ipywidgets.Text('x' * 1_000_000); from IPython.display import display; display(w)"
ASKED = 400  # answers of 1 MB


@pytest.mark.nightly
def test_who_asks_and_does_not_read_is_disconnected_at_32_mb(notebook: MakeNotebook) -> None:
    with serve(notebook(WIDE)) as address:
        kernel, here = fetch(address).kernel, psutil.Process(address.process.pid)
        before = here.memory_info().rss
        page = connect(address, kernel, subprotocols=[PROTOCOL], sockopt=[(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**16)])
        comm = {"comm_id": "c", "target_name": "jupyter.widget.control", "data": {}}
        page.send_binary(packed("shell", header("comm_open"), comm, {"version": "1.0.0"}))
        asked = {"comm_id": "c", "data": {"method": "request_states"}}
        with suppress(OSError):
            for _ in range(ASKED):
                page.send_binary(packed("shell", header("comm_msg"), asked))
        until(lambda: (rest := _unread(address), rest == 0), "the end of the connection", 60)
        assert here.memory_info().rss - before < 240e6, "of 400 MB that were asked for"
        assert fetch(f"{address}nowhere").status == 404
        page.sock.close()


def _unread(address: Address) -> int:
    """Open connections of this machine's programs with the server."""
    found = psutil.Process(address.process.pid).net_connections("tcp")
    return sum(each.status == psutil.CONN_ESTABLISHED for each in found)


GREEDY = """
import os
if os.environ["QUERY_STRING"] == "greedy":
    taken = bytearray(300 << 20)
    taken[::4096] = b"x" * len(taken[::4096])
"""


def test_all_kernels_together_have_so_much_memory(notebook: MakeNotebook) -> None:
    few = {"Sessions": {"memory_all_mb": 400, "memory_every": 0.3}}
    with serve(notebook(GREEDY), settings=few) as address:
        modest, greedy = fetch(address).kernel, fetch(f"{address}?greedy").kernel
        assert {each.pid for each in address.wait_for_kernels(2)} >= {address.kernel(greedy).pid}
        first = address.kernel(greedy)
        fetch(f"{address}?greedy")
        address.wait_for_kernels(2, 30)
        until(lambda: (found := fetch(address), found.status == 200), "room again", 30)
        assert fetch(f"{address}api/kernels/{modest}").status == 200, "the one that used most ended"
        used = sum(each.memory_full_info().pss for each in address.kernels())
        assert used < 400 << 20 and "400 MB that they may" in address.output()
        assert first is not None


@pytest.mark.nightly
def test_visitors_who_only_ask_for_a_place_keep_nobody_out() -> None:
    with started([*EXPLORE, "--no-token", "--people", "2"]) as address:
        crowd = [fetch(f"{address}place").headers["Set-Cookie"].partition(";")[0] for _ in range(41)]
        for _ in range(3):
            for cookie in crowd:
                assert fetch(f"{address}place", Cookie=cookie).status == 200
        assert fetch(address).status == 200


def test_one_visitor_does_not_take_all_places(widgets_notebook: Path) -> None:
    with serve(widgets_notebook, settings={"Sessions": {"most": 4, "most_each": 2}}) as address:
        assert [fetch(address).status for _ in range(3)] == [200, 200, 429]
        refused = fetch(address)
        assert "has 2 pages of this server open" in refused.text and "Traceback" not in refused.text
        assert fetch(address, Cookie="=".join(address.admitted())).status == 200
        assert len(address.kernels()) == 3


@pytest.mark.nightly
def test_more_connections_than_files_fill_no_log_and_stop_nobody() -> None:
    limited = ["bash", "-c", 'ulimit -n 300; exec "$@"', "bash", *EXPLORE]
    with started(limited) as address, ExitStack() as stack:
        parts = urlsplit(address)
        for _ in range(400):
            made = socket.create_connection((parts.hostname, parts.port), timeout=30, source_address=("127.0.0.2", 0))
            stack.callback(made.close)
        for _ in range(10):
            assert fetch(f"{address}nowhere").status == 404
            time.sleep(0.2)
        assert len(address.output()) < 100_000


def test_a_cookie_made_from_a_guess_of_the_token_opens_nothing(server: Address) -> None:
    token = server.opened.partition("token=")[2]
    name = f"lmdk-{urlsplit(server).port}"
    for secret in (
        sha256(b"lmdk cookie " + token.encode()).digest(),
        derived(bytes(32), "pages", token),
        token.encode(),
    ):
        made = create_signed_value(secret, name, "a" * 32).decode()
        assert fetch(server, Cookie=f"{name}={made}").status == 403


def test_the_folder_of_a_server_that_was_killed_is_removed_by_the_next(widgets_notebook: Path) -> None:
    with serve(widgets_notebook) as address:
        fetch(address)
        folder, kernels = address.folder, address.kernels()
        os.kill(address.process.pid, signal.SIGKILL)
        address.process.wait(20)
        psutil.wait_procs(kernels, timeout=30)
    assert folder.is_dir()
    for path in folder.iterdir():
        os.utime(path, (0, 0), follow_symlinks=False)
    with serve(widgets_notebook) as address, serve(widgets_notebook) as other:
        assert not folder.exists() and address.folder.is_dir() and other.folder.is_dir()
        assert json.loads(fetch(f"{address}place").text)["open"]
