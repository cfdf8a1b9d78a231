"""`lmdk explore` as a person types it: what it says, which port it takes, how it ends and what it leaves behind."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving import launch
from tests.hosts.serving.conftest import MakeNotebook
from tests.hosts.serving.visits import fetch
from tests.server import ROOT, Address, commands, serve, started, until

pytestmark = pytest.mark.slow

LMDK = [sys.executable, "-m", "lmdk_widgets.cli"]


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([*LMDK, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60)


def test_help_names_every_option() -> None:
    shown = run("explore", "--help").stdout
    for option in ("FILE", "--port", "--no-browser", "--timezone", "--token", "--basemap"):
        assert option in shown


@pytest.mark.parametrize(
    ("command", "lasting"), [("serve", True), ("class", True), ("explore", False), ("lesson", False)]
)
def test_the_help_of_a_token_says_where_sign_ins_last(command: str, lasting: bool) -> None:
    """As docs/deploy.md says; `explore` and `lesson` are for one person, whose session ends with the server."""
    shown = " ".join(run(command, "--help").stdout.split())
    assert ("With a token that you set, visitors stay signed in after a restart" in shown) == lasting
    assert "(12 characters or more); default: LMDK_TOKEN, or a random one" in shown
    if lasting:
        said = " ".join((ROOT / "docs" / "deploy.md").read_text("utf-8").split())
        assert "If you set the token, visitors stay signed in after a restart" in said


REFUSED = [
    (["explore", "nowhere.gpx"], "JSON or CSV; got nowhere.gpx. Check its name"),
    (["explore", "tests"], "got tests. Choose a file in that folder."),
    (["explore", "--port", "99999"], "a port is a number from 1 to 65535, not '99999'"),
    (["explore", "--port", "abc"], "a port is a number"),
    (["serve", "--host", "192.0.2.1"], "--host must be an address of this machine; got 192.0.2.1"),
    ([], "COMMAND"),
]


def test_what_cannot_be_used_gets_a_sentence_and_code_2() -> None:
    found = commands(arguments for arguments, _ in REFUSED)
    for done, (arguments, sentence) in zip(found, REFUSED, strict=True):
        assert done.returncode == 2 and sentence in done.stderr, (arguments, done.stderr)
        assert "Traceback" not in done.stderr and done.stdout == "", arguments


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise ImportError('DLL load failed while importing _multiarray_umath')", "is damaged"),
        ("import numpy._core", "is damaged"),
        ("raise AttributeError('ufunc')", "is damaged"),
        ("raise ModuleNotFoundError('no', name='numpy')", "is not installed"),
    ],
)
def test_a_numpy_that_does_not_work_gets_a_sentence(tmp_path: Path, program: str, said: str) -> None:
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").write_text(program)
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    command = [*LMDK, "explore", "--no-browser"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == "" and "Traceback" not in done.stderr
    assert done.stderr.startswith(f"lmdk: NumPy must work; it {said}, and its import fails (")
    assert done.stderr.endswith("Install it again with: python -m pip install --force-reinstall numpy.\n")


@pytest.mark.nightly
def test_a_port_that_is_taken_gets_a_sentence() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        done = run("explore", "--no-browser", "--port", str(other.getsockname()[1]))
    assert done.returncode == 2
    assert "--port must be free, and open to this user; got " in done.stderr and "Choose another" in done.stderr


def test_the_next_free_port_when_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        monkeypatch.setattr(launch, "FIRST_PORT", taken)
        (found,) = launch.bind("127.0.0.1", None)
        with found:
            assert found.getsockname()[1] > taken


def test_file_and_time_zone_reach_the_kernel(notebook: MakeNotebook, tmp_path: Path) -> None:
    track, seen = tmp_path / "Ünser Weg.csv", tmp_path / "seen"
    track.write_text("time,latitude,longitude\n", "utf-8")
    cell = f"import os; open({str(seen)!r}, 'w').write(os.environ['LMDK_TRACK'] + '|' + os.environ['LMDK_TIMEZONE'])"
    with serve(notebook(cell), track=os.path.relpath(track), timezone="Europe/Paris") as address:
        fetch(address.page)
    assert seen.read_text("utf-8") == f"{track.resolve()}|Europe/Paris"


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGHUP, marks=pytest.mark.nightly)])
def test_ends_cleanly(widgets_notebook: Path, number: int) -> None:
    with serve(widgets_notebook) as address:
        fetch(address.page)
        kernels = address.wait_for_kernels(1)
        folder = address.folder
        assert folder.is_dir() and folder.parent == Path(tempfile.gettempdir())
        address.process.send_signal(number)
        assert address.process.wait(60) == 0
        assert not any(kernel.is_running() for kernel in kernels)
        assert not folder.exists()
        assert address.output().splitlines()[-1] == "Stopped."
        assert "Traceback" not in address.output()


def test_kernels_do_not_outlive_a_server_that_was_killed(widgets_notebook: Path) -> None:
    with serve(widgets_notebook) as address:
        fetch(address.page)
        kernels, folder = address.wait_for_kernels(1), address.folder
        address.process.kill()
        until(lambda: (kernels, not any(map(_runs, kernels))), "the kernels to end", 20)
        shutil.rmtree(folder)  # a server that is killed cannot


def _runs(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def test_prints_the_address_and_no_requests(server: Address) -> None:
    fetch(server + "nowhere")
    first = server.output().splitlines()[0]
    page = re.escape("/voila/render/explorer.ipynb")
    assert re.fullmatch(
        rf"Explorer at http://127\.0\.0\.1:\d+/login\?token=[0-9a-f]{{48}}&next={page} {{3}}Ctrl\+C stops it", first
    )
    assert "nowhere" not in server.output(), "an address holds what a person looked at"


def test_all_addresses_only_with_a_warning() -> None:
    command = [*LMDK, "serve", "--no-browser", "--port", "0", "--host", "0.0.0.0"]
    with started(command) as address:
        until(lambda: (address.output(), "everyone on your network" in address.output()), "the warning")
        assert "not encrypted" in address.output()


@pytest.mark.nightly
def test_shipped_notebook_is_served_by_the_command() -> None:
    with started([*LMDK, "explore", "--no-browser", "--port", "0"]) as address:
        assert isinstance(address, Address)
        answer = fetch(address.page)
        assert answer.status == 200 and "lmdk.prepared()" in answer.text


def test_no_browser_where_nobody_would_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch.webbrowser, "get", lambda: object())
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("CI", "SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not launch.can_open_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    assert launch.can_open_browser()
    monkeypatch.setenv("CI", "true")
    assert not launch.can_open_browser()


def test_command_returns_2_for_input_it_cannot_use(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise InputError("FILE must be a track")

    monkeypatch.setattr(launch, "explore", refuse)
    assert cli.main(["explore", "x.csv"]) == 2
    assert capsys.readouterr().err == "lmdk: FILE must be a track.\n"


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("10.0.0.1", False)],
)
def test_loopback(host: str, local: bool) -> None:
    assert launch.is_loopback(host) is local


def test_the_command_runs_as_a_module_too() -> None:
    done = subprocess.run([sys.executable, "-m", "lmdk_widgets.cli", "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("lmdk ")
