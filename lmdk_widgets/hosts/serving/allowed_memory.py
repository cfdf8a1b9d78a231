"""The memory that a container or a unit of systemd allows, which may be far less than the machine has."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import psutil

GROUPS = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")


def allowed(groups: Path = GROUPS, own: Path = OWN) -> tuple[int, int] | None:
    """Free and all bytes under the tightest limit of the control groups (version 2) that this process is in; None without.

    What is kept of files counts as free, as the system gives it up when memory is wanted.

    Parameters
    ----------
    groups : where the control groups are mounted.
    own : names the group of this process; in a container it may be a name of outside, which leads nowhere here.
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
    """All the memory of this machine, or what is allowed of it."""
    found = allowed()
    return min(psutil.virtual_memory().total, *(found[1:] if found else ()), sys.maxsize)


def used_bytes(processes: list[int], limit: int) -> list[int]:
    """The memory of each process, 0 for one that has ended: at most what is said, and where that is beyond a limit, exactly.

    What several processes share counts in each of them at first, which is soon known, and then in parts.
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
    """Free and all bytes of one group; None where nothing limits it, or it is not here."""
    try:
        most, used = int((folder / "memory.max").read_text()), int((folder / "memory.current").read_text())
        kept = re.search(r"^inactive_file (\d+)$", (folder / "memory.stat").read_text(), re.MULTILINE)
    except (OSError, ValueError):
        return None
    return max(0, most - used + (int(kept[1]) if kept else 0)), most
