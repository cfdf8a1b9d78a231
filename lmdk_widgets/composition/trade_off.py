"""Trade-off curves: false alarms against missed detections of the best test that distinguishes two neighbouring inputs.

A test looks at all outputs and may say "the person is in the data". It raises a false alarm with probability ``alpha``
if the person is not, and misses the person with probability ``beta`` if they are. The curve shows the smallest beta for
each alpha; guessing has ``beta = 1 - alpha``. (epsilon, delta) is a straight line below the curve: ``beta >= 1 - delta
- e^epsilon alpha``. Paper: Dong, Roth, Su, "Gaussian differential privacy", Journal of the Royal Statistical Society B,
2022.
"""

from __future__ import annotations

from math import exp
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import distribution, one_of, positive, refused, whole
from lmdk_widgets.composition.at_delta import Budgets, budgets_of, composed
from lmdk_widgets.composition.losses import LAPLACE, PLANAR_LAPLACE, RESPONSE
from lmdk_widgets.composition.together import TAIL
from lmdk_widgets.geo import Floats

KINDS = ("pure", "laplace", "response", "planar_laplace", "gaussian")
"""What the curve describes: any mechanisms whose epsilons add up, or mechanisms with their own privacy loss."""

_LOSSES = {losses.name: losses for losses in (LAPLACE, RESPONSE, PLANAR_LAPLACE)}


def trade_off(
    kind: str, *, epsilons: ArrayLike | None = None, mu: float | None = None, points: int = 201
) -> tuple[Floats, Floats]:
    """The best test's missed detections at each share of false alarms, never overstated.

    Parameters
    ----------
    kind : "pure": any mechanisms, by the sum of their epsilons. "laplace", "response", "planar_laplace": releases by
        this mechanism, by its own privacy loss. "gaussian": Gaussian noise.
    epsilons : (n,) the epsilon of each release, 0 or more; not for "gaussian". mu : ``sensitivity / sigma``, above 0,
    for "gaussian".
    points : the number of points on the curve, 2 or more.

    Returns
    -------
    false_alarm (points,) from 0 to 1 in equal steps, missed (points,) from 1 to 0.

    Raises
    ------
    InputError : an unknown kind; epsilons or mu missing, not needed or out of range.

    Examples
    --------
    >>> false_alarm, missed = trade_off("pure", epsilons=[0.5, 0.5], points=3)
    >>> false_alarm.tolist(), missed.round(6).tolist()
    ([0.0, 0.5, 1.0], [1.0, 0.18394, 0.0])
    >>> trade_off("gaussian", mu=1, points=3)[1].round(6).tolist()  # Phi(-1) in the middle
    [1.0, 0.158655, 0.0]
    """
    one_of(kind, "kind", KINDS)
    for name, given, wanted in (("epsilons", epsilons, kind != "gaussian"), ("mu", mu, kind == "gaussian")):
        if (given is None) == wanted:
            what = f'given for kind="{kind}"' if wanted else f'None, as kind="{kind}" has none'
            raise refused(name, what, "None" if given is None else "a value")
    false_alarm = np.linspace(0, 1, whole(points, "points", least=2))
    if kind == "gaussian":
        shift, normal = positive(mu, "mu"), NormalDist()
        inner = [normal.cdf(normal.inv_cdf(1 - alpha) - shift) for alpha in false_alarm[1:-1].tolist()]
        return false_alarm, np.array([1.0, *inner, 0.0])
    budgets, most = budgets_of(epsilons if epsilons is not None else ())
    missed = _pure(false_alarm, most)
    if kind != "pure" and most > 0:
        missed = np.maximum(missed, _together(kind, budgets, false_alarm))
    return false_alarm, missed


def trade_off_between(first: ArrayLike, second: ArrayLike, *, points: int = 201) -> tuple[Floats, Floats]:
    """The trade-off curve of one release with finitely many outputs, between two inputs.

    The best test says "the first input" for the outputs with the largest ``first / second``, and tosses a coin for the
    borderline output (Neyman and Pearson, 1933). A false alarm says so when the input is the second.

    Parameters
    ----------
    first, second : (k,) the probability of each output for the two inputs, summing to 1. points : the number of points
    on the curve, 2 or more.

    Returns
    -------
    false_alarm (points,) from 0 to 1 in equal steps, missed (points,) misses of the first input, falling to 0.

    Raises
    ------
    InputError : probabilities that are not two distributions over the same outputs.

    Examples
    --------
    >>> trade_off_between([0.75, 0.25], [0.25, 0.75], points=5)[1].round(6).tolist()
    [1.0, 0.25, 0.166667, 0.083333, 0.0]
    """
    one = np.asarray(first, float)
    one, two = (distribution(chances, name, one.size) for chances, name in ((first, "first"), (second, "second")))
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-np.where(one > 0, one / two, 0), kind="stable")
    alpha = np.minimum(np.cumsum([0.0, *two[order]]), 1)
    beta = np.maximum(1 - np.cumsum([0.0, *one[order]]), 0)
    alpha[-1], beta[-1] = 1, 0
    last = np.append(np.diff(alpha) > 0, True)  # of tests with the same false alarms, the one that misses least
    false_alarm = np.linspace(0, 1, whole(points, "points", least=2))
    return false_alarm, np.interp(false_alarm, alpha[last], beta[last])


def _pure(false_alarm: Floats, epsilon: float) -> Floats:
    """Two lines with slopes -e^epsilon and -e^-epsilon."""
    steep = 1 - exp(min(epsilon, 700)) * false_alarm
    return np.maximum(np.maximum(steep, exp(-epsilon) * (1 - false_alarm)), 0)


def _together(kind: str, budgets: Budgets, false_alarm: Floats) -> Floats:
    """From the privacy loss S of all releases: the tests "S > t", with a coin toss between two of them.

    The inputs are symmetric: a false alarm at t has probability ``P(S < -t)``. All errors favour the attacker.
    """
    found = composed(_LOSSES[kind], budgets).tilted(0.0)
    below = np.concatenate([[0.0], np.cumsum(found.chances)])
    point = found.start + np.arange(len(found.chances))[::-1]
    alpha = below[np.clip(-point - found.start, 0, len(point))]
    beta = below[point - found.start + 1]
    margin = len(point) * found.error + 2 * TAIL + found.slack
    alpha, beta = np.array([0.0, *alpha, 1.0]), np.array([1.0, *beta, 0.0])
    return np.clip(np.interp(false_alarm + margin, alpha, beta) - margin, 0, 1)
