"""How likely each state is to have produced what was released: the first half of every inference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

import lmdk_widgets.checks as checks
from lmdk_widgets.checks import kind_of, one_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import Laplace, PlanarLaplace

SAME_BUDGET = 1e-8
"""Budgets with a smaller relative difference differ only by rounding: they have the same channel."""

SAME_PLACE = 1e-6
"""A report this close to a cell's centre, as a share of the extent of the cells, counts as that cell."""


class Released(Protocol):
    """What is read from a release: `budgets.Release`, or anything like it."""

    @property
    def outputs(self) -> Floats: ...

    @property
    def budgets(self) -> Floats: ...

    @property
    def published(self) -> NDArray[np.bool_]: ...

    @property
    def comparison_budget(self) -> float: ...


def log_likelihoods(release: Released, cells: ArrayLike, mechanism: Any) -> Floats:
    """``log Pr(output of t | state x at t)`` for every timestamp and state, (n, m).

    A timestamp that published nothing new has 0 in every state: its output is an earlier one, or none, and reveals nothing
    beyond the earlier one.

    Parameters
    ----------
    release : a `budgets.Release`, or an object with its `outputs`, `budgets`, `published` and `comparison_budget`. What a
        publication spent is its budget minus the budget of the comparison.
    cells : the states: (m, 2) centres in metres, or (m,) numbers for a series of numbers. Channels and randomised
        response with symbols as outputs only need their number.
    mechanism : one of

        - `PlanarLaplace`: outputs (n, 2) metres, density ``(e^2 / 2 pi) exp(-e |y - c_x|)`` with e = budget / radius;
        - `Laplace`: outputs (n,), density ``(e / 2) exp(-e |y - c_x|)`` with e = budget / sensitivity;
        - "randomized-response": the true state with ``e^eps / (e^eps + m - 1)``, otherwise any other one;
        - a channel (m, k), row-stochastic, or a `geoind.Channel`: the same at every timestamp;
        - a mapping from budgets to channels, or a function ``epsilon -> channel``: one for each budget spent
          (``lambda epsilon: planar_laplace_channel(cells, epsilon / radius_m)``).

        With the last three the outputs are symbols (n,) from 0 to k - 1, or (n, 2) centres of the reported cells.

    Returns
    -------
    (n, m) natural logarithms, of densities if outputs are continuous; -inf where a state cannot lead to an output.

    Raises
    ------
    InputError : shapes that do not match, a published output that is missing or not a symbol, a budget without a channel.

    Notes
    -----
    Why a timestamp that repeats an output reveals nothing: under Skip the landmarks are public, so whether t is measured does
    not depend on the track; under Adaptive it depends on earlier outputs and on coins, given which it is independent of the
    states. So these likelihoods are exact. Budget Distribution and Budget Absorption compare with the true place, with a
    separate budget: whether they publish reveals a little about it, which this adversary ignores.

    Each cell stands for all its points: the truth is assumed to be at a centre.

    Examples
    --------
    >>> from lmdk_widgets.budgets import Release
    >>> new = np.array([True, False])  # the second timestamp repeats the first
    >>> answers = Release(np.array([1.0, 1.0]), np.array([np.log(3), 0.0]), new, np.array([1]))
    >>> np.exp(log_likelihoods(answers, range(3), "randomized-response")).round(12).tolist()
    [[0.2, 0.6, 0.2], [1.0, 1.0, 1.0]]
    """
    outputs, when, spent = _read(release)
    places = checks.numbers(cells, "cells")
    if places.ndim not in (1, 2) or not len(places):
        raise refused("cells", "centres in metres, shape (m, 2), or numbers, shape (m,)", f"shape {places.shape}")
    found = np.zeros((len(outputs), len(places)))
    if not len(when):
        return found
    if isinstance(mechanism, PlanarLaplace | Laplace):
        found[when] = _noise(outputs[when], places, mechanism, spent)
    elif isinstance(mechanism, str):
        one_of(mechanism, "mechanism", ("randomized-response",))
        found[when] = _response(_symbols(outputs, when, places, len(places)), len(places), spent)
    else:
        found[when] = _by_channels(outputs, when, places, mechanism, spent)
    return found


def _read(release: Released) -> tuple[Floats, NDArray[np.intp], Floats]:
    """All outputs, the timestamps that were published, and what each of those spent on its publication."""
    budgets = checks.budgets(release.budgets)
    outputs = checks.floats(release.outputs, "outputs")
    published = np.asarray(release.published)
    for name, array in (("outputs", outputs), ("published", published)):
        if array.ndim == 0 or len(array) != len(budgets):
            raise refused(name, f"one for each of {len(budgets):,} timestamps", f"shape {array.shape}")
    when = np.flatnonzero(published)
    spent = budgets[when] - getattr(release, "comparison_budget", 0.0)
    if len(when) and spent.min() <= 0:
        t = int(when[spent.argmin()])
        raise InputError("budgets must be above 0 where an output was published", value=f"{spent.min():g} at index {t}")
    missing = ~np.isfinite(outputs[when]).all(axis=tuple(range(1, outputs.ndim)))
    if missing.any():
        raise InputError("outputs must be present where published", value=f"none at index {int(when[missing][0])}")
    return outputs, when, spent


def _noise(outputs: Floats, places: Floats, mechanism: PlanarLaplace | Laplace, spent: Floats) -> Floats:
    """(k, m) log densities of added noise."""
    plane = mechanism.dimension == 2
    shape = (2,) if plane else ()
    for name, array in (("outputs", outputs), ("cells", places)):
        if array.shape[1:] != shape:
            what = "points in metres, shape (n, 2)" if plane else "numbers, shape (n,)"
            raise refused(name, f"{what}, for {type(mechanism).__name__}", f"shape {array.shape}")
    rate = spent / mechanism.scale(1.0)
    if plane:
        apart, north = (np.subtract.outer(outputs[:, axis], places[:, axis]) for axis in (0, 1))
        apart *= apart  # takes a fifth of the time of np.hypot, and no distance here overflows
        north *= north
        apart += north
        np.sqrt(apart, out=apart)
        constant = 2 * np.log(rate) - np.log(2 * np.pi)
    else:
        apart = np.abs(np.subtract.outer(outputs, places))
        constant = np.log(rate) - np.log(2)
    apart *= -rate[:, None]
    apart += constant[:, None]
    return apart


def _response(symbols: NDArray[np.int64], m: int, spent: Floats) -> Floats:
    """(k, m) log probabilities of m-ary randomised response; stable for every budget."""
    lie = -np.log1p((m - 1) * np.exp(-spent)) - spent
    found = np.repeat(lie[:, None], m, axis=1)
    found[np.arange(len(symbols)), symbols] += spent
    return found


def _by_channels(outputs: Floats, when: NDArray[np.intp], places: Floats, mechanism: Any, spent: Floats) -> Floats:
    """(k, m) log probabilities from the channel of each timestamp."""
    found = np.empty((len(when), len(places)))
    for here, channel in _channels(mechanism, spent):
        logs = _log_channel(channel, len(places))
        found[here] = logs.T[_symbols(outputs, when[here], places, logs.shape[1])]
    return found


def _channels(mechanism: Any, spent: Floats) -> Iterator[tuple[NDArray[np.bool_], Any]]:
    """Each channel that was used, with the mask (k,) of the publications that used it."""
    if not isinstance(mechanism, Mapping) and not callable(mechanism):
        if not isinstance(getattr(mechanism, "matrix", mechanism), np.ndarray | list | tuple):
            what = (
                'PlanarLaplace, Laplace, "randomized-response", a channel, a mapping from budgets to channels, '
                "or a function"
            )
            raise refused("mechanism", what, kind_of(mechanism))
        yield np.ones(len(spent), bool), mechanism
        return
    for budget in np.unique(spent).tolist():
        yield spent == budget, mechanism(budget) if callable(mechanism) else _of_budget(mechanism, budget)


def _of_budget(channels: Mapping[float, Any], budget: float) -> Any:
    near = min(channels, key=lambda known: abs(known - budget), default=np.nan)
    if not abs(near - budget) <= SAME_BUDGET * budget:
        raise InputError("mechanism must have a channel for every budget spent", value=f"none for {budget:g}")
    return channels[near]


def _log_channel(channel: Any, m: int) -> Floats:
    matrix = checks.channel_matrix(getattr(channel, "matrix", channel), "channel")
    if len(matrix) != m:
        raise refused("channel", f"a matrix with a row for each of the {m:,} cells", f"shape {matrix.shape}")
    with np.errstate(divide="ignore"):
        return np.log(matrix)


def _symbols(outputs: Floats, when: NDArray[np.intp], places: Floats, k: int) -> NDArray[np.int64]:
    """The output symbol at each of these timestamps: as given, or the cell whose centre was reported."""
    given = outputs[when]
    if given.ndim == 1:
        return checks.states(given, "published outputs", k)
    if places.ndim != 2 or given.shape[1:] != places.shape[1:] or k != len(places):
        what = f"symbols from 0 to {k - 1}, shape (n,), or centres of the cells"
        raise refused("outputs", what, f"shape {outputs.shape}")
    found = np.empty(len(given), np.int64)
    reach = SAME_PLACE * float(np.ptp(places, axis=0).max())
    unlike, which = np.unique(given, axis=0, return_inverse=True)
    for number, place in enumerate(unlike):
        apart = np.hypot(*(places - place).T)
        if apart.min() > reach:
            t = int(when[np.argmax(which.reshape(-1) == number)])
            raise InputError("outputs must be centres of the cells", value=f"another place at index {t}")
        found[which.reshape(-1) == number] = apart.argmin()
    return found
