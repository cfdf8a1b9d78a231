"""Private releases that decide as they go, for the audit: many of them, and the score of what they publish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import SCHEMES
from lmdk_widgets.budgets.schemes.base import Pair
from lmdk_widgets.geo import Floats
from lmdk_widgets.secure.points import Reporter
from lmdk_widgets.secure.series import DISCRETE_LAPLACE, SeriesSettings
from lmdk_widgets.secure.spending import Reported, spend_as_it_goes
from lmdk_widgets.secure.track import PLANAR_LAPLACE, Settings, reports

LONGER = 3
"""A release of places takes up to this many times as long as one of counts."""

COUNTED = SeriesSettings(sensitivity=1)
"""Private releases of counts, in which a series of a pair is the counts themselves."""


PLACED, APART_M = Settings(**PLANAR_LAPLACE.pairs[0].settings), PLANAR_LAPLACE.pairs[0].inputs[1][1]
"""Private releases of places, in which 0 and 1 in a pair are the two places of this mechanism's first pair."""


def ratios(
    name: str, pair: Pair, epsilon: float, outputs: NDArray[Any], measured: NDArray[np.bool_] | None = None
) -> Floats:
    """(k,) logarithms of the ratio of densities of k releases for the two series, from their outputs (n, k), real for series
    and complex for places.

    measured : (n, k) which are new; None: those that differ from the previous one, as all do whose noise is continuous.
    """
    before = np.full((1, outputs.shape[1]), np.nan if pair.initial is None else pair.initial)
    last = np.concatenate([before, outputs[:-1]])
    new = ~np.isnan(outputs) & (outputs != last) if measured is None else measured
    patterns, which = np.unique(new, axis=1, return_inverse=True)
    known = np.array([SCHEMES[name].reserves(pair, epsilon, pattern) for pattern in patterns.T.tolist()])
    could = known.T[:, which.ravel()]
    one, other = (np.abs(outputs - truth[:, None]) for truth in pair.truths)
    found: Floats = np.where(new, could * (other - one), 0.0).sum(axis=0)
    if SCHEMES[name].compares:
        compared = (could > 0) & ~np.isnan(last)
        with np.errstate(divide="ignore"):
            displaced = (2 if np.iscomplexobj(outputs) else 1) / could  # the mean of a new report
        for sign, truth in zip((1, -1), pair.truths, strict=True):
            told = _log_chance(new, np.abs(last - truth[:, None]), displaced, epsilon / (2 * pair.window))
            found += sign * np.where(compared, told, 0.0).sum(axis=0)
    return found


def _log_chance(new: NDArray[np.bool_], apart: Floats, displaced: Floats, comparison: float) -> Floats:
    """The log probability that a private comparison decided as it did: ``apart + Laplace > displaced``, or not."""
    beyond = (displaced - apart) * comparison
    above = np.where(beyond > 0, 0.5 * np.exp(-np.abs(beyond)), 1 - 0.5 * np.exp(-np.abs(beyond)))
    return np.log(np.maximum(np.where(new, above, 1 - above), 1e-300))


def longer(settings: SeriesSettings | Settings) -> int:
    return LONGER if isinstance(settings, Settings) else 1


def runs(settings: SeriesSettings | Settings, truth: Floats, count: int) -> Iterator[tuple[NDArray[Any], Floats]]:
    """So many releases of a series of counts, or of places: what is reported at each timestamp, NaN where nothing is, and the
    budgets of the reports. Places are complex numbers, as far from 0 as from the first of the two."""
    draw = _places(settings, truth) if isinstance(settings, Settings) else _counts(settings, truth)
    for _ in range(count):
        draw.outputs = []
        _, noise = spend_as_it_goes(settings, draw)
        found = np.array(draw.outputs)
        outputs = np.full(len(truth), np.nan, complex if found.ndim == 2 else float)
        outputs[noise > 0] = found @ (1j / APART_M, 1 / APART_M) if found.ndim == 2 else found
        yield outputs, noise


def _counts(settings: SeriesSettings, truth: Floats) -> Reported:
    """The noise of counts is drawn by the thousand, as one call takes as long."""
    ahead: dict[tuple[float, float], list[float]] = {}

    def report(t: int, budget: float) -> float:
        value = float(truth[t])
        if not (left := ahead.setdefault((value, budget), [])):
            left += DISCRETE_LAPLACE.noise(np.full(1000, value), np.full(1000, budget), settings).values.tolist()
        return left.pop()

    return Reported(len(truth), 1.0, report, truth)


def _places(settings: Settings, truth: Floats) -> Reported:
    """All releases have one reporter, which draws noise in advance."""
    return reports(settings, truth[:, None] * [0.0, APART_M], None, Reporter(settings.step))
