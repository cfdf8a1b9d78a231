"""Event level: every timestamp alone may spend the whole budget."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.budgets.quanta import share
from lmdk_widgets.budgets.schemes.base import Pair, Scheme, Told
from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats


class _Event(Scheme):
    def allocate(self, n: int, landmarks: Indices, epsilon: float, window: int) -> Floats:
        """``epsilon`` everywhere."""
        return np.full(n, share(epsilon, 1))

    def sentence(self, told: Told) -> str:
        """Each timestamp may spend the whole budget."""
        if told.n == 1:
            return "The only timestamp may spend the whole budget of {epsilon}."
        return "Each of the {n_timestamps} may spend the whole budget of {epsilon} by itself."


SCHEME = _Event(
    name="event",
    title="Event level",
    meaning="every timestamp alone may spend the whole budget.",
    keeps="timestamp",
    pairs=(Pair("series that differ at one timestamp", (3,)),),
    alike=True,
    grows=False,
    formula="2 r / ε",
    formula_alone="2 r / ε",
    fails="Event level",
    colour="grey",
    dash="solid",
)
