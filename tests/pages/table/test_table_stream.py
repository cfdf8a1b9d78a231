"""The part on a stream: what each level gives an hour, beside the sums that define it, and the pan-private counter."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.table import TableChoices, describe, evaluate
from lmdk_widgets.pages.table.model import HOURS, LEVELS
from lmdk_widgets.pages.table.session import TableSession
from lmdk_widgets.pages.table.stream import (
    COUNTS,
    Stream,
    counter_of,
    stream_table,
    stretches,
)
from lmdk_widgets.pages.table.stream_charts import stream_charts


def shown(**choices) -> Stream:
    return evaluate(TableChoices(part="stream", **choices)).shown


@pytest.mark.parametrize("epsilon", [0.3, 1.0])
@pytest.mark.parametrize("window", [1, 3, 24])
@pytest.mark.parametrize("landmarks", [(), (2, 3, 17), tuple(range(24))])
def test_each_level_spends_its_budget_and_no_more(epsilon, window, landmarks):
    found = shown(epsilon=epsilon, window=window, landmarks=landmarks, discount=0.8).budgets
    assert found["event"].max() == pytest.approx(epsilon)
    assert found["user"].sum() == pytest.approx(epsilon)
    assert max(found["window"][k : k + window].sum() for k in range(HOURS)) == pytest.approx(epsilon)
    others = [k for k in range(HOURS) if k not in landmarks]
    one_more = max((found["landmark"][k] for k in others), default=0)
    assert sum(found["landmark"][k] for k in landmarks) + one_more == pytest.approx(epsilon)
    ages = HOURS - 1 - np.arange(HOURS)
    assert sum(0.8**age * budget for age, budget in zip(ages, found["discounted"], strict=True)) == pytest.approx(
        epsilon
    )
    assert found["discounted"].sum() > epsilon  # no differential privacy of the whole day


@pytest.mark.long
def test_the_error_is_that_of_the_draws():
    released = [shown(level="window", seed=seed).released - COUNTS for seed in range(300)]
    assert np.std(released) == pytest.approx(sqrt(2) * 3, rel=0.05)
    readings = [counter_of(TableChoices(seed=seed, intrusions=(5, 9), announced=True)) for seed in range(2_000)]
    assert np.std([one.output - sum(COUNTS) for one in readings]) == pytest.approx(readings[0].deviation, rel=0.06)
    assert readings[0].deviation == pytest.approx(sqrt(8))
    assert np.std([one.readings[0] - sum(COUNTS[:6]) for one in readings]) == pytest.approx(sqrt(2), rel=0.08)
    bare = [counter_of(TableChoices(seed=seed, fresh=False)) for seed in range(2_000)]
    assert np.std([one.output - sum(COUNTS) for one in bare]) == pytest.approx(bare[0].deviation, rel=0.08)


@pytest.mark.parametrize(
    ("choices", "one", "twice"),
    [
        ({}, 1.0, None),
        ({"intrusions": (5,)}, 1.0, 2.0),
        ({"intrusions": (5, 9)}, inf, 2.0),
        ({"intrusions": (5, 9), "announced": True}, 1.0, 2.0),
        ({"intrusions": (5,), "fresh": False}, inf, inf),
        ({"intrusions": (23,), "fresh": False}, 1.0, None),
        ({"fresh": False}, 1.0, None),
    ],
)
def test_what_a_visit_costs_while_the_memory_is_read(choices, one, twice):
    counter = shown(level="pan", **choices).counter
    assert (counter.one, counter.twice) == (one, twice)
    assert len(counter.readings) == len(choices.get("intrusions", ()))
    words = describe(evaluate(TableChoices(part="stream", level="pan", **choices)))
    assert ("may be revealed exactly" in words.paragraph) == (inf in (one, twice)) == ("not even" in words.assumption)


def test_two_unannounced_readings_differ_by_the_truth():
    counter = shown(intrusions=(5, 9)).counter
    assert counter.readings[1] - counter.readings[0] == pytest.approx(sum(COUNTS[6:10]))
    assert stretches(TableChoices(intrusions=(5, 9))) == [6, 4, 14]


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_is_said_and_drawn(level):
    outcome = evaluate(TableChoices(part="stream", level=level, intrusions=(3,), landmarks=(8,)))
    words = describe(outcome)
    assert "What is protected: " in words.assumption and "Against whom: " in words.assumption
    assert ("not differential privacy" in words.assumption) == (level == "discounted") == bool(words.warnings)
    rows = stream_table(outcome.choices, outcome.shown).texts()
    assert [row[0] for row in rows] == ["Event", "User", "w-event", "Landmark", "Discounted", "Pan-private"]
    assert [c.name for c in stream_charts(outcome.choices, outcome.shown)] == [
        "counts",
        "counter",
        "budgets",
        "districts",
    ]


def test_hours_are_toggled_and_bad_ones_refused():
    session = TableSession(TableChoices(part="stream"))
    session.apply([{"op": "toggle", "index": 5}, {"op": "toggle", "index": 9}], commit=True)
    session.apply([{"op": "set", "name": "clicks", "value": "landmarks"}, {"op": "toggle", "index": 2}], commit=True)
    session.apply([{"op": "set", "name": "clicks", "value": "intrusions"}, {"op": "toggle", "index": 5}], commit=True)
    assert (session.choices.intrusions, session.choices.landmarks) == ((9,), (2,))
    for index in (-1, 24, 1.5, "x"):
        with pytest.raises(InputError, match="Hour must be"):
            session.apply([{"op": "toggle", "index": index}], commit=True)
    assert session.choices.intrusions == (9,)


def text_of(**choices) -> str:
    return describe(evaluate(TableChoices(part="stream", **choices))).paragraph


def test_the_first_sentence_says_what_odds_can_change():
    assert text_of(level="user").startswith(
        "Anyone who sees all counts can change the odds that a person was at Montmartre in a given hour by a factor of at "
        "most 1.05, and that the person was there in every hour by a factor of at most 2.72. "
    )
    assert "in every hour by a factor of more than a million" in text_of(level="event")
    assert text_of(level="pan", intrusions=(5, 9)).startswith(
        "Anyone who sees the day's one number and reads the memory as marked can change the odds that a person was at "
        "Montmartre in a given hour without any limit, and that the person was there in every hour without any limit. "
    )
    assert text_of(level="pan").startswith("Anyone who sees the day's one number can change")


def test_where_no_hour_comes_after_the_last_intrusion_no_visit_there_is_said():
    """With hours 6 and 24 seized a visit "after the last" was said to be told exactly: there is none."""
    assert shown(intrusions=(5, 23)).counter.twice is None and shown(intrusions=(5,)).counter.twice == 2.0
    assert "after the last" not in text_of(intrusions=(5, 23)) and "after the last" in text_of(intrusions=(5, 22))


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({}, "sees the output and reads the memory once, or each time after being announced."),
        ({"fresh": False}, "sees the output only: nobody may read the memory."),
        ({"fresh": False, "announced": True}, "sees the output and reads the memory, each time after being announced."),
        ({"fresh": False, "intrusions": (23,)}, "sees the output and reads the memory after the last hour."),
    ],
)
def test_against_whom_the_counter_protects(choices, said):
    assert said in describe(evaluate(TableChoices(part="stream", level="pan", **choices))).assumption


def test_a_guarantee_is_never_rounded_down():
    outcome = evaluate(TableChoices(part="stream", level="discounted", discount=0.5, epsilon=1.0))  # 1 / 1.9999999
    assert "with ε = 0.501." in describe(outcome).assumption
