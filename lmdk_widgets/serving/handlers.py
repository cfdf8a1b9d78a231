"""What the server answers: the page, the page's files, and the two requests and one socket of a widget page.

`server.py` lists the addresses; what is not listed there is not there.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import Any

from jinja2 import Template
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError, StaticFileHandler, authenticated
from voila.notebook_renderer import NotebookRenderer
from voila.tornado.handler import TornadoVoilaHandler
from voila.tornado.kernel_websocket_handler import VoilaKernelWebsocketHandler

from lmdk_widgets.serving.settings import UPLOAD_LIMIT_BYTES

PROTOCOL = "v1.kernel.websocket.jupyter.org"

REFUSED = "This request could not be answered."
FAILURE = "The explorer could not start a Python session. The terminal in which it was started says why."

SENTENCES = {
    403: "This request was refused: the explorer answers only pages of its own.",
    404: "There is no such page here. The explorer is at the address without anything behind the last slash.",
    500: FAILURE,
    503: "All Python sessions of this server are in use. Close a page that you no longer need, or try again shortly.",
}


class Quiet(JupyterHandler):
    """Answers errors with one sentence, never with a traceback or a path."""

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.set_header("Content-Type", "text/html; charset=utf-8")
        sentence = SENTENCES.get(status_code, REFUSED)
        self.finish(self.page("sentence.html").render(sentence=sentence, status=status_code))

    def page(self, name: str) -> Template:
        return self.settings["voila_jinja2_env"].get_template(name)

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
                "form-action 'none'",
                "frame-ancestors 'none'",
            ]
        )

    def set_default_headers(self) -> None:
        super().set_default_headers()
        self.set_header("Content-Security-Policy", self.content_security_policy)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Permissions-Policy", "geolocation=(), camera=(), microphone=()")


class Nothing(Quiet):
    """Every address that is not ours."""

    @authenticated
    def get(self, *_: str) -> None:
        raise HTTPError(404)


class Page(Quiet, TornadoVoilaHandler):
    """The explorer. The frame of the page is sent before its kernel is started, so that the browser can begin."""

    kernel_id = ""

    @authenticated
    async def get(self, path: str | None = None) -> None:
        self._refuse_strangers()
        if self.kernel_manager.full:  # type: ignore[attr-defined]  # a `Sessions`
            raise HTTPError(503)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.write(self.page("shell.html").render(xsrf=self.xsrf_token, **self.settings["lmdk_page"]))
        await self.flush()
        try:
            async for html in self._content():
                self.write(html)
                await self.flush()
        except StreamClosedError:  # the visitor left
            await self._end_kernel()
        except Exception:
            # the head is sent, the status cannot change any more: the page itself says it
            self.log.exception("The page could not be made")
            await self._end_kernel()
            self.write(self.page("failed.html").render(sentence=FAILURE))

    async def _content(self) -> AsyncIterator[str]:
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
        environment = {**os.environ, "QUERY_STRING": self.request.query}
        self.kernel_id = await self.kernel_manager.start_kernel(
            kernel_name=renderer.notebook.metadata.kernelspec.name, env=environment
        )
        kernel = self.kernel_manager.get_kernel(self.kernel_id)
        async for html, _ in renderer.generate_content_generator(self.kernel_id, kernel):
            yield html

    async def _end_kernel(self) -> None:
        if self.kernel_id in self.kernel_manager:
            await self.kernel_manager.shutdown_kernel(self.kernel_id, now=True)

    def _refuse_strangers(self) -> None:
        """Refuse what starts a kernel for nobody: frames and scripts of other sites, and guesses of the browser."""
        headers = self.request.headers
        if headers.get("Sec-Purpose", headers.get("Purpose", "")).startswith("prefetch"):
            raise HTTPError(503)
        if headers.get("Sec-Fetch-Site") == "cross-site" and headers.get("Sec-Fetch-Dest") != "document":
            raise HTTPError(403)


class Status(KernelHandler):
    """What the page's heartbeat asks: is the kernel there? It can be read, not ended or restarted."""

    @authenticated
    async def get(self, kernel_id: str) -> None:
        self.set_header("Cache-Control", "no-store")
        await super().get(kernel_id)  # type: ignore[misc]

    async def delete(self, kernel_id: str) -> None:
        raise HTTPError(405)


class Channels(VoilaKernelWebsocketHandler):
    """The socket between a page and its kernel.

    Only the binary protocol is spoken: with a client of the older one the server's memory grew without bound.
    """

    async def get(self, kernel_id: str) -> None:
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        if PROTOCOL not in [name.strip() for name in offered.split(",")]:
            raise HTTPError(400, f"this socket speaks {PROTOCOL} only")
        await super().get(kernel_id)  # type: ignore[misc]

    @property
    def max_message_size(self) -> int:
        return UPLOAD_LIMIT_BYTES


class Versioned(StaticFileHandler):
    """Files under an address that changes with their content: the browser may keep them for a year."""

    def set_extra_headers(self, path: str) -> None:
        self.set_header("Cache-Control", "public, max-age=31536000, immutable")
        self.set_header("X-Content-Type-Options", "nosniff")

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.finish()
