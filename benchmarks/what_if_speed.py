"""Measures the what-if as one file at 288 timestamps: its size, and how long it takes to make and to open from disk.

    python benchmarks/what_if_speed.py [--repeats K]

It is opened in a real Chromium, cold each time, and compared with a report of the same page, which has the same charts but no
answers. Promised: at most 5 MB, and open within a second.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

HERE = Path(__file__).parent
sys.path[1:1] = [str(HERE.parent), str(HERE / "pages")]

from playwright.sync_api import sync_playwright  # noqa: E402
from servers import chromium_path  # noqa: E402
from track import columns  # noqa: E402

from lmdk_widgets import Explorer  # noqa: E402
from lmdk_widgets.page.history import State  # noqa: E402
from lmdk_widgets.page.open_controls import Source, opened  # noqa: E402
from lmdk_widgets.page.what_if import WhatIf  # noqa: E402
from lmdk_widgets.scenario import Scenario  # noqa: E402
from lmdk_widgets.trajectory import Trajectory  # noqa: E402

READY = {
    "what-if": "document.querySelector('.lmdk-explorer')?.dataset.lmdkReady",
    "report": "document.documentElement.dataset.drawn",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=7, metavar="K", help="visits of each file; default: 7")
    options = parser.parse_args(arguments)
    latitude, longitude, moments, landmark = columns(288)
    marks = tuple(int(i) for i in landmark.nonzero()[0])
    state = State(Scenario(track="", landmarks=marks), Trajectory(latitude, longitude, moments))
    with tempfile.TemporaryDirectory() as folder:
        files = {"what-if": Path(folder) / "what-if.html", "report": Path(folder) / "report.html"}
        began = perf_counter()
        files["what-if"].write_bytes(made(state))
        print(f"made in {perf_counter() - began:.1f} s on {os.cpu_count()} processors")
        files["report"].write_bytes(Explorer.PAGE.showing(state).report().data)
        took = visits(files, options.repeats)
        for name, path in files.items():
            size, middle = path.stat().st_size / 1e6, statistics.median(took[name])
            print(f"{name}: {size:.2f} MB, open after {middle:.2f} s ({min(took[name]):.2f} to {max(took[name]):.2f})")
    ratios = [a / b for a, b in zip(took["what-if"], took["report"], strict=True)]
    print(f"what-if / report: {statistics.median(ratios):.2f}; load {os.getloadavg()[0]:.1f}")
    return 0


def made(state: State) -> bytes:
    """The file with the default open controls."""
    controls = opened(state.choices, Explorer.PAGE.CAN_OPEN[: Explorer.PAGE.OPEN], left_out=Explorer.PAGE.NOT_OPEN)
    recorded = WhatIf(Explorer.PAGE, Source(state, "A made-up walk."), controls, jobs=-1)
    for _ in recorded.record():
        pass
    return recorded.file().data


def visits(files: dict[str, Path], repeats: int) -> dict[str, list[float]]:
    """Seconds from the start of the navigation until everything is drawn, by the page's own clock, with the files in turn."""
    took: dict[str, list[float]] = {name: [] for name in files}
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        for _ in range(repeats):
            for name, path in files.items():
                took[name].append(visit(chromium, path, READY[name]))
        chromium.close()
    return took


def visit(chromium: Any, path: Path, ready: str) -> float:
    """One visit, in a new browser context without a network."""
    context = chromium.new_context(offline=True)
    page = context.new_page()
    page.goto(path.as_uri(), wait_until="commit")
    # checked in each frame, so that the clock is read immediately
    seconds = page.wait_for_function(f"() => ({ready}) && performance.now() / 1000", polling="raf").json_value()
    context.close()
    return seconds


if __name__ == "__main__":
    sys.exit(main())
