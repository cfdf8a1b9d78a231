"""How numbers are written in sentences. The page writes single values of arrays itself, in `format.js`, and the same way."""

from __future__ import annotations

import math

_HALF_UP = 2e-7
"""Share by which a number is raised before it is rounded, above the error of single precision: the page has the values in
single precision, and both sides must round halves alike."""

NONE, NO_BOUND = "none", "no bound"

_SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def metres(value: float) -> str:
    """A length as people say it: "242 m", "1.7 km", "12,000 km".

    Examples
    --------
    >>> metres(242.13), metres(1678.3), metres(0.0123), metres(1e-9), metres(float("nan"))
    ('242 m', '1.7 km', '0.012 m', 'below 1 mm', 'none')
    """
    if not math.isfinite(value):
        return NONE if math.isnan(value) else NO_BOUND
    if value < 1e-3:
        return "0 m" if value == 0 else "below 1 mm"
    value *= 1 + _HALF_UP
    if value < 999.5:
        return f"{_digits(value, 2 if value < 1 else 3)} m" if value < 9.995 else f"{value:.0f} m"
    return f"{value / 1000:.1f} km" if value < 99_950 else f"{_grouped(value / 1000)} km"


def amount(value: float) -> str:
    """A budget or a loss to half a percent: two decimals, more where the number is small.

    Examples
    --------
    >>> amount(0.8), amount(0.125), amount(0.0123), amount(12345.0), amount(3e-9), amount(float("inf"))
    ('0.80', '0.125', '0.012', '12,345', '3e-9', 'no bound')
    """
    if not math.isfinite(value):
        return NONE if math.isnan(value) else NO_BOUND
    value *= 1 + _HALF_UP
    size = abs(value)
    if size >= 999.995:
        return _grouped(value) if size < 9_999_500 else _exponential(value, 2)
    if size >= 0.0995 or size == 0:
        text = f"{value:.2f}"
        return text if size >= 1 or abs(value - float(text)) <= 0.005 * size else f"{value:.3f}"
    return _digits(value, 2)


def percent(share: float) -> str:
    """A probability as people read it.

    Examples
    --------
    >>> percent(0.1234), percent(0.00056), percent(1e-9), percent(0)
    ('12 %', '0.056 %', '0.0000001 %', '0 %')
    >>> percent(1e-20)
    'less than 0.00000001 %'
    """
    if math.isnan(share):
        return NONE
    value = 100 * share
    if value == 0:
        return "0 %"
    if value < 1e-8:
        return "less than 0.00000001 %"
    value *= 1 + _HALF_UP
    if value >= 9.95:
        return f"{value:.0f} %"
    digits = max(0, 1 - math.floor(math.log10(value)))
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") + " %"


def count(number: int, noun: str) -> str:
    """A number with its noun: "one landmark", "four landmarks", "2,016 timestamps"."""
    said = _SMALL[number] if number < len(_SMALL) else f"{number:,}"
    return f"{said} {noun}" if number == 1 else f"{said} {noun}s"


def _grouped(value: float) -> str:
    """A whole number with commas; from 100,000 on its first four digits, as single precision holds no more than seven."""
    if abs(value) < 99_999.5:
        return f"{value:,.0f}"
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - 3)
    return f"{math.floor(value / unit + 0.5) * unit:,.0f}"


def _digits(value: float, digits: int) -> str:
    """A number below 10 with so many significant digits, trailing zeros left out; as a power of ten below 1e-4."""
    if abs(value) < 1e-4:
        return _exponential(value, digits - 1)
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")


def _exponential(value: float, decimals: int) -> str:
    mantissa, power = f"{value:.{decimals}e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(power)}"
