"""Python for browsers: the files of Pyodide that a site includes, each checked against the hash in Pyodide's lock.

Pyodide itself comes from npm when the package is built. NumPy, and HiGHS if available, are not part of that: they come
from a folder, or from Pyodide's distribution when a site is written.
"""

from __future__ import annotations

import hashlib
import json
import urllib.request
from pathlib import Path
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.io.programs import STATIC

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK, ABOUT = "pyodide-lock.json", "package.json"
NEEDED, WANTED = ("numpy",), ("highspy", "scipy")
"""Packages that a site needs; and HiGHS, for more cells on Place, by itself or inside SciPy: the first available one."""
DISTRIBUTION = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{file}"
WAIT_S = 60

NOTICE = """Python in these pages is Pyodide {version}, Mozilla Public License 2.0, of the Pyodide contributors and Mozilla.
Its source: https://github.com/pyodide/pyodide/tree/{version}. It contains CPython {python}, under the PSF License Agreement,
copyright 2001 Python Software Foundation, all rights reserved: https://docs.python.org/3/license.html. {wheels} bring their
licences inside their files.
"""


def gather(given: Path | None = None) -> dict[str, bytes]:
    """The files of Pyodide by name, with a lock that lists only those included.

    Parameters
    ----------
    given : a folder with files of Pyodide's distribution: only the packages, or Pyodide too.

    Raises
    ------
    InputError : something is missing, cannot be fetched, or is not what the lock says.
    """
    home = given if given and all((given / name).is_file() for name in (*CORE, LOCK, ABOUT)) else STATIC / "pyodide"
    if not (home / LOCK).is_file():
        raise InputError(
            "Python for browsers was not part of this build of the package",
            remedy="Use --pyodide to name a folder with Pyodide and its NumPy",
        )
    lock = json.loads((home / LOCK).read_text("utf-8"))
    version = json.loads((home / ABOUT).read_text("utf-8"))["version"]
    found = {name: (home / name).read_bytes() for name in CORE}
    kept = {}
    for name in (*NEEDED, *WANTED):
        if name in WANTED and any(other in kept for other in WANTED):
            continue
        entry = lock["packages"].get(name, {})
        data = _package(entry, given, version, optional=name in WANTED) if entry else None
        if data is not None:
            kept[name] = entry
            found[entry["file_name"]] = data
    found[LOCK] = json.dumps(lock | {"packages": kept}).encode()
    wheels = " and ".join(f"{entry['name']} {entry['version']}" for entry in kept.values())
    notice = NOTICE.format(version=version, python=lock["info"]["python"], wheels=wheels)
    found["NOTICE.txt"] = notice.encode()
    return found


def packages(files: dict[str, bytes]) -> list[str]:
    """The names of the packages that `gather` found."""
    return list(json.loads(files[LOCK])["packages"])


def _package(entry: dict[str, Any], given: Path | None, version: str, *, optional: bool) -> bytes | None:
    """One package, from the folder or from the distribution; None if it is missing and optional."""
    file = entry["file_name"]
    if given is not None and (given / file).is_file():
        return _checked((given / file).read_bytes(), entry)
    if given is not None and optional:
        return None
    url = DISTRIBUTION.format(version=version, file=file)
    try:
        with urllib.request.urlopen(url, timeout=WAIT_S) as answer:
            return _checked(answer.read(), entry)
    except OSError:
        if optional:
            return None
        where = f"from {url}, or put it into a folder and name that with --pyodide"
        raise InputError(
            f"The file {file} must be available", remedy=f"It cannot be downloaded now: download it {where}"
        ) from None


def _checked(data: bytes, entry: dict[str, Any]) -> bytes:
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        what = f"The file {entry['file_name']} must have the SHA-256 hash in Pyodide's lock"
        raise InputError(what, remedy="It is a different build, or damaged: download it again")
    return data
