"""A user's own track: how its file is read for the page, and which of its days can be chosen."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.page.own_file import named
from lmdk_widgets.trajectory import Series, Trajectory
from lmdk_widgets.trajectory.series_reader import load_data
from lmdk_widgets.trajectory.zones import find_zone, to_local


def read_track(data: bytes, name: str, **options: Any) -> tuple[Trajectory, dict[str, Any]]:
    """A track, and where Python reads it again; the user chooses where a file contains several people.

    Parameters
    ----------
    options : those of `load_trajectory` that the user has chosen.
    """
    track = load_data(data, **{"on_several": "stop"} | options)
    series = {"series": True} if isinstance(track, Series) else {}
    return named(track, name), {"path": name or "track", **options, **series}


def days_of(track: Trajectory) -> list[str]:
    """The first and the last day of a track by its clock; empty where that is one day, and for a series.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> days_of(sample("commuter")), days_of(sample("bob"))
    (['2026-03-02', '2026-03-08'], [])
    """
    if isinstance(track, Series):
        return []
    first, last = to_local(track.time[[0, -1]], find_zone(track.zone or "UTC")).astype("datetime64[D]").astype(str)
    return [] if first == last else [str(first), str(last)]


def has_days(found: tuple[Trajectory, dict[str, Any]]) -> bool:
    """Whether some days of a track that was read can be chosen, or were chosen."""
    track, source = found
    return bool(source.get("days") or days_of(track))


def is_without_zone(track: Trajectory) -> bool:
    """Whether the file of a track named no time zone: the page asks for it with the region. A series has no region."""
    return track.zone in ("", "UTC") and not isinstance(track, Series)


class Days:
    """The days of the file that was read last, while its track is the present one."""

    def __init__(self) -> None:
        self._track: Trajectory | None = None
        self._whole: list[str] = []
        self._chosen: list[str] = []

    def loaded(self, track: Trajectory, source: dict[str, Any]) -> None:
        """Records a track that was read; one of some days leaves the days of its whole file as they were."""
        self._track, self._chosen = track, list(source.get("days") or ())
        if not self._chosen:
            self._whole = days_of(track)

    def of(self, track: Trajectory) -> list[str]:
        """First and last day of the whole file, then those that are shown; empty where there is nothing to choose."""
        return [*self._whole, *(self._chosen or self._whole)] if track is self._track and self._whole else []
