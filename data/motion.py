"""How people and cars move along a route and stay in a place, and how a phone's GPS records it.

A `Diary` is the true movement as knots (time, x, y) that are joined linearly; `Diary.fixes` reads it at given times
and adds positioning errors. Times are in seconds since the local midnight at which the sample's clock starts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from lmdk_widgets.population.streets import AVENUE, Point, Streets

PIECE_M = 6.0


@dataclass(frozen=True)
class Mode:
    """A way of moving: top speed by class of road (m/s), acceleration and braking (m/s2), speed in a right-angled turn.

    `usual` is the speed that a traveller expects when choosing a route, including lights and traffic. `red` is the chance
    of being stopped by a traffic light, and `wait` the range of the waiting time in seconds; `side_m` is the distance kept
    to the right of the middle of the road; `spread_m` is the standard deviation of the positioning error per axis.
    """

    label: str
    speed: tuple[float, float, float, float]
    usual: tuple[float, float, float, float]
    gain: float
    brake: float
    turn: float
    red: float
    wait: tuple[float, float]
    side_m: float
    spread_m: float


WALK = Mode("walk", (1.4, 1.4, 1.4, 1.35), (0.7, 1.2, 1.25, 1.25), 0.8, 0.8, 1.2, 0.35, (4, 35), 6.0, 4.5)
RUN = Mode("run", (2.9, 2.9, 2.9, 2.8), (1.0, 2.4, 2.6, 2.6), 0.9, 1.0, 2.2, 0.3, (4, 30), 5.0, 4.5)
BIKE = Mode("bike", (5.6, 5.3, 4.9, 4.3), (1.5, 3.9, 4.0, 3.5), 0.7, 1.2, 2.6, 0.4, (5, 35), 3.5, 4.0)
CAR = Mode("car", (13.9, 12.8, 8.3, 6.6), (10.5, 6.4, 5.6, 4.2), 1.5, 2.0, 3.6, 0.42, (6, 45), 3.5, 4.0)
METRO = Mode("metro", (15.0, 15.0, 15.0, 15.0), (9.0, 9.0, 9.0, 9.0), 1.0, 1.0, 9.0, 0.0, (20, 35), 0.0, 14.0)


def find_way(streets: Streets, start: int, goal: int, mode: Mode, random: np.random.RandomState) -> list[int]:
    """The route of a driver who knows the city: nearly the quickest, but different quarters seem congested each time."""
    x, y = streets.middle.T / 650.0
    a, b, c, d = 2 * math.pi * random.random_sample(4)
    traffic = 1.5 + 0.3 * np.sin(x * math.cos(a) + y * math.sin(a) + b) + 0.2 * np.sin(1.9 * (x * c - y * d) / 6 + a)
    cost = streets.length / np.array(mode.usual)[streets.kind] * (traffic + 0.3 * random.random_sample(len(traffic)))
    if mode is METRO:
        cost = np.where(streets.kind == AVENUE, cost, 1e6)
    return streets.route(start, goal, cost.tolist(), max(mode.usual))


def travel(
    streets: Streets,
    way: list[int],
    mode: Mode,
    random: np.random.RandomState,
    *,
    start: Point | None = None,
    end: Point | None = None,
    pace: float = 1.0,
) -> np.ndarray:
    """Knots (k, 3) of seconds from 0, x and y along a route, from one door to another.

    The top speed varies around `pace` times the mode's; it is lower in turns and zero at red lights (for the metro, at
    every square); acceleration and braking stay within the mode's limits.
    """
    corners = [streets.nodes[i] for i in way]
    top = [mode.speed[min(streets.kind[r] for n, r in streets.roads[a] if n == b)] for a, b in pairwise(way)]
    waits = [_wait(streets, i, mode, random) for i in way]
    if start is not None:
        corners, top, waits = [np.array(start), *corners], [mode.speed[3] / 2, *top], [0.0, *waits]
    if end is not None:
        corners, top, waits = [*corners, np.array(end)], [*top, mode.speed[3] / 2], [*waits, 0.0]
    pieces = [max(1, math.ceil(math.dist(a, b) / PIECE_M)) for a, b in pairwise(corners)]
    first = np.concatenate([[0], np.cumsum(pieces)])
    xy = np.stack([np.interp(np.arange(first[-1] + 1), first, np.array(corners)[:, k]) for k in (0, 1)], axis=1)
    limit = np.repeat([*top, top[-1]], [*pieces, 1]) * pace * _wavering(len(xy), random)
    limit[first] = np.minimum(limit[first], _turning(corners, mode))
    halts = {0: 0.0, int(first[-1]): 0.0} | {int(i): w for i, w in zip(first, waits, strict=True) if w > 0}
    limit[list(halts)] = 0.0
    gaps = np.hypot(*np.diff(xy, axis=0).T)
    speed = _attainable(limit.tolist(), gaps.tolist(), mode)
    return _timed(_kept_right(xy, mode.side_m), gaps, speed, halts)


def _wait(streets: Streets, node: int, mode: Mode, random: np.random.RandomState) -> float:
    low, high = mode.wait
    seconds = low + (high - low) * random.random_sample()
    if mode is METRO:
        return seconds if node in set(streets.squares.values()) else 0.0
    return seconds if streets.lights[node] and random.random_sample() < mode.red else 0.0


def _wavering(n: int, random: np.random.RandomState) -> np.ndarray:
    """A smooth factor around 0.95 for the effect of traffic and mood on speed, which changes over about a hundred metres."""
    knots = np.clip(0.95 + 0.15 * random.standard_normal(n // 16 + 2), 0.45, 1.1)
    return np.interp(np.arange(n) / 16, np.arange(len(knots)), knots)


def _turning(corners: list[np.ndarray], mode: Mode) -> np.ndarray:
    """The top speed at each corner: mode.turn at a right angle, more where the route bends less."""
    legs = np.diff(np.array(corners), axis=0)
    legs = legs / np.maximum(np.hypot(*legs.T), 0.01)[:, None]
    half_sine = np.sqrt(np.clip((1 - np.sum(legs[1:] * legs[:-1], axis=1)) / 2, 0, 1))
    return np.concatenate([[99.0], mode.turn * 0.7071 / np.maximum(half_sine, 0.03), [99.0]])


def _attainable(speed: list[float], gaps: list[float], mode: Mode) -> list[float]:
    """The fastest speeds below the limits with v_after^2 - v_before^2 at most 2 gain gap, and likewise for braking."""
    for i, gap in enumerate(gaps):
        speed[i + 1] = min(speed[i + 1], math.sqrt(speed[i] ** 2 + 2 * mode.gain * gap))
    for i in range(len(gaps) - 1, -1, -1):
        speed[i] = min(speed[i], math.sqrt(speed[i + 1] ** 2 + 2 * mode.brake * gaps[i]))
    return speed


def _timed(xy: np.ndarray, gaps: np.ndarray, speed: list[float], halts: dict[int, float]) -> np.ndarray:
    v = np.array(speed)
    waited = np.zeros(len(v))
    waited[list(halts)] = list(halts.values())
    # constant acceleration over each piece; the minimum is for two halts that are one piece apart
    seconds = gaps / np.maximum((v[1:] + v[:-1]) / 2, 0.4)
    arrival = np.concatenate([[0.0], np.cumsum(seconds + waited[:-1])])
    knots = np.column_stack([arrival, xy])
    stopped = np.flatnonzero(waited > 0)
    leaving = knots[stopped] + np.column_stack([waited[stopped], np.zeros((len(stopped), 2))])
    return np.insert(knots, stopped + 1, leaving, axis=0)


def _kept_right(xy: np.ndarray, side_m: float) -> np.ndarray:
    """The path, shifted to the right of the road and rounded at corners, but not at its two doors."""
    if len(xy) < 9 or side_m == 0:
        return xy
    padded = np.concatenate([np.repeat(xy[:1], 2, axis=0), xy, np.repeat(xy[-1:], 2, axis=0)])
    soft = np.mean([padded[k : k + len(xy)] for k in range(5)], axis=0)
    ahead = np.concatenate([soft[2:], soft[-1:], soft[-1:]]) - np.concatenate([soft[:1], soft[:1], soft[:-2]])
    ahead = ahead / np.maximum(np.hypot(*ahead.T), 0.1)[:, None]
    taper = np.minimum(1, np.minimum(np.arange(len(xy)), np.arange(len(xy))[::-1]) / 4)[:, None]
    return soft + taper * side_m * np.column_stack([ahead[:, 1], -ahead[:, 0]])


@dataclass
class Diary:
    """What a person really did: knots (time, x, y), spans with a label and a positioning error, and landmarks."""

    now: float
    place: Point
    knots: list[np.ndarray] = field(default_factory=list)
    spans: list[tuple[float, str, float]] = field(default_factory=list)  # start time, label, spread in metres
    landmarks: list[float] = field(default_factory=list)

    def stay(self, until: float, label: str, spread_m: float = 5.0) -> None:
        """Stays in the present place."""
        if until > self.now:
            self.add(np.array([[0.0, *self.place], [until - self.now, *self.place]]), label, spread_m)

    def add(self, knots: np.ndarray, label: str, spread_m: float) -> None:
        """Moves along knots whose times are counted from now."""
        self.spans.append((self.now, label, spread_m))
        self.knots.append(knots + np.array([self.now, 0.0, 0.0]))
        self.now += float(knots[-1, 0])
        self.place = (float(knots[-1, 1]), float(knots[-1, 2]))

    def mark(self) -> None:
        """Makes the present moment a landmark."""
        self.landmarks.append(self.now)

    def fixes(self, times: np.ndarray, random: np.random.RandomState, tau_s: float) -> tuple[np.ndarray, list[str]]:
        """Positions (n, 2) as a phone reports them at the times, and the labels.

        The error drifts, half of it with the time constant `tau_s` and half twenty times more slowly, and stays below
        three standard deviations; an occasional reflection puts one to three fixes 30 to 80 m away.
        """
        knots = np.concatenate(self.knots)
        xy = np.column_stack([np.interp(times, knots[:, 0], knots[:, k]) for k in (1, 2)])
        which = np.searchsorted([since for since, *_ in self.spans], times, side="right") - 1
        spread = np.array([spread_m for *_, spread_m in self.spans])[which]
        error = (_wander(times, random, tau_s) + _wander(times, random, 20 * tau_s)) * math.sqrt(0.5)
        error /= np.maximum(1, np.hypot(*error.T) / 2)[:, None] ** 0.6
        xy += spread[:, None] * error + _reflections(len(times), random)
        return xy, [self.spans[i][1] for i in which]


def _wander(times: np.ndarray, random: np.random.RandomState, tau_s: float) -> np.ndarray:
    """A stationary autoregression of standard deviation 1 in x and in y, forgetting in about `tau_s` seconds."""
    keep = math.exp(-float(times[1] - times[0]) / tau_s)
    error = random.standard_normal((len(times), 2))
    error[1:] *= math.sqrt(1 - keep**2)
    for i in range(1, len(error)):
        error[i] += keep * error[i - 1]
    return error


def _reflections(n: int, random: np.random.RandomState, chance: float = 0.004) -> np.ndarray:
    jump = np.zeros((n, 2))
    for i in np.flatnonzero(random.random_sample(n) < chance):
        angle, radius = 2 * math.pi * random.random_sample(), 30 + 50 * random.random_sample()
        jump[i : i + 1 + random.randint(3)] = radius * math.cos(angle), radius * math.sin(angle)
    return jump
