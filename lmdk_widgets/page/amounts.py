"""How numbers are written in sentences, and losses as the factor by which odds change.

What is returned is a text that remembers its number (`Written`).

The page writes single values of arrays itself, in `format.js`, and the same way.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from lmdk_widgets.page.sentences import Sentence, Written, sentence

_HALF_UP = 2e-7
"""Share by which a number is raised before it is rounded, above the error of single precision: the page has the values in
single precision, and both sides must round halves alike."""

_ARITHMETIC = 1e-9
"""Share by which arithmetic errors may exceed a bound: a sum that is 1 except for rounding counts as at most 1."""

_NO_SHARE = 1e-6
"""Below this, a bound on a share is not written more precisely."""

NONE, NO_BOUND = "none", "no bound"

_SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]

MILLION = math.log(1e6)
"""From this loss on, no number is given: nobody can tell a factor of a million from a greater one."""

Rounded = Callable[[float, int], str]
"""A number written with this many decimals."""


def metres(value: float) -> Written:
    """A length as people say it: "242 m", "1.7 km", "12,000 km".

    Examples
    --------
    >>> metres(242.13), metres(1678.3), metres(0.0123), metres(1e-9), metres(float("nan"))
    ('242 m', '1.7 km', '0.012 m', 'below 1 mm', 'none')
    """
    if 0 < value < 1e-3:
        return Written("below 1 mm", value)
    return Written(_metres(value * (1 + _HALF_UP), _nearest), value)


def digits(value: float, most: int) -> float:
    """A number rounded to `most` significant digits.

    Examples
    --------
    >>> digits(1435.0, 2), digits(743.0, 1), digits(0.0, 1)
    (1400.0, 700.0, 0.0)
    """
    return float(f"{value:.{most - 1}e}")


def amount(value: float) -> Written:
    """A budget or a loss to half a percent: two decimals, more if the number is small, one from 10 on and none from 100
    on, and none if all are 0.

    Examples
    --------
    >>> amount(0.8), amount(0.125), amount(0.0123), amount(1.0), amount(1.1), amount(22.34), amount(224.0)
    ('0.80', '0.125', '0.012', '1', '1.10', '22.3', '224')
    >>> amount(12345.0), amount(3e-9), amount(float("inf"))
    ('12,345', '3e-9', 'no bound')
    """
    return Written(_amount(value * (1 + _HALF_UP), _nearest), value)


def percent(share: float) -> Written:
    """A probability as people read it.

    Examples
    --------
    >>> percent(0.1234), percent(0.00056), percent(1e-9), percent(0)
    ('12 %', '0.056 %', '0.0000001 %', '0 %')
    >>> percent(1e-20)
    'less than 0.00000001 %'
    """
    if 0 < share < 1e-10:
        return Written("less than 0.00000001 %", share)
    return Written(_percent(share * (1 + _HALF_UP), _nearest), share)


def bound(value: float, up: bool = True) -> Written:
    """A budget or a loss to follow "at most" or "never more than"; with up=False, "at least": rounded outwards.

    It looks like `amount`. The statement is true: never below the value, or never above it, except for a billionth of it.

    Examples
    --------
    >>> bound(1.1316), bound(1.1316, up=False), bound(0.8), bound(0.12341), bound(12345.6), bound(3.02e-9)
    ('1.14', '1.13', '0.80', '0.124', '12,346', '3.1e-9')
    >>> bound(4.0), bound(0.999), bound(22.301), bound(22.301, up=False)
    ('4', '1', '22.4', '22.3')
    """
    return Written(_amount(*_outward(value, up)), value, 1 if up else -1)


def outward(value: float, *, up: bool) -> float:
    """Four digits of a number, never below it (up), or never above.

    Examples
    --------
    >>> outward(0.58157, up=False), outward(4.0, up=True), outward(1.84611, up=True)
    (0.5815, 4.0, 1.847)
    """
    step = 10.0 ** (math.floor(math.log10(value)) - 3)
    slack = 1e-9 if up else -1e-9  # rounding of the division is no reason to round up a digit
    whole = math.ceil(value / step - slack) if up else math.floor(value / step - slack)
    return float(f"{whole * step:.4g}")


def bound_metres(value: float, up: bool = True) -> Written:
    """A length that looks like `metres`, rounded outwards as `bound` does.

    Examples
    --------
    >>> bound_metres(242.13), bound_metres(1611.0), bound_metres(1678.3, up=False), bound_metres(1e-9)
    ('243 m', '1.7 km', '1.6 km', '1 mm')
    """
    if 0 < value < 1e-3:
        return Written("1 mm" if up else "0 m", value, 1 if up else -1)
    return Written(_metres(*_outward(value, up)), value, 1 if up else -1)


def bound_percent(share: float, up: bool = True) -> Written:
    """A probability that looks like `percent`, rounded outwards as `bound` does.

    Examples
    --------
    >>> bound_percent(0.1234), bound_percent(0.1234, up=False), bound_percent(0.031), bound_percent(1e-20)
    ('13 %', '12 %', '3.1 %', '0.0001 %')
    """
    if 0 < share < _NO_SHARE:  # digits that mean nothing to anyone
        return Written("0.0001 %" if up else "0 %", share, 1 if up else -1)
    return Written(_percent(*_outward(share, up)), share, 1 if up else -1)


def bound_digits(value: float, digits: int) -> Written:
    """A number of a certificate with this many digits, rounded up.

    Examples
    --------
    >>> bound_digits(1.00000041, 6), bound_digits(0.9999999999999, 6), bound_digits(3.2e-12, 1)
    ('1.00001', '1', '4e-12')
    """
    if not value > 0 or math.isinf(value):
        return Written(f"{value:g}", value, 1)
    exact = Decimal(value * (1 - _ARITHMETIC))
    rounded = float(exact.quantize(Decimal(1).scaleb(exact.adjusted() + 1 - digits), ROUND_CEILING))
    return Written(f"{rounded:.{digits}g}", value, 1)


def metres_to(value: float, digits: int, *, up: bool = True) -> Written:
    """A length above 0 with this many significant digits, rounded outwards: of a certificate.

    Examples
    --------
    >>> metres_to(1162.07981, 7), metres_to(1162.07981, 7, up=False), metres_to(168.2, 3, up=False)
    ('1.162080 km', '1.162079 km', '168 m')
    """
    exact, rounded = _outward(value, up)
    number, unit = (exact, "m") if exact < 999.5 else (exact / 1000, "km")
    text = f"{rounded(number, digits - 1 - math.floor(math.log10(number)))} {unit}"
    return Written(text, value, 1 if up else -1)


def chance(share: float) -> Written:
    """A probability with one decimal, as mechanisms differ by a few per cent.

    Examples
    --------
    >>> chance(0.2541), chance(0.0004)
    ('25.4 %', '0.04 %')
    """
    return Written(f"{100 * share:.1f} %", share) if share >= 0.01 else percent(share)


def count(number: int, noun: str) -> Written:
    """A number with its noun: "one landmark", "four landmarks", "2,016 timestamps"."""
    return Written(f"{numeral(number)} {noun}" if number == 1 else f"{numeral(number)} {noun}s", number)


def in_field(value: float) -> float:
    """A number as the field of its control shows it, of six digits.

    Examples
    --------
    >>> in_field(1.0000000000000002), in_field(1 / 3)
    (1.0, 0.333333)
    """
    return float(f"{value:.6g}")


def numeral(number: int) -> Written:
    """A number in a sentence: "one", "four", "2,016"."""
    return Written(_SMALL[number] if number < len(_SMALL) else f"{number:,}", number)


def whole(number: int) -> Written:
    """A number in digits: "3", "2,016"."""
    return Written(f"{number:,}", number)


def ordinal(count: int) -> Written:
    """1st, 2nd, 3rd, 4th ...

    Examples
    --------
    >>> [ordinal(k) for k in (2, 3, 4, 11, 21)]
    ['2nd', '3rd', '4th', '11th', '21st']
    """
    last = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th") if count % 100 not in (11, 12, 13) else "th"
    return Written(f"{count}{last}", count)


def every(number: int, nouns: str) -> Written:
    """All of this many things, for a sentence; `nouns` is their plural.

    Examples
    --------
    >>> every(2, "timestamps"), every(4, "releases"), every(2016, "timestamps")
    ('both timestamps', 'all four releases', 'all 2,016 timestamps')
    """
    return Written(f"both {nouns}" if number == 2 else f"all {numeral(number)} {nouns}", number)


def factor(loss: float) -> Written:
    """e^loss to follow "a factor of at most", rounded up; a whole number from 10 on.

    Examples
    --------
    >>> factor(0.8), factor(0.01), factor(0), factor(3.0), factor(9.5)
    ('2.23', '1.02', '1', '21', '13,360')
    """
    value = math.exp(loss)
    if value >= 999.5:
        return bound(value)
    return Written(f"{math.ceil(value * (1 - 1e-9))}", value, 1) if value > 10 else bound(value)


def times(loss: float) -> Written:
    """The factor by which odds change in a typical release: "25"; not rounded up, as nothing bounds it.

    Examples
    --------
    >>> times(0.468), times(3.21), times(6.46), times(39.0), times(0.001), times(-0.5)
    ('1.6', '25', '640', 'over 1,000,000', '1', '1')
    """
    if loss > MILLION:
        return Written("over 1,000,000", math.inf)
    value = math.exp(max(loss, 0.0))
    if round(value, 2) <= 1:
        return Written("1", value)
    if value < 9.95:
        return Written(f"{value:.2f}" if value < 1.095 else f"{value:.1f}", value)
    step = 10 ** max(math.floor(math.log10(value)) - 1, 0)
    return Written(f"{round(value / step) * step:,}", value)


def changed(level: float) -> Written:
    """By what factor a typical release changes odds, up or down, from its logarithm.

    Examples
    --------
    >>> changed(3.21), changed(-1.2), changed(0.0), changed(20.0)
    ('×25', '÷3.3', '×1', 'over ×10⁶')
    """
    sign = "÷" if level < 0 else "×"
    text = f"over {sign}{_MILLION}" if abs(level) > MILLION else f"{sign}{times(abs(level))}"
    return Written(text, math.exp(min(level, 700)))


def odds(level: float) -> Written:
    """Odds from their logarithm: "25 : 1", "1 : 12".

    Examples
    --------
    >>> odds(3.21), odds(-1.2), odds(0.0), odds(-20.0)
    ('25 : 1', '1 : 3.3', '1 : 1', 'below 1 : 10⁶')
    """
    over = abs(level) > MILLION
    said = _MILLION if over else times(abs(level))
    text = f"{'below ' * over}1 : {said}" if level < 0 else f"{'over ' * over}{said} : 1"
    return Written(text, math.exp(min(level, 700)))


_MILLION = "10⁶"
"""A million where there is little room."""


def bound_odds(level: float) -> Written:
    """The factor e^level by which odds change, to follow "at most"; as a power of e if its digits would mean nothing.

    Examples
    --------
    >>> bound_odds(0.843), bound_odds(7.87), bound_odds(12.5)
    ('2.33', '2,618', 'e^12.5')
    """
    return bound(math.exp(level)) if level < 12 else Written(f"e^{bound(level)}", math.exp(min(level, 700)), 1)


def factor_is_told(loss: float) -> bool:
    """Whether `change` gives a factor for this loss.

    Examples
    --------
    >>> factor_is_told(0.8), factor_is_told(20.0), factor_is_told(0.0)
    (True, False, False)
    """
    return loss <= MILLION and factor(loss) != "1"


def change(who: str, odds: str, loss: float, comma: str = "") -> Sentence:
    """How far an attacker can change odds with a loss: a sentence without its full stop; `comma` follows the odds within it.

    Examples
    --------
    >>> change("Anyone who sees it", "the odds of two places", 0.8)
    'Anyone who sees it can change the odds of two places by a factor of at most 2.23'
    >>> change("Anyone who sees it", "the odds of two places", 20.0)
    'Anyone who sees it may change the odds of two places by a factor of more than a million'
    >>> change("Anyone who sees it", "the odds of two places", math.inf)
    'Anyone who sees it may learn everything: there is no limit to how far that changes the odds of two places'
    """
    names = {"who": who, "odds": odds, "comma": comma}
    if math.isinf(loss):
        return sentence(
            "{who} may learn everything: there is no limit to how far that changes {odds}", who=who, odds=odds
        )
    if loss > MILLION:
        return sentence("{who} may change {odds}{comma} by a factor of more than a million", **names)
    if not factor_is_told(loss):
        return sentence("{who} cannot noticeably change {odds}", who=who, odds=odds)
    return sentence(
        "{who} can change {odds}{comma} by a factor of at most {most_odds_factor}",
        most_odds_factor=factor(loss),
        **names,
    )


def _metres(value: float, rounded: Rounded) -> str:
    if not math.isfinite(value):
        return NONE if math.isnan(value) else NO_BOUND
    if value == 0:
        return "0 m"
    if value < 999.5:
        return f"{_digits(value, 2 if value < 1 else 3, rounded)} m" if value < 9.995 else f"{rounded(value, 0)} m"
    return f"{rounded(value / 1000, 1)} km" if value < 99_950 else f"{_grouped(value / 1000, rounded)} km"


def _amount(value: float, rounded: Rounded) -> str:
    if not math.isfinite(value):
        return NONE if math.isnan(value) else NO_BOUND
    size = abs(value)
    if size >= 99.95:
        return _grouped(value, rounded) if size < 9_999_500 else _exponential(value, 2, rounded)
    if size >= 9.995:
        return rounded(value, 1).removesuffix(".0")
    if size >= 0.0995 or size == 0:
        text = rounded(value, 2)
        near = size >= 1 or abs(value - float(text)) <= 0.005 * size
        return text.removesuffix(".00") if near else rounded(value, 3)
    return _digits(value, 2, rounded)


def _percent(share: float, rounded: Rounded) -> str:
    if math.isnan(share):
        return NONE
    value = 100 * share
    if value == 0:
        return "0 %"
    if value >= 9.95:
        return f"{rounded(value, 0)} %"
    digits = max(0, 1 - math.floor(math.log10(value)))
    return _plain(rounded(value, digits)) + " %"


def _nearest(value: float, decimals: int) -> str:
    if decimals >= 0:
        return f"{value:.{decimals}f}"
    unit = 10.0**-decimals
    return f"{math.floor(value / unit + 0.5) * unit:.0f}"


def _outward(value: float, up: bool) -> tuple[float, Rounded]:
    """The value without the error of the arithmetic, and how it is rounded."""
    away = 1 if up == (value >= 0) else -1

    def rounded(x: float, decimals: int) -> str:
        unit = Decimal(1).scaleb(-decimals)
        whole = (Decimal(x) / unit).to_integral_value(ROUND_CEILING if up else ROUND_FLOOR)
        return f"{whole * unit:,.{max(decimals, 0)}f}"

    return value * (1 - away * _ARITHMETIC), rounded


def _grouped(value: float, rounded: Rounded) -> str:
    """A whole number with commas; from 100,000 on its first four digits, as single precision holds no more than seven."""
    decimals = 0 if abs(value) < 99_999.5 else 3 - math.floor(math.log10(abs(value)))
    return f"{int(rounded(value, decimals).replace(',', '')):,}"


def _digits(value: float, digits: int, rounded: Rounded) -> str:
    """A number below 10 with this many significant digits, without trailing zeros; as a power of ten below 1e-4."""
    if abs(value) < 1e-4:
        return _exponential(value, digits - 1, rounded)
    return _plain(rounded(value, digits - 1 - math.floor(math.log10(abs(value)))))


def _plain(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _exponential(value: float, decimals: int, rounded: Rounded) -> str:
    power = math.floor(math.log10(abs(value)))
    mantissa = rounded(float(Decimal(value).scaleb(-power)), decimals)
    if abs(float(mantissa)) >= 10:
        mantissa, power = rounded(float(mantissa) / 10, decimals), power + 1
    return f"{_plain(mantissa)}e{power}"
