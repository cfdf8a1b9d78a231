"""What the moves since the last report carry over, pair by pair: silent timestamps in between are merged."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.markov import is_settled, power, product, stays
from lmdk_widgets.leakage.pair_step import AnyStartStep, PairStep, StayStep

Step = PairStep | StayStep | AnyStartStep | None
"""The operator that carries bounds over moves; None carries nothing."""

KEPT = 400_000
"""How many entries the matrices of several moves may have together that are kept for the next silence."""


class Moves:
    """The operators of a recursion, for one move or for several as one.

    Parameters
    ----------
    carried : the operator of every move, or the n - 1 operators of a chain that changes over time, in the order in which
        the recursion runs.

    Attributes
    ----------
    join : whether several moves can be one: not if some of them hold for any start and others do not.
    """

    def __init__(self, carried: Step | list[Step]) -> None:
        self._carried, self._known = carried, dict[int, Step]()
        listed = carried if isinstance(carried, list) else [carried]
        self.join = len({isinstance(step, AnyStartStep) for step in listed if step is not None}) < 2
        self._settled = 0  # after this many moves nothing is remembered; 0: this is not known
        self.restart()

    def restart(self) -> None:
        """There is a report: the moves count from here."""
        self._moves = 0
        self._step: Step = None

    def onward(self, k: int, reported: Floats, bound: Floats) -> Floats:
        """The bound at timestamp k of the recursion, the one after that of the last call or of `restart`.

        Parameters
        ----------
        reported : (m, m) the bound at the last report. bound : (m, m) D of the timestamp itself.
        """
        self._moves += 1
        if not 0 < self._settled < self._moves:
            self._step = self._over_all(k)
            self._left = np.zeros_like(bound) if self._step is None else self._step(reported)
        return np.asarray(bound + self._left)

    def _over_all(self, k: int) -> Step:
        """The operator of all moves from the last report to timestamp k."""
        if isinstance(self._carried, list):
            step = self._carried[k - 1]
            return step if self._moves == 1 else _joined(self._step, step)
        step, moves = self._carried, self._moves
        if step is None or moves == 1:
            return step
        if moves not in self._known:
            matrix = power(step.matrix, moves)
            self._settled = moves if is_settled(matrix) else 0
            if len(self._known) * step.n_states**2 > KEPT:
                self._known.clear()
            self._known[moves] = _operator(step, matrix)
        return self._known[moves]


def _joined(first: Step, second: Step) -> Step:
    """The moves of two operators as one; the first is nearer to the report."""
    if first is None or second is None:
        return None
    if isinstance(first, AnyStartStep):
        return _operator(first, product(first.matrix, second.matrix))
    return _operator(first, product(second.matrix, first.matrix))


def _operator(step: PairStep | StayStep | AnyStartStep, matrix: Floats) -> Step:
    """The operator of a matrix, of the kind of another one, whose trees it continues with."""
    if isinstance(step, AnyStartStep):
        return AnyStartStep(matrix)
    return StayStep(matrix) if stays(matrix) else PairStep(matrix, step if isinstance(step, PairStep) else None)
