"""Bob's eight points, and a week of a person who commutes across Paris by metro, bicycle and on foot.

They describe nobody: the people are invented, and so are the streets on which they live.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from motion import BIKE, CAR, METRO, RUN, WALK, Diary, Mode, find_way, travel

from lmdk_widgets.population.streets import Point, Streets, to_metres

# Time on 3 March 2026 in Paris, latitude, longitude, landmark. Home in a side street off the Champs-Élysées; across the
# Concorde to work at the Louvre; lunch at the Palais-Royal; a doctor near the Opéra; along the boulevards to the canal.
BOB: list[tuple[str, float, float, bool]] = [
    ("07:52", 48.87140, 2.30480, True), ("08:21", 48.86610, 2.32080, False), ("08:47", 48.86080, 2.33640, True),
    ("12:34", 48.86470, 2.33740, False), ("14:10", 48.87090, 2.33120, True), ("18:26", 48.87080, 2.34830, False),
    ("18:58", 48.86750, 2.36330, False), ("19:45", 48.87160, 2.36520, True),
]  # fmt: skip

Place = tuple[int, Point]
"""The crossing to go to, and the door near it."""


def door(streets: Streets, latitude: float, longitude: float, random: np.random.RandomState) -> Place:
    """A door near a place in degrees: somewhere along a road from the nearest crossing, 14 m from the middle of the road."""
    node = streets.nearest(to_metres(latitude, longitude))
    x, y = streets.nodes[node]
    other = streets.nodes[streets.roads[node][random.randint(len(streets.roads[node]))][0]]
    size, share = math.dist((x, y), other), 0.25 + 0.3 * random.random_sample()
    dx, dy = (other[0] - x) / size, (other[1] - y) / size
    side = 14.0 if random.random_sample() < 0.5 else -14.0
    return node, (round(x + share * size * dx - side * dy, 2), round(y + share * size * dy + side * dx, 2))


def clock(day: int, time: str) -> float:
    """Seconds since midnight of day 0."""
    hours, minutes = time.split(":")
    return 86_400.0 * day + 3600 * int(hours) + 60 * int(minutes)


@dataclass
class Traveller:
    """A person with a diary, who knows where they are and how to get elsewhere."""

    streets: Streets
    random: np.random.RandomState
    diary: Diary
    at: Place

    def about(self, time: float, minutes: float = 6.0) -> float:
        """A moment near a time, as people are not quite punctual."""
        return max(self.diary.now, time + 60 * minutes * (2 * self.random.random_sample() - 1))

    def go(self, to: Place, mode: Mode, pace: float = 1.0) -> None:
        """Goes from door to door in one mode of travel."""
        way = find_way(self.streets, self.at[0], to[0], mode, self.random)
        pace *= 0.94 + 0.12 * self.random.random_sample()
        knots = travel(self.streets, way, mode, self.random, start=self.at[1], end=to[1], pace=pace)
        self.diary.add(knots, mode.label, mode.spread_m)
        self.at = to

    def metro(self, to: Place, *stations: str) -> None:
        """Goes on foot to the first station, by metro with a change at each station named, and on foot to the door."""
        self.go(self.station(stations[0]), WALK)
        for name in stations[1:]:
            self.diary.stay(self.diary.now + 90 + 180 * self.random.random_sample(), METRO.label, METRO.spread_m)
            self.go(self.station(name), METRO)
        self.go(to, WALK)

    def station(self, name: str) -> Place:
        node = self.streets.squares[name]
        return node, (float(self.streets.nodes[node][0]), float(self.streets.nodes[node][1]))

    def visit(self, label: str, until: float, landmark: bool = False, spread_m: float = 5.0) -> None:
        """Stays until about a given time; the arrival may be a landmark."""
        if landmark:
            self.diary.mark()
        self.diary.stay(self.about(until), label, spread_m)

    def stroll(self, centre: tuple[float, float], radii_m: tuple[float, float], until: float) -> None:
        """Strolls around a lake until a given time, with an occasional rest on a bench, and returns to the starting point."""
        middle, back, bends = np.array(to_metres(*centre)), self.at[1], self.random.standard_normal(6)
        angle = math.atan2(back[1] - middle[1], back[0] - middle[0])
        start = angle
        while self.diary.now < until or math.cos(angle - start) < 0.9:
            angle += 0.05 * (0.7 + 0.6 * self.random.random_sample())
            r = 1 + sum(0.12 / (k + 2) * b * math.sin((k + 2) * angle + 2 * k) for k, b in enumerate(bends))
            spot = middle + r * np.array(radii_m) * (math.cos(angle), math.sin(angle))
            size = math.dist(self.diary.place, spot)
            self.diary.add(np.array([[0.0, *self.diary.place], [size / 1.15, *spot]]), "park", 5.0)
            if self.random.random_sample() < 0.03:
                self.diary.stay(self.diary.now + 240 + 600 * self.random.random_sample(), "park")
        size = math.dist(self.diary.place, back)
        self.diary.add(np.array([[0.0, *self.diary.place], [size / 1.3, *back]]), "walk", 5.0)


def commuter(streets: Streets, seed: int) -> Diary:
    """A week from Monday to Sunday."""
    random = np.random.RandomState(seed)
    places = {name: door(streets, *where, random) for name, where in PLACES.items()}
    me = Traveller(streets, random, Diary(0.0, places["home"][1]), places["home"])
    for day in range(5):
        _workday(me, places, day)
    _saturday(me, places)
    _sunday(me, places)
    return me.diary


PLACES = {
    "home": (48.8903, 2.3222), "work": (48.8424, 2.3772), "gym": (48.8562, 2.3722), "clinic": (48.8386, 2.3405),
    "union": (48.8659, 2.3607), "worship": (48.8768, 2.3872), "friends": (48.8668, 2.3801), "shop": (48.8893, 2.3243),
    "market": (48.8873, 2.3175), "canteen": (48.8437, 2.3800), "bistro": (48.8412, 2.3752), "park": (48.8352, 2.4069),
    "bakery": (48.8432, 2.3757), "monceau": (48.8807, 2.3082), "cinema": (48.8840, 2.3290),
}  # fmt: skip
TO_WORK = ("La Fourche", "Saint-Lazare", "Gare de Lyon")
FROM_WORK = ("Gare de Lyon", "Saint-Lazare", "La Fourche")


def _workday(me: Traveller, places: dict[str, Place], day: int) -> None:
    me.visit("home", clock(day, "07:45"), spread_m=6.0)
    if day == 2:
        me.metro(places["clinic"], "La Fourche", "Montparnasse", "Port-Royal")
        me.visit("clinic", clock(day, "10:50"), landmark=True)
        me.metro(places["work"], "Port-Royal", "Gare de Lyon")
    elif day in (0, 3, 4):
        me.go(places["work"], BIKE)
    else:
        me.metro(places["work"], *TO_WORK)
    me.visit("work", clock(day, "12:35"), landmark=day == 0, spread_m=7.0)
    me.go(places[("canteen", "bistro", "bakery", "canteen", "bistro")[day]], WALK)
    me.visit("lunch", clock(day, "13:20"))
    me.go(places["work"], WALK)
    me.visit("work", clock(day, ("18:10", "17:40", "18:30", "17:50", "18:15")[day]), spread_m=7.0)
    _evening(me, places, day)


def _evening(me: Traveller, places: dict[str, Place], day: int) -> None:
    if day == 1:
        me.go(places["gym"], WALK)
        me.visit("gym", clock(day, "19:40"), landmark=True, spread_m=6.0)
        me.metro(places["home"], "Bastille", "Saint-Lazare", "La Fourche")
    elif day == 3:
        me.metro(places["union"], "Gare de Lyon", "République")
        me.visit("union meeting", clock(day, "20:45"), landmark=True)
        me.go(places["home"], BIKE)
    elif day == 4:
        me.metro(places["friends"], "Gare de Lyon", "Nation", "Ménilmontant")
        me.visit("friends", clock(5, "00:25"), landmark=True)
        me.go(places["home"], CAR)
    else:
        me.metro(places["shop"], *FROM_WORK)
        me.visit("shop", me.diary.now + 900)
        me.go(places["home"], WALK)
        if day == 0:
            me.diary.mark()
        else:
            me.visit("home", clock(day, "20:15"), spread_m=6.0)
            me.go(places["monceau"], RUN)
            me.go(places["home"], RUN)


def _saturday(me: Traveller, places: dict[str, Place]) -> None:
    me.visit("home", clock(5, "10:20"), spread_m=6.0)
    me.go(places["market"], WALK)
    me.visit("shop", clock(5, "11:15"))
    me.go(places["home"], WALK)
    me.visit("home", clock(5, "13:30"), spread_m=6.0)
    me.metro(places["park"], "La Fourche", "Saint-Lazare", "Bastille", "P. Dorée")
    me.diary.mark()
    me.stroll((48.8310, 2.4148), (480, 300), clock(5, "17:10"))
    me.metro(places["home"], "P. Dorée", "Nation", "La Fourche")
    me.visit("home", clock(5, "20:35"), spread_m=6.0)
    me.go(places["cinema"], WALK)
    me.visit("cinema", clock(5, "23:20"))
    me.go(places["home"], WALK)
    me.visit("home", clock(6, "09:25"), spread_m=6.0)


def _sunday(me: Traveller, places: dict[str, Place]) -> None:
    me.metro(places["worship"], "La Fourche", "Belleville", "Jourdain")
    me.visit("place of worship", clock(6, "12:05"), landmark=True)
    me.go(places["friends"], WALK)
    me.visit("friends", clock(6, "15:40"))
    me.go(places["home"], BIKE)
    me.diary.stay(clock(7, "01:00"), "home", 6.0)
