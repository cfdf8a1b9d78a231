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
    last = _last(pair, outputs)
    new = ~np.isnan(outputs) & (outputs != last) if measured is None else measured
    could = _could(name, pair, epsilon, new)
    one, other = (np.abs(outputs - truth[:, None]) for truth in pair.truths)
    found: Floats = np.where(new, could * (other - one), 0.0).sum(axis=0)
    if SCHEMES[name].compares:
        compared = (could > 0) & ~np.isnan(last)
        displaced = _displaced(outputs, could)
        for sign, truth in zip((1, -1), pair.truths, strict=True):
            told = _log_chance(new, np.abs(last - truth[:, None]), displaced, epsilon / (2 * pair.window))
            found += sign * np.where(compared, told, 0.0).sum(axis=0)
    return found


def decisions(name: str, pair: Pair, epsilon: float, outputs: NDArray[Any], new: NDArray[np.bool_]) -> Floats:
    """(n, k) with which input a comparison agrees, as if it had no noise: 1 for the first alone, -1 for the second alone."""
    last, could = _last(pair, outputs), _could(name, pair, epsilon, new)
    displaced, compared = _displaced(outputs, could), (could > 0) & ~np.isnan(last)
    agrees = [new == (np.abs(last - truth[:, None]) > displaced) for truth in pair.truths]
    return np.where(compared, agrees[0].astype(float) - agrees[1], 0.0)


def _last(pair: Pair, outputs: NDArray[Any]) -> NDArray[Any]:
    """(n, k) the output before each."""
    before = np.full((1, outputs.shape[1]), np.nan if pair.initial is None else pair.initial)
    return np.concatenate([before, outputs[:-1]])


def _could(name: str, pair: Pair, epsilon: float, new: NDArray[np.bool_]) -> Floats:
    """(n, k) what each output could spend, from which are new."""
    patterns, which = np.unique(new, axis=1, return_inverse=True)
    known = np.array([SCHEMES[name].reserves(pair, epsilon, pattern) for pattern in patterns.T.tolist()])
    could: Floats = known.T[:, which.ravel()]
    return could


def _displaced(outputs: NDArray[Any], could: Floats) -> Floats:
    """The mean displacement of a new report."""
    with np.errstate(divide="ignore"):
        return np.asarray((2 if np.iscomplexobj(outputs) else 1) / could)


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
