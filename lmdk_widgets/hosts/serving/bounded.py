"""Kernels within limits: how much memory all of them may use, and how much is kept for a page that is away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from traitlets import Float, Integer

from lmdk_widgets.hosts.serving.allowed_memory import used_bytes, whole_bytes
from lmdk_widgets.hosts.serving.settings import MOST_UNREAD_BYTES


class Bounded(AsyncMappingKernelManager):
    """Kernels, none of which has a limit only of its own."""

    memory_all_mb = Integer(0, help="Most memory of all kernels, MB; 0 for three quarters of the machine's.").tag(
        config=True
    )
    memory_every = Float(5.0, help="Seconds between two looks at the memory of all kernels.").tag(config=True)

    scarce = False
    """Whether all kernels together use more memory than they may."""

    async def look_at_memory(self, used: Callable[[list[int], int], list[int]] = used_bytes) -> None:
        """See how much memory all kernels use. Beyond the limit no page starts, and the kernel that uses most ends."""
        limit = self.memory_all_mb << 20 or 3 * whole_bytes() // 4
        numbers = {kernel_id: pid for kernel_id in self.list_kernel_ids() if (pid := self._process(kernel_id))}
        found = await asyncio.to_thread(used, list(numbers.values()), limit)
        self.scarce = sum(found) > limit
        if self.scarce:
            most, kernel_id = max(zip(found, numbers, strict=True))
            self.log.error(
                "All pages together use %d MB, more than the %d MB that they may: the one with %d MB ends.",
                sum(found) >> 20,
                limit >> 20,
                most >> 20,
            )
            await self.end(kernel_id)

    async def end(self, kernel_id: str) -> None:
        """End a kernel."""
        raise NotImplementedError

    def _process(self, kernel_id: str) -> int | None:
        """The number of the process of a kernel; None while it starts or ends."""
        return getattr(getattr(self._kernels.get(kernel_id), "provisioner", None), "pid", None)

    def start_buffering(self, kernel_id: str, session_key: str, channels: Any) -> None:
        """Keep what a kernel says until its page is back; what is too much is given up, and the page begins anew."""
        super().start_buffering(kernel_id, session_key, channels)
        messages, kept = self._kernel_buffers[kernel_id]["buffer"], 0

        def keep(channel: str, parts: list[bytes]) -> None:
            nonlocal kept
            kept += sum(map(len, parts))
            if kept <= MOST_UNREAD_BYTES:
                messages.append((channel, parts))
            else:
                self.stop_buffering(kernel_id)

        for channel, stream in channels.items():
            stream.on_recv(partial(keep, channel))
