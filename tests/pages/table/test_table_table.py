"""The part on a table: measures beside the functions on data frames, each attack, what is said, and what is refused."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.anonymity import ATTACKS, DISCLOSURES, k_anonymity, l_diversity, t_closeness
from lmdk_widgets.anonymity.facts import Findings, Prevention
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.table import TableChoices, describe, evaluate, read_table
from lmdk_widgets.pages.table.levels import coarser, titles
from lmdk_widgets.pages.table.published import measures_table
from lmdk_widgets.pages.table.release import Publishing, publish
from lmdk_widgets.pages.table.scenes import Scene, play, steps
from lmdk_widgets.pages.table.session import OTHERS_LINK, TableSession
from lmdk_widgets.pages.table.table import Table, example

HALVES = (4, 2)
"""Ages up to 20 and above, the city."""
NAMES = ("Donald", "Daisy", "Huey", "Dewey", "Louie", "Quackmore")


def frame_of(table: Table, publishing: Publishing) -> pd.DataFrame:
    """The release as a data frame, written here once more."""
    found = {}
    for k in (*publishing.quasi, publishing.sensitive):
        held = coarser(table, k, publishing.level(k) if k in publishing.quasi else 0)
        found[table.heads[k]] = [None if code >= len(held.values) else held.values[code] for code in held.code]
    frame = pd.DataFrame(found, dtype=object)
    known = [table.heads[k] for k in publishing.quasi]
    sizes = frame.groupby(known, dropna=False)[known[0]].transform("size")
    return frame[(sizes >= publishing.least).to_numpy()]


def test_the_running_example():
    found = evaluate(TableChoices(levels=HALVES)).shown.measures
    assert (found.k, found.distinct, found.entropy, found.recursive, found.closeness) == (3, 3, 3, 3, 0.5)
    assert evaluate(TableChoices(levels=HALVES, recursive_c=1.0)).shown.measures.recursive == 2  # (c, 3) only if c > 1
    assert (
        evaluate(TableChoices(levels=HALVES, recursive_c=0.5)).shown.measures.recursive == 1
    )  # (c, 2) only if c > 1/2
    for table in ("t1", "t2"):
        assert evaluate(TableChoices(table=table)).shown.measures.k == 1
    text = describe(evaluate(TableChoices(levels=HALVES)))
    assert "6 people form 2 classes" in text.paragraph and "k = 3" in text.paragraph and "t = 0.50" in text.paragraph
    assert "one of at least 3 that look alike" in text.assumption and "differentially private" in text.assumption
    assert not text.warnings


def test_salaries_in_their_order():
    rows = "".join(f"{group},{pay}\n" for group, pay in zip("aaabbbccc", (3, 4, 5, 6, 8, 11, 7, 9, 10), strict=True))
    table = read_table(b"group,salary\n" + rows.encode(), "pay.csv")
    found = publish(table, Publishing((0,), 1, ())).measures(2.0)
    assert found.ordered == pytest.approx(0.375)


@pytest.mark.parametrize("seed", range(12))
def test_measures_beside_those_of_data_frames(seed):
    rng = np.random.RandomState(seed)
    lines = ["age,job,ill"]
    for _ in range(60):
        cells = [rng.randint(15, 80), rng.choice(["x", "y", "z"]), rng.choice(["flu", "cold", "ulcer", "none", ""])]
        lines.append(",".join("" if rng.rand() < 0.05 else str(cell) for cell in cells))
    table = read_table("\n".join(lines).encode(), "random.csv")
    publishing = Publishing((0, 1), 2, (rng.randint(0, 6), rng.randint(0, 2)), int(rng.randint(1, 4)))
    found, frame = publish(table, publishing).measures(1.5), frame_of(table, publishing)
    if not len(frame):
        assert found is None
        return
    known = ["age", "job"]
    assert found.k == k_anonymity(frame, known)
    assert found.distinct == l_diversity(frame, known, "ill")
    assert found.entropy == pytest.approx(l_diversity(frame, known, "ill", kind="entropy"))
    assert found.recursive == l_diversity(frame, known, "ill", kind="recursive", c=1.5)
    assert found.closeness == pytest.approx(t_closeness(frame, known, "ill"))


def test_the_levels_of_columns():
    adults = example("adults")
    for k, head in enumerate(adults.heads):
        levels = titles(adults, k)
        counts = [len(coarser(adults, k, level).values) for level in range(len(levels))]
        assert counts == sorted(counts, reverse=True) and counts[-1] == 1, head
    assert titles(adults, 0)[1:5] == ("bands of 5", "bands of 10", "bands of 20", "up to 40, and above")
    wide = read_table(b"pay,x\n10000,a\n52000,b\n31000,a\n", "pay.csv")
    assert titles(wide, 0)[1:4] == ("bands of 5000", "bands of 10000", "bands of 20000")
    with pytest.raises(InputError, match="The level of age must be"):
        coarser(adults, 0, 6)


@pytest.mark.parametrize(
    ("cells", "width", "edge", "halves"),
    [
        ((-1.2, -1.2, -3.2), "0.05", "-1.2", [0, 0, 0]),  # as floats, -6 times 0.2 is below -1.2
        (
            (0.7, 0.7, 2.7),
            "0.05",
            "0.8",
            [0, 0, 1],
        ),  # halfway, the even multiple: as floats, 0.7 is below 3.5 times 0.2
        ((-1.16, -1.14), "0.0005", "-1.15", [0, 1]),  # as floats, more than 0.02 apart
    ],
)
def test_halves_meet_where_the_decimals_say(cells, width, edge, halves):
    table = read_table("\n".join(["x,y", *(f"{cell},a" for cell in cells)]).encode(), "decimals.csv")
    found = coarser(table, 0, 4)
    assert titles(table, 0)[1] == f"bands of {width}" and titles(table, 0)[4] == f"up to {edge}, and above"
    assert [found.values[code] == f">{edge}" for code in found.code] == halves


@pytest.mark.parametrize(
    ("name", "choices", "hit", "chance"),
    [
        ("homogeneity", {}, range(6), (1 / 6, 1)),
        ("skewness", {}, range(6), (1 / 6, 1)),
        ("similarity", {"table": "t2", "levels": (2, 2)}, (2, 3), (2 / 3, 1)),
        ("unsorted matching", {"levels": HALVES}, (0, 4), (1 / 2, 1)),
        ("join", {"levels": HALVES}, (0, 4), (1 / 2, 1)),
        ("tuple correspondence", {"levels": HALVES}, range(6), (1 / 3, 1)),
        ("unknown releases", {"levels": HALVES}, (0, 4), (1 / 2, 1)),
        ("presence", {}, range(6), (1 / 2, 1)),
        ("identity", {}, range(6), (1 / 6, 1)),
        ("attribute", {}, range(6), (1 / 6, 1)),
    ],
)
def test_each_attack_hits_the_running_example(name, choices, hit, chance):
    outcome = evaluate(TableChoices(attack=name, **choices))
    scene = outcome.shown.scene
    assert {scene.rows[row] for row in scene.found.rows} == set(hit)
    assert (scene.found.hits[0].before, scene.found.hits[0].after) == pytest.approx(chance)
    assert not scene.found.prevention.met
    told = steps(outcome.shown.table, scene)
    assert [step.title for step in told] == [
        "What the attacker knew",
        "What follows",
        "Whom it hits",
        "What would have prevented it",
    ]
    assert f"{len(set(hit))} of 6 people: {NAMES[next(iter(hit))]}" in told[2].text and told[2].rows == tuple(hit)
    assert told[3].text.endswith("it is not met.")


def test_equivalence_says_who_is_known_with_whom():
    outcome = evaluate(TableChoices(levels=HALVES, attack="tuple equivalence"))
    told = steps(outcome.shown.table, outcome.shown.scene)
    assert "Donald leaves, someone new comes" in told[0].text
    assert "Donald and someone new are known to be equal: that chance goes from 33 % to 100 %." in told[1].text
    assert told[2].text == "2 of 4 people: Donald and someone new."


def test_correlated_answers_pass_the_bound_of_one():
    outcome = evaluate(TableChoices(attack="data correlation"))
    found = outcome.shown.scene.correlation
    assert (found.after_own[0], found.after_both[0]) == pytest.approx((0.75, 6 / 7))
    told = steps(outcome.shown.table, outcome.shown.scene)
    assert "from 50 % to 75 % by his own answer, and to 86 % (6/7)" in told[1].text and "up to 6.50" in told[2].text


@pytest.mark.parametrize("name", ["homogeneity", "skewness", "presence", "identity", "attribute"])
def test_coarser_columns_prevent_what_they_can(name):
    outcome = evaluate(TableChoices(levels=HALVES, attack=name))
    told = steps(outcome.shown.table, outcome.shown.scene)
    assert "Here nobody is hit." in told[1].text and told[2].text == "None of 6 people."
    assert told[3].text.endswith("it is met.")


@pytest.mark.parametrize("name", [*ATTACKS, *DISCLOSURES])
@pytest.mark.parametrize("levels", [(3, 0, 1), (0, 0, 0), (5, 0, 2)])
def test_every_attack_plays_on_the_adults(name, levels):
    table = example("adults")
    told = steps(table, play(table, Publishing(table.quasi, table.sensitive, levels, 3), name))
    assert all(step.text.endswith(".") for step in told) and len(told) in (2, 4)


def test_attacks_that_need_more_say_what():
    one = evaluate(TableChoices(quasi=(0,), attack="join")).shown
    assert "choose two or more quasi-identifiers" in steps(one.table, one.scene)[1].text
    words = read_table(b"a,b\nx,red\ny,blue\n", "w.csv")
    assert "does not know what these words mean" in play(words, Publishing((0,), 1, ()), "similarity").why_not
    nobody = evaluate(TableChoices(least=2, levels=(0,), attack="identity")).shown
    assert "Nobody is left" in steps(nobody.table, nobody.scene)[1].text
    alone = evaluate(TableChoices(attack="tuple equivalence")).shown
    assert "there is none" in steps(alone.table, alone.scene)[1].text


BAD = [
    (b"a,b\n1,2\n3\n4,5,6\n", "Each row must have 2 cells", [(3, "one cell"), (4, "3 cells")]),
    (b"a,a\n1,2\n", "Each column must have its own name", []),
    (b"a,b\n", "at least one row", []),
    (b"", "at least one row", []),
    (b"a\n1\n", "between 2 and 60 columns", []),
    (b"\n".join([b",".join(b"c%d" % k for k in range(2000)), b",".join([b"1"] * 2000)]), "got 2,000", []),
    (b"a,b\n" + b"1,2\n" * 200_001, "at most 200,000 rows", []),
    (b"\x00\x01\x02,a\n", "must be a CSV file", []),
    (b'a,b\n1,"' + b"x" * 200_000, "must be a CSV file", []),
    (b" " * (65 << 20), "at most 64 MB", []),
]


@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.parametrize(("data", "said", "rows"), BAD)
def test_a_bad_file_gets_a_sentence_and_changes_nothing(data, said, rows):
    session = TableSession(TableChoices(levels=HALVES))
    before = session.outcome
    with pytest.raises(InputError, match=said) as refused:
        session.load(data, "bad.csv")
    assert session.outcome is before and list(refused.value.rows) == rows


def test_what_does_not_go_together_is_refused_and_the_state_stays():
    session = TableSession()
    before = session.outcome
    for operations, said in (
        ([{"op": "set", "name": "sensitive", "value": 0}], "must not be a quasi-identifier; got age"),
        ([{"op": "known", "column": 2, "on": True}], "must not be a quasi-identifier; got status"),
        ([{"op": "known", "column": k, "on": False} for k in (0, 1)], "At least one column"),
        ([{"op": "set", "name": "sensitive", "value": 9}], "Columns must be among the 3"),
        ([{"op": "level", "column": 0, "value": 7}], "The level of age must be"),
        ([{"op": "level", "column": 5, "value": 0}], "Column must be"),
        ([{"op": "set", "name": "table", "value": "own"}], "must be uploaded first"),
    ):
        with pytest.raises(InputError, match=said):
            session.apply(operations, commit=True)
        assert session.outcome is before


def test_missing_values_are_a_class_of_their_own_and_one_class_is_said():
    session = TableSession()
    session.load(b"age,ill\n30,flu\n,cold\n?,\n30,flu\n", "mine.csv")
    warnings = " ".join(describe(session.outcome).warnings)
    assert "2 people lack a value of age" in warnings and "no value of ill" in warnings
    assert session.outcome.shown.measures.k == 2
    session.apply([{"op": "level", "column": 0, "value": 5}], commit=True)
    assert "There is one class" in " ".join(describe(session.outcome).warnings)


def test_nothing_of_a_table_of_ones_own_is_in_a_link():
    session = TableSession()
    session.load(b"secretname,othername,ill\nzwerg,5,flu\nriese,6,cold\n", "mine.csv")
    session.apply([{"op": "known", "column": 1, "on": True}, {"op": "level", "column": 1, "value": 2}], commit=True)
    link = session.link
    assert link.query == "page=table&v=3&table=own" and link.left_out == ("your table",)
    assert "table='mine.csv'" in session.python() and "secretname" not in session.python()
    fresh = TableSession()
    assert fresh.open_link("page=table&table=own&levels=[2,2]&least=3") == OTHERS_LINK
    assert fresh.choices == TableChoices(least=3)


@pytest.mark.long
def test_no_attack_brings_pandas_into_the_kernel():
    """It would take 28 MB of each."""
    code = (
        "import sys; from lmdk_widgets import FoundationsLab; from lmdk_widgets.pages.table import TableChoices;"
        "from lmdk_widgets.anonymity import ATTACKS, DISCLOSURES; lab = FoundationsLab(TableChoices(table='adults'))\n"
        "for name in (*ATTACKS, *DISCLOSURES): lab.choices = lab.choices.with_changes(attack=name)\n"
        "print('pandas' in sys.modules)"
    )
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert seen.split() == ["False"]


def test_skewness_of_one_in_a_hundred_is_said_as_share_and_odds():
    rows = ["a,yes", "a,no", *["b,no"] * 98]
    table = read_table("\n".join(["group,ill", *rows]).encode(), "ill.csv")
    scene = play(table, Publishing((0,), 1, ()), "skewness")
    told = steps(table, scene)
    assert "from 1 % to 50 %. The share grows 50 times, the odds 99 times." in told[1].text
    assert "t-closeness is 0.49 and must be at most 0.01" in told[3].text


@pytest.mark.parametrize("seed", range(8))
def test_every_attack_says_something_of_tables_with_missing_values(seed):
    rng = np.random.RandomState(seed)
    lines = ["age,job,score,ill"]
    for _ in range(1 if seed == 0 else rng.randint(2, 70)):
        age = rng.randint(0, 100) if rng.rand() > 0.2 else ""
        lines.append(f"{age},{rng.choice(['x', 'y', ''])},{rng.rand():.2f},{rng.choice(['flu', 'cold', '', '3'])}")
    table = read_table("\n".join(lines).encode(), "random.csv")
    for levels in ((0, 0, 0), (4, 0, 2), (5, 1, 0)):
        for quasi, sensitive in (((0, 1), 3), ((0, 1), 2), ((2, 0, 1), 3)):
            publishing = Publishing(quasi, sensitive, levels, 1 + seed % 3)
            for name in (*ATTACKS, *DISCLOSURES):
                assert all(step.text.endswith(".") for step in steps(table, play(table, publishing, name)))


def test_lines_may_end_as_on_any_system():
    for end in ("\n", "\r\n", "\r"):
        table = read_table(end.join(["age;ill", "30;flu", "", "40;cold"]).encode(), "t.csv")
        assert table.columns == ((30, 40), ("flu", "cold"))


def test_diversity_is_rounded_down_and_closeness_up():
    """Said are guarantees: 1.8899 values are not 1.89 of them, and a class 0.0952 away is not within 0.095."""
    table = read_table(b"g,ill\n" + b"a,x\n" * 2 + b"a,y\n" + b"b,x\n" * 2 + b"b,y\n" * 2, "t.csv")
    outcome = evaluate(TableChoices(table="own", recursive_c=1.234), table)
    assert "by entropy l = 1.88, and it is recursively (1.234, 1)-diverse. t = 0.096:" in describe(outcome).paragraph
    assert [row[1] for row in measures_table(outcome.choices, outcome.shown).texts()][2:5:2] == [
        "l = 1.88",
        "t = 0.096",
    ]


def test_numbers_of_many_digits_are_said_whole():
    lines = "\n".join(f"{12_345_640 + 3 * k},{'xy'[k % 2]}" for k in range(30))
    table = read_table(f"number,ill\n{lines}".encode(), "t.csv")
    assert titles(table, 0)[-2] == "up to 12345680, and above"
    assert set(table.meaning(0).values()) == {"up to 12345682", "above 12345682"}


def test_a_limit_and_what_is_found_show_whether_it_is_met():
    """0.2005 and 0.2 were both said to be 0.20, and that it is not met."""
    prevention = Prevention("t-closeness", 0.2005, 0.2, at_least=False)
    found = Findings(("a",), 1, (), prevention)
    told = steps(example("t1"), Scene("skewness", (0,), found=found))
    assert told[3].text.endswith("Here t-closeness is 0.201 and must be at most 0.20: it is not met.")


def test_one_person_is_spoken_of_as_one():
    table = read_table(b"age,ill\n30,flu\n,cold\n30,flu\n", "t.csv")
    outcome = evaluate(TableChoices(table="own"), table)
    assert "One person lacks a value of age" in " ".join(describe(outcome).warnings)
    assert (
        "One person (33 %) is left out."
        in describe(evaluate(TableChoices(table="own", least=2, levels=(0,)), table)).paragraph
    )


def test_what_is_nearly_certain_is_not_said_to_be():
    lines = "\n".join(f"a,{'yes' if k else 'no'}" for k in range(300))
    table = read_table(f"group,ill\n{lines}\nb,no".encode(), "t.csv")
    told = steps(table, play(table, Publishing((0,), 1, ()), "attribute"))
    assert "has “yes” goes from 99 % to more than 99 %." in told[1].text


def test_people_with_a_missing_value_are_counted_in_the_largest_class_too():
    table = read_table(b"age,pay\n" + b"NA,1\n" * 4 + b"30,2\n" * 2 + b",3\n", "ages.csv")
    assert publish(table, Publishing((0,), 1, ())).missing == 5
    assert publish(table, Publishing((0,), 1, (), least=3)).missing == 5
    assert publish(table, Publishing((0,), 1, (), least=6)).missing == 0
