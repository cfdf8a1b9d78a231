"""A limit on the memory of a process, so that one file cannot take the whole machine."""

from __future__ import annotations

import sys


def limit_memory(most_bytes: int) -> None:
    """Limit this process's memory for data, on Linux only; more raises a MemoryError. 0 is no limit.

    Data are counted, not addresses (RLIMIT_AS): compilers and thread pools reserve addresses that they never use.
    """
    if most_bytes and sys.platform == "linux":
        import resource

        _, allowed = resource.getrlimit(resource.RLIMIT_DATA)
        most = most_bytes if allowed == resource.RLIM_INFINITY else min(most_bytes, allowed)
        resource.setrlimit(resource.RLIMIT_DATA, (most, allowed))
