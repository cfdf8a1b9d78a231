"""Reading NMEA 0183, a satellite receiver's log, with pynmea2: its RMC sentences contain place, time and date."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.trajectory.raw import RawPoints, limit
from lmdk_widgets.trajectory.source import Contents, Format
from lmdk_widgets.trajectory.words import counted

_SENTENCE = re.compile(rb"[$!][A-Z][A-Z0-9]{3,8},")
_RMC = re.compile(r"\$[A-Z]{2}RMC,.*")  # a logger may write its own time before it


def recognises(file: Contents) -> bool:
    """Whether it starts with an NMEA sentence.

    Examples
    --------
    >>> recognises(Contents(b"$GPGGA,,,,,,0,,,,,,,,*66")), recognises(Contents(b"$price,lat,lon"))
    (True, False)
    """
    return _SENTENCE.match(file.beginning) is not None


def read(file: Contents) -> RawPoints:
    """The points in an NMEA log, numbered by line; times are UTC by definition.

    Sentences in which the receiver says that it has no fix are left out and counted.

    Raises
    ------
    InputError for a log without RMC sentences or without a fix, and if pynmea2 is not installed.
    """
    pynmea2 = library("pynmea2", "NMEA")
    found = _Found()
    for number, line in enumerate(file.data.decode("ascii", "replace").splitlines(), 1):
        if sentence := _RMC.search(line):
            found.add(pynmea2, number, sentence[0])
    if not found.numbers:
        raise InputError(
            "NMEA must have RMC sentences with a fix, which contain place, time and date",
            value=f"{counted(found.void, 'sentence')} without a fix" if found.void else "no RMC sentence",
            remedy="Log RMC too" if not found.void else "",
        )
    latitude, longitude = np.array(found.places, float).T
    raw = RawPoints(latitude, longitude, found.times, np.array(found.numbers, np.int64), "line", found.problems)
    raw.note_left_out(found.void, "line without a fix was", "lines without a fix were")
    return raw


class _Found:
    """The contents of the sentences so far."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.times: list[str] = []
        self.places: list[tuple[float, float]] = []
        self.problems: dict[int, str] = {}
        self.void = 0

    def add(self, pynmea2: Any, number: int, text: str) -> None:
        """Add an RMC sentence."""
        time, place, problem = "", (np.nan, np.nan), ""
        try:
            sentence = pynmea2.parse(text.strip())
            if sentence.status != "A":
                self.void += 1
                return
            time, place = _time(sentence), (float(sentence.latitude), float(sentence.longitude))
        except pynmea2.ChecksumError:
            problem = "the checksum at its end is wrong"
        except (pynmea2.ParseError, ValueError, TypeError, AttributeError, IndexError):
            problem = "it is not a complete RMC sentence"
        limit(len(self.numbers) + 1)
        if problem:
            self.problems[len(self.numbers)] = problem
        self.numbers.append(number)
        self.times.append(time)
        self.places.append(place)


def _time(sentence: Any) -> str:
    """Date and time of a sentence as text, or "" if one is missing."""
    date, time = sentence.datestamp, sentence.timestamp
    if not date or not time:
        return ""
    return datetime.combine(date, time.replace(tzinfo=UTC)).isoformat()


FORMAT = Format(
    "NMEA",
    (".nmea", ".nma", ".log"),
    recognises,
    read,
    written_by="satellite receivers; the log must have RMC sentences",
    library="pynmea2",
)
