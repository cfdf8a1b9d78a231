"""One visit to a page with a real Chromium: open it cold, wait until it is complete, move its slider."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urljoin

from playwright.sync_api import Browser, Error, Page, sync_playwright
from servers import chromium_path, kernel_pid, pss_mb, wait_until_gone

PROBE = Path(__file__).with_name("probe.js")
FLAGS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No page can reach another host or waits for one: stock templates name a CDN.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
# A widget has two seconds to load its code, which a busy machine may miss. The bare page gets the time it needs; the
# explorer gets no such concession.
PATIENCE = "{ const timeout = AbortSignal.timeout; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * 100); }"
WARM_UP_MOVES = 3
PAUSE_MS = 120
SETTLE_S = 0.5
GOODBYE_S = 1.0


@dataclass
class Visit:
    """What one visit measured; times are by the page's own clock, and an MB is 10^6 bytes."""

    complete_s: float
    websocket_mb: float
    http_mb: float
    kernel_mb: float
    text_ms: list[float] = field(default_factory=list)
    drawn_ms: list[float] = field(default_factory=list)
    painted_ms: list[float] = field(default_factory=list)
    kernel_growth_mb: float | None = None
    stuck: str = ""  # what never happened after a move, if anything: a view that is shown but no longer responds


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), headless=True, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def visit(browser: Browser, kind: str, url: str, moves: int, many_moves: int = 0) -> Visit:
    """Open a page in a new context (so with a new kernel and an empty cache), measure it, and end its kernel.

    `moves` are timed one by one, each from rest; `many_moves` follow without a pause, for the kernel's memory only.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(path=PROBE)
    if kind == "bare":
        context.add_init_script(PATIENCE)
    context.set_default_timeout(150_000)
    page = context.new_page()
    kernel_id = ""
    try:
        page.goto(url, wait_until="commit")
        page.wait_for_function("window.lmdkBench && document.body")
        first = page.evaluate("kind => lmdkBench.complete(kind)", kind)
        kernel_id = page.evaluate("lmdkBench.kernelId()")
        pid = kernel_pid(kernel_id)
        time.sleep(SETTLE_S)
        result = Visit(
            complete_s=first["complete_ms"] / 1e3,
            websocket_mb=first["websocket_bytes"] / 1e6,
            http_mb=first["http_bytes"] / 1e6,
            kernel_mb=pss_mb(pid),
        )
        try:
            _timed_moves(page, kind, moves, result)
            if many_moves:
                _move(page, kind, fractions(many_moves), pause_ms=0)
                time.sleep(SETTLE_S)
                result.kernel_growth_mb = pss_mb(pid) - result.kernel_mb
        except Error as error:
            if "never happened" not in str(error):
                raise
            result.stuck = str(error).partition("never happened: ")[2].splitlines()[0]
        return result
    finally:
        if kernel_id:
            _end_kernel(page, url, kernel_id)
        context.close()


def _end_kernel(page: Page, url: str, kernel_id: str) -> None:
    """Leave the page, and end its kernel if that did not end it: stock Voila answers its own page's goodbye with 403."""
    pid = kernel_pid(kernel_id)
    context = page.context
    page.close(run_before_unload=True)
    if wait_until_gone(pid, GOODBYE_S):
        return
    token = secrets.token_hex(16)  # the server compares cookie and header; it need not have set the cookie itself
    goodbye = urljoin(url, f"/voila/api/shutdown/{kernel_id}")
    context.add_cookies([{"name": "_xsrf", "value": token, "url": goodbye}])
    answer = context.request.post(goodbye, headers={"X-XSRFToken": token})
    if not (answer.ok and wait_until_gone(pid)):
        print(f"  a kernel outlived its page (status {answer.status}): memory figures may be too small", flush=True)


def _timed_moves(page: Page, kind: str, moves: int, result: Visit) -> None:
    if not moves:
        return
    for timing in _move(page, kind, fractions(WARM_UP_MOVES + moves), PAUSE_MS)[WARM_UP_MOVES:]:
        result.text_ms.append(timing["text_ms"])
        result.drawn_ms.append(timing["drawn_ms"])
        result.painted_ms.append(timing["painted_ms"])


def _move(page: Page, kind: str, where: Sequence[float], pause_ms: int) -> list[dict[str, float]]:
    return page.evaluate("([kind, where, pause]) => lmdkBench.moves(kind, where, pause)", [kind, list(where), pause_ms])


def fractions(count: int) -> list[float]:
    """Positions of the slider, spread over the middle of its range, each far from the one before (golden ratio).

    Examples
    --------
    >>> [round(f, 3) for f in fractions(3)]
    [0.583, 0.315, 0.748]
    """
    return [0.15 + 0.7 * (k * 0.6180339887498949 % 1.0) for k in range(1, count + 1)]
