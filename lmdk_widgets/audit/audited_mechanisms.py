"""Every mechanism, scheme and channel in the package that claims an epsilon, with the two inputs that test it hardest.

Schemes: series that differ at all landmarks and one other timestamp, at one timestamp, or within a window. An online
scheme chooses the timestamps to measure from what it has published, or by a private comparison. It is tested with two
pairs of series, the worst known. The score is the log ratio of the densities of everything published: which timestamps
are new, and their outputs.

Private releases, as they are published: many timestamps at one place or value, against as many at a neighbouring one. A
whole release is made, with ledger and files, and its file is read. Its timestamps are independent, so each one is a
draw. The noise comes from the operating system, so no seed reproduces it.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from lmdk_widgets.audit.deciding_releases import COUNTED, PLACED, longer, ratios, runs
from lmdk_widgets.audit.evidence import Tested, largest_ratio, tested
from lmdk_widgets.audit.run import Subject
from lmdk_widgets.audit.searched_loops import searched_subjects
from lmdk_widgets.budgets import SCHEMES, Release, protect_landmarks, release_many
from lmdk_widgets.budgets.repeated_reports import repeat_while_standing
from lmdk_widgets.budgets.schemes.base import LANDMARKS, Pair
from lmdk_widgets.composition import gaussian_delta, laplace_delta
from lmdk_widgets.geo import Floats, LocalFrame, Region
from lmdk_widgets.geoind import optimal_mechanism, planar_laplace_channel
from lmdk_widgets.geoind import spanner as spanner_of
from lmdk_widgets.leakage import pairwise_loss
from lmdk_widgets.leakage.markov import smoothed_identity
from lmdk_widgets.noise import (
    Laplace,
    PanPrivateCounter,
    exponential_mechanism,
    geometric,
    laplace,
    planar_laplace,
    randomized_response_channel,
    randomized_responses,
    warner,
)
from lmdk_widgets.pufferfish import MarkovChain, quilt_scale
from lmdk_widgets.scenario import Scenario
from lmdk_widgets.scenario.response import Responder
from lmdk_widgets.secure import release_points
from lmdk_widgets.secure.all_mechanisms import MECHANISMS
from lmdk_widgets.secure.base import Mechanism
from lmdk_widgets.secure.base import Pair as InputPair
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.series import DISCRETE_LAPLACE, SeriesSettings
from lmdk_widgets.secure.track import Settings
from lmdk_widgets.trajectory import Series, Trajectory

Rng = np.random.Generator
CELLS = np.array([[x, y] for x in range(3) for y in range(3)], dtype=float)
DISTANCES = np.linalg.norm(CELLS[:, None] - CELLS[None], axis=2)
CHAIN = MarkovChain([0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]])
STICKY = smoothed_identity(3, 0.1)
LENGTH = 6
MANY = 50
"""Options to choose from: with only a few, an exponential mechanism uses less than its epsilon."""


FEWER = 20
"""A release with exact comparisons takes this many times as long as a draw from a mechanism."""

DELTA = 0.05
"""The delta of the (epsilon, delta) claims: large enough for the audit's draws to show a violation."""

TOGETHER = 8
"""Releases added up at the delta."""


MORE = 5
"""Times as many draws for a scheme that spends all its epsilon: on several timestamps, which seldom all reveal most."""


PAIRS: dict[str, tuple[Pair, ...]] = {name: scheme.pairs for name, scheme in SCHEMES.items() if scheme.pairs}
"""The neighbouring series of each scheme with a guarantee for epsilon."""


COMPARED = (
    Pair("at a timestamp, window 1; seldom spends everything", (2,), window=1, tight=False),
    Pair("at two timestamps in a row, window 2; seldom spends everything", (2, 3), tight=False),
)
"""The neighbouring series of private releases that compare."""


COMPARED_PLACES = (
    COMPARED[0],
    Pair("at the first two timestamps, window 2; seldom spends everything", (0, 1), window=2, tight=False),
)
"""The neighbouring tracks: noise in the plane seldom reveals most, so a report is needed that is always made, the first."""


COUNTS_APART, PLACES_APART = "counts that differ by 1", "places a radius apart"


ONE_SIDED = "one timestamp that is a landmark, against none there; one-sided: never the other way round"


STANDING = "a track that stays and one that moves by 1; claimed for each report alone"


def subjects() -> list[Subject]:
    """All subjects: samplers, schemes, channels."""
    one = "two numbers that differ by 1"
    return [
        Subject("Laplace", one, _laplace),
        Subject("geometric", "two counts that differ by 1", _geometric),
        Subject("planar Laplace", "two places 1 apart", _planar),
        Subject(
            "exponential mechanism",
            "scores of two options that differ by 1; two options use half of epsilon",
            _exponential,
            tight=False,
        ),
        Subject("randomised response", "two answers of one person", _response),
        Subject("randomised response, 5 answers", "two answers of one person", _many_answers),
        Subject("pan-private counter, state", "one event before an intrusion; state and output are seen", _state),
        Subject("pan-private counter, output", "one event after an intrusion; state and output are seen", _output),
        Subject("random dummies", ONE_SIDED, _dummies),
        Subject("repeated while standing still", STANDING, _standing, private=False),
        *schemes(),
        *releases(),
        *searched_subjects(),
        Subject("cells by randomised response", "two cells of a track's grid, at each timestamp", _cells),
        Subject("channel of randomised response", "any two of 5 answers", _response_channel, exact=True),
        Subject(
            "channel of the exponential mechanism", "scores of 50 options that differ by 1", _choice_channel, exact=True
        ),
        Subject(
            "planar Laplace on cells", "any two of 9 cells, per unit distance; cells use less", _on_cells, True, False
        ),
        Subject("optimal mechanism", "any two of 9 cells, per unit distance", _optimal, exact=True),
        Subject(
            "spanner mechanism", "any two of 9 cells, per unit distance; a spanner may use less", _spanner, True, False
        ),
        Subject("Markov quilt", "any of 6 states, all others as in the chain; a quilt uses less", _quilt, True, False),
        Subject("Gaussian noise", f"two numbers that differ by 1, at delta {DELTA}", _gaussian),
        Subject(
            "releases added up at a delta",
            f"{TOGETHER} Laplace releases of two numbers that differ by 1, at delta {DELTA}; simple sums cost more",
            _added_up,
        ),
        Subject(
            "temporal loss pair by pair",
            "two places at one of two timestamps, the other as in a chain; planar Laplace seldom reveals most",
            _pairs,
            tight=False,
        ),
    ]


def _pairs(epsilon: float, rng: Rng, draws: int) -> Tested:
    """Planar Laplace at two timestamps with the largest budget that has this loss; the score uses the chain."""
    at = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    apart = np.linalg.norm(at[:, None] - at, axis=2)
    budget = _largest(
        lambda each: pairwise_loss(STICKY, STICKY, [each] * 2, apart).total[0, 0, 1] - epsilon, epsilon, 0.0
    )
    found = []
    for here in (0, 1):
        later = rng.choice(3, size=draws, p=STICKY[here])
        outputs = [planar_laplace(places, budget, rng) for places in (np.tile(at[here], (draws, 1)), at[later])]
        seen = [np.exp(-budget * np.linalg.norm(y[:, None] - at, axis=2)) for y in outputs]
        told = np.log(seen[0]) + np.log(seen[1] @ STICKY.T)
        found.append(told[:, 0] - told[:, 1])
    return tested(*found)


def _laplace(epsilon: float, rng: Rng, draws: int) -> Tested:
    return tested(*(laplace(np.full(draws, x), 1 / epsilon, rng) for x in (1.0, 0.0)))


def _gaussian(epsilon: float, rng: Rng, draws: int) -> Tested:
    """Noise with the largest mu whose epsilon at the delta is the given one."""
    mu = _largest(lambda each: gaussian_delta(epsilon, each), epsilon)
    return tested(*(rng.normal(x, 1 / mu, MORE * draws) for x in (1.0, 0.0)), delta=DELTA)


def _added_up(epsilon: float, rng: Rng, draws: int) -> Tested:
    """Releases with equal budgets, the largest that together have this epsilon at the delta."""
    budget = _largest(lambda each: laplace_delta([each] * TOGETHER, epsilon), epsilon)
    found = [laplace(np.full((MORE * draws, TOGETHER), x), 1 / budget, rng) for x in (1.0, 0.0)]
    return tested(*((np.abs(y) - np.abs(y - 1)).sum(axis=1) for y in found), delta=DELTA)


def _largest(delta_of: Callable[[float], float], epsilon: float, most: float = DELTA) -> float:
    """The largest mu, or budget, whose delta is at most `most`, rounded down; delta must increase with it."""
    low, high = 0.0, epsilon + 2
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle) <= most else (low, middle)
    return low


def _geometric(epsilon: float, rng: Rng, draws: int) -> Tested:
    return tested(*(geometric(np.full(draws, x), epsilon, rng).astype(float) for x in (1, 0)))


def _standing(epsilon: float, rng: Rng, draws: int) -> Tested:
    """Whether the second report repeats the first, for a track that stays and for one that moves beyond standing still."""
    found = []
    for step in (0.0, 1.0):
        track = np.zeros((2 * draws, 2))
        track[:, 0] = 10.0 * np.repeat(np.arange(draws), 2)  # each pair of timestamps is far from the others
        track[1::2, 0] += step
        reports, _ = repeat_while_standing(track, epsilon, 0.5, rng)
        found.append((reports[::2] == reports[1::2]).all(axis=1).astype(float))
    return tested(*found)


def _planar(epsilon: float, rng: Rng, draws: int) -> Tested:
    places = np.array([[1.0, 0.0], [0.0, 0.0]])
    moved = [planar_laplace(np.tile(place, (draws, 1)), epsilon, rng) for place in places]
    return tested(*(nearer(found, *places) for found in moved))


def _exponential(epsilon: float, rng: Rng, draws: int) -> Tested:
    scores = ([1.0, 0.0], [0.0, 1.0])
    chosen = [[exponential_mechanism(each, epsilon, 1.0, rng) for _ in range(draws // 10)] for each in scores]
    return tested(*(-np.array(each, dtype=float) for each in chosen))


def _response(epsilon: float, rng: Rng, draws: int) -> Tested:
    truthful = math.exp(epsilon) / (1 + math.exp(epsilon))
    said = [warner(truthful).perturb(np.full(draws, x), rng) for x in (True, False)]
    return tested(*(each.astype(float) for each in said))


def _many_answers(epsilon: float, rng: Rng, draws: int) -> Tested:
    said = [randomized_responses(np.full(draws, x), 5, epsilon, rng).reported for x in (0, 1)]
    return tested(*(np.select([each == 0, each == 1], [1.0, -1.0], 0.0) for each in said))


def _state(epsilon: float, rng: Rng, draws: int) -> Tested:
    """An event before an intrusion: the output adds noise to the state, and reveals nothing more about the event."""
    return tested(*_counters(epsilon, rng, draws, before=True)[:, 0])


def _output(epsilon: float, rng: Rng, draws: int) -> Tested:
    """An event after an unannounced intrusion: an intruder who saw the state subtracts it from the output."""
    seen = _counters(epsilon, rng, draws, before=False)
    return tested(*(seen[:, 1] - seen[:, 0]))


def _counters(epsilon: float, rng: Rng, draws: int, *, before: bool) -> Floats:
    """(2, 2, n) the state seen by the intruder, and the output, of counters with one event and with none."""
    found = []
    for events in (1, 0):
        seen = []
        for _ in range(draws // 2):
            counter = PanPrivateCounter(epsilon, rng)
            counter.count(events if before else 0)
            state = counter.intrude()
            counter.count(0 if before else events)
            seen.append((state, counter.output()))
        found.append(np.array(seen).T)
    return np.array(found)


def _dummies(epsilon: float, rng: Rng, draws: int) -> Tested:
    """Whether timestamp 3 is protected, if it is a landmark and if it is not: the sets reveal no more about it, as the
    others join independently. A set without it is impossible for a landmark, so there is no bound the other way round."""
    chance = math.exp(-epsilon)
    sets = [
        [protect_landmarks(8, marked, chance=chance, rng=rng) for _ in range(draws // 10)]
        for marked in ([0, 3, 6], [0, 6])
    ]
    return tested(*(np.array([3 in found for found in each], dtype=float) for each in sets))


def _cells(epsilon: float, rng: Rng, draws: int) -> Tested:
    """A track that stays in one cell of a public region, and one that stays in another."""
    side, region = 10_000.0, Region(48.75, 2.25, 49.0, 2.5)
    time = np.datetime64("2026-01-01T00:00:00") + np.arange(draws)
    scenario = Scenario(
        track="", region=region.limits, scheme="event", epsilon=epsilon, mechanism="randomised", place_m=side
    )
    budgets = np.full(draws, epsilon)
    released = Release(np.full((draws, 2), np.nan), budgets, budgets > 0, np.array([], np.intp))
    cells, said = region.grid(side), []
    places = [degrees[:2] for degrees in cells.frame.to_degrees(cells.points_m)]
    for latitude, longitude in zip(*places, strict=True):
        track = Trajectory(np.full(draws, latitude), np.full(draws, longitude), time)
        found = Responder(scenario, track, released).outputs(rng)
        said.append(cells.frame.to_metres(*track.frame.to_degrees(found)))
    are = [[np.linalg.norm(each - place, axis=1) < side / 2 for place in cells.points_m[:2]] for each in said]
    return tested(*(one.astype(float) - other for one, other in are))


def _response_channel(epsilon: float, _rng: Rng, _draws: int) -> float:
    return largest_ratio(randomized_response_channel(5, epsilon))


def _choice_channel(epsilon: float, _rng: Rng, _draws: int) -> float:
    others = np.ones(MANY - 1)
    scores = (np.append(1.0, 0 * others), np.append(0.0, others), np.append(0.5, others / 2))
    return largest_ratio(np.array([exponential_mechanism(each, epsilon, 1.0) for each in scores]))


def _on_cells(epsilon: float, _rng: Rng, _draws: int) -> float:
    return largest_ratio(planar_laplace_channel(CELLS, epsilon).matrix, DISTANCES)


def _optimal(epsilon: float, _rng: Rng, _draws: int) -> float:
    return largest_ratio(optimal_mechanism(DISTANCES, np.full(9, 1 / 9), epsilon).matrix, DISTANCES)


def _spanner(epsilon: float, _rng: Rng, _draws: int) -> float:
    assert spanner_of(DISTANCES, 1.2).dilation <= 1.2
    return largest_ratio(optimal_mechanism(DISTANCES, np.full(9, 1 / 9), epsilon, dilation=1.2).matrix, DISTANCES)


def _quilt(epsilon: float, _rng: Rng, _draws: int) -> float:
    """The sum of all states with noise: mixtures of densities, whose ratio peaks at a whole number or beyond them all."""
    scale = quilt_scale(CHAIN, LENGTH, epsilon).scale
    states = np.array(np.unravel_index(np.arange(2**LENGTH), (2,) * LENGTH)).T
    moves = np.asarray(CHAIN.transition)
    chances = np.asarray(CHAIN.initial)[states[:, 0]] * moves[states[:, :-1], states[:, 1:]].prod(axis=1)
    sums, where = states.sum(axis=1), np.arange(-40, 41) / 4.0 + LENGTH / 2
    density = np.exp(-np.abs(where[:, None] - sums[None]) / scale)
    largest = 0.0
    for node in range(LENGTH):
        given = [density @ (chances * (states[:, node] == a)) / chances[states[:, node] == a].sum() for a in (0, 1)]
        largest = max(largest, float(np.abs(np.log(given[0] / given[1])).max()))
    return largest


def schemes() -> list[Subject]:
    """One subject for each pair of each scheme."""
    return [
        Subject(f"scheme {name}{', pair 2' if second else ''}", pair.claim, _measure(name, pair), tight=pair.tight)
        for name, pairs in PAIRS.items()
        for second, pair in enumerate(pairs)
    ]


def _measure(name: str, pair: Pair) -> Callable[[float, np.random.Generator, int], Tested]:
    options: dict[str, Any] = {"window": pair.window}
    if SCHEMES[name].compares:
        options["initial"] = pair.initial

    def measure(epsilon: float, rng: np.random.Generator, draws: int) -> Tested:
        made = {"draws": (MORE if pair.tight else 1) * draws, "rng": rng, "error": _as_they_are, **options}
        found = [release_many(truth, name, LANDMARKS, epsilon, Laplace(), **made).T for truth in pair.truths]
        return tested(*(ratios(name, pair, epsilon, outputs) for outputs in found))

    return measure


def _as_they_are(outputs: Any) -> Floats:
    return outputs


def releases() -> list[Subject]:
    """One subject for each pair of each mechanism whose library is installed, and one for points alone."""
    found = [Subject("private release of points", "two neighbouring points of the lattice", _points)]
    for mechanism in MECHANISMS.values():
        for number, pair in enumerate(mechanism.pairs if _is_here(mechanism) else (), 1):
            name = f"private release of {mechanism.releases}" + (f", pair {number}" if number > 1 else "")
            measure = _track if mechanism.data == "a track" else _series
            found.append(Subject(name, pair.claim, partial(measure, mechanism, pair)))
    if _is_here(DISCRETE_LAPLACE):
        claim = "counts that differ by 1 at a landmark, which may be skipped, and after it"
        found.append(Subject("private release that decides as it goes", claim, partial(_as_it_goes, COUNTED)))
    claim = "places a radius apart at a landmark, which may be skipped, and after it"
    found.append(Subject("private release of places that decides as it goes", claim, partial(_as_it_goes, PLACED)))
    counts, places = ("", COUNTED, COUNTS_APART, COMPARED), (" of places", PLACED, PLACES_APART, COMPARED_PLACES)
    for name, settings, apart, pairs in (counts, places) if _is_here(DISCRETE_LAPLACE) else (places,):
        for scheme in (scheme for scheme in SCHEMES.values() if scheme.compares):
            for both in pairs:
                measure = partial(_by_comparison, scheme.name, both, settings)
                title = f"private release{name} by {scheme.title}, window {both.window}"
                found.append(Subject(title, f"{apart} {both.claim}", measure, tight=False))
    return found


def _is_here(mechanism: Mechanism) -> bool:
    return not mechanism.library or find_spec(mechanism.library) is not None


def _points(epsilon: float, _rng: Rng, draws: int) -> Tested:
    places = np.array([[0.0, 0.0], [1.0, 0.0]])
    found = [release_points(np.tile(place, (draws, 1)), epsilon, step_m=1.0).points_m for place in places]
    return tested(*(nearer(points, *places) for points in found))


def _track(mechanism: Mechanism, pair: InputPair, epsilon: float, _rng: Rng, draws: int) -> Tested:
    frame, places = LocalFrame(*pair.settings["origin"]), np.array(pair.inputs)
    found = []
    for latitude, longitude in zip(*frame.to_degrees(places), strict=True):
        track = Trajectory(np.full(draws, latitude), np.full(draws, longitude), _seconds(draws))
        found.append(frame.to_metres(*_released(mechanism, pair, epsilon, track, "latitude", "longitude")))
    step = pair.settings["step_m"]
    snapped = np.rint(places / step) * step
    return tested(*(nearer(points, *snapped) for points in found))


def _series(mechanism: Mechanism, pair: InputPair, epsilon: float, _rng: Rng, draws: int) -> Tested:
    one, other = pair.inputs
    found = []
    for value in pair.inputs:
        series = Series(_seconds(draws), values=np.full(draws, value))
        (values,) = _released(mechanism, pair, epsilon, series, "value")
        found.append(np.abs(values - one) - np.abs(values - other))
    return tested(*found[::-1])


def _as_it_goes(given: SeriesSettings | Settings, epsilon: float, _rng: Rng, draws: int) -> Tested:
    """Adaptive at four timestamps, of which the third is the landmark: what is published, and where."""
    settings = replace(given, scheme="adaptive", epsilon=epsilon, landmarks=(2,), window=1)
    truths = np.array([[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    scores = np.empty((2, draws // 4 // longer(given)))
    for which, truth in enumerate(truths):
        for k, (outputs, noise) in enumerate(runs(settings, truth, scores.shape[1])):
            new = noise > 0
            scores[which, k] = noise[new] @ (
                np.abs(outputs[new] - truths[1, new]) - np.abs(outputs[new] - truths[0, new])
            )
    return tested(*scores)


def _by_comparison(
    scheme: str, pair: Pair, given: SeriesSettings | Settings, epsilon: float, _rng: Rng, draws: int
) -> Tested:
    """What is published, and where; the score counts the reports and what each comparison can have decided."""
    settings = replace(given, scheme=scheme, epsilon=epsilon, landmarks=LANDMARKS, window=pair.window)
    count, found = draws // FEWER // longer(given), []
    for truth in pair.truths:
        outputs, noise = np.array(list(runs(settings, truth, count))).transpose(1, 2, 0)
        for t in range(1, len(outputs)):  # the last report stays
            outputs[t] = np.where(noise[t].real > 0, outputs[t], outputs[t - 1])
        found.append(ratios(scheme, pair, epsilon, outputs, noise.real > 0))
    return tested(*found)


def _seconds(draws: int) -> np.ndarray:
    return np.datetime64("2026-01-01T00:00:00") + np.arange(draws)


def _released(mechanism: Mechanism, pair: InputPair, epsilon: float, data: Any, *names: str) -> Floats:
    """(k, n) columns of a release of the data, in which each timestamp spends the whole epsilon."""
    asked = {"scheme": "event", "epsilon": epsilon, **pair.settings}
    with TemporaryDirectory() as folder:
        mechanism.release(data, asked, Path(folder) / "out", Ledger(Path(folder) / "ledger"))
        return _columns(Path(folder), *names)


def _columns(folder: Path, *names: str) -> Floats:
    """(k, n) columns of the release in a folder."""
    with open(folder / "out" / "release.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return np.array([[float(row[name]) for row in rows] for name in names])


def nearer(found: Floats, one: Floats, other: Floats) -> Floats:
    """(n,) how much nearer each point is to the first place than to the second."""
    return np.linalg.norm(found - other, axis=1) - np.linalg.norm(found - one, axis=1)
