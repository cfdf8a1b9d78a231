"""The server of one person: Voila as it is, in a private folder with this package's settings, template and notebooks.

    FOLDER/voila.json                          the settings, which Voila reads in its working folder
    FOLDER/pages/explorer.ipynb                the pages; pages/lesson/NAME.ipynb: the lessons
    FOLDER/share/kernels/python3/kernel.json   how a kernel starts
    FOLDER/share/voila/templates/lmdk/         the template; static/KEY: the bundles, whose address changes with them

`settings.py` says why each setting is there.
"""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote

from lmdk_widgets.course import LESSONS, STORIES
from lmdk_widgets.hosts.serving.files import PACKAGE_STATIC, TEMPLATES, content_key
from lmdk_widgets.hosts.serving.settings import KERNEL, KERNEL_ENVIRONMENT, KERNEL_OPTIONS, settings
from lmdk_widgets.hosts.site import notebooks

PRELOADED = ("dashboard.js", "track.js", "map.js")
"""Modules that the explorer will need; the browser loads them while Voila's own program starts."""
PRELOADED_BY_LESSONS = ("figure_view.js", "sliding_figure.js")
RENDERED = "/voila/render/"
"""What precedes the name of a notebook in the address of its page."""
EXPLORER = f"{RENDERED}explorer.ipynb"
PATIENCE_S = 10.0
"""Seconds after which the address is announced although no kernel has started."""


def page_address(lesson: str = "") -> str:
    """The path of the explorer, or of a lesson.

    Examples
    --------
    >>> page_address("places")
    '/voila/render/lesson/places.ipynb'
    """
    return f"{RENDERED}{notebooks.ADDRESS}/{lesson}.ipynb" if lesson else EXPLORER


def opened_at(home: str, token: str, lesson: str = "") -> str:
    """The address to open. The token stands in that of the login, which sends the browser on: the page's own never has it."""
    path = page_address(lesson)
    return f"{home}login?token={quote(token)}&next={path}" if token else home.rstrip("/") + path


def prepare(
    folder: Path, *, port: int, token: str, page: Path, overrides: Mapping[str, Mapping[str, Any]] | None = None
) -> None:
    """Write into a private folder all that Voila reads.

    Parameters
    ----------
    port : where it will listen. token : opens the server; "" lets everyone in. page : the notebook of the explorer.
    overrides : other settings ({class: {option: value}}), for tests.
    """
    pages, kernel = folder / "pages", folder / "share" / "kernels" / "python3"
    template = folder / "share" / "voila" / "templates" / "lmdk"
    key = content_key("voila", "anywidget", "ipywidgets")
    lessons = pages / notebooks.ADDRESS
    lessons.mkdir(parents=True)
    shutil.copyfile(page, pages / "explorer.ipynb")
    notebooks.copy_lessons(lessons)
    kernel.mkdir(parents=True)
    # -P: neither the working folder nor that of a script may shadow a module
    command = [sys.executable, "-P", "-c", KERNEL, "-f", "{connection_file}", *KERNEL_OPTIONS]
    spec = {"argv": command, "env": KERNEL_ENVIRONMENT, "display_name": "Python", "language": "python"}
    spec["interrupt_mode"] = "message"  # a signal would end, with a traceback, a kernel whose program has just begun
    (kernel / "kernel.json").write_text(json.dumps(spec))
    shutil.copytree(TEMPLATES.parents[2] / "labextensions", folder / "share" / "labextensions")
    shutil.copytree(TEMPLATES, template)
    static = template / "static" / key
    shutil.copytree(PACKAGE_STATIC, static)
    shutil.copyfile(template / "static" / "no_mathjax.js", static / "no_mathjax.js")
    told = {
        "key": key,
        "explorer": EXPLORER,
        "lesson": page_address("NAME"),
        "lessons": " ".join([*LESSONS, *STORIES]),
        "glossary": notebooks.glossary(),
        "modules": _built(PRELOADED),
        "lesson_modules": _built(PRELOADED_BY_LESSONS),
    }
    chosen = settings(port, token, str(folder), told, overrides)
    (folder / "voila.json").write_text(json.dumps(chosen))


def serve(announce: Callable[[], None]) -> None:
    """Run Voila in the working folder until a signal ends it; `announce` is called when it answers."""
    # "not installed": jsonschema would compile a grammar of addresses that nobody checks, for half of the start-up time
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    from tornado.ioloop import IOLoop
    from voila.app import Voila

    logging.getLogger("tornado.access").setLevel(logging.CRITICAL)  # an address says what a person looked at
    logging.getLogger("tornado.general").setLevel(logging.ERROR)
    logging.getLogger("tornado.application").addFilter(_is_no_malformed_template)
    # Voila lacks the setting that Jupyter's pages for errors need; with it, they would contain the token
    logging.getLogger("tornado.application").addFilter(lambda record: "write_error" not in str(record.msg))
    server = Voila.instance()
    server.initialize([])
    server.ioloop = IOLoop.current()  # Voila's handler of signals needs it, and would have it a moment later
    for name in ("SIGINT", "SIGHUP"):  # Ctrl+C would interrupt whatever is being done; the terminal was closed
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.getsignal(signal.SIGTERM))

    async def announce_soon() -> None:
        """Announce once the first page is being made: earlier visits would start another kernel at the same time."""
        deadline = monotonic() + PATIENCE_S
        while not server.kernel_manager.notebook_data and monotonic() < deadline:
            await asyncio.sleep(0.02)
        announce()

    IOLoop.current().add_callback(announce_soon)
    server.start()


def _is_no_malformed_template(record: logging.LogRecord) -> bool:
    """Whether it is not what Voila logs of an address with too few parts for a file of a template: a traceback."""
    return "voila/templates" not in str(record.getMessage()) or not record.exc_info


def _built(modules: tuple[str, ...]) -> list[str]:
    return [name for name in modules if (PACKAGE_STATIC / name).is_file()]
