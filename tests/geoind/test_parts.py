"""Parts of the solver against what they stand for: trees, inverses, mutants of the spanner's division."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.geoind import Solver, smallest_epsilon
from lmdk_widgets.geoind.blocks import inverse
from lmdk_widgets.geoind.program import solve_by_highs
from lmdk_widgets.geoind.trees import Forest
from tests.geoind.places import distances, grid, uniform


@pytest.mark.parametrize("n", [1, 2, 7, 16, 17, 33, 50])
def test_inverses_by_halves(n: int) -> None:
    rng = np.random.default_rng(n)
    root = rng.normal(size=(3, n, 2 * n))
    matrix = root @ root.swapaxes(1, 2) / n
    assert inverse(matrix, leaf=4) @ matrix == pytest.approx(np.tile(np.eye(n), (3, 1, 1)), abs=1e-9)


def test_an_adopted_tree_is_the_donors_ray_hung_up_elsewhere() -> None:
    rng = np.random.default_rng(3)
    forest = Forest(distances(rng.random((9, 2))), np.arange(9))
    donors, others = np.array([2, 5]), np.array([0, 1, 3, 4, 6, 7, 8])
    forest.price(donors, rng.normal(size=(2, 9)), 1e-13)
    forest.adopt(others, donors)
    for report in others:
        parent, sign, height = forest.parent[report], forest.sign[report], forest.height[report]
        assert height[report] == 0 and parent[report] == report
        assert any(np.ptp(height - forest.height[donor]) < 1e-12 for donor in donors)
        for place in np.delete(np.arange(9), report):  # every edge is tight, in the direction of its sign
            rise = height[place] - height[parent[place]]
            assert rise == pytest.approx(sign[place] * forest.short[place, parent[place]], abs=1e-12)
            for _ in range(9):
                place = parent[place]
            assert place == report
    start = forest.price(others, rng.normal(size=(7, 9)), 1e-13)
    assert np.isfinite(start.values).all()


def times_dilation(lengths, by):
    """A mutant: forgets the division."""
    return lengths * by


def divided_by_less(lengths, by):
    """A mutant: divides by the square root."""
    return lengths * by**0.5


def divided_twice(lengths, by):
    """A mutant: private, and loses more than it has to."""
    return lengths / by


@pytest.mark.parametrize("mutant", [times_dilation, divided_by_less, divided_twice])
def test_mutants_of_the_division_are_caught(mutant) -> None:
    """The right matrix meets epsilon and the value of the spec; each mutant fails one of the two."""
    apart, allowed = distances(grid(3)), 1.1

    def right(solver: Solver) -> bool:
        raw = solve_by_highs(solver.program(uniform(9), 1.0)).matrix
        loss = float((raw * apart).sum() / 9)
        return smallest_epsilon(raw, apart) <= 1 + 1e-9 and abs(loss - 0.91624551) < 1e-7

    solver = Solver(apart, dilation=allowed)
    assert right(solver)
    solver._lengths = mutant(solver._lengths, allowed)
    assert not right(solver)
