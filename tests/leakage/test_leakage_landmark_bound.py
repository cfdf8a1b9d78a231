"""The bound by bridges against every possible output of randomised response, and against the recursion written out."""

import itertools

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import LossFunction, landmark_loss, landmark_loss_bound, temporal_loss
from lmdk_widgets.leakage.markov import reverse, smoothed_identity, stationary
from tests.sweeps import size

from .oracles import CYCLE, EQUAL_ROWS, A, C, M, brute_force, random_matrix

BOB = [0, 2, 4, 7]
STICKY = np.array([[0.999, 0.001], [0.985, 0.015]])


def _bit(m, subset, epsilon):
    """A mechanism that is asked "is the state in the subset" and tells the truth with odds e^epsilon: (2, m)."""
    yes = np.isin(np.arange(m), subset)
    keep = np.exp(epsilon) / (1 + np.exp(epsilon))
    chance = np.where(yes, keep, 1 - keep)
    return np.stack((chance, 1 - chance))


def largest_leak(p, eps, members, rng, tries=60, start=None):
    """The largest log-ratio, over pairs of states at `members`, of any output of any of these mechanisms.

    Summed over all paths. Each mechanism of a timestamp is a question about a random subset of the states.
    """
    m, n = len(p), len(eps)
    paths = np.array(list(itertools.product(range(m), repeat=n)))
    chance = (stationary(p) if start is None else start)[paths[:, 0]]
    for t in range(n - 1):
        chance = chance * p[paths[:, t], paths[:, t + 1]]
    code = np.zeros(len(paths), int)
    for i in members:
        code = code * m + paths[:, i]
    weight = np.bincount(code, chance, m ** len(members))
    possible = weight > 1e-300
    subsets = [s for k in range(1, m) for s in itertools.combinations(range(m), k)]
    worst = 0.0
    for _ in range(tries):
        likelihood = chance.copy()  # of one output; by symmetry of the questions it stands for all of them
        for t in range(n):
            likelihood *= _bit(m, subsets[rng.integers(len(subsets))], eps[t])[0][paths[:, t]]
        given = np.bincount(code, likelihood, m ** len(members))[possible] / weight[possible]
        worst = max(worst, float(np.log(given.max() / given.min())))
    return worst


def test_exact_values():
    assert landmark_loss_bound(STICKY, [0, 1, 0], [0, 2])[0] == pytest.approx(0.5043274263, abs=1e-9)
    assert landmark_loss(reverse(STICKY), STICKY, [0, 1, 0], [0, 2])[0] == pytest.approx(0.0474617280, abs=1e-9)
    assert landmark_loss_bound(C, [0.2] * 8, BOB)[BOB] == pytest.approx(1.4982087905, abs=1e-9)


def test_a_mechanism_that_the_count_misses_is_bounded():
    leak = largest_leak(STICKY, [0.0, 1.0, 0.0], [0, 2], np.random.default_rng(0))
    assert leak == pytest.approx(0.2755716166, abs=1e-9)
    assert landmark_loss(reverse(STICKY), STICKY, [0, 1, 0], [0, 2])[0] < leak
    assert leak < landmark_loss_bound(STICKY, [0, 1, 0], [0, 2])[0]


def _chain(rng, m):
    p = random_matrix(rng, m)
    if rng.random() < 0.3:  # some moves impossible
        p = p * (rng.random((m, m)) < 0.6)
        p[p.sum(axis=1) == 0, rng.integers(m)] = 1
        p /= p.sum(axis=1, keepdims=True)
    return p


@pytest.mark.long
def test_never_passed_and_sometimes_reached():
    rng, reached = np.random.default_rng(1), 0
    for _ in range(size(200)):
        m, n = int(rng.integers(2, 4)), int(rng.integers(1, 6))
        p = _chain(rng, m)
        eps = rng.random(n) * 10 ** rng.uniform(-1.5, 0.7) * (rng.random(n) < 0.8)
        landmarks = np.flatnonzero(rng.random(n) < 0.5).tolist()
        bound = landmark_loss_bound(p, eps, landmarks)
        for t in range(n):
            leak = largest_leak(p, eps, sorted({*landmarks, t}), rng, tries=30)
            assert leak <= bound[t] * (1 + 1e-9) + 1e-12
            reached += 0 < bound[t] <= leak * (1 + 1e-9)
    assert reached >= size(200) // 10


def written_out(p, eps, landmarks, t):
    """The bound as its docstring words it, one gap, one end and one timestamp at a time, maxima over all subsets."""
    states = np.flatnonzero(stationary(p) > 0)
    p = p[np.ix_(states, states)]
    m, members = len(p), sorted({*landmarks, t})
    if m == 1:
        return sum(eps[i] for i in members)

    def carried(rows, value):
        return brute_force(rows, [value])[0]

    def edge(matrix, window):
        value, moves = None, 0  # of the last report, and how many moves ago it was
        for epsilon in window:
            moves += 1
            if epsilon > 0:
                before = 0 if value is None else carried(np.linalg.matrix_power(matrix, moves), value)
                value, moves = epsilon + before, 0
        return 0.0 if value is None else carried(np.linalg.matrix_power(matrix, moves + 1), value)

    def changed(q, window):
        """Window from the known end outwards."""
        worst = 0.0
        for b in range(m):
            value = None
            for r, epsilon in enumerate(window, start=1):
                rows = _bridge(q, r - 1, b) if value is not None else None
                value = epsilon + (0 if value is None else carried(rows, value))
            worst = max(worst, carried(_bridge(q, len(window), b), value)) if value is not None else worst
        return worst

    total = sum(eps[i] for i in members)
    total += edge(reverse(p), eps[: members[0]]) + edge(p, eps[members[-1] + 1 :][::-1])
    for i, j in itertools.pairwise(members):
        window = eps[i + 1 : j]
        reach = np.linalg.matrix_power(p, j - i) > 0
        shared = all(
            reach[c, b] or reach[a, d] for (a, b), (c, d) in itertools.product(np.argwhere(reach).tolist(), repeat=2)
        )
        cost = changed(p, window[::-1]) + changed(p.T, window)
        total += min(sum(window), cost) if shared else sum(window)
    return total


def _bridge(q, r, b):
    """Rows of the bridge to b, r + 1 timestamps before it; a state that cannot get there adds nothing."""
    rows = q * np.linalg.matrix_power(q, r)[:, b]
    possible = rows.sum(axis=1) > 0
    rows[~possible] = rows[possible][0]
    return rows / rows.sum(axis=1, keepdims=True)


@pytest.mark.long
def test_the_recursion_written_out():
    rng = np.random.default_rng(2)
    for _ in range(150):
        m, n = int(rng.integers(2, 5)), int(rng.integers(1, 13))
        p = _chain(rng, m)
        eps = rng.random(n) * 10 ** rng.uniform(-2, 0.7) * (rng.random(n) < 0.8)
        landmarks = np.flatnonzero(rng.random(n) < rng.choice([0.2, 0.5]))
        found = landmark_loss_bound(p, eps, landmarks)
        expected = [written_out(p, eps, landmarks.tolist(), t) for t in range(n)]
        assert found == pytest.approx(np.array(expected), rel=1e-7, abs=1e-11)


def test_limits():
    rng = np.random.default_rng(3)
    eps, landmarks = rng.random(40), [3, 17, 30]
    for p in (A, C, M, CYCLE, np.eye(2), smoothed_identity(5, 0.01)):
        assert landmark_loss_bound(p, eps, range(40)) == pytest.approx(np.full(40, eps.sum()), rel=1e-14)
        assert (landmark_loss_bound(p, eps, landmarks) <= eps.sum() * (1 + 1e-12)).all()
        assert landmark_loss_bound(p, np.zeros(40), landmarks) == pytest.approx(np.zeros(40), abs=1e-200)
    for p in (C, M, smoothed_identity(5, 0.01)):
        expected = temporal_loss(reverse(p), p, eps).total
        assert landmark_loss_bound(p, eps, []) == pytest.approx(expected, rel=1e-12)
    plain = eps[landmarks].sum() + np.where(np.isin(np.arange(40), landmarks), 0, eps)
    for none in (None, EQUAL_ROWS, A):  # under A the long run knows one state only: there is no other secret
        assert landmark_loss_bound(none, eps, landmarks) == pytest.approx(plain, rel=1e-13)


def test_ends_that_share_no_possible_pair_cost_the_whole_gap():
    eps = [0.5, 0.25, 1.0, 0.125, 0.5]
    assert landmark_loss_bound(np.eye(2), eps, [1, 3])[1] == pytest.approx(sum(eps))
    assert largest_leak(np.eye(2), eps, [1, 3], np.random.default_rng(4)) == pytest.approx(sum(eps))


def test_absurd_budgets_and_probabilities():
    rng = np.random.default_rng(5)
    tiny = np.array([[1 - 1e-200, 1e-200, 0], [0, 1 - 1e-200, 1e-200], [1e-200, 0, 1 - 1e-200]])
    for p in (C, M, tiny, np.array([[0.5, 0.5, 0], [0, 0.5, 0.5], [0.5, 0, 0.5]])):
        for scale in (1e-12, 300.0, 5000.0):
            eps = rng.random(30) * scale
            bound = landmark_loss_bound(p, eps, [4, 20])
            assert np.isfinite(bound).all()
            assert (bound <= eps.sum() * (1 + 1e-12)).all()
            assert (bound >= eps[[4, 20]].sum() * (1 - 1e-12)).all()


def test_mirrored_in_time():
    rng = np.random.default_rng(6)
    eps, landmarks = rng.random(50), np.array([4, 5, 30])
    mirrored = landmark_loss_bound(reverse(M), eps[::-1], 49 - landmarks)[::-1]
    assert landmark_loss_bound(M, eps, landmarks) == pytest.approx(mirrored, rel=1e-9)


def test_larger_chains_in_blocks(monkeypatch):
    from lmdk_widgets.leakage import bridges

    rng = np.random.default_rng(7)
    p, eps = rng.dirichlet(np.ones(6), 6), rng.random(30)
    whole = landmark_loss_bound(p, eps, [5, 12])
    monkeypatch.setattr(bridges, "MOST_AT_ONCE", 1)
    assert landmark_loss_bound(p, eps, [5, 12]) == pytest.approx(whole, rel=1e-14)


@pytest.mark.parametrize(
    ("p", "eps", "landmarks"), [([[0.5]], [1], [0.5]), ([[0.5, 0.4], [0, 1]], [1], []), (C, [-1], [])]
)
def test_what_is_wrong_is_refused(p, eps, landmarks):
    with pytest.raises(InputError):
        landmark_loss_bound(p, eps, landmarks)


def test_at_least_each_single_member():
    rng = np.random.default_rng(8)
    for _ in range(30):
        p, eps = rng.dirichlet(np.ones(3), 3), rng.random(12)
        single = temporal_loss(LossFunction(reverse(p)), LossFunction(p), eps).total
        assert landmark_loss_bound(p, eps, [2, 7]).max() >= single[[2, 7]].max() * 0.5
