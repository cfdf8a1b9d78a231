"""What a page asks of its own kernel in plain requests: whether it is there, that it is used, that it may end."""

from __future__ import annotations

from lmdk_widgets.hosts.serving.handlers import Quiet
from lmdk_widgets.hosts.serving.visitors import Owned


class Status(Owned, Quiet):
    """What the page's heartbeat asks: is the kernel there, and for how long? It can be read, not ended or restarted."""

    async def get(self, kernel_id: str) -> None:
        self.refuse_others(kernel_id)
        self.set_header("Cache-Control", "no-store")
        returning = "returns" in self.request.query_arguments
        told = self.kernel_manager.asked_by_page(kernel_id, returning=returning)
        self.finish(self.kernel_manager.kernel_model(kernel_id) | told)


class Use(Owned, Quiet):
    """What a page asks that is used without Python: its kernel does not end for want of use."""

    async def post(self, kernel_id: str) -> None:
        self.refuse_others(kernel_id)
        self.kernel_manager.use(kernel_id)
        self.set_status(204)
        self.finish()


class Shutdown(Owned, Quiet):
    """What a page asks when it is closed."""

    async def post(self, kernel_id: str) -> None:
        self.refuse_others(kernel_id)
        await self.kernel_manager.end(kernel_id)
        self.set_status(204)
        self.finish()
