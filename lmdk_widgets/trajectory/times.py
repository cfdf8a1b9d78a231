"""Times as people and devices write them, read into UTC.

Nothing that would move a track in time is guessed: the user is asked whether 1/2 is in January or February, and which zone
a clock was in. What cannot be read is listed, not skipped.

A hundred thousand times must not take a hundred thousand calls. The times in a file have few *shapes*: with every
digit replaced by 0, "2026-01-26 15:57:02" is "0000-00-00 00:00:00". Each shape is matched against the grammar once, and
the digits of all its rows are then added up column by column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.words import counted, quoted
from lmdk_widgets.trajectory.zones import HOW_TO_WRITE, find_zone, to_utc

Ints = NDArray[np.int64]
Rows = NDArray[np.intp]
Characters = NDArray[np.uint8]

_PROOFS = 3  # dates that prove the order of day and month for all
_AT_ONCE = 65_536  # texts converted to bytes together
WIDEST = 40
"""The most characters of a time."""

DATE = re.compile(
    r"""(?: (?P<year>0000)(?P<dash>[-/.])(?P<month>00?)(?P=dash)(?P<day>00?)
          | (?P<part1>00?)(?P<slash>[-/.])(?P<part2>00?)(?P=slash)(?P<year2>0000)     # d/m/yyyy or m/d/yyyy
          | (?P<day5>00?)\.(?P<month5>00?)\.(?P<year5>00)(?!0)                          # d.m.yy
          | (?P<year3>0000)(?P<month3>00)(?P<day3>00)(?=[Tt ]\ *0|0{6}$)              # 20260126T155702
          | (?P<year4>00)(?P<month4>00)(?P<day4>00)(?=\ 0{6}$)                        # 260126 155702
        )
        (?: (?: [Tt] | \ + | ,\ * | (?(year3)(?=0{6}$)|(?!)) )
            (?: (?P<hour>00?):(?P<minute>00)(?: :(?P<second>00)(?:[.,](?P<fraction>0+))? )?
              | (?P<hour3>00)(?P<minute3>00)(?P<second3>00)(?:[.,](?P<fraction3>0+))?
            )
            (?: \ *(?P<half>[AaPp])\.?[Mm]\.? )?
        )?
        \ *(?: [Zz] | (?i:UTC|GMT) | (?P<sign>[+-])(?P<zone_hour>00):?(?P<zone_minute>00)? | (?P<no_zone>) )$
    """,
    re.VERBOSE,
)
"""A date with or without a clock time and a zone; `slash` means that the order of day and month is uncertain."""

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan",
            "feb fév",
            "mar mär mrz",
            "apr avr",
            "may mai mei",
            "jun",
            "jul",
            "aug",
            "sep",
            "oct okt",
            "nov",
            "dec dez déc",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = re.compile(
    r"(?:\b(\d{1,2})[-. /]{1,2}([^\W\d_]{3,9})[-. ,/]{1,2}(\d{4})|\b([^\W\d_]{3,9})\.? (\d{1,2}),? (\d{4}))(?!\d)"
)
NUMBER = re.compile(r"(?:(?P<minus>-)|\+)?(?P<whole>0{1,19})(?:[.,](?P<decimals>0*))?$")
"""A number, for times since 1970."""

CLOCK_ONLY = re.compile(r"00?:00(?::00(?:[.,]0+)?)?( *[AaPp][Mm])?$")

DAY_ORDERS = {True: "The day comes first (d/m/yyyy)", False: "The month comes first (m/d/yyyy)"}
FORMS = "2026-01-26T15:57:02Z, 2026-01-26 15:57:02, 26/1/2026 15:57, or seconds or milliseconds since 1970"
FIRST_YEAR, LAST_YEAR = 1678, 2261  # whole years within the range of datetime64[ns]
NS_PER_SECOND = 1_000_000_000
NS_PER_DAY = 86_400 * NS_PER_SECOND
_NOTHING = np.iinfo(np.int64).min  # NaT as an integer; also marks a clock time without a zone
_TOO_LARGE = np.iinfo(np.int64).max
_UNITS = (  # name, how many make a second, upper limit of the median
    ("seconds", 1, 1e11),
    ("milliseconds", 1_000, 1e14),
    ("microseconds", 1_000_000, 1e17),
    ("nanoseconds", NS_PER_SECOND, float("inf")),
)


@dataclass(frozen=True)
class Times:
    """Times read from texts.

    Attributes
    ----------
    utc : (n,) datetime64[ns], NaT where a row has a problem.
    problems : reason by row.
    notices : sentences about what was done.
    without_zone : how many times had no zone of their own.
    day_first : which order of day and month some dates prove; None if none does, or if it was given.
    unit : of times that are numbers: "seconds"; "" if there are none.
    changes : how many clock times exist twice, and how many never, if the rows are those of several people.
    """

    utc: NDArray[np.datetime64]
    problems: dict[int, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    without_zone: int = 0
    day_first: bool | None = None
    unit: str = ""
    changes: tuple[int, int] = (0, 0)

    def only(self, rows: NDArray[np.intp]) -> Times:
        """Those of some rows, by index, in their order."""
        place = {row: k for k, row in enumerate(rows.tolist())}
        problems = {place[row]: reason for row, reason in self.problems.items() if row in place}
        return replace(self, utc=self.utc[rows], problems=problems)


def parse_times(
    texts: Sequence[str],
    *,
    timezone: str | None = None,
    day_first: bool | None = None,
    accept: bool = False,
    several: bool = False,
) -> Times:
    """Read times: ISO 8601, d/m/yyyy or m/d/yyyy with a clock time, d.m.yyyy, seconds / milliseconds / ... since 1970.

    Parameters
    ----------
    texts : one text for each row; an empty one is a missing time.
    timezone : IANA name of the zone for times without one.
    day_first : whether 1/2/2026 is the first of February; None asks unless every row can only be read one way. With dots,
        the day comes first, 1.2.2026, and nothing is asked unless a row cannot be read that way.
    accept : whether to take the order that is proposed: the one that some rows prove, that with the
        shorter span, or where both are the same the day first, in a zone of America the month.
    several : whether the rows are those of several people: their order then says nothing of a clock time that exists twice,
        which is read as the first of the two. Clock changes are counted, not said in a notice.

    Raises
    ------
    InputError of kind "timezone" if a zone is needed but not given, and of kind "day-order" if the order is.

    Examples
    --------
    >>> parse_times(["2026-01-26 15:57:02.5+01:00", "1769439422.5"]).utc.astype(str).tolist()
    ['2026-01-26T14:57:02.500000000', '2026-01-26T14:57:02.500000000']
    >>> times = parse_times(["3/4/2026 9:05 pm", "soon"], timezone="UTC", day_first=True)
    >>> times.utc.astype("datetime64[m]").astype(str).tolist(), times.problems
    (['2026-04-03T21:05', 'NaT'], {1: 'the time "soon" cannot be read'})
    """
    if any(_MONTH.search(text) for text in texts[:5]):
        texts = [numbered_month(text) for text in texts]
    fields = _Fields(len(texts))
    for shape, rows, characters in shapes(texts):
        fields.add(shape, rows, characters)
    american = (timezone or "").startswith(("America/", "US/"))
    ordered = fields.order_days(day_first, accept=accept, otherwise=not american)
    numbers, notices = fields.numbers()
    notices += ordered
    local = np.where(fields.is_number, numbers, fields.dates()).view("datetime64[ns]")
    naive = np.flatnonzero((fields.offset_ns == _NOTHING) & ~np.isnat(local))
    utc = local - np.where(fields.offset_ns == _NOTHING, 0, fields.offset_ns).view("timedelta64[ns]")
    changes = 0, 0
    if len(naive):
        utc[naive], twice, second, never = to_zone(local[naive], timezone, several=several)
        changes = (twice, never) if several else changes
        notices += [] if several else change_sentences(twice, second, never, timezone)
    problems = {row: fields.reason(row, texts[row]) for row in np.flatnonzero(np.isnat(utc)).tolist()}
    return Times(utc, problems, tuple(notices), len(naive), fields.day_first, fields.unit, changes)


class _Fields:
    """The fields of every row's time so far, (n,) each."""

    def __init__(self, n: int) -> None:
        self.is_number, self.is_date, self.unordered, self.dotted = (np.zeros(n, bool) for _ in range(4))
        self.whole, self.decimals_ns = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.year, self.month, self.day = (np.zeros(n, np.int64) for _ in range(3))
        self.clock_ns = np.full(n, -1, np.int64)  # -1: there is no such clock time
        self.offset_ns = np.zeros(n, np.int64)
        self.day_first: bool | None = None
        self.unit = ""

    def add(self, shape: str, rows: Rows, characters: Characters) -> None:
        """Add the rows of one shape; fourteen digits mean 20260126155702, other numbers count from 1970."""
        match = None if shape == "0" * 14 else NUMBER.match(shape)
        if match:
            sign = -1 if match["minus"] else 1
            self.is_number[rows] = True
            start, end = match.span("whole")
            overflows = (end - start == 19) & (characters[:, start] == ord("9"))  # 19 digits may exceed an int64
            self.whole[rows] = np.where(overflows, _TOO_LARGE, sign * integer(characters, match, "whole"))
            self.decimals_ns[rows] = sign * billionths(characters, match, "decimals")
        elif match := DATE.match(shape):
            self.is_date[rows], self.unordered[rows] = True, bool(match["slash"])
            self.dotted[rows] = match["slash"] == "."
            century = 2000 if match["year4"] or match["year5"] else 0
            self.year[rows] = integer(characters, match, "year", "year2", "year3", "year4", "year5") + century
            self.month[rows] = integer(characters, match, "month", "part2", "month3", "month4", "month5")
            self.day[rows] = integer(characters, match, "day", "part1", "day3", "day4", "day5")
            self._add_clock(rows, characters, match)

    def _add_clock(self, rows: Rows, characters: Characters, match: re.Match[str]) -> None:
        hour = integer(characters, match, "hour", "hour3")
        minute = integer(characters, match, "minute", "minute3")
        second = integer(characters, match, "second", "second3")
        zone_hour, zone_minute = integer(characters, match, "zone_hour"), integer(characters, match, "zone_minute")
        midnight = (hour == 24) & (minute == 0) & (second == 0) & (match["half"] is None)  # of the next day
        possible = ((hour < 24) | midnight) & (minute < 60) & (second < 60) & (zone_hour < 24) & (zone_minute < 60)
        if match["half"]:
            possible &= (hour >= 1) & (hour <= 12)
            hour = hour % 12 + (12 if match["half"] in "Pp" else 0)
        clock_ns = ((hour * 60 + minute) * 60 + second) * NS_PER_SECOND
        clock_ns += billionths(characters, match, "fraction", "fraction3")
        offset_ns = (zone_hour * 60 + zone_minute) * 60 * NS_PER_SECOND * (-1 if match["sign"] == "-" else 1)
        self.clock_ns[rows] = np.where(possible, clock_ns, -1)
        self.offset_ns[rows] = offset_ns if match["no_zone"] is None else _NOTHING

    def order_days(self, day_first: bool | None, *, accept: bool = False, otherwise: bool = True) -> list[str]:
        """Put day and month in order where it is uncertain: as specified, as the rows prove, or as proposed; and say so."""
        if day_first is None:
            year, month, day = (part[self.dotted] for part in (self.year, self.month, self.day))
            if not (_exists(year, day, month) & ~_exists(year, month, day)).any():
                self.unordered &= ~self.dotted  # d.m.yyyy, as already read
                self.day_first = True if self.dotted.any() else None
        rows = np.flatnonzero(self.unordered)
        year, month, day = self.year[rows], self.month[rows], self.day[rows]
        said, proofs = list[str](), 0
        if day_first is None:
            day_leads, month_leads = _exists(year, month, day), _exists(year, day, month)
            either = int((day_leads & month_leads & (day != month)).sum())
            only_day, only_month = int((day_leads & ~month_leads).sum()), int((month_leads & ~day_leads).sum())
            mixed, proofs = bool(only_day and only_month), only_day + only_month
            day_first = not only_month
            if mixed or (either and not (proofs >= _PROOFS or (proofs and accept))):
                proposed = not only_month if proofs else _shorter(year, month, day, otherwise=otherwise)
                if mixed or not accept:
                    raise _day_order_error(either, only_day, only_month, proposed)
                day_first = proposed
            if either:
                proved = f"{counted(proofs, 'date')} can only be read that way"
                why = proved if proofs else "proposed"
                said = [f"In dates such as 1/2/2026 the {'day' if day_first else 'month'} was read first, as {why}."]
        if proofs:
            self.day_first = day_first
        if not day_first:
            self.day[rows], self.month[rows] = month, day
        return said

    def dates(self) -> Ints:
        """Nanoseconds since 1970 by the row's own clock; NaT as an integer if there is no such time."""
        real = self.is_date & (self.clock_ns >= 0) & _exists(self.year, self.month, self.day)
        days = _days(np.where(real, self.year, 1970), np.where(real, self.month, 1), self.day)
        return np.where(real, days * NS_PER_DAY + self.clock_ns, _NOTHING)

    def numbers(self) -> tuple[Ints, list[str]]:
        """Numbers as nanoseconds since 1970; the size of their median determines the unit."""
        if not self.is_number.any():
            return self.whole, []
        size = float(np.median(np.abs(self.whole[self.is_number])))
        self.unit, per_second, _ = next(u for u in _UNITS if size < u[2])
        most = 291 * 365 * 86_400 * per_second  # to the year 2260
        possible, ns_per_unit = np.abs(self.whole) < most, NS_PER_SECOND // per_second
        ns = np.where(possible, self.whole, 0) * ns_per_unit + self.decimals_ns // per_second
        notices = [] if self.unit == "seconds" else [f"The times are numbers, read as {self.unit} since 1970 (UTC)."]
        if size < 1e8:
            notices.append(
                "The times are small numbers, read as seconds since 1970 (UTC). If they count from the start of the "
                "track, the dates shown are wrong; the times between points are right if the unit is seconds."
            )
        return np.where(possible, ns, _NOTHING), notices

    def reason(self, row: int, text: str) -> str:
        """Why a row has no time."""
        if not text.strip():
            return "the time is missing"
        if CLOCK_ONLY.match(shape_of(text)):
            return "the time has no date"
        if self.is_date[row] or self.is_number[row]:
            return f"there is no such time{quoted(text)}"
        return f"the time{quoted(text)} cannot be read"


def _shorter(year: Ints, month: Ints, day: Ints, *, otherwise: bool) -> bool:
    """Whether the day comes first, as the dates then span fewer days; if both orders span the same, `otherwise`."""
    spans = []
    for m, d in ((month, day), (day, month)):
        known = _exists(year, m, d)
        spans.append(int(np.ptp(_days(year[known], m[known], d[known]))) if known.any() else 0)
    return otherwise if spans[0] == spans[1] else spans[0] < spans[1]


def _day_order_error(either: int, only_day: int, only_month: int, proposed: bool) -> InputError:
    if only_day and only_month:
        hint = f"Neither fits every row: {only_day:,} must have the day first, {only_month:,} the month"
    elif only_day or only_month:
        hint = f"Of the other dates {only_day or only_month:,} can only have the {'day' if only_day else 'month'} first"
    else:
        hint = "Say which it is, as no date in the file makes it clear"
    dates = counted(either, "date that can be read both ways", "dates that can be read both ways")
    return InputError(
        "dates such as 1/2/2026 must either all have the day first, or all the month",
        value=dates if either else "some of each",
        remedy=hint,
        argument="day_first=True for 26/1/2026, day_first=False for 1/26/2026",
        kind="day-order",
        offers=[(DAY_ORDERS[order], {"day_first": order}) for order in (proposed, not proposed)],
    )


def _exists(year: Ints, month: Ints, day: Ints) -> NDArray[np.bool_]:
    """Whether such a day exists, within the years that datetime64[ns] can represent."""
    plain = (year >= FIRST_YEAR) & (year <= LAST_YEAR) & (month >= 1) & (month <= 12) & (day >= 1)
    year, month = np.where(plain, year, 1970), np.where(plain, month, 1)
    length = _days(year + month // 12, month % 12 + 1, np.ones_like(day)) - _days(year, month, np.ones_like(day))
    return plain & (day <= length)


def _days(year: Ints, month: Ints, day: Ints) -> Ints:
    """A date as days since 1970; `month` must be 1 to 12, `day` can be any number."""
    months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    return months.astype("datetime64[D]").astype(np.int64) + day - 1


def to_zone(
    local: NDArray[np.datetime64], timezone: str | None, *, several: bool = False
) -> tuple[NDArray[np.datetime64], int, int, int]:
    """A zone's clock times as UTC, see `to_utc`; asks for a zone if there is none."""
    if timezone is None:
        raise InputError(
            "times must have a time zone",
            value=counted(len(local), "time without one", "times without one"),
            remedy=f"Give the clock's time zone as {HOW_TO_WRITE}",
            argument='timezone="Europe/Paris"',
            kind="timezone",
        )
    return to_utc(local, find_zone(timezone), several=several)


def change_sentences(twice: int, second: int, never: int, timezone: str | None) -> list[str]:
    """What was done with clock times that exist twice or never."""
    notices = []
    if twice:
        read = f"{second:,} read as the second, judging by the order of the rows" if second else "read as the first"
        exist = counted(twice, "time exists", "times exist")
        notices.append(f"{exist} twice in {timezone}, when the clocks go back: {read}.")
    if never:
        notices.append(
            f"{counted(never, 'time never exists', 'times never exist')} in {timezone}, when the clocks go "
            "forward: moved forward by the change."
        )
    return notices


def shape_of(text: str) -> str:
    """The shape of one text.

    Examples
    --------
    >>> shape_of(" 26/1/2026 15:57")
    '00/0/0000 00:00'
    """
    return re.sub(r"[0-9]", "0", numbered_month(text.strip()))


def numbered_month(text: str) -> str:
    """A date whose month is a word, with a number for it; any other text unchanged.

    Examples
    --------
    >>> numbered_month("4-May-2024 06:00"), numbered_month("May 4, 2024"), numbered_month("4. Dez. 2024")
    ('2024-05-4 06:00', '2024-05-4', '2024-12-4')
    """
    found = _MONTH.search(text) if len(text) < WIDEST else None
    month = _MONTHS.get((found[2] or found[4]).lower()[:3]) if found else None
    if not found or month is None:
        return text
    day, year = (found[1], found[3]) if found[1] else (found[5], found[6])
    return f"{text[: found.start()]}{year}-{month:02d}-{day}{text[found.end() :]}"


def shapes(texts: Sequence[str]) -> Iterator[tuple[str, Rows, Characters]]:
    """For each shape: the shape, the rows (k,) with it, and their characters as bytes (k, width)."""
    if not len(texts):
        return
    # In parts: the bytes of a million texts, each an object, would take more memory than all the results.
    parts = (texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE))
    clipped = np.concatenate(
        [np.array([text.strip()[: WIDEST + 1].encode("ascii", "replace") for text in part]) for part in parts]
    )
    width = max(clipped.dtype.itemsize, 1)
    characters = clipped.astype(f"S{width}", copy=False).view(np.uint8).reshape(-1, width)
    zeroed = characters.copy()
    zeroed[(zeroed >= ord("0")) & (zeroed <= ord("9"))] = ord("0")
    shape = zeroed.view(f"S{width}").ravel()
    if len(shape[0]) <= WIDEST and (shape == shape[0]).all():  # nearly always
        yield shape[0].decode("ascii"), np.arange(len(shape)), characters
        return
    found, inverse = np.unique(shape, return_inverse=True)
    del shape, zeroed
    order = np.argsort(inverse, kind="stable")
    ends = np.cumsum(np.bincount(inverse, minlength=len(found)))
    for raw, start, end in zip(found.tolist(), [0, *ends[:-1].tolist()], ends.tolist(), strict=True):
        if len(raw) <= WIDEST:
            rows = order[start:end]
            yield raw.decode("ascii"), rows, characters[rows]


def integer(characters: Characters, match: re.Match[str], *groups: str) -> Ints:
    """The integers (k,) given by the digits of the first group that matched; 0 if none did."""
    total = np.zeros(len(characters), np.int64)
    for column in range(*_span(match, groups)):
        total = total * 10 + (characters[:, column].astype(np.int64) - ord("0"))
    return total


def billionths(characters: Characters, match: re.Match[str], *groups: str) -> Ints:
    """A decimal fraction (k,) in billionths; digits beyond the ninth are cut off."""
    total = np.zeros(len(characters), np.int64)
    start, end = _span(match, groups)
    for power, column in enumerate(range(start, min(end, start + 9))):
        total += (characters[:, column].astype(np.int64) - ord("0")) * 10 ** (8 - power)
    return total


def _span(match: re.Match[str], groups: Sequence[str]) -> tuple[int, int]:
    return next((match.span(group) for group in groups if match[group]), (0, 0))
