"""What could be changed about a privacy zone, what each change comes to on these data, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.page.amounts import metres, percent, whole
from lmdk_widgets.page.sentences import Written, listed, sentence
from lmdk_widgets.practice.chosen_practice import RANGES, ROUNDING, THINNING, ZONE, Practice
from lmdk_widgets.practice.over_draws import draw_steps, draws_of
from lmdk_widgets.practice.practised import Practised, target_of
from lmdk_widgets.trajectory.model import Trajectory

_THIRD = 3
"""One day in so many is published, where fewer outings are."""

_SPARSE_MIN, _SPARSE_INTERVALS = 3.0, 3
"""Sparser points are this many minutes or median intervals apart, whichever is more."""

_ROUND = 100.0
"""The grid of offsets that are tried, metres."""

COARSE = 2
"""Decimals to which coarser points are rounded."""

MUCH = 1.25
"""A change helps if the place is found this many times as far off."""

NO_LOSS = 1e-3
"""Reader's errors that differ by less than this share are the same."""


class Helps(NamedTuple):
    """Something that could be done about a zone. change : in words. found : what it comes to. code : of the practice that a
    page can choose instead; "" where it is about which data are published."""

    change: str
    found: Practised
    code: str = ""


class Tried(NamedTuple):
    """A change before it is tried: in words, the practice, the track, and its code."""

    change: str
    practice: Practice
    track: Trajectory
    code: str = ""


def changes_of(practice: Practice, trajectory: Trajectory) -> list[Tried]:
    """What is tried about a zone: a larger radius, a moved centre, fewer days, sparser and coarser points."""
    moved = math.floor(practice.size / 2 / _ROUND) * _ROUND or practice.size / 2
    days = trajectory.time.astype("datetime64[D]")
    which = np.unique(days, return_inverse=True)[1].ravel()
    usual = float(np.median(np.diff(trajectory.time) / np.timedelta64(1, "m"))) if len(trajectory) > 1 else 0.0
    minutes = max(_SPARSE_MIN, math.ceil(_SPARSE_INTERVALS * usual))
    tried = []
    if 2 * practice.size <= RANGES[ZONE][1]:
        wide = practice._replace(size=2 * practice.size)
        said = sentence("a radius of {twice_radius}", twice_radius=metres(wide.size))
        tried.append(Tried(said, wide, trajectory, wide.code))
    if moved > practice.moved_m:
        noisy = practice._replace(moved_m=moved)
        said = sentence("the centre moved by up to {moved}", moved=metres(moved))
        tried.append(Tried(said, noisy, trajectory, noisy.code))
    if which.max(initial=0) >= _THIRD:
        tried.append(Tried("one day in three", practice, trajectory[np.flatnonzero(which % _THIRD == 0)]))
    said = sentence("one point in {sparse_minutes} min", sparse_minutes=Written(f"{minutes:g}", minutes))
    sparse = practice._replace(then=(Practice(THINNING, minutes),))
    if minutes <= RANGES[THINNING][1]:
        tried.append(Tried(said, sparse, trajectory, sparse.code))
    coarse = practice._replace(then=(Practice(ROUNDING, float(COARSE)),))
    said = sentence("points rounded to {coarse_decimals} decimals", coarse_decimals=whole(COARSE))
    tried.append(Tried(said, coarse, trajectory, coarse.code))
    return tried


def draws_of_help(practice: Practice, trajectory: Trajectory) -> int:
    """How many draws `help_steps` takes for all changes."""
    return sum(draws_of(each.practice, len(each.track)) for each in changes_of(practice, trajectory))


def help_steps(practice: Practice, trajectory: Trajectory, *, knows: bool, seed: int) -> Iterator[Helps | None]:
    """The same as `what_helps`, draw by draw: None for a draw after which the change is not done."""
    place = target_of(trajectory)
    for each in changes_of(practice, trajectory):
        asked: dict[str, Any] = {"knows": knows, "seed": seed}
        if each.track is not trajectory:
            at = replace(place, members=np.isin(each.track.time, trajectory.time[place.members]))
            steps = draw_steps(each.practice, each.track, **asked, target=at, whole_track=trajectory)
        else:
            steps = draw_steps(each.practice, trajectory, **asked)
        for found in steps:
            yield None if found is None else Helps(each.change, found, each.code)


def what_helps(practice: Practice, trajectory: Trajectory, *, knows: bool, seed: int) -> Iterator[Helps]:
    """What a zone comes to if something is changed: a larger radius, a moved centre, fewer days, sparser or coarser points.

    Parameters
    ----------
    practice : a zone. trajectory, knows, seed : as for `over_draws`.
    """
    yield from (each for each in help_steps(practice, trajectory, knows=knows, seed=seed) if each is not None)


def best_of(now: Practised, helps: tuple[Helps, ...]) -> Helps | None:
    """The change after which the place is found farthest off, in nine of ten draws; None: none helps much."""
    best = max(helps, key=lambda each: each.found.range_m[0], default=None)
    return None if best is None or not best.found.range_m[0] > MUCH * now.range_m[0] else best


def costs(now: Practised, then: Practised) -> list[str]:
    """What a change makes worse: a reader's error, and how much is left out.

    Examples
    --------
    >>> now = Practised(Practice("zone", 400.0), "your home", None, None, 20.0, None, reader_m=40.0, left_out=0.1)
    >>> costs(now, replace(now, reader_m=60.0))
    ['a reader is off by 60 m instead of 40 m']
    """
    worse: list[str] = []
    if then.reader_m > now.reader_m * (1 + NO_LOSS):
        worse.append(
            sentence(
                "a reader is off by {then_reader} instead of {now_reader}",
                then_reader=metres(then.reader_m),
                now_reader=metres(now.reader_m),
            )
        )
    if then.left_out > now.left_out + NO_LOSS:
        worse.append(
            sentence(
                "{then_left_out} of the points are left out instead of {now_left_out}",
                then_left_out=percent(then.left_out),
                now_left_out=percent(now.left_out),
            )
        )
    return worse


def next_step(now: Practised, helps: tuple[Helps, ...], limit_m: float) -> str:
    """What helps most of what was tried, and what it costs; "" where the zone hides the place already."""
    if now.hides(limit_m) or not helps:
        return ""
    best = best_of(now, helps)
    if best is None:
        return "None of the changes that were tried takes the guess much farther off."
    worse = costs(now, best.found)
    price = sentence("What gets worse: {worse}.", worse=listed(worse)) if worse else "Nothing computed here gets worse."
    if math.isinf(best.found.found_m):
        template = "What helps most of what was tried: {change}. Then the attack computed here finds nothing. {price}"
        return sentence(template, change=best.change, price=price)
    template = "What helps most of what was tried: {change}. Then {your} is found to within {help_found}. {price}"
    if not best.found.hides(limit_m):
        template = "No change that was tried hides {your} well. Best is {change}: found to within {help_found}. {price}"
    near = best.found.near(limit_m, "help_found")
    return sentence(template, change=best.change, your=now.your, help_found=near, price=price)
