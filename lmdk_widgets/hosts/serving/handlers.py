"""What the server answers in words: the page, what a page asks of its kernel, and why something is refused.

`server.py` lists the addresses; what is not listed there is not there.
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, cast
from urllib.parse import parse_qsl

from jinja2 import Template
from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.base.handlers import JupyterHandler
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError
from voila.notebook_renderer import NotebookRenderer
from voila.tornado.handler import TornadoVoilaHandler

from lmdk_widgets.hosts.serving.lessons import glossary
from lmdk_widgets.hosts.serving.line import Left
from lmdk_widgets.hosts.serving.sessions import Many, Sessions
from lmdk_widgets.hosts.serving.settings import QUERY_LIMIT_BYTES
from lmdk_widgets.hosts.serving.visitors import PARAMETER, Visitors, without_token
from lmdk_widgets.io.basemap import MOST_BYTES, Basemap

REFUSED = "This request could not be answered."
FAILURE = "The explorer could not start a Python session. The terminal in which it was started says why."
OUT_OF_RANGE = f"Ask for one range with both ends, in the file and at most {MOST_BYTES // 2**20} MB long."
RANGE = re.compile(r"bytes=(\d{1,15})-(\d{1,15})", re.ASCII)
KEPT = "private, max-age=3600"
"""How long a browser keeps a part of the streets; another file has another address."""

SENTENCES = {
    403: "This request was refused: the explorer answers only pages of its own.",
    404: "There is no such page here. The explorer is at the address without anything behind the last slash.",
    414: f"This link is too long: it holds more than {QUERY_LIMIT_BYTES // 1024} KB of settings, and none were used. "
    "A large matrix or many marked moments do this: copy the link without them, or save the scenario as a file.",
    500: FAILURE,
    503: "This server cannot answer just now. Try again shortly.",
}


class Quiet(JupyterHandler):
    """Answers visitors only, and errors with one sentence, never with a traceback or a path."""

    takes_token = False  # whether a visitor may show the token here

    async def prepare(self, **_: Any) -> None:  # type: ignore[override]
        await super().prepare(_redirect_to_login=False)  # 403 for strangers

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        if status_code == 403 and self.current_user is None and self.check_host():
            wrong = PARAMETER in self.request.query_arguments
            often = wrong and not cast(Visitors, self.identity_provider).guesses.allowed(self.request.remote_ip or "")
            self.set_status(429 if often else 403)
            home = self.request.path if self.takes_token else self.base_url
            self.finish(self.page("token.html").render(wrong=wrong, often=often, kept=self._kept(), home=home))
            return
        sentence = SENTENCES.get(status_code, REFUSED)
        self.finish(self.page("sentence.html").render(sentence=sentence, status=status_code))

    def _kept(self) -> list[tuple[str, str]]:
        """The other parameters of the address, which the form of the token hands on."""
        query = without_token(self.request.query)
        return parse_qsl(query, keep_blank_values=True) if self.takes_token else []

    def page(self, name: str) -> Template:
        return self.settings["voila_jinja2_env"].get_template(name)

    @property
    def sessions(self) -> Sessions:
        return cast(Sessions, self.kernel_manager)

    @property
    def content_security_policy(self) -> str:
        """No script, style, font or connection from anywhere else; map tiles from OpenStreetMap when switched on.

        The browser enforces it, so that a mistake of ours cannot tell a third party what is looked at.
        """
        host = self.request.host
        return "; ".join(
            [
                "default-src 'self'",
                "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
                "style-src 'self' 'unsafe-inline' blob:",
                "img-src 'self' data: blob: https://tile.openstreetmap.org",
                "font-src 'self' data:",
                f"connect-src 'self' ws://{host} wss://{host} data: blob:",
                "worker-src 'self' blob:",
                "object-src 'none'",
                "base-uri 'none'",
                "form-action 'self'",
                "frame-ancestors 'none'",
            ]
        )

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Content-Security-Policy", self.content_security_policy)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Permissions-Policy", "geolocation=(), camera=(), microphone=()")
        self.set_header(
            "Referrer-Policy", "strict-origin-when-cross-origin"
        )  # map tiles want to know the site, no more
        self.clear_header("Server")  # which versions run here is nobody's business


class Refused(Quiet):
    """Every address that is not ours, and where requests with too long a one end, whoever asks."""

    def initialize(self, status: int) -> None:
        self.refusal = status

    @allow_unauthenticated
    def get(self, *_: str) -> None:
        raise HTTPError(self.refusal)


class Page(Quiet, TornadoVoilaHandler):
    """The explorer. The frame of the page is sent before its kernel is started, so that the browser can begin."""

    takes_token = True
    kernel_id = ""
    lesson = ""

    def initialize(self, modules: list[str], **given: Any) -> None:
        super().initialize(**given)
        self.modules = modules

    async def get(self, path: str | None = None) -> None:
        self._refuse_strangers()
        self.query = without_token(self.request.query)
        if PARAMETER in self.request.query_arguments:  # now in the cookie, and to be seen by nobody
            here = self.request.path
            self.redirect(f"{here}?{self.query}" if self.query else here)
            return
        if not self._is_for_a_person():
            self._hand_out("opening.html", xsrf=self.xsrf_token.decode())
            return
        try:
            self.kernel_id = self.sessions.reserve(self.current_user.username)
        except Many as many:
            self.set_status(429)
            self._hand_out("sentence.html", sentence=str(many), status=429)
            return
        except HTTPError as full:
            self.set_status(full.status_code)
            self._hand_out("full.html", most=self.sessions.most, scarce=self.sessions.scarce)
            return
        try:
            await self._show()
        except (StreamClosedError, Left):  # the visitor left
            await self.sessions.end(self.kernel_id)
        except Exception as error:
            # the head is sent, the status cannot change any more: the page itself says it
            if isinstance(error, OSError):  # a full disk above all: the sentence says it
                self.log.error("A Python session could not be started: %s.", error.strerror or type(error).__name__)
            elif self.kernel_id in self.sessions:
                self.log.exception("The page could not be made")
            else:
                self.log.error("A session ended before its page was made.")
            await self.sessions.end(self.kernel_id)
            self.write(self.page("failed.html").render(sentence=FAILURE))
        finally:
            self.sessions.line.leave(self.kernel_id)

    def _hand_out(self, name: str, **about: Any) -> None:
        """A page that comes before the explorer, and opens it by itself."""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.finish(self.page(name).render(base=self.base_url, **about))

    def on_connection_close(self) -> None:
        """The visitor left: who waits behind moves up."""
        self.sessions.line.leave(self.kernel_id)

    async def _show(self) -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        about = {"xsrf": self.xsrf_token, "modules": self.modules, "lesson": self.lesson, "glossary": glossary()}
        self.write(self.page("shell.html").render(**about, **self.settings["lmdk_page"]))
        await self.flush()
        async for before in self.sessions.turn(self.kernel_id):
            self.write(self.page("waiting.html").render(before=before))
            await self.flush()
        async with aclosing(self._content()) as content:  # at once, also where the visitor left
            async for html in content:
                self.write(html)
                await self.flush()

    async def _content(self) -> AsyncGenerator[str, None]:
        """What follows the frame, piece by piece while the notebook runs.

        Voila's own `get_generator` goes on for ever, saying that it is alive, when its kernel does not start.
        """
        renderer = NotebookRenderer(
            request_handler=self,
            voila_configuration=self.voila_configuration,
            traitlet_config=self.traitlet_config,
            notebook_path=self.notebook_path,
            template_paths=self.template_paths,
            config_manager=self.config_manager,
            contents_manager=self.contents_manager,
            base_url=self.base_url,
            kernel_spec_manager=self.kernel_spec_manager,
            page_config=self.settings["lmdk_page"]["page_config"],
        )
        await renderer.initialize()
        await self.sessions.start_kernel(
            kernel_id=self.kernel_id,
            kernel_name=renderer.notebook.metadata.kernelspec.name,
            env={**os.environ, "QUERY_STRING": self.query},
        )
        kernel = self.sessions.get_kernel(self.kernel_id)
        try:
            async for html, _ in renderer.generate_content_generator(self.kernel_id, kernel):
                yield html
        finally:  # its sockets would stay open until the collector of garbage comes
            client = getattr(getattr(renderer, "executor", None), "kc", None)
            if client is not None:
                client.stop_channels()

    def _refuse_strangers(self) -> None:
        """Refuse what starts a kernel for nobody: frames and scripts of other sites, and guesses of the browser."""
        headers = self.request.headers
        if headers.get("Sec-Purpose", headers.get("Purpose", "")).startswith("prefetch"):
            raise HTTPError(503)
        foreign = headers.get("Sec-Fetch-Site") in {"cross-site", "same-site"}  # another port is the same site
        if foreign and headers.get("Sec-Fetch-Dest") != "document":
            raise HTTPError(403)

    def _is_for_a_person(self) -> bool:
        """Whether a page of ours has its own window.

        On an unencrypted connection browsers do not say what they load a page for. There a small page, which no frame or
        picture of another site runs, says so by `Opens` first.
        """
        return "Sec-Fetch-Site" in self.request.headers or self.sessions.shown.take(self.current_user.username)


class Lesson(Page):
    """A lesson beside the explorer: its address names it; its session is private and counts as any other."""

    def initialize(self, lessons: Mapping[str, str], **given: Any) -> None:  # type: ignore[override]
        super().initialize(**given)
        self.lessons = lessons

    async def get(self, path: str | None = None) -> None:
        if not path or path not in self.lessons:
            raise HTTPError(404)
        self.lesson, self.notebook_path = path, self.lessons[path]
        await super().get()


class Opens(Quiet):
    """What the small page before the explorer says: it runs, so that it has a window of its own."""

    async def post(self) -> None:
        known = self.get_signed_cookie(cast(Visitors, self.identity_provider).cookie)
        # a form of another page can be sent here, but without the head; and who keeps no cookie would come for ever
        if not known or "X-XSRFToken" not in self.request.headers:
            raise HTTPError(403)
        self.sessions.shown.note(self.current_user.username)
        self.set_status(204)
        self.finish()


class Place(Quiet):
    """What a page asks that waits for a place: who is before it, and whether there is room now.

    Who never found the server full does not wait, however often it asks.
    """

    async def get(self) -> None:
        visitor, waiting = self.current_user.username, self.sessions.waiting
        waiting.ask(visitor)
        before, has_room = waiting.before(visitor), self.sessions.has_room_for(visitor)
        if has_room:
            waiting.offer(visitor)
        self.set_header("Cache-Control", "no-store")
        self.finish({"before": before, "open": has_room})


class StreetsPart(Quiet):
    """One part of the file of streets, to the pages of this server alone.

    `Range: bytes=FIRST-LAST` asks for it: both ends, one range, at most `MOST_BYTES`. The address is
    that of one file, which is open already: no name and no path comes from outside.
    """

    def initialize(self, basemap: Basemap) -> None:
        self.basemap = basemap

    def get(self) -> None:
        # on connections that it trusts, a browser says which site asks
        if self.request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            raise HTTPError(403)
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
