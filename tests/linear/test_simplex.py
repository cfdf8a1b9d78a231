"""The compiled simplex against HiGHS, against plain Python, and against what its basis says, place by place."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.geoind import Solver
from lmdk_widgets.geoind import solver as solver_module
from lmdk_widgets.linear import engine
from lmdk_widgets.linear.dual import dual, shift_costs
from lmdk_widgets.linear.engine import Simplex, Stalled
from lmdk_widgets.linear.pivots import primal
from lmdk_widgets.linear.state import DONE, GOING
from lmdk_widgets.linear.symmetry import none, symmetries
from lmdk_widgets.linear.trees import Lengths, dual_bound
from tests.geoind.places import distances, grid, random_task, uniform
from tests.geoind.test_optimal import check

AIM = 2e-7


def shares(apart: np.ndarray, prior: np.ndarray) -> np.ndarray:
    cost = (prior[:, None] * apart).T
    return cost / cost.sum(axis=1).min()


def begun(apart: np.ndarray, cost: np.ndarray, epsilon: float = 1.0, *, folded: bool = True) -> Simplex:
    n = len(apart)
    return Simplex(Lengths(epsilon * apart), cost, np.arange(n), symmetries(apart, cost) if folded else none(n, n))


def finish(made: Simplex) -> None:
    """Pivots to the end, and checks that what was kept on the way is what the blocks say."""
    for _ in made.optimise(AIM):
        consistent(made)


def consistent(made: Simplex) -> None:
    """Components, limits and rays of a state, computed afresh by loops; every row sums to 1."""
    s = made.state
    rows = np.zeros(len(s.row))
    for u in range(s.used[0]):
        parent, height, component = s.parent[u], s.height[u], s.component[u]
        for place in range(len(parent)):
            above = parent[place]
            assert component[above] == component[place] and s.block[component[place]] == u
            if above != place and s.sign[u, place]:
                length = s.sign[u, place] * s.short[place, above]
                assert height[place] - height[above] == pytest.approx(length, abs=1e-9)
        assert s.ray[u] == pytest.approx(np.exp(height), rel=1e-9)
        for one in set(component):
            for other in set(component) - {one}:
                slack = s.short + height - height[:, None]
                least = slack[np.ix_(component == one, component == other)].min()
                assert s.limit[one, other] == pytest.approx(np.exp(least), rel=1e-7)
        np.add.at(rows, s.orbit, s.ray[u] * s.weight[component])
    assert rows == pytest.approx(made.symmetry.sizes, abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_every_slice_is_consistent_and_the_end_is_that_of_highs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "SLICE", 5)
    rng = np.random.default_rng([31, seed])
    n, epsilon = 5 + seed, 0.6 + 0.2 * seed
    apart, prior = 3 * distances(rng.random((n, 2))), rng.dirichlet(np.ones(n))
    made = begun(apart, shares(apart, prior), epsilon)
    for change in (1.0, 1.1, 0.8):
        epsilon *= change
        if change != 1:
            made.rescale(Lengths(epsilon * apart), change)
        finish(made)
        reference = Solver(apart).reference(prior, epsilon).quality_loss / (prior @ apart).min()
        assert made.bound - 1e-9 <= made.loss <= made.bound + AIM
        assert made.loss == pytest.approx(reference, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_no_dual_pivot_lowers_the_loss(seed: int) -> None:
    """What primal pivots would put right afterwards all the same."""
    rng = np.random.default_rng([32, seed])
    apart = 3 * distances(rng.random((10, 2)))
    made = begun(apart, shares(apart, rng.dirichlet(np.ones(10))))
    finish(made)
    made.rescale(Lengths(2 * apart), 2.0)
    assert not made.feasible()
    losses = []
    shift_costs(made.state)
    made.refresh(shifted=True)
    while dual(made.state, 1) == GOING:
        losses.append(made.loss)
    assert losses and made.feasible()
    assert np.diff(losses).min(initial=0.0) > -1e-12


@pytest.mark.parametrize("seed", range(4))
def test_no_edge_gains_anything_when_the_primal_simplex_is_done(seed: int) -> None:
    """All are asked then, by subtrees that are found place by place; not only those that were best when priced last."""
    rng = np.random.default_rng([33, seed])
    apart = 4 * distances(rng.random((20, 2)))
    cost = shares(apart, rng.dirichlet(np.ones(20)))
    made = begun(apart, cost, folded=False)
    s = made.state
    while primal(s, 400) != DONE:
        made.refresh()
    for u in range(s.used[0]):
        reduced = (cost[s.report[u]] - s.dual) * s.ray[u]
        total = reduced.copy()
        for place in range(20):
            above = place
            while s.parent[u, above] != above:
                above = s.parent[u, above]
                total[above] += reduced[place]
        edges = s.parent[u] != np.arange(20)
        assert (s.sign[u] * total * s.weight[s.component[u]])[edges].max(initial=0.0) < 1e-9


@pytest.mark.parametrize("prior", [uniform(9), np.array([1, 4, 1, 3, 2, 3, 5, 1, 5]) / 25, uniform(16)])
def test_places_that_symmetry_holds_together_come_apart(prior: np.ndarray) -> None:
    """With all symmetries, some, and with a best constant report that is one of four."""
    apart = distances(grid(int(np.sqrt(len(prior)))))
    cost = shares(apart, prior)
    folded, whole = begun(apart, cost), begun(apart, cost, folded=False)
    assert len(folded.symmetry.sizes) < len(apart)
    finish(folded)
    finish(whole)
    assert folded.loss == pytest.approx(whole.loss, abs=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_any_trees_and_duals_give_a_bound_that_holds(seed: int) -> None:
    """Weak duality: also trees that are not the cheapest, and duals from nowhere."""
    rng = np.random.default_rng([34, seed])
    apart, prior = 2 * distances(rng.random((8, 2))), rng.dirichlet(np.ones(8))
    cost, lengths, roots = shares(apart, prior), Lengths(apart), np.arange(8)
    best = Solver(apart).reference(prior, 1.0).quality_loss / (prior @ apart).min()
    trees = lengths.shortest_path_trees(roots)
    for spread in (1e-6, 1e-3, 1e-2, 1):
        duals = best / 8 + spread * rng.normal(size=8)
        assert dual_bound(lengths, roots, *trees, cost, duals, none(8, 8)) <= best + 1e-9


def test_trees_longer_than_a_number_can_be_give_a_bound_without_a_warning() -> None:
    """A ray of heights up to 1,200 is not representable: what it cannot explain is left out of the bound."""
    apart = distances(np.stack([np.arange(8.0), np.zeros(8)], axis=1)) * 180
    lengths, roots = Lengths(apart), np.arange(8)
    parent, sign, height = lengths.shortest_path_trees(roots)
    rising = -sign, -height
    cost, duals = shares(apart, uniform(8)), np.full(8, 1e-3)
    with np.errstate(all="raise", under="ignore"):
        for trees in ((parent, sign, height), (parent, *rising)):
            found = dual_bound(lengths, roots, *trees, cost, duals, none(8, 8))
            assert np.isfinite(found) and found <= cost.min(axis=1).sum() + 1e-9


PLAIN = """
import hashlib, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from tests.linear.test_simplex import fingerprint
print(fingerprint())
"""


def fingerprint() -> str:
    """The blocks at the end of a solve, and the mechanism to ten digits."""
    rng = np.random.default_rng(5)
    apart = distances(rng.random((6, 2)) * 3)
    made = begun(apart, shares(apart, rng.dirichlet(np.ones(6))))
    for epsilon in (1.0, 1.4):
        if epsilon > 1:
            made.rescale(Lengths(epsilon * apart), epsilon)
        for _ in made.optimise(AIM):
            pass
    used = made.state.used[0]
    digest = hashlib.sha256(made.state.parent[:used].tobytes() + made.state.component[:used].tobytes())
    return f"{digest.hexdigest()} {made.matrix().round(10).tolist()}"


@pytest.mark.slow
def test_machine_code_makes_the_pivots_of_plain_python() -> None:
    root = str(Path(__file__).parents[2])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", PLAIN, root]
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=300)
    assert plain.stdout.strip() == fingerprint()


@pytest.mark.parametrize("seed", range(40))
def test_a_solver_is_right_at_every_position_of_the_slider(seed: int) -> None:
    apart, prior, epsilon = random_task(np.random.default_rng([2014, 9, seed]), most=20)
    solver = Solver(apart)
    for change in (1, 1.05, 0.9, 1.7):
        epsilon *= change
        check(solver.solve(prior, epsilon), solver.reference(prior, epsilon), apart, prior, epsilon)


@pytest.mark.machine_code
def test_long_solves_show_incumbents_with_bounds_that_rise(monkeypatch: pytest.MonkeyPatch) -> None:
    apart, prior = distances(grid(6)), np.random.default_rng(4).dirichlet(np.ones(36))
    expected = Solver(apart).solve(prior, 1.0).quality_loss
    monkeypatch.setattr(engine, "PROOF_S", 0.0)
    monkeypatch.setattr(engine, "SLICE", 50)
    monkeypatch.setattr(solver_module, "SHOWN_S", 0.0)
    monkeypatch.setattr(solver_module, "PAUSE", 0)
    *shown, last = Solver(apart).improve(prior, 1.0)
    losses, bounds = ([getattr(state.channel, name) for state in shown] for name in ("quality_loss", "bound"))
    assert len(shown) > 3 and losses == sorted(losses, reverse=True)
    assert all(state.channel.epsilon <= 1.0 and not state.finished for state in shown)
    assert len(set(bounds)) > 3 and bounds == sorted(bounds) and bounds[-1] <= expected
    assert shown[-1].gap < 0.1 and last.finished and last.gap <= 1e-6
    assert last.channel.quality_loss == pytest.approx(expected, abs=1e-8)


def test_where_the_simplex_stalls_highs_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    apart, prior = distances(grid(3)), np.random.default_rng(3).dirichlet(np.ones(9))
    expected = Solver(apart).solve(prior, 1.0).quality_loss

    def nowhere(*_: object) -> None:
        raise Stalled

    monkeypatch.setattr(Simplex, "refresh", nowhere)
    found = Solver(apart).solve(prior, 1.0)
    assert found.method == "highs" and found.quality_loss == pytest.approx(expected, abs=1e-6) and found.gap <= 1e-6


@pytest.mark.machine_code
def test_a_basis_that_failed_is_not_the_start_of_the_next_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    apart, prior = distances(grid(4)), np.random.default_rng(3).dirichlet(np.ones(16))
    solver = Solver(apart)
    solver.solve(prior, 1.0)
    steps = solver.improve(prior, 1.05)
    assert solver._last is not None
    monkeypatch.setattr(solver_module, "SHOWN_S", 0.0)
    next(steps)  # the solve is given up in the middle
    steps.close()
    assert solver._last is None
    check(solver.solve(prior, 1.1), solver.reference(prior, 1.1), apart, prior, 1.1)


@pytest.mark.machine_code
def test_a_basis_goes_on_only_where_the_cost_is_the_same_and_epsilon_is_near() -> None:
    apart, prior = distances(grid(4)), np.random.default_rng(3).dirichlet(np.ones(16))
    solver = Solver(apart)
    solver.solve(prior, 1.0)
    assert solver._last is not None
    kept = solver._last[1]
    for chosen, epsilon, same in ((prior, 1.9, True), (prior, 4.0, False), (uniform(16), 4.0, False)):
        solver.solve(chosen, epsilon)
        assert solver._last is not None and (solver._last[1] is kept) == same
        kept = solver._last[1]
