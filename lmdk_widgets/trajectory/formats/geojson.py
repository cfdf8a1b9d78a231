"""Reading GeoJSON (RFC 7946): Points that each have a time, or lines with `coordTimes`, or trips of kepler.gl."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.columns import add_columns, find_columns, times_in
from lmdk_widgets.trajectory.formats.markup import parse_json, place_of
from lmdk_widgets.trajectory.raw import RawPoints, check_line, is_wgs84, written
from lmdk_widgets.trajectory.source import Contents, Format, OtherKind
from lmdk_widgets.trajectory.words import printable

_GEOMETRIES = (
    *("Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection"),
)
_EARLIEST = 1e8  # seconds since 1970; a smaller fourth number is another measure
_TYPED = re.compile(rf'"type"\s*:\s*"(?:{"|".join(("FeatureCollection", "Feature", *_GEOMETRIES))})"'.encode())
_TAIL = 1_000
_LAST = re.compile(rb'\]\s*,[^\[\]]*"type"\s*:\s*"FeatureCollection"[^\[\]]*\}\s*$')
_HOW = 'Points with a "time" in their properties, or a LineString with "coordTimes"'


def read(file: Contents) -> RawPoints:
    """The points in a GeoJSON file.

    The times of a LineString or MultiLineString are in the property `coordTimes` (or `times`, or
    `coordinateProperties.times`), one for each position. If the file has such lines, separate Points are left out.

    Raises
    ------
    InputError for JSON that is damaged or not GeoJSON, for other geometries, and for places without times.
    """
    features = [feature for feature in _features(parse_json(file.text())) if isinstance(feature.get("geometry"), dict)]
    kinds = [feature["geometry"].get("type") for feature in features]
    lines = [f for f, kind in zip(features, kinds, strict=True) if kind in ("LineString", "MultiLineString")]
    points = [f for f, kind in zip(features, kinds, strict=True) if kind == "Point"]
    with_times = [line for line in lines if _line_times(line) is not None]
    if with_times:
        raw = _from_lines(with_times)
        left_out = len(features) - len(with_times)
    elif points:
        raw = _from_points(points)
        left_out = len(features) - len(points)
    elif lines:
        raise _without("lines without times", "Export it again with times")
    else:
        raise _without(", ".join(sorted({printable(str(kind), 20) for kind in kinds})) or "neither")
    raw.note_left_out(left_out, "feature outside the track", "features outside the track")
    return raw


def recognises(file: Contents) -> bool:
    """Whether it is JSON whose outermost type is one of GeoJSON, wherever that stands, without the points of MF-JSON.

    Examples
    --------
    >>> recognises(Contents(b'{"name": {"a": 1}, "type": "Feature"}')), recognises(Contents(b'[{"type": "Feature"}]'))
    (True, False)
    """
    start = file.beginning
    if not start.startswith(b"{") or b'"MovingPoint"' in start:
        return False
    before = next(
        (start[: found.start()] for found in _TYPED.finditer(start) if _is_outermost(start[: found.start()])), None
    )
    return before is not None or (len(file.data) > len(start) and _LAST.search(file.data[-_TAIL:]) is not None)


def _is_outermost(before: bytes) -> bool:
    return before.count(b"{") - before.count(b"}") == 1 and before.count(b"[") == before.count(b"]")


def _without(seen: str, remedy: str = "") -> InputError:
    return InputError(f"GeoJSON must have {_HOW}", value=seen, remedy=remedy)


def _features(document: Any) -> Iterator[dict[str, Any]]:
    """The features of a document; a bare geometry is a feature without properties."""
    kind = document.get("type") if isinstance(document, dict) else None
    if kind not in ("FeatureCollection", "Feature", *_GEOMETRIES):
        raise OtherKind("JSON that is not GeoJSON")
    _check_reference_system(document.get("crs"))
    if kind == "FeatureCollection":
        members = document.get("features")
        features = members if isinstance(members, list) else []
    else:
        features = [document if kind == "Feature" else {"geometry": document}]
    return (feature for feature in features if isinstance(feature, dict))


def _check_reference_system(crs: Any) -> None:
    properties = crs.get("properties") if isinstance(crs, dict) else None
    name = properties.get("name") if isinstance(properties, dict) else None
    if isinstance(name, str) and not is_wgs84(name):
        raise InputError(
            "the coordinates must be degrees of WGS84 (EPSG:4326), as RFC 7946 requires",
            value=printable(name),
            remedy="Reproject the file to EPSG:4326",
        )


def _properties(feature: dict[str, Any]) -> dict[str, Any]:
    properties = feature.get("properties")
    return properties if isinstance(properties, dict) else {}


def _line_times(feature: dict[str, Any]) -> list[Any] | None:
    """The times of a line, unchanged; those of a trip of kepler.gl are the fourth numbers of its positions."""
    properties = _properties(feature)
    of_coordinates = properties.get("coordinateProperties")
    for holder in (properties, of_coordinates if isinstance(of_coordinates, dict) else {}):
        for key in ("coordTimes", "times", "coord_times"):
            if isinstance(holder.get(key), list):
                return holder[key]
    coordinates = feature["geometry"].get("coordinates")
    positions = _flat(coordinates) if feature["geometry"]["type"] == "MultiLineString" else coordinates
    if isinstance(positions, list) and positions and all(map(_is_timed, positions)):
        return [position[3] for position in positions]
    return None


def _is_timed(position: Any) -> bool:
    return (
        isinstance(position, list)
        and len(position) > 3
        and type(position[3]) in (int, float)
        and position[3] > _EARLIEST
    )


def _from_lines(lines: Sequence[dict[str, Any]]) -> RawPoints:
    positions: list[Any] = []
    texts: list[str] = []
    tracks: list[tuple[str, int]] = []
    for line in lines:
        coordinates = line["geometry"].get("coordinates")
        nested = line["geometry"]["type"] == "MultiLineString"
        places = _flat(coordinates) if nested else coordinates if isinstance(coordinates, list) else []
        times = _flat(_line_times(line))
        check_line("LineString", places, times)
        positions += places
        texts += map(written, times)
        name = _properties(line).get("name")
        tracks.append((name if isinstance(name, str) else "", len(places)))
    raw = _raw(positions, texts)
    raw.name = printable(next((name for name, _ in tracks if name), ""))
    raw.note_tracks(tracks, "lines")
    return raw


def _flat(values: Any) -> list[Any]:
    """A list of lists as one list; items that are not lists are kept."""
    parts = values if isinstance(values, list) else []
    return [value for part in parts for value in (part if isinstance(part, list) else [part])]


def _from_points(points: Sequence[dict[str, Any]]) -> RawPoints:
    properties = [_properties(point) for point in points]
    keys = list(dict.fromkeys(chain.from_iterable(properties)))
    columns = find_columns(keys)
    if columns.time < 0:
        raise _without("Points without times", "Export it again with times")

    def texts(column: int) -> list[str]:
        return [written(p.get(keys[column])) for p in properties]

    raw = _raw([point["geometry"].get("coordinates") for point in points], times_in(columns, texts))
    others = {column: texts(column) for column in columns.others(keys)}
    add_columns(raw, columns, keys, texts, "property", others)
    return raw


def _raw(positions: Sequence[Any], times: Sequence[str]) -> RawPoints:
    degrees = np.array([place_of(position) or (np.nan, np.nan) for position in positions], float).reshape(-1, 2)
    absent = np.flatnonzero(np.isnan(degrees).any(axis=1)).tolist()
    problems = dict.fromkeys(absent, "it has no longitude and latitude")
    return RawPoints(degrees[:, 0], degrees[:, 1], times, problems=problems)


FORMAT = Format(
    "GeoJSON",
    (".geojson",),
    recognises,
    read,
    turn=1,
    written_by="nearly every program with maps",
)
