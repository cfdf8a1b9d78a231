"""Undo and redo: a list of states, each a scenario with the track it belongs to."""

from __future__ import annotations

from typing import NamedTuple

from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory.model import Trajectory

MOST_STEPS = 200


class State(NamedTuple):
    """A scenario with its track: an undo across a change of track brings the right track back."""

    scenario: Scenario
    trajectory: Trajectory


class History:
    """The states one can go back and forth between; a drag moves the present and makes one step when it ends.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = sample("bob")
    >>> history = History(State(Scenario(), bob))
    >>> history.show(State(Scenario(epsilon=0.7), bob), commit=False)
    >>> history.show(State(Scenario(epsilon=0.5), bob), commit=True)
    >>> history.undo().scenario.epsilon, history.redo().scenario.epsilon
    (1.0, 0.5)
    """

    def __init__(self, first: State) -> None:
        self.present = first
        self._settled = first
        self._past: list[State] = []
        self._future: list[State] = []

    def show(self, state: State, *, commit: bool) -> None:
        """Makes a state the present one; with `commit` it becomes a step that can be undone."""
        self.present = state
        if commit and state != self._settled:
            self._past = [*self._past[-MOST_STEPS + 1 :], self._settled]
            self._settled = state
            self._future.clear()

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def undo(self) -> State:
        """The state before the present one; the present one when there is none."""
        if self._past:
            self._future.append(self._settled)
            self._settled = self._past.pop()
        self.present = self._settled
        return self.present

    def redo(self) -> State:
        """The state that was undone last; the present one when there is none."""
        if self._future:
            self._past.append(self._settled)
            self._settled = self._future.pop()
        self.present = self._settled
        return self.present
