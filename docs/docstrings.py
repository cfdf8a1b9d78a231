"""Docstrings as the reference shows them.

The project writes "name : what it is, with shape, unit and range" where others write a type: here the words become the
description. The Returns section is plain text, and a | is escaped, as it is not markup.
"""

from __future__ import annotations

import re
from typing import Any

FIELDS = {"Parameters", "Attributes", "Raises"}
STROKE = re.compile(r"\|(?=(?:[^`]*`[^`]*`)*[^`]*$)")
"""A | that is not between backticks."""
ITEM = re.compile(r"([\w*][\w*, .]*?) ?: (.+)")


def rewritten(lines: list[str]) -> list[str]:
    """A docstring rewritten for Sphinx's parser of numpydoc sections.

    Examples
    --------
    >>> rewritten(["Parameters", "----------", "n, m : at most |x|.", "", ">>> 1 | 2", "3"])
    ['Parameters', '----------', 'n, m', '    at most \\\\|x\\\\|.', '', '>>> 1 | 2', '3']
    """
    made: list[str] = []
    section, example = "", False
    for line, following in zip(lines, [*lines[1:], ""][: len(lines)], strict=True):
        if following and set(following) == {"-"}:
            section = line
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        item = ITEM.fullmatch(line) if section in FIELDS and not example else None
        shown = [item[1], f"    {item[2]}"] if item else [line]
        made += shown if example else [STROKE.sub(r"\\|", text) for text in shown]
    return made


def rewrite(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Called before Sphinx parses the sections."""
    lines[:] = rewritten(lines)
