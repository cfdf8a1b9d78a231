"""Ten worked cases of the verdict: data, settings and the sentence that the page shows, for the table in `verdict.md`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import Series, Trajectory
from lmdk_widgets.trajectory.samples import data_choices, sample_data
from lmdk_widgets.verdict import Limits, verdict

HEAD = "| Data | Settings | Verdict |"

START = np.datetime64("2026-03-02T07:00", "ns")


def walk() -> Trajectory:
    """An hour on foot, a point each minute, without a time zone: ten minutes at a bench, then on."""
    k = np.arange(60)
    far = np.clip(k, 0, 25) + np.clip(k - 35, 0, None)  # a stop of ten minutes
    return Trajectory(
        48.85 + far * 60 / 111_195, 2.35 + 0.0002 * np.sin(k), START + k * np.timedelta64(60, "s"), name="walk"
    )


def taxi_day() -> Trajectory:
    """A day of a taxi, a point every five minutes, without landmarks: it waits at a rank between its trips."""
    k, trips = np.arange(288), np.random.default_rng(7)
    away = trips.uniform(-0.05, 0.05, (288 // 12, 2)).repeat(12, axis=0)
    at_rank = (k % 12 < 5)[:, None]
    places = np.where(at_rank, 0.0, away * (1 + trips.normal(0, 0.1, (288, 2))))
    time = START + k * np.timedelta64(300, "s")
    return Trajectory(39.91 + places[:, 0], 116.40 + places[:, 1], time, name="taxi day", zone="Asia/Shanghai")


def meter() -> Series:
    """A week of an electricity meter, a value each hour: a low level at night, a high one in the evening."""
    k = np.arange(168)
    values = 0.3 + 1.5 * (k % 24 >= 18) + 0.4 * np.sin(k / 5) ** 2
    return Series(START + k * np.timedelta64(3600, "s"), values=values, unit="kWh", lower=0.0, upper=3.0, name="meter")


def cases() -> Iterator[tuple[str, str, Scenario, Trajectory, Limits]]:
    """What the data are, how they are released, the scenario, the data and the limits."""
    for each in data_choices():
        name, title, data = each["name"], each["title"], sample_data(each["name"])
        yield title, "as the page opens", Scenario(track=name, landmarks=data.landmarks), data, Limits()
    own = {
        "An hour's walk, own file without a zone": walk(),
        "A taxi's day, own file without landmarks": taxi_day(),
        "A meter's week, own file": meter(),
    }
    for title, data in own.items():
        yield title, "as the page opens", Scenario(track=""), data, Limits()
    commuter = sample_data("commuter")
    kept = Scenario(track="commuter", landmarks=commuter.landmarks, epsilon=0.4)
    yield "A commuter's week", "ε = 0.4, at most 60 of 100 guesses", kept, commuter, Limits(guesses=60)


def rows() -> Iterator[tuple[str, str, str]]:
    """The rows of the table: each sentence is computed."""
    for title, how, scenario, data, limits in cases():
        yield title, how, verdict(evaluate(scenario, data), limits).sentence
