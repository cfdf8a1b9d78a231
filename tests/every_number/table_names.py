"""What each name in the table page's sentences is, for each of its parts, computed apart from the page."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from tests.every_number.claims import Claims, Tolerant, least, most, near
from tests.every_number.named import Given, Named, Truths
from tests.every_number.table_sequence_truth import REMEDIES, SequenceTruth, hours_of
from tests.every_number.table_sums_truth import LIMITED, SumsTruth
from tests.every_number.table_truth import (
    DAY,
    LEVELS,
    TITLES,
    NoiseTruth,
    StackedTruth,
    StreamTruth,
    counted,
    where,
    whom_it_protects,
)

Holds = Callable[[Any], bool]

STRUCTURE = [
    "text.told.table.rows.*",
    "text.told.table.marked",
    "text.told.table.columns.*.heading",
    *(f"text.answers.*.{part}" for part in ("value", "name", "look", "short", "brief")),
    "draw.drawn.figures.*.figure.*",
    "draw.drawn.figures.*.title",
]
"""Held by `table_drawn` and `table_answers`."""
NEVER = "NOT TRUE HERE"
CHANCE = "50 is chance"


def place(path: str, name: str) -> int:
    """The number behind a name in a path."""
    parts = path.split(".")
    return int(parts[parts.index(name) + 1])


def words(*said: tuple[str, Holds]) -> Callable[[Any], str]:
    """The words that are said in place of a number, where they are true."""
    return lambda t: next((text for text, holds in said if holds(t)), NEVER)


# -- noise -------------------------------------------------------------------------------------------------------------


def beyond(t: NoiseTruth) -> bool:
    """Whether the draw lies where nothing is drawn: more than six scales away, or than 400."""
    reach = max(3.0, min(6 * t.scale, 400))
    low, high = 1.5 - reach, 1.5 + reach
    if t.normal:
        low, high = 1.5 - (0.5 + 4 * t.scale), 1.5 + (0.5 + 4 * t.scale)
    if t.c.mechanism == "geometric":
        low, high = 1 - math.ceil(reach), 2 + math.ceil(reach)
    return not low <= t.drawn <= high


def between(t: NoiseTruth, low: float, high: float) -> float:
    """The chance that 2 with Laplace noise falls between two numbers."""

    def below(x: float) -> float:
        z = (x - 2) / t.scale
        return math.exp(z) / 2 if z < 0 else 1 - math.exp(-z) / 2

    return below(high) - below(low)


def missed(t: NoiseTruth, values: Mapping[str, str]) -> Any:
    share = float(t.missed([0.1])[0])
    return "hardly any" if values["missed"] == "hardly any" and share < 1.1e-4 else share


NOISE: Truths = {
    "case": lambda t: f"the truth is {t.labels[0]}" if t.survey else "Huey is at Montmartre",
    "drawn": lambda t: t.said if t.labels else t.drawn,
    "prior": lambda t: t.c.prior,
    "people_needed": "needed",
    "wanted_error": lambda t: t.c.wanted,
    "sensitivity": lambda t: "√2" if t.normal and t.sensitivity == 2 else t.sensitivity,
    "moved": lambda t: "a count by 1" if t.sensitivity == 1 else "two counts by 1 each",
    "noise_scale": "scale",
    "mu": "mu",
    "epsilon": "epsilon",
    "n_answers": lambda t: t.c.answers,
    "true_answer_chance": lambda t: t.chances[0][0],
    "district_chance": lambda t: t.chances[0][2],
    "yes_if_yes": lambda t: t.chances[0][0],
    "yes_if_no": lambda t: t.chances[1][0],
    "rounds_right": lambda t: between(t, 1.5, 2.5),
    "negative_chance": lambda t: between(t, -math.inf, 0),
    "most_delta": most("delta"),
    "most_e_epsilon": most(lambda t: math.exp(t.epsilon)),
    "beyond_chance": "beyond",
    "most_beyond_chance": most("beyond"),
    "where": where,
    "most_ratio": most("largest", size=1e-9),
    "ratio": "largest",
    "most_times_right": most("capacity", size=2e-6),
    "least_still_wrong": least("security", size=2e-6),
    "largest": words(("unbounded", lambda t: t.largest == math.inf)),
    "most_belief": most(lambda t: t.at_most(t.c.prior)),
    "belief_after_yes": lambda t: t.at_most(t.c.prior),
    "wrong_chance": "deviation",
    "true_share": lambda t: 0.3,
    "error_of_100": lambda t: t.error(100),
    "deviation": "deviation",
    "most_epsilon": most("epsilon"),
    "beyond": lambda t: ", beyond the end of the chart" if not t.labels and beyond(t) else "",
    "false_alarms": lambda t: 0.1,
    "missed": Given(missed, near("", size=4e-3)),
}


def noise_names() -> Named:
    return Named(
        NOISE,
        Claims({}, STRUCTURE),
        as_written=(
            *(CHANCE, "100 people", "five counts", "the five counts", "two inputs", "two neighbouring inputs"),
            *("e^(ε u / 2)", "e^ε", "at most 1:", "two people", "The noisy 2 rounds to 2", "below 0", "δ = 0"),
            *("Two-sided", "without bound", "ratio has no bound", "Bayes security 0 %"),
        ),
        true_when={
            "hardly any guess stays wrong": lambda t: t.security < 1.1e-6,
            "After a No, no doubt is left": lambda t: t.epsilon == math.inf,
            "becomes at most {most_belief}.": lambda t: t.epsilon < math.inf and not t.normal,
            ", except for outputs that come with chance": lambda t: t.normal,
            "differ without bound": lambda t: t.largest == math.inf,
            "is up to e^ε =": lambda t: t.sensitivity == 2 and not t.normal,
            "Gaussian noise of standard deviation": lambda t: t.normal,
            "{kind} noise of scale": lambda t: not t.normal,
            "beyond e^ε with chance": lambda t: t.normal,
            " and δ = {most_delta}": lambda t: t.normal,
            ": ε = {epsilon}": lambda t: t.epsilon < math.inf,
        },
    )


# -- a stream ----------------------------------------------------------------------------------------------------------


def hour_loss(t: StreamTruth) -> float:
    return t.one if t.c.level == "pan" else t.budgets[t.c.level]


def day_loss(t: StreamTruth) -> float:
    return t.always if t.c.level == "pan" else t.day(t.c.level)


def promised_loss(t: StreamTruth) -> float:
    return t.one if t.c.level == "pan" else t.budgets["discounted"] if t.c.level == "discounted" else t.c.epsilon


def of_tile(t: StreamTruth, values: Mapping[str, str]) -> float:
    return day_loss(t) if values["what"].endswith("in every hour") else promised_loss(t)


def changed(loss: Callable[[Any], float]) -> Callable[[Any], str]:
    million = math.log(1e6)
    return words(
        ("without any limit", lambda t: loss(t) == math.inf),
        ("by a factor of more than a million", lambda t: million < loss(t) < math.inf),
    )


def revealed(loss: Callable[[Any], float | None]) -> Callable[[Any], str]:
    return words(("may be revealed exactly", lambda t: loss(t) == math.inf))


def seized(t: StreamTruth, kind: str = "intrusion") -> str:
    return counted(len(t.c.intrusions), kind) if t.c.intrusions else "no intrusion"


STREAM: Truths = {
    "n_hours": lambda t: len(DAY),
    "epsilon": lambda t: t.c.epsilon,
    "most_epsilon": most(lambda t: t.c.epsilon),
    "level": lambda t: TITLES[[*LEVELS, "pan"].index(t.c.level)],
    "window": lambda t: t.c.window,
    "whom": lambda t: whom_it_protects(t, t.c.level),
    "promised_whom": lambda t: whom_it_protects(t, "event" if t.c.level == "discounted" else t.c.level),
    "hour_loss": lambda t: t.budgets[t.c.level],
    "most_hour_loss": most(lambda t: t.budgets["discounted"]),
    "day_loss": day_loss,
    "deviation": lambda t: t.error(t.c.level),
    "most_loss": Given(of_tile, most("")),
    "most_hour_factor": most(lambda t: math.exp(min(hour_loss(t), 700))),
    "most_day_factor": most(lambda t: math.exp(min(day_loss(t), 700))),
    "by_hour": changed(hour_loss),
    "by_day": changed(day_loss),
    "counter_output": lambda t: t.counter[1],
    "true_visits": lambda t: sum(DAY),
    "counter_deviation": "deviation",
    "most_one_visit": most("one"),
    "most_two_visits": most("twice"),
    "most_all_visits": most("always"),
    "one": revealed(lambda t: t.one),
    "two": revealed(lambda t: t.twice),
    "intrusions": lambda t: seized(t, f"{'announced' if t.c.announced else 'unannounced'} intrusion"),
    "seized": seized,
    "marks": lambda t: counted(len(t.c.landmarks), "landmark") if t.c.landmarks else "no landmark",
    "drawn": words(("no count of single hours is published", lambda t: t.c.level == "pan")),
    "first_hour": lambda t: hours_of(t)[0],
    "hours_together": lambda t: len(hours_of(t)),
    "most_together": most(lambda t: math.fsum([t.budgets[t.c.level]] * len(hours_of(t)))),
}


def stream_names() -> Named:
    values = {"text.told.hours": lambda t, _: 24, "text.told.placed": lambda t, _: list(getattr(t.c, t.c.clicks))}
    return Named(
        STREAM,
        Claims(values, STRUCTURE),
        as_written=(CHANCE, "Two unannounced intrusions", "between two readings"),
        true_when={
            "Nobody reads its memory": lambda t: not t.c.intrusions,
            ", one visit before the first and one after the last": lambda t: t.twice is not None,
            "which spends {day_loss} in total": lambda t: t.c.level == "discounted",
            "is promised {what}.": lambda t: math.inf in (day_loss(t), promised_loss(t)),
        },
    )


# -- adding up ---------------------------------------------------------------------------------------------------------


def releases_said(t: StackedTruth) -> str:
    return counted(len(t.stack), "release")


def two_largest(t: StackedTruth) -> float:
    return t.everybody + sum(sorted(t.parts)[-2:])


def parts_said(t: StackedTruth) -> str:
    parts = sum(part > 0 for part in t.parts)
    return "one part" if parts == 1 else counted(parts, "disjoint part")


def seen(t: StackedTruth) -> str:
    n = len(t.stack)
    return "the release" if n == 1 else "both releases" if n == 2 else f"all {releases_said(t)}"


def of_when(t: StackedTruth, values: Mapping[str, str]) -> float:
    return t.repeated if values["when"].startswith("after all are made") else t.together


def at_a_tenth(t: StackedTruth, values: Mapping[str, str]) -> Any:
    """What the best test misses with one false alarm in ten; in words where it is next to nothing."""
    share = float(t.missed("any, by the sum" if values["curve"].startswith("any") else values["curve"], [0.1])[0])
    return "hardly anyone" if values["missed"] == "hardly anyone" and share < 4e-3 else share


ADDING: Truths = {
    "budget": lambda t: t.c.budget,
    "left": near("left", size=1e-9),
    "repeats": lambda t: t.c.repeats,
    "times": words(("once", lambda t: t.c.repeats == 1)),
    "most_loss": Given(of_when, most("", slack=1e-9)),
    "belief_after_own": lambda t: t.belief(0, None),
    "belief_after_both": lambda t: t.belief(0, 0),
    "as_a_fraction": words(("(6/7)", lambda t: abs(t.belief(0, 0) - 6 / 7) < 1e-12)),
    "most_own_odds": most(lambda t: t.odds(both=False)),
    "most_both_odds": most(lambda t: t.odds(both=True)),
    "seen": seen,
    "most_odds_factor": most(lambda t: math.exp(t.together)),
    "releases": lambda t: releases_said(t).capitalize(),
    "together": "together",
    "most_together": most("together"),
    "everybody": "everybody",
    "most_everybody": most("everybody"),
    "parts": parts_said,
    "largest": "largest",
    "most_largest": most("largest"),
    "most_two_alike": most("two_alike"),
    "most_family": most("family"),
    "most_moved": most(two_largest),
    "repeated": "repeated",
    "delta": lambda t: t.c.delta,
    "most_at_delta": Given(
        lambda t, values: t.at_delta(values["what"]), most("", slack=3e-3, size=lambda t: 5e-4 * t.repeated)
    ),
    "false_alarms": lambda t: 0.1,
    "missed": Given(at_a_tenth, near("", slack=1e-3, size=4e-3)),
}

ADDING_VALUES = {
    "text.told.stack.*.epsilon": lambda t, path: t.stack[place(path, "stack")][0],
    "text.told.stack.*.source": lambda t, path: t.stack[place(path, "stack")][1],
    "text.told.stack.*.start": lambda t, path: t.start(place(path, "stack")),
    "text.told.sources.*": lambda t, path: ["everybody", "part 1", "part 2", "part 3"][place(path, "sources")],
    "text.told.budget": lambda t, _: t.c.budget,
    "text.told.together": lambda t, _: t.together,
    "text.told.left": lambda t, _: Tolerant(t.left, 1e-7, 1e-9),
    "text.told.most": lambda t, _: 8,
}


def stacked_names() -> Named:
    return Named(
        ADDING,
        Claims(ADDING_VALUES, [*STRUCTURE, "text.told.stack.*.said"]),
        as_written=(CHANCE, "two answers", "two people", "two coins", "a belief of 50 %", "two largest parts"),
        true_when={
            "{who} can change {odds}": lambda t: t.together <= math.log(1e6) and t.together > 1e-9,
            "{who} cannot noticeably change {odds}": lambda t: t.together < 1e-2,
            "{who} may change {odds}": lambda t: t.together > math.log(1e6),
            "One release costs": lambda t: len(t.stack) == 1,
            "is left for further releases": lambda t: t.left >= 1e-9,
            "has run out": lambda t: t.left < 1e-9,
            "by his answer, and stays": lambda t: not t.c.correlated,
            "the belief stays at": lambda t: not t.c.correlated,
            "Dewey's answer takes the belief to": lambda t: t.c.correlated,
            "But the data are correlated": lambda t: t.c.correlated,
            "the two largest parts add up": lambda t: sorted(t.parts)[-2] > 0,
        },
    )


# -- sums, and a sequence ----------------------------------------------------------------------------------------------


def in_unit(find: Callable[[Any], float]) -> Callable[[Any], float]:
    """A number of people, or of kilometres: those are read in metres."""
    return lambda t: find(t) * (1 if t.c.query == "count" else 1000)


def trip(t: SumsTruth) -> float:
    return abs(t.true(t.c.query) - t.answer(t.c.query, 0.0)) / t.of("scale")


SUMS: Truths = {
    "n_people": lambda t: 40,
    "beyond_km": lambda t: 20,
    "far_km": lambda t: t.c.far,
    "limit_km": lambda t: t.c.limit,
    "most_limit_km": most(lambda t: t.c.limit),
    "best_km": "best",
    "query": lambda t: t.c.query,
    "true": in_unit(lambda t: t.true(t.c.query)),
    "drawn": in_unit(lambda t: t.drawn),
    "error": in_unit(lambda t: t.of("error")),
    "noise_scale": in_unit(lambda t: t.of("scale")),
    "taken": in_unit(lambda t: -t.of("bias")),
    "most_change_km": most(lambda t: t.of("sensitivity")),
    "most_spent": most(trip),
    "most_epsilon": most(lambda t: t.c.epsilon),
    "n_over": "over",
    "right_guesses": near(lambda t: math.ceil(100 * t.right(t.c.query) - 1e-5)),
}


def sums_names() -> Named:
    return Named(
        SUMS,
        Claims({}, STRUCTURE),
        as_written=(
            CHANCE,
            "of 100 guesses",
            "between the two",
            "at most 1",
            "between two equally likely",
            "nine in ten",
            "its sensitivity has no bound",
        ),
        true_when={
            "Without a limit, one person": lambda t: t.c.query in LIMITED,
            "covers nobody who goes farther": lambda t: t.unbounded,
            "it changes by at most": lambda t: not t.unbounded,
            "which is the mean error": lambda t: t.of("bias") == 0,
            "and the limit takes": lambda t: t.of("bias") < 0,
            "nobody's distance: Scrooge": lambda t: t.unbounded,
            "how far anyone travelled": lambda t: not t.unbounded,
            "Not differentially private": lambda t: t.unbounded,
            "The mean error is {error}.": lambda t: t.c.query == "quantile",
            "the same at every limit": lambda t: t.c.query == "count",
        },
    )


def _mine(name: str) -> Any:
    return lambda t: getattr(t, name)(t.c.remedy)


def _of_remedy(find: Callable[[SequenceTruth, str], Any]) -> Given:
    names = {title: name for name, title in REMEDIES.items()}
    return Given(lambda t, values: find(t, names[values["remedy"]]))


SEQUENCE: Truths = {
    "n_people": lambda t: 6,
    "k_t1": lambda t: t.alone(t.c.remedy)[0],
    "k_t2": lambda t: t.alone(t.c.remedy)[1],
    "k_t3": lambda t: t.alone(t.c.remedy)[2],
    "k": _mine("together"),
    "k_together": _mine("together"),
    "wanted_k": "k",
    "who": words(("nobody is", lambda t: t.few == 0), ("one person is", lambda t: t.few == 1)),
    "detail": lambda t: t.releases[t.c.remedy][1],
    "detail_without": lambda t: t.releases["none"][1],
    "late": lambda t: "; the first release is two timestamps late" if t.c.remedy == "delayed" else "",
    "remedy_detail": _of_remedy(lambda t, name: t.releases[name][1]),
    "remedy_k": _of_remedy(lambda t, name: t.together(name)),
}


def sequence_names() -> Named:
    return Named(
        SEQUENCE,
        Claims({}, [*STRUCTURE, "text.told.published.*"]),
        as_written=("t1", "t2", "t3", "all three", "each of the six", "three releases"),
        true_when={
            "once their rows are linked": lambda t: t.c.remedy != "order",
            "nothing links their rows": lambda t: t.c.remedy == "order",
            "Without a remedy": lambda t: t.c.remedy not in ("none", "order"),
            "which rows are whose": lambda t: t.together(t.c.remedy) > 1,
        },
    )
