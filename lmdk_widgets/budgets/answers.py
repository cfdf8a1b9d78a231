"""Where the true answers are, for releases by randomised response: the counterpart of `sources` for yes and no.

One uniform number is drawn for each timestamp before anything is decided. It turns the answer round where it lies below the
chance of a wrong answer, so that with the same seed a larger budget only takes wrong answers away.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from lmdk_widgets.budgets.adaptive import Reservation, decide
from lmdk_widgets.budgets.repeats import repeated
from lmdk_widgets.budgets.window import Halves, Loops
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import RandomizedResponse
from lmdk_widgets.noise.answers import checked_answers


class AnswerSource:
    """True answers, 0 or 1, with randomised response.

    Attributes
    ----------
    true : (n,) float64.
    """

    def __init__(self, values: Any, mechanism: RandomizedResponse) -> None:
        self.true, self.mechanism = checked_answers(values, "values"), mechanism

    def __len__(self) -> int:
        return len(self.true)

    def draw(self, rng: np.random.Generator) -> AnswerDraw:
        """One release in the making."""
        return AnswerDraw(self, rng)

    def public(self, value: Any) -> float:
        """A public answer, as a number."""
        return float(checked_answers([value], "initial")[0])

    def errors(self, outputs: Floats) -> Floats:
        """1 where an output is wrong, 0 where it is right, NaN where there is none, (n,)."""
        return np.abs(outputs - self.true)


class AnswerDraw:
    """One release in the making, of answers that may be turned round."""

    def __init__(self, source: AnswerSource, rng: np.random.Generator) -> None:
        self.source, self.uniforms = source, rng.random(len(source))

    def adaptive(self, start: Reservation, uniforms: list[float], increase: float, decrease: float) -> list[float]:
        """The sampling rates of Adaptive: two answers that differ have changed by more than any scale of noise."""
        return decide(start, uniforms, self._perturb, lambda a, b: inf if a != b else 0.0, 1.0, increase, decrease)

    def windowed(self, loops: Loops, split: Halves, jitter: Floats, initial: Any) -> list[int]:
        """The quanta published under a budget scheme: where the last release seems to be wrong by more than a new one
        would be on average. An answer changes the comparison by at most 1, and Laplace noise of 1 / budget pays for it."""
        true, slack = self.source.true, jitter / split.comparison
        return loops.plain(
            len(true),
            split,
            self._perturb,
            lambda t, output: abs(output - true[t]) + slack[t],
            lambda budget: float(self.source.mechanism.wrong(budget)),
            initial,
        )

    def outputs(self, budgets: Floats, initial: Any = None) -> Floats:
        """What stands published: the answer, or the other one; repeated where the budget is 0, (n,)."""
        when = np.flatnonzero(budgets)
        wrong = self.uniforms[when] < self.source.mechanism.wrong(budgets[when])
        fresh: Floats = np.abs(self.source.true[when] - wrong)
        outputs: Floats = repeated(fresh, when, len(budgets), initial)
        return outputs

    def _perturb(self, t: int, budget: float) -> float:
        wrong = self.uniforms[t] < self.source.mechanism.wrong(budget)
        return abs(float(self.source.true[t]) - float(wrong))
