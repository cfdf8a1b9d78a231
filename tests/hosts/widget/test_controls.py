"""The controls of every page: one direction for all sliders, words at their ends, numbers with a point or a comma."""

from __future__ import annotations

from typing import Any

import pytest

from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.scenario import Scenario
from tests.browser import open_tab, page
from tests.server import Address

pytestmark = pytest.mark.browser

PAGES = ("track", "place", "series", "table", "people")
CLOSE = "[...document.querySelectorAll('.lmdk-error button')].findLast((one) => one.innerText === 'Close')?.click()"
ENDS = """ranges => ranges.map(range => {
  const words = document.getElementById(range.getAttribute("aria-describedby"));
  const box = range.closest(".lmdk-field").getBoundingClientRect();
  const seen = [...words.querySelectorAll("span:not(.lmdk-offscreen)")];
  const inside = (r) => r.width > 0 && r.left >= box.left - 1 && r.right <= box.right + 1;
  const words_seen = seen.every((word) => inside(word.getBoundingClientRect()));
  return [range.ariaLabel, seen.map((word) => word.textContent), words_seen];
})"""


def open_page(view: Any, address: str, which: str, query: str = "") -> None:
    view.goto(f"{address}?page={which}{query}")
    view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
    view.evaluate("document.querySelectorAll('.lmdk-controls details').forEach((one) => (one.open = true))")


@pytest.mark.nightly
@pytest.mark.parametrize("which", PAGES)
def test_a_decimal_comma_is_a_decimal_point_in_every_number_field(chromium: Any, address: Address, which: str) -> None:
    with page(chromium, height=1000) as view:
        open_page(view, address, which)
        assert not view.locator("input[type=number]").count(), "a browser's own number field drops the comma"
        fields = view.locator("[role=spinbutton]:visible")
        alert = view.locator(".lmdk-error")
        for k in range(fields.count()):
            field = fields.nth(k)
            name = field.get_attribute("aria-label")
            was = field.input_value()
            field.press("Control+a")
            field.press_sequentially("0,5")
            field.press("Enter")
            view.wait_for_timeout(400)
            assert alert.is_visible() or float(field.input_value().replace(",", ".")) == 0.5, name
            assert not alert.is_visible() or "got 0.5" in alert.inner_text(), name
            field.press("Control+a")
            field.press_sequentially(was)
            field.press("Enter")
            field.blur()
            view.wait_for_timeout(200)
            view.evaluate(CLOSE)  # at once: what is right again closes it too


@pytest.mark.nightly
def test_what_is_no_number_or_could_be_two_gets_a_sentence(chromium: Any, address: Address) -> None:
    with page(chromium, height=1000) as view:
        open_page(view, address, "track")
        field, alert = view.get_by_label("Protection radius value"), view.locator(".lmdk-error")
        for typed in ("1,000", "1.000,5", "0,5 km", "many"):
            field.fill(typed)
            field.press("Enter")
            alert.wait_for(state="visible")
            assert f"must be a number such as 1000, 0.5 or 0,5; got {typed}." in alert.inner_text().replace(
                "\N{NO-BREAK SPACE}", " "
            )
            field.blur()
            assert field.input_value() == "200"
            alert.get_by_role("button", name="Close").click()
        field.fill("1000")
        field.press("ArrowDown")
        view.wait_for_function(
            "document.querySelector('.lmdk-assumption').textContent.includes('900\N{NO-BREAK SPACE}m')"
        )


WITH_SLIDERS = (
    ("track", "&correlation=strength"),
    ("track", "&scheme=adaptive"),
    ("track", "&mechanism=optimal"),
    ("track", "&attacker.open=1&hide=1&hide_method=greedy"),
    ("track", "&hide=1&hide_joining=stated"),
    ("track", "&scheme=planned&correlation=estimated"),
    ("place", "&rows=3&columns=3&mechanism=private"),
    ("series", ""),
    ("series", "&source=binary"),
    ("series", "&source=track&theta=bootstrap"),
    ("table", "&part=table"),
    ("table", "&part=noise"),
    ("table", "&part=noise&mechanism=warner"),
    ("table", "&part=noise&mechanism=many"),
    ("table", "&part=noise&mechanism=gaussian"),
    ("table", "&part=stream"),
    ("table", "&part=adding"),
    ("table", "&part=sums"),
    ("table", "&part=sequence"),
)
"""Settings under which every slider of every page is there."""


@pytest.mark.nightly
def test_every_slider_has_words_at_its_ends(chromium: Any, address: Address) -> None:
    found: dict[str, set[str]] = {}
    for which, query in WITH_SLIDERS:
        with page(chromium, height=1000) as view:
            open_page(view, address, which, query)
            for width in (1280, 390):
                view.set_viewport_size({"width": width, "height": 1000})
                ranges = view.locator("input[type=range]:visible").evaluate_all(ENDS)
                if which == "series":
                    open_tab(view, "releases")
                    ranges += view.locator("[data-panel=releases] input[type=range]:visible").evaluate_all(ENDS)
                assert ranges
                for name, words, seen in ranges:
                    assert len(words) == 2 and all(words) and seen, (which, query, width, name, words)
                    other_way = "more private" in words[1] or "more accurate" in words[0]
                    assert not other_way, f"{name} runs the other way"
                    found.setdefault(which, set()).add(name)
    pages = {"track": Scenario, "place": PlaceChoices, "series": SeriesChoices, "table": TableChoices}
    for which, choices in pages.items():
        declared = {kind.label for kind in choices.kinds().values() if getattr(kind, "slider", None)}
        assert not declared - found[which], f"{which} has a slider that is not looked at"


@pytest.mark.parametrize(
    ("which", "name", "up"),
    [
        ("track", "Epsilon", True),
        ("track", "Protection radius", False),
        ("track", "Strength s", False),
        ("place", "Privacy level", True),
        ("place", "Within a radius of", False),
        ("place", "Dilation of the spanner", False),
    ],
)
def test_to_the_right_is_more_accurate_or_stronger(
    chromium: Any, address: Address, which: str, name: str, up: bool
) -> None:
    with page(chromium, height=1000) as view:
        open_page(
            view, address, which, "&correlation=strength" if which == "track" else "&rows=3&columns=3&dilation=1.5"
        )
        field = view.get_by_label(f"{name} value")
        before = float(field.input_value())
        view.get_by_role("slider", name=name, exact=True).press("ArrowRight")
        view.wait_for_function("([at, before]) => Number(at.value) !== before", arg=[field.element_handle(), before])
        after = float(field.input_value())
        assert (after > before) == up and after != before
