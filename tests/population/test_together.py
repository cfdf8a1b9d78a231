"""Rows brought together by person: which columns, which order, and which rows are left out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.population.together import NOBODY, REPEATED, bring_together


def table(**columns: object) -> pd.DataFrame:
    day = pd.date_range("2026-01-05", periods=4, freq="h", tz="UTC")
    known = {"user_id": [2, 1, 2, 1], "time": day, "latitude": [48.1, 48.2, 48.3, 48.4], "longitude": 2.3}
    return pd.DataFrame(known | columns)


def test_rows_are_sorted_by_person_and_time() -> None:
    rows = bring_together(table()[::-1])
    assert rows.names.tolist() == ["1", "2"] and rows.starts.tolist() == [0, 2, 4]
    assert rows.latitude.tolist() == [48.2, 48.4, 48.1, 48.3] and rows.person.tolist() == [0, 0, 1, 1]
    assert rows.notices == ("The rows were sorted by person and time.",)


def test_sorted_rows_stay_as_they_are() -> None:
    rows = bring_together(table(user_id=["a", "a", "b", "b"]))
    assert rows.latitude.tolist() == [48.1, 48.2, 48.3, 48.4] and rows.notices == ()


def test_of_rows_with_the_same_time_the_first_is_kept() -> None:
    rows = bring_together(table(user_id=1, time=pd.Timestamp("2026-01-05", tz="UTC")))
    assert rows.latitude.tolist() == [48.1] and rows.left_out == {REPEATED: 3}


def test_nobody_is_joined_with_anybody() -> None:
    with pytest.raises(InputError, match="columns for person") as error:
        bring_together(table().drop(columns="user_id"))
    assert error.value.kind == "columns"
    assert bring_together(
        table(who=list("abab")).drop(columns="user_id"), columns={"person": "who"}
    ).names.tolist() == [
        "a",
        "b",
    ]


def test_a_household_is_a_person_too() -> None:
    assert bring_together(table().rename(columns={"user_id": "household"})).names.tolist() == ["1", "2"]


def test_columns_can_be_named() -> None:
    renamed = table().rename(columns={"time": "n", "latitude": "b", "longitude": "l"})
    rows = bring_together(renamed, columns={"time": "n", "latitude": "b", "longitude": "l"})
    assert len(rows) == 4
    with pytest.raises(InputError, match="latitude, longitude"):
        bring_together(renamed, columns={"time": "n"})


def test_a_few_unusable_rows_are_counted() -> None:
    many = pd.concat([table(time=table().time + pd.Timedelta(days=k)) for k in range(60)], ignore_index=True)
    many.loc[5, "latitude"] = 191.0
    many.loc[7, "time"] = pd.NaT
    many["user_id"] = many.user_id.astype("Int64")
    many.loc[9, "user_id"] = pd.NA
    rows = bring_together(many)
    assert len(rows) == 237
    assert rows.left_out == {"the latitude is outside -90 to 90": 1, "the time is missing": 1, NOBODY: 1}
    assert len(rows.notices) == 4


def test_many_unusable_rows_are_refused_with_their_numbers() -> None:
    with pytest.raises(
        InputError, match="2 of 4 rows cannot be used .*rows? 0, 2: the latitude is not a number"
    ) as error:
        bring_together(table(latitude=[np.nan, 48.0, np.nan, 48.0]))
    assert error.value.kind == "rows" and [row for row, _ in error.value.rows] == [0, 2]


def test_times_without_a_zone_need_one() -> None:
    naive = table(time=pd.date_range("2026-07-05 10:00", periods=4, freq="h"))
    with pytest.raises(InputError) as error:
        bring_together(naive)
    assert error.value.kind == "timezone"
    assert str(bring_together(naive, timezone="Europe/Paris").time[2])[:16] == "2026-07-05T08:00"


def test_times_may_be_texts() -> None:
    assert (
        len(bring_together(table(time=["2026-01-05T08:00Z", "2026-01-05T09:00Z", "2026-01-05T10:00Z", "1767600000"])))
        == 4
    )


def test_two_columns_of_one_name_are_refused_unless_one_is_chosen() -> None:
    twice = pd.concat([table(), table()[["latitude"]] + 1], axis=1)
    with pytest.raises(InputError, match='one column named "latitude"; got several'):
        bring_together(twice)
    assert bring_together(twice, columns={"latitude": 4}).latitude.min() == 49.1


def test_lists_name_nobody() -> None:
    with pytest.raises(InputError, match="must be texts or numbers"):
        bring_together(table(user_id=[[1], [1], [2], [2]]))


def test_names_of_any_type_are_texts() -> None:
    rows = bring_together(table(user_id=pd.Series([7, "7", 7.0, " x"], dtype=object)))
    assert rows.names.tolist() == ["7", "x"] and rows.reports.tolist() == [3, 1]


def test_numbers_that_lost_digits_name_nobody() -> None:
    """A missing name makes pandas read large whole numbers as decimals, of which two may be one."""
    with pytest.raises(InputError, match="two people one"):
        bring_together(table(user_id=pd.Series([2**60, 2**60 + 1, 2**60, None], dtype=float)))
    names = bring_together(table(user_id=[2**60, 2**60 + 1, 2**60, 7])).names.tolist()
    assert names == sorted([str(2**60), str(2**60 + 1), "7"])


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(InputError, match="at least one row"):
        bring_together(table()[:0])
