"""Machine code is made while NumPy solves."""

from __future__ import annotations

import os
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from importlib.util import find_spec
from threading import Thread

import numpy as np

from lmdk_widgets.geoind.machine import compiled
from lmdk_widgets.geoind.machine.machine import Machine
from lmdk_widgets.geoind.symmetry import none
from lmdk_widgets.geoind.trees import Forest

_begun: list[Future[None]] = []


def ready(wait: bool = False) -> bool:
    """Whether the machine code is there. It is compiled or read in the background when this is first asked.

    Never where the environment says ``LMDK_MACHINE_CODE=no``: Numba and the code take 140 MB of each kernel.
    """
    if os.environ.get("LMDK_MACHINE_CODE") == "no":
        return False
    if not _begun:
        if find_spec("numba") is None:
            return False
        _begun.append(Future())
        Thread(target=_prepare, args=(_begun[0],), daemon=True).start()
    if wait:
        wait_for(_begun)
    return _begun[0].done() and _begun[0].exception() is None


def _prepare(done: Future[None]) -> None:
    """Solves for three places, at two epsilons: every function is then compiled."""
    try:
        line = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
        cost, alone = line * [[0.5], [0.3], [0.2]], none(3, 3)
        forest = Forest(line, np.arange(3))
        machine = Machine(forest, cost.T / cost.sum(axis=0).min(), alone)
        list(machine.optimise(forest, 1e-6))
        compiled.code().begin_dual(machine.state)
        compiled.code().dual(machine.state, 0, np.zeros(1, np.int64))
        done.set_result(None)
    except BaseException as reason:
        done.set_exception(reason)
