"""Every number of the quilts page over random settings: short series, frozen and one-way chains, all sources, uploads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.quilts import QuiltChoices, evaluate, read_own
from lmdk_widgets.scenario.quilts.model import MECHANISMS, QUERIES
from lmdk_widgets.scenario.quilts.uploaded_series import OwnData
from lmdk_widgets.widgets.quilts import QuiltLab
from tests.every_number.claims import Claims, shown_by
from tests.every_number.quilts_claims import adds_up, drawn, quilt_claims, rows, story
from tests.every_number.quilts_truth import QuiltTruth

SETTINGS = 330
NEVER_SEEN = {"with segments of these lengths, {widest#} is the most that fits"}
"""A quilt that reaches beyond every gap, from within a segment of two fifths of the series: no setting is known."""


def log_uniform(rng: np.random.Generator, low: float, high: float, ends: tuple[float, ...] = ()) -> float:
    if ends and rng.random() < 0.06:
        return float(rng.choice(ends))
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def own_of(rng: np.random.Generator) -> OwnData:
    """An uploaded list of states, a table with a clock, or power with two readings missing."""
    n, kind = int(rng.integers(6, 120)), int(rng.integers(3))
    if kind == 0:
        return read_own("\n".join(str(k) for k in rng.integers(0, int(rng.integers(1, 5)) + 1, n)).encode(), "list.csv")
    times = [f"2020-01-01 {8 + k // 12:02d}:{k % 12 * 5:02d}" for k in range(n)]
    if kind == 1:
        cells = [str(rng.choice(["home", "work", "out"])) for _ in times]
        return read_own(("time,state\n" + "\n".join(map(",".join, zip(times, cells, strict=True)))).encode(), "day.csv")
    cells = [str(int(v)) for v in rng.integers(100, 3000, n)]
    cells[1] = cells[3] = "?"
    return read_own(("time,watts\n" + "\n".join(map(",".join, zip(times, cells, strict=True)))).encode(), "power.csv")


def setting(rng: np.random.Generator) -> tuple[QuiltChoices, OwnData | None]:
    source = str(rng.choice(["binary"] * 12 + ["power", "activities", "track"] + ["own"] * 3))
    every = {"power": (60, 400), "activities": (16, 120), "track": (30, 200)}.get(source, (1, 4))
    stays = [0.0, 0.5, 1.0, *rng.uniform(0, 1, 6).round(2), *rng.uniform(0.8, 1, 2).round(3)]
    stay_one, stay_two = (float(rng.choice(stays)) for _ in range(2))
    if rng.random() < 0.08:  # nearly independent
        stay_two = 1 - stay_one + float(rng.choice([1e-8, 1e-5])) if 0 < stay_one < 1 else 0.5
    choices = QuiltChoices(
        source=source,
        track="commuter",
        every=int(rng.integers(*every)),
        level_w=log_uniform(rng, 300, 3000, (5000.0,)),
        cell_m=log_uniform(rng, 1500, 10_000),
        stay_one=stay_one,
        stay_two=stay_two,
        length=int(rng.choice([2, 3, 8, 20, 40, 70])),
        smoothing=float(rng.choice([0.0, 0.01, 0.1, 3.0])),
        theta=str(rng.choice(["one", "one", "bootstrap"])),
        chains=int(rng.integers(2, 5)),
        epsilon=log_uniform(rng, 0.05, 8, (0.01, 50.0)),
        node=int(rng.choice([-1, -1, 0, 5, 4000])),
        mechanism=str(rng.choice(list(MECHANISMS))),
        query=str(rng.choice(list(QUERIES))),
        seed=int(rng.integers(1000)),
        releases=tuple(log_uniform(rng, 0.01, 10) for _ in range(int(rng.integers(1, 9)))),
        a_first=int(rng.integers(0, 60)),
        a_length=int(rng.integers(1, 60)),
        b_length=int(rng.integers(1, 60)),
        gap=int(rng.choice([1, 2, 5, 15, 40, 5000])),
        epsilon_a=log_uniform(rng, 0.05, 8, (0.01, 50.0)),
        epsilon_b=log_uniform(rng, 0.05, 8, (0.01, 50.0)),
        truth_percent=int(rng.integers(0, 100)),
    )
    return choices, own_of(rng) if source == "own" else None


@pytest.fixture(scope="module")
def lab() -> Any:
    made = QuiltLab(QuiltChoices(source="binary", length=10))
    yield made
    made.close()


def hold(claims: Claims, lab: Any, choices: QuiltChoices, own: OwnData | None) -> bool:
    """Whether there was an outcome; everything that is shown of it is held against its recomputation."""
    try:
        outcome = evaluate(choices, own)
    except InputError:
        return False
    truth = QuiltTruth(outcome)
    try:
        claims.hold(shown_by(lab, outcome), truth)
        text = lab._text(outcome)
        adds_up(text["words"]["paragraph"])
        rows(truth, text["rows"])
        story(truth, text["story"])
        drawn(truth, next(iter(lab._drawings(outcome))).described["figures"])
    except AssertionError as wrong:
        raise AssertionError(f"{wrong}\n{choices}") from wrong
    return True


def test_every_number_of_the_quilts_page(lab: Any) -> None:
    claims, rng = quilt_claims(), np.random.default_rng(3)
    far = QuiltChoices(source="binary", length=70, stay_one=0.53, stay_two=0.75, a_length=60, b_length=60, gap=3)
    held = hold(claims, lab, far.with_changes(epsilon_a=9.1, epsilon_b=8.9), None)
    held += sum(hold(claims, lab, *setting(rng)) for _ in range(SETTINGS))
    assert held >= 0.9 * SETTINGS
    assert set(claims.unused()) <= NEVER_SEEN, claims.unused()
