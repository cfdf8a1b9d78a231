"""Mutants of the division by the dilation."""

from __future__ import annotations

import pytest

from lmdk_widgets.geoind import Solver, smallest_epsilon
from lmdk_widgets.geoind.reference import solve_whole
from tests.geoind.places import distances, grid, uniform


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
    """The right matrix meets epsilon and the value of the whole programme; each mutant fails one of the two."""
    apart, allowed = distances(grid(3)), 1.1  # 1.0797 is reached

    def right(solver: Solver) -> bool:
        raw = solve_whole(solver.program(uniform(9), 1.0)).matrix
        loss = float((raw * apart).sum() / 9)
        return smallest_epsilon(raw, apart) <= 1 + 1e-9 and abs(loss - 0.90781246) < 1e-7

    solver = Solver(apart, dilation=allowed)
    assert right(solver)
    solver._lengths = mutant(solver._lengths, solver.dilation)
    assert not right(solver)
