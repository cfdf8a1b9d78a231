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


def join(parts: Iterable[str], between: str = ", ") -> Sentence:
    """A sentence of several parts in a row, which are sentences or words; empty ones are left out.

    Examples
    --------
    >>> said = join([sentence("up to {most}", most="2"), "", "in a row"])
    >>> said, said.template
    ('up to 2, in a row', '{part0}, {part1}')
    """
    values = {f"part{k}": part for k, part in enumerate(filter(None, parts))}
    return sentence(between.join(f"{{{name}}}" for name in values), **values)


def listed(parts: Iterable[str], word: str = "and", *, comma: bool = False) -> Sentence:
    """Several parts with a word before the last, and with `comma` also a comma before it where there are three or more.

    Examples
    --------
    >>> listed(["2", "3"]), listed(["2", "3", "4"], "or"), listed(["2", "3", "4"], comma=True)
    ('2 and 3', '2, 3 or 4', '2, 3, and 4')
    """
    *first, last = parts
    if not first:
        return join([last])
    before = f", {word} " if comma and len(first) > 1 else f" {word} "
    return join([join(first), last], before)


def capital(said: str) -> str:
    """A sentence, a number or words, with a capital at the beginning.

    Examples
    --------
    >>> said = capital(sentence("{who} of {n} spend", who="two", n="8"))
    >>> said, said.template, said.values["who"]
    ('Two of 8 spend', '{who} of {n} spend', 'Two')
    """
    upper = f"{said[:1].upper()}{said[1:]}"
    if isinstance(said, Written):
        return Written(upper, said.value, said.side)
    if not isinstance(said, Sentence) or not said.values:
        return upper
    if not said.template.startswith("{"):
        template = said.template[:1].upper() + said.template[1:]
        return sentence(template, **said.values)
    name = said.template[1:].partition("}")[0]
    return sentence(said.template, **{**said.values, name: capital(said.values[name])})


@contextmanager
def heard() -> Iterator[list[Sentence]]:
    """All sentences that are made meanwhile, in this process: for tests."""
    made: list[Sentence] = []
    _listening.append(made)
    try:
        yield made
    finally:
        _listening.remove(made)
