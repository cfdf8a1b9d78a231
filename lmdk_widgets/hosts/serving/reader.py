"""Reads the files of visitors in processes of their own, each with little memory, little time, and no rights but to answer.

A process that computes pages forks a reader before it has a thread. The reader imports what files need, reads nothing itself,
and forks once more for each file: a file that takes too much ends its own process alone. Where a system cannot fork, files
are read beside the pages.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from io import BytesIO
from typing import Any

from lmdk_widgets.errors import InputError

READ_S = 60
"""Seconds that a file may take."""
MEMORY_BYTES = 2048 << 20
"""Most memory of the process that reads it."""
HERE = hasattr(os, "fork") and hasattr(socket, "send_fds")
TOO_LONG = InputError(f"A file must be read within {READ_S} seconds", remedy="Cut it to what matters")
TRUSTED = ("lmdk_widgets.", "numpy")
PLAIN = {("builtins", "complex"), ("collections", "OrderedDict"), ("datetime", "datetime"), ("datetime", "timezone")}


class Reader:
    """A process that forks others, one for each file."""

    def __init__(self) -> None:
        self._asked, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            with suppress(BaseException):
                _let_go(theirs.fileno())
                _wait(theirs)
            os._exit(0)
        theirs.close()

    def __call__(self, kind: type, data: bytes, name: str, **options: Any) -> Any:
        """What `read` of a class of sessions finds in a file.

        Raises
        ------
        InputError : as `read`, or it took too long. MemoryError : it took too much memory.
        """
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                socket.send_fds(self._asked, [b"r"], [theirs.fileno()])
            with ours.makefile("rwb") as channel:
                pickle.dump(((kind.__module__, kind.__qualname__), data, name, options), channel)
                channel.flush()
                ours.shutdown(socket.SHUT_WR)
                answer = channel.read()
        if not answer:  # its process was ended
            raise TOO_LONG
        return _answered(answer)


def _answered(answer: bytes) -> Any:
    """What a reader has said; only what files can become is believed."""
    what, found = _Believing(BytesIO(answer)).load()
    if what == "found":
        return found
    if what == "memory":
        raise MemoryError
    if what == "refused":
        error = InputError.__new__(InputError, *found[0])
        error.args = found[0]
        error.__dict__.update(found[1])
        raise error
    raise RuntimeError(found)


class _Believing(pickle.Unpickler):
    """Makes nothing but values of this package and of NumPy."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith(TRUSTED) or (module, name) in PLAIN:
            found = super().find_class(module, name)
            if isinstance(found, type) or name in ("_reconstruct", "_frombuffer", "scalar"):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a file")


def _let_go(kept: int) -> None:
    """Hold nothing of the process that asks but the channel: its end must be seen by everybody."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    os.closerange(3, kept)
    os.closerange(kept + 1, 1024)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    os.nice(5)  # who moves a slider does not wait for a file


def _wait(asked: socket.socket) -> None:
    """Fork for each file, until the process that asks has ended."""
    while True:
        said, numbers, *_ = socket.recv_fds(asked, 1, 1)
        if not said:
            return
        if os.fork() == 0:
            asked.close()
            with socket.socket(fileno=numbers[0]) as channel:
                _read(channel)
            os._exit(0)
        for number in numbers:
            os.close(number)


def _read(channel: socket.socket) -> None:
    """Read one file, and say what is in it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with channel.makefile("rb") as given:
        (module, name), data, file, options = pickle.load(given)
    kind: Any = import_module(module)
    for part in name.split("."):
        kind = getattr(kind, part)
    _give_up_rights()
    with channel.makefile("wb") as answer:
        answer.write(_said(lambda: kind.read(kind.__new__(kind), data, file, **options)))


def _said(read: Callable[[], Any]) -> bytes:
    try:
        return pickle.dumps(("found", read()))
    except InputError as error:
        return pickle.dumps(("refused", (error.args, error.__dict__)))
    except MemoryError:
        return pickle.dumps(("memory", None))
    except Exception as error:
        return pickle.dumps(("failed", type(error).__name__))


def _give_up_rights() -> None:
    """No more memory and time than a file needs, no file to be written, no process to be started."""
    import resource

    wanted = {"RLIMIT_DATA": MEMORY_BYTES, "RLIMIT_CPU": READ_S, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0, "RLIMIT_NPROC": 0}
    for name, most in wanted.items():
        number = getattr(resource, name, None)
        with suppress(ValueError, OSError):
            if number is not None:
                resource.setrlimit(number, (most, most))
    signal.alarm(READ_S)
