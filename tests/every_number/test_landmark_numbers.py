"""Every number of the track page over random settings: weird tracks, landmarks, chains and ends of ranges."""

from __future__ import annotations

from itertools import chain, count
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.exposure import attacker_sentences
from lmdk_widgets.budgets import scaled_to_fit
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import LocalFrame
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import CompareChoices
from lmdk_widgets.pages.track.fitting_choices import fitting
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.stays import StayChoices
from lmdk_widgets.pages.track.useful import Usefulness
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.model import ADVERSARIES, CORRELATIONS, HIDING, JOINING, MECHANISMS, SCHEMES
from lmdk_widgets.scenario.reportable_cells import fitting_place_m, misfit
from lmdk_widgets.trajectory import Trajectory, sample
from tests.every_number.altered import Read
from tests.every_number.claims import leaves, shown_by
from tests.every_number.landmarks_drawn import COMPARED, COMPARED_WHEN, compared, drawn, moves
from tests.every_number.landmarks_truth import LandmarkTruth
from tests.every_number.named import Named
from tests.every_number.track_names import AS_WRITTEN, track_names
from tests.every_number.verdict_truth import apart, verdict_again
from tests.landmark_choices import page_of
from tests.leakage.oracles import random_matrix
from tests.sweeps import FULL, generators, more, size

SETTINGS = 700
READ = 25
"""In one of so many settings a reader reads the release, which takes longer than all else."""

START = np.datetime64("2026-01-26T08:00", "ns")


def track_of(rng: np.random.Generator) -> Trajectory:
    """Bob's day, or one to twelve points: near each other, across a country, around the world."""
    if rng.random() < 0.4:
        return sample("bob")
    n = int(rng.choice([1, 2, 3, 5, 12]))
    spread = float(rng.choice([0.0, 0.002, 0.05, 0.05, 8.0, 60.0]))
    latitude = np.clip(rng.uniform(-50, 60) + rng.normal(0, spread, n).cumsum() / 2, -89, 89)
    longitude = (rng.uniform(-180, 180) + rng.normal(0, spread, n).cumsum() + 180) % 360 - 180
    minutes = rng.integers(1, 90, n).cumsum()
    return Trajectory(latitude, longitude, START + minutes * np.timedelta64(60, "s"))


def matrix_of(rng: np.random.Generator) -> tuple[tuple[float, ...], ...]:
    """A chain of one to four states; now and then one that cannot go everywhere."""
    m = int(rng.integers(1, 5))
    p = random_matrix(rng, m) if m > 1 else np.ones((1, 1))
    if rng.random() < 0.5:
        p = p * (rng.random((m, m)) < 0.6)
        p[p.sum(axis=1) == 0, rng.integers(m)] = 1
    p = np.abs(p) / np.abs(p).sum(axis=1, keepdims=True)
    return tuple(map(tuple, p.tolist()))


def log_uniform(rng: np.random.Generator, low: float, high: float, ends: tuple[float, ...] = ()) -> float:
    if ends and rng.random() < 0.06:
        return float(rng.choice(ends))
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def setting(rng: np.random.Generator) -> tuple[TrackChoices, Trajectory]:
    track = track_of(rng)
    n = len(track)
    share = rng.choice([0.0, 0.3, 0.6, 1.0])
    landmarks = np.flatnonzero(rng.random(n) < share).tolist()
    if rng.random() < 0.2:
        landmarks = [int(rng.integers(n))]
    own = track is not sample("bob")
    scenario = Scenario(
        track="" if own else "bob",
        utc=bool(n % 2),
        region=() if rng.random() < 0.7 else region_around(track, rng),
        landmarks=tuple(landmarks),
        scheme=str(rng.choice(list(SCHEMES))),
        epsilon=log_uniform(rng, 0.01, 30, (1e-9, 1e-4, 700.0, 1e6)),
        target=log_uniform(rng, 0.05, 10, (1e-9, 1e6)),
        window=int(rng.integers(1, n + 1)),
        radius_m=log_uniform(rng, 10, 5000, (1.0, 100_000.0)),
        mechanism="planar",
        increase=float(rng.uniform(0.01, 0.99)),
        decrease=float(rng.uniform(0.01, 0.99)),
        correlation=str(rng.choice(list(CORRELATIONS))),
        smoothing=log_uniform(rng, 0.001, 10, (1e-6, 1e3)),
        states=int(rng.choice([2, 3, 5, 6, 200])),
        cell_m=log_uniform(rng, 500, 5000, (50.0, 1_000_000.0)),
        matrix=matrix_of(rng),
        adversary=str(rng.choice(list(ADVERSARIES))),
        landmark_loss=bool(rng.random() < 0.4),
        seed=int(rng.integers(1000)),
        average=bool(rng.random() < 0.12),
    )
    scenario = scenario.with_changes(delta=(1e-6, 1e-3, 0.1)[scenario.seed % 3])
    stays = StayChoices(bool(rng.random() < 0.2), log_uniform(rng, 50, 5000), log_uniform(rng, 1, 120))
    stays = stays.with_changes(by=("stays", "ends")[scenario.seed % 2])
    return TrackChoices(scenario, stays=stays), track


def region_around(track: Trajectory, rng: np.random.Generator) -> tuple[float, ...]:
    """A region that holds the middle of a track and not always all of it."""
    middle = float(np.median(track.latitude)), float(np.median(track.longitude))
    high, wide = rng.uniform(0.02, 0.4, 2)
    south, west = max(middle[0] - high, -90), max(middle[1] - wide, -180)
    return south, west, min(south + 2 * high, 90), min(west + 2 * wide, 180)


def cells(rng: np.random.Generator) -> tuple[TrackChoices, Trajectory]:
    """A release as few cells."""
    scenario, track = setting(rng)
    changed = scenario.with_changes(
        mechanism=str(rng.choice([m for m in MECHANISMS if m not in ("planar", "randomised")])),
        scheme=str(rng.choice(["event", "user", "window", "uniform", "weighted", "skip"])),
        cells=str(rng.choice(["region", "track"])),
        place_m=log_uniform(rng, 1500, 8000),
        epsilon=log_uniform(rng, 0.05, 10),
        radius_m=log_uniform(rng, 200, 5000),
    )
    return sized(changed, track if track.stretch < 1.0001 else sample("bob"))


def sized(choices: TrackChoices, track: Trajectory) -> tuple[TrackChoices, Trajectory]:
    """With cells of the region that are few enough; a region of the size of the Earth is a proposal again."""
    choices = choices if track is not sample("bob") else choices.with_changes(track="bob", region=())
    if choices.scenario.cells == "region" and misfit(choices.scenario, track):
        size_m = fitting_place_m(choices.scenario, track)
        choices = choices if size_m is None else choices.with_changes(place_m=size_m)
    return choices, track


def responses(rng: np.random.Generator) -> tuple[TrackChoices, Trajectory]:
    """A release by randomised response on cells; now and then with budgets by hand."""
    scenario, track = by_hand(rng) if rng.random() < 0.2 else cells(rng)
    changed = scenario.with_changes(mechanism="randomised", epsilon=log_uniform(rng, 0.05, 30, (1e-9, 1e6)))
    changed = changed.with_changes(place_m=log_uniform(rng, 300, 8000))
    return sized(changed, track if track.stretch < 1.0001 else sample("bob"))


def by_hand(rng: np.random.Generator) -> tuple[TrackChoices, Trajectory]:
    """Budgets by hand: alike, in two kinds, all different, with some that are 0, or none at all; some fit exactly."""
    choices, track = setting(rng)
    scenario = choices.scenario
    n, kind = len(track), int(rng.integers(6))
    landmark = np.isin(np.arange(n), scenario.landmarks)
    each = scenario.epsilon * rng.uniform(0.05, rng.choice([0.3, 1.6]), n)
    budgets = {1: np.full(n, each[0]), 2: np.where(landmark, each[0], each[-1]), 3: np.where(each > each[0], each, 0)}
    spent = np.minimum(budgets.get(kind, each), 1e6)
    if kind == 4:
        spent = scaled_to_fit(spent, scenario.landmarks, scenario.epsilon)
    elif kind == 5:
        spent = np.zeros(0 if rng.random() < 0.6 else n)
    return choices.with_changes(scheme="given", budgets=spent), track


def hidden(rng: np.random.Generator) -> tuple[TrackChoices, Trajectory]:
    """Landmarks among dummies, by each method and under each scheme; half of them at random."""
    make = (setting, by_hand, cells)[int(rng.choice(3, p=(0.8, 0.12, 0.08)))]
    scenario, track = make(rng)
    names = [name for name in HIDING if name != "random"]
    method, budget = str(rng.choice(["random"] * 3 + names)), log_uniform(rng, 0.01, 30, (1e-9, 1e6))
    hiding = {"hide": True, "hide_method": method, "hide_epsilon": budget, "hide_most": int(rng.integers(1, 7))}
    hiding |= {"hide_joining": str(rng.choice(list(JOINING))), "hide_chance": log_uniform(rng, 0.003, 1, (1e-6, 1.0))}
    hiding |= {"hide_draw": int(rng.choice([1, 1, 2, 3])), "hide_seed": int(rng.integers(1000))}
    usual = {"epsilon": log_uniform(rng, 0.02, 30), "target": log_uniform(rng, 0.05, 10)}
    return scenario.with_changes(**hiding, **usual, **{"stays.open": False}), track


def among_dummies(rng: np.random.Generator) -> tuple[TrackChoices, Trajectory]:
    """Two landmarks of Bob's day among dummies that are drawn at random: some of the others, in most cases not all."""
    choices, _ = setting(rng)
    marks = sorted(rng.choice(8, 2, replace=False).tolist())
    random = {"hide": True, "hide_method": "random", "hide_joining": str(rng.choice(list(JOINING)))}
    random |= {"hide_chance": float(rng.uniform(0.3, 0.7)), "hide_draw": int(rng.integers(1, 4))}
    random |= {"hide_seed": int(rng.integers(1000)), "epsilon": log_uniform(rng, 0.02, 30)}
    bob = {"track": "bob", "region": (), "landmarks": marks, "stays.open": False}
    return choices.with_changes(**random, **bob), sample("bob")


def two_places(rng: np.random.Generator) -> tuple[TrackChoices, Trajectory]:
    """A track that is mostly at one place, sometimes at another one, and else on its way."""
    choices, _ = setting(rng)
    n = int(rng.integers(20, 40))
    metres = rng.normal(0, 30, (n, 2)) + rng.choice(3, n, p=(0.5, 0.3, 0.2))[:, None] * (3000.0, -900.0)
    latitude, longitude = LocalFrame(*rng.uniform(-60, 60, 2)).to_degrees(metres)
    time = START + rng.integers(1, 90, n).cumsum() * np.timedelta64(60, "s")
    track = Trajectory(latitude, longitude, time, zone=("", "Asia/Tokyo")[n % 2])  # one night, or two
    return choices.with_changes(track="", region=(), window=int(rng.integers(1, n)), states=3, average=False), track


def on(choices: TrackChoices, track: Trajectory) -> TrackPage | None:
    """The page with choices on a track, without the landmarks that it does not have; None: they do not go together."""
    marks = [i for i in choices.scenario.landmarks if i < len(track)]
    try:
        return page_of(*fitting(choices.with_changes(landmarks=marks), track))
    except InputError:
        return None


def read_of(claims: Named, choices: TrackChoices, track: Trajectory) -> Read | None:
    """What the page shows, with its recomputation; None where there is no outcome."""
    with heard() as made:
        page = on(choices, track)
        if page is None:
            return None
        list(shown_by(page, page.outcome))
        more = [*leaves("text.exposed", attacker_sentences(page.outcome))]
    outcome, truth = page.outcome, LandmarkTruth(page.outcome, page.session.choices)

    def held(page: Any) -> None:
        try:
            claims.hold([*apart(shown_by(page, outcome)), *more], made, truth)
            verdict_again(page)
            drawn(truth, next(d for d in page._drawings(outcome) if d.name == "draw").described["figure"])
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{choices}, {len(track)} timestamps") from wrong

    return Read(page, outcome, held)


def hold(claims: Named, choices: TrackChoices, track: Trajectory) -> bool:
    """Whether there was an outcome; everything that is shown of it is held against its recomputation."""
    read = read_of(claims, choices, track)
    if read is not None:
        read.held(read.page)
    return read is not None


def outcome_of(scenario: Scenario, track: Trajectory) -> Any:
    try:
        return evaluate(scenario, track)
    except InputError:
        return None


@pytest.mark.long
def test_every_number_of_the_landmark_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lmdk_widgets.answers.usefulness.MOST_DRAWS", 12)  # of up to .1 s each
    asked, turn = Usefulness.asked, count()
    every = READ if FULL else 2 * READ
    monkeypatch.setattr(Usefulness, "asked", lambda *of: None if next(turn) % every else asked(*of))
    claims = track_names()

    made = (
        *((setting, SETTINGS), (cells, 60), (by_hand, 150), (responses, 120)),
        *((hidden, 120), (two_places, 60), (among_dummies, 40)),
    )
    some = chain(
        (
            make(rng)
            for seed, (make, count) in enumerate(made)
            for rng in generators(seed, count if FULL else count // 5)
        ),
        (make(rng) for rng in more(100, 500, claims.unused) for make, _ in made),
    )
    held = sum(hold(claims, *one) for one in some)
    assert held >= 0.8 * size(SETTINGS if FULL else SETTINGS // 5)
    assert not FULL or not claims.unused(), claims.unused()


@pytest.mark.long
def test_every_number_of_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lmdk_widgets.answers.usefulness.MOST_DRAWS", LandmarkTruth.reads)
    names, rows = Named(COMPARED, as_written=AS_WRITTEN, true_when=COMPARED_WHEN), 0
    for k, rng in enumerate(generators(20, 14)):
        choices, track = by_hand(rng) if k % 7 == 6 else setting(rng)
        with heard() as made:
            page = on(choices.with_changes(states=5, average=False, compare=CompareChoices(open=True)), track)
            if page is None:
                continue
            table, *texts = (block["shown"] for block in page._text(page.outcome)["folds"]["compare"])
        truth = LandmarkTruth(page.outcome)
        try:
            rows += compared(truth, table["rows"], made, outcome_of)
            names.hold(zip(("moves", "read"), texts, strict=True), made, truth)
            assert ("The largest what-if loss is what" in texts[0]) == (
                truth.matrix is not None and len(truth.matrix) > 1
            )
            assert moves(truth) or texts[0].endswith("No landmark can move to a regular timestamp next to it.")
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{choices}") from wrong
    assert rows >= 5 * size(14)
