"""Messages that no page sends: each is refused at once with a sentence, and the server goes on for everybody."""

from __future__ import annotations

import json
import time
import tracemalloc
from typing import Any

import psutil
import pytest
import websocket
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1

from lmdk_widgets.hosts.serving.frames import NOT_BINARY, NOT_JSON, POLICY, BadFrame, check_frame
from lmdk_widgets.hosts.serving.sockets import PROTOCOL
from tests.hosts.serving.test_settings import connect
from tests.hosts.serving.visits import fetch
from tests.server import Address, until

HEADER = json.dumps({"msg_id": "1", "msg_type": "comm_msg", "session": "s"}).encode()
DEEP = b'{"a":' * 100_000


def numbers(*values: int) -> bytes:
    return b"".join(value.to_bytes(8, "little") for value in values)


def frame(*parts: bytes, channel: bytes = b"shell", shift: int = 0) -> bytes:
    """A message of these parts (header, parent header, metadata, content, buffers), its offsets wrong by `shift`."""
    lengths = [len(channel), *map(len, parts)]
    first = 8 * (len(lengths) + 2) + shift
    offsets = [first + sum(lengths[:k]) for k in range(len(lengths) + 1)]
    return numbers(len(offsets), *offsets) + channel + b"".join(parts)


GOOD = frame(HEADER, b"{}", b"{}", b'{"a": 1}', b"\x00buffer")
TURNED = numbers(6, 56, 61, 50, 63, 65, 67)
BAD: dict[str, tuple[bytes | str, int]] = {
    "a count of 2^60 in 8 bytes": (numbers(2**60), POLICY),
    "a count of 2^63": (numbers(2**63) + bytes(64), POLICY),
    "text": ("hello", NOT_BINARY),
    "text that is a message of the older protocol": (json.dumps({"channel": "shell"}), NOT_BINARY),
    "nothing": (b"", POLICY),
    "seven bytes": (b"\x06" * 7, POLICY),
    "a count of none": (numbers(0), POLICY),
    "too few offsets": (numbers(2, 24, 24), POLICY),
    "more offsets than bytes": (numbers(6, 56, 61), POLICY),
    "a million offsets": (numbers(10**6) + bytes(8 * 10**6), POLICY),
    "offsets that decrease": (TURNED + bytes(64), POLICY),
    "offsets beyond the end": (frame(HEADER, b"{}", b"{}", b"{}", shift=9), POLICY),
    "a buffer that ends a byte beyond the end": (GOOD[:-1], POLICY),
    "offsets of 2^64 - 1": (numbers(6, *[2**64 - 1] * 6) + bytes(64), POLICY),
    "offsets into the offsets": (frame(HEADER, b"{}", b"{}", b"{}", shift=-40), POLICY),
    "no such channel": (frame(HEADER, b"{}", b"{}", b"{}", channel=b"\xff\xfe"), POLICY),
    "a header that is not JSON": (frame(b"\xff\xff", b"{}", b"{}", b"{}"), NOT_JSON),
    "a header that is a list": (frame(b"[1]", b"{}", b"{}", b"{}"), NOT_JSON),
    "a header without a type": (frame(b"{}", b"{}", b"{}", b"{}"), NOT_JSON),
    "a type that is a number": (frame(b'{"msg_type": 3}', b"{}", b"{}", b"{}"), NOT_JSON),
    "content that is not JSON": (frame(HEADER, b"{}", b"{}", b"{"), NOT_JSON),
    "content that is deep": (frame(HEADER, b"{}", b"{}", DEEP), NOT_JSON),
    "metadata that is text": (frame(HEADER, b"{}", b'"a"', b"{}"), NOT_JSON),
}


def test_messages_as_pages_send_them_pass() -> None:
    check_frame(GOOD)
    check_frame(serialize_msg_to_ws_v1([HEADER, b"{}", b"{}", b"{}"], "control"))
    assert deserialize_msg_from_ws_v1(GOOD) == ("shell", [HEADER, b"{}", b"{}", b'{"a": 1}', b"\x00buffer"])


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_message_is_refused_with_little_time_and_memory(name: str) -> None:
    bad, code = BAD[name]
    tracemalloc.start()
    before = time.process_time()
    try:
        with pytest.raises(BadFrame) as refused:
            check_frame(bad)
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert refused.value.code == code
    assert time.process_time() - before < 2 and used < 4_000_000 + 4 * len(bad)


def closed_with(socket: websocket.WebSocket) -> int:
    """The code with which the server closes a socket."""
    while True:
        kind, data = socket.recv_data()
        if kind == websocket.ABNF.OPCODE_CLOSE:
            return int.from_bytes(data[:2], "big")


@pytest.mark.slow
def test_the_server_closes_the_socket_says_so_in_one_line_and_goes_on(server: Address) -> None:
    kernel = fetch(server).kernel
    server_process = psutil.Process(server.process.pid)
    memory = server_process.memory_info().rss
    for bad, code in BAD.values():
        lines = len(server.output().splitlines())
        socket = connect(server, kernel, subprotocols=[PROTOCOL])
        socket.send(bad, opcode=websocket.ABNF.OPCODE_TEXT if isinstance(bad, str) else websocket.ABNF.OPCODE_BINARY)
        assert closed_with(socket) == code
        said = server.output().splitlines()[lines:]
        assert len(said) == 1 and "its connection is closed" in said[0], said
    assert fetch(f"{server}api/kernels/{kernel}").status == 200, "the kernel is there and others are answered"
    assert server_process.memory_info().rss - memory < 150e6


@pytest.mark.slow
@pytest.mark.parametrize(
    "session", ["", "session_id=", "session_id=%00", "session_id=a%00b", "session_id=" + "a" * 300]
)
def test_sockets_without_a_sound_name_are_refused(server: Address, session: str) -> None:
    kernel = fetch(server).kernel
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        connect(server, kernel, session, subprotocols=[PROTOCOL])
    assert refused.value.status_code == 400


@pytest.mark.slow
def test_a_kernel_that_ends_under_its_sockets_leaves_no_traceback(server: Address) -> None:
    for _ in range(3):
        kernel = fetch(server).kernel
        sockets = [connect(server, kernel, subprotocols=[PROTOCOL]) for _ in range(3)]
        process = server.kernel(kernel)
        for socket in sockets[:2]:
            socket.send_binary(GOOD)
        process.kill()
        for socket in sockets:
            _send_until_closed(socket)
        until(lambda k=kernel: (status := fetch(f"{server}api/kernels/{k}").status, status == 404), "the end", 20)
        with pytest.raises(websocket.WebSocketBadStatusException) as refused:
            connect(server, kernel, subprotocols=[PROTOCOL])
        assert refused.value.status_code == 404


def _send_until_closed(socket: Any) -> None:
    for _ in range(20):
        try:
            socket.send_binary(GOOD)
        except OSError:
            return
        time.sleep(0.02)
    socket.close()
