"""Three series of values instead of a track: a household's energy, a phone's contacts, a heart rate."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from people import clock

Rows = list[tuple[float, str, int, str]]
"""Seconds since Monday's midnight, value, landmark, activity."""

HOURS, CONTACT_S, CONTACTS, MINUTES = 14 * 24, 600, 7 * 144, 24 * 60

# start time, length in hours, activity, and whether its first timestamp is a landmark
EVENTS = [
    (clock(2, "02:00"), 3, "awake at night", True), (clock(4, "20:00"), 5, "guests", True),
    (clock(5, "10:00"), 4, "oven", False), (clock(7, "09:00"), 8, "ill at home", True),
    (clock(9, "23:00"), 4, "sauna", True), (clock(11, "18:00"), 44, "away", True),
    (clock(13, "20:00"), 3, "laundry", True),
]  # fmt: skip
USES_KWH = {"awake at night": 0.9, "guests": 1.7, "oven": 1.5, "ill at home": 0.7, "sauna": 3.4, "away": 0.0,
            "laundry": 2.1}  # fmt: skip
MEETINGS = [
    (clock(0, "19:10"), 5, "choir", True), (clock(1, "12:20"), 4, "lunch with a colleague", False),
    (clock(2, "18:30"), 6, "clinic waiting room", True), (clock(3, "23:40"), 9, "a night visit", True),
    (clock(4, "17:00"), 8, "union meeting", True), (clock(5, "14:00"), 14, "children's party", True),
    (clock(6, "10:00"), 7, "place of worship", True),
]  # fmt: skip
HEART = [
    (0, 410, 54, "asleep"), (410, 20, 88, "getting up"), (430, 55, 72, "at home"), (485, 25, 96, "on the way"),
    (510, 205, 70, "at work"), (715, 35, 82, "lunch"), (750, 25, 121, "panic"), (775, 245, 74, "at work"),
    (1020, 30, 94, "on the way"), (1050, 48, 152, "run"), (1098, 62, 90, "at home"), (1160, 40, 110, "a quarrel"),
    (1200, 150, 68, "at home"), (1350, 90, 57, "asleep"),
]  # fmt: skip
MARKED = ("panic", "run", "a quarrel")


def household(seed: int) -> Rows:
    """Energy in kWh for each hour of two weeks (336): a refrigerator, mornings, evenings, weekends, and occasional events."""
    random, rows = np.random.RandomState(seed), []
    for hour in range(HOURS):
        of_day, weekend = hour % 24, hour // 24 % 7 >= 5
        morning = (0.9 if not weekend else 0.5) * _bump(of_day, 7.5 if not weekend else 9.5, 1.1)
        evening = 1.4 * _bump(of_day, 19.5, 1.9) + (0.6 * _bump(of_day, 13, 1.6) if weekend else 0.0)
        event = next(((w, s) for at, lasts, w, s in EVENTS if 0 <= hour - at / 3600 < lasts), None)
        what = event[0] if event else "asleep" if of_day < 6 else "usual"
        used = 0.12 if what == "away" else 0.18 + morning + evening + (USES_KWH[what] if event else 0.0)
        used *= 0.82 + 0.36 * random.random_sample()
        first = any(marked and hour * 3600 == at for at, _, _, marked in EVENTS)
        rows.append((hour * 3600.0, f"{min(used, 5.9):.2f}", int(first), what))
    return rows


def contacts(seed: int) -> Rows:
    """Whether someone else's phone was near, every ten minutes of a week (1,008)."""
    random, rows, near = np.random.RandomState(seed), [], False
    for k in range(CONTACTS):
        at, of_day, weekend = k * CONTACT_S, k * CONTACT_S / 3600 % 24, k // 144 % 7 >= 5
        meeting = next((what for start, lasts, what, _ in MEETINGS if 0 <= (at - start) / CONTACT_S < lasts), "")
        work = 9 <= of_day < 17.5 and not weekend
        awake = 7 <= of_day < 23
        often, stays = (0.25, 0.8) if work else (0.05, 0.65) if awake else (0.002, 0.3)
        near = bool(meeting) or random.random_sample() < (stays if near else often)
        first = any(marked and at == start for start, _, _, marked in MEETINGS)
        rows.append(
            (float(at), str(int(near)), int(first), meeting or ("at work" if work else "awake" if awake else "asleep"))
        )
    return rows


def heart(seed: int) -> Rows:
    """Heart rate in each minute of a day (1,440): each activity pulls the rate towards its own value, with drifting noise."""
    random, rows, rate, wander = np.random.RandomState(seed), [], 54.0, 0.0
    for minute in range(MINUTES):
        start, _, pull, what = next(part for part in reversed(HEART) if minute >= part[0])
        rate += (pull - rate) * 0.22
        wander = 0.9 * wander + 1.6 * (random.random_sample() + random.random_sample() - 1.0)
        rows.append((60.0 * minute, f"{rate + wander:.0f}", int(what in MARKED and minute == start), what))
    return rows


def _bump(hour: float, centre: float, width: float) -> float:
    return math.exp(-(((hour - centre) / width) ** 2))


MAKERS: dict[str, Callable[[int], Rows]] = {"household": household, "contacts": contacts, "heart": heart}

ABOUT = {
    "household": {
        "name": "A household's two weeks", "value": "kwh", "kind": "numbers", "unit": "kWh", "lower": 0.0, "upper": 6.0,
        "description": "A household's energy use in each hour of two weeks; its meter allows 6 kWh an hour.",
    },
    "contacts": {
        "name": "A phone's contacts", "value": "near", "kind": "answers", "answers": ["alone", "near"],
        "description": "Whether someone was near a phone, every ten minutes of a week, as contact tracing records it.",
    },
    "heart": {
        "name": "A heart's day", "value": "bpm", "kind": "numbers", "unit": "bpm", "lower": 30.0, "upper": 220.0,
        "description": "Heart rate in each minute of a day; hearts beat 30 to 220 times a minute.",
    },
}  # fmt: skip
"""What series.json says about each: a name, the column of its values, their kind and unit, and public bounds."""
