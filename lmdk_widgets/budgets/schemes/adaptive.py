"""Adaptive: like Uniform, but measures less often while releases change little. See `budgets.adaptive`."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.budgets.adaptive import adaptive_budgets, adaptive_lanes, reservation, reserved
from lmdk_widgets.budgets.quanta import share
from lmdk_widgets.budgets.request import Release, Request
from lmdk_widgets.budgets.schemes.base import LANDMARKS, LANDMARKS_AND, N, Pair, Scheme, Told
from lmdk_widgets.budgets.sources import NoiseSource, Numbers
from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats

JUMPS = (0.0, 1000.0, 0.0, 1000.0, 0.0, 1000.0)
"""Values that change by far more than the noise: whoever compares always sees a change."""


class _Adaptive(Scheme):
    def allocate(self, n: int, landmarks: Indices, epsilon: float, window: int) -> Floats:
        """Uniform's share, with which it begins."""
        return np.full(n, share(epsilon, min(len(landmarks) + 1, n)))

    def release(self, request: Request, rng: np.random.Generator) -> Release:
        """Samples with a rate that falls while little changes."""
        n = len(request.source)
        draw, uniforms = request.source.draw(rng), rng.random(n)
        start = reservation(n, request.landmarks, request.epsilon)
        rates = draw.adaptive(start, uniforms.tolist(), request.increase, request.decrease)
        rate = np.fromiter(rates, float, n)
        published = uniforms < rate
        could = reserved(start, np.flatnonzero(~published))
        budgets = np.where(published, could, 0.0)
        return Release(draw.outputs(budgets), budgets, published, request.landmarks, rate, could)

    def decisions(self, rng: np.random.Generator, out: Floats) -> None:
        """Uniform numbers, against which the rate is held."""
        rng.random(out=out)

    def many(
        self, request: Request, origin: NoiseSource, noise: Numbers, decisions: Floats, factor: float | Floats
    ) -> Numbers:
        """See `Scheme.many`."""
        start = reservation(len(origin), request.landmarks, request.epsilon)
        size = origin.size * factor
        return adaptive_lanes(start, origin.true, noise, decisions, size, request.increase, request.decrease)

    def reserves(self, pair: Pair, epsilon: float, new: list[bool]) -> list[float]:
        """See `Scheme.reserves`."""
        return adaptive_budgets(N, LANDMARKS, epsilon, [t for t in range(N) if not new[t]]).tolist()

    def sentence(self, told: Told) -> str:
        """What was measured, and what the landmarks spend of the budget."""
        verb = "spends" if told.k == 1 else "together spend"
        others = "" if told.k == told.n else f", with any one other timestamp at most {told.most}"
        return f"{told.measured}. {told.who} {verb} {told.share} of the budget of {told.epsilon}{others}."


SCHEME = _Adaptive(
    name="adaptive",
    title="Adaptive",
    meaning="like Uniform, but measures less often while releases change little.",
    keeps="Theorem",
    pairs=(
        Pair(f"{LANDMARKS_AND}; values jump, so that all are sampled", (1, 3, 4), JUMPS),
        Pair(f"{LANDMARKS_AND}; values stay, so that some are skipped and others get their budget", (1, 4, 5)),
    ),
    online=True,
    options=frozenset({"increase", "decrease"}),
    choices=("increase", "decrease"),
    colour="purple",
    dash="solid",
)
