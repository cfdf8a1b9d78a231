"""Starts the real server for a test and ends it with all its kernels.

with serve() as address:                  # the shipped configuration, as `lmdk explore --no-browser` starts it
    page.goto(f"{address}?page=place")   # tests/browser.py and tests/hosts/serving/visits.py show the token by themselves
    address.opened                        # the address that was printed, token included

with serve(notebook, settings={"MappingKernelManager": {"cull_interval": 1}}, track=path) as address:
    address.kernels()                     # the kernels that run now, as psutil processes
    address.output()                      # what the server printed so far
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

ROOT = Path(__file__).parents[1]
PATIENCE_S = 120.0
RUNNING: dict[str, Address] = {}
"""The servers of the tests that run now, by host and port."""


class Address(str):
    """The address of a running server without its token ("http://127.0.0.1:40001/"), with a look behind it."""

    process: subprocess.Popen
    log: Path
    opened: str
    """The address that was printed: with the token, if there is one."""

    def admitted(self) -> tuple[str, str]:
        """Name and value of the cookie that a new visitor gets for the token."""
        connection = http.client.HTTPConnection(urlsplit(self).netloc, timeout=60)
        parts = urlsplit(self.opened)
        connection.request("GET", f"{parts.path}?{parts.query}")
        answer = connection.getresponse()
        connection.close()
        name, _, value = answer.headers["Set-Cookie"].partition(";")[0].partition("=")
        assert answer.status == 302 and name.startswith(("lmdk-", "username-")), (answer.status, answer.headers)
        return name, value

    @property
    def page(self) -> str:
        """The address of the page: of a room the server's own, of one person that of the notebook."""
        return f"{self}voila/render/explorer.ipynb" if "/voila/render/" in self.opened else str(self)

    def placed(self, url: str) -> str:
        """An address of a room's page or lesson, or that of the same page of one person."""
        if self.page == self:
            return url
        path, rest = re.fullmatch(r"([^?#]*)(.*)", url.removeprefix(self)).groups()  # type: ignore[union-attr]
        if path and not path.startswith("lesson/"):
            return url
        return (f"{self}voila/render/{path}.ipynb" if path else self.page) + rest

    def kernel(self, kernel_id: str) -> psutil.Process:
        """The process of one kernel."""
        (found,) = self.kernels_named(kernel_id)
        return found

    def kernels_named(self, kernel_id: str) -> list[psutil.Process]:
        """The processes of one kernel that run now: one, or none."""
        return [each for each in self.kernels() if kernel_id in _connection(each)]

    def told(self, kernel_id: str) -> dict[str, Any]:
        """The environment and the connection of a kernel, as the notebook of tests/hosts/serving wrote them down."""
        return json.loads((self.folder / "pages" / f"{self.kernel(kernel_id).pid}.json").read_text("utf-8"))

    @property
    def port(self) -> int:
        """Where the server itself listens, whatever proxy stands before it."""
        found = psutil.Process(self.process.pid).net_connections("tcp")
        return next(each.laddr.port for each in found if each.status == psutil.CONN_LISTEN)

    @property
    def folder(self) -> Path:
        """The private folder of the server."""
        return Path(psutil.Process(self.process.pid).cwd())

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
    basemap: str | os.PathLike | None = None,
    tracebacks: str = "",
) -> Iterator[Address]:
    """A running server on a free port; its address.

    Parameters
    ----------
    notebook : served instead of the explorer.
    env : environment variables for the server and its kernels, over those of the test.
    settings : over the shipped ones, {class: {option: value}}.
    track, timezone, basemap : as for `lmdk explore FILE --timezone TZ --basemap FILE`.
    tracebacks : a pattern of the errors whose traceback this test provokes; any other fails the test.
    """
    command = [sys.executable, "-m", "lmdk_widgets.cli", "explore", "--no-browser", "--port", "0"]
    if notebook is not None or settings is not None:
        arguments = {"notebook": notebook and str(notebook), "overrides": settings, "port": 0, "browser": False}
        arguments |= {"track": track and str(track), "timezone": timezone}
        arguments |= {"basemap": basemap and str(basemap)}
        program = (
            "import json, sys; from lmdk_widgets.hosts.serving import launch; launch.explore(**json.loads(sys.argv[1]))"
        )
        command = [sys.executable, "-c", program, json.dumps(arguments)]
    else:
        command += ["--timezone", timezone] if timezone else []
        command += ["--basemap", str(basemap)] if basemap is not None else []
        command += [str(track)] if track is not None else []
    with started(command, env, tracebacks) as address:
        yield address


@contextmanager
def started(command: list[str], env: Mapping[str, str] | None = None, tracebacks: str = "") -> Iterator[Address]:
    """Run a command that serves the explorer until the test is over; its log may hold no traceback but the expected."""
    environment = {**os.environ, **(env or {})}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [environment.get("PYTHONPATH")])])
    opened = ""
    descriptor, name = tempfile.mkstemp(prefix="lmdk-test-", suffix=".log")
    with os.fdopen(descriptor, "wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        opened = _printed_address(process, Path(name))
        address = Address(re.split(r"login\?|voila/render/|\?", opened)[0])
        address.process, address.log, address.opened = process, Path(name), opened
        RUNNING[urlsplit(address).netloc] = address
        yield address
        end(process)
        no_tracebacks(address.output(), tracebacks)
    finally:
        RUNNING.pop(urlsplit(opened).netloc, None)
        end(process)
        os.unlink(name)


COMMANDS = """
import json, os, sys, tempfile, traceback
import lmdk_widgets.hosts.serving.launch
from lmdk_widgets.cli import main

said = []
for arguments in json.loads(sys.argv[1]):
    files = [tempfile.TemporaryFile("w+") for _ in range(2)]
    if not (child := os.fork()):
        for file, place in zip(files, (1, 2)):
            os.dup2(file.fileno(), place)
        code = 1
        try:
            code = main(arguments)
        except SystemExit as end:
            code = end.code
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code or 0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said.append([code, *((file.seek(0), file.read())[1] for file in files)])
print(json.dumps(said))
"""


def commands(many: Iterable[Sequence[str]]) -> list[subprocess.CompletedProcess]:
    """What `lmdk` does with each of several arguments: one process imports it, and its children run them."""
    asked = [list(arguments) for arguments in many]
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, json.dumps(asked)], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    said = zip(asked, json.loads(done.stdout), strict=True)
    return [subprocess.CompletedProcess(arguments, *found) for arguments, found in said]


def no_tracebacks(log: str, expected: str = "") -> None:
    """Fail when a server's log holds a traceback, other than of errors that match `expected`."""
    found = re.findall(r"^Traceback \(most recent call last\):\n(?:[ \t|].*\n|\n)*(.*)", log, re.M)
    # Jupyter's own, if a page of one person closes before its kernel is ready, or while something is sent to it; and of
    # a kernel that closes its sockets while it answers who it is
    theirs = [
        "no attribute 'kernel_ws_protocol'",
        "StreamClosedError: Stream is closed",
        r"websocket\.WebSocketClosedError",
        r"ZMQError: Socket operation on non-socket",
    ]
    known = "|".join(filter(None, [expected, *theirs]))
    bad = [error for error in found if not re.search(known, error)]
    assert not bad, f"tracebacks in the server's log: {bad}\n{log[-6000:]}"


def address_of(url: str) -> Address | None:
    """The running server that a url leads to, if it is one of ours and asks for a token."""
    found = RUNNING.get(urlsplit(url).netloc)
    return found if found and "token=" in found.opened else None


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
        match = re.search(r"(?:Explorer|Lesson) at (https?://\S+)", text)
        if match is None and process.poll() is not None:
            raise AssertionError(f"the server did not start:\n{text}")
        return (match[1], True) if match else (text, False)

    return until(look, "the server's address")


def _children(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _connection(process: psutil.Process) -> str:
    """The file by which a kernel is reached, which no argument says: only its user reads the environment of a process."""
    try:
        return process.environ().get("LMDK_CONNECTION", "") if os.name == "posix" else " ".join(process.cmdline())
    except psutil.Error:  # it has just ended
        return ""


def _is_kernel(process: psutil.Process) -> bool:
    try:
        return any("ipykernel" in part for part in process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False
