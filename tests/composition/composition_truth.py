"""Slow, independent ways to delta: enumeration, closed forms, and direct convolution of distribution functions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
from scipy import integrate

Below = Callable[[float, float], float]
"""P(privacy loss <= l) of one release with budget b, as a function of l and b."""


def laplace_below(loss: float, budget: float) -> float:
    """From the output x: the loss is b(|x - 1| - |x|), with x of scale 1/b."""
    if loss >= budget:
        return 1.0
    if loss < -budget:
        return 0.0
    x = (budget - loss) / (2 * budget)  # the loss falls as x grows
    return math.exp(-budget * x) / 2


def response_below(loss: float, budget: float) -> float:
    if loss >= budget:
        return 1.0
    return 0.0 if loss < -budget else 1 / (1 + math.exp(budget))


def planar_below(loss: float, budget: float) -> float:
    """In polar coordinates about the true place: the loss is at most l beyond a branch of a hyperbola."""
    t = loss / budget
    if t >= 1:
        return 1.0
    if t <= -1:
        return 0.0

    def beyond(angle: float) -> float:
        reach = budget * (1 - t * t) / (2 * (t + math.cos(angle)))
        return (1 + reach) * math.exp(-reach) if reach < 700 else 0.0

    last = math.acos(-t)
    turn = math.acos(max(min(budget * (1 - t * t) / 2 - t, 1), -1))  # where the reach is 1: it falls off beyond
    edges = sorted({0.0, min(turn, last), (turn + last) / 2 if turn < last else last, last})
    parts = [
        integrate.quad(beyond, a, b, epsabs=1e-14, epsrel=1e-11, limit=200)[0] for a, b in itertools.pairwise(edges)
    ]
    return math.fsum(parts) / math.pi


BELOW: dict[str, Below] = {"laplace": laplace_below, "response": response_below, "planar_laplace": planar_below}


def between(below: Below, budgets: list[float], epsilon: float, step: float) -> tuple[float, float]:
    """A lower and an upper bound of delta: every loss rounded down, or up, to the step, and convolved directly."""
    bounds = []
    for up in (0, 1):
        total, first = np.ones(1), 0
        for budget in budgets:
            reach = math.ceil(budget / step) + 1
            at = [below(k * step, budget) for k in range(-reach, reach + 1)]
            total = np.convolve(total, np.diff([0.0, *at]))  # the chance of (k - 1, k] at k
            first += -reach + (0 if up else -1)
        losses = (first + np.arange(len(total))) * step
        bounds.append(float((total * np.maximum(-np.expm1(np.minimum(epsilon - losses, 0)), 0)).sum()))
    return bounds[0], bounds[1]


def response_exact(n: int, budget: float, epsilon: float) -> float:
    """n equal budgets: the number of true answers is binomial."""
    truth = 1 / (1 + math.exp(-budget))
    parts = []
    for true in range(n + 1):
        loss = (2 * true - n) * budget
        if loss > epsilon:
            log = math.lgamma(n + 1) - math.lgamma(true + 1) - math.lgamma(n - true + 1)
            log += true * math.log(truth) + (n - true) * math.log1p(-truth)
            parts.append(math.exp(log) * -math.expm1(epsilon - loss))
    return math.fsum(parts)


def response_enumerated(budgets: list[float], epsilon: float) -> float:
    """Any budgets: all outputs."""
    truths = [1 / (1 + math.exp(-b)) for b in budgets]
    total = 0.0
    for bits in range(2 ** len(budgets)):
        signs = [1 if bits >> k & 1 else -1 for k in range(len(budgets))]
        loss = sum(s * b for s, b in zip(signs, budgets, strict=True))
        if loss > epsilon:
            total += math.prod(p if s > 0 else 1 - p for p, s in zip(truths, signs, strict=True)) * -math.expm1(
                epsilon - loss
            )
    return total


def gaussian_exact(epsilon: float, mu: float) -> float:
    """The closed form, with as many digits as it takes."""
    import mpmath

    with mpmath.workdps(80):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return float(mpmath.ncdf(-e / m + m / 2) - mpmath.exp(e) * mpmath.ncdf(-e / m - m / 2))
