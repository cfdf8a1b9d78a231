"""Tells the kernels' manager to have its kernels forked by the nursery."""

from __future__ import annotations

import os
from importlib.metadata import EntryPoint
from typing import Any

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

from lmdk_widgets.hosts.serving.forked import Nursery

NAME = "lmdk-forked"


class ForkedKernel(LocalProvisioner):
    """A kernel of the page that is forked, or started by itself where there is no nursery."""

    nursery: Nursery | None = None
    """Of this server; of the class, as managers of kernels make provisioners by themselves."""
    again = 3
    """How often another one may be started."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        arguments, folder = cmd[cmd.index("-P") + 1 :], kwargs.get("cwd") or os.getcwd()
        process = None
        while process is None and (nursery := ForkedKernel.nursery) is not None:
            try:
                process = await nursery.kernel(arguments, kwargs.get("env", os.environ), folder)
            except ConnectionError:
                if nursery is ForkedKernel.nursery:  # nobody has noticed it before
                    self._start_another()
        if process is None:
            return await super().launch_kernel(cmd, **kwargs)
        self.process = process  # type: ignore[assignment]  # it has what is asked of a process of one's own
        self.pid = self.pgid = process.pid
        return self.connection_info

    def _start_another(self) -> None:
        """Another nursery in the place of one that has ended; none where that happens again and again."""
        ForkedKernel.again -= 1
        ForkedKernel.nursery = Nursery() if ForkedKernel.again >= 0 else None
        what = "another one is started" if ForkedKernel.nursery else "each starts by itself from now on"
        self.log.error("The process that forks kernels has ended: %s.", what)


def fork_from(nursery: Nursery | None) -> None:
    """Have the kernels of this server forked from the nursery; None leaves each to start by itself."""
    ForkedKernel.nursery = nursery
    entry = EntryPoint(NAME, f"{__name__}:{ForkedKernel.__name__}", KernelProvisionerFactory.GROUP_NAME)
    KernelProvisionerFactory.instance().provisioners[NAME] = entry


def metadata() -> dict[str, Any]:
    """What the description of a kernel says of how it is started."""
    return {"kernel_provisioner": {"provisioner_name": NAME}} if ForkedKernel.nursery else {}
