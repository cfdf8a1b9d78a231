"""Two releases from two segments where the series does not start in its long run: it counts where the segments lie."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario.quilts.belief import Belief

Ends = tuple[int, int]
"""The last timestamp of A and the first one of B."""


def seen_from_ends(belief: Belief, ends: Ends) -> list[tuple[float, float]]:
    """For each chain (e(X_t | X_s), e(X_s | X_t)), t the end of A and s the start of B, by the definition."""
    t, s = ends
    found = []
    for chain in range(len(belief.chains)):
        past, _ = belief.defined.influence_at(s, belief.length, [s - t], chain)
        _, future = belief.defined.influence_at(t, belief.length, [s - t], chain)
        found.append((float(past[0]), float(future[0])))
    return found


def parallel_at(belief: Belief, epsilon_a: float, epsilon_b: float, ends: Iterable[Ends]) -> Floats:
    """`compose_parallel` at several ends at once."""
    return np.array(
        [
            max(
                max(epsilon_a + min(epsilon_b, future), epsilon_b + min(epsilon_a, past))
                for past, future in seen_from_ends(belief, pair)
            )
            for pair in ends
        ]
    )


def parallel_between(belief: Belief, epsilon_a: float, epsilon_b: float, ends: Ends) -> float:
    """The same if the states between the segments are secrets too: see `compose_parallel(..., between=True)`."""
    t, s = ends
    most = float(parallel_at(belief, epsilon_a, epsilon_b, [ends])[0])
    for chain in range(len(belief.chains)):
        for i in range(t + 1, s):
            (past, _), (_, future) = (
                belief.defined.influence_at(i, belief.length, [distance], chain) for distance in (i - t, s - i)
            )
            most = max(most, min(epsilon_a, float(past[0])) + min(epsilon_b, float(future[0])))
    return most
