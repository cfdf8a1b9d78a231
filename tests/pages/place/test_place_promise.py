"""What Place promises of guesses holds for equally likely places and is said of no others: by the channel, by draws."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.place import MECHANISMS, Outcome, PlaceChoices, Solvers, Solving, Sources, evaluate
from lmdk_widgets.pages.place.cards import cards_csv, proposed
from lmdk_widgets.pages.place.improve import improve
from lmdk_widgets.pages.place.page import PlacePage
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.pages.place.words import describe, first_answers
from lmdk_widgets.trajectory.samples import sample_choices
from tests.every_number.claims import shown_by

SAMPLES = [found["name"] for found in sample_choices()]
CELLS: list[dict[str, Any]] = [
    {"rows": 6, "columns": 6},
    {"rows": 3, "columns": 3, "prior": "uniform"},
    {"rows": 2, "columns": 3, "prior": "painted", "painted": (1.0, 0.0, 1e-6, 30.0, 2.0, 0.0)},
    {"rows": 3, "columns": 3, "privacy_by": "squared", "radius_m": 1500.0},
    {"rows": 3, "columns": 3, "privacy_by": "manhattan", "level": 0.3},
    {"rows": 3, "columns": 3, "radius_m": 400.0},
    {"rows": 3, "columns": 3, "radius_m": 2100.0, "level": 3.0},
    *({"area": "track", "track": name, "prior": prior} for name in SAMPLES for prior in ("time", "counts", "uniform")),
]
GUESSES = re.compile(r"guess(?:es)?\b|of 100\b|\bright\b")
OF_100 = re.compile(r"(\d+) of 100")


@cache
def solved(k: int) -> Outcome:
    """One of `CELLS` with every mechanism solved; a track has cells so wide that it visits at most a dozen."""
    for cell_m in (1000.0, 2500.0, 6000.0, 15_000.0, 40_000.0):
        try:
            first = evaluate(PlaceChoices(other="uniform", cell_m=cell_m, **CELLS[k]), Sources())
        except InputError:
            continue
        if len(first.area) <= 12 or CELLS[k].get("area") != "track":
            break
    steps = Solvers().solve(first.instance, first.places)
    return first.with_results(
        {s.mechanism: s.assessed for s in steps if s.finished and s.assessed is not None}, Solving()
    )


def shown(k: int, mechanism: str) -> Outcome:
    out = solved(k)
    return evaluate(out.places.with_changes(mechanism=mechanism), Sources()).with_results(out.assessed, out.solving)


def right_by_hand(out: Outcome, x: int, y: int, odds: float) -> float:
    """How often the better of two guesses is right if x has this chance and y the rest, report by report."""
    rows = out.present.channel.matrix[[x, y]].tolist()
    return math.fsum(max(odds * one, (1 - odds) * other) for one, other in zip(*rows, strict=True))


def near_pairs(out: Outcome) -> list[tuple[int, int]]:
    apart, n = out.instance.distances_m, len(out.area)
    return [(x, y) for x in range(n) for y in range(x) if apart[x, y] <= out.places.radius_m * (1 + 1e-9)]


@pytest.mark.long
@pytest.mark.parametrize("mechanism", list(MECHANISMS))
@pytest.mark.parametrize("k", range(len(CELLS)))
def test_no_number_of_guesses_is_exceeded_or_said_without_whose_belief(k: int, mechanism: str) -> None:
    out = shown(k, mechanism)
    promise = first_answers(out)[2]
    near, prior = near_pairs(out), out.instance.prior.tolist()
    equal = max((right_by_hand(out, x, y, 0.5) for x, y in near), default=0.5)
    if promise.value == "no promise":
        assert promise.look == "red" and 1 / (1 + math.exp(-out.present.channel.epsilon * out.places.radius_m)) > 0.98
    else:
        most = int(OF_100.fullmatch(promise.value)[1])
        assert 100 * equal <= most + 1e-6 and "between two equally likely places" in promise.line
        assert promise.look == ("red" if most > 90 else "amber" if most > 75 else "")
        assert "equally likely" in promise.short
        own_prior(out, promise.line, near, prior)
    # of all pairs under this prior, what a number without "equally likely" would have to bear
    worst = max(
        (right_by_hand(out, x, y, prior[x] / (prior[x] + prior[y])) for x, y in near if prior[x] * prior[y] > 0),
        default=0.5,
    )
    session = PlaceSession(PlaceChoices(rows=2, columns=2))
    page = PlacePage(session)
    told = [(path, text) for path, text in shown_by(page, out) if isinstance(text, str)]
    for path, text in told:
        for said in OF_100.findall(text):
            beside = next((line for other, line in told if other == path.replace(".value", ".line")), text)
            assert "equally likely" in beside or 100 * worst <= int(said), (path, text)
        for sentence in re.split(r"(?<=[.:])\s", text):
            assert "whatever" not in sentence or not GUESSES.search(sentence), (path, sentence)


def own_prior(out: Outcome, line: str, near: list[tuple[int, int]], prior: list[float]) -> None:
    """The numbers of this prior, beside the promise, against both sums by hand."""
    possible = [(x, y) for x, y in near if prior[x] > 0 and prior[y] > 0]
    apart = out.instance.distances_m
    if not possible:
        n = len(prior)
        others = [(x, y) for x in range(n) for y in range(x) if prior[x] > 0 and prior[y] > 0]
        least = min((apart[x, y] for x, y in others), default=math.nan)
        possible = [(x, y) for x, y in others if apart[x, y] <= least * (1 + 1e-9)]
    if not possible:
        assert "By the prior" not in line
        return
    share = {pair: prior[pair[0]] / (prior[pair[0]] + prior[pair[1]]) for pair in possible}
    after = max(right_by_hand(out, x, y, share[x, y]) for x, y in possible)
    alone = max(max(p, 1 - p) for p in share.values())
    found = re.search(r"By the prior.*?, (.*?) are; (.*?) without a report\.", line)
    assert found is not None
    for said, truth in zip(found.groups(), (after, alone), strict=True):
        if said == "all":
            assert truth > 1 - 2e-9
        elif said == "over 99":
            assert truth > 0.99 - 1e-9
        else:
            assert 100 * truth - 1e-6 <= int(said.removeprefix("up to ")) < 100 * truth + 1
    p, q = np.array(list(share.values())), out.present.channel.epsilon
    worst = np.maximum(p, 1 - p)
    odds = np.exp([min(700.0, q * apart[pair]) for pair in possible])
    assert after <= float((worst * odds / (worst * odds + 1 - worst)).max()) * (1 + 1e-9)


def test_the_default_prior_has_pairs_above_the_promise_and_they_are_told() -> None:
    out = shown(0, "optimal")
    prior, apart = out.instance.prior, out.instance.distances_m
    near = [(x, y) for x in range(36) for y in range(x) if abs(apart[x, y] - 1000) < 1]
    rates = [right_by_hand(out, x, y, float(prior[x] / (prior[x] + prior[y]))) for x, y in near]
    assert (len(rates), sum(rate > 0.74 for rate in rates)) == (60, 18)
    assert max(rates) == pytest.approx(0.905, abs=5e-4)
    promise = first_answers(out)[2]
    assert promise.value == "74 of 100"
    assert "By the prior, up to 91 are; 91 without a report." in promise.line


@pytest.mark.parametrize("mechanism", [name for name in MECHANISMS if name != "private"])
@pytest.mark.parametrize("k", [0, 1, 3])
def test_drawn_reports_are_guessed_no_more_often_than_promised(k: int, mechanism: str) -> None:
    """Two places drawn with equal chances, their reports drawn, the likelier one guessed; and one by the prior."""
    out, rng, draws = shown(k, mechanism), np.random.default_rng(k), 20_000
    matrix, prior = out.present.channel.matrix, out.instance.prior
    most = int(OF_100.fullmatch(first_answers(out)[2].value)[1])
    x, y = max(near_pairs(out), key=lambda pair: right_by_hand(out, *pair, 0.5))
    for odds, limit in ((0.5, most / 100), (float(prior[x] / (prior[x] + prior[y])), None)):
        truth = np.where(rng.random(draws) < odds, x, y)
        reports = (matrix[truth].cumsum(axis=1) < rng.random(draws)[:, None]).sum(axis=1).clip(max=len(prior) - 1)
        guess = np.where(odds * matrix[x, reports] >= (1 - odds) * matrix[y, reports], x, y)
        rate, error = float((guess == truth).mean()), 4 / math.sqrt(4 * draws)
        exact = right_by_hand(out, x, y, odds)
        assert rate == pytest.approx(exact, abs=error)
        if limit is not None:
            assert rate <= limit + error and exact <= limit + 1e-9
        else:
            easiest = out.present.easiest(out.places.radius_m)
            assert rate <= easiest.after + error


def test_optpriv_takes_no_promise_back() -> None:
    """What was found for OptPriv may keep an epsilon: then the tile gives a number, and no sentence denies it."""
    out = shown(1, "private")
    kept = {**out.assessed, "private": out.assessed["planar"]}
    for assessed in (out.assessed, kept):
        now = out.with_results(assessed, Solving())
        text, promise = describe(now).paragraph, first_answers(now)[2].value
        assert ("no limit" in text) == (promise == "no promise")
        assert ("by a factor of at most" in text) == (promise != "no promise")


def test_a_mechanism_made_from_a_track_says_that_it_is_not_covered() -> None:
    for k, cells in enumerate(CELLS):
        line = first_answers(shown(k, "planar"))[2].line
        made = cells.get("area") == "track"
        assert line.endswith("The mechanism, made from the track, is not covered.") == made


def test_the_columns_of_the_file_say_whose_belief_they_count() -> None:
    out = shown(0, "optimal")
    head, row = (line.split(",") for line in cards_csv(out, own=False).splitlines()[:2])
    told = dict(zip(head, row, strict=False))
    assert "promised" not in head and float(told["promised_if_equally_likely"]) == pytest.approx(0.7310586)
    assert float(told["right_by_the_prior"]) == pytest.approx(0.9054866) == float(told["right_after_a_report"])


def test_what_promises_no_level_is_never_proposed_however_near_its_reports_are() -> None:
    *_, outcome = improve(evaluate(PlaceChoices(rows=2, columns=3, mechanism="planar", loss_percent=50)))
    assert outcome.assessed["private"].loss_m < 0.6 * min(
        each.loss_m for name, each in outcome.assessed.items() if name != "private"
    )
    better = proposed(outcome)
    assert better is not None and better.places.mechanism == "optimal"
