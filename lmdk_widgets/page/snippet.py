"""What is on a page as a few lines of Python that show it again in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lmdk_widgets.io import NOTE
from lmdk_widgets.page.choices import Choices


def widget_snippet(widget: str, arguments: Sequence[str], imports: Sequence[str], note: str = "") -> str:
    """A cell of a notebook that shows a widget.

    Parameters
    ----------
    widget : name of its class in `lmdk_widgets`. arguments : of its call, as Python. imports : lines that import the other
    names in them. note : a comment above the call, or "".

    Examples
    --------
    >>> print(widget_snippet("Explorer", ["'bob'"], []), end="")
    from lmdk_widgets import Explorer
    <BLANKLINE>
    Explorer('bob')
    """
    lines = sorted([*imports, f"from lmdk_widgets import {widget}"])
    return "\n".join([*lines, "", *([note] if note else []), f"{widget}({', '.join(arguments)})", ""])


def choices_call(choices: Choices, **instead: Any) -> str:
    """The call that recreates choices; those at their default are left out, and `instead` replaces some.

    Examples
    --------
    >>> from lmdk_widgets.pages.place import PlaceChoices
    >>> choices_call(PlaceChoices(rows=7), level=2.0)
    'PlaceChoices(rows=7, level=2.0)'
    """
    start = type(choices)().to_dict()
    values = choices.to_dict() | instead
    told = ", ".join(f"{name}={value!r}" for name, value in values.items() if value != start[name])
    return f"{type(choices).__name__}({told})"


def counted_from_0(choices: Choices, names: Iterable[str]) -> str:
    """A comment on those of these choices that are in the call and count from 0, where the page counts from 1; "" for none.

    Examples
    --------
    >>> from lmdk_widgets.pages.series import SeriesChoices
    >>> counted_from_0(SeriesChoices(node=4), ("node", "a_first")), counted_from_0(SeriesChoices(), ("node", "a_first"))
    ('# Counted from 0 here, and from 1 on the page: timestamp.', '')
    """
    start, kinds = type(choices)().to_dict(), choices.kinds()
    told = [kinds[name].label for name in names if choices.to_dict()[name] != start[name]]
    return (
        f"# Counted from 0 here, and from 1 on the page: {', '.join(f'{each[:1].lower()}{each[1:]}' for each in told)}."
        if told
        else ""
    )


_PRINTED = """\
said = page.text()
for answer in said["answers"]:
    print(f"{answer['name']}: {answer['value']} ({answer['short']})")
print("In words:", said["words"]["paragraph"])
print("Assumption:", said["words"]["assumption"])
for warning in said["words"]["warnings"]:
    print("Warning:", warning)
for picture in page.pictures():
    print(f"{picture.title}: {picture.summary}")
# The other keys of said have every other sentence and table; picture.figure["data"] has the numbers of a chart.
"""


def numbers_program(cell: str) -> str:
    """A program that computes every number of a page again, from the cell that shows the page, and prints its answers, its
    sentences and what its charts show, each with its name.

    Parameters
    ----------
    cell : as `widget_snippet` makes it: the widget's call is its last line.

    Examples
    --------
    >>> print(numbers_program(widget_snippet("QuiltLab", [], [])), end="")  # doctest: +ELLIPSIS
    # simulation, not a private release
    from lmdk_widgets import QuiltLab
    <BLANKLINE>
    page = QuiltLab()
    said = page.text()
    for answer in said["answers"]:
        print(f"{answer['name']}: {answer['value']} ({answer['short']})")
    ...
    """
    *before, call = cell.rstrip("\n").split("\n")
    return "\n".join([f"# {NOTE}", *before, f"page = {call}", _PRINTED])
