"""On which line of a TOML file a key or an entry of its list stands, which `tomllib` does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TEXTS = r'"""(?:\\.|[^\\])*?"""|' r"'''.*?'''|" r'"(?:\\.|[^"\\\n])*"|' r"'[^'\n]*'"
_TOKEN = re.compile(_TEXTS + r"|#[^\n]*|[\[\]{},=\n]|[^\s\[\]{},=#\"']+|[ \t\r]+", re.DOTALL)


def line_of(text: str, table: str, key: str, entry: int | None = None) -> int | None:
    """The line, from 1, on which a key of a table stands, or the entry of its list, from 0; None where it is not found.

    Parameters
    ----------
    text : a TOML file that can be read. table : its name, "" for the top. key : a bare or quoted key without dots.

    Examples
    --------
    >>> text = 'tracks = ["bob"]\\n[grid]  # all of it\\nepsilon = [0.5,\\n  -3]'
    >>> line_of(text, "grid", "epsilon"), line_of(text, "grid", "epsilon", 1), line_of(text, "", "tracks", 0)
    (3, 4, 1)
    """
    inside, line = "", 1
    statement: list[tuple[str, int]] = []
    for token, line, depth in _tokens(text):
        if token != "\n" or depth:
            statement.append((token, line))
            continue
        inside, found = _looked_at(statement, inside, table, key, entry)
        if found:
            return found
        statement = []
    return _looked_at(statement, inside, table, key, entry)[1]


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """What a file is made of, but for spaces and comments, each with its line and how many brackets are open."""
    line, depth = 1, 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        depth += (token in "[{") - (token in "]}") if len(token) == 1 else 0
        if not token.startswith(("#", " ", "\t", "\r")):
            yield token, line, depth
        line += token.count("\n")


def _looked_at(
    statement: list[tuple[str, int]], inside: str, table: str, key: str, entry: int | None
) -> tuple[str, int | None]:
    """The table after a statement, and the line that was looked for, if it is in it."""
    words = [_bare(token) for token, _ in statement]
    if words[:1] == ["["] and "=" not in words:
        return "".join(words).strip("[]"), None
    if inside != table or words[:2] != [key, "="]:
        return inside, None
    if entry is None or words[2:3] != ["["]:
        return inside, statement[0][1]
    depth, passed = 0, 0
    for token, line in statement[3:]:
        if depth == 0 and passed == entry and token not in ",]\n":
            return inside, line
        depth += (token in ("[", "{")) - (token in ("]", "}"))
        passed += depth == 0 and token == ","
    return inside, statement[0][1]


def _bare(token: str) -> str:
    return token[1:-1] if len(token) > 1 and token[0] == token[-1] and token[0] in "\"'" else token
