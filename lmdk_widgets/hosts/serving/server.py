"""The server: Voila with a fixed configuration, a fixed list of addresses and an orderly end."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import signal
import socket
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jupyter_core.utils import run_sync
from tornado.ioloop import IOLoop, PeriodicCallback
from traitlets import Any as Anything
from traitlets import Bool, Bytes, Callable, Dict, Instance, List, default
from voila.app import Voila
from voila.paths import collect_static_paths
from voila.utils import get_page_config, get_voila_labextensions_path

from lmdk_widgets.hosts.serving import connections, files, handlers, heartbeat
from lmdk_widgets.hosts.serving.lessons import ADDRESS
from lmdk_widgets.hosts.serving.provisioner import fork_from
from lmdk_widgets.hosts.serving.settings import EXTENSIONS, MESSAGE_LIMIT_BYTES
from lmdk_widgets.hosts.serving.sockets import Channels
from lmdk_widgets.hosts.serving.visitors import Visitors, derived

PACKAGE = Path(__file__).parents[2]
STATIC = PACKAGE / "static"
TEMPLATE_STATIC = Path(__file__).parent / "share" / "voila" / "templates" / "lmdk" / "static"
PRELOADED = ("dashboard.js", "landmarks.js", "map.js")
"""Modules the explorer will ask for; the browser reads them while the kernel starts."""
PRELOADED_BY_LESSONS = ("figure_view.js", "sliding_figure.js")
PAGE_BYTES = 1_210_000
"""What the browser of a first visitor loads, compressed: the page says how much of it is there."""
KERNEL_ID = r"(?P<kernel_id>\w+-\w+-\w+-\w+-\w+)"


class Explorer(Voila):
    """Serves one notebook, and those of the lessons beside it, on sockets that are already bound."""

    sockets = List(Instance(socket.socket), help="Where it listens; bound by the caller, who knows the port.")
    lessons = Dict(help="The files of the lessons by name, beside the notebook.")
    announce = Callable(help="Called when requests are answered.")
    nursery = Anything(None, help="A `forked.Nursery` from which kernels are forked; None where each starts by itself.")
    loopback = Bool(True, help="Whether only this machine can reach the sockets.")
    public = Anything(None, help="The `Public` address under which a proxy shows this server; None for no proxy.")
    classroom = Anything(None, help="A class that is open on this server, an `opening.Class`; None for none.")
    secret = Bytes(help="What all cookies follow from: that of the class, which outlasts a restart, or a random one.")
    basemap = Anything(None, help="The streets under the maps, an `io.basemap.Basemap`; None for none.")
    overview = Anything(None, help="The page of the one who serves, an `overview.Overview`; None for none.")

    @default("config_file_paths")
    def _no_config_files(self) -> list[str]:
        return []

    @default("log_level")
    def _errors_only(self) -> int:
        return logging.ERROR

    def init_settings(self) -> dict[str, Any]:
        for logger in (self.log, *map(logging.getLogger, connections.LOGGERS)):
            logger.addFilter(connections.Brief())
        fork_from(self.nursery)
        prepared = super().init_settings()
        prepared |= {
            # a name that an attacker points at 127.0.0.1 is not ours
            "allow_remote_access": not self.loopback,
            "websocket_max_message_size": MESSAGE_LIMIT_BYTES,
            "lmdk_page": self._page(prepared),
            "lmdk_secret": self.secret,
            "log_function": lambda _: None,  # no line for each request: an address holds what a person looked at
            "compress_response": True,  # files are compressed once, by `files.py`; this is for the page itself
        }
        if self.public:
            prepared |= {"local_hostnames": [self.public.host], "allow_origin": self.public.origin}
        prepared["xsrf_cookie_kwargs"] = {"samesite": "Lax", "secure": bool(self.public and self.public.secure)}
        self.identity_provider.secure = bool(self.public and self.public.secure)
        self.identity_provider.port = self.sockets[0].getsockname()[1]
        return prepared

    @default("identity_provider_class")
    def _visitors(self) -> type[Visitors]:
        return Visitors

    @default("secret")
    def _of_the_class(self) -> bytes:
        return self.classroom.secret if self.classroom else os.urandom(32)

    @default("cookie_secret")
    def _for_visitors(self) -> bytes:
        return derived(self.secret, "pages", self.token)

    def _page(self, prepared: dict[str, Any]) -> dict[str, Any]:
        """What the frame of every page holds; the same for all, found once."""
        config = get_page_config(self.base_url, prepared, self.log, self.voila_configuration)
        prefix = f"{self.base_url}lmdk/{content_key()}"
        config |= {
            "fullStaticUrl": f"{prefix}/voila",
            "fullLabextensionsUrl": f"{prefix}/extensions",
            "fullMathjaxUrl": f"{prefix}/extensions/lmdk/no_mathjax.js",
            "mathjaxConfig": "none",
            "jupyterLabTheme": "light",
        }
        config["federated_extensions"].append({"name": "lmdk", "load": "controls.js", "extension": "./extension"})
        page = {"page_config": config, "prefix": prefix, "base_url": self.base_url, "basemap": None}
        if self.basemap:
            page["basemap"] = {"at": self._streets_at(), "name": self.basemap.name}
        return page | {"bytes": PAGE_BYTES}

    def init_handlers(self) -> list[Any]:
        base, prefix = self.base_url, f"{self.base_url}lmdk/{content_key()}"
        roots = {f"extensions/{name}": _extension(name) for name in EXTENSIONS} | {
            "voila": _voila_static(),
            "extensions/lmdk": TEMPLATE_STATIC,
            "static": STATIC,
        }
        extensions = [path for name in EXTENSIONS for path in roots[f"extensions/{name}"].rglob("*.js")]
        for path in (roots["voila"] / "voila.js", *STATIC.glob("*.js"), *extensions):  # what every page loads
            files.squeezed(str(path))
        page = {
            "template_paths": self.template_paths,
            "config": self.config,
            "voila_configuration": self.voila_configuration,
        }
        explorer = {"notebook_path": Path(self.notebook_path).name, "modules": _built(PRELOADED)}
        lesson = {"lessons": self.lessons, "modules": _built(PRELOADED_BY_LESSONS)}
        return [
            (base, handlers.Page, page | explorer),
            (f"{base}{ADDRESS}/([a-z]+)", handlers.Lesson, page | lesson),
            *((f"{prefix}/{name}/(.*)", files.Versioned, {"path": str(root)}) for name, root in roots.items()),
            (f"{base}api/kernels/{KERNEL_ID}", heartbeat.Status),
            (f"{base}api/kernels/{KERNEL_ID}/channels", Channels),
            (f"{base}lmdk/use/{KERNEL_ID}", heartbeat.Use),
            (f"{base}voila/api/shutdown/{KERNEL_ID}", heartbeat.Shutdown),
            (f"{base}opens", handlers.Opens),
            (f"{base}place", handlers.Place),
            *self._streets(),
            *(self.classroom.handlers(base) if self.classroom else ()),
            *(self.overview.handlers(base) if self.overview else ()),
            (connections.TOO_LONG, handlers.Refused, {"status": 414}),
            (r".*", handlers.Refused, {"status": 404}),
        ]

    def _streets(self) -> list[Any]:
        if not self.basemap:
            return []
        return [(re.escape(self._streets_at()), handlers.StreetsPart, {"basemap": self.basemap})]

    def _streets_at(self) -> str:
        return f"{self.base_url}lmdk/basemap/{self.basemap.key}"

    def listen(self) -> None:
        """Serve until a signal ends it, then end every kernel."""
        # jupyter_server counts the seconds between pings in milliseconds, at which tornado wonders aloud
        logging.getLogger("tornado.general").setLevel(logging.ERROR)
        # not KeyboardInterrupt, which is lost where it falls into a finalizer
        signal.signal(signal.SIGINT, self._handle_signal_stop)
        if hasattr(signal, "SIGHUP"):  # the terminal was closed
            signal.signal(signal.SIGHUP, self._handle_signal_stop)
        self.ioloop = IOLoop.current()
        # a proxy says who asks, which counts for the limits of a class; nobody else is believed
        proxied = {"xheaders": True, "trusted_downstream": []} if self.public else {"xheaders": False}
        too_long = self._sentence_of_too_long()
        server = connections.server(self.app, shared=bool(self.public), too_long=too_long, **proxied)
        server.add_sockets(self.sockets)
        self.announce()
        sessions = self.kernel_manager
        PeriodicCallback(sessions.look_at_memory, 1e3 * sessions.memory_every).start()
        if self.overview:
            self.overview.start(sessions)
        try:
            self.ioloop.start()
        except KeyboardInterrupt:
            pass
        finally:
            self.stop()

    def _sentence_of_too_long(self) -> str:
        page = self.app.settings["voila_jinja2_env"].get_template("sentence.html")
        return page.render(sentence=handlers.SENTENCES[414], status=414)  # type: ignore[no-any-return]

    def stop(self) -> None:
        """Kernels first: they are told to end through sockets that lie in the folder that goes last."""
        try:
            if self.overview:
                self.overview.stop()
            run_sync(self.kernel_manager.end_all)()
            if self.classroom:
                self.classroom.room.close()
        finally:
            shutil.rmtree(self.connection_dir, ignore_errors=True)


def _built(modules: Iterable[str]) -> list[str]:
    return [name for name in modules if (STATIC / name).is_file()]


def content_key() -> str:
    """A short name for the versions of everything that browsers may keep: other content, other addresses."""
    digest = hashlib.sha256()
    for name in ("voila", "anywidget", "ipywidgets"):
        digest.update(f"{name} {version(name)}\n".encode())
    for path in sorted(filter(Path.is_file, [*STATIC.glob("*"), *TEMPLATE_STATIC.glob("*")])):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _extension(name: str) -> Path:
    for root in get_voila_labextensions_path():
        if (Path(root) / name / "package.json").is_file():
            return Path(root) / name
    raise FileNotFoundError(f"the browser extension {name} is not installed beside Voila")


def _voila_static() -> Path:
    for folder in collect_static_paths(["voila"], "base"):
        if (Path(folder) / "voila.js").is_file():
            return Path(folder)
    raise FileNotFoundError("voila.js was not found: is Voila installed completely?")
