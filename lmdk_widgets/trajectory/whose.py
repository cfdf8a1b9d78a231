"""Whose rows are read: the question if there are several people or tracks, and the rows of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from lmdk_widgets.checks import kind_of
from lmdk_widgets.errors import InputError, Offer
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.times import Times
from lmdk_widgets.trajectory.words import chosen_from, counted, printable

MOST_OFFERED = 500
"""The most people offered for choice: those with the most rows."""

ALL = "All as one track"


def one_track(
    whole: RawPoints, times_of: Callable[[RawPoints], Times], person: str | None, *, ask: bool = True
) -> tuple[RawPoints, Times]:
    """The rows that are read, and their times: those of one person or track, or all; `ask`: the user chooses of several.

    Raises
    ------
    InputError of kind "people" if the user has to choose, and for a person who is not there.
    """
    times = None
    if whole.others and not whole.identities:
        times = times_of(whole)
        whole.note_crowd(times.utc)
    raw = _of_person(whole, person, ask=ask)
    return raw, times_of(raw) if times is None or raw is not whole else times


def _of_person(raw: RawPoints, person: str | None, *, ask: bool) -> RawPoints:
    """The rows of one person or track, or all."""
    if person is None and not (ask and raw.identities):
        return raw
    if not raw.identities:
        raise InputError("person must be left out if neither a column nor several tracks distinguish people")
    what, values = raw.identities[0]
    counts = Counter(value for value in values if value)
    kind = "track" if raw.in_tracks else "value"
    check_one(f"{what} has", counts, person, noun=raw.noun, values=kind, joins=not raw.strict)
    part = raw.only(np.array([row for row, value in enumerate(values) if value == person], np.intp))
    if raw.in_tracks:
        part.name = person or ""
    one = "track" if raw.in_tracks else "person or device"
    part.notices = [
        *raw.notices,
        f"Only {len(part.numbers):,} of {counted(len(values), raw.noun)} read, those of one {one}.",
    ]
    return part


def check_one(
    what: str,
    counts: Counter[str],
    person: str | None,
    *,
    noun: str = "row",
    values: str = "value",
    joins: bool = False,
) -> None:
    """Ask whose rows to read, unless `person` is one of those counted.

    Parameters
    ----------
    what : what has these values, with its verb. counts : the rows of each. noun : what a row is called.
    values : what a value is called. joins : whether all can be read as one.

    Raises
    ------
    InputError : of kind "people" without a person; for a person who is not there.

    Examples
    --------
    >>> check_one('the column "home" has', Counter(a=3, b=2), None)
    Traceback (most recent call last):
    lmdk_widgets.errors.InputError: Several people or devices must be read one at a time; the column "home" has 2 values. ...
    """
    if person in counts:
        return
    named = chosen_from("person", [name for name, _ in counts.most_common()])
    seen, who = f"{what} {counted(len(counts), values)}", "tracks" if values == "track" else "people or devices"
    if person is not None:
        raise InputError(
            "person must be one of those in the data",
            value=printable(person, 40) if isinstance(person, str) else kind_of(person),
            remedy=seen[:1].upper() + seen[1:],
            argument=named,
        )
    most = counts.most_common(MOST_OFFERED)
    offers: list[Offer] = [(ALL, {"on_several": "join"})] if joins else []
    offers += [(f"{printable(name, 40)} ({counted(count, noun)})", {"person": name}) for name, count in most]
    more = f"; the {MOST_OFFERED:,} with the most rows are offered" if len(counts) > len(most) else ""
    raise InputError(
        f"several {who} must be read one at a time{', or as one track' if joins else ''}; {seen}{more}",
        argument=f'{named}, or on_several="join" for all as one track' if joins else named,
        kind="people",
        offers=offers,
    )
