"""Reports of every page: no true coordinate, no release of the screen, and everything that is needed to repeat them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import Explorer, FoundationsLab, PlacesLab, QuiltLab
from lmdk_widgets.answers.adversary import infer
from lmdk_widgets.io import programs
from lmdk_widgets.page.amounts import count
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.pages.track.belief import HABITS
from lmdk_widgets.pages.track.charts import MOST_DRAWN, ends_of_stretches, thinned
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.files import choices_from_json
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import Trajectory
from tests.hosts.widget.test_exports import CSV

pytestmark = pytest.mark.skipif(not (programs.STATIC / "report.js").exists(), reason="the package is not built")

SOURCES = Path(__file__).parents[3] / "frontend" / "src"
NOW = Scenario(landmarks=(0, 2, 4, 7), scheme="adaptive", epsilon=2.0)
BESIDE = {"pinned": {"landmarks": (0, 2, 4, 7)}}
LABS = {
    "track": lambda: Explorer("bob", scenario=NOW, choices=BESIDE),
    "place": lambda: PlacesLab(PlaceChoices(rows=2, columns=3, prior="uniform")),
    "series": lambda: QuiltLab(SeriesChoices(source="binary", length=60)),
    "table": lambda: FoundationsLab(TableChoices(attack="homogeneity")),
    "noise": lambda: FoundationsLab(TableChoices(part="noise")),
    "stream": lambda: FoundationsLab(TableChoices(part="stream")),
    "adding": lambda: FoundationsLab(TableChoices(part="adding")),
    "sums": lambda: FoundationsLab(TableChoices(part="sums")),
    "sequence": lambda: FoundationsLab(TableChoices(part="sequence")),
}


def text_of(html: str) -> str:
    """What a reader sees, without the programs and the styles."""
    seen = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return re.sub(r"[ ]+", " ", unescape(re.sub(r"<[^>]+>", " ", seen)))


def report_of(lab: Any) -> str:
    return lab.report().data.decode("utf-8")


def drawings_of(html: str) -> dict[str, dict[str, Any]]:
    """What the program of the page's map draws in a report, by its kind."""
    told = re.findall(r'<figure class="map"><script type="application/json">(.*?)</script>', html)
    return {drawing.pop("kind"): drawing for drawing in map(json.loads, told)}


def apart_from_the_release(html: str) -> str:
    """A report without its programs, which hold numbers of any kind, and without its map, whose points are those released."""
    without, cut = re.subn(r'<figure class="map">.{,20}?<script[^>]*>{"kind": "release".*?</script>', "", html)
    assert cut == 1
    return without[: without.index('<script type="module">')]


def opened(explorer: Any) -> None:
    """Every panel of the track page that has a table is open and computed."""
    session = explorer.session
    asked = {"attacker.open": True, "attacker.cells": 12} | dict.fromkeys(("defences.open", "compare.open"), True)
    asked |= {"table.open": True, "table.schemes": ["uniform"], "table.epsilons": "1", "trade_off.open": True}
    session.apply([{"op": "set", "name": name, "value": value} for name, value in asked.items()], commit=True)
    began = session.state
    for better in session.improve(session.outcome):
        session.take(better, began)


@pytest.mark.parametrize("name", LABS)
def test_a_report_says_what_the_page_says(name: str) -> None:
    lab = LABS[name]()
    file = lab.report()
    html = file.data.decode("utf-8")
    seen, words = text_of(html), lab.text()["words"]
    for sentence in (lab.page.TITLE, *words["paragraph"].split("\n\n"), words["assumption"], *words["warnings"]):
        assert sentence in seen
    assert seen.count("simulation, not a private release") >= 2 and len(file.data) < 2_000_000
    assert file.name.startswith("simulation-not-a-private-release_") and file.name.endswith("_report.html")
    for picture in lab.pictures():
        assert picture.title in seen and picture.summary in seen
    assert html.count('<figure class="chart">') == len(lab.pictures())
    copied = [unescape(text) for text in re.findall(r"<pre><code>(.*?)</code></pre>", html, re.DOTALL)]
    assert copied == [f"?{lab.session.link.query}", lab.session.program(), lab.session.settings()]


@pytest.mark.parametrize("name", LABS)
def test_a_report_asks_for_the_same_title_as_the_page(name: str) -> None:
    lab = LABS[name]()
    page = lab.page.MODULE.removesuffix(".js")
    assert lab.page.about()["title"] == lab.page.TITLE
    assert lab.page.TITLE not in (SOURCES / page / "page.js").read_text("utf-8")


@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("name", LABS)
def test_no_heading_stands_in_two_languages(name: str) -> None:
    lab = LABS[name]()
    if name == "track":
        opened(lab)
    page = lab.page.MODULE.removesuffix(".js")
    programs = "".join(path.read_text("utf-8") for path in (SOURCES / page).glob("*.js"))
    titles, report = [picture.title for picture in lab.pictures()], report_of(lab)
    titles += re.findall(r"<caption[^>]*>(.*?)</caption>", report)
    headings = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', report)
    titles += [heading for heading in headings if " " in heading]  # one word alone may be the name of a choice
    tables = [drawing.described.get("table") for drawing in lab.page._drawings(lab.outcome)]
    titles += [table["title"] for table in tables if isinstance(table, dict) and "title" in table]
    assert len(titles) >= 2 and not [title for title in titles if f'"{unescape(title)}"' in programs]


@pytest.mark.long
def test_the_map_of_cells_has_the_page_s_values_and_no_place_on_earth() -> None:
    lab = PlacesLab(PlaceChoices(rows=2, columns=3, mechanism="spanner", click="report"))
    drawings, (_, draw, _) = drawings_of(report_of(lab)), list(lab.page._drawings(lab.outcome))
    (drawing,) = drawings.values()
    assert set(drawings) == {"cells"}
    assert drawing["values"] == pytest.approx(draw.arrays["values"], rel=1e-5) and len(drawing["names"]) == 6
    assert (
        drawing["squares"] == draw.arrays["squares"].reshape(-1, 2).tolist() and min(map(min, drawing["squares"])) == 0
    )
    assert drawing["edges"] == draw.arrays["edges"].tolist() and drawing["shown"] == draw.described["shown"]
    assert drawing.keys() == {"label", "squares", "names", "values", "edges", "binding", "shown"}


def test_both_options_stand_in_the_report() -> None:
    seen = text_of(report_of(Explorer("bob", scenario=NOW, choices=BESIDE)))
    assert "Two options" in seen and "Scheme Uniform → Adaptive; Epsilon 1 → 2" in seen
    assert re.search(r"Mean error\s+1\.9 km\s+935 m", seen)


@pytest.mark.parametrize("scheme", ["uniform", "adaptive", "skip"])
def test_no_true_coordinate_and_no_place_of_the_screen_is_in_a_report(scheme: str) -> None:
    explorer = Explorer()
    explorer.session.load(CSV.encode(), "walk.csv")
    explorer.session.apply(
        [{"op": "set", "name": "scheme", "value": scheme}, {"op": "toggle", "index": 3}, {"op": "pin"}], commit=True
    )
    html = apart_from_the_release(report_of(explorer))
    track, outcome = explorer.trajectory, explorer.outcome
    for latitude, longitude in (
        *zip(track.latitude.tolist(), track.longitude.tolist(), strict=True),
        *zip(outcome.latitude.tolist(), outcome.longitude.tolist(), strict=True),
    ):
        for digits in (4, 5, 6):
            # one number alone may be in it by chance
            assert not (f"{latitude:.{digits}f}" in html and f"{longitude:.{digits}f}" in html)
    assert "never publish them" in html


@pytest.mark.long
def test_places_of_ones_own_are_not_named() -> None:
    time = np.datetime64("2026-01-01", "ns") + np.arange(3) * np.timedelta64(60, "s")
    place = (48.851, 2.351, "My doctor")
    track = Trajectory([48.85, 48.851, 48.852], [2.35, 2.351, 2.352], time, places=(place,))
    html = report_of(Explorer(track, scenario=Scenario(track="", epsilon=100.0)))
    assert "My doctor" not in html and "Louvre" in report_of(Explorer("bob", scenario=Scenario(epsilon=20.0)))


def test_the_map_shows_the_release_of_the_other_files() -> None:
    """Each draw would spend the budget again; that of the screen has the noise of the seed, which the settings name."""
    explorer = Explorer("bob")
    drawing = drawings_of(report_of(explorer))["release"]
    assert drawing == drawings_of(report_of(explorer))["release"]
    assert drawing["places"] == [list(place) for place in explorer.trajectory.places]
    shown = np.array([drawing["latitudes"], drawing["longitudes"]])
    filed, *others = explorer.session.afresh(), explorer.outcome, explorer.trajectory
    np.testing.assert_allclose(shown, [filed.latitude, filed.longitude], atol=6e-7)
    for other in others:
        assert abs(shown - [other.latitude, other.longitude]).max() > 1e-4


@pytest.mark.long
def test_a_map_holds_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release across the antimeridian is one piece; none, and one of too many points, is a sentence."""
    time = np.datetime64("2026-01-01", "ns") + np.arange(4) * np.timedelta64(60, "s")
    explorer = Explorer(
        Trajectory(np.zeros(4), [179.99, -179.99] * 2, time), scenario=Scenario(track="", epsilon=4000.0)
    )
    east = drawings_of(report_of(explorer))["release"]["longitudes"]
    assert max(east) - min(east) == pytest.approx(0.02, abs=1e-3)
    monkeypatch.setattr("lmdk_widgets.pages.track.release_drawing.MOST_POINTS", 3)
    assert "There are more released points than a report can draw." in text_of(report_of(explorer))
    explorer.scenario = Scenario(track="", scheme="skip", landmarks=(0, 1, 2, 3))
    assert "Nothing is released." in text_of(report_of(explorer))


@pytest.mark.long
@pytest.mark.parametrize("name", ["household", "contacts"])
def test_a_report_of_a_series_draws_the_release_of_the_other_files(name: str) -> None:
    explorer = Explorer(name)
    explorer.choices = explorer.choices.with_changes(**{"attacker.open": True})
    html, series = report_of(explorer), explorer.trajectory
    ((kind, drawing),) = drawings_of(html).items()
    filed = explorer.session.afresh().values
    at = ends_of_stretches(filed)
    assert kind == "series" and len(drawing["values"]) == len(drawing["time"]) == len(at)
    np.testing.assert_allclose(drawing["values"], filed[at], rtol=1e-6)
    for other in (explorer.outcome.values, series.values):
        seen = other[ends_of_stretches(other)]
        assert len(seen) != len(at) or abs(np.array(drawing["values"]) - seen).max() > 0.01
    when = np.array(drawing["time"]).astype("M8[ms]") - series.time[at].astype("M8[ms]")
    assert set(when.astype("m8[h]").astype(int)) == {1}, "the clock of Paris in winter"
    assert f"{len(series):,} released values, times in Europe/Paris. Their noise was drawn" in text_of(html)
    assert not re.search(r"true cell|where you were|the map", text_of(html))


def test_the_settings_in_a_report_repeat_it() -> None:
    html = report_of(Explorer("bob", scenario=NOW, choices=BESIDE))
    blocks = [unescape(text) for text in re.findall(r"<pre><code>(.*?)</code></pre>", html, re.DOTALL)]
    link, program, settings = blocks
    assert choices_from_json(settings) == TrackChoices(NOW).with_changes(**BESIDE)
    other = Explorer(query=link)
    assert other.scenario == NOW
    run: dict[str, Any] = {}
    exec(program, run)
    assert run["outcome"].budgets.tolist() == evaluate(NOW, other.trajectory).budgets.tolist()


def test_a_report_of_a_track_of_ones_own_says_that_it_tells_of_it() -> None:
    explorer = Explorer()
    explorer.session.load(CSV.encode(), "walk.csv")
    assert "It is made from your true track" in text_of(report_of(explorer))
    assert "It is made from" not in text_of(report_of(Explorer("bob")))


def test_a_report_is_written_to_a_folder(tmp_path: Path) -> None:
    path = FoundationsLab().report().write(tmp_path)
    assert path.parent == tmp_path and path.read_bytes().startswith(b"<!DOCTYPE html>")


def test_charts_of_a_long_track_keep_their_peaks() -> None:
    rng = np.random.default_rng(1)
    y = rng.normal(size=25_000)
    y[17_171], y[5:9] = 50.0, np.nan
    at = thinned(y)
    assert len(at) <= MOST_DRAWN + 2 and at[0] == 0 and at[-1] == len(y) - 1
    assert {17_171, int(np.nanargmin(y))} <= set(at.tolist())
    assert thinned(y[:MOST_DRAWN]).tolist() == list(range(MOST_DRAWN))


@pytest.mark.nightly
def test_a_report_of_a_long_track_stays_small() -> None:
    n = 20_000
    time = np.datetime64("2026-01-01", "ns") + np.arange(n) * np.timedelta64(60, "s")
    steps = np.random.default_rng(2).normal(0, 1e-4, (2, n)).cumsum(axis=1)
    explorer = Explorer(Trajectory(48.85 + steps[0], 2.35 + steps[1], time), scenario=Scenario(track=""))
    assert len(explorer.report().data) < 2_500_000


def test_the_panels_are_those_of_the_timeline() -> None:
    explorer = Explorer("bob", scenario=NOW)
    outcome, figure = explorer.outcome, explorer.outcome.figure()
    drawn = [trace for picture in explorer.pictures() for trace in picture.figure["data"]]
    assert [trace["name"] for trace in drawn] == [
        trace.name for axis in ("y", "y2", "y3", "y4") for trace in figure.data if trace.yaxis == axis
    ]
    (total,) = [trace for trace in drawn if trace["name"] == "total"]
    assert total["y"] == pytest.approx(outcome.total, rel=1e-5)


def test_what_an_adversary_infers_is_in_the_report_where_it_is_open() -> None:
    explorer = Explorer("bob", scenario=Scenario(landmarks=(0, 2, 4, 7)), choices={"attacker.open": True})
    seen, found = text_of(report_of(explorer)), explorer.text()["inferred"]["found"]
    assert len(found) >= 3 and all(sentence in seen for sentence in found)
    charts = {picture.name: picture.figure["data"] for picture in explorer.pictures()}
    inferred = explorer.outcome.found("attacker")
    for name, expected in (("adversary-chance", inferred.whole.right), ("adversary-error", inferred.error_m)):
        (line,) = [trace for trace in charts[name] if trace["name"].startswith("from all")]
        assert line["y"] == pytest.approx(expected, rel=1e-5)
    assert "What an attacker finds" not in text_of(report_of(Explorer("bob")))


def test_a_page_without_charts_offers_none(monkeypatch: pytest.MonkeyPatch) -> None:
    lab, sent = FoundationsLab(), []
    monkeypatch.setattr(lab.page, "pictures", list)
    lab.send = lambda message, buffers=None: sent.append(message)
    lab._on_message(None, {"type": "save", "what": "svg", "view": "v"}, [])
    assert sent[-1]["type"] == "refused" and "There must be a chart" in sent[-1]["text"]
    lab = FoundationsLab(TableChoices(part="noise"))
    lab.send = lambda message, buffers=None: sent.append(message)
    lab._on_message(None, {"type": "save", "what": "png", "view": "v"}, [])
    files = [picture["file"] for picture in sent[-1]["pictures"]]
    assert files[0] == "simulation-not-a-private-release_noise_laplace_outputs.png" and len(files) == 5


def test_her_belief_is_that_of_the_release_in_the_report() -> None:
    explorer = Explorer(
        "bob",
        scenario=Scenario(landmarks=(0, 2, 4, 7), epsilon=20.0),
        choices={"attacker.open": True, "attacker.at": 4},
    )
    html, fresh, outcome = report_of(explorer), explorer.session.afresh(), explorer.outcome
    shown = {"latitude": fresh.latitude, "longitude": fresh.longitude, "published": fresh.published}
    found = infer(replace(outcome, budgets=fresh.budgets, **shown))
    half, most = found.marks[4] & 16 > 0, found.marks[4] & 8 > 0
    about = "What the attacker believes about p5, 14:10, by the chosen chain, from the released points in this file"
    assert about in text_of(html)
    assert f"50 % of the belief, in {count(int(half.sum()), 'cell')}, the" in text_of(html)
    assert f"95 %, in {count(int(most.sum()), 'cell')}; the star" in text_of(html)
    drawing = drawings_of(html)["belief"]
    squares = found.area.squares - found.area.squares.min(axis=0)
    assert drawing.keys() == {"label", "squares", "marks", "guess"}, "nothing says where on Earth it is"
    assert drawing["squares"] == squares.tolist()
    assert drawing["guess"] == int((found.area.distances_m @ found.belief[4]).argmin())
    belief = found.belief[4]
    classes = [sum(share >= bound for bound in (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)) for share in belief]
    assert [mark & 7 for mark in drawing["marks"]] == classes
    for bit, share in ((16, 0.5), (8, 0.95)):
        inside = np.array(drawing["marks"]) & bit > 0
        assert belief[inside].sum() >= share and belief[inside].min() >= belief[~inside].max()


@pytest.mark.long
@pytest.mark.parametrize(
    "known", [{"attacker.start": "track"}, {"attacker.moves": "days"}, {"correlation": "estimated"}]
)
def test_habits_of_ones_own_track_are_not_drawn(known: dict[str, str]) -> None:
    explorer = Explorer()
    explorer.session.load(CSV.encode(), "walk.csv")
    explorer.session.apply(
        [{"op": "set", "name": name, "value": value} for name, value in {"attacker.open": True, **known}.items()],
        commit=True,
    )
    html = report_of(explorer)
    assert HABITS in text_of(html) and "belief" not in drawings_of(html)
    explorer.session.apply(
        [{"op": "set", "name": name, "value": TrackChoices.defaults()[name]} for name in known], commit=True
    )
    assert "belief" in drawings_of(report_of(explorer))
