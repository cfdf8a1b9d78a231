"""Four weeks of a person who runs: twelve outings from home, which a watch records every five seconds.

The watch is started and stopped at the door. On some outings it pauses by itself at a rest, on some it loses its signal,
and one outing ends at a friend's.
"""

from __future__ import annotations

import math

import numpy as np
from motion import BIKE, RUN, Diary
from people import Place, Traveller, clock, door

from lmdk_widgets.population.streets import Streets

STEP_S = 5

HOME, FRIEND = (48.8772, 2.3937), (48.8618, 2.3986)
"""Near which crossings, degrees."""

DAYS = (0, 2, 5, 7, 9, 12, 14, 16, 19, 21, 23, 26)
TO_A_FRIEND = 7
"""The outing that ends there."""

RESTS, PAUSED, LOST = (1, 3, 4, 6, 8, 10), (3, 6, 10), (2, 5, 8, 11)
"""The outings with a rest, those in which the watch pauses then, and those in which it loses its signal."""

Outing = tuple[np.ndarray, np.ndarray]
"""The times of the watch, seconds, and which of them it records."""


def runner(streets: Streets, seed: int) -> tuple[Diary, list[Outing]]:
    """The diary of four weeks, and what the watch records of it."""
    random = np.random.RandomState(seed)
    home, friend = door(streets, *HOME, random), door(streets, *FRIEND, random)
    me = Traveller(streets, random, Diary(0.0, home[1]), home)
    outings = []
    for k, day in enumerate(DAYS):
        me.diary.stay(me.about(clock(day, "09:30" if day % 7 > 4 else "18:40"), 25.0), "home")
        start, silent = me.diary.now - 20 - 40 * random.random_sample(), []
        for turn, corner in enumerate(_corners(streets, home, random)):
            me.go(corner, RUN)
            if turn == 1 and k in RESTS:
                silent += [(me.diary.now + 10, me.diary.now + 150 + 90 * random.random_sample())]
                me.diary.stay(silent[-1][1], "rest")
        if k not in PAUSED:
            silent = []
        me.go(friend if k == TO_A_FRIEND else home, RUN)
        me.diary.mark()
        if k in LOST:
            at = start + (0.25 + 0.4 * random.random_sample()) * (me.diary.now - start)
            silent.append((at, at + 130 + 160 * random.random_sample()))
        end = me.diary.now + 15 + 30 * random.random_sample()
        me.diary.stay(end, "friend" if k == TO_A_FRIEND else "home")
        times = np.ceil(start) + STEP_S * np.arange(math.floor((end - start) / STEP_S))
        outings.append((times, ~np.any([(times > a) & (times < b) for a, b in [*silent, (0, 0)]], axis=0)))
        if k == TO_A_FRIEND:
            me.diary.stay(me.diary.now + 7_200, "friend")
            me.go(home, BIKE)
    me.diary.stay(me.diary.now + 3_600, "home")
    return me.diary, outings


def _corners(streets: Streets, home: Place, random: np.random.RandomState) -> list[Place]:
    """Two or three crossings to run round, in any direction."""
    angle, places = 2 * math.pi * random.random_sample(), []
    for _ in range(2 + random.randint(2)):
        far = 750 + 800 * random.random_sample()
        node = streets.nearest((home[1][0] + far * math.cos(angle), home[1][1] + far * math.sin(angle)))
        places.append((node, (float(streets.nodes[node][0]), float(streets.nodes[node][1]))))
        angle += 0.6 + 0.8 * random.random_sample()
    return places
