"""A released series as a drawing for a report: an SVG that needs no program and prints sharply."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.io.report_map import WIDTH, svg

HEIGHT = 240.0
_LEFT, _RIGHT, _TOP, _FOOT = 70.0, 12.0, 12.0, 26.0  # room for what is written
_POINTS = 120  # up to so many released values are drawn as points too


def series_svg(values: ArrayLike, at: ArrayLike, n: int, *, names: Sequence[str], ends: tuple[str, str]) -> str:
    """Released values in order of time, with a line for the least and the greatest of them.

    Parameters
    ----------
    values : (k,) released values, NaN where there is no release. Never pass true ones. at : (k,) their timestamps.
    n : timestamps of the series. names : what the least and the greatest value are called. ends : the first and last time.

    Returns
    -------
    str : SVG for an HTML page; "" where nothing is released.

    Examples
    --------
    >>> drawn = series_svg([1.0, np.nan, 3.0], [0, 1, 2], 3, names=("1 kWh", "3 kWh"), ends=("08:00", "10:00"))
    >>> drawn.count('class="path"'), drawn.count('class="points"'), "3 kWh" in drawn
    (1, 1, True)
    >>> series_svg([np.nan], [0], 1, names=("", ""), ends=("", ""))
    ''
    """
    y, when = np.asarray(values, float), np.asarray(at, float)
    there = np.isfinite(y)
    if not there.any():
        return ""
    low, high = float(y[there].min()), float(y[there].max())
    foot = HEIGHT - _FOOT
    x = _LEFT + (when + 0.5) / n * (WIDTH - _LEFT - _RIGHT)
    height = foot - _TOP
    drawn = np.where(there, foot - (y - low) / (high - low) * height if high > low else (foot + _TOP) / 2, np.nan)
    parts = []
    for name, line in zip(names, (foot, _TOP) if high > low else ((foot + _TOP) / 2,), strict=False):
        parts.append(f'<path class="grid" d="M{_LEFT:.1f} {line:.1f}L{WIDTH - _RIGHT:.1f} {line:.1f}"/>')
        parts.append(
            f'<text class="degrees" x="{_LEFT - 6:.1f}" y="{line + 4:.1f}" text-anchor="end">{escape(name)}</text>'
        )
    pairs = [f"{a:.1f} {b:.1f}" for a, b in zip(x[there].tolist(), drawn[there].tolist(), strict=True)]
    parts.append(f'<path class="path" d="M{"L".join(pairs)}"/>')
    if len(pairs) <= _POINTS:
        parts.append(f'<path class="points" d="{"".join(f"M{pair}h0" for pair in pairs)}"/>')
    for text, left, side in ((ends[0], _LEFT, "start"), (ends[1], WIDTH - _RIGHT, "end")):
        parts.append(
            f'<text class="degrees" x="{left:.1f}" y="{HEIGHT - 6:.1f}" text-anchor="{side}">{escape(text)}</text>'
        )
    return svg("Chart of the released values", WIDTH, HEIGHT, parts)
