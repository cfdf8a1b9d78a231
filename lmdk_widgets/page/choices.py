"""Everything that a user of a page can choose, as one frozen value that survives JSON and a link.

A page declares its choices as the fields of a class of `Choices`, each with its kind (`fields.py`); what is below follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from lmdk_widgets.checks import either, refused
from lmdk_widgets.page.fields import KIND, Kind


@dataclass(frozen=True)
class Choices:
    """The base of a page's choices. Immutable; `with_changes` gives the next ones. Every field is checked when it is set.

    Attributes
    ----------
    PAGE : name of the page: in links, in code and among the lessons.
    ALWAYS_TOLD : fields that a link names even at their default.
    LONG : what may make a link too long, in words, with the fields that are left out of it then.
    """

    PAGE: ClassVar[str] = ""
    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = ()
    LONG: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    def __post_init__(self) -> None:
        for name, kind in self.kinds().items():
            object.__setattr__(self, name, kind.check(getattr(self, name)))

    @classmethod
    def kinds(cls) -> Mapping[str, Kind]:
        """The declared kind of each choice, in order."""
        return {f.name: f.metadata[KIND] for f in fields(cls)}

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """The value that each choice has to begin with."""
        return {f.name: f.default for f in fields(cls)}

    def with_changes(self, **changes: Any) -> Self:
        """These choices with some changed; an unknown name is an `InputError`."""
        return self.from_dict({name: getattr(self, name) for name in self.kinds()} | changes)

    def with_checked(self, **values: Any) -> Self:
        """The same for values in the form in which they are kept, which are not checked again: ten times as fast."""
        one = copy(self)
        for name, value in values.items():
            object.__setattr__(one, name, value)
        return one

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `from_dict` gives the equal choices back."""
        return {name: kind.plain(getattr(self, name)) for name, kind in self.kinds().items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The choices of a mapping; missing ones take their defaults, unknown ones raise `InputError`."""
        if not isinstance(values, Mapping):
            raise refused("Choices", "a JSON object", values)
        known = cls.kinds()
        unknown = sorted(str(name) for name in values if name not in known)
        if unknown:
            raise refused("the name of a choice", either(known), unknown[0])
        return cls(**values)

    def told(self) -> Mapping[str, Any]:
        """What a link may hold of these choices: never a coordinate, and nothing of the user's own data."""
        return {name: getattr(self, name) for name in self.kinds()}

    def visible(self) -> list[str]:
        """The choices that have an effect now: the page hides the controls of the others."""
        return list(self.kinds())

    @classmethod
    def controls(cls) -> dict[str, Any]:
        """Every control as the page draws it: "fields" by name, and "groups" of names under a heading."""
        groups: dict[str, list[str]] = {}
        for name, kind in cls.kinds().items():
            if kind.group:
                groups.setdefault(kind.group, []).append(name)
        return {
            "fields": {name: kind.describe() for name, kind in cls.kinds().items()},
            "groups": [{"title": title, "names": names} for title, names in groups.items()],
        }
