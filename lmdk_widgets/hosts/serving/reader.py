"""Reads visitors' files in separate processes, each with little memory, little time, and no rights except to answer.

Another process of the server forks for each file (`forking_process.py`), so a file that takes too much ends only its own
process. Two files are read at a time, and one of each visitor; the others wait, and their visitors are told their place.
Processes that compute pages reach it through a socket in the server's private folder. On systems that cannot fork, the
processes that compute pages read the files.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from io import BytesIO
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.accountant import Claim, Held
from lmdk_widgets.hosts.serving.allowed_memory import whole_bytes

READ_S = 60
"""The most seconds that a file may take."""
MEMORY_BYTES = min(2 << 30, max(384 << 20, whole_bytes() // 4))
"""The most memory of a process that reads a file."""
AT_ONCE, WAITING = 2, 64
"""How many files are read at a time; the most that are about to wait."""
NAMES = 8
"""The bytes with which a visitor is named: 4 for the person, 4 for the network."""
PLACE = struct.Struct("<I")
"""What a waiting visitor is told: how many files are read before, and 0 when its own is read."""
TOO_MUCH = f"A file must be read within {READ_S} seconds and {MEMORY_BYTES >> 20:,} MB of memory"
TRUSTED = ("lmdk_widgets.", "numpy")
PLAIN = {("builtins", "complex"), ("collections", "OrderedDict"), ("datetime", "datetime"), ("datetime", "timezone")}


class Reader:
    """The reader of one page's files, as a process that computes sees it.

    Parameters
    ----------
    address : of its socket. names : of the visitor. said : is told a sentence about the queue. changed : called when `kept`
    has changed.

    Attributes
    ----------
    kept : the bytes of files that wait or are being read.
    """

    def __init__(
        self,
        address: str,
        names: bytes = b"",
        said: Callable[[str], None] = lambda _: None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.address, self.kept = address, 0
        self._names, self._said, self._changed = names.ljust(NAMES, b"\0"), said, changed
        self._asking: set[socket.socket] = set()

    def __call__(self, kind: type, data: bytes, name: str, **options: Any) -> Any:
        """What the `read` method of a session class finds in a file.

        Raises
        ------
        InputError : as `read`, or it took too much.
        """
        with socket.socket(socket.AF_UNIX) as ours:
            self._asking.add(ours)
            self._keep(len(data))
            try:
                answer = self._asked(ours, ((kind.__module__, kind.__qualname__), data, name, options))
            finally:
                self._asking.discard(ours)
                self._keep(-len(data))
        if not answer:  # its process was ended
            raise InputError(TOO_MUCH, remedy="Cut it down to what matters")
        return _answered(answer)

    def _asked(self, ours: socket.socket, asked: Any) -> bytes:
        """The answer, once it is this file's turn; empty if there is none."""
        ours.connect(self.address)
        with ours.makefile("rwb") as channel, suppress(BrokenPipeError, ConnectionResetError):
            channel.write(self._names)
            channel.flush()
            while len(told := channel.read(PLACE.size)) == PLACE.size:
                if before := PLACE.unpack(told)[0]:
                    self._said(
                        f"{before} files are read before yours." if before > 1 else "One file is read before yours."
                    )
                    continue
                pickle.dump(asked, channel)
                channel.flush()
                ours.shutdown(socket.SHUT_WR)
                return channel.read()
        return b""

    def _keep(self, size: int) -> None:
        self.kept += size
        self._changed()

    def close(self) -> None:
        """Let nothing wait any more: the page is closed."""
        for asking in list(self._asking):
            with suppress(OSError):
                asking.shutdown(socket.SHUT_RDWR)


class Turns:
    """Whose file is read next, as the forking process sees it; `begin` forks for one, and returns a file that ends with it.

    A file that waits is another visitor's: those of networks with the fewest files come first.
    """

    def __init__(self, begin: Callable[[socket.socket], int]) -> None:
        self._begin = begin
        self._turns = Held(each=1, whole=AT_ONCE)
        self._reading: dict[int, Claim] = {}
        self._told: dict[socket.socket, int] = {}

    @property
    def files(self) -> list[Any]:
        """What is ready to be read when something changes: a file that was read, or a visitor who has left the queue."""
        return [*self._reading, *(one.owner for one in self._turns.waiting)]

    def ask(self, channel: socket.socket) -> None:
        """A visitor's file waits for its turn."""
        channel.settimeout(1.0)
        names = channel.recv(NAMES, socket.MSG_WAITALL).hex()
        self._turns.wait(channel, names[:NAMES], names[NAMES:])
        self._next()

    def over(self, file: Any) -> None:
        """One of `files` is ready."""
        if file in self._reading:
            os.close(file)
            self._turns.leave(self._reading.pop(file))
        else:
            for one in [one for one in self._turns.waiting if one.owner is file]:
                self._turns.leave(one)
            self._told.pop(file, None)
            file.close()
        self._next()

    def _next(self) -> None:
        for one in self._turns.admitted():
            self._told.pop(one.owner, None)
            with suppress(OSError):
                one.owner.sendall(PLACE.pack(0))
            self._reading[self._begin(one.owner)] = one
            one.owner.close()
        for k, one in enumerate(self._turns.in_turn()):
            if self._told.get(one.owner) != (before := len(self._turns) + k):
                self._told[one.owner] = before
                with suppress(OSError):
                    one.owner.sendall(PLACE.pack(before))


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
    found.listen(WAITING)
    return found


def read(channel: socket.socket) -> None:
    """Read one file, and say what is in it."""
    os.nice(5)  # sliders do not wait for files
    signal.alarm(READ_S)
    channel.settimeout(None)
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
