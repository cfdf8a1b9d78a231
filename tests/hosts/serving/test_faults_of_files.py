"""A file that is too large, and a disk that is full, in a real Chromium: a sentence each, and the page stays as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser import page
from tests.hosts.serving.test_faults import TRACK, epsilon, length, opened, shown, upload, wait_for
from tests.server import serve

pytestmark = pytest.mark.browser

UPLOAD = "Upload a track or a series"
FULL_DISK = """
import errno, os, pathlib
is_full, opens = pathlib.Path(__file__).with_name("full"), os.open
def full(path, flags, *rest, **named):
    if flags & (os.O_WRONLY | os.O_CREAT) and is_full.exists():
        raise OSError(errno.ENOSPC, "No space left on device")
    return opens(path, flags, *rest, **named)
os.open = full
"""
"""Writes of the server and its kernels end as on a full disk while there is a file of that name."""


@pytest.mark.nightly
def test_a_huge_file_is_refused_and_a_full_disk_takes_nothing_from_an_open_page(chromium: Any, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(FULL_DISK, "utf-8")
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.truncate(129 << 20)
    with serve(env={"PYTHONPATH": str(tmp_path)}) as address, page(chromium) as view:
        before = shown(opened(view, address))
        view.get_by_label(UPLOAD, exact=True).set_input_files(huge)
        view.get_by_text(
            "A file must have at most 128 MB; huge.csv has 129 MB. Cut it down to what matters."
        ).wait_for()
        assert shown(view) == before
        (tmp_path / "full").touch()
        epsilon(view, "0.5")
        wait_for(view, "of the budget of 0.50")
        upload(view, UPLOAD, TRACK)
        length(view, 12)
        (tmp_path / "full").unlink()
        assert view.locator(".lmdk-row").first.get_attribute("aria-setsize") == "12"
