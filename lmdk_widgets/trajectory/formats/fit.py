"""Reading the records in FIT files, which sports watches and bicycle computers write, with fitdecode."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.trajectory.raw import RawPoints, limit
from lmdk_widgets.trajectory.source import Contents, Format
from lmdk_widgets.trajectory.words import counted

_DEGREES = 180 / 2**31
"""A semicircle, the unit of FIT's places, in degrees."""


def read(file: Contents) -> RawPoints:
    """The points in a FIT file, numbered from 1 in the order of its records; times are UTC by definition.

    Records without a place, which watches write while they look for satellites, are left out and counted.

    Raises
    ------
    InputError for a damaged file, for one without places, and if fitdecode is not installed.
    """
    fitdecode = library("fitdecode", "FIT")
    rows: list[tuple[int, str, float, float]] = []
    count = 0
    try:
        for count, fields in enumerate(_records(fitdecode, file.data), 1):
            limit(count)
            north, east, time = (fields.get(name) for name in ("position_lat", "position_long", "timestamp"))
            if isinstance(north, int) and isinstance(east, int):
                rows.append((count, _written(time), north * _DEGREES, east * _DEGREES))
    except (InputError, MemoryError):
        raise
    except Exception:  # damaged files make fitdecode fail in many ways
        raise InputError(
            "the FIT file must be complete and undamaged",
            value=f"an error after {counted(count, 'record')}",
            remedy="Copy it again",
        ) from None
    if not rows:
        raise InputError(
            "FIT must have records with a place",
            value=f"{counted(count, 'record')} without one" if count else "no record",
            remedy="Choose an activity recorded outdoors, with satellite positioning",
        )
    numbers, times, latitude, longitude = zip(*rows, strict=True)
    raw = RawPoints(np.array(latitude), np.array(longitude), times, np.array(numbers, np.int64))
    raw.note_left_out(count - len(rows), "point without a place was", "points without a place were")
    return raw


def _records(fitdecode: Any, data: bytes) -> Iterator[dict[str, Any]]:
    """The fields of each record; the checksum at the end of the file must be correct."""
    strict, quiet = fitdecode.CrcCheck.RAISE, fitdecode.ErrorHandling.IGNORE
    with fitdecode.FitReader(BytesIO(data), check_crc=strict, error_handling=quiet) as frames:
        for frame in frames:
            if frame.frame_type == fitdecode.FIT_FRAME_DATA and frame.name == "record":
                yield {field.name: field.value for field in frame.fields}


def _written(time: object) -> str:
    """A time as text, or "" if the watch did not know it."""
    return time.astimezone(UTC).isoformat() if isinstance(time, datetime) else ""


FORMAT = Format(
    "FIT",
    (".fit",),
    lambda file: file.data[8:12] == b".FIT",
    read,
    is_binary=True,
    written_by="sports watches and bicycle computers",
    library="fitdecode",
)
