"""The simplex in machine code: the same as in plain Python, as the reference path, and as NumPy alone."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from lmdk_widgets.geoind import Solver
from lmdk_widgets.geoind import solver as solver_module
from lmdk_widgets.geoind.machine import background, compiled
from lmdk_widgets.geoind.machine import machine as machine_module
from lmdk_widgets.geoind.machine.machine import Machine
from lmdk_widgets.geoind.machine.state import GOING, Act
from lmdk_widgets.geoind.simplex import Stuck
from lmdk_widgets.geoind.symmetry import none, symmetries
from lmdk_widgets.geoind.trees import Forest
from tests.geoind.places import distances, grid, uniform
from tests.geoind.test_optimal import check, random_task

pytestmark = pytest.mark.slow
AIM = 2e-7


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions as Python runs them."""
    monkeypatch.setattr(compiled, "code", compiled.plain)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code, for as few places as there may be."""
    monkeypatch.delenv("LMDK_MACHINE_CODE")
    if find_spec("numba") is None:
        pytest.skip("needs the extra `fast` (Numba)")
    compiled.code()
    assert background.ready(wait=True)


def shares(apart: np.ndarray, prior: np.ndarray) -> np.ndarray:
    cost = (prior[:, None] * apart).T
    return cost / cost.sum(axis=1).min()


def run(apart: np.ndarray, cost: np.ndarray, epsilon: float = 1.0) -> tuple[Machine, Forest, float]:
    forest = Forest(epsilon * apart, np.arange(len(apart)))
    made = Machine(forest, cost, symmetries(apart, cost))
    return made, forest, finished(made, forest)


def finished(made: Machine, forest: Forest) -> float:
    """Moves to the end, and checks that what was kept on the way is what the forests say."""
    moves = made.optimise(forest, AIM)
    while True:
        try:
            next(moves)
            consistent(made)
        except StopIteration as ended:
            return float(ended.value.bound)


def consistent(made: Machine) -> None:
    """Pieces, ratios and rays of a state, computed afresh by loops; every row sums to 1."""
    s = made.state
    for slot in range(s.used[0]):
        parent, height, piece = s.parent[slot], s.height[slot], s.piece[slot]
        for place in range(len(parent)):
            above = parent[place]
            assert piece[above] == piece[place] and s.slot[piece[place]] == slot
            if above != place and s.sign[slot, place]:
                length = s.sign[slot, place] * s.short[place, above]
                assert height[place] - height[above] == pytest.approx(length, abs=1e-9)
        assert s.ray[slot] == pytest.approx(np.exp(height), rel=1e-9)
        for one in set(piece):
            for other in set(piece) - {one}:
                slack = s.short + height - height[:, None]
                least = slack[np.ix_(piece == one, piece == other)].min()
                assert s.ratio[one, other] == pytest.approx(np.exp(least), rel=1e-7)
    rows = np.zeros(len(s.row))
    np.add.at(rows, s.orbit, made.columns().sum(axis=0))
    assert rows == pytest.approx(made.symmetry.sizes, abs=1e-9)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("seed", range(4))
def test_plain_python_finds_what_the_reference_path_finds(seed: int) -> None:
    rng = np.random.default_rng([31, seed])
    apart, prior, epsilon = 3 * distances(rng.random((5 + seed, 2))), rng.dirichlet(np.ones(5 + seed)), 0.6 + 0.4 * seed
    cost = shares(apart, prior)
    made, forest, bound = run(apart, cost, epsilon)
    for change in (1.0, 1.1, 0.8):
        epsilon *= change
        if change != 1:
            later = Forest(epsilon * apart, np.arange(len(apart)))
            later.parent, later.sign, later.height = forest.parent, forest.sign, forest.height * change
            made.rescale(later.short, change)
            forest, bound = later, finished(made, later)
        reference = Solver(apart).reference(prior, epsilon).quality_loss / Solver(apart)._scale((prior * apart.T).T)
        assert bound - 1e-9 <= made.loss <= bound + AIM
        assert made.loss == pytest.approx(reference, abs=1e-6)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("seed", range(4))
def test_no_dual_move_lowers_the_loss(seed: int) -> None:
    """What primal moves would put right afterwards all the same."""
    rng = np.random.default_rng([32, seed])
    apart = 3 * distances(rng.random((10, 2)))
    made, _, _ = run(apart, shares(apart, rng.dirichlet(np.ones(10))))
    made.rescale(Forest(2 * apart, np.arange(10)).short, 2.0)
    assert not made.fits()
    losses = []
    made.act(Act.BEGIN_DUAL, 0)
    made.refresh(raised=True)
    while made.act(Act.DUAL, 1) == GOING:
        losses.append(made.loss)
    assert losses and made.fits()
    assert np.diff(losses).min(initial=0.0) > -1e-12


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("seed", range(4))
def test_no_edge_is_worth_anything_when_the_moves_are_done(seed: int) -> None:
    """All are asked then, by subtrees that are found place by place; not only those that were best when asked last."""
    rng = np.random.default_rng([33, seed])
    apart = 4 * distances(rng.random((20, 2)))
    cost = shares(apart, rng.dirichlet(np.ones(20)))
    forest = Forest(apart, np.arange(20))
    made = Machine(forest, cost, none(20, 20))
    s = made.state
    s.tree_parent[:], s.tree_sign[:], s.tree_height[:] = forest.parent, forest.sign, forest.height
    s.tree_ray[:] = np.exp(forest.height - forest.height.max(axis=1, keepdims=True))
    while made.act(Act.PRIMAL, 400) == GOING:
        made.refresh()
    for slot in range(s.used[0]):
        beyond = (cost[s.report[slot]] - s.prices) * s.ray[slot]
        total = beyond.copy()
        for place in range(20):
            above = place
            while s.parent[slot, above] != above:
                above = s.parent[slot, above]
                total[above] += beyond[place]
        edges = s.parent[slot] != np.arange(20)
        assert (s.sign[slot] * total * s.weight[s.piece[slot]])[edges].max(initial=0.0) < 1e-9


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("prior", [uniform(9), np.array([1, 4, 1, 3, 2, 3, 5, 1, 5]) / 25, uniform(16)])
def test_places_that_symmetry_holds_together_come_apart(prior: np.ndarray) -> None:
    """With all symmetries, some, and with a best constant report that is one of four."""
    apart = distances(grid(int(np.sqrt(len(prior)))))
    cost = shares(apart, prior)
    folded, _, _ = run(apart, cost)
    assert len(folded.symmetry.sizes) < len(apart)
    forest = Forest(apart, np.arange(len(apart)))
    whole = Machine(forest, cost, none(len(apart), len(apart)))
    finished(whole, forest)
    assert folded.loss == pytest.approx(whole.loss, abs=1e-8)


@pytest.mark.usefixtures("machine")
def test_machine_code_makes_the_moves_of_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    apart = distances(rng.random((6, 2)) * 3)
    cost = shares(apart, rng.dirichlet(np.ones(6)))
    quick, _, _ = run(apart, cost)
    monkeypatch.setattr(compiled, "code", compiled.plain)
    slow, _, _ = run(apart, cost)
    assert (quick.state.parent == slow.state.parent).all() and (quick.state.piece == slow.state.piece).all()
    assert quick.columns() == pytest.approx(slow.columns(), abs=1e-12)


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("seed", range(40))
def test_a_solver_with_machine_code_is_right(seed: int) -> None:
    rng = np.random.default_rng([2014, 9, seed])
    apart, prior, epsilon = random_task(rng, most=20)
    solver = Solver(apart)
    for change in (1, 1.05, 0.9, 1.7):
        epsilon *= change
        check(solver.solve(prior, epsilon), solver.reference(prior, epsilon), apart, prior, epsilon)


@pytest.mark.usefixtures("machine")
def test_a_city_grid_is_solved_at_once_and_as_without(monkeypatch: pytest.MonkeyPatch) -> None:
    apart, prior = distances(grid(7)), np.random.default_rng(0).random(49) ** 8
    prior /= prior.sum()
    solver = Solver(apart)
    found = [list(solver.improve(prior, epsilon))[-1] for epsilon in (1.0, 1.05)]
    assert [state.round for state in found] == [0, 0]
    monkeypatch.setattr(solver_module, "ready", lambda *_: False)
    for state, epsilon in zip(found, (1.0, 1.05), strict=True):
        assert state.gap <= 1e-6 and state.channel.epsilon <= epsilon
        alone = Solver(apart).solve(prior, epsilon).quality_loss
        assert state.channel.quality_loss == pytest.approx(alone, abs=1e-6)


@pytest.mark.usefixtures("machine")
def test_long_moves_show_what_they_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "_SHOWN_S", 0.0)
    monkeypatch.setattr(solver_module, "_PAUSE", 0)
    apart, prior = distances(grid(5)), np.random.default_rng(3).dirichlet(np.ones(25))
    *shown, last = Solver(apart).improve(prior, 1.0)
    losses = [state.channel.quality_loss for state in shown]
    assert len(shown) > 1 and losses == sorted(losses, reverse=True)
    assert all(state.channel.epsilon <= 1.0 and not state.finished for state in shown)
    assert last.finished and last.gap <= 1e-6


@pytest.mark.usefixtures("machine")
def test_bounds_proven_on_the_way_are_bounds_and_change_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    apart, prior = distances(grid(6)), np.random.default_rng(4).dirichlet(np.ones(36))
    expected = Solver(apart).solve(prior, 1.0).quality_loss
    monkeypatch.setattr(machine_module, "PROVEN_S", 0.0)
    monkeypatch.setattr(machine_module, "SLICE", 50)
    monkeypatch.setattr(solver_module, "_SHOWN_S", 0.0)
    monkeypatch.setattr(solver_module, "_PAUSE", 0)
    *shown, last = Solver(apart).improve(prior, 1.0)
    bounds = [state.channel.bound for state in shown]
    assert len(set(bounds)) > 3 and bounds == sorted(bounds) and bounds[-1] <= expected
    assert shown[-1].gap < 0.1
    assert last.channel.quality_loss == pytest.approx(expected, abs=1e-8)


@pytest.mark.usefixtures("machine")
def test_moves_that_lead_nowhere_are_left_to_the_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    apart, prior = distances(grid(3)), np.random.default_rng(3).dirichlet(np.ones(9))
    alone = Solver(apart).solve(prior, 1.0).quality_loss

    def nowhere(*_: object) -> None:
        raise Stuck

    monkeypatch.setattr(Machine, "refresh", nowhere)
    assert Solver(apart).solve(prior, 1.0).quality_loss == pytest.approx(alone, abs=1e-6)


def test_machine_code_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_begun", [])
    assert not background.ready(wait=True) and not background._begun
