"""One release of a series under any scheme: what is published at every timestamp, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.budgets.allocation import length_of_window
from lmdk_widgets.budgets.request import Release, Request
from lmdk_widgets.budgets.schemes import RELEASE_SCHEMES, SCHEMES
from lmdk_widgets.budgets.sources import source
from lmdk_widgets.checks import budgets, fraction, generator, indices, one_of, positive
from lmdk_widgets.names import ReleaseSchemeName
from lmdk_widgets.noise import Mechanism, RandomizedResponse


class ReleaseOptions(TypedDict, total=False):
    """The options of `release` that only some schemes and mechanisms have."""

    increase: float
    decrease: float
    initial: Any
    budgets: ArrayLike
    sensitivity: float
    radius_m: float
    distance: Callable[[Any, Any], float]


def release(
    values: ArrayLike,
    scheme: ReleaseSchemeName,
    landmarks: Iterable[int],
    epsilon: float,
    mechanism: Mechanism | RandomizedResponse | str | Callable[..., Any],
    *,
    rng: np.random.Generator,
    window: int | None = None,
    **options: Unpack[ReleaseOptions],
) -> Release:
    """Publish a series of numbers or places with ``output_t = value_t + scale(epsilon_t) noise_t``.

    "event", "user", "window", "uniform": publish every timestamp with its budget from `allocate`. "skip": landmarks
    repeat the last release of a regular timestamp; until there is one they publish nothing (NaN), never the true value.
    "adaptive": samples timestamps at a rate that falls when two outputs differ by less than the noise scale and rises
    otherwise; see `adaptive_budgets`. "budget-distribution", "budget-absorption": publish if a private comparison finds
    the last release further off than a new one would be; see `budgets.schemes.comparing`. "predictive": the same, but
    each fresh report costs the same; see `budgets.schemes.predictive`.

    Parameters
    ----------
    values : (n,) numbers, or (n, 2) metres in a local plane; any sequence if the mechanism is a function.
    scheme : one of `RELEASE_SCHEMES`, or "given" with the option `budgets`: (n,) each at least 0.
    landmarks : indices of the landmarks from 0 to n - 1.
    epsilon : total budget, above 0 and finite.
    mechanism : `Laplace`, `PlanarLaplace` or, for answers 0 and 1, `RandomizedResponse`; "laplace" (option
        `sensitivity`) or "planar-laplace" (option `radius_m`); or a function ``(value, epsilon, rng) -> output`` with
        the options `sensitivity` (default 1), used as its scale and mean displacement times epsilon and for the noise
        of comparisons, and `distance` (default Euclidean).
    rng : source of random numbers. The noise at a timestamp depends only on it, not on scheme and epsilon.
    window : w from 1 to n, for the schemes in `WINDOW_SCHEMES`; the others ignore it.
    increase, decrease : for "adaptive": how fast the rate rises and falls, strictly between 0 and 1 (both 0.3 by
        default).
    initial : for schemes that compare: a public value that counts as published before the first release; None
        (default): the first timestamp publishes, as there is nothing to compare with.

    Returns
    -------
    Release

    Raises
    ------
    InputError : values missing or of the wrong shape, an unknown scheme, mechanism or option, anything out of range.

    Notes
    -----
    Guarantee: with outputs that are epsilon_t-private, ``landmark_totals(budgets, landmarks) <= epsilon`` for "user",
    "uniform", "skip" and "adaptive", and ``window_totals(budgets, window) <= epsilon`` for "window" and the two budget
    schemes: exactly, without tolerance. This assumes that timestamps are independent (otherwise see
    `lmdk_widgets.leakage`) and that landmarks are not secret; under Skip the repeats reveal them. For places, "private"
    means at the protection radius, see `PlanarLaplace`. Limits of floating point and of seeds:
    `lmdk_widgets.noise.samplers`.
    Papers: Katsomallos et al., "Landmark privacy", CODASPY 2022; Kellaris et al., VLDB 2014.

    Examples
    --------
    >>> from lmdk_widgets.noise import Laplace
    >>> out = release([3.0, 4.0, 9.0, 9.0], "skip", [0, 2], 1.0, Laplace(0.1), rng=np.random.default_rng(1))
    >>> out.outputs.round(2).tolist(), out.budgets.tolist(), out.published.tolist()
    ([nan, 4.23, 4.23, 9.23], [0.0, 1.0, 0.0, 1.0], [False, True, False, True])
    """
    request = check(values, scheme, landmarks, epsilon, mechanism, rng, window, dict(options))
    return perform(request, rng)


def check(
    values: ArrayLike,
    scheme: str,
    landmarks: Iterable[int],
    epsilon: float,
    mechanism: Any,
    rng: np.random.Generator,
    window: int | None,
    options: dict[str, Any],
) -> Request:
    """The arguments of `release`, checked."""
    one_of(scheme, "scheme", (*RELEASE_SCHEMES, "given"))
    generator(rng)
    total = positive(epsilon, "epsilon")
    origin = source(values, mechanism, options, set(SCHEMES[scheme].options), scheme)
    n = len(origin)
    initial = options.get("initial")
    return Request(
        source=origin,
        scheme=scheme,
        landmarks=indices(landmarks, "landmarks", n),
        epsilon=total,
        window=length_of_window(window, n, scheme),
        increase=fraction(options.get("increase", 0.3), "increase", inside=True),
        decrease=fraction(options.get("decrease", 0.3), "decrease", inside=True),
        initial=None if initial is None else origin.public(initial),
        budgets=budgets(options.get("budgets"), n=n).copy() if SCHEMES[scheme].by_hand else None,
    )


def perform(request: Request, rng: np.random.Generator) -> Release:
    """One release of a checked request."""
    return SCHEMES[request.scheme].release(request, rng)
