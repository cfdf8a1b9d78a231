"""Streets: junctions and routes against a slow program that knows neither, beliefs against all sequences of points."""

from __future__ import annotations

import heapq
import itertools
import math
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from lmdk_widgets.answers.street_attack import DETOUR, StreetReading
from lmdk_widgets.answers.usefulness import reading_of
from lmdk_widgets.answers.usefulness import releases as drawn
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region
from lmdk_widgets.inference import likeliest_path
from lmdk_widgets.inference.reader import follow, relative
from lmdk_widgets.inference.streets import (
    StreetNetwork,
    StreetPoints,
    network,
    points_along,
    route_steps,
    with_detours,
)
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.ground import Places
from lmdk_widgets.trajectory import Trajectory


def routes_of(streets: StreetNetwork, points: StreetPoints) -> np.ndarray:
    *_, routes = route_steps(streets, points)
    assert routes is not None
    return routes


def slow_routes(streets: StreetNetwork, points: StreetPoints) -> np.ndarray:
    """Dijkstra from every point over a graph in which the points are vertices of their own."""
    edges: dict[Any, dict[Any, float]] = {}

    def join(a: Any, b: Any, length: float) -> None:
        for one, other in ((a, b), (b, a)):
            near = edges.setdefault(one, {})
            near[other] = min(near.get(other, math.inf), length)

    for street, (a, b) in enumerate(streets.ends.tolist()):
        on_it = sorted((float(points.along[k]), f"p{k}") for k in np.flatnonzero(points.street == street))
        stops = [(0.0, a), *on_it, (float(streets.lengths[street]), b)]
        for (here, one), (there, other) in itertools.pairwise(stops):
            join(one, other, there - here)
    found = np.full((len(points.places), len(points.places)), np.inf)
    for k in range(len(found)):
        best: dict[Any, float] = {f"p{k}": 0.0}
        queue: list[tuple[float, str, Any]] = [(0.0, f"p{k}", f"p{k}")]
        while queue:
            far, _, here = heapq.heappop(queue)
            if far > best[here]:
                continue
            for there, length in edges[here].items():
                if far + length < best.get(there, math.inf):
                    best[there] = far + length
                    heapq.heappush(queue, (far + length, str(there), there))
        found[k] = [best.get(f"p{j}", np.inf) for j in range(len(found))]
    return found


def grid(columns: int, rows: int, block: float) -> list[np.ndarray]:
    """Lines with a vertex at each crossing."""
    x, y = np.arange(columns) * block, np.arange(rows) * block
    across = [np.stack([x, np.full(columns, at)], axis=1) for at in y]
    return across + [np.stack([np.full(rows, at), y], axis=1) for at in x]


def random_lines(rng: np.random.Generator) -> list[np.ndarray]:
    """Lines between a few places, so that they meet, some twice, some nowhere."""
    places = rng.integers(0, 8, (7, 2)) * 100.0
    return [places[rng.choice(7, rng.integers(2, 4), replace=False)] for _ in range(rng.integers(2, 7))]


@pytest.mark.parametrize("seed", range(40))
def test_routes_are_those_of_a_slow_program(seed: int) -> None:
    rng = np.random.default_rng((5901, seed))
    lines = random_lines(rng)
    try:
        streets = network(lines)
    except InputError:
        assert all(len(np.unique(line, axis=0)) < 2 for line in lines)
        return
    points = points_along(streets, int(rng.integers(1, 25)), 1.0)
    routes = routes_of(streets, points)
    np.testing.assert_allclose(routes, slow_routes(streets, points), atol=1e-9)
    direct = np.hypot(*(points.places[:, None] - points.places).transpose(2, 0, 1))
    assert (routes >= direct - 1e-9).all() and (with_detours(routes, direct, DETOUR) >= routes).all()


def test_a_grid_meets_where_its_lines_share_a_vertex() -> None:
    streets = network(grid(4, 3, 100.0))
    assert streets.junctions == 12 - 4  # a corner of two streets is passed, and is no junction
    assert streets.total_m == pytest.approx(3 * 300 + 4 * 200)
    across = network([np.array([[0.0, 0], [200, 0]]), np.array([[100.0, -100], [100, 100]])])
    assert across.junctions == 4  # a bridge: no common vertex
    assert np.isinf(routes_of(across, points_along(across, 4, 1.0))).any()


@pytest.mark.parametrize(("off", "junctions"), [(0.0, 4), (0.9, 4), (1.1, 4)])
def test_lines_meet_within_the_tolerance(off: float, junctions: int) -> None:
    joined = network([np.array([[0.0, 0], [200, 0]]), np.array([[100.0, off], [100, 100]])])
    assert joined.junctions == junctions
    apart = np.isinf(routes_of(joined, points_along(joined, 6, 1.0))).any()
    assert apart == (off > 1)
    ends = network([np.array([[0.0, 0], [200, 0]]), np.array([[200.0, off], [200, 100]])])
    assert ends.junctions == (4 if off > 1 else 2)  # two lines, or one round a corner


def test_a_closed_loop_and_double_lines_are_streets_once() -> None:
    ring = np.array([[0.0, 0], [100, 0], [100, 100], [0, 100], [0, 0]])
    assert network([ring]).total_m == network([ring, ring[::-1], ring[1:3]]).total_m == 400
    assert network([ring]).junctions == 1
    with pytest.raises(InputError, match="Streets must contain a line of some length"):
        network([np.zeros((3, 2))])


@pytest.mark.parametrize("most", [1, 7, 100])
def test_points_stand_for_equal_lengths(most: int) -> None:
    streets = network(grid(3, 3, 100.0))
    points = points_along(streets, most, 40.0)
    assert len(points.places) == min(most, 30) and points.every_m * len(points.places) == pytest.approx(1200)
    on = (np.minimum(points.places % 100, 100 - points.places % 100) < 1e-9).any(axis=1)
    assert on.all()
    passed = (np.cumsum(streets.lengths) - streets.lengths)[points.street] + points.along
    np.testing.assert_allclose(np.diff(passed), points.every_m)


def track_on(places: np.ndarray, frame: Any, gap_s: int) -> Trajectory:
    latitude, longitude = frame.to_degrees(places)
    time = np.datetime64("2024-05-01T08:00", "s") + np.arange(len(places)) * np.timedelta64(gap_s, "s")
    return Trajectory(latitude, longitude, time)


REGION = Region(48.84, 2.33, 48.86, 2.36)


def reading_on(
    lines: list[np.ndarray], places: np.ndarray, most: int, gap_s: int, **changes: Any
) -> tuple[Any, Any, StreetPoints, np.ndarray]:
    track = track_on(places, REGION.frame, gap_s)
    box = (REGION.south, REGION.west, REGION.north, REGION.east)
    outcome = evaluate(Scenario(region=box, radius_m=200.0, **changes), track)
    streets = network(lines)
    points = points_along(streets, most, 1.0)
    routes = routes_of(streets, points)
    return outcome, StreetReading(cast(Places, outcome.ground), REGION, points, routes), points, routes


def brute(reading: Any, outcome: Any, points: StreetPoints, routes: np.ndarray) -> tuple[np.ndarray, tuple[int, ...]]:
    """The belief about each timestamp, and the likeliest sequence, from all sequences of points."""
    released, m, n = outcome.released, len(points.places), len(outcome)
    direct = np.hypot(*(points.places[:, None] - points.places).transpose(2, 0, 1))
    weights = np.zeros((n, m))
    for t in range(n):
        for x in range(m):
            if released.published[t]:
                spent = released.budgets[t]
                there = outcome.trajectory.frame.to_metres(*REGION.frame.to_degrees(points.places[x]))
                rate = spent / 200.0
                off = math.dist(released.outputs[t], there)
                weights[t, x] = rate**2 / (2 * math.pi) * math.exp(-rate * off)
            else:
                weights[t, x] = 1.0
    moves = []
    for way, leave in reading.steps(np.arange(n)):
        gap = float(np.diff(outcome.trajectory.time)[0] / np.timedelta64(1, "s"))
        cell = reading.area.cell_m
        near = np.exp(-(routes + DETOUR * np.maximum(routes - direct, 0)) / max(cell, min(5.0 * gap, 2000.0)))
        np.fill_diagonal(near, 0.0)
        near /= near.sum(axis=1).max()
        assert leave == pytest.approx(1 - math.exp(-gap / (1.8 * cell)))
        assert way.anywhere == 0.001
        moved = leave * near + np.diag(1 - leave * near.sum(axis=1))
        moves.append(0.999 * moved + 0.001 / m)
    likeliest: tuple[int, ...] = ()
    chance, best = np.zeros((n, m)), -1.0
    for sequence in itertools.product(range(m), repeat=n):
        p = weights[0, sequence[0]] / m
        for t in range(1, n):
            p *= moves[t - 1][sequence[t - 1], sequence[t]] * weights[t, sequence[t]]
        for t, x in enumerate(sequence):
            chance[t, x] += p
        if p > best:
            best, likeliest = p, sequence
    return chance / chance.sum(axis=1, keepdims=True), likeliest


@pytest.mark.parametrize("seed", range(12))
def test_beliefs_and_estimates_are_those_of_all_sequences(seed: int) -> None:
    rng = np.random.default_rng((5902, seed))
    n, m = int(rng.integers(2, 5)), int(rng.integers(3, 6))
    places, gap = rng.uniform(-500, 500, (n, 2)), int(rng.choice([10, 600, 86_400]))
    lines = [line * 1.5 - 400 for line in random_lines(rng)]
    outcome, reading, points, routes = reading_on(lines, places, m, gap, epsilon=float(rng.uniform(0.5, 40)))
    chance, likeliest = brute(reading, outcome, points, routes)
    *waits, read = reading.read_steps(outcome.released)
    assert not any(waits)
    np.testing.assert_allclose(read.posterior, chance, rtol=2e-4, atol=2e-5)  # the frames are joined in the plane
    loss = chance @ np.hypot(*(points.places[:, None] - points.places).transpose(2, 0, 1))
    chosen = np.abs(read.estimates[:, None] - points.places).max(axis=2).argmin(axis=1)
    free = ~read.kept
    np.testing.assert_allclose(loss[free, chosen[free]], loss[free].min(axis=1), atol=1e-6)
    together = follow(reading.weights([outcome.released], np.arange(n)), reading.moves)
    np.testing.assert_array_equal(read.posterior, together[:, 0])
    way, leave = reading.moves[0]  # all steps are alike
    path = likeliest_path(np.full(m, 1 / m), way.matrix(leave), reading.likelihoods(outcome.released))
    assert tuple(path) == likeliest


def test_a_jump_that_no_street_allows_stays_possible() -> None:
    apart = [np.array([[-700.0, -500], [-500, -500]]), np.array([[500.0, 500], [700, 500]])]
    places = np.array([[-600.0, -500], [600, 500], [-600, -500]])
    outcome, reading, points, routes = reading_on(apart, places, 8, 1, epsilon=3000.0)
    assert np.isinf(routes).any()
    *_, read = reading.read_steps(outcome.released)
    assert np.isfinite(read.posterior).all()
    np.testing.assert_allclose(read.posterior.sum(axis=1), 1)
    assert (np.sign(points.places[read.posterior.argmax(axis=1), 0]) == [-1, 1, -1]).all()


def test_what_is_not_reported_follows_from_the_rest() -> None:
    places = np.array([[-400.0, 0], [0.0, 0], [400.0, 0]])
    outcome, reading, _, _ = reading_on([np.array([[-600.0, 0], [600, 0]])], places, 13, 60, epsilon=3000.0)
    released = outcome.released
    hidden = replace(
        released, published=np.array([True, False, True]), outputs=np.where([[1], [0], [1]], released.outputs, np.nan)
    )
    *_, read = reading.read_steps(hidden)
    middle = read.posterior[1] @ reading.points[:, 0]
    assert abs(middle) < 150  # between both, by symmetry
    alone = relative(reading.likelihoods(hidden))
    assert (alone[1] == 1).all()


def walk(rng: np.random.Generator, columns: int, rows: int, block: float, n: int, step: float) -> np.ndarray:
    """n places along the streets of a grid, so many metres apart, turning at random and never back."""
    here, way, places, left = rng.integers(1, [columns - 1, rows - 1]), np.array([1, 0]), [], 0.0
    for _ in range(n):
        places.append(here * block + way * left)
        left += step
        while left >= block:
            left, here = left - block, here + way
            turns = [np.array(way_) for way_ in ((1, 0), (-1, 0), (0, 1), (0, -1)) if tuple(-way) != way_]
            inside = [turn for turn in turns if ((here + turn >= 0) & (here + turn < [columns, rows])).all()]
            way = inside[rng.integers(len(inside))]
    return np.array(places)


def errors_of(places: np.ndarray, releases: int, *, epsilon: float, gap_s: int, block: float) -> tuple[float, float]:
    """The mean error with these streets and without, over some releases."""
    lines = [line - 750 for line in grid(6, 6, block)]
    outcome, reading, _, _ = reading_on(lines, places, 300, gap_s, epsilon=epsilon)
    without, found = reading_of(outcome), []
    for released in itertools.islice(drawn(outcome), releases):
        *_, read = reading.read_steps(released)
        (plain,) = without.follow([released])
        found.append((reading.errors(read.estimates).mean(), without.errors(plain.estimates).mean()))
    by_streets, by_reader = np.mean(found, axis=0).tolist()
    return by_streets, by_reader


@pytest.mark.long
def test_streets_help_where_people_move_on_them_and_not_elsewhere() -> None:
    rng = np.random.default_rng(5903)
    on = [errors_of(walk(rng, 6, 6, 300.0, 60, 60.0) - 750, 3, epsilon=2.0, gap_s=60, block=300.0) for _ in range(4)]
    by_streets, by_reader = np.mean(on, axis=0)
    assert by_streets < 0.8 * by_reader
    middles = rng.integers(0, 5, (60, 2)) * 300.0 - 600  # the middle of a block, another one each time
    by_streets, by_reader = errors_of(middles, 3, epsilon=8.0, gap_s=60, block=300.0)
    assert by_streets > by_reader
