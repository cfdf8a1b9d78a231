"""Many people: the same as one person at a time, the exact values, and what draws give."""

from __future__ import annotations

import importlib.util
import math
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.answers import lasting_places, useful
from lmdk_widgets.answers.main_places import lasting_places_of
from lmdk_widgets.budgets.schemes import FIXED_SCHEMES
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference.averaging import geometric_median
from lmdk_widgets.noise import planar_laplace
from lmdk_widgets.population import Histogram, People, people_places
from lmdk_widgets.population.exposure_of_people import epsilon_for_share, shares_found
from lmdk_widgets.scenario import Scenario, evaluate

_spec = importlib.util.spec_from_file_location("crowds", Path(__file__).with_name("crowds.py"))
assert _spec is not None and _spec.loader is not None
crowds = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(crowds)


@pytest.fixture(scope="module")
def six() -> People:
    table, landmarks = crowds.six_people()
    return People(table, rule=landmarks)


@pytest.fixture(scope="module")
def walkers() -> People:
    return People(crowds.crowd(12))


def one_by_one(people: People, scheme: str, epsilon: float) -> Floats:
    """The nearest lasting place of each person, evaluated alone."""
    found = []
    for name in people.names:
        track = people.track(name)
        settings = {"scheme": scheme, "epsilon": epsilon, "window": min(3, len(track))}
        places = lasting_places(evaluate(Scenario(track="own", landmarks=track.landmarks, **settings), track))
        found.append(places[0].found_m if places else math.inf)
    return np.array(found)


@pytest.mark.parametrize("scheme", FIXED_SCHEMES)
def test_each_is_found_as_if_alone(walkers: People, scheme: str) -> None:
    found = walkers.found(scheme, 0.7)
    assert np.isfinite(found).sum() > 8
    np.testing.assert_allclose(found, one_by_one(walkers, scheme, 0.7), rtol=1e-9)


@pytest.mark.long
def test_a_long_track_is_read_as_a_short_one(monkeypatch: pytest.MonkeyPatch, walkers: People) -> None:
    monkeypatch.setattr(people_places, "MOST_DENSE", 20)
    for scheme in ("uniform", "skip"):
        np.testing.assert_allclose(People(crowds.crowd(12)).found(scheme, 1.0), walkers.found(scheme, 1.0), rtol=1e-9)


def test_nobody_depends_on_who_else_is_in_the_table(walkers: People, monkeypatch: pytest.MonkeyPatch) -> None:
    table = crowds.crowd(12)
    monkeypatch.setattr(people_places, "PAIRS", 1_000)
    alone = [People(table[table.person == name]).found("uniform", 1.0)[0] for name in walkers.names]
    assert alone == walkers.found("uniform", 1.0).tolist()


def test_the_six_people(six: People) -> None:
    assert six.found("uniform", 1.0).round(2).tolist() == [148.93, 223.4, 166.51, 134.04, 92.76, 92.89]
    assert six.chances("uniform", 0.4645, 200.0).round(2).tolist() == [0.24, 0.11, 0.19, 0.28, 0.5, 0.5]
    assert round(six.epsilon_for(1 / 6, 200.0), 4) == 0.3236
    assert round(six.epsilon_for(0.05, 200.0), 4) == 0.1697
    assert round(six.epsilon_for(0.05, 200.0, each=True), 4) == 0.1262


def test_the_share_at_the_epsilon_for_it_is_that_share(walkers: People) -> None:
    for scheme in ("uniform", "user", "weighted"):
        assert walkers.share_found(scheme, walkers.epsilon_for(0.05, 200.0, scheme), 200.0) == pytest.approx(0.05)
    each = walkers.epsilon_for(0.05, 200.0, each=True)
    assert walkers.chances("uniform", each, 200.0).max() == pytest.approx(0.05)


@pytest.mark.long
def test_the_epsilon_counts_silences_too() -> None:
    people = People(crowds.crowd(3))
    assert people.share_found("skip", people.epsilon_for(0.1, 200.0, "skip"), 200.0) <= 0.1


def test_more_people_than_have_a_place_are_never_found(walkers: People) -> None:
    lasting = np.isfinite(walkers.found("uniform", 1.0)).mean()
    assert lasting < 1 and walkers.epsilon_for((1 + lasting) / 2, 200.0) == math.inf


def test_sums_over_people(walkers: People) -> None:
    expected = walkers.expected_found("uniform", 1.0, [50.0, 200.0])
    assert expected.tolist() == [walkers.chances("uniform", 1.0, d).sum() for d in (50.0, 200.0)]
    assert walkers.share_found("uniform", 1.0, 200.0) == pytest.approx(expected[1] / 12)
    exposed = walkers.most_exposed("uniform", 1.0, 3)
    assert [metres for _, metres in exposed] == sorted(walkers.found("uniform", 1.0))[:3]


def test_histograms_of_parts_add_up(walkers: People) -> None:
    found = walkers.found("uniform", 1.0)
    whole, parts = walkers.histogram("uniform", 1.0), Histogram.of(found[:9]) + Histogram.of(found[9:])
    assert whole.people.tolist() == parts.people.tolist() and whole.not_found == parts.not_found
    assert whole.people.sum() + whole.not_found == 12


def draws_found(people: People, epsilon: float, distance_m: float, draws: int, rng: np.random.Generator) -> Floats:
    """The share of releases in which the place that is found best is found nearer than a distance, by the attack itself."""
    shares = []
    for name in people.names:
        track, radius_m = people.track(name), 200.0
        places = lasting_places_of(track)
        budget = epsilon / min(len(track.landmarks) + 1, len(track))
        if not places:
            shares.append(0.0)
            continue
        at = max(places, key=lambda place: int(place.members.sum()))
        near = 0
        for _ in range(draws):
            reports = planar_laplace(np.zeros((int(at.members.sum()), 2)), budget / radius_m, rng)
            near += np.hypot(*geometric_median(reports, np.ones(len(reports)))) < distance_m
        shares.append(near / draws)
    return np.array(shares)


def shares_agree(seed: int, draws: int) -> float:
    """How far the mean share found of one random population is from draws of releases, at the epsilon for some share."""
    rng = np.random.default_rng(seed)
    frames = [crowds.walker(rng, f"p{k}", int(rng.integers(60, 300))) for k in range(8)]
    people = People(pd.concat(frames), rule=str(rng.choice(["stays", "none"])))
    share = rng.uniform(0.1, 0.5)
    epsilon = people.epsilon_for(share, 200.0)
    if not math.isfinite(epsilon):
        return 0.0
    return abs(float(draws_found(people, epsilon, 200.0, draws, rng).mean()) - share)


@pytest.mark.long
def test_shares_agree_with_draws() -> None:
    assert max(shares_agree(seed, 60) for seed in range(2)) < 0.04


@pytest.mark.nightly
def test_shares_agree_with_draws_of_fifty_populations() -> None:
    assert max(shares_agree(seed, 150) for seed in range(50)) < 0.04


def test_the_quantile_of_medians_promises_less_than_it_gives() -> None:
    first_m = np.array([148.93, 223.40, 166.51, 134.04, 92.76, 92.89])
    quantile = np.sort(first_m)[0] / 200.0  # one in six medians is nearer than 200 m
    assert shares_found(first_m / quantile, 200.0).mean() > 0.3
    assert epsilon_for_share(first_m, 1 / 6, 200.0) < quantile


@pytest.mark.long
def test_useful_on_all_people_is_the_same_measure(walkers: People) -> None:
    found = walkers.useful("event", 3.0, sample=3, rng=np.random.default_rng(1))
    chosen = np.sort(np.random.default_rng(1).permutation(12)[:3])
    own = []
    for k in chosen:
        track = walkers.track(str(walkers.names[k]))
        own.append(useful(evaluate(Scenario(scheme="event", epsilon=3.0, landmarks=track.landmarks), track)))
    assert found.share == np.mean([one.reader <= one.nothing / 2 for one in own])
    assert found.median_m == np.median([one.reader for one in own])
    assert found.low < found.share < found.high or found.share in (0, 1)
    assert (found.people, found.of) == (3, 12)


def test_landmarks_come_by_one_rule() -> None:
    table = crowds.crowd(3)
    none, one = People(table, rule="none"), People(table, rule=[[0], [], []])
    assert none.landmarks.tolist() == [0, 0, 0] and one.landmarks.tolist() == [1, 0, 0]
    assert one.track("p0000").landmarks == (0,)


@pytest.mark.parametrize("rule", ["stay", {"nobody": [0]}, [[0]], 7, {"p0000": [10_000]}])
def test_wrong_rules_are_refused(rule: object) -> None:
    with pytest.raises(InputError):
        People(crowds.crowd(3), rule=rule)


@pytest.mark.parametrize("scheme", ["adaptive", "planned", "given", "no"])
def test_schemes_that_need_draws_are_refused(six: People, scheme: str) -> None:
    with pytest.raises(InputError, match="one person|scheme"):
        six.found(scheme, 1.0)


def test_every_epsilon_has_an_answer(walkers: People) -> None:
    lasting = np.isfinite(walkers.found("uniform", 1.0))
    for epsilon, share in ((1e300, 1.0), (1e-300, 0.0), (1e-307, 0.0)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert walkers.chances("uniform", epsilon, 200.0)[lasting].tolist() == [share] * lasting.sum()


def test_wrong_names_of_settings_are_refused(walkers: People) -> None:
    with pytest.raises(TypeError, match="radius"):
        walkers.epsilon_for(0.05, 200.0, radius=100.0)  # type: ignore[call-arg]
    far = walkers.epsilon_for(0.05, 200.0, radius_m=100.0)
    assert walkers.share_found("uniform", far, 200.0, radius_m=100.0) == pytest.approx(0.05)


def test_a_track_needs_nobody_elses_landmarks(walkers: People, monkeypatch: pytest.MonkeyPatch) -> None:
    people = People(crowds.crowd(12), rule={name: [0] for name in walkers.names.tolist()})
    read: list[int] = []
    chosen = people_places.timestamps
    monkeypatch.setattr(people_places, "timestamps", lambda *of: (read.append(1), chosen(*of))[1])
    assert people.track("p0003").landmarks == (0,) and len(read) == 1


def test_names_that_are_numbers_are_found_as_in_the_table() -> None:
    table = crowds.crowd(3).replace({"person": {"p0000": 7.0, "p0001": 8.0, "p0002": 9.0}})
    people = People(table, rule={7.0: [0], 8: [0, 1]})
    assert people.names.tolist() == ["7", "8", "9"] and people.landmarks.tolist() == [1, 2, 0]
    assert len(people.track(7.0)) == people.reports[0]  # type: ignore[arg-type]


def test_no_name_is_shown(six: People) -> None:
    assert repr(six) == "People(6 people, 3,841 rows)"
    with pytest.raises(InputError, match="Name must be"):
        six.track("somebody")
