"""Every mechanism, scheme and channel of the package that claims an epsilon, with two inputs that try it hardest."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.audit.evidence import largest_ratio, least_epsilon
from lmdk_widgets.audit.run import Subject
from lmdk_widgets.audit.schemes import schemes
from lmdk_widgets.geoind import optimal_mechanism, planar_laplace_channel
from lmdk_widgets.geoind import spanner as spanner_of
from lmdk_widgets.noise import (
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

Rng = np.random.Generator
CELLS = np.array([[x, y] for x in range(3) for y in range(3)], dtype=float)
DISTANCES = np.linalg.norm(CELLS[:, None] - CELLS[None], axis=2)
CHAIN = MarkovChain([0.5, 0.5], [[0.7, 0.3], [0.3, 0.7]])
LENGTH = 6
MANY = 50
"""Options of a choice: of few, an exponential mechanism uses less than its epsilon."""


def subjects() -> list[Subject]:
    """All of them: samplers, schemes, channels."""
    one = "two numbers that differ by 1"
    return [
        Subject("Laplace", one, _laplace),
        Subject("geometric", "two counts that differ by 1", _geometric),
        Subject("planar Laplace", "two places 1 apart", _planar),
        Subject(
            "exponential mechanism",
            "scores of two options that differ by 1; two options use half",
            _exponential,
            tight=False,
        ),
        Subject("randomised response", "two answers of one person", _response),
        Subject("randomised response, 5 answers", "two answers of one person", _many_answers),
        Subject("pan-private counter", "one event; its state and its output, each claimed by half", _pan_private),
        *schemes(),
        Subject("channel of randomised response", "any two of 5 answers", _response_channel, exact=True),
        Subject(
            "channel of the exponential mechanism", "scores of 50 options that differ by 1", _choice_channel, exact=True
        ),
        Subject(
            "planar Laplace on cells", "any two of 9 cells, by their distance; cells use less", _on_cells, True, False
        ),
        Subject("optimal mechanism", "any two of 9 cells, by their distance", _optimal, exact=True),
        Subject(
            "spanner mechanism", "any two of 9 cells, by their distance; a spanner may use less", _spanner, True, False
        ),
        Subject("Markov quilt", "any state of 6, all others as the chain goes; a quilt uses less", _quilt, True, False),
    ]


def _laplace(epsilon: float, rng: Rng, draws: int) -> float:
    return least_epsilon(*(laplace(np.full(draws, x), 1 / epsilon, rng) for x in (1.0, 0.0)))


def _geometric(epsilon: float, rng: Rng, draws: int) -> float:
    return least_epsilon(*(geometric(np.full(draws, x), epsilon, rng).astype(float) for x in (1, 0)))


def _planar(epsilon: float, rng: Rng, draws: int) -> float:
    places = np.array([[1.0, 0.0], [0.0, 0.0]])
    moved = [planar_laplace(np.tile(place, (draws, 1)), epsilon, rng) for place in places]
    return least_epsilon(*(_nearer(found, *places) for found in moved))


def _nearer(found: np.ndarray, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.linalg.norm(found - other, axis=1) - np.linalg.norm(found - one, axis=1)


def _exponential(epsilon: float, rng: Rng, draws: int) -> float:
    scores = ([1.0, 0.0], [0.0, 1.0])
    chosen = [[exponential_mechanism(each, epsilon, 1.0, rng) for _ in range(draws // 10)] for each in scores]
    return least_epsilon(*(-np.array(each, dtype=float) for each in chosen))


def _response(epsilon: float, rng: Rng, draws: int) -> float:
    truthful = math.exp(epsilon) / (1 + math.exp(epsilon))
    said = [warner(truthful).perturb(np.full(draws, x), rng) for x in (True, False)]
    return least_epsilon(*(each.astype(float) for each in said))


def _many_answers(epsilon: float, rng: Rng, draws: int) -> float:
    said = [randomized_responses(np.full(draws, x), 5, epsilon, rng).reported for x in (0, 1)]
    return least_epsilon(*(np.select([each == 0, each == 1], [1.0, -1.0], 0.0) for each in said))


def _pan_private(epsilon: float, rng: Rng, draws: int) -> float:
    """An event counted before an intrusion that was announced: the intruder sees the state, everybody the output."""
    found = []
    for events in (1, 0):
        scores = []
        for _ in range(draws // 10):
            counter = PanPrivateCounter(epsilon, rng)
            counter.count(events)
            scores.append(counter.intrude(announced=True))
        found.append(scores)
    return least_epsilon(*found)


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
    """The sum of all states and its noise: mixtures of densities, whose ratio is largest at a whole number or beyond all."""
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
