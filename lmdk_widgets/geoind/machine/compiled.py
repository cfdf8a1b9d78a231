"""The functions of this room, as they stand there and as machine code.

The machine code is made once in an installation, by Numba, in a process of its own (see `build`), and kept on disk. A
kernel only loads it: LLVM without Numba is there in a tenth of a second, and all but some megabytes of it are shared by
the kernels of a machine. It is kept beside the compiled Python of this file or, where that cannot be written, in the
user's cache folder.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from lmdk_widgets.geoind.machine.moves import act
from lmdk_widgets.geoind.machine.state import State

NAME = "lmdk_act"
"""What `act` is called in the file."""
_LONGEST_S = 600.0
"""After which one who makes the file is taken to have been stopped."""
_WAIT_S = 0.2


Bound = Callable[[int, int], int]
"""`moves.act` on one state: what to do and at most how many moves; how it ended."""


def plain() -> Callable[[State], Bound]:
    """`moves.act` as it stands there, for any state."""
    return lambda state: lambda which, most: act(which, state, most)


@cache
def code() -> Callable[[State], Bound]:
    """The same as machine code: half a minute the first time in an installation, a tenth of a second from the disk.

    Raises
    ------
    ImportError : Numba is not installed. subprocess.CalledProcessError : it does not go with this NumPy, or this machine.
    """
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    there = f"{sys.version} {np.__version__} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    compiler = llvm.create_lljit_compiler(llvm.Target.from_default_triple().create_target_machine())
    library = llvm.JITLibraryBuilder().add_object_img(_kept(there)).add_current_process().export_symbol(NAME)
    loaded = library.link(compiler, NAME)
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 3)
    entry = kind(loaded[NAME])

    def bind(state: State, _keeps: Any = loaded) -> Bound:
        words, ended, reason = _words(state), ctypes.c_int64(), ctypes.c_void_p()

        def bound(which: int, most: int, _keeps: State = state) -> int:
            if entry(ctypes.addressof(ended), ctypes.addressof(reason), which, words.ctypes.data, most):
                raise RuntimeError("machine code that cannot fail has failed")
            return ended.value

        return bound

    return bind


def _words(state: State) -> np.ndarray:
    """The arrays of a state as machine code has them: no owner, numbers, bytes of one, address, shape, strides."""
    words: list[int] = []
    for array in state:
        words += (0, 0, array.size, array.itemsize, array.__array_interface__["data"][0], *array.shape, *array.strides)
    return np.array(words, np.int64)


def _kept(there: str) -> bytes:
    """The object file for this installation and machine, which is made if need be."""
    room = Path(__file__).parent
    asked = hashlib.sha256(f"{there} {version('numba')} {version('llvmlite')}".encode())
    for source in sorted(room.glob("*.py")):
        asked.update(source.read_bytes())
    name = f"machine-{asked.hexdigest()[:16]}.o"
    from platformdirs import user_cache_path

    for folder in (Path(cache_from_source(__file__)).parent, user_cache_path("lmdk_widgets")):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return _made(folder / name)
        except OSError:  # not a folder to write into
            continue
    with TemporaryDirectory() as own:
        return _made(Path(own) / name)


def _made(file: Path) -> bytes:
    """Has the file made, unless it is there; where another kernel is making it, waits for that."""
    making = file.with_suffix(".making")
    while not file.exists():
        try:
            making.mkdir()
        except FileExistsError:
            with suppress(FileNotFoundError):  # it was finished just now
                if time.time() - making.stat().st_mtime > _LONGEST_S:
                    making.rmdir()
            time.sleep(_WAIT_S)
            continue
        try:
            _build(file)
        finally:
            with suppress(FileNotFoundError):
                making.rmdir()
    return file.read_bytes()


def _build(file: Path) -> None:
    paths = (str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", ""))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-m", "lmdk_widgets.geoind.machine.build", str(file)]
    subprocess.run(command, check=True, capture_output=True, env=environment, stdin=subprocess.DEVNULL)
