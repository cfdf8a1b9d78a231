"""Records a page: for every combination of the controls that stay open, the very messages that its kernel would send.

A page without a comm is set to each combination, everything that takes longer is finished, and its text and drawings are
kept as they would go to the browser. So a file that plays them is exact at its stops, and computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from secrets import token_hex
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.base.history import State
from lmdk_widgets.scenario.base.open_controls import Open
from lmdk_widgets.widgets.lab import Lab
from lmdk_widgets.widgets.page import Message

Packed = tuple[Message, list[bytes]]
Recorded = list[Packed] | str
"""The messages of a setting, its text first; a sentence where it is refused."""

AT_ONCE = 20
"""Settings, at least, that one process records in one go; all with the first control at one place."""


def silent(page: type[Lab], state: State) -> Lab:
    """A page that shows a state and tells nobody."""
    quiet = {"open": _nothing, "send": _nothing, "_announce": _nothing}
    kind: type[Lab] = type(f"Silent{page.__name__}", (page,), quiet)
    return kind.showing(state)


def kind_of(lab: Lab) -> type[Lab]:
    """The class of a page; that of a widget with traits of its own is another one, which no other process knows."""
    return next(kind for kind in type(lab).__mro__ if "MODULE" in vars(kind))


def settings(opened: Sequence[Open]) -> int:
    """How many combinations there are."""
    count = 1
    for control in opened:
        count *= len(control.values)
    return count


def positions(opened: Sequence[Open], number: int) -> list[int]:
    """Where each control stands in a combination; the last control changes fastest."""
    found = []
    for control in reversed(opened):
        number, at = divmod(number, len(control.values))
        found.append(at)
    return found[::-1]


def record(
    page: type[Lab], state: State, opened: Sequence[Open], numbers: Sequence[int], *, jobs: int = 1
) -> Iterator[Recorded]:
    """The messages of the combinations with these numbers, one after the other.

    Parameters
    ----------
    jobs : processes at the same time, -1 for one a core; where joblib is not installed there is one.
    """
    each = max(AT_ONCE, settings(opened[1:]))
    parts = [numbers[k : k + each] for k in range(0, len(numbers), each)]
    if jobs != 1 and len(parts) > 1 and find_spec("joblib"):
        from joblib import Parallel, delayed

        run, name = Parallel(n_jobs=jobs, return_as="generator"), token_hex()
        for part in run(delayed(_recorded)(name, page, state, opened, part) for part in parts):
            yield from part
        return
    lab = silent(page, state)
    for number in numbers:
        yield _one(lab, state, opened, number)


_kept: dict[str, tuple[Lab, State]] = {}
"""In each process the page of the recording with a name: what it has solved for one part serves the next."""


def _recorded(
    name: str, page: type[Lab], state: State, opened: Sequence[Open], numbers: Sequence[int]
) -> list[Recorded]:
    if name not in _kept:
        _kept.clear()
        _kept[name] = silent(page, state), state
    lab, state = _kept[name]
    return [_one(lab, state, opened, number) for number in numbers]


def _one(lab: Lab, state: State, opened: Sequence[Open], number: int) -> Recorded:
    session = lab.session
    try:
        for control, k in zip(opened, positions(opened, number), strict=True):
            state = session.changed(state, control.operation(k))
        session.show(state, commit=False)
    except InputError as error:
        return error.sentence
    lab._improve(anew=True)
    lab.finish()
    text = {**lab._numbers(), "can_undo": False, "can_redo": False}
    del text["step"]  # no session that could end
    return [(text, []), *(drawing.message() for drawing in lab._drawings(session.outcome))]


def _nothing(*_given: Any, **_named: Any) -> None:
    """In the place of what a page tells a browser."""
