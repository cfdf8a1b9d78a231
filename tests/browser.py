"""A real Chromium for tests, and a guard that notices what a page must never do.

with browser() as chromium:                       # skips the test, saying so, where there is no Chromium
    with page(chromium, width=400, dark=True) as guarded:
        guarded.goto(address)                      # a playwright page with .guard
        guarded.guard.check()                      # also checked when the block ends without an exception
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlparse

import pytest

from tests.get_browser import find_browser
from tests.server import address_of, until

ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_running: list[tuple[Any, Any]] = []
"""What started Chromium, and Chromium: one for all files of a worker that follow one another, as a start takes seconds."""
_idle: dict[str, list[Any]] = {}
"""Empty pages of the running Chromium by the options of their context: its scripts are compiled and its process is there."""
FUNCTION = re.compile(r"\s*(async\s+)?(\([^()]*\)|\w+)\s*=>")
PATIENCE_MS = 90_000
"""For a page to load and for whatever a test waits for: on a busy machine thirty seconds have been too few."""
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

    @staticmethod
    def watch(page: Any) -> None:
        """Tell the guard that a playwright page has at the time everything that the page reports."""
        page.on("console", lambda message: page.guard._on_console(message))
        page.on("pageerror", lambda error: page.guard.errors.append(error.stack or error.message))
        page.on("request", lambda request: page.guard._on_request(request.url))
        page.on("websocket", lambda socket: page.guard._on_request(socket.url))
        page.on("response", lambda answer: page.guard._on_answer(answer.status, answer.url))

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

    def _on_answer(self, status: int, url: str) -> None:
        if status >= 400:
            self.failed.append(f"{status} {url}")

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
    """A headless Chromium (a playwright `Browser`), which `close_browser` ends; skips where none is installed."""
    if _running and not _running[0][1].is_connected():
        close_browser()
    if not _running:
        sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
        path = find_browser()
        if path is None:
            pytest.skip("no Chromium on this machine")
        sync_api.expect.set_options(timeout=PATIENCE_MS)
        playwright = sync_api.sync_playwright().start()
        _running.append((playwright, playwright.chromium.launch(executable_path=path, args=ARGUMENTS)))
    yield _running[0][1]


def close_browser() -> None:
    """End the Chromium of this worker, if there is one: while it runs, no test of the worker can run a loop of its own."""
    _idle.clear()
    while _running:
        playwright, chromium = _running.pop()
        chromium.close()
        playwright.stop()


@contextmanager
def page(
    chromium: Any,
    *,
    width: int = 1280,
    height: int = 800,
    dark: bool = False,
    allowed_hosts: set[str] | None = None,
    check: bool = True,
    anew: bool = False,
    **context: Any,
) -> Iterator[Any]:
    """A page of a new visitor (no cookie, nothing stored), watched by `page.guard`.

    Parameters
    ----------
    allowed_hosts : names of other hosts that this test expects requests to ("tile.openstreetmap.org").
    check : call `guard.check()` when the block ends; False for a test that provokes errors.
    anew : nothing is cached either; else an earlier page of the test file may have left its scripts, which saves seconds.
    context : further options of playwright's `new_context`, such as accept_downloads or permissions.
    """
    kind = repr(sorted(context.items()))
    free = [] if anew else _idle.setdefault(kind, [])
    fresh = free.pop() if free else _opened(chromium, context)
    kept = False
    try:
        fresh.guard = Guard(allowed_hosts=allowed_hosts or set())
        fresh.set_viewport_size({"width": width, "height": height})
        fresh.emulate_media(media="null", color_scheme="dark" if dark else "light")
        yield fresh
        if check:
            fresh.guard.check()
        kept = not anew and _emptied(fresh)
    finally:
        if kept:
            free.append(fresh)
        else:
            fresh.context.close()


def unfold(view: Any) -> None:
    """Open the folds beside the picture, where most controls of a page stand."""
    view.evaluate("document.querySelectorAll('details.lmdk-aside').forEach((fold) => { fold.open = true; })")


def open_tab(view: Any, name: str) -> None:
    """Open one of the tabs beneath the picture: words, attacker, compare, inverse, timestamps, assumptions."""
    view.locator(f".lmdk-tabs:visible [data-tab={name}]").click()


def from_help(view: Any, name: str) -> Any:
    """A button of the menu of help, which is open then: Tour, Present, Reset."""
    menu = view.locator(".lmdk-menu[data-menu=help]:visible")
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()
    return menu.get_by_role("button", name=name)


def copied(view: Any, name: str) -> str:
    """What a button puts on the clipboard, once it is there; the page needs both permissions of the clipboard."""
    view.evaluate("navigator.clipboard.writeText('')")
    view.get_by_role("button", name=name).click()

    def look() -> tuple[str, bool]:
        text = str(view.evaluate("navigator.clipboard.readText()"))
        return text, bool(text)

    return str(until(look, "a text on the clipboard"))


def kernel_of(view: Any) -> str:
    """The name of the kernel behind a page of one person."""
    return str(view.evaluate("JSON.parse(document.querySelector('#jupyter-config-data').textContent).kernelId"))


def _opened(chromium: Any, options: dict[str, Any]) -> Any:
    """The page of a new context, which can take back what a test does to it that outlives the next address."""
    context = chromium.new_context(**options)
    context.set_default_timeout(PATIENCE_MS)
    fresh = context.new_page()
    Guard.watch(fresh)
    add, route, session, wait = fresh.on, fresh.route, context.new_cdp_session, fresh.wait_for_function
    fresh.undo = []

    def listens(event: str, act: Any) -> None:
        add(event, act)
        fresh.undo.append(lambda: fresh.remove_listener(event, act))

    def routes(*given: Any) -> None:
        route(*given)
        fresh.undo.append(fresh.unroute_all)

    def talks(page: Any) -> Any:
        made = session(page)
        fresh.undo.append(made.detach)
        return made

    def begins_with(script: str) -> None:
        made = talks(fresh)
        made.send("Page.enable")
        made.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})  # until it is detached

    def waits(script: str, **given: Any) -> Any:  # an expression alone is evaluated as a page of a room forbids it
        return wait(script if FUNCTION.match(script) else f"() => {script}", **given)

    fresh.on, fresh.route, fresh.add_init_script, context.new_cdp_session = listens, routes, begins_with, talks
    fresh.wait_for_function = waits
    fresh.goto = partial(_goto, fresh, fresh.goto)
    return fresh


def _emptied(page: Any) -> bool:
    """Forgets all that the visitor of a page did; whether it can be a new visitor's."""
    context = page.context
    if page.is_closed() or not page.guard.host:
        return False
    for undo in page.undo:
        with suppress(KeyError):  # a listener that the test has taken back
            undo()
    page.evaluate("try { sessionStorage.clear(); } catch {}")
    page.mouse.move(-1, -1)
    session = context.new_cdp_session(page)
    page.goto("about:blank")
    for other in context.pages:
        if other != page:
            other.close()
    stored = "cookies,local_storage,indexeddb,cache_storage"
    for origin in (f"http://{page.guard.host}", f"https://{page.guard.host}"):
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": stored})
    session.send("Page.resetNavigationHistory")
    context.clear_cookies()
    session.detach()
    page.undo.clear()
    return True


def _goto(page: Any, goto: Any, url: str, **options: Any) -> Any:
    """Go to a page as someone who was there before: the cookie is shown, the token need not be in the address."""
    address = address_of(url)
    if address and "token=" not in url:
        url = address.placed(url)
        known = page.context.cookies(address)  # of all ports of this host
        if not any(address.page == address or each["name"].endswith(f"-{urlparse(url).port}") for each in known):
            name, value = address.admitted()
            page.context.add_cookies([{"name": name, "value": value, "url": str(address), "httpOnly": True}])
    return goto(url, **options)
