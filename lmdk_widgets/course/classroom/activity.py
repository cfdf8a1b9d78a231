"""What all activities of a class have in common, and their kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import one_of, refused, seen
from lmdk_widgets.errors import InputError

ACTIVITIES: dict[str, str] = {
    "response": "Randomised response",
    "guess": "Guess where",
    "poll": "Poll",
    "duel": "Duel",
    "council": "Four people decide",
}
"""The kinds of activities, each with its title; a kind's module has the same name."""


CLOSED = "Answers are closed."
"""What a phone says when its answer is no longer accepted."""


Deeds = Mapping[str, Sequence[tuple[str, str]]]

DEEDS: Deeds = {
    "open": (("close", "Close answers"), ("show", "Show the outcome")),
    "closed": (("open", "Open again"), ("show", "Show the outcome")),
    "shown": (),
}
"""What a teacher can do with an activity in each of its states, with the label of each button."""

STATES: Mapping[str, str] = {
    "open": "open for answers",
    "closed": "answers are closed",
    "shown": "the outcome is shown",
}
"""What the board calls each state."""


@runtime_checkable
class Activity(Protocol):
    """Something that a class is asked to do. Immutable."""

    kind: ClassVar[str]
    changeable: ClassVar[bool]
    """Whether a student may change an answer while the activity is open."""
    outcome: ClassVar[bool]
    """Whether there is an outcome that is shown only at the end."""
    deeds: ClassVar[Deeds]
    states: ClassVar[Mapping[str, str]]
    sides: ClassVar[tuple[str, ...]]
    """For each part of the class, the state in which it answers. Most activities ask the whole class when they are open."""

    @classmethod
    def put(cls, settings: Mapping[str, Any]) -> Self:
        """The activity with a teacher's settings; anything random is drawn here. Raises `InputError`."""

    @staticmethod
    def offers() -> dict[str, Any]:
        """What a teacher can choose on the board, with ranges and titles, as JSON."""

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The activity that `to_dict` wrote."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: everything needed to continue after a restart."""

    @property
    def title(self) -> str:
        """What the board calls it."""

    @property
    def text(self) -> str:
        """What is asked, in one sentence."""

    def prepare(self) -> None:
        """Compute what takes long, so that no answer has to wait; called in a thread before the class is asked."""

    def asked(self, times: int) -> dict[str, Any]:
        """What a phone receives, without what must not be known yet. times : how often the class was asked, including now."""

    def read(self, given: Any) -> Any:
        """An answer in the form in which it is stored; raises `InputError` for anything else."""

    def side_of(self, answer: Any) -> int:
        """The side to which an answer, as `read` returns it, belongs."""

    def settle(self, answers: Mapping[str, Any]) -> None:
        """Compute what follows from the answers of the students, when they are closed or shown; called in a thread."""

    def dealt(self, student: str, side: int, answer: Any, shown: bool) -> dict[str, Any]:
        """What one student receives beyond what everyone does, once answers are settled."""

    def board(self, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
        """What the board shows; the outcome only when `shown`."""

    def told(self, answer: Any) -> dict[str, Any]:
        """What a phone says to its owner when the outcome is shown, in `words`; `answer` is None if there was none."""


class Plain:
    """What most activities have in common."""

    kind: ClassVar[str]
    deeds: ClassVar[Deeds] = DEEDS
    states: ClassVar[Mapping[str, str]] = STATES
    sides: ClassVar[tuple[str, ...]] = ("open",)

    @property
    def title(self) -> str:
        """What the board calls it: its kind."""
        return ACTIVITIES[self.kind]

    def side_of(self, answer: Any) -> int:
        """There is only one side."""
        return 0

    def settle(self, answers: Mapping[str, Any]) -> None:
        """Nothing follows for single students."""

    def dealt(self, student: str, side: int, answer: Any, shown: bool) -> dict[str, Any]:
        """Everyone receives the same."""
        return {}


def activity(kind: Any, settings: Any) -> Activity:
    """A new activity from a teacher's settings.

    Raises
    ------
    InputError : there is no such kind, or it cannot use the settings.

    Examples
    --------
    >>> activity("response", {"text": "Did you ever copy homework?"}).answers
    ('Yes', 'No')
    """
    if not isinstance(settings, Mapping):
        raise refused("settings", "a JSON object", settings)
    return _class_of(kind).put(settings)


def stored(kind: str, values: Mapping[str, Any]) -> Activity:
    """The activity that a file stores."""
    return _class_of(kind).from_dict(values)


@cached("everybody")
def offers() -> dict[str, Any]:
    """Everything the board's forms offer, as JSON: the titles of the activities, and what each of them offers.

    Examples
    --------
    >>> offers()["guess"]["scenes"]["city"]["places"][0]
    ['chance', 'at random, by the shades of the cells']
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
    """Refuse a setting that nothing would read."""
    for name in settings:
        one_of(name, "the name of a setting", names)


def _class_of(kind: Any) -> type[Activity]:
    name = one_of(kind, "kind", tuple(ACTIVITIES))
    found: type[Activity] = getattr(import_module(f"lmdk_widgets.course.classroom.{name}"), name.capitalize())
    return found
