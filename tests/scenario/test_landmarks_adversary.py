"""What an adversary infers on the landmark page, against all paths of small tracks, and when the page computes it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.adversary import CLASSES, SHARES, infer
from lmdk_widgets.scenario.adversary_words import WORST, describe_adversary
from lmdk_widgets.scenario.following import AT_ONCE, MAX_FOLLOWED, at_hand, playable
from lmdk_widgets.scenario.grid import SIDES, grid_over
from lmdk_widgets.scenario.session import LandmarkSession
from lmdk_widgets.trajectory import Trajectory, sample
from tests.inference.inference_oracles import AllPaths
from tests.leakage.oracles import literal_loss

START = np.datetime64("2026-01-26T08:00", "ns")
HOUR = np.timedelta64(1, "h")


def walk(n: int, seed: int = 0, hours: int = 1) -> Trajectory:
    """A track of n timestamps around Paris."""
    rng = np.random.default_rng(seed)
    steps = rng.normal(0, 0.01, (n, 2)).cumsum(axis=0)
    return Trajectory(48.85 + steps[:, 0], 2.35 + steps[:, 1], START + np.arange(n) * hours * HOUR)


def scenario(**changes: Any) -> Scenario:
    usual = {"track": "", "infer": True, "infer_cells": 9, "epsilon": 3.0, "scheme": "event"}
    return Scenario(**usual | changes)


def centres(found: Any) -> np.ndarray:
    """Of the cells, metres in the frame of the track; the corners on the map lie around them."""
    cells = (found.area.squares + 0.5) * found.area.cell_m
    latitude, longitude = (np.mean(corner, axis=1) for corner in found.area.corners)
    assert np.hypot(*(found.area.frame.to_metres(latitude, longitude) - cells).T).max() < 1
    return cells


def her_matrix(choices: Scenario, cells: np.ndarray, truth: list[int]) -> np.ndarray:
    """The transitions, entry by entry."""
    m = len(cells)
    apart = [[float(np.hypot(*(a - b))) for b in cells] for a in cells]
    if choices.infer_moves == "track" or choices.correlation == "estimated":
        moved = np.zeros((m, m))
        for a, b in pairwise(truth):
            moved[a, b] += 1
        return np.array([(row + 0.01) / (row.sum() + 0.01 * m) for row in moved])
    if choices.infer_moves == "near":
        weights = np.array([[np.exp(-d / choices.infer_step_m) for d in row] for row in apart])
        p = weights / weights.sum(axis=1).max()
        return p + np.diag(1 - p.sum(axis=1))
    s, states = {"weak": 1.0, "moderate": 0.1, "strong": 0.01}[choices.correlation], choices.states
    stay = (1 + s) / (1 + states * s)
    return np.where(np.eye(m) == 1, stay, (1 - stay) / (m - 1))


def likelihoods(outcome: Any, cells: np.ndarray) -> np.ndarray:
    """The logarithm of the density of planar Laplace at what a publication spent; of nothing new, 0."""
    choices = outcome.scenario
    compared = choices.epsilon / (2 * choices.window) if choices.scheme == "budget-distribution" else 0.0
    places = outcome.trajectory.frame.to_metres(outcome.latitude, outcome.longitude)
    found = np.zeros((len(outcome), len(cells)))
    for t in np.flatnonzero(outcome.published):
        e = (outcome.budgets[t] - compared) / choices.radius_m
        for x, cell in enumerate(cells):
            found[t, x] = 2 * np.log(e) - np.log(2 * np.pi) - e * np.hypot(*(places[t] - cell))
    return found


SEES = {"both": lambda n: lambda _: range(n), "past": lambda _: lambda t: range(t + 1)}
SEES |= {"any": SEES["both"], "future": lambda n: lambda t: range(t, n)}


@pytest.mark.parametrize("adversary", SEES)
@pytest.mark.parametrize(
    "known",
    [
        {"correlation": "strong"},
        {"correlation": "weak", "states": 3},
        {"correlation": "estimated"},
        {"infer_moves": "near", "infer_step_m": 700.0},
        {"infer_moves": "track", "infer_start": "track"},
        {"scheme": "skip", "landmarks": (0, 2)},
        {"scheme": "budget-distribution", "window": 2},
    ],
)
def test_what_she_believes_is_what_all_paths_say(known: dict[str, Any], adversary: str) -> None:
    n, track = 5, walk(5, seed=len(known) + len(adversary))
    choices = scenario(adversary=adversary, **known)
    outcome = evaluate(choices, track)
    found = infer(outcome)
    cells, m = centres(found), len(found.area)
    truth = [int(np.hypot(*(cells - place).T).argmin()) for place in track.points_m]
    prior = np.full(m, 1 / m)
    if choices.infer_start == "track":
        prior = (np.bincount(truth, minlength=m) + 0.01) / (n + 0.01 * m)
    seen, matrix = likelihoods(outcome, cells), her_matrix(choices, cells, truth)
    every = AllPaths(prior, matrix, seen)
    belief = np.exp(every.belief(SEES[adversary](n)))
    apart = np.hypot(*np.moveaxis(cells[:, None] - cells, -1, 0))
    close = {"rtol": 1e-5, "atol": 1e-5}  # a millionth of the moves goes anywhere
    np.testing.assert_allclose(found.belief, belief, **close)
    assert found.truth.tolist() == truth
    sees = ((found.whole, SEES[adversary](n)), (found.alone, lambda t: [t]), (found.blind, lambda _: []))
    for worth, looks in sees:
        each = np.exp(every.belief(looks))
        np.testing.assert_allclose(worth.right, [row[x] for row, x in zip(each, truth, strict=True)], **close)
        errors = [sum(p * apart[y, x] for y, p in enumerate(row)) for row, x in zip(each, truth, strict=True)]
        np.testing.assert_allclose(worth.error_m, errors, rtol=1e-4, atol=0.1)
    assert every.weights(range(n))[(every.paths == found.path).all(axis=1)] >= every.weights(range(n)).max() - 1e-4
    losses = belief @ apart
    assert (losses[np.arange(n), found.guess] <= losses.min(axis=1) + 0.1).all()
    change = np.log(belief) - every.belief(lambda _: [])
    np.testing.assert_allclose(found.learned, change.max(axis=1) - change.min(axis=1), rtol=1e-3, atol=1e-3)


def test_the_bound_is_the_loss_of_her_own_moves() -> None:
    outcome = evaluate(scenario(correlation="strong", scheme="uniform", landmarks=(1,)), walk(4))
    found = infer(outcome)
    p = her_matrix(outcome.scenario, centres(found), [])
    backward, forward = literal_loss(p, outcome.budgets), literal_loss(p, outcome.budgets[::-1])[::-1]
    np.testing.assert_allclose(found.bound, backward + forward - outcome.budgets, rtol=1e-4)
    past, both = (infer(evaluate(scenario(adversary=name), walk(4))).bound for name in ("past", "both"))
    assert (past <= both + 1e-12).all() and past[0] == pytest.approx(3.0) and past[0] < both[0]
    assert infer(evaluate(scenario(infer_start="track"), walk(4))).bound is None


def test_she_attacks_each_day_with_what_the_others_say() -> None:
    """Two days of three timestamps, eight hours apart: the second day is known from the first alone."""
    track = walk(6, seed=3, hours=8)
    assert np.unique(track.time.astype("datetime64[D]"), return_counts=True)[1].tolist() == [2, 3, 1]
    outcome = evaluate(scenario(infer_start="days", infer_moves="days"), track)
    found, m = infer(outcome), 0
    cells, m = centres(found), len(found.area)
    seen = likelihoods(outcome, cells)
    for first, last in ((0, 2), (2, 5), (5, 6)):
        others = [int(x) for t, x in enumerate(found.truth) if not first <= t < last]
        prior = (np.bincount(others, minlength=m) + 0.01) / (len(others) + 0.01 * m)
        matrix = her_matrix(scenario(infer_moves="track"), cells, others)
        part = AllPaths(prior, matrix, seen[first:last])
        belief = np.exp(part.belief(lambda _, k=last - first: range(k)))
        np.testing.assert_allclose(found.belief[first:last], belief, rtol=1e-4, atol=1e-6)
    assert found.bound is None
    assert any("each of the three days by itself" in note for note in describe_adversary(outcome)["notes"])


def test_reported_cells_are_her_cells() -> None:
    """A channel's column is the likelihood of its report."""
    choices = scenario(mechanism="remapped", place_m=1500.0, correlation="none")
    outcome = evaluate(choices, walk(5, seed=4))
    found = infer(outcome)
    assert outcome.reports is not None and len(found.area) == outcome.reports.cells > 1
    (channel,) = outcome.reports.channels.values()
    places = outcome.trajectory.frame.to_metres(outcome.latitude, outcome.longitude)
    for t, place in enumerate(places):
        reported = int(np.hypot(*(found.area.points_m - place).T).argmin())
        column = channel.matrix[:, reported]
        np.testing.assert_allclose(found.belief[t], column / column.sum(), rtol=1e-6)


def test_the_grid_covers_the_track_with_the_smallest_round_cells() -> None:
    for track in (sample("bob"), sample("commuter"), walk(1), walk(9)):
        for most in (9, 60, 225, 400):
            area = grid_over(track, most)
            assert len(area) <= most and (area.cell_of(track.points_m) >= 0).all()
            low, high = track.points_m.min(axis=0), track.points_m.max(axis=0)
            margin = max(0.15 * (high - low).max(), 200)
            ends = np.array([low - margin, high + margin])
            assert (area.cell_of(ends) >= 0).all(), "the corners of what lies around it"
            sides = [d * 10**p for p in range(1, 9) for d in SIDES]
            smaller = sides[sides.index(area.cell_m) - 1] if area.cell_m > 10 else None
            if smaller:
                columns, rows = np.floor(ends[1] / smaller) - np.floor(ends[0] / smaller) + 1
                assert columns * rows > most


def test_the_map_shows_classes_and_regions() -> None:
    found = infer(evaluate(scenario(infer_cells=60), walk(4)))
    for belief, marks in zip(found.belief, found.marks, strict=True):
        assert [int(mark) & 7 for mark in marks] == [sum(p >= c for c in CLASSES) for p in belief]
        for share, bit in zip(SHARES, (16, 8), strict=True):
            inside = [p for p, mark in zip(belief, marks, strict=True) if mark & bit]
            assert sum(inside) >= share - 1e-9 and sum(inside) - min(inside) < share
            assert min(inside) >= max((p for p, mark in zip(belief, marks, strict=True) if not mark & bit), default=0)
    np.testing.assert_array_equal(found.marked(slice(2, 3)), found.marks[2:3])


def ask(session: LandmarkSession, **changes: Any) -> None:
    session.apply([{"op": "set", "name": name, "value": value} for name, value in changes.items()], commit=True)


def test_a_short_track_is_followed_at_once_and_every_timestamp_beside_the_page() -> None:
    session = LandmarkSession(sample("bob"))
    assert at_hand(session.outcome) is None and session.task(session.outcome) is None
    ask(session, infer=True)
    first = at_hand(session.outcome)
    assert first is not None and playable(session.outcome) is None
    began = session.state
    for better in session.improve(session.outcome):
        session.take(better, began)
    assert at_hand(session.outcome) is first and playable(session.outcome).shape == first.belief.shape
    asked = session.task(session.outcome)
    for change in ({"infer_at": 3}, {"infer_cell": 5}, {"wanted_loss": 0.7}, {"landmark_loss": True}):
        ask(session, **change)
        assert at_hand(session.outcome) is first and session.task(session.outcome) == asked
    for change in ({"epsilon": 2.0}, {"infer_moves": "near"}, {"adversary": "past"}, {"correlation": "weak"}):
        before = at_hand(session.outcome)
        ask(session, **change)
        assert at_hand(session.outcome) is not before and session.task(session.outcome) != asked
    ask(session, infer=False)
    assert at_hand(session.outcome) is None and describe_adversary(session.outcome)["found"] == []


def test_a_long_track_is_followed_beside_the_page_and_a_very_long_one_is_refused() -> None:
    session = LandmarkSession(sample("commuter"))
    ask(session, infer=True, infer_cells=100)
    assert len(session.outcome) * 100 > AT_ONCE and at_hand(session.outcome) is None
    assert "what an adversary infers" in session.progress(session.outcome, busy=True).text
    assert "before it was known" in session.interrupted(session.outcome).stopped
    assert len(describe_adversary(session.outcome)["found"]) == 1
    began = session.state
    found = session.improve(session.outcome)
    session.take(next(found), began)
    assert at_hand(session.outcome) is not None and not session.progress(session.outcome, busy=True).text
    ask(session, infer_at=7)
    session.take(next(found), began)
    assert playable(session.outcome) is not None and session.outcome.scenario.infer_at == 7
    with pytest.raises(InputError, match="at most 20,000 timestamps"):
        LandmarkSession(walk(MAX_FOLLOWED + 1), scenario())


def test_the_worst_case_is_called_so() -> None:
    for change, worst in (
        ({}, False),
        ({"infer_start": "track"}, True),
        ({"infer_moves": "track"}, True),
        ({"correlation": "estimated"}, True),
        ({"correlation": "estimated", "infer_moves": "near"}, False),
    ):
        outcome = evaluate(scenario(**change), walk(4))
        assert outcome.inferred is not None
        assert (WORST.format(kind=outcome.kind) in describe_adversary(outcome)["notes"]) == worst, change
