"""Blowfish privacy: a policy says which pairs of values must not be told apart, and noise need only cover those.

He, Machanavajjhala, Ding, "Blowfish privacy: tuning privacy-utility trade-offs using policies", SIGMOD 2014.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import numbers, positive, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

Pairs = Iterable[tuple[int, int]]


def policy_sensitivity(contributions: ArrayLike, pairs: Pairs) -> float:
    """By how much the answers change at most when one person's value moves along one pair of the policy.

    Parameters
    ----------
    contributions : (m, d) what a person with value x adds to the d answers, or (m,) for one answer.
    pairs : the policy: pairs of values from 0 to m - 1 that must not be told apart, in either order.

    Returns
    -------
    The sensitivity in L1 norm, 0 or more; Laplace noise of that scale over epsilon keeps the policy.

    Raises
    ------
    InputError : contributions that are not finite numbers of shape (m, d), a pair of values that do not exist.

    Notes
    -----
    Guarantee: two tables that differ in one person's value along a pair are told apart by odds of at most e^epsilon; values
    k pairs away from each other by e^(k epsilon), see `policy_loss`. Like differential privacy of replaced records, which
    is the policy of all pairs, it adds up over releases. It is for tables whose records are independent, without
    constraints known about them; a series of states needs Pufferfish. He, Machanavajjhala, Ding 2014, sections 3 to 5.

    Examples
    --------
    >>> cumulative = np.tril(np.ones((5, 5))).T  # of five salaries, how many people earn at most each
    >>> line = [(k, k + 1) for k in range(4)]
    >>> policy_sensitivity(cumulative, line), policy_sensitivity(cumulative, [(0, 4)])
    (1.0, 4.0)
    """
    table = numbers(contributions, "contributions")
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or not table.size:
        raise refused("contributions", "of shape (m, d) or (m,)", f"shape {table.shape}")
    chosen = _checked(pairs, len(table))
    return max((float(np.abs(table[a] - table[b]).sum()) for a, b in chosen), default=0.0)


def policy_loss(epsilon: float, pairs: Pairs, n_values: int) -> Floats:
    """How well any two values of a person may be told apart under a policy: epsilon times the least number of pairs.

    Parameters
    ----------
    epsilon : of the release, above 0. pairs : as for `policy_sensitivity`. n_values : m, at least 1.

    Returns
    -------
    (m, m) logarithms of odds; infinite between values that no path of pairs joins: the policy hides nothing between them.

    Raises
    ------
    InputError : an epsilon not above 0, a pair of values that do not exist.

    Examples
    --------
    >>> policy_loss(0.5, [(0, 1), (1, 2)], 4)[0].tolist()
    [0.0, 0.5, 1.0, inf]
    """
    m, one = whole(n_values, "n_values"), positive(epsilon, "epsilon")
    steps = np.full((m, m), inf)
    np.fill_diagonal(steps, 0.0)
    for a, b in _checked(pairs, m):
        steps[a, b] = steps[b, a] = min(steps[a, b], 1.0)
    for between in range(m):
        steps = np.minimum(steps, steps[:, [between]] + steps[[between]])
    return one * steps


def _checked(pairs: Pairs, m: int) -> list[tuple[int, int]]:
    found = []
    for pair in pairs:
        try:
            a, b = (int(value) for value in pair)
        except (TypeError, ValueError):
            raise refused("a pair", "two values", pair) from None
        if not (0 <= a < m and 0 <= b < m):
            raise InputError(f"a pair must have values from 0 to {m - 1:,}", value=f"{a:,} and {b:,}")
        found.append((a, b))
    return found
