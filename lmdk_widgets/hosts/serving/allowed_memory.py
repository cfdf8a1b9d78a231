"""The memory that a container or a systemd unit allows, which may be far less than the machine has."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import psutil

GROUPS = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")


def allowed(groups: Path = GROUPS, own: Path = OWN) -> tuple[int, int] | None:
    """Free and total bytes under the tightest limit of this process's control groups (version 2); None without a limit.

    Cached file contents count as free, as the system gives them up when memory is needed.

    Parameters
    ----------
    groups : where the control groups are mounted.
    own : names the group of this process; in a container it may be a name from outside, which does not exist here.
    """
    try:
        named = re.search(r"^0::/(.*)$", own.read_text("utf-8"), re.MULTILINE)
    except OSError:
        return None
    if named is None:
        return None
    group = groups / named[1]
    found = [_limit(folder) for folder in [group, *group.parents] if folder.is_relative_to(groups)]
    return min(filter(None, found), default=None)


def whole_bytes() -> int:
    """The total memory of this machine, or as much of it as is allowed."""
    found = allowed()
    return min(psutil.virtual_memory().total, *(found[1:] if found else ()), sys.maxsize)


def used_bytes(processes: list[int], limit: int) -> list[int]:
    """The memory of each process, 0 for one that has ended: an upper bound, or exact if the sum is beyond the limit.

    The bound, which is quick to find, counts shared memory in each process; the exact value divides it between them.
    """
    rough = [_used(each, exact=False) for each in processes]
    return rough if sum(rough) <= limit else [_used(each, exact=True) for each in processes]


def _used(number: int, *, exact: bool) -> int:
    try:
        if not exact:
            return int(psutil.Process(number).memory_info().rss)
        found = psutil.Process(number).memory_full_info()
    except psutil.Error:
        return 0
    return int(getattr(found, "pss", found.uss))


def _limit(folder: Path) -> tuple[int, int] | None:
    """Free and total bytes of one group; None if it has no limit, or is not here."""
    try:
        most, used = int((folder / "memory.max").read_text()), int((folder / "memory.current").read_text())
        kept = re.search(r"^inactive_file (\d+)$", (folder / "memory.stat").read_text(), re.MULTILINE)
    except (OSError, ValueError):
        return None
    return max(0, most - used + (int(kept[1]) if kept else 0)), most
