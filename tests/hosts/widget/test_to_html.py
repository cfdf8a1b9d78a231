"""Every widget as one file: it asks for nothing, says first whose it is, and to share holds nothing of the true data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import lmdk_widgets
from lmdk_widgets import (
    Answers,
    Dashboard,
    Explorer,
    FigureView,
    FoundationsLab,
    Lessons,
    PeopleLab,
    PlacesLab,
    Question,
    QuiltLab,
    SlidingFigure,
    Studies,
    TrajectoryMap,
    errors,
)
from lmdk_widgets.hosts.widget.bundle import BundledWidget
from lmdk_widgets.page import reading
from lmdk_widgets.page.blocks import Text
from lmdk_widgets.page.sliding_figures import Sliding, Stops
from lmdk_widgets.page.takeaway import TO_HAND_ON
from lmdk_widgets.pages.place import PlaceChoices
from tests.browser import page

POINTS = {"y": [0.1, 0.4, 0.2]}
MADE: dict[str, Callable[[], Any]] = {
    "Answers": lambda: Answers("moments"),
    "Dashboard": Dashboard,
    "Explorer": lambda: Explorer("bob"),
    "FigureView": lambda: FigureView({"data": [POINTS]}, "Three points."),
    "FoundationsLab": FoundationsLab,
    "Lessons": Lessons,
    "PeopleLab": lambda: PeopleLab(people()),
    "PlacesLab": lambda: PlacesLab(PlaceChoices(rows=2, columns=2, prior="uniform")),
    "Question": lambda: Question("moments/share"),
    "QuiltLab": QuiltLab,
    "SlidingFigure": lambda: SlidingFigure(Sliding(lambda n: [Text(f"{n} coins")], (Stops("coins", (1, 2)),))),
    "Studies": Studies,
    "TrajectoryMap": lambda: TrajectoryMap("bob"),
}
MOST_BYTES = 600_000
UNKNOWN = "the program does not know whose data it is drawn from"
REFUSED = {"FigureView": UNKNOWN, "SlidingFigure": UNKNOWN, "PeopleLab": "nothing can stand in for it"}


def people() -> pd.DataFrame:
    """Four people who stay at places of their own for two days."""
    times = pd.date_range("2026-03-02", periods=48, freq="h", tz="UTC")
    each = [
        pd.DataFrame({"person": f"p{k}", "time": times, "latitude": 48.80 + k / 50, "longitude": 2.30})
        for k in range(4)
    ]
    return pd.concat(each)


def own_track() -> pd.DataFrame:
    """A night at home, a way to work and a day there, whose coordinates have digits that nothing else has."""
    times = pd.date_range("2026-03-02", periods=24, freq="h", tz="UTC")
    at_work = np.arange(24) >= 9
    rng = np.random.default_rng(5)
    latitude = np.where(at_work, 48.871357, 48.842468) + np.round(rng.normal(0, 2e-5, 24), 7)
    longitude = np.where(at_work, 2.371193, 2.313357) + np.round(rng.normal(0, 2e-5, 24), 7)
    return pd.DataFrame({"time": times, "latitude": latitude.round(7), "longitude": longitude.round(7)})


def seen_first(html: str) -> str:
    """The first words that a reader sees."""
    body = re.sub(r"<(script|style|noscript)\b.*?</\1>", " ", html.partition("<body")[2], flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", "\n", body.partition(">")[2])).strip().partition("\n")[0]


def test_every_widget_of_the_package_is_tried() -> None:
    public = [getattr(lmdk_widgets, name) for name in lmdk_widgets.__all__]
    assert {each.__name__ for each in public if isinstance(each, type) and issubclass(each, BundledWidget)} == set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_a_widget_is_one_file_that_says_first_whose_it_is(name: str, tmp_path: Path) -> None:
    widget = MADE[name]()
    path = widget.to_html(tmp_path / "it.html")
    html = path.read_text("utf-8")
    assert list(tmp_path.iterdir()) == [path] and len(html) < MOST_BYTES and html.count("<body") == 1
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//|url\(["']?https?:|@import""", html)
    assert "default-src 'none'" in html.partition("<body")[0], "nothing is fetched"
    first = seen_first(html)
    assert first.startswith(("This file is yours", "For you only")), first
    assert first.startswith("For you only") == (name == "PeopleLab")
    assert "Being computed" not in html
    widget.close()


@pytest.mark.parametrize("name", MADE)
def test_to_share_it_is_the_same_or_refused(name: str, tmp_path: Path) -> None:
    widget = MADE[name]()
    if name in REFUSED:
        with pytest.raises(errors.InputError, match=REFUSED[name]):
            widget.to_html(tmp_path / "it.html", share=True)
        assert not [*tmp_path.iterdir()]
    else:
        assert seen_first(widget.to_html(tmp_path / "it.html", share=True).read_text("utf-8")) == reading.NOBODYS.file
    widget.close()


def test_of_a_track_of_ones_own_the_file_to_share_holds_no_true_coordinate(tmp_path: Path) -> None:
    track = own_track()
    explorer = Explorer(track, region=(48.5, 2.0, 49.0, 2.75), landmarks=[2, 12])
    yours = explorer.to_html(tmp_path / "mine.html").read_text("utf-8")
    theirs = explorer.to_html(tmp_path / "theirs.html", share=True).read_text("utf-8")
    assert seen_first(yours) == reading.FOR_YOU.format(own="your true track") and seen_first(theirs) == TO_HAND_ON
    said = theirs.partition('<script type="module">')[0]
    for place in zip(track["latitude"], track["longitude"], strict=True):
        assert not any(repr(degrees) in said for degrees in place)
        assert not all(
            f"{degrees:.6f}" in said for degrees in place
        )  # a released one may have the digits of one by chance
    (release,) = [drawn for drawn in maps_in(theirs) if drawn["kind"] == "release" and not drawn.get("small")]
    apart = np.abs(np.array(release["latitudes"])[:, None] - track["latitude"].to_numpy()).min(axis=1)
    assert len(apart) > 10 and np.median(apart) > 1e-3, "what is drawn is a release"
    explorer.close()


def maps_in(html: str) -> list[dict[str, Any]]:
    """What the maps of a file are drawn from."""
    return [json.loads(data) for data in re.findall(r'<figure class="map"><script[^>]*>(.*?)</script>', html)]


def test_a_map_of_ones_own_track_is_for_its_owner_and_never_to_share(tmp_path: Path) -> None:
    view = TrajectoryMap(own_track(), landmarks=[2])
    html = view.to_html(tmp_path / "map.html").read_text("utf-8")
    assert seen_first(html) == reading.FOR_YOU.format(own="your true track")
    (drawn,) = maps_in(html)
    assert drawn["kind"] == "track" and drawn["latitudes"] == pytest.approx(own_track()["latitude"], abs=1e-6)
    with pytest.raises(errors.InputError, match="it shows where you were"):
        view.to_html(tmp_path / "share.html", share=True)
    assert not (tmp_path / "share.html").exists()


def test_results_of_a_study_of_ones_own_are_for_its_owner(tmp_path: Path) -> None:
    rows = {"track": ["mine", "mine"], "repetition": [0, 0], "epsilon": [1.0, 2.0], "mean_error_m": [200.0, 100.0]}
    view = Studies(pd.DataFrame(rows))
    assert seen_first(view.to_html(tmp_path / "it.html").read_text("utf-8")).startswith("For you only")
    with pytest.raises(errors.InputError, match="nothing can stand in"):
        view.to_html(tmp_path / "it.html", share=True)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("name", ["Explorer", "TrajectoryMap", "FigureView"])
def test_a_file_opens_from_a_disk_with_its_drawings(name: str, tmp_path: Path, chromium: Any) -> None:
    path = MADE[name]().to_html(tmp_path / "it.html")
    with page(chromium, width=1280) as seen:
        seen.goto(path.as_uri())
        drawn = seen.locator("figure :is(canvas, svg) >> visible=true").first
        drawn.wait_for()
        top = drawn.bounding_box()["y"]
        assert top < 900, "a picture is on the first screen"
        assert seen.locator(".mark").first.is_visible() and not seen.guard.foreign
