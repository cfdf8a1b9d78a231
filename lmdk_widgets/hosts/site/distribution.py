"""Python for browsers: the files of Pyodide that a site includes, each checked against the hash in `pyodide.json`.

None of them is part of this package. They come from a folder, from the user's folder for caches, or from the network,
when a site is written: Pyodide as npm has it, NumPy, and HiGHS if available, from Pyodide's distribution.
"""

from __future__ import annotations

import hashlib
import json
import os
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

from lmdk_widgets.errors import InputError

KNOWN = Path(__file__).with_name("pyodide.json")
"""Version and hashes, written by `frontend/pyodide_lock.py`."""
LOCK = "pyodide-lock.json"
NEEDED, WANTED = ("numpy",), ("highspy", "scipy")
"""Packages that a site needs; and HiGHS, for more cells on Place, by itself or inside SciPy: the first available one."""
PROGRAM = "https://cdn.jsdelivr.net/npm/pyodide@{version}/{file}"
DISTRIBUTION = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{file}"
WAIT_S = 60

NOTICE = """Python in these pages is Pyodide {version}, Mozilla Public License 2.0, of the Pyodide contributors and Mozilla.
Its source: https://github.com/pyodide/pyodide/tree/{version}.

pyodide.asm.wasm is one program of several, linked together:
{linked}

{wheels} bring their licences inside their files.
"""
LINKED = {
    "CPython {python}": "PSF License Agreement, copyright 2001 Python Software Foundation, all rights reserved: "
    "https://docs.python.org/3/license.html, which also has the licences of what CPython includes: Expat (MIT), libmpdec "
    "(BSD 2-Clause), HACL* (MIT), mimalloc (MIT), BLAKE2 (CC0)",
    "Pyodide's own code, with hiwire": "Mozilla Public License 2.0",
    "zlib": "zlib License, copyright Jean-loup Gailly and Mark Adler",
    "bzip2": "bzip2 License, copyright Julian R. Seward",
    "liblzma of XZ Utils": "public domain, and 0BSD from version 5.6",
    "Zstandard, with xxHash": "BSD 3-Clause and BSD 2-Clause, copyright Meta Platforms and Yann Collet",
    "SQLite": "public domain",
    "libffi": "MIT, copyright Anthony Green, Red Hat and others",
    "Emscripten's library: musl, and LLVM's libc++, libc++abi and compiler-rt": "MIT; Apache 2.0 with LLVM exceptions",
}
"""What is linked into Pyodide's machine code, and its licence; `NOTICES.md` has the same list."""


def gather(given: Path | None = None) -> dict[str, bytes]:
    """The files of Pyodide by name, with a lock that lists only those included.

    Parameters
    ----------
    given : a folder with some or all of these files, which is searched first.

    Raises
    ------
    InputError : something is missing, cannot be fetched, or is not what the lock says.
    """
    known = json.loads(KNOWN.read_text("utf-8"))
    version, found, kept = known["version"], {}, {}
    for name, sha256 in known["files"].items():
        found[name] = _needed(name, sha256, PROGRAM.format(version=version, file=name), given, known)
    for name in (*NEEDED, *WANTED):
        if name in WANTED and any(other in kept for other in WANTED):
            continue
        if (entry := known["packages"].get(name)) is None:
            continue
        file = entry["file_name"]
        url = DISTRIBUTION.format(version=version, file=file)
        if name in NEEDED:
            data: bytes | None = _needed(file, entry["sha256"], url, given, known)
        else:  # a folder that was named decides which of these there are
            data = _here(file, entry["sha256"], given, None if given else version)
            data = _downloaded(file, entry["sha256"], url, version) if data is None and given is None else data
        if data is not None:
            kept[name], found[file] = entry, data
    found[LOCK] = json.dumps({"info": known["info"], "packages": kept}).encode()
    wheels = " and ".join(f"{entry['name']} {entry['version']}" for entry in kept.values())
    linked = "\n".join(f"- {name}: {licence}." for name, licence in LINKED.items()).format(**known["info"])
    found["NOTICE.txt"] = NOTICE.format(version=version, linked=linked, wheels=wheels).encode()
    return found


def packages(files: dict[str, bytes]) -> list[str]:
    """The names of the packages that `gather` found."""
    return list(json.loads(files[LOCK])["packages"])


def needed_files(known: dict[str, Any]) -> list[str]:
    """The names of the files without which there is no site."""
    return [*known["files"], *(known["packages"][name]["file_name"] for name in NEEDED)]


def _needed(file: str, sha256: str, url: str, given: Path | None, known: dict[str, Any]) -> bytes:
    version = known["version"]
    data = _here(file, sha256, given, version)
    if data is None:
        data = _downloaded(file, sha256, url, version)
    if data is None:
        *first, last = needed_files(known)
        where = f"from {url}, or name a folder with {', '.join(first)} and {last} with --pyodide"
        raise InputError(
            f"The file {file} of Pyodide {version} must be available",
            remedy=f"It cannot be downloaded now: download it {where}",
        )
    return data


def _here(file: str, sha256: str, given: Path | None, version: str | None) -> bytes | None:
    """A file from the folder that was named, or from an earlier download of a version; None if it is in neither."""
    if given is not None and (given / file).is_file():
        return _checked((given / file).read_bytes(), file, sha256)
    kept = None if version is None else _cache(version)
    if kept is not None and (kept / file).is_file():
        data = (kept / file).read_bytes()
        return data if hashlib.sha256(data).hexdigest() == sha256 else None
    return None


def _downloaded(file: str, sha256: str, url: str, version: str) -> bytes | None:
    """A file from the network, which is stored for the next site; None if it cannot be had now."""
    try:
        with urllib.request.urlopen(url, timeout=WAIT_S) as answer:
            data = _checked(answer.read(), file, sha256)
    except OSError:
        return None
    kept = _cache(version)
    if kept is not None:
        with suppress(OSError):  # a full disk, or a home that cannot be written: the next site downloads again
            kept.mkdir(parents=True, exist_ok=True)
            part = kept / f"{file}.{os.getpid()}"
            part.write_bytes(data)
            part.replace(kept / file)
    return data


def _cache(version: str) -> Path | None:
    """The folder of earlier downloads; None where there are no such folders."""
    try:
        from platformdirs import user_cache_path
    except ImportError:
        return None
    return user_cache_path("lmdk_widgets") / "pyodide" / version


def _checked(data: bytes, file: str, sha256: str) -> bytes:
    if hashlib.sha256(data).hexdigest() != sha256:
        what = f"The file {file} must have the SHA-256 hash that lmdk_widgets knows"
        raise InputError(what, remedy="It is of another version, or damaged: download it again")
    return data
