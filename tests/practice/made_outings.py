"""Outings from a home whose place is known, for tests of what attackers find."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.geo import Floats, LocalFrame
from lmdk_widgets.trajectory.model import Trajectory

FRAME = LocalFrame(48.9, 2.3)
HOME = 48.86, 2.34
"""In degrees; outings are made in metres from it."""

SPEED, STEP_S, NOISE_M = 3.0, 5.0, 5.0


def track(outings: list[tuple[Floats, Floats]]) -> Trajectory:
    """The track of outings, each (k,) seconds from its start and (k, 2) metres from home; a day apart."""
    start, seconds, points = FRAME.to_metres(*HOME), [], []
    for day, (at, where) in enumerate(outings):
        seconds.append(at + 86_400.0 * day)
        points.append(where + start)
    latitude, longitude = FRAME.to_degrees(np.concatenate(points))
    since = np.datetime64("2026-03-01T06:00:00", "ns")
    time = since + (np.concatenate(seconds) * 1e9).astype("timedelta64[ns]")
    return Trajectory(latitude, longitude, time)


def straight(degrees: list[float], rng: np.random.Generator, far_m: float = 1_500.0) -> Trajectory:
    """Runs straight from home and back, at these angles."""
    return track([along([(0.0, 0.0), _polar(far_m, math.radians(one)), (0.0, 0.0)], rng) for one in degrees])


def along(corners: list[tuple[float, float]], rng: np.random.Generator) -> tuple[Floats, Floats]:
    """An outing along corners, with a receiver's noise."""
    way = np.array(corners)
    at = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))]) / SPEED
    seconds = np.arange(0.0, at[-1], STEP_S)
    points = np.stack([np.interp(seconds, at, axis) for axis in way.T], axis=1)
    return seconds, points + rng.normal(0, NOISE_M, points.shape)


def life(rng: np.random.Generator, outings: int = 10) -> Trajectory:
    """Outings as people have them: round trips over two to four corners, one in five one way only; pauses of one to four
    minutes on a third of them, with or without points, and a lost signal of two to six minutes on a third of them."""
    made = []
    for _ in range(outings):
        turn, corners = rng.uniform(0, 2 * math.pi), [(0.0, 0.0)]
        for _ in range(rng.integers(2, 5)):
            corners.append(_polar(rng.uniform(800, 2_500), turn))
            turn += rng.normal(0, 0.8)
        one_way = rng.random() < 0.2
        seconds, points = along([*corners, *([] if one_way else [(0.0, 0.0)])], rng)
        if one_way and rng.random() < 0.5:
            points = points[::-1].copy()
        if rng.random() < 1 / 3:  # a pause
            at, long = int(rng.integers(1, len(seconds))), rng.uniform(60, 240)
            there = np.arange(STEP_S, long, STEP_S) if rng.random() < 0.5 else np.empty(0)
            stood = points[at - 1] + rng.normal(0, NOISE_M, (len(there), 2))
            points = np.concatenate([points[:at], stood, points[at:]])
            seconds = np.concatenate([seconds[:at], seconds[at - 1] + there, seconds[at:] + long])
        if rng.random() < 1 / 3:  # no signal
            at, long = rng.uniform(0, seconds[-1]), rng.uniform(120, 360)
            heard = (seconds < at) | (seconds > at + long)
            seconds, points = seconds[heard], points[heard]
        made.append((seconds, points))
    return track(made)


def off_m(latitude: float, longitude: float, home: tuple[float, float] = HOME) -> float:
    """How far a guess is from home, metres."""
    return float(np.hypot(*(FRAME.to_metres([latitude], [longitude]) - FRAME.to_metres(*home))[0]))


def _polar(far_m: float, radians: float) -> tuple[float, float]:
    return far_m * math.cos(radians), far_m * math.sin(radians)
