"""How numbers are written in sentences; the browser's `format.js` writes the same."""

from __future__ import annotations

import math

_HALF_UP = 2e-7
"""Share by which a number is raised before it is rounded: above the error of single precision."""

_SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def metres(value: float) -> str:
    """A length as people say it: "242 m", "1.7 km", "12,000 km".

    Examples
    --------
    >>> metres(242.13), metres(1678.3), metres(float("nan"))
    ('242 m', '1.7 km', 'no distance')
    """
    if math.isnan(value):
        return "no distance"
    if value < 999.5:
        return f"{value:.3g} m" if value < 10 else f"{value:.0f} m"
    return f"{value / 1000:.1f} km" if value < 99_950 else f"{value / 1000:,.0f} km"


def amount(value: float) -> str:
    """A budget or a loss to half a percent: two decimals, more where the number is small, "without bound" for infinity.

    The browser's `amount` writes the same, also of the value in single precision: halves go up.

    Examples
    --------
    >>> amount(0.8), amount(0.125), amount(0.0123), amount(12345.0), amount(float("inf"))
    ('0.80', '0.125', '0.012', '12,345', 'without bound')
    """
    if math.isinf(value):
        return "without bound"
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}" if size < 1e7 else f"{value:.2e}"
    if size >= 0.0995 or size == 0:
        nudged = value * (1 + _HALF_UP)
        text = f"{nudged:.2f}"
        return text if size >= 1 or abs(nudged - float(text)) <= 0.005 * size else f"{nudged:.3f}"
    return f"{value:.2g}"


def count(number: int, noun: str) -> str:
    """A number with its noun: "one landmark", "four landmarks", "2,016 timestamps"."""
    said = _SMALL[number] if number < len(_SMALL) else f"{number:,}"
    return f"{said} {noun}" if number == 1 else f"{said} {noun}s"
