"""A kernel takes so much memory and no more; what does not fit becomes a sentence, and the page goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.page.messages import attempt
from tests.browser import page
from tests.server import ROOT, serve

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not hold this limit")


def test_no_memory_is_a_sentence() -> None:
    def act() -> None:
        np.empty(2**60, np.int8)

    said = attempt(act)
    assert said and said["type"] == "refused" and "not enough memory" in said["text"]


@LINUX
def test_the_limit_of_a_process_makes_a_memory_error_of_what_is_too_much() -> None:
    program = """
from lmdk_widgets.hosts.serving.memory_limit import limit_memory
limit_memory(300 << 20)
kept = bytearray(100 << 20)
try:
    more = bytearray(300 << 20)
except MemoryError:
    print("refused", len(bytearray(50 << 20)))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["refused", str(50 << 20)], done.stderr


@pytest.mark.nightly
@LINUX
@pytest.mark.browser
def test_a_file_that_does_not_fit_leaves_the_page_as_it_was(chromium: Any, tmp_path: Path) -> None:
    line = b"2026-01-01T00:%02d:%02dZ,48.85837,2.29448\n"
    rows = b"".join(line % (k // 60, k % 60) for k in range(3_600)) * 500
    file = tmp_path / "long.csv"
    file.write_bytes(b"time,latitude,longitude\n" + rows)
    with serve(env={"LMDK_MEMORY_MB": "400"}) as address, page(chromium) as tab:
        tab.goto(address)
        tab.locator(".lmdk-drawing").first.wait_for(timeout=60_000)
        shown = tab.locator(".lmdk-paragraph").first.inner_text()
        tab.get_by_label("Upload a track or a series", exact=True).set_input_files(file)
        tab.get_by_text("There is not enough memory for that; nothing has changed.").wait_for(timeout=60_000)
        assert tab.locator(".lmdk-paragraph").first.inner_text() == shown
        tab.get_by_role("slider").first.press("ArrowRight")
        tab.wait_for_function(
            "before => document.querySelector('.lmdk-paragraph').innerText !== before", arg=shown, timeout=60_000
        )
