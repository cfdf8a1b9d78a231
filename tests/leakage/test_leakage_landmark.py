"""The landmark loss against its definition, and the three ways it is computed against each other."""

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import LossFunction, landmark_loss, temporal_loss
from lmdk_widgets.leakage import starts as starts_module
from lmdk_widgets.leakage.markov import smoothed_identity
from lmdk_widgets.leakage.recursion import run

from .oracles import CYCLE, EQUAL_ROWS, A, C, M, literal_landmark_loss, normalised, random_matrix

BOB = [0, 2, 4, 7]
ZEROS = normalised(np.array([[0.6, 0.3, 0.1, 0], [0.2, 0.5, 0, 0.3], [0.3, 0.3, 0.4, 0], [0.01, 0.1, 0.2, 0.7]]))


def _literal(p_backward, p_forward, eps, landmarks):
    carry = [
        (lambda a: 0.0) if p is None else p if isinstance(p, LossFunction) else LossFunction(p)
        for p in (p_backward, p_forward)
    ]
    return literal_landmark_loss(*carry, list(eps), landmarks)


def test_bob():
    loss = landmark_loss(C, C, [0.2] * 8, BOB)
    assert loss[BOB] == pytest.approx(1.6605889385, abs=1e-9)
    assert loss[[1, 3]] == pytest.approx(1.6210999970, abs=1e-9)
    assert loss[[5, 6]] == pytest.approx(1.7184668244, abs=1e-9)


def test_the_definition_on_random_cases():
    rng = np.random.default_rng(0)
    for _ in range(150):
        p_backward, p_forward = (random_matrix(rng, 3) if rng.random() < 0.9 else None for _ in range(2))
        n = int(rng.integers(1, 14))
        eps = rng.random(n) * 10 ** rng.uniform(-3, 0.7) * (rng.random(n) < 0.8)
        landmarks = np.flatnonzero(rng.random(n) < rng.random())
        expected = _literal(p_backward, p_forward, eps, landmarks)
        found = landmark_loss(p_backward, p_forward, eps, landmarks)
        if len(landmarks) or eps.all():
            assert found == pytest.approx(expected, rel=1e-11, abs=1e-15)
        else:  # the total loss, which merges silent timestamps
            assert (found == temporal_loss(p_backward, p_forward, eps).total).all()
            assert (found <= expected + 1e-12).all()


CHAINS = {
    "one vertex, unbounded": A,
    "one vertex, forgets": C,
    "one vertex, remembers": smoothed_identity(5, 1e-4),
    "several vertices": M,
    "several vertices, unbounded": ZEROS,
    "twenty vertices, remembers": normalised(np.random.default_rng(1).dirichlet(np.full(20, 0.05), 20) + 1e-4),
    "identity": CYCLE,
    "equal rows": EQUAL_ROWS,
}


@pytest.mark.parametrize("scale", [0.02, 0.5, 1.5, 4.0])
@pytest.mark.parametrize("name", CHAINS)
def test_long_windows_in_every_regime(name, scale):
    rng = np.random.default_rng(2)
    loss, n = LossFunction(CHAINS[name]), 700
    eps = rng.random(n) * scale
    for landmarks in ([n - 1], [3, 650], rng.choice(n, 30, replace=False)):
        found = landmark_loss(loss, loss, eps, landmarks)
        for t in (0, 1, 4, 333, 600, 649, n - 2):
            members = sorted({*map(int, landmarks), t})
            edges, expected = [-1, *members, n], 0.0
            for before, i, after in zip(edges, members, edges[2:], strict=False):
                window = temporal_loss(loss, None, eps[before + 1 : i + 1]).backward[-1]
                expected += window + temporal_loss(None, loss, eps[i:after]).forward[0] - eps[i]
            assert found[t] == pytest.approx(expected, rel=1e-12)


@pytest.mark.long
def test_every_start_by_maps_is_every_start_by_position():
    rng = np.random.default_rng(3)
    for p in CHAINS.values():
        loss = LossFunction(p)
        if loss.is_identity or loss.is_zero:
            continue
        rare, large = rng.random(300) < 0.02, np.full(300, 680.0)  # the largest that maps are taken for, nearly
        for eps in (rng.random(300) * 0.3, np.full(300, 0.05), rng.random(300) * 4, rare, large):
            eps = eps.astype(float)
            end = np.full(300, 299)
            longest = run(eps, loss)
            slow = starts_module._by_position(eps, loss)
            assert starts_module._by_maps(eps, loss, end, longest) == pytest.approx(slow, rel=1e-12, abs=1e-300)
            fast = starts_module.from_every_start(eps, loss, np.array([299]), longest)
            assert fast == pytest.approx(slow, rel=1e-12, abs=1e-300)


def test_limits():
    rng = np.random.default_rng(4)
    n, eps = 40, rng.random(40)
    landmarks = [3, 17, 30]
    assert landmark_loss(A, M, eps, range(n)) == pytest.approx(np.full(n, eps.sum()), rel=1e-14)
    assert landmark_loss(A, M, eps, []) == pytest.approx(temporal_loss(A, M, eps).total, rel=1e-14)
    for none in (None, EQUAL_ROWS):
        at = np.isin(np.arange(n), landmarks)
        expected = eps[landmarks].sum() + np.where(at, 0, eps)
        assert landmark_loss(none, none, eps, landmarks) == pytest.approx(expected, rel=1e-14)
    # perfect correlation: every timestamp counts wherever it stands, those beside two members of S twice
    assert (landmark_loss(np.eye(2), np.eye(2), eps, landmarks) >= eps.sum() - 1e-12).all()


def test_order_and_repetition_of_landmarks_do_not_matter():
    eps = np.linspace(0.1, 0.5, 8)
    assert (landmark_loss(A, C, eps, [7, 0, 2, 4, 2]) == landmark_loss(A, C, eps, BOB)).all()


def test_mirrored_in_time():
    rng = np.random.default_rng(5)
    eps, landmarks = rng.random(50), np.array([4, 5, 30])
    mirrored = landmark_loss(M, A, eps[::-1], 49 - landmarks)[::-1]
    assert landmark_loss(A, M, eps, landmarks) == pytest.approx(mirrored, rel=1e-13)


def test_a_chain_that_changes_with_time_and_absurd_budgets():
    rng = np.random.default_rng(6)
    for scale in (0.3, 400.0):
        n, eps = 25, rng.random(25) * scale
        chain = [LossFunction(random_matrix(rng, 3)) for _ in range(n - 1)]
        landmarks = [6, 20]
        same = landmark_loss([LossFunction(M)] * (n - 1), [LossFunction(M)] * (n - 1), eps, landmarks)
        assert same == pytest.approx(_literal(M, M, eps, landmarks), rel=1e-12)
        found = landmark_loss(chain, chain, eps, landmarks)
        for t in (0, 3, 10, 24):
            members = sorted({*landmarks, t})
            edges, expected = [-1, *members, n], 0.0
            for before, i, after in zip(edges, members, edges[2:], strict=False):
                expected += temporal_loss(chain[before + 1 : i], None, eps[before + 1 : i + 1]).backward[-1]
                expected += temporal_loss(None, chain[i : after - 1], eps[i:after]).forward[0] - eps[i]
            assert found[t] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("landmarks", [[-1], [8], [1.5], ["a"]])
def test_what_is_no_timestamp_is_refused(landmarks):
    with pytest.raises(InputError, match="Landmarks must be .*indices between 0 and 7; got"):
        landmark_loss(A, A, [0.1] * 8, landmarks)
