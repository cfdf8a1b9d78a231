"""Undo and redo: a list of states, each a page's choices with the data they are about."""

from __future__ import annotations

from typing import Any, NamedTuple

MOST_STEPS = 200


class State(NamedTuple):
    """Choices with the data they are about: an undo across a change of data brings the right data back.

    Attributes
    ----------
    choices : of a page. data : a track, the user's own files, or None: what `evaluate` of the page takes beside them.
    """

    choices: Any
    data: Any = None


class History:
    """The states one can go back and forth between; a drag moves the present and makes one step when it ends.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> history = History(State(Scenario()))
    >>> history.show(State(Scenario(epsilon=0.7)), commit=False)
    >>> history.show(State(Scenario(epsilon=0.5)), commit=True)
    >>> history.undo().choices.epsilon, history.redo().choices.epsilon
    (1.0, 0.5)
    """

    def __init__(self, first: State) -> None:
        self.present = first
        self._committed = first
        self._past: list[State] = []
        self._future: list[State] = []

    def show(self, state: State, *, commit: bool) -> None:
        """Makes a state the present one; with `commit` it becomes a step that can be undone."""
        self.present = state
        if commit and state != self._committed:
            self._past = [*self._past[-MOST_STEPS + 1 :], self._committed]
            self._committed = state
            self._future.clear()

    def copy(self) -> History:
        """The same states in a list of its own: to return to when a change is refused."""
        other = History(self.present)
        other._committed, other._past, other._future = self._committed, list(self._past), list(self._future)
        return other

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def undo(self) -> State:
        """The state before the present one; the present one when there is none."""
        if self._past:
            self._future.append(self._committed)
            self._committed = self._past.pop()
        self.present = self._committed
        return self.present

    def redo(self) -> State:
        """The state that was undone last; the present one when there is none."""
        if self._future:
            self._past.append(self._committed)
            self._committed = self._future.pop()
        self.present = self._committed
        return self.present
