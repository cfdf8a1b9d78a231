"""Every number of "What is done today": zones and votes on a dense grid, and what is published counted by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from lmdk_widgets.answers.usefulness import useful_answer
from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.page.blocks import Cards, Table, Text
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.track.compared_option import option_told
from lmdk_widgets.pages.track.practices import Practices
from lmdk_widgets.practice import find_cut_ends, zone_silences
from lmdk_widgets.practice.chosen_practice import Practice
from lmdk_widgets.practice.practised import practised, publish, target_of
from lmdk_widgets.trajectory.model import Trajectory
from tests.every_number.claims import near
from tests.every_number.named import Given, Named, Whole
from tests.landmark_choices import chosen, page_of
from tests.practice.by_hand import (
    DEGREE_M,
    ByHand,
    Rounded,
    median_of,
    place_of,
    reader_m,
    resting,
    seconds_of,
)
from tests.practice.made_outings import life
from tests.practice.test_zone_attack import by_grid, ends_by_hand, side
from tests.sweeps import generators


class Today:
    """The practices on a track, apart from the page."""

    def __init__(self, track: Trajectory, asked: Any) -> None:
        self.track, self.asked = track, asked
        self.seed, self.option, self.useful = 0, "", ""
        self.latitude, self.longitude, self.members = place_of(track)
        self.knows = asked.knows == "silences"
        self.radius, self.twice, self.decimals = asked.zone_m, 2 * asked.zone_m, asked.decimals
        self.moved = max(100.0, asked.zone_m / 2 // 100 * 100)
        self.gap = float(np.median(np.diff(track.time) / np.timedelta64(1, "m")))
        self.sparse = max(3.0, math.ceil(3 * self.gap))

    def off(self, latitude: float, longitude: float) -> float:
        return float(distance_m(latitude, longitude, self.latitude, self.longitude))

    def left(self, track: Trajectory, radius: float) -> Trajectory:
        place = track.frame.to_metres([self.latitude], [self.longitude])[0]
        return track[np.flatnonzero(np.hypot(*(track.points_m - place).T) > radius)]

    def zone(self, track: Trajectory, radius: float) -> tuple[int, int, float, int, float, float]:
        """Ends that vote, those that agree, the area, equal places, a typical step, and how far the nearer guess is off."""
        published = self.left(track, radius)
        known = set(zone_silences(track, published)) if self.knows else None
        most, cells, equal, best = by_grid(published, radius, known)
        guess = best[np.hypot(*(best - best.mean(axis=0)).T).argmin()]
        place = published.frame.to_metres([self.latitude], [self.longitude])[0]
        off = float(np.hypot(*(guess - place)))
        ends, steps = ends_by_hand(published)
        voting = [step for end, step in zip(ends, steps, strict=True) if known is None or end in known]
        if known is not None:
            points = published.points_m[sorted(known)]
            median = minimize(lambda at: np.hypot(*(points - at).T).sum(), points.mean(axis=0), method="Nelder-Mead").x
            off = min(off, float(np.hypot(*(median - place))))
        return len(voting), most, cells * side(radius, voting) ** 2, equal, float(np.median(voting)), off

    @cached_property
    def now(self) -> tuple[int, int, float, int, float, float]:
        return self.zone(self.track, self.radius)

    @cached_property
    def rounded(self) -> Rounded:
        latitude, longitude = (np.round(each, self.decimals) for each in (self.track.latitude, self.track.longitude))
        published = Trajectory(latitude, longitude, self.track.time)
        there = resting(published, self.members) if self.knows else self.longest(published)
        return Rounded(published, there, self.decimals)

    def longest(self, published: Trajectory) -> list[int]:
        """The reports at the place with most time between reports that are near each other."""
        side = np.array([math.cos(math.radians(published.latitude[0])), 1.0]) * 10.0**-self.decimals * DEGREE_M
        spent: dict[tuple[float, float], float] = {}
        at, seconds = list(map(tuple, published.points_m.tolist())), seconds_of(published)
        for k in range(1, len(at)):
            if math.dist(at[k - 1], at[k]) <= math.hypot(*side) + 30:
                for one in (at[k - 1], at[k]):
                    spent[one] = spent.get(one, 0.0) + seconds[k] - seconds[k - 1]
        first = at.index(max(at, key=lambda one: (spent.get(one, 0.0), -at.index(one))))
        if side.max() > 200:
            return [first]
        return resting(published, {k for k, one in enumerate(at) if math.dist(one, at[first]) <= 200})

    @property
    def rounded_off(self) -> float:
        return self.off(self.rounded.latitude, self.rounded.longitude)

    @cached_property
    def moves(self) -> list[float]:
        """How far off the guess is in each of 41 draws of a moved centre, ascending."""
        practice = Practice("zone", self.radius, self.moved)
        return sorted(practised(practice, self.track, knows=self.knows, seed=(self.seed, k)).found_m for k in range(41))

    def reader(self, published: Trajectory) -> tuple[float, float]:
        """How far off a reader of all of the track is, and the share left out."""
        return reader_m(self.track, published), 1 - len(published) / len(self.track)

    @cached_property
    def helped(self) -> dict[str, tuple[float, float, float, float]]:
        """Of each change, by a word of its sentence: the distance, the nearest of nine draws in ten, and what it costs."""
        coarse = ByHand(self.track, f"zone {self.radius}, rounding 2", knows=self.knows)
        sparse = ByHand(self.track, f"zone {self.radius}, thinning {self.sparse}", knows=self.knows)
        wide, fewer = self.left(self.track, self.twice), self.left(self.fewer, self.radius)
        draws = [
            publish(Practice("zone", self.radius, self.moved), self.track, target_of(self.track), (self.seed, k))
            for k in range(41)
        ]
        moved = np.mean([self.reader(one) for one in draws], axis=0).tolist()
        found = {
            "radius": (self.zone(self.track, self.twice)[5], *self.reader(wide)),
            "centre": (self.moves[20], *moved),
            "rounded": (coarse.found_m, *self.reader(coarse.published)),
            "point in": (sparse.found_m, *self.reader(sparse.published)),
        }
        if len(fewer) and self.days > 3:
            found["day in"] = (self.zone(self.fewer, self.radius)[5], *self.reader(fewer))
        return {
            name: (off, self.moves[2] if name == "centre" else off, *costs) for name, (off, *costs) in found.items()
        }

    @property
    def best(self) -> str:
        return max(self.helped, key=lambda name: self.helped[name][1])

    @property
    def days(self) -> int:
        return len({at.item() for at in self.track.time.astype("datetime64[D]")})

    @property
    def sparse_track(self) -> Trajectory:
        kept, last = [], -math.inf  # whole nanoseconds
        for k, at in enumerate(self.track.time.astype("datetime64[ns]").astype(np.int64).tolist()):
            if at - last >= 60 * self.sparse * 1e9:
                kept, last = [*kept, k], at
        return self.track[kept]

    @property
    def fewer(self) -> Trajectory:
        days = self.track.time.astype("datetime64[D]")
        return self.track[[k for k, day in enumerate(days) if sorted(set(days.tolist())).index(day.item()) % 3 == 0]]


def digits(off: float) -> float:
    """A distance as it is written: never nearer than 20 m, with two digits where these do not change the side of 200 m."""
    two = float(f"{off:.2g}")
    return max(two if (two < 200) == (off < 200) else off, 20.0)


def shown(off: float) -> str:
    return "20 m or less" if off <= 20 else metres(digits(off))


def found(truth: Today, values: Any) -> float:
    return digits(truth.now[5] if "zone" in values["what"] else truth.rounded_off)


def looked_area(truth: Today, values: Any) -> float:
    """Of a zone, or of rounded reports, whose grid is coarser on the page: within a twentieth."""
    if values["practice"] == "Privacy zone":
        return truth.now[2] / (1e4 if truth.now[2] < 1e6 else 1e6)
    return truth.rounded.area_m2 / (1e4 if truth.rounded.area_m2 < 1e6 else 1e6)


NUMBERS = Named(
    {
        "zone_radius": "radius",
        "noise_radius": lambda t: 200.0,
        "noise_odds_factor": lambda t: 4.0,
        "rest_reports": lambda t: 1 / (1 - (1 + math.log(4)) / 4),
        "noise_factor": lambda t: 2.0,
        "decimals": "decimals",
        "practice_found": Given(found, near("", 0.02)),
        "voting_ends": lambda t: t.now[0],
        "agreeing_ends": lambda t: t.now[1],
        "looked_area": Given(looked_area, near("", 0.05)),
        "practice_reports": lambda t: t.rounded.reports,
        "equal": lambda t: t.now[3],
        "end_step": lambda t: t.now[4],
        "help_found": Given(lambda t, _: digits(t.helped[t.best][0]), near("", 0.02)),
        "practice_draws": lambda t: 41,
        "nearest_draw": lambda t: digits(t.moves[2]),
        "farthest_draw": lambda t: digits(t.moves[38]),
        "moved": "moved",
        "twice_radius": "twice",
        "sparse_minutes": "sparse",
        "coarse_decimals": lambda t: 2,
        "then_reader": lambda t: t.helped[t.best][2],
        "then_left_out": Given(lambda t, _: t.helped[t.best][3], near("", 0.01)),
        "now_reader": lambda t: t.reader(t.left(t.track, t.radius))[0],
        "now_left_out": lambda t: t.reader(t.left(t.track, t.radius))[1],
        "practice_reader": lambda t: t.reader(t.left(t.track, t.radius))[0],
        "option": Whole(lambda t, _: t.option),
        "now_useful": Whole(lambda t, _: t.useful),
    },
    as_written=["3 decimals", "2 decimals", "nine times of ten"],
)


@pytest.mark.long
@pytest.mark.parametrize("rng", list(generators(81, 16)))
def test_every_number_of_what_is_done_today(rng: np.random.Generator) -> None:
    track = life(rng, outings=int(rng.integers(3, 7)))
    north, east = rng.uniform(-0.005, 0.005, 2)  # anywhere in a cell of rounded coordinates
    track = replace(track, latitude=track.latitude + north, longitude=track.longitude + east)
    asked = {
        "zone_m": float(rng.choice([250.0, 400.0, 600.0])),
        "knows": str(rng.choice(["silences", "nothing"])),
        "rounding": True,
        "decimals": int(rng.choice([2, 3])),
    }
    named = {f"practices__{name}": value for name, value in asked.items()}
    page = page_of(chosen(track="", limits__shown=False, practices__open=True, **named), track)
    truth = Today(track, page.session.choices.practices)
    truth.seed, truth.option = page.outcome.scenario.seed, option_told(page.outcome.scenario)
    truth.useful = useful_answer(page.outcome).value
    with heard() as made:
        blocks = list(Practices().blocks(page.session.choices, page.outcome))
    texts = [("practices", block.text) for block in blocks if isinstance(block, Text)]
    assert NUMBERS.hold(texts, made, truth) == len(texts) > 3
    cards = next(block for block in blocks if isinstance(block, Cards)).cards
    offs = {"Privacy zone": truth.now[5], "Rounding": truth.rounded_off}
    for card, row in zip(cards[1:], page.outcome.found("practices").rows, strict=True):
        assert row.found_m == pytest.approx(offs[card.name], abs=0.5 if card.name == "Rounding" else 0.02)
        assert card.answers[1].value == shown(row.found_m)
    table = next(block for block in blocks if isinstance(block, Table))
    tracks = {
        "As it is": (track, truth.radius),
        f"A radius of {truth.twice:,.0f} m": (track, truth.twice),
        f"A radius of {truth.twice / 1000:.1f} km": (track, truth.twice),
        "One day in three": (truth.fewer, truth.radius),
    }
    rows = {row[0]: row for row in table.rows}
    assert truth.helped.keys() == {word for word in truth.helped for name in rows if word in name}
    for word, (off, _, reader, left_out) in truth.helped.items():
        row = next(row for name, row in rows.items() if word in name)
        assert row[1] == pytest.approx(max(off, 20.0), rel=0.02) and row[3:5] == pytest.approx((reader, left_out))
    assert f"The centre moved by up to {truth.moved:.0f} m" in rows and len(rows) >= 4
    for name, row in rows.items():
        if name in tracks:
            _, _, area, equal, step, off = truth.zone(*tracks[name])
            assert row[2].startswith(shown(off)) and row[5] == pytest.approx(area)
            assert row[6] == ("points too far apart" if step > tracks[name][1] / 2 else f"{equal:,}")


@pytest.mark.long
def test_ends_that_are_cut_off_say_their_votes() -> None:
    track = life(np.random.default_rng(4))
    named = {"practices__zone": False, "practices__ends": True, "practices__knows": "nothing"}
    page = page_of(chosen(track="", limits__shown=False, practices__open=True, **named), track)
    one = page.outcome.found("practices").rows[0]
    again = find_cut_ends(one.published, 300.0)
    latitude, longitude, members = place_of(track)
    guesses = [(again.latitude, again.longitude), place_of(one.published)[:2]]
    off = min(float(distance_m(*guess, latitude, longitude)) for guess in guesses)
    assert one.found_m == pytest.approx(off, abs=0.01) and members


def followed_by_hand(low: Floats, high: Floats, hours: list[int]) -> float:
    """The mean of a place on one axis, whose reports are in cells from `low` to `high`: a forward sum over a grid of places
    and offsets, with every transition."""
    offset = np.arange(-2_000.0, 2_001.0, 40.0)
    place = np.arange(low.min() - 2_000.0, high.max() + 2_000.0, 50.0)
    belief = np.tile(np.exp(-((offset / 500.0) ** 2) / 2), (len(place), 1))
    at = place[:, None] + offset
    for k, hour in enumerate(hours):
        if k and hour > hours[k - 1]:
            kept = (1 - 0.03**2) ** ((hour - hours[k - 1]) / 2)
            sd = 500.0 * math.sqrt(1 - kept**2)
            move = np.exp(-(((offset[None] - kept * offset[:, None]) / sd) ** 2) / 2)
            belief = belief @ (move / move.sum(axis=1, keepdims=True))
        belief = belief * np.clip((at - low[k]) / 64 + 0.5, 0, 1) * np.clip((high[k] - at) / 64 + 0.5, 0, 1)
        belief /= belief.sum()
    return float(place @ belief.sum(axis=1))


def test_approximate_location_and_thinning_are_computed_again() -> None:
    track = life(np.random.default_rng(7), outings=4)
    named = {"zone": False, "approximate": True, "thinning": True, "minutes": 3.0}
    page = page_of(
        chosen(track="", limits__shown=False, practices__open=True, **{f"practices__{k}": v for k, v in named.items()}),
        track,
    )
    cards = next(b for b in Practices().blocks(page.session.choices, page.outcome) if isinstance(b, Cards)).cards
    latitude, longitude, there = place_of(track)
    members = np.isin(np.arange(len(track)), list(there))
    rough, thin = page.outcome.found("practices").rows
    truth = Today(track, page.session.choices.practices)
    truth.sparse = 3.0
    kept = truth.sparse_track
    rest = resting(kept, set(np.flatnonzero(np.isin(kept.time, track.time[members])).tolist()))
    off = float(distance_m(*median_of(kept, rest), latitude, longitude))
    assert thin.found_m == pytest.approx(off, abs=0.01) and cards[2].answers[1].value == shown(off)
    seconds = (track.time - track.time[0]) / np.timedelta64(1, "s")
    told = np.searchsorted(track.time, kept.time)
    way = [np.interp(seconds, seconds[told], track.points_m[told, k]) for k in (0, 1)]
    reader = float(np.hypot(*(np.stack(way, axis=1) - track.points_m).T).mean())
    assert thin.worth.reader == pytest.approx(reader) and cards[2].answers[0].value == metres(reader)

    published, cell = rough.published, 2_000.0 / 111_195.0
    assert np.abs(published.latitude / cell - np.round(published.latitude / cell)).max() < 1e-3
    hours = sorted({int(s // 3_600) for s in seconds[members]})
    reports = []
    for hour in hours:
        own = [k for k in np.flatnonzero(members) if seconds[k] // 3_600 == hour]
        places = [(published.latitude[k], published.longitude[k]) for k in own]
        reports.append(max(sorted(set(places)), key=places.count))
    assert rough.looked.reports == len(hours)
    wide = 111_195.0 * math.cos(math.radians(reports[0][0]))
    y, x = (np.array(axis) - axis[0] for axis in zip(*reports, strict=True))
    guess = [followed_by_hand(axis - 1_000, axis + 1_000, hours) for axis in (x * wide, y * 111_195.0)]
    off = float(distance_m(reports[0][0] + guess[1] / 111_195.0, reports[0][1] + guess[0] / wide, latitude, longitude))
    assert rough.found_m == pytest.approx(off, abs=25) and cards[1].answers[1].value == shown(rough.found_m)
    assert len(rough.draws) == 11 and rough.found_m == rough.draws[5]
    drawn = [
        publish(Practice("approximate"), track, target_of(track), (page.outcome.scenario.seed, k)) for k in range(11)
    ]
    far = [distance_m(one.latitude, one.longitude, track.latitude, track.longitude).mean() for one in drawn]
    assert rough.worth.reader == pytest.approx(np.mean(far), rel=2e-3)
