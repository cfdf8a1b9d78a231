"""Schemes that spread the budget before any data is seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lmdk_widgets.budgets.schemes import FIXED_SCHEMES, ONLINE_SCHEMES, SCHEMES
from lmdk_widgets.checks import indices, joined, one_of, positive, whole
from lmdk_widgets.geo import Floats
from lmdk_widgets.names import FixedSchemeName


def allocate(
    scheme: FixedSchemeName, n: int, landmarks: Iterable[int], epsilon: float, *, window: int | None = None
) -> Floats:
    """The budget of every timestamp under a scheme that does not use the data.

    ==========  ==========================================================================================
    "event"     ``epsilon`` everywhere: protects any one timestamp
    "user"      ``epsilon / n``: protects all of them together
    "window"    ``epsilon / window``: protects any `window` successive ones (w-event, uniform)
    "uniform"   ``epsilon / (|L| + 1)``, or ``epsilon / n`` if all are landmarks: protects L and any one more
    "skip"      ``epsilon`` at regular timestamps, 0 at landmarks, which repeat an earlier release
    "weighted"  ``a = epsilon / (|L| + sqrt(r))`` at landmarks, ``a sqrt(r)`` at the r regular timestamps
    ==========  ==========================================================================================

    Parameters
    ----------
    scheme : one of `FIXED_SCHEMES`.
    n : number of timestamps, at least 1.
    landmarks : L, indices of the landmarks from 0 to n - 1; order and repetition do not matter.
    epsilon : total budget, above 0 and finite.
    window : w from 1 to n, for "window" only; other schemes ignore it.

    Returns
    -------
    (n,) budgets in whole quanta (see `quanta`), each at most one quantum below its formula.

    Raises
    ------
    InputError : an unknown scheme; an n, epsilon or window out of range; a landmark that is not a timestamp.

    Notes
    -----
    Guarantee: releases with these budgets and independent noise satisfy landmark privacy, ``sum of L and {t} <=
    epsilon`` for every t, exactly and without tolerance, for "user", "uniform", "skip", "weighted"; "window" satisfies
    w-event privacy; "event" spends up to ``(|L| + 1) epsilon``. Uniform is implemented with equal shares: eps / |L| for
    landmarks and eps / (|L| + 1) for regular timestamps, as the paper can also be read, would sum to 1.2 epsilon in
    Bob's example. "weighted" has the least total noise, ``sum of 1 / eps_t``, that the Theorem allows if every
    timestamp is measured ("skip" repeats the last release at landmarks, and may have a smaller error): by its
    Lagrangian, the regular budget is sqrt(r) times that of a landmark, so landmarks get more noise than under
    "uniform". It is not from the paper. Paper: Katsomallos, Tzompanaki, Kotzinos, "Landmark privacy", CODASPY 2022.

    Examples
    --------
    >>> allocate("uniform", 8, [0, 2, 4, 7], 1.0).round(12).tolist()  # Bob: four landmarks and the current timestamp
    [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2]
    >>> allocate("skip", 4, [2], 0.5).tolist()
    [0.5, 0.5, 0.0, 0.5]
    >>> allocate("weighted", 8, [0, 2, 4, 7], 1.0).round(4).tolist()
    [0.1667, 0.3333, 0.1667, 0.3333, 0.1667, 0.3333, 0.3333, 0.1667]
    """
    one_of(
        scheme,
        "scheme",
        FIXED_SCHEMES,
        remedy=f"The budgets of {_listed(ONLINE_SCHEMES)} depend on what is released: call release",
    )
    n, total = whole(n, "n"), positive(epsilon, "epsilon")
    marked = indices(landmarks, "landmarks", n)
    return SCHEMES[scheme].allocate(n, marked, total, length_of_window(window, n, scheme))


def length_of_window(window: Any, n: int, scheme: str) -> int:
    """The window of a scheme that needs one; 1 for the others, which ignore it."""
    if not SCHEMES[scheme].windowed:
        return 1
    return whole(window, f'the window of the scheme "{scheme}"', most=n)


def _listed(names: Iterable[str]) -> str:
    return joined([name for name in SCHEMES if name in names], "and")
