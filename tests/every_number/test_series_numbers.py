"""Every number that the track page says of a series alone, recomputed one value at a time over random settings."""

from __future__ import annotations

import math
import re
from statistics import median

import numpy as np

from lmdk_widgets.answers.odds import all_at_delta
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import amount, bound, chance
from lmdk_widgets.pages.track.chart_texts import summaries
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory import Series
from tests.every_number.found_series_truth import hold_found
from tests.every_number.stacked_truth import epsilon_at
from tests.sweeps import generators, size

SETTINGS = 250
START = np.datetime64("2026-01-26T08:00", "ns")
NUMBER = r"(-?[\d.,e]+(?:e-?\d+)?|none|no bound)"


def series_of(rng: np.random.Generator) -> Series:
    n = int(rng.choice([1, 2, 7, 30]))
    time = START + rng.integers(1, 90, n).cumsum() * np.timedelta64(60, "s")
    if rng.random() < 0.4:
        return Series(time, values=rng.integers(0, 2, n), kind="answers")
    values = rng.normal(0, float(rng.choice([0.3, 40.0])), n).round(2)
    bounds = {} if rng.random() < 0.4 else {"lower": -20.0, "upper": 35.5}
    return Series(time, values=values, unit=str(rng.choice(["", "kWh", "mmHg"])), **bounds)


def setting(rng: np.random.Generator, n: int) -> Scenario:
    return Scenario(
        landmarks=np.flatnonzero(rng.random(n) < rng.choice([0.0, 0.4, 1.0])).tolist(),
        scheme=str(rng.choice(["event", "user", "uniform", "weighted", "skip", "adaptive", "planned", "best-plan"])),
        epsilon=float(np.exp(rng.uniform(-3, 3))),
        bounds=str(rng.choice(["known", "stated", "data"])),
        lower=float(rng.choice([-3.0, -40.0])),
        upper=float(rng.choice([0.5, 60.0])),
        correlation=str(rng.choice(["none", "moderate", "estimated"])),
        level_width=float(rng.choice([0.1, 5.0])),
        seed=int(rng.integers(1000)),
    )


def bounds_of(outcome: Outcome) -> tuple[float, float, bool]:
    """The bounds that hold, and whether they are taken from the data."""
    scenario, series = outcome.scenario, outcome.series
    assert series is not None
    if scenario.bounds == "stated":
        return scenario.lower, scenario.upper, False
    if scenario.bounds == "known" and series.lower is not None and series.upper is not None:
        return series.lower, series.upper, False
    low, high = min(series.values.tolist()), max(series.values.tolist())
    return (low, high, True) if high > low else (low, low + 1, True)


def errors_of(outcome: Outcome) -> list[float]:
    """How far each released value is off, from the noise of the seed; a repeated one is that of an earlier timestamp."""
    series, rng, n = outcome.series, np.random.default_rng(outcome.scenario.seed), len(outcome)
    assert series is not None
    low, high, _ = (0.0, 1.0, False) if series.is_answers else bounds_of(outcome)
    noise = rng.random(n) if series.is_answers else rng.laplace(size=n)
    found, last = [], math.nan
    for t, value in enumerate(series.values.tolist()):
        budget = float(outcome.budgets[t])
        if outcome.published[t] and series.is_answers:
            last = 1 - value if noise[t] < 1 / (1 + math.exp(budget)) else value
        elif outcome.published[t]:
            last = min(max(value, low), high) + float(noise[t]) * (high - low) / budget
        found.append(abs(last - value))
    return [error for error in found if not math.isnan(error)]


def expected(outcome: Outcome, budget: float) -> float:
    """The mean expected error where every timestamp spends a budget, by numerical integration of the noise's density."""
    series = outcome.series
    assert series is not None
    if series.is_answers:
        return 1 / (1 + math.exp(budget))
    low, high, _ = bounds_of(outcome)
    scale = (high - low) / budget
    total = 0.0
    for value in series.values.tolist():
        moved = max(low - value, value - high, 0.0)
        # |noise + moved| by parts: beyond the truth on one side, short of it on the other, further off on the far side
        total += moved + scale * math.exp(-moved / scale)
    return total / len(series)


def hold_at_delta(outcome: Outcome, paragraph: str) -> None:
    """All timestamps at a delta, and the landmarks with one other, beside their sums."""
    kind = "answers" if outcome.series.is_answers else "numbers"
    spent = outcome.budgets.tolist()
    marks = set(outcome.scenario.landmarks)
    others = [b for t, b in enumerate(spent) if t not in marks]
    some = [b for t, b in enumerate(spent) if t in marks] + [max(others, default=0)]
    said = re.search(
        rf"With δ = 1e-6, a series that differs from yours at every timestamp is told apart from it by at most ε = {NUMBER} "
        rf"\(by sums at most {NUMBER}\)(?:; one that differs only at your .*? one other timestamp, by at most ε = {NUMBER} "
        rf"\(by sums at most {NUMBER}\))?\. A bound at δ may fail with probability δ; a sum cannot\.",
        paragraph,
    )
    chosen = re.search(
        rf"as it goes; .* With δ = 1e-6, a series that differs from yours at every timestamp is then told apart from it by "
        rf"at most ε = {NUMBER} \(by sums at most {NUMBER}\)\.",
        paragraph,
    )
    assert ("δ" in paragraph) == (said is not None or chosen is not None) and not (said and chosen)
    if chosen:
        found, summed = (float(x.replace(",", "")) for x in chosen.groups())
        assert found == float(bound(all_at_delta(outcome)).replace(",", "")) < summed
    for budgets, found in ((spent, said.groups()[:2]), (some, said.groups()[2:])) if said else ():
        if found[0] is not None:
            at_delta, by_sums = (float(x.replace(",", "")) for x in found)
            exact, total = epsilon_at(kind, budgets, 1e-6), math.fsum(budgets)
            assert by_sums == float(bound(total).replace(",", ""))
            assert (
                exact * (1 - 2e-3) - 3e-4 * total <= at_delta <= exact * 1.002 + 3e-4 * total + 0.011 * max(1, at_delta)
            )


def test_every_number_that_is_said_of_a_series() -> None:
    held, warned = 0, 0
    for rng in generators(3, SETTINGS):
        series = series_of(rng)
        scenario = setting(rng, len(series))
        try:
            outcome = evaluate(scenario, series)
        except InputError:  # no plan, too many levels
            continue
        words, errors = describe(outcome), errors_of(outcome)
        hold_found(outcome, *((0.0, 1.0) if series.is_answers else bounds_of(outcome)[:2]))
        unit = f" {series.unit}" if series.unit else ""
        hold_at_delta(outcome, words.paragraph)
        event, user = (expected(outcome, scenario.epsilon / shared) for shared in (1, len(series)))
        caption = summaries(outcome)[2]
        if not errors:
            assert "Nothing is released" in words.paragraph
            continue
        mean = math.fsum(errors) / len(errors)
        if series.is_answers:
            said = re.search(
                rf"{NUMBER} % of the released answers are wrong \(expected: event level {NUMBER} %, user level {NUMBER} %",
                words.paragraph,
            )
            assert said is not None, words.paragraph
            assert [f"{x} %" for x in said.groups()] == [chance(v) for v in (mean, event, user)]
            assert (
                caption
                == f"Error: {chance(mean)} wrong; expected {chance(event)} at event level and {chance(user)} at user level."
            )
            held += 1
            continue
        half = amount(median(errors))
        for value in (
            f"{half}{unit} or more from the truth (mean {amount(mean)}{unit}; expected: event level {amount(event)}{unit}, ",
            f"user level {amount(user)}{unit})",
        ):
            assert value in words.paragraph, (value, words.paragraph)
        assert f"Error: mean {amount(mean)}{unit}, at least half within {half}{unit};" in caption
        low, high, taken = bounds_of(outcome)
        assert f"between the bounds of {amount(low)}{unit} and {amount(high)}{unit}:" in words.assumption
        text = " ".join(words.warnings)
        assert ("The bounds are taken from the data" in text) == taken
        moved = [max(low - v, v - high, 0.0) for v in series.values.tolist()]
        outside = sum(m > 0 for m in moved)
        said = re.search(
            r"([\d,]+) of ([\d,]+) values? lies? outside the bounds: .*? adds up to (\S+(?: \w+)?) to the error", text
        )
        assert (said is not None) == (outside > 0)
        if said is not None:
            assert said.groups() == (str(outside), str(len(series)), f"{bound(max(moved))}{unit}")
            warned += 1
        held += 1
    assert held > 0.8 * size(SETTINGS) and warned > size(20)
