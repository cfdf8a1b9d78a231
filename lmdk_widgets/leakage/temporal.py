"""Temporal privacy loss: backward, forward, total, and for a window of timestamps.

A timestamp with a budget of 0 is silent: the moves between the reports on both sides of it count as one move (`silent`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import budgets as checked_budgets
from lmdk_widgets.checks import whole
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.recursion import Carriers, carriers
from lmdk_widgets.leakage.silent_moves import run_merged


@dataclass(frozen=True, eq=False)
class TemporalLoss:
    """The temporal privacy losses of a series of releases.

    Attributes
    ----------
    backward : (n,) what the releases up to each timestamp reveal about it.
    forward : (n,) what the releases from each timestamp on reveal about it.
    total : (n,) backward + forward - budget: all releases together.
    """

    backward: Floats
    forward: Floats
    total: Floats


def backward_loss(p_backward: Any, budgets: ArrayLike) -> Floats:
    """Backward loss: BPL_0 = eps_0, BPL_t = L_B(BPL_{t-1}) + eps_t.

    After silent timestamps, whose budgets are 0, L_B is that of all moves since the last report.

    Parameters
    ----------
    p_backward : knowledge of the past, p[x, y] = Pr(before = y | now = x): None (nothing, so no propagation), a
        matrix (m, m), its `LossFunction`, or n - 1 of them for a chain that changes over time (the k-th for the
        move from timestamp k to k + 1). `reverse` computes it from an ordinary transition matrix and a start, by default
        the stationary distribution; the ordinary matrix as `AnyStart` bounds the loss over all starts.
    budgets : (n,) epsilon of every timestamp, finite, 0 or more.

    Returns
    -------
    (n,) losses, each at least the timestamp's budget.

    Raises
    ------
    InputError : names the row, the timestamp or the number of matrices that is wrong.

    Notes
    -----
    The guarantee is for each pair of states at one timestamp, against an adversary who knows the chain and everyone
    else's states. Cao et al., ICDE 2017, Theorem 3; the recursion itself is described in `recursion`.

    Examples
    --------
    >>> backward_loss([[0.8, 0.2], [0, 1]], [0.1] * 4).round(10).tolist()
    [0.1, 0.1807840339, 0.2471477411, 0.3023648491]
    """
    eps = checked_budgets(budgets)
    return run_merged(eps, carriers(p_backward, None, len(eps))[0])


def forward_loss(p_forward: Any, budgets: ArrayLike) -> Floats:
    """Forward loss: FPL_{n-1} = eps_{n-1}, FPL_t = L_F(FPL_{t+1}) + eps_t.

    It depends on the future: one more release changes every earlier value. Parameters as in `backward_loss`, with the
    ordinary transition matrix p[x, y] = Pr(next = y | now = x).

    Returns
    -------
    (n,) losses, each at least the timestamp's budget.

    Raises
    ------
    InputError : names the row, the timestamp or the number of matrices that is wrong.

    Examples
    --------
    >>> forward_loss([[0.8, 0.2], [0, 1]], [0.1] * 4).round(10).tolist()
    [0.3023648491, 0.2471477411, 0.1807840339, 0.1]
    """
    eps = checked_budgets(budgets)
    return run_back(eps, carriers(None, p_forward, len(eps))[1])


def run_back(budgets: Floats, carried: Carriers) -> Floats:
    """The recursion from the last timestamp to the first."""
    return run_merged(budgets[::-1], carried[::-1] if isinstance(carried, list) else carried)[::-1]


def temporal_loss(p_backward: Any, p_forward: Any, budgets: ArrayLike) -> TemporalLoss:
    """Backward, forward and total loss, TPL_t = BPL_t + FPL_t - eps_t, of every timestamp.

    Parameters as in `backward_loss` and `forward_loss`. If both are None, the losses are the budgets.

    Returns
    -------
    `TemporalLoss` : backward, forward and total, each (n,).

    Raises
    ------
    InputError : names the row, the timestamp or the number of matrices that is wrong.

    Notes
    -----
    Cao et al., ICDE 2017, Definition 5 and Theorem 4.

    Examples
    --------
    >>> a = [[0.8, 0.2], [0, 1]]
    >>> temporal_loss(a, a, [0.1] * 10).total[:3].round(10).tolist()
    [0.4963885968, 0.5558116109, 0.5974519957]
    """
    eps = checked_budgets(budgets)
    before, after = carriers(p_backward, p_forward, len(eps))
    return both_sides(eps, before, after)


def both_sides(eps: Floats, before: Carriers, after: Carriers) -> TemporalLoss:
    """`temporal_loss` of checked budgets and the loss functions of both sides."""
    backward, forward = run_merged(eps, before), run_back(eps, after)
    return TemporalLoss(backward, forward, backward + forward - eps)


def window_loss(p_backward: Any, p_forward: Any, budgets: ArrayLike, window: int) -> Floats:
    """Loss of the last `window` timestamps together, for the window ending at each timestamp (shorter at the start).

    For length 1, the total loss; otherwise BPL at its first timestamp + FPL at its last + the budgets strictly in between.

    Parameters
    ----------
    window : timestamps in a window, 1 or more; with n or more, the value at the last timestamp is the plain sum of the
        budgets: correlation does not weaken user-level privacy.

    Returns
    -------
    (n,) losses.

    Raises
    ------
    InputError : as for `temporal_loss`, or a window below 1.

    Notes
    -----
    Cao et al., TKDE 2018, Theorem 2. A survey states its first case for "w <= 2"; with w = 1 that would add the loss
    of another timestamp, so here it is used only for w = 2.

    Examples
    --------
    >>> a = [[0.8, 0.2], [0, 1]]
    >>> window_loss(a, a, [0.1] * 4, 2).round(10).tolist()
    [0.3023648491, 0.3471477411, 0.3615680677, 0.3471477411]
    """
    eps = checked_budgets(budgets)
    w = whole(window, "window")
    loss = both_sides(eps, *carriers(p_backward, p_forward, len(eps)))
    if w == 1:
        return loss.total
    last = np.arange(len(eps))
    first = np.maximum(last - w + 1, 0)
    spent = np.concatenate(([0.0], np.cumsum(eps)))
    between = np.where(last - first > 1, spent[last] - spent[np.minimum(first + 1, last)], 0.0)
    several = loss.backward[first] + loss.forward[last] + between
    return np.where(first < last, several, loss.total)
