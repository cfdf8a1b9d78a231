"""A file that is too large, and a disk that is full, in a real Chromium: a sentence each, and the page stays as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser import page
from tests.hosts.serving.test_faults import TRACK, epsilon, length, opened, shown, upload, wait_for
from tests.hosts.serving.test_settings import FULL_DISK
from tests.server import serve

pytestmark = pytest.mark.browser

UPLOAD = "Upload a track or a series"


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
        with page(chromium, check=False) as another:
            another.goto(address)
            another.get_by_text("could not start a Python session").wait_for()
            (tmp_path / "full").unlink()
            opened(another, address)
        assert view.locator(".lmdk-row").first.get_attribute("aria-setsize") == "12"
