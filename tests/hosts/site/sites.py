"""Sites for tests: a web server that knows nothing of the program, and folders with Python for browsers or without it."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.hosts.site import folder
from lmdk_widgets.hosts.site.distribution import gather
from lmdk_widgets.hosts.site.lessons import write_lesson
from tests.get_pyodide import Missing, pyodide

NONE = {"pyodide.mjs": b"throw new Error('there is no Python here');"}
"""Instead of Pyodide, for what is seen without it."""


def write(
    home: Path, pages: tuple[str, ...], files: Mapping[str, bytes] | None = None, lessons: tuple[str, ...] = ()
) -> Path:
    """A site of some pages; with Pyodide unless other files are given."""
    if files is None:
        try:
            files = gather(pyodide())
        except Missing as why:
            pytest.skip(str(why))
    folder.new_folder(home)
    folder.write_programs(home, dict(files))
    for name in folder.pages_of_site(pages, lessons):
        folder.write_page(home, name)
    for name in lessons:
        write_lesson(home, name, lessons)
    folder.write_index(home, pages, lessons)
    folder.write_offline(home)
    return home


class Plain(http.server.SimpleHTTPRequestHandler):
    """Sends files, and headers that a host may add."""

    def __init__(self, *given: Any, headers_too: Mapping[str, str], **more: Any) -> None:
        self.headers_too = headers_too
        super().__init__(*given, **more)

    def end_headers(self) -> None:
        for name, value in self.headers_too.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_said: Any) -> None:
        """Nothing."""


@contextmanager
def served(home: Path, **headers: str) -> Iterator[str]:
    """The address of a plain web server with a folder."""
    handler = functools.partial(Plain, directory=str(home), headers_too=headers)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
