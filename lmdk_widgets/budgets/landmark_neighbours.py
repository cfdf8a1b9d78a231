"""Two series that differ in which timestamps are landmarks: how surely the noise of Uniform tells them apart."""

from __future__ import annotations

from math import lgamma, log

import numpy as np

from lmdk_widgets.checks import one_of, positive, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

_PER_TIMESTAMP = {"points": 2, "numbers": 1}
"""The length of planar Laplace noise is a Gamma variable of shape 2, that of Laplace noise one of shape 1."""

KINDS = {"points": "planar Laplace", "numbers": "Laplace", "answers": "randomised response"}


def landmark_sets_told_apart(n: int, k: int, other_k: int, epsilon: float = 1.0, *, kind: str = "points") -> float:
    """How often the best guess is right whether Uniform had k landmarks or `other_k`, for someone who knows the data.

    Parameters
    ----------
    n : number of timestamps, at least 1. k, other_k : numbers of landmarks, 0 to n; beforehand both are equally likely.
    epsilon : of the release, above 0; it matters for answers only.
    kind : what is released: "points" by planar Laplace, "numbers" by Laplace, "answers" by randomised response.

    Returns
    -------
    The chance of a right guess, 1/2 (nothing is told) to 1.

    Raises
    ------
    InputError : a number or a kind that is not allowed.

    Notes
    -----
    The landmark paper calls two series neighbours if they differ in one landmark *event*, and its example has another set
    of landmarks for the same data. Read so, Uniform does not protect: the set decides the budgets, b = epsilon / (k + 1),
    and the size of the noise tells the budget. The log-ratio of the two densities grows without bound with the noise, so no
    epsilon bounds it. With points and numbers the sum of the lengths of the noise is sufficient, a Gamma variable with 2 n
    or n as its shape and rate b: the guess is right (1 + V) / 2 of the time, V the total variation distance; epsilon cancels.
    With answers it is the number of false ones, a binomial. The paper's Theorem, and this package, take the set as given and
    public; what hides it are random dummies (`protect_landmarks`). Skip tells the set of points and numbers with certainty:
    landmarks repeat.

    Examples
    --------
    >>> [round(landmark_sets_told_apart(n, k, k - 1), 4) for n, k in ((8, 4), (2016, 8))]  # Bob, the commuter's week
    [0.6714, 0.9999]
    """
    length = whole(n, "n")
    one_of(kind, "kind", KINDS)
    budgets = [positive(epsilon, "epsilon") / min(_landmarks(each, length) + 1, length) for each in (k, other_k)]
    low, high = sorted(budgets)
    if low == high:
        return 0.5
    if kind == "answers":
        return 0.5 + float(np.abs(_binomial(length, low) - _binomial(length, high)).sum()) / 4
    shape = _PER_TIMESTAMP[kind] * length
    cut = shape * log(high / low) / (high - low)
    return 0.5 + (_gamma_below(shape, high * cut) - _gamma_below(shape, low * cut)) / 2


def _landmarks(k: int, n: int) -> int:
    found = whole(k, "the number of landmarks", least=0)
    if found > n:
        raise InputError(f"The number of landmarks must be at most {n:,}, the number of timestamps", value=f"{found:,}")
    return found


def _gamma_below(shape: int, x: float) -> float:
    """P(Gamma(shape, 1) <= x), by the Poisson sum: one minus the chance of fewer than `shape` events."""
    events = np.arange(shape)
    logs = events * log(x) - x - np.array([lgamma(each + 1) for each in events])
    return 1.0 - float(np.exp(logs).sum())


def _binomial(n: int, budget: float) -> Floats:
    """(n + 1,) chances of each number of false answers."""
    false = 1 / (1 + np.exp(budget))
    wrong = np.arange(n + 1)
    logs = np.array([lgamma(n + 1) - lgamma(each + 1) - lgamma(n - each + 1) for each in wrong])
    return np.asarray(np.exp(logs + wrong * log(false) + (n - wrong) * np.log1p(-false)))
