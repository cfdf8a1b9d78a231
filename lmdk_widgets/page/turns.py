"""Turns: at most as many pieces of long work at a time on one server as it has processors, whatever the number of pages.

Thirty pages that solve at once would each wait for the other twenty-nine, and so would every answer that takes milliseconds.
A piece of work takes a lane, a file that is locked, so that a process that ends in the middle gives its lane back. Who
waits stands in a row for the next lane that is free. What nobody looks at yet may use half of the lanes, has a row of its
own, and begins only while nobody stands in the other one. Without a server, or where the system locks no files, everybody's
turn is now.
"""

from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

VARIABLE = "LMDK_TURNS"
"""The environment variable that names the folder of a server's lanes."""
ROWS = ("row", "later")
LOOK_S = 0.002
"""Seconds after which the first of a row looks for a lane again."""
_LOCKS: Any = importlib.import_module("fcntl") if importlib.util.find_spec("fcntl") else None


def open_lanes(folder: Path, many: int | None = None) -> dict[str, str]:
    """Makes the lanes of a server in this folder, by default one for each processor; the environment of its kernels."""
    folder.mkdir(mode=0o700)
    for name in (*ROWS, *(f"lane-{number:03d}" for number in range(many or processors()))):
        (folder / name).touch(mode=0o600)
    return {VARIABLE: str(folder)}


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def turn(urgent: bool = True) -> Iterator[None]:
    """Waits for a lane and keeps it meanwhile.

    Parameters
    ----------
    urgent : somebody looks at what comes of it: any lane will do. Else one of the first half, so that others stay free, and
        only while no urgent work waits.

    Examples
    --------
    >>> with turn():
    ...     pass
    """
    with ExitStack() as held:
        lanes = _lanes()
        if lanes and _LOCKS is not None:
            try:
                _wait(lanes[::-1] if urgent else lanes[: max(1, len(lanes) // 2)], urgent, held)
            except OSError:  # the server has ended and its folder is gone, or the file system has no locks
                held.close()
        yield


def _lanes() -> Sequence[Path]:
    folder = os.environ.get(VARIABLE, "")
    return sorted(Path(folder).glob("lane-*")) if folder else ()


def _wait(lanes: Sequence[Path], urgent: bool, held: ExitStack) -> None:
    row, later = (lanes[0].with_name(name) for name in ROWS)

    def found() -> bool:
        return (urgent or _is_free(row)) and any(_taken(lane, held) for lane in lanes)

    if found():
        return
    with (row if urgent else later).open("rb") as standing:
        _LOCKS.flock(standing, _LOCKS.LOCK_EX)
        while not found():
            time.sleep(LOOK_S)


def _is_free(file: Path) -> bool:
    with ExitStack() as briefly:
        return _taken(file, briefly)


def _taken(lane: Path, held: ExitStack) -> bool:
    file = lane.open("rb")
    try:
        _LOCKS.flock(file, _LOCKS.LOCK_EX | _LOCKS.LOCK_NB)
    except BlockingIOError:
        file.close()
        return False
    except OSError:
        file.close()
        raise
    held.enter_context(file)
    return True
