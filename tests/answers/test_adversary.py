"""What an adversary infers on the track page, against all paths of small tracks, and when the page computes it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.adversary import CLASSES, SHARES, infer
from lmdk_widgets.answers.exposure import followed_place
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import pairwise_loss
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.track.attacker import AT_ONCE
from lmdk_widgets.pages.track.attacker_choices import Attacker
from lmdk_widgets.pages.track.belief_words import WORST, describe_adversary
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.grid import SIDES, grid_over
from lmdk_widgets.scenario.knowledge import MAX_FOLLOWED, Knowledge
from lmdk_widgets.trajectory import Trajectory, sample
from tests.inference.inference_oracles import AllPaths
from tests.landmark_choices import dotted
from tests.leakage.oracles import literal_loss

START = np.datetime64("2026-01-26T08:00", "ns")
HOUR = np.timedelta64(1, "h")


def walk(n: int, seed: int = 0, hours: int = 1) -> Trajectory:
    """A track of n timestamps around Paris."""
    rng = np.random.default_rng(seed)
    steps = rng.normal(0, 0.01, (n, 2)).cumsum(axis=0)
    return Trajectory(48.85 + steps[:, 0], 2.35 + steps[:, 1], START + np.arange(n) * hours * HOUR)


def scenario(**changes: Any) -> Scenario:
    usual = {"track": "", "epsilon": 3.0, "scheme": "event"}
    return Scenario(**usual | changes)


def her(**changes: Any) -> Knowledge:
    return Knowledge(**{"cells": 9} | changes)


def at_hand(session: TrackSession) -> Any:
    return session.outcome.found("attacker")


def playable(session: TrackSession) -> Any:
    return None if at_hand(session) is None else at_hand(session).__dict__.get("marks")


def said(session: TrackSession) -> dict[str, list[str]]:
    return describe_adversary(session.choices.attacker, session.outcome)


def centres(found: Any) -> np.ndarray:
    """Of the cells, metres in the frame of the track; the corners on the map lie around them."""
    cells = (found.area.squares + 0.5) * found.area.cell_m
    latitude, longitude = (np.mean(corner, axis=1) for corner in found.area.corners)
    assert np.hypot(*(found.area.frame.to_metres(latitude, longitude) - cells).T).max() < 1
    return cells


def attacker_matrix(choices: Scenario, knowledge: Knowledge, cells: np.ndarray, truth: list[int]) -> np.ndarray:
    """The transitions, entry by entry."""
    m = len(cells)
    apart = [[float(np.hypot(*(a - b))) for b in cells] for a in cells]
    if knowledge.moves == "track" or choices.correlation == "estimated":
        moved = np.zeros((m, m))
        for a, b in pairwise(truth):
            moved[a, b] += 1
        return np.array([(row + 0.01) / (row.sum() + 0.01 * m) for row in moved])
    if knowledge.moves == "near":
        weights = np.array([[np.exp(-d / knowledge.step_m) for d in row] for row in apart])
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
    ("chosen", "known"),
    [
        ({"correlation": "strong"}, {}),
        ({"correlation": "weak", "states": 3}, {}),
        ({"correlation": "estimated"}, {}),
        ({}, {"moves": "near", "step_m": 700.0}),
        ({}, {"moves": "track", "start": "track"}),
        ({"scheme": "skip", "landmarks": (0, 2)}, {}),
        ({"scheme": "budget-distribution", "window": 2}, {}),
    ],
)
def test_what_she_believes_is_what_all_paths_say(chosen: dict[str, Any], known: dict[str, Any], adversary: str) -> None:
    n, track = 5, walk(5, seed=len(chosen | known) + len(adversary))
    choices, knowledge = scenario(adversary=adversary, **chosen), her(**known)
    outcome = evaluate(choices, track)
    found = infer(outcome, knowledge)
    cells, m = centres(found), len(found.area)
    truth = [int(np.hypot(*(cells - place).T).argmin()) for place in track.points_m]
    prior = np.full(m, 1 / m)
    if knowledge.start == "track":
        prior = (np.bincount(truth, minlength=m) + 0.01) / (n + 0.01 * m)
    seen, matrix = likelihoods(outcome, cells), attacker_matrix(choices, knowledge, cells, truth)
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
        for t, (row, place) in enumerate(zip(each, track.points_m, strict=True)):
            losses = row @ apart
            good = np.flatnonzero(losses <= losses.min() + 0.1)
            assert abs(np.hypot(*(cells[good] - place).T) - worth.error_m[t]).min() < 0.1, "to the place"
    assert every.weights(range(n))[(every.paths == found.path).all(axis=1)] >= every.weights(range(n)).max() - 1e-4
    losses = belief @ apart
    assert (losses[np.arange(n), found.guess] <= losses.min(axis=1) + 0.1).all()
    change = np.log(belief) - every.belief(lambda _: [])
    np.testing.assert_allclose(found.learned, change.max(axis=1) - change.min(axis=1), rtol=1e-3, atol=1e-3)


def test_the_bound_is_the_loss_of_her_own_moves() -> None:
    outcome = evaluate(scenario(correlation="strong", scheme="uniform", landmarks=(1,)), walk(4))
    found = infer(outcome, her())
    p = attacker_matrix(outcome.scenario, her(), centres(found), [])
    backward, forward = literal_loss(p, outcome.budgets), literal_loss(p, outcome.budgets[::-1])[::-1]
    np.testing.assert_allclose(found.bound, backward + forward - outcome.budgets, rtol=1e-4)
    past, both = (infer(evaluate(scenario(adversary=name), walk(4)), her()).bound for name in ("past", "both"))
    assert (past <= both + 1e-12).all() and past[0] == pytest.approx(3.0) and past[0] < both[0]
    assert infer(evaluate(scenario(), walk(4)), her(start="track")).bound is None


@pytest.mark.parametrize("look", ["both", "past", "future", "any"])
def test_what_she_learned_never_passes_the_loss_between_the_two_cells(look: str) -> None:
    part = {"past": "backward", "future": "forward"}.get(look, "total")
    for seed in range(8):
        scheme, correlation = ("uniform", "weighted", "skip", "event")[seed % 4], ("weak", "strong")[seed % 2]
        changes = {"adversary": look, "scheme": scheme, "correlation": correlation, "seed": seed, "landmarks": (1,)}
        outcome = evaluate(scenario(**changes), walk(5, seed))
        found = infer(outcome, her())
        p, cells = attacker_matrix(outcome.scenario, her(), centres(found), []), centres(found)
        apart = np.hypot(*np.moveaxis(cells[:, None] - cells, 2, 0))
        every = getattr(pairwise_loss(p, p, outcome.budgets, apart, outcome.scenario.radius_m), part)
        wanted = [loss[x, y] for loss, (x, y) in zip(every, found.changed, strict=True)]
        np.testing.assert_allclose(found.pair_bound, wanted, rtol=1e-4)
        assert (found.learned <= found.pair_bound * (1 + 1e-9) + 1e-9).all()
        assert (found.learned > found.bound).any(), "read at the radius the loss bounds nothing here"


def test_neither_cells_that_are_reported_nor_moves_nearby_tell_her_more() -> None:
    """Of cells pair by pair; of moves nearby, which would take trees, by one number at the largest distance."""
    for seed, mechanism in enumerate(("optimal", "remapped", "spanner", "optimal", "remapped")):
        changes = {"mechanism": mechanism, "cells": "track", "seed": seed, "correlation": "strong"}
        outcome = evaluate(scenario(**changes), walk(5, seed))
        found = infer(outcome, her())
        assert found.pair_bound is not None and found.far_bound is None
        assert found.learned.max() > 0.1 and (found.learned <= found.pair_bound * (1 + 1e-9) + 1e-9).all()
        far = infer(evaluate(scenario(seed=seed, epsilon=0.2), walk(5, seed)), her(moves="near"))
        assert far.far_bound is not None and (far.learned <= far.far_bound * (1 + 1e-9) + 1e-9).all()


def test_the_loss_between_her_cells_is_said_where_it_takes_no_trees() -> None:
    assert infer(evaluate(scenario(), walk(4)), her(moves="near")).pair_bound is None
    assert infer(evaluate(scenario(), walk(4)), her(start="track")).pair_bound is None
    assert infer(evaluate(scenario(mechanism="randomised", cells="track"), walk(4)), her()).pair_bound is None


def test_she_attacks_each_day_with_what_the_others_say() -> None:
    """Two days of three timestamps, eight hours apart: the second day is known from the first alone."""
    track = walk(6, seed=3, hours=8)
    assert np.unique(track.time.astype("datetime64[D]"), return_counts=True)[1].tolist() == [2, 3, 1]
    choices = TrackChoices(scenario(), attacker=Attacker(9, "days", "days", open=True))
    session = TrackSession(track, choices)
    outcome, found, m = session.outcome, at_hand(session), 0
    cells, m = centres(found), len(found.area)
    seen = likelihoods(outcome, cells)
    for first, last in ((0, 2), (2, 5), (5, 6)):
        others = [int(x) for t, x in enumerate(found.truth) if not first <= t < last]
        prior = (np.bincount(others, minlength=m) + 0.01) / (len(others) + 0.01 * m)
        matrix = attacker_matrix(scenario(), her(moves="track"), cells, others)
        part = AllPaths(prior, matrix, seen[first:last])
        belief = np.exp(part.belief(lambda _, k=last - first: range(k)))
        np.testing.assert_allclose(found.belief[first:last], belief, rtol=1e-4, atol=1e-6)
    assert found.bound is None
    assert any("each of the three days separately" in note for note in said(session)["notes"])


def test_reported_cells_are_her_cells() -> None:
    """A channel's column is the likelihood of its report."""
    choices = scenario(mechanism="remapped", cells="track", place_m=1500.0, correlation="none")
    outcome = evaluate(choices, walk(5, seed=4))
    found = infer(outcome, her())
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
    found = infer(evaluate(scenario(), walk(4)), her(cells=60))
    for belief, marks in zip(found.belief, found.marks, strict=True):
        assert [int(mark) & 7 for mark in marks] == [sum(p >= c for c in CLASSES) for p in belief]
        for share, bit in zip(SHARES, (16, 8), strict=True):
            inside = [p for p, mark in zip(belief, marks, strict=True) if mark & bit]
            assert sum(inside) >= share - 1e-9 and sum(inside) - min(inside) < share
            assert min(inside) >= max((p for p, mark in zip(belief, marks, strict=True) if not mark & bit), default=0)
    np.testing.assert_array_equal(found.marked(slice(2, 3)), found.marks[2:3])


def ask(session: TrackSession, **changes: Any) -> None:
    session.apply([{"op": "set", "name": name, "value": value} for name, value in dotted(changes).items()], commit=True)


@pytest.mark.usefixtures("no_reader")
def test_a_short_track_is_followed_at_once_and_every_timestamp_beside_the_page() -> None:
    session = TrackSession(sample("bob"))
    assert at_hand(session) is None and session.task(session.outcome) is None
    ask(session, attacker__open=True)
    first = at_hand(session)
    assert first is not None and playable(session) is None
    began = session.state
    for better in session.improve(session.outcome):
        session.take(better, began)
    assert at_hand(session) is first and playable(session).shape == first.belief.shape
    asked = session.task(session.outcome)
    for change in ({"attacker.at": 3}, {"attacker.cell": 5}, {"inverse.loss": 0.7}, {"landmark_loss": True}):
        ask(session, **change)
        assert at_hand(session) is first and session.task(session.outcome) == asked
    for change in ({"epsilon": 2.0}, {"attacker.moves": "near"}, {"adversary": "past"}, {"correlation": "weak"}):
        before = at_hand(session)
        ask(session, **change)
        assert at_hand(session) is not before and session.task(session.outcome) != asked
    ask(session, attacker__open=False)
    assert at_hand(session) is None and said(session)["found"] == []


@pytest.mark.usefixtures("no_reader")
def test_a_long_track_is_followed_beside_the_page_and_a_very_long_one_is_refused() -> None:
    session = TrackSession(sample("commuter"))
    ask(session, attacker__open=True, attacker__cells=100)
    assert len(session.outcome) * 100 > AT_ONCE and at_hand(session) is None
    assert "what an attacker infers" in session.progress(session.outcome, busy=True).text
    assert "before it was known" in session.interrupted(session.outcome).stopped
    assert len(said(session)["found"]) == 1
    began = session.state
    found = session.improve(session.outcome)
    session.take(next(found), began)
    assert at_hand(session) is not None and not session.progress(session.outcome, busy=True).text
    ask(session, attacker__at=7)
    session.take(next(found), began)
    assert playable(session) is not None and session.choices["attacker.at"] == 7
    with pytest.raises(InputError, match="at most 20,000 timestamps"):
        TrackSession(walk(MAX_FOLLOWED + 1), TrackChoices(scenario(), attacker=Attacker(9, open=True)))


def test_the_worst_case_is_called_so() -> None:
    for change, worst in (
        ({}, False),
        ({"attacker.start": "track"}, True),
        ({"attacker.moves": "track"}, True),
        ({"correlation": "estimated"}, True),
        ({"correlation": "estimated", "attacker.moves": "near"}, False),
    ):
        choices = TrackChoices(scenario(), attacker=Attacker(9, open=True)).with_changes(**change)
        session = TrackSession(walk(4), choices)
        assert at_hand(session) is not None
        assert (WORST.format(kind=session.outcome.kind) in said(session)["notes"]) == worst, change


@pytest.mark.long
def test_somebody_with_habits_finds_cells_away_from_the_usual_one():
    """Beside all cells and beside the habit alone: .72, .86 and .54 with cells of 1 km, by many draws."""
    commuter, found = sample("commuter"), []
    knowledge = Knowledge(cells=144, start="days", moves="days")
    for seed in range(5):
        outcome = evaluate(
            Scenario(track="commuter", landmarks=commuter.landmarks, correlation="none", seed=seed), commuter
        )
        seen = infer(outcome, knowledge)
        right, away = seen.guess == seen.truth, seen.truth != np.bincount(seen.truth).argmax()
        found.append((right[away].mean(), right.mean(), 1 - away.mean()))
    assert np.mean(found, axis=0) == pytest.approx([0.72, 0.86, 0.54], abs=0.025)
    her = Attacker(cells=144, start="days", moves="days", open=True)
    told = describe_adversary(her, outcome.improved(results={"attacker": Result("asked", seen, done=True)}))["found"]
    away, all_, usual = (f"{100 * share:.0f} %" for share in found[-1])
    said = f"the best guess is right at {away} of the timestamps. Over all timestamps it is right at {all_}; "
    assert any(said + f"always naming that one cell would be right at {usual}." in each for each in told)
    plain = Attacker(cells=144, open=True)
    told = describe_adversary(plain, outcome.improved(results={"attacker": Result("asked", seen, done=True)}))["found"]
    assert not any("Away from the cell" in each for each in told)


@pytest.mark.long
@pytest.mark.parametrize(("track", "cells"), [("commuter", 144), pytest.param("taxi", 225, marks=pytest.mark.nightly)])
def test_the_main_place_is_followed_without_knowing_when(track, cells):
    """About 92 m off under Uniform with epsilon 1, as near as by averaging the right moments."""
    data, off = sample(track), []
    her = Attacker(cells=cells, start="track", moves="track", open=True)
    for seed in range(5):
        scenario = Scenario(track=track, landmarks=data.landmarks, correlation="none", seed=seed)
        outcome = evaluate(scenario, data)
        seen = infer(outcome, her.known)
        place = followed_place(outcome, seen.belief, seen.area)
        off.append(place.off_m)
        told = describe_adversary(her, outcome.improved(results={"attacker": Result("asked", seen, done=True)}))[
            "found"
        ]
        assert any(f"using the {place.reports:,} reports that seem to come from one cell" in each for each in told)
    assert np.median(off) == pytest.approx(92, rel=0.35)


def test_nothing_is_followed_from_large_cells_nor_from_cells_that_are_reported():
    bob = sample("bob")
    outcome = evaluate(Scenario(landmarks=bob.landmarks, epsilon=50.0), bob)
    large = infer(outcome, Knowledge(cells=9))
    assert large.area.cell_m > 1000 and followed_place(outcome, large.belief, large.area) is None
    small = infer(outcome, Knowledge(cells=225))
    assert small.area.cell_m <= 1000 and followed_place(outcome, small.belief, small.area) is not None
    cells = evaluate(Scenario(landmarks=bob.landmarks, mechanism="randomised", place_m=4000.0), bob)
    seen = infer(cells)
    assert followed_place(cells, seen.belief, seen.area) is None
