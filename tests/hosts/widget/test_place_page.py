"""The place page as its users meet it: a real Chromium against the real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import copied, from_help, open_tab, page, unfold
from tests.hosts.widget.explorer_shown import choose_streets
from tests.server import Address

pytestmark = pytest.mark.browser

FRONTEND = Path(__file__).parents[3] / "frontend" / "src"


@pytest.fixture(scope="module")
def shared(chromium: Any, address: Address) -> Iterator[Any]:
    with page(chromium, height=1100, permissions=["clipboard-read", "clipboard-write"]) as view:
        open_page(view, address)
        yield view


@pytest.fixture
def opened(shared: Any) -> Iterator[Any]:
    """One page for all these tests, as a kernel takes seconds to start: each begins where Reset leads."""
    from_help(shared, "Reset").click()
    wait_for(shared, "numbers", "Nine cells")
    wait_for(shared, "drawing", "the optimal mechanism reports")
    yield shared
    shared.guard.check()


def open_page(view: Any, address: str) -> None:
    view.goto(f"{address}?page=place&rows=3&columns=3")
    view.wait_for_selector(".lmdk-place[data-lmdk-ready]", timeout=60_000)
    wait_for(view, "drawing", "the optimal mechanism reports")
    unfold(view)


def wait_for(view: Any, part: str, text: str) -> None:
    """Waits for words that Python wrote: "numbers", "drawing" or "status"."""
    view.wait_for_function(
        "([part, text]) => document.querySelector(`[data-lmdk=${part}]`).textContent"
        ".normalize('NFKC').includes(text.normalize('NFKC'))",
        arg=[part, text],
        timeout=60_000,
    )


def said(view: Any, part: str) -> str:
    return view.inner_text(f"[data-lmdk={part}]")


def choose_to_paint(view: Any) -> None:
    view.get_by_role("button", name="Paint", exact=True).click()
    view.get_by_role("button", name="Paint", exact=True, pressed=True).wait_for()


def click_map(view: Any, x: float, y: float) -> str:
    """Clicks at shares of the map's width and height; the name of the cell there, from the readout."""
    box = view.get_by_label("Map of cells").bounding_box()
    readout = view.locator(".lmdk-readout")
    view.mouse.move(1, 1)
    readout.get_by_text("Point at a cell").wait_for()
    view.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
    readout.get_by_text(": prior").wait_for()
    name = readout.inner_text().split(":")[0]
    view.mouse.down()
    view.mouse.up()
    return name


def test_both_clicks_and_every_mechanism(opened: Any) -> None:
    name = click_map(opened, 0.45, 0.45)
    wait_for(opened, "drawing", f"From the true place {name}")
    opened.get_by_role("button", name="Report", exact=True).click()
    name = click_map(opened, 0.6, 0.6)
    wait_for(opened, "drawing", f"After the report {name}")
    assert "guesses" in said(opened, "drawing")
    for mechanism, words in [
        ("spanner", "the spanner's mechanism"),
        ("planar", "planar Laplace"),
        ("remapped", "remapped planar Laplace"),
        ("private", "OptPriv"),
    ]:
        opened.get_by_label("Mechanism", exact=True).select_option(mechanism)
        wait_for(opened, "drawing", f"by {words}")
    assert "does not guarantee geo-indistinguishability" in opened.text_content(".lmdk-warnings")
    assert "No ε bounds what its report reveals." in opened.inner_text(".lmdk-guarantee")
    assert "unbounded" in opened.inner_text(".lmdk-certificate")


def test_the_figure_of_the_paper_and_the_loss_allowed_to_optpriv(opened: Any) -> None:
    opened.get_by_role("button", name="Paris, 7 × 5").click()
    wait_for(opened, "drawing", "the spanner's mechanism reports")
    table = opened.locator(".lmdk-certificate")
    assert (
        "1.0797 reached" in table.inner_text()
        and "118; 115 of their constraints bind for at least one report" in table.inner_text()
    )
    assert opened.locator(".lmdk-edge").first.is_visible()
    opened.get_by_role("button", name="Report", exact=True).click()
    wait_for(opened, "drawing", "After the report")
    assert "for this report" in table.inner_text()
    opened.get_by_label("Mechanism", exact=True).select_option("private")
    wait_for(opened, "drawing", "by OptPriv")
    assert not opened.locator(".lmdk-edge").first.is_visible()
    loss = opened.get_by_label("OptPriv: loss allowed, q value")
    loss.fill("50")
    loss.press("Enter")
    opened.wait_for_function(
        "said => document.querySelector('.lmdk-certificate').textContent"
        ".normalize('NFKC').includes(said.normalize('NFKC'))",
        arg="50\N{NO-BREAK SPACE}% of the optimal mechanism's loss",
    )


def test_the_keyboard_alone(opened: Any) -> None:
    before = said(opened, "drawing")
    opened.get_by_label("Map of cells").focus()
    for key in ("ArrowRight", "ArrowUp", "Enter"):
        opened.keyboard.press(key)
    opened.wait_for_function(
        "before => document.querySelector('[data-lmdk=drawing]').textContent !== before", arg=before
    )
    name = opened.inner_text(".lmdk-readout").split(":")[0]
    wait_for(opened, "drawing", f"From the true place {name}")
    choose_to_paint(opened)
    opened.get_by_label("Map of cells").focus()
    opened.keyboard.press(" ")
    wait_for(opened, "drawing", f"Most likely: {name}")
    opened.keyboard.press("Control+z")
    opened.wait_for_function("!document.querySelector('.lmdk-assumption').textContent.includes('Painted')")


def test_dragging_paints(opened: Any) -> None:
    choose_to_paint(opened)
    opened.get_by_role("button", name="16 times").click()
    opened.wait_for_selector(".lmdk-placesmap.lmdk-boxing")
    box = opened.get_by_label("Map of cells").bounding_box()
    y = box["y"] + 0.4 * box["height"]
    opened.mouse.move(box["x"] + 0.35 * box["width"], y)
    opened.mouse.down()
    opened.mouse.move(box["x"] + 0.65 * box["width"], y, steps=6)
    opened.mouse.up()
    wait_for(opened, "drawing", "Most likely")
    opened.wait_for_function("document.querySelector('.lmdk-assumption').textContent.includes('Painted')")
    opened.get_by_role("button", name="Clear the painting").click()
    wait_for(opened, "drawing", "11\N{NO-BREAK SPACE}%")


@pytest.mark.nightly
def test_all_never_but_one_and_a_stroke_of_never_leave_what_they_say(opened: Any) -> None:
    name = click_map(opened, 0.45, 0.45)
    wait_for(opened, "drawing", f"From the true place {name}")
    choose_to_paint(opened)
    opened.get_by_role("button", name="Rule out all other cells").click()
    wait_for(opened, "drawing", f"Most likely: {name} 100\N{NO-BREAK SPACE}%.")
    opened.get_by_role("button", name="1", exact=True).click()
    other = click_map(opened, 0.45, 0.75)
    assert other != name
    wait_for(opened, "drawing", "50\N{NO-BREAK SPACE}%")
    assert other in said(opened, "drawing") and name in said(opened, "drawing")
    opened.get_by_role("button", name="never", exact=True).click()
    assert click_map(opened, 0.45, 0.75) == other
    wait_for(opened, "drawing", f"Most likely: {name} 100\N{NO-BREAK SPACE}%.")


@pytest.mark.nightly
def test_a_finger_paints_a_stroke_and_does_not_move_the_page(chromium: Any, address: Address) -> None:
    with page(chromium, width=400, height=900, has_touch=True) as view:
        open_page(view, address)
        view.get_by_role("button", name="Paint", exact=True).tap()
        view.get_by_role("button", name="16 times").tap()
        view.wait_for_selector(".lmdk-placesmap.lmdk-boxing")
        chart = view.get_by_label("Map of cells")
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        y, [left, right] = box["y"] + box["height"] / 2, [box["x"] + share * box["width"] for share in (0.3, 0.75)]
        touch = view.context.new_cdp_session(view)

        def finger(kind: str, *x: float) -> None:
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at, "y": y} for at in x]})

        finger("touchStart", left)
        for k in range(1, 7):
            finger("touchMove", left + k * (right - left) / 6)
        finger("touchEnd")
        wait_for(view, "drawing", "A2 30\N{NO-BREAK SPACE}%, B2 30\N{NO-BREAK SPACE}%, C2 30\N{NO-BREAK SPACE}%")
        assert abs(chart.bounding_box()["y"] - box["y"]) < 1, "a finger that paints moves nothing"


AWAY = b"lat,lon\n40.7128,-74.006\n40.7130,-74.004\n40.7125,-74.007\n"


@pytest.mark.nightly
@pytest.mark.parametrize("keys", [False, True])
def test_the_grid_moves_to_check_ins_elsewhere_and_back(opened: Any, keys: bool) -> None:
    def press(name: str) -> None:
        button = opened.get_by_role("button", name=name)
        if keys:
            button.focus()
            opened.keyboard.press("Enter")
        else:
            button.click()

    def inside(count: str) -> None:
        opened.wait_for_function(
            "text => document.querySelector('.lmdk-assumption').textContent"
            ".normalize('NFKC').includes(text.normalize('NFKC'))",
            arg=f"{count} check-ins lie in the grid",
        )

    upload = opened.get_by_label("Upload check-ins")
    upload.set_input_files({"name": "away.csv", "mimeType": "text/csv", "buffer": AWAY})
    opened.get_by_text("Some check-ins of the file must lie in the grid; got none of 3.").wait_for()
    press("Move the grid there")
    inside("3 of 3")
    assert "The centre of the grid comes from the check-ins; no link contains it." in opened.inner_text(
        ".lmdk-assumption"
    )
    assert opened.get_by_label("Latitude of the centre").is_hidden()
    link = copied(opened, "Copy link")
    opened.locator(".lmdk-toast.lmdk-shown", has_text="but not where the grid lies and your check-ins").wait_for()
    assert not any(text in link + opened.url for text in ("40.7", "74.0", "around"))
    opened.keyboard.press("Control+z")
    wait_for(opened, "numbers", "Nine cells")
    opened.wait_for_function("!document.querySelector('.lmdk-assumption').textContent.includes('centre of the grid')")
    opened.get_by_label("Latitude of the centre").wait_for()
    upload.set_input_files({"name": "most.csv", "mimeType": "text/csv", "buffer": AWAY + b"48.8607,2.3355\n"})
    inside("1 of 4")
    press("Move the grid to the check-ins")
    inside("3 of 4")
    press("Move the grid back")
    inside("1 of 4")


def test_the_slider_solves_anew_and_undo_brings_the_mechanism_back(opened: Any) -> None:
    slider = opened.get_by_role("slider", name="Privacy level")
    slider.focus()
    for _ in range(12):
        opened.keyboard.press("ArrowRight")
        opened.wait_for_timeout(40)  # incumbents of earlier levels arrive meanwhile: none may put the slider back
    opened.wait_for_function(
        "slider => { const level = slider.getAttribute('aria-valuetext');"
        " const row = [...document.querySelectorAll('.lmdk-certificate tr')]"
        ".find((r) => r.textContent.startsWith('ε asked for'));"
        " return Number(level) === 1.32 && row && row.textContent.startsWith(`ε asked for${level} within`)"
        " && !row.textContent.includes('before'); }",
        arg=slider.element_handle(),
        timeout=60_000,
    )
    value = opened.get_by_label("Privacy level value")
    value.fill("-1")
    value.press("Enter")
    opened.locator(".lmdk-error").wait_for(state="visible")
    assert "Privacy level must be" in opened.inner_text(".lmdk-error")
    opened.get_by_role("button", name="Close").click()
    from_help(opened, "Reset").click()
    wait_for(opened, "numbers", "level 1")


PRESS_CANCEL = """() => {
  const timer = setInterval(() => {
    const shown = [...document.querySelectorAll("button")].find((b) => b.textContent === "Cancel" && b.checkVisibility());
    if (shown) clearInterval(timer), shown.click();
  }, 10);
}"""
"""Presses the button as soon as it is there: 225 cells are solved within two seconds."""


def test_cancel_keeps_the_mechanism(opened: Any) -> None:
    for field, cells in (("Rows", "45 cells"), ("Columns", "225 cells")):
        opened.get_by_label(field, exact=True).fill("15")
        opened.get_by_label(field, exact=True).press("Enter")
        wait_for(opened, "numbers", cells)
    opened.evaluate(PRESS_CANCEL)
    wait_for(opened, "status", "Cancelled")
    before = said(opened, "drawing")
    opened.wait_for_timeout(700)
    assert said(opened, "drawing") == before and opened.get_by_role("button", name="Cancel").count() == 0
    opened.get_by_role("button", name="Solve again").click()
    wait_for(opened, "drawing", "the optimal mechanism reports")


def test_a_bad_prior_file_gets_a_sentence_and_a_good_one_is_used(opened: Any) -> None:
    before = said(opened, "numbers")
    upload = opened.get_by_label("Upload check-ins")
    bad = {"name": "bad.csv", "mimeType": "text/csv", "buffer": b"0.1,0.2\n0.3,abc\n"}
    upload.set_input_files(bad)
    alert = opened.locator(".lmdk-error:not(.lmdk-note)")
    alert.wait_for(state="visible")
    assert "line 2: text as number 2" in alert.inner_text()
    assert said(opened, "numbers").split(".")[0] == before.split(".")[0]
    good = ",".join(str(k % 7) for k in range(1600)).encode()
    upload.set_input_files({"name": "good.csv", "mimeType": "text/csv", "buffer": good})
    opened.wait_for_function("document.querySelector('.lmdk-assumption').textContent.includes('A check-in file')")


@pytest.mark.nightly
def test_distances_of_one_s_own_are_uploaded_and_count(opened: Any) -> None:
    upload, before = opened.get_by_label("Upload distances"), said(opened, "numbers")
    few = {"name": "few.csv", "mimeType": "text/csv", "buffer": b"0,5\n5,0\n"}
    upload.set_input_files(few)
    alert = opened.locator(".lmdk-error:not(.lmdk-note)")
    alert.wait_for(state="visible")
    assert "9" in alert.inner_text() and said(opened, "numbers").split(".")[0] == before.split(".")[0]
    minutes = "\n".join(",".join(str(0 if a == b else 3 + abs(a - b)) for b in range(9)) for a in range(9))
    upload.set_input_files({"name": "minutes.csv", "mimeType": "text/csv", "buffer": minutes.encode()})
    opened.get_by_text("Distances between 9 cells were read.").first.wait_for()
    alert.wait_for(state="hidden")
    opened.wait_for_function(
        "before => document.querySelector('[data-lmdk=numbers]').textContent !== before", arg=before
    )
    assert "minutes" not in opened.url and "3,4" not in opened.url


@pytest.mark.nightly
def test_check_ins_line_by_line_are_counted_and_a_refusal_goes_when_the_next_thing_is_right(opened: Any) -> None:
    upload = opened.get_by_label("Upload check-ins")
    bad = b"user;lat;lng\n1;48.8607;2.3355\n2;north;2.3355\n"
    upload.set_input_files({"name": "bad.csv", "mimeType": "text/csv", "buffer": bad})
    alert = opened.locator(".lmdk-error:not(.lmdk-note)")
    alert.wait_for(state="visible")
    assert "line 3: a latitude that is not a number" in alert.inner_text() and "48.8607" not in alert.inner_text()
    good = b"user;lat;lng\n1;48.8607;2.3355\n2;48.861;2.336\n3;40.7128;-74.006\n"
    upload.set_input_files({"name": "good.csv", "mimeType": "text/csv", "buffer": good})
    opened.wait_for_function(
        "document.querySelector('.lmdk-assumption').textContent.includes('2 of 3 check-ins lie in the grid')"
    )
    alert.wait_for(state="hidden")
    rows = opened.get_by_label("Rows", exact=True)
    rows.fill("0")
    rows.press("Enter")
    alert.wait_for(state="visible")
    rows.fill("4")
    rows.press("Enter")
    alert.wait_for(state="hidden")


def test_without_a_connection_the_streets_go_off_and_say_why(opened: Any) -> None:
    opened.route("https://tile.openstreetmap.org/**", lambda route: route.abort())
    online = choose_streets(opened, "OpenStreetMap")
    opened.get_by_text("The street map cannot be reached: is there a connection?").wait_for(state="visible")
    assert online.get_attribute("aria-pressed") == "false"
    assert not opened.get_by_text("OpenStreetMap contributors").count()
    opened.guard.forget()  # the requests that were to fail


def test_a_report_that_is_never_made_says_so(chromium: Any, address: Address) -> None:
    with page(chromium, height=1100) as view:
        view.goto(f"{address}?page=place&click=report&place=30")
        view.wait_for_selector(".lmdk-place[data-lmdk-ready]", timeout=60_000)
        wait_for(view, "drawing", "The report A6 is never made by the optimal mechanism")
        assert "guesses" not in said(view, "drawing")


@pytest.mark.parametrize("dark", [False, True])
def test_numbers_can_be_read_on_every_colour_of_the_scale(chromium: Any, dark: bool) -> None:
    """The fills of the style sheet with the text that the page chooses, against the formula of WCAG 2."""
    css = (FRONTEND / "place" / "place.css").read_text()
    fills = dict(re.findall(r"(--lmdk-p[0-7]): (#[0-9a-f]{6})", css.split("prefers-color-scheme: dark")[dark]))
    assert len(fills) == 8
    files = ("page/palette.js", "page/contrast.js", "map/scale.js")
    module = re.sub(r"^import .*$", "", "".join((FRONTEND / file).read_text() for file in files), flags=re.MULTILINE)
    with page(chromium) as view:
        looks = view.evaluate(
            """async ([text, fills]) => {
                const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
                return (await import(address)).readPalette({ getPropertyValue: (name) => fills[name] });
            }""",
            [module, fills],
        )
    assert [look["fill"] for look in looks] == [fills[f"--lmdk-p{k}"] for k in range(8)]
    for look in looks:
        low, high = sorted((luminance(look["fill"]), luminance(look["text"])))
        assert (high + 0.05) / (low + 0.05) >= 4.5, look


def luminance(colour: str) -> float:
    shares = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.nightly
def test_the_cells_of_a_track_and_a_link(opened: Any, chromium: Any) -> None:
    opened.get_by_label("Area", exact=True).select_option("track")
    wait_for(opened, "numbers", "34 cells")
    assert "come from the track itself" in opened.text_content(".lmdk-warnings")
    link = copied(opened, "Copy link")
    assert "48." not in link
    with page(chromium) as another:
        another.goto(link)
        another.wait_for_selector(".lmdk-place[data-lmdk-ready]", timeout=60_000)
        wait_for(another, "numbers", "34 cells")


def test_the_charts_come_and_say_what_they_show(opened: Any) -> None:
    open_tab(opened, "compare")
    opened.wait_for_function("document.querySelectorAll('.lmdk-place .lmdk-drawing').length >= 3", timeout=60_000)
    charts = opened.get_by_role("tabpanel", name="Compare")
    for text in ("OptPriv", "More budget, less loss"):  # the curves come when they are computed
        charts.filter(has_text=text).wait_for()


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_axe_finds_nothing_serious_and_nothing_runs_over(
    chromium: Any, address: Address, width: int, dark: bool
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with page(chromium, width=width, height=900, dark=dark) as view:
        open_page(view, address)
        assert view.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        found = Axe().run(view).response["violations"]
        assert not {v["id"]: str(v["nodes"])[:400] for v in found if v["impact"] in ("serious", "critical")}
