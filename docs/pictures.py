"""`make pictures` takes new screenshots of the pages, for the README and the site.

It needs what the tests need: playwright and a Chromium. The pages are shown as they open, in a window of 1280 x 810 pixels.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tests.browser import browser, page  # noqa: E402
from tests.server import serve  # noqa: E402

PICTURES = {
    "explorer": "track",
    "places": "place",
    "quilts": "series",
    "foundations": "table",
    "lessons": "lessons",
    "studies": "studies",
}
"""The name of each picture, and the page it shows."""

REST_MS = 4000
"""Time for a page's charts to be drawn."""
COMPUTES = (
    "[...document.querySelectorAll('button')].some((one) => one.textContent === 'Cancel' && one.checkVisibility())"
)


def main() -> None:
    """Take every screenshot, or only those named as arguments."""
    wanted = sys.argv[1:] or [*PICTURES]
    with serve() as address, browser() as chromium:
        for name in wanted:
            with page(chromium, width=1280, height=810) as tab:
                tab.goto(f"{address}?page={PICTURES[name]}")
                tab.locator(".lmdk-explorer[data-lmdk-ready], .lmdk-lessons[data-lmdk-ready]").first.wait_for(
                    timeout=120_000
                )
                tab.wait_for_timeout(REST_MS)
                tab.wait_for_function(f"!{COMPUTES}", timeout=120_000)
                tab.screenshot(path=HERE / f"{name}.png")
                print(f"docs/{name}.png")


if __name__ == "__main__":
    main()
