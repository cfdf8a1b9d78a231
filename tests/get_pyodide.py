"""NumPy for Pyodide, for tests of what runs in a browser: the one file, with the hash that Pyodide's lock names.

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
def pyodide() -> Path:
    """A folder with NumPy for the Pyodide of this build.

    Raises
    ------
    Missing : it is not to be had.
    """
    if not (CORE / "pyodide-lock.json").is_file():
        raise Missing("Pyodide is not part of this build of the package")
    entry = json.loads((CORE / "pyodide-lock.json").read_text("utf-8"))["packages"]["numpy"]
    file = KEPT / entry["file_name"]
    if not file.is_file():
        data = _carried(entry["file_name"])
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            raise Missing(f"{CARRIER} carries another {entry['file_name']}")
        KEPT.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_bytes(data)
        part.replace(file)
    return KEPT


def _carried(name: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--ignore-requires-python"]
        done = subprocess.run([*command, "--dest", folder, CARRIER], capture_output=True, text=True, timeout=300)
        wheels = [*Path(folder).glob("*.whl")]
        if done.returncode or not wheels:
            raise Missing(f"NumPy for Pyodide cannot be fetched: {done.stderr.strip()[-200:]}")
        with zipfile.ZipFile(wheels[0]) as archive:
            if INSIDE + name not in archive.namelist():
                raise Missing(f"{CARRIER} does not carry {name}")
            return archive.read(INSIDE + name)


if __name__ == "__main__":
    try:
        print(pyodide())
    except Missing as why:
        sys.exit(str(why))
