"""Standing still on the page: a report that is repeated, a new one each time, and one repeated after a noisy test."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lmdk_widgets.budgets import release_many
from lmdk_widgets.budgets.repeated_reports import repeat_while_standing, reports_anew
from lmdk_widgets.budgets.schemes.predictive import fresh_reports
from lmdk_widgets.geo import Floats
from lmdk_widgets.io import NOTE
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.amounts import amount, count, metres, numeral, percent, whole
from lmdk_widgets.page.blocks import Block, Column, Table, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import flag, number
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.scenario.outcome import Outcome

DRAWS = 200
MOST_VALUES = 400_000
"""The most values in all draws together; a long track gets fewer draws."""
NAMES = {
    "anew": "New noise each time",
    "repeat": "Repeated while standing still",
    "predictive": "Predictive: repeated after a test",
}


@dataclass(frozen=True)
class StandingChoices(Choices):
    """Compare what a repeated report saves and reveals."""

    open: bool = flag(False, "Standing still: may a report be repeated?")
    still_m: float = number(50.0, (0.0, 10_000.0), "Standing still is within", subject="The distance", unit="m")


class Way(NamedTuple):
    """A way to report, on average over draws.

    Attributes
    ----------
    name : a key of `NAMES`. new : new reports. error_m : mean error. right : share of right guesses at whether someone
        stood still, by the better of two strategies: a repeat means yes, or always the same guess. epsilon : of any w
        timestamps in a row; infinite where nothing bounds it.
    """

    name: str
    new: float
    error_m: float
    right: float
    epsilon: float


class Found(NamedTuple):
    """The ways, and at how many of the timestamps after the first the person stood still."""

    ways: tuple[Way, ...]
    stood: int
    of: int
    draws: int


def compare_standing(
    points_m: Floats, epsilon: float, window: int, radius_m: float, still_m: float, seed: int
) -> Found:
    """The three ways on one track, each with `epsilon` for any `window` timestamps in a row, by planar Laplace.

    Examples
    --------
    >>> found = compare_standing(np.zeros((6, 2)), 1.0, 3, 200.0, 50.0, 1)
    >>> [(way.name, way.new, way.right) for way in found.ways][:2], found.stood
    ([('anew', 6.0, 1.0), ('repeat', 1.0, 1.0)], 5)
    """
    n = len(points_m)
    window, draws = min(window, n), max(10, min(DRAWS, MOST_VALUES // n))
    stood = ~reports_anew(points_m, still_m)[1:]
    always = max(float(stood.mean()), 1 - float(stood.mean()))
    each, rng = epsilon / window, np.random.default_rng(seed)
    off, new = 0.0, 0
    for _ in range(draws):
        reports, anew = repeat_while_standing(points_m, each / radius_m, still_m, rng)
        off += float(np.hypot(*(reports - points_m).T).mean()) / draws
        new = int(anew.sum())
    kept: list[np.ndarray] = []
    true = points_m @ np.array([1, 1j])

    def error(outputs: np.ndarray) -> Floats:
        kept.append(outputs[1:] == outputs[:-1])
        return np.asarray(np.abs(outputs - true[:, None]))

    errors = release_many(
        points_m, "predictive", [], epsilon, PlanarLaplace(radius_m), rng=rng, draws=draws, window=window, error=error
    )
    same = np.hstack(kept)
    guessed = float((same == stood[:, None]).mean())
    tested = Way("predictive", n - float(same.sum()) / draws, float(errors.mean()), max(guessed, always), epsilon)
    repeated = Way("repeat", float(new), off, 1.0, math.inf)
    return Found(
        (Way("anew", float(n), 2 * radius_m / each, always, epsilon), repeated, tested), int(stood.sum()), n - 1, draws
    )


class Standing(Panel):
    NAME = "standing"
    FOLD = StandingChoices
    FILES: ClassVar = {"standing": lambda choices, outcome: _table(outcome).csv(note=NOTE)}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        asked, scenario = choices.standing, outcome.scenario
        if not (outcome.kind.placed and len(outcome) > 1):
            return None
        return asked, scenario.epsilon, scenario.window, scenario.radius_m, scenario.seed, outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Any]:
        scenario = outcome.scenario
        how = scenario.epsilon, scenario.window, scenario.radius_m, choices.standing.still_m, scenario.seed
        yield compare_standing(outcome.trajectory.points_m, *how)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        return Progress("Comparing what a repeated report reveals.")

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        found: Found | None = outcome.found(self.NAME)
        if found is None:
            return
        yield Text(_not_private(found))
        yield Text(_predicted(found, outcome))
        yield _table(outcome)


def _not_private(found: Found) -> str:
    anew, repeat, _ = found.ways
    reports = sentence(
        "{kept_reports} instead of {all_reports}",
        kept_reports=count(int(repeat.new), "report"),
        all_reports=numeral(round(anew.new)),
    )
    if repeat.new == anew.new:
        reports = sentence("the same {all_reports}", all_reports=count(round(anew.new), "report"))
    return sentence(
        "Repeating a report while you stand still takes {reports}. It is not private: an "
        "unchanged report shows for certain that you stood still, and a changed one that you moved. All {standing_guesses} "
        "guesses are right, where always guessing the same would get {always_right}; no ε bounds that.",
        reports=reports,
        standing_guesses=numeral(found.of),
        always_right=percent(anew.right),
    )


def _predicted(found: Found, outcome: Outcome) -> str:
    scenario, tested = outcome.scenario, found.ways[2]
    window = min(scenario.window, len(outcome))
    return sentence(
        "The predictive mechanism repeats a report where a noisy test finds it near. Of the budget of {epsilon} for any "
        "{window_timestamps} in a row, {half_epsilon} pays for the tests, whatever they find, and {half_epsilon} for at "
        "most {new_reports}. Of the guesses at whether you stood still, {tested_right} are right; this and the error are "
        "means of {standing_draws} draws.",
        epsilon=amount(scenario.epsilon),
        window_timestamps=count(window, "timestamp"),
        half_epsilon=amount(scenario.epsilon / 2),
        new_reports=count(fresh_reports(window), "new report"),
        tested_right=percent(tested.right),
        standing_draws=whole(found.draws),
    )


def _table(outcome: Outcome) -> Table:
    found: Found | None = outcome.found(Standing.NAME)
    ways = () if found is None else found.ways
    columns = (
        Column("way", "report", NAMES.__getitem__),
        Column("new_reports", "new reports", amount, "right"),
        Column("error_m", "mean error", metres, "right"),
        Column("right", "guesses right", percent, "right"),
        Column("epsilon", "ε of a window", lambda value: "no bound" if math.isinf(value) else amount(value), "right"),
    )
    return Table("Standing still, three ways", columns, tuple(map(tuple, ways)))
