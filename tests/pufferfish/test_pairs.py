"""Pairs of states that are left out lie below a leader at every distance, whatever was looked at."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.pufferfish.pairs import surely_dominated, undominated


@pytest.mark.parametrize("seed", range(20))
def test_what_a_few_distances_rule_out_is_ruled_out_at_all_of_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, pairs, leaders = 30, 200, 3
    speed, height = rng.uniform(0.9, 0.99, (2, pairs)), rng.uniform(0.1, 3, (2, pairs))
    past, future = (h * s ** np.arange(n)[:, None] for h, s in zip(height, speed, strict=True))
    bound_past, bound_future = past * rng.uniform(1, 1.1, pairs), future * rng.uniform(1, 1.1, pairs)
    led = (past[0] + future[-1]).argsort()[-leaders:]
    probes = np.array([0, 1, 2, 5, 12, 20, n - 1])
    gone = surely_dominated(bound_past[probes], bound_future[probes], past[probes][:, led], future[probes][:, led])
    kept = undominated(bound_past, bound_future, past[:, led], future[:, led])
    below = [((past <= past[:, [k]]) & (future <= future[:, [k]])).all(axis=0) for k in led]
    dominated = np.any(below, axis=0)
    assert gone.any() and not (gone & ~dominated).any() and not (~kept & ~dominated).any()
    assert not (gone & kept).any(), "what is surely below is found below"
