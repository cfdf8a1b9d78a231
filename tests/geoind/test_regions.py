"""Regions of any shape: the nearest representative by a loop, and what a mechanism on them promises for places in them."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind import optimal_mechanism, regions
from tests.sweeps import generators


def test_points_are_in_the_region_of_the_nearest_representative() -> None:
    for rng in generators(594_3, 48):
        points, centres = rng.uniform(-1e3, 1e3, (30, 2)), rng.uniform(-1e3, 1e3, (int(rng.integers(1, 9)), 2))
        found = regions(points, centres)
        for point, of, off in zip(points, found.of, found.off_m, strict=True):
            apart = [hypot(*(point - centre)) for centre in centres]
            assert apart[of] == pytest.approx(min(apart)) and off == pytest.approx(min(apart))
        assert found.prior.tolist() == [float((found.of == k).mean()) for k in range(len(centres))]
        for k, centre in enumerate(centres):
            assert found.distances[k] == pytest.approx([hypot(*(centre - other)) for other in centres])


def test_a_mechanism_on_regions_keeps_what_the_docstring_says() -> None:
    """Log odds of two places are at most epsilon times the distance of their representatives, so of a path through them."""
    rng, epsilon = np.random.default_rng(594), 1 / 400
    centres = np.array([[0, 0], [900, 100], [400, 700], [1500, 900], [200, 1600]], float)
    points = rng.uniform(-200, 1800, (60, 2))
    found = regions(points, centres)
    made = optimal_mechanism(found.distances, np.full(5, 0.2), epsilon)
    logs = np.log(made.matrix[found.of])
    odds = np.nanmax(np.abs(np.nan_to_num(logs[:, None] - logs, nan=0.0)), axis=2)
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    path = apart + found.off_m[:, None] + found.off_m
    assert (odds <= found.most_told(epsilon) + 1e-6).all() and (odds <= epsilon * path + 1e-6).all()
    assert (odds > epsilon * apart + 0.1).any(), (
        "near places on both sides of a border are told apart better than by distance"
    )
    assert (odds[found.of[:, None] == found.of] == 0).all()


@pytest.mark.parametrize(
    ("points", "centres", "words"),
    [
        ([[0, 0]], [[1, 1], [1, 1]], "all different; got a place twice"),
        ([0, 0], [[1, 1]], "Points_m must be of shape"),
        ([[0, 0]], [[1, 1, 1]], "Representatives_m must be of shape"),
        ([[np.nan, 0]], [[1, 1]], "Points_m must"),
    ],
)
def test_bad_input_is_told(points, centres, words) -> None:
    with pytest.raises(InputError, match=words):
        regions(points, centres)
