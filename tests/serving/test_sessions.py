"""When an idle kernel ends, and how long a page waits for one."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from queue import Empty
from types import SimpleNamespace
from typing import Any

import pytest
from jupyter_client.kernelspec import NoSuchKernel
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError
from traitlets.config import Config

from lmdk_widgets.serving.sessions import KERNEL, OneKernelSpec, PromptClient, Sessions
from lmdk_widgets.serving.settings import settings
from lmdk_widgets.serving.sockets import Channels

MINUTES = 60


def ended(idle_s: float, pages: int, *, state: str | None = "idle") -> bool:
    """Whether a kernel that was idle, or had no page, for so long is ended."""
    manager = Sessions(config=Config(settings()))
    gone: list[str] = []

    async def shutdown(kernel_id: str, **_: Any) -> None:
        gone.append(kernel_id)

    manager.shutdown_kernel = shutdown  # type: ignore[method-assign]
    last = datetime.now(UTC) - timedelta(seconds=idle_s)
    manager._kernels["k"] = SimpleNamespace(last_activity=last, execution_state=state)
    if not pages:
        manager._alone_since["k"] = last
    asyncio_run(manager.cull_kernel_if_idle("k"))
    return gone == ["k"]


def asyncio_run(awaitable: Any) -> Any:
    """Run to the end in a loop of its own, whatever loop a browser fixture keeps running in this thread."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, awaitable).result()


@pytest.mark.parametrize(
    ("idle_s", "pages", "expected"),
    [
        (9 * MINUTES, 0, False),
        (11 * MINUTES, 0, True),
        (11 * MINUTES, 1, False),
        (7 * 60 * MINUTES, 1, False),
        (9 * 60 * MINUTES, 1, True),
    ],
)
def test_kernels_end_after_ten_minutes_without_and_eight_hours_with_a_page(
    idle_s: float, pages: int, expected: bool
) -> None:
    assert ended(idle_s, pages) is expected


@pytest.mark.parametrize("state", ["busy", "starting", None])
def test_kernels_at_work_go_on_while_somebody_waits_for_them(state: str | None) -> None:
    assert not ended(9 * 60 * MINUTES, 1, state=state)
    assert ended(11 * MINUTES, 0, state=state), "nobody waits"


def test_a_kernel_that_ended_while_others_were_looked_at_is_no_error() -> None:
    asyncio_run(Sessions().cull_kernel_if_idle("gone"))


def test_all_sessions_end_though_one_ends_by_itself_and_one_cannot(caplog: pytest.LogCaptureFixture) -> None:
    manager, ended_now = Sessions(), []

    async def shutdown(kernel_id: str, **_: Any) -> None:
        if kernel_id == "gone":
            del manager._kernels[kernel_id]
            raise HTTPError(404)
        if kernel_id == "stuck":
            raise HTTPError(500)
        await asyncio.sleep(0.01)
        ended_now.append(kernel_id)

    manager.shutdown_kernel = shutdown  # type: ignore[method-assign]
    manager._kernels.update({name: SimpleNamespace() for name in ("gone", "stuck", "one", "other")})
    manager.log = logging.getLogger("sessions")
    asyncio_run(manager.end_all())
    assert sorted(ended_now) == ["one", "other"]
    assert caplog.messages == ["A session could not be ended (HTTPError)."]


@pytest.mark.parametrize("error", [WebSocketClosedError(), StreamClosedError(), ValueError("a secret"), None])
def test_a_page_that_leaves_in_mid_message_is_no_failure_and_anything_else_is(error: Exception | None) -> None:
    logged: list[str] = []
    log = SimpleNamespace(error=lambda text, *values: logged.append(text % values))

    async def send() -> None:
        sending: asyncio.Future[None] = asyncio.Future()
        sending.set_exception(error) if error else sending.set_result(None)
        Channels._sent(SimpleNamespace(log=log), sending)  # type: ignore[arg-type]

    asyncio_run(send())
    assert logged == (["A message to a page could not be sent (ValueError)."] if isinstance(error, ValueError) else [])


def test_a_socket_whose_page_went_before_it_was_accepted_is_not_found() -> None:
    with pytest.raises(HTTPError) as refused:
        Channels.select_subprotocol(SimpleNamespace(connection=None), [])  # type: ignore[arg-type]
    assert refused.value.status_code == 404


def test_the_wait_for_a_lost_page_begins_when_the_last_one_is_lost() -> None:
    manager = Sessions()
    before = datetime.now(UTC)
    manager._kernels["k"] = SimpleNamespace()
    manager._kernel_connections["k"] = 2
    manager._alone_since["k"] = before - timedelta(hours=1)
    manager.notify_connect("k")
    manager.notify_disconnect("k")
    manager.notify_disconnect("k")
    assert "k" not in manager._alone_since
    manager.notify_disconnect("k")
    assert manager._alone_since["k"] >= before


def test_there_is_one_kernel_and_it_is_this_python() -> None:
    specs = OneKernelSpec()
    assert list(specs.get_all_specs()) == [KERNEL]
    assert specs.get_kernel_spec(KERNEL).argv[1:3] == [
        "-P",
        str(OneKernelSpec().find_kernel_specs()[KERNEL]) + "/kernel.py",
    ]
    with pytest.raises(NoSuchKernel):
        specs.get_kernel_spec("ir")


class Channel:
    """Answers with what it was given, one after the other; with nothing once it is empty."""

    def __init__(self, *messages: Any) -> None:
        self.messages = list(messages)

    async def get_msg(self, timeout: float) -> Any:
        if not self.messages or (message := self.messages.pop(0)) is None:
            raise Empty
        return message


def client(shell: Channel, iopub: Channel, *, alive: bool = True) -> tuple[Any, list[str]]:
    asked: list[str] = []

    async def is_alive() -> bool:
        return alive

    stub = SimpleNamespace(
        shell_channel=shell,
        iopub_channel=iopub,
        kernel_info=lambda: asked.append("info"),
        _async_is_alive=is_alive,
        _handle_kernel_info_reply=lambda reply: asked.append("ready"),
    )
    stub._hears_output = lambda: PromptClient._hears_output(stub)
    return stub, asked


REPLY = {"msg_type": "kernel_info_reply"}


def test_ready_as_soon_as_the_kernel_answered_and_its_output_is_heard() -> None:
    stub, asked = client(Channel(REPLY), Channel({}))
    asyncio_run(PromptClient._async_wait_for_ready(stub, 5))
    assert asked == ["info", "ready"]


def test_asks_again_until_output_is_heard() -> None:
    stub, asked = client(Channel(None, REPLY, REPLY), Channel(None, {}))
    asyncio_run(PromptClient._async_wait_for_ready(stub, 5))
    assert asked == ["info", "info", "info", "ready"]


def test_a_kernel_that_died_is_an_error() -> None:
    stub, _ = client(Channel(), Channel(), alive=False)
    with pytest.raises(RuntimeError, match="died"):
        asyncio_run(PromptClient._async_wait_for_ready(stub, 5))
    with pytest.raises(RuntimeError, match="in time"):
        asyncio_run(PromptClient._async_wait_for_ready(stub, 0))
