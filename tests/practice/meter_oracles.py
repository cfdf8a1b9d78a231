"""A meter's practices and the attack on them, in plain loops."""

from __future__ import annotations

import itertools
import math
from statistics import fmean

DAY = 1440


def slow_merged(values: list[float], minutes: float, every: float, start: float = 0.0) -> list[float]:
    at = [math.floor((start + k * minutes) / every + 1e-9) for k in range(len(values))]
    return [fmean(v for v, b in zip(values, at, strict=True) if b == block) for block in at]


def slow_threshold(values: list[float]) -> float:
    """Every split of the sorted values, by the sum of squares within the two levels."""
    each = sorted(max(v, 0.01 * fmean(values)) for v in values)
    best, found = math.inf, math.inf
    for k in range(1, len(each)):
        if each[k] == each[k - 1]:
            continue
        parts = [[math.log(v) for v in part] for part in (each[:k], each[k:])]
        within = sum((x - fmean(part)) ** 2 for part in parts for x in part)
        if within < best - 1e-9:
            best, found = within, math.exp((math.log(each[k - 1]) + math.log(each[k])) / 2)
    return found


def slow_routine(
    values: list[float], minutes: float, start: float
) -> tuple[list[bool], dict[int, tuple[float, float]]]:
    every = max(minutes, 15)
    smooth = slow_merged(values, minutes, every, start)
    blocks = {math.floor((start + k * minutes) / every + 1e-9): v for k, v in enumerate(smooth)}
    level = slow_threshold(list(blocks.values()))
    active = [v > level for v in smooth]
    nights: dict[int, tuple[float, float]] = {}
    at = 0
    for busy, run in itertools.groupby(active):
        n = len(list(run))
        begins, ends = start + at * minutes, start + (at + n) * minutes
        at += n
        middle = (begins + ends) / 2
        if busy or ends - begins < 180 or 9 * 60 <= middle % DAY < 21 * 60:
            continue
        night = math.floor((middle + 180) / DAY)
        if night not in nights or ends - begins > nights[night][1] - nights[night][0]:
            nights[night] = begins, ends
    return active, nights


def slow_days(values: list[float], minutes: float, start: float) -> dict[int, float]:
    """The mean of every day."""
    day = [math.floor((start + k * minutes) / DAY + 1e-9) for k in range(len(values))]
    return {k: fmean(v for v, d in zip(values, day, strict=True) if d == k) for k in sorted(set(day))}


def counted_days(values: list[float], minutes: float, start: float) -> list[int]:
    """The days of which half or more was read; all of them if there is none."""
    day = [math.floor((start + k * minutes) / DAY + 1e-9) for k in range(len(values))]
    return [k for k in sorted(set(day)) if 2 * day.count(k) * minutes >= DAY] or sorted(set(day))
