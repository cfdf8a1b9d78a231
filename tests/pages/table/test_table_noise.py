"""The part on noise: the exact values, each mechanism beside sums and simulations, and what is said of them."""

from __future__ import annotations

import csv
import io
from math import erf, erfc, exp, inf, log, sqrt, tanh

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import bound, bound_percent
from lmdk_widgets.pages.table import TableChoices, describe, evaluate
from lmdk_widgets.pages.table.model import MECHANISMS, SURVEYS
from lmdk_widgets.pages.table.neighbours import (
    TALLEST,
    Noise,
    drawn_beliefs,
    drawn_errors,
    drawn_ratios,
    drawn_test,
    most_believed,
    noise_of,
)
from lmdk_widgets.pages.table.noise import noise_csv, noise_table, right_guesses
from lmdk_widgets.pages.table.noise_charts import noise_charts
from tests.every_number.stacked_truth import two_counts_apart


def shown(**choices) -> Noise:
    return evaluate(TableChoices(part="noise", **choices)).shown


def said(**choices) -> str:
    return describe(evaluate(TableChoices(part="noise", **choices))).paragraph


@pytest.mark.parametrize(
    ("epsilon", "most"), [(0.01, 0.5025), (0.1, 0.5250), (log(2), 2 / 3), (log(3), 0.75), (1, 0.7311)]
)
def test_what_epsilon_means(epsilon, most):
    assert most_believed(0.5, epsilon) == pytest.approx(most, abs=5e-5)
    assert most_believed(0.5, inf) == 1.0


def test_laplace_of_a_location_with_two_people():
    found = shown()
    assert (found.sensitivity, found.scale, found.largest) == (1, 1.0, pytest.approx(exp(1)))
    assert np.trapezoid(found.first, found.outputs) == pytest.approx(1, abs=6e-3)  # the tails beyond the chart
    assert found.first[found.outputs == 2.0] == pytest.approx(0.5)
    assert "rounds to 2 with chance 39 % and is below 0 with 6.8 %" in said()  # .393469 and .067668
    assert found.needed == np.ceil(sqrt(2) / 0.01)


def test_replacing_doubles_the_noise_of_a_histogram_and_not_of_one_count():
    both = shown(neighbours="replace")
    assert (both.sensitivity, both.scale, both.largest) == (2, 2.0, pytest.approx(exp(0.5)))
    assert shown(neighbours="replace", counted="one").sensitivity == 1
    assert "the release changes by at most 2 (two counts by 1 each)" in said(neighbours="replace")
    assert "for both together, it is up to e^ε = 2.72 times" in said(neighbours="replace")
    assert "changes by at most 1 (a count by 1)" in said()


def test_geometric_noise_beside_its_sum():
    found = shown(mechanism="geometric", epsilon=0.7)
    a = exp(-0.7)
    chances = {z: (1 - a) / (1 + a) * a ** abs(z) for z in range(-400, 401)}
    assert found.deviation == pytest.approx(sqrt(sum(p * z * z for z, p in chances.items())))
    assert found.first == pytest.approx([chances[int(z) - 2] for z in found.outputs])
    assert found.second == pytest.approx([chances[int(z) - 1] for z in found.outputs])
    assert max(found.first / found.second) == pytest.approx(exp(0.7)) == pytest.approx(found.largest)


def test_the_most_visited_district():
    found = shown(mechanism="exponential")
    assert found.first == pytest.approx([0.1770312, 0.1770312, 0.2918751, 0.1770312, 0.1770312], abs=1e-7)
    assert found.second == pytest.approx([0.2] * 5)
    replaced = shown(mechanism="exponential", neighbours="replace")
    weights = np.exp(np.array([1, 1, 1, 1, 2]) / 2)
    assert replaced.second == pytest.approx(weights / weights.sum())
    assert replaced.largest <= exp(1) and found.largest <= exp(1)
    n = found.needed
    wrong = [4 * exp(-k / 12) / (1 + 4 * exp(-k / 12)) for k in (n - 1, n)]
    assert wrong[1] <= 0.01 < wrong[0]


def test_randomised_response():
    for mechanism in ("warner", "two-coin"):
        found = shown(mechanism=mechanism)
        assert found.epsilon == pytest.approx(log(3)) and found.deviation**2 / 100 == pytest.approx(0.0096)
        assert (found.first.tolist(), found.second.tolist()) == ([0.75, 0.25], [0.25, 0.75])
        assert found.needed == 9_600
    many = shown(mechanism="many", epsilon=log(3), answers=5)
    assert many.first[0] == pytest.approx(3 / 7) and many.largest == pytest.approx(3)
    assert most_believed(0.3, shown(mechanism="two-coin").up) == pytest.approx(0.5625)
    assert 1 - most_believed(0.7, shown(mechanism="two-coin").down) == pytest.approx(0.125)


def test_truthfully_or_yes_is_labelled():
    found = shown(mechanism="truthfully-or-yes")
    assert found.epsilon == inf and found.largest == inf and found.down == inf and found.up == pytest.approx(log(2))
    words = describe(evaluate(TableChoices(part="noise", mechanism="truthfully-or-yes")))
    assert "a belief of 50 % in a true Yes becomes 67 %" in words.paragraph
    assert "not differentially private" in words.assumption and words.warnings[0].startswith(
        "Not differentially private"
    )


@pytest.mark.parametrize(
    ("choices", "capacity", "security"),
    [
        ({"mechanism": "two-coin"}, 1.5, 0.5),
        ({"mechanism": "truthfully-or-yes"}, 1.5, 0.5),
        ({"mechanism": "many", "answers": 5, "epsilon": log(3)}, 15 / 7, 5 / 7),
        ({"mechanism": "laplace", "epsilon": 1.0}, 2 - exp(-0.5), exp(-0.5)),
        ({"mechanism": "geometric", "epsilon": 1.0}, 1 + tanh(0.5), 1 - tanh(0.5)),
        ({"mechanism": "geometric", "epsilon": 1.0, "neighbours": "replace"}, 1 + tanh(0.25), 1 - tanh(0.25)),
        ({"mechanism": "gaussian", "sigma": 2.0}, 1 + erf(0.25 / sqrt(2)), erfc(0.25 / sqrt(2))),
        ({"mechanism": "exponential", "epsilon": 1.0}, 1.0918751, 0.9081249),
    ],
)
def test_what_holds_for_every_prior(choices, capacity, security):
    """Closed forms; the exponential mechanism's is 0.2918751 - 0.2, the one district that becomes likelier."""
    found = shown(**choices)
    assert found.capacity == pytest.approx(capacity, rel=1e-6) and found.security == pytest.approx(security, rel=1e-6)
    rows = {row[0]: row[1] for row in noise_table(TableChoices(part="noise", **choices), found).rows}
    assert rows["Bayes capacity"] == f"at most {bound(capacity)}"
    assert rows["Bayes security"] == f"at least {bound_percent(security, up=False)}"
    assert f"at most {bound(capacity)} times as likely (Bayes capacity)" in said(**choices)
    assert f"at least {bound_percent(security, up=False)} stay wrong (Bayes security)" in said(**choices)
    for row in csv.DictReader(io.StringIO(noise_csv(TableChoices(part="noise", **choices), found))):
        assert float(row["bayes_capacity"]) == found.capacity and float(row["bayes_security"]) == found.security


def test_two_counts_that_change_are_told_apart_more_easily_than_one():
    both = shown(neighbours="replace", epsilon=1.0)
    assert both.capacity == pytest.approx(1 + two_counts_apart(0.5), abs=1e-4)
    assert both.capacity > 2 - exp(-0.25) + 0.02  # one of the two counts


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_promise_is_no_less_than_what_holds_for_every_prior(mechanism):
    """Of two equally likely inputs, half the capacity is guessed right: never more than the tile says."""
    for epsilon, neighbours in ((0.3, "add"), (1.0, "replace"), (3.0, "replace")):
        found = shown(mechanism=mechanism, epsilon=epsilon, neighbours=neighbours, answers=2)
        assert found.capacity / 2 <= right_guesses(found) * (1 + 1e-6) + 1e-9
        assert found.security >= 2 - 2 * right_guesses(found) - 1e-6


@pytest.mark.parametrize("mechanism", ["warner", "two-coin", "truthfully-or-yes", "many"])
def test_people_needed_beside_a_simulation(mechanism):
    found = shown(mechanism=mechanism, wanted=0.05)
    rng, m = np.random.default_rng(3), len(found.first)
    truth = rng.random((400, found.needed)) < 0.3
    channel = found.first[0], found.second[0] if m == 2 else (1 - found.first[0]) / (m - 1)
    share = (rng.random(truth.shape) < np.where(truth, *channel)).mean(axis=1)
    estimates = (share - channel[1]) / (channel[0] - channel[1])
    assert estimates.mean() == pytest.approx(0.3, abs=0.01) and estimates.std() == pytest.approx(0.05, rel=0.12)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("neighbours", ["add", "replace"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_belief_after_a_draw_keeps_to_the_bound(mechanism, neighbours, seed):
    found = shown(mechanism=mechanism, neighbours=neighbours, seed=seed, prior=0.2, epsilon=0.8)
    assert 1 - most_believed(0.8, found.down) - 1e-12 <= found.after <= most_believed(0.2, found.up) + 1e-12
    charts = noise_charts(TableChoices(part="noise", mechanism=mechanism, neighbours=neighbours, seed=seed), found)
    assert [chart.name for chart in charts] == ["outputs", "ratio", "belief", "tests", "people"]


@pytest.mark.parametrize(
    ("epsilon", "sigma", "delta"), [(1, 1, 0.1269367375), (1, 2, 0.0068295950), (2, 1, 0.0209236358)]
)
def test_gaussian_noise_at_published_values(epsilon, sigma, delta):
    found = shown(mechanism="gaussian", epsilon=epsilon, sigma=sigma)
    assert (found.mu, found.delta) == (1 / sigma, pytest.approx(delta, abs=5e-11))
    x = np.linspace(-40, 40, 800_001)  # delta once more: what P has above e^epsilon times Q
    p, q = (np.exp(-(((x - mean) / sigma) ** 2) / 2) / (sigma * sqrt(2 * np.pi)) for mean in (2, 1))
    assert np.trapezoid(np.maximum(p - exp(epsilon) * q, 0), x) == pytest.approx(delta, abs=1e-8)
    assert np.trapezoid(np.where(p > exp(epsilon) * q, p, 0), x) == pytest.approx(found.beyond, abs=1e-4)


def test_gaussian_noise_has_no_epsilon_without_a_delta():
    words = describe(evaluate(TableChoices(part="noise", mechanism="gaussian")))
    assert "At ε = 1, its δ is 0.127:" in words.paragraph and "There is no ε with δ = 0" in words.paragraph
    assert "becomes at most 74 %, except for outputs that come with chance 31 % or less." in words.paragraph
    assert "with ε = 1 and δ = 0.127." in words.assumption
    for epsilon in (0.01, 20.0):
        for sigma in (0.05, 1000.0):
            found = shown(mechanism="gaussian", epsilon=epsilon, sigma=sigma)
            assert found.largest == inf and 0 < found.delta <= 1 and found.delta <= found.beyond
            assert np.isfinite(drawn_ratios(found)[0]).all()


def test_two_counts_that_change_are_the_square_root_of_two_apart():
    both = shown(mechanism="gaussian", neighbours="replace", sigma=2.0)
    assert (both.sensitivity, both.mu) == (sqrt(2), sqrt(2) / 2)
    assert shown(mechanism="gaussian", neighbours="replace", counted="one").mu == 1
    assert "by at most √2 (two counts by 1 each)" in said(mechanism="gaussian", neighbours="replace")


@pytest.mark.long
def test_normal_noise_drawn_by_the_seed():
    draws = [shown(mechanism="gaussian", sigma=3.0, seed=seed).drawn for seed in range(2000)]
    assert np.mean(draws) == pytest.approx(2, abs=0.25) and np.std(draws) == pytest.approx(3, rel=0.06)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("neighbours", ["add", "replace"])
def test_no_test_beats_the_curve_and_one_reaches_it(mechanism, neighbours):
    found = shown(mechanism=mechanism, neighbours=neighbours, epsilon=0.8, sigma=1.5)
    alarms, missed, allowed = drawn_test(found)
    assert (np.diff(missed) <= 1e-12).all() and (np.diff(missed, 2) >= -1e-9).all() and missed[-1] == 0
    assert (missed <= 1 - alarms + 1e-12).all() and (allowed is None) == (found.epsilon == inf)
    assert allowed is None or (missed >= allowed - 1e-9).all()
    if mechanism in (*SURVEYS, "exponential"):  # every set of outputs is a test
        for bits in range(2 ** len(found.first)):
            said_first = np.array([bits >> k & 1 for k in range(len(found.first))], bool)
            alarm, miss = found.second[said_first].sum(), 1 - found.first[said_first].sum()
            assert miss >= np.interp(alarm, alarms, missed) - 3e-3
    else:  # one test on draws of the whole release: the sum of what each count speaks for
        rng, both = np.random.default_rng(5), neighbours == "replace"
        moved = np.array([[2.0, 1.0], [1.0, 2.0]] if both else [[2.0], [1.0]])
        a = exp(-1 / found.scale)
        noise = {
            "laplace": lambda n: rng.laplace(scale=found.scale, size=n),
            "geometric": lambda n: rng.geometric(1 - a, n) - rng.geometric(1 - a, n),
            "gaussian": lambda n: rng.normal(scale=found.scale, size=n),
        }[mechanism]
        scores = []
        for truth in moved:
            out = truth + noise((200_000, len(truth)))
            one, two = (
                ((out - mean) ** 2 / (2 * found.scale**2)).sum(1)
                if mechanism == "gaussian"
                else (np.abs(out - mean) / found.scale).sum(1)
                for mean in moved
            )
            scores.append(two - one)
        for limit in (-0.4, 0.01, 0.41):
            alarm, miss = (scores[1] > limit).mean(), (scores[0] <= limit).mean()
            assert miss == pytest.approx(np.interp(alarm, alarms, missed), abs=6e-3)


def test_the_chart_of_the_best_test_says_what_it_draws():
    chart = next(c for c in noise_charts(TableChoices(part="noise"), shown()) if c.name == "tests")
    assert "with 10 % false alarms, it misses 73 %" in chart.summary  # 1 - e / 10
    names = [trace["name"] for trace in chart.figure["data"]]
    assert names == ["best test", "ε allows", "guessing"]
    assert [t["name"] for t in noise_charts(TableChoices(part="noise"), shown(mechanism="gaussian"))[3].figure["data"]][
        1
    ] == "ε and δ allow"


@pytest.mark.parametrize("epsilon", [0.01, 20.0])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_ends_of_epsilon(mechanism, epsilon):
    found = shown(mechanism=mechanism, epsilon=epsilon, wanted=1e-4)
    assert np.isfinite(found.first).all() and (found.needed or 0) >= 1
    noise_charts(TableChoices(part="noise", mechanism=mechanism, epsilon=epsilon, wanted=1e-4), found)


def test_a_coin_that_says_nothing_is_refused():
    for truth in (0.0, 0.5, 1.0):
        with pytest.raises(InputError, match="probability p must be between 0 and 1, but not"):
            noise_of(TableChoices(mechanism="warner", truth=truth))


def test_what_is_behind_up_to_is_never_below():
    """From e^12 on the exponent is said, and rounded up; it was the nearest of two digits."""
    assert "up to e^12.4 times likelier" in said(mechanism="geometric", epsilon=12.345)
    assert "up to e^20 times likelier" in said(epsilon=20.0)
    assert "With ε = 1.16 the" not in said(mechanism="warner", truth=0.76)
    outcome = evaluate(TableChoices(part="noise", mechanism="warner", truth=0.76))  # ln (0.76 / 0.24) = 1.1527
    assert "with ε = 1.16." in describe(outcome).assumption


def test_a_belief_that_becomes_just_that_is_not_rounded_up():
    assert "a belief of 30 % in a true Yes becomes 46 %." in said(mechanism="truthfully-or-yes", prior=0.3)
    assert "becomes at most 47 %" in said(mechanism="many", answers=2, epsilon=log(2), prior=0.3)  # .4615 too


def test_a_draw_beyond_the_chart_is_at_its_end_and_said():
    choices = TableChoices(part="noise", mechanism="geometric", epsilon=0.01)
    found = next(
        (made, c)
        for seed in range(200)
        if not (made := noise_of(c := choices.with_changes(seed=seed))).outputs[0] <= made.drawn <= made.outputs[-1]
    )
    outputs = noise_charts(found[1], found[0])[0]
    drawn = next(trace for trace in outputs.figure["data"] if trace["name"] == "one draw")
    assert drawn["x"][0] in found[0].outputs[[0, -1]] and "beyond the end of the chart" in outputs.summary
    assert f"one draw, {found[0].drawn:,.0f}, beyond" in outputs.summary  # a whole number is said as one
    near = shown(seed=3)
    drawn = noise_charts(TableChoices(part="noise", seed=3), near)[0].figure["data"][2]
    assert drawn["x"] == [near.drawn]  # not the nearest point of the curve


def test_of_equal_ratios_the_first_is_said():
    assert all(shown(mechanism="warner", truth=p / 100).where == "at Yes" for p in range(51, 100))


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_curves_that_are_drawn_beside_plain_sums(mechanism):
    choices = TableChoices(part="noise", mechanism=mechanism, epsilon=0.8)
    found = noise_of(choices)
    ratios, limits = drawn_ratios(found)
    plain = [p / q if q else inf for p, q in zip(found.first.tolist(), found.second.tolist(), strict=True)]
    assert ratios == pytest.approx([min(max(ratio, 1 / TALLEST), TALLEST) for ratio in plain])
    assert limits == (None if found.epsilon == inf else pytest.approx((exp(found.epsilon), exp(-found.epsilon))))
    before, most, least = drawn_beliefs(found)
    for p, high, low in zip(before, most, least, strict=True):
        limits = (found.epsilon, found.epsilon) if found.mu else (found.up, found.down)
        up, down = (exp(-x) if isinstance(x, float) and x < inf else 0.0 for x in limits)
        assert high == pytest.approx(p / (p + (1 - p) * up) if p else 0.0)
        assert low == pytest.approx(p * down / (p * down + 1 - p) if p < 1 else 1.0)
    n, errors = drawn_errors(choices, found)
    assert n[0] == 1 and (np.diff(errors) < 0).all() and found.needed is not None and n[-1] > found.needed
    assert errors[n >= found.needed].max() <= choices.wanted < errors[n < found.needed - 1].min()
    if mechanism != "exponential":
        assert errors == pytest.approx([found.deviation / (sqrt(k) if mechanism in SURVEYS else k) for k in n])
