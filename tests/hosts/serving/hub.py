"""A real JupyterHub for a test: anyone with the password logs in, and each has a server and a folder of their own.

with jupyterhub(folder) as hub:                  # skips the test, saying so, where it or its proxy is not installed
    hub("user/ada/lab/tree/page.ipynb")          # an address on it; notebooks of ada lie in folder / "ada"
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server import ROOT, end, until

PASSWORD = "password-of-the-test"
SETTINGS = """
c = get_config()  # noqa: F821
c.JupyterHub.authenticator_class, c.JupyterHub.spawner_class = "dummy", "simple"
c.DummyAuthenticator.password, c.Authenticator.allow_all = {password!r}, True
c.JupyterHub.bind_url, c.JupyterHub.hub_port = "http://127.0.0.1:{ports[0]}", {ports[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.JupyterHub.db_url, c.JupyterHub.cookie_secret_file = "sqlite:///{folder}/hub.sqlite", "{folder}/secret"
c.SimpleLocalProcessSpawner.home_dir_template = "{folder}/{{username}}"
c.Spawner.cmd, c.Spawner.args = [{python!r}, "-m", "jupyterhub.singleuser"], ["--allow-root"]
c.Spawner.environment = {{"PYTHONPATH": {root!r}}}
c.Spawner.http_timeout = c.Spawner.start_timeout = 120
"""


@contextmanager
def jupyterhub(folder: Path) -> Iterator[Callable[[str], str]]:
    """A running hub on free ports over the folders of its users; what gives an address on it."""
    pytest.importorskip("jupyterhub", reason="JupyterHub is not installed")
    if (proxy := shutil.which("configurable-http-proxy")) is None:
        pytest.skip("configurable-http-proxy, which JupyterHub needs, is not installed")
    ports = free_ports(3)
    given = {"password": PASSWORD, "ports": ports, "folder": folder, "proxy": proxy}
    file = folder / "jupyterhub_config.py"
    file.write_text(SETTINGS.format(**given, python=sys.executable, root=str(ROOT)), "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with open(folder / "hub.log", "wb") as log:
        command = [sys.executable, "-m", "jupyterhub", "-f", str(file)]
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        address = f"http://127.0.0.1:{ports[0]}/"
        until(lambda: (process.poll(), process.poll() is not None or answers(f"{address}hub/login")), "the hub")
        assert process.poll() is None, (folder / "hub.log").read_text()
        yield lambda path: address + path
    finally:
        end(process)


def answers(address: str) -> bool:
    """Whether there is a page at an address."""
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status == 200
    except OSError:
        return False


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens at."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    found = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return found
