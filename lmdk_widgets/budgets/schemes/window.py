"""w-event uniform: any w timestamps in a row share one budget."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.budgets.quanta import share
from lmdk_widgets.budgets.schemes.base import Pair, Scheme
from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats


class _Window(Scheme):
    def allocate(self, n: int, landmarks: Indices, epsilon: float, window: int) -> Floats:
        """``epsilon / window``."""
        return np.full(n, share(epsilon, window))


SCHEME = _Window(
    name="window",
    title="w-event uniform",
    meaning="any w timestamps in a row share one budget.",
    keeps="window",
    pairs=(Pair("series that differ at two timestamps in a row", (2, 3)),),
    alike=True,
    grows=False,
    formula="2 r w / ε",
    formula_alone="2 r w / ε",
    fails="w-event level",
    colour="sky",
    dash="solid",
)
