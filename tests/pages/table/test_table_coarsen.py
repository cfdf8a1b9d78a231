"""Columns that are coarsened automatically: exact values, every combination, many columns, and who is found of very many."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.table import TableChoices, describe, evaluate, read_table
from lmdk_widgets.pages.table.coarsen import levels_for, search
from lmdk_widgets.pages.table.people_found import found_of, scene_drawing
from lmdk_widgets.pages.table.table import example


def answers(**choices: object) -> list[str]:
    outcome = evaluate(TableChoices(**choices))
    return [answer.value for answer in outcome.part.answers(outcome.choices, outcome.shown)]


def test_the_running_example_from_alone_to_alike() -> None:
    """With k = 2 four of six are left: a half keeps 3/5 of the ages, the north 1/2 of the places: (0.6 + 0.5) / 2 * 4/6."""
    assert answers() == ["100 %", "6 of 6", "nothing"]
    assert answers(least=2) == ["37 %", "0 of 6", "50 of 100"]
    assert answers(least=3) == ["30 %", "0 of 6", "34 of 100"]
    assert answers(least=7) == ["nothing", "0 of 6", "nothing"]
    assert [levels_for(example("t1"), (0, 1), k) for k in (1, 3, 5, 7)] == [(0, 0), (4, 2), (5, 2), (0, 0)]


def test_levels_by_hand_stay_and_those_by_k_say_what_they_are_of() -> None:
    assert evaluate(TableChoices(levels=(0,), least=2)).shown.release.kept == 0
    assert (
        "Of all 24 combinations of levels, these keep the most detail."
        in describe(evaluate(TableChoices(least=2))).paragraph
    )
    assert "combinations" not in describe(evaluate(TableChoices(least=2, levels=(4, 2)))).paragraph


def test_many_columns_are_coarsened_step_by_step_and_too_many_by_hand() -> None:
    adults = example("adults")
    quasi = (0, 1, 2, 3, 5, 6, 7)
    found = search(adults, quasi)
    assert not found.every and len(found.tried) == 1 + 5 + 2 + 2 + 2 + 1 + 5 + 1
    outcome = evaluate(TableChoices(table="adults", quasi=quasi, least=5))
    assert (
        "Of 19 combinations of levels that were tried, these" in describe(outcome).paragraph
        and outcome.shown.measures.k >= 5
    )
    head, row = ",".join(f"c{k}" for k in range(14)), ",".join("12" for _ in range(14))
    wide = read_table(f"{head}\n{row}\n{row}\n".encode(), "wide.csv")
    columns = tuple(range(13))
    assert evaluate(TableChoices(table="own", quasi=columns), wide).shown.measures.k == 2
    with pytest.raises(InputError, match="At most 12 columns can be coarsened automatically; got 13"):
        evaluate(TableChoices(table="own", quasi=columns, least=2), wide)


def test_of_very_many_people_their_numbers_in_each_class_are_drawn() -> None:
    rows = "".join(f"{k % 70},{'xyz'[k % 3]},{'ab'[k % 2]}\n" for k in range(6_000))
    shown = evaluate(TableChoices(table="own"), read_table(f"age,job,ill\n{rows}".encode(), "many.csv")).shown
    drawn, arrays = scene_drawing(shown)
    states, n = found_of(shown), len(shown.release)
    assert arrays["finding"].sum() == 6_000 and not arrays["found"].size and "Each block is a class" in drawn["said"]
    assert arrays["finding"].reshape(n, -1).sum(0).tolist() == np.bincount(states, minlength=6).tolist()
