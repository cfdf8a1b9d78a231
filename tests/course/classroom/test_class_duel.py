"""The duel without a server: what a spread may be and is worth, what is released of it, and who is told what when."""

from __future__ import annotations

import json
import sys
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.budgets import landmark_totals
from lmdk_widgets.course.classroom import Duel, activity, days, stored
from lmdk_widgets.course.classroom.days import (
    Worth,
    attacked,
    frontier,
    loss_plan,
    released,
    shares_named,
    smoothed,
    suspected,
    town,
    worth,
)
from lmdk_widgets.course.classroom.duel import GUESSES, MOST_RELEASED, PARTS, SPREADS
from lmdk_widgets.errors import InputError
from lmdk_widgets.inference import track_posterior
from lmdk_widgets.leakage import temporal_loss
from tests.course.classroom.duel_truth import by_hand, sets_that_fit

MARKS = (0, 2, 4, 7)
EVEN = [4] * 8
HALF = [2, 7, 2, 7, 2, 7, 7, 2]


NOTHING = [0] * 8
GUESS = [[0, 1], [1, 2], [4, 3], [5, 4]]
OTHER = [[0, 0], [2, 0], [4, 0], [7, 0]]


def duel(epsilon: float = 4.0) -> Duel:
    """A duel on a day that is drawn, with the landmarks of Bob's day elsewhere."""
    found = activity("duel", {"epsilon": epsilon})
    assert isinstance(found, Duel)
    return Duel(found.epsilon, found.day, MARKS, found.seed)


def test_many_posteriors_at_once_are_those_of_track_posterior() -> None:
    rng = np.random.default_rng(3)
    prior, moves = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(5), 5)
    weights = rng.uniform(0.01, 1, (7, 6, 5))
    found = smoothed(prior, moves, weights)
    for one, each in zip(found, weights, strict=True):
        assert one == pytest.approx(track_posterior(prior, moves, np.log(each)).smoothed, abs=1e-12)


def test_the_posterior_of_a_release_by_adding_up_all_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three timestamps: Bayes' rule over all 24 x 24 x 24 days, with the density of planar Laplace by hand."""
    found = town()
    points, m = found.scene.area.points_m, len(found.scene.area)
    budgets = np.array([1.0, 0.0, 0.5])
    release = released([3, 9, 10], budgets, (0,), np.random.default_rng(1))
    rate = budgets / days.RADIUS_M
    at = [rate[t] ** 2 / (2 * np.pi) * np.exp(-rate[t] * np.hypot(*(release.outputs[t] - points).T)) for t in (0, 2)]
    belief = np.zeros((3, m))
    for day in product(range(m), repeat=3):
        chance = found.scene.prior[day[0]] * found.moves[day[0], day[1]] * found.moves[day[1], day[2]]
        chance *= at[0][day[0]] * at[1][day[2]]
        for t in range(3):
            belief[t, day[t]] += chance
    assert attacked(release) == pytest.approx(belief / belief.sum(axis=1, keepdims=True), abs=1e-10)


@pytest.mark.long
@pytest.mark.parametrize(
    "spread",
    [
        (0.4, 1.4, 0.0, 1.4, 0.4, 1.4, 1.4, 0.4),
        (0.8,) * 8,
        (0.0,) * 8,
        (0.0, 4.0, 0.0, 4.0, 0.0, 4.0, 4.0, 0.0),
    ],
    ids=["uneven", "even", "nothing", "skip"],
)
def test_what_a_spread_is_worth_one_day_after_the_other(spread: tuple[float, ...]) -> None:
    assert worth(spread, MARKS, 4.0) == pytest.approx(by_hand(spread, MARKS, 4.0), rel=1e-9)


def test_the_sets_that_fit_by_counting() -> None:
    rng = np.random.default_rng(8)
    counts = set()
    for spread in rng.integers(0, 8, (200, 8)).tolist():
        fitting = sets_that_fit(tuple(spread), 20)
        if not fitting:
            continue
        found = suspected(spread, 20.0)
        counts.add(found.fitting)
        assert found.fitting == len(fitting)
        assert found.chances == pytest.approx([sum(t in each for each in fitting) / len(fitting) for t in range(8)])
    assert len(counts) > 10 and suspected([0.8] * 8, 4.0).fitting == suspected([0.0] * 8, 4.0).fitting == 70


def test_the_chances_of_landmarks_are_those_of_bayes_rule() -> None:
    """Spreads in five parts on a day drawn uniformly with the sets that they keep: how often is each timestamp a landmark?"""
    every = [set(each) for each in combinations(range(8), 4)]
    seen = (0, 2, 1, 0, 1, 1, 0, 0)
    kept = [
        [
            spread
            for spread in product(range(3), repeat=8)
            if sum(spread[t] for t in each) + max(spread[t] for t in range(8) if t not in each) <= 5
        ]
        for each in every[:2]
    ]
    assert len(kept[0]) == len(kept[1]), "as many spreads keep each set, so only whether they do counts"
    weights = [float(each in sets_that_fit(seen, 5.0)) / len(kept[0]) for each in every]
    chances = [sum(w for w, each in zip(weights, every, strict=True) if t in each) / sum(weights) for t in range(8)]
    assert suspected(seen, 5.0).chances == pytest.approx(chances)


def test_equal_scores_are_named_by_lot() -> None:
    rng = np.random.default_rng(9)
    for scores in rng.integers(0, 4, (40, 8)).astype(float):
        named = np.zeros(8)
        for _ in range(300):
            named[np.lexsort((rng.random(8), -scores))[:4]] += 1 / 300
        assert shares_named(scores) == pytest.approx(named, abs=0.15) and shares_named(scores).sum() == pytest.approx(4)


@pytest.mark.long
@pytest.mark.parametrize("spread", [EVEN, HALF], ids=["even", "half"])
def test_what_the_attacker_finds_on_average_is_what_it_finds(spread: list[int]) -> None:
    rng, budgets = np.random.default_rng(5), tuple(0.2 * part for part in spread)
    chances = suspected(budgets, 4.0).chances
    hits = []
    for day in days.drawn_days(400, rng):
        belief = attacked(released(day, np.array(budgets), MARKS, rng))
        scores = (chances * belief.max(axis=1)).round(9)
        named = np.lexsort((rng.random(8), -scores))[:4]
        hits.append(sum(t in MARKS and belief[t].argmax() == day[t] for t in named))
    se = np.std(hits, ddof=1) / np.sqrt(len(hits))
    assert abs(np.mean(hits) - worth(budgets, MARKS, 4.0).found) < 4 * se


def test_days_are_drawn_from_what_is_known() -> None:
    found, drawn = town(), days.drawn_days(20_000, np.random.default_rng(2))
    assert np.bincount(drawn[:, 0], minlength=24) / 20_000 == pytest.approx(found.scene.prior, abs=0.015)
    assert np.bincount(drawn[:, 7], minlength=24) / 20_000 == pytest.approx(found.scene.prior, abs=0.015), "it lasts"
    assert (drawn[:, 1] == drawn[:, 0]).mean() == pytest.approx(0.5, abs=0.02)


def test_landmarks_are_any_four() -> None:
    rng = np.random.default_rng(3)
    drawn = [days.drawn_landmarks(rng) for _ in range(4_000)]
    assert len(set(drawn)) == 70 and all(len(set(each)) == 4 and each == tuple(sorted(each)) for each in drawn)
    assert np.bincount(np.ravel(drawn)) / 4_000 == pytest.approx(0.5, abs=0.04)


@pytest.mark.long
@pytest.mark.parametrize("epsilon", [1.0, 4.0, 12.0])
def test_the_plan_keeps_its_loss_and_the_budget_of_the_class(epsilon: float) -> None:
    found, plan = town(), loss_plan(epsilon, MARKS)
    assert temporal_loss(found.back, found.forth, plan.budgets).total.max() <= plan.loss * (1 + 1e-9)
    assert epsilon * 0.999 <= landmark_totals(plan.budgets, MARKS).max() <= epsilon


def test_the_frontier_by_its_definition() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        found = [Worth(*pair, 1, 1.0, 1.0) for pair in rng.integers(0, 6, (8, 2)).astype(float).tolist()]
        beaten = {
            a[:2] for a, b in product(found, repeat=2) if b.reader <= a.reader and b.found <= a.found and b[:2] != a[:2]
        }
        assert {found[k][:2] for k in frontier(found)} == {one[:2] for one in found} - beaten


def test_a_spread_keeps_the_budget_of_the_landmarks() -> None:
    game, rng = duel(3.0), np.random.default_rng(6)
    seen = set()
    for spread in rng.integers(0, 8, (300, 8)).tolist():
        kept = sum(spread[k] for k in MARKS) + max(spread[k] for k in range(8) if k not in MARKS) <= PARTS
        seen.add(kept)
        if kept:
            assert game.read(spread) == spread
            assert landmark_totals(game.budgets(spread), MARKS).max() <= 3.0 + 1e-12
        else:
            with pytest.raises(InputError, match="may spend at most 3 together; got"):
                game.read(spread)
    assert seen == {True, False}


OF_EIGHT: list[Any] = [[-1] + [0] * 7, [21] + [0] * 7, [0.5] * 8, ["1"] * 8, [True] * 8, [5] * 8]
OF_FOUR: list[Any] = [
    [True] * 4,
    [24, 0, 0, 0],
    [None] * 4,
    [[0]] * 4,
    [[0, 1, 2]] * 4,
    [[k, 24] for k in range(4)],
    [[k, -1] for k in range(4)],
    [[k + 5, 0] for k in range(4)],
    [[k, 10**400] for k in range(4)],
    [[k, True] for k in range(4)],
    [[0, 1], [0, 2], [1, 3], [2, 4]],
]


@pytest.mark.parametrize("given", [None, True, "x", {}, [], [0] * 7, [0] * 5, *OF_EIGHT, *OF_FOUR])
def test_nonsense_gets_a_sentence(given: Any) -> None:
    with pytest.raises(InputError):
        duel().read(given)


@pytest.mark.parametrize(
    "settings", [{"epsilon": 0.1}, {"epsilon": "x"}, {"epsilon": True}, {"day": [0] * 8}, {"seed": 1}]
)
def test_settings_that_cannot_be_used(settings: dict) -> None:
    with pytest.raises(InputError):
        activity("duel", settings)


@pytest.mark.parametrize("landmarks", [(0, 2, 4), (0, 2, 4, 4), (2, 0, 4, 7), (0, 2, 4, 8), [0, 2, 4, 7]])
def test_landmarks_that_cannot_be_used(landmarks: Any) -> None:
    game = duel()
    with pytest.raises(InputError):
        Duel(game.epsilon, game.day, landmarks, game.seed)


def test_a_guess_is_kept_in_order() -> None:
    assert duel().read(GUESS[::-1]) == GUESS


def played() -> tuple[Duel, dict[str, Any]]:
    game = duel()
    answers = {"a": EVEN, "b": HALF, "c": EVEN, "d": GUESS, "e": OTHER}
    game.settle({one: given for one, given in answers.items() if len(given) == 8})
    return game, answers


def test_where_bob_was_and_when_it_mattered_is_told_in_the_end_only() -> None:
    game, answers = played()
    before = json.dumps([game.asked(1), game.board([*answers.values()], False)])
    assert "truth" not in before and '"landmarks"' not in before and "★" not in before
    dealt = game.dealt("d", GUESSES, answers["d"], False)
    assert set(dealt) == {"reports", "noise", "chances", "belief"}
    told = {"landmarks": list(MARKS), "named": "His landmarks are p1, p3, p5 and p8 (★)."}
    assert game.dealt("a", SPREADS, EVEN, False) == told
    shown = game.dealt("d", GUESSES, answers["d"], True)
    assert shown["truth"] == list(game.day) and shown["reports"] == dealt["reports"]
    assert shown["landmarks"] == list(MARKS)
    assert duel().dealt("d", GUESSES, None, False) == {}, "nothing is released yet"


def test_a_release_is_that_of_a_spread_and_the_hint_its_posterior() -> None:
    game, _ = played()
    assert len(game._deals) == 3
    for k, (deal, spread) in enumerate(zip(game._deals, (EVEN, HALF, EVEN), strict=True), start=1):
        release = released(game.day, np.array(spread) * 0.2, MARKS, np.random.default_rng([game.seed, k]))
        assert deal.outputs == pytest.approx(release.outputs) and deal.belief == pytest.approx(attacked(release))
        scores = (deal.chances * deal.belief.max(axis=1)).round(9)
        named = {at for at, _ in deal.guess}
        assert min(scores[list(named)]) >= max(scores[[t for t in range(8) if t not in named]])
        assert all(cell == deal.belief[at].argmax() for at, cell in deal.guess)
    assert not np.array_equal(game._deals[0].outputs, game._deals[2].outputs), "each has noise of its own"
    dealt = game.dealt("d", GUESSES, None, False)
    (deal,) = [
        one for one in game._deals if dealt["belief"][0] == (one.belief[0] / one.belief[0].max()).round(3).tolist()
    ]
    points = {label: point for label, *point, far in dealt["reports"] if not far}
    for label, point in points.items():
        assert point == pytest.approx(deal.outputs[int(label[1]) - 1], abs=0.06)
    assert dealt["noise"] == [f"{400 / each:.0f} m" if each >= 0.4001 else "1.0 km" for each in deal.budgets]


def test_after_a_restart_the_releases_are_the_same() -> None:
    game, answers = played()
    again = stored("duel", json.loads(json.dumps(game.to_dict())))
    assert again == game
    again.settle(answers)
    assert again.dealt("d", GUESSES, None, True) == game.dealt("d", GUESSES, None, True)


def test_the_board_shows_each_spread_beside_schemes() -> None:
    game, answers = played()
    assert game.board([*answers.values()], False)["summary"] == "3 spreads, 2 guesses so far."
    view = game.board([*answers.values()], True)
    json.dumps(view, allow_nan=False)
    even, half = (worth(tuple(0.2 * part for part in each), MARKS, 4.0) for each in (EVEN, HALF))
    drawn = [[round(one.reader, 1), round(4 - one.found, 3)] for one in (even, half)]
    assert view["chart"]["class"] == drawn and view["chart"]["frontier"] == drawn[:1]
    assert view["chart"]["marks"][0] == ["Uniform", *drawn[0]], "the spread of Uniform is Uniform"
    assert [name for name, *_ in view["chart"]["marks"]] == ["Uniform", "Weighted", "Skip", "Total loss"]
    hits = [sum(at in MARKS and game.day[at] == cell for at, cell in each) for each in (GUESS, OTHER)]
    assert [game.found(each) for each in (GUESS, OTHER)] == hits
    assert view["summary"].startswith("3 spreads, 2 guesses. His landmarks are p1, p3, p5 and p8 (★). On this day")
    words = game.dealt("b", SPREADS, HALF, True)["words"]
    assert f"a reader is {half.reader:.0f} m off" in words and "one other spread is better in both." in words
    assert f"finds {half.found:.2f} of 4 landmarks" in words, "the number of the dot on the board"
    assert "no other spread is better in both." in game.dealt("a", SPREADS, EVEN, True)["words"]
    rows = {first: rest for first, *rest in view["table"]["rows"]}
    assert (
        rows["class: 0.80 0.80 0.80 0.80 0.80 0.80 0.80 0.80"] == rows["Uniform"] == ["341 m", "1.59 of 4", "70 of 70"]
    )
    assert rows["Skip"][2] == "1 of 70"
    assert game.dealt("z", SPREADS, None, True)["words"] == "You sent no spread."


def test_phones_say_the_numbers_of_the_board() -> None:
    """The averages over many days on the phones are those of the board; what one day gave is called so."""
    game, answers = played()
    summary = game.board([*answers.values()], True)["summary"]
    average = np.mean([worth(deal.budgets, MARKS, 4.0).found for deal in game._deals])
    assert summary.endswith(f"on 400 such days with the same spreads, {average:.2f} of 4.")
    for phone in "defgh":
        told = game.dealt(phone, GUESSES, answers.get(phone), True)
        mine = [deal for deal in game._deals if deal.guess == told["adversary"]]
        finds = {f"On 400 such days it finds {worth(deal.budgets, MARKS, 4.0).found:.2f} of 4" for deal in mine}
        assert any(each in told["words"] for each in finds) and "one day is also luck" in told["words"]


def test_who_releases_nothing_is_told_what_that_does_and_not_praised() -> None:
    game = duel()
    answers = {"a": NOTHING, "b": EVEN, "c": NOTHING}
    game.settle(answers)
    nothing = worth((0.0,) * 8, MARKS, 4.0)
    assert len(game._deals) == 1, "nobody has to guess from nothing"
    words = game.dealt("a", SPREADS, NOTHING, True)["words"]
    assert words.startswith("You released nothing. A reader is 1.3 km off") and "better in both" not in words
    view = game.board([*answers.values()], True)
    assert len(view["chart"]["class"]) == 1
    assert view["chart"]["nothing"] == ["Nothing", round(nothing.reader, 1), round(4 - nothing.found, 3)]
    said = "Of the class, two phones released nothing: that hides Bob, but a reader is"
    assert any(note.startswith(said) for note in view["notes"])


def test_nobody_spreads_or_guesses() -> None:
    game = duel()
    game.settle({})
    view = game.board([], True)
    assert view["chart"]["class"] == [] and "0 spreads, 0 guesses." in view["summary"]
    assert len(game._deals) == 1 and len(game.dealt("x", GUESSES, None, False)["reports"]) == 8, "Uniform is released"
    assert game.dealt("x", GUESSES, None, True)["words"].startswith("You sent no guess; ")


def test_without_the_library_of_the_plan_the_class_still_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    loss_plan.cache_clear()
    game = duel()
    game.prepare()
    game.settle({"a": EVEN})
    view = game.board([EVEN], True)
    assert [name for name, *_ in view["chart"]["marks"]] == ["Uniform", "Weighted", "Skip"]
    assert any("needs the library highspy" in note for note in view["notes"])
    assert not any("Total loss" in note for note in view["notes"])


@pytest.mark.long
def test_what_very_many_send_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lmdk_widgets.course.classroom.duel.MOST_SCORED", 3)
    game = duel()
    answers = {f"{k:04}": [0, 1 + k % 8, 0, 0, 0, 0, 0, 0] for k in range(400)}
    game.settle(answers)
    assert len(game._scored) == 3 and len(game._deals) == MOST_RELEASED
    view = game.board([*answers.values()], True)
    assert len(view["chart"]["class"]) == 3 and "5 more spreads are not drawn." in view["notes"]
    assert (
        game.dealt("0007", SPREADS, answers["0007"], True)["words"]
        == "So many took part that your spread is not drawn."
    )
