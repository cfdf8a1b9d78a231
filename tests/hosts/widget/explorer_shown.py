"""The explorer in a real Chromium: how a test opens it, and what it says there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.browser import page, unfold


@contextmanager
def shown(chromium: Any, address: str) -> Iterator[Any]:
    """The explorer on a screen of its own, as it is after its first answer."""
    with page(chromium, height=1000, accept_downloads=True, permissions=["clipboard-read", "clipboard-write"]) as view:
        open_page(view, address)
        yield view


def open_page(view: Any, address: str) -> None:
    view.goto(address)
    view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
    unfold(view)


def choose_streets(view: Any, name: str) -> Any:
    """Presses a button of the fold "Streets", which closes then; the button."""
    view.locator(".lmdk-streets:visible > summary").click()
    found = view.locator(".lmdk-streets:visible").get_by_role("button", name=name, exact=True)
    found.click()
    return view.locator(".lmdk-streets button", has_text=name).first


def numbers(view: Any) -> str:
    return view.inner_text("[data-lmdk=numbers]")


def numbers_with_draws(view: Any) -> str:
    """What the page says once the sentence that takes draws is there: from then on nothing changes by itself."""
    wait_for(view, "No mechanism with these budgets")
    return numbers(view)


def wait_for(view: Any, text: str) -> None:
    """Waits for words that Python wrote."""
    view.wait_for_function(
        "text => document.querySelector('[data-lmdk=numbers]').textContent"
        ".normalize('NFKC').includes(text.normalize('NFKC'))",
        arg=text,
        timeout=60_000,
    )


def wait_for_length(view: Any, n: int) -> None:
    """Waits until the list shows a track of n timestamps."""
    view.wait_for_function(
        "n => document.querySelector('.lmdk-row')?.getAttribute('aria-setsize') === String(n)", arg=n, timeout=60_000
    )


def ring(view: Any) -> tuple[float, float]:
    """The centre of the ring around the hovered timestamp, in pixels of the map, read off the upper canvas."""
    return tuple(
        view.evaluate(
            """() => {
                const canvas = document.querySelectorAll('.lmdk-canvas')[2];
                const context = canvas.getContext('2d');
                const {width, height} = canvas;
                const data = context.getImageData(0, 0, width, height).data;
                const hit = (x, y) => data[(y * width + x) * 4 + 3] > 200;
                let best = [0, 0, 0];
                for (let y = 13; y < height - 13; y += 1) for (let x = 13; x < width - 13; x += 1) {
                    let score = 0;
                    for (let k = 0; k < 24; k++) {
                        const a = (k * Math.PI) / 12;
                        if (hit(Math.round(x + 13 * Math.cos(a)), Math.round(y + 13 * Math.sin(a)))) score++;
                    }
                    if (score > best[0]) best = [score, x, y];
                }
                return [best[1] / devicePixelRatio, best[2] / devicePixelRatio];
            }"""
        )
    )
