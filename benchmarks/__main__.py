"""`python -m benchmarks [--quick]`: measures everything and writes the figures to FIGURES.md."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results"
FIGURES = HERE / "FIGURES.md"
MATHEMATICS = (
    *("settings", "study", "leakage", "pairs", "inference"),
    *("adversary", "geoind", "optpriv", "pufferfish", "anonymity"),
)
"""Benchmarks that need no browser; each writes its own table between the markers with its name."""


def main() -> int:
    """Run each benchmark in its own process, then the report; the first failure gives the exit code."""
    options = ["--quick"] if "--quick" in sys.argv[1:] else []
    # A quick look is only printed; only a complete measurement is worth keeping.
    figures = [] if options else ["--figures", str(FIGURES)]
    page, evaluation = RESULTS / "page.json", RESULTS / "evaluate.json"
    codes = [
        run("evaluate_speed.py", "--json", str(evaluation), *options),
        run("page_speed.py", "--json", str(page), *options),
    ]
    written = [str(path) for path in (page, evaluation) if path.is_file()]
    codes.append(run("report.py", *written, *figures))
    codes += [
        run(f"{name}_speed.py", "--json", str(RESULTS / f"{name}.json"), *options, *figures) for name in MATHEMATICS
    ]
    codes.append(run("people_load.py", "--json", str(RESULTS / "people.json"), *options, *figures))
    codes.append(run("people_soak.py", "--json", str(RESULTS / "soak.json"), *options, *figures))
    codes.append(run("class_load.py", "--pages", "0", "20", "--json", str(RESULTS / "class.json"), *options, *figures))
    return next((code for code in codes if code), 0)


def run(script: str, *arguments: str) -> int:
    print(f"\n== {script}", flush=True)
    return subprocess.run([sys.executable, str(HERE / script), *arguments]).returncode


if __name__ == "__main__":
    sys.exit(main())
