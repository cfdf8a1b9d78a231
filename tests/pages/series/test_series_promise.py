"""What Series promises of guesses holds for equally likely states and a stated belief: by all paths, and by draws."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.pages.series import SeriesChoices, SeriesOutcome, evaluate
from lmdk_widgets.pages.series.cards import cards_csv
from lmdk_widgets.pages.series.model import MECHANISMS
from lmdk_widgets.pages.series.own_chains import OwnChain
from lmdk_widgets.pages.series.page import SeriesPage
from lmdk_widgets.pages.series.session import SeriesSession
from lmdk_widgets.pages.series.words import first_answers
from lmdk_widgets.trajectory.samples import sample_choices
from tests.every_number.claims import shown_by

OF_100 = re.compile(r"(\d+) of 100")
GUESSES = re.compile(r"\bguess(?:es)?\b|of 100 |\bare right\b")
STARTED = (
    OwnChain((1.0, 0.0), ((0.9, 0.1), (0.4, 0.6))),
    OwnChain((0.9, 0.1), ((0.8, 0.2), (0.3, 0.7))),
)
Q = SeriesChoices()
SETTINGS = [
    Q,
    Q.with_source("activities"),
    Q.with_source("binary", epsilon=1.0),
    Q.with_source("binary", theta="bootstrap", epsilon=0.3),
    Q.with_source("binary", stay_one=0.5, stay_two=0.5, length=30),
    Q.with_source("chains", own_chains=STARTED, length=40, epsilon=1.5),
    Q.with_source("binary", stay_one=1.0, stay_two=0.5, length=30),
    *(
        Q.with_source("track", track=found["name"], every=60 if found["name"] == "taxi" else 6)
        for found in sample_choices()[1:]
    ),
]


def alone_by_hand(outcome: SeriesOutcome) -> float:
    """The largest p / (p + q) of two states at one timestamp, by powers of the matrix."""
    most = 0.5
    for chain in outcome.belief.chains:
        power = np.eye(len(chain.initial))
        for _ in range(len(outcome)):
            here = [p for p in (chain.initial @ power).tolist() if p > 1e-300]
            most = max([most, *(p / (p + q) for p, q in itertools.permutations(here, 2))])
            if chain.is_stationary:
                break
            power = power @ chain.transition
    return most


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
@pytest.mark.parametrize("k", range(len(SETTINGS)))
def test_no_number_of_guesses_is_exceeded_or_said_without_whose_belief(k: int, mechanism: str) -> None:
    outcome = evaluate(SETTINGS[k].with_changes(mechanism=mechanism))
    alone, method = alone_by_hand(outcome), outcome.method(mechanism)
    promise = first_answers(outcome)[2]
    if method.noise is None or not method.protects:
        assert promise.value == "no promise" and promise.look == ("grey" if method.noise is None else "red")
    else:
        most = int(OF_100.fullmatch(promise.value)[1])
        assert most - 1 < 100 / (1 + math.exp(-outcome.choices.epsilon)) <= most + 1e-6
        assert promise.look == ("red" if most > 90 else "amber" if most > 75 else "")
        assert "between two equally likely" in promise.line and "equally likely" in promise.short
        assert ("anyone, whichever model they believe;" in promise.line) == (mechanism == "group")
        assert ("whoever believes" in promise.line) == (mechanism != "group")
        (said,) = re.findall(r"By the model alone, (.*?) are\.", promise.line)
        number = {"all": 100.0, "over 99": 100.0}.get(said) or float(said.removeprefix("up to "))
        assert 100 * alone <= number + 1e-6 < 100 * alone + 1.1
    told = [(path, text) for path, text in shown_by(SeriesPage(SeriesSession(Q)), outcome) if isinstance(text, str)]
    for path, text in told:
        for said in OF_100.findall(text):
            beside = next((line for other, line in told if other == path.replace(".value", ".line")), text)
            if "guess" in beside or path.endswith(".value"):
                assert "equally likely" in beside or 100 * alone <= int(said), (path, text)
        for sentence in re.split(r"(?<=[.:;])\s", text):
            assert "whatever" not in sentence or not GUESSES.search(sentence), (path, sentence)


def test_belief_alone_is_right_more_often_than_the_promise_and_is_told() -> None:
    outcome = evaluate(Q)
    assert outcome.belief.right_alone == pytest.approx(alone_by_hand(outcome)) and outcome.belief.right_alone > 0.99
    line = first_answers(outcome)[2].line
    assert "By the model alone, over 99 are." in line
    assert line.endswith("The model, made from this series, is not covered.")
    other = evaluate(Q.with_source("activities"))
    assert "is not covered" not in first_answers(other)[2].line


def counts(outcome: SeriesOutcome, node: int) -> np.ndarray:
    """(2, T + 1) how likely each number of timestamps in state 2 is, given the state at a timestamp, by all paths."""
    chain, length = outcome.belief.chains[0], len(outcome)
    found = np.zeros((2, length + 1))
    for path in itertools.product((0, 1), repeat=length):
        steps = itertools.pairwise(path)
        likely = chain.initial[path[0]] * math.prod(chain.transition[a, b] for a, b in steps)
        found[path[node], sum(path)] += likely
    return found / found.sum(axis=1, keepdims=True)


def densities(outcome: SeriesOutcome, given: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """(2, k, k) of both released bars, in timestamps, given the state."""
    length, scale = len(outcome), outcome.moved
    number = np.arange(length + 1)
    two = np.exp(-np.abs(grid[:, None] - number) / scale) / (2 * scale)
    one = np.exp(-np.abs(grid[:, None] - (length - number)) / scale) / (2 * scale)
    return np.einsum("sc,ic,jc->sij", given, one, two)


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_by_all_paths_odds_and_guesses_stay_within_the_promise(epsilon: float, mechanism: str) -> None:
    outcome = evaluate(Q.with_source("binary", length=8, epsilon=epsilon, mechanism=mechanism))
    promise, method = first_answers(outcome)[2], outcome.method(mechanism)
    if method.noise is None:
        return
    step = outcome.moved / 12
    grid = np.arange(-14 * outcome.moved, 8 + 14 * outcome.moved, step)
    belief, largest, rates = np.asarray(outcome.belief.chains[0].initial), 0.0, []
    for node in range(len(outcome)):
        dense = densities(outcome, counts(outcome, node), grid)
        largest = max(largest, float(np.abs(np.log(dense[0] / dense[1])).max()))
        rates.append(float(np.maximum(*dense).sum() * step * step / 2))
        own = float(np.maximum(*(belief[:, None, None] * dense)).sum() * step * step)
        p = max(belief)
        if method.protects:
            assert own <= p * math.exp(epsilon) / (p * math.exp(epsilon) + 1 - p)
        assert own >= p * 0.99  # the belief alone is right that often, whatever is released
    if method.protects:
        assert largest <= epsilon * (1 + 1e-9)
        assert max(rates) <= int(OF_100.fullmatch(promise.value)[1]) / 100
    else:
        assert mechanism == "entry" and largest > epsilon and promise.value == "no promise"


@pytest.mark.parametrize(("epsilon", "query"), [(1.0, "shares"), (4.0, "counts")])
def test_drawn_releases_are_guessed_no_more_often_than_promised(epsilon: float, query: str) -> None:
    """The state at a moment drawn with equal chances, the rest by the chain, then noise; the likelier one is guessed."""
    outcome = evaluate(Q.with_source("binary", length=8, epsilon=epsilon, query=query, stay_one=0.7, stay_two=0.6))
    chain, rng, draws, node = outcome.belief.chains[0], np.random.default_rng(4), 8_000, outcome.node
    back = (chain.transition * chain.initial[:, None]).T / chain.initial[:, None]
    truth = rng.integers(0, 2, draws)
    total = truth.copy()
    for matrix, moves in ((back, node), (chain.transition, len(outcome) - 1 - node)):
        here = truth.copy()
        for _ in range(moves):
            here = (rng.random(draws) < matrix[here, 1]).astype(int)
            total += here
    bars = np.stack((len(outcome) - total, total)) + rng.laplace(0, outcome.moved, (2, draws))
    number, given = np.arange(len(outcome) + 1), counts(outcome, node)
    off = np.abs(bars[0][:, None] - (len(outcome) - number)) + np.abs(bars[1][:, None] - number)
    likely = np.exp(-off / outcome.moved) @ given.T
    right = float((likely.argmax(axis=1) == truth).mean())
    most = int(OF_100.fullmatch(first_answers(outcome)[2].value)[1])
    assert 0.5 < right <= most / 100 + 4 / math.sqrt(4 * draws)


def test_an_error_is_said_in_the_time_that_it_takes_from_a_bar() -> None:
    for choices in SETTINGS:
        outcome = evaluate(choices)
        useful, minutes = first_answers(outcome)[0], outcome.series.minutes
        number, unit = useful.value.split()
        unit_minutes: dict[str, Any] = {"h": 60.0, "min": 1.0, "timestamps": minutes or 1.0}
        told = float(number.replace(",", "")) * unit_minutes[unit] / (minutes or 1.0)
        assert told == pytest.approx(outcome.moved, rel=0.06), (useful, outcome.moved)
        bar = max(outcome.series.states.tolist().count(k) for k in range(outcome.series.n_states))
        assert outcome.longest == bar


def test_the_columns_of_the_file_say_whose_belief_they_count() -> None:
    outcome = evaluate(Q)
    head, row = (line.split(",") for line in cards_csv(outcome).splitlines()[:2])
    told = dict(zip(head, row, strict=False))
    assert "promised" not in head and float(told["promised_if_equally_likely"]) == pytest.approx(0.8807971)
    assert float(told["right_by_belief_alone"]) == pytest.approx(alone_by_hand(outcome))
