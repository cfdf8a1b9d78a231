"""Numbers for many timestamps as runs: there and back through lists, links and JSON; what is no such list is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.fields import RunLengths
from lmdk_widgets.page.index_runs import expanded, lengths_from_text, lengths_to_text, runs_of

KIND = RunLengths(label="Budgets", low=1e-18, high=1e6, most=1_000_000)

numbers = st.lists(st.one_of(st.sampled_from([0.0, 0.1, 0.125, 1 / 3]), st.floats(1e-18, 1e6)), max_size=30)


def slow_runs(values: list[float]) -> list[list[Any]]:
    found: list[list[Any]] = []
    for value in values:
        if found and found[-1][0] == value:
            found[-1][1] += 1
        else:
            found.append([value, 1])
    return found


@given(numbers)
def test_there_and_back(values: list[float]) -> None:
    runs = KIND.check(values)
    assert [list(run) for run in runs] == slow_runs(values)
    assert runs == runs_of(values) and expanded(runs).tolist() == values
    assert KIND.check(lengths_from_text(lengths_to_text(runs))) == runs
    assert KIND.check(json.loads(json.dumps(KIND.plain(runs)))) == runs


def test_runs_and_numbers_mix_and_neighbours_are_joined() -> None:
    assert KIND.check([[0.5, 2], 0.5, (0.25, 1), 0, -0.0]) == ((0.5, 3), (0.25, 1), (0.0, 2))
    assert str(KIND.check([-0.0])[0][0]) == "0.0"


def test_ten_thousand_numbers_of_two_kinds_are_short() -> None:
    values = np.full(10_000, 0.1)
    values[np.random.default_rng(1).choice(10_000, 100, replace=False)] = 0.007
    text = lengths_to_text(runs_of(values))
    assert len(text) < 1_000 and expanded(KIND.check(lengths_from_text(text))).tolist() == values.tolist()


@pytest.mark.parametrize("text", ["0.5;1", "0.5;-1", "0.5;x", "0.5;0xx", "a;0", "0.5;0x1e3", "0.5;0." + "9" * 5000])
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        lengths_from_text(text)


@pytest.mark.parametrize(
    "value, said",
    [
        ("0.5", "must be a list"),
        (None, "must be a list"),
        ([-1], "Each of the budgets must be between 0 and 1,000,000; got -1"),
        ([float("nan")], "must be between 0"),
        ([float("inf")], "must be between 0"),
        ([1e-300], "must be 0, or between 1e-18 and 1,000,000"),
        ([True], "must be between"),
        ([[0.5, 0]], "whole number, 1 or more; got 0"),
        ([[0.5, 1.5]], "whole number, 1 or more"),
        ([[0.5, True]], "whole number, 1 or more"),
        ([[0.5, 2_000_000]], "at most 1,000,000 timestamps; got 2,000,000"),
        ([[0.5, 1, 1]], "must be between"),
    ],
)
def test_what_is_no_such_list_is_refused_in_a_sentence(value: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        KIND.check(value)
