"""A sentence is a template with named values, and a number in it remembers what it was written from.

So a test compares what a page says with a recomputation by name, whatever the wording, and one lint reads every template.
Both are plain strings for whatever shows, saves or joins them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

_listening: list[list[Sentence]] = []


class Written(str):
    """A number as it is written.

    Attributes
    ----------
    value : the number. side : 1 rounded up, -1 rounded down, 0 to the nearest.
    """

    __slots__ = ("side", "value")
    value: float
    side: int

    def __new__(cls, text: str, value: float = float("nan"), side: int = 0) -> Written:
        made = super().__new__(cls, text)
        made.value, made.side = value, side
        return made


class Sentence(str):
    """A sentence, or a part of one.

    Attributes
    ----------
    template : its words, with the names of its values in braces. values : what stands in their place, by name: numbers as
    they are written, words, and other sentences.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, str]

    def __new__(cls, text: str, template: str = "", values: Mapping[str, str] | None = None) -> Sentence:
        made = super().__new__(cls, text)
        made.template, made.values = template or text, values or {}
        return made


def sentence(template: str, /, **values: str) -> Sentence:
    """A template with its values filled in.

    A value is a number written by `amounts`, a word, or another sentence. The name says what a number is of the outcome
    ("epsilon", "landmark_share"), so that one name is one number on the whole page.

    Examples
    --------
    >>> from lmdk_widgets.page.amounts import amount
    >>> said = sentence("All timestamps share the budget of {epsilon}.", epsilon=amount(0.8))
    >>> said, said.values["epsilon"].value
    ('All timestamps share the budget of 0.80.', 0.8)
    """
    made = Sentence(template.format_map(values), template, values)
    for heard in _listening:
        heard.append(made)
    return made


def listed(parts: Iterable[str], between: str = ", ") -> Sentence:
    """Parts one after another, as a part of a sentence.

    Examples
    --------
    >>> listed(["one", "two"]).template
    '{part_1}, {part_2}'
    """
    named = {f"part_{k}": part for k, part in enumerate(parts, start=1)}
    return sentence(between.join(f"{{{name}}}" for name in named), **named)


@contextmanager
def heard() -> Iterator[list[Sentence]]:
    """All sentences that are made meanwhile, in this process: for tests."""
    made: list[Sentence] = []
    _listening.append(made)
    try:
        yield made
    finally:
        _listening.remove(made)
