"""`make pictures` takes new screenshots of the pages, for the README and the site.

It needs what the tests need: playwright and a Chromium. The pages are shown as they open, in a window of 1280 x 810 pixels;
the README has an animation instead (`story.py`), in a smaller one.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tests.browser import browser, page  # noqa: E402
from tests.server import serve  # noqa: E402

PICTURES = ("track", "place", "series", "table", "people", "lessons", "studies")
"""The pages: each picture has the name of its page."""

STORY = "story"
"""The name of the animation, which begins on the first page."""

REST_MS = 4000
"""Time for a page's charts to be drawn."""
COMPUTES = (
    "[...document.querySelectorAll('button')].some((one) => one.textContent === 'Cancel' && one.checkVisibility())"
)


def main() -> None:
    """Take every screenshot, or only those named as arguments."""
    from story import animated, frames

    wanted = sys.argv[1:] or [*PICTURES, STORY]
    with serve() as address, browser() as chromium:
        for name in wanted:
            width, height = (1100, 700) if name == STORY else (1280, 810)
            with page(chromium, width=width, height=height) as tab:
                tab.goto(f"{address}?page={'track' if name == STORY else name}")
                tab.locator(".lmdk-explorer[data-lmdk-ready], .lmdk-lessons[data-lmdk-ready]").first.wait_for(
                    timeout=120_000
                )
                tab.wait_for_timeout(REST_MS)
                tab.wait_for_function(f"!{COMPUTES}", timeout=120_000)
                picture = animated([*frames(tab)]) if name == STORY else tab.screenshot()
                (HERE / f"{name}.png").write_bytes(picture)
                print(f"docs/{name}.png")


if __name__ == "__main__":
    main()
