"""Uniform: the landmarks and any one other timestamp share one budget evenly."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.budgets.quanta import share
from lmdk_widgets.budgets.schemes.base import LANDMARKS_AND, Pair, Scheme
from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats


class _Uniform(Scheme):
    def allocate(self, n: int, landmarks: Indices, epsilon: float, window: int) -> Floats:
        """``epsilon / (|L| + 1)``, or ``epsilon / n`` if all are landmarks."""
        return np.full(n, share(epsilon, min(len(landmarks) + 1, n)))

    def mean_shares(self, counts: Floats, n: int) -> Floats:
        """|L| + 1, one less when all are landmarks."""
        return np.minimum(counts + 1.0, n)


SCHEME = _Uniform(
    name="uniform",
    title="Uniform",
    meaning="the landmarks and any one other timestamp share one budget evenly.",
    keeps="Theorem",
    pairs=(Pair(LANDMARKS_AND, (1, 3, 4)),),
    grows=False,
    formula="2 r (|L| + 1) / ε, with n instead of |L| + 1 if all are landmarks",
    formula_alone="2 r / ε",
    colour="blue",
    dash="solid",
)
