"""Reads visitors' files in separate processes, each with little memory, little time, and no rights except to answer.

Another process of the server forks for each file (`forking_process.py`), so a file that takes too much ends only its own
process.
Processes that compute pages reach it through a socket in the server's private folder. On systems that cannot fork, the
processes that compute pages read the files.
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
"""The most seconds that a file may take."""
MEMORY_BYTES = 2048 << 20
"""The most memory of the process that reads it."""
AT_ONCE = 64
"""The most files that wait to be read."""
TOO_MUCH = f"A file must be read within {READ_S} seconds and {MEMORY_BYTES >> 30} GB of memory"
TRUSTED = ("lmdk_widgets.", "numpy")
PLAIN = {("builtins", "complex"), ("collections", "OrderedDict"), ("datetime", "datetime"), ("datetime", "timezone")}


class Reader:
    """The reader, as a process that computes sees it. address : of its socket."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __call__(self, kind: type, data: bytes, name: str, **options: Any) -> Any:
        """What the `read` method of a session class finds in a file.

        Raises
        ------
        InputError : as `read`, or it took too much.
        """
        with socket.socket(socket.AF_UNIX) as ours:
            ours.connect(self.address)
            with ours.makefile("rwb") as channel, suppress(BrokenPipeError):
                pickle.dump(((kind.__module__, kind.__qualname__), data, name, options), channel)
                channel.flush()
                ours.shutdown(socket.SHUT_WR)
                answer = channel.read()
        if not answer:  # its process was ended
            raise InputError(TOO_MUCH, remedy="Cut it down to what matters")
        return _answered(answer)


def _answered(answer: bytes) -> Any:
    """A reader's answer; only values that files can become are trusted."""
    what, found = _Believing(BytesIO(answer)).load()
    if what == "found":
        return found
    if what == "memory":
        raise InputError(TOO_MUCH, remedy="Cut it down to what matters")
    if what == "refused":
        error = InputError.__new__(InputError, *found[0])
        error.args = found[0]
        error.__dict__.update(found[1])
        raise error
    raise RuntimeError(found)


class _Believing(pickle.Unpickler):
    """Makes only values of this package and of NumPy."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith(TRUSTED) or (module, name) in PLAIN:
            found = super().find_class(module, name)
            if isinstance(found, type) or name in ("_reconstruct", "_frombuffer", "scalar"):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not part of a file")


def listening(address: str) -> socket.socket:
    """The socket at which the forking process is asked to read files."""
    found = socket.socket(socket.AF_UNIX)
    found.bind(address)
    found.listen(AT_ONCE)
    return found


def read(channel: socket.socket) -> None:
    """Read one file, and say what is in it."""
    os.nice(5)  # sliders do not wait for files
    signal.alarm(READ_S)
    with channel.makefile("rb") as given:
        (module, name), data, file, options = pickle.load(given)
    kind: Any = import_module(module)
    for part in name.split("."):
        kind = getattr(kind, part)
    _give_up_rights()
    with channel.makefile("wb") as answer:
        answer.write(_said(lambda: kind.__new__(kind).read(data, file, **options)))


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
    """Allow only the memory and time that a file needs, and neither writing files nor starting processes."""
    import resource

    wanted = {"RLIMIT_DATA": MEMORY_BYTES, "RLIMIT_CPU": READ_S, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0, "RLIMIT_NPROC": 0}
    for name, most in wanted.items():
        number = getattr(resource, name, None)
        with suppress(ValueError, OSError):
            if number is not None:
                resource.setrlimit(number, (most, most))
