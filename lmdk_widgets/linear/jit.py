"""How the simplex functions are compiled, and the folder where Numba stores the machine code.

Importing this imports Numba (0.5 s, 50 MB): `compiling` does it in a thread, for the first solve. If Numba is not
installed or not available, as in a browser, plain Python runs the same functions: only small problems are solved this
way.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from lmdk_widgets.cache import cached
from lmdk_widgets.linear import stored
from lmdk_widgets.linear.stored import COMPILED, READY

try:
    import llvmlite.binding as llvm
    import numba
except ImportError:
    llvm, numba = None, None  # type: ignore[assignment]

CONFIG: Any = numba and numba.config
"""Numba's settings, which its type hints do not list."""


@cached("everybody")
def folder() -> Path | None:
    """The folder of machine code for this source, this Numba and this processor; None if nothing can be written.

    Numba itself would not notice a change in a function of another module; the digest of the sources does.
    """
    if numba is None:
        return None
    digest = hashlib.sha256(f"{numba.__version__} {llvm.get_host_cpu_name()}".encode())
    digest.update(llvm.get_host_cpu_features().flatten().encode())
    for name in COMPILED:
        digest.update((stored.HERE / f"{name}.py").read_bytes())
    for parent in stored.parents():
        chosen = parent / f"{stored.NAMED}{digest.hexdigest()[:16]}"
        try:
            chosen.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(chosen, os.W_OK) or (chosen / READY).exists():
            return chosen
    return None


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function that is called from machine code; without Numba, return it unchanged."""
    if numba is None:
        return function
    # NumPy's rules for division: Python's would need a branch at every division
    return numba.njit(error_model="numpy", nogil=True)(function)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, and store it on disk with everything it calls."""
    kept = folder()
    if kept is None:
        return compiled(function)
    before, CONFIG.CACHE_DIR = CONFIG.CACHE_DIR, str(kept)
    try:
        return numba.njit(error_model="numpy", nogil=True, cache=True)(function)
    finally:
        CONFIG.CACHE_DIR = before


@cached("everybody")
def machine_code(module: ModuleType) -> Any:
    """`solve` of a module of plain functions, compiled together with copies of those it lists as `COMPILED`."""
    known = dict(vars(module))
    for function in (*module.COMPILED, module.solve):
        made = FunctionType(function.__code__, known, function.__name__)
        made.__module__, made.__qualname__ = function.__module__, function.__qualname__
        known[function.__name__] = (entry if function is module.solve else compiled)(made)
    return known["solve"]
