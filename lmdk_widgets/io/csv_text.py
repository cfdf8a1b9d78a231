"""A release as CSV."""

from __future__ import annotations

import csv
import io

from numpy.typing import ArrayLike

from lmdk_widgets.io.released import DECIMALS, checked_note, released


def release_csv(time: ArrayLike, latitude: ArrayLike, longitude: ArrayLike, *, note: str) -> str:
    """A release as CSV: time, latitude, longitude and the note, one row for every timestamp.

    A timestamp without a release keeps its row, with empty coordinates: rows then count timestamps in every file of one
    track, and that nothing was released there is no secret. `load_trajectory` reads the file again, and asks before it
    leaves such rows out.

    Parameters
    ----------
    time : (n,) datetime64, UTC; written as ISO 8601 with a Z.
    latitude, longitude : (n,) released degrees, in [-90, 90] and [-180, 180], NaN where there is no release; written
        with six decimals (0.11 m). Never pass true places.
    note : repeated in every row, so that it survives a row being copied.

    Raises
    ------
    InputError : see `lmdk_widgets.io.released`.

    Examples
    --------
    >>> import numpy as np
    >>> time = np.array(["2026-01-26T08:00", "2026-01-26T09:00"], "datetime64[ns]")
    >>> print(release_csv(time, [np.nan, 48.85], [np.nan, 2.25], note="simulation, not a private release"), end="")
    time,latitude,longitude,note
    2026-01-26T08:00:00Z,,,"simulation, not a private release"
    2026-01-26T09:00:00Z,48.850000,2.250000,"simulation, not a private release"
    """
    rows, said = released(time, latitude, longitude), _field(checked_note(note))
    places = zip(rows.times, rows.latitude.tolist(), rows.longitude.tolist(), rows.present.tolist(), strict=True)
    lines = [
        f"{when},{north:.{DECIMALS}f},{east:.{DECIMALS}f},{said}" if present else f"{when},,,{said}"
        for when, north, east, present in places
    ]
    return "\n".join(["time,latitude,longitude,note", *lines, ""])


def _field(text: str) -> str:
    """A text as a field of a CSV file, in quotation marks where it needs them."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([text])
    return out.getvalue()
