"""Every term of the glossary that a page shows has a tip in reach: on the word itself, or behind a "?" of its group."""

from __future__ import annotations

from typing import Any

import pytest

from lmdk_widgets.page.glossary import GLOSSARY
from tests.browser import page
from tests.server import Address, until

pytestmark = pytest.mark.browser

QUERIES = (
    "track&scheme=adaptive&mechanism=remapped&compare.open=1",
    "track&scheme=given&inverse.open=1&hide=1&mechanism=randomised&attacker.open=1&defences.open=1",
    "track&track=household&correlation=estimated&bounds=data",
    "place&mechanism=spanner&click=paint",
    "series",
    "series&source=chains",
    *(f"table&part={part}" for part in ("table", "noise", "stream", "adding", "sums", "sequence")),
)
STILL = """() => new Promise((done) => {
  let waits;
  const watch = new MutationObserver(() => later());
  const later = () => {
    clearTimeout(waits);
    waits = setTimeout(() => requestIdleCallback(() => done(watch.disconnect())), 600);
  };
  watch.observe(document.querySelector(".lmdk-main, .lmdk-explorer"), { subtree: true, childList: true });
  later();
})"""
"""Until nothing has come or gone for longer than the page waits (250 ms) before it marks terms, and it has time again."""
MISSING = r"""glossary => {
  const root = [...document.querySelectorAll(".lmdk-explorer")].find((one) => one.checkVisibility());
  const shown = (at) => (at.closest("select") ?? at).checkVisibility();
  const meant = (mark) => document.getElementById(mark.getAttribute("aria-describedby"))?.textContent ?? "";
  const told = (mark) => meant(mark).replaceAll("\u00a0", " ");
  const help = (group) => [...group.querySelectorAll(".lmdk-term, .lmdk-ask")].filter(shown).map(told).join(" ");
  const escape = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const either = (name) => `(?:${escape(name)}|${escape(name[0].toUpperCase() + name.slice(1))})`;
  const [before, after] = ["(?<![\\p{L}\\p{N}-])", "(?:s|es)?(?![\\p{L}\\p{N}-])"];
  const any = (names) => new RegExp(`${before}(?:${names.map(either).join("|")})${after}`, "u");
  const patterns = glossary.map(([names, meaning]) => [any(names), meaning, names]);
  const all = help(root);
  // a longer term says what a shorter one in it would say otherwise: a total loss is a loss
  const inside = (own, name) => name !== own && name.toLowerCase().includes(own.toLowerCase());
  const within = (short, long) => long.some((name) => short.some((own) => inside(own, name)));
  const longer = ([pattern, , names], text) =>
    patterns.some(([more, , others]) => within(names, others) && !pattern.test(text.replace(new RegExp(more, "gu"), "")));
  const found = [];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { nodeValue: text, parentElement: at } = walk.currentNode;
    if (!text.trim() || !shown(at) || at.closest(".lmdk-tip, .lmdk-offscreen, style")) continue;
    const group = at.closest("fieldset, section, .lmdk-header, .lmdk-menuitems") ?? root;
    // what follows the pointer, repeats the paragraph or opens as a list with marks: somewhere on the page
    const moving = at.closest(".lmdk-readout, .lmdk-warned > summary");
    for (const term of patterns) {
      const [pattern, meaning, names] = term;
      if (!pattern.test(text) || longer(term, text) || (moving ? all : help(group)).includes(meaning)) continue;
      found.push([names[0], text.slice(0, 60), group.className || group.tagName]);
    }
  }
  return found;
}"""


def open_page(view: Any, address: str, query: str) -> None:
    """Opens a page and waits until its terms are marked."""
    view.goto(f"{address}?page={query}")
    view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
    if query.startswith("place"):
        view.wait_for_selector(".lmdk-place[data-lmdk-busy='']", timeout=90_000)
    view.wait_for_selector(".lmdk-ask:visible", timeout=60_000)  # a busy machine may rest before it marks the first
    view.evaluate(STILL)


def open_everything(view: Any, address: str, query: str) -> None:
    """Opens a page and all that is folded on it, and waits until every term has its tip."""
    open_page(view, address, query)
    view.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    has_all(view)


def has_all(view: Any) -> None:
    """Waits until no term lacks its tip, twice: they are marked at rest, and what was opened may still be computed."""

    def look() -> tuple[list[list[str]], bool]:
        view.evaluate(STILL)
        return (gaps := missing(view)), not gaps

    for _ in range(2):
        until(look, "a tip for every term")


def missing(view: Any) -> list[list[str]]:
    return view.evaluate(MISSING, [[list(term.names), term.meaning] for term in GLOSSARY])


@pytest.mark.nightly
@pytest.mark.parametrize("query", QUERIES)
def test_every_term_that_is_shown_has_a_tip_in_its_group(chromium: Any, address: Address, query: str) -> None:
    with page(chromium, height=1000) as view:
        open_everything(view, address, query)
        assert view.locator(".lmdk-ask:visible").count() <= 9, "one for each group that needs it, and no more"


@pytest.mark.nightly
def test_the_test_sees_a_term_without_a_tip(chromium: Any, address: Address) -> None:
    with page(chromium, height=1000) as view:
        open_everything(view, address, "track")
        view.evaluate("document.querySelectorAll('.lmdk-ask').forEach((ask) => ask.remove())")
        assert {"backward", "forward"} <= {name for name, *_ in missing(view)}


def test_a_question_mark_answers_mouse_keys_and_escape(chromium: Any, address: Address) -> None:
    with page(chromium, height=700) as view:
        open_page(view, address, "track")
        ask, tip = (
            view.locator(".lmdk-front .lmdk-ask"),
            view.locator(".lmdk-tip:popover-open"),
        )
        ask.hover()
        tip.wait_for()
        assert "Skip: The scheme that does not measure landmarks" in tip.inner_text()
        view.keyboard.press("Escape")
        tip.wait_for(state="hidden")
        view.mouse.move(700, 5)
        ask.focus()
        tip.wait_for()
        assert tip.evaluate("tip => tip.scrollHeight > tip.clientHeight"), "it is long: arrows go through it"
        view.keyboard.press("ArrowDown")
        view.wait_for_function("document.querySelector('.lmdk-tip:popover-open').scrollTop > 0")
        view.locator(".lmdk-front label .lmdk-term", has_text="Scheme").focus()
        view.wait_for_function("document.querySelector('.lmdk-shown').textContent.startsWith('A rule that says')")


@pytest.mark.parametrize("width", [1280, 400])
def test_no_question_mark_stands_on_the_mark_of_a_fold(chromium: Any, address: Address, width: int) -> None:
    with page(chromium, width=width) as view:
        open_page(view, address, "track")
        boxes = (
            "what => [...document.querySelectorAll(what)].filter(at => at.checkVisibility())"
            ".map(at => at.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x, y, width, height }))"
        )
        asks, folds = (view.evaluate(boxes, what) for what in (".lmdk-ask", ".lmdk-main summary"))
        assert asks and folds
        for ask, fold in ((ask, fold) for ask in asks for fold in folds):
            beside = ask["x"] > fold["x"] + 20 or ask["x"] + ask["width"] < fold["x"]
            assert beside or ask["y"] > fold["y"] + fold["height"] or ask["y"] + ask["height"] < fold["y"], (ask, fold)


@pytest.mark.nightly
@pytest.mark.parametrize("which", ["track", "place", "series", "table"])
def test_a_tap_on_a_question_mark_opens_its_tip_inside_a_narrow_page(
    chromium: Any, address: Address, which: str
) -> None:
    with page(chromium, width=400, dark=True, has_touch=True) as view:
        open_page(view, address, which)
        tip = view.locator(".lmdk-tip:popover-open")
        for ask in view.locator(".lmdk-ask:visible").all():
            ask.scroll_into_view_if_needed()
            ask.tap()
            tip.wait_for()
            box = tip.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 400
            assert box["y"] >= 0 and box["y"] + box["height"] <= 800
            view.keyboard.press("Escape")
            tip.wait_for(state="hidden")
        assert view.evaluate("document.documentElement.scrollWidth") <= 400
