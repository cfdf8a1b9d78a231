"""The reader of a release, against enumeration, the engine for any chain, and values by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.inference import reader_estimates, track_posterior
from lmdk_widgets.inference.forward_backward import product
from lmdk_widgets.inference.reader import (
    PublicWay,
    blocks,
    chance_of_leaving,
    clipped_median,
    follow,
    least_expected,
    length_of_moves,
    relative,
    rounded_gaps,
)


def apart(points: np.ndarray) -> np.ndarray:
    return np.hypot(*(points[:, None] - points).transpose(2, 0, 1))


def test_estimates_by_hand() -> None:
    line = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    seen = np.log([[0.4, 0.2, 0.4], [0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
    found = reader_estimates(seen, line)
    assert found.tolist() == [1, 0, 2] and found.dtype == np.int64
    assert reader_estimates(seen + [[5.0], [-900.0], [1e6]], line).tolist() == [1, 0, 2]
    assert reader_estimates(np.zeros((1, 3)), line, [0.1, 0.2, 0.7]).tolist() == [2]


def test_ties_go_to_the_lowest_state_in_spite_of_rounding() -> None:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * 0.1
    ring = np.stack([np.cos(np.arange(7) * 2 * np.pi / 7), np.sin(np.arange(7) * 2 * np.pi / 7)], axis=1)
    for points in (square, ring):
        assert reader_estimates(np.zeros((3, len(points))), apart(points)).tolist() == [0, 0, 0]
    nearly = np.array([[0, 1 - 1e-15], [1, 0]])
    assert reader_estimates(np.zeros((1, 2)), nearly).tolist() == [0]


@pytest.mark.parametrize("seed", range(5))
def test_estimates_are_the_least_expected_distance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, seen, prior = rng.normal(size=(6, 2)), rng.normal(size=(9, 6)) * 3, rng.dirichlet(np.ones(6))
    for t, guess in enumerate(reader_estimates(seen, apart(points), prior)):
        weights = [prior[x] * np.exp(seen[t, x]) for x in range(6)]
        losses = [sum(w * np.hypot(*(points[x] - points[c])) for x, w in enumerate(weights)) for c in range(6)]
        assert guess == int(np.argmin(losses))


def test_estimates_refuse() -> None:
    with pytest.raises(InputError, match="possible in some state"):
        reader_estimates([[0.0, 0.0], [-np.inf, -np.inf]], np.zeros((2, 2)))
    with pytest.raises(InputError):
        reader_estimates([[np.inf, 0.0]], np.zeros((2, 2)))
    with pytest.raises(InputError):
        reader_estimates([0.0, 0.0], np.zeros((2, 2)))
    with pytest.raises(InputError):
        reader_estimates([[0.0, 0.0]], np.zeros((3, 3)))


def steps_of(rng: np.random.Generator, k: int, anywhere: float) -> list:
    far = apart(rng.normal(size=(4, 2)))
    return [(PublicWay.nearby(far, rng.uniform(0.3, 2), anywhere=anywhere), rng.uniform(0.05, 1)) for _ in range(k)]


@pytest.mark.parametrize("seed", range(4))
def test_the_way_is_a_symmetric_chain(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for way, leave in steps_of(rng, 3, 0.001):
        matrix = way.matrix(leave)
        assert np.allclose(matrix, matrix.T) and np.allclose(matrix.sum(axis=1), 1) and matrix.min() >= 0
        # q K over the largest row sum, the rest stays, .001 anywhere
        kernel = way.kernel * 7.0
        own = leave * kernel / kernel.sum(axis=1).max()
        own[np.diag_indices(4)] = 1 - own.sum(axis=1)
        assert np.allclose(matrix, 0.999 * own + 0.001 / 4)
        belief = rng.dirichlet(np.ones(4))
        assert np.allclose(way.carried(belief[None], leave), belief @ matrix)


def followed(logs: np.ndarray, steps: list) -> np.ndarray:
    """The belief of a reader of one release, (k, m)."""
    return follow(relative(np.array(logs))[:, None], steps)[:, 0]


@pytest.mark.parametrize("seed", range(4))
def test_following_is_the_sum_over_all_tracks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    seen, steps = rng.normal(size=(5, 4)) * 2, steps_of(rng, 4, 0.001 if seed % 2 else 0.0)
    found = np.zeros((5, 4))
    for track in itertools.product(range(4), repeat=5):
        chance = np.exp(sum(seen[t, x] for t, x in enumerate(track)))
        for (way, leave), x, y in zip(steps, track, track[1:], strict=False):
            chance *= way.matrix(leave)[x, y]
        for t, x in enumerate(track):
            found[t, x] += chance
    assert np.allclose(followed(seen, steps), found / found.sum(axis=1, keepdims=True), rtol=1e-10)


def test_following_is_the_engine_for_any_chain_whatever_the_budget() -> None:
    rng = np.random.default_rng(3)
    way = PublicWay.nearby(apart(rng.normal(size=(12, 2))), 1.0)
    for size in (1e-3, 1.0, 1e4):
        seen = rng.normal(size=(40, 12)) * size
        found = track_posterior(np.full(12, 1 / 12), way.matrix(0.3), seen).smoothed
        assert np.allclose(followed(seen, [(way, 0.3)] * 39), found, atol=1e-12)
    with pytest.raises(InputError, match="Steps"):
        followed(seen, [(way, 0.3)] * 40)


def test_the_public_way_by_hand() -> None:
    assert chance_of_leaving(900, 500) == pytest.approx(1 - np.exp(-1)) and chance_of_leaving(0, 500) == 0
    assert [length_of_moves(gap, 500) for gap in (60, 300, 7200)] == [500, 1500, 2000]
    assert length_of_moves(7200, 5000) == 5000
    seconds = np.array([0, 60, 120, 200, 230, 4000, 4000], "datetime64[s]").astype("datetime64[ns]")
    assert rounded_gaps(seconds).tolist() == [60, 60, 60, 30, 3840, 0]  # median of 60 60 80 30 3770 0
    assert rounded_gaps(seconds[:1]).tolist() == []
    assert [len(blocks(n)) for n in (1, 300, 301, 2016, 10_000)] == [1, 300, 151, 288, 295]


def test_the_median_between_bounds_is_that_of_the_posterior() -> None:
    rng = np.random.default_rng(1)
    reports, scales = rng.uniform(-10, 16, 60), np.exp(rng.uniform(-3, 5, 60))
    found = clipped_median(reports, scales, 0.0, 6.0)
    fine = (np.arange(600_000) + 0.5) * 1e-5
    for report, scale, median in zip(reports, scales, found, strict=True):
        weights = np.exp(-(np.abs(report - fine) - np.abs(report - fine).min()) / scale)
        below = weights[fine < median].sum() / weights.sum()
        assert below == pytest.approx(0.5, abs=2e-3) or abs(median - report) < 1e-3
    assert clipped_median(np.array([9.0]), np.array([np.inf]), 0.0, 6.0) == pytest.approx(3.0)


def test_least_expected() -> None:
    rng = np.random.default_rng(2)
    belief, far = rng.dirichlet(np.ones(5), 7), apart(rng.normal(size=(5, 2)))
    guess, off = least_expected(belief, product(far))
    assert np.allclose(off, (belief @ far).min(axis=1)) and (guess == (belief @ far).argmin(axis=1)).all()
