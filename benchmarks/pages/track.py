"""A made-up track of any length, as a CSV file.

A walk through Paris at intervals of five minutes, with stretches of movement in a slowly turning direction, stays, and GPS
jitter. It is nobody's. Eight evenly spread timestamps are marked as landmarks, whatever the length, so budgets and
errors have the same size at every length, and only the number of points differs.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

LANDMARKS = 8
MINUTES = 5
START = np.datetime64("2026-11-02T00:00:00", "s")
CENTRE = (48.8566, 2.3522)
METRES_PER_DEGREE = 111_195.0


def points_m(n: int, seed: int = 7) -> np.ndarray:
    """Metres east and north of the centre, shape (n, 2): moving a third of the time, and pulled back towards the centre."""
    rng = np.random.default_rng(seed)
    moving = np.repeat(rng.random(n // 12 + 1) < 0.35, 12)[:n]
    heading = np.cumsum(rng.normal(0, 0.6, n))
    stride = np.where(moving, rng.uniform(150, 900, n), 0.0)
    points = np.zeros((n, 2))
    here = np.zeros(2)
    for t in range(n):
        here = 0.995 * here + stride[t] * np.array([np.cos(heading[t]), np.sin(heading[t])])
        points[t] = here
    return points + rng.normal(0, 6, (n, 2))


def columns(n: int, seed: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Latitude and longitude in degrees, UTC time, and whether it is a landmark, each of shape (n,)."""
    east, north = points_m(n, seed).T
    latitude = CENTRE[0] + north / METRES_PER_DEGREE
    longitude = CENTRE[1] + east / (METRES_PER_DEGREE * np.cos(np.radians(CENTRE[0])))
    time = START + np.arange(n) * np.timedelta64(60 * MINUTES, "s")
    landmark = np.zeros(n, bool)
    landmark[np.linspace(0, n - 1, LANDMARKS).round().astype(int)] = True
    return latitude, longitude, time, landmark


def write_csv(path: Path, n: int, seed: int = 7) -> Path:
    """Write the track with the columns time, latitude, longitude, landmark."""
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["time", "latitude", "longitude", "landmark"])
        for latitude, longitude, time, landmark in zip(*columns(n, seed), strict=True):
            out.writerow([f"{time}Z", f"{latitude:.6f}", f"{longitude:.6f}", int(landmark)])
    return path
