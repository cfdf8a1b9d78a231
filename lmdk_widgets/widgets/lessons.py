"""What lessons count and draw: places for landmarks, what an event loses by itself, and figures of curves.

A lesson is a notebook that tells a story; what it computes more than once, or what wants a test, is here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.scenario.base.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, line

STYLES = ((BLUE, "solid"), (ORANGE, "dash"), (GREEN, "dot"), (PURPLE, "dashdot"))
"""Colour and dash of the first, second, ... curve: told apart without colour too."""


def landmark_layouts(n: int, count: int) -> dict[str, tuple[int, ...]]:
    """The same number of landmarks in four places: spread evenly, two bunches, one in the middle, one at the start.

    Parameters
    ----------
    n : number of timestamps.
    count : number of landmarks, 2 to n / 2: two bunches are around the quarters of the time.

    Returns
    -------
    "uniform", "bimodal", "symmetric", "skewed": indices from 0, increasing.

    Raises
    ------
    InputError : a number of landmarks out of range.

    Notes
    -----
    The extreme cases of the distributions that Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022, draw landmarks from.

    Examples
    --------
    >>> landmark_layouts(16, 4)
    {'uniform': (2, 6, 10, 14), 'bimodal': (3, 4, 11, 12), 'symmetric': (6, 7, 8, 9), 'skewed': (0, 1, 2, 3)}
    """
    count = whole(count, "the number of landmarks", least=2, most=n // 2)
    half = count // 2

    def bunch(centre: float, size: int) -> range:
        first = round(centre - size / 2)
        return range(first, first + size)

    even = ((2 * np.arange(count) + 1) * n) // (2 * count)
    return {
        "uniform": tuple(even.tolist()),
        "bimodal": (*bunch(n / 4, half), *bunch(3 * n / 4, count - half)),
        "symmetric": tuple(bunch(n / 2, count)),
        "skewed": tuple(range(count)),
    }


def mean_distance(n: int, landmarks: Iterable[int]) -> float:
    """The average distance of the regular timestamps to their nearest landmark, in timestamps.

    Raises
    ------
    InputError : no landmark, or no regular timestamp.

    Examples
    --------
    >>> mean_distance(5, [0]), mean_distance(5, [2])
    (2.5, 1.5)
    """
    marked = np.unique(list(landmarks))
    regular = np.setdiff1d(np.arange(n), marked)
    if not (len(marked) and len(regular)):
        raise InputError("landmarks must be some of the timestamps, but not all", value=len(marked))
    return float(np.abs(regular[:, None] - marked).min(axis=1).mean())


def own_losses(p_backward: Any, p_forward: Any, budgets: ArrayLike, landmarks: Iterable[int]) -> Floats:
    """What each regular timestamp loses by itself between the landmarks beside it: alpha_t = BPL_t + FPL_t - eps_t.

    The one term of the landmark loss at t that belongs to t; the others belong to the landmarks. The landmarks beside
    t stop the chain, so it is the total loss of the regular timestamps between two landmarks.

    Parameters
    ----------
    p_backward, p_forward : None, a matrix (m, m) or its `LossFunction`; see `temporal_loss`.
    budgets : (n,) epsilon of every timestamp.
    landmarks : indices from 0.

    Returns
    -------
    (n,) losses; NaN at landmarks.

    Raises
    ------
    InputError : as `temporal_loss`.

    Notes
    -----
    Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022, section on temporal correlation.

    Examples
    --------
    >>> own_losses([[0.8, 0.2], [0, 1]], None, [0.1] * 5, [1]).round(10).tolist()
    [0.1, nan, 0.1, 0.1807840339, 0.2471477411]
    """
    eps = np.asarray(budgets, dtype=float)
    losses = np.full(len(eps), np.nan)
    ends = [-1, *sorted(set(landmarks)), len(eps)]
    for before, after in pairwise(ends):
        if after - before > 1:
            between = slice(before + 1, after)
            losses[between] = temporal_loss(p_backward, p_forward, eps[between]).total
    return losses


def curves(
    series: Mapping[str, ArrayLike],
    *,
    x: ArrayLike | None = None,
    x_title: str = "timestamp",
    y_title: str = "privacy loss",
    levels: Mapping[str, float] | None = None,
    ticks: Mapping[str, float] | None = None,
    log_y: bool = False,
) -> dict[str, Any]:
    """A figure description of named curves, with a mark at every point while these are few.

    Parameters
    ----------
    series : name: values; a value that is not finite leaves a gap.
    x : where they lie; 1, 2, 3, ... when left out.
    levels : name: a height at which a dashed line crosses the figure.
    ticks : word: where on the x axis it stands, instead of numbers.
    log_y : a logarithmic axis of values.

    Examples
    --------
    >>> figure = curves({"backward": [0.1, 0.18]}, levels={"supremum": 0.65})
    >>> [(trace["name"], trace["x"]) for trace in figure["data"]]
    [('backward', [1, 2]), ('supremum', [1, 2])]
    """
    values = {name: np.asarray(y, dtype=float) for name, y in series.items()}
    longest = max(len(y) for y in values.values())
    places = list(range(1, longest + 1)) if x is None else np.asarray(x).tolist()
    mode = "lines+markers" if len(places) <= 30 else "lines"
    data = [
        line(name, places[: len(y)], y.tolist(), *STYLES[k % len(STYLES)], mode)
        for k, (name, y) in enumerate(values.items())
    ]
    ends = [places[0], places[-1]]
    data += [line(name, ends, [y, y], GREY, "longdash") for name, y in (levels or {}).items()]
    axis: dict[str, Any] = {"title": {"text": y_title}, "rangemode": "tozero"}
    layout = {
        "xaxis": {"title": {"text": x_title}},
        "yaxis": axis | ({"type": "log", "exponentformat": "none"} if log_y else {}),
    }
    if ticks:
        layout["xaxis"] |= {"tickvals": list(ticks.values()), "ticktext": list(ticks)}
    return {"data": data, "layout": layout}
