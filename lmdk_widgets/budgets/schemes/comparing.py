"""Budget Distribution and Budget Absorption: w-event privacy for streams that rarely change.

At every timestamp, a private comparison, paid from one half of epsilon, measures how far off the last release is. Only
if it is further off than the noise of a new release would be, a new release is made and paid from the other half.

For locations, the dissimilarity is the distance from the last release to the true point. It changes by at most d when
the point moves by d, so with Laplace noise of scale ``2 w r / epsilon`` metres it costs ``epsilon / (2 w)`` at the
protection radius r. Like Adaptive, each scheme is written twice in its module: for one release, without data, and for
many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from lmdk_widgets.budgets.quanta import quanta, quantum
from lmdk_widgets.budgets.request import Release, Request
from lmdk_widgets.budgets.schemes.base import Lanes, N, Pair, Scheme
from lmdk_widgets.budgets.sources import NoiseSource, Numbers
from lmdk_widgets.geo import Floats

FAR = float("inf")
"""Represents the last release when there is none: the distance to it exceeds every threshold."""


class Halves(NamedTuple):
    """Epsilon split for a window: one half for comparing, spread evenly, and one for publishing.

    Attributes
    ----------
    quantum : the value of one quantum.
    share : epsilon / (2 w) in quanta: what a comparison costs, and what Budget Absorption has for each timestamp.
    publishing : epsilon / 2 in quanta: what a window has for publications.
    window : w.
    """

    quantum: float
    share: int
    publishing: int
    window: int

    @property
    def comparison(self) -> float:
        """The budget of one comparison."""
        return self.share * self.quantum


def halves(epsilon: float, window: int) -> Halves:
    """Epsilon split for a window."""
    half = quanta(epsilon) // 2
    return Halves(quantum(epsilon), half // window, half, window)


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparing(Scheme):
    """A scheme that compares with the last release before publishing, and keeps every window within epsilon."""

    keeps: Literal["Theorem", "window", "timestamp", "loss", "nothing"] = "window"
    online: bool = True
    compares: bool = True
    alike: bool = True
    options: frozenset[str] = frozenset({"initial"})
    pairs: tuple[Pair, ...] = (
        Pair("series that differ at the first timestamp, window 1", (0,), (0.0,) * N, 1, -1.0),
        Pair("series that differ at two timestamps in a row; seldom spends everything", (2, 3), tight=False),
    )
    fails: str = "This w-event scheme"
    loop: Callable[..., list[int]]
    lanes: Callable[..., Lanes]
    """The scheme for one release, and for many at once."""
    part: float
    """The largest fraction of epsilon that one publication can cost."""

    def release(self, request: Request, rng: np.random.Generator) -> Release:
        """Publish wherever the last release is too far off."""
        n, split = len(request.source), halves(request.epsilon, request.window)
        draw, jitter = request.source.draw(rng), rng.laplace(size=n)
        slack = (jitter * (draw.size / split.comparison)).tolist()
        compare = lambda t, output: draw.off(t, output) + slack[t]  # noqa: E731
        amounts = self.loop(n, split, draw.perturb, compare, draw.displacement, request.initial)
        budgets = np.fromiter(amounts, np.int64, n).astype(np.float64) * split.quantum
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

    def published(self, epsilon: float, window: int) -> float:
        """The most that the publications of any window spend together, whatever the comparisons find."""
        return epsilon / 2

    def largest(self, epsilon: float, window: int, here: float) -> float:
        """The most expensive publication and its comparison."""
        return epsilon * self.part + self.compared(epsilon, window)
