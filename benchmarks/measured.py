"""What the benchmarks of the mathematics share: timing, the spread of times, and where results are written."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np
from between import write_between


def milliseconds(function: Callable[[], Any]) -> float:
    """Processor time of one call."""
    start = thread_time()
    function()
    return (thread_time() - start) * 1e3


def spread(values: Iterable[float]) -> dict[str, float]:
    """Lowest, median and highest."""
    low, median, high = np.percentile(list(values), (0, 50, 100)).tolist()
    return {"median": median, "low": low, "high": high}


def asked(
    about: str | None, *, repeats: int | None = None, of: str = "", quick: str = "few repetitions"
) -> argparse.ArgumentParser:
    """The options of every benchmark of the mathematics; --repeats if a number is given."""
    made = argparse.ArgumentParser(description=(about or "").splitlines()[0])
    made.add_argument("--quick", action="store_true", help=quick)
    if repeats is not None:
        made.add_argument("--repeats", type=int, default=repeats, metavar="K", help=f"{of} (default {repeats})")
    made.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    made.add_argument("--figures", type=Path, metavar="FIGURES.md", help="write the table between its markers")
    return made


def write(options: argparse.Namespace, name: str, found: Any, table: str) -> None:
    """Writes the results to the --json file, and the table between the markers with this name in the --figures file."""
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    if options.figures:
        write_between(options.figures, name, table)
