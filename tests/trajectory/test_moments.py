"""Moments of a series that are proposed as landmarks, found again one value at a time."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.stays import proposed
from lmdk_widgets.trajectory import Series, sample, sample_series
from lmdk_widgets.trajectory.moments import find_moments
from tests.sweeps import generators

START = np.datetime64("2026-03-28T20:00", "ns")
ZONE = "Europe/Paris"


def series_of(rng: np.random.Generator) -> Series:
    time = START + rng.integers(10, 400, n := int(rng.integers(1, 40))).cumsum() * np.timedelta64(60, "s")
    if rng.random() < 0.3:
        return Series(time, values=rng.integers(0, 2, n), kind="answers", zone=ZONE)
    return Series(time, values=rng.integers(0, int(rng.choice([1, 4, 1000])), n), zone=ZONE)


def runs(among: list[bool]) -> list[list[int]]:
    found: list[list[int]] = []
    for i, is_among in enumerate(among):
        if is_among and i and among[i - 1]:
            found[-1].append(i)
        elif is_among:
            found.append([i])
    return found


def outermost(values: list[float], share: float) -> list[bool]:
    least = sorted(values, reverse=True)[max(1, int(share * len(values))) - 1]
    return [value >= least and value > min(values) for value in values]


def expected(series: Series, by: str, share: float, at_least_s: float) -> list[list[int]]:
    """The timestamps of each moment."""
    values, n = series.values.tolist(), len(series)
    if by == "ends":
        seconds = series.time.astype("datetime64[s]").astype(int).tolist()
        days = [str(datetime.fromtimestamp(second, ZoneInfo(ZONE)))[:10] for second in seconds]
        return [[i] for i in range(n) if i in (0, n - 1) or days[i] != days[i - 1] or days[i] != days[i + 1]]
    if by == "changes":
        steps = [0.0] + [abs(b - a) for a, b in pairwise(values)]
        many = [step > 0 for step in steps] if series.is_answers else outermost(steps, share)
        return [[i] for i in range(n) if many[i]]
    sign = 1 if by == "peaks" else -1
    wanted = 1 if by == "peaks" else 0
    both = len(set(values)) == 2
    many = [both and v == wanted for v in values] if series.is_answers else outermost([sign * v for v in values], share)
    lasts = 0 if by == "peaks" else at_least_s
    return [run for run in runs(many) if (series.time[run[-1]] - series.time[run[0]]) / np.timedelta64(1, "s") >= lasts]


@pytest.mark.parametrize("by", ["peaks", "changes", "ends", "absences"])
def test_every_moment_is_found_again(by: str) -> None:
    for rng in generators(40, 100):
        series, share, lasts = series_of(rng), float(rng.uniform(0.01, 0.5)), float(rng.choice([60, 7200, 40_000]))
        found = find_moments(series, by, share=share, at_least_s=lasts)
        wanted = expected(series, by, share, lasts)
        assert [list(range(m.first, m.last + 1)) for m in found] == wanted
        for moment, run in zip(found, wanted, strict=True):
            assert moment.timestamp in run
            if by == "peaks":
                assert series.values[moment.timestamp] == max(series.values[run])


def test_the_ends_of_the_days_of_a_track() -> None:
    track = sample("commuter")
    days = [str(time) for time in (track.time + np.timedelta64(1, "h")).astype("datetime64[D]")]
    assert [m.timestamp for m in find_moments(track, "ends")] == [
        i for i in range(len(track)) if days[i] not in days[:i] or days[i] not in days[i + 1 :]
    ]


def test_what_cannot_be_looked_for_is_refused() -> None:
    for by, options in (
        ("highs", {}),
        ("peaks", {"share": 0.0}),
        ("peaks", {"share": 0.6}),
        ("absences", {"at_least_s": 0}),
    ):
        with pytest.raises(InputError):
            find_moments(sample_series("household"), by, **options)
    with pytest.raises(InputError, match="need a series of values"):
        find_moments(sample("bob"), "peaks")


def test_the_page_proposes_them() -> None:
    session = TrackSession()

    def put(name: str, value: object) -> dict[str, object]:
        return {"op": "set", "name": name, "value": value}

    session.apply([put("track", "household")], commit=True)
    assert session.choices.stays.by == "peaks"
    for by, noun in (("peaks", "peak"), ("changes", "change"), ("absences", "absence"), ("ends", "day")):
        session.apply([put("stays.open", True), put("stays.by", by), put("stays.share_percent", 25.0)], commit=True)
        moments = find_moments(sample_series("household"), by, share=0.25, at_least_s=1200.0)
        said = proposed(session.choices, session.outcome)
        free = {moment.timestamp for moment in moments} - set(session.choices.scenario.landmarks)
        assert said.timestamps == sorted(free) and noun in said.text
    session.apply([put("stays.by", "changes")], commit=True)
    session.apply([put("track", "bob")], commit=True)
    assert session.choices.stays.by == "stays"
