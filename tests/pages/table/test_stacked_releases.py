"""The part on adding up: sums and largest sums, the budget that runs out, and correlated data."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.table import TableChoices, describe, evaluate
from lmdk_widgets.pages.table.session import TableSession
from lmdk_widgets.pages.table.stacked_charts import stacked_charts
from lmdk_widgets.pages.table.stacked_releases import StackedReleases, stacked_table, stacked_told


def shown(**choices) -> StackedReleases:
    return evaluate(TableChoices(part="adding", **choices)).shown


@pytest.mark.parametrize("seed", range(20))
def test_the_rules_beside_a_loop(seed):
    rng = np.random.RandomState(seed)
    n = rng.randint(1, 9)
    releases, sources = rng.choice([0, 0.1, 0.25, 0.7], n), rng.randint(0, 4, n)
    found = shown(releases=tuple(releases), sources=tuple(sources), budget=10.0)
    sums = [sum(e for e, s in zip(releases, sources, strict=True) if s == part) for part in range(4)]
    assert found.everybody == pytest.approx(sums[0]) and found.of_part == pytest.approx(sums[1:])
    assert found.together == pytest.approx(sums[0] + max(sums[1:])) and found.left == pytest.approx(10 - found.together)
    assert (found.tied, found.family) == pytest.approx((2 * sums[0], sum(sums[1:])))
    lanes = stacked_told(TableChoices(part="adding", budget=10.0, releases=releases, sources=sources), found)["stack"]
    assert max(block["start"] + block["epsilon"] for block in lanes) <= found.together + 1e-12


def test_ten_tenths_fit_a_budget_of_one():
    assert shown(releases=(0.1,) * 8, sources=(0,) * 8, budget=0.8).left == pytest.approx(0)
    with pytest.raises(InputError, match=r"at most the budget of 0.80; got 0.81"):
        shown(releases=(0.1,) * 7 + (0.11,), sources=(0,) * 8, budget=0.8)
    with pytest.raises(InputError, match="Each release must have a source"):
        shown(releases=(0.1,), sources=(0, 1))


def test_two_coins_on_correlated_answers():
    tied, alone = shown(correlated=True).coins, shown().coins
    assert (tied.after_own[0], tied.after_both[0]) == pytest.approx((0.75, 6 / 7))
    assert (alone.after_own[0], alone.after_both[0]) == pytest.approx((0.75, 0.75))
    assert tied.most_own == pytest.approx(log(3)) == pytest.approx(alone.most_both) and exp(tied.most_both) > 6
    joint = {(d, w): p for d, row in enumerate(((0.45, 0.05), (0.1, 0.4))) for w, p in enumerate(row)}
    says = (0.75, 0.25)  # the chance of these answers for a true and for a false statement
    weight = [sum(p * says[d] * says[w] for (d, w), p in joint.items() if d == donald) for donald in (0, 1)]
    assert tied.after_both[0] == pytest.approx(weight[0] / sum(weight))
    assert shown().bound == pytest.approx(0.75)


def test_what_is_said_with_and_without_correlation():
    words = describe(evaluate(TableChoices(part="adding")))
    assert "Four releases cost ε = 0.75 together: those from everybody add up to 0.50" in words.paragraph
    assert "of two disjoint parts the largest sum counts, 0.25" in words.paragraph
    assert "what is computed from releases alone costs nothing" in words.paragraph and "0.25 is left" in words.paragraph
    assert "the two largest parts add up: ε = 1" in words.warnings[0] and "stays 75 %" in words.paragraph
    tied = describe(evaluate(TableChoices(part="adding", correlated=True)))
    assert "tell up to 1 instead of 0.50" in tied.paragraph and "up to 0.50 instead of 0.25" in tied.paragraph
    assert "75 % by his own answer, and 86 % (6/7) after Dewey's" in tied.paragraph
    part = describe(evaluate(TableChoices(part="adding", correlated=True, releases=(0.5,), sources=(1,)))).paragraph
    assert "from everybody tell the same, up to 0; " in part and "from the parts tell the same, up to 0.50. " in part
    assert "the rules above do not bound that" in tied.assumption and "No composition rule holds" in tied.warnings[-1]
    out = describe(evaluate(TableChoices(part="adding", releases=(1.0,), sources=(0,))))
    assert "The budget of 1 has run out" in out.paragraph and ". One release costs ε = 1" in out.paragraph


def test_rows_and_charts():
    for correlated in (False, True):
        outcome = evaluate(TableChoices(part="adding", correlated=correlated))
        rows = stacked_table(outcome.choices, outcome.shown).texts()
        assert [row[1] == row[2] for row in rows] == [not correlated, not correlated, True, not correlated, *[True] * 4]
        assert [chart.name for chart in stacked_charts(outcome.choices, outcome.shown)] == ["rules", "belief", "tests"]


def test_all_releases_repeated_cost_less_at_a_delta_than_by_sums():
    found = shown(releases=(0.1,), sources=(0,), repeats=288, delta=1e-6).repeated
    assert found.by_sums == pytest.approx(28.8)
    assert found.at_delta == pytest.approx((8.7768, 8.9480, 5.9777), abs=3e-3)
    pure, answers, numbers, points = (np.array(missed) for missed in found.missed)
    assert (pure <= answers).all() and (answers <= numbers + 1e-3).all() and (numbers <= points + 1e-3).all()
    once = shown(releases=(0.3, 0.2, 0.7), sources=(0, 1, 2), repeats=1, delta=1e-12).repeated
    assert once.by_sums == pytest.approx(1.0) and once.at_delta == pytest.approx((1.0,) * 3, abs=0.02)
    nothing = shown(releases=(0.0,), sources=(0,)).repeated
    assert nothing.by_sums == 0 and nothing.at_delta == (0, 0, 0)
    words = describe(evaluate(TableChoices(part="adding", releases=(0.1,), sources=(0,), repeats=288))).paragraph
    assert "Made 288 times, they cost one person ε = 28.8 by sums; with δ = 1e-6 at most 8.78 by Laplace noise" in words
    assert (
        "at most 8.95 by randomised response, or any mechanism (answers), at most 5.98 by planar Laplace noise" in words
    )


def test_releases_are_stacked_until_the_budget_runs_out():
    session = TableSession(TableChoices(part="adding"))
    session.apply([{"op": "add", "value": 0.25}], commit=True)
    assert session.outcome.shown.left == pytest.approx(0)
    before = session.outcome
    for operations, said in (
        ([{"op": "add", "value": 0.1}], "at most the budget of 1; got 1.10"),
        ([{"op": "spend", "index": 0, "value": -1}], "Each of the releases must be"),
        ([{"op": "spend", "index": 9, "value": 0.1}], "Release must be"),
        ([{"op": "source", "index": 0, "value": 7}], "Each of the sources must be"),
        ([{"op": "set", "name": "budget", "value": 0.5}], "at most the budget of 0.50; got 1"),
        ([{"op": "remove", "index": 0}] * 5, "Releases must have"),
    ):
        with pytest.raises(InputError, match=said):
            session.apply(operations, commit=True)
        assert session.outcome is before
    session.apply([{"op": "add", "value": 0}], commit=True)  # computed from what is there
    assert session.outcome.shown.together == pytest.approx(1.0)
    session.apply([{"op": "source", "index": 4, "value": 3}], commit=True)
    assert session.outcome.shown.together == pytest.approx(0.75)
    again = TableSession()
    again.open_link(session.link.query)
    assert again.choices == session.choices


def test_the_first_sentence_says_what_odds_can_change():
    def said(**choices) -> str:
        return describe(evaluate(TableChoices(part="adding", **choices))).paragraph

    assert said().startswith(
        "Anyone who sees all four releases can change the odds that a person is in the data by a factor of at most 2.12. "
    )
    assert said(releases=(0.0,), sources=(0,)).startswith(
        "Anyone who sees the release cannot noticeably change the odds"
    )
    assert said(correlated=True).startswith(
        "People here depend on each other, so what one says reveals something about another: two answers change the odds "
        "that Donald is at work by a factor of up to 6.50, of which his own answer explains at most 3. "
    )


def test_what_releases_may_tell_is_never_rounded_down():
    outcome = evaluate(TableChoices(part="adding", releases=(0.3312, 0.2212), sources=(0, 1), correlated=True))
    rows = stacked_table(outcome.choices, outcome.shown).texts()
    assert [row[1:3] for row in rows[:2]] == [["0.332", "0.663"], ["0.222", "0.222"]]
    assert "with ε = 0.553," in describe(outcome).assumption
