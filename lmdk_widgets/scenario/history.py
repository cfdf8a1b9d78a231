"""Undo and redo: a list of states, each a scenario with the track it belongs to."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory.model import Trajectory

MOST_STEPS = 200

S = TypeVar("S")


class State(NamedTuple):
    """A scenario with its track: an undo across a change of track brings the right track back."""

    scenario: Scenario
    trajectory: Trajectory


class History(Generic[S]):
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

    def __init__(self, first: S) -> None:
        self.present = first
        self._settled = first
        self._past: list[S] = []
        self._future: list[S] = []

    def show(self, state: S, *, commit: bool) -> None:
        """Makes a state the present one; with `commit` it becomes a step that can be undone."""
        self.present = state
        if commit and state != self._settled:
            self._past = [*self._past[-MOST_STEPS + 1 :], self._settled]
            self._settled = state
            self._future.clear()

    def copy(self) -> History[S]:
        """The same states in a list of its own: to return to when a change is refused."""
        other = History(self.present)
        other._settled, other._past, other._future = self._settled, list(self._past), list(self._future)
        return other

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def undo(self) -> S:
        """The state before the present one; the present one when there is none."""
        if self._past:
            self._future.append(self._settled)
            self._settled = self._past.pop()
        self.present = self._settled
        return self.present

    def redo(self) -> S:
        """The state that was undone last; the present one when there is none."""
        if self._future:
            self._past.append(self._settled)
            self._settled = self._future.pop()
        self.present = self._settled
        return self.present
