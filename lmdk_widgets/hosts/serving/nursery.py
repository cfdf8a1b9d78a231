"""The nursery: a process that has imported what every page needs, and from which kernels are forked.

Imports are most of what the start of a kernel costs. A fork has them at once and shares their memory with its siblings
for as long as neither changes it. When many pages are open, machine code for optimal places is loaded as well, which takes
almost two seconds in each kernel that has to do it by itself. The nursery has no threads and nobody's data, and draws
nothing from any generator. It ends with the server, whose end of the channel closes then, and so do its kernels, which
miss their parent.

Each line of the channel asks for a kernel, as JSON: its arguments, environment and working directory. The kernel itself
answers with its number, once it leads a group of processes of its own: a signal to that group reaches nobody else.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from lmdk_widgets.geoind.simplex import compiling
from lmdk_widgets.hosts.serving import kernel
from lmdk_widgets.hosts.widget.dashboard import PAGES

NEEDED = (
    "ipykernel.ipkernel",
    "ipykernel.kernelapp",
    "ipykernel.zmqshell",
    "ipykernel.heartbeat",
    "ipykernel.iostream",
    "ipykernel.subshell_manager",
    "IPython.core.interactiveshell",
    "tornado.platform.asyncio",
    *(module for _, module, _ in PAGES.values()),
)
"""What a kernel imports before it can run anything, and what every page is made of."""

CLASS = 5
"""So many open pages are a class."""
CALM_S = 0.5
"""Seconds without anybody who asks for a kernel."""


def main() -> None:
    """Fork a kernel for each line of the channel that the command line gives, until it is closed."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    # Ctrl+C is for the server, which then closes the channel; kernels that ended need not be waited for
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    kernel.no_debugger()
    prepare()
    gc.collect()
    gc.freeze()  # a collection would write into all that is shared
    asked, ready_for_class = channel.makefile("rb"), False
    while True:
        if not ready_for_class and is_class() and is_calm(channel):
            compiling.load_for_forks()
            gc.freeze()
            ready_for_class = True
        if not (line := asked.readline()):
            return
        if os.fork() == 0:
            wanted = json.loads(line)
            asked.close()
            born(channel, wanted)
            return


def is_class() -> bool:
    """Whether many pages are open: then it pays to load what only some pages need, and those take long to load."""
    own = Path(f"/proc/self/task/{os.getpid()}/children")  # a system may be built without this list
    return own.exists() and len(own.read_text().split()) >= CLASS


def is_calm(channel: socket.socket) -> bool:
    """Whether nobody asks for a kernel for a while."""
    return not select.select([channel], [], [], CALM_S)[0]


def prepare() -> None:
    """Import what is needed, and compute what the page begins with, so that this is in memory too."""
    for name in NEEDED:
        importlib.import_module(name)
    from lmdk_widgets.scenario import Scenario, evaluate
    from lmdk_widgets.trajectory import sample

    evaluate(Scenario(landmarks=(0, 2)), sample("bob"))


def born(channel: socket.socket, wanted: dict[str, Any]) -> None:
    """Become the kernel that was asked for; returns when it is shut down."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(wanted["environment"] | {"JPY_PARENT_PID": str(os.getppid())})
    os.chdir(wanted["folder"])
    sys.argv = wanted["arguments"]
    channel.sendall(b"%d\n" % os.getpid())
    channel.close()
    kernel.main()
