"""How the functions of the simplex are compiled, and in which folder Numba keeps the machine code.

Importing this imports Numba (0.5 s, 50 MB): `compiling` does it in a thread, when the first solve comes. Where Numba is not
installed, or there is none, as in a browser, plain Python runs the same functions: only small problems are solved this way.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

try:
    import llvmlite.binding as llvm
    import numba
except ImportError:
    llvm, numba = None, None  # type: ignore[assignment]

CONFIG: Any = numba and numba.config
"""Numba's settings, which its types do not list."""
COMPILED = ("jit", "state", "blocks", "pricing", "pivots", "dual", "cone")
"""The modules with functions that are compiled, or numbers that are compiled into them."""
READY = "ready"
"""A file in the folder that says that all functions are in it."""


@cache
def folder() -> Path | None:
    """Where machine code for this source, this Numba and this processor is kept; None where nothing can be written.

    Numba itself would not notice that a function of another module has changed: the digest of the sources does.
    """
    if numba is None:
        return None
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
    """Compiles a function that others call from within machine code; as it is where there is no Numba."""
    if numba is None:
        return function
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


@cache
def machine_code(module: ModuleType) -> Any:
    """`solve` of a module of plain functions, compiled with those that it lists as `COMPILED`, which stay plain."""
    known = dict(vars(module))
    for function in (*module.COMPILED, module.solve):
        made = FunctionType(function.__code__, known, function.__name__)
        made.__module__, made.__qualname__ = function.__module__, function.__qualname__
        known[function.__name__] = (entry if function is module.solve else compiled)(made)
    return known["solve"]
