"""The duel without a server: what a spread may be and is worth, what is released of it, and who is told what when."""

from __future__ import annotations

import json
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.budgets import landmark_totals
from lmdk_widgets.course.classroom import Duel, activity, days, stored
from lmdk_widgets.course.classroom.days import Errors, attacked, best_plans, errors, frontier, released, smoothed, town
from lmdk_widgets.course.classroom.duel import GUESSES, MOST_RELEASED, PARTS, SPREADS
from lmdk_widgets.errors import InputError
from lmdk_widgets.inference import track_posterior
from lmdk_widgets.inference.reader import PublicWay, follow, relative
from lmdk_widgets.leakage import temporal_loss

MARKS = (0, 2, 4, 7)
EVEN = [4] * 8
HALF = [2, 7, 2, 7, 2, 7, 7, 2]


def duel(epsilon: float = 4.0) -> Duel:
    found = activity("duel", {"epsilon": epsilon})
    assert isinstance(found, Duel)
    return found


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
    release = released([3, 9, 10], budgets, np.random.default_rng(1))
    rate = budgets / days.RADIUS_M
    at = [rate[t] ** 2 / (2 * np.pi) * np.exp(-rate[t] * np.hypot(*(release.outputs[t] - points).T)) for t in (0, 2)]
    belief = np.zeros((3, m))
    for day in product(range(m), repeat=3):
        chance = found.scene.prior[day[0]] * found.moves[day[0], day[1]] * found.moves[day[1], day[2]]
        chance *= at[0][day[0]] * at[1][day[2]]
        for t in range(3):
            belief[t, day[t]] += chance
    assert attacked(release) == pytest.approx(belief / belief.sum(axis=1, keepdims=True), abs=1e-10)


def test_errors_one_day_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    found, spread = town(), (0.4, 1.4, 0.0, 1.4, 0.4, 1.4, 1.4, 0.4)
    centres, noise = days._drawn()
    points, distances = found.scene.area.points_m, found.distances
    way = PublicWay.nearby(distances, 2000.0)
    reader, attacker = [], []
    for day, moved in zip(centres, noise, strict=True):
        logs = np.zeros((8, len(points)))
        for t, epsilon in enumerate(spread):
            if epsilon:
                logs[t] = -epsilon / 200 * np.hypot(*(day[t] + moved[t] / epsilon - points).T)
        expected = track_posterior(found.scene.prior, found.moves, logs).smoothed @ distances
        belief = follow(relative(logs)[:, None], [(way, 1 - np.exp(-3600 / 1440))] * 7)[:, 0]
        taken = (belief @ distances).argmin(axis=1)
        reader.append(expected[np.arange(8), taken].mean())
        attacker.append(expected.min(axis=1)[list(MARKS)].mean())
    assert errors(spread)[:2] == pytest.approx((np.mean(reader), np.mean(attacker)), rel=1e-9)
    assert errors(spread).uncertain == pytest.approx(
        max(np.std(reader, ddof=1), np.std(attacker, ddof=1)) / 20, rel=1e-9
    )


def test_what_the_attacker_expects_is_what_befalls_on_average() -> None:
    rng, found = np.random.default_rng(5), town()
    budgets = np.full(8, 0.8)
    off = []
    for day in days.drawn_days(150, rng):
        guess = (attacked(released(day, budgets, rng)) @ found.distances).argmin(axis=1)
        off.append(found.distances[guess, day][list(MARKS)].mean())
    se = np.std(off, ddof=1) / np.sqrt(len(off))
    assert abs(np.mean(off) - errors(tuple(budgets)).attacker) < 5 * se


def test_days_are_drawn_from_what_is_known() -> None:
    found, drawn = town(), days.drawn_days(20_000, np.random.default_rng(2))
    assert np.bincount(drawn[:, 0], minlength=24) / 20_000 == pytest.approx(found.scene.prior, abs=0.015)
    assert np.bincount(drawn[:, 7], minlength=24) / 20_000 == pytest.approx(found.scene.prior, abs=0.015), "it lasts"
    assert (drawn[:, 1] == drawn[:, 0]).mean() == pytest.approx(0.5, abs=0.02)


@pytest.mark.long
@pytest.mark.parametrize("epsilon", [1.0, 4.0, 12.0])
def test_the_best_plans_keep_their_losses_and_one_the_budget_of_the_class(epsilon: float) -> None:
    line, same = best_plans(epsilon)
    found = town()
    for plan in [*line, same]:
        assert temporal_loss(found.back, found.forth, plan.budgets).total.max() <= plan.loss * (1 + 1e-9)
        assert plan.errors == errors(plan.budgets)
    assert epsilon * 0.999 <= landmark_totals(same.budgets, MARKS).max() <= epsilon
    assert [plan.errors.attacker for plan in line] == sorted((plan.errors.attacker for plan in line), reverse=True)


def test_the_frontier_by_its_definition() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        found = [Errors(*pair, 1.0) for pair in rng.integers(0, 6, (8, 2)).astype(float).tolist()]
        beaten = {
            a[:2]
            for a, b in product(found, repeat=2)
            if b.reader <= a.reader and b.attacker >= a.attacker and b[:2] != a[:2]
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
OF_FOUR: list[Any] = [[True] * 4, [24, 0, 0, 0], [-1, 0, 0, 0], [None] * 4, [[0]] * 4, [10**400] * 4]


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


def played() -> tuple[Duel, dict[str, Any]]:
    game = duel()
    answers = {"a": EVEN, "b": HALF, "c": EVEN, "d": [1, 2, 3, 4], "e": [0, 0, 0, 0]}
    game.settle({one: given for one, given in answers.items() if len(given) == 8})
    return game, answers


def test_where_bob_was_is_told_in_the_end_only() -> None:
    game, answers = played()
    truth = [game.day[k] for k in MARKS]
    assert "truth" not in json.dumps([game.asked(1), game.board([*answers.values()], False)])
    dealt = game.dealt("d", GUESSES, answers["d"], False)
    assert set(dealt) == {"reports", "belief"} and game.dealt("a", SPREADS, EVEN, False) == {}
    shown = game.dealt("d", GUESSES, answers["d"], True)
    assert shown["truth"] == truth and shown["reports"] == dealt["reports"]
    assert duel().dealt("d", GUESSES, None, False) == {}, "nothing is released yet"


def test_a_release_is_that_of_a_spread_and_the_hint_its_posterior() -> None:
    game, _ = played()
    assert len(game._deals) == 3
    for k, (deal, spread) in enumerate(zip(game._deals, (EVEN, HALF, EVEN), strict=True), start=1):
        release = released(game.day, np.array(spread) * 0.2, np.random.default_rng([game.seed, k]))
        assert deal.outputs == pytest.approx(release.outputs) and deal.belief == pytest.approx(attacked(release))
    assert not np.array_equal(game._deals[0].outputs, game._deals[2].outputs), "each has noise of its own"
    dealt = game.dealt("d", GUESSES, None, False)
    (deal,) = [
        one for one in game._deals if dealt["belief"][0] == (one.belief[0] / one.belief[0].max()).round(3).tolist()
    ]
    points = {label: point for label, *point, far in dealt["reports"] if not far}
    for label, point in points.items():
        assert point == pytest.approx(deal.outputs[int(label[1]) - 1], abs=0.06)


def test_after_a_restart_the_releases_are_the_same() -> None:
    game, answers = played()
    again = stored("duel", json.loads(json.dumps(game.to_dict())))
    assert again == game
    again.settle(answers)
    assert again.dealt("d", GUESSES, None, True) == game.dealt("d", GUESSES, None, True)


def test_the_board_shows_each_spread_beside_the_best_plan() -> None:
    game, answers = played()
    assert game.board([*answers.values()], False)["summary"] == "3 spreads, 2 guesses so far."
    view = game.board([*answers.values()], True)
    json.dumps(view, allow_nan=False)
    even, half = errors((0.8,) * 8), errors(tuple(0.2 * part for part in HALF))
    drawn = [[round(one.reader, 1), round(one.attacker, 1)] for one in (even, half)]
    assert view["chart"]["class"] == drawn and sorted(view["chart"]["frontier"]) == sorted(drawn)
    assert view["chart"]["marks"][1][1:] == drawn[0], "the spread of Uniform is Uniform"
    distances, truth = town().distances, [game.day[k] for k in MARKS]
    for guess in (answers["d"], answers["e"]):
        assert game.off(guess) == pytest.approx(np.mean([distances[one] for one in zip(guess, truth, strict=True)]))
    assert "3 spreads, 2 guesses." in view["summary"] and "with the same releases" in view["summary"]
    words = game.dealt("b", SPREADS, HALF, True)["words"]
    assert f"a reader is {half.reader:.0f} m off" in words and words.endswith("no other spread is better in both.")
    assert game.dealt("z", SPREADS, None, True)["words"] == "You sent no spread."


def test_nobody_spreads_or_guesses() -> None:
    game = duel()
    game.settle({})
    view = game.board([], True)
    assert view["chart"]["class"] == [] and "0 spreads, 0 guesses." in view["summary"]
    assert len(game._deals) == 1 and len(game.dealt("x", GUESSES, None, False)["reports"]) == 8, "Uniform is released"
    assert game.dealt("x", GUESSES, None, True)["words"].startswith("You sent no guess; ")


def test_without_the_library_of_the_best_plan_the_class_still_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    best_plans.cache_clear()
    game = duel()
    game.prepare()
    view = game.board([EVEN], True)
    assert view["chart"]["best"] == [] and [name for name, *_ in view["chart"]["marks"]] == [
        "Uniform",
        "Weighted",
        "Skip",
    ]
    assert any("needs the library highspy" in note for note in view["notes"])
    assert not any("dashed" in note for note in view["notes"])


@pytest.mark.long
def test_what_very_many_send_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lmdk_widgets.course.classroom.duel.MOST_SCORED", 3)
    game = duel()
    answers = {f"{k:04}": [0, k % 8, 0, 0, 0, 0, 0, 0] for k in range(400)}
    game.settle(answers)
    assert len(game._scored) == 3 and len(game._deals) == MOST_RELEASED
    view = game.board([*answers.values()], True)
    assert len(view["chart"]["class"]) == 3 and "5 more spreads are not drawn." in view["notes"]
    assert (
        game.dealt("0007", SPREADS, answers["0007"], True)["words"]
        == "So many took part that your spread is not drawn."
    )
