"""The lesson on privacy zones by hand: its outings, its attack, and every right answer."""

from __future__ import annotations

from math import asinh, hypot, pi, sqrt

import numpy as np
import pytest

from lmdk_widgets.course import question, questions, zone_figures, zones
from lmdk_widgets.course.ask import Choose
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.practice import find_zone, zone, zone_silences
from lmdk_widgets.trajectory import sample
from tests.course.test_lesson_texts import says

NAMES = ("map", "outings", "wide", "helps", "square", "enough")


def test_four_predictions_and_two_questions_of_a_test() -> None:
    assert [ask.name for ask in questions("zones")] == [f"zones/{name}" for name in NAMES]
    assert len(zones.STEPS) == 4 and len(zones.TEST) == 2


def test_an_outing_is_as_the_lesson_says() -> None:
    track = zones.outings(2, number=3)
    home = np.array([*track.frame.to_metres(*(np.array([each]) for each in zones.HOME))[0]])
    far = np.hypot(*(track.points_m - home).T)
    seconds = np.diff(track.time) / np.timedelta64(1, "s")
    assert (np.sort(seconds)[:-1] == 5).all() and seconds.max() > 70_000, "one a day, a point every five seconds"
    assert far[0] < 20 and far[-1] < 20 and 2_200 < far.max() < 2_430
    steps = np.hypot(*np.diff(track.points_m, axis=0).T)[:-1]
    assert np.median(steps) == pytest.approx(hypot(15, sqrt(2 * pi / 4) * 5), rel=0.1), "3 m/s, with a receiver's noise"
    turned = np.diff(zones.headings(3, 10.0)) % 360
    assert (turned == 120).all() and len(set(zones.headings(12, 0.0))) == 12


@pytest.mark.long
def test_what_is_left_to_look_for_is_what_a_dense_grid_leaves() -> None:
    """Places 400 m from the three ends, to within a step of the run, and farther than that from every published point."""
    week = zones.attacked(number=5)
    points = week.published.points_m - week.home_m
    days = week.published.time.astype("datetime64[D]")
    ends = [points[np.flatnonzero(days == day)[[0, -1]]] for day in np.unique(days)]
    at = np.arange(-700.0, 701.0, 5.0)
    grid = np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)
    apart = [np.hypot(*(grid - end).T) for pair in ends for end in pair]
    votes = sum(((far > 385) & (far <= 400 + 45)).astype(int) for far in apart)
    free = np.min([np.hypot(*(grid - point).T) for point in points[::3]], axis=0) >= 385
    best = grid[free & (votes == votes[free].max())]
    assert np.hypot(*best.mean(axis=0)) < 30 and week.off_m < 30
    assert np.hypot(*(week.guess_m - week.home_m - best.mean(axis=0))) < 30


def test_the_right_answers() -> None:
    assert question("zones/map").right_answer() == [-260.0, 190.0] == zones.mia_home().tolist()
    scene = zones.mia_scene()
    assert min(np.hypot(*(np.asarray(scene.dots) - zones.mia_home()).T)) > 399 - 25, "nothing is published in the zone"
    areas = zones.by_outings()
    assert all(np.diff(areas) < 0) and areas[0] > 2 > areas[1] and areas[2] < 0.5
    assert question("zones/wide").right_answer() == pytest.approx(zones.area_ha(radius_m=1600.0) / areas[2])
    assert 1 < question("zones/wide").right_answer() < 2 and not question("zones/wide").judge(4.0).right
    helps = question("zones/helps")
    assert isinstance(helps, Choose) and helps.choices[helps.right()].text.startswith("Let the app move the middle")
    moved = zones.off_m(offset_m=400.0)
    assert moved == pytest.approx(2 / 3 * 400, rel=0.25), "the mean distance in a disc"
    others = [off() for off, _ in zones.WAYS.values() if off() < moved]
    assert len(others) == 3 and max(others) < 30
    enough = question("zones/enough")
    assert isinstance(enough, Choose) and enough.choices[enough.right()].text.startswith("Nothing")


def test_the_mean_distance_in_a_square() -> None:
    at = np.random.default_rng(1).uniform(-500, 500, (400_000, 2))
    assert question("zones/square").right_answer() == pytest.approx(np.hypot(*at.T).mean(), rel=0.003)
    assert zones.in_square() / 1000 == pytest.approx((sqrt(2) + asinh(1)) / 6) == pytest.approx(0.3826, abs=1e-4)


def found_off(name: str) -> tuple[float, float]:
    """How far off a sample's home is found behind a zone of 400 m, and how far its next point may be, metres."""
    track = sample(name)
    at = [k for k, label in enumerate(track.labels) if label == "home"]
    home = float(np.median(track.latitude[at])), float(np.median(track.longitude[at]))
    published = zone(track, [home], 400.0)
    found = find_zone(published, 400.0, silences=zone_silences(track, published))
    a, b = published.frame.to_metres(*np.array([(found.latitude, found.longitude), home]).T)
    return float(np.hypot(*(a - b))), found.step_m


def test_two_samples_with_the_same_zone() -> None:
    (near, step), (far, wide) = found_off("runner"), found_off("commuter")
    says("zones", f"is found {metres(near)} off", f"is found {metres(far)} off")
    assert step < 60 and 1_000 < wide < 1_500, "a kilometre"


def test_what_the_texts_say() -> None:
    says(
        "zones", "a point every five seconds, with a receiver's noise of 5 m", "a radius of 400 m", "over twelve weeks"
    )
    assert (zones.EVERY_S, zones.NOISE_M, zones.RADIUS_M, zones.DRAWS) == (5, 5, 400, 12)
    assert round(pi * zones.RADIUS_M**2 / zones.HECTARE_M2) == 50 and (zones.WIDE_M / zones.RADIUS_M) ** 2 == 16
    assert "zone of 400 m" in str(question("zones/helps").asked()["text"])


@pytest.mark.parametrize("name", ["by_outings", "by_radius", "by_offset"])
def test_a_figure_shows_what_was_attacked(name: str) -> None:
    figure = getattr(zone_figures, name)()
    (stops,) = figure.stops
    for value in stops.values:
        (chart,) = figure.draw(value)
        week = {
            "by_outings": lambda value=value: zones.attacked(value, number=zones.MIA_WEEK),
            "by_radius": lambda value=value: zones.attacked(radius_m=value, number=zones.MIA_WEEK),
            "by_offset": lambda value=value: zones.attacked(offset_m=value, number=zones.MIA_WEEK),
        }[name]()
        assert f"{metres(week.off_m)} from home" in chart.summary
        traces = {trace["name"]: trace for trace in chart.figure["data"]}
        x, y = traces["the guess"]["x"][0], traces["the guess"]["y"][0]
        assert 1000 * hypot(x, y) == pytest.approx(week.off_m, abs=0.2)
        assert (traces["home"]["x"], traces["home"]["y"]) == ([0.0], [0.0])
        if name == "by_offset" and value:
            ring = np.stack([traces["home may be here"][axis] for axis in "xy"], axis=1)
            assert 1000 * np.hypot(*(ring - [x, y]).T) == pytest.approx(value, abs=0.5)
        assert ("home may be anywhere" in chart.summary) == (name == "by_offset" and value > 0)
