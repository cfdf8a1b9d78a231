"""How the table of a series may be read: its columns, unit, register, counter, start or end of an interval.

What the content decides is proposed; what only a person can know has several proposals, the likeliest first. Nothing here
touches a value: `measure.apply` reads all rows by one proposal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from lmdk_widgets.checks import joined
from lmdk_widgets.errors import InputError, Offer
from lmdk_widgets.trajectory.columns import LABEL, LANDMARK, WHOSE, plain
from lmdk_widgets.trajectory.measure import DAILY, STEPS, VALUES, WRITTEN, Proposal, numbers_style, unit_in, values_of
from lmdk_widgets.trajectory.table import Grid, is_ambiguous, kind_of_cell
from lmdk_widgets.trajectory.words import chosen_from, counted, printable

_UNIT = re.compile(
    r"[\[(]([^\W\d_][^\])]{0,11})[\])]|[\s_](kwh|wh|kw|w|bpm|mmhg|mg|g|kg|m|km|s|min|h|°?[cf])$", re.IGNORECASE
)
_UNITS = {"kwh": "kWh", "wh": "Wh", "kw": "kW", "w": "W", "watts": "W", "bpm": "bpm"}
_POWER = re.compile(r"active|power|watt|consum|usage|load|demand|puissance|leistung|\bk?w\b", re.IGNORECASE)
_VALUE = re.compile(
    r"kwh|wh\b|energ|verbrauch|verbruik|volume|offtake|import|bezug|valu?e|wert|valeur|reading|state|steps|bpm|heart|conso",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"cost|charge|price|tax|amount|preis|kosten|prix|export|return|inject|einspeis|generat|reactive|quality|status|factor|"
    r"multiplier|\bid\b|\bean|\bmeter ?(number|no|id)?$|index|\bline\b|\brow\b|\bno\b|\bnr\b|accuracy|"
    r"\b(hours?|minutes?|seconds?|month|year|week|pas en)\b|exceedance|"
    r"(?<![^\W_])(min|max|react|ret)(?![^\W_])",
    re.IGNORECASE,
)
_COUNTER = re.compile(
    r"counter|meter reading|stand(?!ard|by|or)|total yield|lifetime|cumul|odometer|z(ä|ae)hler|totali[sz]",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"steps|count|number|people|visit|calls|anzahl|nombre|schritte|personen|besuche", re.IGNORECASE)
_END = re.compile(r"\b(interval end|end|ended|until|bis|to|fin|fine|ende|bill date|period end|til)\b", re.IGNORECASE)
_NOTES = frozenset((*LANDMARK, *LABEL, "note", "notes", "comment", "description"))
_TARIFF = re.compile(
    r"\b(t?\d|day|night|peak|off ?peak|ht|nt|hp|hc|normal|low|high|hoog|laag|tag|nacht|l\d|phase \d)\b|normaal|dal$",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"entity|sensor|device|metric|register|channel|\btype\b|\bkind\b|source|series|variable|parameter", re.IGNORECASE
)
_SPAN = re.compile(r"(\d{1,2}):(\d\d)")
_HOUR = re.compile(r"(?:hours?|hr|h|he|stunde|heure|hora|ora)[ _]?(\d{1,2})$", re.IGNORECASE)
_SLASHES = re.compile(r"\d{1,2}/\d{1,2}/\d{2,4}\b")
SHOWN_COLUMNS = 30
"""How many columns of a table the question about it shows."""
_LEVEL, _FEW, _MOST_KINDS, _MOST_OFFERED = 1_000.0, 12, 50, 60


def says(grid: Grid, proposal: Proposal) -> str:
    """A proposal in words, such as: "Import kWh" in kWh, differences of a counter."""
    named = " + ".join(
        f'"{printable(grid.heads[k], 40)}"' if grid.heads[k] else f"column {k + 1}" for k in proposal.value[:4]
    )
    parts = [f"{named} in {proposal.unit}" if proposal.unit else named]
    parts += [f'of "{printable(proposal.kept, 40)}"'] if proposal.kept else []
    parts += [f'times "{printable(grid.heads[proposal.factor], 40)}"'] if proposal.factor >= 0 else []
    parts += [proposal.how] if proposal.how != VALUES else []
    parts += ["each time is the end of its interval"] if proposal.at_end else []
    parts += (
        [f"with a {'decimal mark' if proposal.mark == 'decimal' else 'mark between thousands'}"]
        if proposal.mark
        else []
    )
    return ", ".join(parts)


def unit_of(heading: str) -> str:
    """The unit named in a heading, or "".

    Examples
    --------
    >>> [unit_of(heading) for heading in ("power (kW)", "energy_kwh", "bpm", "value", "Global_active_power")]
    ['kW', 'kWh', 'bpm', '', '']
    """
    whole = heading.strip().lower()
    if whole in _UNITS:
        return _UNITS[whole]
    found = _UNIT.search(heading.strip())
    unit = printable((found[1] or found[2]) if found else "", 12)
    return _UNITS.get(unit.lower(), unit)


def find_times(grid: Grid) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The columns of the time of a row, and of the end of its interval; () for none.

    Examples
    --------
    >>> from lmdk_widgets.trajectory.table import find_grid
    >>> rows = "1.5.2024;00:00;00:15;1\\n1.5.2024;00:15;00:30;2\\n"
    >>> find_times(find_grid("Datum;von;bis;kWh\\n" + rows))
    ((0, 1), (0, 2))
    """
    kinds = grid.kinds
    whole = [k for k, kind in enumerate(kinds) if kind == "time"]
    dates, clocks = ([k for k, kind in enumerate(kinds) if kind == each] for each in ("date", "clock"))
    if not whole and dates:
        hour = next(
            (k for k, head in enumerate(grid.heads) if kinds[k] == "number" and _is_hours(head, grid.columns[k])), -1
        )
        clocks = clocks or ([hour] if hour >= 0 else [])
        pairs = [(dates[min(j, len(dates) - 1)], clock) for j, clock in enumerate(clocks)]
    else:
        pairs = []
    found: list[tuple[int, ...]] = [*((k,) for k in whole), *pairs] or [(k,) for k in dates]
    if not found:
        return ((epoch,), ()) if (epoch := _epoch(grid)) >= 0 else ((), ())
    ends = [
        one
        for one in found
        if _END.search(_heads(grid, one)) and not re.search(r"start|begin|from", _heads(grid, one), re.I)
    ]
    starts = [one for one in found if one not in ends] or found
    start = min(
        starts,
        key=lambda one: (
            not re.search(r"start|begin|from|von|debut|début|inizio|desde|van|local", _heads(grid, one), re.I),
            one,
        ),
    )
    end = next((one for one in ends if one != start), ())
    if not end and len(found) == 2 and _follows(grid, found):
        start, end = found[0], found[1]
    return start, end


def _heads(grid: Grid, columns: Sequence[int]) -> str:
    return " ".join(grid.heads[k] for k in columns)


def _follows(grid: Grid, found: Sequence[tuple[int, ...]]) -> bool:
    """Whether the second time of most rows is the first of the next row, or the other way round."""
    first, second = (
        [" ".join(grid.columns[k][row] for k in one) for row in range(min(len(grid), 50))] for one in found
    )
    same = sum(a == b for a, b in zip(second[:-1], first[1:], strict=True))
    return 2 * same > len(first)


def _is_hours(head: str, cells: Sequence[str]) -> bool:
    named = re.search(r"hours?|heures?|stunden?|uhrzeit|ora\b|hora\b", head, re.IGNORECASE)
    some = cells[:200]
    return bool(named) and sum(cell.isdecimal() and len(cell) < 3 and int(cell) < 24 for cell in some) > 0.9 * len(some)


def _epoch(grid: Grid) -> int:
    return next(
        (k for k, cells in enumerate(grid.columns) if cells and all(re.match(r"1\d{9}", c) for c in cells[:50])), -1
    )


def proposals(
    grid: Grid,
    time: tuple[int, ...],
    end: tuple[int, ...],
    utc: np.ndarray,
    local: np.ndarray,
    *,
    own_clock: bool = True,
) -> tuple[list[Proposal], bool]:
    """All ways to read a table, the likeliest first, and whether a person must say which is right.

    Parameters
    ----------
    utc, local : (n,) times of the rows, NaT where there is none; in UTC, and by their own clock.
    own_clock : whether the times are written by a clock whose midnight means something.

    Raises
    ------
    InputError : no column can contain values.
    """
    found = rated(grid, {*time, *end})
    if not found:
        raise InputError("the table must have a column of numbers", value="none", kind="columns")
    top = max(rate for rate, _ in found)
    likely = [k for rate, k in found if rate == top]
    base = _base(grid, time, end, likely[0])
    first, registers, asks = _registers(grid, base, utc)
    asks |= len(likely) > 1 or _is_electric(grid, first, likely[0])
    chosen, kinds = [], list[Proposal]()
    others = [k for _, k in sorted(found, key=lambda one: (-one[0], one[1])) if k not in (*likely, base.factor)]
    for column in [*likely, *others]:
        unit = _unit(grid, column) or (_unit_beside(grid, first) if column in likely else "")
        unit = unit or ("kWh" if _is_electric(grid, first, column) else "")
        one = replace(first, value=(column,), unit=unit)
        how, doubtful = _how(grid, one, utc, local)
        chosen.append(replace(one, how=how[0]))
        if column == likely[0]:
            asks |= doubtful
            kinds = [replace(one, how=each) for each in how[1:]]
    if _is_at_end(grid, time, end, local, own_clock=own_clock):
        asks, chosen = True, [replace(one, at_end=True) for one in chosen]
        kinds = [*(replace(one, at_end=True) for one in kinds), replace(chosen[0], at_end=False)]
    if is_ambiguous(grid.columns[likely[0]], grid.separator, date := grid.columns[time[0]][0]):
        if _COUNTS.search(grid.heads[likely[0]]):
            chosen[0] = replace(chosen[0], mark="thousands")
        else:  # where dates are written 5/4/2024 and commas separate columns, decimals have points
            marks = ["decimal", "thousands"]
            if grid.separator == "," and _SLASHES.match(date):
                marks.reverse()
            asks, kinds = True, [*kinds, replace(chosen[0], mark=marks[1], how=VALUES)]
            chosen[0] = replace(chosen[0], mark=marks[0], how=VALUES)
    if base.factor >= 0:
        asks, kinds = True, [*kinds, replace(chosen[0], factor=-1)]
    several = [one for one in chosen if one.value[0] in likely and _TARIFF.search(grid.heads[one.value[0]])]
    added = [replace(several[0], value=tuple(one.value[0] for one in several))] if len(several) > 1 and asks else []
    ways = [chosen[0], *added, *kinds, *(replace(chosen[0], kept=kept) for kept in registers), *chosen[1:]]
    unique = {says(grid, one): one for one in reversed(ways)}
    ordered = [replace(one, words=text) for text, one in reversed(unique.items())]
    return ordered[:_MOST_OFFERED], asks


def pick(found: Sequence[Proposal], reading: str) -> Proposal:
    """The proposal with these words.

    Raises
    ------
    InputError : there is none, with those that there are.
    """
    for one in found:
        if one.words.casefold() == reading.strip().casefold():
            return one
    raise InputError(
        "reading must be one of the ways to read this table",
        value=printable(reading, 40),
        argument=chosen_from("reading", [one.words for one in found]),
        kind="which",
        offers=offers(found),
    )


def question(grid: Grid, found: Sequence[Proposal]) -> InputError:
    """The question which of several ways to read a table is right; it shows the first rows, with the columns marked."""
    error = InputError(
        "this table can be read in several ways, and only you know which is right",
        remedy=f"Is this right? It is read as {found[0].words}",
        argument=f"accept=True for that, or {chosen_from('reading', [one.words for one in found[1:]])}",
        kind="which",
        offers=offers(found),
    )
    cells = zip(*(column[:3] for column in grid.columns[:SHOWN_COLUMNS]), strict=True)
    parts = {"time": found[0].time, "end": found[0].end, "value": found[0].value, "register": (found[0].register,)}
    error.table = {
        "heads": [printable(head, 40) or f"column {k + 1}" for k, head in enumerate(grid.heads[:SHOWN_COLUMNS])],
        "rows": [[printable(cell, 40) for cell in row] for row in cells],
        "marks": {str(k): name for name, columns in parts.items() for k in columns if 0 <= k < SHOWN_COLUMNS},
    }
    return error


def offers(found: Sequence[Proposal]) -> list[Offer]:
    """The ways to read a table as choices."""
    return [(f"{'Yes: ' if not k else ''}{one.words}", {"reading": one.words}) for k, one in enumerate(found)]


def _base(grid: Grid, time: tuple[int, ...], end: tuple[int, ...], column: int) -> Proposal:
    units = [k for k, cells in enumerate(grid.columns) if _are_units(cells)]
    factor = [
        k for k, head in enumerate(grid.heads) if re.search(r"\b(factor|multiplier|faktor)\b", head, re.IGNORECASE)
    ]
    factor = [k for k in factor if grid.kinds[k] == "number"]
    return Proposal(time, (column,), end, unit_column=units[0] if units else -1, factor=factor[0] if factor else -1)


def _are_units(cells: Sequence[str]) -> bool:
    found = {cell.lower() for cell in cells if cell}
    return bool(found) and found <= WRITTEN.keys()


def _unit(grid: Grid, column: int) -> str:
    """The unit of a column: by its heading, by a column of units, or by the only unit in the lines above."""
    if unit := unit_in(grid.heads[column]):
        return unit
    if unit := unit_of(grid.heads[column]):
        return unit
    for cells in grid.columns:
        if _are_units(cells):
            return WRITTEN[Counter(cell.lower() for cell in cells if cell).most_common(1)[0][0]]
    above = {WRITTEN[cell.lower()] for row in grid.titles for cell in row if cell.lower() in WRITTEN}
    return above.pop() if len(above) == 1 else ""


def written_in(grid: Grid, time: tuple[int, ...], column: int) -> Proposal:
    """The values of one column as they are written, in its unit."""
    return Proposal(time, (column,), unit=_unit(grid, column))


def _is_electric(grid: Grid, one: Proposal, column: int) -> bool:
    """Whether values without a unit are electricity, by the register that is read or a column with one text: then kWh."""
    if _unit(grid, column) or not _VALUE.search(grid.heads[column]):
        return False
    words = r"el|elek\w*|electri\w*|strom|stroom|power"
    return any(re.fullmatch(words, text, re.IGNORECASE) for text in _said_of_all(grid, one))


def _unit_beside(grid: Grid, one: Proposal) -> str:
    """The unit in brackets in the name of the register that is read, or in a column with one text; "" if there is none."""
    return next((unit for text in _said_of_all(grid, one) if re.search(r"[\[(]", text) and (unit := unit_in(text))), "")


def _said_of_all(grid: Grid, one: Proposal) -> list[str]:
    """The register that is read, and the texts that are the same in all rows."""
    columns = zip(grid.kinds, grid.columns, strict=True)
    return [one.kept, *(cells[0] for kind, cells in columns if kind == "text" and len(set(cells)) == 1)]


def rated(grid: Grid, timed: set[int]) -> list[tuple[int, int]]:
    """The columns that can contain values, and how likely each one is."""
    found = []
    for k, (head, kind, cells) in enumerate(zip(grid.heads, grid.kinds, grid.columns, strict=True)):
        if k in timed or plain(head) in _NOTES or plain(head) in WHOSE:
            continue
        sample = [cell for cell in cells[:400] if cell]
        numbers = kind == "text" and _POWER.search(head) and sum(kind_of_cell(cell) == "number" for cell in sample)
        if kind != "number" and not (numbers and 2 * numbers >= len(sample)):
            continue
        same = len(set(sample)) == 1 and len(sample) > 2
        counted = len(sample) > 2 and all(cell.isdecimal() for cell in sample)
        counted = counted and len(sample[0]) < 10 and all(int(b) - int(a) == 1 for a, b in pairwise(sample))
        if counted and (int(sample[0]) < 2 or not head) and not _VALUE.search(head) and not _POWER.search(head):
            continue  # the numbers of lines
        rate = 1 if same and len(set(cells)) == 1 else 2
        if _BESIDE.search(re.sub(r"\(.*?\)", "", head)) or (
            same and all(cell.isdecimal() and len(cell) > 6 for cell in sample)
        ):
            rate = 0
        elif rate == 1:
            pass  # the same in all rows: of others that could be values, each is likelier
        elif _POWER.search(head):
            rate = 5 if "active" in head.lower() else 4
        elif _VALUE.search(head):
            rate = 3
        found.append((rate, k))
    return found


def days_in_rows(grid: Grid, timed: set[int]) -> list[tuple[int, int]]:
    """The columns of a table with one row a day, and the minute at which each starts: "00:15", or "Hour 1" to "Hour 24"."""
    found = [
        (k, 60 * int(m[1]) + int(m[2]))
        for k, head in enumerate(grid.heads)
        if k not in timed and grid.kinds[k] == "number" and (m := _SPAN.match(head.strip().lstrip("hH ")))
    ]
    if not found:
        hours = [
            (k, int(m[1]))
            for k, head in enumerate(grid.heads)
            if k not in timed and grid.kinds[k] == "number" and (m := _HOUR.match(head.strip()))
        ]
        first = hours[0][1] if len(hours) == 24 else -1
        if first in (0, 1) and [hour for _, hour in hours] == list(range(first, first + 24)):
            found = [(k, 60 * (hour - first)) for k, hour in hours]
    minutes = [minute for _, minute in found]
    rising = len(found) >= 12 and all(b > a for a, b in pairwise(minutes)) and minutes[-1] < 1440
    return found if rising else []


def _how(grid: Grid, one: Proposal, utc: np.ndarray, local: np.ndarray) -> tuple[list[str], bool]:
    """How the values of a column may be read, the likeliest first, and whether that is doubtful."""
    rows = np.flatnonzero(~np.isnat(utc) & _of_register(grid, one))
    rows = rows[np.argsort(utc[rows], kind="stable")]
    numbers, _ = values_of(grid, replace(one, factor=-1, unit_column=-1))
    rows = rows[np.isfinite(numbers[rows])]
    step = np.diff(numbers[rows])
    head = grid.heads[one.value[0]]
    if len(step) < 2 or not (step > 0).any() or one.unit == "bpm":
        return [VALUES], False
    falls = np.flatnonzero(step < 0)
    day = local[rows].astype("datetime64[D]")
    starts = np.flatnonzero(day[1:] != day[:-1])
    rise = float(step[step > 0].mean())
    level = float(np.abs(numbers[rows]).max())
    rising = not len(falls) or (len(falls) <= max(1, len(step) // 50) and -step[falls].max() > 100 * rise)
    if rising and (level > _LEVEL * rise or (_COUNTER.search(head) and level > rise)):
        return [STEPS, VALUES], True
    if len(falls) and len(step) >= _FEW and len(starts) and set(falls.tolist()) == set(starts.tolist()):
        return [DAILY, VALUES], True
    if rising and len(step) >= _FEW and not len(falls) and 2 * (step > 0).sum() > len(step):
        return [VALUES, STEPS], True
    return [VALUES], False


def _of_register(grid: Grid, one: Proposal) -> np.ndarray:
    if one.register < 0 or not one.kept:
        return np.ones(len(grid), bool)
    return np.array([cell == one.kept for cell in grid.columns[one.register]], bool)


def _registers(grid: Grid, base: Proposal, utc: np.ndarray) -> tuple[Proposal, list[str], bool]:
    """The proposal for one register, the other registers, and whether a person must choose."""
    timed = {*base.time, *base.end, *base.value, base.unit_column, base.factor}
    known = np.flatnonzero(~np.isnat(utc))
    repeated = len(known) - len(np.unique(utc[known]))
    for k, (head, kind, cells) in enumerate(zip(grid.heads, grid.kinds, grid.columns, strict=True)):
        if k in timed or kind not in ("text", "number") or plain(head) in _NOTES:
            continue
        counts = Counter(cell for cell in cells if cell)
        if not 1 < len(counts) <= min(_MOST_KINDS, len(cells) // 2):
            continue
        ordered = [value for value, _ in counts.most_common()]
        if sum(counts.values()) == len(cells):
            ordered.sort(key=lambda value: (-counts[value], cells.index(value)))
        pairs = {(moment, cells[row]) for row, moment in zip(known.tolist(), utc[known].tolist(), strict=True)}
        parts = len(pairs) >= len(known) - len(known) // 50
        named = bool(_SOURCE.search(head)) and kind == "text"
        tariffs = all(_TARIFF.search(value) for value in counts)
        if (parts and repeated > len(known) // 10) or (named and not tariffs and not repeated):
            return replace(base, register=k, kept=ordered[0]), ordered[1:], True
        if named and tariffs and not repeated:
            return replace(base, register=k), [], False
    return base, [], False


def _is_at_end(grid: Grid, time: tuple[int, ...], end: tuple[int, ...], local: np.ndarray, *, own_clock: bool) -> bool:
    """Whether the only time is an end: its heading says so, or the first is a step after midnight and the last midnight."""
    if end:
        return False
    if _END.search(_heads(grid, time)):
        return True
    known = np.sort(local[~np.isnat(local)])
    if len(known) < _FEW or not own_clock:
        return False
    clock = known - known.astype("datetime64[D]")
    steps = np.diff(known)
    step = np.median(steps.astype(np.int64)).astype("timedelta64[ns]")
    day = np.timedelta64(1, "D")
    return bool(np.timedelta64(0) < step < day and clock[0] == step and clock[-1] == np.timedelta64(0))


def understood(grid: Grid, one: Proposal) -> Iterator[str]:
    """What a person should know about a proposal: what was chosen, where its unit is from, what was joined or converted."""
    column = one.value[0]
    whole = replace(one, how=VALUES, at_end=False, kept="", factor=-1)
    beside = [grid.heads[k] or f"column {k + 1}" for _, k in rated(grid, {*one.time, *one.end, column})]
    unit = one.unit and not (unit_in(grid.heads[column]) or unit_of(grid.heads[column]))
    where = ", the unit of most rows" if one.unit_column >= 0 else ", the unit named beside the values"
    if one != whole or len(one.value) > 1:
        yield f"Read as {one.words}."
    elif beside or unit:
        rest = f"; {_joined(beside)} {'is' if len(beside) == 1 else 'are'} left out" if beside else ""
        yield f"The values are those of {says(grid, replace(one, mark=''))}{where if unit else ''}{rest}."
    if one.unit_column >= 0 and one.factor < 0:
        others = [cell for cell in grid.columns[one.unit_column] if cell and cell.lower() != one.unit.lower()]
        if others:
            rows = counted(len(others), "row", "rows")
            yield f"{rows} in {_joined(dict.fromkeys(others), '')} converted to {one.unit}."
    style, cells = numbers_style(grid, column, mark=one.mark), grid.columns[column]
    if style.thousands and not any(style.decimal in cell for cell in cells):
        yield f"The mark in numbers such as 1{style.thousands}234 was read as separating thousands."
    if one.register >= 0 and not one.kept:
        names = _joined(dict.fromkeys(cell for cell in grid.columns[one.register] if cell))
        yield f"The registers {names} alternate in time: they were read as one series."


def _joined(names: Iterable[str], mark: str = '"') -> str:
    shown = [f"{mark}{printable(name, 30)}{mark}" for name in names]
    more = [f"{len(shown) - 3:,} more"] if len(shown) > 4 else []
    return joined([*shown[: 3 if more else 4], *more], "and")
