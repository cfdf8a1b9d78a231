"""What Budget Distribution and Budget Absorption share: they publish where a private comparison says so.

See `budgets.window`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lmdk_widgets.budgets.adaptive import Lanes
from lmdk_widgets.budgets.request import Release, Request
from lmdk_widgets.budgets.schemes.base import Scheme
from lmdk_widgets.budgets.sources import NoiseSource, Numbers
from lmdk_widgets.budgets.window import halves
from lmdk_widgets.geo import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparing(Scheme):
    """A scheme that compares with the last release before it publishes."""

    loop: Callable[..., list[int]]
    lanes: Callable[..., Lanes]
    """The scheme for one release, and for many at once."""
    part: float
    """Of epsilon, the most that one publication can cost."""

    def release(self, request: Request, rng: np.random.Generator) -> Release:
        """Publishes where the last release has fallen behind."""
        n, split = len(request.source), halves(request.epsilon, request.window)
        draw, jitter = request.source.draw(rng), rng.laplace(size=n)
        quanta = draw.windowed(self.loop, split, jitter, request.initial)
        budgets = np.fromiter(quanta, np.int64, n).astype(np.float64) * split.quantum
        published = budgets > 0
        outputs = draw.outputs(budgets, request.initial)
        comparing = split.comparison
        return Release(outputs, budgets + comparing, published, request.landmarks, comparison_budget=comparing)

    def decisions(self, rng: np.random.Generator, out: Floats) -> None:
        """The noise of the comparisons."""
        out[:] = rng.laplace(size=len(out))

    def many(
        self, request: Request, origin: NoiseSource, noise: Numbers, decisions: Floats, factor: float | Floats
    ) -> Numbers:
        """See `Scheme.many`."""
        split, size = halves(request.epsilon, request.window), origin.size * factor
        slack, displacement = decisions * (size / split.comparison), origin.displacement * factor
        return self.lanes(split, origin.true, noise, slack, size, displacement, request.initial)

    def largest(self, epsilon: float, window: int, here: float) -> float:
        """The dearest publication and its comparison."""
        return epsilon * self.part + self.compared(epsilon, window)
