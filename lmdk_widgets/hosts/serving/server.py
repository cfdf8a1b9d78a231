"""The server of one person: Voila with a fixed configuration, a fixed list of addresses and an orderly end."""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jupyter_core.utils import run_sync
from jupyter_server.auth.identity import IdentityProvider, User
from tornado.ioloop import IOLoop
from traitlets import Any as Anything
from traitlets import Bool, Callable, Dict, Instance, List, default
from voila.app import Voila
from voila.paths import collect_static_paths
from voila.utils import get_page_config, get_voila_labextensions_path

from lmdk_widgets.hosts.serving import connections, files, handlers, kernel_pages
from lmdk_widgets.hosts.serving.files import PACKAGE_STATIC, TEMPLATES, content_key
from lmdk_widgets.hosts.serving.handlers import House
from lmdk_widgets.hosts.serving.settings import EXTENSIONS, MESSAGE_LIMIT_BYTES
from lmdk_widgets.hosts.serving.visitors import Visitors, derived
from lmdk_widgets.hosts.site.notebooks import ADDRESS

PRELOADED = ("dashboard.js", "track.js", "map.js")
"""Modules that the explorer will need; the browser loads them while the kernel starts."""
PRELOADED_BY_LESSONS = ("figure_view.js", "sliding_figure.js")
PAGE_BYTES = 1_210_000
"""How much a first visitor's browser loads, compressed: the page says how much of it has arrived."""
KERNEL_ID = r"(?P<kernel_id>\w+-\w+-\w+-\w+-\w+)"


class Identity(IdentityProvider):
    """Tells Jupyter who is asking: the visitor that the server knows."""

    def get_user(self, handler: Any) -> User | None:
        found = handler.settings["lmdk_house"].visitors.find(handler)
        return User(found) if found else None


class Explorer(Voila):
    """Serves one notebook, and those of the lessons, on sockets that are already bound."""

    sockets = List(Instance(socket.socket), help="Where it listens; bound by the caller, who knows the port.")
    lessons = Dict(help="The files of the lessons by name, in the notebook's folder.")
    announce = Callable(help="Called when requests are answered.")
    loopback = Bool(True, help="Whether only this machine can reach the sockets.")
    public = Anything(None, help="The `Public` address of this server behind a proxy; None for no proxy.")
    basemap = Anything(None, help="The streets under the maps, an `io.basemap.Basemap`; None for none.")

    @default("config_file_paths")
    def _no_config_files(self) -> list[str]:
        return []

    @default("log_level")
    def _errors_only(self) -> int:
        return logging.ERROR

    def init_settings(self) -> dict[str, Any]:
        for logger in (self.log, *map(logging.getLogger, connections.LOGGERS)):
            logger.addFilter(connections.Brief())
        secret = os.urandom(32)
        self.cookie_secret = derived(secret, "pages", self.token)
        secure = bool(self.public and self.public.secure)
        visitors = Visitors(self.token, self.sockets[0].getsockname()[1], secure=secure, base=self.base_url)
        given = {"loopback": self.loopback, "public": self.public, "basemap": self.basemap}
        self.house = House(
            self.base_url, visitors, secret, key=content_key("voila", "anywidget", "ipywidgets"), **given
        )
        prepared = super().init_settings()
        prepared |= {
            # a name that an attacker points at 127.0.0.1 is not ours
            "allow_remote_access": not self.loopback,
            "websocket_max_message_size": MESSAGE_LIMIT_BYTES,
            "lmdk_page": self._page(prepared),
            "lmdk_house": self.house,
            "log_function": lambda _: None,  # no line for each request: an address says what a person looked at
            "compress_response": True,  # files are compressed once, by `files.py`; this is for the page itself
        }
        if self.public:
            prepared |= {"local_hostnames": [self.public.host], "allow_origin": self.public.origin}
        prepared["xsrf_cookie_kwargs"] = {"samesite": "Lax", "secure": secure}
        return prepared

    @default("identity_provider_class")
    def _visitors(self) -> type[Identity]:
        return Identity

    def _page(self, prepared: dict[str, Any]) -> dict[str, Any]:
        """What the frame of every page contains; the same for all, computed once."""
        config = get_page_config(self.base_url, prepared, self.log, self.voila_configuration)
        prefix = self.house.prefix
        config |= {
            "fullStaticUrl": f"{prefix}/voila",
            "fullLabextensionsUrl": f"{prefix}/extensions",
            "fullMathjaxUrl": f"{prefix}/extensions/lmdk/no_mathjax.js",
            "mathjaxConfig": "none",
            "jupyterLabTheme": "light",
        }
        config["federated_extensions"].append({"name": "lmdk", "load": "controls.js", "extension": "./extension"})
        return {"page_config": config, "base_url": self.base_url, "bytes": PAGE_BYTES, **self.house.about()}

    def init_handlers(self) -> list[Any]:
        base, prefix = self.base_url, self.house.prefix
        roots = {f"extensions/{name}": _extension(name) for name in EXTENSIONS} | {
            "voila": _voila_static(),
            "extensions/lmdk": TEMPLATES / "static",
            "static": PACKAGE_STATIC,
        }
        extensions = [path for name in EXTENSIONS for path in roots[f"extensions/{name}"].rglob("*.js")]
        for path in (roots["voila"] / "voila.js", *PACKAGE_STATIC.glob("*.js"), *extensions):  # what every page loads
            files.squeezed(str(path))
        page = {
            "template_paths": self.template_paths,
            "config": self.config,
            "voila_configuration": self.voila_configuration,
        }
        explorer = {"notebook_path": Path(self.notebook_path).name, "modules": _built(PRELOADED)}
        lesson = {"lessons": self.lessons, "modules": _built(PRELOADED_BY_LESSONS)}
        return [
            (base, kernel_pages.Page, page | explorer),
            (f"{base}{ADDRESS}/([a-z]+)", kernel_pages.Lesson, page | lesson),
            *((f"{prefix}/{name}/(.*)", files.Versioned, {"path": str(root)}) for name, root in roots.items()),
            (f"{base}api/kernels/{KERNEL_ID}", kernel_pages.Status),
            (f"{base}api/kernels/{KERNEL_ID}/channels", kernel_pages.Channels),
            (f"{base}lmdk/use/{KERNEL_ID}", kernel_pages.Use),
            (f"{base}voila/api/shutdown/{KERNEL_ID}", kernel_pages.Shutdown),
            *([(re.escape(self.house.streets), handlers.StreetsPart)] if self.house.streets else []),
            (connections.TOO_LONG, handlers.Refused, {"status": 414}),
            (r".*", handlers.Refused, {"status": 404}),
        ]

    def listen(self) -> None:
        """Serve until a signal ends it, then end every kernel."""
        # jupyter_server counts the seconds between pings in milliseconds, about which tornado complains
        logging.getLogger("tornado.general").setLevel(logging.ERROR)
        # not KeyboardInterrupt, which is lost if it occurs in a finalizer
        signal.signal(signal.SIGINT, self._handle_signal_stop)
        if hasattr(signal, "SIGHUP"):  # the terminal was closed
            signal.signal(signal.SIGHUP, self._handle_signal_stop)
        self.ioloop = IOLoop.current()
        server = connections.server(self.app, public=self.public, too_long=self._sentence_of_too_long())
        server.add_sockets(self.sockets)
        self.announce()
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    def _sentence_of_too_long(self) -> str:
        return self.house.page("sentence.html").render(sentence=handlers.SENTENCES[414], status=414)

    def stop(self) -> None:
        """End kernels first: they are told through sockets in the folder that is removed last."""
        try:
            run_sync(self.kernel_manager.end_all)()
        finally:
            shutil.rmtree(self.connection_dir, ignore_errors=True)


def _built(modules: Iterable[str]) -> list[str]:
    return [name for name in modules if (PACKAGE_STATIC / name).is_file()]


def _extension(name: str) -> Path:
    for root in get_voila_labextensions_path():
        if (Path(root) / name / "package.json").is_file():
            return Path(root) / name
    raise FileNotFoundError(f"the browser extension {name} is not installed with Voila")


def _voila_static() -> Path:
    for folder in collect_static_paths(["voila"], "base"):
        if (Path(folder) / "voila.js").is_file():
            return Path(folder)
    raise FileNotFoundError("voila.js was not found: is Voila installed completely?")
