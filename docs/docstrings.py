"""Docstrings as the reference shows them.

The project writes "name : what it is, with shape, unit and range" where others write a type: here the words become the
description; attributes that share one have it each, as Sphinx takes all names but the last for a type. The Returns section is
plain text, and a | is escaped, as it is not markup.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Any

FIELDS = {"Parameters", "Attributes", "Raises"}
STROKE = re.compile(r"\|(?=(?:[^`]*`[^`]*`)*[^`]*$)")
"""A | that is not between backticks."""
ITEM = re.compile(r"([\w*][\w*, .]*?) ?: (.+)")
PROSE = re.compile(r"(\w+Error) ([^:\s].*)")
"""An error and when it is raised, in a sentence that may take several lines."""


def rewritten(lines: list[str]) -> list[str]:
    """A docstring rewritten for Sphinx's parser of numpydoc sections.

    Examples
    --------
    >>> rewritten(["Parameters", "----------", "n, m : at most |x|.", "", ">>> 1 | 2", "3"])
    ['Parameters', '----------', 'n, m', '    at most \\\\|x\\\\|.', '', '>>> 1 | 2', '3']
    >>> rewritten(["Attributes", "----------", "low, high : the ends,", "    in metres. n : how many."])[2:]
    ['low', '    the ends,', '    in metres. n : how many.', 'high', '    the ends,', '    in metres. n : how many.']
    >>> rewritten(["Raises", "------", "InputError for times that are", "out of order."])[2:]
    ['InputError', '    for times that are', '    out of order.']
    """
    made: list[str] = []
    section, example, told = "", False, 0
    for at, (line, following) in enumerate(zip(lines, [*lines[1:], ""][: len(lines)], strict=True)):
        if at < told:
            continue
        if following and set(following) == {"-"}:
            section = line
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        if section == "Raises" and (prose := PROSE.fullmatch(line)):
            more = list(takewhile(str.strip, lines[at + 1 :]))
            told = at + 1 + len(more)
            made += [prose[1], *(STROKE.sub(r"\\|", f"    {text.strip()}") for text in (prose[2], *more))]
            continue
        item = ITEM.fullmatch(line) if section in FIELDS and not example else None
        shown = [item[1], f"    {item[2]}"] if item else [line]
        if item and section == "Attributes" and "," in item[1]:
            more = list(takewhile(lambda text: text.startswith(" "), lines[at + 1 :]))
            told = at + 1 + len(more)
            shown = [text for name in item[1].split(", ") for text in (name, f"    {item[2]}", *more)]
        made += shown if example else [STROKE.sub(r"\\|", text) for text in shown]
    return made


def rewrite(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Called before Sphinx parses the sections."""
    lines[:] = rewritten(lines)
