"""One release of a series under any scheme: what is published at every timestamp, and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.budgets.adaptive import reservation, reserved
from lmdk_widgets.budgets.fixed import FIXED_SCHEMES, budgets_of, length_of_window
from lmdk_widgets.budgets.sources import Source, source
from lmdk_widgets.budgets.window import halves
from lmdk_widgets.checks import Indices, budgets, fraction, generator, indices, one_of, positive
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import Mechanism, RandomizedResponse

SCHEMES = (*FIXED_SCHEMES, "adaptive", "budget-distribution", "budget-absorption")
"""Schemes of `release` that spread an epsilon; "given" takes budgets that were chosen otherwise."""

WINDOW_SCHEMES = ("window", "budget-distribution", "budget-absorption")
"""Schemes that need a window."""

SCHEME_OPTIONS = {
    "given": {"budgets"},
    "adaptive": {"increase", "decrease"},
    "budget-distribution": {"initial"},
    "budget-absorption": {"initial"},
}
"""Options that belong to a scheme; the others have none."""

COMPARING = frozenset({"budget-distribution", "budget-absorption"})
"""Schemes that compare with the last release before they publish."""


@dataclass(frozen=True, eq=False)
class Release:
    """What is published, and what it cost. Arrays cannot be written to.

    Attributes
    ----------
    outputs : (n,) or (n, 2), what stands published at each timestamp, in the unit of the values; NaN where there is no
        release yet.
    budgets : (n,) budgets spent, including `comparison_budget`.
    published : (n,) bool, whether the output is new; otherwise an earlier one is repeated, or there is none.
    landmarks : (k,) indices of the landmarks, ascending.
    rate : (n,) sampling rate in force when each timestamp was decided on ("adaptive" only, otherwise None).
    reserved : (n,) budget that each timestamp had when it was decided on, spent or not ("adaptive" only, otherwise None).
    comparison_budget : part of every timestamp's budget that paid for comparing with the last release: epsilon / (2 w)
        for "budget-distribution" and "budget-absorption", otherwise 0. ``budgets - comparison_budget`` is what the
        publications cost, exactly.
    """

    outputs: Floats
    budgets: Floats
    published: NDArray[np.bool_]
    landmarks: Indices
    rate: Floats | None = None
    reserved: Floats | None = None
    comparison_budget: float = 0.0

    def __post_init__(self) -> None:
        for array in (self.outputs, self.budgets, self.published, self.landmarks, self.rate, self.reserved):
            if array is not None:
                array.flags.writeable = False


@dataclass(frozen=True)
class Request:
    """The checked arguments of a release."""

    source: Source
    scheme: str
    landmarks: Indices
    epsilon: float
    window: int
    increase: float
    decrease: float
    initial: Any
    budgets: Floats | None


def release(
    values: ArrayLike,
    scheme: str,
    landmarks: Iterable[int],
    epsilon: float,
    mechanism: Mechanism | RandomizedResponse | str | Callable[..., Any],
    *,
    rng: np.random.Generator,
    window: int | None = None,
    **options: Any,
) -> Release:
    """Publish a series of numbers or places with ``output_t = value_t + scale(epsilon_t) noise_t``.

    "event", "user", "window", "uniform": every timestamp anew with the budget of `allocate`. "skip": landmarks repeat
    the last release of a regular timestamp; before there is one they publish nothing (NaN), never the true value.
    "adaptive": samples a timestamp with a rate that falls when two outputs differ by less than the noise scale and
    rises otherwise; see `adaptive_budgets`. "budget-distribution", "budget-absorption": publish when a private
    comparison says that the last release has fallen behind by more than a new one would be off; see `budgets.window`.

    Parameters
    ----------
    values : (n,) numbers, or (n, 2) metres in a local plane; for a function as mechanism any sequence.
    scheme : one of `SCHEMES`.
    landmarks : indices of the landmarks from 0 to n - 1.
    epsilon : total budget, above 0 and finite.
    mechanism : `Laplace`, `PlanarLaplace` or, for answers 0 and 1, `RandomizedResponse`; "laplace" (option `sensitivity`) or
        "planar-laplace" (option `radius_m`);
        or a function ``(value, epsilon, rng) -> output`` (options `sensitivity`, 1 unless told, which is its scale and
        mean displacement times epsilon and the noise of comparisons; and `distance`, Euclidean unless told).
    rng : source of random numbers. The noise of a timestamp depends on it alone, not on scheme and epsilon.
    window : w from 1 to n, for "window" and the two budget schemes; others do not look at it.
    increase, decrease : "adaptive": how fast the rate rises and falls, strictly between 0 and 1 (default 0.3 both).
    initial : "budget-distribution", "budget-absorption": a public value that stands published before the first release;
        None (default): the first timestamp publishes, as there is nothing to compare with.

    Returns
    -------
    Release

    Raises
    ------
    InputError : a value missing or of the wrong shape, an unknown scheme, mechanism or option, anything out of range.

    Notes
    -----
    Guarantee: with outputs that are epsilon_t-private, ``landmark_totals(budgets, landmarks) <= epsilon`` for "user",
    "uniform", "skip" and "adaptive", and ``window_totals(budgets, window) <= epsilon`` for "window" and the two budget
    schemes: exactly, without tolerance. It assumes independent timestamps (see `lmdk_widgets.leakage` otherwise) and
    that landmarks are no secret; under Skip the repeats show which they are. For places "private" is at the protection
    radius, see `PlanarLaplace`. Limits of floating point and of seeds: `lmdk_widgets.noise.samplers`.
    Papers: Katsomallos et al., "Landmark privacy", CODASPY 2022; Kellaris et al., VLDB 2014.

    Examples
    --------
    >>> from lmdk_widgets.noise import Laplace
    >>> out = release([3.0, 4.0, 9.0, 9.0], "skip", [0, 2], 1.0, Laplace(0.1), rng=np.random.default_rng(1))
    >>> out.outputs.round(2).tolist(), out.budgets.tolist(), out.published.tolist()
    ([nan, 4.23, 4.23, 9.23], [0.0, 1.0, 0.0, 1.0], [False, True, False, True])
    """
    request = check(values, scheme, landmarks, epsilon, mechanism, rng, window, options)
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
    one_of(scheme, "scheme", (*SCHEMES, "given"))
    generator(rng)
    total = positive(epsilon, "epsilon")
    origin = source(values, mechanism, options, SCHEME_OPTIONS.get(scheme, set()), scheme)
    n = len(origin)
    initial = options.get("initial")
    return Request(
        source=origin,
        scheme=scheme,
        landmarks=indices(landmarks, "landmarks", n),
        epsilon=total,
        window=length_of_window(window, n, scheme) if scheme in WINDOW_SCHEMES else 1,
        increase=fraction(options.get("increase", 0.3), "increase", inside=True),
        decrease=fraction(options.get("decrease", 0.3), "decrease", inside=True),
        initial=None if initial is None else origin.public(initial),
        budgets=budgets(options.get("budgets"), n=n).copy() if scheme == "given" else None,
    )


def perform(request: Request, rng: np.random.Generator) -> Release:
    """One release of a checked request."""
    if request.scheme == "adaptive":
        return _adaptive(request, rng)
    if request.scheme in COMPARING:
        return _windowed(request, rng)
    budgets = known_budgets(request)
    return Release(request.source.draw(rng).outputs(budgets), budgets, budgets > 0, request.landmarks)


def known_budgets(request: Request) -> Floats:
    """The budgets of a scheme that does not look at the data."""
    if request.budgets is not None:
        return request.budgets
    return budgets_of(request.scheme, len(request.source), request.landmarks, request.epsilon, request.window)


def _adaptive(request: Request, rng: np.random.Generator) -> Release:
    n = len(request.source)
    draw, uniforms = request.source.draw(rng), rng.random(n)
    start = reservation(n, request.landmarks, request.epsilon)
    rates = draw.adaptive(start, uniforms.tolist(), request.increase, request.decrease)
    rate = np.fromiter(rates, float, n)
    published = uniforms < rate
    could = reserved(start, np.flatnonzero(~published))
    budgets = np.where(published, could, 0.0)
    return Release(draw.outputs(budgets), budgets, published, request.landmarks, rate, could)


def _windowed(request: Request, rng: np.random.Generator) -> Release:
    n, split = len(request.source), halves(request.epsilon, request.window)
    draw, jitter = request.source.draw(rng), rng.laplace(size=n)
    quanta = draw.windowed(request.scheme, split, jitter, request.initial)
    budgets = np.fromiter(quanta, np.int64, n).astype(np.float64) * split.quantum
    published = budgets > 0
    outputs = draw.outputs(budgets, request.initial)
    comparing = split.comparison
    return Release(outputs, budgets + comparing, published, request.landmarks, comparison_budget=comparing)
