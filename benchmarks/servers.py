"""Starts the servers under test as their users would, and inspects their kernels' processes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

PAGES = Path(__file__).parent / "pages"
ROOT = Path(__file__).parent.parent
START_TIMEOUT_S = 60.0
FILL_DELAY_S = 10.0
"""The seconds after which Voila makes the next page in advance, as in this project's settings."""


class NotThere(Exception):
    """A page cannot be measured here; the message gives the reason."""


@contextmanager
def voila(track: Path) -> Iterator[dict[str, str]]:
    """A stock Voila that serves the bare page, made in advance as ours is; yields its address."""
    port = free_port()
    command = [sys.executable, "-m", "voila", str(PAGES), "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1"]
    command += ["--preheat_kernel=True", "--pool_size=1", f"--VoilaKernelManager.fill_delay={FILL_DELAY_S}"]
    with server(command, port, {"LMDK_BENCH_TRACK": str(track)}):
        base = f"http://127.0.0.1:{port}/voila/render"
        yield {"bare": f"{base}/bare.ipynb"}


@contextmanager
def explorer(track: Path, *more: str) -> Iterator[dict[str, str]]:
    """The project's own `lmdk explore FILE`, with more options; yields the address that it printed."""
    with command("explore", track, *more) as found:
        yield found


@contextmanager
def room(track: Path, *more: str) -> Iterator[dict[str, str]]:
    """`lmdk serve FILE`, for this machine only; yields the address that it printed."""
    with command("serve", track, "--host", "127.0.0.1", *more) as found:
        yield found


@contextmanager
def command(name: str, track: Path, *more: str) -> Iterator[dict[str, str]]:
    """A command that serves pages; yields the address that it printed."""
    port = free_port()
    script = Path(sys.executable).with_name("lmdk")
    call = [str(script)] if script.exists() else [sys.executable, "-m", "lmdk_widgets.cli"]
    with server([*call, name, str(track), "--no-browser", "--port", str(port), *more], port, {}) as log:
        deadline = time.monotonic() + START_TIMEOUT_S
        while (found := address(log.read_text(errors="replace"))) is None:  # it listens before it can answer
            if time.monotonic() > deadline:
                raise NotThere(f"`lmdk {name}` printed no address\n{tail(log)}")
            time.sleep(0.1)
        yield {"ours": found}


def address(text: str) -> str | None:
    """The first address in what a server printed, with its token.

    Examples
    --------
    >>> address("The explorer is at http://127.0.0.1:8866/ . Stop it with Ctrl-C.")
    'http://127.0.0.1:8866/'
    """
    found = re.search(r"https?://(?:127\.0\.0\.1|localhost)[^\s'\"]*", text)
    return found.group().rstrip(".,") if found else None


def linked(address: str, query: str) -> str:
    """The address of a page with the settings in a query: behind the login, or behind the token.

    Examples
    --------
    >>> linked("http://127.0.0.1:1/login?token=a&next=/voila/render/explorer.ipynb", "curve=1&n=2")
    'http://127.0.0.1:1/login?token=a&next=/voila/render/explorer.ipynb%3Fcurve%3D1%26n%3D2'
    """
    return address + quote(f"?{query}") if "&next=" in address else f"{address}&{query}"


@contextmanager
def server(command: list[str], port: int, extra: dict[str, str]) -> Iterator[Path]:
    """Start a server in its own process group and wait until it listens; yields its log, and stops the group at the end."""
    path = os.pathsep.join(filter(None, [str(ROOT), str(PAGES), os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory(prefix="lmdk-bench-") as folder:
        log = Path(folder) / "server.log"
        with log.open("wb") as sink:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=os.environ | {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1"} | extra,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            wait_until_listening(process, port, log)
            yield log
        finally:
            stop(process)


def wait_until_listening(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise NotThere(f"the server did not start: {' '.join(process.args)}\n{tail(log)}")  # type: ignore[arg-type]


def tail(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-15:])


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a server as Ctrl+C does, so that it ends its kernels and removes its files; then make sure that all have ended."""
    below = children(process.pid)
    for signal_, patience_s in ((signal.SIGINT, 10), (signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        if process.poll() is not None:
            break
        process.send_signal(signal_)
        try:
            process.wait(timeout=patience_s)
        except subprocess.TimeoutExpired:
            continue
    for pid in below:
        if running(pid):
            os.kill(pid, signal.SIGKILL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def children(pid: int) -> list[int]:
    """All descendants of a process."""
    try:
        direct = [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except OSError:
        return []
    return [pid for child in direct for pid in (child, *children(child))]


def running(pid: int) -> bool:
    """Whether this process exists and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kernel_pid(kernel_id: str) -> int:
    """The process of a kernel: stock Voila names it on its command line, the explorer in its environment."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or not running(int(entry.name)):
            continue
        try:
            told = [(entry / name).read_bytes() for name in ("cmdline", "environ")]
        except OSError:  # another user's
            continue
        if any(kernel_id.encode() in each for each in told):
            return int(entry.name)
    raise LookupError(f"no process of kernel {kernel_id}")


def pss_mb(pid: int) -> float:
    """Proportional set size of a process in MB (10^6 bytes): its own memory, and its part of shared memory."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.search(r"^Pss:\s+(\d+) kB", text, re.M)[1]) * 1024 / 1e6  # type: ignore[index]


def wait_until_gone(pid: int, timeout_s: float = 10.0) -> bool:
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if not running(pid):
            return True
        time.sleep(0.05)
    return False


def chromium_path() -> str | None:
    """A Chromium on this machine; None lets playwright find its own."""
    names = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "google-chrome-stable")
    found = (shutil.which(name) for name in names)
    return next(filter(None, found), None)
