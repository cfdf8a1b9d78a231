"""Undo and redo: a list of states, each a page's choices with the data they are about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.errors import InputError

MOST_STEPS = 200

MOST_BYTES = 64 << 20
"""The most bytes that undo steps may keep in arrays of other data than the present ones: the oldest steps go first."""


class State(NamedTuple):
    """Choices with the data they are about: an undo across a change of data brings the right data back.

    Attributes
    ----------
    choices : of a page. data : a track, the user's own files, or None: what `evaluate` of the page takes besides them.
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
        self._dropped = 0

    @classmethod
    def of(cls, states: Sequence[State], at: int) -> History:
        """A history in which `states[at]` is the present one."""
        history = cls(states[at])
        history._past, history._future = list(states[:at]), list(states[:at:-1])
        return history

    @property
    def place(self) -> dict[str, Any]:
        """Numbers of the first, the shown and the last step; whether the shown one is unchanged since it became a step."""
        at = self._dropped + len(self._past)
        settled = self.present == self._committed
        return {"first": self._dropped, "at": at, "last": at + len(self._future), "settled": settled}

    def show(self, state: State, *, commit: bool) -> None:
        """Makes a state the present one; with `commit` it becomes a step that can be undone."""
        self.present = state
        if commit and state != self._committed:
            past = [*self._past, self._committed]
            first = max(0, len(past) - MOST_STEPS)
            while _bytes_beside(state.data, past[first:]) > MOST_BYTES:
                first += 1
            self._dropped += first
            self._past = past[first:]
            self._committed = state
            self._future.clear()

    def copy(self) -> History:
        """A copy of the states, to return to if a change is refused."""
        other = History(self.present)
        other._committed, other._past, other._future = self._committed, list(self._past), list(self._future)
        other._dropped = self._dropped
        return other

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def undo(self) -> State:
        """The state before the present one; the present one if there is none."""
        if self._past:
            self._future.append(self._committed)
            self._committed = self._past.pop()
        self.present = self._committed
        return self.present

    def redo(self) -> State:
        """The state that was undone last; the present one if there is none."""
        if self._future:
            self._past.append(self._committed)
            self._committed = self._future.pop()
        self.present = self._committed
        return self.present


def _bytes_beside(data: Any, states: Sequence[State]) -> int:
    """Bytes of the arrays that states hold in addition to those of the present data."""
    seen: set[int] = set()
    _arrays(data, seen)
    return sum(_arrays(state.data, seen) for state in states)


def _arrays(held: Any, seen: set[int]) -> int:
    """Bytes of the arrays in an object that were not seen before."""
    if id(held) in seen:
        return 0
    seen.add(id(held))
    if isinstance(held, np.ndarray):
        return held.nbytes
    if isinstance(held, Mapping):
        return sum(_arrays(each, seen) for each in held.values())
    return sum(_arrays(each, seen) for each in getattr(held, "__dict__", {}).values())


def restored(steps: Sequence[Any], at: int, state: Callable[[Any], State]) -> History:
    """A history whose present state is that of `steps[at]`, without other steps whose state is no longer available.

    Raises
    ------
    InputError : the present state is not available.
    """
    present = state(steps[at])
    before: list[State] = []
    after: list[State] = []
    for k, step in enumerate(steps):
        with suppress(InputError):
            if k != at:
                (before if k < at else after).append(state(step))
    return History.of([*before, present, *after], len(before))
