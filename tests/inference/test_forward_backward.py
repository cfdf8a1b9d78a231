"""Plain numbers forward and backward, of several releases at once: the same as logarithms, and as alone to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.inference import Moves, track, track_posterior
from lmdk_widgets.inference.forward_backward import beliefs, product
from lmdk_widgets.inference.moves import moves_of
from lmdk_widgets.inference.track import many_beliefs


@pytest.mark.parametrize("m", [1, 2, 3, 6, 9])
def test_a_product_is_that_of_matrices(m: int) -> None:
    rng = np.random.default_rng(m)
    rows, matrix = rng.normal(size=(4, m)), rng.normal(size=(m, m))
    for each in (matrix, matrix + matrix[::-1, ::-1]):
        assert np.allclose(product(each)(rows), rows @ each, rtol=1e-12)


def test_moves_as_likely_back_as_forth_are_carried_together() -> None:
    m, rng = 6, np.random.default_rng(3)
    alike = [Moves.sticky(m, 0.1), moves_of(np.eye(m) / 2 + 0.5 / m), Moves([0, 1], [1, 0], [0.5, 0.5], 0.5, 2)]
    assert all(moves.symmetric for moves in alike)
    assert not any(moves_of(chain).symmetric for chain in chains(m)[1:])
    push = alike[0].forward()
    calls = []

    def carry(rows: np.ndarray) -> np.ndarray:
        calls.append(len(rows))
        return push.sums(rows)

    weights, steps = rng.random((5, 2, m)), 4
    together = beliefs([carry] * steps, [carry] * steps, weights)
    apart = beliefs([carry] * steps, [push.sums] * steps, weights)
    assert calls == [4] * steps + [2] * steps and np.allclose(together, apart, rtol=1e-12)


def chains(m: int) -> list[np.ndarray | Moves]:
    rng = np.random.default_rng(m)
    dense, none = rng.dirichlet(np.ones(m), m), np.eye(m) / 2
    none[np.arange(m), np.arange(1, m + 1) % m] += 0.5
    return [Moves.sticky(m, 0.1), Moves.estimated(rng.integers(m, size=60), m, smoothing=0.01), dense, none]


@pytest.mark.parametrize("k", range(4))
@pytest.mark.parametrize("look", ["smoothed", "filtered", "predicted"])
def test_several_at_once_are_each_alone(k: int, look: str) -> None:
    rng, m = np.random.default_rng(k), 5
    chain, prior, seen = (
        chains(m)[k],
        rng.dirichlet(np.ones(m)),
        rng.normal(size=(3, 30, m)) * [[[1]], [[30]], [[3000]]],
    )
    if k == 3:
        seen /= 100
    found = many_beliefs(prior, chain, seen, look)
    for one, each in zip(found, seen, strict=True):
        assert np.allclose(one, getattr(track_posterior(prior, chain, each), look), atol=1e-12)
        assert (many_beliefs(prior, chain, each[None], look)[0] == one).all(), "to the last bit"


@pytest.mark.parametrize("size", [1.0, 50.0, 5000.0])
def test_plain_numbers_are_the_logarithms(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, prior = np.random.default_rng(7), np.array([0.0, 0.2, 0.8, 0.0, 0.0])
    seen = rng.normal(size=(40, 5)) * size
    for chain in chains(5)[:3]:
        quick = track_posterior(prior, chain, seen)
        with monkeypatch.context() as patch:
            patch.setattr(track, "LEAST", 2.0)
            slow = track_posterior(prior, chain, seen)
        assert quick.log_likelihood == pytest.approx(slow.log_likelihood, rel=1e-12)
        for name in ("log_smoothed", "log_filtered", "log_predicted", "log_alone", "log_marginal"):
            assert np.allclose(getattr(quick, name), getattr(slow, name), atol=1e-9 * size)
    seen[3, :], seen[0, 1:3] = 0.0, -np.inf
    for function in (track_posterior, lambda *given: many_beliefs(*given[:2], given[2][None], "smoothed")):
        with pytest.raises(InputError, match="timestamp 0 must be possible"):
            function(prior, chain, seen)
