"""Tables of made-up people for tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

SIX = {"a": (5, 0), "b": (20, 2), "c": (100, 4), "d": (500, 8), "e": (1_044, 8), "f": (2_172, 12)}
"""Reports at home and landmarks of six people."""


def six_people() -> tuple[pd.DataFrame, dict[str, list[int]]]:
    """Six people who are always at home, and their landmarks."""
    frames = []
    for name, (n, _) in SIX.items():
        time = pd.date_range("2026-01-05", periods=n, freq="10min", tz="UTC")
        frames.append(pd.DataFrame({"person": name, "time": time, "latitude": 48.86, "longitude": 2.34}))
    return pd.concat(frames, ignore_index=True), {name: list(range(k)) for name, (_, k) in SIX.items()}


def walker(rng: np.random.Generator, name: Any, n: int) -> pd.DataFrame:
    """Somebody who stays at some of six places, with reports at uneven times."""
    places = rng.normal(0, 0.05, 2) + [48.86, 2.34] + rng.normal(0, 0.03, (6, 2))
    at = np.repeat(rng.integers(0, 6, n // 3 + 1), rng.integers(1, 9, n // 3 + 1))
    at = np.resize(at, n)
    where = places[at] + rng.normal(0, 0.0008, (n, 2))
    minutes = np.cumsum(rng.choice([5, 10, 10, 10, 60, 300], n))
    time = pd.Timestamp("2026-01-05", tz="UTC") + pd.to_timedelta(minutes, unit="min")
    return pd.DataFrame({"person": name, "time": time, "latitude": where[:, 0], "longitude": where[:, 1]})


def crowd(people: int, *, most: int = 80, seed: int = 1) -> pd.DataFrame:
    """Several people with up to `most` rows each, in any order."""
    rng = np.random.default_rng(seed)
    sizes = [3, *rng.integers(1, most, people - 1).tolist()]
    frames = [walker(rng, f"p{k:04}", n) for k, n in enumerate(sizes)]
    return pd.concat(frames).sample(frac=1, random_state=seed).reset_index(drop=True)
