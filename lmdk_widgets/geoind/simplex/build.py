"""Compiles all functions and keeps them on disk: `python -m lmdk_widgets.geoind.simplex.build`."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geoind.simplex.dual import dual, shift_costs
from lmdk_widgets.geoind.simplex.engine import Simplex
from lmdk_widgets.geoind.simplex.jit import READY, folder
from lmdk_widgets.geoind.symmetry import none
from lmdk_widgets.geoind.trees import Lengths


def run_all() -> None:
    """Solves for three places, and at another epsilon, so that every function is compiled or loaded, and right.

    Raises
    ------
    AssertionError : the losses are not those of the closed form.
    """
    apart = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    solved = Simplex(Lengths(apart), apart / 2, np.arange(3), none(3, 3))
    for epsilon in (1.0, 1.5):
        if epsilon > 1:
            solved.rescale(Lengths(epsilon * apart), epsilon)
        for _ in solved.optimise(1e-7):
            pass
        a = np.exp(-epsilon)
        assert abs(solved.loss - a * (2 + a) / (1 + a)) < 1e-6
    shift_costs(solved.state)
    dual(solved.state, 0)


if __name__ == "__main__":
    run_all()
    kept = folder()
    if kept is None:
        raise SystemExit("Machine code cannot be kept, neither beside the package nor in the user's cache folder.")
    (kept / READY).touch()
