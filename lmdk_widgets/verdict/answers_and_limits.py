"""Each answer beside its limit, written so that the two read differently: nothing is missed by "1.2 km, at most 1.2 km"."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from lmdk_widgets.answers.averaging_attack import SURE, Found, FoundAnswer, FoundLevel
from lmdk_widgets.answers.found_places import LEAST_M, FoundPlace
from lmdk_widgets.page.amounts import digits, metres, percent
from lmdk_widgets.page.sentences import Written
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.written_values import with_unit
from lmdk_widgets.trajectory.series import Series
from lmdk_widgets.verdict.judged_answers import Judged
from lmdk_widgets.verdict.search import NOTICED

CLEAR = 1.1
"""Numbers that differ by this factor are told apart however they are rounded."""

_MOST_DECIMALS = 12


class Unit(NamedTuple):
    """How numbers are written: as their tile writes them, and with decimals, by a factor and a name after the number."""

    write: Callable[[float], str]
    factor: float
    name: str

    def exactly(self, value: float, decimals: int) -> str:
        """With these decimals."""
        return Written(f"{value * self.factor:,.{decimals}f}{self.name}", value)


def apart(
    value: float, limit: float, unit: Unit, told: float, said: float, *, may_equal: bool = False
) -> tuple[str, str]:
    """A number and what it is compared with, in words that differ and show which one is larger.

    Parameters
    ----------
    value, limit : what is compared. unit : how they are written. told, said : the same two as their tiles round them.
    may_equal : both may read the same, as where a limit is just kept.

    Returns
    -------
    tuple of str
        As the tiles write them where they differ by `CLEAR`; else both with the same decimals, as few as
        show which is larger.

    Examples
    --------
    >>> kwh = Unit(lambda v: f"{v:g} kWh", 1.0, " kWh")
    >>> apart(2.04, 1.2393, kwh, 2.0, 1.2), apart(1.2412, 1.2393, kwh, 1.2, 1.2)
    (('2 kWh', '1.2 kWh'), ('1.241 kWh', '1.239 kWh'))
    """
    low, high = sorted((value, limit))
    if may_equal and (told - said) * (value - limit) >= 0:
        return unit.write(told), unit.write(said)
    if low == high or not math.isfinite(high):
        return unit.write(told), unit.write(said)
    if high >= CLEAR * low and (told > said) == (value > limit) and unit.write(told) != unit.write(said):
        return unit.write(told), unit.write(said)
    size = low * unit.factor
    least = max(0, 1 - math.floor(math.log10(size))) if size > 0 else 1
    for decimals in range(least, _MOST_DECIMALS):
        texts = unit.exactly(value, decimals), unit.exactly(limit, decimals)
        if texts[0] != texts[1]:
            return texts
    return unit.exactly(value, _MOST_DECIMALS), unit.exactly(limit, _MOST_DECIMALS)


def length_unit(outcome: Outcome, *sizes: float) -> Unit:
    """How a length of these data is written: in metres or kilometres by the larger one, or in the unit of a series with up
    to four digits."""
    if outcome.series is None:
        return Unit(metres, 1e-3, " km") if max(sizes, default=0.0) >= 999.5 else Unit(metres, 1.0, " m")
    name = f" {outcome.series.unit}" if outcome.series.unit else ""
    return Unit(lambda value: Written(f"{digits(value, 4):,.12g}{name}", value), 1.0, name)


_PERCENT = Unit(percent, 100.0, " %")
_OF_100 = Unit(lambda right: Written(f"{right:.4g} of 100", right), 1.0, " of 100")


# -- found ------------------------------------------------------------------------------------------------------------


def nearest(found: Found) -> float:
    """How near averaging comes in half of all releases, smaller is nearer: a distance, or guesses of 100 below 0."""
    if not found.is_found:
        return math.inf
    if isinstance(found, FoundAnswer):
        return -100 * found.right
    return found.places[0].found_m if isinstance(found, FoundPlace) and not found.few else found.within()


def without_less(text: str) -> str:
    """How near averaging comes, after "to within"."""
    return text.removesuffix(" or less")


def found_beside(judged: Judged) -> tuple[str, str]:
    """What is found, and its limit: "93 m", "200 m"; "97 of 100", "72 of 100"."""
    found, limit = judged.found, judged.found_limit
    assert found is not None and limit is not None
    unit = _found_unit(judged, limit)
    if not found.is_found:
        return found.value(), unit.write(limit)
    if isinstance(found, FoundAnswer):
        return _guessed_beside(found, limit)
    near, least = nearest(found), found.width / 2 if isinstance(found, FoundLevel) else LEAST_M
    near = least if near < least <= limit / CLEAR else near  # more precisely only where the limit is nearer
    told = digits(near, 2) if isinstance(found, FoundPlace) else near  # as the tile writes it
    return apart(near, limit, unit, told, limit, may_equal=not judged.missed[0])


def found_words(judged: Judged) -> str:
    """How near averaging comes, for a sentence; beside its limit where there is one."""
    assert judged.found is not None
    return without_less(judged.found.value()) if judged.found_limit is None else found_beside(judged)[0]


def found_limit_words(judged: Judged) -> str:
    """The limit of what is found, by itself."""
    assert judged.found_limit is not None
    return _found_unit(judged, judged.found_limit).write(judged.found_limit)


def _found_unit(judged: Judged, limit: float) -> Unit:
    """How distances of what is found are written."""
    outcome, found = judged.outcome, judged.found
    if outcome.kind.counts_wrong:
        return _OF_100
    if isinstance(outcome.series, Series):
        name = outcome.series.unit
        return Unit(with_unit(name), 1.0, f" {name}" if name else "")
    return length_unit(outcome, limit, *([nearest(found)] if found is not None and found.is_found else []))


def _guessed_beside(found: FoundAnswer, limit: float) -> tuple[str, str]:
    """Guesses of 100, and their limit."""
    right, said = 100 * found.right, float(f"{limit:.4g}")
    over = found.right > SURE and said <= 100 * SURE  # "over 99 of 100"
    if (
        over
        or right <= limit
        or (found.right <= SURE and round(right) != said and (round(right) > said) == (right > limit))
    ):
        return found.value(), _OF_100.write(limit)
    return apart(right, limit, _OF_100, limit, limit)


# -- useful -----------------------------------------------------------------------------------------------------------


def reader_beside(judged: Judged) -> tuple[str, str]:
    """How far off a careful reader is, and the most that is asked for: "2 kWh", "1.2 kWh"; the share of answers that are
    right, and the least that is asked for: "53 %", "75 %"."""
    worth, limit = judged.worth, judged.useful_limit
    assert worth is not None and limit is not None
    if judged.outcome.kind.counts_wrong:
        return apart(1 - worth.reader, 1 - limit, _PERCENT, 1 - worth.reader, 1 - limit, may_equal=not judged.missed[1])
    unit = length_unit(judged.outcome, worth.reader, limit)
    return apart(worth.reader, limit, unit, worth.shown, digits(limit, 2), may_equal=not judged.missed[1])


def reader_words(judged: Judged) -> str:
    """ "is off by 810 m", "gets 53 % right"; beside its limit where there is one."""
    worth = judged.worth
    assert worth is not None
    if judged.useful_limit is not None:
        return _reads(judged, reader_beside(judged)[0])
    if judged.outcome.kind.counts_wrong:
        return _reads(judged, percent(1 - worth.reader))
    return _reads(judged, length_unit(judged.outcome).write(worth.shown))


def reader_moved(then: Judged, now: Judged) -> str:
    """How far off a reader is then, and is now: "is off by 1.0 km, not 800 m"."""
    after, before = then.worth, now.worth
    assert after is not None and before is not None
    if now.outcome.kind.counts_wrong:
        told = [1 - after.reader, 1 - before.reader]
        texts = apart(told[0], told[1], _PERCENT, told[0], told[1])
    else:
        unit = length_unit(now.outcome, after.reader, before.reader)
        texts = apart(after.reader, before.reader, unit, after.shown, before.shown)
    return f"{_reads(now, texts[0])}, not {texts[1]}"


def reads_worse(then: Judged, now: Judged) -> bool:
    """Whether a reader is visibly farther off."""
    if then.worth is None or now.worth is None or then.worth.reader <= now.worth.reader:
        return False
    return then.worth.reader * NOTICED >= now.worth.reader or _tile(then) != _tile(now)


def _tile(judged: Judged) -> str:
    """A reader's error as its tile writes it."""
    worth = judged.worth
    assert worth is not None
    if judged.outcome.kind.counts_wrong:
        return percent(1 - worth.reader)
    return length_unit(judged.outcome).write(worth.shown)


def _reads(judged: Judged, text: str) -> str:
    """The verb that goes with it."""
    return f"gets {text} right" if judged.outcome.kind.counts_wrong else f"is off by {text}"
