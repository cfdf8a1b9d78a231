"""Bad input of the measures and operations: a sentence each, without a value from the table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.anonymity import (
    CITY,
    classes,
    example_table,
    generalise,
    k_anonymity,
    l_diversity,
    suppress,
    t_closeness,
)
from lmdk_widgets.errors import InputError

T = pd.DataFrame({"age": [30, 30, 41], "place": list("xyx"), "ill": ["flu", "ulcer", "flu"], "pay": [1.0, 2.0, 3.0]})
TWICE = pd.DataFrame([[1, 2, 3]], columns=["age", "age", "ill"])
LISTS = pd.DataFrame({"age": [[1], [2]], "ill": ["a", "b"]})
LACKS = pd.DataFrame({"age": [1, 1], "ill": [1.0, None]})
ORDERED = {"distance": "ordered"}
TREE = {"flu": "lung", "ulcer": "stomach", "lung": "any", "stomach": "any"}

CASES = [
    (lambda: k_anonymity([[1]], ["age"]), "Table must be a pandas DataFrame; got a list."),
    (lambda: k_anonymity(T.iloc[:0], ["age"]), "Table must be a table with at least one row; got no rows."),
    (
        lambda: k_anonymity(T, ["job"]),
        'Quasi_identifiers must be a column of the table, "age", "place", "ill" or "pay"; got job.',
    ),
    (lambda: k_anonymity(T, "job"), "got job."),
    (lambda: k_anonymity(T, []), "Quasi_identifiers must be at least one column of the table; got none."),
    (lambda: k_anonymity(T, ["age", "age"]), "Quasi_identifiers must name each column once; got age twice."),
    (lambda: k_anonymity(T, 7), "must be a column of the table"),
    (lambda: k_anonymity(T, None), "must be a column of the table"),
    (lambda: k_anonymity(T, [["age"]]), "must be a column of the table"),
    (lambda: k_anonymity(TWICE, ["age"]), "Quasi_identifiers must name one column; got 2 columns called age."),
    (lambda: k_anonymity(LISTS, ["age"]), "Column age must contain single values, such as words and numbers"),
    (lambda: classes(T, ["job"]), "Quasi_identifiers must be a column"),
    (lambda: l_diversity(T, ["age"], "job"), "Sensitive must be a column of the table"),
    (lambda: l_diversity(T, ["age", "ill"], "ill"), "Sensitive must not be one of the quasi-identifiers; got ill."),
    (
        lambda: l_diversity(T, ["age"], "ill", kind="most"),
        'Kind must be "distinct", "entropy" or "recursive"; got most.',
    ),
    (lambda: l_diversity(T, ["age"], "ill", kind="recursive"), 'C of kind="recursive" must be a finite number above 0'),
    (lambda: l_diversity(T, ["age"], "ill", kind="recursive", c=-1), "above 0; got -1."),
    (lambda: l_diversity(T, ["age"], "ill", c=2), 'C must be None, as only kind="recursive" has one; got 2.'),
    (lambda: t_closeness(T, ["age"], "ill", distance="far"), 'Distance must be "equal", "ordered" or "hierarchical"'),
    (lambda: t_closeness(T, ["age"], "ill", order=["flu"]), 'Order must be None, as only distance="ordered" has one'),
    (lambda: t_closeness(T, ["age"], "ill", hierarchy=TREE), 'Hierarchy must be None, as only distance="hierarchical"'),
    (lambda: t_closeness(T, ["age"], "ill", **ORDERED), "Words have no natural order"),
    (lambda: t_closeness(T, ["age"], "ill", order=["flu"], **ORDERED), "Order must contain every value"),
    (
        lambda: t_closeness(T, ["age"], "ill", order=["flu", "flu", "ulcer"], **ORDERED),
        "Order must contain each value once",
    ),
    (lambda: t_closeness(T, ["age"], "ill", order="xyz", **ORDERED), "Order must be a list of all values"),
    (lambda: t_closeness(LACKS, ["age"], "ill", **ORDERED), "Sensitive must have no missing values"),
    (lambda: t_closeness(T, ["age"], "ill", distance="hierarchical"), "Hierarchy must be a mapping"),
    (lambda: t_closeness(T, ["age"], "ill", distance="hierarchical", hierarchy={}), "got an empty mapping"),
    (
        lambda: t_closeness(T, ["age"], "ill", distance="hierarchical", hierarchy={"flu": "lung", "ulcer": "stomach"}),
        "Hierarchy must be a tree with one category at the top; got 2 at the top.",
    ),
    (
        lambda: t_closeness(T, ["age"], "ill", distance="hierarchical", hierarchy={"flu": "lung"}),
        "Hierarchy must contain every value of the sensitive column, at its lowest level; got 1 other value.",
    ),
    (
        lambda: t_closeness(T, ["age"], "ill", distance="hierarchical", hierarchy={"flu": "ulcer", "ulcer": "flu"}),
        "Hierarchy must not contain a cycle; got a category above itself.",
    ),
    (lambda: suppress(T, ["age"], 0), "K must be a whole number, 1 or more; got 0."),
    (lambda: suppress(T, ["age"], 2.5), "K must be a whole number"),
    (lambda: generalise(T, "age"), "Generalise must be given either bands"),
    (lambda: generalise(T, "age", bands=5, hierarchy=TREE), "got both."),
    (lambda: generalise(T, "job", bands=5), "Column must be a column of the table"),
    (lambda: generalise(T, "place", bands=5), "Column must be a column of numbers for bands; got place"),
    (lambda: generalise(T, "age", bands=0), "Bands must be a finite number above 0; got 0."),
    (lambda: generalise(T, "age", bands=[3, 3]), "The edges in bands must increase"),
    (lambda: generalise(T, "age", bands=[]), "Bands must contain at least one number"),
    (lambda: generalise(T, "age", bands=1e-9), "Bands must be wide enough"),
    (lambda: generalise(T.assign(pay=np.inf), "pay", bands=1), "a column of finite numbers"),
    (
        lambda: generalise(T, "place", hierarchy=CITY),
        "Hierarchy must contain every value of column place; got 2 other values.",
    ),
    (lambda: generalise(T, "ill", hierarchy=TREE, level=0), "Level must be a whole number, 1 or more; got 0."),
    (lambda: example_table("t3"), 'The name of an example table must be "t1", "t2" or "adults"; got t3.'),
]


@pytest.mark.parametrize(("call", "said"), CASES, ids=range(len(CASES)))
def test_refused_in_a_sentence(call, said):
    with pytest.raises(InputError) as caught:
        call()
    assert said in caught.value.sentence
    assert not {"ulcer", "flu", "41"} & set(caught.value.sentence.replace(".", " ").split())
