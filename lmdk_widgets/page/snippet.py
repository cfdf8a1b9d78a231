"""What is on a page as a few lines of Python that show it again in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
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
    >>> from lmdk_widgets.pages.places import Places
    >>> choices_call(Places(rows=7), level=2.0)
    'Places(rows=7, level=2.0)'
    """
    start = type(choices)().to_dict()
    values = choices.to_dict() | instead
    told = ", ".join(f"{name}={value!r}" for name, value in values.items() if value != start[name])
    return f"{type(choices).__name__}({told})"


def numbers_program(cell: str) -> str:
    """A program that computes every number of a page again, from the cell that shows the page.

    Parameters
    ----------
    cell : as `widget_snippet` makes it: the widget's call is its last line.

    Examples
    --------
    >>> print(numbers_program(widget_snippet("QuiltLab", [], [])), end="")
    # simulation, not a private release
    from lmdk_widgets import QuiltLab
    <BLANKLINE>
    page = QuiltLab()
    for name, said in page.text().items():
        print(name, said, sep=": ")
    for picture in page.pictures():
        print(picture.title, picture.summary, picture.figure["data"], sep="\\n")
    """
    *before, call = cell.rstrip("\n").split("\n")
    lines = [
        f"# {NOTE}",
        *before,
        f"page = {call}",
        "for name, said in page.text().items():",
        '    print(name, said, sep=": ")',
        "for picture in page.pictures():",
        '    print(picture.title, picture.summary, picture.figure["data"], sep="\\n")',
    ]
    return "\n".join([*lines, ""])
