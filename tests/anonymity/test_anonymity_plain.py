"""Attacks on a table as plain lists find what they find in the same DataFrame, without pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.anonymity import ATTACKS, DISCLOSURES
from lmdk_widgets.anonymity.coding import Plain, beneath, coded, grouped, numbered


def random_columns(seed: int, n: int = 30) -> dict[str, list]:
    rng = np.random.default_rng(seed)

    def column(values: list) -> list:
        return [values[k] for k in rng.integers(0, len(values), n)]

    return {"x": column(["a", "b"]), "y": column([1, 2, None]), "s": column([*"abcdefgh", None]), "who": list(range(n))}


@pytest.mark.parametrize("seed", range(20))
def test_each_attack_finds_the_same_in_both(seed: int) -> None:
    plain = Plain(random_columns(seed))
    frame = pd.DataFrame(plain.held, dtype=object)
    meaning = dict.fromkeys("abcd", "one") | dict.fromkeys("efgh", "two")
    for table in (plain, frame):
        half = table.rows(range(0, 30, 2)) if isinstance(table, Plain) else table.iloc[::2]
        back = table.rows(range(30)[::-1]) if isinstance(table, Plain) else table.iloc[::-1].reset_index(drop=True)
        given = {
            "similarity": (["x", "y"], "s", meaning),
            "presence": (half, table, ["x", "y"]),
            "identity": (["x", "y"],),
            "unsorted matching": (table, ["x"], ["y"]),
            "join": (back, ["x"], ["y"], ["s"]),
            "tuple correspondence": (table, ["x"], ["y"], "s"),
            "unknown releases": ([table, table], "who", [["x"], ["y"]], "s"),
        }
        found = {}
        for name in ("homogeneity", "skewness", "attribute", *given):
            find = {**ATTACKS, **DISCLOSURES}[name].find
            arguments = given.get(name, (["x", "y"], "s"))
            found[name] = find(*arguments) if name in ("presence", "unknown releases") else find(table, *arguments)
        if table is plain:
            first = found
    assert {name: _said(one) for name, one in first.items()} == {name: _said(one) for name, one in found.items()}


def _said(found) -> tuple:
    hits = [(hit.row, hit.before, hit.after, hit.candidates, hit.linked) for hit in found.hits]
    return found.known, found.people, hits, found.prevention


def test_a_plain_table_is_coded_as_its_values_come() -> None:
    table = Plain({"x": [3, None, 1, 3]})
    column = coded(table, "x")
    assert (column.code.tolist(), column.values, column.missing) == ([0, 2, 1, 0], [3, 1], True)
    assert grouped(table, ["x"]).of_row.tolist() == [0, 2, 1, 0]
    assert beneath(table, table, ["x"]).held["x"] == [3, None, 1, 3] * 2


def test_keys_that_are_sorted_and_looked_up_make_the_same_classes(monkeypatch) -> None:
    key = np.random.default_rng(1).integers(0, 2**40, 2000) // 2**31
    sorted_, times = (lambda g: (g.of_row, g.size))(numbered(key, 2**40))
    monkeypatch.setattr("lmdk_widgets.anonymity.coding.MANY_KEYS", 10)
    looked_up = numbered(key, 2**40)
    assert (times[sorted_] == looked_up.size[looked_up.of_row]).all()
    assert len(set(zip(sorted_.tolist(), looked_up.of_row.tolist(), strict=True))) == len(times)
