"""The licences of everything third-party that is bundled: they travel with the built package."""

from __future__ import annotations

from pathlib import Path

BUNDLED = ("leaflet",)
STREETS = ("protomaps-leaflet", "@mapbox/vector-tile", "@mapbox/point-geometry", "pbf", "rbush", "quickselect")
STREETS += ("potpack", "color2k", "fflate")
"""What draws streets of a file; pmtiles and @protomaps/basemaps carry no licence file: `street_notices.txt`."""


def notices(frontend: Path) -> str:
    """The text of THIRD_PARTY_NOTICES.txt: each library's own licence."""
    own = [_titled(name, _licence(frontend / "node_modules" / name)) for name in (*BUNDLED, *STREETS)]
    beside = (frontend / "street_notices.txt").read_text("utf-8")
    return "\n\n".join([*own, beside])


def _licence(package: Path) -> str:
    (file,) = package.glob("LICENSE*")
    return file.read_text("utf-8")


def _titled(title: str, text: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{text}"
