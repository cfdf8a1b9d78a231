"""When an idle kernel ends, and how long a page waits for one."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from queue import Empty
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from jupyter_client.kernelspec import NoSuchKernel
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError
from traitlets.config import Config

from lmdk_widgets.hosts.serving.kernel_pages import Channels
from lmdk_widgets.hosts.serving.sessions import KERNEL, OneKernelSpec, PromptClient, Sessions
from lmdk_widgets.hosts.serving.settings import settings

MINUTES = 60


def ended(idle_s: float, pages: int, *, state: str | None = "idle", returning: bool = False) -> bool:
    """Whether a kernel that was idle, or had no page, for so long is ended."""
    manager = Sessions(config=Config(settings()))
    gone: list[str] = []

    async def shutdown(kernel_id: str, **_: Any) -> None:
        gone.append(kernel_id)

    manager.shutdown_kernel = shutdown  # type: ignore[method-assign]
    kernel = SimpleNamespace(last_activity=datetime.now(UTC), execution_state=state)
    manager._kernels["k"] = kernel
    manager.asked_by_page("k", returning=returning)
    manager._used["k"] = kernel.last_activity, monotonic() - idle_s
    if not pages:
        manager._alone_since["k"] = monotonic() - idle_s
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


def test_a_page_that_can_begin_anew_is_waited_for_less_than_a_minute() -> None:
    manager = Sessions(config=Config(settings()))
    assert manager.lost_after + manager.cull_interval < 60
    assert ended(41, 0, returning=True) and not ended(39, 0, returning=True)
    assert ended(41, 0, returning=True, state="busy") and not ended(41, 1, returning=True)


def test_a_page_that_asks_is_there_though_its_socket_is_not() -> None:
    manager = Sessions(config=Config(settings()))
    manager._kernels["k"] = SimpleNamespace(last_activity=datetime.now(UTC), execution_state="idle")
    manager._alone_since["k"] = monotonic() - 9 * MINUTES
    manager.asked_by_page("k", returning=True)
    assert monotonic() - manager._alone_since["k"] < MINUTES
    asyncio_run(manager.cull_kernel_if_idle("k"))
    assert "k" in manager._kernels


def test_the_end_of_an_unused_session_is_told_before_and_use_puts_it_off() -> None:
    manager = Sessions(forgotten_after=1000, said_before=300)
    kernel = SimpleNamespace(last_activity=datetime.now(UTC), execution_state="idle")
    manager._kernels["k"] = kernel
    told = manager.asked_by_page("k", returning=True)
    assert 999 < told["ends_in"] <= 1000 and not told["ends_soon"]
    manager._used["k"] = kernel.last_activity, monotonic() - 701
    assert manager.asked_by_page("k", returning=True)["ends_soon"], "the heartbeat is no use"
    manager.use("k")
    assert not manager.asked_by_page("k", returning=True)["ends_soon"]
    manager._used["k"] = kernel.last_activity, monotonic() - 701
    kernel.last_activity = datetime.now(UTC)
    assert not manager.asked_by_page("k", returning=True)["ends_soon"], "a message is"
    kernel.execution_state = "busy"
    assert manager.asked_by_page("k", returning=True)["ends_in"] is None


@pytest.mark.parametrize("days", [-1, 1])
def test_a_clock_that_jumps_ends_no_session(days: int, monkeypatch: pytest.MonkeyPatch) -> None:
    manager = Sessions(config=Config(settings()))
    manager._kernels["k"] = SimpleNamespace(last_activity=datetime.now(UTC), execution_state="idle")
    manager._kernels["alone"] = SimpleNamespace(last_activity=datetime.now(UTC), execution_state="idle")
    manager.notify_disconnect("alone")
    asyncio_run(manager.cull_kernel_if_idle("k"))

    class Jumped(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return datetime.now(tz) + timedelta(days=days)

    monkeypatch.setattr("lmdk_widgets.hosts.serving.sessions.datetime", Jumped)
    for kernel in ("k", "alone"):
        asyncio_run(manager.cull_kernel_if_idle(kernel))
    assert set(manager._kernels) == {"k", "alone"}


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
    before = monotonic()
    manager._kernels["k"] = SimpleNamespace()
    manager._kernel_connections["k"] = 2
    manager._alone_since["k"] = before - 60 * MINUTES
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


def test_a_kernel_that_is_being_started_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    manager = Sessions()
    manager._kernels["k"] = manager.kernel_manager_factory()  # it has no last activity before it runs
    asyncio_run(manager.cull_kernel_if_idle("k"))
    assert set(manager._kernels) == {"k"} and not caplog.records
