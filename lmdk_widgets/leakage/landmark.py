"""The privacy loss of landmarks under temporal correlation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.inputs import at, carriers, checked_budgets, checked_landmarks
from lmdk_widgets.leakage.recursion import run
from lmdk_widgets.leakage.temporal import run_back


def landmark_loss(p_backward: Any, p_forward: Any, budgets: ArrayLike, landmarks: Iterable[int]) -> Floats:
    """Loss of the landmarks together with timestamp t, for every t."""
    eps = checked_budgets(budgets)
    n = len(eps)
    before, after = carriers(p_backward, p_forward, n)
    chosen = set(checked_landmarks(landmarks, n).tolist())
    losses = np.empty(n)
    for t in range(n):
        members = sorted(chosen | {t})
        edges = [-1, *members, n]
        total = 0.0
        for i, left, right in zip(members, edges[:-2], edges[2:], strict=True):
            back = run(eps[left + 1 : i + 1], at(before, slice(left + 1, i)))[-1]
            front = run_back(eps[i:right], at(after, slice(i, right - 1)))[0]
            total += float(back + front - eps[i])
        losses[t] = total
    return losses
