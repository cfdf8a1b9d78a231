"""Kernels: whose each is, how soon it is ready, how many there may be and when an unused one ends.

A page that is closed ends its own kernel at once; one that cannot say so (a crash, a lost network) leaves a kernel that
ends `cull_idle_timeout`, ten minutes, after the page was lost, even if it computes, so that a laptop that changes networks
finds its session again. An open page keeps its kernel while somebody uses it, and `forgotten_after`, eight hours, longer:
a working day, not a tab forgotten for weeks. The page's heartbeat is a plain request and counts as no use.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.ioloop import IOLoop
from tornado.web import HTTPError
from traitlets import Float, Integer

KERNEL = "python3"
LAUNCHER = Path(__file__).with_name("kernel.py")


class OneKernelSpec(KernelSpecManager):
    """Knows one kernel: this Python, started by `kernel.py`, whatever other kernels the user has installed."""

    def find_kernel_specs(self) -> dict[str, str]:
        return {KERNEL: str(LAUNCHER.parent)}

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        if kernel_name != KERNEL:
            raise NoSuchKernel(kernel_name)
        # -P: neither the folder of the script nor the working directory may shadow a module
        command = [sys.executable, "-P", str(LAUNCHER), "-f", "{connection_file}"]
        return KernelSpec(argv=command, language="python", display_name="Python", name=KERNEL)


class PromptClient(AsyncKernelClient):
    """A client that does not wait 0.2 s for further messages of a kernel that has just answered.

    Messages are matched to their requests, so that one left over from the greeting does no harm.
    """

    async def _async_wait_for_ready(self, timeout: float | None = None) -> None:
        deadline = datetime.now(UTC) + timedelta(seconds=timeout if timeout is not None else 3600)
        while datetime.now(UTC) < deadline:
            self.kernel_info()
            try:
                reply = await self.shell_channel.get_msg(timeout=1)
            except Empty:
                if not await self._async_is_alive():
                    raise RuntimeError("the kernel died before it was ready") from None
                continue
            if reply["msg_type"] == "kernel_info_reply" and await self._hears_output():
                self._handle_kernel_info_reply(reply)
                return
        raise RuntimeError("the kernel was not ready in time")

    wait_for_ready = _async_wait_for_ready

    async def _hears_output(self) -> bool:
        """Whether the subscription to the kernel's output works: a message of the greeting came through."""
        try:
            await self.iopub_channel.get_msg(timeout=0.2)
        except Empty:
            return False
        return True


class Left(Exception):
    """The visitor left the line."""


class Line:
    """The line of visitors whose page is to be made: lets `at_once` in at a time, whatever their names.

    The processor limits starts: thirty at once would all be ready at the end, in a row the median waits half as long.
    """

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self._names: list[str] = []  # in order of arrival; the first `at_once` of them are in
        self._moved = asyncio.Event()

    async def turn(self, name: str) -> AsyncIterator[int]:
        """Ends when it is this visitor's turn; gives how many are before it whenever that changes, down to 0.

        Who need not wait is given nothing.

        Raises
        ------
        Left : `leave` was called meanwhile.
        """
        self._names.append(name)
        told = 0
        while (before := self._before(name)) or told:
            if before != told:
                yield (told := before)
            if not before:
                return
            await self._moved.wait()

    def leave(self, name: str) -> None:
        """Out of the line, or ready: the next one moves up. Nothing happens when the name is not in the line."""
        if name in self._names:
            self._names.remove(name)
            self._moved.set()
            self._moved = asyncio.Event()

    def _before(self, name: str) -> int:
        if name not in self._names:
            raise Left
        return max(0, self._names.index(name) - self.at_once + 1)


class Sessions(AsyncMappingKernelManager):
    """The kernels of all pages: a place for each is kept from before its start until it has ended."""

    most = Integer(40, help="Most sessions at one time; a further page gets a sentence.").tag(config=True)
    at_once = Integer(max(2, os.cpu_count() or 2), help="Sessions that start at the same time.").tag(config=True)
    start_seconds = Float(10.0, help="Seconds after which a start no longer holds up the next one.").tag(config=True)
    forgotten_after = Integer(8 * 3600, help="Seconds without use after which an open page loses its kernel.").tag(
        config=True
    )
    memory_mb = Integer(2048, help="Most memory of a kernel for data, MB; 0 for any. On Linux only.").tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.line = Line(self.at_once)
        self._visitors: dict[str, str] = {}  # of each session, from `reserve` on
        self._alone_since: dict[str, datetime] = {}  # of each kernel that has no page

    @property
    def full(self) -> bool:
        """Whether there is no room for a further session."""
        return len(self._visitors) >= self.most

    def reserve(self, visitor: str) -> str:
        """A place for one more session: the number that its kernel will have. `end` frees it again.

        Raises
        ------
        HTTPError : 503 when all places are taken.
        """
        if self.full:
            raise HTTPError(503, "all sessions are in use")
        kernel_id = str(uuid4())
        self._visitors[kernel_id] = visitor
        return kernel_id

    def belongs(self, kernel_id: str, visitor: str) -> bool:
        """Whether there is such a kernel and this visitor started it."""
        owner = self._visitors.get(kernel_id, "")
        return kernel_id in self and hmac.compare_digest(owner.encode(), visitor.encode())

    async def turn(self, kernel_id: str) -> AsyncIterator[int]:
        """Wait until this session may start; gives how many are before it. The turn ends by itself after a time."""
        async for before in self.line.turn(kernel_id):
            yield before
        IOLoop.current().call_later(self.start_seconds, self.line.leave, kernel_id)

    async def end(self, kernel_id: str) -> None:
        """End a session, wherever it is between `reserve` and its end; several may ask for the same one.

        A kernel holds nothing that needs an orderly end; an interrupt would only print where it stood.
        """
        self.line.leave(kernel_id)
        if kernel_id in self:
            try:
                await self.shutdown_kernel(kernel_id, now=True)
            except (KeyError, HTTPError):
                if kernel_id in self:
                    raise  # otherwise another one was faster
        self._forget(kernel_id)

    async def end_all(self) -> None:
        """End every session. One may end by itself meanwhile; one that is starting ends as soon as it misses its server."""
        ended = await asyncio.gather(*map(self.end, self.list_kernel_ids()), return_exceptions=True)
        for error in ended:
            if error is not None:
                self.log.error("A session could not be ended (%s).", type(error).__name__)

    def _forget(self, kernel_id: str) -> None:
        self._visitors.pop(kernel_id, None)
        self._alone_since.pop(kernel_id, None)

    def remove_kernel(self, kernel_id: str) -> Any:
        """A kernel has ended, in whichever way: its place is free."""
        self._forget(kernel_id)
        return super().remove_kernel(kernel_id)

    def pre_start_kernel(self, kernel_name: str | None, kwargs: Any) -> Any:
        """As before, with a connection file that does not name the kernel: every user sees the lists of arguments."""
        manager, *rest = super().pre_start_kernel(kernel_name, kwargs)
        manager.connection_file = str(Path(self.connection_dir) / f"kernel-{uuid4().hex}.json")
        return manager, *rest

    async def _async_start_kernel(self, *, kernel_id: str | None = None, **kwargs: Any) -> str:  # type: ignore[override]
        if kernel_id not in self._visitors:
            raise HTTPError(403, "a place is reserved before a kernel starts")
        own = {"LMDK_KERNEL": kernel_id, "LMDK_MEMORY_MB": str(self.memory_mb)}
        kwargs["env"] = {**kwargs.get("env", os.environ), **own}
        started = await super()._async_start_kernel(kernel_id=kernel_id, **kwargs)
        self._alone_since[started] = datetime.now(UTC)
        return started

    start_kernel = _async_start_kernel  # type: ignore[assignment]

    def notify_connect(self, kernel_id: str) -> None:
        """A page came, or came back."""
        super().notify_connect(kernel_id)
        self._alone_since.pop(kernel_id, None)

    def notify_disconnect(self, kernel_id: str) -> None:
        """A page was lost: the ten minutes for its return begin now."""
        super().notify_disconnect(kernel_id)
        if kernel_id in self and not self._kernel_connections.get(kernel_id, 0):
            self._alone_since[kernel_id] = datetime.now(UTC)

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End a kernel that had no page for `cull_idle_timeout`, busy or not, or no use for `forgotten_after`."""
        kernel = self._kernels.get(kernel_id)
        if kernel is None:  # its page ended it while others were looked at
            return
        now = datetime.now(UTC)
        if alone := self._alone_since.get(kernel_id):
            over = now - alone > timedelta(seconds=self.cull_idle_timeout)
        else:
            idle = kernel.execution_state not in {None, "starting", "busy"}
            over = idle and now - kernel.last_activity > timedelta(seconds=self.forgotten_after)
        if over:
            await self.end(kernel_id)
