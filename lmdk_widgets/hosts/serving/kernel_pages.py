"""One person's pages, each with a kernel, and the plain requests about it: whether it is there, that it is in use, that it
may end. `server.py` lists the addresses."""

from __future__ import annotations

import os
import re
from asyncio import Future
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, cast

from jupyter_server.base.handlers import JupyterHandler
from tornado.iostream import StreamBufferFullError, StreamClosedError
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError
from voila.notebook_renderer import NotebookRenderer
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from lmdk_widgets.hosts.serving.handlers import FAILURE, Words
from lmdk_widgets.hosts.serving.sessions import Sessions
from lmdk_widgets.hosts.serving.settings import MESSAGE_LIMIT_BYTES, MOST_UNREAD_BYTES
from lmdk_widgets.hosts.serving.visitors import PARAMETER, without_token
from lmdk_widgets.hosts.site.notebooks import glossary


class Quiet(Words, JupyterHandler):
    """Answers visitors only, as the rest of the server does, with Jupyter's checks of hosts and origins."""

    async def prepare(self, **_: Any) -> None:  # type: ignore[override]
        await JupyterHandler.prepare(self, _redirect_to_login=False)  # 403 for strangers

    @property
    def sessions(self) -> Sessions:
        return cast(Sessions, self.kernel_manager)

    def refuse_others(self, kernel_id: str) -> None:
        """Raise 404 unless the visitor started this kernel: others learn no more than if there were none."""
        if not self.sessions.belongs(kernel_id, self.current_user.username):
            raise HTTPError(404)

    @property
    def content_security_policy(self) -> str:
        """The policy of all pages, plus what Jupyter's widgets need."""
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


class Page(Quiet, TornadoVoilaHandler):
    """The explorer. The frame of the page is sent before its kernel is started, so that the browser can start loading."""

    takes_token = True
    kernel_id = ""
    lesson = ""

    def initialize(self, modules: list[str], **given: Any) -> None:
        super().initialize(**given)
        self.modules = modules

    async def get(self, path: str | None = None) -> None:
        self._refuse_strangers()
        self.query = without_token(self.request.query)
        if PARAMETER in self.request.query_arguments:  # now in the cookie, and nobody should see it
            here = self.request.path
            self.redirect(f"{here}?{self.query}" if self.query else here)
            return
        self.kernel_id = self.sessions.reserve(self.current_user.username)
        try:
            await self._show()
        except StreamClosedError:  # the visitor left
            await self.sessions.end(self.kernel_id)
        except Exception as error:
            # the head is sent, so the status cannot change any more: the page itself says it
            if isinstance(error, OSError):  # most likely a full disk: the sentence says so
                self.log.error("A Python session could not be started: %s.", error.strerror or type(error).__name__)
            elif self.kernel_id in self.sessions:
                self.log.exception("The page could not be made")
            else:
                self.log.error("A session ended before its page was made.")
            await self.sessions.end(self.kernel_id)
            self.write(self.house.page("failed.html").render(sentence=FAILURE))

    async def _show(self) -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        about = {
            "xsrf": self.xsrf_token.decode(),
            "modules": self.modules,
            "lesson": self.lesson,
            "glossary": glossary(),
        }
        self.write(self.house.page("shell.html").render(**about, **self.settings["lmdk_page"]))
        await self.flush()
        async with aclosing(self._content()) as content:  # closed immediately, even if the visitor left
            async for html in content:
                self.write(html)
                await self.flush()

    async def _content(self) -> AsyncGenerator[str, None]:
        """What follows the frame, piece by piece while the notebook runs.

        Voila's own `get_generator` continues forever, saying that it is alive, if its kernel does not start.
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
        finally:  # its sockets would stay open until garbage collection
            client = getattr(getattr(renderer, "executor", None), "kc", None)
            if client is not None:
                client.stop_channels()

    def _refuse_strangers(self) -> None:
        """Refuse requests that would start a kernel for nobody: other sites' frames and scripts, and browser prefetches."""
        headers = self.request.headers
        if headers.get("Sec-Purpose", headers.get("Purpose", "")).startswith("prefetch"):
            raise HTTPError(503)
        foreign = headers.get("Sec-Fetch-Site") in {"cross-site", "same-site"}  # another port is the same site
        if foreign and headers.get("Sec-Fetch-Dest") != "document":
            raise HTTPError(403)


class Lesson(Page):
    """A lesson on the explorer's server: its address names it; its session is private and counts like any other."""

    def initialize(self, lessons: Mapping[str, str], **given: Any) -> None:  # type: ignore[override]
        super().initialize(**given)
        self.lessons = lessons

    async def get(self, path: str | None = None) -> None:
        if not path or path not in self.lessons:
            raise HTTPError(404)
        self.lesson, self.notebook_path = path, self.lessons[path]
        await super().get()


class Status(Quiet):
    """Answers the page's heartbeat: is the kernel there, and for how long? This cannot end or restart it."""

    async def get(self, kernel_id: str) -> None:
        self.refuse_others(kernel_id)
        self.set_header("Cache-Control", "no-store")
        returning = "returns" in self.request.query_arguments
        told = self.sessions.asked_by_page(kernel_id, returning=returning)
        self.finish(self.sessions.kernel_model(kernel_id) | told)


class Use(Quiet):
    """Answers a page that is used without Python, so that its kernel does not end as unused."""

    async def post(self, kernel_id: str) -> None:
        self.refuse_others(kernel_id)
        self.sessions.use(kernel_id)
        self.set_status(204)
        self.finish()


class Shutdown(Quiet):
    """Answers a page that is closed."""

    async def post(self, kernel_id: str) -> None:
        self.refuse_others(kernel_id)
        await self.sessions.end(kernel_id)
        self.set_status(204)
        self.finish()


PROTOCOL = "v1.kernel.websocket.jupyter.org"
GOING_AWAY = 1001


class Channels(VoilaKernelWebsocketHandler):
    """The socket between a page and its kernel.

    Only the binary protocol is supported: with a client of the older one, the server's memory grew without bound.
    """

    async def get(self, kernel_id: str) -> None:
        if not self.kernel_manager.belongs(kernel_id, self.current_user.username):
            raise HTTPError(404)
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        if PROTOCOL not in [name.strip() for name in offered.split(",")]:
            raise HTTPError(400, f"this socket supports only {PROTOCOL}")
        # it becomes the name of a ZeroMQ socket, which is short and contains no null byte
        if not re.fullmatch(r"[\w-]{1,100}", self.get_query_argument("session_id", ""), re.ASCII):
            raise HTTPError(400, "a socket needs a session_id")
        try:
            await super().get(kernel_id)  # type: ignore[misc]
        except (KeyError, OSError, RuntimeError):  # TimeoutError among them; the kernel ended meanwhile
            raise HTTPError(404) from None

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.clear_header("Server")

    def select_subprotocol(self, subprotocols: list[str]) -> str | None:
        if self.connection is None:  # the page closed while its kernel got ready
            raise HTTPError(404)
        return super().select_subprotocol(subprotocols)  # type: ignore[no-any-return]

    async def open(self, kernel_id: str) -> None:
        try:
            await super().open(kernel_id)
        except Exception as error:
            self._give_up(error)

    def on_message(self, message: bytes | str) -> None:
        try:
            super().on_message(message)
        except Exception as error:
            self._give_up(error)

    def write_message(self, message: Any, binary: bool = False) -> Any:
        try:
            sent = super().write_message(message, binary)
        except StreamBufferFullError:
            self.log.error(
                "A page reads nothing while %d MB wait for it: its connection is closed.", MOST_UNREAD_BYTES >> 20
            )
            self.ws_connection.stream.close()  # a closing message would wait as well
            return None
        except WebSocketClosedError:  # the page was lost, but we have not been told yet
            return None
        if sent is not None:
            sent.add_done_callback(self._sent)
        return sent

    def _sent(self, sending: Future[None]) -> None:
        """A page may leave before it has received everything, which is not a failure; anything else is."""
        error = None if sending.cancelled() else sending.exception()
        if error is not None and not isinstance(error, WebSocketClosedError | StreamClosedError):
            self.log.error("A message to a page could not be sent (%s).", type(error).__name__)

    def on_close(self) -> None:
        try:
            super().on_close()
        except Exception as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        """Close a socket whose kernel has ended. The page then asks for its kernel and says that it is gone."""
        if self.connection is not None and self.connection.kernel_id in self.kernel_manager:
            self.log.error("A connection to a session broke (%s).", type(error).__name__)
        self.close(GOING_AWAY)

    @property
    def max_message_size(self) -> int:
        return MESSAGE_LIMIT_BYTES

    def write_error(self, status_code: int, **_: Any) -> None:
        self.finish()
