"""The pages of the dashboard look the same whichever of them was open before: all their styles stay in the document."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.hosts.page_list import PAGES
from tests.browser import page
from tests.server import Address

pytestmark = pytest.mark.browser

SIZES = [(1440, 900), (1024, 768), (390, 844)]
OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text("utf-8")
SHOWN = ".lmdk-stage > div:not([hidden]) > .lmdk-explorer[data-lmdk-ready]"
HELP = f"{SHOWN} .lmdk-peoplehelp"
BUSY = (
    f'{SHOWN}[data-lmdk-busy="1"], {SHOWN} .lmdk-progress:visible, '
    f'{HELP}:not(:has-text("You could publish")), {HELP}:has-text("so far")'
)
"""What a page shows while something beside it is not computed yet."""
TOLERANCE = 3  # pixels


def walk(names: list[str]) -> list[str]:
    """A way from the first name over all ordered pairs of names, each once: an Eulerian circuit."""
    left = {name: [other for other in names if other != name] for name in names}
    way: list[str] = []
    stack = names[:1]
    while stack:
        if left[stack[-1]]:
            stack.append(left[stack[-1]].pop())
        else:
            way.append(stack.pop())
    return way[::-1]


def test_the_walk_goes_over_every_ordered_pair_once() -> None:
    way = walk(list(PAGES))
    pairs = list(pairwise(way))
    assert len(pairs) == len(set(pairs)) == len(PAGES) * (len(PAGES) - 1)
    assert way[0] == way[-1] == next(iter(PAGES))


def look(view: Any) -> tuple[int, list[Any]]:
    """The height of the page that is shown, and the texts on it that lie over one another."""
    return height_of(view), view.locator(SHOWN).evaluate(OVERLAPS)


def height_of(view: Any) -> int:
    """The height of the page that is shown."""
    return round(view.locator(SHOWN).bounding_box()["height"])


def settled(view: Any) -> tuple[int, list[Any]]:
    """What `look` says once all is computed and the height the same for a second, and no text lies over another for long."""
    view.wait_for_selector(SHOWN)
    last, since = height_of(view), time.monotonic()
    end = since + 60
    while True:
        view.wait_for_timeout(100)
        now = height_of(view)
        if now != last or view.locator(BUSY).count():
            last, since = now, time.monotonic()
        if time.monotonic() > min(since + 1, end):
            found = look(view)
            if not found[1] or time.monotonic() > min(since + 3, end):
                return found


def like(view: Any, height: int) -> tuple[int, list[Any]]:
    """What `look` says as soon as it is a page of this height on which all texts lie apart, else after some seconds."""
    view.wait_for_selector(SHOWN)
    last = time.monotonic() + 60
    end = time.monotonic() + 12
    while True:
        now = look(view)
        if view.locator(BUSY).count():
            end = min(time.monotonic() + 12, last)
        if (abs(now[0] - height) <= TOLERANCE and not now[1]) or time.monotonic() > end:
            return now
        view.wait_for_timeout(100)


def look_at_a_tab(view: Any, visit: int) -> list[Any]:
    """The texts that lie over one another in another tab of the page at each visit, which is left as it was."""
    tabs = view.locator(f"{SHOWN} .lmdk-tabs > button:visible")
    if tabs.count() < 2:
        return []
    tabs.nth(1 + visit % (tabs.count() - 1)).click()
    over = settled(view)[1]
    tabs.first.click()
    view.wait_for_selector(f"{SHOWN} .lmdk-tabs > button:first-child[aria-selected=true]")
    return over


@pytest.fixture(scope="module")
def direct(chromium: Any, address: Address) -> dict[tuple[str, int], tuple[int, list[Any]]]:
    """The height of each page at each width, and what lies over what on it, where it was opened first and alone."""
    found = {}
    for name in PAGES:
        with page(chromium, width=SIZES[0][0], height=SIZES[0][1]) as view:
            view.goto(f"{address}?page={name}")
            for width, height in SIZES:
                view.set_viewport_size({"width": width, "height": height})
                found[name, width] = settled(view)
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("name", PAGES)
def test_no_text_lies_over_another_on_a_page_opened_alone(direct: Any, name: str) -> None:
    assert {width: direct[name, width][1] for width, _ in SIZES} == {width: [] for width, _ in SIZES}


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.nightly
def test_no_page_depends_on_the_one_before(
    chromium: Any, address: Address, direct: Any, width: int, height: int
) -> None:
    turned = 2 * SIZES.index((width, height))
    names = [*PAGES][turned:] + [*PAGES][:turned]  # another page is opened first at each size
    wrong = {}
    opened: dict[str, int] = {}
    with page(chromium, width=width, height=height) as view:
        view.goto(f"{address}?page={names[0]}")
        way = walk(names)
        for before, name in pairwise(way):
            if width < 700:  # a phone has a list of the pages
                view.locator(".lmdk-pages summary").click()
            view.locator(f".lmdk-nav [data-page={name}]:visible, .lmdk-pages [data-to={name}]:visible").click()
            now = like(view, direct[name, width][0])
            if over := look_at_a_tab(view, opened.setdefault(name, 0)):
                wrong[f"a tab of {name} after {before}"] = over
            opened[name] += 1
            if abs(now[0] - direct[name, width][0]) > TOLERANCE or now[1]:
                wrong[f"{name} after {before}"] = (direct[name, width][0], *now)
            if len(wrong) > 2:
                break
    assert not wrong
