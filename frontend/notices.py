"""The licences of everything third-party that is bundled: they travel with the built package."""

from __future__ import annotations

import json
from pathlib import Path

BUNDLED = ("leaflet",)
STREETS = ("protomaps-leaflet", "@mapbox/vector-tile", "@mapbox/point-geometry", "pbf", "rbush", "quickselect")
STREETS += ("potpack", "color2k", "fflate")
"""What draws streets of a file; pmtiles and @protomaps/basemaps carry no licence file: `street_notices.txt`."""


PYTHON = """pyodide {version} (MPL-2.0), in pyodide/ as it is
{line}

Pyodide, copyright the Pyodide contributors and Mozilla, is subject to the terms of the Mozilla Public License, v. 2.0:
https://mozilla.org/MPL/2.0/. Its source: https://github.com/pyodide/pyodide/tree/{version}. It contains CPython, under the
PSF License Agreement: https://docs.python.org/3/license.html. Copyright 2001 Python Software Foundation. All Rights Reserved.
"""


def notices(frontend: Path) -> str:
    """The text of THIRD_PARTY_NOTICES.txt: each library's own licence."""
    own = [_titled(name, _licence(frontend / "node_modules" / name)) for name in (*BUNDLED, *STREETS)]
    beside = (frontend / "street_notices.txt").read_text("utf-8")
    version = json.loads((frontend / "node_modules" / "pyodide" / "package.json").read_text("utf-8"))["version"]
    python = PYTHON.format(version=version, line="=" * len(f"pyodide {version} (MPL-2.0), in pyodide/ as it is"))
    return "\n\n".join([*own, beside, python])


def _licence(package: Path) -> str:
    (file,) = package.glob("LICENSE*")
    return file.read_text("utf-8")


def _titled(title: str, text: str) -> str:
    return f"{title}\n{'=' * len(title)}\n\n{text}"
