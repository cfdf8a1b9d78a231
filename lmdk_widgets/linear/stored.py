"""Where machine code is stored, and whether it is there: known without importing Numba."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

COMPILED = ("jit", "state", "blocks", "pricing", "pivots", "dual", "cone")
"""The modules with compiled functions, or with numbers compiled into them."""
READY = "ready"
"""A file in a folder of machine code that marks it as complete."""
NAMED = "simplex-"
"""How the names of these folders begin."""
HERE = Path(__file__).parent


def parents() -> Iterator[Path]:
    """Folders that may contain folders of machine code, the preferred one first."""
    yield HERE / "__pycache__"
    from platformdirs import user_cache_path

    yield user_cache_path("lmdk_widgets")


def seems_ready() -> bool:
    """Whether some machine code is newer than every source. Which one it is, for which processor, only Numba knows."""
    newest = max((HERE / f"{name}.py").stat().st_mtime for name in COMPILED)
    try:
        ready = [path for parent in parents() for path in parent.glob(f"{NAMED}*/{READY}")]
        return any(path.stat().st_mtime >= newest for path in ready)
    except (OSError, ImportError):  # no platformdirs, or a folder that cannot be read
        return False
