"""Reading FIT, which sports watches and bicycle computers write, with fitdecode: its records."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.trajectory.raw import MAX_TIMESTAMPS, RawPoints, too_many
from lmdk_widgets.trajectory.source import Contents
from lmdk_widgets.trajectory.words import counted

_DEGREES = 180 / 2**31
"""A semicircle, the unit of FIT's places, in degrees."""


def recognises(file: Contents) -> bool:
    """Whether it has the mark of FIT behind its first eight bytes."""
    return file.data[8:12] == b".FIT"


def read(file: Contents) -> RawPoints:
    """The points of a FIT file, numbered from 1 as its records follow; times are UTC by definition.

    A record without a place, as watches write one while they look for satellites, is left out and counted.

    Raises
    ------
    InputError for a damaged file, for one without places, and where fitdecode is not installed.
    """
    fitdecode = library("fitdecode", "FIT")
    rows: list[tuple[int, str, float, float]] = []
    count = 0
    try:
        for count, fields in enumerate(_records(fitdecode, file.data), 1):
            if count > MAX_TIMESTAMPS:
                raise too_many("more")
            north, east, time = (fields.get(name) for name in ("position_lat", "position_long", "timestamp"))
            if isinstance(north, int) and isinstance(east, int):
                rows.append((count, _written(time), north * _DEGREES, east * _DEGREES))
    except (InputError, MemoryError):
        raise
    except Exception:  # damage brings fitdecode down in many ways
        raise InputError(
            "FIT must be whole and undamaged",
            value=f"an error after {counted(count, 'record')}",
            remedy="Copy it again",
        ) from None
    if not rows:
        raise InputError(
            "FIT must have records with a place",
            value=f"{counted(count, 'record')} without one" if count else "no record",
            remedy="Choose an activity that was recorded with satellites, outdoors",
        )
    numbers, times, latitude, longitude = zip(*rows, strict=True)
    raw = RawPoints("FIT", np.array(latitude), np.array(longitude), times, np.array(numbers, np.int64), "point")
    if left_out := count - len(rows):
        raw.notices.append(f"{counted(left_out, 'point without a place was', 'points without a place were')} left out.")
    return raw


def _records(fitdecode: Any, data: bytes) -> Iterator[dict[str, Any]]:
    """The fields of each record; the sum of checks at the end of the file must be right."""
    strict, quiet = fitdecode.CrcCheck.RAISE, fitdecode.ErrorHandling.IGNORE
    with fitdecode.FitReader(BytesIO(data), check_crc=strict, error_handling=quiet) as frames:
        for frame in frames:
            if frame.frame_type == fitdecode.FIT_FRAME_DATA and frame.name == "record":
                yield {field.name: field.value for field in frame.fields}


def _written(time: object) -> str:
    """A time as a text, or "" where the watch knew none."""
    return time.astimezone(UTC).isoformat() if isinstance(time, datetime) else ""
