"""Records a page: for every combination of the controls that stay open, the very messages that it would send.

A page without a host is set to each combination, everything that takes longer is finished, and its text and drawings are
kept as they would go to the browser. So a file that plays them is exact at its stops, and computes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from secrets import token_hex

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.core import Page
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.history import State
from lmdk_widgets.page.open_controls import Open

Packed = tuple[Message, list[bytes]]
Recorded = list[Packed] | str
"""The messages of a setting, its text first; a sentence where it is refused."""

AT_ONCE = 20
"""Settings, at least, that one process records in one go; all with the first control at one place."""


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
    page: type[Page], state: State, opened: Sequence[Open], numbers: Sequence[int], *, jobs: int = 1
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
    shown = page.showing(state)
    for number in numbers:
        yield _one(shown, state, opened, number)


_kept: dict[str, tuple[Page, State]] = {}
"""In each process the page of the recording with a name: what it has solved for one part serves the next."""


def _recorded(
    name: str, page: type[Page], state: State, opened: Sequence[Open], numbers: Sequence[int]
) -> list[Recorded]:
    if name not in _kept:
        _kept.clear()
        _kept[name] = page.showing(state), state
    shown, state = _kept[name]
    return [_one(shown, state, opened, number) for number in numbers]


def _one(page: Page, state: State, opened: Sequence[Open], number: int) -> Recorded:
    session = page.session
    try:
        for control, k in zip(opened, positions(opened, number), strict=True):
            state = session.changed(state, control.operation(k))
        session.show(state, commit=False)
    except InputError as error:
        return error.sentence
    page._improve(anew=True)
    page.finish()
    text = {**page._numbers(), "can_undo": False, "can_redo": False}
    del text["step"]  # no session that could end
    return [(text, []), *(drawing.message() for drawing in page._drawings(session.outcome))]
