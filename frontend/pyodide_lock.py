"""Writes `lmdk_widgets/hosts/site/pyodide.json`: the Pyodide of sites, by version and hash.

    python frontend/pyodide_lock.py 314.0.4

takes Pyodide from npm. The file has no addresses: `lmdk site` knows where to download from, and checks what it gets.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from npm import npm

WRITTEN = Path(__file__).parents[1] / "lmdk_widgets" / "hosts" / "site" / "pyodide.json"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
PACKAGES = ("numpy", "highspy", "scipy")


def fetch(version: str, folder: Path) -> None:
    """Write the files of npm's package into a folder.

    Raises
    ------
    RuntimeError : npm cannot get it.
    """
    with tempfile.TemporaryDirectory() as packed:
        npm(Path(packed), "pack", "--silent", f"pyodide@{version}")
        (file,) = Path(packed).glob("pyodide-*.tgz")
        with tarfile.open(file) as archive:
            for member in archive:
                if member.isfile() and (data := archive.extractfile(member)) is not None:
                    (folder / Path(member.name).name).write_bytes(data.read())


def lock(version: str, folder: Path) -> dict[str, Any]:
    """What is stored about the files in a folder."""
    known = json.loads((folder / "pyodide-lock.json").read_text("utf-8"))
    files = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in CORE}
    packages = {name: known["packages"][name] for name in PACKAGES}
    return {"version": version, "info": known["info"], "files": files, "packages": packages}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as fetched:
        fetch(sys.argv[1], Path(fetched))
        WRITTEN.write_text(json.dumps(lock(sys.argv[1], Path(fetched)), indent=1) + "\n", "utf-8")
