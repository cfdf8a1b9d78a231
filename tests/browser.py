"""A real Chromium for tests, and a guard that notices what a page must never do.

with browser() as chromium:                       # skips the test, saying so, where there is no Chromium
    with page(chromium, width=400, dark=True) as guarded:
        guarded.goto(address)                      # a playwright page with .guard
        guarded.guard.check()                      # also checked when the block ends without an exception
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlparse

import pytest

from tests.get_browser import find_browser
from tests.server import address_of

ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HARMLESS = ("Unsatisfied version", "No satisfying version")
"""Voila and ipywidgets were built against neighbouring versions of JupyterLab's modules; they say so and go on."""


@dataclass
class Guard:
    """What a page did: errors in its console, uncaught errors, requests that failed, requests to other hosts."""

    host: str = ""
    allowed_hosts: set[str] = field(default_factory=set)
    console: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def watch(self, page: Any) -> None:
        """Listen to everything that a playwright page reports."""
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.errors.append(error.stack or error.message))
        page.on("request", lambda request: self._on_request(request.url))
        page.on("websocket", lambda socket: self._on_request(socket.url))
        page.on("response", lambda answer: answer.status >= 400 and self.failed.append(f"{answer.status} {answer.url}"))

    def check(self) -> None:
        """Fail if the page logged an error, let one escape, got an error as an answer, or asked another host."""
        seen = {
            "console errors": self.console,
            "uncaught errors": self.errors,
            "failed requests": self.failed,
            "requests to other hosts": self.foreign,
        }
        bad = {what: found for what, found in seen.items() if found}
        assert not bad, bad

    def forget(self) -> None:
        """Start afresh: for a test that provoked an error and has seen it."""
        for record in (self.console, self.warnings, self.errors, self.failed, self.foreign, self.requests):
            record.clear()

    def _on_console(self, message: Any) -> None:
        if message.type == "error":
            self.console.append(message.text)
        elif message.type == "warning" and not message.text.startswith(HARMLESS):
            self.warnings.append(message.text)

    def _on_request(self, url: str) -> None:
        self.requests.append(url)
        parts = urlparse(url)
        if parts.scheme in {"data", "blob", "about"}:
            return
        self.host = self.host or parts.netloc
        if parts.netloc != self.host and parts.hostname not in self.allowed_hosts:
            self.foreign.append(url)


@contextmanager
def browser() -> Iterator[Any]:
    """A headless Chromium (a playwright `Browser`); skips the test where none is installed."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = find_browser()
    if path is None:
        pytest.skip("no Chromium on this machine")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield chromium
        finally:
            chromium.close()


@contextmanager
def page(
    chromium: Any,
    *,
    width: int = 1280,
    height: int = 800,
    dark: bool = False,
    allowed_hosts: set[str] | None = None,
    check: bool = True,
    **context: Any,
) -> Iterator[Any]:
    """A page in a context of its own (nothing cached, no cookie), watched by `page.guard`.

    Parameters
    ----------
    allowed_hosts : names of other hosts that this test expects requests to ("tile.openstreetmap.org").
    check : call `guard.check()` when the block ends; False for a test that provokes errors.
    context : further options of playwright's `new_context`, such as accept_downloads or permissions.
    """
    scheme = "dark" if dark else "light"
    private = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **context)
    try:
        fresh = private.new_page()
        fresh.guard = Guard(allowed_hosts=allowed_hosts or set())
        fresh.guard.watch(fresh)
        fresh.goto = partial(_goto, fresh, fresh.goto)
        yield fresh
        if check:
            fresh.guard.check()
    finally:
        private.close()


def _goto(page: Any, goto: Any, url: str, **options: Any) -> Any:
    """Go to a page as somebody who was there before: the cookie is shown, the token need not be in the address."""
    address = address_of(url)
    if address and "token=" not in url and not page.context.cookies(address):
        name, value = address.admitted()
        page.context.add_cookies([{"name": name, "value": value, "url": str(address), "httpOnly": True}])
    return goto(url, **options)
