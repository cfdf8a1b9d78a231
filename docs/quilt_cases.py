"""The numeric checks of the proofs on Markov quilts (`quilts.md`): the largest loss over all sequences, beside the bound."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, count
from lmdk_widgets.pufferfish import (
    MarkovChain,
    approximate_quilt_scale,
    compose_far_apart,
    compose_parallel,
    compose_same_quilts,
    compose_sequential,
    quilt_scale,
)

HEAD = "| theorem | case | both releases reveal | the theorem says | sum of both ε |"

STICKY, MIXING = [[0.9, 0.1], [0.4, 0.6]], [[0.52, 0.48], [0.47, 0.53]]
SEGMENT, GAPS, EPSILONS = 6, (1, 2, 4, 8), (1.0, 0.5)
"""Timestamps of each of two segments, moves between them, and the ε of their releases."""

FAR, FAR_EPSILONS = 14, (6.0, 5.0)
"""The same for Theorem III.3, which needs segments long enough for a quilt with two sides."""

WHOLE, TWICE = 8, (0.5, 1.0)
"""Timestamps of one series that is released twice."""

Segment = tuple[int, int]


def rows() -> Iterator[tuple[str, ...]]:
    """The rows of the table."""
    sticky = MarkovChain.stationary(STICKY)
    for gap in GAPS:
        a, b = (0, SEGMENT - 1), (SEGMENT - 1 + gap, 2 * SEGMENT - 2 + gap)
        scales = [quilt_scale(sticky, SEGMENT, epsilon).scale for epsilon in EPSILONS]
        bound = compose_parallel(*EPSILONS, sticky, a[1], b[0])
        case = f"segments of {SEGMENT}, {count(gap, 'move')} apart"
        yield _row("III.1", case, largest_loss(sticky, (a, b), scales), bound, sum(EPSILONS))
    yield far_apart()
    scales = [quilt_scale(sticky, WHOLE, epsilon).scale for epsilon in TWICE]
    found = largest_loss(sticky, ((0, WHOLE - 1),) * 2, scales)
    yield _row("III.7", f"{WHOLE} timestamps, released twice", found, compose_sequential(TWICE), sum(TWICE))
    older = compose_same_quilts(TWICE)
    yield _row("II.6, older", "the same, with the same quilts", found, older, sum(TWICE))


def far_apart() -> tuple[str, ...]:
    """The shortest gap at which Theorem III.3 applies."""
    mixing = MarkovChain.stationary(MIXING)
    for gap in range(1, 100):
        a, b = (0, FAR - 1), (FAR - 1 + gap, 2 * FAR - 2 + gap)
        told = compose_far_apart(*FAR_EPSILONS, a, b, mixing).epsilon
        if told is not None:
            scales = [approximate_quilt_scale(mixing, length=FAR, epsilon=epsilon).scale for epsilon in FAR_EPSILONS]
            case = f"segments of {FAR}, {count(gap, 'move')} apart, a chain that forgets fast"
            return _row("III.3", case, largest_loss(mixing, (a, b), scales), told, sum(FAR_EPSILONS))
    raise AssertionError("no gap is long enough")


def _row(theorem: str, case: str, found: float, bound: float, added: float) -> tuple[str, ...]:
    return theorem, case, str(amount(found)), str(amount(bound)), str(amount(added))


def largest_loss(chain: MarkovChain, segments: tuple[Segment, Segment], scales: list[float]) -> float:
    """The most that two noisy counts of state 0 reveal about a state of either segment of a chain of two states.

    Between two whole numbers the ratio of two such densities is monotone in either output, as each is a sum of one rising
    and one falling exponential: the whole numbers are enough.
    """
    length = max(last for _, last in segments) + 1
    kernels = []
    for (first, last), scale in zip(segments, scales, strict=True):
        counts = np.arange(last - first + 2)
        kernels.append(np.exp(-np.abs(counts[:, None] - counts) / scale))
    most = 0.0
    for node in sorted({node for first, last in segments for node in range(first, last + 1)}):
        seen = [kernels[0] @ _counts(chain, length, segments, node, x) @ kernels[1] for x in (0, 1)]
        most = max(most, float(np.abs(np.log(seen[0] / seen[1])).max()))
    return most


def _counts(chain: MarkovChain, length: int, segments: tuple[Segment, Segment], node: int, state: int) -> Floats:
    """P(count in A, count in B | the state at a node), by adding one timestamp after another."""
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
            table[1 - state] = 0
    return np.asarray(table.sum(axis=0) / table.sum())
