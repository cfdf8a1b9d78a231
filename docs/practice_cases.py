"""The table of the document on today's practices (`practices.md`): each practice, the attack on it, and what that finds."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians
from statistics import fmean as mean

import numpy as np

from lmdk_widgets.course.zones import (
    DRAWS,
    HECTARE_M2,
    HOME,
    OFFSET_M,
    RADIUS_M,
    WIDE_M,
    area_ha,
    in_square,
    off_m,
    outings,
)
from lmdk_widgets.geo import METRES_PER_DEGREE
from lmdk_widgets.inference import main_place
from lmdk_widgets.page.amounts import amount, count, metres
from lmdk_widgets.pages.place import PlaceChoices, evaluate
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.series import evaluate as evaluate_series
from lmdk_widgets.pages.series.meter import PRACTICES
from lmdk_widgets.pages.series.series import spell
from lmdk_widgets.practice import (
    PlaceFound,
    ZoneFound,
    approximate,
    cut_ends,
    find_approximate,
    find_cut_ends,
    find_zone,
    thinned,
    zone,
    zone_silences,
)
from lmdk_widgets.practice.chosen_practice import practice_of
from lmdk_widgets.practice.over_draws import draws_of, over_draws
from lmdk_widgets.trajectory import Trajectory, sample

HEAD = "| practice | data | attack | found |"

DATA, RUNNER = "the commuter's week", "the runner's month"
VOTE = "ends vote; knows the radius and which silences are the zone's"

WEEKS = 3
"""Draws of an approximate location, whose filter takes seconds."""

LATITUDE = 49.0
"""Degrees at which the size of a cell of three decimals is given."""

FINE = 101
"""Places along each side of a cell, for its mean."""


def rows() -> Iterator[tuple[str, ...]]:
    """The rows of the table."""
    yield from zones()
    yield from week()
    yield from rounding()
    yield from meter()


def zones() -> Iterator[tuple[str, ...]]:
    """Zones round a made home, as in the lesson."""
    narrow, wide = f"zone of {metres(RADIUS_M)}", f"zone of {metres(WIDE_M)}"
    for practice, n, radius_m in (
        (narrow, 1, RADIUS_M),
        (narrow, 3, RADIUS_M),
        (narrow, 12, RADIUS_M),
        (wide, 3, WIDE_M),
    ):
        found = f"home, on {amount(area_ha(n, radius_m))} ha, off by {metres(off_m(n, radius_m))}"
        yield practice, f"{count(n, 'made outing')}", VOTE, found
    moved = f"{narrow}, its middle moved once by up to {metres(OFFSET_M)}"
    yield moved, "three made outings", VOTE, f"the middle; home off by {metres(off_m(offset_m=OFFSET_M))}"


def week() -> Iterator[tuple[str, ...]]:
    """Practices on the commuter's week, and ends that are cut off the outings."""
    cut = []
    for seed in range(DRAWS):
        published = cut_ends(outings(3, seed), RADIUS_M)
        cut.append(_off_m(published, find_cut_ends(published, RADIUS_M), HOME))
    ends = f"start and end cut off by {metres(RADIUS_M)}"
    yield ends, "three made outings", "all ends vote, as far as the way is long", f"home, off by {metres(mean(cut))}"
    runner, commuter = sample("runner"), sample("commuter")
    yield f"zone of {metres(RADIUS_M)}", f"{RUNNER}, a point in five seconds", VOTE, _zone_found(runner)
    yield f"zone of {metres(RADIUS_M)}", f"{DATA}, a point in five minutes", VOTE, _zone_found(commuter)
    at, home = home_of(commuter)
    published = thinned(commuter, 60.0)
    latitude, longitude, _ = main_place(published.latitude, published.longitude)
    near = metres(_apart_m(published, (latitude, longitude), home))
    yield "one point in an hour", DATA, "the place with most points", f"home, off by {near}"
    off = []
    for seed in range(WEEKS):
        published = approximate(commuter, rng=np.random.default_rng(seed))
        off.append(_off_m(published, find_approximate(published, timestamps=at), home))
    how = "a filter over the place and the offset; knows the nights"
    yield "approximate location", DATA, how, f"home, off by {metres(mean(off))} (mean of {WEEKS} draws)"
    yield from noises(commuter)


def noises(commuter: Trajectory) -> Iterator[tuple[str, ...]]:
    """Two noises of the literature that follow the track, attacked as on the page."""
    for code, how in (
        (
            "clustering 200",
            "the circles round the repeated reports, or the median of all; knows when somebody is there",
        ),
        ("velocity 200", "the median of the reports; knows when somebody is there"),
    ):
        practice = practice_of(code)
        off, draws = over_draws(practice, commuter, knows=True, seed=0).found_m, draws_of(practice, len(commuter))
        yield practice.what, DATA, how, f"home, off by {metres(off)} (median of {draws} draws)"


def _zone_found(track: Trajectory) -> str:
    """How far off the home of a sample is found, behind a zone whose silences are known."""
    _, home = home_of(track)
    published = zone(track, [home], RADIUS_M)
    found = find_zone(published, RADIUS_M, silences=zone_silences(track, published))
    weak = "; the points are too far apart for this attack" if found.too_far_apart else ""
    area, off = amount(found.area_m2 / HECTARE_M2), metres(_off_m(published, found, home))
    return f"home, on {area} ha, off by {off}{weak}"


def home_of(track: Trajectory) -> tuple[list[int], tuple[float, float]]:
    """The timestamps at which a sample says that somebody is at home, and the place."""
    at = [k for k, label in enumerate(track.labels) if label == "home"]
    return at, (float(np.median(track.latitude[at])), float(np.median(track.longitude[at])))


def _off_m(published: Trajectory, found: ZoneFound | PlaceFound, home: tuple[float, float]) -> float:
    return _apart_m(published, (found.latitude, found.longitude), home)


def _apart_m(track: Trajectory, place: tuple[float, float], home: tuple[float, float]) -> float:
    """How far two places are from each other, metres."""
    a, b = track.frame.to_metres(*np.array([place, home]).T)
    return float(np.hypot(*(a - b)))


def rounding() -> Iterator[tuple[str, ...]]:
    """Rounded coordinates, of a home that may be anywhere in its cell, and larger squares on the city of the page Place."""
    yield (
        "square of 1 km",
        "a home anywhere in it",
        "the middle of the square",
        f"off by {metres(in_square())} on average",
    )
    high, wide = 0.001 * METRES_PER_DEGREE, 0.001 * METRES_PER_DEGREE * cos(radians(LATITUDE))
    steps = (np.arange(FINE) + 0.5) / FINE - 0.5
    mean = float(np.hypot(steps[:, None] * high, steps[None] * wide).mean())
    yield (
        "three decimals",
        f"a home at {LATITUDE:g} degrees",
        "the middle of the cell",
        f"off by {metres(mean)} on average",
    )
    city = evaluate(PlaceChoices())
    for each in city.roundings:
        if each.side:
            size = metres(each.side * city.area.cell_m)
            found = f"off by {metres(each.told.error)}; by the report itself {metres(each.told.loss)}"
            yield f"squares of {size}", "the made-up city of the page Place", "knows how likely each cell is", found


def meter() -> Iterator[tuple[str, ...]]:
    """A meter's readings merged or cut off."""
    found = evaluate_series(SeriesChoices(source="power")).metered
    assert found is not None
    for each in found.practices:
        told, said = each.told, []
        if told.right is None:
            said.append("no hours")
        else:
            said.append(f"active or quiet as from every reading for {100 * told.right:.0f} % of the time")
        if told.rest_off:
            said.append(f"the ends of a night's rest, off by {spell(told.rest_off)}")
        exact = told.day_off <= 1e-9 * max(found.practices[0].read.days.values())
        said.append("each day's mean exactly" if exact else f"a day's mean, off by {told.day_off:.0f} W")
        data = "two made days of a household"
        yield (
            PRACTICES[each.name][0].lower() + PRACTICES[each.name][1:],
            data,
            "two levels, the longest quiet run",
            "; ".join(said),
        )
