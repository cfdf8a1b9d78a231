"""What is said of one moment is a promise that no release passes, and what a chain adds is a what-if about two cells: by
releases that are drawn, and by reading every sentence of every sample under every attacker."""

import math
import re
from itertools import product

import numpy as np
import pytest

from lmdk_widgets.answers.by_distance import of_many_settings
from lmdk_widgets.answers.exposure import first_answers
from lmdk_widgets.answers.odds import moment_losses
from lmdk_widgets.answers.pairs import pairs_of
from lmdk_widgets.budgets import release
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.amounts import MILLION, factor
from lmdk_widgets.page.answers import guesses, of_100
from lmdk_widgets.pages.track.chart_texts import summaries
from lmdk_widgets.pages.track.inverse_words import proven
from lmdk_widgets.pages.track.pairs import distance_chart, told_by
from lmdk_widgets.scenario import Scenario, describe, evaluate
from lmdk_widgets.scenario.model import SCHEMES
from lmdk_widgets.trajectory import sample, sample_names, sample_series, series_names

RADIUS_M, DRAWS = 200.0, 200
AROUND = np.exp(1j * np.linspace(0, 2 * math.pi, 8, endpoint=False))
"""Eight directions."""

NUMBER = re.compile(r"(?:a factor of at most|,|and|by) (\d[\d,]*(?:\.\d+)?)(?= for\b|[.;,])")


def sentences(text):
    """Each sentence; a question that is answered goes with its answer."""
    return re.split(r"(?<=\.)\s+(?=[A-Z])", text)


def factors(sentence):
    """The factors by which a sentence says that odds change."""
    found = sentence[sentence.find("by a factor of at most") :] if "by a factor of at most" in sentence else ""
    return [float(text.replace(",", "")) for text in NUMBER.findall(found)]


def data_of(name):
    return sample_series(name) if name in series_names() else sample(name)


def outcome_of(name, **changes):
    data = data_of(name)
    return evaluate(Scenario(track=name, landmarks=data.landmarks, **changes), data)


# -- no release passes what is promised ---------------------------------------------------------------------------------


def home_of(points):
    """Where most timestamps are, and which these are: within 200 m of the busiest point's surroundings."""
    at = max(range(len(points)), key=lambda i: int((abs(points - points[i]) <= RADIUS_M).sum()))
    middle = points[abs(points - points[at]) <= RADIUS_M].mean()
    return middle, abs(points - middle) <= RADIUS_M


def told_apart(released, place, budgets):
    """(n, 8) what each report tells of a place against one that is 200 m away, in eight directions."""
    away = np.abs(released[:, None] - (place[:, None] + RADIUS_M * AROUND))
    return budgets[:, None] / RADIUS_M * (away - np.abs(released - place)[:, None])


@pytest.mark.long
@pytest.mark.parametrize("name", ["commuter", "taxi"])
def test_nobody_at_home_exceeds_what_is_said_of_one_moment(name):
    """Someone who stays at one place, and whoever knows it: no report alone passes the first sentence, while all reports from
    there together pass the factors of the chains, of which every sentence therefore says what it supposes."""
    data = data_of(name)
    points = data.points_m @ [1, 1j]
    home, there = home_of(points)
    stays = np.where(there, home, points)
    budgets = outcome_of(name).budgets
    alone, together = 0.0, []
    for seed in range(DRAWS):
        made = release(
            np.stack([stays.real, stays.imag], axis=1),
            "uniform",
            data.landmarks,
            1.0,
            PlanarLaplace(radius_m=RADIUS_M),
            rng=np.random.default_rng(seed),
        )
        tells = told_apart(np.asarray(made.outputs) @ [1, 1j], stays, made.budgets)
        assert np.allclose(made.budgets, budgets)
        alone = max(alone, float(np.abs(tells).max()))
        together.append(float(tells[there].sum(axis=0).max()))
    for correlation in ("none", "weak", "moderate", "strong"):
        outcome = outcome_of(name, correlation=correlation)
        for sentence in sentences(describe(outcome).paragraph):
            for said in map(math.log, factors(sentence)):
                if "assumes that moments are independent" in sentence:
                    assert alone <= said <= alone * 1.2 + 0.02, (sentence, alone)
                elif max(together) > said:
                    assert "places in two cells" in sentence and "drawn anew at every timestamp" in sentence, sentence
    moderate = float(pairs_of(outcome_of(name, correlation="moderate")).near.max())
    assert np.mean(np.array(together) > moderate) > 0.3, "so a chain's factor is no promise to whoever stays"


@pytest.mark.parametrize("correlation", ["weak", "moderate", "strong"])
def test_whoever_moves_as_the_what_if_supposes_stays_within_it(correlation):
    """Places drawn anew among 25 in each cell, cells by the chain: the odds of places 200 m apart in two cells."""
    outcome = outcome_of("bob", correlation=correlation, epsilon=2.0)
    pairs, chain, budgets = pairs_of(outcome), outcome.correlation.matrix, outcome.budgets
    m, n, rng = len(chain), len(outcome), np.random.default_rng(3)
    grid = np.array(list(product((-2, -1, 0, 1, 2), repeat=2))) * 200.0 @ [1, 1j]
    places = (pairs.states.middles @ [1, 1j])[:, None] + grid  # (m, 25), 200 m apart, also across a border
    near = np.abs(np.abs(places.ravel()[:, None] - places.ravel()) - RADIUS_M) < 1e-6
    cell = np.repeat(np.arange(m), 25)
    near &= cell[:, None] != cell
    assert near.any() and pairs.states.near == RADIUS_M
    most, passed = 0.0, 0.0
    for _ in range(DRAWS):
        cells = [rng.integers(m)]
        while len(cells) < n:
            cells.append(rng.choice(m, p=chain[cells[-1]]))
        truth = places[cells, rng.integers(25, size=n)]
        noise = rng.gamma(2, RADIUS_M / budgets) * np.exp(2j * math.pi * rng.random(n))
        likely = np.exp(-budgets[:, None] / RADIUS_M * np.abs((truth + noise)[:, None] - places.ravel()))  # (n, 25 m)
        of_cell = likely.reshape(n, m, 25).mean(axis=2)
        before, after = np.ones((n, m)), np.ones((n, m))  # of the cell at t, what the past and the future say
        for t in range(1, n):  # the chain is symmetric, and starts alike everywhere
            before[t] = chain.T @ (before[t - 1] * of_cell[t - 1])
        for t in range(n - 2, -1, -1):
            after[t] = chain @ (after[t + 1] * of_cell[t + 1])
        logs = np.log(likely) + np.repeat(np.log(before * after), 25, axis=1)
        bound = pairs.near
        for t in range(n):
            told = float((logs[t][:, None] - logs[t])[near].max())
            most, passed = max(most, told / bound[t]), max(passed, told - bound[t])
    assert passed <= 1e-9 and most > 0.3, "a bound, and no idle one"


# -- every sentence -----------------------------------------------------------------------------------------------------

ATTACKERS = (
    {"correlation": "none"},
    {"correlation": "weak"},
    {"correlation": "moderate"},
    {"correlation": "strong"},
    {"correlation": "moderate", "adversary": "past"},
    {"correlation": "moderate", "adversary": "future"},
    {"correlation": "moderate", "adversary": "any"},
    {"correlation": "estimated"},
    {"correlation": "estimated", "adversary": "any"},
)

SOME_SCHEMES = ("uniform", "event", "budget-absorption", "planned")
"""Schemes that stand for the others; a night takes all of them."""

OF_THE_CHAIN = re.compile(r"same attacker|assumes (?:a|the|this) chain|Loss between|what-if")
"""What only a sentence about someone who assumes a chain says."""

AMOUNT = re.compile(r"(?:at most|up to|more than|loses|is) (?:ε = )?[\d,.]+(?: [a-z]|[.;:,])|nothing is hidden")


def all_said(outcome):
    """Whatever the page says of losses: in words, as captions, of its charts and tables."""
    words = describe(outcome)
    said = [words.paragraph, words.assumption, *words.warnings, summaries(outcome)[1], of_many_settings(outcome)]
    pairs = pairs_of(outcome)
    if pairs is not None and pairs.by_distance:
        said.append(distance_chart(pairs, outcome, None).summary)
    return [*filter(None, said), proven(outcome)]


@pytest.mark.long
@pytest.mark.parametrize("name", [*sample_names(), *series_names()])
@pytest.mark.parametrize(
    "scheme",
    [
        *SOME_SCHEMES,
        *(pytest.param(scheme, marks=pytest.mark.nightly) for scheme in SCHEMES if scheme not in SOME_SCHEMES),
    ],
)
def test_every_sentence_about_one_moment_is_the_tiles_promise_and_every_chain_a_what_if(name, scheme):
    for attacker in ATTACKERS:
        outcome = outcome_of(name, scheme=scheme, level_width=1.0, cell_m=3000.0, landmark_loss=True, **attacker)
        kind, promise = outcome.kind, float(moment_losses(outcome).max())
        tile = next(answer for answer in first_answers(outcome) if answer.name == "Promised")
        assert tile.value in (f"{of_100(guesses(promise))} of 100", "no promise")
        first, *rest = sentences(describe(outcome).paragraph)
        assert first.startswith("Anyone who sees this release and assumes that moments are independent")
        if promise <= MILLION and factor(promise) != "1":
            assert f"by a factor of at most {factor(promise)}" in first, first
        for sentence in rest:
            assert "moment" not in sentence or not factors(sentence), sentence
        chains = []
        for text in all_said(outcome):
            assert "one cell" not in text or "nothing of two places in one cell" in text, text
            for sentence in sentences(text):
                if OF_THE_CHAIN.search(sentence) and AMOUNT.search(sentence):
                    chains.append(sentence)
                    assert kind.two_cells in sentence or "neighbouring cells" in sentence, sentence
                    assert kind.drawn_anew in sentence, sentence
        assert bool(chains) == (attacker["correlation"] != "none")
        if chains:
            asked = next(s for s in rest if s.startswith("What if someone assumes a chain of "))
            start = {"any": "with any start", "future": "whatever its start"}
            assert start.get(outcome.scenario.adversary, "with its usual start") in asked


def test_the_words_of_a_what_if_are_those_of_its_kind():
    for name, two, anew in (
        ("bob", "places in two cells", "the place within a cell drawn anew at every timestamp"),
        ("household", "values in two levels", "the value within a level drawn anew at every timestamp"),
        ("contacts", "the two answers", ""),
    ):
        said = describe(outcome_of(name)).paragraph
        assert f"the odds between {two} change by a factor of at most " in said and f"{anew}? Then" in said


@pytest.mark.parametrize(("epsilon", "factor"), [(30_000.0, "more than a million"), (0.01, "at most 1.")])
def test_what_a_draw_revealed_is_said_however_large_it_is(epsilon: float, factor: str) -> None:
    scenario = Scenario(track="bob", landmarks=(0, 2), scheme="event", epsilon=epsilon, correlation="strong")
    outcome = evaluate(scenario, sample("bob"))
    chart = distance_chart(pairs_of(outcome), outcome, told_by(outcome))
    assert f"the odds between the middles of two cells by a factor of {factor}" in chart.summary
