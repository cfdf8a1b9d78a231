"""How far off an attacker is: never farther than the reader of the same release, and always from the true place."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.adversary import attacks
from lmdk_widgets.answers.attacker_error import MODELS, errors_by_reader
from lmdk_widgets.answers.usefulness import reading_of, useful
from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario import Knowledge, Scenario, evaluate, infer
from lmdk_widgets.scenario.model import ALL_SCHEMES, MECHANISMS, ONLINE_SCHEMES
from lmdk_widgets.scenario.reading import PlaceReading
from lmdk_widgets.study import MEASURES
from lmdk_widgets.trajectory import sample, sample_series
from tests.sweeps import FULL

TRACKS = {name: sample(name) for name in ("bob", "commuter")} | ({"taxi": sample("taxi")} if FULL else {})
SERIES = {name: sample_series(name) for name in ("household", "contacts")}


def scenario_of(name: str, data: Any, **changes: Any) -> Scenario:
    return Scenario(track=name if name in TRACKS else "", landmarks=data.landmarks, **changes)


@pytest.mark.long
@pytest.mark.parametrize("name", [*TRACKS, *SERIES])
def test_no_attacker_is_weaker_than_the_reader_of_the_same_release(name: str) -> None:
    data, shown = (TRACKS | SERIES)[name], set()
    mechanisms = MECHANISMS if name in TRACKS else ("planar",)
    for k, (scheme, mechanism) in enumerate(product(ALL_SCHEMES, mechanisms)):
        if (mechanism != "planar" and scheme in ONLINE_SCHEMES) or scheme in ("given", "best-plan"):
            continue
        if name != "bob" and not FULL and k % 4:
            continue
        epsilon, place = (0.3, 3.0)[k % 2], {} if mechanism == "planar" else {"place_m": 4000.0}
        changes = {"scheme": scheme, "mechanism": mechanism, "epsilon": epsilon, "adversary": ("both", "any")[k % 2]}
        try:
            outcome = evaluate(scenario_of(name, data, seed=k, **changes, **place), data)
        except InputError:  # more places or budgets than a channel can have
            continue
        found, reader = infer(outcome, Knowledge(cells=(40, 225)[k % 2])), useful(outcome, 1)
        assert found.error_m.mean() <= reader.reader
        assert found.error_m.mean() <= found.whole.error_m.mean()
        assert (
            found.error_m.tolist() == ({"reader": reader.error_m, "chain": found.whole.error_m}[found.model]).tolist()
        )
        shown.add(found.model)
        assert MEASURES["attacker_error_m"].of(outcome) <= MEASURES["reader_error_m"].of(outcome)
    assert shown <= set(MODELS) and (name != "bob" or shown == set(MODELS))


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_error_is_from_the_guess_to_the_place_not_to_the_middle_of_its_cell(mechanism: str) -> None:
    """By a simulation: guesses drawn again from other releases, each measured to where Bob really was."""
    bob, each = sample("bob"), []
    place = {} if mechanism == "planar" else {"place_m": 4000.0}
    choices = Scenario(landmarks=bob.landmarks, mechanism=mechanism, epsilon=20.0, **place)
    for seed in range(3):
        found = infer(evaluate(choices.with_changes(seed=seed), bob), Knowledge(cells=40))
        middles = found.area.frame.to_degrees(found.area.points_m)
        for t in range(len(bob)):
            losses = [float(found.belief[t] @ row) for row in found.area.distances_m]
            guess = found.guess[t]
            assert losses[guess] <= min(losses) * (1 + 1e-9)
            north = (middles[0][guess] - bob.latitude[t]) * 111_195
            east = (middles[1][guess] - bob.longitude[t]) * 111_195 * np.cos(np.radians(bob.latitude[t]))
            each.append((float(np.hypot(north, east)), found.whole.error_m[t]))
    simulated, said = np.array(each).T
    np.testing.assert_allclose(said, simulated, rtol=5e-3, atol=5.0)
    if mechanism == "optimal":  # the cell is found each time, and Bob is not in its middle
        assert found.whole.right.min() > 0.99 and found.whole.error_m.mean() > 1000


@pytest.mark.parametrize(("adversary", "look"), [("past", "filtered"), ("future", "predicted")])
def test_who_sees_a_part_reads_with_it_alone(adversary: str, look: str) -> None:
    """The posterior of the public model from the earlier, or the later, reports, by one product after another."""
    bob = sample("bob")
    outcome = evaluate(Scenario(landmarks=bob.landmarks, epsilon=5.0, adversary=adversary), bob)
    reading = reading_of(outcome)
    assert isinstance(reading, PlaceReading)
    logs, n = reading.likelihoods(outcome.released), len(bob)
    chains = [way.matrix(leave) for way, leave in reading.moves]
    (read,) = reading.follow([outcome.released], look)
    for t in range(n):
        belief = np.ones(len(reading.points))
        order = range(t + 1) if look == "filtered" else range(n - 1, t - 1, -1)
        for k, i in enumerate(order):
            if k:
                belief = belief @ chains[min(i, order[k - 1])]
            belief = belief * np.exp(logs[i] - logs[i].max())
        np.testing.assert_allclose(read.posterior[t], belief / belief.sum(), rtol=1e-6, atol=1e-12)
    found = infer(outcome)
    assert found.by_reader is not None and found.by_reader.tolist() == reading.errors(read.estimates).tolist()


@pytest.mark.long
def test_of_a_long_track_nothing_later_is_seen_either() -> None:
    """Someone who sees the past reads each timestamp by itself, though a reader takes several together."""
    commuter = sample("commuter")
    outcome = evaluate(Scenario(track="commuter", scheme="event", adversary="past"), commuter)
    (whole,) = errors_by_reader([outcome], "filtered")
    silent = replace(outcome.released, published=np.arange(len(commuter)) <= 1000)
    (read,) = reading_of(outcome).follow([silent], "filtered")
    assert whole is not None
    np.testing.assert_allclose(whole[:1001], reading_of(outcome).errors(read.estimates)[:1001], atol=1e-6)


def test_several_releases_together_are_those_alone() -> None:
    bob, made = sample("bob"), []
    for seed, look in product(range(3), ("both", "past")):
        made.append((evaluate(Scenario(landmarks=bob.landmarks, seed=seed, adversary=look), bob), Knowledge()))
    for (outcome, knowledge), each in zip(made, attacks(made), strict=True):
        found = infer(outcome, knowledge)
        assert each.model == found.model
        np.testing.assert_allclose(each.error_m, found.error_m)
        np.testing.assert_allclose(each.right, found.whole.right)
