"""Everything that a user of a page can choose, as one frozen value that survives JSON and a link.

A page declares its choices as the fields of a class of `Choices`, each with its kind (`fields.py`); the rest follows.
Choices can contain groups of choices, each a `Choices` of its own: "table.sort" is the choice `sort` of the group `table`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from reprlib import Repr
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import either, refused
from lmdk_widgets.page.fields import KIND, Kind

GROUP = "group"
"""The metadata key of a field that is a group; it also gives the prefix of the names in the group."""

_SHORT = Repr()
_SHORT.maxtuple, _SHORT.maxlevel, _SHORT.maxstring = 8, 2, 60


@dataclass(frozen=True, repr=False)
class Choices:
    """The base of a page's choices. Immutable; `with_changes` returns changed ones. Every field is checked when it is set.

    Attributes
    ----------
    PAGE : name of the page: in links, in code and among the lessons.
    ALWAYS_TOLD : fields that a link contains even at their default.
    LONG : what may make a link too long, in words, with the fields that are then left out.

    Examples
    --------
    >>> from lmdk_widgets.pages.track.choices import TrackChoices
    >>> choices = TrackChoices().with_changes(**{"epsilon": 0.5, "stays.within_m": 300})
    >>> choices["stays.within_m"], choices.stays.within_m, choices.scenario.epsilon
    (300.0, 300.0, 0.5)
    """

    PAGE: ClassVar[str] = ""
    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = ()
    LONG: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    if not TYPE_CHECKING:  # a type checker knows the names

        def __new__(cls, *_: Any, **given: Any) -> Self:
            """Refuses an unknown name with a sentence."""
            if given:
                _refuse_unknown(cls, given)
            return super().__new__(cls)

    def always_told(self) -> tuple[str, ...]:
        """The fields that a link of these choices names even at their default."""
        return self.ALWAYS_TOLD

    def __post_init__(self) -> None:
        for name, kind in self._declared().own.items():
            object.__setattr__(self, name, kind.check(getattr(self, name)))
        for name, (group, _) in self._declared().groups.items():
            if not isinstance(getattr(self, name), group):
                raise refused(name, f"a {group.__name__}", getattr(self, name))

    def __repr__(self) -> str:
        """The choices that differ from the initial ones, long values cut short."""
        start = self.defaults()
        told = {name: self[name] for name in start if self[name] != start[name]}
        return f"{type(self).__name__}({', '.join(f'{name}={_SHORT.repr(value)}' for name, value in told.items())})"

    def __getitem__(self, name: str) -> Any:
        """The value of a choice by its name, including one in a group."""
        value: Any = self
        for part in self._declared().paths[name]:
            value = getattr(value, part)
        return value

    @classmethod
    def kinds(cls) -> Mapping[str, Kind]:
        """The declared kind of each choice, in order, including those in groups."""
        return cls._declared().kinds

    @classmethod
    def _declared(cls) -> _Layout:
        return _layout(cls)  # type: ignore[arg-type]  # mypy takes the hash of an instance for that of its class

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """The initial value of each choice."""
        start = _start(cls)  # type: ignore[arg-type]  # as above
        return {name: start[name] for name in cls.kinds()}

    def with_changes(self, **changes: Any) -> Self:
        """These choices with some changed, by their names or whole groups; an unknown name is an `InputError`."""
        _refuse_unknown(type(self), changes)
        own = {name: value for name, value in changes.items() if name in self._declared().own}
        inside: dict[str, dict[str, Any]] = {}
        for name, value in changes.items():
            if name in self._declared().groups:
                own[name] = value
            elif name not in own:
                group = self._declared().paths[name][0]
                within = self._declared().groups[group][1]
                inside.setdefault(group, {})[name.removeprefix(within)] = value
        for group, some in inside.items():
            own[group] = (own[group] if group in own else getattr(self, group)).with_changes(**some)
        return type(self)(**{each.name: getattr(self, each.name) for each in fields(self)} | own)

    def with_checked(self, **values: Any) -> Self:
        """The same for values that are already in their stored form and are not checked again: ten times as fast."""
        one = copy(self)
        for name, value in values.items():
            object.__setattr__(one, name, value)
        return one

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `from_dict` restores equal choices."""
        return {name: kind.plain(self[name]) for name, kind in self.kinds().items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The choices of a mapping; missing ones take their defaults, unknown ones raise `InputError`."""
        if not isinstance(values, Mapping):
            raise refused("Choices", "a JSON object", values)
        if not cls._declared().groups:
            _refuse_unknown(cls, values)
            return cls(**values)
        return cls().with_changes(**values)

    def told(self) -> Mapping[str, Any]:
        """What a link may contain of these choices: never a coordinate, and none of the user's own data."""
        told = {name: getattr(self, name) for name in self._declared().own}
        for name, (_, within) in self._declared().groups.items():
            told |= {f"{within}{each}": value for each, value in getattr(self, name).told().items()}
        return {name: told[name] for name in self.kinds() if name in told}

    def visible(self) -> list[str]:
        """The choices that have an effect now: the page hides the controls of the others. Of a group that is not `open` it
        shows no other control, so the group is not asked."""
        seen = set(self._declared().own)
        for name, (_, within) in self._declared().groups.items():
            one = getattr(self, name)
            seen |= {f"{within}{each}" for each in (one.visible() if getattr(one, "open", True) else ("open",))}
        return [name for name in self.kinds() if name in seen]

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


@dataclass(frozen=True, repr=False)
class PageChoices(Choices, Mapping[str, Any]):
    """All choices of a page: also a mapping from each name to its value.

    Examples
    --------
    >>> from lmdk_widgets.pages.track.choices import TrackChoices
    >>> choices = TrackChoices().with_changes(**{"epsilon": 0.5, "table.open": True})
    >>> choices
    TrackChoices(epsilon=0.5, table.open=True)
    >>> choices["epsilon"], "table.open" in choices, dict(choices)["scheme"]
    (0.5, True, 'uniform')
    """

    def __iter__(self) -> Iterator[str]:
        return iter(self.kinds())

    def __len__(self) -> int:
        return len(self.kinds())


def group(choices: type[Choices], before: str | None = None) -> Any:
    """Declares a group of choices; `before` is the prefix of their names, by default the name of the field and a dot."""
    return field(default_factory=choices, metadata={GROUP: (choices, before)})


def _refuse_unknown(choices: type[Choices], names: Mapping[str, Any]) -> None:
    known = {*choices.kinds(), *choices._declared().groups}
    unknown = sorted(str(name) for name in names if name not in known)
    if unknown:
        raise refused("the name of a choice", either(choices.kinds()), unknown[0])


class _Layout(NamedTuple):
    """What a class of choices declares.

    Attributes
    ----------
    own : kinds of the fields that are not groups. groups : for the others, their classes, and the prefix of names in them.
    paths : the fields that lead to each choice. kinds : of all choices, in order.
    """

    own: dict[str, Kind]
    groups: dict[str, tuple[type[Choices], str]]
    paths: dict[str, tuple[str, ...]]
    kinds: dict[str, Kind]


@cached("everybody", what="a page's choices as they start")
def _start(choices: Any) -> Any:
    return choices()


@cached("everybody", what="the names and fields of a class of choices")
def _layout(choices: Any) -> _Layout:
    found = _Layout({}, {}, {}, {})
    for each in fields(choices):
        if KIND in each.metadata:
            found.own[each.name] = found.kinds[each.name] = each.metadata[KIND]
            found.paths[each.name] = (each.name,)
            continue
        of, before = each.metadata[GROUP]
        within = f"{each.name}." if before is None else before
        found.groups[each.name] = of, within
        inner = _layout(of)
        found.paths.update({f"{within}{name}": (each.name, *path) for name, path in inner.paths.items()})
        found.kinds.update({f"{within}{name}": kind for name, kind in inner.kinds.items()})
    return found


@dataclass(frozen=True, kw_only=True)
class Beside(Kind):
    """A second set of choices that is kept with the present ones, or None; in a link, "pinned.epsilon" is one of them."""

    of: type[Choices]

    def check(self, value: Any) -> Choices | None:
        if value is None or isinstance(value, self.of):
            return value
        if isinstance(value, Mapping):
            return self.of.from_dict(value)
        raise refused(self.subject, f"a {self.of.__name__} or None", value)

    def plain(self, value: Choices | None) -> dict[str, Any] | None:
        return None if value is None else value.to_dict()

    def fits_link(self, value: Choices | None) -> bool:
        kinds = self.of.kinds()
        return value is None or all(kinds[name].fits_link(held) for name, held in value.told().items())


def beside(choices: type[Choices], label: str) -> Any:
    """Declares a second set of choices that is kept with the present ones, initially None."""
    return field(default=None, metadata={KIND: Beside(label=label, of=choices)})
