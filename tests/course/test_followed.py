"""The story of a track that is followed for days: its track, its two ways, and what is found out after each day."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.answers.adversary import haunts
from lmdk_widgets.answers.day_by_day import Evening, day_by_day
from lmdk_widgets.course.followed import (
    DAYS,
    HERS,
    MOST,
    followed_track,
    landmark_way,
    last_words,
    placed,
    plain_way,
    private_moments,
)
from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario import Knowledge, Scenario, evaluate, infer
from lmdk_widgets.trajectory import Trajectory, sample
from tests.inference.inference_oracles import reference

HOUR = np.timedelta64(1, "h")
HOME, WORK = (48.85, 2.30), (48.88, 2.36)
PLT = "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0,0,2,8421376\n0\n"


def week(days: int) -> Trajectory:
    """Working days from a Monday on, an hour at a time: at work from 9 to 17 o'clock, else at home."""
    hour = np.arange(24 * days) % 24
    at_work = (hour >= 9) & (hour < 17)
    latitude, longitude = (np.where(at_work, w, h) for w, h in zip(WORK, HOME, strict=True))
    rng = np.random.default_rng(1)
    shaken = [values + rng.normal(0, 2e-4, len(hour)) for values in (latitude, longitude)]
    return Trajectory(*shaken, np.datetime64("2026-01-26", "ns") + np.arange(24 * days) * HOUR)


def test_each_evening_rests_on_the_releases_until_then_and_no_later_one() -> None:
    track = week(3)
    scenario = Scenario(track="", scheme="event", epsilon=0.05, correlation="moderate", seed=4)
    outcome = evaluate(scenario, track)
    area = infer(outcome, Knowledge(30)).area
    centres, m = (area.squares + 0.5) * area.cell_m, len(area)
    released = track.frame.to_metres(outcome.latitude, outcome.longitude)
    seen = -0.05 / 200 * np.array([[math.dist(place, cell) for cell in centres] for place in released])
    stay = (1 + 0.1) / (1 + 5 * 0.1)
    matrix = np.where(np.eye(m) == 1, stay, (1 - stay) / (m - 1))
    hour = np.arange(len(track)) % 24
    wanted = []
    for day in (1, 2, 3):
        belief = np.exp(reference(np.full(m, 1 / m), matrix, seen[: 24 * day])[0])
        work = np.mean([belief[24 * k + 9 : 24 * k + 17].mean(axis=0) for k in range(day)], axis=0)
        nights = [slice(0, 6), *(slice(24 * k - 2, 24 * k + 6) for k in range(1, day)), slice(24 * day - 2, 24 * day)]
        home = np.mean([belief[night].mean(axis=0) for night in nights], axis=0)
        true = [
            np.median(track.points_m[some], axis=0) for some in ((hour < 6) | (hour > 21), (hour > 8) & (hour < 17))
        ]
        off = [math.dist(centres[share.argmax()], place) for share, place in zip((home, work), true, strict=True)]
        wanted.append((day, *off))
    found = day_by_day(outcome, Knowledge(30))
    assert [evening.days for evening in found] == [1, 2, 3]
    # true places are the medians of a whole cell, which some other hours share
    np.testing.assert_allclose(found, wanted, atol=60)
    assert len({round(evening.home_m) for evening in found}) > 1, "what she names changes with the days"


@pytest.mark.long
@pytest.mark.parametrize("known", [{}, {"start": "days", "moves": "days"}, {"moves": "track"}])
def test_the_last_evening_is_what_the_page_says(known: dict[str, str]) -> None:
    track = sample("commuter")
    outcome = evaluate(Scenario(track="commuter", scheme="event", epsilon=0.2), track)
    found = infer(outcome, Knowledge(**known))
    last = day_by_day(outcome, Knowledge(**known))[-1]
    for haunt, off_m in zip(haunts(track, found), (last.home_m, last.work_m), strict=True):
        assert off_m == pytest.approx(haunt.off_m, abs=found.area.cell_m * math.sqrt(0.5))


def test_private_moments_by_a_loop() -> None:
    track = week(5)
    near = []
    for k, place in enumerate(track.points_m):
        homes = track.frame.to_metres(*(np.array([a, b]) for a, b in zip(HOME, WORK, strict=True)))
        near += [k] * (min(math.dist(place, home) for home in homes) <= 760)
    assert private_moments(track) == tuple(near) == tuple(range(120))
    with pytest.raises(InputError, match="must leave its private places at times; got never"):
        landmark_way(track)


@pytest.mark.long
def test_both_ways_have_the_same_mean_error_and_only_one_finds_home() -> None:
    track = followed_track()
    landmark, error_m = landmark_way(track)
    marks = list(landmark.scenario.landmarks)
    assert not landmark.published[marks].any() and set(landmark.budgets[~np.isin(np.arange(2016), marks)]) == {1.0}
    assert landmark.totals.max() == 1.0 and error_m == pytest.approx(landmark.mean_error_m, rel=0.1)
    same = plain_way(track, error_m=error_m)
    assert same.mean_error_m == pytest.approx(error_m, rel=0.05)
    ways = {"noise": day_by_day(same, HERS), "landmarks": day_by_day(landmark, HERS)}
    which, off = placed(ways)
    assert which == "home" and off["noise"][-1] < infer(landmark, HERS).area.cell_m < 1000 < min(off["landmarks"])


def test_a_folder_of_geolife_files_is_one_thinned_track(tmp_path: Path) -> None:
    for day in range(1, 18):
        rows = "\n".join(
            f"39.9{day:02},116.3{k % 10},0,492,0,2008-10-{day:02},{k // 3600:02}:{k // 60 % 60:02}:{k % 60:02}"
            for k in range(0, 80_000, 40)
        )
        (tmp_path / f"user {day % 2}").mkdir(exist_ok=True)
        (tmp_path / f"user {day % 2}" / f"{day}.plt").write_text(f"{PLT}{rows}\n")
    track = followed_track(str(tmp_path), "Asia/Shanghai")
    days = np.unique(track.time.astype("datetime64[D]"))
    assert len(days) == DAYS and MOST / 6 < len(track) <= MOST and track.zone == "Asia/Shanghai"
    gaps = np.diff(track.time) / np.timedelta64(60, "s")
    assert gaps.min() > 5 and np.median(gaps) == 10
    one = followed_track(str(tmp_path / "user 1" / "1.plt"))
    assert len(one) == len(np.unique(np.arange(0, 80_000, 40) // 60)) and one.zone == ""
    with pytest.raises(InputError, match="must contain Geolife files; got none that ends in .plt"):
        (tmp_path / "empty").mkdir()
        followed_track(str(tmp_path / "empty"))


def test_sentences_where_a_night_or_everything_is_missing() -> None:
    nothing = (Evening(1, math.nan, math.nan),)
    assert (
        last_words("noise", nothing) == "After one day of noise the attacker has seen no night and no working day yet."
    )
    work = (Evening(1, math.nan, 40.0),)
    assert last_words("noise", work) == "After one day of noise the attacker places work 40 m from the truth."
    assert placed({"a": work}) == ("work", {"a": [40.0]})
