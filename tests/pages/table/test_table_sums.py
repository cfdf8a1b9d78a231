"""Sums with a limit, and the same people published three times: values by hand, and what must not be promised."""

from __future__ import annotations

import csv
import io
from math import exp, inf

import pytest

from lmdk_widgets.pages.table import TableChoices, describe, evaluate
from lmdk_widgets.pages.table.districts import QUACKMORE, district_counts, whereabouts
from lmdk_widgets.pages.table.model import HOURS
from lmdk_widgets.pages.table.session import TableSession


def sums(**choices):
    return evaluate(TableChoices(part="sums", **choices)).shown


def test_a_limit_gives_a_sum_its_sensitivity_and_takes_the_rest_away() -> None:
    found = sums(limit=50.0, epsilon=0.5).queries["sum"]  # 64 and 800 km are cut to 50
    assert (found.true, found.sensitivity, found.scale, found.bias) == (1411.0, 50.0, 100.0, -764.0)
    assert found.error == pytest.approx(764 + 100 * exp(-7.64), abs=1e-9)
    found = sums(limit=1_000.0, epsilon=0.5).queries
    assert (found["sum"].bias, found["sum"].error) == (0, 2_000.0), "nothing is cut off: the noise alone is the error"
    assert (found["average"].scale, found["maximum"].scale) == (50.0, 2_000.0)


def test_without_a_limit_nothing_is_promised_and_far_is_found() -> None:
    """ln of the ratio for Scrooge is 800 km over the scale of 50."""
    outcome = evaluate(TableChoices(part="sums", clipped=False))
    words = describe(outcome)
    assert outcome.shown.queries["sum"].sensitivity == inf and "ε = 16." in words.assumption
    assert outcome.part.answers(outcome.choices, outcome.shown)[2].value == "nothing"
    assert "Not differentially private" in words.warnings[0]
    assert outcome.shown.queries["sum"].right == pytest.approx(1 - exp(-8) / 2)
    count = outcome.shown.queries["count"]
    assert count.sensitivity == 1 and count.right == pytest.approx(1 - exp(-0.5) / 2), "a count needs no limit"


def test_nine_in_ten_needs_no_limit_on_anybody() -> None:
    near, far = (sums(query="quantile", far=far, epsilon=2.0).queries["quantile"] for far in (100.0, 20_000.0))
    assert (near.error, near.right, near.true) == (far.error, far.right, 33.0), (
        "who is beyond the others changes nothing by going farther"
    )


def test_the_same_order_cuts_classes_and_each_remedy_mends_it() -> None:
    found = evaluate(TableChoices(part="sequence")).shown
    assert {name: (each.alone, each.together) for name, each in found.items()} == {
        "none": ((3, 2, 3), 1),
        "order": ((3, 2, 3), 2),
        "earlier": ((3, 3, 3), 3),
        "classes": ((3, 3, 3), 3),
        "delayed": ((3, 3, 3), 3),
    }
    assert found["none"].alike[-1].tolist() == [3, 3, 2, 1, 2, 3], "Dewey alone is young and in the north at t2"
    warned = describe(evaluate(TableChoices(part="sequence"))).warnings
    assert warned == ("Each release keeps its promise, but together they do not: k must be counted over all of them.",)


def test_rows_of_an_order_of_their_own_are_not_in_the_order_of_the_table() -> None:
    def rows(remedy: str) -> list[dict[str, str]]:
        session = TableSession(TableChoices(part="sequence", remedy=remedy))
        return list(csv.DictReader(io.StringIO(session.save("part").data.decode())))

    first, own = rows("none"), rows("order")
    for time in ("t1", "t2", "t3"):
        assert sorted(row[time] for row in first) == [row[time] for row in own] != [row[time] for row in first]
    assert not any(name in str(own) for name in ("Donald", "Dewey", "27"))


def test_somebody_is_counted_where_quackmore_is() -> None:
    assert len(QUACKMORE) == HOURS == len(district_counts("Opéra"))
    assert all(district_counts(district)[hour] for hour, district in enumerate(whereabouts()))
