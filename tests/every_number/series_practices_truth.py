"""What the series page says of a meter's practices, recomputed in plain loops from the readings."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from statistics import fmean
from typing import Any

import numpy as np

from lmdk_widgets.pages.series.generated import household_watts
from tests.every_number.cards_drawn import warned
from tests.every_number.claims import Wrong, agrees, near
from tests.practice.meter_oracles import DAY, counted_days, slow_days, slow_merged, slow_routine

EVERY = {"Values by the hour": 60, "Values by the day": DAY, "Values by 30 days": 30 * DAY}
Read = tuple[list[bool] | None, dict[int, tuple[float, float]]]


class MeterTruth:
    """The readings, what each practice publishes of them, and what the attack reads from it."""

    def __init__(self, values: tuple[float, ...], minutes: float, start: float) -> None:
        self.values, self.minutes, self.start = list(values), minutes, start
        self.published = {"Every reading": self.values}
        for name, every in EVERY.items():
            if every > minutes:
                self.published[name] = slow_merged(self.values, minutes, every, start)
        low, high = np.quantile(self.values, (0.05, 0.95)).tolist()
        self.published["Top and bottom cut"] = [min(max(v, low), high) for v in self.values]
        self.read: dict[str, Read] = {}
        for name, given in self.published.items():
            every = max(EVERY.get(name, minutes), minutes)
            if max(every, 15) > 360:
                self.read[name] = None, {}
            elif every <= max(minutes, 15):
                self.read[name] = slow_routine(given, minutes, start)
            else:  # an hour is longer than the quarters that the loops make of shorter intervals
                self.read[name] = self.merged(given, every)
        self.days = slow_days(self.values, minutes, start)
        self.whole = counted_days(self.values, minutes, start)

    def merged(self, given: list[float], every: float) -> Read:
        """The attack on one value for each interval, put back at the times of the readings."""
        at = [math.floor((self.start + k * self.minutes) / every + 1e-9) for k in range(len(given))]
        first = at[0]
        blocks = [given[at.index(b)] for b in range(first, at[-1] + 1)]
        if len(set(blocks)) == 1:
            active = [False] * len(given)
        else:
            found, _ = slow_routine(blocks, every, first * every)
            active = [found[b - first] for b in at]
        return active, rests(active, self.minutes, self.start)

    def right(self, name: str) -> float | None:
        known, read = self.read["Every reading"][0], self.read[name][0]
        return None if known is None or read is None else fmean(a == b for a, b in zip(known, read, strict=True))

    @property
    def alike(self) -> float:
        known = self.read["Every reading"][0]
        assert known is not None
        return max(fmean(known), 1 - fmean(known))

    def nights(self, name: str) -> list[int]:
        return sorted(self.read["Every reading"][1].keys() & self.read[name][1].keys())

    def rest_off(self, name: str) -> float | None:
        """Ends of rests where the readings begin or end do not count."""
        known, read = self.read["Every reading"][1], self.read[name][1]
        edges = self.start, self.start + len(self.values) * self.minutes
        off = [abs(a - b) for k in self.nights(name) for a, b in zip(known[k], read[k], strict=True) if a not in edges]
        return fmean(off) if off else None

    def day_off(self, given: list[float]) -> float:
        found = slow_days(given, self.minutes, self.start)
        return fmean(abs(self.days[k] - found[k]) for k in self.whole)

    @property
    def most_of_a_day(self) -> float:
        """All that is used in the months in which a day lies, in one day."""
        day = [math.floor((self.start + k * self.minutes) / DAY + 1e-9) for k in range(len(self.values))]
        month = [math.floor(k / 30) for k in day]
        return max(
            math.fsum(v for v, m in zip(self.values, month, strict=True) if m == k // 30) / day.count(k)
            for k in self.whole
        )


def rests(active: list[bool], minutes: float, start: float) -> dict[int, tuple[float, float]]:
    """The longest quiet run of each night."""
    found: dict[int, tuple[float, float]] = {}
    begin = None
    for k, busy in enumerate([*active, True]):
        if not busy and begin is None:
            begin = k
        if busy and begin is not None:
            a, b, begin = start + begin * minutes, start + k * minutes, None
            middle = (a + b) / 2
            if b - a >= 180 and not 540 <= middle % DAY < 1260:
                night = math.floor((middle + 180) / DAY)
                if night not in found or b - a > found[night][1] - found[night][0]:
                    found[night] = a, b
    return found


@lru_cache(maxsize=64)
def _truth(values: tuple[float, ...], minutes: float, start: float) -> MeterTruth:
    return MeterTruth(values, minutes, start)


def meter(t: Any) -> MeterTruth | None:
    """What is known of the readings of an outcome; None if it has none, or no clock."""
    c, own = t.c, t.o.own
    if c.source == "power":
        return _truth(tuple(household_watts().tolist()), 1.0, 0.0)
    if c.source == "own" and own.watts is not None and own.minutes is not None:
        return _truth(tuple(own.watts.tolist()), own.minutes, own.start_minute)
    return None


def lasting(minutes: float) -> str:
    if minutes < 0.95:
        return "less than a minute"
    if minutes < 89.5:
        return f"{minutes:.0f} min"
    hours = f"{minutes / 60:.1f}" if minutes < 597 else f"{minutes / 60:,.0f}"
    return f"{hours.removesuffix('.0')} h"


def _percent(share: float) -> str:
    """Whole per cent, and below ten a decimal."""
    return f"{100 * share:.0f} %" if share >= 0.0995 or share == 0 else f"{100 * share:.1f} %"


def _rest(m: MeterTruth, name: str) -> str:
    known, off = len(m.read["Every reading"][1]), m.rest_off(name)
    found = len(m.nights(name))
    if not known:
        return "none seen"
    if not found:
        return "not told"
    said = "told" if off is None else "exact" if off == 0 else f"off by {lasting(off)}"
    return said + (f", {found} of {known} nights" if found < known else "")


def practised(t: Any, blocks: list[dict[str, Any]]) -> None:
    """Every cell of the table, and every bar of the day."""
    m = meter(t)
    if m is None:
        if [block["kind"] for block in blocks] != ["text"]:
            raise Wrong("practices are shown of what is no meter's")
        return
    tables = [block["shown"] for block in blocks if block["kind"] == "table"]
    rows = {row[0]: row[1:] for row in tables[0]["rows"]}
    warned(tables[0], ("no guarantee", "no promise"))
    noise = [name for name in rows if name not in m.published]
    if list(rows)[: len(m.published)] != list(m.published) or len(noise) != (t.o.histogram.released is not None):
        raise Wrong(f"rows {list(rows)}")
    for name, given in m.published.items():
        right = m.right(name)
        expected = [
            _bar_off(t, given),
            "not told" if right is None else _percent(right),
            _rest(m, name),
            _day(t, m, m.day_off(given)),
            "no guarantee",
        ]
        if not all(same(a, b) for a, b in zip(rows[name], expected, strict=True)):
            raise Wrong(f"{name}: {rows[name]} instead of {expected}")
    for name in noise:
        off = m.day_off([_mean(t)] * len(m.values))
        answer = t.o.method(t.c.mechanism)
        bar = answer.noise * (t.T if t.c.query == "shares" else 1)
        expected = [lasting(bar * m.minutes * t.c.every), "not told", "not told", _day(t, m, off)]
        if not all(same(a, b) for a, b in zip(rows[name][:4], expected, strict=True)):
            raise Wrong(f"{name}: {rows[name]} instead of {expected}")
        number = re.search(r"ε = (\S+)$", name)
        if number is None or not agrees(near("x"), number[1], t.epsilon):
            raise Wrong(name)
        most = 1 / (1 + math.exp(-min(t.epsilon, 700)))
        none = most >= 0.99 or not answer.protects
        if rows[name][4] != ("no promise" if none else f"{math.ceil(100 * most - 1e-7)} of 100 if equally likely"):
            raise Wrong(f"{rows[name]}: {most} is promised")
    _drawn(t, m, [block["shown"] for block in blocks if block["kind"] == "chart"])


def same(said: str, expected: str) -> bool:
    """The same words, and numbers that agree in their last digit."""
    pattern = r"\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
    if re.sub(pattern, "#", said) != re.sub(pattern, "#", expected):
        return False
    pairs = zip(re.findall(pattern, said), re.findall(pattern, expected), strict=True)
    return all(abs(float(a.replace(",", "")) - float(b.replace(",", ""))) <= _last(a) for a, b in pairs)


def _last(number: str) -> float:
    """One in the last digit that is written."""
    plain = number.replace(",", "")
    return 1.01 * 10.0 ** -(len(plain.partition(".")[2])) if "e" not in plain else 0.01 * float(plain)


def _levels(t: Any, given: list[float]) -> list[int]:
    read, width = meter(t).values[:: t.c.every], t.c.level_w  # type: ignore[union-attr]
    lowest = min(math.floor(v / width) for v in read)
    return [min(max(math.floor(v / width) - lowest, 0), t.m - 1) for v in given[:: t.c.every]]


def _bar_off(t: Any, given: list[float]) -> str:
    published, states = _levels(t, given), t.series.states.tolist()
    off = fmean(abs(published.count(k) - states.count(k)) for k in range(t.m))
    m = meter(t)
    assert m is not None
    return "nothing" if off == 0 else lasting(off * m.minutes * t.c.every)


def _mean(t: Any) -> float:
    """The middles of the levels, weighted by the released bars that are not below zero."""
    m, width = meter(t), t.c.level_w
    assert m is not None
    lowest = min(math.floor(v / width) for v in m.values[:: t.c.every])
    bars = [max(v, 0.0) for v in t.o.histogram.released.tolist()]
    bars = bars if sum(bars) > 0 else [1.0] * len(bars)
    return math.fsum(v * (lowest + k + 0.5) * width for k, v in enumerate(bars)) / math.fsum(bars)


def _day(t: Any, m: MeterTruth, off: float) -> str:
    if off <= 1e-9 * max(map(abs, m.days.values())):
        return "exact"
    unit = "W" if t.c.source == "power" else t.o.own.unit
    number = f"{off:.3g}" if off < 100 else f"{off:,.0f}"
    return f"off by {number} {unit}".rstrip()


def day_shown(t: Any) -> int:
    m = meter(t)
    assert m is not None
    return math.floor((m.start + t.node * t.c.every * m.minutes) / DAY) + 1


def _drawn(t: Any, m: MeterTruth, charts: list[dict[str, Any]]) -> None:
    """The bars of a day, in hours from midnight, the lowest row last."""
    names = [name for name in m.published if m.read[name][0] is not None]
    if len(charts) != bool(names):
        raise Wrong("a day is drawn where no practice tells its hours, or none where one does")
    for chart in charts:
        first = (day_shown(t) - 1) * DAY
        active, rest = chart["figure"]["data"]
        if list(reversed(names)) != chart["figure"]["layout"]["yaxis"]["ticktext"]:
            raise Wrong("other rows")
        across, down = (chart["figure"]["layout"][name] for name in ("xaxis", "yaxis"))
        if across["ticktext"] != [f"{hour}:00" for hour in across["tickvals"]] or down["tickvals"] != [
            *range(len(names))
        ]:
            raise Wrong(f"the ticks {across}, {down}")
        for row, name in enumerate(reversed(names)):
            hours = _bars(active, row)
            for k, busy in enumerate(m.read[name][0] or []):
                at = (m.start + (k + 0.5) * m.minutes - first) / 60
                if 0 < at < 24 and any(a < at < b for a, b in hours) != busy:
                    raise Wrong(f"{name} at {at} h is drawn otherwise than {busy}")
            ends = [[min(max(end - first, 0), DAY) / 60 for end in pair] for pair in m.read[name][1].values()]
            if not np.allclose(_bars(rest, row), [pair for pair in ends if pair[1] > pair[0]]):
                raise Wrong(f"the rest of {name}: {_bars(rest, row)}, not {ends}")


def _bars(trace: dict[str, Any], row: int) -> list[list[float]]:
    triples = list(zip(*[iter(zip(trace["x"], trace["y"], strict=True))] * 3, strict=True))
    if any(a[1] != b[1] for a, b, _ in triples):
        raise Wrong(f"a bar goes from row to row: {trace['y']}")
    return [[a[0], b[0]] for a, b, _ in triples if a[1] == row]
