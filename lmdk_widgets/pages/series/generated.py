"""Days that nobody lived: a household's power and a person's activities, generated and the same every time.

The household looks as such readings do: a refrigerator that switches on and off all night, heating that cycles in the
morning, a kettle and a hob for minutes at a time, lamps and a screen in the evening, a boiler that runs on cheap electricity
late at night. It contains no readings of a real household.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats

HOUSEHOLD_DAYS = 2
MINUTES_PER_DAY = 1440
POWER_HEADER = (
    "Date;Time;Global_active_power;Global_reactive_power;Voltage;Global_intensity;"
    "Sub_metering_1;Sub_metering_2;Sub_metering_3"
)
"""First line of the format that is read and written: one reading a minute, kilowatts in the third column."""

ACTIVITIES = ("asleep", "at home", "on the way", "at work", "eating", "out")
ASLEEP, HOME, WAY, WORK, EATING, OUT = range(6)
MINUTES_PER_ACTIVITY = 15
_SEED = 20070201

# minute of the day (mean, spread), chance on a day, minutes (low, high), watts (low, high)
_APPLIANCES = (
    ((400, 12), 1.0, (3, 5), (1900, 2200)),  # kettle, breakfast
    ((408, 15), 0.9, (4, 9), (700, 1300)),  # toaster, microwave
    ((425, 20), 1.0, (6, 14), (1800, 3000)),  # shower, hair dryer
    ((560, 60), 0.7, (45, 75), (300, 2100)),  # washing machine
    ((745, 20), 0.6, (5, 15), (800, 1800)),  # lunch
    ((1110, 25), 1.0, (25, 45), (900, 2600)),  # hob
    ((1135, 25), 0.6, (20, 40), (1200, 2000)),  # oven
    ((1215, 30), 0.7, (50, 80), (200, 1900)),  # dishwasher
    ((1335, 30), 0.5, (40, 90), (1500, 2600)),  # boiler, cheap electricity
)


@cached("everybody", entries=1)
def household_watts() -> Floats:
    """(2880,) watts, one reading a minute of two days; read only.

    Examples
    --------
    >>> watts = household_watts()
    >>> len(watts), bool(watts.min() > 150), bool(watts.max() < 9000)
    (2880, True, True)
    """
    rng = np.random.default_rng(_SEED)
    minutes = HOUSEHOLD_DAYS * MINUTES_PER_DAY
    watts = np.full(minutes, 225.0) + 95.0 * _cycling(minutes, 22, 38, rng)
    for day in range(HOUSEHOLD_DAYS):
        start = day * MINUTES_PER_DAY
        up, down = start + int(rng.normal(385, 10)), start + int(rng.normal(640, 40))
        watts[up:down] += 1080.0 * _cycling(down - up, 26, 7, rng)  # heating
        home, bed = start + int(rng.normal(1060, 20)), start + int(rng.normal(1400, 15))
        watts[home:bed] += 1050.0 * _cycling(bed - home, 34, 14, rng) + 240.0  # heating, lamps and a screen
        for (mean, spread), chance, (short, long), (low, high) in _APPLIANCES:
            at, lasts = start + int(rng.normal(mean, spread)), int(rng.integers(short, long + 1))
            if rng.random() < chance:
                end = min(at + lasts, minutes)
                watts[at:end] += rng.uniform(low, high) * _cycling(end - at, 6, 3, rng)
    watts = np.round(watts * np.exp(rng.normal(0, 0.02, minutes)) / 2) * 2.0
    watts.setflags(write=False)
    return watts


def household_text() -> str:
    """The household in the format of a power file, as if it had been uploaded: `;` between columns, d/m/yyyy.

    Examples
    --------
    >>> household_text().splitlines()[1].split(";")[:2]
    ['1/2/2031', '00:00:00']
    """
    lines = [POWER_HEADER]
    for minute, watt in enumerate(household_watts().tolist()):
        day, rest = divmod(minute, MINUTES_PER_DAY)
        time = f"{day + 1}/2/2031;{rest // 60:02d}:{rest % 60:02d}:00"
        lines.append(f"{time};{watt / 1000:.3f};0.100;240.000;{watt / 240:.1f};0.000;0.000;0.000")
    return "\n".join(lines) + "\n"


def activity_day(rng: np.random.Generator) -> NDArray[np.int64]:
    """(96,) activities of one person's day, a quarter of an hour each; most days are working days.

    Examples
    --------
    >>> day = activity_day(np.random.default_rng(1))
    >>> len(day), ACTIVITIES[day[0]]
    (96, 'asleep')
    """
    day = np.full(96, HOME, np.int64)
    up, down = int(rng.normal(27, 3)), int(rng.normal(92, 3))
    day[:up], day[max(down, 84) :] = ASLEEP, ASLEEP
    day[up + 1 : up + 3] = EATING
    if rng.random() < 0.75:
        _working_day(day, up, rng)
    else:
        out = int(rng.integers(40, 60))
        day[out], day[out + 1 : out + int(rng.integers(4, 16))] = WAY, OUT
        day[48:51] = np.where(day[48:51] == HOME, EATING, day[48:51])
    dinner = int(rng.integers(75, 82))
    day[dinner : dinner + 3] = EATING
    if rng.random() < 0.15:  # wakes up at night
        night = int(rng.integers(6, 20))
        day[night : night + 2] = HOME
    return day


def _working_day(day: NDArray[np.int64], up: int, rng: np.random.Generator) -> None:
    leave, way = up + int(rng.integers(4, 8)), int(rng.integers(1, 5))
    home = int(rng.integers(66, 74))
    day[leave : leave + way] = WAY
    day[leave + way : home] = WORK
    lunch = int(rng.integers(47, 54))
    day[lunch : lunch + int(rng.integers(2, 5))] = EATING
    if rng.random() < 0.3:
        meeting = int(rng.integers(56, 62))
        day[meeting : meeting + 2] = WAY
    day[home : home + way] = WAY
    if rng.random() < 0.4:
        day[home + way : home + way + int(rng.integers(3, 8))] = OUT


def _cycling(minutes: int, on: float, off: float, rng: np.random.Generator) -> Floats:
    """(minutes,) 1 while a thermostat is on, 0 while it is off; each lasts about this many minutes."""
    state = np.zeros(max(minutes, 0))
    at = -int(rng.integers(0, int(on + off)))
    while at < minutes:
        end = at + max(1, int(rng.normal(on, on / 6)))
        state[max(at, 0) : max(end, 0)] = 1.0
        at = end + max(1, int(rng.normal(off, off / 6)))
    return state
