"""How pages look: few words and controls on the first screen, nothing cut, no box half empty, no text over another."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.hosts.page_list import APART, PAGES
from tests.browser import from_help, page
from tests.hosts.widget.test_tabs import SHOWN, settled
from tests.server import Address

pytestmark = pytest.mark.browser

COUNTED = (Path(__file__).parent / "first_screen.js").read_text("utf-8")
MOST_WORDS, MOST_CONTROLS = 150, 16
SHAPED = [name for name in PAGES if name not in APART]
MAIN = {
    "track": "Epsilon",
    "place": "Privacy level",
    "series": "Epsilon",
    "table": "Smallest class",
    "people": "Epsilon",
}
"""The slider of each page that changes its answers."""
MORE_SLIDERS = ("All releases made", "Alike in all releases")
"""Those of other parts of a page."""
PICTURE = {
    "track": ".lmdk-map",
    "place": ".lmdk-map",
    "series": ".lmdk-states:not(.lmdk-overview)",
    "table": ".lmdk-crowd",
    "people": ".lmdk-people-picture",
}
SCREENS = [
    "page=track",
    "page=place",
    "page=series",
    "page=table",
    "page=people",
    "page=place&mechanism=spanner",
    "page=place&mechanism=private",
    "page=series&source=binary",
    "page=series&source=activities",
    "page=series&source=track",
    "page=series&source=chains",
    "page=series&theta=bootstrap",
    "page=table&v=3&table=adults&least=5",
    "page=table&part=noise",
    "page=table&part=stream",
    "page=table&part=adding",
    "page=table&part=sums",
    "page=table&part=sequence",
    "track=commuter",
    "track=commuter&scheme=adaptive&epsilon=0.5",
    "track=household",
    "track=taxi",
    "track=contacts",
    "track=heart",
]
"""Settings of pages in shape whose first screen is counted; each such page is among them as it opens."""
SIZES = [(1440, 900), (390, 844), (1024, 768), (1280, 800), (768, 1024), (320, 640)]

CUT = """root => [...root.querySelectorAll("*")].filter((one) => {
  const leftOut = ".lmdk-map, .lmdk-row, .lmdk-offscreen, .lmdk-file, select, input, svg";
  if (!one.checkVisibility() || one.closest(leftOut)) return false;
  const { overflowX, overflowY, textOverflow } = getComputedStyle(one);
  const hides = (how) => ["hidden", "clip"].includes(how);
  const wide = (hides(overflowX) || textOverflow === "ellipsis") && one.scrollWidth > one.clientWidth + 1;
  return (wide || (hides(overflowY) && one.scrollHeight > one.clientHeight + 1)) && one.textContent.trim();
}).map((one) => one.textContent.trim().slice(0, 60))"""
"""Texts of which a part is hidden at an edge."""

HALF_EMPTY = """root => [...root.querySelectorAll(".lmdk-headlines > li")].filter((box) => {
  const range = document.createRange();
  range.selectNodeContents(box);
  const { top, bottom } = box.getBoundingClientRect();
  return bottom - range.getBoundingClientRect().bottom > (bottom - top) / 2;
}).map((box) => box.innerText)"""
"""Boxes of which the lower half is empty."""


def opened(view: Any, address: Address, query: str) -> Any:
    """The page, once it is drawn, useful is computed, and nothing is being solved."""
    view.goto(f"{address}?{query}")
    view.wait_for_selector(SHOWN, timeout=60_000)
    view.wait_for_function("document.querySelector('.lmdk-place')?.dataset.lmdkBusy !== '1'", timeout=90_000)
    view.wait_for_function(
        "[...document.querySelectorAll('.lmdk-headlinevalue')].every((one) => one.textContent !== '…')"
    )
    return view.locator(SHOWN)


def searched(view: Any) -> None:
    """The verdict of a track, once it says what would help."""
    line = view.locator(f"{SHOWN} .lmdk-judged[data-look=misses] .lmdk-judgedline:not(.lmdk-judgedtoday)")
    if line.count():
        line.filter(has_text=re.compile("meets them|comes nearer|No epsilon")).wait_for()
        line.filter(has_not_text="Looking for").wait_for()


def test_every_page_in_shape_is_counted_as_it_opens() -> None:
    assert {f"page={name}" for name in SHAPED} <= set(SCREENS)


@pytest.mark.parametrize("query", SCREENS)
def test_the_first_screen_has_few_words_and_controls(chromium: Any, address: Address, query: str) -> None:
    with page(chromium, width=1440, height=900) as view:
        root = opened(view, address, query)
        view.wait_for_selector(f"{SHOWN} .lmdk-ask:visible")
        searched(view)
        found = root.evaluate(COUNTED)
        assert len(found["words"]) <= MOST_WORDS, (len(found["words"]), " ".join(found["words"]))
        assert len(found["controls"]) <= MOST_CONTROLS, found["controls"]
        assert len(found["words"]) > 60 and {*MAIN.values(), *MORE_SLIDERS} & set(found["controls"]), "they are seen"


@pytest.mark.parametrize("query", ["track=bob", "track=taxi", "track=contacts"])
def test_the_first_screen_of_a_track_is_in_plain_words(chromium: Any, address: Address, query: str) -> None:
    jargon = ("honest", "chain", "usual start", "pair by pair", "for ever", "event", "user", "odds", "adversary")
    with page(chromium, width=1440, height=900) as view:
        root = opened(view, address, query)
        told = " ".join(root.evaluate(COUNTED)["words"]).lower()
        legends = " ".join(root.locator(".lmdk-panellegend").all_inner_texts()).lower()
        found = f"{told} {legends.replace('event level', '').replace('user level', '')}"
        assert not [word for word in jargon if re.search(rf"\b{word}s?\b", found)], found
        assert "a careful reader, who uses all reports and public knowledge" in root.inner_html().lower(), (
            "and says who"
        )


@pytest.mark.parametrize("name", ["series", "place"])
def test_the_first_screen_is_in_plain_words(chromium: Any, address: Address, name: str) -> None:
    jargon = {"quilt", "quilts", "pufferfish", "chain", "chains", "nearby", "mqm", "gk16", "geo-indistinguishability"}
    with page(chromium, width=1440, height=900) as view:
        words = opened(view, address, f"page={name}").evaluate(COUNTED)["words"]
        assert not jargon & {word.lower().strip(".,:;()") for word in words}, words


@pytest.mark.nightly
@pytest.mark.parametrize("name", SHAPED)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_tab_is_whole_at_every_size(chromium: Any, address: Address, width: int, height: int, name: str) -> None:
    wrong = {}
    with page(chromium, width=width, height=height, dark=width < 400) as view:
        root = opened(view, address, f"page={name}")
        tabs = root.locator("[data-tab]:visible").evaluate_all("all => all.map((tab) => tab.dataset.tab)")
        assert len(tabs) >= 4
        for tab in tabs:
            view.locator(f"{SHOWN} [data-tab={tab}]").click()
            view.evaluate("window.scrollTo(0, 0)")  # on a telephone the answers stay above what is scrolled
            _, over = settled(view)
            cut, empty = root.evaluate(CUT), root.evaluate(HALF_EMPTY)
            wide = view.evaluate("document.documentElement.scrollWidth - innerWidth")
            if over or cut or empty or wide > 0:
                wrong[tab] = (over, cut, empty, wide)
    assert not wrong


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (390, 844)])
@pytest.mark.parametrize("presented", [False, True])
@pytest.mark.parametrize("name", SHAPED)
def test_answers_picture_and_slider_are_in_view_together(
    chromium: Any, address: Address, name: str, width: int, height: int, presented: bool
) -> None:
    if presented and width < 1024:
        pytest.skip("nobody projects a telephone")
    with page(chromium, width=width, height=height) as view:
        root = opened(view, address, f"page={name}&track=commuter")
        if presented:
            from_help(view, "Present").click()
            view.keyboard.press("Escape")
            settled(view)
        for part in (".lmdk-headlines", PICTURE[name], f"input[type=range][aria-label='{MAIN[name]}']"):
            box = root.locator(part).bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= height, (part, box)
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, (part, box)


@pytest.mark.parametrize(
    ("query", "beside"),
    [
        ("page=track&track=household", ".lmdk-timelinepart .lmdk-plotframe"),
        ("page=place", ".lmdk-place-beside .lmdk-figure"),
        ("page=series", ".lmdk-series-beside .lmdk-figure"),
        ("page=table", ".lmdk-table-beside .lmdk-figure:visible"),
    ],
)
def test_what_stands_beside_the_picture_ends_in_view_also_presented(
    chromium: Any, address: Address, query: str, beside: str
) -> None:
    """No chart is cut by the foot of the window, and none leaves half of its column empty."""
    with page(chromium, width=1280, height=800) as view:
        root, name = opened(view, address, query), query[5:].partition("&")[0]
        settled(view)
        ends = [root.locator(part).first.bounding_box() for part in (PICTURE[name], beside)]
        low = [box["y"] + box["height"] for box in ends if box]
        assert name == "track" or abs(low[0] - low[1]) < 12, low
        from_help(view, "Present").click()
        view.keyboard.press("Escape")
        settled(view)
        box = root.locator(beside).first.bounding_box()
        assert box["y"] + box["height"] <= 800, box


@pytest.mark.nightly
def test_marks_of_charts_are_printed(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        root = opened(view, address, "page=place")
        settled(view)
        view.emulate_media(media="print")
        assert root.locator("g.lmdk-marks").first.is_visible() and not root.locator(".lmdk-mapbar").is_visible()


BETWEEN = """root => {
  const plot = root.querySelector(".lmdk-plotframe");
  const legends = [...plot.querySelectorAll(".lmdk-panellegend")].map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one.lastElementChild);
    return range.getBoundingClientRect();
  });
  const labels = [...plot.querySelectorAll(".lmdk-plot text")].map((one) => [one.textContent, one.getBoundingClientRect()]);
  return legends.map(({ bottom }) => {
    const below = labels.filter(([, box]) => box.bottom > bottom).sort(([, a], [, b]) => a.top - b.top);
    return [below[0][0], below[0][1].top - bottom];
  });
}"""
"""The highest label of each panel below its legend, and pixels between them."""


@pytest.mark.parametrize("query", ["track=heart", "track=contacts"])
def test_no_label_of_an_axis_touches_the_legend_above_it(chromium: Any, address: Address, query: str) -> None:
    with page(chromium, width=1280, height=800) as view:
        root = opened(view, address, query)
        settled(view)
        found = root.evaluate(BETWEEN)
        assert len(found) == 3 and all(room >= 0 for _, room in found), found


def test_answers_are_told_once_when_the_slider_rests(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        root = opened(view, address, "page=track")
        told = root.locator(".lmdk-threeanswers [aria-live=polite]")
        view.wait_for_timeout(1500)
        view.evaluate(
            """() => {
              window.told = [];
              const said = document.querySelector(".lmdk-threeanswers [aria-live=polite]");
              const seen = { childList: true, characterData: true, subtree: true };
              new MutationObserver(() => window.told.push(said.textContent)).observe(said, seen);
            }"""
        )
        slider = view.get_by_role("slider", name="Epsilon", exact=True)
        for _ in range(5):
            slider.press("ArrowLeft")
        view.wait_for_function("window.told.some((text) => text)")
        view.wait_for_timeout(2500)
        texts = [text for text in view.evaluate("window.told") if text]
        assert 1 <= len(texts) <= 2, "what is useful may come a moment later"
        shown = [one.inner_text() for one in root.locator(".lmdk-headlinevalue").all()]
        assert all(value in texts[-1] for value in shown)
        view.wait_for_function("document.querySelector('.lmdk-threeanswers [aria-live=polite]').textContent === ''")
        assert told.text_content() == "", "what was read aloud is on the page, and not twice"


def test_a_confirmation_that_is_over_is_no_longer_in_the_page(chromium: Any, address: Address) -> None:
    with page(chromium) as view:
        opened(view, address, "page=place")
        view.locator(".lmdk-menu[data-menu=save]:visible > summary").click()
        view.evaluate(
            """() => {
              const toasts = [...document.querySelectorAll(".lmdk-toast")];
              const hear = new MutationObserver(() => (globalThis.said ||= toasts.some(({ textContent }) => textContent)));
              for (const toast of toasts) hear.observe(toast, { childList: true, characterData: true, subtree: true });
            }"""
        )  # it may be over before a busy machine asks
        view.locator("[data-name=svg]:visible").click()
        view.wait_for_function("globalThis.said")
        view.wait_for_function("[...document.querySelectorAll('.lmdk-toast')].every(({ textContent }) => !textContent)")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["track", "table"])
def test_present_closes_its_menu(chromium: Any, address: Address, name: str) -> None:
    with page(chromium) as view:
        opened(view, address, f"page={name}")
        menu = view.locator(".lmdk-menu[data-menu=help]:visible")
        for pressed in ("true", "false"):
            from_help(view, "Present").click()
            assert menu.get_attribute("open") is None
            assert from_help(view, "Present").get_attribute("aria-pressed") == pressed


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["place", "series"])
def test_no_sentence_stands_twice_on_a_page(chromium: Any, address: Address, name: str) -> None:
    """In each of its tabs, what only a screen reader reads included."""
    with page(chromium) as view:
        root = opened(view, address, f"page={name}")
        settled(view)
        view.wait_for_timeout(4500)  # what was read aloud is forgotten
        tabs = root.locator(".lmdk-tabs button:visible")
        for k in range(tabs.count()):
            tabs.nth(k).click()
            view.wait_for_timeout(600)
            lines = root.inner_text().split("\n")
            said = [one.strip() for line in lines for one in re.split(r"(?<=[.!?])\s+", line)]
            twice = {one for one in said if len(one.split()) >= 5 and said.count(one) > 1}
            assert not twice, (tabs.nth(k).inner_text(), twice)


def test_every_page_is_in_reach_on_a_phone(chromium: Any, address: Address) -> None:
    with page(chromium, width=400, has_touch=True) as view:
        opened(view, address, "page=track")
        titles = ["Track", "Place", "Series", "Table", "People", "Lessons", "Studies"]
        for title in (*titles[1:], titles[0]):
            view.locator(".lmdk-pages summary").tap()
            offered = view.locator(".lmdk-pagelist button")
            assert [one.inner_text() for one in offered.all()] == titles
            for box in (one.bounding_box() for one in offered.all()):
                assert box["x"] >= 0 and box["x"] + box["width"] <= 400 and box["height"] >= 40
            offered.get_by_text(title, exact=True).tap()
            view.wait_for_function("(title) => document.title.startsWith(title)", arg=title)
