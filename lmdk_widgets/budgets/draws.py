"""How far releases are off on average: the same release drawn many times."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.budgets.adaptive import reservation
from lmdk_widgets.budgets.lanes import absorb_lanes, adaptive_lanes, distribute_lanes
from lmdk_widgets.budgets.releases import COMPARING, Request, check, known_budgets, perform
from lmdk_widgets.budgets.sources import CallSource, NoiseSource, Numbers, repeated
from lmdk_widgets.budgets.window import halves
from lmdk_widgets.checks import whole
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import Mechanism

_VALUES_AT_ONCE = 2_000_000
"""Draws are made in blocks of about so many values, 32 MB of points."""


def release_many(
    values: ArrayLike,
    scheme: str,
    landmarks: Iterable[int],
    epsilon: float,
    mechanism: Mechanism | str | Callable[..., Any],
    *,
    rng: np.random.Generator,
    draws: int,
    window: int | None = None,
    error: Callable[[Numbers], Floats] | None = None,
    **options: Any,
) -> Floats:
    """Errors of many releases of the same values: ``distance(output_t, value_t)``.

    Row k is the error of the k-th of `draws` successive calls of `release` with the same generator; so the first row
    belongs to ``release(..., rng=numpy.random.default_rng(seed))`` if `rng` begins at the same seed. (Equal up to the
    last digits: one runs in plain Python and the other in arrays.)

    Parameters
    ----------
    values, scheme, landmarks, epsilon, mechanism, rng, window, options : see `release`.
    draws : number of releases, at least 1.
    error : for a mechanism that adds noise, from the outputs (n, k) of k releases, complex for points, to their errors
        (n, k), NaN for NaN; None: the absolute difference.

    Returns
    -------
    (draws, n) distances between what stands published and the truth, in the unit of the values (metres for points);
    NaN where there is no release.

    Raises
    ------
    InputError : see `release`.

    Notes
    -----
    Guarantee: none. Errors are computed from the true values and are for whoever holds them; every row published would
    be a release of its own and cost its budget again.

    Examples
    --------
    >>> from lmdk_widgets.noise import Laplace
    >>> errors = release_many(np.zeros(8), "user", [], 1.0, Laplace(), rng=np.random.default_rng(1), draws=1000)
    >>> errors.shape, round(float(errors.mean()), 1)  # the expected error is n / epsilon = 8
    ((1000, 8), 8.0)
    """
    request = check(values, scheme, landmarks, epsilon, mechanism, rng, window, options)
    draws = whole(draws, "draws")
    origin, n = request.source, len(request.source)
    if isinstance(origin, CallSource):
        return np.array([origin.errors(perform(request, rng).outputs) for _ in range(draws)])
    errors = np.empty((draws, n))
    block = max(1, _VALUES_AT_ONCE // n)
    for first in range(0, draws, block):
        outputs = _block(request, origin, rng, min(block, draws - first))
        found = np.abs(outputs - origin.true[:, None]) if error is None else error(outputs)
        errors[first : first + block] = found.T
    return errors


def _block(request: Request, origin: NoiseSource, rng: np.random.Generator, k: int) -> Numbers:
    """What stands published, (n, k), in k releases; random numbers are taken in the order of k calls of `release`."""
    scheme, n, size = request.scheme, len(origin), origin.size
    # filled one release after another, then turned over, as the loops read all releases of one timestamp
    noise, decisions = np.empty((k, n), origin.true.dtype), np.empty((k, n))
    for row in range(k):
        noise[row] = origin.noise(rng)
        if scheme == "adaptive":
            rng.random(out=decisions[row])
        elif scheme in COMPARING:
            decisions[row] = rng.laplace(size=n)
    noise = np.ascontiguousarray(noise.T)
    if scheme == "adaptive":
        start, uniforms = reservation(n, request.landmarks, request.epsilon), np.ascontiguousarray(decisions.T)
        return adaptive_lanes(start, origin.true, noise, uniforms, size, request.increase, request.decrease)
    if scheme in COMPARING:
        split = halves(request.epsilon, request.window)
        slack = np.ascontiguousarray(decisions.T) * (size / split.comparison)
        lanes = distribute_lanes if scheme == "budget-distribution" else absorb_lanes
        return lanes(split, origin.true, noise, slack, size, origin.displacement, request.initial)
    budgets = known_budgets(request)
    when = np.flatnonzero(budgets)
    fresh = noise[when] * (size / budgets[when])[:, None] + origin.true[when, None]
    return repeated(fresh, when, n, None)
