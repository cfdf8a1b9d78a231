"""How the functions of the simplex are compiled, and in which folder Numba keeps the machine code.

Importing this imports Numba (0.5 s, 50 MB): `compiling` does it in a thread, when the first solve comes.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba

CONFIG: Any = numba.config
"""Numba's settings, which its types do not list."""
_DONT_NEED = 4
"""MADV_DONTNEED of Linux."""
COMPILED = ("jit", "state", "blocks", "pricing", "pivots", "dual")
"""The modules with functions that are compiled, or numbers that are compiled into them."""
READY = "ready"
"""A file in the folder that says that all functions are in it."""


@cache
def folder() -> Path | None:
    """Where machine code for this source, this Numba and this processor is kept; None where nothing can be written.

    Numba itself would not notice that a function of another module has changed: the digest of the sources does.
    """
    digest = hashlib.sha256(f"{numba.__version__} {llvm.get_host_cpu_name()}".encode())
    digest.update(llvm.get_host_cpu_features().flatten().encode())
    here = Path(__file__).parent
    for name in COMPILED:
        digest.update((here / f"{name}.py").read_bytes())
    for parent in (here / "__pycache__", _user_cache()):
        chosen = parent / f"simplex-{digest.hexdigest()[:16]}"
        try:
            chosen.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(chosen, os.W_OK) or (chosen / READY).exists():
            return chosen
    return None


def _user_cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("lmdk_widgets")


def compiled(function: Callable[..., Any]) -> Any:
    """Compiles a function that others call from within machine code."""
    # the rules of NumPy for divisions: Python's would need a branch at each of them
    return numba.njit(error_model="numpy", nogil=True)(function)


def entry(function: Callable[..., Any]) -> Any:
    """Compiles a function that Python calls, and keeps it on disk with all that it calls."""
    kept = folder()
    if kept is None:
        return compiled(function)
    before, CONFIG.CACHE_DIR = CONFIG.CACHE_DIR, str(kept)
    try:
        return numba.njit(error_model="numpy", nogil=True, cache=True)(function)
    finally:
        CONFIG.CACHE_DIR = before


def give_back_pages() -> None:
    """Hands the pages of LLVM's code back to the system, which reads them again when they are needed.

    Importing Numba maps some 100 MB of it; a kernel that only loads machine code runs next to none. Linux alone.
    """
    maps = Path("/proc/self/smaps")
    if not maps.exists():
        return
    import ctypes

    advise = ctypes.CDLL(None).madvise
    advise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    mapping = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) (r-xp|r--p) .*libllvmlite.*\n((?:[A-Z]\w+: .*\n)+)", re.M)
    for start, end, _, told in mapping.findall(maps.read_text()):
        # only what is on disk as it is in memory: addresses that were filled in on loading would be lost
        if re.search(r"^Anonymous: +0 kB$", told, re.M) and re.search(r"^Swap: +0 kB$", told, re.M):
            advise(int(start, 16), int(end, 16) - int(start, 16), _DONT_NEED)
