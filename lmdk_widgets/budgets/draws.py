"""The errors of releases: the same release drawn many times."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.budgets.releases import check, perform
from lmdk_widgets.budgets.request import Request
from lmdk_widgets.budgets.schemes import SCHEMES
from lmdk_widgets.budgets.sources import NoiseSource, Numbers
from lmdk_widgets.checks import positives, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import Mechanism, RandomizedResponse

_VALUES_AT_ONCE = 2_000_000
"""Draws are made in blocks of about this many values, 32 MB of points."""

_LANES_AT_ONCE = 200_000
"""The same for noise of many sizes: small enough for the processor's cache."""


def release_many(
    values: ArrayLike,
    scheme: str,
    landmarks: Iterable[int],
    epsilon: float,
    mechanism: Mechanism | RandomizedResponse | str | Callable[..., Any],
    *,
    rng: np.random.Generator,
    draws: int,
    window: int | None = None,
    error: Callable[[Numbers], Floats] | None = None,
    **options: Any,
) -> Floats:
    """Errors of many releases of the same values: ``distance(output_t, value_t)``.

    Row k is the error of the k-th of `draws` successive calls of `release` with the same generator, so the first row
    belongs to ``release(..., rng=numpy.random.default_rng(seed))`` if `rng` starts from the same seed. (They are equal
    up to the last digits: one runs in plain Python and the other in arrays.)

    Parameters
    ----------
    values, scheme, landmarks, epsilon, mechanism, rng, window, options : see `release`.
    draws : number of releases, at least 1.
    error : for a mechanism that adds noise, a function from the outputs (n, k) of k releases, complex for points, to
        their errors (n, k), NaN for NaN; None: the absolute difference.

    Returns
    -------
    (draws, n) distances between the current published outputs and the truth, in the unit of the values (metres for
    points); NaN where there is no release yet.

    Raises
    ------
    InputError : see `release`.

    Notes
    -----
    Guarantee: none. Errors are computed from the true values and are meant only for their owner; publishing a row would
    be another release and cost its budget again.

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
    if not isinstance(origin, NoiseSource):
        return np.array([origin.errors(perform(request, rng).outputs) for _ in range(draws)])
    errors = np.empty((draws, n))
    block = max(1, _VALUES_AT_ONCE // n)
    for first in range(0, draws, block):
        outputs = _block(request, origin, rng, min(block, draws - first))
        found = np.abs(outputs - origin.true[:, None]) if error is None else error(outputs)
        errors[first : first + block] = found.T
    return errors


def rescaled_errors(
    values: ArrayLike,
    scheme: str,
    landmarks: Iterable[int],
    epsilon: float,
    mechanism: Mechanism | str,
    *,
    rng: np.random.Generator,
    draws: int,
    factors: ArrayLike,
    window: int | None = None,
    error: Callable[[Numbers], Floats] | None = None,
    **options: Any,
) -> Floats:
    """Errors as in `release_many`, for noise of many sizes from the same random numbers.

    A mechanism's noise is proportional to its size divided by epsilon, so row j also holds for epsilon / factors[j].

    Parameters
    ----------
    values, scheme, landmarks, epsilon, rng, draws, window, error, options : see `release_many`.
    mechanism : one that adds noise.
    factors : (m,) factors by which the mechanism's noise is multiplied, above 0.

    Returns
    -------
    (m, draws, n) distances between the current published outputs and the truth; NaN where there is no release yet.

    Raises
    ------
    InputError : see `release`; a function as the mechanism, a factor that is not a number above 0.

    Examples
    --------
    >>> from lmdk_widgets.noise import Laplace
    >>> how = {"draws": 500, "rng": np.random.default_rng(1), "factors": [1.0, 3.0]}
    >>> errors = rescaled_errors(np.zeros(8), "user", [], 1.0, Laplace(), **how)
    >>> errors.shape, round(float((errors[1] / errors[0]).max()), 9)
    ((2, 500, 8), 3.0)
    """
    request = check(values, scheme, landmarks, epsilon, mechanism, rng, window, options)
    origin, n, draws = request.source, len(request.source), whole(draws, "draws")
    sizes = positives(factors, "factors")
    if not isinstance(origin, NoiseSource):
        raise InputError("The mechanism must be one that adds noise, as only noise has a size")
    noise, decisions = _random(request, origin, rng, draws)
    errors = np.empty((len(sizes), draws, n))
    at_once = max(1, _LANES_AT_ONCE // (n * draws))
    for first in range(0, len(sizes), at_once):
        some = np.repeat(sizes[first : first + at_once], draws)
        often = (1, len(some) // draws)
        outputs = _published(request, origin, np.tile(noise, often), np.tile(decisions, often), some)
        found = np.abs(outputs - origin.true[:, None]) if error is None else error(outputs)
        errors[first : first + at_once] = found.T.reshape(-1, draws, n)
    return errors


def _block(request: Request, origin: NoiseSource, rng: np.random.Generator, k: int) -> Numbers:
    """The current published outputs, (n, k), in k releases."""
    return _published(request, origin, *_random(request, origin, rng, k), 1.0)


def _random(request: Request, origin: NoiseSource, rng: np.random.Generator, k: int) -> tuple[Any, Floats]:
    """Noise and numbers for decisions, (n, k) each, in the order in which k calls of `release` use them."""
    scheme, n = SCHEMES[request.scheme], len(origin)
    # filled one release after another, then transposed, as the loops read all releases of one timestamp
    noise, decisions = np.empty((k, n), origin.true.dtype), np.empty((k, n))
    for row in range(k):
        noise[row] = origin.noise(rng)
        scheme.decisions(rng, decisions[row])
    return np.ascontiguousarray(noise.T), np.ascontiguousarray(decisions.T)


def _published(
    request: Request, origin: NoiseSource, noise: Numbers, decisions: Floats, factor: float | Floats
) -> Numbers:
    """The current published outputs, (n, k), in k releases, with the noise times one factor, or a factor for each."""
    return SCHEMES[request.scheme].many(request, origin, noise, decisions, factor)
