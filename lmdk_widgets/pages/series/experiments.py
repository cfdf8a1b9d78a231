"""The two experiments of the paper: a synthetic one over alpha, and the histogram of a household's power."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from lmdk_widgets.noise import laplace
from lmdk_widgets.pufferfish import (
    approximate_quilt_scale,
    binary_interval_gk16,
    binary_interval_scale,
    chain_from_data,
    entry_privacy,
    gk16,
    group_privacy,
    quilt_scale,
)

Ways = dict[str, Callable[[], Any]]
"""Mechanisms, each returning something with a scale."""


@dataclass(frozen=True)
class Measured:
    """One mechanism in one experiment.

    Attributes
    ----------
    setting : what was varied, "α = 0.1".
    mechanism : "MQMExact", "MQMApprox", "GK16", "GroupDP" or "EntryDP*", which does not protect here.
    scale : sigma; None if the mechanism is not applicable.
    error : mean L1 error of the released query over the draws; None likewise.
    milliseconds : wall-clock time to compute sigma.
    """

    setting: str
    mechanism: str
    scale: float | None
    error: float | None
    milliseconds: float


def synthetic_experiment(
    alphas: Sequence[float], rng: np.random.Generator, *, length: int = 100, epsilon: float = 1.0, draws: int = 500
) -> list[Measured]:
    """L1 error of the share of one state, Theta all binary chains with P(0 -> 0) and P(1 -> 1) in [alpha, 1 - alpha].

    Notes
    -----
    The share is 1 / T-Lipschitz. MQMExact is proved for the whole interval (`binary_interval_scale`). MQMApprox needs
    pi_min = alpha and, as binary chains are reversible, the gap 2 (1 - |1 - 2 alpha|) = 4 alpha. GK16 is that of the
    hardest chain (`binary_interval_gk16`). EntryDP does not protect here: it shows what ignoring correlation would save.
    Song, Wang, Chaudhuri, SIGMOD 2017, section 5.2.

    Examples
    --------
    >>> rows = synthetic_experiment([0.4], np.random.default_rng(1))
    >>> [(row.mechanism, row.scale and round(row.scale, 2)) for row in rows]
    [('MQMExact', 3.57), ('MQMApprox', 12.11), ('GK16', 3.89), ('GroupDP', 100.0), ('EntryDP*', 1.0)]
    """
    rows = []
    for alpha in alphas:
        approximate = partial(approximate_quilt_scale, length=length, epsilon=epsilon)
        ways: Ways = {
            "MQMExact": partial(binary_interval_scale, alpha, length, epsilon),
            "MQMApprox": partial(approximate, minimum_probability=alpha, gap=4 * alpha),
            "GK16": partial(binary_interval_gk16, alpha, length, epsilon),
            "GroupDP": partial(group_privacy, length, epsilon),
            "EntryDP*": partial(entry_privacy, epsilon),
        }
        rows += _measured(f"α = {alpha:g}", ways, 1 / length, 1, draws, rng)
    return rows


def power_experiment(
    watts: np.ndarray,
    epsilons: Sequence[float],
    rng: np.random.Generator,
    *,
    length: int | None = None,
    level_w: float = 200.0,
    smoothing: float = 0.1,
    draws: int = 20,
) -> list[Measured]:
    """L1 error of the relative histogram of power levels, Theta the chain estimated from the readings.

    Parameters
    ----------
    watts : (n,) one reading a minute.
    length : T of the series that is released; that of the readings if left out. A longer one is as if the same
        household had been read for longer: neither scale nor error depends on what its states are.
    level_w : width of a level, watts; the paper has 200.

    Notes
    -----
    The histogram is 2 / T-Lipschitz. Song, Wang, Chaudhuri, SIGMOD 2017, section 5.3.2, on a million minutes.
    """
    levels = np.floor(np.asarray(watts) / level_w).astype(np.int64)
    levels -= levels.min()
    m, length = int(levels.max()) + 1, len(levels) if length is None else length
    chain = chain_from_data(levels, m, smoothing=smoothing)
    rows = []
    for epsilon in epsilons:
        ways: Ways = {
            "MQMExact": partial(quilt_scale, chain, length, epsilon),
            "MQMApprox": partial(approximate_quilt_scale, chain, length=length, epsilon=epsilon),
            "GK16": partial(gk16, chain, length, epsilon),
            "GroupDP": partial(group_privacy, length, epsilon),
            "EntryDP*": partial(entry_privacy, epsilon),
        }
        rows += _measured(f"ε = {epsilon:g}", ways, 2 / length, m, draws, rng)
    return rows


def _measured(
    setting: str, ways: Ways, lipschitz: float, coordinates: int, draws: int, rng: np.random.Generator
) -> list[Measured]:
    rows = []
    for name, way in ways.items():
        start = perf_counter()
        scale = way().scale
        taken = 1e3 * (perf_counter() - start)
        error = None
        if scale is not None:
            noise = laplace(np.zeros((draws, coordinates)), scale * lipschitz, rng)
            error = float(np.abs(noise).sum(axis=1).mean())
        rows.append(Measured(setting, name, scale, error, taken))
    return rows


def table_of(rows: Sequence[Measured], unit: str = "error") -> str:
    """The errors as a Markdown table, one row per setting and one column per mechanism, with the times below.

    Examples
    --------
    >>> weak = [Measured("α = 0.1", "GK16", None, None, 0.2), Measured("α = 0.4", "GK16", 3.89, 0.0389, 0.6)]
    >>> print(table_of(weak))
    | error | GK16 |
    |---|---|
    | α = 0.1 | not applicable |
    | α = 0.4 | 0.0389 |
    | time to find σ (median) | 0.4 ms |
    """
    names = list(dict.fromkeys(row.mechanism for row in rows))
    lines = [[unit, *names]]
    for setting in dict.fromkeys(row.setting for row in rows):
        errors = {row.mechanism: row.error for row in rows if row.setting == setting}
        told = ("not applicable" if (error := errors[name]) is None else f"{error:.3g}" for name in names)
        lines.append([setting, *told])
    times = [np.median([row.milliseconds for row in rows if row.mechanism == name]) for name in names]
    lines.append(["time to find σ (median)", *(f"{t:.3g} ms" if t >= 0.1 else "< 0.1 ms" for t in times)])
    head, *rest = ("| " + " | ".join(line) + " |" for line in lines)
    return "\n".join([head, "|---" * (len(names) + 1) + "|", *rest])
