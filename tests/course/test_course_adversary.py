"""The lesson on the adversary: her beliefs against all tracks one by one, her habits counted, what its text says."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise, product
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from lmdk_widgets.budgets import allocate
from lmdk_widgets.course import adversary as lesson
from lmdk_widgets.course import figures, question, tracking
from lmdk_widgets.inference import home_and_work, likeliest_path, log_likelihoods
from lmdk_widgets.trajectory import sample


def beliefs_by_hand(prior, moves, likelihood) -> np.ndarray:
    """Every track with its probability, added up by where it is at each timestamp."""
    n, m = np.shape(likelihood)
    found = np.zeros((n, m))
    for path in product(range(m), repeat=n):
        p = prior[path[0]] * math.prod(moves[x][y] for x, y in pairwise(path))
        p *= math.prod(likelihood[t][x] for t, x in enumerate(path))
        for t, x in enumerate(path):
            found[t, x] += p
    return found / found.sum(axis=1, keepdims=True)


def test_three_places_are_those_of_the_text_and_of_every_track() -> None:
    street, released = tracking.three_places()
    density = [
        [(e / 200) ** 2 / (2 * math.pi) * math.exp(-e / 200 * math.dist(y, c)) for c in street.cells_m]
        for e, y in zip(released.budgets, released.outputs, strict=True)
    ]
    by_hand = beliefs_by_hand(street.prior, street.transitions, density)
    belief = street.believes(released)
    assert belief.smoothed == pytest.approx(by_hand, abs=1e-12)
    assert belief.smoothed[1] == pytest.approx([0.46476233163, 0.42335741443, 0.11188025394], abs=1e-10)
    assert belief.alone[1] == pytest.approx([0.21509695434, 0.60729187083, 0.17761117482], abs=1e-10)
    assert np.hypot(*(street.cells_m - released.outputs[1]).T).argmin() == 1, "nearest to place 1, as the question says"
    seen = log_likelihoods(released, street.cells_m, tracking.PLANAR)
    assert likeliest_path(street.prior, street.transitions, seen).tolist() == [0, 1, 1, 2]
    assert "place 0" in question("adversary/second").asked()["choices"]


def test_the_most_that_answers_tell_is_that_of_all_answers_and_all_tracks() -> None:
    street, epsilon = tracking.three_places()[0], 0.5
    keep, other = math.exp(epsilon) / (math.exp(epsilon) + 2), 1 / (math.exp(epsilon) + 2)
    before = [street.prior @ np.linalg.matrix_power(street.transitions, t) for t in range(4)]
    worst = np.zeros(4)
    for answers in product(range(3), repeat=4):
        likelihood = [[keep if x == said else other for x in range(3)] for said in answers]
        change = np.log(beliefs_by_hand(street.prior, street.transitions, likelihood) / before)
        worst = np.maximum(worst, change.max(axis=1) - change.min(axis=1))
    assert tracking.most_learned(street, np.full(4, epsilon)) == pytest.approx(worst, abs=1e-9)
    assert worst == pytest.approx([1.4249959024, 1.5761310922, 1.5761310922, 1.4249959024], abs=1e-9)
    bound = street.loss(np.full(4, epsilon)).total
    assert bound[:2] == pytest.approx([1.43360743, 1.57832128], abs=1e-7) and (worst <= bound).all()
    assert tracking.most_at_second() == pytest.approx((worst[1], bound[1]), abs=1e-9)


def test_small_worlds_by_hand() -> None:
    assert tracking.truth_teller() == pytest.approx(0.25 * 0.75 / (0.25 * 0.75 + 0.75 * 0.25))
    assert tracking.far_apart() == pytest.approx(0.5 * 2000 / 200)
    chance = np.zeros((9, 13))
    for steps in product((-1, 0, 1), repeat=8):  # nobody gets from the middle to an end and back in eight moves
        at = np.cumsum((6, *steps))
        if at[-1] == 6:
            chance[range(9), at] += math.prod(1 / 2 if step == 0 else 1 / 4 for step in steps)
    chance /= chance.sum(axis=1, keepdims=True)
    expected = [min(sum(p * 500 * abs(x - g) for x, p in enumerate(row)) for g in range(13)) for row in chance]
    assert tracking.gap_errors() == pytest.approx(expected, abs=1e-9)


def test_her_guesses_are_off_as_counted_one_by_one() -> None:
    adversary = tracking.bobs_adversary()
    belief = adversary.believes(tracking.bobs_release("uniform", 2.0, 1)).smoothed
    points = sample("bob").points_m
    truth = adversary.cell_of(points)
    for t, errors in enumerate(adversary.errors_m(belief, points)):
        assert truth[t] == min(range(128), key=lambda k: math.dist(adversary.cells_m[k], points[t]))
        costs = [
            sum(p * math.dist(a, b) for p, a in zip(belief[t], adversary.cells_m, strict=True))
            for b in adversary.cells_m
        ]
        assert errors == pytest.approx(math.dist(adversary.cells_m[int(np.argmin(costs))], points[t])), "to the place"
    weights = [[math.exp(-math.dist(a, b) / 1000) for b in adversary.cells_m] for a in adversary.cells_m[:3]]
    assert adversary.transitions[:3] == pytest.approx(np.array([np.divide(row, sum(row)) for row in weights]))
    assert adversary.prior @ adversary.transitions == pytest.approx(adversary.prior)


def test_errors_are_to_the_true_place_and_not_to_its_cell() -> None:
    """An adversary who is sure of the right cell is off by what lies between its centre and the place."""
    points, adversary = tracking.hours()[2][tracking.TUESDAY], tracking.commuters_adversary("habits")
    truth = adversary.cell_of(points)
    sure = np.eye(len(adversary.prior))[truth]
    off = [math.dist(adversary.cells_m[cell], point) for cell, point in zip(truth, points, strict=True)]
    assert adversary.errors_m(sure, points) == pytest.approx(off) and 100 < np.mean(off) < 700 / math.sqrt(2)
    budget = lesson.BUDGETS[-1]
    errors = tracking.tuesdays_errors("habits", budget)[tracking.ALL]
    assert errors > 0.9 * np.mean(off) > tracking.PLANAR.mean_displacement(budget), "the report itself is nearer"


def test_habits_are_counted_from_the_other_workdays_alone() -> None:
    states, centres, _ = tracking.hours()
    track, m = sample("commuter"), len(centres)
    local = [moment.astype("datetime64[s]").astype(object) for moment in track.time[6::12]]
    clock = [moment.replace(tzinfo=ZoneInfo("UTC")).astimezone(ZoneInfo(track.zone)) for moment in local]
    assert [when.hour for when in clock] == [*range(24)] * 7 and clock[24].strftime("%A") == "Tuesday"
    days = [states[day].tolist() for day in (0, 2, 3, 4)]
    stays = Counter(cell for day in days for cell in day)
    moves = Counter(pair for day in days for pair in pairwise(day))
    known = tracking.commuters_adversary("habits")
    assert known.prior == pytest.approx([(stays[k] + 0.01) / (96 + 0.01 * m) for k in range(m)])
    for x in (9, 34, 0):
        left = sum(count for (a, _), count in moves.items() if a == x)
        assert known.transitions[x] == pytest.approx([(moves[x, y] + 0.01) / (left + 0.01 * m) for y in range(m)])
    assert tracking.commuters_adversary("cells").prior == pytest.approx(np.full(m, 1 / m))
    assert np.ptp(tracking.commuters_adversary("places").transitions, axis=0) == pytest.approx(0)


def test_more_knowledge_and_more_releases_help_on_tuesday() -> None:
    errors = {name: tracking.tuesdays_errors(name, lesson.BUDGET) for name in tracking.KNOWLEDGE}
    assert errors["habits"][tracking.ALL] < errors["places"][tracking.ALL] < errors["cells"][tracking.ALL]
    seen = [errors["habits"][view] for view in ("no release", "this one alone", "this and those before", tracking.ALL)]
    assert seen == sorted(seen, reverse=True)
    assert errors["cells"]["this one alone"] == pytest.approx(errors["cells"][tracking.ALL])


@pytest.mark.parametrize("seed", range(10))
def test_the_bound_holds_for_answers_and_not_for_planar_laplace(seed: int) -> None:
    told = tracking.tuesdays_learned(0.5, seed)
    assert (told["randomised response"] <= told["bound: total loss"]).all()
    assert (told["planar Laplace"] > told["bound: total loss"]).all()


def test_the_nights_are_spent_at_home_and_found_there() -> None:
    track, (dots, found) = sample("commuter"), tracking.nights(tracking.NIGHT_BUDGET, tracking.NIGHT_SEED)
    assert len(dots) == 7 * 8 and tracking.spent_at_night() == pytest.approx(56 * 0.2)
    states, centres, _ = tracking.hours()
    local = track.time[6::12] + np.timedelta64(1, "h")  # Paris in winter
    assert found == home_and_work(np.eye(len(centres))[states.ravel()], local).home


def test_two_schemes_of_equal_mean_noise_protect_landmarks_unequally() -> None:
    bob = sample("bob")
    other = tracking.even("uniform", "weighted", 4.0)
    for scheme, epsilon in (("uniform", 4.0), ("weighted", other)):
        by_hand = np.mean([2 * 200 / b for b in allocate(scheme, 8, bob.landmarks, epsilon)])
        assert tracking.mean_noise_m(scheme, epsilon) == pytest.approx(by_hand) == pytest.approx(500.0)
    errors = np.arange(8.0)
    assert tracking.by_kind(errors) == (np.mean([0, 2, 4, 7]), np.mean([1, 3, 5, 6]))
    assert tracking.at_landmarks("weighted") > 1.1 * tracking.at_landmarks("uniform")


def test_numbers_of_the_text() -> None:
    adversary, bob = tracking.bobs_adversary(), sample("bob")
    assert len(adversary.cells_m) == 128 and len(tracking.hours()[1]) == 49
    assert allocate("uniform", 8, bob.landmarks, tracking.BOBS_EPSILON)[0] == pytest.approx(0.4)
    assert tracking.mean_noise_m("uniform", tracking.BOBS_EPSILON) == pytest.approx(1000)
    rows = tracking.view_table(adversary, adversary.believes(tracking.bobs_release("uniform", 2.0, 927)), bob.points_m)
    assert rows.splitlines()[-1].endswith("| 5 % |"), "a few percent"
    assert np.diff(bob.time).max() < np.timedelta64(5, "h")
    assert "40.0 km off at 0.01 and 133 m off at 3" in question("adversary/epsilons").asked()["text"]


@pytest.mark.long
def test_figures_say_what_they_show() -> None:
    figure, said = figures.bobs_beliefs()
    discs = [trace for trace in figure["data"] if len(trace["x"]) == 128]
    assert [sum(trace["marker"]["size"]) for trace in discs] == pytest.approx([1, 1])
    assert "104 m from where Bob was" in said and "735 m" in said
    for make in (figures.gap_figure, figures.knowledge_figure, figures.learned_figure):
        figure, said = make()
        assert len(figure["data"]) >= 2 and said.endswith(".")


def test_home_is_found_as_the_formula_says_and_without_the_hours_too() -> None:
    points, there = tracking.at_home()
    budget, true = tracking.NIGHT_BUDGET, np.median(points[there], axis=0)
    assert tracking.found_home(budget) == pytest.approx(
        math.sqrt(2) * 200 / (budget * math.sqrt(90)) * math.sqrt(2 * math.log(2))
    )
    assert len(there) == 168 and there.sum() == 90
    off, rng = [], np.random.default_rng(2)
    for _ in range(150):
        radius, turn = rng.gamma(2, 200 / budget, 90), rng.uniform(0, 2 * math.pi, 90)
        reports = points[there] + radius[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        at = reports.mean(axis=0)
        for _ in range(200):  # Weiszfeld
            weight = 1 / np.maximum(np.hypot(*(reports - at).T), 1e-6)
            at = weight @ reports / weight.sum()
        off.append(math.hypot(*(at - true)))
    averaged, followed = tracking.home_attacks(budget)
    assert np.median(off) == pytest.approx(averaged, rel=0.15) == pytest.approx(tracking.found_home(budget), rel=0.2)
    assert tracking.found_home(budget) * 0.8 < followed < 1.4 * averaged
    assert followed != pytest.approx(averaged, rel=1e-3), "who is told no hours does not average those at home alone"
    said = question("adversary/averaged").judge(1.0).solution
    assert f"averaging had a median error of {averaged:.0f} m." in said and f"had {followed:.0f} m." in said
