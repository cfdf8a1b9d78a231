"""A limit on the memory of a process, so that one file cannot take the whole machine; and giving back what is not used."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress


def limit_memory(most_bytes: int) -> None:
    """Limit this process's memory for data, on Linux only; more raises a MemoryError. 0 is no limit.

    Data are counted, not addresses (RLIMIT_AS): compilers and thread pools reserve addresses that they never use.
    """
    if most_bytes and sys.platform == "linux":
        import resource

        _, allowed = resource.getrlimit(resource.RLIMIT_DATA)
        most = most_bytes if allowed == resource.RLIM_INFINITY else min(most_bytes, allowed)
        resource.setrlimit(resource.RLIMIT_DATA, (most, allowed))


def give_back() -> None:
    """Free what visitors have left, and return it to the system."""
    gc.collect()
    trim()


def trim() -> None:
    """Let the C library of Linux return freed memory to the system, which it does only at the end of its memory otherwise."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)
