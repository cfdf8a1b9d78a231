"""Timestamps without a budget: merged moves against every path and every extreme mechanism of small chains."""

import itertools

import mpmath
import numpy as np
import pytest

from lmdk_widgets.leakage import (
    AnyStart,
    LossFunction,
    backward_loss,
    forward_loss,
    pairwise_loss,
    pairwise_step,
    reverse,
    temporal_loss,
    window_loss,
)
from lmdk_widgets.leakage.markov import estimate_transitions, power, settling, smoothed_identity
from lmdk_widgets.leakage.recursion import run
from lmdk_widgets.leakage.silent_moves import _by_stretches as by_stretches
from lmdk_widgets.leakage.silent_moves import few_digits, run_merged
from tests.leakage.oracles import CYCLE, A, C, M, algorithm_1, random_matrix
from tests.leakage.pair_oracles import by_trees, random_bound, rays, told
from tests.sweeps import generators

LEAVES = (np.ones((3, 3)) - np.eye(3)) / 2
LINE = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))


def move_by_move(p, budgets, bound):
    """B as if every timestamp were a report, (n, m, m)."""
    found = [budgets[0] * bound]
    for epsilon in budgets[1:]:
        found.append(epsilon * bound + pairwise_step(p, found[-1]))
    return np.array(found)


def ergodic(rng, m):
    """A chain in which every state is possible at every timestamp, and its stationary distribution."""
    chain = 0.02 + random_matrix(rng, m)
    chain /= chain.sum(axis=1, keepdims=True)
    return chain, np.linalg.matrix_power(chain, 2**14)[0]


def some_budgets(rng, n):
    """About half of the timestamps are silent, and at least one is not."""
    budgets = (rng.random(n) * 2 + 0.05) * (rng.random(n) < 0.5)
    budgets[rng.integers(n)] = 1.0
    return budgets


def test_one_report_and_two_moves_of_somebody_who_always_leaves():
    bound = 5 * LINE
    loss = pairwise_loss(LEAVES, LEAVES, [1, 0, 0], bound)
    assert round(loss.total[2].max(), 4) == 0.6897
    assert round(move_by_move(LEAVES, [1, 0, 0], bound)[2].max(), 4) == 4.3069
    assert loss.total[2] == pytest.approx(by_trees(LEAVES @ LEAVES, bound), rel=1e-12)
    assert loss.total[0] == pytest.approx(bound)  # nothing is released later


def test_a_single_report_is_exactly_what_it_reveals_about_every_other_timestamp():
    """One output: all that is possible are the columns of the cone, and an extreme ray attains the maximum."""
    for rng in generators(410, 25):
        m, n = int(rng.integers(2, 4)), int(rng.integers(2, 6))
        chain, start = ergodic(rng, m)
        bound, s = random_bound(rng, m), int(rng.integers(n))
        budgets = np.eye(n)[s]
        loss = pairwise_loss(reverse(chain), chain, budgets, bound)
        for t in range(n):
            most = np.full((m, m), -np.inf)
            for ray in rays(bound):
                columns = [np.exp(ray) if k == s else np.ones(m) for k in range(n)]
                logs = told(chain, start, columns, t)
                most = np.maximum(most, logs[:, None] - logs)
            assert loss.total[t] == pytest.approx(most, abs=1e-9, rel=1e-9)


def test_two_reports_with_silence_in_between_are_exact_at_their_own_timestamps():
    for rng in generators(411, 25):
        chain, start = ergodic(rng, 3)
        bound, k = random_bound(rng, 3), int(rng.integers(2, 5))
        budgets = np.array([rng.random() + 0.1, *[0.0] * (k - 1), rng.random() + 0.1])
        loss = pairwise_loss(reverse(chain), chain, budgets, bound)
        most = np.full((3, 3), -np.inf)
        for one, two in itertools.product(rays(budgets[0] * bound), rays(budgets[-1] * bound)):
            logs = told(chain, start, [np.exp(one), *[np.ones(3)] * (k - 1), np.exp(two)], 0)
            most = np.maximum(most, logs[:, None] - logs)
        assert loss.total[0] == pytest.approx(most, abs=1e-9)


def test_no_mechanism_reveals_more_and_merging_never_adds():
    for rng in generators(412, 60):
        m, n = int(rng.integers(2, 4)), int(rng.integers(2, 7))
        chain, start = ergodic(rng, m)
        bound, budgets = random_bound(rng, m), some_budgets(rng, n)
        past = reverse(chain)
        loss = pairwise_loss(past, chain, budgets, bound)
        back, front = move_by_move(past, budgets, bound), move_by_move(chain, budgets[::-1], bound)[::-1]
        assert (loss.backward <= back + 1e-9).all() and (loss.forward <= front + 1e-9).all()
        cao = temporal_loss(past, chain, budgets * bound.max())
        cones = [[np.exp(ray) for ray in rays(epsilon * bound)] for epsilon in budgets]
        for _ in range(8):
            columns = [
                cone[rng.integers(len(cone))] if epsilon else np.ones(m)
                for cone, epsilon in zip(cones, budgets, strict=True)
            ]
            for t in range(n):
                logs = told(chain, start, columns, t)
                assert (logs[:, None] - logs <= loss.total[t] + 1e-9).all()
                assert (logs[:, None] - logs <= cao.total[t] + 1e-9).all()


def test_the_loss_of_cao_merges_silent_timestamps():
    for rng in generators(413, 150):
        p, n = random_matrix(rng, int(rng.integers(2, 6))), int(rng.integers(2, 14))
        budgets = some_budgets(rng, n)
        found = backward_loss(p, budgets)
        assert (found <= run(budgets, LossFunction(p)) + 1e-12).all()
        assert found == pytest.approx(forward_loss(p, budgets[::-1])[::-1], rel=1e-12, abs=1e-300)
        reports = np.flatnonzero(budgets)
        for t in range(n):
            before = reports[reports < t]
            left = algorithm_1(np.linalg.matrix_power(p, t - before[-1]), found[before[-1]]) if len(before) else 0.0
            assert found[t] == pytest.approx(budgets[t] + left, rel=1e-8, abs=1e-13)
        ours = pairwise_loss(p, p, budgets)
        assert (ours.total.max(axis=(1, 2)) <= temporal_loss(p, p, budgets).total + 1e-11).all()


def test_two_states_are_those_of_cao_also_in_silence():
    budgets = [0.0, 0.3, 0.0, 0.0, 1.0, 0.5, 0.0]
    for p in (A, C):
        pairs, cao = pairwise_loss(p, p, budgets), temporal_loss(p, p, budgets)
        assert np.maximum(pairs.backward[:, 0, 1], pairs.backward[:, 1, 0]) == pytest.approx(cao.backward, abs=1e-12)
    assert temporal_loss(C, C, budgets).backward[0] == 0 == temporal_loss(C, C, budgets).forward[6]


def test_windows_never_reveal_more_to_any_mechanism():
    for rng in generators(414, 40):
        m, n = int(rng.integers(2, 4)), int(rng.integers(2, 6))
        chain, start = ergodic(rng, m)
        budgets, w = some_budgets(rng, n), int(rng.integers(1, n + 1))
        past, apart = reverse(chain), 1 - np.eye(m)
        loss = window_loss(past, chain, budgets, w)
        paths = np.array(list(itertools.product(range(m), repeat=n)))
        weight = start[paths[:, 0]] * chain[paths[:, :-1], paths[:, 1:]].prod(axis=1)
        for _ in range(5):
            likelihood = weight.copy()
            for t, epsilon in enumerate(budgets):
                known = list(rays(epsilon * apart))
                likelihood *= np.exp(known[rng.integers(len(known))])[paths[:, t]] if epsilon else 1.0
            for last in range(n):
                code = paths[:, max(last - w + 1, 0) : last + 1] @ m ** np.arange(min(w, last + 1))
                size = m**n
                given = np.bincount(code, likelihood, size), np.bincount(code, weight, size)
                ratio = given[0][given[1] > 0] / given[1][given[1] > 0]
                assert np.log(ratio.max() / ratio.min()) <= loss[last] + 1e-9


def test_over_all_starts():
    for rng in generators(415, 60):
        m, n = int(rng.integers(2, 4)), int(rng.integers(2, 7))
        chain, _ = ergodic(rng, m)
        budgets, bound = some_budgets(rng, n), random_bound(rng, m)
        pairs = pairwise_loss(AnyStart(chain), chain, budgets, bound)
        cao = backward_loss(AnyStart(chain), budgets)
        assert (cao <= run(budgets, AnyStart(chain)) + 1e-12).all()
        for _ in range(6):
            start = rng.dirichlet(np.full(m, 0.3)) + 1e-9
            start /= start.sum()
            columns = []
            for epsilon in budgets:
                known = list(rays(epsilon * bound))
                columns.append(np.exp(known[rng.integers(len(known))]) if epsilon else np.ones(m))
            for t in range(n):
                logs = told(chain, start, columns, t)
                assert (logs[:, None] - logs <= pairs.total[t] + 1e-9).all()
    assert AnyStart(LEAVES)(1.0) == 1.0 and AnyStart(LEAVES).over(2)(1.0) < 0.4


def test_a_chain_that_changes_over_time():
    for rng in generators(416, 60):
        m, n = int(rng.integers(2, 5)), int(rng.integers(2, 9))
        matrices, budgets = [random_matrix(rng, m) for _ in range(n - 1)], some_budgets(rng, n)
        back, pairs = backward_loss(matrices, budgets), pairwise_loss(matrices, matrices, budgets)
        reports = np.flatnonzero(budgets)
        for t in range(n):
            before = reports[reports < t]
            if len(before):
                moves = np.eye(m)
                for k in range(before[-1], t):
                    moves = matrices[k] @ moves
                assert back[t] == pytest.approx(budgets[t] + algorithm_1(moves, back[before[-1]]), rel=1e-8, abs=1e-12)
        assert (pairs.backward.max(axis=(1, 2)) <= back + 1e-10).all()
        same = [matrices[0].copy() for _ in range(n - 1)]
        for many, one in ((same, matrices[0]), ([AnyStart(p) for p in same], AnyStart(matrices[0]))):
            assert backward_loss(many, budgets) == pytest.approx(backward_loss(one, budgets), rel=1e-9, abs=1e-12)
            listed, single = (pairwise_loss(p, None, budgets) for p in (many, one))
            assert listed.total == pytest.approx(single.total, rel=1e-9, abs=1e-10)
    mixed = [AnyStart(C), LossFunction(C), None, LossFunction(C)]
    assert backward_loss(mixed, [1, 0, 0, 0, 0])[2] == pytest.approx(LossFunction(C)(AnyStart(C)(1.0)))
    assert backward_loss(mixed, [1, 0, 0, 0, 0])[3:].tolist() == [0, 0]
    assert pairwise_loss([AnyStart(C), C, None, C], None, [1, 0, 0, 0, 0]).backward[3:].max() == 0


def test_a_long_silence_of_a_large_chain_is_between_all_and_nothing():
    states = np.random.default_rng(0).integers(0, 60, 400)
    chain = estimate_transitions(states, 60, smoothing=0.01)
    loss = LossFunction(chain)
    assert len(few_digits(77, 60)) > 1
    budgets = np.array([2.0, *[0.0] * 77, 1.0])
    merged, nothing = run_merged(budgets, loss), run(budgets, loss)
    exact = [LossFunction(power(chain, k))(2.0) for k in range(1, 78)]
    assert (merged[1:-1] >= np.array(exact) - 1e-12).all() and (merged <= nothing + 1e-12).all()
    assert sum(few_digits(77, 60)) == 77 and few_digits(77, 5) == (77,)


@pytest.mark.long
def test_silence_until_nothing_is_remembered():
    budgets = np.zeros(5000)
    budgets[0] = 3.0
    for p in (C, M, smoothed_identity(5, 0.1)):
        assert backward_loss(p, budgets)[-1] == pytest.approx(0, abs=1e-12)
        assert pairwise_loss(p, None, budgets[:800], at=[799]).total.max() == pytest.approx(0, abs=1e-12)
    assert backward_loss(np.eye(2), budgets)[-1] == 3.0 == backward_loss(CYCLE, budgets)[-1]
    assert not temporal_loss(C, C, np.zeros(4)).total.any() and not pairwise_loss(C, C, np.zeros(4)).total.any()


def test_powers():
    for rng in generators(417, 60):
        p, k = random_matrix(rng, int(rng.integers(1, 6))), int(rng.integers(1, 40))
        assert power(p, k) == pytest.approx(np.linalg.matrix_power(p, k), rel=1e-9, abs=1e-300)
    with mpmath.workdps(60):
        for s, k in ((1e-9, 3), (0.1, 7), (2.0, 50), (1e-4, 10**6)):
            p = smoothed_identity(4, s)
            other = mpmath.mpf(float(p[0, 1]))
            kept = (1 - 4 * other) ** k
            assert power(p, k)[0, 1] == pytest.approx(float((1 - kept) / 4), rel=1e-12)
            assert power(p, k)[0, 0] == pytest.approx(float(kept + (1 - kept) / 4), rel=1e-12)
    assert settling(C) == 128 and settling(np.full((3, 3), 1 / 3)) == 1 and settling(CYCLE) == 2**40


def test_many_short_stretches_are_the_stretches_one_by_one():
    """Followed report by report in theta, or stretch by stretch, also over all starts and where theta would overflow."""
    for rng in generators(418, 80):
        loss = LossFunction(random_matrix(rng, int(rng.integers(2, 7))))
        carrier = AnyStart(loss.matrix) if rng.random() < 0.3 else loss
        budgets = rng.random(200) * 10.0 ** rng.uniform(-6, 2.5) * (rng.random(200) < rng.choice([0.3, 0.7, 0.97]))
        budgets[rng.integers(200)] = 1.0
        reports = np.flatnonzero(budgets)
        wanted = by_stretches(budgets, reports, carrier)
        assert run_merged(budgets, carrier)[reports] == pytest.approx(wanted, rel=1e-11, abs=1e-300)
