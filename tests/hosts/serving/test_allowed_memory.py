"""What a container or a unit allows is what counts as the memory of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from lmdk_widgets.hosts.serving import watch
from lmdk_widgets.hosts.serving.allowed_memory import allowed


def group(folder: Path, most: str, used: int, kept: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memory.max").write_text(f"{most}\n")
    (folder / "memory.current").write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon 5\ninactive_file {kept}\nactive_file 7\n")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own"
    path.write_text("1:name=systemd:/x\n0::/system.slice/lmdk.service\n")
    return path


def test_the_tightest_limit_above_the_process_counts_and_kept_files_are_free(tmp_path: Path, own: Path) -> None:
    groups = tmp_path / "groups"
    assert allowed(groups, own) is None and allowed(groups, tmp_path / "none") is None
    group(groups / "system.slice" / "lmdk.service", "max", 3_000)
    assert allowed(groups, own) is None
    group(groups / "system.slice", "5000", 3_500, kept=500)
    assert allowed(groups, own) == (2_000, 5_000)
    group(groups / "system.slice" / "lmdk.service", "4000", 3_000)
    assert allowed(groups, own) == (1_000, 4_000)


def test_in_a_container_the_name_of_outside_leads_to_its_own_limit(tmp_path: Path, own: Path) -> None:
    group(tmp_path / "groups", "2000", 1_900)
    assert allowed(tmp_path / "groups", own) == (100, 2_000)


def test_the_overview_says_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "allowed", lambda: (200_000_000, 8_000_000_000))
    found = watch.measured()
    assert (found.free, found.whole) == (200_000_000, 8_000_000_000) and found.scarce
    monkeypatch.setattr(watch, "allowed", lambda: (10**18, 10**18))
    assert watch.measured().whole < 10**18, "no more than there is"
