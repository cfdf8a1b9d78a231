"""k, l and t: published values, loops and a linear programme beside them, and what must not change them."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.anonymity import (
    CITY,
    example_names,
    example_table,
    generalise,
    k_anonymity,
    l_diversity,
    t_closeness,
)
from lmdk_widgets.anonymity.coding import coded, grouped
from tests.anonymity import table_oracles as oracles

KNOWN = ["age", "location"]
TREE = {"a": "ab", "b": "ab", "c": "cd", "d": "cd", "ab": "abcd", "cd": "abcd", "abcd": "top", "e": "top"}
"""Leaves at different depths: e hangs from the top."""


def public(name):
    table = generalise(example_table(name), "age", bands=[20])
    return generalise(table, "location", hierarchy=CITY)


@pytest.mark.parametrize("name", ["t1", "t2"])
def test_the_running_example(name):
    table = public(name)
    assert k_anonymity(example_table(name), KNOWN) == 1
    assert k_anonymity(table, KNOWN) == 3
    exact = table.assign(location=example_table(name)["location"])
    assert k_anonymity(exact, KNOWN) == 1
    assert l_diversity(table, KNOWN, "status") == 3
    assert l_diversity(table, KNOWN, "status", kind="entropy") == 3.0  # not 2.9999999999999996
    for c, l in ((0.3, 0), (0.34, 1), (0.5, 1), (0.500001, 2), (1.0, 2), (1.000001, 3), (9.0, 3)):
        assert l_diversity(table, KNOWN, "status", kind="recursive", c=c) == l
    assert t_closeness(table, KNOWN, "status") == pytest.approx(0.5, abs=1e-12)


def test_montmartre_counts_two_at_t1():
    assert (example_table("t1")["location"] == "Montmartre").sum() == 2


def test_the_salaries_of_the_paper():
    table = pd.DataFrame({"group": list("aaabbbccc"), "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10]})
    first, second = table.assign(group=list("aaabbbbbb")), table.assign(group=list("bbbaaabbb"))
    assert t_closeness(table, "group", "salary", distance="ordered") == pytest.approx(0.375, abs=1e-12)
    assert t_closeness(first, "group", "salary", distance="ordered") == pytest.approx(0.375, abs=1e-12)
    assert t_closeness(second, "group", "salary", distance="ordered") == pytest.approx(1 / 6, abs=1e-12)


def test_a_rare_value_in_half_of_a_class():
    table = pd.DataFrame({"group": [0] * 2 + [1] * 98, "ill": [1] + [0] * 99})
    assert t_closeness(table, "group", "ill") == pytest.approx(0.49, abs=1e-12)


def rows_of(table):
    return [tuple(None if pd.isna(v) else v for v in row) for row in table.itertuples(index=False, name=None)]


def random_table(seed, missing=False):
    rng = np.random.RandomState(seed)
    n, m = rng.randint(1, 40), rng.randint(1, 6)
    table = pd.DataFrame(
        {
            "x": rng.randint(0, 3, n),
            "y": rng.choice(list("pqr"), n),
            "z": rng.choice([0.5, 1.5], n),
            "s": np.array(list("abcde"))[rng.randint(0, m, n)],
        }
    )
    if missing:
        for column in table:
            table[column] = table[column].astype(object).where(rng.random_sample(n) < 0.8, rng.choice([None, np.nan]))
    return table


@pytest.mark.long
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("seed", range(60))
def test_loops_agree(seed, missing):
    table = random_table(seed, missing)
    rows, known = rows_of(table), [0, 1, 2][: 1 + seed % 3]
    names = list(table.columns[known])
    assert k_anonymity(table, names) == oracles.k(rows, known)
    assert l_diversity(table, names, "s") == oracles.distinct_l(rows, known, 3)
    assert l_diversity(table, names, "s", kind="entropy") == pytest.approx(oracles.entropy_l(rows, known, 3), rel=1e-9)
    for c in (0.4, 0.5, 1.0, 1.7, 3.0):
        assert l_diversity(table, names, "s", kind="recursive", c=c) == oracles.recursive_l(rows, known, 3, c)
    domain = list(dict.fromkeys(row[3] for row in rows))
    slow = oracles.closeness(rows, known, 3, domain, oracles.equal_distances(len(domain)))
    assert t_closeness(table, names, "s") == pytest.approx(slow, abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_the_linear_programme_agrees_on_orders_and_trees(seed):
    table, order = random_table(seed), list("ecabd")
    rows, names = rows_of(table), ["x", "y"]
    slow = oracles.closeness(rows, [0, 1], 3, order, oracles.ordered_distances(5))
    assert t_closeness(table, names, "s", distance="ordered", order=order) == pytest.approx(slow, abs=1e-9)
    slow = oracles.closeness(rows, [0, 1], 3, list("abcde"), oracles.tree_distances(list("abcde"), TREE))
    assert t_closeness(table, names, "s", distance="hierarchical", hierarchy=TREE) == pytest.approx(slow, abs=1e-9)
    sizes = sorted(set(table["x"]))
    slow = oracles.closeness(rows, [1], 0, sizes, oracles.ordered_distances(len(sizes)))
    assert t_closeness(table, "y", "x", distance="ordered") == pytest.approx(slow, abs=1e-9)


def test_an_order_may_hold_values_that_do_not_occur():
    table = pd.DataFrame({"g": [0, 0, 1, 1], "s": [1, 1, 3, 3]})
    assert t_closeness(table, "g", "s", distance="ordered") == pytest.approx(0.5)
    assert t_closeness(table, "g", "s", distance="ordered", order=[1, 2, 3, 4, 5]) == pytest.approx(0.25)
    kinds = pd.CategoricalDtype([1, 2, 3, 4, 5], ordered=True)
    assert t_closeness(table.astype({"s": kinds}), "g", "s", distance="ordered") == pytest.approx(0.25)


def test_one_value_is_close_to_itself():
    table = pd.DataFrame({"g": [0, 0, 1], "s": [7, 7, 7]})
    assert t_closeness(table, "g", "s", distance="ordered") == 0
    assert t_closeness(table, "g", "s") == 0
    assert t_closeness(table, "g", "s", distance="hierarchical", hierarchy={7: "any"}) == 0


def test_a_flat_hierarchy_is_the_equal_distance():
    table = random_table(5)
    flat = {value: "any" for value in "abcde"}
    found = t_closeness(table, "x", "s", distance="hierarchical", hierarchy=flat)
    assert found == pytest.approx(t_closeness(table, "x", "s"), abs=1e-12)


tables = st.lists(st.tuples(*(st.integers(0, 3) for _ in range(3))), min_size=1, max_size=30)


@pytest.mark.long
@given(tables)
def test_the_measures_respect_each_other(rows):
    table = pd.DataFrame(rows, columns=["x", "y", "s"])
    distinct, entropy = (l_diversity(table, ["x", "y"], "s", kind=kind) for kind in ("distinct", "entropy"))
    assert 1 <= entropy <= distinct + 1e-9 and distinct <= k_anonymity(table, ["x", "y"])
    assert k_anonymity(table, ["x", "y"]) <= k_anonymity(table, ["x"])
    assert l_diversity(table, ["x", "y"], "s") <= l_diversity(table, ["x"], "s")
    for distance in ("equal", "ordered"):
        fine, coarse = (t_closeness(table, names, "s", distance=distance) for names in (["x", "y"], ["x"]))
        assert -1e-12 <= coarse <= fine + 1e-12 <= 1 + 1e-9  # a union of classes is a mixture of them
    assert t_closeness(table, "x", "s", distance="ordered") <= t_closeness(table, "x", "s") + 1e-12


@pytest.mark.long
@given(tables, st.randoms())
def test_order_and_names_of_rows_do_not_matter(rows, random):
    mixed = list(rows)
    random.shuffle(mixed)
    one = pd.DataFrame(rows, columns=["x", "y", "s"])
    two = pd.DataFrame(mixed, columns=["x", "y", "s"], index=[7] * len(rows))[["s", "y", "x"]]
    for kind in ("distinct", "entropy"):
        assert l_diversity(one, ["x", "y"], "s", kind=kind) == l_diversity(two, ["y", "x"], "s", kind=kind)
    assert t_closeness(one, ["x", "y"], "s") == pytest.approx(t_closeness(two, ["y", "x"], "s"), abs=1e-12)


@pytest.mark.parametrize(
    "column",
    [
        [5, 5, 2, 5, 2],
        [True, True, False, True, False],
        [1.5, 1.5, np.inf, 1.5, np.inf],
        list("zzyzy"),
        pd.Categorical(list("zzyzy"), categories=list("wxyz")),
        pd.array([3, 3, None, 3, None], "Int64"),
        pd.to_datetime(["2026-01-01", "2026-01-01", None, "2026-01-01", None]),
        pd.array(["a", "a", None, "a", None], "string"),
        [None, None, 3, None, 3],
        [np.iinfo(np.int64).min, np.iinfo(np.int64).min, np.iinfo(np.int64).max] * 1
        + [np.iinfo(np.int64).min, np.iinfo(np.int64).max],
        np.array([200, 200, 3, 200, 3], np.uint8),
        [(1, 2), (1, 2), (3, 4), (1, 2), (3, 4)],
    ],
    ids=lambda c: type(c).__name__ + str(getattr(c, "dtype", "")),
)
def test_every_type_of_column(column):
    table = pd.DataFrame({"c": column, "s": [1, 2, 3, 4, 5]})
    found = grouped(table, ["c"])
    assert sorted(found.size.tolist()) == [2, 3]
    assert (found.of_row == found.of_row[[0, 0, 2, 0, 2]]).all()
    assert k_anonymity(table, "c") == 2


def test_all_ways_to_miss_a_value_are_one():
    table = pd.DataFrame({"c": pd.Series([None, np.nan, pd.NA, pd.NaT, "x"], dtype=object), "s": list("abcde")})
    assert sorted(grouped(table, ["c"]).size.tolist()) == [1, 4]
    assert l_diversity(pd.DataFrame({"c": [1, 1, 1], "s": [None, np.nan, "x"]}), "c", "s") == 2


def test_columns_of_many_values_do_not_overflow():
    n = 3000
    table = pd.DataFrame({f"c{i}": np.random.default_rng(i).permutation(n) * 10**12 for i in range(9)})
    assert k_anonymity(table, list(table)) == 1
    twice = pd.concat([table, table])
    assert k_anonymity(twice, list(table)) == 2


def test_long_columns_of_words_are_coded_the_same():
    """Beyond some thousand rows words are told apart by address first, whether they share objects or not."""
    rng = np.random.RandomState(3)
    code = rng.randint(0, 30, 20_000)
    words = np.array([f"word {i // 2}" for i in range(30)], object)  # two objects for each word
    shared = pd.Series(words[code]).where(code != 7, None)
    alone = pd.Series([None if w is None else f"{w}"[:] + "" for w in shared])
    late = pd.Series(["a"] * 10_000 + [f"b{i}" for i in range(10_000)])
    for column in (shared, alone, shared.astype("str"), late, shared.astype("category")):
        mine = coded(pd.DataFrame({"c": column}), "c")
        theirs, values = pd.factorize(column)
        assert mine.missing == (theirs < 0).any()
        pairs = set(zip(mine.code.tolist(), theirs.tolist(), strict=True))
        assert len(pairs) == len(values) + mine.missing == len({a for a, _ in pairs}) == len({b for _, b in pairs})
        assert all(b < 0 or mine.values[a] == values[b] for a, b in pairs)


@pytest.mark.parametrize("distance", ["equal", "ordered"])
def test_a_large_table_with_many_values(distance):
    rng = np.random.RandomState(5)
    n = 30_000
    table = pd.DataFrame({"g": rng.randint(0, 300, n), "s": rng.randint(0, 3000, n)})
    found = t_closeness(table, "g", "s", distance=distance)
    joint = np.zeros((300, 3000))
    np.add.at(joint, (table["g"], table["s"]), 1)
    joint = joint[:, joint.any(axis=0)]
    gap = joint / joint.sum(axis=1, keepdims=True) - joint.sum(axis=0) / n
    slow = (
        np.abs(gap).sum(axis=1) / 2
        if distance == "equal"
        else np.abs(gap.cumsum(axis=1)).sum(axis=1) / (len(gap.T) - 1)
    )
    assert found == pytest.approx(slow.max(), abs=1e-12)


def test_a_tie_is_no_inequality_though_rounding_says_so():
    table = pd.DataFrame({"g": 0, "s": [0] * 7 + list(range(1, 101))})
    assert 0.07 * 100 > 7  # in floating point
    assert l_diversity(table, "g", "s", kind="recursive", c=0.07) == 1
    assert l_diversity(table, "g", "s", kind="recursive", c=0.0701) == 2


def test_tables_stay_as_they_are():
    table = example_table("adults")
    before = table.copy()
    known = ["age", "sex", "education"]
    k_anonymity(table, known), l_diversity(table, known, "income"), t_closeness(table, known, "income")
    pd.testing.assert_frame_equal(table, before)


def test_the_adults():
    table = example_table("adults")
    assert example_names() == ("t1", "t2", "adults") and table.shape == (4000, 8)
    assert not table.isna().any().any() and table["age"].between(17, 90).all()
    assert 0.2 < (table["income"] == ">50k").mean() < 0.3
    banded = generalise(table, "age", bands=[25, 35, 45, 55])
    assert k_anonymity(table, ["age", "sex", "education"]) == 1 < k_anonymity(banded, ["age", "sex"])
    assert math.isclose(l_diversity(banded, ["age", "sex"], "income"), 2)
