"""Starts the real server for a test and ends it with all its kernels.

with serve() as address:                  # the shipped configuration, as `lmdk explore --no-browser` starts it
    urllib.request.urlopen(address)

with serve(notebook, settings={"MappingKernelManager": {"cull_interval": 1}}, track=path) as address:
    address.kernels()                     # the kernels that run now, as psutil processes
    address.output()                      # what the server printed so far
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parents[1]
PATIENCE_S = 60.0
PROGRAM = """
import json, sys
from lmdk_widgets.serving.launch import explore
explore(**json.loads(sys.argv[1]))
"""


class Address(str):
    """The address of a running server ("http://127.0.0.1:40001/"), with a look behind it."""

    process: subprocess.Popen
    log: Path

    def output(self) -> str:
        """Everything the server has printed so far, tracebacks for the terminal included."""
        return self.log.read_text("utf-8")

    def kernels(self) -> list[psutil.Process]:
        """The kernels that run now."""
        return [child for child in _children(self.process.pid) if _is_kernel(child)]

    def wait_for_kernels(self, count: int, patience_s: float = PATIENCE_S) -> list[psutil.Process]:
        """The kernels, as soon as there are `count` of them."""
        return until(lambda: (found := self.kernels(), len(found) == count), f"{count} kernels", patience_s)


@contextmanager
def serve(
    notebook: str | os.PathLike | None = None,
    env: Mapping[str, str] | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    track: str | os.PathLike | None = None,
    timezone: str = "",
) -> Iterator[Address]:
    """A running server on a free port; its address.

    Parameters
    ----------
    notebook : served instead of the explorer.
    env : environment variables for the server and its kernels, over those of the test.
    settings : over the shipped ones, {class: {option: value}}.
    track, timezone : as for `lmdk explore FILE --timezone TZ`.
    """
    command = [sys.executable, "-m", "lmdk_widgets.cli", "explore", "--no-browser", "--port", "0"]
    if notebook is not None or settings is not None:
        arguments = {"notebook": notebook and str(notebook), "overrides": settings, "port": 0, "browser": False}
        arguments |= {"track": track and str(track), "timezone": timezone}
        program = (
            "import json, sys; from lmdk_widgets.serving.launch import explore; explore(**json.loads(sys.argv[1]))"
        )
        command = [sys.executable, "-c", program, json.dumps(arguments)]
    else:
        command += ["--timezone", timezone] if timezone else []
        command += [str(track)] if track is not None else []
    with started(command, env) as address:
        yield address


@contextmanager
def started(command: list[str], env: Mapping[str, str] | None = None) -> Iterator[Address]:
    """Run a command that serves the explorer until the test is over."""
    environment = {**os.environ, **(env or {})}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [environment.get("PYTHONPATH")])])
    descriptor, name = tempfile.mkstemp(prefix="lmdk-test-", suffix=".log")
    with os.fdopen(descriptor, "wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        address = Address(_printed_address(process, Path(name)))
        address.process, address.log = process, Path(name)
        yield address
    finally:
        end(process)
        os.unlink(name)


def end(process: subprocess.Popen) -> None:
    """Stop a server as a service manager would; whatever is left of it after ten seconds is killed."""
    children = _children(process.pid)
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
    _, alive = psutil.wait_procs(children, timeout=3)
    for child in alive:
        child.kill()


def until(look: Any, what: str, patience_s: float = PATIENCE_S) -> Any:
    """Call `look`, which returns (value, whether that is it), until it is; the value."""
    deadline = time.monotonic() + patience_s
    while True:
        value, found = look()
        if found:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {patience_s:.0f} s for {what}, last seen: {value!r}")
        time.sleep(0.05)


def _printed_address(process: subprocess.Popen, log: Path) -> str:
    def look() -> tuple[str, bool]:
        text = log.read_text("utf-8")
        match = re.search(r"Explorer at (http://\S+)", text)
        if match is None and process.poll() is not None:
            raise AssertionError(f"the server did not start:\n{text}")
        return (match[1], True) if match else (text, False)

    return until(look, "the server's address")


def _children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _is_kernel(process: psutil.Process) -> bool:
    try:
        return any(part.endswith("kernel.py") for part in process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False
