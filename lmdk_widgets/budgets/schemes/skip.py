"""Skip: landmarks are not measured; the last release is repeated there."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.budgets.quanta import share
from lmdk_widgets.budgets.schemes.base import LANDMARKS_AND, Pair, Scheme, Told
from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats


class _Skip(Scheme):
    def allocate(self, n: int, landmarks: Indices, epsilon: float, window: int) -> Floats:
        """``epsilon`` at regular timestamps, 0 at landmarks."""
        budgets = np.full(n, share(epsilon, 1))
        budgets[landmarks] = 0.0
        return budgets

    def sentence(self, told: Told) -> str:
        """The landmarks spend nothing."""
        be, spend, them = ("is", "spends", "it") if told.k == 1 else ("are", "spend", "them")
        others = "" if told.k == told.n else "; every other timestamp may spend the whole budget of {epsilon}"
        text = f"{be} not measured and {spend} no budget, which does not make {them} safe if"
        return "Your {protected} " + text + " {values} are correlated" + f"{others}."

    def dummies(self) -> str:
        """How many timestamps are not measured."""
        return "Skip leaves out {protected_timestamps} instead of {own_landmarks}."


SCHEME = _Skip(
    name="skip",
    title="Skip",
    meaning="landmarks are not measured; the last release is repeated there.",
    keeps="Theorem",
    pairs=(
        Pair(f"{LANDMARKS_AND}, which is repeated at a landmark", (1, 3, 4)),
        Pair(f"{LANDMARKS_AND}, the last one", (1, 4, 5)),
    ),
    skips=True,
    formula_alone="2 r / ε",
    warning="Skip measures nothing at the landmarks.",
    colour="orange",
    dash="dash",
)
