"""A small file in every format that is read, made here or written by other software, and what the page says of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import NamedTuple

from tests.trajectory.test_geopackage import geopackage
from tests.trajectory.test_json_tree import SHAPES, as_bytes, visit
from tests.trajectory.test_load_devices import written
from tests.trajectory.test_load_gpx import point, track
from tests.trajectory.test_load_parquet import LATITUDE, LONGITUDE, parquet, zoned
from tests.trajectory.test_load_source import GEOLIFE
from tests.trajectory.test_opened import APPLE, CSV, FITBIT, IGC, KML, METER, green, nem12, workbook, zipped
from tests.trajectory.test_research_files import CABSPOTTING, GOWALLA, T_DRIVE


class Example(NamedTuple):
    """A file: its name, its bytes, how many timestamps it has, its format as said, the button that answers what is asked."""

    name: str
    made: Callable[[], bytes]
    count: int
    said: str
    click: str = ""
    library: str = ""


ZONE, YES = "Use Europe/Berlin", "Yes, read it so"
ANIMALS = b"timestamp,location-long,location-lat,individual-local-identifier\n" + b"".join(
    b"2024-05-04 06:0%d:00.000,%d.5,%d.2,%c\n" % (k, 11 + k % 2, 48 + k % 2, b"ab"[k % 2]) for k in range(8)
)
TIMELINE = json.dumps({"semanticSegments": [visit(0, 10, "48.1°, 11.1°"), visit(10, 30, "48.2°, 11.2°")]}).encode()
RECORDS = {
    "locations": [
        {"latitudeE7": 481000000 + k, "longitudeE7": 111000000, "timestampMs": 1_714_802_400_000 + 60_000 * k}
        for k in range(4)
    ]
}
NOWHERE = b"time,temperature,Humidity\n" + b"".join(
    b"2024-05-04T06:%02dZ,%d.5,%d\n" % (k, k % 7, k % 5) for k in range(9)
)
PLACES = b"2024-05-04T06:00:00Z;11.5000;48.2000\n2024-05-04T06:05:00Z;11.5030;48.2020\n"


def _shape(name: str, said: str, file: str = "") -> Example:
    return Example(file or f"{said.split()[0].lower()}.json", lambda: as_bytes(SHAPES[name]), 12, said)


FILES = [
    Example("table.csv", lambda: CSV, 2, "CSV"),
    Example("animals.csv", lambda: ANIMALS, 4, "CSV", YES),
    Example("bare.csv", lambda: PLACES, 2, "CSV", "Load with these columns"),
    Example("weather.csv", lambda: NOWHERE, 9, "", "Yes: "),
    _shape("GeoJSON whose type is last", "GeoJSON", "places.geojson"),
    _shape("kepler.gl", "GeoJSON", "trip.geojson"),
    Example("walk.gpx", lambda: track(*map(point, range(5))), 5, "GPX"),
    Example("route.gpx", lambda: written("route.gpx"), 6, "GPX"),
    Example("walk.tcx", lambda: written("walk.tcx"), 6, "TCX"),
    Example("walk.fit", lambda: written("walk.fit"), 6, "FIT", library="fitdecode"),
    Example("walk.nmea", lambda: written("walk.nmea"), 6, "NMEA", library="pynmea2"),
    Example("walk.kml", lambda: written("walk.kml"), 6, "KML"),
    Example("geolife.plt", lambda: GEOLIFE.encode(), 1, "Geolife .plt"),
    Example("flight.igc", lambda: IGC, 2, "IGC"),
    Example("layer.gpkg", geopackage, 6, "GeoPackage"),
    Example(
        "rows.parquet",
        lambda: parquet({"lat": LATITUDE, "lon": LONGITUDE, "timestamp": zoned()}),
        3,
        "Parquet",
        library="pyarrow",
    ),
    Example("7.txt", lambda: T_DRIVE, 12, "T-Drive, Cabspotting, Gowalla", ZONE),
    Example("new_abboip.txt", lambda: CABSPOTTING, 12, "T-Drive, Cabspotting, Gowalla"),
    Example("checkins.txt", lambda: GOWALLA, 6, "T-Drive, Cabspotting, Gowalla", "0 (6 rows)"),
    Example("Timeline.json", lambda: TIMELINE, 3, "Google's Timeline"),
    Example("Records.json", lambda: json.dumps(RECORDS).encode(), 4, "Google's Records"),
    _shape("OwnTracks .rec", "OwnTracks", "phone.rec"),
    _shape("Overland", "Overland"),
    _shape("MF-JSON", "MF-JSON"),
    _shape("Traccar", "JSON", "traccar.json"),
    _shape("Polarsteps", "JSON", "steps.json"),
    Example("export.xml", lambda: APPLE, 3, "Apple Health"),
    Example("heart_rate.json", lambda: FITBIT, 3, "Fitbit", ZONE),
    Example("usage.xml", green, 8, "Green Button"),
    Example("meter.csv", lambda: nem12("E1", days=1), 48, "NEM12"),
    Example("sheet.xlsx", lambda: workbook(METER), 96, "Excel", ZONE, library="python_calamine"),
    Example("walk.zip", lambda: zipped(("a/track.csv", CSV), ("readme.txt", b"")), 2, "CSV"),
    Example("walk.kmz", lambda: zipped(("doc.kml", KML)), 1, "KML"),
    Example("walk.csv.gz", lambda: gzip.compress(CSV, mtime=0), 2, "CSV"),
]
"""At least one of each format, and of each kind of archive."""
