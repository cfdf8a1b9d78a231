"""Kernels of one person's pages: whose each is, how soon it is ready, and when an unused one ends.

A page that is closed immediately ends its own kernel; one that cannot say so (a crash, a lost network) leaves a kernel that
ends some time after the page was lost, even if it is computing: after `lost_after`, less than a minute, if the page has said
that it can restart with everything that was chosen, and after `cull_idle_timeout`, ten minutes, if it cannot, such as a
lesson. An open page keeps its kernel while a visitor uses it, and for `forgotten_after`, eight hours, longer: a working day,
not a tab forgotten for weeks. The page's heartbeat is a plain request: it says that the page is there, but does not count as
use. Seconds are those of a clock that nobody sets: a laptop that slept, or whose time was corrected, has lost none of them.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Empty
from time import monotonic
from typing import Any
from uuid import uuid4

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from traitlets import Integer, TraitError

KERNEL = "python3"
LAUNCHER = Path(__file__).with_name("kernel.py")


class OneKernelSpec(KernelSpecManager):
    """Knows only one kernel: this Python, started by `kernel.py`, whatever other kernels the user has installed."""

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

    Messages are matched to their requests, so one left over from the greeting does no harm.
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


class Sessions(AsyncMappingKernelManager):
    """The kernels of all pages: each has a reserved place from before it starts until it has ended."""

    forgotten_after = Integer(8 * 3600, help="Seconds without use after which an open page loses its kernel.").tag(
        config=True
    )
    said_before = Integer(300, help="How many seconds before that the page warns of it.").tag(config=True)
    lost_after = Integer(
        40, help="Seconds in which a page that can restart without losing anything must come back."
    ).tag(config=True)
    memory_mb = Integer(2048, help="Maximum memory of a kernel for data, MB; 0 for no limit. Linux only.").tag(
        config=True
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._visitors: dict[str, str] = {}  # of each session, from `reserve` on
        self._alone_since: dict[str, float] = {}  # of each kernel that has no page
        self._used: dict[str, tuple[Any, float]] = {}  # of each kernel: its last activity, and when that was noticed
        self._returning: set[str] = set()  # kernels whose page can start again

    def reserve(self, visitor: str) -> str:
        """Reserve the id of a kernel for one more session of a visitor; `end` forgets it."""
        kernel_id = str(uuid4())
        self._visitors[kernel_id] = visitor
        return kernel_id

    def belongs(self, kernel_id: str, visitor: str) -> bool:
        """Whether there is such a kernel, and this visitor started it."""
        owner = self._visitors.get(kernel_id, "")
        return kernel_id in self and hmac.compare_digest(owner.encode(), visitor.encode())

    async def end(self, kernel_id: str) -> None:
        """End a session at any point after `reserve`; several callers may end the same one.

        A kernel has nothing that needs an orderly end; an interrupt would only print where it was.
        """
        if kernel_id in self:
            try:
                await self.shutdown_kernel(kernel_id, now=True)
            except (KeyError, HTTPError):
                if kernel_id in self:
                    raise  # otherwise another caller was faster
        self._forget(kernel_id)

    async def end_all(self) -> None:
        """End every session. Some may end by themselves meanwhile; one that is starting ends once its server is gone."""
        ended = await asyncio.gather(*map(self.end, self.list_kernel_ids()), return_exceptions=True)
        for error in ended:
            if error is not None:
                self.log.error("A session could not be ended (%s).", type(error).__name__)

    def _process_file(self, kernel_id: str) -> Path:
        return Path(self.connection_dir) / f"{kernel_id}.pid"

    def _forget(self, kernel_id: str) -> None:
        self._visitors.pop(kernel_id, None)
        self._alone_since.pop(kernel_id, None)
        self._used.pop(kernel_id, None)
        self._returning.discard(kernel_id)

    def remove_kernel(self, kernel_id: str) -> Any:
        """A kernel has ended, in any way: its place is free."""
        self._forget(kernel_id)
        self._process_file(kernel_id).unlink(missing_ok=True)
        if kernel_id in self:  # even if it died: its sockets are not left to the garbage collector
            self.stop_buffering(kernel_id)
            self.stop_watching_activity(kernel_id)
        return super().remove_kernel(kernel_id)

    def pre_start_kernel(self, kernel_name: str | None, kwargs: Any) -> Any:
        """As before, with a connection file that does not name the kernel: every user can see command-line arguments."""
        manager, *rest = super().pre_start_kernel(kernel_name, kwargs)
        manager.connection_file = str(Path(self.connection_dir) / f"kernel-{uuid4().hex}.json")
        return manager, *rest

    async def _async_start_kernel(self, *, kernel_id: str | None = None, **kwargs: Any) -> str:  # type: ignore[override]
        if kernel_id not in self._visitors:
            raise HTTPError(403, "a place must be reserved before a kernel starts")
        kwargs["env"] = {**kwargs.get("env", os.environ), "LMDK_MEMORY_MB": str(self.memory_mb)}
        started = await super()._async_start_kernel(kernel_id=kernel_id, **kwargs)
        # which process belongs to which page, for whoever runs the server; in a folder that only its user can read
        self._process_file(started).write_text(str(getattr(self._kernels[started].provisioner, "pid", "")))
        self._alone_since[started] = monotonic()
        return started

    start_kernel = _async_start_kernel  # type: ignore[assignment]

    def notify_connect(self, kernel_id: str) -> None:
        """A page connected, or came back."""
        super().notify_connect(kernel_id)
        self._alone_since.pop(kernel_id, None)

    def notify_disconnect(self, kernel_id: str) -> None:
        """A page was lost: the time for its return starts now."""
        super().notify_disconnect(kernel_id)
        if kernel_id in self and not self._kernel_connections.get(kernel_id, 0):
            self._alone_since[kernel_id] = monotonic()

    def asked_by_page(self, kernel_id: str, *, returning: bool) -> dict[str, Any]:
        """What the page is told when it asks for its kernel; it is there then, with or without a socket.

        Parameters
        ----------
        returning : whether the page can restart with another kernel without losing anything.
        """
        if kernel_id in self._alone_since:
            self._alone_since[kernel_id] = monotonic()
        if returning:
            self._returning.add(kernel_id)
        left = self._left_s(kernel_id)
        return {"ends_in": left, "ends_soon": left is not None and left <= self.said_before}

    def use(self, kernel_id: str) -> None:
        """A visitor uses the page of a kernel."""
        self._used[kernel_id] = self._kernels[kernel_id].last_activity, monotonic()

    def _left_s(self, kernel_id: str) -> float | None:
        """Seconds until a kernel ends because nobody uses its page; None while it computes."""
        kernel = self._kernels[kernel_id]
        try:
            last = kernel.last_activity
        except TraitError:
            return None  # it is being started, and was never used
        if self._used.get(kernel_id, (None,))[0] != last:
            self.use(kernel_id)
        if kernel.execution_state in {None, "starting", "busy"}:
            return None
        return self._used[kernel_id][1] + self.forgotten_after - monotonic()

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End a kernel that had no page for too long, busy or not, or was not used for `forgotten_after`."""
        if kernel_id not in self._kernels:  # its page ended it while others were checked
            return
        left = self._left_s(kernel_id)
        if (alone := self._alone_since.get(kernel_id)) is not None:
            patience = self.lost_after if kernel_id in self._returning else self.cull_idle_timeout
            left = alone + patience - monotonic()
        if left is not None and left < 0:
            await self.end(kernel_id)
