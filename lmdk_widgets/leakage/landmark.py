"""The privacy loss of landmarks under temporal correlation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks_arrays import Indices, indices
from lmdk_widgets.checks_arrays import budgets as checked_budgets
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.inputs import Carriers, carriers
from lmdk_widgets.leakage.starts import from_every_start, run_restarting


def landmark_loss(p_backward: Any, p_forward: Any, budgets: ArrayLike, landmarks: Iterable[int]) -> Floats:
    """Loss of the landmarks together with timestamp t, for every t.

    For S = L u {t} the sum over i in S of BPL_i + FPL_i - eps_i, where the backward loss starts anew right after the
    member of S before i, and the forward loss right before the member after it; both run over every timestamp between.

    Parameters
    ----------
    p_backward, p_forward : None (no propagation), a matrix (m, m), its `LossFunction`, or a sequence of n - 1 of them;
        see `backward_loss`.
    budgets : (n,) epsilon of every timestamp, finite, 0 or more.
    landmarks : indices from 0.

    Returns
    -------
    (n,) losses; at a landmark S = L. Without landmarks it is the total loss, with all timestamps landmarks the plain
    sum of the budgets, and without correlation the sum of the budgets over S.

    Raises
    ------
    InputError : as `temporal_loss`, or a landmark that is no timestamp.

    Notes
    -----
    Katsomallos, Tzompanaki, Kotzinos, "Landmark privacy", CODASPY 2022, section on temporal correlation. Adding t to
    the landmarks changes the windows of its two neighbours only: all n sums take one pass.

    Examples
    --------
    >>> c = [[0.8, 0.2], [0.2, 0.8]]
    >>> landmark_loss(c, c, [0.2] * 8, [0, 2, 4, 7])[[0, 1, 5]].round(10).tolist()
    [1.6605889385, 1.621099997, 1.7184668244]
    """
    eps = checked_budgets(budgets)
    n = len(eps)
    before, after = carriers(p_backward, p_forward, n)
    chosen = indices(landmarks, "landmarks", n)
    back, back_with_t = _one_side(eps, before, chosen)
    mirrored = after[::-1] if isinstance(after, list) else after
    front, front_with_t = (x[::-1] for x in _one_side(eps[::-1], mirrored, n - 1 - chosen[::-1]))
    own = back + front - eps
    at_landmarks = own[chosen].sum()
    losses = np.full(n, at_landmarks)
    regular = np.ones(n, dtype=bool)
    regular[chosen] = False
    losses[regular] += (own + back_with_t + front_with_t)[regular]
    return losses


def _one_side(eps: Floats, carried: Carriers, landmarks: Indices) -> tuple[Floats, Floats]:
    """The backward losses that start anew after each landmark, and what making t one changes at the next landmark."""
    first = np.concatenate(([0], landmarks + 1))
    losses = run_restarting(eps, carried, first[first < len(eps)])
    change = np.zeros(len(eps))
    if len(landmarks):
        until = int(landmarks[-1])
        end = np.repeat(landmarks, np.diff(landmarks, prepend=-1))
        change[:until] = from_every_start(eps, carried, landmarks, losses)[1:] - losses[end[:-1]]
    return losses, change
