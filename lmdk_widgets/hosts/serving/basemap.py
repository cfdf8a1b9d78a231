"""The file of streets, `--basemap`: given out in parts, to the pages of this server alone.

There is one address, of one file that is open already: no name and no path comes from outside.
"""

from __future__ import annotations

import re
from typing import cast

from tornado.web import HTTPError

from lmdk_widgets.hosts.serving.handlers import Quiet
from lmdk_widgets.hosts.serving.visitors import Visitors
from lmdk_widgets.io.basemap import MOST_BYTES, Basemap

RANGE = re.compile(r"bytes=(\d{1,15})-(\d{1,15})", re.ASCII)
KEPT = "private, max-age=3600"
"""How long a browser keeps a part; another file has another address."""

OUT_OF_RANGE = f"Ask for one range with both ends, in the file and at most {MOST_BYTES // 2**20} MB long."


def address(basemap: Basemap) -> str:
    """Behind the base of the server."""
    return f"lmdk/basemap/{basemap.key}"


class Part(Quiet):
    """One part of the file, as `Range: bytes=FIRST-LAST` asks: both ends, one range, at most `MOST_BYTES`."""

    def initialize(self, basemap: Basemap) -> None:
        self.basemap = basemap

    def get(self) -> None:
        self._refuse_strangers()
        asked = RANGE.fullmatch(self.request.headers.get("Range", ""))
        first, last = (int(number) for number in asked.groups()) if asked else (0, -1)
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        if not 0 <= first <= last or last - first >= MOST_BYTES or first >= self.basemap.size:
            self.set_status(416)
            self.set_header("Content-Range", f"bytes */{self.basemap.size}")
            self.finish(OUT_OF_RANGE)
            return
        part = self.basemap.read(first, last - first + 1)
        self.set_status(206)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{self.basemap.size}")
        self.set_header("Etag", f'"{self.basemap.key}"')
        self.set_header("Cache-Control", KEPT)
        self.finish(part)

    def _refuse_strangers(self) -> None:
        """A page has its cookie; and a browser says which site asks, on connections that it trusts."""
        known = self.get_signed_cookie(cast(Visitors, self.identity_provider).cookie)
        if not known or self.request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise HTTPError(403)
