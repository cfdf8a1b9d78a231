"""What the functions of this package accept as budgets, correlation and landmarks, checked once."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.loss import LossFunction
from lmdk_widgets.markov import is_sequence_of_matrices

Carrier = LossFunction | None
"""What carries a loss from one timestamp to the next: None carries nothing."""

Carriers = Carrier | list[Carrier]
"""One for all timestamps, or the n - 1 of a chain that changes with time."""


def checked_budgets(budgets: ArrayLike) -> Floats:
    """Budgets as contiguous (n,) float64, n >= 1, finite, not negative: the given array itself where it is one."""
    try:
        found = np.asarray(budgets, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError("they are not numbers", where="budgets", allowed="one number per timestamp") from error
    if found.ndim != 1 or len(found) == 0:
        raise InputError("they are not a series", where="budgets", value=f"shape {found.shape}", allowed="(n,), n >= 1")
    if not (found.min() >= 0 and found.max() < np.inf):
        t = int(np.argmin(np.isfinite(found) & (found >= 0)))
        raise InputError(
            "the budget is not one", where=f"timestamp {t}", value=float(found[t]), allowed="finite, 0 or more"
        )
    return np.ascontiguousarray(found)


def checked_landmarks(landmarks: Iterable[int], n: int) -> NDArray[np.intp]:
    """Landmarks as increasing distinct indices 0 to n - 1."""
    try:
        found = sorted({operator.index(i) for i in landmarks})
    except TypeError as error:
        raise InputError("they are not indices", where="landmarks", allowed=f"whole numbers, 0 to {n - 1}") from error
    if found and (found[0] < 0 or found[-1] >= n):
        raise InputError(
            "a landmark is not a timestamp",
            where="landmarks",
            value=found[0] if found[0] < 0 else found[-1],
            allowed=f"0 to {n - 1}",
        )
    return np.array(found, dtype=np.intp)


def carriers(p_backward: Any, p_forward: Any, n: int) -> tuple[Carriers, Carriers]:
    """The loss functions of both sides; the same object on both sides is computed once."""
    known: dict[int, tuple[Any, Carrier]] = {}
    return _carriers(p_backward, n, "p_backward", known), _carriers(p_forward, n, "p_forward", known)


def _carriers(given: Any, n: int, where: str, known: dict[int, tuple[Any, Carrier]]) -> Carriers:
    if not is_sequence_of_matrices(given):
        return _carrier(given, where, known)
    if len(given) != n - 1:
        raise InputError(
            "there is not one matrix per move",
            where=where,
            value=f"{len(given)} matrices",
            allowed=f"{n - 1} matrices for {n} timestamps, or a single one",
        )
    found = [_carrier(p, f"{where}[{k}]", known) for k, p in enumerate(given)]
    same = all(f is found[0] for f in found)
    return (found[0] if found else None) if same else found


def _carrier(given: Any, where: str, known: dict[int, tuple[Any, Carrier]]) -> Carrier:
    if given is None or isinstance(given, LossFunction):
        return given
    if id(given) not in known:
        try:
            known[id(given)] = given, LossFunction(given)  # kept alive, or another object could get its id
        except InputError as error:
            raise _placed(error, where) from error
    return known[id(given)][1]


def _placed(error: InputError, where: str) -> InputError:
    return InputError(
        error.what,
        where=error.where.replace("transition matrix", where),
        value=error.value,
        allowed=error.allowed,
        remedy=error.remedy,
    )


def at(carried: Carriers, moves: slice) -> Carriers:
    """The carriers of a stretch of moves; move k leads from timestamp k to k + 1."""
    return carried[moves] if isinstance(carried, Sequence) else carried
