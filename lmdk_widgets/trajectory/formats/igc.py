"""Reading IGC, the files of flight recorders: a B record for each fix with its time of day in UTC; the day is in HFDTE."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.source import Contents, Format

_DAY = re.compile(r"^HFDTE(?:DATE:)?\s*(\d\d)(\d\d)(\d\d)", re.MULTILINE | re.IGNORECASE)
_FIX = re.compile(r"^B(\d\d)(\d\d)(\d\d)(\d\d)(\d{5})([NS])(\d{3})(\d{5})([EW])([AV])", re.MULTILINE)
_HALF_DAY_S = 43_200


def read(file: Contents) -> RawPoints:
    """The fixes of a flight, by line; a flight over midnight goes on the day after.

    Raises
    ------
    InputError for a file without a day or without fixes.
    """
    text = file.data.decode("utf-8", "replace")
    day, fixes = _DAY.search(text), list(_FIX.finditer(text))
    if not day or not fixes:
        missing = "fixes (B records)" if day else "the day of its flight (HFDTE)"
        raise InputError(f"IGC must have {missing}", remedy="Copy it again from the recorder")
    cells = np.array([fix.groups() for fix in fixes])
    hour, minute, second, north_deg, north_min, _, east_deg, east_min = (
        cells[:, k].astype(int) for k in (0, 1, 2, 3, 4, 0, 6, 7)
    )
    clock_s = (hour * 60 + minute) * 60 + second
    midnights = np.cumsum(np.r_[0, np.diff(clock_s) < -_HALF_DAY_S])
    number, month, year = map(int, day.groups())
    try:
        start = np.datetime64(f"{2000 + year if year < 80 else 1900 + year}-{month:02}-{number:02}", "s")
    except ValueError:
        raise InputError("IGC must have the day of its flight (HFDTE)", value="a day that does not exist") from None
    time = start + (clock_s + 86_400 * midnights).astype("timedelta64[s]")
    latitude = (north_deg + north_min / 60_000) * np.where(cells[:, 5] == "S", -1, 1)
    longitude = (east_deg + east_min / 60_000) * np.where(cells[:, 8] == "W", -1, 1)
    starts = pairwise([0, *(fix.start() for fix in fixes)])
    lines = 1 + np.cumsum([text.count("\n", begin, end) for begin, end in starts])
    raw = RawPoints(latitude, longitude, [f"{each}Z" for each in time.astype(str)], lines, "line")
    wrong = np.flatnonzero((hour > 23) | (minute > 59) | (second > 59)).tolist()
    raw.add_problems(dict.fromkeys(wrong, "there is no such time of day"))
    unread = text.count("\nB") - len(fixes)
    raw.note_left_out(unread, "fix that cannot be read was", "fixes that cannot be read were")
    return raw


FORMAT = Format(
    "IGC",
    (".igc",),
    lambda file: (
        re.match(rb"A[A-Z0-9]{3}", file.beginning) is not None and re.search(rb"\nHFDTE", file.beginning) is not None
    ),
    read,
    written_by="flight recorders of gliders and paragliders",
)
