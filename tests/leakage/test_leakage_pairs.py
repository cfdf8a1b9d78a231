"""The temporal loss pair by pair: exact values, against a linear programme, every tree, and every path of small chains."""

import itertools
import os

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import (
    AnyStart,
    LossFunction,
    estimate_transitions,
    pairwise_loss,
    pairwise_step,
    reverse,
    temporal_loss,
)
from lmdk_widgets.leakage.markov import level_states, smoothed_identity
from lmdk_widgets.leakage.pair_step import PairStep, StayStep, pair_step
from lmdk_widgets.linear import compiling
from lmdk_widgets.trajectory import sample_series
from tests.leakage.oracles import CYCLE, EQUAL_ROWS, A, C, M, random_matrix
from tests.leakage.pair_oracles import by_programme, by_trees, random_bound, rays, told
from tests.sweeps import generators

LINE = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
P = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]])
BOB = np.array([(0, 0), (1, 0), (2, -1), (2, 0), (4, 0)]) * 1000.0
PLACES = np.hypot(*np.moveaxis(BOB[:, None] - BOB, 2, 0))


@pytest.fixture(autouse=True, scope="session")
def machine_code():
    """What users run: machine code, but where there is none."""
    assert compiling.ready(wait=True) or os.environ.get("NUMBA_DISABLE_JIT") == "1", compiling.notice()


def close(value, wanted):
    return value == pytest.approx(wanted, abs=1e-9, rel=1e-11)


@pytest.mark.long
def test_one_move_of_three_states():
    assert close(pairwise_step(M, LINE)[0], [0, 0.3566970400, 0.7333898121])
    assert close(pairwise_step(M, LINE)[1], [0.5488119212, 0, 0.3766927721])
    assert close(pairwise_step(M, LINE)[2], [0.8653006474, 0.3164887262, 0])


def test_one_move_of_the_moderate_chain_and_with_zeros():
    found = pairwise_step(smoothed_identity(3, 0.1), LINE)
    assert close([found[0, 1], found[0, 2], found[1, 0]], [0.7974336924, 1.3930057885, 0.7735501126])
    found = pairwise_step([[0.8, 0.2, 0], [0, 0.8, 0.2], [0, 0, 1]], LINE)
    assert close([found[0, 2], found[2, 0]], [1.8648397252, 1.7046054709])


def test_one_move_from_any_start():
    found = pairwise_step(AnyStart(M), LINE)
    assert close([found[0, 1], found[0, 2], found[1, 2]], [0.5434816909, 1.1672715826, 0.7333260120])
    assert close(found, found.T)


def test_places_on_a_line():
    loss = pairwise_loss(reverse(P), P, [1, 0.2, 0.2, 1], 1000 * LINE, 200)
    first = loss.total[0]
    assert close([first[0, 1], first[0, 2], first[1, 0]], [6.6736606627, 12.4756044539, 6.2659954098])
    assert close(loss.total[1, 0, 1], 4.7836623287)
    assert loss.total == pytest.approx(
        loss.backward + loss.forward - np.array([1, 0.2, 0.2, 1])[:, None, None] * 5 * LINE
    )


def test_two_platforms():
    """Trains in one direction end 5 km from those in the other: user level with epsilon 1 at 200 m."""
    p, apart = [[0.999, 0.001], [0.001, 0.999]], [[0, 5000], [5000, 0]]
    platforms = pairwise_loss(p, p, [0.5, 0.5], [[[0, 200], [200, 0]], apart], 200)
    end = 0.5 * 25
    mixed = np.log((0.999 * np.exp(end) + 0.001) / (0.001 * np.exp(end) + 0.999))
    assert close(platforms.total[0, 0, 1], 0.5 + mixed)
    assert close(platforms.total[0, 0, 1], 7.4030387688)


def test_places_of_a_day():
    chain = smoothed_identity(5, 0.1)
    loss = pairwise_loss(chain, chain, [0.2] * 8, PLACES, 200, at=[3])
    assert loss.total.shape == (1, 5, 5) and loss.at.tolist() == [3]
    assert close([loss.total[0, 0, 1], loss.total[0, 4, 0]], [4.5016303814, 8.7001640977])
    ever = loss.forever()
    assert close([ever[PLACES == 1000].max(), ever.max()], [4.8458902980, 8.7049020624])
    long = pairwise_loss(chain, chain, [0.2] * 400, PLACES, 200, at=[200])
    assert close(ever, long.total[0])


def test_the_chain_of_the_followed_track_is_bounded_exactly():
    """What randomised response tells at most, found by trying every output (spec G)."""
    worst = pairwise_loss(reverse(P), P, [0.5] * 4).total.max(axis=(1, 2))
    assert close(worst, [1.4249959024, 1.5761310922, 1.5761310922, 1.4249959024])


def test_a_household_by_levels():
    """8 levels of half a kWh, estimated: alike, and with the line metric of Laplace noise over all of them (spec Q)."""
    series = sample_series("household")
    states, middles = level_states(series.values, 0.5)
    chain = estimate_transitions(states, len(middles), smoothing=0.01)
    past, budgets = reverse(chain), [0.1] * 336
    assert len(middles) == 8
    assert round(pairwise_loss(past, chain, budgets).total.max(), 4) == 0.8352
    line = np.abs(np.subtract.outer(middles, middles))
    assert round(pairwise_loss(past, chain, budgets, line, 4.0).total.max(), 4) == 0.3876
    assert round(temporal_loss(past, chain, budgets).total.max(), 2) == 15.14


def test_chains_that_stay_or_go_anywhere_need_their_stars_alone():
    for rng in generators(329, 60):
        m, s = int(rng.integers(2, 9)), 10.0 ** rng.uniform(-4, 1)
        chain, bound = smoothed_identity(m, s), random_bound(rng, m) * 10.0 ** rng.integers(-9, 3)
        step = pair_step(chain, "chain")
        assert isinstance(step, StayStep)
        assert step(bound) == pytest.approx(PairStep(chain)(bound), rel=1e-9, abs=1e-15)
    assert isinstance(pair_step(P, "chain"), PairStep)  # symmetric, but some moves are likelier
    assert isinstance(pair_step([[0.1, 0.9], [0.9, 0.1]], "chain"), PairStep)  # to stay is less likely than to move
    far = 5000 * LINE
    assert close(pair_step(smoothed_identity(3, 0.1), "chain")(far)[0, 1:], [np.log(11)] * 2)
    assert close(pair_step(np.eye(3), "chain")(far), far)


def test_two_ways():
    """Of whole ways the loss is the sum of D along both, whatever the chain; of a part no mechanism tells more."""
    for rng in generators(330, 60):
        m, n = int(rng.integers(2, 4)), int(rng.integers(2, 5))
        chain = 0.02 + random_matrix(rng, m)
        chain /= chain.sum(axis=1, keepdims=True)
        start = np.linalg.matrix_power(chain, 2**14)[0]
        bound, budgets = random_bound(rng, m), rng.random(n) * 2
        i = int(rng.integers(n))
        j = int(rng.integers(i, n))
        some = pairwise_loss(reverse(chain), chain, budgets, bound, at=range(i, j + 1))
        whole = pairwise_loss(reverse(chain), chain, budgets, bound)
        made = [columns(rng, epsilon * bound) for epsilon in budgets]
        ways = list(itertools.product(range(m), repeat=j - i + 1))
        logs = {way: told_of_way(chain, start, made, i, way) for way in ways}
        for one, other in itertools.product(ways, repeat=2):
            assert logs[one] - logs[other] <= some.of_ways(one, other) + 1e-9
        one, other = rng.integers(m, size=n), rng.integers(m, size=n)
        assert close(whole.of_ways(one, other), (budgets * bound[one, other]).sum())


def told_of_way(chain, start, columns, first, way):
    """ln Pr(outputs | the states of a way from `first` on), by summing over every path that goes so."""
    joint = prior = 0.0
    for path in itertools.product(range(len(chain)), repeat=len(columns)):
        if path[first : first + len(way)] == way:
            weight = start[path[0]] * np.prod([chain[a, b] for a, b in itertools.pairwise(path)])
            prior += weight
            joint += weight * np.prod([column[x] for column, x in zip(columns, path, strict=True)])
    return np.log(joint / prior)


def test_ways_that_are_refused():
    loss = pairwise_loss(C, C, [0.1] * 3)
    with pytest.raises(InputError, match="3 states, from 0 to 1"):
        loss.of_ways([0, 1], [0, 1, 1])
    with pytest.raises(InputError, match="3 states, from 0 to 1"):
        loss.of_ways([0, 1, 1], [0, 1, 2])
    with pytest.raises(InputError, match="consecutive timestamps"):
        pairwise_loss(C, C, [0.1] * 3, at=[0, 2]).of_ways([0, 1], [1, 1])


@pytest.mark.parametrize("p", [A, C, M, EQUAL_ROWS, CYCLE, P], ids=["A", "C", "M", "equal", "cycle", "P"])
@pytest.mark.parametrize("alpha", [1e-12, 0.01, 1.0, 2.0, 40.0, 800.0])
def test_equal_distances_are_the_setting_of_cao(p, alpha):
    m = len(p)
    found = pairwise_step(p, alpha * (1 - np.eye(m)))
    assert found.max() == pytest.approx(LossFunction(p)(alpha), rel=1e-6 if alpha < 1e-6 else 1e-11, abs=1e-18)
    assert found.min() >= 0 and not np.diagonal(found).any()


def test_with_equal_distances_it_is_never_above_cao():
    for rng in generators(321, 40):
        p = random_matrix(rng, int(rng.integers(2, 6)))
        budgets = rng.random(6) * 10.0 ** rng.uniform(-1, 0.7)
        ours, theirs = pairwise_loss(p, p, budgets), temporal_loss(p, p, budgets)
        assert (ours.backward.max(axis=(1, 2)) <= theirs.backward + 1e-11).all()
        assert (ours.total.max(axis=(1, 2)) <= theirs.total + 1e-11).all()
        assert close(ours.backward[1].max(), theirs.backward[1])  # one move: theirs is the largest pair's


def test_two_states_are_those_of_cao():
    budgets = [0.3, 0.0, 1.0, 0.5]
    loss = pairwise_loss(C, C, budgets)
    assert close(loss.total[:, 0, 1], temporal_loss(C, C, budgets).total)
    assert close(pairwise_loss(A, A, [0.1] * 10).backward.max(axis=(1, 2)), temporal_loss(A, A, [0.1] * 10).backward)


@pytest.mark.long
def test_against_the_linear_programme():
    """Up to e^5: beyond, HiGHS is off by more than 1e-7, as `by_trees` shows."""
    solved = 0
    for rng in generators(322, 300):
        m = int(rng.integers(2, 8))
        p, bound = random_matrix(rng, m), random_bound(rng, m)
        bound *= min(1.0, 5 / max(bound.max(), 1e-300))
        found = pairwise_step(p, bound)
        for x, y in itertools.permutations(range(m), 2):
            wanted = by_programme(p[x], p[y], bound)
            if not np.isnan(wanted):
                assert found[x, y] == pytest.approx(wanted, abs=1e-7, rel=1e-7)
                solved += 1
    assert solved > 300


def test_against_every_tree_however_far_apart():
    for rng in generators(323, 60):
        m = int(rng.integers(2, 5))
        p, bound = random_matrix(rng, m), random_bound(rng, m) * 10.0 ** rng.integers(0, 4)
        assert pairwise_step(p, bound) == pytest.approx(by_trees(p, bound), rel=1e-10, abs=1e-10)


def test_a_pair_begins_with_its_last_tree_and_ends_at_the_same_value():
    for rng in generators(324, 60):
        m = int(rng.integers(3, 9))
        step, bound = PairStep(random_matrix(rng, m)), random_bound(rng, m)
        for factor in (1.0, 1.3, 0.2, 5.0):
            other = bound * factor + step(bound * rng.random())
            assert step(other) == pytest.approx(PairStep(step.matrix)(other), rel=1e-11, abs=1e-12)


def test_lam_is_a_hemimetric_that_shrinks_scales_and_grows():
    for rng in generators(325, 60):
        m = int(rng.integers(2, 8))
        p, bound = random_matrix(rng, m), random_bound(rng, m)
        found, more = pairwise_step(p, bound), 0.7 * (1 - np.eye(m))
        assert (found <= (found[:, :, None] + found).min(axis=1) + 1e-10).all()
        assert (found <= bound.max() + 1e-10).all()
        wider = pairwise_step(p, bound + more)
        assert (found <= wider + 1e-10).all() and (wider <= found + 0.7 + 1e-10).all()


def test_a_bound_is_no_more_than_its_shortest_paths():
    long = np.array([[0, 1, 9], [1, 0, 1], [9, 1, 0.0]])
    assert close(pairwise_step(M, long), pairwise_step(M, LINE))


def test_over_all_starts_a_state_that_nothing_leads_to_bounds_no_other():
    p, apart = [[0.5, 0.5, 0], [0, 1, 0], [0.5, 0.5, 0]], 1 - np.eye(3)  # to the third state no move leads
    told = apart
    for _ in range(3):
        told = apart + pairwise_step(AnyStart(p), told)
    assert close(told, pairwise_loss(AnyStart(p), None, [1.0] * 4, apart).backward[3])
    assert told[0, 1] == pytest.approx(4), (
        "a move is impossible from one and possible from the other: nothing is forgotten"
    )


def test_of_tiny_budgets_nothing_is_taken_for_the_limit_too_early():
    """Losses far below 1 add up in proportion, whatever their size."""
    slow = smoothed_identity(3, 1e-4)
    small, tiny = (pairwise_loss(slow, slow, [b] * 30, LINE).total / b for b in (1e-7, 1e-13))
    assert tiny == pytest.approx(small, rel=1e-4) and small.max() > 50
    few, fewer = (pairwise_loss(M, M, [b] * 3, LINE).forever() / b for b in (1e-7, 1e-13))
    assert fewer == pytest.approx(few, rel=1e-4)


def test_distances_and_radius_scale_together():
    one, other = (pairwise_loss(P, P, [0.2, 0.1, 0.4], k * LINE, k * 3.0) for k in (1.0, 1e-3))
    assert close(one.total, other.total)
    series = pairwise_loss(P, P, [0.2, 0.1, 0.4], np.repeat(LINE[None], 3, axis=0), 3.0)
    assert close(one.total, series.total)


def columns(rng, bound):
    """A column of a mechanism within the bound: an extreme ray, or a mixture of two."""
    known = list(rays(bound))
    some = [np.exp(known[rng.integers(len(known))]) for _ in range(2)]
    return some[0] if rng.random() < 0.7 else some[0] + rng.random() * some[1]


def test_no_mechanism_tells_more():
    """Every output of every timestamp is a column in the cone of D_t; what all together say of one state, path by path."""
    reached = []
    for rng in generators(326, 100):
        m, n = int(rng.integers(2, 4)), int(rng.integers(2, 5))
        chain = 0.02 + random_matrix(rng, m)
        chain /= chain.sum(axis=1, keepdims=True)
        start = np.linalg.matrix_power(chain, 2**14)[0]
        bound, budgets = random_bound(rng, m), rng.random(n) * 2
        loss = pairwise_loss(reverse(chain), chain, budgets, bound)
        for _ in range(6):
            made = [columns(rng, epsilon * bound) for epsilon in budgets]
            for t in range(n):
                logs = told(chain, start, made, t)
                assert (logs[:, None] - logs <= loss.total[t] + 1e-9).all()
                reached.append(((logs[:, None] - logs) / np.where(loss.total[t] > 0, loss.total[t], np.inf)).max())
    assert max(reached) > 0.99


def test_it_is_attained_for_two_timestamps():
    for rng in generators(327, 40):
        chain = 0.02 + random_matrix(rng, 3)
        chain /= chain.sum(axis=1, keepdims=True)
        start, bound, budgets = np.linalg.matrix_power(chain, 2**14)[0], random_bound(rng, 3), rng.random(2) + 0.1
        loss = pairwise_loss(reverse(chain), chain, budgets, bound)
        most = np.full((3, 3), -np.inf)
        for one, two in itertools.product(rays(budgets[0] * bound), rays(budgets[1] * bound)):
            logs = told(chain, start, [np.exp(one), np.exp(two)], 0)
            most = np.maximum(most, logs[:, None] - logs)
        assert loss.total[0] == pytest.approx(most, abs=1e-9)


def test_chains_that_stay_or_go_anywhere_attain_it_with_every_report_at_the_place():
    chain, budgets = smoothed_identity(4, 0.1), [0.4, 0.1, 0.3, 0.6]
    apart = PLACES[:4, :4] / 1000
    loss = pairwise_loss(chain, chain, budgets, apart)
    for x in range(4):
        made = [np.exp(-epsilon * apart[x]) for epsilon in budgets]
        for t in range(4):
            logs = told(chain, np.full(4, 0.25), made, t)
            assert close(logs[x] - logs, loss.total[t, x])


def worst_of_all(chain, budgets, bound):
    """(n, m, m) what the worst mechanism reveals, for a symmetric chain: all extreme rays, the past and the future apart.

    After each move only the corners of the convex hull are kept, as ratios of linear functions are largest at corners.
    """

    def side(spent):
        known, found = None, []
        for epsilon in spent:
            cone = np.exp(np.array(list(rays(epsilon * bound)))) if epsilon else np.ones((1, len(chain)))
            before = np.ones((1, len(chain))) if known is None else known @ chain
            known = (cone[None] * before[:, None]).reshape(-1, len(chain))
            known /= known.sum(axis=1, keepdims=True)
            if len(known) > 40:
                known = known[ConvexHull(known[:, :2]).vertices]
            found.append((np.log(known), np.log(before)))
        return found

    def most(logs):
        return (logs[:, :, None] - logs[:, None]).max(axis=0)

    past, future = side(budgets), side(budgets[::-1])[::-1]
    return np.array([most(p) + most(f) for (p, _), (_, f) in zip(past, future, strict=True)])


def test_where_staying_is_less_likely_than_a_move_it_is_not_attained():
    """The examples of the note, docs/pairs.md, for somebody who always leaves."""
    leaves, budgets = (np.ones((3, 3)) - np.eye(3)) / 2, [1.0] * 4
    bound, worst = pairwise_loss(leaves, leaves, budgets, LINE).total, worst_of_all(leaves, budgets, LINE)
    assert (worst <= bound + 1e-9).all()
    at_one = [told(leaves, np.full(3, 1 / 3), [np.exp(-LINE[x])] * 4, t) for x in range(3) for t in range(4)]
    numbers = [bound.max(), worst.max(), max(np.ptp(logs) for logs in at_one)]
    assert np.round(numbers, 4).tolist() == [4.5762, 4.3017, 1.1822]
    budgets = [30.0, *[0.001] * 5]
    bound = pairwise_loss(leaves, leaves, budgets, LINE).total[5].max()
    assert round(bound, 4) == 26.9629 and round(worst_of_all(leaves, budgets, LINE)[5].max(), 4) == 0.0991
    budgets[1:] = [0.0] * 5
    silent = pairwise_loss(leaves, leaves, budgets, LINE).total
    assert silent == pytest.approx(worst_of_all(leaves, budgets, LINE), abs=1e-9)


def test_a_channel_has_its_own_ratios():
    channel = np.array([[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.3, 0.3, 0.4]])
    ratios = np.log(channel[:, None] / channel).max(axis=2)
    loss = pairwise_loss(reverse(P), P, [1] * 3, ratios)
    start = np.linalg.matrix_power(P, 2**14)[0]
    for outputs in itertools.product(range(3), repeat=3):
        logs = told(P, start, [channel[:, y] for y in outputs], 1)
        assert (logs[:, None] - logs <= loss.total[1] + 1e-12).all()


def test_any_start_bounds_every_prior_and_two_states_attain_it():
    for rng in generators(328, 60):
        m = int(rng.integers(2, 6))
        chain, bound = random_matrix(rng, m), random_bound(rng, m)
        most = pairwise_step(AnyStart(chain), bound)
        best = np.zeros((m, m))
        for u, v in itertools.permutations(range(m), 2):
            for odds in np.exp(np.linspace(-25, 25, 201)):
                prior = np.zeros(m)
                prior[[u, v]] = odds, 1.0
                best = np.maximum(best, carried(chain, prior / prior.sum(), np.exp(-bound[u])))
        for _ in range(20):
            prior = rng.dirichlet(np.ones(m))
            assert (carried(chain, prior, np.exp(-bound[rng.integers(m)])) <= most + 1e-9).all()
        assert (best <= most + 1e-9).all()
        assert (best >= 0.98 * np.where(most < 20, most, 0)).all()


def carried(chain, prior, g):
    """ln of E[g | now x] / E[g | now y] for a prior of the state before; 0 where one of both cannot be."""
    mass = prior @ chain
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log((prior * g) @ chain / mass)
        found = logs[:, None] - logs
    return np.where(np.isfinite(found), found, 0.0)


def test_any_start_is_above_the_long_run_and_far_apart_it_keeps_its_digits():
    assert (pairwise_step(AnyStart(P), LINE) >= pairwise_step(reverse(P), LINE) - 1e-12).all()
    near, far = pairwise_step(AnyStart(M), 30 * LINE), pairwise_step(AnyStart(M), 3000 * LINE)
    assert (far >= near - 1e-9).all() and (far <= 3000 * LINE.max()).all()
    assert close(pairwise_step(AnyStart([[0.8, 0.2], [0, 1]]), [[0, 900], [900, 0]])[0, 1], 900)
    loss = pairwise_loss(AnyStart(C), C, [0.1] * 8)
    assert close(loss.backward.max(axis=(1, 2)), temporal_loss(AnyStart(C), C, [0.1] * 8).backward)


def test_for_ever():
    assert close(pairwise_loss(A, None, [0.1] * 2).forever().max(), LossFunction(A).supremum(0.1))
    assert close(pairwise_loss(C, None, [0.1]).forever().max(), 0.2487718350)
    assert np.isinf(pairwise_loss(np.eye(3), np.eye(3), [0.1]).forever()[0, 1:]).all()
    assert np.isinf(pairwise_loss(CYCLE, None, [0.1], LINE).forever()[0, 1:]).all()
    two = np.array([[0.5, 0.5, 0, 0], [0.4, 0.6, 0, 0], [0, 0, 0.3, 0.7], [0, 0, 0.2, 0.8]])
    ever = pairwise_loss(two, None, [0.1]).forever()
    assert np.isinf(ever[:2, 2:]).all() and close(ever[0, 1], pairwise_loss(two[:2, :2], None, [0.1]).forever()[0, 1])
    assert close(pairwise_loss(None, None, [0.3], LINE).forever(), 0.3 * LINE)
    assert not pairwise_loss(P, P, [0.0] * 3).forever().any()
    slow = [[0.999, 0.001], [0.001, 0.999]]
    assert close(pairwise_loss(slow, None, [0.1]).forever()[0, 1], LossFunction(slow).supremum(0.1))


def test_constant_budgets_are_followed_to_their_limit_and_on():
    budgets = [0.5] * 300 + [0.1] * 3
    loss = pairwise_loss(P, None, budgets, LINE, at=[299, 300])
    assert close(loss.backward[0], pairwise_loss(P, None, [0.5], LINE).forever())
    assert close(loss.backward[1], 0.1 * LINE + pairwise_step(P, loss.backward[0]))


def test_a_chain_that_changes_with_time():
    found = pairwise_loss([M, P], [P, None], [0.3, 0.2, 0.1], LINE)
    assert close(found.backward[2], 0.1 * LINE + pairwise_step(P, 0.2 * LINE + pairwise_step(M, 0.3 * LINE)))
    assert close(found.forward[0], 0.3 * LINE + pairwise_step(P, 0.2 * LINE))


@pytest.mark.machine_code
def test_plain_python_gives_the_same_and_hands_over(monkeypatch):
    rng = np.random.default_rng(3)
    p, bound = random_matrix(rng, 6), random_bound(rng, 6)
    fast = PairStep(p)(bound)
    answers = itertools.chain([False] * 7, itertools.repeat(True))
    monkeypatch.setattr(compiling, "loaded", lambda: next(answers))
    assert PairStep(p)(bound) == pytest.approx(fast, abs=1e-13)
    monkeypatch.setattr(compiling, "loaded", lambda: False)
    assert PairStep(p)(bound) == pytest.approx(fast, abs=1e-13)


def test_long_plain_work_asks_for_machine_code(monkeypatch):
    asked = []
    monkeypatch.setattr(compiling, "loaded", lambda: False)
    monkeypatch.setattr(compiling, "start", lambda: asked.append(1))
    monkeypatch.setattr("lmdk_widgets.leakage.pair_step.PATIENCE_S", 0.0)
    pairwise_step(np.random.default_rng(3).dirichlet(np.ones(6), 6), 1.0 - np.eye(6))
    assert asked


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((M, M, [1.0], LINE[:2, :2]), "matrices and the distances must have the same number of states"),
        ((None, None, [1.0]), "A matrix or the distances must be given"),
        ((M, C, [1.0]), "must have the same number of states"),
        ((M, M, [1.0, 1.0], np.zeros((3, 3, 3))), "one for each of 2 timestamps"),
        ((M, M, [1.0], LINE + 1), "must be 0 from each state to itself"),
        ((M, M, [1.0], -LINE), "must not be negative"),
        ((M, M, [1.0], np.full((3, 3), np.inf)), "finite numbers"),
        (([M], M, [1.0]), "a single matrix or one for each move"),
        ((M, M, [1.0], LINE, 0.0), "Radius must be"),
        ((M + 1, M, [1.0]), "must sum to 1"),
    ],
)
def test_what_is_refused(arguments, said):
    with pytest.raises(InputError, match=said):
        pairwise_loss(*arguments)


def test_for_ever_needs_what_stays_the_same():
    with pytest.raises(InputError, match="same budget at every timestamp"):
        pairwise_loss(M, M, [1.0, 2.0]).forever()
    with pytest.raises(InputError, match="stay the same over time"):
        pairwise_loss([M], None, [1.0, 1.0]).forever()
    with pytest.raises(InputError, match="indices"):
        pairwise_loss(M, M, [1.0], at=[1])
    with pytest.raises(InputError, match="square matrix"):
        pairwise_step(M, [[0, 1], [1, 0]])
