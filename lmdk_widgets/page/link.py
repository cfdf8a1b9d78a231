"""The choices of every page in the query of a link: settings only, never a coordinate and none of the user's own data.

`page=` with the page's name and `v=` with the version of the format, then the choices that differ from their defaults and
that `Choices.told` allows. A link that somebody types may leave the version out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any
from urllib.parse import parse_qsl, urlencode

from lmdk_widgets.checks import seen
from lmdk_widgets.errors import InputError
from lmdk_widgets.page import index_runs
from lmdk_widgets.page.choices import Beside, Choices
from lmdk_widgets.page.fields import Kind

MAX_CHARACTERS = 8_000
"""The longest query that is written or read; many servers and mail programs cut off longer addresses."""

VERSION = 3
"""Of the link format: it rises when a name, a default or the text of a value changes; older links can still be read."""

OTHER = "other."
"""The prefix of a page's name for its settings, which the address keeps while another page is open."""


@dataclass(frozen=True)
class Link:
    """The settings of a page as a query, and what it leaves out of the user's work.

    Attributes
    ----------
    query : the query string, at most `MAX_CHARACTERS` long. left_out : what a link never contains, such as "your track".
    too_long : what did not fit.
    """

    query: str
    left_out: tuple[str, ...] = ()
    too_long: tuple[str, ...] = ()

    def message(self) -> dict[str, Any]:
        """As a page gets it."""
        return {"link": self.query, "left_out": [*self.left_out, *self.too_long], "too_long": list(self.too_long)}


def link_of(choices: Choices, left_out: tuple[str, ...] = ()) -> Link:
    """The link of choices, without the longest of them if they would make it too long.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> link_of(Scenario(landmarks=(0, 2, 4, 7))).query
    'page=track&v=3&track=bob&landmarks=0.2.4.7'
    >>> link_of(Scenario(landmarks=range(0, 9_000, 2))).too_long
    ('your landmarks',)
    """
    parts = list(choices.LONG)
    for said in chain.from_iterable(combinations(parts, k) for k in range(len(parts) + 1)):
        without = frozenset(name for part in said for name in choices.LONG[part])
        query = to_query(choices, without=without)
        told = ((choices.kinds()[name], value) for name, value in choices.told().items() if name not in without)
        if len(query) <= MAX_CHARACTERS and all(kind.fits_link(value) for kind, value in told):
            break
    return Link(query, left_out, said)


def to_query(choices: Choices, *, without: frozenset[str] = frozenset()) -> str:
    """The query string of choices; those named in `without` are left out.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> to_query(Scenario(track="bob", epsilon=0.5, landmarks=(0, 1, 2, 7)))
    'page=track&v=3&track=bob&landmarks=0-2.7&epsilon=0.5'
    """
    pairs = [
        pair for name, value in _told(choices).items() if name not in without for pair in _written(choices, name, value)
    ]
    return urlencode([("page", choices.PAGE), ("v", str(VERSION)), *pairs], safe=",;")


def _told(choices: Choices) -> dict[str, Any]:
    """The choices that a link contains."""
    defaults, always = choices.defaults(), choices.always_told()
    return {n: v for n, v in choices.told().items() if n in always or v != defaults[n]}


def _written(choices: Choices, name: str, value: Any) -> list[tuple[str, str]]:
    """A choice as names and texts: one, or one for each of the choices inside it."""
    kind = choices.kinds()[name]
    if not isinstance(kind, Beside):
        return [(name, kind.to_text(value))]
    inside = [] if value is None else _told(value).items()
    return [(f"{name}.{each}", text) for inner, held in inside for each, text in _written(value, inner, held)]


def pairs_of(query: str) -> dict[str, str]:
    """The names and texts of a query; if a name is given twice, its last text. Refuses a query that is too long.

    Examples
    --------
    >>> pairs_of("?epsilon=0.5&track=")
    {'epsilon': '0.5', 'track': ''}
    """
    if len(query) > MAX_CHARACTERS:
        what, remedy = f"{MAX_CHARACTERS:,} characters", "Open the page without it, and the scenario from a file"
        raise InputError(f"A link must have at most {what}", value=f"{len(query):,}", remedy=remedy)
    return dict(parse_qsl(query.lstrip("?"), keep_blank_values=True))


def pages_of(query: str) -> tuple[str, dict[str, str]]:
    """The page that an address opens, "" for the first one, and the queries of the other pages that it keeps.

    Examples
    --------
    >>> pages_of("page=place&level=2&other.series=page%3Dseries%26epsilon%3D0.5")
    ('place', {'series': 'page=series&epsilon=0.5'})
    """
    try:
        pairs = pairs_of(query)
    except InputError:  # the page that opens says so
        return "", {}
    others = {name.removeprefix(OTHER): text for name, text in pairs.items() if name.startswith(OTHER)}
    return pairs.get("page", ""), others


def from_query(query: str, kind: type[Choices]) -> dict[str, Any]:
    """The changes that a query string names, not checked yet; names that the page does not know are ignored.

    Raises
    ------
    InputError : a query that is too long, or a value that cannot be read.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> from_query("?track=bob&landmarks=0-2.7&token=x", Scenario)
    {'track': 'bob', 'landmarks': [0, 1, 2, 7]}
    """
    pairs = pairs_of(query)
    if (version := pairs.get("v", str(VERSION))) != str(VERSION):
        remedy = "Open it with the version of lmdk-widgets that made it"
        raise InputError(f"The version of a link must be {VERSION}, or none", value=seen(version), remedy=remedy)
    return _changes_of(pairs, kind)


def _changes_of(pairs: Mapping[str, str], kind: type[Choices]) -> dict[str, Any]:
    """The changes that names and texts of a link mean, not checked yet; unknown names are ignored."""
    kinds, found = kind.kinds(), dict[str, Any]()
    for name, text in pairs.items():
        outer, _, inner = name.partition(".")
        keeps = kinds.get(outer)
        if name in kinds and not isinstance(kinds[name], Beside):
            found[name] = _read(kinds[name], text)
        elif isinstance(keeps, Beside) and inner:
            found[outer] = found.get(outer, {}) | _changes_of({inner: text}, keeps.of)
    return found


def _read(kind: Kind, text: str) -> Any:
    try:
        return kind.from_text(text)
    except index_runs.RunsError as error:
        raise InputError(f"{kind.subject} in the link must be {error}", value=seen(text)) from None
    except (ValueError, RecursionError):  # its own words would mean nothing to a person
        remedy = "Copy the whole link again"
        raise InputError(f"{kind.subject} in the link cannot be read", value=seen(text), remedy=remedy) from None
