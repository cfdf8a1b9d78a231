"""Practices one after another: no promise, and what is found of homes whose place is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lmdk_widgets.geo import distance_m
from lmdk_widgets.practice import ZoneFound
from lmdk_widgets.practice.chosen_practice import practice_of
from lmdk_widgets.practice.practised import Target, practised
from lmdk_widgets.trajectory.model import Trajectory
from tests.practice.made_outings import HOME, life


def a_life(seed: int) -> tuple[Trajectory, Target]:
    """A track and its home, which is anywhere in a cell of rounded coordinates."""
    rng = np.random.default_rng([17, seed])
    track, (north, east) = life(rng, outings=6), rng.uniform(-0.005, 0.005, 2)
    moved = replace(track, latitude=track.latitude + north, longitude=track.longitude + east)
    return moved, Target(HOME[0] + north, HOME[1] + east, np.zeros(len(track), bool), "your home")


@pytest.mark.long
def test_homes_behind_a_zone_and_rounding() -> None:
    """Three decimals after a zone of 400 m help a little, two decimals do; home is mostly where the attacker looks."""
    found: dict[str, list[float]] = {code: [] for code in ("zone 400", "zone 400, rounding 3", "zone 400, rounding 2")}
    inside = []
    for seed in range(16):
        track, home = a_life(seed)
        for code, off in found.items():
            one = practised(practice_of(code), track, knows=True, seed=0, target=home)
            off.append(one.found_m)
            assert isinstance(one.looked, ZoneFound)
            away = distance_m(home.latitude, home.longitude, one.looked.cells[:, 0], one.looked.cells[:, 1])
            inside.append(bool((away <= one.looked.cell_m).any()))
    alone, three, two = (float(np.median(off)) for off in found.values())
    assert alone < 15 < three < 70 and 100 < two < 500
    assert np.mean(inside) >= 0.9
