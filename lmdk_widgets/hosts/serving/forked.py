"""The nursery as the server sees it: how it asks for a kernel, and looks after a process that is not its own child."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

PROGRAM = "import sys; sys.path.append(sys.argv[2]); from lmdk_widgets.hosts.serving import nursery; nursery.main()"
PACKAGES = Path(__file__).parents[3]
HERE = sys.platform == "linux" and hasattr(os, "pidfd_open")
"""Whether kernels can be forked on this machine; elsewhere each is started by itself."""


class Nursery:
    """The process that forks kernels; it starts when this is made, and kernels wait until it is ready."""

    def __init__(self) -> None:
        self._one_at_a_time = asyncio.Lock()
        self._channel, theirs = socket.socketpair()
        with theirs:
            number = theirs.fileno()
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", PROGRAM, str(number), str(PACKAGES)],
                pass_fds=[number],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    async def kernel(self, arguments: list[str], environment: Mapping[str, str], folder: str) -> Forked:
        """A kernel with these arguments, environment and working directory.

        Raises
        ------
        ConnectionError : the nursery has ended.
        """
        wanted = {"arguments": arguments, "environment": dict(environment), "folder": folder}
        async with self._one_at_a_time:
            return Forked(await asyncio.to_thread(self._asked, json.dumps(wanted).encode() + b"\n"))

    def _asked(self, line: bytes) -> int:
        self._channel.sendall(line)
        answer = b""
        while not answer.endswith(b"\n"):
            if not (more := self._channel.recv(64)):
                raise ConnectionError("the nursery has ended")
            answer += more
        return int(answer)


class Forked:
    """A process of somebody else, with what `subprocess.Popen` offers of one's own; how it ended is not known."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._descriptor = os.pidfd_open(pid)

    def __del__(self) -> None:
        if (descriptor := getattr(self, "_descriptor", None)) is not None:
            os.close(descriptor)

    def poll(self) -> int | None:
        """None while it runs, then 0."""
        return 0 if self._ended(0) else None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; 0."""
        if not self._ended(None if timeout is None else timeout * 1000):
            raise subprocess.TimeoutExpired("a forked kernel", timeout or 0)
        return 0

    def _ended(self, timeout_ms: float | None) -> bool:
        watched = select.poll()  # select itself knows only the first 1,024 descriptors
        watched.register(self._descriptor, select.POLLIN)
        return bool(watched.poll(timeout_ms))

    def send_signal(self, number: int) -> None:
        """Send a signal, which a process that has ended does not get."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._descriptor, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)
