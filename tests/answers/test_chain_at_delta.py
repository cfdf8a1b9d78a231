"""The loss of a chain at a delta on the track page: the public function's number, and where nothing is said."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.odds import chain_at_delta, chain_at_delta_sentence
from lmdk_widgets.answers.pairs import pairs_of
from lmdk_widgets.leakage import temporal_loss_at_delta
from lmdk_widgets.leakage.markov import smoothed_identity
from lmdk_widgets.page.amounts import bound
from lmdk_widgets.scenario import Outcome, Scenario, describe, evaluate
from lmdk_widgets.scenario.correlation import NAMED_SMOOTHING
from lmdk_widgets.trajectory import Series, sample


def bob(**choices: Any) -> Outcome:
    cells = {"mechanism": "randomised", "place_m": 4000.0, "radius_m": 4000.0, "correlation": "strong"}
    return evaluate(Scenario(track="bob", landmarks=(0, 2, 4, 7), **{**cells, **choices}), sample("bob"))


@pytest.mark.parametrize("delta", [1e-3, 0.05])
def test_it_is_said_beside_the_loss_without_delta(delta: float) -> None:
    outcome = bob(delta=delta, scheme="event", epsilon=0.5)
    chain = smoothed_identity(5, NAMED_SMOOTHING["strong"])
    found = temporal_loss_at_delta(chain, chain, [0.5] * 8, delta).total.max()
    pairs = pairs_of(outcome)
    assert pairs is not None and chain_at_delta(outcome) == pytest.approx((found, pairs.total.max()), rel=1e-9)
    text = describe(outcome).assumption
    assert (
        f"is at most {bound(found)}; without δ it is at most {bound(float(pairs.total.max()))}. Both are upper" in text
    )
    assert text.endswith("for this chain, and for no other.")


def test_answers_have_it_too() -> None:
    time = np.datetime64("2026-01-26T08:00", "ns") + np.arange(40) * np.timedelta64(60, "s")
    series = Series(time, values=np.arange(40) // 9 % 2, kind="answers")
    outcome = evaluate(Scenario(scheme="event", epsilon=0.5, delta=0.01, correlation="strong", states=2), series)
    found = chain_at_delta(outcome)
    assert found is not None and found[0] < found[1] == outcome.total.max()
    assert re.search(r"at δ = 0\.01 is at most", describe(outcome).assumption)


@pytest.mark.parametrize(
    "choices",
    [
        {"mechanism": "planar"},
        {"correlation": "none"},
        {"adversary": "any"},
        {"mechanism": "planar", "scheme": "adaptive"},
        {"correlation": "matrix", "matrix": ((1.0,),)},
    ],
)
def test_nothing_is_said_where_no_such_bound_is_known(choices: dict[str, Any]) -> None:
    outcome = bob(delta=0.1, **choices)
    assert chain_at_delta(outcome) is None and chain_at_delta_sentence(outcome) == ""


def test_nothing_is_said_where_delta_changes_nothing_that_is_seen() -> None:
    outcome = bob(delta=1e-6, correlation="weak")
    found = chain_at_delta(outcome)
    assert found is not None and bound(found[0]) == bound(found[1]) and chain_at_delta_sentence(outcome) == ""
