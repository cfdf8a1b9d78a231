"""Randomised response as a mechanism without data, for a series of yes/no answers that is released over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import floats
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats


@dataclass(frozen=True)
class RandomizedResponse:
    """Warner's randomised response: an answer is kept with chance ``e^b / (e^b + 1)`` at budget b, else turned round.

    The counterpart of `Laplace` and `PlanarLaplace` for answers; its noise has no size, so it is no `Mechanism`.

    Notes
    -----
    Guarantee: an answer with budget b is b-differentially private (Warner, "Randomized response", JASA 1965).
    Numerics: computed as ``1 / (1 + e^b)``, which loses no digits; e^b may overflow to infinity, and the chance is 0.

    Examples
    --------
    >>> RandomizedResponse().wrong([0.0, np.log(3), np.inf]).round(9).tolist()
    [0.5, 0.25, 0.0]
    """

    def wrong(self, budgets: ArrayLike) -> Floats:
        """The chance of a wrong answer at each budget, which is the expected error: 1/2 at 0, and none at infinity."""
        spent = np.asarray(budgets, float)
        with np.errstate(over="ignore"):
            chance: Floats = 1 / (1 + np.exp(spent))
        return chance


def checked_answers(values: ArrayLike, name: str) -> Floats:
    """Answers as (n,) numbers, each 0 or 1.

    Raises
    ------
    InputError : no answers, or one that is neither 0 nor 1.
    """
    answers = floats(values, name, "answers, 0 or 1")
    if answers.ndim != 1 or not len(answers):
        what = f"{name} must hold one answer for each timestamp, shape (n,)"
        raise InputError(what, value=f"shape {answers.shape}")
    bad = ~((answers == 0) | (answers == 1))
    if bad.any():
        raise InputError(
            f"{name} must hold answers, 0 or 1", value=f"another number at timestamp {int(np.argmax(bad)):,}"
        )
    return answers
