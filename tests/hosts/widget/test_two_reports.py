"""Two reports of data of one's own: the one for their owner says so on every page; the one to share tells one release."""

from __future__ import annotations

import csv
import io
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import Explorer, FoundationsLab, PlacesLab, QuiltLab
from lmdk_widgets.answers.main_places import main_place_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import LocalFrame, distance_m
from lmdk_widgets.inference import averaging_attack
from lmdk_widgets.io import programs
from lmdk_widgets.page.takeaway import TO_HAND_ON
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.scenario import Scenario
from lmdk_widgets.scenario.evaluation import release_afresh
from lmdk_widgets.scenario.people import with_checkins
from lmdk_widgets.trajectory import Series, Trajectory, load_trajectory, sample
from tests.browser import page as opened
from tests.hosts.widget.test_own_files import Page
from tests.hosts.widget.test_reports import apart_from_the_release, drawings_of, text_of
from tests.server import Address

pytestmark = pytest.mark.skipif(not (programs.STATIC / "report.js").exists(), reason="the package is not built")

CANARY = (37.7312459, -122.4186753)
N = 24
OPEN = {
    "attacker.open": True,
    "compare.open": True,
    "trade_off.open": True,
    "inverse.open": True,
    "defences.open": True,
    "stays.open": True,
}


def walk(turned: int = 1) -> Trajectory:
    """A track from the canary on; turned -1: the same walk to the other side, as far and as long."""
    k = np.arange(N)
    time = np.datetime64("2026-03-01T08:00", "ns") + k * np.timedelta64(600, "s")
    east, north = np.sin(k / 3) * 0.02, turned * (np.cos(k / 5) - np.cos(N / 10)) * 0.02
    labels = tuple(f"canary {turned} {i}" for i in k)
    return Trajectory(CANARY[0] + north, CANARY[1] + east, time, (3, 9), labels, name=f"canary{turned}", zone="UTC")


def meter(turned: int = 1) -> Series:
    k = np.arange(N)
    values = 3 + turned * np.sin(k) * 1.2345678
    time = np.datetime64("2026-03-01T08:00", "ns") + k * np.timedelta64(3600, "s")
    return Series(time, (3, 9), name=f"canary{turned}", values=values, unit="kWh", lower=0.0, upper=6.0)


SETTINGS: dict[str, dict[str, Any]] = {
    "uniform": {**OPEN, "place_m": 12_000.0},
    "estimated": {"correlation": "estimated", "cell_m": 2000.0, **OPEN, "defences.open": False},
    "adaptive": {"scheme": "adaptive", "epsilon": 3.0, "average": True},
    "skip": {"scheme": "skip", "landmarks": (9,), "attacker.open": True, "landmark_loss": True},
    "planned": {"scheme": "planned", "compare.open": True},
    "remapped": {
        "mechanism": "remapped",
        "region": (37.5, -122.75, 38.0, -122.25),
        "place_m": 8000.0,
        "attacker.open": True,
    },
    "hidden": {"hide": True, "hide_seed": 7, "attacker.open": True},
}


def page_of(data: Trajectory, **changes: Any) -> Explorer:
    choices = TrackChoices(Scenario(track="", landmarks=data.landmarks)).with_changes(**changes)
    pinned = choices.scenario if changes.get("compare.open") else None
    return Explorer(data, scenario=choices.scenario, choices=choices.to_dict() | {"pinned": pinned})


def made(data: Trajectory, released: Any, **changes: Any) -> str:
    """The report to share, when the files show a release."""
    explorer = page_of(data, **changes)
    explorer.session.afresh = lambda: released  # type: ignore[method-assign]
    return explorer.report(to_hand_on=True).data.decode()


LONG = {(walk, "uniform"), (meter, "uniform"), (walk, "estimated")}
"""They take minutes: curves of chains that plans are searched for."""


@pytest.mark.long
@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize(
    ("of", "name"),
    [
        pytest.param(of, name, marks=[pytest.mark.nightly] * ((of, name) in LONG), id=f"{of.__name__}-{name}")
        for of in (walk, meter)
        for name in SETTINGS
    ],
)
def test_a_report_to_hand_on_depends_on_nothing_but_the_release(name: str, of: Any) -> None:
    """Two true tracks, as different as can be, one release: the same report, letter for letter."""
    changes = SETTINGS[name]
    if of is meter and name in ("remapped", "estimated"):
        pytest.skip("a series has no cells")
    scenario = page_of(of(), **changes).scenario
    released = release_afresh(scenario, of())
    first, second = (made(of(turned), released, **changes) for turned in (1, -1))
    assert first == second
    assert page_of(of(), **changes).report().data != page_of(of(-1), **changes).report().data


@pytest.mark.long
@pytest.mark.parametrize("name", SETTINGS)
def test_no_true_coordinate_and_no_error_to_it_is_in_a_report_to_hand_on(name: str) -> None:
    explorer = page_of(with_checkins(walk(), b"lat,lon,count\n37.74,-122.42,99\n"), **SETTINGS[name])
    whole = explorer.report(to_hand_on=True).data.decode()
    html, drawing = apart_from_the_release(whole), drawings_of(whole)["release"]
    track, fresh, screen = walk(), explorer.session.afresh(), explorer.outcome
    there = np.isfinite(fresh.latitude)
    points = np.array([drawing["latitudes"], drawing["longitudes"]])
    np.testing.assert_allclose(points, [fresh.latitude[there], fresh.longitude[there]], atol=2e-6)
    assert not drawing["places"] and abs(points - [track.latitude[there], track.longitude[there]]).min() > 0
    for latitude, longitude in (CANARY, *zip(track.latitude.tolist(), track.longitude.tolist(), strict=True)):
        for digits in (4, 5, 6, 7):
            assert not (f"{latitude:.{digits}f}" in html and f"{longitude:.{digits}f}" in html)
    for errors in (fresh.error_m, screen.error_m):
        known = [f"{value:.6g}" for value in errors[np.isfinite(errors)].tolist() if value > 1]
        assert sum(text in html for text in known) <= 1  # one may be in it by chance
    assert "canary" not in html and "99" not in re.findall(r"check-ins[^<]*", html)


def test_both_reports_say_whose_they_are_in_their_first_line(tmp_path: Path) -> None:
    explorer = page_of(walk())
    mine, theirs = explorer.report(), explorer.report(to_hand_on=True)
    first = [text_of(file.data.decode().split("<body")[1]).split("\n")[1].strip() for file in (mine, theirs)]
    assert first == ["For you only, do not share: it reveals information about your true track.", TO_HAND_ON]
    assert mine.name.endswith("_report-for-you.html") and theirs.name.endswith("_report-to-share.html")
    assert "canary" in mine.name and "canary" not in theirs.name
    seen = text_of(theirs.data.decode())
    assert "The true data are not in this file. All of it is computed from one release" in seen
    assert "never publish" not in seen and "the release that the page showed" not in seen
    assert "never publish" in text_of(mine.data.decode())
    maps = [drawings_of(file.data.decode())["release"] for file in (mine, theirs)]
    points = [[drawing["latitudes"], drawing["longitudes"]] for drawing in maps]
    np.testing.assert_allclose(*points, atol=2e-6)  # it shows the release of the other files, and spends nothing more
    assert explorer.scenario.seed == 1 and re.search(r"Seed\s+2", seen)  # whoever saw the screen has noise of that seed


@pytest.mark.long
def test_what_an_attacker_finds_is_on_the_map_of_the_report_for_you_alone() -> None:
    explorer = page_of(replace(sample("commuter"), name="mine"))
    mine, theirs = explorer.report(), explorer.report(to_hand_on=True)
    drawing, shared = (drawings_of(file.data.decode())["release"] for file in (mine, theirs))
    fresh, home = explorer.session.afresh(), main_place_of(explorer.session.data).members
    latitude, longitude, within, near, name, words = drawing["found"][0]
    at = averaging_attack(fresh.latitude, fresh.longitude, home, budgets=fresh.budgets)
    assert distance_m(*at, latitude, longitude) < 2, "by the reports that the map shows"
    assert (name, near, round(within), words) == ("home", 1.0, 93, "93 m") and len(drawing["found"]) == 3
    assert "home to within 93 m; work to within 130 m" in " ".join(text_of(mine.data.decode()).split())
    assert not shared.get("found") and "averaging finds a lasting place" not in text_of(theirs.data.decode())


@pytest.mark.parametrize("what", ["report-own", "report-others"])
def test_title_author_and_purpose_head_a_report_as_plain_text(what: str) -> None:
    sent: list[Any] = []
    shown = TrackPage(page_of(walk()).session, send=lambda *message: sent.append(message))
    heading = {"title": "Our <b>bus</b>", "author": "Ada", "purpose": "For the\nboard"}
    shown.receive({"type": "save", "what": what, "heading": heading}, [])
    shown.finish()
    (html,) = [bytes(given[1][0]).decode() for given in sent if given[0]["type"] == "file"]
    head = html.partition("<header>")[2].partition("</header>")[0]
    assert "<h1>Our &lt;b&gt;bus&lt;/b&gt;</h1>" in head and "How private is this track?" in head
    assert "By Ada" in head and "Purpose: For the board" in head and "<b>" not in head
    assert "<details><summary>JSON</summary>" in html and "<h3>JSON</h3>" not in html
    shown.receive({"type": "save", "what": what, "heading": {"title": "x" * 301}}, [])
    assert "at most 300 letters" in str(sent[-1])


def test_what_is_made_up_is_one_report() -> None:
    explorer = Explorer("bob")
    assert text_of(explorer.report().data.decode()) == text_of(explorer.report(to_hand_on=True).data.decode())
    assert explorer.report().name.endswith("_report.html") and 'class="mark"' not in explorer.report().data.decode()


def test_where_nothing_stands_in_the_report_is_for_its_owner(tmp_path: Path) -> None:
    (tmp_path / "series.csv").write_text("home\nwork\n" * 30)
    (tmp_path / "people.csv").write_text("age,zip,illness\n" + "".join(f"{k},7{k % 5},cold\n" for k in range(20, 60)))
    moved = PlacesLab(
        PlaceChoices(rows=2, columns=2, prior="uniform", other="uniform", latitude=37.7312459, longitude=-122.4186753)
    )
    quilts = QuiltLab(series=tmp_path / "series.csv")
    quilts.session.load((tmp_path / "series.csv").read_bytes(), "series.csv")
    tables = FoundationsLab(table=tmp_path / "people.csv")
    tables.session.load((tmp_path / "people.csv").read_bytes(), "people.csv")
    for lab in (moved, quilts, tables):
        (own,) = lab.session.left_out()
        file = lab.report()
        assert f"For you only, do not share: it reveals information about {own}." in text_of(file.data.decode())
        assert file.name.endswith("_report-for-you.html")
        with pytest.raises(InputError, match=f"cannot be made from {own}: nothing can stand in for it"):
            lab.report(to_hand_on=True)


def test_the_page_asks_for_whom_a_report_is() -> None:
    page = Page(page_of(walk()))
    assert [m["type"] for m in page.tell(type="save", what="report")] == ["reports"]
    names = {}
    for what in ("report-own", "report-others"):
        said = page.tell(type="save", what=what, view="mine")
        (file,) = [m for m in said if m["type"] == "file"]
        names[what], view = file["name"], file["view"]
        assert view == "mine"
    assert names["report-own"].endswith("report-for-you.html") and names["report-others"].endswith("to-share.html")
    page = Page(Explorer("bob"))
    told = [m["type"] for m in page.tell(type="save", what="report")]
    assert told.count("file") == 1 and "reports" not in told  # whatever else is computed beside it
    page = Page(page_of(walk(), scheme="skip", landmarks=(0, 1)))  # nothing is released at the first timestamps
    assert [m["type"] for m in page.tell(type="save", what="report-others")] == ["refused"]


@pytest.mark.long
def test_a_report_around_a_what_if_tells_no_more_than_that() -> None:
    page = Page(page_of(walk()))
    files = {}
    for truth in (False, True):
        said = page.tell(type="record", step="make", open=["scheme"], truth=truth, report=True)
        (file,) = [m for m in said if m["type"] == "file"]
        files[truth] = file["name"]
    assert "report-to-share_what-if" in files[False] and "report-for-you_what-if" in files[True]


def test_the_simulation_as_csv_says_that_the_true_place_can_be_computed_and_it_can() -> None:
    """Six nights at home, distances from six released points: the place where all of them meet."""
    home = Trajectory([48.85123] * 6, [2.35456] * 6, walk().time[:6], (0,), name="nights")
    session = Explorer(home, scenario=Scenario(track="", landmarks=(0,))).session
    file = session.save("table")
    rows = list(csv.DictReader(io.StringIO(file.data.decode())))
    places, error = (
        np.array([[float(row["latitude"]), float(row["longitude"])] for row in rows]),
        np.array([float(row["error_m"]) for row in rows]),
    )
    frame = LocalFrame.around(*places.T)
    points = frame.to_metres(*places.T)
    # |x|^2 - 2 x p + |p|^2 = error^2 is linear in x and |x|^2: where it meets is near enough for Gauss and Newton
    linear = np.column_stack([-2 * points, np.ones(len(points))])
    guess = np.linalg.lstsq(linear, error**2 - (points**2).sum(axis=1), rcond=None)[0][:2]
    for _ in range(20):
        away = guess - points
        far = np.hypot(*away.T)
        guess = guess - np.linalg.lstsq(away / far[:, None], far - error, rcond=None)[0]
    found = frame.to_degrees(guess[None])
    assert distance_m(float(found[0][0]), float(found[1][0]), 48.85123, 2.35456) < 1.0  # as docs/take_away.md says
    assert file.name.endswith("_for-you-contains-the-true-track.csv")
    assert all(
        row["note"].startswith("for you: the true places can be computed from the errors in this file") for row in rows
    )
    series = Explorer(meter(), scenario=Scenario(track="", landmarks=(0,))).session.save("table")
    assert series.name.endswith("_for-you-contains-the-true-series.csv")
    assert "for you: the true values can be computed from the errors in this file" in series.data.decode()
    for what in ("csv", "geojson"):
        assert "for you" not in session.save(what).data.decode()


@pytest.mark.browser
def test_the_first_line_is_printed_on_every_page(chromium: Any, tmp_path: Path) -> None:
    path = page_of(walk(), **OPEN).report().write(tmp_path)
    with opened(chromium, offline=True) as reader:
        reader.goto(path.as_uri())
        reader.wait_for_selector("html[data-drawn]", state="attached", timeout=60_000)
        printed = reader.pdf(prefer_css_page_size=True)
    pages = 0
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", printed, re.DOTALL):
        try:
            drawn = zlib.decompress(stream)
        except zlib.error:
            continue
        if b"TJ" in drawn or b"Tj" in drawn:
            pages += bool(re.search(rb"1 1 1 rg\s+(?:/G\d+ gs\s+)?BT", drawn))  # white letters, which nothing else has
    assert pages == len(re.findall(rb"/Type /Page\b", printed)) >= 3


@pytest.mark.browser
def test_the_button_asks_and_the_answer_is_saved(chromium: Any, address: Address, tmp_path: Path) -> None:
    text = "time,lat,lon\n" + "".join(f"2026-03-01T08:{m:02d}:00Z,37.73{m},-122.41{m}\n" for m in range(10, 40))
    with opened(chromium, accept_downloads=True, width=400, height=900) as view:
        view.goto(address)
        view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
        field = view.get_by_label("Upload a track or a series", exact=True)
        field.set_input_files({"name": "walk.csv", "mimeType": "text/csv", "buffer": text.encode()})
        view.get_by_text("walk: CSV, 30 points").first.wait_for(timeout=60_000)
        view.get_by_label("Save", exact=True).click()
        view.get_by_role("button", name="Report: a page to read and print").click()
        asked = view.get_by_role("alert").filter(has_text="Who is the report for?")
        asked.wait_for(timeout=60_000)
        assert "lmdk-note" in (asked.get_attribute("class") or "")
        assert view.evaluate("document.documentElement.scrollWidth") <= 400
        with view.expect_download(timeout=60_000) as saved:
            asked.get_by_role("button", name="To share: from one release").click()
        saved.value.save_as(tmp_path / "report.html")
        assert TO_HAND_ON in text_of((tmp_path / "report.html").read_text())
        track = load_trajectory(text.encode())
        written = {float(x) for x in re.findall(r"37\.7\d+", (tmp_path / "report.html").read_text())}
        same = [
            x for x in track.latitude.tolist() if x in written
        ]  # one released point in thousands has the same digits
        assert written and len(same) <= 3
