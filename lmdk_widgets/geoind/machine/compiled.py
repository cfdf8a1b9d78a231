"""The functions of this room, as they stand there and compiled by Numba."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lmdk_widgets.geoind.machine import forests, moves, prices, state

_TOGETHER_S = 60.0
"""Seconds within which the files of one installation are written."""


class Code(NamedTuple):
    """The functions that are called from outside."""

    begin: Any
    fits: Any
    begin_dual: Any
    dual: Any
    primal: Any
    settle: Any


_INNER: tuple[Any, ...] = (
    *(forests.set_order, forests.hang, forests.bound, forests.set_values, forests.answer, forests.cut, forests.enter),
    *(forests.lower, forests.join, forests.close, forests.tie, prices.add_up, prices.set_sums, prices.beyond),
    *(prices.set_members, prices.nearest, prices.best_tree, prices.beyond_tree, prices.offer, moves.raise_costs),
)


def plain() -> Code:
    """The functions as they stand there."""
    return Code(moves.begin, moves.fits, moves.begin_dual, moves.dual, moves.primal, prices.settle)


@cache
def code() -> Code:
    """The functions, compiled: half a minute the first time in an installation, a second from the disk.

    Raises
    ------
    ImportError : Numba is not installed or does not go with this NumPy.
    """
    from numba import njit
    from numba.extending import register_jitable

    options: dict[str, Any] = {"error_model": "numpy", "nogil": True}
    for each in _INNER:
        register_jitable(**options)(each)
    # Numba looks at the file of a function alone, not at those that it calls: what was changed since is not on the disk
    changed = [Path(module.__file__).stat().st_mtime for module in (state, forests, prices, moves) if module.__file__]
    kept = max(changed) - min(changed) < _TOGETHER_S
    try:
        return Code(*(njit(cache=kept, **options)(each) for each in plain()))
    except RuntimeError:  # no folder for the cache can be written
        return Code(*(njit(**options)(each) for each in plain()))
