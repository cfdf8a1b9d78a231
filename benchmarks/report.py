"""Turns the results of the benchmarks into a table in FIGURES.md.

    python benchmarks/report.py FILE.json [FILE.json ...] [--figures FIGURES.md]

The table's place is between `<!-- speed:begin -->` and `<!-- speed:end -->`; the rest of the file stays unchanged.
Without --figures, it is printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from between import write_between
from figures import METRICS, counted, short, shown
from targets import target


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table to FIGURES.md, or print it; 1 if FIGURES.md has no markers."""
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("results", type=Path, nargs="+", metavar="FILE.json")
    made.add_argument("--figures", type=Path, metavar="FIGURES.md")
    options = made.parse_args(arguments)
    results: dict[str, Any] = {}
    for path in options.results:
        results = json.loads(path.read_text()) | results
    table = markdown(results)
    if options.figures is None:
        print(table)
        return 0
    write_between(options.figures, "speed", table)
    return 0


def markdown(results: Mapping[str, Any]) -> str:
    """Everything that was measured, as Markdown: the pages, `evaluate`, and the machine.

    Examples
    --------
    >>> one = {"median": 1.1, "min": 1.0, "max": 1.2}
    >>> row = {"metric": "complete_s", "n": 288, "bare": one, "ours": one,
    ...        "ratios": {"ours / bare": one},
    ...        "target": {"of": "ours / bare", "text": "≤ 1.3×", "met": True}}
    >>> for cell in markdown({"summary": [row]}).splitlines()[2].strip("| ").split(" | "):
    ...     print(cell)
    page complete, cold, s
    288
    1.1
    1.1 (1 to 1.2)
    1.1× (1 to 1.2)
    explorer / bare ≤ 1.3×: yes
    """
    parts = [
        pages_table(results["summary"]) if results.get("summary") else "",
        evaluate_table(results["evaluate"]) if results.get("evaluate") else "",
        footnote(results),
    ]
    return "\n\n".join(part for part in parts if part)


def pages_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """One row per figure: the median of the bare page, the median and range of ours and of the ratio, and the target."""
    lines = [
        "| | timestamps | bare | explorer | explorer / bare | target |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        bare, ratio = shown(row["bare"]).partition(" (")[0], shown(row["ratios"].get("ours / bare"), "×")
        aim = row["target"]
        of = aim["of"].replace("ours", "explorer") if aim else ""
        text = f"{of} {aim['text']}: {yes_or_no(aim['met'])}" if aim else ""
        cells = [METRICS[row["metric"]], f"{row['n']:,}", bare, shown(row["ours"]), ratio, text]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def evaluate_table(found: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """`evaluate` for every scheme and length, ms: the median over all epsilons, and the slowest, to which the target applies.

    Examples
    --------
    >>> print(evaluate_table({"288": {"uniform": {"ms": {"median": 0.5, "min": 0.4, "max": 0.9}, "slowest_ms": 0.8}}}))
    | `evaluate` on one core, ms; slowest epsilon | 288 |
    |---|--:|
    | uniform | 0.5; 0.8 |
    | target | ≤ 2: yes |
    """
    sizes = list(found)
    lines = [
        "| `evaluate` on one core, ms; slowest epsilon | " + " | ".join(f"{int(n):,}" for n in sizes) + " |",
        "|---|" + "--:|" * len(sizes),
    ]
    for scheme in found[sizes[0]]:
        lines.append(f"| {scheme} | " + " | ".join(middle_and_slowest(found[n][scheme]) for n in sizes) + " |")
    aims = [target("evaluate_ms", int(n)) for n in sizes]
    worst = [max(figures["slowest_ms"] for figures in found[n].values()) for n in sizes]
    verdicts = (f"{a}: {yes_or_no(a.met(w))}" if a else "" for a, w in zip(aims, worst, strict=True))
    return "\n".join([*lines, "| target | " + " | ".join(verdicts) + " |"])


def middle_and_slowest(figures: Mapping[str, Any]) -> str:
    return f"{short(figures['ms']['median'])}; {short(figures['slowest_ms'])}"


def footnote(results: Mapping[str, Any]) -> str:
    """On which machine, when and how it was measured, and what could not be measured."""
    found = results.get("machine", {})
    if not found:
        return ""
    versions = ", ".join(f"{k} {found[k]}" for k in ("python", "chromium", "voila") if k in found)
    where = f"{found['cores']} cores ({found['processor']})"
    text = f"Measured {found['date']} on {where}, {versions}; medians (smallest to largest)"
    rounds = results.get("settings", {}).get("rounds")
    text += f", ratios round by round over {rounds} rounds." if rounds else "."
    trouble = results.get("trouble", [])
    return text + (f" {'; '.join(counted(trouble))}." if trouble else "")


def yes_or_no(met: bool | None) -> str:
    return {True: "yes", False: "**no**", None: "not measured"}[met]


if __name__ == "__main__":
    sys.exit(main())
