"""Weighted: the least expected error of fixed budgets that measure every timestamp; landmarks get less."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.budgets.quanta import quanta, quantum
from lmdk_widgets.budgets.schemes.base import LANDMARKS_AND, Pair, Scheme, Told
from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats


class _Weighted(Scheme):
    def allocate(self, n: int, landmarks: Indices, epsilon: float, window: int) -> Floats:
        """The least mean noise under the Theorem; each regular timestamp gets all that the landmarks leave."""
        k, total = len(landmarks), quanta(epsilon)
        each = total // k if k == n else int(total / (k + math.sqrt(n - k)))
        budgets = np.full(n, (total - k * each) * quantum(epsilon))
        budgets[landmarks] = each * quantum(epsilon)
        return budgets

    def mean_shares(self, counts: Floats, n: int) -> Floats:
        """(|L| + sqrt(n - |L|))^2 / n; without a landmark every timestamp alone may spend the whole budget."""
        found: Floats = np.where(counts > 0, (counts + np.sqrt(n - counts)) ** 2 / n, 1.0)
        return found

    def sentence(self, told: Told) -> str:
        """What the landmarks spend, and how much noise they accept for the least error."""
        text = super().sentence(told)
        if told.n - told.k > 1 and told.noisy:
            text += " Of all budgets fixed beforehand that satisfy this and measure every timestamp, these have {least_error}"
        return text


SCHEME = _Weighted(
    name="weighted",
    title="Weighted",
    meaning="the least expected error of fixed budgets that measure every timestamp; landmarks get less.",
    keeps="Theorem",
    pairs=(Pair(LANDMARKS_AND, (1, 3, 4)),),
    formula="2 r (|L| + √(n − |L|))² / (n ε)",
    formula_alone="2 r / ε",
    colour="green",
    dash="solid",
)
