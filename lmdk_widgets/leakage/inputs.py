"""What the functions of this package accept as correlation, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lmdk_widgets.checks import refused
from lmdk_widgets.leakage.any_start import AnyStart
from lmdk_widgets.leakage.loss import LossFunction
from lmdk_widgets.markov import is_sequence_of_matrices, transition_matrix

Carrier = LossFunction | AnyStart
"""What carries a loss from one timestamp to the next."""

NOTHING = LossFunction([[1.0]])
"""Carries nothing: there is one state only. It stands for None."""

Carriers = Carrier | list[Carrier]
"""One for all timestamps, or the n - 1 of a chain that changes with time."""


def carriers(p_backward: Any, p_forward: Any, n: int) -> tuple[Carriers, Carriers]:
    """The loss functions of both sides; the same object on both sides is computed once."""
    known: dict[int, tuple[Any, Carrier]] = {}
    return _carriers(p_backward, n, "p_backward", known), _carriers(p_forward, n, "p_forward", known)


def _carriers(given: Any, n: int, name: str, known: dict[int, tuple[Any, Carrier]]) -> Carriers:
    if not is_sequence_of_matrices(given):
        return _carrier(given, name, known)
    if len(given) != n - 1:
        what = f"a single matrix or one for each move, {n - 1:,} for {n:,} timestamps"
        raise refused(name, what, f"{len(given):,} matrices")
    found = [_carrier(p, f"{name}[{k}]", known) for k, p in enumerate(given)]
    same = all(f is found[0] for f in found)
    return (found[0] if found else NOTHING) if same else found


def _carrier(given: Any, name: str, known: dict[int, tuple[Any, Carrier]]) -> Carrier:
    if given is None:
        return NOTHING
    if isinstance(given, LossFunction | AnyStart):
        return given
    if id(given) not in known:
        loss = LossFunction(transition_matrix(given, name=name))
        known[id(given)] = given, loss  # kept alive, or another object could get its id
    return known[id(given)][1]


def at(carried: Carriers, moves: slice) -> Carriers:
    """The carriers of a stretch of moves; move k leads from timestamp k to k + 1."""
    return carried[moves] if isinstance(carried, Sequence) else carried
