"""Deliberate bugs, each put into the real code: the short check below, values and oracles, must notice every one."""

import dataclasses

import numpy as np
import pytest

from lmdk_widgets.leakage import (
    LossFunction,
    envelope,
    landmark,
    landmark_loss,
    plan,
    plan_budgets,
    recursion,
    reverse,
    temporal,
    temporal_loss,
    window_loss,
)
from lmdk_widgets.leakage import loss as loss_module
from lmdk_widgets.leakage.markov import chain

from .oracles import A, M, brute_force, literal_landmark_loss, literal_loss

P = np.array([[0.1, 0.9, 0.0], [0.2, 0.3, 0.5], [0.6, 0.1, 0.3]])
P_BACKWARD = np.linalg.matrix_power(P, 200)[0] * P.T / np.linalg.matrix_power(P, 200)[0][:, None]
EPS = np.array([0.1, 0.9, 0.2, 0.7, 0.3, 0.8])
LANDMARKS = [1, 4]


def check():
    """Fails where any number of the package is wrong."""
    alphas = np.array([0.1, 1.0, 2.0, 5.0])
    assert LossFunction(M)(alphas) == pytest.approx(brute_force(M, alphas), rel=1e-9)
    assert LossFunction(A).supremum(0.1) == pytest.approx(0.6459066161, abs=1e-9)
    loss = temporal_loss(reverse(P), P, EPS)
    back, front = literal_loss(P_BACKWARD, EPS), literal_loss(P, EPS[::-1])[::-1]
    assert loss.backward == pytest.approx(back, rel=1e-9) and loss.forward == pytest.approx(front, rel=1e-9)
    assert loss.total == pytest.approx(back + front - EPS, rel=1e-9)
    assert window_loss(P_BACKWARD, P, EPS, 1) == pytest.approx(back + front - EPS, rel=1e-9)
    assert window_loss(P_BACKWARD, P, EPS, 6)[5] == pytest.approx(EPS.sum(), rel=1e-12)
    carry = LossFunction(P_BACKWARD), LossFunction(P)
    expected = literal_landmark_loss(*carry, list(EPS), LANDMARKS)
    assert landmark_loss(P_BACKWARD, P, EPS, LANDMARKS) == pytest.approx(expected, rel=1e-9)
    for n in (2, 5):
        total = temporal_loss(P_BACKWARD, A, plan_budgets(P_BACKWARD, A, 1.0, n)).total
        assert total == pytest.approx(np.ones(n), rel=1e-9)


def _swapped(patch):
    right = temporal.carriers
    patch.setattr(temporal, "carriers", lambda back, front, n: right(front, back, n))


def _transposed(patch):
    right = loss_module.vertices
    patch.setattr(loss_module, "vertices", lambda p: right(p.T / p.T.sum(axis=1, keepdims=True)))


def _small_alpha_only(patch):
    right = loss_module.vertices
    first = lambda found: dataclasses.replace(found, **{k: v[:1] for k, v in vars(found).items()})  # noqa: E731
    patch.setattr(loss_module, "vertices", lambda p: first(right(p)))


def _one_order_of_each_pair(patch):
    right = envelope._Search._enumerate

    def half(self, pairs):
        x, y = np.divmod(pairs, len(self.p))
        right(self, pairs[x < y])

    patch.setattr(envelope._Search, "_enumerate", half)


def _epsilon_times_a_quarter_more(patch):
    right = temporal.run_merged
    patch.setattr(temporal, "run_merged", lambda eps, carried: right(1.25 * eps, carried))


def _budget_counted_twice(patch):
    right = temporal.both_sides

    def twice(eps, before, after):
        found = right(eps, before, after)
        return dataclasses.replace(found, total=found.backward + found.forward)

    patch.setattr(temporal, "both_sides", twice)


def _forward_run_forward(patch):
    patch.setattr(temporal, "run_back", temporal.run_merged)


def _only_the_members_of_a_window(patch):
    patch.setattr(landmark, "run_restarting", lambda eps, carried, first: eps.copy())


def _added_timestamp_changes_nothing(patch):
    patch.setattr(
        landmark,
        "from_every_start",
        lambda eps, carried, ends, longest: longest[: ends[-1] + 1] * 0 + longest[ends[-1]],
    )


def _plan_for_one_side(patch):
    right = plan._held
    patch.setattr(plan, "_held", lambda before, after, alpha: right(before, recursion.NOTHING, alpha))


def _reverse_without_prior(patch):
    right = chain._reverse
    patch.setattr(chain, "_reverse", lambda p, prior: right(p, np.full(len(p), 1 / len(p))))


def test_the_check_passes():
    check()


@pytest.mark.parametrize(
    "mutant",
    [
        _swapped,
        _transposed,
        _small_alpha_only,
        _one_order_of_each_pair,
        _epsilon_times_a_quarter_more,
        _budget_counted_twice,
        _forward_run_forward,
        _only_the_members_of_a_window,
        _added_timestamp_changes_nothing,
        _plan_for_one_side,
        _reverse_without_prior,
    ],
)
def test_every_mutant_is_noticed(mutant, monkeypatch):
    mutant(monkeypatch)
    with pytest.raises(AssertionError):
        check()
