"""Reading a Geolife .plt: six heading lines, then latitude, longitude, 0, feet, days, date and time in GMT."""

from __future__ import annotations

from itertools import islice

from lmdk_widgets.trajectory.formats.csv import lines_of, read_rows, table_points
from lmdk_widgets.trajectory.raw import RawPoints
from lmdk_widgets.trajectory.source import Contents, Format

HEADING_LINES = 6
_LATITUDE, _LONGITUDE, _DATE, _TIME, _WIDTH = 0, 1, 5, 6, 7


def is_geolife(beginning: bytes) -> bool:
    """Whether a file that begins like this is a Geolife .plt."""
    return beginning[:200].lower().startswith(b"geolife trajectory")


def read(file: Contents) -> RawPoints:
    """The points in a Geolife .plt (Zheng et al., GeoLife GPS Trajectories user guide 1.3); its times are GMT."""
    lines = islice(lines_of(file), HEADING_LINES, None)
    wanted = (_LATITUDE, _LONGITUDE, _DATE, _TIME)
    (latitude, longitude, dates, clocks), numbers, problems = read_rows(lines, ",", _WIDTH, wanted, HEADING_LINES + 1)
    times = [f"{date} {clock}".strip() for date, clock in zip(dates, clocks, strict=True)]
    points = table_points(latitude, longitude, times, numbers, problems)
    points.fixed_zone = "Geolife defines"
    return points


FORMAT = Format(
    "Geolife .plt",
    (".plt",),
    lambda file: is_geolife(file.beginning),
    read,
    written_by="the data set of this name",
)
