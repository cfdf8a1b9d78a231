"""Random dummies on the track page: what they promise in words, which draw is kept, and that no file tells the seed."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.dummies import NO_PROMISE, asked
from lmdk_widgets.budgets import proposed_chance
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import from_query
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.dummies import describe_hidden
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import SCHEMES, Scenario, describe, evaluate
from lmdk_widgets.scenario.hidden import UNDRAWN, chance_of, dummies, is_secret, protected, secret_seed, seen_together
from lmdk_widgets.trajectory import Trajectory, sample

BOB = Scenario(landmarks=(0, 2, 4, 7), hide=True)
TWO = next(one for seed in range(100) if len(protected(one := BOB.with_changes(hide_seed=seed), 8)) == 6)
NONE = next(one for seed in range(500) if len(protected(one := BOB.with_changes(hide_seed=seed), 8)) == 4)


def own_track(name: str = "mine") -> Trajectory:
    bob = sample("bob")
    return Trajectory(bob.latitude + 0.01, bob.longitude, bob.time, name=name)


def own(*, hide: bool = True) -> TrackSession:
    """A session with a track of the user's own, with three landmarks."""
    page = TrackSession(own_track())
    page.apply([{"op": "mark", "indices": [1, 3, 6], "on": True}], commit=True)
    if hide:
        page.apply([{"op": "set", "name": "hide", "value": True}], commit=True)
    return page


def test_random_is_what_the_switch_does_unless_said_otherwise() -> None:
    assert Scenario(hide=True).joins_at_random and Scenario.defaults()["hide"] is False
    assert chance_of(BOB, 8) == 0.5 == proposed_chance(8, 4)
    assert chance_of(BOB.with_changes(hide_joining="stated", hide_chance=0.3), 8) == 0.3
    assert asked(evaluate(BOB, sample("bob"))) is None, "there is nothing to try"


def test_the_page_says_the_odds_the_cost_and_what_is_not_protected() -> None:
    outcome = evaluate(TWO, sample("bob"))
    said, words = describe_hidden(outcome), describe(outcome)
    knows = "Someone who knows that there are four landmarks believes each to be one with probability 0.67; a random"
    for text in (said, words.paragraph):
        assert f"{knows} timestamp is one with probability 0.50." in text
        assert "who assumes that timestamps are independent, the odds of each grow by a factor of 2." in text
    assert "0.143 instead of 0.20, and the expected mean error is 2.8 km instead of 2.0 km" in said
    assert "The proposed chance is 0.50; on average 6 of 8 timestamps are protected." in said
    assert (
        "It follows from the number of landmarks, so it reveals something about that number; a stated one does not."
        in said
    )
    assert "With probability 6.3 % no dummy joins, and the landmarks are exposed." in said
    assert "budget of 1 for the number" not in said
    (promise,) = [text for text in words.warnings if "dumm" in text]
    assert (
        "that a timestamp is a landmark, with epsilon ln(1/p) = 0.69. They do not protect the fact that it is not"
        in promise
    )
    assert NO_PROMISE not in words.warnings
    assert (
        words.assumption.count("not which of them are landmarks") == 1 and "may find that out" not in words.assumption
    )
    alone = describe_hidden(evaluate(NONE, sample("bob")))
    assert "No dummy was chosen this time: the protected timestamps are your landmarks, so nothing is hidden." in alone
    stated = describe_hidden(evaluate(TWO.with_changes(hide_joining="stated", hide_chance=0.25), sample("bob")))
    assert (
        "On average 5 of 8 timestamps are protected." in stated
        and "roposed" not in stated
        and "follows from" not in stated
    )


def test_what_belongs_to_the_method_is_shown_and_no_more() -> None:
    def shown(**changes: Any) -> set[str]:
        return {name for name in BOB.with_changes(**changes).visible() if name.startswith("hide_")}

    assert shown() == {"hide_method", "hide_joining", "hide_draw", "hide_seed"}
    assert shown(hide_joining="stated") - shown() == {"hide_chance"}
    assert shown(hide_method="greedy") - shown() == {"hide_epsilon", "hide_most"}
    assert not shown(hide=False)
    with pytest.raises(InputError, match=r"The chance to join must be between 1e-6 and 1; got 0\."):
        BOB.with_changes(hide_chance=0)
    with pytest.raises(InputError, match="The draw of dummies must be a whole number between 1 and 100; got 101"):
        BOB.with_changes(hide_draw=101)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_epsilon_scheme_and_noise_do_not_draw_again(scheme: str) -> None:
    other = TWO.with_changes(scheme=scheme, epsilon=0.1, seed=99, radius_m=50.0, window=2, correlation="none")
    assert protected(other, 8) == protected(TWO, 8) == evaluate(other, sample("bob")).protected


def test_other_data_and_another_draw_have_numbers_of_their_own() -> None:
    many = Scenario(track="commuter", landmarks=(5,), hide=True, hide_joining="stated", hide_chance=0.5)
    sets = [
        protected(each, n)
        for each, n in ((many, 2016), (many.with_changes(track="taxi"), 2016), (many, 2015))
        + ((many.with_changes(hide_draw=2), 2016), (many.with_changes(hide_seed=2), 2016))
    ]
    for k, one in enumerate(sets):
        for other in sets[:k]:
            shared = len(set(one) & set(other))
            assert 400 < shared < 610, "two draws of half of the timestamps share a quarter"


def test_another_landmark_or_a_larger_chance_leaves_the_other_dummies() -> None:
    base = Scenario(track="commuter", landmarks=(5, 90), hide=True, hide_joining="stated", hide_chance=0.02)
    assert set(protected(base.with_changes(landmarks=(5, 90, 300)), 2016)) == {*protected(base, 2016), 300}
    assert set(protected(base, 2016)) < set(protected(base.with_changes(hide_chance=0.05), 2016))


def test_a_new_draw_is_warned_of_with_what_is_left() -> None:
    drawn = [set(protected(BOB.with_changes(hide_draw=draw), 8)) for draw in (1, 2, 3)]
    left = set.intersection(*drawn)
    assert set(seen_together(BOB.with_changes(hide_draw=3), 8)) == left >= set(BOB.landmarks)
    page = TrackSession(scenario=BOB)
    assert not any("draw 1" in text for text in describe(page.outcome).warnings)
    page.apply([{"op": "set", "name": "hide_draw", "value": 3}], commit=True)
    (said,) = [text for text in describe(page.outcome).warnings if "draw 3" in text]
    number = {4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}[len(left)]
    assert f"Anyone who has seen all three draws looks for them among {number} timestamps" in said
    assert said.endswith("the odds of each have grown by a factor of 8.")
    page.apply([{"op": "set", "name": "hide_method", "value": "greedy"}], commit=True)
    assert "These dummies are draw 3, and the landmarks are in every draw." in describe(page.outcome).warnings


def test_many_draws_leave_more_than_a_million_to_one() -> None:
    many = BOB.with_changes(hide_joining="stated", hide_chance=1e-4, hide_draw=100)
    assert "factor of more than a million." in " ".join(describe(evaluate(many, sample("bob"))).warnings)


def test_data_of_ones_own_get_a_seed_that_nobody_knows_and_keep_it() -> None:
    page, other = own(), own()
    seeds = page.scenario.hide_seed, other.scenario.hide_seed
    assert all(map(is_secret, seeds)) and seeds[0] != seeds[1]
    kept = page.outcome.protected
    for operation in ({"op": "undo"}, {"op": "redo"}, {"op": "set", "name": "epsilon", "value": 0.3}):
        page.apply([operation], commit=True)
    assert page.outcome.protected == kept and page.scenario.hide_seed == seeds[0]
    page.apply([{"op": "reset"}], commit=True)
    page.apply([{"op": "mark", "indices": [1, 3, 6], "on": True}], commit=True)
    page.apply([{"op": "set", "name": "hide", "value": True}], commit=True)
    assert page.outcome.protected == kept, "a second draw of the same data would show more"
    page.apply([{"op": "set", "name": "track", "value": "bob"}], commit=True)
    assert {name: page.scenario[name] for name in UNDRAWN} == UNDRAWN
    assert 1 < secret_seed() < 2**53


def test_a_link_of_ones_own_data_and_what_is_handed_on_do_not_tell_the_seed() -> None:
    page = own()
    assert "hide=1" in page.link.query and "hide_seed" not in page.link.query
    page.keep()
    assert page.left_out() == ("the landmarks of your track", "the draw of your dummies")
    given = page.what_if().state.choices.scenario
    assert not given.hide and not is_secret(given.hide_seed) and given.landmarks == page.outcome.protected
    handed = page.handed_on()[0].state.choices.scenario
    assert not is_secret(handed.hide_seed)
    reader = TrackSession(own_track("theirs"))
    reader.open_link(page.link.query)
    assert is_secret(reader.scenario.hide_seed) and reader.scenario.hide_seed != page.scenario.hide_seed
    assert json.loads(page.settings())["scenario"]["hide_seed"] == page.scenario.hide_seed, "its owner keeps the draw"


def test_a_sample_keeps_its_draw_in_a_link() -> None:
    page = TrackSession(scenario=TWO.with_changes(hide_draw=2))
    changes = from_query(page.link.query, TrackChoices)
    assert (changes["hide"], changes.get("hide_seed", 1), changes["hide_draw"]) == (True, TWO.hide_seed, 2)
    other = TrackSession()
    other.open_link(page.link.query)
    assert other.outcome.protected == page.outcome.protected


def test_a_pinned_option_has_the_same_dummies() -> None:
    page = own()
    page.apply([{"op": "pin"}], commit=True)
    page.apply([{"op": "set", "name": "epsilon", "value": 0.2}], commit=True)
    pinned = page.choices.pinned
    assert pinned is not None and protected(pinned, 8) == page.outcome.protected


def test_the_proposed_chance_follows_the_landmarks() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        marks = tuple(np.flatnonzero(rng.random(288) < 0.1).tolist())
        scenario = Scenario(track="commuter", landmarks=marks, hide=True)
        assert chance_of(scenario, 288) == pytest.approx(min(0.5, 2 * len(marks) / (288 - len(marks))))
        found = len(dummies(scenario, 288))
        assert abs(found - 2 * len(marks)) < 6 * math.sqrt(2 * len(marks) + 1)
