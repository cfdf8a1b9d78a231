"""Machine code is made while NumPy solves."""

from __future__ import annotations

import logging
import os
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from importlib.util import find_spec
from threading import Thread

from lmdk_widgets.geoind.machine import compiled

_READ_S = 0.3
"""Seconds in which machine code that was made before is read."""
_begun: list[Future[None]] = []


def ready(wait: bool = False) -> bool:
    """Whether the machine code is there. It is made or read in the background when this is first asked.

    Never where the environment says ``LMDK_MACHINE_CODE=no``.
    """
    if os.environ.get("LMDK_MACHINE_CODE") == "no":
        return False
    if not _begun:
        if find_spec("numba") is None:
            return False
        _begun.append(Future())
        Thread(target=_prepare, args=(_begun[0],), daemon=True).start()
        wait_for(_begun, _READ_S)  # what is kept on disk is worth waiting for: the first solve is the slowest
    if wait:
        wait_for(_begun)
    return _begun[0].done() and _begun[0].exception() is None


def _prepare(done: Future[None]) -> None:
    try:
        compiled.code()
        done.set_result(None)
    except BaseException as reason:
        why = " ".join([str(reason), *getattr(reason, "__notes__", ())])
        logging.getLogger(__name__).warning("NumPy goes on without machine code: %s", why)
        done.set_exception(reason)
