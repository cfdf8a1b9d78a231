"""Found and promised as numbers: the values of the specification, and what draws of the attacks give."""

import math
import tempfile

import numpy as np
import pytest
from scipy.stats import norm

from lmdk_widgets.answers.exposure import (
    NOT_SHOWN,
    OF_CELLS,
    attacker_sentences,
    first_answers,
    found_circle,
    found_circles,
    found_of,
)
from lmdk_widgets.answers.main_places import places_of
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.release_as_data import release_as_data
from lmdk_widgets.answers.report_budgets import DRAWS, drawn_budgets, noise_budgets, of_budgets
from lmdk_widgets.geo import distance_m
from lmdk_widgets.inference import averaging_attack, main_place
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.answers import guesses, of_100
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.evaluation import release_afresh
from lmdk_widgets.study import Study
from lmdk_widgets.sweep.rows import MEASURES
from lmdk_widgets.sweep.settings_grid import grid
from lmdk_widgets.trajectory import Series, Trajectory, sample
from lmdk_widgets.trajectory.samples import sample_series
from tests.landmark_choices import page_of

TABLE = {
    # N; B; X; right; second N; X; one moment; landmarks and one more
    "bob": (1, 0.2, 1665.1, 0.5282, 1, 1665.1, 0.5498, 0.7311),
    "commuter": (1044, 3.5901, 92.8, 0.8978, 539, 129.1, 0.5277, 0.7311),
    "taxi": (2172, 3.5850, 92.9, 0.8975, 417, 212.0, 0.5192, 0.7311),
}


def outcome_of(track="commuter", data=None, **changes):
    data = data or sample(track)
    return evaluate(Scenario(track=track, landmarks=data.landmarks).with_changes(**changes), data)


def value(outcome, name="Found"):
    return next(answer for answer in first_answers(outcome) if answer.name == name)


# -- the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("track", TABLE)
def test_found_and_promised_are_those_of_the_table(track):
    moments, together, within, right, second, second_m, one, more = TABLE[track]
    outcome = outcome_of(track)
    found, promised = found_of(outcome), Promised(outcome)
    assert found.moments == moments and found.drawn == 0
    assert found.together == pytest.approx(together, abs=5e-5)
    assert found.within() == pytest.approx(within, abs=0.05)
    assert found.within(0.9) == pytest.approx(3.0348542587 * 200 / found.together)
    assert found.right == pytest.approx(right, abs=5e-5)
    assert int(places_of(outcome.trajectory)[1].sum()) == second
    assert track == "bob" or found.places[1].found_m == pytest.approx(second_m, abs=0.05)
    assert promised.one == pytest.approx(one, abs=5e-5)
    assert promised.together == pytest.approx(more, abs=5e-5)


@pytest.mark.parametrize(
    ("scheme", "lengths"),
    [("event", (103.1, 34.4, 10.3, 3.4, 1.0)), ("uniform", (927.6, 309.2, 92.8, 30.9, 9.3))],
)
def test_the_commuter_is_found_sooner_with_more_budget(scheme, lengths):
    for epsilon, within in zip((0.1, 0.3, 1, 3, 10), lengths, strict=True):
        assert found_of(outcome_of(scheme=scheme, epsilon=epsilon)).within() == pytest.approx(within, abs=0.05)


def test_the_commuter_under_user_level_and_skip():
    user = found_of(outcome_of(scheme="user"))
    assert user.within() == pytest.approx(20_778, abs=1) and user.right == pytest.approx(0.5023, abs=5e-5)
    assert not user.is_found and user.value() == "not found" and user.colour == "grey"
    skip = found_of(outcome_of(scheme="skip"))
    assert skip.nearest.name == "home" and skip.reports == 1043 and skip.within() == pytest.approx(10.3, abs=0.05)
    assert skip.value() == "20 m or less" and skip.colour == "red"


# -- places ------------------------------------------------------------------------------------------------------------


def places_by_hand(data, k):
    """The main place, and that of all timestamps farther than 400 m from those before, by all pairs."""
    left, found = list(range(len(data))), []
    while left and len(found) < k:
        latitude, longitude = data.latitude[left], data.longitude[left]
        near = distance_m(latitude[:, None], longitude[:, None], latitude[None], longitude[None]) <= 200
        top = int(near.sum(axis=1).argmax())
        centre = latitude[near[top]].mean(), longitude[near[top]].mean()
        away = distance_m(*centre, latitude, longitude)
        found.append([i for i, d in zip(left, away, strict=True) if d <= 200])
        left = [i for i, d in zip(left, away, strict=True) if d > 400]
    return found


def test_ten_places_are_those_of_all_pairs():
    data = sample("commuter")
    every = slice(None, None, 5)
    few = Trajectory(data.latitude[every], data.longitude[every], data.time[every])
    assert [np.flatnonzero(m).tolist() for m in places_of(few)] == places_by_hand(few, 10)
    assert len(places_of(sample("bob"))) == 8


def test_how_many_places_are_found_to_within_the_radius():
    for epsilon, near in ((0.1, 0), (1.0, 2), (100.0, 10)):
        found = found_of(outcome_of(epsilon=epsilon))
        by_hand = sum(
            1.6651092223 * 200 / (epsilon / 9 * math.sqrt(len(place))) <= 200
            for place in map(np.flatnonzero, places_of(sample("commuter")))
        )
        assert found.near == by_hand == near


@pytest.mark.parametrize(("epsilon", "colour"), [(0.463, "amber"), (0.465, "red"), (0.0926, "grey"), (0.0929, "amber")])
def test_colours_change_at_one_radius_and_at_five(epsilon, colour):
    found = found_of(outcome_of(epsilon=epsilon))
    assert found.colour == colour
    assert {"red": found.right >= 0.72, "amber": 0.546 <= found.right < 0.7221, "grey": found.right < 0.547}[colour]


def test_a_place_without_a_report_is_not_found():
    data = sample("commuter")
    home = np.flatnonzero(places_of(data)[0])
    skipped = found_of(outcome_of(scheme="skip", landmarks=home))
    assert skipped.nearest.name == "work" and skipped.value() == "20 m or less"
    silent = next(place for place in skipped.places if place.name == "home")
    assert silent.reports_m == math.inf and silent.by_silence and silent.found_m == silent.silence.error_m


# -- what draws give ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "slack"), [({}, 0.15), ({"scheme": "skip", "epsilon": 0.2}, 0.15), ({"scheme": "adaptive"}, 0.2)]
)
def test_draws_of_the_attack_find_the_main_place_so_well(changes, slack):
    """The geometric median of the reports of 60 releases, beside the formula. The truth is that of all members: their
    geometric median, as people move within a place."""
    data, off = sample("commuter"), []
    outcome = outcome_of(**changes)
    found = found_of(outcome)
    for seed in range(60):
        drawn = evaluate(outcome.scenario.with_changes(seed=seed), data)
        mask = found.members & drawn.published
        at = averaging_attack(drawn.latitude, drawn.longitude, mask, budgets=noise_budgets(drawn))
        true = averaging_attack(data.latitude, data.longitude, found.members)
        off.append(float(distance_m(*at, *true)))
    assert np.median(off) == pytest.approx(found.within(), rel=slack)
    assert np.quantile(off, 0.9) == pytest.approx(found.within(0.9), rel=slack * 1.5)


@pytest.mark.parametrize(("reports", "budget"), [(1044, 1 / 9), (100, 0.2), (25, 0.2)])
def test_draws_are_guessed_right_so_often(reports, budget):
    """The likelier of two places one radius apart, from the reports of one of them."""
    rng, mechanism, right = np.random.default_rng(3), PlanarLaplace(radius_m=200.0), 0
    for _ in range(3000):
        noise = mechanism.scale(budget) * mechanism.standard_noise(reports, rng)
        here, there = np.hypot(*noise.T), np.hypot(*(noise - (200.0, 0.0)).T)
        right += here.sum() < there.sum()
    assert right / 3000 == pytest.approx(norm.cdf(budget * math.sqrt(reports) / (2 * math.sqrt(2))), abs=0.025)


@pytest.mark.parametrize("scheme", ["adaptive", "budget-distribution", "budget-absorption"])
def test_budgets_that_depend_on_releases_are_drawn_and_kept_once(scheme):
    outcome = outcome_of("bob", scheme=scheme, window=3)
    found, drawn = found_of(outcome), drawn_budgets(of_budgets(outcome.scenario), outcome.trajectory)
    assert found.drawn == DRAWS == len(drawn) and "median of 20 draws" in found.sentences()[0]
    np.testing.assert_allclose(drawn[0], noise_budgets(outcome), rtol=1e-12)  # the first has the seed that is shown
    other = outcome_of("bob", scheme=scheme, window=3, correlation="strong")
    assert drawn_budgets(of_budgets(other.scenario), other.trajectory) is drawn
    np.testing.assert_array_equal(found_of(other).spent, found.spent)


# -- the circle --------------------------------------------------------------------------------------------------------


def test_the_circle_lies_around_what_the_attack_finds_in_this_draw():
    outcome = outcome_of()
    *_, members = main_place(outcome.trajectory.latitude, outcome.trajectory.longitude)
    at = averaging_attack(outcome.latitude, outcome.longitude, members, budgets=outcome.budgets)
    circle = found_circle(outcome)
    assert circle == (*at, pytest.approx(92.76, abs=0.01), True, "home", value(outcome).value)
    assert found_circle(outcome_of(scheme="event"))[2] == 20
    assert found_circle(outcome_of("bob")) is found_circle(outcome_of(scheme="user")) is None


def test_the_map_names_up_to_three_places_that_are_found_by_reports_or_by_silences():
    outcome = outcome_of()
    named = found_circles(outcome)
    assert [circle.name for circle in named] == ["home", "work", "place 3"] and named[0] == found_circle(outcome)
    assert [round(circle.radius_m) for circle in named] == [93, 129, 288]
    assert [circle.distance for circle in named] == ["93 m", "130 m", "290 m"], "as the answer writes it"
    assert f"Work: {named[1].distance}" in value(outcome).line.replace("Your work", "Work")
    work = places_of(outcome.trajectory)[1]
    assert named[1][:2] == averaging_attack(outcome.latitude, outcome.longitude, work, budgets=outcome.budgets)
    everywhere = outcome_of(scheme="skip", landmarks=np.flatnonzero(places_of(outcome.trajectory).any(axis=0)))
    first, place = found_circles(everywhere)[0], found_of(everywhere).nearest
    assert place.by_silence and (first.name, first.radius_m) == (place.name, place.found_m)
    off_m = distance_m(first.latitude, first.longitude, place.latitude, place.longitude)
    assert off_m < 3 * place.silence.most_m and first.message()[3:] == [1.0, place.name, value(everywhere).value]


def test_what_stands_in_for_the_truth_and_cells_have_no_number():
    for data in (sample("commuter"), sample_series("household")):
        scenario = Scenario(landmarks=(3, 4))
        made = release_as_data(scenario, data, release_afresh(scenario, data)).state
        outcome = evaluate(made.choices, made.data)
        assert found_of(outcome) is found_circle(outcome) is None
        assert value(outcome).value == "not said" and value(outcome).line == NOT_SHOWN
        assert attacker_sentences(outcome)[0] == NOT_SHOWN
    cells = outcome_of("bob", mechanism="optimal")
    assert found_of(cells) is None and value(cells)[1:3] == ("not computed", OF_CELLS)


def text_of(page):
    return page._text(page.outcome)


@pytest.mark.long
def test_a_file_to_hand_on_has_no_circle_and_no_number_of_the_truth():
    week = sample("commuter")
    own = Trajectory(week.latitude[:300], week.longitude[:300], week.time[:300], name="mine", zone="Europe/Paris")
    choices = TrackChoices(Scenario(track="", epsilon=5.0)).with_changes(
        **{"attacker.open": True, "table.open": True, "table.epsilons": (1.0,), "table.radii_m": (200.0,)}
    )
    page = page_of(choices, own)
    circles = {drawing.name: drawing.described for drawing in page._drawings(page.outcome)}["found"]
    assert circles["circles"] and page._text(page.outcome)["answers"][0]["look"] == "red"
    made = TrackPage.showing(page.session.what_if().state)
    made.finish()
    drawn = {drawing.name: drawing.described for drawing in made._drawings(made.outcome)}
    assert drawn["found"]["circles"] == []
    assert text_of(made)["leave_out"]["title"] == "" and text_of(page)["leave_out"]["title"]
    text = text_of(made)
    assert text["answers"][0]["value"] == "not said" and text["exposed"][0] == NOT_SHOWN
    assert not any("Without knowing when" in each for each in text["inferred"]["found"])
    found = [row for row in made.outcome.found("table").rows]
    assert found and all(math.isnan(row["found_within_m"]) for row in found)


# -- promised ----------------------------------------------------------------------------------------------------------


def test_a_promise_is_rounded_up():
    assert [of_100(p) for p in (0.5, 0.5277, 0.7311, 0.99999)] == ["50", "53", "74", "100"]
    for loss in (0.0, 0.2, 1.0, 40.0):
        assert guesses(loss) == pytest.approx(math.exp(loss) / (1 + math.exp(loss)))
    assert guesses(1e9) == 1


def test_the_best_guess_of_one_report_keeps_the_promise():
    """Between two places a radius apart: half of what both densities differ by, on a fine grid, beside the bound."""
    budget, side = 1.0, 20.0
    x = np.arange(-6000, 6200, side) + side / 2
    east, north = np.meshgrid(x, x)
    rate = budget / 200
    one, other = (rate**2 / (2 * np.pi) * np.exp(-rate * np.hypot(east - at, north)) * side**2 for at in (0.0, 200.0))
    best = np.maximum(one, other).sum() / 2
    assert 0.5 < best < guesses(budget)


@pytest.mark.parametrize("scheme", ["adaptive", "budget-distribution", "budget-absorption"])
@pytest.mark.parametrize("window", [1, 3, 8])
def test_no_draw_spends_more_than_is_promised(scheme, window):
    outcome = outcome_of("bob", scheme=scheme, window=window)
    promised = Promised(outcome)
    for seed in range(150):
        drawn = outcome_of("bob", scheme=scheme, window=window, seed=seed)
        assert drawn.budgets.max() <= promised.one_loss * (1 + 1e-9)
        assert drawn.totals.max() <= promised.together_loss * (1 + 1e-9)
        assert drawn.budgets.sum() <= promised.all_loss * (1 + 1e-9)


def test_promises_of_every_scheme_are_those_of_its_sums():
    marks = (0, 2, 4, 7)
    for scheme, one, more in (("event", 1, 5), ("user", 1 / 8, 5 / 8), ("uniform", 0.2, 1), ("skip", 1, 1)):
        promised = Promised(outcome_of("bob", scheme=scheme))
        assert promised.one_loss == pytest.approx(one) and promised.together_loss == pytest.approx(more), scheme
    assert Promised(outcome_of("bob", scheme="user")).all == pytest.approx(guesses(1.0))
    adaptive = Promised(outcome_of("bob", scheme="adaptive"))
    assert (adaptive.one_loss, adaptive.together_loss) == pytest.approx((1 / 2, 1)), "the last one is a landmark"
    assert adaptive.all_loss == pytest.approx(1 + 1 / 4 + 1 / 3 + 2 / 2)
    commuter = Promised(outcome_of(scheme="adaptive"))
    assert commuter.all_loss == pytest.approx(612, abs=1)
    every = Promised(outcome_of("bob", scheme="adaptive", landmarks=range(8)))
    assert every.all_loss == 1 and every.who == "the eight landmarks"
    distribution = Promised(outcome_of("bob", scheme="budget-distribution", window=8))
    assert distribution.one_loss == pytest.approx(1 / 4 + 1 / 16) and distribution.together_loss < 1
    for scheme, together in (("budget-absorption", 2.0), ("budget-distribution", 1.7396), ("predictive", 7 / 3)):
        most = Promised(outcome_of("bob", scheme=scheme, window=3)).together_loss
        assert most == pytest.approx(together, abs=5e-5), scheme  # the draw that is shown spends less
    assert len(marks) == 4


def test_promises_between_cells_count_their_distance():
    one = Promised(outcome_of("bob")).one_loss
    for cells, place_m, times in (("track", 1000.0, 5), ("region", 4000.0, 20)):
        promised = Promised(outcome_of("bob", mechanism="optimal", cells=cells, place_m=place_m))
        assert promised.one_loss == pytest.approx(times * one, rel=1e-5)
        assert f"two equally likely neighbouring cells of {place_m / 1000:.1f} km" in promised.line()
    response = Promised(outcome_of("bob", mechanism="randomised", place_m=4000.0))
    assert response.one_loss == pytest.approx(0.2) and "any two equally likely cells" in response.line()


def test_every_promise_says_between_which_two_it_is():
    for outcome, apart in (
        (outcome_of("bob", radius_m=350.0), "between two equally likely places 350 m apart"),
        (
            outcome_of(data=sample_series("household"), track="household"),
            "between any two equally likely values within the bounds",
        ),
        (outcome_of(data=sample_series("contacts"), track="contacts"), "between the two equally likely answers"),
    ):
        promised = Promised(outcome)
        assert apart in promised.line() and apart in promised.sentence() and "50" in promised.sentence()
    alone = Promised(outcome_of("bob", landmarks=()))
    assert alone.who == "" and "landmark" not in alone.line() + alone.sentence()
    assert (
        "nothing for one moment, for the four landmarks and any one other together, or for all"
        in Promised(outcome_of("bob", scheme="event", epsilon=9.0)).sentence()
    )


# -- series ------------------------------------------------------------------------------------------------------------


def test_the_level_of_the_household_is_found_so_well():
    data = sample_series("household")
    outcome = outcome_of(data=data, track="household")
    found = found_of(outcome)
    ground = outcome.ground
    spent = [b for b, there in zip(outcome.budgets, found.members, strict=True) if there]
    together, width = math.sqrt(math.fsum(b * b for b in spent)), ground.upper - ground.lower
    assert found.within() == pytest.approx(0.6744897502 * width / together)
    assert found.within(0.9) == pytest.approx(1.6448536270 * width / together)
    assert found.right == pytest.approx(norm.cdf(together / 2))
    rng = np.random.default_rng(1)
    noise = rng.laplace(0, width / spent[0], (4000, len(spent)))
    assert np.median(np.abs(np.median(noise, axis=1))) == pytest.approx(found.within(), rel=0.1)
    one, other = np.abs(noise).sum(axis=1), np.abs(noise - width).sum(axis=1)
    assert (one < other).mean() == pytest.approx(found.right, abs=0.02)


def level(budget, n=40, **changes):
    time = np.datetime64("2026-01-26T08:00", "ns") + np.arange(n) * np.timedelta64(600, "s")
    series = Series(time, values=np.full(n, 2.0), unit="kWh", lower=0.0, upper=10.0)
    return evaluate(Scenario(scheme="event", epsilon=budget, level_width=0.1, **changes), series)


def test_a_level_has_its_colours_and_is_not_found_beyond_half_the_bounds():
    for budget, colour in ((0.1, "grey"), (2.0, "grey"), (2.2, "amber"), (10.6, "amber"), (10.8, "red")):
        assert found_of(level(budget)).colour == colour
    nowhere = found_of(level(0.1))
    assert not nowhere.is_found and nowhere.value() == "not found"
    assert "more than half the width of the bounds" in nowhere.line() and "does not find" in nowhere.sentences()[0]
    assert found_of(level(100.0)).value() == "0.05 kWh or less"
    few = found_of(level(1.0, n=4))
    assert few.sentences() == [] and few.value() == "not found" and few.line() == "No level has five reports."


def test_answers_are_guessed_and_have_their_colours():
    time = np.datetime64("2026-01-26T08:00", "ns") + np.arange(50) * np.timedelta64(600, "s")
    series = Series(time, values=np.repeat([1.0, 0.0], (36, 14)), kind="answers")
    for epsilon, colour in ((0.03, "grey"), (0.1, "amber"), (0.3, "red")):
        found = found_of(evaluate(Scenario(scheme="event", epsilon=epsilon), series))
        p = 1 / (1 + math.exp(-epsilon))
        assert found.right == pytest.approx(norm.cdf(6 * (p - 0.5) / math.sqrt(p * (1 - p))))
        assert found.colour == colour and math.isnan(found.within())
    assert found_of(evaluate(Scenario(scheme="event", epsilon=3.0), series)).value() == "over 99 of 100"
    votes = np.random.default_rng(0).random((20_000, 36)) < 1 / (1 + math.exp(-0.3))
    share = (votes.sum(axis=1) > 18).mean() + (votes.sum(axis=1) == 18).mean() / 2
    found = found_of(evaluate(Scenario(scheme="event", epsilon=0.3), series))
    assert share == pytest.approx(found.right, abs=0.01) and found.value() == f"{100 * found.right:.0f} of 100"


# -- as measures -------------------------------------------------------------------------------------------------------


def test_found_and_guessed_are_measures():
    for outcome in (outcome_of(), outcome_of("bob", scheme="adaptive"), level(3.0)):
        found = found_of(outcome)
        assert MEASURES["found_within_m"].of(outcome) == found.within()
        assert MEASURES["guesses_right"].of(outcome) == found.right
    cells = outcome_of("bob", mechanism="randomised", place_m=4000.0)
    assert math.isnan(MEASURES["found_within_m"].of(cells)) and math.isnan(MEASURES["guesses_right"].of(cells))


@pytest.mark.parametrize("scheme", ["uniform", "skip", "adaptive", "budget-absorption"])
def test_a_grid_finds_what_each_setting_finds(scheme):
    data = sample("bob")
    scenario = Scenario(landmarks=data.landmarks, scheme=scheme, correlation="none", window=3)
    pairs = [(0.5, 100.0), (1.0, 200.0), (5.0, 1000.0), (2.0, 200.0)]
    rows = [row for some in grid(scenario, data, pairs) for row in some]
    for (epsilon, radius_m), row in zip(pairs, rows, strict=True):
        found = found_of(evaluate(scenario.with_changes(epsilon=epsilon, radius_m=radius_m), data))
        assert row["found_within_m"] == pytest.approx(found.within(), rel=1e-9)


def test_a_study_notes_what_is_found():
    grid_of = {"scheme": ["uniform", "user"], "epsilon": [1.0]}
    measures = ("found_within_m", "guesses_right")
    with tempfile.TemporaryDirectory() as folder:
        table = Study({"commuter": sample("commuter")}, grid_of, measures=measures).run(folder, jobs=1)
    by_scheme = table.set_index("scheme")
    assert by_scheme.found_within_m["user"] == pytest.approx(20_778, abs=1)
    assert by_scheme.guesses_right["user"] == pytest.approx(0.5023, abs=5e-5)
