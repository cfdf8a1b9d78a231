"""How messages about files are worded, and what they may repeat from a file: never a coordinate of the track.

Messages end up in logs, screenshots and bug reports. A text found instead of a number or a time may still be
a place (degrees and minutes, a shifted column, an integer of 1e-7 degrees), so it is repeated only if it cannot be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lmdk_widgets.checks import joined

_DATE = re.compile(r"\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?!\d)")
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?")


def quoted(text: str, most: int = 30) -> str:
    """' "text"', shortened, or "" if the text might be a place: it has digits other than those of a date and time.

    Examples
    --------
    >>> quoted("abc"), quoted("2026-13-01 10:00:00.25"), quoted("48.8566"), quoted("48:51:24"), quoted("48°51'N")
    (' "abc"', ' "2026-13-01 10:00:00.25"', '', '', '')
    """
    text = printable(text)
    rest, dates = _DATE.subn("", text)
    if not text or re.search(r"\d", _CLOCK.sub("", rest) if dates else rest):
        return ""
    return f' "{text if len(text) <= most else text[: most - 1] + "…"}"'


def printable(text: str, most: int = 80) -> str:
    """A text from a file in a form that can be shown: one line, no control characters, at most `most` characters.

    Examples
    --------
    >>> printable("Home\\x00\\n sweet  home")
    'Home sweet home'
    """
    text = text[: 4 * most].encode("utf-8", "replace").decode("utf-8")
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def chosen_from(argument: str, values: Iterable[str], most: int = 5) -> str:
    """An argument with each of the values that it may have, at most `most`; those that may be a place are left out.

    Examples
    --------
    >>> chosen_from("person", ["ada", "Bo"]), chosen_from("person", "abcd", 2), chosen_from("person", ["48.8566"])
    ('person="ada" or "Bo"', 'person="a" or "b" (or one of 2 more)', 'person="..."')
    """
    values = list(values)
    shown = [value for value in values if printable(value) == value and not re.search(r"\d[.,]\d\d", value)][:most]
    texts = [f"'{value}'" if '"' in value else f'"{value}"' for value in shown]
    more = f" (or one of {len(values) - len(shown):,} more)" if len(values) > len(shown) else ""
    return f"{argument}={joined(texts, 'or')}{more}" if texts else f'{argument}="..."'


def counted(count: int, singular: str, plural: str = "") -> str:
    """A number with its noun.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row"), counted(2, "time exists", "times exist")
    ('1 row', '1,200 rows', '2 times exist')
    """
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"
