"""What every activity of a class has in common, and the kinds there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from lmdk_widgets.checks import one_of, refused, seen
from lmdk_widgets.errors import InputError

ACTIVITIES: dict[str, str] = {
    "response": "Randomised response",
    "guess": "Guess where",
    "poll": "Poll",
    "duel": "Duel",
}
"""The kinds of activities, each with its title; the module of a kind has its name."""


CLOSED = "Answers are closed."
"""What a phone says when its answer is not taken any more."""


Deeds = Mapping[str, Sequence[tuple[str, str]]]

DEEDS: Deeds = {
    "open": (("close", "Close answers"), ("show", "Show the outcome")),
    "closed": (("open", "Open again"), ("show", "Show the outcome")),
    "shown": (),
}
"""What a teacher can do with an activity in each of its states, with the words of its button."""

STATES: Mapping[str, str] = {
    "open": "open for answers",
    "closed": "answers are closed",
    "shown": "the outcome is shown",
}
"""What the board calls its states."""


@runtime_checkable
class Activity(Protocol):
    """Something that is put to a class. Immutable."""

    kind: ClassVar[str]
    changeable: ClassVar[bool]
    """Whether a student may change an answer while the activity is open."""
    outcome: ClassVar[bool]
    """Whether there is something that is to be shown in the end, and not before."""
    deeds: ClassVar[Deeds]
    states: ClassVar[Mapping[str, str]]
    sides: ClassVar[tuple[str, ...]]
    """Of each part of the class: the state in which it answers. Most activities ask the whole class when they are open."""

    @classmethod
    def put(cls, settings: Mapping[str, Any]) -> Self:
        """The activity that a teacher's settings name; chance, where there is any, is drawn here. Raises `InputError`."""

    @staticmethod
    def offers() -> dict[str, Any]:
        """What a teacher can choose on the board, with ranges and titles, as JSON."""

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The activity that `to_dict` wrote."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, all that is needed to go on after a restart."""

    @property
    def title(self) -> str:
        """What the board calls it."""

    @property
    def text(self) -> str:
        """What is asked, in one sentence."""

    def prepare(self) -> None:
        """Compute what takes long, so that no answer waits for it; called in a thread before it is put to the class."""

    def asked(self, times: int) -> dict[str, Any]:
        """What a phone is given, without what is not to be known yet; `times` it was put to this class, this one too."""

    def read(self, given: Any) -> Any:
        """An answer as it is kept; `InputError` for what is none."""

    def side_of(self, answer: Any) -> int:
        """Which side an answer, as `read` returns it, is one of."""

    def settle(self, answers: Mapping[str, Any]) -> None:
        """Compute what follows from the answers by student, when they are closed or shown; called in a thread."""

    def dealt(self, student: str, side: int, answer: Any, shown: bool) -> dict[str, Any]:
        """What one student is given beyond what all are, after answers were settled."""

    def board(self, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
        """What the board shows; the outcome only when `shown`."""

    def told(self, answer: Any) -> dict[str, Any]:
        """What a phone says to its owner when the outcome is shown, in `words`; `answer` is None where none was given."""


class Plain:
    """What is so of most activities."""

    kind: ClassVar[str]
    deeds: ClassVar[Deeds] = DEEDS
    states: ClassVar[Mapping[str, str]] = STATES
    sides: ClassVar[tuple[str, ...]] = ("open",)

    @property
    def title(self) -> str:
        """What the board calls it: its kind."""
        return ACTIVITIES[self.kind]

    def side_of(self, answer: Any) -> int:
        """There is one side."""
        return 0

    def settle(self, answers: Mapping[str, Any]) -> None:
        """Nothing follows for single students."""

    def dealt(self, student: str, side: int, answer: Any, shown: bool) -> dict[str, Any]:
        """All are given the same."""
        return {}


def activity(kind: Any, settings: Any) -> Activity:
    """A new activity from a teacher's settings.

    Raises
    ------
    InputError : no such kind, or settings that it cannot use.

    Examples
    --------
    >>> activity("response", {"text": "Did you ever copy homework?"}).answers
    ('Yes', 'No')
    """
    if not isinstance(settings, Mapping):
        raise refused("settings", "a JSON object", settings)
    return _class_of(kind).put(settings)


def stored(kind: str, values: Mapping[str, Any]) -> Activity:
    """The activity of a file."""
    return _class_of(kind).from_dict(values)


@cache
def offers() -> dict[str, Any]:
    """Everything that the board's forms offer, as JSON: the titles of the activities, and what each of them offers.

    Examples
    --------
    >>> offers()["guess"]["scenes"]["city"]["places"][0]
    ['chance', 'by chance, by the shades of the cells']
    """
    return {"titles": ACTIVITIES, **{kind: _class_of(kind).offers() for kind in ACTIVITIES}}


def words(value: Any, name: str, most: int) -> str:
    """One line of text of 1 to `most` characters, with single spaces.

    Examples
    --------
    >>> words("  Did you  ever? ", "question", 200)
    'Did you ever?'
    """
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if not 0 < len(text) <= most or not text.isprintable():
        what = f"{name} must be a text of 1 to {most} characters"
        raise InputError(what, value=f"{len(text):,} characters" if isinstance(value, str) else seen(value))
    return text


def known(settings: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse a setting that nobody would read."""
    for name in settings:
        one_of(name, "the name of a setting", names)


def _class_of(kind: Any) -> type[Activity]:
    name = one_of(kind, "kind", tuple(ACTIVITIES))
    found: type[Activity] = getattr(import_module(f"lmdk_widgets.course.classroom.{name}"), name.capitalize())
    return found
