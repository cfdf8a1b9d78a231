"""Exports of programs and meters that hold series in a structure of their own: each is made into a table with headings.

Heart rates of Apple Health and Fitbit, Green Button (ESPI), and NEM12. To add one, write the function that returns its
table, and its line in `EXPORTS`. A table names the meter or device of each row if there are several; which one to read is
then asked, and nothing else, as the structure of an export says what its values are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from html import unescape
from typing import NamedTuple

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.formats.markup import parse_xml, text_at
from lmdk_widgets.trajectory.raw import limit
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.words import printable

_AGAIN = "Export it again"


class Row(NamedTuple):
    """A value with its time, both as text, and whose it is."""

    time: str
    value: str
    whose: str = ""


class Export(NamedTuple):
    """A kind of export: its name, whether a file is one, and the table in it, as CSV."""

    name: str
    recognises: Callable[[Contents], bool]
    table: Callable[[Contents], str]


def _table(name: str, rows: Iterable[Row], value: str, whose: str) -> str:
    rows = list(rows)
    limit(len(rows), len(rows))
    if not rows:
        raise InputError(f"{name} must contain {value.partition(' (')[0]}", value="none", remedy=_AGAIN)
    several = len({row.whose for row in rows}) > 1
    lines = [f"time,{value}{f',{whose}' if several else ''}"]
    lines += [f"{time},{number}{f',{_cell(one)}' if several else ''}" for time, number, one in rows]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return printable(text, 40).translate(dict.fromkeys(map(ord, ',;"\t|'), " ")) or "unknown"


_RECORD = re.compile(rb'<Record\s[^>]*?type="HKQuantityTypeIdentifierHeartRate"[^>]*>')
_ATTRIBUTE = re.compile(r'\s(sourceName|startDate|value)="([^"]*)"')
_APPLE_TIME = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)$")


def _apple(file: Contents) -> str:
    """The heart rates: the XML is searched and not parsed, as it is large and begins with a document type."""
    rows = []
    for record in _RECORD.finditer(file.data):
        held = dict(_ATTRIBUTE.findall(record[0].decode("utf-8", "replace")))
        time = _APPLE_TIME.sub(r"\1T\2\3:\4", held.get("startDate", ""))
        rows.append(Row(time, held.get("value", "").replace(",", ""), unescape(held.get("sourceName", ""))))
    if not file.data.rstrip().endswith(b"</HealthData>"):
        raise InputError("Apple Health's export must be complete", value="one without its end", remedy=_AGAIN)
    return _table("Apple Health's export", rows, "heart rate (bpm)", "device")


_FITBIT = re.compile(rb'\s*\[\s*\{\s*"dateTime"\s*:\s*"\d\d/\d\d/\d\d \d\d:\d\d:\d\d"\s*,\s*"value"')
_BEAT = re.compile(
    r'"dateTime"\s*:\s*"(\d\d)/(\d\d)/(\d\d) ([\d:]+)"\s*,\s*"value"\s*:\s*(?:\{\s*"(bpm)"\s*:\s*)?"?(-?[\d.]+)'
)


def _fitbit(file: Contents) -> str:
    """Its values: month, day and year in this order, which the export never changes."""
    text = file.text()
    found = _BEAT.findall(text)
    if len(found) != text.count('"dateTime"') or not text.rstrip().endswith("]"):
        raise InputError("Fitbit's export must have a time and a value in each entry, to its end", remedy=_AGAIN)
    rows = [Row(f"20{year}-{month}-{day} {clock}", value) for month, day, year, clock, _, value in found]
    return _table("Fitbit's export", rows, "heart rate (bpm)" if found[0][4] else "measure", "device")


_UNITS = {"72": "Wh", "38": "W", "42": "m3", "119": "ft3", "169": "therm"}


def _green_button(file: Contents) -> str:
    """Its readings at the start of their intervals, in the unit and power of ten of their type; each kind apart."""
    root = parse_xml(file, "Green Button", "feed")
    types, related, blocks = dict[str, tuple[int, str, str]](), dict[str, list[str]](), list[tuple[str, list[Row]]]()
    for entry in root.iterfind(".//{*}entry"):
        links = [(link.get("rel", ""), link.get("href", "")) for link in entry.iterfind("{*}link")]
        own = next((href for rel, href in links if rel == "self"), "")
        if (kind := entry.find(".//{*}ReadingType")) is not None:
            if text_at(kind, "{*}accumulationBehaviour") in ("1", "3"):
                raise InputError(
                    "Green Button must have the values of intervals", value="those of a counter", remedy=_AGAIN
                )
            power = text_at(kind, "{*}powerOfTenMultiplier") or "0"
            power = power if re.fullmatch(r"-?\d{1,2}", power) else "0"
            direction = {"19": " delivered", "1": ""}.get(text_at(kind, "{*}flowDirection"), "")
            types[own] = int(power), _UNITS.get(text_at(kind, "{*}uom"), ""), direction
        if entry.find(".//{*}MeterReading") is not None:
            related[own] = [href for rel, href in links if rel == "related"]
        rows = [
            Row(_second(text_at(reading, "{*}timePeriod/{*}start")), text_at(reading, "{*}value"))
            for reading in entry.iterfind(".//{*}IntervalReading")
        ]
        blocks.append((own, rows))
    used, rows = list[str](), list[Row]()
    for own, part in (block for block in blocks if block[1]):
        reading = next((name for name in related if name and own.startswith(name)), "")
        kind_of = next((name for name in related.get(reading, ()) if name in types), next(iter(types), ""))
        power_of_ten, unit, direction = types.get(kind_of, (0, "", ""))
        whose = f"{reading.rpartition('/')[2]}{direction} {unit}".strip()
        used.append(unit)
        rows += [Row(row.time, _scaled(row.value, power_of_ten), whose) for row in part]
    unit = used[0] if len(set(used)) == 1 else ""
    return _table("Green Button", rows, f"{'power' if unit == 'W' else 'usage'}{f' ({unit})' if unit else ''}", "meter")


def _second(text: str) -> str:
    try:
        return datetime.fromtimestamp(int(text), UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return text[:20].replace(",", " ")


def _scaled(text: str, power: int) -> str:
    """A whole number times a power of ten, exactly; any other text as it is."""
    return f"{text}e{power}" if re.fullmatch(r"[+-]?\d{1,18}", text) and power else text[:20].replace(",", " ")


def _nem12(file: Contents) -> str:
    """Its values at the start of their intervals; its days are those of UTC+10 all year, as the format defines."""
    rows, units = list[Row](), list[str]()
    whose, unit, minutes, clocks = "", "", 0, list[str]()
    for number, line in enumerate(file.text().splitlines(), 1):
        cells = [cell.strip() for cell in line.split(",")]
        if cells[0] == "200" and len(cells) > 8:
            minutes = int(cells[8]) if cells[8] in ("1", "5", "15", "30") else 0
            clocks = [f"T{at // 60:02d}:{at % 60:02d}+10:00" for at in range(0, 24 * 60, minutes or 24 * 60)]
            unit = {"kwh": "kWh", "wh": "Wh", "mwh": "MWh", "kw": "kW", "w": "W"}.get(cells[7].lower(), cells[7])
            whose = f"{cells[1]} {cells[4]}{'' if unit.endswith('Wh') else f' {unit}'}"
        elif cells[0] == "300":
            count = 24 * 60 // minutes if minutes else 0
            try:
                day = datetime.strptime(cells[1], "%Y%m%d")
            except (ValueError, IndexError):
                count = 0
            if not count or len(cells) < count + 2:
                what = f"line {number:,} of NEM12 must have a day and a value for each interval of a 200 record"
                raise InputError(what, remedy=_AGAIN)
            units.append(unit)
            date = f"{day:%Y-%m-%d}"
            rows += [Row(date + clock, cell, whose) for clock, cell in zip(clocks, cells[2:], strict=False)]
            limit(len(rows))
    unit = f" ({units[0]})" if len(set(units)) == 1 else ""
    return _table("NEM12", rows, f"energy{unit}", "meter")


EXPORTS = (
    Export("Apple Health", lambda file: file.root == "healthdata", _apple),
    Export("Fitbit", lambda file: _FITBIT.match(file.beginning) is not None, _fitbit),
    Export("Green Button", lambda file: file.root == "feed" and b"naesb.org/espi" in file.beginning, _green_button),
    Export("NEM12", lambda file: file.beginning.startswith(b"100,NEM12"), _nem12),
)
