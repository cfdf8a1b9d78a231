"""The server of a room: pages for many, computed by a few processes, along with a class and an overview.

    browser --socket--> this process --pipe--> a process that computes (compute.py)

This process controls access: tokens, cookies, limits, files that browsers keep. It reads only the length of what a page
says. The pages are those of a site (`hosts/site`), with a socket instead of the worker that runs Python.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import re
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tornado.ioloop import PeriodicCallback
from tornado.web import Application, HTTPError

from lmdk_widgets.course import LESSONS, STORIES
from lmdk_widgets.errors import log_to_stderr
from lmdk_widgets.hosts.serving import connections, files, handlers
from lmdk_widgets.hosts.serving.accountant import Accountant
from lmdk_widgets.hosts.serving.handlers import House, Quiet, Refused, StreetsPart
from lmdk_widgets.hosts.serving.pool import Pool
from lmdk_widgets.hosts.serving.public import Public
from lmdk_widgets.hosts.serving.settings import MESSAGE_LIMIT_BYTES
from lmdk_widgets.hosts.serving.sockets import MOST, Room, Socket
from lmdk_widgets.hosts.serving.visitors import PARAMETER, Visitors, derived, without_token
from lmdk_widgets.hosts.site.notebooks import ADDRESS, notebook

PRELOADED = ("live.js", "dashboard.js", "track.js", "map.js")
"""Modules that the first page asks for."""
LOOK_S = 1.0
"""Seconds between two looks at who has opened no page, and which files do not end."""
LESSON_S = 600
"""The seconds in which a lesson must be written."""
KEPT_S = 30 * 24 * 3600
"""The seconds after which lessons of a version that is not used are removed."""
PACKAGES = str(Path(__file__).parents[3])
WRITER = f"import sys; sys.path.append({PACKAGES!r}); from lmdk_widgets.hosts.site.lessons import main; main()"


class RoomServer:
    """The server.

    Parameters
    ----------
    sockets : where it listens; bound by the caller. folder : its own, for lessons and what pages have solved.
    token : opens the pages. announce : called when requests are answered. loopback : whether only this machine can reach it.
    public : its address behind a proxy. classroom : a class that is open on it. overview : the page for whoever runs the
    server. basemap : streets under the maps. track, timezone : a file with which the page Track starts. people : the most
    pages open at the same time. secret : the source of cookies without a class; None for one that ends with the server.
    processes, memory_mb, all_mb : how many compute, the most memory of each and in total.
    """

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        folder: Path,
        *,
        token: str,
        announce: Callable[[], None],
        loopback: bool = True,
        public: Public | None = None,
        classroom: Any = None,
        overview: Any = None,
        basemap: Any = None,
        track: Path | None = None,
        timezone: str = "",
        people: int | None = None,
        secret: bytes | None = None,
        processes: int | None = None,
        memory_mb: int = 2048,
        all_mb: int = 0,
    ) -> None:
        self._sockets, self._announce = sockets, announce
        self._classroom, self._overview = classroom, overview
        secret = classroom.secret if classroom else secret or os.urandom(32)
        base, secure = (public.base, public.secure) if public else ("/", False)
        visitors = Visitors(token, sockets[0].getsockname()[1], secure=secure, base=base)
        self.accounts = Accountant(people or MOST, connections.most_connections())
        self.house = House(base, visitors, secret, loopback, public, basemap, files.content_key(), self.accounts)
        about = {"track": str(track or ""), "timezone": timezone, "memory_mb": memory_mb}
        about |= {"reader": str(folder / "reader") if hasattr(os, "fork") else ""}
        about |= {"forks": sys.platform == "linux"}  # libraries of other systems may start threads, which a fork loses
        self.room = Room(Pool(about, processes, all_mb), self.accounts)
        self.lessons = Lessons(folder, self.house)
        self.application = self._made(derived(secret, "pages", token))

    def _made(self, cookie_secret: bytes) -> Application:
        house, base, prefix = self.house, self.house.base, self.house.prefix
        settings: dict[str, Any] = {
            "lmdk_house": house,
            "lmdk_room": self.room,
            "lmdk_lessons": self.lessons,
            "cookie_secret": cookie_secret,
            "xsrf_cookies": True,
            "xsrf_cookie_kwargs": {"samesite": "Lax", "secure": house.visitors.secure},
            "compress_response": True,  # files are compressed once, by `files.py`; this is for the pages themselves
            "log_function": lambda _handler: None,
            "websocket_ping_interval": 20,
            "websocket_ping_timeout": 20,
            "websocket_max_message_size": MESSAGE_LIMIT_BYTES,
        }
        roots = {"static": files.PACKAGE_STATIC, "extensions/lmdk": files.TEMPLATES / "static"}
        for path in files.PACKAGE_STATIC.glob("*.js"):  # what every page loads
            files.squeezed(str(path))
        found: list[Any] = [
            (base, Index),
            (f"{base}{ADDRESS}/([a-z_-]+)", Lesson),
            (f"{base}pages", Socket),
            (f"{base}forget", Forget),
            *((f"{prefix}/{name}/(.*)", files.Versioned, {"path": str(root)}) for name, root in roots.items()),
            *([(re.escape(house.streets), StreetsPart)] if house.streets else []),
            *(self._classroom.handlers(base) if self._classroom else ()),
            *(self._overview.handlers(base) if self._overview else ()),
            (connections.TOO_LONG, Refused, {"status": 414}),
            (r".*", Refused, {"status": 404}),
        ]
        return Application(found, **settings)

    def serve(self) -> None:
        """Serve until a signal ends it."""
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        log_to_stderr()
        for logger in (handlers.Words.log, *map(logging.getLogger, connections.LOGGERS)):
            logger.addFilter(connections.Brief())
        logging.getLogger("tornado.access").setLevel(logging.CRITICAL)
        logging.getLogger("tornado.general").setLevel(logging.ERROR)
        ended = asyncio.Event()
        _on_signals(ended.set)
        too_long = self.house.page("sentence.html").render(sentence=handlers.SENTENCES[414], status=414)
        accounts, public = self.accounts.connections, self.house.public
        server = connections.server(self.application, accounts, public=public, too_long=too_long)
        self.room.pool.start()
        looking = PeriodicCallback(self.room.look, 1e3 * LOOK_S)
        looking.start()
        server.add_sockets(list(self._sockets))
        self._announce()
        if self._overview:
            self._overview.start(self.room)
        try:
            await ended.wait()
        finally:
            server.stop()
            looking.stop()
            if self._overview:
                self._overview.stop()
            await self.room.pool.stop()
            await self.lessons.stop()
            if self._classroom:
                self._classroom.room.close()


def _on_signals(act: Callable[[], None]) -> None:
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if number := getattr(signal, name, None):
            try:
                asyncio.get_running_loop().add_signal_handler(number, act)
            except NotImplementedError:  # Windows
                signal.signal(number, lambda *_: asyncio.get_running_loop().call_soon_threadsafe(act))


class Lessons:
    """The lessons as pages: each is written when it is first requested, once for all servers of the same version.

    One process at a time writes them, at low priority: all at once would keep everyone's sliders waiting.

    Parameters
    ----------
    folder : of the server; used if the user has no folder for caches.
    """

    def __init__(self, folder: Path, house: House) -> None:
        self._folder, self._house = _kept_lessons(folder, house), house
        self._writing: dict[str, asyncio.Task[str | None]] = {}
        self._turn = asyncio.Lock()

    async def page(self, name: str) -> str | None:
        """A lesson, once it is written; None if that failed."""
        if name not in self._writing:
            self._writing[name] = asyncio.create_task(self._written(name))
        found = await asyncio.shield(self._writing[name])
        if found is None:
            self._writing.pop(name, None)  # another visit tries again
        return found

    async def _written(self, name: str) -> str | None:
        written = self._folder / f"{name}.html"
        async with self._turn:
            if not written.exists():
                await self._write(name)
        return written.read_text("utf-8") if written.exists() else None

    async def _write(self, name: str) -> None:
        told = {
            "name": name,
            "folder": str(self._folder),
            "home": self._house.base,
            "static": f"{self._house.prefix}/static/",
        }
        command = [sys.executable, "-P", "-c", WRITER, json.dumps(told)]
        process = await asyncio.create_subprocess_exec(*command, start_new_session=True)
        try:
            await asyncio.wait_for(process.wait(), LESSON_S)
        except (TimeoutError, asyncio.CancelledError):
            with suppress(ProcessLookupError):
                process.kill()
            raise

    async def stop(self) -> None:
        """Stop writing."""
        for task in self._writing.values():
            task.cancel()
        await asyncio.gather(*self._writing.values(), return_exceptions=True)


def _kept_lessons(folder: Path, house: House) -> Path:
    """The folder of the lessons as this version writes them, for this address; those of unused versions are removed."""
    digest = hashlib.sha256(f"{house.key} {house.base}".encode())
    for path in sorted([*Path(PACKAGES, "lmdk_widgets").rglob("*.py"), *notebook("explorer").parent.glob("*.ipynb")]):
        about = path.stat()
        digest.update(f"{path} {about.st_size} {about.st_mtime_ns}".encode())
    try:
        from platformdirs import user_cache_path

        kept = user_cache_path("lmdk_widgets") / "lessons" / digest.hexdigest()[:16]
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        for other in kept.parent.iterdir():
            if time.time() - other.stat().st_mtime > KEPT_S:
                shutil.rmtree(other, ignore_errors=True)
        os.utime(kept)
        if os.access(kept, os.W_OK) and kept.stat().st_mode & 0o022 == 0:
            return kept
    except (ImportError, OSError):  # a user without a folder for caches, or a full disk
        pass
    own = folder / "lessons"
    own.mkdir(mode=0o700, exist_ok=True)
    return own


class Index(Quiet):
    """The pages. Nothing is computed until their program has run in a browser and opened its socket."""

    takes_token = True

    async def get(self) -> None:
        if PARAMETER in self.request.query_arguments:  # now in the cookie, and nobody should see it
            query = without_token(self.request.query)
            self.redirect(f"{self.request.path}?{query}" if query else self.request.path)
            return
        self.set_header("Cache-Control", "no-store")
        stories = [[f"{self.house.base}{ADDRESS}/{name}", title] for name, title in STORIES.items()]
        site = await self.settings["lmdk_room"].pool.pages() | {"served": True, "stories": stories}
        about = {"site": site, "modules": PRELOADED, "xsrf": self.xsrf_token.decode()}
        self.finish(self.house.page("served.html").render(**about, **self.house.about()))

    def head(self) -> None:
        """Whether a page is known here."""
        self.finish()


class Lesson(Quiet):
    """A lesson: a page to read, whose questions are judged by a process that computes."""

    takes_token = True

    async def get(self, name: str) -> None:
        if PARAMETER in self.request.query_arguments:
            self.redirect(self.request.path)
            return
        if name not in LESSONS | STORIES:
            raise HTTPError(404)
        if (found := await self.settings["lmdk_lessons"].page(name)) is None:
            raise HTTPError(503)
        self.set_header("Cache-Control", "no-store")
        self.finish(found)


class Forget(Quiet):
    """A visitor wants to be forgotten: every page ends, with everything in it, and the cookie is replaced."""

    def post(self) -> None:
        self.settings["lmdk_room"].forget(self.current_user)
        self.house.visitors.new(self)
        self.set_header("Cache-Control", "no-store")
        self.set_status(204)
        self.finish()
