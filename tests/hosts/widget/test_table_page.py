"""The table page as its users meet it: a real Chromium against a real server, with mouse and with keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lmdk_widgets.anonymity import ATTACKS, DISCLOSURES
from tests.browser import page

pytestmark = pytest.mark.browser
expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
SLOW = 60_000
"""Milliseconds to wait for the page of a machine that has other things to do."""

HALVES = "&levels=%5B4,2,0%5D"


@pytest.fixture
def lab(chromium: Any, address: str) -> Iterator[Any]:
    with page(chromium, height=1000) as view:
        yield view


def open_page(view: Any, address: str, query: str = "") -> None:
    view.goto(f"{address}?page=table{query}")
    view.wait_for_selector(".lmdk-table[data-lmdk-ready]", timeout=90_000)


def wait_for(view: Any, text: str, part: str = "numbers") -> None:
    """Waits for words that Python wrote."""
    view.wait_for_function(
        "([part, text]) => document.querySelector(`[data-lmdk=${part}]`).textContent"
        ".normalize('NFKC').includes(text.normalize('NFKC'))",
        arg=[part, text],
        timeout=SLOW,
    )


def fold(view: Any, title: str) -> None:
    """Opens a fold beside the picture, or closes it."""
    view.locator(".lmdk-aside:visible > summary", has_text=title).click()


def tab(view: Any, name: str) -> None:
    view.locator(f"[data-tab={name}]").click()


def test_people_walk_into_classes_as_the_columns_become_coarser(lab: Any, address: str) -> None:
    open_page(lab, address)
    wait_for(lab, "form 6 classes")
    assert lab.locator(".lmdk-class").count() == 6 and lab.locator(".lmdk-crowd .lmdk-classbox").count() == 6
    fold(lab, "Columns")
    age = lab.get_by_role("slider", name="age: how coarse")
    age.fill("4")
    wait_for(lab, "age (up to 20, and above)")
    where = lab.get_by_role("slider", name="location: how coarse")
    where.focus()
    where.press("ArrowRight")
    wait_for(lab, "location (parts of the city)")
    where.press("ArrowRight")
    wait_for(lab, "k = 3: the smallest class has 3 people")
    expect(lab.locator(".lmdk-class")).to_have_count(2, timeout=SLOW)
    expect(lab.locator(".lmdk-person")).to_have_count(6)
    expect(lab.locator(".lmdk-crowd .lmdk-classbox")).to_have_count(2, timeout=SLOW)
    lab.get_by_role("button", name="Undo").click()
    wait_for(lab, "location (parts of the city)")


def test_the_slider_coarsens_the_columns_and_hides_everybody(lab: Any, address: str) -> None:
    open_page(lab, address)
    found = lab.locator(".lmdk-headlinevalue").nth(1)
    expect(found).to_have_text("6 of 6", timeout=SLOW)
    slider = lab.get_by_role("slider", name="Smallest class", exact=True)
    for value, said in (("-2", "2 people (33 %) are left out"), ("-3", "location (the city)")):
        slider.focus()
        slider.press("ArrowLeft")  # towards "more private"
        expect(slider).to_have_value(value)
        wait_for(lab, said)
    expect(found).to_have_text("0 of 6", timeout=SLOW)
    expect(lab.locator(".lmdk-someone .lmdk-find-0")).to_have_count(6, timeout=SLOW)
    fold(lab, "Columns")
    itself = lab.get_by_role("button", name="As coarse as k needs")
    expect(itself).to_have_attribute("aria-pressed", "true")
    lab.get_by_role("slider", name="location: how coarse").fill("0")
    wait_for(lab, "location (exact)")
    expect(itself).to_have_attribute("aria-pressed", "false", timeout=SLOW)
    itself.click()
    wait_for(lab, "location (the city)")


@pytest.mark.nightly
@pytest.mark.parametrize("keys", [False, True], ids=["mouse", "keyboard"])
def test_every_attack_is_played_step_by_step(lab: Any, address: str, keys: bool) -> None:
    open_page(lab, address, HALVES)
    tab(lab, "attacks")

    def press(button: Any) -> None:
        button.press("Enter") if keys else button.click()

    for name, attack in {**ATTACKS, **DISCLOSURES}.items():
        button = lab.get_by_role("button", name=name.capitalize(), exact=True)
        press(button)
        wait_for(lab, attack.knows, "steps")
        expect(button).to_have_attribute("aria-pressed", "true", timeout=SLOW)
        assert lab.locator("[data-lmdk=steps] li:visible").count() == 1
        for shown in (2, 3, 4):
            press(lab.get_by_role("button", name="Next step"))
            expect(lab.locator("[data-lmdk=steps] li:visible")).to_have_count(shown, timeout=SLOW)
        expect(lab.get_by_role("button", name="Next step")).to_be_disabled()
        expect(lab.locator("[data-lmdk=steps] li").nth(3)).to_contain_text(attack.prevented_by)
        if name == "unsorted matching":
            expect(lab.locator(".lmdk-marked")).to_have_text(["Donald: at work", "Louie: walking"])
            expect(lab.locator(".lmdk-crowd .lmdk-ringed")).to_have_count(2)
        if keys:
            assert lab.evaluate("document.activeElement.textContent") == "Back"
    press(lab.get_by_role("button", name="Attribute", exact=True))  # once more ends it
    expect(lab.locator("[data-lmdk=steps] li:visible")).to_have_count(0, timeout=SLOW)


def test_a_table_of_ones_own_and_bad_ones(lab: Any, address: str) -> None:
    open_page(lab, address)
    upload, alert = lab.get_by_label("Upload a table"), lab.locator(".lmdk-error")
    for data, said in (
        (b"a,b\n1,2\n3\n", "Each row must have 2 cells"),
        (b"a,a\n1,2\n", "Each column must have its own name"),
        (b"a,b\n", "at least one row"),
        (b",".join(b"c%d" % k for k in range(2000)) + b"\n" + b",".join([b"1"] * 2000), "got 2,000"),
    ):
        upload.set_input_files({"name": "bad.csv", "mimeType": "text/csv", "buffer": data})
        expect(alert).to_contain_text(said, timeout=SLOW)
        wait_for(lab, "6 people form 6 classes")
    rows = "".join(f"{20 + k % 40},{'xyz'[k % 3]},{('flu', 'cold')[k % 2]}\n" for k in range(300))
    upload.set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": f"age,job,ill\n{rows}".encode()})
    wait_for(lab, "300 people form 120 classes")
    lab.get_by_text("mine.csv: 300 rows, 3 columns.").wait_for()
    fold(lab, "Columns")
    ill = lab.get_by_role("group", name="Column ill").get_by_label("attackers know")
    ill.click()
    expect(alert).to_contain_text("must not be a quasi-identifier", timeout=SLOW)
    expect(ill).not_to_be_checked(timeout=SLOW)
    assert "job" not in lab.evaluate("location.href") and "mine" not in lab.evaluate("location.href")
    lab.get_by_role("group", name="Column job").get_by_label("attackers know").click()
    wait_for(lab, "300 people form 40 classes")
    expect(lab.locator(".lmdk-block")).to_have_count(40, timeout=SLOW)


@pytest.mark.parametrize(
    "query",
    [
        f"{HALVES}&attack=join",
        "&table=adults&levels=%5B3,0,1%5D",
        "&part=noise",
        "&part=stream&intrusions=3.9",
        "&part=adding&correlated=1",
    ],
)
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_axe_finds_nothing_serious_and_nothing_runs_over(
    chromium: Any, address: str, width: int, dark: bool, query: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    with page(chromium, width=width, height=900, dark=dark) as view:
        open_page(view, address, query)
        view.wait_for_timeout(600)
        assert view.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        found = axe.Axe().run(view).response["violations"]
        serious = {v["id"]: str(v["nodes"])[:400] for v in found if v["impact"] in ("serious", "critical")}
        assert not serious


def choose(view: Any, label: str, value: str) -> None:
    view.get_by_label(label, exact=True).select_option(value)


def test_noise_by_mouse_and_by_keyboard(lab: Any, address: str) -> None:
    open_page(lab, address)
    choose(lab, "Part", "noise")
    wait_for(lab, "changes by at most 1 (a count by 1)")
    expect(lab.get_by_role("img", name="What two neighbouring inputs make likely")).to_be_visible(timeout=SLOW)
    assert lab.locator(".lmdk-crowd").is_hidden()
    for title in ("Release", "Belief before", "Draw"):
        fold(lab, title)
    choose(lab, "Neighbours", "replace")
    wait_for(lab, "changes by at most 2 (two counts by 1 each)")
    prior = lab.get_by_role("slider", name="Belief before", exact=True)
    prior.focus()
    prior.press("ArrowRight")
    wait_for(lab, "A belief of 51\N{NO-BREAK SPACE}%")
    before = lab.locator("figcaption", has_text="the diamond is one draw").inner_text()
    lab.get_by_role("button", name="Draw again").press("Enter")
    expect(lab.locator("figcaption", has_text="the diamond is one draw")).not_to_have_text(before, timeout=SLOW)
    for mechanism, text in {
        "geometric": "Two-sided geometric",
        "exponential": "Each district is named",
        "warner": "ε = 1.10",
        "many": "the true one of 5 answers",
        "truthfully-or-yes": "that answer proves the truth",
        "two-coin": "becomes at most 76\N{NO-BREAK SPACE}%",
    }.items():
        choose(lab, "Mechanism", mechanism)
        wait_for(lab, text)
    assert lab.locator(".lmdk-error:visible").count() == 0


def test_intrusions_by_mouse_and_by_keyboard(lab: Any, address: str) -> None:
    open_page(lab, address, "&part=stream")
    wait_for(lab, "Nobody reads its memory")
    tab(lab, "counter")
    fold(lab, "A click")
    hour = lab.get_by_role("button", name="Hour 6: intrusion")
    hour.click()
    wait_for(lab, "With one unannounced intrusion, one visit costs up to ε = 1")
    expect(hour).to_have_attribute("aria-pressed", "true", timeout=SLOW)
    lab.get_by_role("button", name="Hour 1: intrusion").focus()
    lab.keyboard.press("End")
    lab.keyboard.press("ArrowLeft")
    lab.keyboard.press("Enter")
    wait_for(lab, "With two unannounced intrusions, one visit may be revealed exactly")
    expect(lab.get_by_role("button", name="Hour 23: intrusion")).to_have_attribute("aria-pressed", "true", timeout=SLOW)
    lab.get_by_label("Intrusions are announced").check()
    wait_for(lab, "With two announced intrusions, one visit costs up to ε = 1")
    box = lab.get_by_role("img", name="The pan-private counter").locator(".lmdk-panel").first.bounding_box()
    lab.mouse.move(box["x"] + box["width"] * 11.7 / 25.4, box["y"] + box["height"] * 0.7)
    lab.wait_for_function("[...document.querySelectorAll('.lmdk-charttip')].some((one) => one.checkVisibility())")
    lab.mouse.down()
    lab.mouse.up()
    wait_for(lab, "With three announced intrusions")
    for level, text in {
        "event": "Event level gives each hour 1",
        "user": "User level",
        "discounted": "Discounted level",
    }.items():
        choose(lab, "Level drawn", level)
        wait_for(lab, text)
    assert lab.locator(".lmdk-error:visible").count() == 0


def test_releases_are_stacked_by_mouse_and_by_keyboard(lab: Any, address: str) -> None:
    open_page(lab, address, "&part=adding")
    wait_for(lab, "Four releases cost ε = 0.75 together")
    tab(lab, "releases")
    lab.get_by_role("button", name="Add a release").click()
    wait_for(lab, "Five releases cost ε = 0.85 together")
    source = lab.get_by_label("Source of release 5")
    source.select_option("3")
    wait_for(lab, "of three disjoint parts")
    first = lab.get_by_label("Epsilon of release 1")
    first.fill("0,75")
    first.press("Enter")
    wait_for(lab, "has run out")
    add = lab.get_by_role("button", name="Add a release")
    add.press("Enter")
    expect(lab.locator(".lmdk-error")).to_contain_text("at most the budget of 1; got 1.10", timeout=SLOW)
    wait_for(lab, "Five releases cost ε = 1")
    lab.get_by_role("button", name="Compute from the releases").press("Enter")
    wait_for(lab, "Six releases cost ε = 1")
    expect(lab.locator(".lmdk-spent")).to_have_count(6, timeout=SLOW)
    lab.get_by_role("button", name="Remove release 6").click()
    wait_for(lab, "Five releases")
    lab.get_by_label("The data are correlated").press("Space")
    wait_for(lab, "and 86\N{NO-BREAK SPACE}% (6/7) after Dewey's")


def test_a_file_of_200_mb_is_refused_before_it_is_sent(lab: Any, address: str, tmp_path: Any) -> None:
    open_page(lab, address)
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.truncate(200 << 20)
    lab.get_by_label("Upload a table").set_input_files(large)
    expect(lab.locator(".lmdk-error")).to_contain_text("at most 64 MB; large.csv has 200 MB", timeout=SLOW)
    wait_for(lab, "6 people form 6 classes")
