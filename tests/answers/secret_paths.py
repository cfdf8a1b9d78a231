"""The odds of a secret over time by a second program, timestamp by timestamp and day by day."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from lmdk_widgets.answers.secrets_over_time import Secret
from lmdk_widgets.geo import Floats


def slow_log_odds(secret: Secret, outputs: Floats | None, spent: Floats) -> float:
    """By a second program, timestamp by timestamp: paths that avoid a place on some days, by inclusion and exclusion."""
    track, reading, radius_m = secret.outcome.trajectory, secret.reading, secret.outcome.scenario.radius_m
    cells, cell = reading.area.points_m, reading.area.cell_m
    where = {name: reading.region.frame.to_metres(*degrees(secret, place)) for name, place in places(secret)}
    near = {name: int(np.hypot(*(cells - at).T).argmin()) for name, at in where.items()}
    gaps = np.diff(track.time) / np.timedelta64(1, "s")
    usual = float(np.median(gaps))
    apart = np.hypot(*(cells[:, None] - cells[None]).transpose(2, 0, 1))
    chains = {}
    for gap in set((usual * 2.0 ** np.round(np.log2(gaps / usual))).tolist()):
        kernel = np.exp(-apart / max(cell, min(5 * gap, 2000.0)))
        np.fill_diagonal(kernel, 0)
        kernel /= kernel.sum(axis=1).max()
        q = 1 - math.exp(-gap / (1.8 * cell))
        p = 0.999 * (np.diag(1 - q * kernel.sum(axis=1)) + q * kernel) + 0.001 / len(cells)
        chains[gap] = p
    seen = np.ones((len(track), len(cells)))
    if outputs is not None:
        at = reading.region.frame.to_metres(*track.frame.to_degrees(outputs))
        far = np.hypot(*(at[:, None] - cells[None]).transpose(2, 0, 1))
        seen = np.exp(-spent[:, None] / radius_m * (far - far.min(axis=1, keepdims=True)))
        seen = np.maximum(seen, 1e-250)
    kind = np.longdouble if seen.min() < 1e-20 else float  # products of many of them are numbers still

    def chance(away: set[int], never: str = "", here: str = "here") -> Any:
        """Of avoiding the place on these days, and the other place on all."""
        belief = np.ones(len(cells), kind)
        for t in range(len(track)):
            if t:
                belief = belief @ chains[float(usual * 2.0 ** np.round(np.log2(gaps[t - 1] / usual)))]
            belief = belief * seen[t].astype(kind)
            if secret.chosen[t]:
                if secret.day[t] in away:
                    belief[near[here]] = 0
                if never:
                    belief[near[never]] = 0
        return belief.sum()

    days = sorted(set(secret.day[secret.chosen].tolist()))

    def visited(never: str = "", here: str = "here") -> Any:
        """On exactly the days in a set, summed over all large sets."""
        total = kind(0)
        avoided = {
            some: chance(set(some), never, here)
            for k in range(len(days) + 1)
            for some in itertools.combinations(days, k)
        }
        for k in range(secret.least, len(days) + 1):
            for there in itertools.combinations(days, k):
                rest = [day for day in days if day not in there]
                for j in range(len(there) + 1):
                    for more in itertools.combinations(there, j):
                        total += (-1) ** j * avoided[tuple(sorted((*rest, *more)))]
        return total

    one = visited("there" if secret.asked.kind == "home" else "")
    other = visited("here", "there") if secret.asked.kind == "home" else chance(set()) - one
    smallest = 1e-17 * max(one, other)  # below it, a difference of sums has no digits
    return math.log(max(one, smallest) / max(other, smallest))


def places(secret: Secret) -> list[tuple[str, Floats]]:
    return [("here", secret.here_m), ("there", secret.there_m)]


def degrees(secret: Secret, place: Floats) -> tuple[float, float]:
    latitude, longitude = secret.outcome.trajectory.frame.to_degrees(place[None])
    return float(latitude[0]), float(longitude[0])
