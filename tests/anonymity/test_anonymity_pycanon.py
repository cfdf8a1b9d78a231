"""What pycanon 1.3.6 says of the same tables: recorded, and asked again where it is installed.

pycanon asks for versions of numpy, pandas and scipy of its own, so no environment of this project can have it as it is:
`pip install --no-deps pycanon` works. Its entropy l is floored; its recursive measure sorts the counts the wrong way round
and is not compared. Rows with missing quasi-identifiers it leaves out, so there are none here.
"""

from __future__ import annotations

import math

import pytest

from lmdk_widgets.anonymity import example_table, generalise, k_anonymity, l_diversity, t_closeness

RECORDED = [
    (("age", "sex"), "occupation", 192, 10, 6, 0.2821900749063671),
    (("age", "sex"), "hours", 192, 34, 7, 0.1464559060789398),
    (("age", "sex", "education"), "income", 1, 1, 1, 0.74325),
    (("sex", "workclass", "marital_status"), "occupation", 1, 1, 1, 0.8624999999999999),
]
"""Quasi-identifiers, sensitive column, k, distinct l, entropy l floored, t (ordered for the numbers of hours)."""


def adults():
    table = example_table("adults").rename(columns={"hours_per_week": "hours"})
    table["age"] = generalise(table, "age", bands=[25, 35, 45, 55])["age"].astype(str)
    return table


@pytest.mark.parametrize(("known", "sensitive", "k", "l", "entropy", "t"), RECORDED)
def test_recorded(known, sensitive, k, l, entropy, t):
    table, distance = adults(), "ordered" if sensitive == "hours" else "equal"
    assert k_anonymity(table, known) == k and l_diversity(table, known, sensitive) == l
    assert math.floor(l_diversity(table, known, sensitive, kind="entropy")) == entropy
    assert t_closeness(table, known, sensitive, distance=distance) == pytest.approx(t, abs=1e-12)


@pytest.mark.parametrize(("known", "sensitive", "k", "l", "entropy", "t"), RECORDED)
def test_asked_again(known, sensitive, k, l, entropy, t):
    pycanon = pytest.importorskip("pycanon.anonymity", reason="pycanon needs pip install --no-deps; see above")
    table, names = adults(), list(known)
    assert (pycanon.k_anonymity(table, names), pycanon.l_diversity(table, names, [sensitive])) == (k, l)
    assert pycanon.entropy_l_diversity(table, names, [sensitive]) == entropy
    assert pycanon.t_closeness(table, names, [sensitive]) == pytest.approx(t)
