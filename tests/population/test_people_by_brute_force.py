"""Random tables of people against loops over rows: as the definitions say, with nothing of the package."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.population import People

R_M = 6_371_008.8
START = pd.Timestamp("2026-03-02T00:00Z")
CENTRES = [(48.86, 2.34), (89.998, 10.0), (-17.0, 180.0), (0.0, 0.0), (-89.9999, -77.0)]


class Row(NamedTuple):
    minute: int
    vector: tuple[float, float, float]


def vector(latitude: float, longitude: float) -> tuple[float, float, float]:
    phi, lam = math.radians(latitude), math.radians(longitude)
    return math.cos(phi) * math.cos(lam), math.cos(phi) * math.sin(lam), math.sin(phi)


def apart_m(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Along the great circle."""
    return 2 * R_M * math.asin(min(1.0, math.dist(a, b) / 2))


def middle(points: list[tuple[float, float, float]]) -> tuple[float, ...]:
    total = [math.fsum(axis) for axis in zip(*points, strict=True)]
    return tuple(each / math.hypot(*total) for each in total)


def moved(centre: tuple[float, float], east_m: float, north_m: float) -> tuple[float, float]:
    """A place beside a centre, on the sphere: no plane is near enough at the poles."""
    away, bearing = math.hypot(east_m, north_m) / R_M, math.atan2(east_m, north_m)
    phi, lam = map(math.radians, centre)
    latitude = math.asin(math.sin(phi) * math.cos(away) + math.cos(phi) * math.sin(away) * math.cos(bearing))
    turn = math.sin(bearing) * math.sin(away) * math.cos(phi), math.cos(away) - math.sin(phi) * math.sin(latitude)
    longitude = (math.degrees(lam + math.atan2(*turn)) + 180.0) % 360.0 - 180.0
    return math.degrees(latitude), longitude


def table(rng: np.random.Generator) -> pd.DataFrame:
    """Some people in some part of the Earth: unsorted, with repeated times, a row that says nothing and names of any type."""
    centre, rows = CENTRES[rng.integers(len(CENTRES))], list[dict[str, Any]]()
    for number in range(int(rng.integers(1, 7))):
        spots = [moved(centre, *rng.normal(0, 1_500, 2)) for _ in range(rng.integers(1, 5))]
        name: Any = [number, f"{number}", float(number), f"p {number}"][rng.integers(4)]
        minute = 0
        for _ in range(int(rng.choice([1, 4, 30, 60]))):
            minute += int(rng.choice([0, 5, 10, 10, 25, 300]))
            latitude, longitude = moved(
                spots[rng.integers(len(spots))], *rng.normal(0, rng.choice([0.0, 40.0, 150.0]), 2)
            )
            time = START + pd.Timedelta(minutes=minute)
            rows.append({"person": name, "time": time, "latitude": latitude, "longitude": longitude})
    if len(rows) > 20:
        rows[3]["latitude"] = math.nan
    return pd.DataFrame(rows).sample(frac=1, random_state=int(rng.integers(2**31))).reset_index(drop=True)


def by_person(frame: pd.DataFrame) -> dict[str, list[Row]]:
    found: dict[str, dict[int, Row]] = {}
    for row in frame.to_dict("records"):
        if not math.isnan(row["latitude"]):
            name, minute = f"{row['person']}".removesuffix(".0"), int((row["time"] - START).total_seconds() // 60)
            found.setdefault(name, {}).setdefault(minute, Row(minute, vector(row["latitude"], row["longitude"])))
    return {name: [own[minute] for minute in sorted(own)] for name, own in sorted(found.items())}


def stays(rows: list[Row]) -> int:
    """How many runs of rows within 200 m of their first one last for 20 minutes."""
    count = start = 0
    while start < len(rows):
        end = start
        while end + 1 < len(rows) and apart_m(rows[end + 1].vector, rows[start].vector) <= 200.0:
            end += 1
        is_stay = rows[end].minute - rows[start].minute >= 20
        count, start = count + is_stay, end + 1 if is_stay else start + 1
    return count


def lasting(rows: list[Row]) -> list[int]:
    """How many rows each lasting place has."""
    left, found = list(rows), []
    for _ in range(10):
        if not left:
            break
        near = [[other for other in left if apart_m(other.vector, row.vector) <= 200.0] for row in left]
        centre = middle([row.vector for row in max(near, key=len)])
        found.append(sum(apart_m(row.vector, centre) <= 200.0 for row in left))
        left = [row for row in left if apart_m(row.vector, centre) > 400.0]
    return [count for count in found if count >= 5]


BUDGETS: dict[str, Callable[[int, int], float]] = {
    "event": lambda n, landmarks: 1.0,
    "user": lambda n, landmarks: 1.0 / n,
    "uniform": lambda n, landmarks: 1.0 / min(landmarks + 1, n),
}
"""A report's budget at epsilon 1."""


def nearest_m(rows: list[Row], scheme: str, epsilon: float) -> float:
    """The median of the distances to which the place that is found best is found, by a Rayleigh distribution."""
    budget = epsilon * BUDGETS[scheme](len(rows), stays(rows))
    spreads = [math.sqrt(2.0) * 200.0 / (budget * math.sqrt(count)) for count in lasting(rows)]
    return min(spreads, default=math.inf) * math.sqrt(2.0 * math.log(2.0))


def share_found(found: list[float], distance_m: float) -> float:
    """The mean of the Rayleigh distribution functions with these medians."""
    sigmas = [median / math.sqrt(2.0 * math.log(2.0)) for median in found]
    return math.fsum(1.0 - math.exp(-(distance_m**2) / (2.0 * sigma**2)) for sigma in sigmas) / len(sigmas)


def epsilon_for(found: list[float], share: float, distance_m: float) -> float:
    """By halving an interval; `found` at epsilon 1."""
    low, high = 0.0, 1e6
    if share_found([median / high for median in found], distance_m) < share:
        return math.inf
    for _ in range(200):
        half = (low + high) / 2.0
        near = share_found([median / half for median in found], distance_m)
        low, high = (half, high) if near < share else (low, half)
    return low


@pytest.mark.parametrize("seed", range(40))
def test_people_are_what_the_definitions_say(seed: int) -> None:
    rng = np.random.default_rng((155, seed))
    frame = table(rng)
    people, own = People(frame), by_person(frame)
    assert people.names.tolist() == list(own)
    assert people.reports.tolist() == [len(rows) for rows in own.values()]
    assert people.landmarks.tolist() == [stays(rows) for rows in own.values()]
    epsilon, distance = float(rng.uniform(0.1, 5.0)), float(rng.choice([50.0, 200.0, 500.0]))
    for scheme in BUDGETS:
        found = [nearest_m(rows, scheme, epsilon) for rows in own.values()]
        assert people.found(scheme, epsilon).tolist() == pytest.approx(found, rel=1e-9)
        assert people.share_found(scheme, epsilon, distance) == pytest.approx(share_found(found, distance), rel=1e-9)
        assert people.expected_found(scheme, epsilon, distance)[0] == pytest.approx(
            len(own) * share_found(found, distance), rel=1e-9
        )
        first = [nearest_m(rows, scheme, 1.0) for rows in own.values()]
        wanted = epsilon_for(first, 0.05, distance)
        assert people.epsilon_for(0.05, distance, scheme) == pytest.approx(wanted, rel=1e-7)
