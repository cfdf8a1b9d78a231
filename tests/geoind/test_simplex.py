"""Simplex moves against plain loops, against HiGHS, and in the solver, which has to be right where they lead nowhere."""

from __future__ import annotations

import copy
import functools
import math
from dataclasses import dataclass

import numpy as np
import pytest

from lmdk_widgets.geoind import Channel, Solver, simplex, smallest_epsilon
from lmdk_widgets.geoind import solver as solver_module
from lmdk_widgets.geoind import trees as trees_module
from lmdk_widgets.geoind.basis import Basis
from lmdk_widgets.geoind.simplex import Stuck, first_basis, fits
from lmdk_widgets.geoind.trees import Forest, spanning
from tests.geoind.places import distances, grid, uniform

pytestmark = pytest.mark.slow


@dataclass
class Start:
    """A task, and what the solver's first simplex move begins with."""

    solver: Solver
    prior: np.ndarray
    epsilon: float
    basis: Basis
    forest: Forest


class Caught(Exception):
    pass


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


def begun(name: str) -> Start:
    start = copy.deepcopy(caught(name))
    if not fits(start.basis):
        simplex.dual(start.basis, start.forest, 100)
    return start


# 5, 7, 9, 8, 9, 9 places
TASKS = pytest.mark.parametrize("name", ["5", "2", "4", "spanner", "grid", "mirrored"])


def near(found, wanted, relative: float = 1e-9, absolute: float = 1e-11) -> bool:
    return np.shape(found) == np.shape(wanted) and np.allclose(found, wanted, rtol=relative, atol=absolute)


def by_hand(basis: Basis, opened: bool = False) -> np.ndarray:
    """Everything that follows from the forests, one place after the other; returns what the pieces give, by number."""
    pieces = basis.rows + opened
    given, costs = np.zeros((pieces, basis.rows)), np.zeros(pieces)
    orbit, short = basis.symmetry.orbit.tolist(), basis.short.tolist()
    below = np.zeros((basis.used, basis.n, basis.n), bool)
    vectors, sums = np.zeros((basis.used, basis.n, basis.rows)), np.zeros((basis.used, basis.n))
    numbers: list[int] = []
    ratios: dict[tuple[int, int], float] = {}
    for slot in range(basis.used):
        parent, sign, height = (each[slot].tolist() for each in (basis.parent, basis.sign, basis.height))
        k = [math.exp(each) for each in height]
        under: dict[int, list[int]] = {place: [] for place in range(basis.n)}
        piece: dict[int, list[int]] = {}
        for place in range(basis.n):
            way = [place]
            while parent[way[-1]] != way[-1]:
                way.append(parent[way[-1]])
                assert len(way) <= basis.n
            for above in way:
                under[above].append(place)
            piece.setdefault(way[-1], []).append(place)
            rise = height[place] - height[parent[place]]
            assert math.isclose(rise, sign[place] * short[place][parent[place]], abs_tol=1e-10)
            assert (sign[place] == 0) == (place == parent[place])
        for place, those in under.items():
            for each in those:
                below[slot, place, each] = True
                vectors[slot, place, orbit[each]] += k[each]
                sums[slot, place] += k[each] * basis.paid[slot, each]
        number = {root: int(basis.piece[slot, root]) for root in piece}
        for root, inner in piece.items():
            numbers.append(number[root])
            given[number[root]], costs[number[root]] = vectors[slot, root], sums[slot, root]
            assert basis.slot[number[root]] == slot and (basis.piece[slot, inner] == number[root]).all()
            for other, outer in piece.items():
                most = min(short[x][y] + height[y] - height[x] for x in inner for y in outer)
                if len(piece) == 1:  # a weight of at least 0 is said as w <= 2 w
                    ratios[number[root], number[root]] = 2.0
                elif root != other and most < math.inf:
                    ratios[number[root], number[other]] = math.exp(most)
    assert sorted(numbers) == list(range(pieces))
    pairs = list(zip(basis.first.tolist(), basis.second.tolist(), strict=True))
    assert sorted(pairs) == sorted(ratios) and near(basis.ratio, [ratios[pair] for pair in pairs])
    assert (basis.below[: basis.used] == below).all() and near(basis.vectors[: basis.used], vectors)
    assert near(basis.sums[: basis.used], sums) and near(basis.values[:pieces], costs)
    if not opened:
        sizes = np.array([float(orbit.count(row)) for row in range(basis.rows)])
        weights, prices = np.linalg.solve(given.T, sizes), np.linalg.solve(given, costs)
        assert near(basis.weights[:-1], weights, 1e-7, 1e-8) and near(basis.prices, prices, 1e-7, 1e-7)
        inverse = np.linalg.inv(given.T)
        assert near(basis.inverse[:-1], inverse, 1e-7, 1e-8 * np.abs(inverse).max())
        assert near(basis.loss, costs @ weights, 1e-8)
    return given


def wander(start: Start, moves: int, check: bool = False) -> None:
    """Cuts any edges and lets any trees of the forest in, each time as far as the mechanism stays private."""
    basis, rng = start.basis, np.random.default_rng(len(start.prior))
    for _ in range(moves):
        edges = np.argwhere(basis.sign[: basis.used] != 0)
        if len(edges) and rng.random() < 0.7:
            slot, child = rng.choice(edges)
            whole, way = int(basis.piece[slot, child]), -float(basis.sign[slot, child])
            move = basis.cut(slot, child)
            share = move[-1] - move[whole]
        else:
            report, way = int(rng.choice(basis.symmetry.reports)), 1.0
            move = simplex._enter(basis, start.forest, report)
            share = move[-1]
        if check:
            given = by_hand(basis, opened=True)
            assert near(share, 1.0) and near(given.T @ move, np.zeros(basis.rows), absolute=1e-8)
            assert near(given.T @ basis.weights, basis.symmetry.sizes, absolute=1e-8)
        simplex.follow(basis, move, way)
        assert fits(basis)
        if check:
            by_hand(basis)


@pytest.mark.parametrize("points", [grid(3), 3 * np.random.default_rng(1).random((8, 2))], ids=["grid", "scattered"])
def test_the_trees_of_rays_are_found_again(points: np.ndarray) -> None:
    n, rng = len(points), np.random.default_rng(2)
    forest = Forest(distances(points), np.arange(n))
    for _ in range(3):
        forest.price(np.arange(n), rng.normal(size=(n, n)), 1e-13)
        parent, sign, height = spanning(forest.height, forest.short)
        assert near(height, forest.height)
        for ray in range(n):
            edges = set()
            root = int(forest.height[ray].argmax())
            for place in range(n):
                above = int(parent[ray, place])
                assert (above == place) == (place == root)
                if above != place:
                    rise = forest.height[ray, place] - forest.height[ray, above]
                    assert rise == pytest.approx(sign[ray, place] * forest.short[place, above], rel=1e-9)
                    edges.add(frozenset([place, above]))
                for _ in range(n):
                    above = int(parent[ray, above])
                assert above == root
            # no two pairs get tight at once, so that there is but one tree
            assert edges == {frozenset([x, int(forest.parent[ray, x])]) for x in range(n) if forest.parent[ray, x] != x}


def test_trees_are_found_in_blocks_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    forest = Forest(distances(rng.random((6, 2))), np.arange(6))
    heights = np.concatenate([forest.height, forest.height / 2, -rng.random((5, 6))])
    whole = spanning(heights, forest.short)
    for numbers in (1, 3 * 36, 16 * 36):
        monkeypatch.setattr(trees_module, "_NUMBERS", numbers)
        parts = spanning(heights, forest.short)
        assert all((part == each).all() and part.shape == (17, 6) for part, each in zip(parts, whole, strict=True))


@TASKS
def test_random_moves_keep_all_that_follows_from_the_forests(name: str) -> None:
    start = begun(name)
    by_hand(start.basis)
    assert fits(start.basis) and start.basis.rows == {"grid": 3, "mirrored": 6}.get(name, len(start.prior))
    wander(start, 24, check=True)
    before = copy.deepcopy(start.basis)
    start.basis.refresh()
    by_hand(start.basis)
    for found, wanted in ((start.basis.columns(), before.columns()), (start.basis.prices, before.prices)):
        assert near(found, wanted, 1e-8, 1e-9)


def check_mechanism(start: Start) -> None:
    """Rows that sum to 1, and every pair private, of the mechanism that a basis stands for."""
    basis, symmetry = start.basis, start.basis.symmetry
    matrix = np.zeros(basis.cost.shape)
    np.add.at(matrix, basis.report[: basis.used], basis.columns())
    matrix = symmetry.spread(matrix.T)
    assert near(matrix.sum(axis=1), np.ones(basis.n), absolute=1e-10) and matrix.min() >= -1e-11
    logs = np.log(matrix[:, matrix.max(axis=0) > 1e-6])
    assert (logs[:, None] - logs - start.forest.true[:, :, None]).max() <= 1e-9
    assert near((matrix * basis.cost.T).sum(), basis.loss)


@TASKS
def test_primal_moves_lose_no_more_and_stay_private(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    start = begun(name)
    best = start.basis.loss
    wander(start, 12)
    check_mechanism(start)
    follow, losses = simplex.follow, [start.basis.loss]

    def watched(basis: Basis, move: np.ndarray, way: float = 1.0) -> None:
        follow(basis, move, way)
        losses.append(basis.loss)
        check_mechanism(start)
        by_hand(basis)

    monkeypatch.setattr(simplex, "follow", watched)
    moves = simplex.primal(start.basis, 200)
    assert moves == len(losses) - 1 > 0 and np.diff(losses).max() <= 1e-12 and losses[-1] < losses[0]
    assert not simplex.primal(start.basis, 1)  # no edge is worth cutting
    found = simplex.optimise(start.basis, start.forest, 1e-7)
    assert np.diff(losses).max() <= 1e-12 and losses[-1] <= best + 1e-12
    assert losses[-1] - 1e-7 <= found.bound <= losses[-1] + 1e-12


def watch_dual(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Checks every dual move; the list that is returned gets the losses, at the costs that were counted then."""
    mend, losses = simplex._mend, []

    def watched(basis: Basis, others: simplex._Others, *rest) -> None:
        before = basis.loss
        mend(basis, others, *rest)
        by_hand(basis)
        losses.append(basis.loss)
        assert basis.loss >= before - 1e-12
        # no edge is worth cutting and no tree worth taking, at these costs
        price = -basis.sign[: basis.used] * (basis.sums[: basis.used] - basis.worth(basis.prices))
        assert price.min() >= -1e-9 and (others.cost - others.gives @ basis.prices).min() >= -1e-9

    monkeypatch.setattr(simplex, "_mend", watched)
    return losses


def elsewhere(start: Start, ratio: float) -> Start:
    """The same basis at another epsilon."""
    forest = Forest(start.forest.true * ratio, start.forest.roots)
    forest.parent, forest.sign = start.forest.parent.copy(), start.forest.sign.copy()
    forest.height = start.forest.height * ratio
    start.basis.rescale(forest.short, ratio)
    by_hand(start.basis)
    return Start(start.solver, start.prior, start.epsilon * ratio, start.basis, forest)


def check_optimum(start: Start) -> None:
    """That the moves end where HiGHS does, which keeps constraints to 1e-7 only."""
    pytest.importorskip("scipy")
    basis = start.basis
    found = simplex.optimise(basis, start.forest, 1e-7)
    scale = float((start.prior @ start.solver.distances).min())
    oracle = start.solver.reference(start.prior, start.epsilon)
    assert abs(scale * basis.loss - oracle.quality_loss) <= 1e-6 * scale + oracle.quality_loss - oracle.bound
    assert basis.loss - 1e-7 <= found.bound <= basis.loss + 1e-12
    check_mechanism(start)


@TASKS
@pytest.mark.parametrize("ratio", [1.05, 0.8, 1.6])
def test_dual_moves_make_weights_fit_at_another_epsilon(
    name: str, ratio: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = elsewhere(begun(name), ratio)
    losses, basis = watch_dual(monkeypatch), start.basis
    assert simplex.dual(basis, start.forest, 200) == len(losses)
    assert fits(basis) and (basis.paid[: basis.used] == basis.cost[basis.report[: basis.used]]).all()
    by_hand(basis)
    check_mechanism(start)
    check_optimum(start)


@pytest.mark.parametrize(("name", "seed"), [("3", 0), ("4", 3), ("9", 0), ("mirrored", 1)])
def test_dual_moves_make_weights_fit_from_any_rays(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    start, rng = begun(name), np.random.default_rng(seed)
    n, cost = start.basis.n, start.basis.cost
    rays = [start.forest.price(np.arange(n), rng.normal(size=(n, n)), 1e-13).rays for _ in range(3)]
    heights = np.log(np.concatenate(rays))
    start.basis = first_basis(start.forest, cost, start.basis.symmetry, heights, rng.random(len(heights)) ** 4)
    by_hand(start.basis)
    assert start.basis.weights.min() < -0.1 and not fits(start.basis)
    losses = watch_dual(monkeypatch)
    assert simplex.dual(start.basis, start.forest, 200) == len(losses) > 2
    assert fits(start.basis)
    check_optimum(start)


def test_the_first_basis_leaves_out_rays_that_no_tree_stands_for() -> None:
    start = begun("4")
    basis, forest = start.basis, start.forest
    blunt, weights = forest.height / 2, np.ones(basis.n)  # private, and no pair is tight
    found = first_basis(forest, basis.cost, basis.symmetry, blunt, weights)
    trees = forest.height - forest.height.max(axis=1, keepdims=True)
    assert np.abs(found.height[: found.used, None] - trees).max(axis=2).min(axis=1).max() <= 1e-9
    by_hand(found)


@pytest.mark.parametrize("name", ["4", "grid"])
def test_rays_that_do_not_fix_the_weights_are_no_basis(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    start = begun(name)
    basis, forest = start.basis, start.forest
    heights, weights = forest.height.copy(), np.zeros(basis.n)
    assert first_basis(forest, basis.cost, basis.symmetry, heights, weights).rows == basis.rows
    with monkeypatch.context() as patch:
        patch.setattr(forest, "height", np.tile(forest.height[0], (basis.n, 1)))
        with pytest.raises(Stuck):
            first_basis(forest, basis.cost, basis.symmetry, heights, weights)

    def broken(matrix: np.ndarray) -> None:
        raise np.linalg.LinAlgError

    monkeypatch.setattr(np.linalg, "inv", broken)
    with pytest.raises(Stuck):
        first_basis(forest, basis.cost, basis.symmetry, heights, weights)


def random_prior(seed: int, n: int) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(n))


def same(found: Channel, wanted: Channel, epsilon: float, apart: np.ndarray) -> None:
    assert found.quality_loss == pytest.approx(wanted.quality_loss, abs=2e-6)
    assert found.gap <= 1e-6 and found.method == "rays" and not found.notices
    assert found.epsilon <= epsilon and smallest_epsilon(found.matrix, apart) <= epsilon


@pytest.mark.parametrize("kind", ["grid", "uniform", "spanner", "twins"])
def test_a_move_of_a_slider_takes_no_rounds(kind: str) -> None:
    points = {"grid": grid(4), "twins": [[0, 0], [0, 0], [1, 0], [1, 0], [2, 0], [3, 1]]}.get(kind, grid(3))
    apart, dilation = distances(points), 1.2 if kind == "spanner" else 1.0
    prior = uniform(9) if kind == "uniform" else random_prior(5, len(apart))
    solver, epsilon = Solver(apart, dilation=dilation), 1.0
    solver.solve(prior, epsilon)
    for change in (1.05, 0.8, 1.6):
        epsilon *= change
        states = list(solver.improve(prior, epsilon))
        assert [state.round for state in states] == [0] and states[0].finished
        assert states[0].gap == states[0].channel.gap
        same(states[0].channel, Solver(apart, dilation=dilation).solve(prior, epsilon), epsilon, apart)
    # another prior, and an epsilon far away, begin with what is known, and by rounds
    for other, epsilon in ((random_prior(6, len(apart)), 1.0), (prior, 3.0)):
        *_, last = solver.improve(other, epsilon)
        assert last.round > 0
        same(last.channel, Solver(apart, dilation=dilation).solve(other, epsilon), epsilon, apart)


def lead_nowhere(patch: pytest.MonkeyPatch, module: object, name: str) -> list[str]:
    """The list that is returned gets the name for every try."""
    tries: list[str] = []

    def stuck(*_: object) -> None:
        tries.append(name)
        raise Stuck

    patch.setattr(module, name, stuck)
    return tries


@pytest.mark.parametrize("name", ["optimise", "first_basis"])
def test_a_cold_solve_whose_moves_lead_nowhere_ends_by_rounds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    apart, prior = distances(grid(3)), random_prior(7, 9)
    wanted, solver = [Solver(apart).solve(prior, epsilon) for epsilon in (1.0, 1.1)], Solver(apart)
    tries = lead_nowhere(monkeypatch, solver_module, name)
    for many, (epsilon, right) in enumerate(zip((1.0, 1.1), wanted, strict=True), 1):  # the second is a slider's move
        *_, last = solver.improve(prior, epsilon)
        assert last.round > 0 and last.finished and len(tries) == many
        same(last.channel, right, epsilon, apart)


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


PLAIN = """
import hashlib, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from tests.geoind.test_simplex import fingerprint
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


def test_a_basis_that_failed_is_not_the_start_of_the_next_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    apart, prior = distances(grid(4)), np.random.default_rng(3).dirichlet(np.ones(16))
    solver = Solver(apart)
    solver.solve(prior, 1.0)
    with monkeypatch.context() as patch:
        tries = lead_nowhere(patch, module, name)
        *_, last = solver.improve(prior, 1.6)
        assert tries and last.round > 0
    same(last.channel, Solver(apart).solve(prior, 1.6), 1.6, apart)
    same(solver.solve(prior, 1.5), Solver(apart).solve(prior, 1.5), 1.5, apart)


def test_a_move_of_a_slider_that_is_interrupted_leaves_no_half_changed_basis(monkeypatch: pytest.MonkeyPatch) -> None:
    apart, prior = distances(grid(3)), random_prior(8, 9)
    solver = Solver(apart)
    solver.solve(prior, 1.0)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(simplex, "follow", interrupted)
        solver.solve(prior, 1.6)
    assert solver._known is None
    for epsilon in (1.0, 1.1):
        same(solver.solve(prior, epsilon), Solver(apart).solve(prior, epsilon), epsilon, apart)
