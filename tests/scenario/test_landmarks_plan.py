"""Cao's plan on the track page: what it is called, and user level at the same target beside it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.leakage import plan_budgets, temporal_loss
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.scenario import SCHEMES, Scenario, describe, evaluate
from lmdk_widgets.scenario.model import MECHANISMS
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.samples import sample_data, series_names

ROOT = Path(__file__).parents[2]
BESIDE = "User level does better here at the same target: an expected mean error of"


def plan(track: str = "bob", **changes: object) -> tuple[Scenario, str]:
    scenario = Scenario(track=track, scheme="planned").with_changes(**changes)
    return scenario, describe(evaluate(scenario, sample_data(track))).paragraph


def test_the_strong_chain_makes_cao_s_plan_err_more_than_user_level() -> None:
    scenario, said = plan(correlation="strong")
    budgets = evaluate(scenario, sample("bob")).budgets
    assert (1 / budgets).mean() == pytest.approx(35.0752, abs=1e-4), "the specification's value"
    assert f"{BESIDE} {metres(8 * 400)} against {metres(35.0752 * 400)}." in said
    assert "Under Cao's plan every timestamp loses 1 in total" in said


@pytest.mark.parametrize(("correlation", "target"), [("weak", 1.0), ("moderate", 1.0), ("none", 1.0), ("strong", 30.0)])
def test_nothing_is_said_where_the_plan_errs_less(correlation: str, target: float) -> None:
    scenario, said = plan(correlation=correlation, target=target)
    budgets = evaluate(scenario, sample("bob")).budgets
    assert (1 / budgets).mean() <= 8 / target * (1 + 1e-9)
    assert "User level at the same target" not in said


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_sentence_is_there_where_user_level_errs_less(mechanism: str) -> None:
    for smoothing in (0.01, 0.02, 0.03, 0.04, 0.1):
        scenario, said = plan(correlation="strength", smoothing=smoothing, mechanism=mechanism)
        outcome, user = evaluate(scenario, sample("bob")), scenario.with_changes(scheme="user", epsilon=1.0)
        at_user = evaluate(user, sample("bob"))
        if mechanism == "randomised":
            assert outcome.reports is not None and at_user.reports is not None
            errors = at_user.reports.mean_expected_m, outcome.reports.mean_expected_m
        else:
            errors = 400 * 8.0, float(400 * (1 / outcome.budgets).mean())
        told = tuple(map(metres, errors))
        by = "" if mechanism in ("planar", "randomised") else " by planar Laplace"
        expected = errors[0] < errors[1] and told[0] != told[1]
        assert (BESIDE in said) == expected
        assert not expected or f"{BESIDE} {told[0]} against {told[1]}{by}." in said
        assert at_user.total.max() <= 1 + 1e-9, "user level keeps to the target too"


def test_series_say_it_in_their_unit() -> None:
    for name in series_names():
        _, said = plan(name, correlation="strong", target=0.3)
        found = re.search(rf"{BESIDE} ([^.]*(?:\.\d[^.]*)*)\.", said)
        assert found is None or " m " not in found[1]


def test_known_means_of_one_over_the_budget() -> None:
    from lmdk_widgets.leakage.markov import smoothed_identity

    for smoothing, n, expected in [
        (0.1, 8, 4.6253),
        (0.1, 24, 5.2760),
        (0.1, 48, 5.4387),
        (0.01, 24, 42.435),
        (0.01, 48, 44.275),
    ]:
        chain = smoothed_identity(5, smoothing)
        budgets = plan_budgets(chain, chain, 1.0, n)
        assert (1 / np.asarray(budgets)).mean() == pytest.approx(expected, rel=2e-5)
        assert temporal_loss(chain, chain, budgets).total == pytest.approx(1.0)
        assert temporal_loss(chain, chain, np.full(n, 1 / n)).total.max() <= 1 + 1e-12


def test_the_largest_budgets_are_claimed_nowhere() -> None:
    assert SCHEMES["planned"].startswith("Cao's plan: every timestamp loses the target in total, if the chain")
    texts = [*ROOT.glob("docs/*.md"), *ROOT.glob("notebooks/*.ipynb"), ROOT / "README.md"]
    texts += ROOT.glob("lmdk_widgets/**/*.py")
    for path in texts:
        text = " ".join(path.read_text("utf-8").split())
        assert not re.search(r"largest budgets? that keep|nothing is wasted", text), path
