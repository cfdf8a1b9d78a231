"""Nearly two days of a taxi's movements: ranks, cruising, fares, breaks, and a few rides that are nobody's business."""

from __future__ import annotations

import math

import numpy as np
from motion import CAR, Diary, find_way, travel
from people import Place, Traveller, clock, door

from lmdk_widgets.population.streets import Streets

RANKS = (
    "Gare du Nord", "Gare de l'Est", "Gare de Lyon", "Austerlitz", "Montparnasse", "Saint-Lazare", "Opéra", "Étoile",
    "Châtelet", "Bastille", "République", "Italie", "École Militaire", "Trocadéro", "P. Maillot", "Nation",
)  # fmt: skip
PLACES = {
    "home": (48.8868, 2.3845), "place of worship": (48.8872, 2.3560), "canteen": (48.8716, 2.3725),
    "fuel": (48.8862, 2.3640), "hospital": (48.8373, 2.3655), "court": (48.8553, 2.3403),
    "shelter": (48.8325, 2.3180), "clinic": (48.8760, 2.2800), "police": (48.8880, 2.3180),
    "oncology": (48.8430, 2.3395), "party office": (48.8772, 2.3720),
}  # fmt: skip
"""The driver's own places, and the destinations of the rides that are landmarks."""

# Start time, destination, and how long the driver rests there (None: a passenger is taken there).
SCHEDULE: list[tuple[float, str, float | None]] = [
    (clock(0, "08:10"), "hospital", None), (clock(0, "09:50"), "fuel", clock(0, "10:15")),
    (clock(0, "11:00"), "court", None), (clock(0, "12:35"), "home", clock(0, "14:00")),
    (clock(0, "15:30"), "clinic", None), (clock(0, "18:00"), "place of worship", clock(0, "18:40")),
    (clock(0, "20:00"), "canteen", clock(0, "20:50")), (clock(0, "22:20"), "shelter", None),
    (clock(1, "00:20"), "home", clock(1, "06:50")), (clock(1, "09:00"), "police", None),
    (clock(1, "12:10"), "place of worship", clock(1, "12:50")), (clock(1, "13:00"), "canteen", clock(1, "13:45")),
    (clock(1, "15:00"), "oncology", None), (clock(1, "16:50"), "party office", None),
    (clock(1, "18:40"), "home", clock(1, "19:50")),
]  # fmt: skip

POINTS, STEP_S = 10_000, 15
START = clock(0, "05:30")
END = START + POINTS * STEP_S


class Taxi(Traveller):
    """The driver's diary."""

    def pace(self) -> float:
        """The pace: slower in the rush hours, faster at night."""
        hour = self.diary.now / 3600 % 24
        rush = math.exp(-(((hour - 8.8) / 1.6) ** 2)) + math.exp(-(((hour - 18.3) / 1.9) ** 2))
        return (1.05 if hour < 6 or hour > 22 else 0.92) - 0.3 * rush

    def drive(self, to: Place, label: str, pace: float = 1.0, share: float = 1.0) -> None:
        """Drives to a place, or only a share of the way if someone hails the taxi."""
        way = find_way(self.streets, self.at[0], to[0], CAR, self.random)
        if share < 1:
            way = way[: max(2, round(share * len(way)))]
            to = self.crossing(way[-1])
        start = None if self.at[1] == self.crossing(way[0])[1] else self.at[1]
        end = None if to[1] == self.crossing(way[-1])[1] else to[1]
        if len(way) > 1 or (start and end):
            knots = travel(self.streets, way, CAR, self.random, start=start, end=end, pace=pace * self.pace())
            self.diary.add(knots, label, CAR.spread_m)
        self.at = to

    def crossing(self, node: int) -> Place:
        return node, (float(self.streets.nodes[node][0]), float(self.streets.nodes[node][1]))

    def pause(self, low_s: float, high_s: float, label: str) -> None:
        self.diary.stay(self.diary.now + low_s + (high_s - low_s) * self.random.random_sample(), label, CAR.spread_m)

    def queue(self) -> None:
        """Waits at a rank and moves up by a car's length whenever the first taxi leaves."""
        for _ in range(1 + self.random.randint(6)):
            self.pause(40, 260, "rank")
            ahead = self.streets.nodes[self.streets.roads[self.at[0]][0][0]] - self.diary.place
            x, y = self.diary.place + 6.5 * ahead / np.hypot(*ahead)
            self.diary.add(np.array([[0.0, *self.diary.place], [6.0, x, y]]), "rank", CAR.spread_m)
        self.pause(20, 200, "rank")
        self.at = self.at[0], self.diary.place

    def look_for_fare(self) -> None:
        """Drives to a rank nearby, or up and down the streets until someone waves."""
        here = self.streets.nodes[self.at[0]]
        near = [name for name in RANKS if math.dist(self.streets.nodes[self.streets.squares[name]], here) < 2600]
        if near and self.random.random_sample() < 0.5:
            self.drive(self.crossing(self.streets.squares[near[self.random.randint(len(near))]]), "cruise")
            self.queue()
            return
        for _ in range(1 + self.random.randint(3)):
            self.drive(self.anywhere(near_m=1500), "cruise", pace=0.8, share=0.4 + 0.6 * self.random.random_sample())

    def anywhere(self, near_m: float = math.inf, far_m: float = 0.0) -> Place:
        """A random crossing within these distances, more likely near the popular squares."""
        here = self.streets.nodes[self.at[0]]
        while True:
            if self.random.random_sample() < 0.65:
                square = self.streets.nodes[self.streets.squares[RANKS[self.random.randint(len(RANKS))]]]
                node = self.streets.nearest(tuple(square + 350 * self.random.standard_normal(2)))
            else:
                node = self.random.randint(len(self.streets.nodes))
            away = math.dist(self.streets.nodes[node], here)
            if far_m <= away <= near_m or (near_m < math.inf and self.random.random_sample() < 0.02):
                return self.crossing(node)

    def fare(self, to: Place | None = None, landmark: str = "") -> None:
        """One ride: a passenger gets in, travels, pays and gets out."""
        self.look_for_fare()
        self.pause(35, 110, "pick-up")
        self.drive(to or self.anywhere(far_m=1300), "fare")
        if landmark:
            self.diary.mark()
        self.pause(50, 150, f"drop-off {landmark}".strip())

    def work(self, until: float) -> None:
        while self.diary.now < until - 1200:
            self.fare()

    def rest(self, place: Place, label: str, until: float, landmark: bool = True) -> None:
        """Drives to a place and stays there until a given time."""
        self.drive(place, "off duty")
        if landmark:
            self.diary.mark()
        self.diary.stay(self.about(until), label, 6.0)


def taxi(streets: Streets, seed: int) -> Diary:
    """From Monday at half past five in the morning to Tuesday at ten past eleven at night."""
    random = np.random.RandomState(seed)
    places = {name: door(streets, *where, random) for name, where in PLACES.items()}
    me = Taxi(streets, random, Diary(START, places["home"][1]), places["home"])
    me.diary.stay(me.about(clock(0, "05:42")), "home", 6.0)
    for since, place, until in SCHEDULE:
        me.work(since)
        if until is None:
            me.fare(places[place], place)
        else:
            me.rest(places[place], place, until, landmark=place in ("home", "place of worship"))
    me.work(END + 1800)
    return me.diary
