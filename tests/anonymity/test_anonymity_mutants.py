"""Deliberate bugs in the measures, each of which the comparison with the loops must find."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.anonymity import coding, measures
from lmdk_widgets.anonymity.coding import Column
from tests.anonymity import table_oracles as oracles
from tests.anonymity.test_anonymity_measures import TREE, random_table, rows_of

ORDER = list("ecabd")


def compare(seeds=range(20)):
    for seed in seeds:
        table = random_table(seed, missing=seed % 2 == 1)
        rows, names = rows_of(table), ["x", "y"]
        assert measures.k_anonymity(table, names) == oracles.k(rows, [0, 1])
        found = [measures.l_diversity(table, names, "s", kind=kind) for kind in ("distinct", "entropy")]
        assert found[0] == oracles.distinct_l(rows, [0, 1], 3)
        assert found[1] == pytest.approx(oracles.entropy_l(rows, [0, 1], 3), rel=1e-9)
        for c in (0.5, 1.0, 1.7):  # of large classes, as small ones are hardly ever recursively diverse
            found_l = measures.l_diversity(table, "x", "s", kind="recursive", c=c)
            assert found_l == oracles.recursive_l(rows, [0], 3, c)
        domain = list(dict.fromkeys(row[3] for row in rows))
        slow = oracles.closeness(rows, [0, 1], 3, domain, oracles.equal_distances(len(domain)))
        assert measures.t_closeness(table, names, "s") == pytest.approx(slow, abs=1e-9)
        if seed % 2 == 0:  # no missing values
            fast = measures.t_closeness(table, names, "s", distance="ordered", order=ORDER)
            slow = oracles.closeness(rows, [0, 1], 3, ORDER, oracles.ordered_distances(5))
            assert fast == pytest.approx(slow, abs=1e-9)
            fast = measures.t_closeness(table, names, "s", distance="hierarchical", hierarchy=TREE)
            slow = oracles.closeness(rows, [0, 1], 3, list("abcde"), oracles.tree_distances(list("abcde"), TREE))
            assert fast == pytest.approx(slow, abs=1e-9)


def entropy_of_the_whole_table(counts):
    share = counts.overall[counts.overall > 0]
    return np.array([np.exp(-(share * np.log(share)).sum())])


def least_frequent_first(counts, c):
    order = np.lexsort((counts.times, counts.group))
    times = counts.times[order]
    reached = np.cumsum(times) - times
    rest = counts.size[counts.group] - (reached - reached[counts.start][counts.group])
    return np.maximum(counts.sums(times[counts.start][counts.group] < c * rest), 1).astype(float)


RIGHT = {
    name: getattr(measures, name)
    for name in ("recursive_l", "equal_distance", "ordered_distance", "_levels", "grouped")
}

MUTANTS = {
    "the entropy of the whole table": (measures, "entropy_l", entropy_of_the_whole_table),
    "counts sorted the wrong way round": (measures, "recursive_l", least_frequent_first),
    "not strictly less": (measures, "recursive_l", lambda counts, c: RIGHT["recursive_l"](counts, c * (1 + 1e-9))),
    "no half": (measures, "equal_distance", lambda counts: 2 * RIGHT["equal_distance"](counts)),
    "m for m - 1": (measures, "ordered_distance", lambda c: RIGHT["ordered_distance"](c) * (1 - 1 / len(c.total))),
    "a level too few": (measures, "_levels", lambda *given: RIGHT["_levels"](*given)[:-1]),
    "a column forgotten": (measures, "grouped", lambda table, names: RIGHT["grouped"](table, names[:-1])),
    "missing values are the first value": (
        coding,
        "_with_missing",
        lambda code, values: Column(np.where(code < 0, 0, code), values, False),
    ),
}


@pytest.mark.long
def test_the_comparison_accepts_what_is_right():
    compare()


@pytest.mark.parametrize("name", MUTANTS)
def test_the_comparison_finds(name, monkeypatch):
    monkeypatch.setattr(*MUTANTS[name])
    with pytest.raises((AssertionError, IndexError)):
        compare()
