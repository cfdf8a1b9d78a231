"""User level: the whole track shares one budget."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.budgets.quanta import share
from lmdk_widgets.budgets.schemes.base import N, Pair, Scheme, Told
from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats


class _User(Scheme):
    def allocate(self, n: int, landmarks: Indices, epsilon: float, window: int) -> Floats:
        """``epsilon / n``."""
        return np.full(n, share(epsilon, n))

    def sentence(self, told: Told) -> str:
        """All timestamps share the budget."""
        if told.n == 1:
            return "The only timestamp may spend the whole budget of {epsilon}."
        return "{all_timestamps} share the budget of {epsilon}, {each_budget} each."


SCHEME = _User(
    name="user",
    title="User level",
    meaning="the whole track shares one budget.",
    keeps="Theorem",
    pairs=(Pair("series that differ everywhere", tuple(range(N))),),
    alike=True,
    grows=False,
    shrinks=True,
    formula="2 r n / ε",
    formula_alone="2 r n / ε",
    colour="grey",
    dash="dash",
)
