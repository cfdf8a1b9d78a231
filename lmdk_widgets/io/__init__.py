"""Exports: a release as CSV, GeoJSON and a stand-alone map, made only from released values.

Every file says what it is, in its text and in its name. Until the sampler is hardened against floating-point attacks
and uses a cryptographic generator, this is "simulation, not a private release" (Mironov, "On significance of the least
significant bits for differential privacy", CCS 2012).
"""

from lmdk_widgets.io.map_html import release_map_html
from lmdk_widgets.io.released import DRAWN_NOTE, KINDS, NOTE, export_name
from lmdk_widgets.io.tables import release_csv, release_geojson

__all__ = ["DRAWN_NOTE", "KINDS", "NOTE", "export_name", "release_csv", "release_geojson", "release_map_html"]
