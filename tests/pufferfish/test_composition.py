"""What releases guarantee together, by brute force over all sequences and outputs of random small chains."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import inf, log

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pufferfish import (
    MarkovChain,
    approximate_quilt_scale,
    compose_far_apart,
    compose_parallel,
    compose_same_quilts,
    compose_sequential,
    compose_with_divergence,
    counterexample,
    joint_divergence,
    max_divergence,
    max_influence,
    quilt_scale,
)

from .oracles import sequences


def given_secret(chain, length, node, channel):
    """{x: (outputs,) P(output | X_node = x)} where channel(states) is a distribution of outputs, any shape."""
    found, weight = {}, {}
    for states, chance in sequences(chain.initial.tolist(), chain.transition.tolist(), length):
        x = states[node]
        found[x] = found.get(x, 0.0) + chance * channel(states)
        weight[x] = weight.get(x, 0.0) + chance
    return {x: found[x] / weight[x] for x in found}


def loss(chain, length, nodes, channel):
    worst = 0.0
    for node in nodes:
        given = given_secret(chain, length, node, channel)
        for x, y in itertools.permutations(given, 2):
            worst = max(worst, float(np.log(given[x] / given[y]).max()))
    return worst


def random_channel(rng, m, first, last, outputs=3):
    """A random mechanism on a segment, sometimes nearly deterministic."""
    table = rng.dirichlet(np.full(outputs, rng.choice([0.2, 1.0, 5.0])), (m,) * (last - first + 1)) + 1e-9
    table /= table.sum(axis=-1, keepdims=True)
    return lambda states: table[states[first : last + 1]]


def parallel_cases(n):
    rng = np.random.default_rng(11)
    for _ in range(n):
        m = int(rng.integers(2, 4))
        chain = MarkovChain(rng.dirichlet(np.ones(m)), rng.dirichlet(np.full(m, rng.choice([0.4, 2.0])), m) + 0.0)
        cuts = np.sort(rng.choice(np.arange(6), 4, replace=True))
        t1, t2, t3, t4 = (int(c) for c in cuts)
        t3, t4 = max(t3, t2 + 1), max(t4, t2 + 1)
        length = t4 + 1
        alice, bob = random_channel(rng, m, t1, t2), random_channel(rng, m, t3, t4)
        yield chain, length, (t1, t2, t3, t4), alice, bob


@pytest.mark.long
def test_parallel_by_brute_force():
    close = 0
    for chain, length, (t1, t2, t3, t4), alice, bob in parallel_cases(60):
        a, b = range(t1, t2 + 1), range(t3, t4 + 1)
        one, two = loss(chain, length, a, alice), loss(chain, length, b, bob)

        def both(states, alice=alice, bob=bob):
            return np.multiply.outer(alice(states), bob(states))

        seen = loss(chain, length, [*a, *b], both)
        bound = compose_parallel(one, two, chain, t2, t3)
        assert seen <= bound + 1e-9
        assert max(one, two) <= bound <= one + two + 1e-12
        close += seen > 0.8 * bound
        every = loss(chain, length, range(length), both)
        assert every <= compose_parallel(one, two, chain, t2, t3, between=True) + 1e-9
    assert close, "the bound is nearly reached"


def answer(position, lie, m=3):
    """Randomised response: the state at a position, another one with probability `lie` each."""
    return lambda states: np.where(np.arange(m) == states[position], 1 - (m - 1) * lie, lie)


def test_a_secret_between_the_segments_may_exceed_the_theorem():
    """A rare middle state whose neighbours are nearly sure, though they know next to nothing of each other."""
    rare = 1e-3
    chain = MarkovChain([0.5, 0.5, 0.0], [[0.5, 0.5, 0.0], [0.5 - rare / 2, 0.5 - rare / 2, rare], [0.0, 1.0, 0.0]])
    alice, bob = answer(0, 0.05), answer(2, 0.05)
    one, two = loss(chain, 3, [0], alice), loss(chain, 3, [2], bob)
    both = lambda s: np.multiply.outer(alice(s), bob(s))  # noqa: E731
    bound = compose_parallel(one, two, chain, 0, 2)
    assert loss(chain, 3, [0, 2], both) <= bound + 1e-9
    assert bound + 0.5 < loss(chain, 3, [1], both) <= compose_parallel(one, two, chain, 0, 2, between=True) + 1e-9


def test_parallel_mutant_with_the_influences_exchanged():
    chain = MarkovChain([0.5, 0.5], [[0.5, 0.5], [0.01, 0.99]])
    alice, bob = answer(0, 1e-6, m=2), answer(1, 1e-3, m=2)
    one, two = loss(chain, 2, [0], alice), loss(chain, 2, [1], bob)
    seen = loss(chain, 2, [0, 1], lambda s: np.multiply.outer(alice(s), bob(s)))
    ahead, back = max_influence(chain, 2, 0, None, 1), max_influence(chain, 2, 1, 0, None)
    assert seen <= compose_parallel(one, two, chain, 0, 1) == max(one + min(two, ahead), two + min(one, back))
    assert seen > max(one + min(two, back), two + min(one, ahead)) + 0.1


def test_parallel_falls_to_the_maximum():
    chain = MarkovChain([0.8, 0.2], [[0.9, 0.1], [0.4, 0.6]])
    values = [compose_parallel(1.0, 0.5, chain, 9, start) for start in range(10, 80)]
    assert values[0] == 1.5 and (np.diff(values) <= 1e-12).all()
    assert values[-1] == pytest.approx(1.0, abs=1e-9)
    still = MarkovChain([0.5, 0.5], np.eye(2))
    assert compose_parallel(1.0, 0.5, [chain, still], 9, 60) == 1.5


def discrete_laplace(scale, center, grid):
    return np.exp(-np.abs(grid - center) / scale)


def test_sequential_releases_of_the_quilt_mechanism():
    """Two queries of one series, quilts that differ: densities at the corners of their grid never exceed the sum."""
    length = 6
    grid = np.arange(-1, length + 2)
    rng = np.random.default_rng(3)
    sticky = MarkovChain([0.5, 0.5], [[0.85, 0.15], [0.3, 0.7]])
    cases = [(sticky, epsilons) for epsilons in ((0.5, 3.0), (1.0, 1.0), (2.0, 4.0))]
    for _ in range(12):
        chain = MarkovChain(rng.dirichlet([1, 1]), rng.dirichlet([0.7, 0.7], 2))
        cases.append((chain, tuple(np.exp(rng.uniform(-1, 2, 2)))))
    for chain, epsilons in cases:
        scales = [quilt_scale(chain, length, e).scale for e in epsilons]

        def both(states, scales=scales):
            rises = sum(x < y for x, y in itertools.pairwise(states)) / 2  # one state changes it by at most 1
            one = discrete_laplace(scales[0], states.count(0), grid)
            return np.multiply.outer(one, discrete_laplace(scales[1], rises, grid / 2))

        assert loss(chain, length, range(length), both) <= compose_sequential(epsilons) + 1e-9


def test_sums_and_maxima():
    assert compose_sequential([1.0, 2.0, 0.5]) == 3.5
    assert compose_same_quilts([1.0, 2.0, 0.5]) == 6.0
    rng = np.random.default_rng(0)
    for _ in range(20):
        e = rng.uniform(0.1, 3, 4)
        assert compose_sequential(e) <= compose_same_quilts(e)


def slow_joint_divergence(joint):
    """E of one secret: the largest log-ratio of P(a, b) and P(a) P(b), either way round."""
    return float(np.abs(np.log(joint / np.outer(joint.sum(axis=1), joint.sum(axis=0)))).max())


def test_divergence_theorem_by_brute_force():
    rng = np.random.default_rng(7)
    for _ in range(30):
        m, length = 2, 4
        chain = MarkovChain(rng.dirichlet(np.ones(m)), rng.dirichlet(np.full(m, 2.0), m))
        alice, bob = random_channel(rng, m, 0, 3), random_channel(rng, m, 0, 3)
        nodes = range(length)
        one, two = loss(chain, length, nodes, alice), loss(chain, length, nodes, bob)

        def both(states, alice=alice, bob=bob):
            return np.multiply.outer(alice(states), bob(states))

        given = [table for i in nodes for table in given_secret(chain, length, i, both).values()]
        assert [joint_divergence(t) for t in given] == pytest.approx([slow_joint_divergence(t) for t in given])
        worst = max(map(joint_divergence, given))
        assert compose_with_divergence(one, two, worst) == pytest.approx(one + two + 2 * worst)
        assert loss(chain, length, nodes, both) <= compose_with_divergence(one, two, worst) + 1e-9
    assert max_divergence([0.5, 0.5], [1.0, 0.0]) == inf
    assert max_divergence([0.0, 1.0], [0.0, 1.0]) == 0


def test_counterexample_by_brute_force_and_exactly():
    shown = counterexample()
    assert shown.ratio_both > shown.ratio_alice * shown.ratio_bob and shown.breaks_composition
    chain = MarkovChain([float(p) for p in shown.initial], [[float(p) for p in row] for row in shown.transition])
    t = float(shown.truth)
    alice = lambda s: (1 - t) / 3 + t * (np.arange(3) == sum(s) % 3)  # noqa: E731
    bob = lambda s: (1 - t) / 3 + t * (np.arange(3) == (s[0] + 2 * s[1]) % 3)  # noqa: E731
    assert loss(chain, 2, (0, 1), alice) == pytest.approx(shown.epsilon_alice, rel=1e-9)
    assert loss(chain, 2, (0, 1), bob) == pytest.approx(shown.epsilon_bob, abs=1e-12)
    both = loss(chain, 2, (0, 1), lambda s: np.multiply.outer(alice(s), bob(s)))
    assert both == pytest.approx(shown.epsilon_both, rel=1e-9) == pytest.approx(log(Fraction(26722, 1909)))
    assert all(isinstance(step, str) and len(step) > 40 for step in shown.story())
    independent = counterexample("3/4", 0)
    assert independent.ratio_alice == independent.ratio_bob == 1 and independent.ratio_both == Fraction(34, 7)


def test_far_apart():
    kind = {"minimum_probability": 0.2, "gap": 1.0}
    values = [compose_far_apart(1.0, 0.5, (0, 199), (s, s + 299), **kind) for s in (200, 205, 209, 240, 1000)]
    applies = [v.epsilon is not None for v in values]
    assert applies == sorted(applies) and not applies[0] and applies[-1]
    assert values[-1].epsilon == 1.0 and values[0].epsilon is None
    short = compose_far_apart(1.0, 0.5, (0, 3), (500, 503), **kind)
    assert short.epsilon is None and short.reach_a is None, "no two-sided quilt fits in four timestamps"
    found = approximate_quilt_scale(length=200, epsilon=1.0, **kind)
    assert values[-1].reach_a[1] <= found.quilt[1] - found.node


def joint_counts(chain, length, segments, node, x):
    """P(count of state 0 in A, count of state 0 in B | X_node = x) of a binary chain, summed over all sequences."""
    sizes = [last - first + 2 for first, last in segments]
    table = np.zeros((2, *sizes))
    table[:, 0, 0] = chain.initial
    for t in range(length):
        if t:
            table = np.einsum("xab,xy->yab", table, chain.transition)
        for axis, (first, last) in enumerate(segments):
            if first <= t <= last:
                table[0] = np.roll(table[0], 1, axis=axis)
        if t == node:
            table[1 - x] = 0
    return table.sum(axis=0) / table.sum()


def test_far_apart_is_beyond_the_reach_of_both_quilts():
    def composed(gap, one, two):
        return compose_far_apart(one, two, (0, 199), (199 + gap, 498 + gap), minimum_probability=0.2, gap=1.0)

    for one, two in ((1.0, 0.5), (0.5, 3.0)):
        found = composed(300, one, two)
        ahead, back = found.reach_a[1], found.reach_b[0]
        assert (found.epsilon, ahead < back, ahead > back) == (max(one, two), one > two, one < two)
        assert composed(max(ahead, back), one, two).epsilon == max(one, two)
        assert composed(max(ahead, back) - 1, one, two).epsilon is None
        assert composed(min(ahead, back), one, two).epsilon is None


def test_far_apart_by_all_sequences():
    """Where it applies, both releases together keep the larger epsilon; the gap is as short as it may be."""
    chain = MarkovChain.stationary([[0.52, 0.48], [0.47, 0.53]])
    epsilons, n = (6.0, 5.0), 14
    far = next(
        (gap, found)
        for gap in range(1, 40)
        if (found := compose_far_apart(*epsilons, (0, n - 1), (n - 1 + gap, 2 * n - 2 + gap), chain)).epsilon
    )
    start = n - 1 + far[0]
    segments, length = ((0, n - 1), (start, start + n - 1)), start + n
    kernels = []
    for epsilon in epsilons:
        sigma = approximate_quilt_scale(chain, length=n, epsilon=epsilon).scale
        kernels.append(np.exp(-np.abs(np.subtract.outer(np.arange(n + 1), np.arange(n + 1))) / sigma))
    for node in [*range(n), *range(start, length)]:
        given = [kernels[0] @ joint_counts(chain, length, segments, node, x) @ kernels[1].T for x in (0, 1)]
        assert np.abs(np.log(given[0] / given[1])).max() <= far[1].epsilon + 1e-9


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda c: compose_sequential([]), "Epsilons must have at least one number above 0"),
        (lambda c: compose_sequential([1, 0]), "Epsilons must contain finite numbers above 0; got 0.0 at index 1"),
        (lambda c: compose_with_divergence(1, 1, -1), "Divergence must be a number, 0 or more; got -1"),
        (lambda c: compose_parallel(1, 1, c, 5, 5), "Start_of_b must be after the end of A, timestamp 5; got 5"),
        (
            lambda c: compose_far_apart(1, 1, (0, 9), (9, 12), c),
            "Segment_b must start after the end of A, timestamp 9;",
        ),
        (
            lambda c: compose_far_apart(1, 1, (9, 0), (19, 20), c),
            "The last timestamp of segment_a must be a whole number, 9 or",
        ),
        (lambda c: counterexample(1), "Truth must be a number of at least 0 and below 1; got 1"),
    ],
)
def test_bad_input_is_told(call, words):
    with pytest.raises(InputError) as raised:
        call(MarkovChain.stationary([[0.5, 0.5], [0.4, 0.6]]))
    assert str(raised.value).startswith(words)
