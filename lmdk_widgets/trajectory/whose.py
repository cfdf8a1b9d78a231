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
    one, part_of_file = ("track", "track") if raw.in_tracks else ("person or device", "value")
    counts = Counter(value for value in values if value)
    if person is None:
        raise _several(raw, what, counts)
    if person not in counts:
        raise InputError(
            f"{what} must contain the {one}",
            value=printable(person, 40) if isinstance(person, str) else kind_of(person),
            remedy=f"It has {counted(len(counts), part_of_file)}",
            argument=chosen_from("person", [name for name, _ in counts.most_common()]),
        )
    part = raw.only(np.array([row for row, value in enumerate(values) if value == person], np.intp))
    if raw.in_tracks:
        part.name = person
    part.notices = [
        *raw.notices,
        f"Only {len(part.numbers):,} of {counted(len(values), raw.noun)} read, those of one {one}.",
    ]
    return part


def _several(raw: RawPoints, what: str, counts: Counter[str]) -> InputError:
    most = counts.most_common(MOST_OFFERED)
    offers: list[Offer] = [] if raw.strict else [(ALL, {"on_several": "join"})]
    offers += [(f"{printable(value, 40)} ({counted(count, raw.noun)})", {"person": value}) for value, count in most]
    more = f"; the {MOST_OFFERED:,} with the most rows are offered" if len(counts) > len(most) else ""
    who, values = ("tracks", "tracks") if raw.in_tracks else ("people or devices", "values")
    return InputError(
        f"a {'table' if raw.strict else 'file'} with several {who} must be read as one track, or only one; {what} has "
        f"{len(counts):,} {values}{more}",
        argument=chosen_from("person", [name for name, _ in most])
        + ("" if raw.strict else ', or on_several="join" for all as one track'),
        kind="people",
        offers=offers,
    )


def ask_whose(what: str, counts: Counter[str], person: str | None) -> None:
    """Ask whose series to read, unless `person` is one of those counted."""
    if person in counts:
        return
    if person is not None:
        value = printable(person, 40) if isinstance(person, str) else kind_of(person)
        names = chosen_from("person", [name for name, _ in counts.most_common()])
        raise InputError(
            "person must be one of those in the file", value=value, remedy=f"{what} {len(counts):,}", argument=names
        )
    most = counts.most_common(MOST_OFFERED)
    more = f"; the {MOST_OFFERED:,} with the most rows are offered" if len(counts) > len(most) else ""
    offers: list[Offer] = [(f"{printable(name, 40)} ({counted(n, 'row')})", {"person": name}) for name, n in most]
    raise InputError(
        f"data of several people or devices must be read as the series of one; {what} {len(counts):,}{more}",
        argument=chosen_from("person", [name for name, _ in most]),
        kind="people",
        offers=offers,
    )
