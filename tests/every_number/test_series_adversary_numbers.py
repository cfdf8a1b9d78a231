"""What an adversary infers of a series: every number, held against beliefs computed one at a time and by all paths."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.track.attacker_choices import Attacker
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.scenario import Knowledge, Scenario, evaluate, infer
from lmdk_widgets.scenario.evaluation import ground_of
from lmdk_widgets.trajectory import Series
from tests.every_number.adversary_names import ADVERSARY, ADVERSARY_WHEN, CLOSE, clear, hold_panels, hold_settings
from tests.every_number.adversary_truth import Her
from tests.every_number.named import Named
from tests.every_number.spent_truth import COMPARING
from tests.every_number.test_landmark_numbers import log_uniform
from tests.inference.inference_oracles import AllPaths
from tests.landmark_choices import page_of
from tests.sweeps import size

SETTINGS = 60
START = np.datetime64("2026-01-26T08:00", "ns")
SCHEMES = ["event", "user", "uniform", "skip", "adaptive", "budget-distribution", "planned", "best-plan"]


class HerOfSeries(Her):
    """The same with levels: only the release of an outcome is taken as it is."""

    def __init__(self, page: Any) -> None:
        self.page, self.knows, outcome = page, page.session.choices.attacker, page.outcome
        self.o, self.s, self.track = outcome, outcome.scenario, outcome.trajectory
        self.n, self.step, self.found = len(outcome), self.knows.step_m, infer(outcome, self.knows)
        if self.track.is_answers:
            self.cells, self.side = np.array([0.0, 1.0]), 1.0
            self.true = [int(value) for value in self.track.values]
        else:
            ground = ground_of(self.s, self.track)
            self.side, low, high = self.s.level_width, ground.lower, ground.upper
            ends = [low]
            while ends[-1] < high - 1e-9:
                ends.append(min(high, (math.floor(ends[-1] / self.side + 1e-9) + 1) * self.side))
            self.cells = np.array([(a + b) / 2 for a, b in pairwise(ends)])
            held = [min(max(value, low), high) for value in self.track.values.tolist()]
            self.true = [sum(value >= end for end in ends[1:-1]) for value in held]
            self.between = high - low
        self.m, self.place = len(self.cells), np.array(self.track.values, float)
        self.apart = np.array([[abs(a - b) for b in self.cells] for a in self.cells])
        self.far = float(self.apart.max())

    @cached_property
    def seen(self) -> np.ndarray:
        online = self.s.scheme in COMPARING
        spent = self.o.budgets - (self.s.epsilon / (2 * self.s.window) if online else 0)
        found = np.zeros((self.n, self.m))
        for t in np.flatnonzero(self.o.published):
            value = self.o.values[t]
            if self.track.is_answers:
                found[t] = [-spent[t] * (x != value) for x in range(self.m)]
            else:
                found[t] = [-spent[t] / self.between * abs(value - middle) for middle in self.cells]
        return found

    @property
    def proven(self) -> float:
        """The bound, which holds of every series: no two levels are farther apart than the bounds."""
        assert (self.learned <= self.bound * (1 + 1e-9) + 1e-9).all()
        return float(self.bound.max())


def case(rng: np.random.Generator) -> tuple[TrackChoices, Series]:
    n = int(rng.choice([1, 2, 5, 8]))
    time = START + np.arange(n) * np.timedelta64(7, "h")
    if rng.random() < 0.4:
        series = Series(time, values=rng.integers(0, 2, n), kind="answers")
    else:
        values = rng.normal(1, 4, n).round(2)
        bounds = {} if rng.random() < 0.4 else {"lower": -2.3, "upper": 6.0}
        series = Series(time, values=values, unit="kWh", **bounds)
    scenario = Scenario(
        track="",
        landmarks=np.flatnonzero(rng.random(n) < 0.4).tolist(),
        scheme=str(rng.choice(SCHEMES)),
        window=int(rng.integers(1, n + 1)),
        epsilon=log_uniform(rng, 0.05, 30),
        target=log_uniform(rng, 0.5, 5),
        bounds=str(rng.choice(["known", "stated"])),
        lower=-3.0,
        upper=float(rng.choice([0.5, 7.2])),
        level_width=float(rng.choice([0.7, 2.0, 50.0])),
        correlation=str(rng.choice(["none", "strong", "strength", "estimated"])),
        smoothing=log_uniform(rng, 0.001, 10),
        adversary=str(rng.choice(["both", "past", "future", "any"])),
        seed=int(rng.integers(1000)),
    )
    her = Attacker(
        open=True,
        start=str(rng.choice(["uniform", "days", "track"])),
        moves=str(rng.choice(["page", "near", "days", "track"])),
        step_m=log_uniform(rng, 0.1, 10),
        cell=int(rng.integers(-1, 4)),
    )
    return TrackChoices(scenario, attacker=her), series


def hold_drawings(her: HerOfSeries) -> None:
    """What the chart and the panels draw."""
    drawings = {drawing.name: drawing for drawing in her.page._drawings(her.o)}
    beliefs = drawings["beliefs"]
    hold_panels(her, drawings["panels"].arrays, error_atol=1e-6)
    edges = drawings["cells"].arrays["edges"]
    np.testing.assert_allclose((edges[1:] + edges[:-1]) / 2, her.cells, atol=1e-9)
    marks = beliefs.arrays["marks"].reshape(-1, her.m)
    shown = range(her.n) if beliefs.described["whole"] else [min(her.knows.at, her.n - 1)]
    for row, t in zip(marks, shown, strict=True):
        sure = clear(her.whole[t])
        assert (row[sure] & 7 == np.array(her.marks(t))[sure] & 7).all()
    assert beliefs.arrays["guess"].tolist() == her.guess and beliefs.arrays["path"].tolist() == her.path
    assert beliefs.arrays["truth"].tolist() == her.true
    assert ("yes" in beliefs.arrays) == her.track.is_answers
    if her.track.is_answers:
        np.testing.assert_allclose(beliefs.arrays["yes"], her.whole[:, 1], **CLOSE)


def test_every_number_of_what_an_adversary_infers_of_a_series() -> None:
    named = Named(ADVERSARY, as_written=("two levels", "two answers"), true_when=ADVERSARY_WHEN)
    held = hold_settings(named, case, 5, SETTINGS, HerOfSeries, hold_drawings)
    assert held >= 0.8 * size(SETTINGS)


SEES = {"both": lambda n: lambda _: range(n), "past": lambda _: lambda t: range(t + 1)}
SEES |= {"future": lambda n: lambda t: range(t, n)}


@pytest.mark.parametrize("adversary", SEES)
@pytest.mark.parametrize("scheme", ["event", "skip", "budget-distribution"])
def test_her_belief_is_what_all_paths_of_levels_and_answers_say(scheme: str, adversary: str) -> None:
    rng, n = np.random.default_rng(len(scheme) + len(adversary)), 6
    time = START + np.arange(n) * np.timedelta64(1, "h")
    numbers = Series(time, values=rng.uniform(0, 10, n), unit="kWh", lower=0.0, upper=10.0)
    answers = Series(time, values=rng.integers(0, 2, n), kind="answers")
    choices = Scenario(
        track="",
        level_width=3.0,
        scheme=scheme,
        landmarks=(1, 4),
        epsilon=4.0,
        adversary=adversary,
    )
    for series in (numbers, answers):
        asked = TrackChoices(choices.with_changes(window=2), attacker=Attacker(open=True))
        her = HerOfSeries(page_of(asked, series))
        found = her.found
        stay = 1.1 / 1.5 if her.m == 4 else 1.1 / 1.2  # of the page's chain of five states, or of two
        matrix = np.full((her.m, her.m), (1 - stay) / (her.m - 1))
        matrix[np.diag_indices(her.m)] = stay
        every = AllPaths(np.full(her.m, 1 / her.m), matrix, her.seen)
        belief = np.exp(every.belief(SEES[adversary](n)))
        np.testing.assert_allclose(found.belief, belief, rtol=1e-5, atol=1e-6)
        weights = every.weights(range(n))
        assert weights[(every.paths == found.path).all(axis=1)] >= weights.max() - 1e-9
        assert (found.learned <= found.bound + 1e-9).all()


def test_the_bound_of_what_she_learns_is_reached_by_a_release_beyond_the_bounds() -> None:
    """Of one value she learns all that its budget allows between the levels that lie farthest apart."""
    series = Series(START + np.arange(1) * np.timedelta64(1, "h"), values=[2.0], lower=0.0, upper=10.0)
    outcome = evaluate(Scenario(track="", scheme="event", level_width=0.1, correlation="none"), series)
    beyond = replace(outcome, values=np.array([40.0]))
    found = infer(beyond)
    assert found.learned == pytest.approx([9.9 / 10]) and found.bound == pytest.approx([1.0])


def test_what_an_adversary_of_a_series_cannot_be_asked() -> None:
    series = Series(START + np.arange(3) * np.timedelta64(1, "h"), values=[0, 5, 9.0], lower=0.0, upper=10.0)
    narrow = evaluate(Scenario(track="", level_width=0.001), series)
    with pytest.raises(
        InputError, match=r"distinguish at most 400 levels; got 10,000 of width 0\.001\. Choose wider levels"
    ):
        infer(narrow)
    with pytest.raises(InputError, match="must follow a track of places; got a series of values"):
        infer(evaluate(Scenario(track=""), series), Knowledge(start="people"))
