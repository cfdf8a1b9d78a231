"""What the track page says by the distance of two places: the values of the paper, no draw passes it, and its panel."""

import math
import re
from concurrent.futures import Future
from itertools import permutations, product
from threading import Event

import numpy as np
import pytest

from lmdk_widgets.answers.odds import chain_losses
from lmdk_widgets.answers.pairs import by_diameter, cells_of_chain, compute, has_pairs, pairs_of, states_of
from lmdk_widgets.leakage import pairwise_loss, reverse, temporal_loss
from lmdk_widgets.linear import compiling
from lmdk_widgets.page.amounts import MILLION, bound, factor, metres
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.track.chart_texts import summarise
from lmdk_widgets.pages.track.choices import PANELS
from lmdk_widgets.pages.track.page import session_on
from lmdk_widgets.pages.track.pairs import slow, told_by
from lmdk_widgets.pages.track.timeline import describe_timeline
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.trajectory import Trajectory, sample, sample_series

BOB = Scenario(scheme="event", epsilon=0.2)


def bob(**changes):
    return evaluate(BOB.with_changes(**changes), sample("bob"))


def carried(pairs):
    """(k, m, m) what the chain carries over between any two states."""
    return pairs.carried(np.ones_like(pairs.states.other)).reshape(-1, *pairs.states.other.shape)


def whole(outcome):
    *_, found = compute(outcome)
    return found


def test_bobs_places_are_those_of_the_paper():
    """Five cells of 1 km; the loss between their middles is that of the page's places with the middles' distance."""
    outcome = bob()
    places = cells_of_chain(sample("bob"), 1000.0, 5)[[2, 3, 4, 0, 1]]
    assert (places - places[0]).tolist() == [[0, 0], [1000, 0], [2000, -1000], [2000, 0], [4000, 0]]
    pairs, order = pairs_of(outcome), np.array([2, 3, 4, 0, 1])
    total = carried(pairs)[pairs.which[3]] + 0.2 * states_of(outcome).unit
    total = total[np.ix_(order, order)]
    assert total[0, 1] == pytest.approx(4.5016303814, abs=1e-9) and total[4, 0] == pytest.approx(8.7001640977, abs=1e-9)


def test_a_chain_says_nothing_of_two_places_in_one_cell():
    """Someone who stays at one place repeats it: only places of two different cells are compared, at every distance."""
    pairs = pairs_of(bob())
    assert not (pairs.states.at(200.0)[0] & ~pairs.states.other).any()
    assert (pairs.states.at(200.0)[0] == _touching(pairs)).all() and pairs.states.near == 200.0
    assert pairs.near.max() == pytest.approx(0.2 + pairs.carried(_touching(pairs)).max())
    assert pairs.total.max() > pairs.most_at(1000.0) > pairs.near.max()
    assert math.isnan(pairs.most_at(1e6))
    said = " ".join((describe(bob()).paragraph, describe(bob()).assumption))
    assert "in one cell, nor of someone who stays at one place" in said and said.count("in one cell") == 1


def test_where_no_two_cells_are_one_radius_apart_the_nearest_are_compared_and_said():
    time = np.datetime64("2026-01-26T08:00", "ns") + np.arange(6) * np.timedelta64(600, "s")
    far = Trajectory(np.full(6, 48.8), 2.3 + np.tile([0.0, 0.05], 3), time)  # 3.7 km apart
    outcome = evaluate(Scenario(track="", correlation="estimated", cell_m=100.0, scheme="event", epsilon=0.02), far)
    pairs = whole(outcome)
    apart = float(np.hypot(*np.ptp(pairs.states.middles, axis=0)))
    nearest = float(np.hypot(*np.maximum(np.ptp(pairs.states.middles, axis=0) - 100.0, 0)))
    assert len(pairs.states) == 2 and pairs.states.near == pytest.approx(nearest) and nearest > 3_000
    assert pairs.near.max() == pytest.approx(0.02 * nearest / 200 + pairs.carried(pairs.states.other).max())
    assert pairs.most_at(pairs.states.near) == pytest.approx(pairs.near.max())
    assert math.isnan(pairs.most_at(200.0)) and math.isfinite(pairs.most_at(apart))
    assert f"for places {metres(nearest)} apart (none are nearer to 200 m)" in said_of(outcome, pairs)


def test_where_all_cells_are_nearer_than_the_radius_the_farthest_are_compared():
    outcome = bob(radius_m=50_000.0)
    pairs = pairs_of(outcome)
    assert pairs.states.near == pytest.approx(pairs.states.reach[1].max()) and pairs.states.near < 50_000
    assert "(none are nearer to 50.0 km)" in describe(outcome).paragraph


def test_a_chain_of_one_cell_says_nothing():
    outcome = bob(correlation="estimated", cell_m=100_000.0)
    assert len(outcome.correlation.matrix) == 1 and not has_pairs(outcome)
    said = describe(outcome).paragraph
    assert "drawn anew at every timestamp? It has only one cell, so it says nothing about two cells." in said
    assert chain_losses(outcome) == pytest.approx(outcome.budgets) and "learns up to" not in said


def said_of(outcome, pairs):
    """What is said where a page has found the loss pair by pair."""
    return describe(outcome.improved(results={"pairs": Result("", pairs, done=True)})).paragraph


def _touching(pairs):
    middles = pairs.states.middles
    apart = np.abs(middles[:, None] - middles).max(axis=2)
    return (apart > 0) & (apart <= 1000.0)


@pytest.mark.parametrize("adversary", ["both", "past", "future"])
@pytest.mark.parametrize("track", ["bob", "commuter"])
def test_no_draw_tells_more(track, adversary):
    for seed in range(12):
        scenario = Scenario(
            track=track, scheme="event", epsilon=(0.05, 0.3, 2.0)[seed % 3], seed=seed, adversary=adversary
        )
        outcome = evaluate(scenario, sample(track))
        pairs = pairs_of(outcome)
        most = (carried(pairs) + pairs.spent[:, None, None] * pairs.states.unit).max(axis=0)
        told = told_by(outcome)
        assert told.max() > 0.1 and (told <= most + 1e-9).all()


def test_no_draw_of_an_estimated_chain_or_of_a_series_tells_more():
    for seed in range(6):
        kind = {"correlation": "estimated", "scheme": "event", "epsilon": 0.5, "seed": seed}
        for outcome in (bob(**kind), evaluate(Scenario(level_width=1.0, **kind), sample_series("household"))):
            pairs = whole(outcome)
            most = (carried(pairs) + pairs.spent[:, None, None] * pairs.states.unit).max(axis=0)
            assert (told_by(outcome) <= most + 1e-9).all()


def test_an_estimated_chain_has_the_loss_of_its_cells():
    outcome = bob(correlation="estimated")
    chain, middles = outcome.correlation.matrix, states_of(outcome).middles
    apart = np.hypot(*np.moveaxis(middles[:, None] - middles, 2, 0))
    again = pairwise_loss(reverse(chain), chain, outcome.budgets, apart, 200).total
    pairs = whole(outcome)
    assert np.allclose(carried(pairs)[pairs.which] + 0.2 * apart / 200, again)
    assert not pairs.one_number and pairs_of(outcome).one_number  # nobody waits for better without a page
    assert (pairs.near <= by_diameter(outcome).near + 1e-9).all()


def test_a_series_is_never_above_the_one_number():
    for changes in ({}, {"correlation": "estimated", "level_width": 0.5}, {"scheme": "uniform", "adversary": "past"}):
        outcome = evaluate(Scenario(epsilon=0.1, **changes), sample_series("household"))
        assert (whole(outcome).total <= outcome.total + 1e-9).all()
    cells = bob(mechanism="randomised", correlation="strong")
    assert (pairs_of(cells).total <= cells.total + 1e-9).all()


def test_a_matrix_of_ones_own_and_many_states_have_one_number_at_the_largest_distance():
    given = bob(correlation="matrix", matrix=((0.8, 0.2), (0.1, 0.9)))
    known, far = given.correlation, states_of(given).unit.max()
    again = (
        temporal_loss(known.backward, known.forward, given.budgets * far).total - given.budgets * far + given.budgets
    )
    assert np.allclose(chain_losses(given), again) and pairs_of(given).one_number
    many = evaluate(Scenario(track="commuter", correlation="estimated", cell_m=500.0), sample("commuter"))
    assert len(many.correlation.matrix) > 50 and pairs_of(many).one_number
    assert "by one number for all cells, as if any two places were" in describe(many).paragraph


def test_a_scheme_that_chooses_its_budgets_counts_at_the_largest():
    online = evaluate(Scenario(track="commuter", scheme="adaptive", landmarks=(3, 9)), sample("commuter"))
    event = evaluate(Scenario(track="commuter", scheme="event", landmarks=(3, 9)), sample("commuter"))
    assert pairs_of(online).largest and np.allclose(chain_losses(online), chain_losses(event))
    assert "at the largest budget that Adaptive can choose" in describe(online).paragraph


def test_budgets_that_differ_are_followed_one_by_one():
    outcome = bob(scheme="skip", landmarks=(2, 5))
    chain, states = outcome.correlation.matrix, states_of(outcome)
    again = pairwise_loss(chain, chain, outcome.budgets, states.unit).total
    pairs = pairs_of(outcome)
    assert np.allclose(carried(pairs)[pairs.which] + outcome.budgets[:, None, None] * states.unit, again)


def test_a_window_tells_what_the_worst_two_ways_through_it_do():
    """Against `of_ways` over every two ways of middles; two values within their levels are a little farther apart."""
    outcome = evaluate(
        Scenario(scheme="window", window=3, states=3, correlation="moderate"), sample_series("household")
    )
    chain, unit, pairs = outcome.correlation.matrix, states_of(outcome).unit, pairs_of(outcome)
    at = range(160, 163)
    loss = pairwise_loss(chain, chain, outcome.budgets, unit, at=at)
    every = list(permutations(range(3), 2))
    worst = max(loss.of_ways(*np.array(ways).T) for ways in product(every, repeat=3))
    assert pairs.in_a_row(3) == pytest.approx(worst + float(outcome.budgets[at].sum()) * (1 - unit.max()))
    assert pairs.in_a_row(1) == pytest.approx(pairs.total.max())
    assert f"are told apart by a factor of at most {factor(pairs.in_a_row(3))}." in describe(outcome).paragraph
    assert (
        "over any three timestamps in a row, two series in two levels at each of them," in describe(outcome).paragraph
    )


def test_two_ways_through_places_add_up_their_distances_and_what_the_ends_carry():
    outcome = bob(scheme="window", window=3, epsilon=0.6)
    pairs, spent = pairs_of(outcome), outcome.budgets
    near = states_of(outcome).at(200.0)[0]
    ends = [
        [float(side[each[k]][near].max()) for k in pairs.which]
        for side, each in zip((pairs.before, pairs.after), pairs.ends, strict=True)
    ]
    by_hand = [ends[0][max(t - 2, 0)] + spent[max(t - 2, 0) : t + 1].sum() + ends[1][t] for t in range(8)]
    assert pairs.in_a_row(3) == pytest.approx(max(by_hand)) and max(by_hand) > pairs.near.max()
    said = (
        "two paths in two cells, 200 m apart at each of them, the place within a cell drawn anew at every timestamp, are "
        f"told apart by a factor of at most {factor(max(by_hand))}."
    )
    assert said in describe(outcome).paragraph
    online = bob(scheme="budget-absorption", window=3, epsilon=0.6, landmarks=(2,))  # which never spends more in a row
    assert pairs_of(online).in_a_row(3, 0.6) < pairs_of(online).in_a_row(3)
    assert f"a factor of at most {factor(pairs_of(online).in_a_row(3, 0.6))}." in describe(online).paragraph


def test_above_a_million_there_are_words():
    outcome = bob(epsilon=5.0, correlation="strength", smoothing=1e-4)
    first, said = describe(outcome).paragraph.split(". ")[0], describe(outcome).paragraph
    assert chain_losses(outcome).max() > MILLION and first.endswith("by a factor of at most 149")
    assert said.count("nothing is hidden from someone who knows these habits") == 1
    assert "between places in two cells, even places 200 m apart." in said and not re.search(
        r"[0-9,]+ for any two", said
    )
    some = describe(bob(epsilon=1.0)).paragraph
    assert "; between some others, nothing is hidden from someone who knows these habits." in some


def test_the_chain_changes_nothing_where_there_is_none():
    outcome = bob(correlation="none")
    assert pairs_of(outcome) is None and np.allclose(chain_losses(outcome), 0.2)
    assert "What if" not in describe(outcome).paragraph


def test_the_page_draws_the_loss_against_distance():
    session = session_on(None, BOB, choices={"by_distance.open": True})
    outcome = session.outcome
    for better in session.improve(outcome):
        outcome = better
    (shown,) = PANELS.blocks(session.choices, outcome)["by_distance"]
    by_name = {trace["name"]: trace for trace in shown["shown"]["figure"]["data"]}
    pairs = pairs_of(outcome)
    most = by_name["at most, any two cells"]
    assert most["y"][most["x"].index(200.0)] == pytest.approx(chain_losses(outcome).max())
    assert np.allclose(most["y"], [pairs.most_at(d) for d in most["x"]])
    assert (np.array(by_name["half of the pairs of cells"]["y"]) <= np.array(most["y"]) + 1e-12).all()
    assert by_name["radius"]["x"] == [200.0, 200.0]
    assert max(by_name["this draw"]["y"]) == pytest.approx(told_by(outcome).max())
    assert "This draw changed the odds between the middles of two cells by a factor of" in shown["shown"]["summary"]


def test_the_page_says_so_while_it_computes():
    session = session_on(None, BOB.with_changes(correlation="estimated"))
    asked = "What if someone assumes a chain of six cells of 1.0 km"
    said = describe(session.outcome).paragraph
    assert (
        asked in said and "By what factor the odds between places in two cells then change is being computed." in said
    )
    outcome = session.outcome
    for better in session.improve(outcome):
        outcome = better
    assert "Then, for the six cells of the chain, the odds between places in two cells" in describe(outcome).paragraph


def test_series_show_both_losses():
    session = session_on("household", Scenario(track="household", epsilon=0.1))
    assert session.outcome.pair_total is not None
    assert (session.outcome.pair_total <= session.outcome.total).all()
    assert bob().pair_total is None


def test_a_track_draws_both_losses_on_an_axis_where_both_can_be_read():
    session = session_on(None, BOB)
    outcome = session.outcome
    assert (
        outcome.pair_total == pytest.approx(chain_losses(outcome))
        and outcome.pair_total.max() > 3 * outcome.total.max()
    )
    figure = describe_timeline(outcome)
    names = [trace["name"] for trace in figure["data"] if trace["yaxis"] == "y2"]
    assert {"total", "two cells, 200 m apart"} <= set(names) and figure["layout"]["yaxis2"]["type"] == "log"
    assert f"; two cells, 200 m apart: up to {bound(outcome.pair_total.max())}." in summarise(outcome)
    assert "type" not in describe_timeline(bob(correlation="none"))["layout"]["yaxis2"]


def test_losses_of_next_to_nothing_leave_room_for_the_others_on_their_axis():
    outcome = session_on(None, BOB.with_changes(scheme="given", budgets=(1.0, *[1e-9] * 7), correlation="weak")).outcome
    low, high = describe_timeline(outcome)["layout"]["yaxis2"]["range"]
    most = max(outcome.total.max(), outcome.pair_total.max())
    assert 10**low == pytest.approx(most / 1000) and 10**high > most


@pytest.mark.parametrize(("begun", "says"), [([], "is loading"), (["missing"], "not available"), (["there"], "")])
def test_what_takes_long_without_machine_code_says_so(monkeypatch, begun, says):
    done = [Future() for _ in begun]
    for future in done:
        future.set_exception(ImportError("Numba is not installed")) if "missing" in begun else future.set_result(None)
    monkeypatch.setattr(compiling, "_begun", done)
    monkeypatch.setattr(compiling, "_compiling", Event())
    said = slow(bob(correlation="estimated"))
    assert says in said and bool(said) == bool(says)
    assert slow(bob()) == ""


def test_whole_ways_are_told_apart_by_the_sum_of_their_budgets_and_distances():
    said = describe(bob()).paragraph
    near, far = factor(8 * 0.2), factor(8 * 0.2 * 5)
    assert "Whatever the chain, two whole paths that are always 200 m apart are told apart by a factor of" in said
    assert f"by a factor of at most {near}, at 1.0 km by {far}." in said
    assert "two whole paths" not in describe(bob(epsilon=2.0)).paragraph, "more than a million"
    household = evaluate(Scenario(scheme="user", track="household"), sample_series("household"))
    assert (
        "Whatever the chain, any two whole series are told apart by a factor of at most 2.72."
        in describe(household).paragraph
    )
