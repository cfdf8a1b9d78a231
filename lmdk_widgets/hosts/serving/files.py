"""Files that browsers keep: Voila's program, the widgets' bundles. Each is compressed once, then kept in memory.

Level 9 of gzip turns the page's 4.0 MB into 1.2 MB in a third of a second: a thread does that while the server starts, so
neither the first visitor nor thirty at the same time wait for it.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tornado.web import HTTPError, StaticFileHandler

from lmdk_widgets.cache import RecentResults

COMPRESSED = {".js", ".css", ".json", ".svg", ".txt", ".map", ".html"}
PACKAGE_STATIC = Path(__file__).parents[2] / "static"
TEMPLATES = Path(__file__).parent / "share" / "voila" / "templates" / "lmdk"
"""Where the pages' programs are, and the pages around them."""

_one_at_a_time = ThreadPoolExecutor(1, "lmdk-gzip")
_COMPRESSED: RecentResults[str, Future[bytes]] = RecentResults(
    "hosts.serving.files", "compressed files", "everybody", entries=400
)
"""The extensions have a few hundred parts, of which a page loads about ten."""


def content_key(*libraries: str) -> str:
    """A short name for the versions of everything that browsers may keep: different content, different addresses."""
    digest = hashlib.sha256()
    for name in libraries:
        digest.update(f"{name} {version(name)}\n".encode())
    for path in sorted(filter(Path.is_file, [*PACKAGE_STATIC.glob("*"), *(TEMPLATES / "static").glob("*")])):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def squeezed(path: str) -> Future[bytes]:
    """The compressed content of a file; its address changes with its content, so it is compressed once."""
    found = _COMPRESSED.get(path)
    if found is None:
        found = _one_at_a_time.submit(lambda: gzip.compress(Path(path).read_bytes(), 9, mtime=0))
        _COMPRESSED.put(path, found)
    return found


class Versioned(StaticFileHandler):
    """Files under an address that changes with their content: the browser may keep them for a year."""

    async def get(self, path: str, include_body: bool = True) -> None:
        if "\0" in path:
            raise HTTPError(404)
        accepted = "gzip" in self.request.headers.get("Accept-Encoding", "")
        squeezed = accepted and Path(path).suffix in COMPRESSED
        await (self._get_squeezed(path, include_body) if squeezed else super().get(path, include_body))

    async def _get_squeezed(self, path: str, include_body: bool) -> None:
        self.path = self.parse_url_path(path)
        found = self.validate_absolute_path(self.root, self.get_absolute_path(self.root, self.path))
        if found is None:
            return
        self.absolute_path = found
        self.modified = self.get_modified_time()
        self.set_headers()
        if self.should_return_304():
            self.set_status(304)
            return
        body = await asyncio.wrap_future(squeezed(found))
        self.set_header("Content-Encoding", "gzip")
        self.set_header("Content-Length", len(body))
        if include_body:
            self.write(body)

    def set_default_headers(self) -> None:
        self.clear_header("Server")

    def compute_etag(self) -> str | None:
        return None  # tornado's would read the file for a digest; the address says which version it is

    def set_extra_headers(self, path: str) -> None:
        self.set_header("Cache-Control", "public, max-age=31536000, immutable")
        self.set_header("X-Content-Type-Options", "nosniff")

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.finish()
