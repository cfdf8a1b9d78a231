"""What one page of a server has solved, shared with its other pages: thirty people move one slider over the same stops.

Only problems without any of the user's own data are stored (`Instance.public`). A process keeps the latest mechanisms once
for all its pages. For other processes, each one is also a file in the server's private folder, named by a digest of the
problem; the folder goes with the server. A file is a checksum, a line of JSON and the matrix. Whatever is read is certified
again: the privacy over all pairs, the loss, and the gap to the bound that was proven when it was solved. A file that fails,
or does not belong to this user, counts as missing, and is solved and written again.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from lmdk_widgets.cache import listed
from lmdk_widgets.geoind import Channel, smallest_epsilon
from lmdk_widgets.geoind.mechanisms import LEAST, Instance

VARIABLE = "LMDK_SOLVED"
"""The environment variable that names the folder; without it nothing is stored."""
MOST_BYTES, MOST_FILES = 32 << 20, 4000
"""Limits for all files together; the oldest are removed first."""
SHARED_BYTES = 16 << 20
"""The limit for all mechanisms that a process keeps for its pages."""
FEWEST = 8
"""The number of mechanisms that are kept however large they are: those of one setting, and of the one before."""
ROUNDING = 1e-9
_CHECKSUM = 32


class Latest:
    """The mechanisms that were used last, as many as fit into a number of bytes, and always a few.

    Several threads may use it without a lock. Each step on the dictionary is atomic. Looking one up changes no place in the
    dictionary, only when it was used, so what is stored is never missing meanwhile. Only `put` drops mechanisms: those used
    longest ago in its own copy of the list, and none that another thread has replaced. Where two threads drop at once, one
    that was used between the two is dropped too, and is solved again.
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._kept: dict[tuple, _Kept] = {}
        self._clock = count()

    def get(self, key: tuple) -> Channel | None:
        """The mechanism under this key; None if there is none."""
        found = self._kept.get(key)
        if found is None:
            return None
        found.used = next(self._clock)  # the last one now
        return found.channel

    def put(self, key: tuple, channel: Channel) -> None:
        """Keeps a mechanism, and drops the oldest if there is no more room."""
        self._kept[key] = _Kept(channel, next(self._clock))
        kept = [(one.used, old, one) for old in list(self._kept) if (one := self._kept.get(old)) is not None]
        kept.sort(key=lambda each: each[0])
        over = sum(one.channel.matrix.nbytes for *_, one in kept) - self.most_bytes
        for _, old, one in kept[:-FEWEST]:
            if over > 0:
                over -= one.channel.matrix.nbytes
                if self._kept.get(old) is one:
                    self._kept.pop(old, None)

    def clear(self) -> None:
        """Drops all."""
        self._kept.clear()


@dataclass(eq=False)
class _Kept:
    """A mechanism, and when it was used last."""

    channel: Channel
    used: int


SHARED = Latest(SHARED_BYTES)
"""What the pages of this process have solved, under the folder of their server."""
listed(
    "geoind.solved_store",
    f"mechanisms of problems without any of the user's data, at most {SHARED_BYTES >> 20} MB",
    "everybody",
    None,
    lambda: len(SHARED._kept),
    SHARED.clear,
)


class Store:
    """The solved mechanisms of this server: those of this process, and a folder for all its processes.

    Parameters
    ----------
    folder : None for the one that the environment names, if any.
    """

    def __init__(self, folder: Path | None = None) -> None:
        named = os.environ.get(VARIABLE, "")
        self.folder = folder or (Path(named) if named else None)

    def recall(self, key: tuple, instance: Instance) -> Channel | None:
        """The mechanism stored under this key, certified for this instance; None if there is none."""
        if self.folder is None or not instance.public:
            return None
        if (found := SHARED.get((self.folder, key))) is not None:
            return found
        try:
            found = _certified(_unpacked(_read(self._file(key)), len(instance)), key, instance)
        except (OSError, ValueError, TypeError, KeyError):
            return None
        SHARED.put((self.folder, key), found)
        return found

    def keep(self, key: tuple, instance: Instance, channel: Channel) -> bool:
        """Keeps a mechanism for the other pages and returns whether it may; if it cannot be written, for example on a full
        disk, the other processes solve it themselves."""
        if self.folder is None or not instance.public:
            return False
        SHARED.put((self.folder, key), channel)
        data = _packed(channel)
        with suppress(OSError):
            self.folder.mkdir(mode=0o700, exist_ok=True)
            self._make_room(len(data))
            number, name = tempfile.mkstemp(dir=self.folder)  # only its owner may read it
            try:
                with os.fdopen(number, "wb") as file:
                    file.write(data)
                os.replace(name, self._file(key))
            except OSError:
                os.unlink(name)
                raise
        return True

    def _file(self, key: tuple) -> Path:
        assert self.folder is not None
        return self.folder / f"{hashlib.sha256(repr(key).encode()).hexdigest()}.solved"

    def _make_room(self, size: int) -> None:
        assert self.folder is not None
        found = []
        for entry in os.scandir(self.folder):
            with suppress(FileNotFoundError):  # another page may be making room too
                found.append((entry.stat().st_mtime, entry.stat().st_size, entry.path))
        found.sort(reverse=True)
        total = sum(each for _, each, _ in found)
        while found and (total + size > MOST_BYTES or len(found) >= MOST_FILES):
            _, freed, oldest = found.pop()
            total -= freed
            Path(oldest).unlink(missing_ok=True)


def _packed(channel: Channel) -> bytes:
    told = asdict(channel)
    matrix = np.ascontiguousarray(told.pop("matrix"), "<f8").tobytes()
    content = json.dumps(told).encode() + b"\n" + matrix
    return hashlib.sha256(content).digest() + content


def _unpacked(data: bytes, n: int) -> Channel:
    checksum, content = data[:_CHECKSUM], data[_CHECKSUM:]
    if hashlib.sha256(content).digest() != checksum:
        raise ValueError("damaged")
    line, _, matrix = content.partition(b"\n")
    told = json.loads(line)
    return Channel(np.frombuffer(matrix, "<f8").reshape(n, n), **told | {"notices": tuple(told["notices"])})


def is_private(about: os.stat_result) -> bool:
    """Whether this is a regular file of this user that nobody else may read or write, as far as the system can tell."""
    own = not hasattr(os, "geteuid") or (about.st_uid == os.geteuid() and not about.st_mode & 0o077)
    return own and stat.S_ISREG(about.st_mode)


def _read(file: Path) -> bytes:
    """The content of a regular file of this user that nobody else may read or write."""
    with os.fdopen(os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as opened:
        about = os.fstat(opened.fileno())
        if not (is_private(about) and about.st_size <= MOST_BYTES):
            raise ValueError("not a file of this server")
        return opened.read()


def _certified(channel: Channel, key: tuple[Any, ...], instance: Instance) -> Channel:
    """The channel, if its numbers match its matrix on this instance; else a `ValueError`."""
    _, mechanism, _, _, epsilon_per_m, _ = key
    matrix, apart = channel.matrix, instance.distances_m
    asked = channel.requested_epsilon
    weights = np.full(len(instance), 1 / len(instance)) if mechanism == "planar" else instance.prior
    loss = float(weights @ (matrix * instance.quality).sum(axis=1))
    right = [
        bool((matrix >= 0).all() and (np.abs(matrix.sum(axis=1) - 1) < ROUNDING).all()),
        math.isnan(asked) if mechanism == "private" else asked == epsilon_per_m,
        _near(smallest_epsilon(matrix, apart), channel.epsilon),
        mechanism == "private" or channel.epsilon <= asked,
        _near(loss, channel.quality_loss),
    ]
    if mechanism in LEAST:
        scale = max(float((instance.prior @ instance.quality).min()), 1e-6 * float(instance.quality.max()))
        above = (loss - channel.bound) / scale
        right.append(above > -ROUNDING and abs(max(0.0, above) - channel.gap) < ROUNDING)
    if not all(right):
        raise ValueError("not what it says")
    return channel


def _near(found: float, said: float) -> bool:
    return found == said or abs(found - said) <= ROUNDING * max(abs(said), 1e-12)
