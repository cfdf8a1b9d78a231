"""The tables of the document on what the sources presuppose (`basics.md`): operations, neighbours, adversaries, regions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import exp, log

import numpy as np

from lmdk_widgets.anonymity import example_table
from lmdk_widgets.budgets import allocate, landmark_sets_told_apart, landmark_totals
from lmdk_widgets.geo import Floats, LocalFrame
from lmdk_widgets.geoind import optimal_mechanism, planar_laplace_channel, quality_loss, regions
from lmdk_widgets.noise import laplace, policy_loss, policy_sensitivity
from lmdk_widgets.page.amounts import amount, metres
from lmdk_widgets.trajectory import sample, sample_series
from lmdk_widgets.trajectory.model import Trajectory

OPERATION_HEAD = "| operation | Donald | Daisy | Huey | Dewey | Louie | Quackmore |"
NEIGHBOUR_HEAD = "| data | timestamps | landmarks | a landmark's value | the landmarks and one other | the set itself |"
AIRPORT_HEAD = "| ε: ln 4 at | mean noise | odds within 400 m, at most | found | airport guessed right |"
POLICY_HEAD = "| policy | histogram | cumulative counts | odds of two neighbours | odds of lowest and highest |"
REGION_HEAD = "| ε per kilometre | loss of Optimal | loss of planar Laplace | how far off the commuter's reports are |"

SEED = 1
"""Of the noise on ages."""

AIRPORTS = ((48.7262, 2.3652), (49.0097, 2.5479))
"""Orly and Charles de Gaulle, degrees."""

LEVEL, NEAR_M = log(4), 200.0
"""The privacy level at the radius, and how far each place that an informed adversary considers is from the middle one."""

RADII_M = (200.0, 5_000.0, 34_000.0)
SALARIES = 10
"""Classes of a salary, from low to high."""

EPSILONS_PER_KM = (0.5, 1.0, 2.0)


def operations() -> Iterator[tuple[str, ...]]:
    """The ages of the running table under each of the four operations."""
    table = example_table("t1")
    ages = table.age.astype(float)
    yield "none", *(str(int(age)) for age in ages)
    mean = table.assign(age=ages).groupby("location").age.transform("mean")
    yield "aggregation: the mean age at each location", *(f"{age:g}" for age in mean)
    yield "generalisation: at most 20, or above", *("≤ 20" if age <= 20 else "> 20" for age in ages)
    yield "suppression: the column is left out", *("" for _ in ages)
    yield "perturbation: 10 % more, for everybody", *(f"{1.1 * age:.1f}" for age in ages)
    noisy = laplace(ages.to_numpy(), 10.0, np.random.default_rng(SEED))
    yield "perturbation at random: Laplace noise of scale 10", *(f"{age:.1f}" for age in noisy)


def neighbours() -> Iterator[tuple[str, ...]]:
    """Three readings of "neighbouring", under Uniform at ε = 1."""
    data: dict[str, tuple[Trajectory, str]] = {
        "Bob's day": (sample("bob"), "points"),
        "the commuter's week": (sample("commuter"), "points"),
        "a household": (sample_series("household"), "numbers"),
        "contacts": (sample_series("contacts"), "answers"),
    }
    for name, (track, kind) in data.items():
        n, k = len(track), len(track.landmarks)
        budgets = allocate("uniform", n, track.landmarks, 1.0)
        one = exp(float(budgets[list(track.landmarks)].max()))
        several = exp(float(landmark_totals(budgets, track.landmarks).max()))
        right = 100 * landmark_sets_told_apart(n, k, k - 1, kind=kind)
        guessed = f"no bound; guessed right in {amount(right)} of 100 cases"
        if kind == "answers":
            guessed = f"guessed right in {amount(right)} of 100 cases"
        yield name, f"{n:,}", str(k), f"odds at most {amount(one)}", f"odds at most {amount(several)}", guessed


def airports() -> Iterator[tuple[str, ...]]:
    """An adversary who knows the neighbourhood, and one who only knows that somebody is at one of two airports."""
    frame = LocalFrame(*np.mean(AIRPORTS, axis=0))
    apart_m = float(np.hypot(*np.diff(frame.to_metres(*np.array(AIRPORTS).T), axis=0)[0]))
    for radius_m in RADII_M:
        epsilon = LEVEL / radius_m
        right = 100 * told_apart(apart_m, epsilon)
        yield (
            metres(radius_m),
            metres(2 / epsilon),
            str(amount(exp(2 * NEAR_M * epsilon))),
            str(amount(informed(epsilon))),
            f"in {amount(right)} of 100 cases",
        )


def told_apart(apart_m: float, epsilon_per_m: float, steps: int = 200_000) -> float:
    """How often the nearer of two equally likely places is the true one, under planar Laplace.

    The guess is wrong where the noise goes more than half the way towards the other place: in direction θ with probability
    (1 + εr) e^(-εr) for r = d / (2 cos θ), as the length of the noise is a Gamma variable.
    """
    angles = (np.arange(steps) + 0.5) * (np.pi / 2) / steps
    reach = epsilon_per_m * apart_m / 2 / np.cos(angles)
    return 1 - float(((1 + reach) * np.exp(-reach)).mean()) / 2


def informed(epsilon_per_m: float) -> float:
    """The largest factor by which the odds of two of five places within 400 m change, over reports on a grid of 20 m."""
    places = np.array([(0, 0), (NEAR_M, 0), (-NEAR_M, 0), (0, NEAR_M), (0, -NEAR_M)])
    line = np.arange(-1_000.0, 1_001.0, 20.0)
    reports = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    away: Floats = np.linalg.norm(reports[:, None] - places, axis=2)
    return float(np.exp(epsilon_per_m * np.ptp(away, axis=1).max()))


def policies() -> Iterator[tuple[str, ...]]:
    """The noise that counts of ten classes of salaries need under three policies, and what each promises at ε = 1."""
    m = SALARIES
    cumulative = np.tril(np.ones((m, m))).T
    half = m // 2
    chosen = {
        "any two salaries": list(combinations(range(m), 2)),
        "two neighbouring classes": [(k, k + 1) for k in range(m - 1)],
        "any two of the same half": [*combinations(range(half), 2), *combinations(range(half, m), 2)],
    }
    for name, pairs in chosen.items():
        loss = policy_loss(1.0, pairs, m)
        needed = (policy_sensitivity(np.eye(m), pairs), policy_sensitivity(cumulative, pairs))
        far = "not hidden" if np.isinf(loss[0, -1]) else f"at most {amount(exp(loss[0, -1]))}"
        near = f"at most {amount(exp(loss[0, 1]))}"
        if np.isinf(loss[half - 1, half]):
            near = f"{near} within a half, not hidden across the middle"
        yield name, *(f"sensitivity {value:g}" for value in needed), near, far


def districts() -> Iterator[tuple[str, ...]]:
    """Optimal on the regions around nine well-known places, all equally likely, and the commuter's points in them."""
    track = sample("commuter")
    places = np.array([(latitude, longitude) for latitude, longitude, _ in sample("bob").places])
    centres = np.asarray(track.frame.to_metres(*places.T))
    found = regions(track.points_m, centres)
    prior = np.full(len(centres), 1 / len(centres))
    off_m = np.linalg.norm(track.points_m[:, None] - centres, axis=2)
    for per_km in EPSILONS_PER_KM:
        epsilon = per_km / 1000
        best = optimal_mechanism(found.distances, prior, epsilon).matrix
        noisy = planar_laplace_channel(centres, epsilon).matrix
        loss, other = (quality_loss(each, prior, found.distances) for each in (best, noisy))
        yield f"{per_km:g}", metres(loss), metres(other), metres(float((best[found.of] * off_m).sum(axis=1).mean()))


TABLES = {
    OPERATION_HEAD: operations,
    NEIGHBOUR_HEAD: neighbours,
    AIRPORT_HEAD: airports,
    POLICY_HEAD: policies,
    REGION_HEAD: districts,
}
