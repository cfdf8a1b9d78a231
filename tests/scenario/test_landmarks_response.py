"""A track released by randomised response on cells: its promise by enumeration, what is expected of it by loops, and what
an adversary learns of it against the bound."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.adversary import infer
from lmdk_widgets.budgets import release
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import PlanarLaplace, randomized_response_channel
from lmdk_widgets.page.history import State
from lmdk_widgets.pages.track.attacker_choices import Attacker
from lmdk_widgets.pages.track.belief import describe_over_time
from lmdk_widgets.pages.track.belief_words import describe_adversary
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import compare_schemes
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.snippet import python_snippet
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.scenario.evaluation import draw_afresh, drawn_errors
from lmdk_widgets.scenario.grid import grid_of, grid_over
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import ONLINE_SCHEMES, SCHEMES
from lmdk_widgets.scenario.reportable_cells import most_cells
from lmdk_widgets.scenario.response import Responder
from lmdk_widgets.sweep.many_settings import settings_table
from lmdk_widgets.sweep.rows import expected_error_m
from lmdk_widgets.trajectory import Trajectory, sample
from tests.landmark_choices import finished

FIXED = [name for name in SCHEMES if name not in ONLINE_SCHEMES]
BOB = Scenario(landmarks=(0, 2, 4, 7), mechanism="randomised", cells="track", place_m=1500.0, epsilon=4.0)


def walk(n: int, seed: int) -> Trajectory:
    """n timestamps within some kilometres."""
    steps = np.random.default_rng(seed).uniform(-0.02, 0.02, (n, 2))
    hours = np.datetime64("2026-01-26T08:00", "ns") + np.arange(n) * np.timedelta64(1, "h")
    return Trajectory(48.85 + steps[:, 0], 2.35 + steps[:, 1], hours)


def responder(scenario: Scenario, track: Trajectory) -> Responder:
    how = {"mechanism": PlanarLaplace(scenario.radius_m), "rng": np.random.default_rng(0)}
    released = release(track.points_m, scenario.scheme, scenario.landmarks, scenario.epsilon, **how)
    return Responder(scenario, track, released)


def chances_of(answers: Responder, t: int, cell: int) -> np.ndarray:
    """(m,) how likely each cell is reported at a timestamp whose true cell would be this one."""
    found = np.full(len(answers.area), answers.other[t])
    found[cell] = answers.keep[t]
    return found


def test_any_two_cells_keep_their_odds_for_every_report() -> None:
    answers = responder(BOB.with_changes(scheme="weighted"), sample("bob"))
    m, told = len(answers.area), []
    for t in answers.when:
        rows = np.array([chances_of(answers, t, cell) for cell in range(m)])
        np.testing.assert_allclose(rows, randomized_response_channel(m, answers.released.budgets[t]), rtol=1e-12)
        told.append(max(float(np.ptp(np.log(rows[:, z]))) for z in range(m)))
    np.testing.assert_allclose(told, answers.released.budgets, rtol=1e-9)


def test_the_reports_follow_the_chances_and_a_larger_epsilon_keeps_what_was_true() -> None:
    track, many = sample("commuter"), 4
    scenario = Scenario(
        track="commuter", scheme="event", epsilon=3.0, mechanism="randomised", cells="track", place_m=4000.0
    )
    answers = responder(scenario, track)
    reported = [answers.area.cell_of(answers.outputs(np.random.default_rng(k))) for k in range(many)]
    right = np.mean([found == answers.truth for found in reported])
    spread = math.sqrt(answers.keep[0] * (1 - answers.keep[0]) / (many * len(track)))
    assert abs(right - answers.keep[0]) <= 5 * spread
    wrong = np.concatenate([found[found != answers.truth] for found in reported])
    home = np.bincount(answers.truth).argmax()
    others = np.bincount(wrong, minlength=len(answers.area))
    others = np.delete(others, home)  # whoever is at home does not report it wrongly
    assert others.min() >= others.mean() - 6 * math.sqrt(others.mean())
    truer = responder(scenario.with_changes(epsilon=4.0), track)
    now = truer.area.cell_of(truer.outputs(np.random.default_rng(0)))
    assert (now[reported[0] == answers.truth] == answers.truth[reported[0] == answers.truth]).all()
    changed = now != reported[0]
    assert (now[changed] == answers.truth[changed]).all()


@pytest.mark.parametrize("scheme", ["skip", "weighted", "planned"])
def test_expectations_are_those_of_the_plain_loops(scheme: str) -> None:
    track, scenario = sample("bob"), BOB.with_changes(scheme=scheme, target=6.0, correlation="weak")
    outcome = evaluate(scenario, track)
    reports, area = outcome.reports, grid_of(track, 1500.0)
    assert reports is not None and reports.cells == len(area) and not reports.channels
    cell, expected = area.cell_of(track.points_m), []
    for t, point in enumerate(track.points_m):
        if not outcome.published[t]:
            assert math.isnan(reports.expected_m[t]) and math.isnan(reports.chances[t])
            continue
        e = math.exp(outcome.budgets[t])
        keep = e / (e + len(area) - 1)
        row = [keep if z == cell[t] else (1 - keep) / (len(area) - 1) for z in range(len(area))]
        away = [math.dist(point, centre) for centre in area.points_m]
        expected.append(sum(p * d for p, d in zip(row, away, strict=True)))
        assert reports.chances[t] == pytest.approx(keep) and reports.expected_m[t] == pytest.approx(expected[-1])
        radius = min(d for d in away if sum(p for p, e in zip(row, away, strict=True) if e <= d) >= 0.95 - 1e-12)
        assert outcome.radius95_m[t] == pytest.approx(radius)
    assert reports.mean_expected_m == pytest.approx(np.mean(expected))
    if scheme != "skip":
        assert expected_error_m(outcome) == pytest.approx(np.mean(expected))
        means = drawn_errors(scenario, track, 4000).mean(axis=0)
        np.testing.assert_allclose(means, reports.expected_m, rtol=0.06)
    event = evaluate(scenario.with_changes(scheme="event"), track)
    assert outcome.event_error_m == pytest.approx(event.reports.mean_expected_m)  # type: ignore[union-attr]
    user = evaluate(scenario.with_changes(scheme="user"), track)
    assert outcome.user_error_m == pytest.approx(user.reports.mean_expected_m)  # type: ignore[union-attr]


def test_ends_of_epsilon_report_the_truth_or_anything() -> None:
    sure = evaluate(BOB.with_changes(epsilon=1e6, scheme="event"), sample("bob"))
    assert (sure.reports.chances == 1).all()  # type: ignore[union-attr, operator]
    assert sure.radius95_m == pytest.approx(sure.error_m, rel=1e-4)
    blind = evaluate(BOB.with_changes(epsilon=1e-9), sample("bob"))
    assert blind.reports.chances == pytest.approx(1 / blind.reports.cells)  # type: ignore[union-attr]
    assert math.isfinite(blind.mean_error_m) and (blind.radius95_m > 3000).all()


def seen_as(outcome: Any, reported: tuple[int, ...]) -> Any:
    """The same outcome with these cells reported."""
    places = outcome.trajectory.frame.to_degrees(infer(outcome).area.points_m[list(reported)])
    return replace(outcome, latitude=places[0], longitude=places[1])


@pytest.mark.long
@pytest.mark.parametrize("correlation", ["weak", "strong"])
def test_whatever_is_reported_she_learns_no_more_than_the_loss_and_nearly_as_much(correlation: str) -> None:
    """Every series of reports of four cells at four timestamps."""
    track = walk(4, 1)
    chosen = Scenario(track="", mechanism="randomised", cells="track", place_m=3000.0, scheme="event", epsilon=0.5)
    for adversary in ("both", "past", "future"):
        outcome = evaluate(chosen.with_changes(correlation=correlation, adversary=adversary), track)
        m, bound = len(infer(outcome).area), infer(outcome).bound
        assert m == 4 and bound is not None
        every = [infer(seen_as(outcome, answers)).learned for answers in itertools.product(range(m), repeat=4)]
        most = np.max(every, axis=0)
        assert (most <= bound * (1 + 1e-9)).all() and (most >= 0.93 * bound).all(), (most, bound)


@pytest.mark.long
def test_on_random_tracks_and_choices_she_never_learns_more_than_the_loss() -> None:
    rng, tried = np.random.default_rng(5), 0
    for seed in range(60):
        n = int(rng.integers(1, 8))
        scenario = Scenario(
            track="", mechanism="randomised", cells="track", place_m=float(rng.choice([300, 390])),
            scheme=str(rng.choice(["event", "uniform", "weighted", "skip", "user"])), landmarks=(0, n - 1)[: int(n > 1)],
            epsilon=float(10 ** rng.uniform(-1, 1)), correlation=str(rng.choice(["none", "weak", "moderate", "strong"])),
            adversary=str(rng.choice(["both", "past", "future", "any"])), seed=seed,
        )  # fmt: skip
        knows = Knowledge(moves=str(rng.choice(["page", "near"])), step_m=float(rng.choice([300, 3000])))
        found = infer(evaluate(scenario, walk(n, seed)), knows)
        assert found.bound is not None
        assert (found.learned <= found.bound * (1 + 1e-9) + 1e-12).all(), scenario
        tried += 1
    assert tried == 60


def test_the_bound_is_said_to_be_proven_and_of_planar_laplace_it_is_not() -> None:
    for mechanism, proven in (("randomised", True), ("planar", False), ("remapped", False)):
        her = Attacker(open=True)
        outcome = finished(TrackChoices(BOB.with_changes(mechanism=mechanism), attacker=her), sample("bob"))
        *_, said = describe_adversary(her, outcome)["found"]
        assert ("proven bound: whatever is reported, nobody with these beliefs learns more" in said) == proven
        assert ("Between these two, " in said and " apart, the attacker never learns more than " in said) != proven
        names = [trace["name"] for trace in describe_over_time(outcome, outcome.found("attacker"))[0]["data"]]  # type: ignore[arg-type]
        assert ("loss, a bound" in names) == proven and ("loss, read at the radius" in names) != proven


def test_what_an_adversary_believes_follows_bayes_rule() -> None:
    outcome = evaluate(BOB.with_changes(correlation="none", scheme="weighted"), sample("bob"))
    found = infer(outcome)
    assert len(found.area) == outcome.reports.cells  # type: ignore[union-attr]
    reported = found.area.cell_of(outcome.reports.outputs)  # type: ignore[union-attr]
    for t, cell in enumerate(reported):
        e = math.exp(outcome.budgets[t])
        own = np.ones(len(found.area))
        own[cell] = e
        np.testing.assert_allclose(found.belief[t], own / own.sum(), rtol=1e-9)


def test_the_grid_is_hers_under_planar_laplace_and_the_same_object() -> None:
    planar = infer(evaluate(BOB.with_changes(mechanism="planar"), sample("bob")))
    assert planar.area is grid_over(sample("bob"), 225)
    cells = evaluate(BOB.with_changes(place_m=planar.area.cell_m), sample("bob"))
    assert infer(cells).area is planar.area
    assert cells.reports is not None and cells.reports.cells == 189


@pytest.mark.parametrize("scheme", FIXED)
def test_every_scheme_that_is_fixed_beforehand_has_it_with_as_many_budgets_as_it_likes(scheme: str) -> None:
    outcome = evaluate(BOB.with_changes(scheme=scheme), sample("bob"))
    assert outcome.reports is not None and outcome.planar_error_m is None
    each = tuple((0.1 + i / 10, 1) for i in range(20))
    by_hand = evaluate(
        Scenario(scheme="given", budgets=each, mechanism="randomised", cells="track", place_m=2000.0), walk(20, 3)
    )
    assert len(set(by_hand.reports.chances.tolist())) == 20  # type: ignore[union-attr]


@pytest.mark.parametrize("scheme", sorted(ONLINE_SCHEMES))
def test_schemes_that_decide_while_they_release_are_refused(scheme: str) -> None:
    with pytest.raises(InputError, match="sets its budgets as it releases; got Randomised response on cells"):
        evaluate(BOB.with_changes(scheme=scheme), sample("bob"))
    rows = {row.scheme: row.mechanism for row in compare_schemes(BOB, sample("bob"))}
    assert rows[scheme] == "planar" and rows["uniform"] == "randomised"


def test_too_many_and_too_few_cells_are_refused_and_the_page_takes_another_size() -> None:
    with pytest.raises(InputError, match="between 2 and 400 cells; got .* cells of 100 m. Choose larger places"):
        evaluate(BOB.with_changes(place_m=100.0), sample("bob"))
    with pytest.raises(InputError, match="between 2 and 400 cells; got 1 cell of 50,000 m. Choose smaller places"):
        evaluate(BOB.with_changes(place_m=50_000.0, landmarks=()), Trajectory([48.85], [2.35], walk(1, 0).time))
    session = TrackSession(sample("bob"), BOB.with_changes(mechanism="planar"))
    changes = {"mechanism": "randomised", "place_m": 100.0}
    session.show(session.fitted(State(session.choices.with_changes(**changes), session.data)))
    assert session.choices.scenario.mechanism == "randomised" and session.choices.scenario.place_m == 400.0
    assert "radius_m" not in session.visible() and "place_m" in session.visible()
    assert session.outcome.reports.cells <= most_cells(8)  # type: ignore[union-attr]


def test_the_words_say_the_chance_and_that_no_radius_plays_a_part() -> None:
    outcome = evaluate(BOB, sample("bob"))
    words = describe(outcome)
    assert "between any two cells, however far apart, by a factor of at most" in words.paragraph
    assert "the true one with a chance of" in words.paragraph and "planar" not in words.paragraph
    assert (
        "no protection radius plays a part" in words.assumption
        and "however far apart, where its states are cells" in words.assumption
    )
    far = evaluate(BOB.with_changes(radius_m=5.0), sample("bob"))
    assert describe(far) == words and (far.total == outcome.total).all() and far.event_error_m == outcome.event_error_m
    telling = describe(evaluate(BOB.with_changes(epsilon=40.0), sample("bob")))
    assert any("the report is nearly always the true cell" in warning for warning in telling.warnings)
    assert not any("the report is nearly always the true cell" in warning for warning in words.warnings)


def test_a_program_an_export_and_a_table_have_it() -> None:
    outcome = evaluate(BOB, sample("bob"))
    names: dict[str, Any] = {}
    exec(compile(python_snippet(BOB), "snippet", "exec"), names)
    assert (names["outcome"].latitude == outcome.latitude).all()
    centres = grid_of(sample("bob"), BOB.place_m).points_m
    fresh = sample("bob").frame.to_metres(*draw_afresh(BOB, sample("bob")))
    assert max(np.hypot(*(centres - place).T).min() for place in fresh) < 0.01
    table = settings_table(BOB, sample("bob"), schemes=["event", "uniform"], epsilons=[4.0], radii_m=[50, 500])
    assert table.mean_error_m[2:].tolist() == pytest.approx([expected_error_m(outcome)] * 2)
    assert table.radius95_m[2] == pytest.approx(outcome.radius95_m.mean()) and set(table.mechanism) == {"randomised"}
