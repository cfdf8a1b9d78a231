"""The greedy spanner, and planar Laplace remapped, against values, slow oracles and sampling."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind import optimal_mechanism, planar_laplace_channel, spanner
from lmdk_widgets.geoind.planar import cell
from lmdk_widgets.geoind.solver import Solver
from lmdk_widgets.noise import planar_laplace
from tests.geoind.places import distances, grid, slow_epsilon
from tests.sweeps import OTHER

SEED = sum(OTHER, 59)


def slow_paths(n: int, edges, apart) -> np.ndarray:
    paths = np.full((n, n), np.inf)
    np.fill_diagonal(paths, 0)
    for x, y in edges:
        paths[x, y] = paths[y, x] = apart[x, y]
    for k in range(n):
        for x in range(n):
            for y in range(n):
                paths[x, y] = min(paths[x, y], paths[x, k] + paths[k, y])
    return paths


def test_three_by_three() -> None:
    found = spanner(distances(grid(3)), 1.1)
    assert len(found.edges) == 20
    assert found.dilation == pytest.approx((1 + math.sqrt(2)) / math.sqrt(5), rel=1e-14)
    assert found.constraints == 360


def test_collinear_points_need_the_path_alone() -> None:
    apart = distances(np.outer([0, 0.1, 0.3, 0.7, 1.9], [1, 2]))
    found = spanner(apart, 1)
    assert sorted(map(tuple, found.edges.tolist())) == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert found.dilation == pytest.approx(1)


@given(st.integers(0, 2**32 - 1), st.floats(1, 2))
@settings(max_examples=40, deadline=None)
def test_dilation_is_what_is_said(seed: int, allowed: float) -> None:
    rng = np.random.default_rng(seed)
    apart = distances(rng.random((int(rng.integers(2, 9)), 2)))
    found = spanner(apart, allowed)
    paths = slow_paths(len(apart), found.edges, apart)
    off = ~np.eye(len(apart), dtype=bool)
    assert found.path_lengths == pytest.approx(paths, rel=1e-12)
    assert found.dilation == pytest.approx((paths[off] / apart[off]).max(), rel=1e-12)
    assert found.dilation <= allowed * (1 + 1e-9)


def test_a_spanners_bound_is_of_the_epsilon_divided_by_its_dilation() -> None:
    """Nothing as private as epsilon / dilation loses less; something as private as epsilon may."""
    rng, below = np.random.default_rng(SEED), 0
    for _ in range(6):
        points, prior = rng.uniform(0, 4, (7, 2)), rng.dirichlet(np.ones(7))
        apart = np.linalg.norm(points[:, None] - points, axis=2)
        found = optimal_mechanism(apart, prior, 1.0, dilation=1.6)
        asked, divided = (Solver(apart).reference(prior, epsilon).quality_loss for epsilon in (1.0, 1 / found.dilation))
        assert found.bound <= divided + 1e-9 and asked <= found.quality_loss + 1e-9
        assert found.bound == pytest.approx(found.quality_loss, abs=1e-5)
        below += asked < found.bound - 1e-3
    assert below


@pytest.mark.parametrize("bad", [0.99, float("nan"), float("inf"), "wide"])
def test_bad_dilation(bad) -> None:
    with pytest.raises(InputError, match="Dilation must be a finite number, 1 or more; got "):
        spanner([[0, 1], [1, 0]], bad)


def test_half_plane_by_the_line_integral() -> None:
    """Two points: the mass beyond a line at distance h, integrated by brute force over the density."""
    h, eps = 0.7, 1.3
    r = np.linspace(h, 60, 400_001)
    inner = eps**2 / (2 * np.pi) * np.exp(-eps * r) * 2 * np.arccos(h / r) * r
    beyond = float(np.sum((inner[1:] + inner[:-1]) / 2 * np.diff(r)))
    assert planar_laplace_channel([[0, 0], [2 * h, 0]], eps).matrix[0, 1] == pytest.approx(beyond, rel=1e-6)


@pytest.mark.parametrize("seed", [1, 2])
def test_cells_get_the_mass_that_samples_do(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places, many = 3 * rng.random((7, 2)), 200_000
    channel = planar_laplace_channel(places, 1.5)
    for x in (0, 3):
        noisy = planar_laplace(np.tile(places[x], (many, 1)), 1.5, rng)
        nearest = np.hypot(*(noisy[:, None] - places[None]).transpose(2, 0, 1)).argmin(1)
        share = np.bincount(nearest, minlength=7) / many
        assert np.abs(share - channel.matrix[x]).max() < 5 * np.sqrt(0.25 / many)


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1, 20])
@pytest.mark.parametrize("places", [grid(4), grid(1, 5), 100 * np.random.default_rng(3).random((12, 2))])
def test_rows_and_certificate(epsilon: float, places: np.ndarray) -> None:
    channel = planar_laplace_channel(places, epsilon)
    assert channel.error < 1e-11 and channel.clipped < 1e-13
    assert channel.matrix.sum(1) == pytest.approx(np.ones(len(places)), abs=1e-14)
    assert slow_epsilon(channel.matrix, distances(places)) == pytest.approx(channel.epsilon, rel=1e-9)
    assert channel.epsilon <= epsilon


def test_same_place_twice_and_one_place() -> None:
    channel = planar_laplace_channel([[0, 0], [0, 0], [1, 0]], 1)
    assert (channel.matrix[:, 1] < 1e-15).all() and channel.matrix[0] == pytest.approx(channel.matrix[1])
    assert planar_laplace_channel([[3, 4]], 1).matrix.tolist() == [[1.0]]
    with pytest.raises(InputError, match="at least one point in metres"):
        planar_laplace_channel([1, 2], 1)
    with pytest.raises(InputError, match="above 0"):
        planar_laplace_channel([[1, 2]], 0)


def test_a_cell_is_what_is_nearest() -> None:
    rng = np.random.default_rng(8)
    places = rng.random((9, 2))
    corners = cell(places, 4, 3.0) + places[4]
    own = np.hypot(*(corners - places[4]).T)
    others = np.hypot(*(corners[:, None] - places[None]).transpose(2, 0, 1)).min(1)
    assert own == pytest.approx(others, rel=1e-9)
