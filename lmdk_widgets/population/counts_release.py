"""A private release of counts of people: exact noise, a guarantee, and an entry in the ledger.

What is written depends on the table only through the noisy counts. Which rows there are, in which order, and every sentence
follow from the public settings: not the number of people, no name, no date and no file name of the table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

import numpy as np

from lmdk_widgets.checks import one_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region
from lmdk_widgets.population.contributions import STAYED_H, WEEK_H, Contributions, Counting, Whole
from lmdk_widgets.population.count_streams import stream
from lmdk_widgets.population.counts_of_people import Protection, kept
from lmdk_widgets.population.together import Rows
from lmdk_widgets.secure.exact import Entropy, system_entropy
from lmdk_widgets.secure.files import check_free
from lmdk_widgets.secure.folder import (
    NAMES,
    digest_of,
    guarantee_text,
    page_holds,
    whole_guarantee,
    write_release,
)
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.people_counts import TITLE, exact_draw, with_words
from lmdk_widgets.secure.together import Together
from lmdk_widgets.trajectory.words import counted

RELEASED: dict[str, str] = {
    "event": "event",
    "user": "user",
    "window": "window",
    "budget-distribution": "window",
    "budget-absorption": "window",
}
"""The schemes of a release, and what each protects, a key of `LEVELS`."""

STREAMED = ("budget-distribution", "budget-absorption")
WHAT = "a private release of counts of people, and not a simulation"


HEADINGS = {
    "presence": "latitude,longitude",
    "trips": "from_latitude,from_longitude,to_latitude,to_longitude",
    "dwell": "latitude,longitude,stayed_h_from",
}
"""Of the places in release.csv, by what is counted."""

ONLY = "Only the owner’s ledger shows that these files are those that were released, and how often the table was."

_ROUNDED = 1e-6
"""Places have six decimals, degrees."""


@dataclass(frozen=True)
class Plan:
    """Everything that is public about a release of counts.

    Attributes
    ----------
    counting : which counts there are. scheme : a key of `RELEASED`. epsilon : above 0.
    most : at user level, the most contributions of a person. window : otherwise, how many time slots in a row.

    Raises
    ------
    InputError : an unknown scheme; a limit, a window or a weekly count that the scheme does not have.
    """

    counting: Counting
    scheme: str
    epsilon: float
    most: int = 1
    window: int = 1

    def __post_init__(self) -> None:
        one_of(self.scheme, "the scheme of a release of counts", tuple(RELEASED))
        if self.level != "user" and self.most != 1:
            what = f"Under {self.scheme}, a person counts once in each time slot or cell: the limit must be 1"
            raise InputError(what, value=self.most, remedy="Choose the scheme user for another limit")
        if self.level == "window" and self.window > self.counting.bins:
            what = f"The window must be at most the {self.counting.bins:,} time slots of the period"
            raise InputError(what, value=f"{self.window:,}")
        if self.scheme in STREAMED and self.counting.weekly:
            raise InputError("A stream must not be weekly: each time slot is published as it ends", value=self.scheme)
        Protection(self.level, self.epsilon, self.most, self.window)  # checks them

    @property
    def level(self) -> str:
        return RELEASED[self.scheme]

    @property
    def protection(self) -> Protection:
        return Protection(self.level, self.epsilon, self.most, self.window)

    def told(self) -> dict[str, Any]:
        """The guarantee without what depends on the ledger and on the noisy counts."""
        counting, level = self.counting, self.level
        return with_words(
            {
                "what": WHAT,
                "counted": counting.what,
                "level": level,
                "scheme": self.scheme,
                "epsilon": self.epsilon,
                "most": self.most if level == "user" else None,
                "window": self.window if level == "window" else None,
                "sensitivity": self.protection.sensitivity,
                "region": list(counting.region.limits),
                "cell_m": counting.cell_m,
                "from": str(counting.start),
                "until": str(counting.until),
                "zone": counting.zone,
                "slot_h": counting.hours,
                "weekly": counting.weekly,
                "counts": len(counting),
                "mechanism": TITLE,
            }
        )

    @classmethod
    def stated(cls, told: Mapping[str, Any]) -> Plan:
        """The plan that a guarantee states."""
        period, how = (told["from"], told["until"]), (told["slot_h"], told["weekly"], told["counted"], told["zone"])
        counting = Counting(Region(*told["region"]), told["cell_m"], *period, *how)
        return cls(counting, told["scheme"], told["epsilon"], told["most"] or 1, told["window"] or 1)


def release_counts_of_people(
    rows: Rows,
    plan: Plan,
    folder: Path,
    ledger: Ledger,
    *,
    again: bool = False,
    entropy: Entropy = system_entropy,
) -> dict[str, Any]:
    """Release noisy counts of a table's people, record it in the ledger, and write it to a folder.

    Parameters
    ----------
    rows : of the table. plan : all that is public. folder : new, or without a release. again : see `Ledger.spend`.
    entropy : source of uniform words; anything but the operating system's is for tests.

    Returns
    -------
    The guarantee, as in guarantee.json.

    Raises
    ------
    InputError : a folder that contains a release; a table that was released before, unless `again`; a budget so small that
        the noise does not fit.

    Notes
    -----
    The cut is drawn from a new secret and from each person's own contributions, so one person more or less does not change
    what counts of the others; the secret is not kept.
    """
    folder = Path(folder)
    check_free(folder, NAMES)
    text = rows_text(plan.counting, noisy(Contributions.of(rows, plan.counting), plan, entropy))
    spent = {"scheme": plan.scheme, "epsilon": plan.epsilon}
    return write_release(
        folder,
        plan.told(),
        text,
        ledger,
        lambda files: ledger.spend(_content(rows), spent, again=again, files=files),
    )


def noisy(found: Contributions, plan: Plan, entropy: Entropy) -> Whole:
    """(counts,) what may be published."""
    secret, draw = entropy(8).tobytes(), exact_draw(entropy)
    which = kept(found, plan.protection, _order(found, secret))
    if plan.scheme in STREAMED:
        return stream(found.by_bin(which), plan.scheme, plan.epsilon, plan.window, draw).values.ravel()
    return found.added(which) + draw(plan.protection.rate, len(found.counting))


def _order(found: Contributions, secret: bytes) -> Whole:
    """(n,) random numbers of a secret, of which each depends on the person's name and the contribution only."""
    names = [name.encode() for name in found.names.tolist()]
    each = zip(found.person.tolist(), found.bin.tolist(), found.kind.tolist(), strict=True)
    drawn = (blake2b(b"%d %d %s" % (at, kind, names[p]), digest_size=7, key=secret).digest() for p, at, kind in each)
    return np.fromiter((int.from_bytes(each) for each in drawn), np.int64, len(found))


def _content(rows: Rows) -> bytes:
    """A table as bytes that are the same whenever its rows are."""
    arrays = (rows.starts, rows.time.astype("datetime64[ns]"), rows.latitude, rows.longitude)
    parts = ["\0".join(rows.names.tolist()).encode(), *(np.ascontiguousarray(each).tobytes() for each in arrays)]
    return b"people " + b"".join(sha256(part).digest() for part in parts)


def rows_text(counting: Counting, values: Whole) -> str:
    """release.csv: a row for each count, slot by slot."""
    heading = HEADINGS[counting.what]
    first = "hour_of_week" if counting.weekly else "time"
    public = _public(counting)
    lines = (f"{row},{value}\n" for row, value in zip(public, values.tolist(), strict=True))
    return f"{first},{heading},count\n" + "".join(lines)


def _public(counting: Counting) -> Iterator[str]:
    """The public part of each row."""
    latitude, longitude = counting.region.frame.to_degrees(counting.area.points_m)
    cells = [f"{y:.6f},{x:.6f}" for y, x in zip(latitude.tolist(), longitude.tolist(), strict=True)]
    kinds = np.arange(counting.kinds)
    if counting.what == "trips":
        start, end = counting.ends_of(kinds)
        places = [f"{cells[a]},{cells[b]}" for a, b in zip(start.tolist(), end.tolist(), strict=True)]
    elif counting.what == "dwell":
        places = [f"{cell},{hours:g}" for cell in cells for hours in STAYED_H]
    else:
        places = cells
    for slot in range(counting.slots):
        hours = slot * counting.hours
        at = (
            str(hours)
            if counting.weekly
            else str((counting.start + np.timedelta64(hours, "h")).astype("datetime64[m]"))
        )
        yield from (f"{at},{place}" for place in places)


def is_counts_release(folder: Path) -> bool:
    """Whether a folder has the guarantee of a release of counts."""
    try:
        return bool(json.loads((folder / NAMES[0]).read_text("utf-8")).get("what") == WHAT)
    except (OSError, ValueError, AttributeError):
        return False


def check_counts(folder: Path, ledger: Ledger | None = None) -> list[tuple[bool | None, str]]:
    """What can be found out about a release of counts without the table: statements, and whether each holds.

    Parameters
    ----------
    folder : of the release. ledger : the owner's; None for those who receive the release.

    Raises
    ------
    InputError : a file is missing or damaged.
    """
    try:
        files = {name: (folder / name).read_bytes().decode("utf-8") for name in NAMES}
        told = json.loads(files[NAMES[0]])
        plan = Plan.stated(told)
        restated = whole_guarantee(plan.told(), Together(int(told["release_of_these_data"])), told["release_sha256"])
    except FileNotFoundError as error:
        raise InputError("The folder must contain a release", value=f"no {Path(str(error.filename)).name}") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError("The folder must contain a release", value=f"a damaged {NAMES[0]}") from None
    text = files[NAMES[-1]]
    received = received_counts(told, text)
    only = received.pop() if received[-1][0] is None else None
    found = [
        *received,
        (files[NAMES[0]] == guarantee_text(restated), f"{NAMES[0]} is written exactly as it follows from its numbers."),
        *page_holds(files[NAMES[1]], restated),
        (
            _has_rows(text, plan.counting),
            f"{NAMES[-1]} has a row with a whole number for each public cell and time slot.",
        ),
    ]
    if ledger is None:
        return [*found, only or (None, ONLY)]
    named = {name: ledger.digest(f"file {name}\n{file}".encode()) for name, file in files.items()}
    same = any(entry.get("files") == named for entry in ledger.entries())
    return [*found, (same, "The files are, byte for byte, those of a release in the ledger.")]


def received_counts(told: Mapping[str, Any], text: str) -> list[tuple[bool | None, str]]:
    """What guarantee.json and release.csv show by themselves: the page of a release says the same.

    Parameters
    ----------
    told : the guarantee. text : release.csv.
    """
    what, region = told["counted"], told["region"]
    heading, *lines = text.removesuffix("\n").split("\n")
    place = r"-?\d+\.\d{6},-?\d+\.\d{6}"
    where = ",".join([place] * (2 if what == "trips" else 1)) + (r",\d+(?:\.\d+)?" if what == "dwell" else "")
    at = r"\d+" if told["weekly"] else r"\d{4}-\d\d-\d\dT\d\d:\d\d"
    row = re.compile(f"({at}),({where}),-?\\d+", re.ASCII)
    rows = [row.fullmatch(line) for line in lines]
    named = f"{'hour_of_week' if told['weekly'] else 'time'},{HEADINGS[what]},count"
    wrong = sum(found is None for found in rows) + (heading != named)
    n, counts = len(rows), told["counts"]
    statements: list[tuple[bool | None, str]] = [
        (digest_of(text) == told["release_sha256"], f"{NAMES[-1]} has the digest that the guarantee states."),
        (n == counts, f"{NAMES[-1]} has {counted(n, 'row')}, the guarantee says {counts:,}."),
        (not wrong, f"{counted(wrong, 'line')} of {NAMES[-1]} without a time slot, its places and a whole number."),
    ]
    if wrong or not n:
        return statements
    slots = _slots(told)
    kinds = max(1, counts // len(slots))
    read = [(found[1], found[2]) for found in rows if found]
    places = [where for _, where in read[:kinds]]
    expected = ((slots[k // kinds] if k // kinds < len(slots) else "", places[k % kinds]) for k in range(n))
    other = sum(one != right for one, right in zip(read, expected, strict=True))
    numbers = [[float(each) for each in where.split(",")] for where in places]
    ends = [[one[:2], *([one[2:]] if what == "trips" else [])] for one in numbers]
    beyond = sum(not all(_is_in(region, *end) for end in pair) for pair in ends)
    twice = len(places) - len(set(places))
    return [
        *statements,
        (
            not other,
            f"{counted(other, 'row')} without the next time slot of the period, or without the next of its places.",
        ),
        (
            not beyond and not twice,
            f"{counted(beyond, 'place')} outside the region, {counted(twice, 'place')} there twice.",
        ),
        (None, ONLY),
    ]


def _slots(told: Mapping[str, Any]) -> list[str]:
    """The time slots in their order, as release.csv writes them."""
    hours = told["slot_h"]
    if told["weekly"]:
        return [str(at) for at in range(0, WEEK_H, hours)]
    slots = np.arange(np.datetime64(told["from"], "h"), np.datetime64(told["until"], "h"), np.timedelta64(hours, "h"))
    return [*map(str, slots.astype("datetime64[m]"))]


def _is_in(region: Sequence[float], latitude: float, longitude: float) -> bool:
    south, west, north, east = region
    after, before = longitude >= west - _ROUNDED, longitude <= east + _ROUNDED
    across = (after and before) if west <= east else (after or before)
    return south - _ROUNDED <= latitude <= north + _ROUNDED and across


def _has_rows(text: str, counting: Counting) -> bool:
    heading, *rows = text.removesuffix("\n").split("\n")
    parts = [row.rpartition(",") for row in rows]
    whole = all(value.removeprefix("-").isdecimal() for _, _, value in parts)
    right = rows_text(counting, np.zeros(len(counting), np.int64)).removesuffix("\n").split("\n")
    return whole and heading == right[0] and [f"{row},0" for row, _, _ in parts] == right[1:]
