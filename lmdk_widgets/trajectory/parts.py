"""A part of a file: the rows of one person or one of its tracks, and those of some days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from lmdk_widgets.checks import kind_of
from lmdk_widgets.errors import InputError, Offer
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.times import Times
from lmdk_widgets.trajectory.words import counted, printable
from lmdk_widgets.trajectory.zones import find_zone, to_local

MOST_OFFERED = 500
"""People who are offered, those with most rows."""

ALL = "All as one track"


def of_person(raw: RawPoints, person: str | None, *, ask: bool) -> RawPoints:
    """The rows of one person, or of one track, or all; `ask`: where there are several, somebody has to choose.

    Raises
    ------
    InputError of kind "people" where somebody has to choose, and for a person who is not in the file.
    """
    if person is None and not (ask and raw.identities):
        return raw
    if not raw.identities:
        raise InputError("person must be left out where neither a column nor several tracks tell people apart")
    what, values = raw.identities[0]
    one, part_of_file = ("track", "track") if raw.in_tracks else ("person or device", "value")
    counts = Counter(value for value in values if value)
    if person is None:
        raise _several(raw, what, counts)
    if person not in counts:
        raise InputError(
            f"{what} must have the {one}",
            value=printable(person, 40) if isinstance(person, str) else kind_of(person),
            remedy=f"It has {counted(len(counts), part_of_file)}",
        )
    part = raw.only(np.array([row for row, value in enumerate(values) if value == person], np.intp))
    if raw.in_tracks:
        part.name = person
    part.notices = [
        *raw.notices,
        f"{len(part.times):,} of {counted(len(values), raw.noun)}, those of one {one}.",
    ]
    return part


def _several(raw: RawPoints, what: str, counts: Counter[str]) -> InputError:
    most = counts.most_common(MOST_OFFERED)
    offers: list[Offer] = [(ALL, {"on_several": "join"})]
    offers += [(f"{printable(value, 40)} ({counted(count, raw.noun)})", {"person": value}) for value, count in most]
    more = f"; the {MOST_OFFERED:,} with most rows are offered" if len(counts) > len(most) else ""
    who, values = ("tracks", "tracks") if raw.in_tracks else ("people or devices", "values")
    return InputError(
        f"a file with several {who} must be read as one track, or one of them; {what} has {len(counts):,} {values}{more}",
        argument='person="..."',
        kind="people",
        offers=offers,
    )


def span_of(days: Sequence[str] | None) -> tuple[date, date] | None:
    """First and last day from texts.

    Examples
    --------
    >>> span_of(["2026-01-26", "2026-01-26"])
    (datetime.date(2026, 1, 26), datetime.date(2026, 1, 26))
    """
    if days is None:
        return None
    try:
        first, last = (date.fromisoformat(day) for day in days)
    except (TypeError, ValueError):
        first, last = date.max, date.min
    if first > last:
        raise InputError('days must be the first and the last day, such as ("2026-01-26", "2026-01-28")')
    return first, last


def of_days(raw: RawPoints, times: Times, days: tuple[date, date], zone: str) -> tuple[RawPoints, Times]:
    """The rows of some days, by the clock of a zone, and their times. Rows without a time stay, to be said.

    Raises
    ------
    InputError where no row is of these days.
    """
    first, last = (np.datetime64(day, "D") for day in days)
    known = ~np.isnat(times.utc)
    day = np.full(len(times.utc), first)
    day[known] = to_local(times.utc[known], find_zone(zone)).astype("datetime64[D]")
    within = (day >= first) & (day <= last)
    if not (within & known).any():
        raise InputError(
            "the days must hold at least one point with a time", value=f"{days[0]} to {days[1]}", kind="days"
        )
    rows = np.flatnonzero(within)
    place = {row: k for k, row in enumerate(rows.tolist())}
    part = raw.only(rows)
    part.notices = [*raw.notices, _said(raw, len(rows), len(within), days)]
    part.several, part.hint = raw.several, raw.hint
    problems = {place[row]: reason for row, reason in times.problems.items() if row in place}
    return part, replace(times, utc=times.utc[rows], problems=problems)


def _said(raw: RawPoints, kept: int, total: int, days: tuple[date, date]) -> str:
    span = str(days[0]) if days[0] == days[1] else f"{days[0]} to {days[1]}"
    return f"{kept:,} of {counted(total, raw.noun)}, those of {span}."
