"""Starting the server: a private folder, an environment without the user's Jupyter settings, a port, a browser."""

from __future__ import annotations

import errno
import html
import ipaddress
import os
import shutil
import socket
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote
from zipfile import ZipFile

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.folder import private_folder
from lmdk_widgets.hosts.serving.page import PATHS
from lmdk_widgets.hosts.serving.public import Public, read_public
from lmdk_widgets.hosts.serving.secret_file import lasting_secret
from lmdk_widgets.hosts.serving.tokens import chosen_token
from lmdk_widgets.hosts.site import notebooks
from lmdk_widgets.linear import compiling

FIRST_PORT = 8866
COMPILING = "The fast solver is being compiled in the background, once; until it is ready, a slower one answers."
MANY_FILES = 8_192
"""Connections and files that the server may have open: two for each of 300 phones, and about fifteen for each page."""


def explore(
    track: str | os.PathLike[str] | Sequence[str] | None = None,
    *,
    port: int | None = None,
    timezone: str = "",
    browser: bool = True,
    notebook: str | os.PathLike[str] | None = None,
    lesson: str = "",
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    token: str | None = None,
    basemap: str | os.PathLike[str] | None = None,
    ledger: tuple[str | os.PathLike[str], str] | None = None,
) -> None:
    """Serve the explorer to one person on this machine until Ctrl+C; returns when every kernel has ended.

    Parameters
    ----------
    track : a file shown instead of the samples, or several, which the page offers to read as one; the page's kernel reads it
        and says what is wrong with it.
    port : None takes 8866 or the next free one; 0 takes any free one.
    timezone : the time zone of the track's times if the file has none ("Europe/Paris").
    browser : open the page in a browser, if there is one.
    notebook : served instead of the explorer.
    lesson : name of the lesson to open first; the explorer and the other lessons are on the same server.
    overrides : other settings ({class: {option: value}}), for tests.
    token : opens the server, as part of the printed address; None uses LMDK_TOKEN from the environment or creates one, ""
        lets in everyone who can reach the port, and prints a warning.
    basemap : a PMTiles file of streets for the maps, which a page gets from its kernel; None for none.
    ledger : of private releases, and the name of the subject whose remaining budget Track shows; None for none.

    Raises
    ------
    InputError : there is no such file or lesson, the basemap is not a PMTiles file, the port is taken, or the token cannot be
        part of an address.
    """
    from lmdk_widgets.hosts.serving import one_person  # brings Tornado, for which a room and a refusal need not wait

    given = [track] if isinstance(track, (str, os.PathLike)) else track or []
    paths = [_readable(each) for each in given]
    streets = None if basemap is None else str(Path(basemap).expanduser().resolve())
    if streets is not None:
        _streets(streets)
    token = chosen_token(token)
    page = Path(notebook) if notebook is not None else notebooks.notebook("explorer")
    first = notebooks.known_lesson(lesson) if lesson else ""
    (held, *_) = bind("127.0.0.1", port)
    number = held.getsockname()[1]
    address = one_person.opened_at(f"http://127.0.0.1:{number}/", token, first)
    allow_many_files()

    def announce() -> None:
        print(f"{'Lesson' if lesson else 'Explorer'} at {address}   Ctrl+C stops it", flush=True)
        _announced(_warning("127.0.0.1", token), browser, folder, address)

    with private_folder() as folder:
        os.environ.update(_environment(folder, _as_one(paths, folder), timezone) | _left(ledger))
        os.environ["LMDK_BASEMAP"] = streets or ""
        os.environ[PATHS] = "1" if token else ""  # without a token others of this machine may open the page
        os.chdir(folder)
        one_person.prepare(folder, port=number, token=token, page=page, overrides=overrides)
        held.close()  # Voila binds it again
        one_person.serve(announce)
        print("Stopped.", flush=True)


def serve(
    track: str | os.PathLike[str] | None = None,
    *,
    port: int | None = None,
    host: str = "127.0.0.1",
    timezone: str = "",
    browser: bool = True,
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    token: str | None = None,
    classroom: Mapping[str, Any] | None = None,
    public: str = "",
    proxies: Sequence[str] = (),
    people: int | None = None,
    overview: Mapping[str, Any] | None = None,
    basemap: str | os.PathLike[str] | None = None,
) -> None:
    """Serve the pages to a room until Ctrl+C: a few processes compute them. Returns when every process has ended.

    Parameters
    ----------
    track, timezone, port, browser, token : as for `explore`.
    host : the address to listen on; one beyond this machine prints who can then see the page.
    overrides : {"RoomServer": {argument: value}}, for tests.
    classroom : file, token, join and plan of a class on the same server, as for `open_class`; None for no class.
    public : the address of this server behind a proxy ("https://class.example.org/privacy/"); "" for no proxy.
    proxies : addresses or networks from which the proxy connects, if it is not on this machine; only they are believed about
        whose request it is.
    people : the most pages that may be open at the same time; None for 1,000.
    overview : token and shows_code of a page for whoever runs the server, as for `open_overview`; None for none.
    basemap : a PMTiles file of streets for the maps, read only from this server; None for none.

    Raises
    ------
    InputError : there is no such file or host, the basemap is not a PMTiles file, the port is taken, the token cannot be part
        of an address, or the public address or that of a proxy is not an address.
    """
    if proxies and not public:
        remedy = "Add --public with the address that people type"
        raise InputError("--proxy must come with --public", value=proxies[0], remedy=remedy)
    shown_at = read_public(public, proxies) if public else None
    path = _readable(track) if track is not None else None
    streets = None if basemap is None else _streets(basemap)
    is_chosen = bool(token or (token is None and os.environ.get("LMDK_TOKEN")))
    token = chosen_token(token, typed=overview is not None)
    sockets = bind(host, port)
    number = sockets[0].getsockname()[1]
    own = shown_at.address if shown_at else _address(host, number)
    address = own + (f"?token={quote(token)}" if token else "")
    opened = _class(classroom, host, number, own if shown_at else None)
    watched = _overview(overview, address, own)
    allow_many_files()

    def announce() -> None:
        lines = (line for one in (opened, watched) if one for line in one.lines())
        print(f"Explorer at {address}   Ctrl+C stops it", *lines, sep="\n", flush=True)
        _announced(_warning(host, token, shown_at), browser, folder, opened.board if opened else address)

    with private_folder() as folder:
        os.environ.update(_environment(folder, path, timezone) | _left(None))
        os.chdir(folder)
        told = {"classroom": opened, "overview": watched, "track": path, "timezone": timezone, "people": people}
        told |= {"secret": lasting_secret() if is_chosen and not opened else None, "public": shown_at}
        told |= {"announce": announce, "loopback": is_loopback(host), "token": token, "basemap": streets}
        _room_server(sockets, folder, **told, **(overrides or {}).get("RoomServer", {})).serve()
        print("Stopped.", flush=True)


def _announced(warning: str, browser: bool, folder: Path, address: str) -> None:
    """Print a warning if there is one, open the address in a browser if that is wanted and there is one, and have the fast
    solver compiled if it is not."""
    if warning:
        print(warning, file=sys.stderr, flush=True)
    if compiling.begin():
        print(COMPILING, flush=True)
    if browser and can_open_browser():
        Thread(target=webbrowser.open, args=(_opened(folder, address),), daemon=True).start()


def _room_server(sockets: list[socket.socket], folder: Path, **told: Any) -> Any:
    from lmdk_widgets.hosts.serving.room_server import RoomServer

    return RoomServer(sockets, folder, **told)


def _streets(path: str | os.PathLike[str]) -> Any:
    """The file of streets, opened and checked; its reader is imported only if there is one."""
    from lmdk_widgets.io.basemap import Basemap

    return Basemap(path, "--basemap")


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
        remedy="Choose another, or leave --port out to use the next free one from 8866",
    )


def _class(classroom: Mapping[str, Any] | None, host: str, port: int, public: str | None) -> Any:
    if classroom is None:
        return None
    from lmdk_widgets.hosts.serving.classroom.class_server import open_class

    return open_class(**{**classroom, "join": classroom.get("join") or public}, host=host, port=port)


def _overview(overview: Mapping[str, Any] | None, address: str, own: str) -> Any:
    if overview is None:
        return None
    from lmdk_widgets.hosts.serving.classroom.overview import open_overview

    return open_overview(address, own, **overview)


def allow_many_files() -> None:
    """Let this process have as many files open as a class needs, if the system has a limit and allows more."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MANY_FILES if hard == resource.RLIM_INFINITY else min(MANY_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _environment(folder: Path, track: Path | None, timezone: str) -> dict[str, str]:
    """Variables so that only this folder and Voila are found, and kernels write nothing to the home folder."""
    variables = {
        "JUPYTER_NO_CONFIG": "1",
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_CONFIG_PATH": "",
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTER_RUNTIME_DIR": str(folder),
        "JUPYTER_PATH": str(folder / "share"),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "IPYTHONDIR": str(folder / "ipython"),
        "LMDK_SOLVED": str(folder / "solved"),
        "LMDK_TRACK": str(track) if track is not None else "",
        "LMDK_TIMEZONE": timezone,
        "LMDK_STILL": "off",  # nobody saves what is served
        "LMDK_MEMORY_MB": os.environ.get("LMDK_MEMORY_MB", "2048"),
        # many small matrices in many kernels: threads of the linear algebra would only get in each other's way
        "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1"),
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1"),
    }
    own = [] if (notebooks.SERVING / "notebooks").is_dir() else [str(notebooks.SERVING.parents[2])]  # a checkout
    inherited = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if found := [*inherited, *own]:  # kernels have another working directory
        variables["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(found))
    return variables


def _left(ledger: tuple[str | os.PathLike[str], str] | None) -> dict[str, str]:
    """Variables that tell the pages about a ledger, which is for its owner only."""
    path, subject = ("", "") if ledger is None else (str(Path(ledger[0]).expanduser().resolve()), ledger[1])
    return {"LMDK_LEDGER": path, "LMDK_SUBJECT": subject}


def _readable(track: str | os.PathLike[str]) -> Path:
    path = Path(track).expanduser().resolve()
    if not path.is_file():
        from lmdk_widgets.trajectory.formats import NAMES

        remedy = "Choose a file in that folder" if path.is_dir() else "Check its name and folder"
        raise InputError(f"FILE must be an existing file: {NAMES}", value=str(track), remedy=remedy)
    if not os.access(path, os.R_OK):
        raise InputError("FILE must be a file that you can read", value=str(track), remedy="Check its permissions")
    return path


def _as_one(paths: Sequence[Path], folder: Path) -> Path | None:
    """The file that a page reads: several are copied into an archive in the server's own folder, which ends with it."""
    if len(paths) < 2:
        return paths[0] if paths else None
    archive = folder / f"{len(paths)} files.zip"
    with ZipFile(archive, "w") as packed:
        for number, path in enumerate(paths, 1):
            packed.write(path, f"{number}/{path.name}")
    return archive


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _address(host: str, port: int) -> str:
    from lmdk_widgets.hosts.serving.classroom.class_server import named_host

    return f"http://{named_host(host)}:{port}/"


def _warning(host: str, token: str, public: Public | None = None) -> str:
    """Who else can open the page, if that deserves a warning."""
    here = is_loopback(host)
    if token and here:
        return ""
    others = "everyone on your network" if host in {"0.0.0.0", "::", ""} else f"everyone who can reach {host}"
    if public and not token:  # a proxy asks for no token, and its requests come from this machine
        others = f"everyone who can reach {public.address}"
    who = "every user of this machine" if here and not public else others
    track = ", see the track you gave" if os.environ.get("LMDK_TRACK") else ""
    who += " who has the address with the token" if token else ""
    how = "" if token else " without a token"
    plain = "" if here else " The connection is not encrypted: anyone who intercepts it can read the track"
    listened = f"{plain}{' and the token' if token else ''}." if plain else ""
    remedy = (
        "" if token or who.startswith("every user") else " Without --no-token, they would need the printed address."
    )
    said = "WARNING" if remedy else "Note"
    return f"{said}: {who} can open this page{how}{track} and have pages computed here.{listened}{remedy}"


def _opened(folder: Path, address: str) -> str:
    """What the browser is told to open: a file in the private folder, as every user can see a browser's arguments.

    A browser in a snap cannot read the folder, so it gets the address itself.
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
