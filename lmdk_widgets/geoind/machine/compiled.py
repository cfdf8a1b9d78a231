"""The functions of this room, as they stand there and as machine code.

A kernel only loads machine code: LLVM without Numba is there in a tenth of a second, and all but some megabytes of it are
shared by the kernels of a machine. See `kept` for who makes it, and where it stays.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geoind.machine.kept import kept
from lmdk_widgets.geoind.machine.moves import act
from lmdk_widgets.geoind.machine.state import State
from lmdk_widgets.geoind.simplex import Stuck

NAME = "lmdk_act"
"""What `act` is called in the object file."""
OnState = Callable[[int, int], int]
"""`moves.act` on one state: what to do and at most how many moves; how it ended."""


def plain() -> Callable[[State], OnState]:
    """`moves.act` as it stands there, for any state."""
    return lambda state: lambda which, most: act(which, state, most)


@cache
def code() -> Callable[[State], OnState]:
    """The same as machine code: half a minute the first time in an installation, a tenth of a second from the disk.

    Raises
    ------
    ImportError : Numba is not installed. subprocess.CalledProcessError : it does not go with this NumPy, or this machine.
    """
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    return loaded(kept(f"{np.__version__} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"))


def loaded(file: bytes) -> Callable[[State], OnState]:
    """`moves.act` from an object file that `build` made."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    compiler = llvm.create_lljit_compiler(llvm.Target.from_default_triple().create_target_machine())
    library = llvm.JITLibraryBuilder().add_object_img(file).add_current_process().export_symbol(NAME)
    there = library.link(compiler, NAME)
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 2, *[ctypes.c_int64] * 3)
    entry = kind(there[NAME])

    def bind(state: State) -> OnState:
        words, ended, reason = _words(state), ctypes.c_int64(), ctypes.c_void_p()

        # what is held is not given back as long as anyone may call
        def on_state(which: int, most: int, *, _held: object = (state, there)) -> int:
            if entry(ctypes.addressof(ended), ctypes.addressof(reason), which, words.ctypes.data, most):
                raise Stuck
            return ended.value

        return on_state

    return bind


def _words(state: State) -> NDArray[np.int64]:
    """The arrays of a state as Numba has them: no owner, numbers, bytes of one, address, shape, strides."""
    words: list[int] = []
    for array in state:
        words += (0, 0, array.size, array.itemsize, array.__array_interface__["data"][0], *array.shape, *array.strides)
    return np.array(words, np.int64)
