"""Kernels: which one is started, how soon it is ready, how many there may be and when an unused one ends.

When an idle kernel ends. A page that is closed ends its own kernel at once; one that cannot say so (a crash, a lost
network) leaves a kernel without a page, which ends after `cull_idle_timeout`, ten minutes, counted from the moment
the page was lost, so that a laptop that changes networks finds its session again. A page that stays open keeps its
kernel while somebody uses it, and `forgotten_after`, eight hours, longer: a working day with its meetings, not a tab
forgotten for weeks. The page's own heartbeat is a plain request and counts as no use, so it never keeps a kernel alive.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Empty
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager, NoSuchKernel
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.web import HTTPError
from traitlets import Integer

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


class Sessions(AsyncMappingKernelManager):
    """The kernels of all pages."""

    most = Integer(40, help="Most sessions at one time; a further page gets a sentence.").tag(config=True)
    forgotten_after = Integer(8 * 3600, help="Seconds without use after which an open page loses its kernel.").tag(
        config=True
    )

    @property
    def full(self) -> bool:
        """Whether there is no room for a further session."""
        return len(self) >= self.most

    async def _async_start_kernel(self, **kwargs: Any) -> str:  # type: ignore[override]
        if self.full:
            raise HTTPError(503, "all sessions are in use")
        return await super()._async_start_kernel(**kwargs)

    start_kernel = _async_start_kernel  # type: ignore[assignment]

    def notify_disconnect(self, kernel_id: str) -> None:
        """A page was lost: the ten minutes for its return begin now."""
        super().notify_disconnect(kernel_id)
        if kernel_id in self:
            self._kernels[kernel_id].last_activity = datetime.now(UTC)

    async def cull_kernel_if_idle(self, kernel_id: str) -> None:
        """End a kernel nobody used for `cull_idle_timeout` without a page, or `forgotten_after` with one."""
        kernel = self._kernels[kernel_id]
        if kernel.execution_state in {None, "starting", "busy"}:  # one that never gets ready is ended by its page
            return
        if not self._kernel_connections.get(kernel_id, 0):
            await super().cull_kernel_if_idle(kernel_id)
        elif datetime.now(UTC) - kernel.last_activity > timedelta(seconds=self.forgotten_after):
            await self.shutdown_kernel(kernel_id)
