"""Starting the server: a private folder, an environment without the user's Jupyter settings, a port, a browser."""

from __future__ import annotations

import errno
import html
import ipaddress
import os
import secrets
import shutil
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

from lmdk_widgets.errors import InputError

FIRST_PORT = 8866
MOST_TOKEN = 100
SERVING = Path(__file__).parent

LESSONS = {
    "losses": "Losses: temporal privacy loss, from two states to a real track",
    "places": "Places: dilations, planar Laplace and OptPriv on the cells of a city",
    "quilts": "Quilts: hiding any one moment of a day, beside every baseline",
}
"""The lessons by name: notebooks that tell a story, shown as a page."""

FORMER = {"temporal_loss": "losses", "optimal_places": "places", "markov_quilts": "quilts"}
"""Names that lessons had before, which still open them."""


def explore(
    track: str | os.PathLike[str] | None = None,
    *,
    port: int | None = None,
    host: str = "127.0.0.1",
    timezone: str = "",
    browser: bool = True,
    notebook: str | os.PathLike[str] | None = None,
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    name: str = "Explorer",
    token: str | None = None,
) -> None:
    """Serve the explorer until Ctrl+C; returns when every kernel has ended.

    Parameters
    ----------
    track : a file shown instead of the samples; it is read by the page's kernel, which says what is wrong with it.
    port : None takes 8866 or the next free one; 0 takes any free one.
    host : the address to listen on; one beyond this machine prints who can then see the page.
    timezone : the time zone of the track's times when the file has none ("Europe/Paris").
    browser : open the page in a browser, if there is one.
    notebook : served instead of the explorer, such as a lesson.
    overrides : other settings ({class: {option: value}}), for tests.
    name : what stands before the address when it is printed.
    token : opens the server, as part of the printed address; None takes LMDK_TOKEN of the environment or makes one, ""
        lets everybody in who reaches the port, and prints a warning.

    Raises
    ------
    InputError : no such file, no such host, the port is taken, a token that cannot stand in an address.
    """
    path = _readable(track) if track is not None else None
    token = chosen_token(token)
    page = Path(notebook) if notebook is not None else explorer_notebook()
    sockets = bind(host, port)
    address = _address(host, sockets[0].getsockname()[1]) + (f"?token={quote(token)}" if token else "")

    def announce() -> None:
        print(f"{name} at {address}   Ctrl+C stops it", flush=True)
        if warning := _warning(host, token):
            print(warning, file=sys.stderr, flush=True)
        if browser and can_open_browser():
            Thread(target=webbrowser.open, args=(_opened(folder, address),), daemon=True).start()

    with _private_folder() as folder:
        shutil.copyfile(page, folder / "explorer.ipynb")
        os.environ.update(_environment(folder, path, timezone))
        os.chdir(folder)
        server = _server(folder, overrides, sockets=sockets, announce=announce, loopback=is_loopback(host), token=token)
        server.initialize([])
        server.start()
        print("Stopped.", flush=True)


def explorer_notebook() -> Path:
    """The notebook that is served, from the folder `notebooks`: beside this file when installed, else of the checkout."""
    return _notebook("explorer")


def lesson_notebook(name: str) -> Path:
    """The notebook of a lesson, found like that of the explorer.

    Raises
    ------
    InputError : there is no such lesson.

    Examples
    --------
    >>> lesson_notebook("losses").name
    'losses.ipynb'
    """
    former = name.replace("-", "_")
    known = FORMER.get(former, name)
    if known not in LESSONS:
        from lmdk_widgets.checks import either, refused  # brings NumPy, for which the command need not wait

        raise refused("NAME", either(LESSONS), name)
    return _notebook(known)


def _notebook(name: str) -> Path:
    installed = SERVING / "notebooks"
    return (installed if installed.is_dir() else SERVING.parents[1] / "notebooks") / f"{name}.ipynb"


def bind(host: str, port: int | None) -> list[socket.socket]:
    """Listening sockets at the port, or at the first free one from 8866 when port is None."""
    from tornado.netutil import bind_sockets

    wanted = [port] if port is not None else [*range(FIRST_PORT, FIRST_PORT + 50), 0]
    for candidate in wanted:
        try:
            return bind_sockets(candidate, host)
        except OSError as error:
            reason = error
    if isinstance(reason, socket.gaierror) or reason.errno == errno.EADDRNOTAVAIL:
        raise InputError(
            "--host must be an address of this machine", value=host, remedy="Choose 127.0.0.1, or 0.0.0.0 for all"
        )
    raise InputError(
        "--port must be free, and open to this user",
        value=str(port),
        remedy="Choose another, or leave --port out: the next free one from 8866 is taken",
    )


def _server(folder: Path, overrides: Mapping[str, Mapping[str, Any]] | None, **options: Any) -> Any:
    from traitlets.config import Config

    # "not installed": jsonschema would compile a grammar of addresses that nobody checks, half of the time to start
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    from lmdk_widgets.serving.server import Explorer
    from lmdk_widgets.serving.settings import settings

    options |= {"notebook_path": str(folder / "explorer.ipynb"), "connection_dir_root": str(folder)}
    return Explorer.instance(config=Config(settings(overrides)), open_browser=False, **options)


@contextmanager
def _private_folder() -> Iterator[Path]:
    # The name of a Unix socket has 104 bytes at most (macOS) and the temporary folder there takes 50 of them.
    short = tempfile.gettempdir() if len(tempfile.gettempdir()) < 24 or sys.platform == "win32" else "/tmp"
    folder = Path(tempfile.mkdtemp(prefix="lmdk-", dir=short))
    here = Path.cwd()
    try:
        yield folder
    finally:
        os.chdir(here)
        shutil.rmtree(folder, ignore_errors=True)


def _environment(folder: Path, track: Path | None, timezone: str) -> dict[str, str]:
    """Only this package's template and this environment's Voila are found; kernels keep nothing in the home folder."""
    variables = {
        "JUPYTER_NO_CONFIG": "1",
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_CONFIG_PATH": "",
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder),
        "JUPYTER_PATH": str(SERVING / "share"),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "IPYTHONDIR": str(folder / "ipython"),
        "LMDK_TRACK": str(track) if track is not None else "",
        "LMDK_TIMEZONE": timezone,
        # many small matrices in many kernels: threads of the linear algebra would only be in each other's way
        "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1"),
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1"),
    }
    inherited = os.environ.get("PYTHONPATH")
    if inherited:  # kernels have another working directory
        variables["PYTHONPATH"] = os.pathsep.join(os.path.abspath(p) for p in inherited.split(os.pathsep) if p)
    return variables


def _readable(track: str | os.PathLike[str]) -> Path:
    path = Path(track).expanduser().resolve()
    if not path.is_file():
        from lmdk_widgets.trajectory.formats import NAMES

        remedy = "Choose a file in that folder" if path.is_dir() else "Check its name and folder"
        raise InputError(f"FILE must be an existing file: {NAMES}", value=str(track), remedy=remedy)
    if not os.access(path, os.R_OK):
        raise InputError("FILE must be a file that you may read", value=str(track), remedy="Check its permissions")
    return path


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _address(host: str, port: int) -> str:
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def chosen_token(token: str | None) -> str:
    """The token of the server: the one given, that of LMDK_TOKEN, or a random one; "" stays empty.

    LMDK_TOKEN is taken out of the environment, so that no kernel inherits it.

    Raises
    ------
    InputError : it is not made of visible ASCII characters.
    """
    inherited = os.environ.pop("LMDK_TOKEN", "")
    token = (inherited or secrets.token_hex(24)) if token is None else token
    if not (token.isascii() and token.isprintable() and " " not in token and len(token) <= MOST_TOKEN):
        raise InputError(
            f"token must have at most {MOST_TOKEN} characters, all of them letters, digits or signs of ASCII",
            remedy="Leave it out: a random one is made and printed",
        )
    return token


def _warning(host: str, token: str) -> str:
    """Who else can open the page, where that is worth a warning."""
    if is_loopback(host) and token:
        return ""
    everyone = "everybody in your network" if host in {"0.0.0.0", "::", ""} else f"everybody who can reach {host}"
    who = "every user of this machine" if is_loopback(host) else everyone
    track = ", and sees the track you gave," if os.environ.get("LMDK_TRACK") else ""
    how = "who has the address with the token" if token else "without a token"
    plain = "" if is_loopback(host) else " The connection is not encrypted: who listens to it can read the track"
    listened = f"{plain}{' and the token' if token else ''}." if plain else ""
    return f"Note: {who} {how} can open this page{track} and each page starts a Python process here.{listened}"


def _opened(folder: Path, address: str) -> str:
    """What the browser is told to open: a file in the private folder, as every user sees a browser's arguments.

    A browser in a snap cannot read the folder and is told the address itself.
    """
    if shutil.which("snap"):
        return address
    file = folder / "open.html"
    file.write_text(f'<meta http-equiv="refresh" content="0;url={html.escape(address)}">', "utf-8")
    return file.as_uri()


def can_open_browser() -> bool:
    """Whether there is a browser that a person would see: not in CI, not over SSH, not without a display."""
    if os.environ.get("CI") or os.environ.get("SSH_CONNECTION"):
        return False
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True
