"""What both servers say in words, what all their answers have in common, and who may ask.

One server is for one person: Voila with a kernel for each page (`one_person.py`). The other is for a room (`room_server.py`):
a few processes compute everyone's pages. An address that neither lists does not exist.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from jinja2 import Environment, FileSystemLoader, Template
from tornado.web import HTTPError, RequestHandler

from lmdk_widgets.errors import LOG
from lmdk_widgets.hosts.serving.accountant import Accountant
from lmdk_widgets.hosts.serving.files import TEMPLATES
from lmdk_widgets.hosts.serving.public import Public
from lmdk_widgets.hosts.serving.settings import QUERY_LIMIT_BYTES
from lmdk_widgets.hosts.serving.visitors import PARAMETER, Visitors, without_token
from lmdk_widgets.io.basemap import MOST_BYTES, Basemap

REFUSED = "This request could not be answered."
FAILURE = "The explorer could not start a Python session. The terminal in which it was started says why."
OUT_OF_RANGE = f"Ask for one range with both ends, in the file and at most {MOST_BYTES // 2**20} MB long."
RANGE = re.compile(r"bytes=(\d{1,15})-(\d{1,15})", re.ASCII)
KEPT = "private, max-age=3600"
"""How long a browser keeps part of the streets; another file has another address."""

SENTENCES = {
    403: "This request was refused: the explorer answers only its own pages.",
    404: "There is no such page here. The explorer is at the address with nothing after the last slash.",
    414: f"This link is too long: it contains more than {QUERY_LIMIT_BYTES // 1024} KB of settings, and none were used. "
    "A large matrix or many marked moments can cause this: copy the link without them, or save the scenario as a file.",
    500: FAILURE,
    503: "This server cannot answer right now. Try again shortly.",
}

LOCAL = ("localhost",)


@dataclass
class House:
    """What all handlers of a server share.

    Attributes
    ----------
    base : path of all addresses, with slashes around it. visitors : who may come in. secret : the source of all cookies.
    loopback : whether only this machine can reach the server. public : its address behind a proxy, or None.
    basemap : streets under the maps, or None. key : identifies the versions of everything that browsers keep.
    accounts : of everything that is limited.
    """

    base: str
    visitors: Visitors
    secret: bytes
    loopback: bool
    public: Public | None
    basemap: Basemap | None
    key: str
    accounts: Accountant
    templates: Environment = field(
        default_factory=lambda: Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True)
    )

    @property
    def prefix(self) -> str:
        """The path of everything that browsers keep."""
        return f"{self.base}lmdk/{self.key}"

    @property
    def streets(self) -> str:
        """The address of the streets; "" if there are none."""
        return f"{self.base}lmdk/basemap/{self.basemap.key}" if self.basemap else ""

    def page(self, name: str) -> Template:
        """A template."""
        return self.templates.get_template(name)

    def about(self) -> dict[str, Any]:
        """What the frame of every page contains."""
        basemap = {"at": self.streets, "name": self.basemap.name} if self.basemap else None
        return {"prefix": self.prefix, "base": self.base, "basemap": basemap}

    def is_called(self, host: str) -> bool:
        """Whether this is one of our names: a name that an attacker points at 127.0.0.1 is not."""
        if not self.loopback or host in LOCAL or (self.public and host == self.public.host):
            return True
        try:
            return ipaddress.ip_address(host.strip("[]")).is_loopback
        except ValueError:
            return False


class Words(RequestHandler):
    """Answers errors with one sentence, never with a traceback or a path; strict headers."""

    takes_token = False  # whether a visitor may show the token here
    showed: bool | None = False  # whether it was the right one; None if it could not be compared
    log = LOG

    @property
    def house(self) -> House:
        """What all handlers share."""
        return self.settings["lmdk_house"]  # type: ignore[no-any-return]

    def write_error(self, status_code: int, **_: Any) -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        if status_code == 403 and self.current_user is None and self.house.is_called(self.request.host_name):
            wrong = PARAMETER in self.request.query_arguments
            often = self.showed is None
            self.set_status(429 if often else 403)
            home = self.request.path if self.takes_token else self.house.base
            self.finish(self.house.page("token.html").render(wrong=wrong, often=often, kept=self._kept(), home=home))
            return
        sentence = SENTENCES.get(status_code, REFUSED)
        self.finish(self.house.page("sentence.html").render(sentence=sentence, status=status_code))

    def _kept(self) -> list[tuple[str, str]]:
        """The other parameters of the address, which the token form passes on."""
        query = without_token(self.request.query)
        return parse_qsl(query, keep_blank_values=True) if self.takes_token else []

    @property
    def content_security_policy(self) -> str:
        """No script, style, font or connection from anywhere else; map tiles from OpenStreetMap when switched on.

        The browser enforces it, so a mistake of ours cannot tell a third party what someone looks at.
        """
        host = self.request.host
        return "; ".join(
            [
                "default-src 'none'",
                "script-src 'self'",
                "style-src 'self' 'unsafe-inline'",
                "img-src 'self' data: blob: https://tile.openstreetmap.org",
                f"connect-src 'self' ws://{host} wss://{host}",
                "base-uri 'none'",
                "form-action 'self'",
                "frame-ancestors 'none'",
            ]
        )

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Content-Security-Policy", self.content_security_policy)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Permissions-Policy", "geolocation=(), camera=(), microphone=()")
        # map servers want to know the site, but no more
        self.set_header("Referrer-Policy", "strict-origin-when-cross-origin")
        self.clear_header("Server")  # which versions run here is nobody's business


class Quiet(Words):
    """Answers visitors only."""

    own_visitors = False  # whether strangers may ask: the address has its own visitors, or is for everyone

    async def prepare(self) -> None:
        if not self.house.is_called(self.request.host_name):
            raise HTTPError(403)
        if self.takes_token:
            self.showed = await self.house.visitors.compared(self)
        if not self.is_own_page() or (not self.own_visitors and self.current_user is None):
            raise HTTPError(403)

    def is_own_page(self) -> bool:
        """Whether the request is not from another site's page, as far as the browser says."""
        origin, public = self.request.headers.get("Origin"), self.house.public
        return (
            origin is None or urlsplit(origin).netloc == self.request.host or bool(public and origin == public.origin)
        )

    def get_current_user(self) -> str | None:
        """The visitor who is asking; None for a stranger."""
        return None if self.own_visitors else self.house.visitors.find(self)

    def log_exception(self, kind: Any, value: Any, traceback: Any) -> None:
        """Report in the terminal everything that is not a refusal."""
        if not isinstance(value, HTTPError):
            self.log.error("An answer failed", exc_info=(kind, value, traceback))


class Refused(Quiet):
    """Refuses every address that is not ours, and requests whose address is too long, whoever asks."""

    own_visitors = True

    def initialize(self, status: int) -> None:
        self.refusal = status

    async def prepare(self) -> None:
        raise HTTPError(self.refusal)

    def check_xsrf_cookie(self) -> None:
        """Nothing is done here."""

    def get_current_user(self) -> str | None:
        """Nobody in particular."""
        return ""


class StreetsPart(Quiet):
    """Sends one part of the streets' file, only to the pages of this server.

    `Range: bytes=FIRST-LAST` asks for it: both ends, one range, at most `MOST_BYTES`. The address is
    that of one file, which is already open: no name and no path comes from outside.
    """

    def get(self) -> None:
        basemap = self.house.basemap
        assert basemap is not None
        # on trusted connections, a browser says which site is asking
        if self.request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise HTTPError(403)
        asked = RANGE.fullmatch(self.request.headers.get("Range", ""))
        first, last = (int(number) for number in asked.groups()) if asked else (0, -1)
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        if not 0 <= first <= last or last - first >= MOST_BYTES or first >= basemap.size:
            self.set_status(416)
            self.set_header("Content-Range", f"bytes */{basemap.size}")
            self.finish(OUT_OF_RANGE)
            return
        part = basemap.read(first, last - first + 1)
        self.set_status(206)
        self.set_header("Content-Type", "application/octet-stream")
        self.set_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{basemap.size}")
        self.set_header("Etag", f'"{basemap.key}"')
        self.set_header("Cache-Control", KEPT)
        self.finish(part)
