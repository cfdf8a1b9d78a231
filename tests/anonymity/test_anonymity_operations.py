"""Classes, generalisation, suppression and hierarchies."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.anonymity import Hierarchy, classes, example_table, generalise, k_anonymity, suppress
from tests.anonymity import table_oracles as oracles
from tests.anonymity.test_anonymity_measures import random_table, rows_of


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_classes_are_those_of_a_loop(seed, missing):
    table = random_table(seed, missing)
    found, slow = classes(table, ["x", "y"]), oracles.groups(rows_of(table), [0, 1])
    assert [found.rows(i) for i in range(len(found))] == [tuple(group) for group in slow]
    assert found.size.tolist() == [len(group) for group in slow] and found.size.sum() == len(table)
    firsts = table.iloc[[group[0] for group in slow]][["x", "y"]].reset_index(drop=True)
    pd.testing.assert_frame_equal(found.values, firsts)
    assert (found.holds_missing == firsts.isna().any(axis=1)).all()


def test_a_column_may_be_called_size():
    assert classes(pd.DataFrame({"size": [1, 1, 2]}), "size").size.tolist() == [2, 1]


@pytest.mark.parametrize("k", [1, 2, 3, 50])
def test_suppression_leaves_k_anonymity_or_nothing(k):
    table = random_table(11)
    done = suppress(table, ["x", "y"], k)
    assert len(done.table) + done.lost == len(table) and done.lost == len(done.rows)
    assert done.lost_share == done.lost / len(table)
    assert not len(done.table) or k_anonymity(done.table, ["x", "y"]) >= k
    assert sorted({*done.table.index, *done.rows}) == list(range(len(table)))
    sizes = {i: len(group) for group in oracles.groups(rows_of(table), [0, 1]) for i in group}
    assert done.rows == tuple(i for i in range(len(table)) if sizes[i] < k)


numbers = st.lists(st.one_of(st.none(), st.integers(-50, 50), st.sampled_from([0.1, 0.3, 19.99, -0.5])), min_size=1)


@pytest.mark.long
@given(numbers, st.sampled_from([0.1, 0.25, 1, 7, 10, 100]))
def test_bands_of_one_width_hold_their_values(values, width):
    column = pd.Series(values, dtype=float)
    found = generalise(pd.DataFrame({"v": column}), "v", bands=width)["v"]
    assert (found.isna() == column.isna()).all()
    for value, word in zip(column.dropna(), found.dropna(), strict=True):
        low, high = limits(word)
        assert low < value <= high or np.isclose(value, [low, high], rtol=1e-12, atol=0).any()
        assert high - low == pytest.approx(width)
    assert list(found.cat.categories) == sorted(found.cat.categories, key=limits)


def limits(word):
    if word.startswith("<="):
        return -np.inf, float(word[2:])
    return (float(word[1:]), np.inf) if word[0] == ">" else tuple(float(part) for part in word[1:-1].split(","))


@pytest.mark.long
@given(numbers, st.lists(st.integers(-40, 40), min_size=1, max_size=5, unique=True).map(sorted))
def test_bands_between_edges_hold_their_values(values, edges):
    column = pd.Series(values, dtype=float)
    found = generalise(pd.DataFrame({"v": column}), "v", bands=edges)["v"]
    for value, word in zip(column.dropna(), found.dropna(), strict=True):
        low, high = limits(word)
        assert low < value <= high
    assert found.cat.ordered and set(found.cat.categories) == set(found.dropna())


def test_the_ages_of_the_running_example():
    ages = generalise(example_table("t1"), "age", bands=[20])["age"].tolist()
    assert ages == [">20", ">20", "<=20", "<=20", "<=20", ">20"]


def test_missing_values_stay_missing_and_columns_keep_their_index():
    table = pd.DataFrame({"p": ["a", None, "b"], "v": [1, None, 3]}, index=[5, 7, 5])
    done = generalise(generalise(table, "p", hierarchy={"a": "x", "b": "x"}), "v", bands=2)
    assert done["p"].isna().tolist() == done["v"].isna().tolist() == [False, True, False]
    assert done.index.tolist() == [5, 7, 5] and table["p"].tolist()[0] == "a"
    whole = pd.DataFrame({"v": pd.array([1, None], "Int64")})
    assert generalise(whole, "v", bands=2)["v"].isna().tolist() == [False, True]


def test_levels_of_a_hierarchy():
    tree = {"a": "ab", "b": "ab", "ab": "all", "c": "all"}
    table = pd.DataFrame({"p": ["a", "c", "ab", "all"]})
    assert generalise(table, "p", hierarchy=tree)["p"].tolist() == ["ab", "all", "all", "all"]
    assert generalise(table, "p", hierarchy=tree, level=2)["p"].tolist() == ["all"] * 4
    pairs = pd.DataFrame({"p": pd.Series([("x", 1), ("x", 2)], dtype=object)})
    assert generalise(pairs, "p", hierarchy={("x", 1): ("x", 0), ("x", 2): ("x", 0)})["p"].tolist() == [("x", 0)] * 2


def test_hierarchies():
    tree = Hierarchy({"a": "ab", "b": "ab", "ab": "all", "c": "all"})
    assert [tree.height(node) for node in ("a", "ab", "c", "all")] == [0, 1, 0, 2]
    assert [tree.at_height("c", h) for h in (0, 1, 2)] == ["c", "c", "all"]
    assert tree.related("a", "all") and tree.related("ab", "b") and not tree.related("a", "b")
    assert "ab" in tree and "z" not in tree and tree.roots == ("all",)


def test_bands_of_decimals_hold_their_upper_edge_on_both_sides_of_zero():
    """-3 * 0.1 is below -0.3 in floating point: -0.3 was in the band above its own."""
    held = pd.DataFrame({"x": [-0.3, -0.15, 0.3, 0.35, 0.0]})
    words = generalise(held, "x", bands=0.1)["x"].tolist()
    assert words == ["(-0.4, -0.3]", "(-0.2, -0.1]", "(0.2, 0.3]", "(0.3, 0.4]", "(-0.1, 0]"]
    assert generalise(held, "x", bands=0.05)["x"].tolist()[1] == "(-0.2, -0.15]"
