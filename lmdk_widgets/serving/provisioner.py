"""Tells the kernels' manager to have its kernels forked by the nursery."""

from __future__ import annotations

import os
from importlib.metadata import EntryPoint
from typing import Any

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

from lmdk_widgets.serving.forked import Nursery

NAME = "lmdk-forked"


class ForkedKernel(LocalProvisioner):
    """A kernel of the page that is forked, or started by itself where there is no nursery."""

    nursery: Nursery | None = None
    """Of this server; of the class, as managers of kernels make provisioners by themselves."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        if ForkedKernel.nursery is None:
            return await super().launch_kernel(cmd, **kwargs)
        arguments, folder = cmd[cmd.index("-P") + 1 :], kwargs.get("cwd") or os.getcwd()
        try:
            process = await ForkedKernel.nursery.kernel(arguments, kwargs.get("env", os.environ), folder)
        except ConnectionError:
            self.log.error("The process that forks kernels has ended: each starts by itself from now on.")
            ForkedKernel.nursery = None
            return await super().launch_kernel(cmd, **kwargs)
        self.process = process  # type: ignore[assignment]  # it has what is asked of a process of one's own
        self.pid = self.pgid = process.pid
        return self.connection_info


def fork_from(nursery: Nursery | None) -> None:
    """Have the kernels of this server forked from the nursery; None leaves each to start by itself."""
    ForkedKernel.nursery = nursery
    entry = EntryPoint(NAME, f"{__name__}:{ForkedKernel.__name__}", KernelProvisionerFactory.GROUP_NAME)
    KernelProvisionerFactory.instance().provisioners[NAME] = entry


def metadata() -> dict[str, Any]:
    """What the description of a kernel says of how it is started."""
    return {"kernel_provisioner": {"provisioner_name": NAME}} if ForkedKernel.nursery else {}
