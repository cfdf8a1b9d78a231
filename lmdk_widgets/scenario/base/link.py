"""Choices in the query of a link: settings only, never a coordinate and nothing of the user's own data.

Every page has the same format: `page=` with its name, then the choices that differ from their defaults. What a page may
tell is up to its `Choices.told`.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.base.choices import Choices

MAX_CHARACTERS = 8_000
"""Of a query: servers and proxies drop longer ones, some without an answer."""


def to_query(choices: Choices) -> str:
    """The query string of choices.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> to_query(Scenario(track="bob", epsilon=0.5, landmarks=(0, 1, 2, 7)))
    'page=landmarks&track=bob&landmarks=0-2.7&epsilon=0.5'
    """
    kinds, defaults = choices.kinds(), choices.defaults()
    told = {n: v for n, v in choices.told().items() if n in choices.ALWAYS_TOLD or v != defaults[n]}
    return urlencode([("page", choices.PAGE), *((name, kinds[name].to_text(value)) for name, value in told.items())])


def from_query(query: str, kind: type[Choices]) -> dict[str, Any]:
    """The changes that a query string names, not checked yet; names that the page does not know are passed over.

    Raises
    ------
    InputError : a query that is too long, or a value that cannot be read.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> from_query("?track=bob&landmarks=0-2.7&token=x", Scenario)
    {'track': 'bob', 'landmarks': [0, 1, 2, 7]}
    """
    if len(query) > MAX_CHARACTERS:
        raise InputError(f"A link must have at most {MAX_CHARACTERS:,} characters", value=len(query))
    changes: dict[str, Any] = {}
    for name, text in parse_qsl(query.lstrip("?"), keep_blank_values=True):
        if name not in kind.kinds():
            continue
        try:
            changes[name] = kind.kinds()[name].from_text(text)
        except (ValueError, RecursionError) as error:
            label = kind.kinds()[name].label
            raise InputError(f"{label} in the link cannot be read: {error}", value=text) from None
    return changes
