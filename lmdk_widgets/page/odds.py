"""A loss as people say it: by how much odds change, and where no such number means anything."""

from __future__ import annotations

import math

from lmdk_widgets.page.amounts import bound

MILLION = math.log(1e6)
"""From this loss on no number is said: nobody can tell a factor of a million from a greater one."""


def factor(loss: float) -> str:
    """e^loss behind "a factor of at most", rounded up; from 10 on a whole number.

    Examples
    --------
    >>> factor(0.8), factor(0.01), factor(0), factor(3.0), factor(9.5)
    ('2.23', '1.02', '1', '21', '13,360')
    """
    value = math.exp(loss)
    if value >= 999.5:
        return bound(value)
    return f"{math.ceil(value * (1 - 1e-9))}" if value > 10 else bound(value).removesuffix(".00")


def bound_odds(level: float) -> str:
    """The factor e^level by which odds change, behind "at most"; as a power of e where its digits would mean nothing.

    Examples
    --------
    >>> bound_odds(0.843), bound_odds(7.87), bound_odds(12.5)
    ('2.33', '2,618', 'e^12.50')
    """
    return bound(math.exp(level)) if level < 12 else f"e^{bound(level)}"


def change(who: str, odds: str, loss: float) -> str:
    """How far somebody can change odds with a loss: a sentence without its full stop.

    Examples
    --------
    >>> change("Whoever sees it", "the odds of two places", 0.8)
    'Whoever sees it can change the odds of two places by a factor of at most 2.23'
    >>> change("Whoever sees it", "the odds of two places", 20.0)
    'Whoever sees it may change the odds of two places by a factor of more than a million'
    >>> change("Whoever sees it", "the odds of two places", math.inf)
    'Whoever sees it may learn all: there is no limit to how far that changes the odds of two places'
    """
    if math.isinf(loss):
        return f"{who} may learn all: there is no limit to how far that changes {odds}"
    if loss > MILLION:
        return f"{who} may change {odds} by a factor of more than a million"
    if factor(loss) == "1":
        return f"{who} cannot noticeably change {odds}"
    return f"{who} can change {odds} by a factor of at most {factor(loss)}"
