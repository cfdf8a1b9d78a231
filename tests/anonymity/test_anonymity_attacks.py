"""The attacks on the running example and on tables as small, each beside a slow search; and the catalogue."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.anonymity import ATTACKS, CITY, DISCLOSURES, example_table, generalise, k_anonymity, l_diversity
from lmdk_widgets.anonymity.correlation import data_correlation, joint_shares
from lmdk_widgets.anonymity.one_release import attribute, homogeneity, identity, presence, similarity, skewness
from lmdk_widgets.anonymity.several_releases import (
    join,
    tuple_correspondence,
    tuple_equivalence,
    unknown_releases,
    unsorted_matching,
)
from lmdk_widgets.anonymity.worlds import known, partners, worlds
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import TWO_COINS, randomized_response_channel
from tests.anonymity import table_oracles as oracles
from tests.anonymity.test_anonymity_measures import random_table, rows_of
from tests.sweeps import size

DONALD, DAISY, HUEY, DEWEY, LOUIE, QUACKMORE = range(6)
T1 = example_table("t1")
BY_AGE = generalise(generalise(T1, "age", bands=[20]), "location", hierarchy=CITY)
SIDES = {place: "centre" for place in ("Montmartre", "Belleville", "Opéra")} | {
    "Le Marais": "edge",
    "Latin Quarter": "edge",
}
BY_PLACE = generalise(T1, "location", hierarchy=SIDES)


def test_homogeneity_on_the_running_example():
    assert not homogeneity(BY_AGE, ["age", "location"], "status").hits
    running = BY_AGE.assign(status=["at work", "driving", "running", "running", "running", "dining"])
    found = homogeneity(running, ["age", "location"], "status")
    assert found.rows == (HUEY, DEWEY, LOUIE) and found.known == ("age", "location") and found.people == 6
    assert {(hit.value, hit.before, hit.after, hit.column) for hit in found.hits} == {("running", 0.5, 1.0, "status")}
    assert all(hit.candidates == (HUEY, DEWEY, LOUIE) for hit in found.hits)
    assert (found.prevention.found, found.prevention.needed, found.prevention.met) == (1.0, 2.0, False)


@pytest.mark.parametrize("seed", range(25))
def test_homogeneity_beside_a_loop(seed):
    table = random_table(seed, missing=seed % 2 == 1)
    rows = rows_of(table)
    slow = {i for g in oracles.groups(rows, [0, 1]) if len({rows[j][3] for j in g}) == 1 for i in g}
    found = homogeneity(table, ["x", "y"], "s")
    assert set(found.rows) == slow and found.prevention.found == l_diversity(table, ["x", "y"], "s")
    assert found.prevention.met == (not slow)


def test_skewness_of_one_in_a_hundred():
    table = pd.DataFrame({"group": [0] * 2 + [1] * 98, "ill": ["yes"] + ["no"] * 99})
    found = skewness(table, ["group"], "ill")
    assert found.rows == (0, 1) and {hit.value for hit in found.hits} == {"yes"}
    hit = found.hits[0]
    assert (hit.before, hit.after) == pytest.approx((0.01, 0.5))
    assert hit.gain == pytest.approx(50)  # the share; the odds grow by 99
    assert hit.odds_factor == pytest.approx(99)
    assert found.prevention.found == pytest.approx(0.49) and found.prevention.needed == pytest.approx(0.01)
    assert not found.prevention.met and not skewness(table, ["group"], "ill", factor=50).hits
    assert not skewness(table, ["group"], "ill", value="no").hits
    assert not skewness(table, ["group"], "ill", value="maybe").hits


@pytest.mark.parametrize("seed", range(25))
def test_skewness_beside_a_loop(seed):
    table, factor = random_table(seed), 1.5
    rows = rows_of(table)
    share = {v: sum(r[3] == v for r in rows) / len(rows) for v in "abcde"}
    slow = set()
    for group in oracles.groups(rows, [0, 1]):
        inside = [rows[i][3] for i in group]
        if any(inside.count(v) / len(inside) > factor * share[v] * (1 + 1e-9) for v in set(inside)):
            slow |= set(group)
    found = skewness(table, ["x", "y"], "s", factor=factor)
    assert set(found.rows) == slow and len(found.rows) == len(found.hits)
    assert not (found.prevention.met and found.hits)  # a t as needed rules the attack out


def test_similarity():
    table = pd.DataFrame(
        {"g": [0, 0, 0, 1, 1, 2, 2], "ill": ["ulcer", "gastritis", "ulcer", "flu", "ulcer", "flu", "flu"]}
    )
    meaning = {"ulcer": "stomach", "gastritis": "stomach", "flu": "lung"}
    found = similarity(table, ["g"], "ill", meaning)
    assert found.rows == (0, 1, 2)  # rows 5 and 6 have one value: homogeneity, which diversity sees
    assert (
        found.hits[0].value == "stomach" and found.hits[0].before == pytest.approx(4 / 7) and found.hits[0].after == 1
    )
    lacks = table.assign(ill=[None, None, "ulcer", "flu", "ulcer", "flu", "flu"])
    assert similarity(lacks, ["g"], "ill", meaning).rows == ()
    with pytest.raises(InputError, match="Meaning must contain every value"):
        similarity(table, ["g"], "ill", {"flu": "lung"})


def test_unsorted_matching_of_the_running_example():
    assert (k_anonymity(BY_AGE, ["age", "location"]), k_anonymity(BY_PLACE, ["location"])) == (3, 2)
    found = unsorted_matching(BY_AGE, BY_PLACE, ["age"], ["location"])
    assert found.rows == (DONALD, LOUIE)
    donald = found.hits[0]
    assert (donald.before, donald.after, donald.candidates) == (0.5, 1.0, (DONALD,))
    assert donald.candidates_before == (DONALD, DAISY, QUACKMORE)
    assert (found.prevention.found, found.prevention.needed) == (1.0, 2.0)


@pytest.mark.parametrize("seed", range(20))
def test_matching_and_joining_beside_a_loop(seed):
    one = random_table(seed)
    two = one.sample(frac=1, random_state=seed).reset_index(drop=True)
    rows, others = rows_of(one), rows_of(two)
    promised = min(oracles.k(rows, [0]), oracles.k(others, [1]))
    both = [(a[0], a[1]) for a in rows]
    slow = {i for i, pair in enumerate(both) if both.count(pair) < promised}
    assert set(unsorted_matching(one, one, ["x"], ["y"]).rows) == slow
    linked = {}
    for i, a in enumerate(rows):
        matches = [j for j, b in enumerate(others) if b[2:] == a[2:]]
        if len(matches) == 1 and sum(b[2:] == a[2:] for b in rows) == 1:
            linked[i] = others[matches[0]]
    slow = set()
    for i, theirs in linked.items():
        mine, found = [a for a in rows if a[0] == rows[i][0]], [b for b in others if b[1] == theirs[1]]
        left = sum(any(a[2:] == b[2:] for b in found) for a in mine)
        if min(left, sum(any(a[2:] == b[2:] for a in mine) for b in found)) < promised:
            slow.add(i)
    assert set(join(one, two, ["x"], ["y"], ["z", "s"]).rows) == slow


def test_a_join_needs_no_order():
    mixed = BY_PLACE.iloc[::-1].reset_index(drop=True)
    found = join(BY_AGE, mixed, ["age"], ["location"], ["status"])
    assert found.rows == (DONALD, LOUIE) and [hit.linked for hit in found.hits] == [(5,), (1,)]
    # the first is linked, and still the third may be in both classes, as someone with the value v is in each
    twice = pd.DataFrame({"g": ["a", "a", "a", "b", "b", "b"], "p": list("xyxyxy"), "s": list("uvvvww")})
    found = join(twice, twice.iloc[::-1].reset_index(drop=True), ["g"], ["p"], ["s"])
    assert [(hit.row, hit.before, hit.after, hit.linked) for hit in found.hits] == [(0, 1 / 3, 1 / 2, (5,))]
    assert not join(BY_AGE.assign(c=1), mixed.assign(c=1), ["age"], ["location"], ["c"]).hits  # nobody alone


@pytest.mark.parametrize("seed", range(60))
def test_partners_are_those_of_all_assignments(seed):
    rng = np.random.RandomState(seed)
    n = rng.randint(1, 6)
    m = n + rng.randint(0, 3)
    allowed = rng.random_sample((n, m)) < 0.45
    allowed[np.arange(n), rng.permutation(m)[:n]] = True
    assert (partners(allowed) == oracles.assignments(allowed)).all()


def test_tuple_correspondence():
    """Both releases are 3-anonymous. Of the later French only one was ill like someone of before: that is the victim."""
    earlier = pd.DataFrame({"born": ["EU"] * 3 + ["US"] * 3, "ill": ["flu", "flu", "cold", "flu", "cold", "cold"]})
    born = ["France", "Spain", "Spain", "Texas", "Texas", "Texas", "France", "France", "Spain"]
    later = pd.DataFrame({"born": born, "ill": [*earlier["ill"], "ulcer", "ulcer", "flu"]})
    trees = {"born": {"France": "EU", "Spain": "EU", "Texas": "US"}}
    found = tuple_correspondence(earlier, later, ["born"], ["born"], "ill", hierarchies=trees)
    assert found.rows == (0,) and (found.prevention.found, found.prevention.needed) == (1, 3)
    hit = found.hits[0]
    assert (hit.before, hit.after) == (1 / 3, 1.0)
    assert (hit.candidates_before, hit.candidates, hit.linked) == ((0, 1, 2), (0, 1), (0,))
    with pytest.raises(InputError, match="Later must have at least as many rows"):
        tuple_correspondence(later, earlier, ["born"], ["born"], "ill")
    with pytest.raises(InputError, match="Later must include everyone in earlier"):
        tuple_correspondence(earlier, later.assign(ill="cold"), ["born"], ["born"], "ill")


@pytest.mark.parametrize("seed", range(30))
def test_tuple_correspondence_beside_all_assignments(seed):
    rng = np.random.RandomState(seed)
    n, m = 5, 6
    secret, a, b = rng.choice(list("xy"), m), rng.randint(0, 2, n), rng.randint(0, 2, m)
    earlier, later = pd.DataFrame({"a": a, "s": secret[:n]}), pd.DataFrame({"b": b, "s": secret})
    possible = oracles.assignments(secret[:n, None] == secret)
    found = {hit.row: hit for hit in tuple_correspondence(earlier, later, ["a"], ["b"], "s").hits}
    promised = min(np.bincount(a)[a].min(), np.bincount(b)[b].min())
    for i in range(n):
        mine, theirs = np.flatnonzero(a == a[i]), np.flatnonzero(b == b[i])
        block = possible[np.ix_(mine, theirs)]
        few = min(block.any(axis=1).sum(), block.any(axis=0).sum())
        assert (i in found) == (few < promised)
        if i in found:
            assert found[i].candidates == tuple(mine[block.any(axis=1)]) and found[i].after == 1 / few
            assert i in found[i].candidates and i in found[i].linked


def test_unknown_releases_of_the_running_example():
    found = unknown_releases([BY_AGE, BY_PLACE], "name", [["age"], ["location"]], "status")
    assert found.rows == (DONALD, LOUIE)
    assert [hit.value for hit in found.hits] == ["at work", "walking"]
    assert found.hits[0].before == 0.5 and found.hits[0].after == 1.0
    assert (found.prevention.found, found.prevention.needed) == (1.0, 2.0)


def test_two_people_must_have_the_same_value():
    """Ann and Ben hold {flu, cold}; Ann leaves, Cid comes, and the two are {flu, cold} again: Cid has what Ann has."""
    first = pd.DataFrame(
        {"who": ["Ann", "Ben", "Dan", "Eve"], "g": [0, 0, 1, 1], "ill": ["flu", "cold", "flu", "ulcer"]}
    )
    second = pd.DataFrame(
        {"who": ["Cid", "Ben", "Dan", "Eve"], "g": [0, 0, 1, 1], "ill": ["flu", "cold", "flu", "ulcer"]}
    )
    found = tuple_equivalence([first, second], "who", [["g"], ["g"]], "ill")
    assert [(hit.row, hit.linked) for hit in found.hits] == [(0, (4,)), (4, (0,))]  # people in the order they come up
    assert {(hit.before, hit.after) for hit in found.hits} == {(0.5, 1.0)} and found.prevention.found == 1
    assert not unknown_releases([first, second], "who", [["g"], ["g"]], "ill").hits  # each still has two values


@pytest.mark.parametrize("seed", range(size(30)))
def test_worlds_are_all_that_the_releases_allow(seed):
    rng = np.random.RandomState(seed)
    n, secret = 6, np.random.RandomState(seed).choice(list("abc"), 6)
    tables = []
    for _ in range(2):
        who = np.sort(rng.permutation(n)[: rng.randint(4, n + 1)])
        tables.append(pd.DataFrame({"who": who, "g": rng.randint(0, 2, len(who)), "s": secret[who]}))
    here = known(tables, "who", [["g"], ["g"]], "s")
    found = {tuple(here.values[v] for v in world) for world in worlds(here)}
    assert len(found) == len(worlds(here)) and tuple(here.values[v] for v in here.truth) in found

    def fits(world):
        value = dict(zip(here.people, world, strict=True))
        return all(
            sorted(value[w] for w in group["who"]) == sorted(group["s"])
            for table in tables
            for _, group in table.groupby("g")
        )

    assert found == {w for w in itertools.product(sorted(set(secret)), repeat=len(here.people)) if fits(w)}
    pairs = {
        (i, j)
        for i, j in itertools.permutations(range(len(here.people)), 2)
        if all(w[i] == w[j] for w in found) and len({w[i] for w in found}) > 1
    }
    hits = tuple_equivalence(tables, "who", [["g"], ["g"]], "s").hits
    assert {(hit.row, hit.linked[0]) for hit in hits} == pairs


def test_equal_by_one_release_before():
    """In one class of {x, x, y} two people are equal with chance 1/3."""
    first = pd.DataFrame({"who": list("abc"), "g": 0, "s": list("xxy")})
    second = pd.DataFrame({"who": list("cd"), "g": 0, "s": list("yz")})
    third = pd.DataFrame({"who": list("ab"), "g": 0, "s": list("xx")})
    assert not tuple_equivalence([first, second], "who", [["g"]] * 2, "s").hits
    assert not tuple_equivalence([first, third], "who", [["g"]] * 2, "s").hits  # both are certain, not just equal


def test_releases_that_contradict_each_other_are_refused():
    one = pd.DataFrame({"who": ["a", "b"], "g": 0, "s": ["x", "y"]})
    for others, said in (
        ([one], "list of two tables"),
        ([one, one.assign(s=["y", "x"])], "same sensitive value in all releases"),
        ([one, one.assign(who="a")], "must name each person once"),
        ([one, one.drop(columns="who")], "one column of release 1"),
        ([one, one.assign(s=None)], "same sensitive value"),
    ):
        with pytest.raises(InputError, match=said):
            tuple_equivalence(others, "who", [["g"]] * len(others), "s")
    with pytest.raises(InputError, match="list of columns for each release"):
        tuple_equivalence([one, one], "who", [["g"]], "s")
    many = pd.DataFrame({"who": range(201), "g": 0, "s": 0})
    with pytest.raises(InputError, match="at most 200 people"):
        tuple_equivalence([many, many], "who", [["g"]] * 2, "s")
    wide = pd.DataFrame({"who": range(12), "g": 0, "s": range(12)})
    with pytest.raises(InputError, match="few worlds possible"):
        tuple_equivalence([wide, wide], "who", [["g"]] * 2, "s")


def test_correlated_answers_of_donald_and_dewey():
    coins = [[TWO_COINS.yes_if_yes, 1 - TWO_COINS.yes_if_yes], [TWO_COINS.yes_if_no, 1 - TWO_COINS.yes_if_no]]
    found = data_correlation([[0.45, 0.05], [0.1, 0.4]], coins, coins, 0, 0)
    assert found.prior[0] == 0.5 and found.after_own[0] == pytest.approx(0.75)
    assert found.after_both[0] == pytest.approx(6 / 7, abs=1e-12)
    assert found.most_own == pytest.approx(math.log(3)) and found.learned_both == pytest.approx(math.log(6))
    assert found.most_both == pytest.approx(math.log(6.5))  # two answers No tell still more
    alone = data_correlation([[0.25, 0.25], [0.25, 0.25]], coins, coins, 0, 1)
    assert alone.after_both[0] == pytest.approx(0.75) and alone.most_both == pytest.approx(math.log(3))


def test_what_two_coins_tell_where_three_in_ten_say_yes():
    coins = [[0.75, 0.25], [0.25, 0.75]]
    joint = [[0.3], [0.7]]
    yes, no = (data_correlation(joint, coins, [[1.0]], answer, 0).after_own[0] for answer in (0, 1))
    assert (yes, no) == pytest.approx((0.5625, 0.125))


@pytest.mark.parametrize("seed", range(20))
def test_correlation_beside_the_sum_over_everything(seed):
    rng = np.random.RandomState(seed)
    m, r = rng.randint(2, 4, 2)
    joint = rng.dirichlet(np.ones(m * r)).reshape(m, r)
    joint[0, 0] = 0
    joint /= joint.sum()
    own, other = randomized_response_channel(m, 0.7), rng.dirichlet(np.ones(3), r)
    a, b = rng.randint(m), rng.randint(3)
    found = data_correlation(joint, own, other, a, b)
    weight = np.array([sum(joint[i, j] * own[i, a] * other[j, b] for j in range(r)) for i in range(m)])
    assert found.after_both == pytest.approx(weight / weight.sum())
    assert found.most_own == pytest.approx(0.7) and found.learned_own <= 0.7 + 1e-9
    assert found.learned_both <= found.most_both + 1e-12
    assert found.most_both <= 0.7 + max(np.log(c.max() / c.min()) for c in other.T) + 1e-9


def test_a_joint_distribution_from_a_table():
    values, others, joint = joint_shares(T1, "location", "status")
    assert joint.shape == (5, 6) and joint.sum() == pytest.approx(1) and len(values) == 5 and len(others) == 6
    for bad, said in (
        (lambda: data_correlation([[0.5, 0.6]], [[1.0]], [[1.0]], 0, 0), "sum to 1"),
        (lambda: data_correlation([[1.0]], [[1.0], [1.0]], [[1.0]], 0, 0), "Own_channel must be a channel with 1 row"),
        (lambda: data_correlation([[1.0]], [[1.0]], [[1.0]], 1, 0), "Own_answer must be"),
        (lambda: data_correlation([[1.0]], [[1.0, 0.0]], [[1.0]], 1, 0), "answers must be possible"),
    ):
        with pytest.raises(InputError, match=said):
            bad()


def test_presence_identity_attribute():
    population = pd.concat([BY_AGE, BY_AGE.iloc[:3].assign(location="Lyon")], ignore_index=True)
    found = presence(BY_AGE, population, ["age", "location"])
    assert found.rows == tuple(range(9))
    assert [hit.value for hit in found.hits] == [True] * 6 + [False] * 3
    assert found.hits[0].before == pytest.approx(6 / 9) and found.hits[8].before == pytest.approx(3 / 9)
    more = pd.concat([population, BY_AGE.iloc[:2]], ignore_index=True)
    assert set(presence(BY_AGE, more, ["age", "location"]).rows) == {HUEY, DEWEY, LOUIE, 6, 7, 8}
    with pytest.raises(InputError, match="everyone in the release"):
        presence(population, BY_AGE, ["age", "location"])
    found = identity(T1, ["age", "location"])
    assert found.rows == tuple(range(6)) and not identity(BY_AGE, ["age", "location"]).hits
    assert identity(BY_AGE, ["age"], threshold=0.3).prevention.needed == 4
    assert identity(BY_AGE, ["age"], threshold=1 / 3).prevention.needed == 3
    assert identity(BY_AGE, ["age"], threshold=1 / 3).hits == ()
    table = pd.DataFrame({"g": [0] * 20, "s": ["x"] * 19 + ["y"]})
    found = attribute(table, ["g"], "s")
    assert len(found.hits) == 20 and found.hits[19].value == "x" and found.prevention.found == 0.95
    assert not attribute(table, ["g"], "s", threshold=0.95).hits


def test_every_attack_of_the_catalogue_has_its_words_and_no_number():
    assert {"homogeneity", "unsorted matching", "data correlation"} <= set(ATTACKS)
    assert list(DISCLOSURES) == ["presence", "identity", "attribute"]
    for attack in (*ATTACKS.values(), *DISCLOSURES.values()):
        words = " ".join((attack.knows, attack.follows, attack.prevented_by))
        assert not re.search(r"\d", words) and all(s.endswith(".") for s in (attack.knows, attack.follows))
        assert attack.arguments and callable(attack.find) and attack.find.__doc__
    assert ATTACKS["join"].arguments == ("first", "second", "known_first", "known_second", "on")


def test_hits_of_nothing_and_of_certainty():
    found = homogeneity(pd.DataFrame({"g": [0, 1], "s": ["x", "x"]}), ["g"], "s")
    assert found.hits[0].gain == 1 and found.hits[0].odds_factor == math.inf
