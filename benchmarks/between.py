"""Puts a table between its two markers in a file; the rest of the file stays unchanged."""

from __future__ import annotations

from pathlib import Path


def put_between(text: str, name: str, table: str) -> str:
    """The text, with everything between `<!-- name:begin -->` and `<!-- name:end -->` replaced.

    ValueError if the markers are not there once each, in this order.

    Examples
    --------
    >>> print(put_between("Speed\\n<!-- speed:begin -->\\nold\\n<!-- speed:end -->\\nafter", "speed", "new"))
    Speed
    <!-- speed:begin -->
    new
    <!-- speed:end -->
    after
    """
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ValueError(f"needs one {begin} and after it one {end}")
    before, _, rest = text.partition(begin)
    return f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}"


def write_between(path: Path, name: str, table: str) -> None:
    """The same in a file; SystemExit with the reason if this is impossible."""
    try:
        path.write_text(put_between(path.read_text(encoding="utf-8"), name, table), encoding="utf-8")
    except (OSError, ValueError) as reason:
        raise SystemExit(f"{path}: {reason}") from None
