"""Measures the explorer's page against a bare page, in one run of a real Chromium.

    python benchmarks/page_speed.py [--json FILE] [--repeats K] [--quick] [--sizes N ...] [--pages KIND ...]

For each track length there are K rounds; in each round every page is visited once, in rotating order, so a drift of the
machine affects all equally. Each visit has a new browser context and a new kernel, which its server
started in advance. Ratios are computed round by round.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from browser import Visit, chromium, visit
from figures import KINDS, counted, machine, summarise, text_table
from playwright.sync_api import Browser, Error
from servers import FILL_DELAY_S, NotThere, explorer, linked, voila
from targets import SIZES

sys.path.insert(0, str(Path(__file__).parent / "pages"))
from track import write_csv

STRENGTH_N, STRENGTH = 2_000, "correlation=strength&states=100"
"""The track length at which the slider for the correlation's strength is also moved, and the link that shows it."""

FOUNDATIONS_N, FOUNDATIONS = 288, "page=table&part=noise"
"""The same for epsilon on the table page, which shows no track."""

CURVES_N, CURVES = 2_000, "trade_off.open=1"
"""The same for epsilon while the trade-off of every scheme is drawn."""

OTHER_SLIDERS = {
    "strength": {"strength_ms": "text_ms"},
    "foundations": {"foundations_ms": "text_ms", "foundations_mb": "kernel_mb"},
    "curves": {"curves_ms": "text_ms"},
}
"""Visits to the explorer in which another slider is moved, and the name of each of their figures."""

MADE_S = 8.0
"""Seconds in which a server makes the next page in advance, once it has begun."""

ATTEMPTS = 4
"""The maximum number of visits in a round to a page with a view that no longer responds; every such visit is counted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, write the JSON; 1 if a page could not be measured."""
    options = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that servers and kernels end too
    plan = settings(options)
    with chromium() as browser, tempfile.TemporaryDirectory(prefix="lmdk-bench-") as folder:
        results: dict[str, Any] = {"machine": machine(browser.version), "settings": plan, "rounds": {}, "trouble": []}
        for n in plan["sizes"]:
            results["rounds"][str(n)] = measure(browser, Path(folder), n, plan, results["trouble"])
    results["load_average_after"] = machine()["load_average"]
    results["summary"] = summarise(results["rounds"])
    print(f"\n{text_table(results['summary'])}\n")
    for sentence in counted(results["trouble"]):
        print(sentence)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    measured = {kind for rounds in results["rounds"].values() for r in rounds for kind in r}
    return 0 if measured >= set(plan["pages"]) else 1


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    made.add_argument("--json", type=Path, metavar="FILE", help="write every measurement and the summary")
    made.add_argument("--repeats", type=int, metavar="K", help="rounds for each length (default 5)")
    made.add_argument("--quick", action="store_true", help="2 rounds with few moves: a quick look, not a measurement")
    made.add_argument("--sizes", type=int, nargs="+", choices=SIZES, default=list(SIZES), metavar="N")
    made.add_argument("--pages", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND")
    return made


def settings(options: argparse.Namespace) -> dict[str, Any]:
    rounds = options.repeats or (2 if options.quick else 5)
    wanted = 5 if options.quick else 20
    return {
        "rounds": rounds,
        "moves": wanted,
        "many_moves": 100 if options.quick else 1_000,
        "sizes": options.sizes,
        "pages": options.pages,
    }


def measure(browser: Browser, folder: Path, n: int, plan: dict[str, Any], trouble: list[str]) -> list[dict[str, Any]]:
    """All rounds for one length: a list of rounds, each of which maps a kind of page to its visit."""
    track = write_csv(folder / f"track-{n}.csv", n)
    with ExitStack() as stack:
        addresses: dict[str, str] = {}
        for start, kinds in ((voila, {"bare"}), (explorer, {"ours"})):
            if not kinds & set(plan["pages"]):
                continue
            try:
                addresses |= stack.enter_context(start(track))
            except NotThere as reason:
                trouble.append(f"n = {n:,}: {', '.join(sorted(kinds))} not measured: {reason}")
        if n == STRENGTH_N and "ours" in addresses:
            addresses["strength"] = linked(addresses["ours"], STRENGTH)
        if n == CURVES_N and "ours" in addresses:
            addresses["curves"] = linked(addresses["ours"], CURVES)
        if n == FOUNDATIONS_N and "ours" in addresses:
            addresses["foundations"] = linked(addresses["ours"], FOUNDATIONS)
        pages = []
        for kind in (kind for kind in (*plan["pages"], *OTHER_SLIDERS) if kind in addresses):
            try:  # the first visit pays for the server's own imports
                say(n, "warm-up", kind, visit(browser, kind, addresses[kind], moves=0))
                pages.append(kind)
            except Error as reason:
                trouble.append(f"n = {n:,}: {kind} not measured: {reason}")
        return [one_round(browser, n, k, turned(pages, k), addresses, plan, trouble) for k in range(plan["rounds"])]


def one_round(
    browser: Browser,
    n: int,
    k: int,
    pages: Sequence[str],
    addresses: dict[str, str],
    plan: dict[str, Any],
    trouble: list[str],
) -> dict[str, Any]:
    """One visit to each page; the many moves for the kernel's memory belong to the first round.

    The explorer with another slider is not another page: its moves become a figure for the explorer.
    """
    found: dict[str, Any] = {}
    for kind in pages:
        many = plan["many_moves"] if kind == "ours" and k == 0 else 0
        for _ in range(ATTEMPTS):
            time.sleep(FILL_DELAY_S + MADE_S)  # so that every page was made in advance, ours and the others
            result = visit(browser, kind, addresses[kind], plan["moves"], many)
            say(n, f"round {k + 1}", kind, result)
            if not result.stuck:
                found[kind] = asdict(result)
                break
            trouble.append(f"n = {n:,}: a visit to {kind} gave no figure because this never happened: {result.stuck}")
    for other, figures in OTHER_SLIDERS.items():
        moved = {"ours": found.pop(other, None), "bare": found.get("bare")}
        if moved["ours"]:
            for kind in (kind for kind in moved if kind in found):
                found[kind] |= {name: moved[kind][figure] for name, figure in figures.items()}
    return found


def turned(pages: Sequence[str], k: int) -> list[str]:
    """The pages in the order of round k: each comes first equally often.

    Examples
    --------
    >>> turned(["bare", "ours"], 1)
    ['ours', 'bare']
    """
    shift = k % len(pages) if pages else 0
    return [*pages[shift:], *pages[:shift]]


def say(n: int, when: str, kind: str, result: Visit) -> None:
    def middle(values: list[float]) -> str:
        return f"{sorted(values)[len(values) // 2]:.1f}" if values else "–"

    growth = "" if result.kernel_growth_mb is None else f", grew by {result.kernel_growth_mb:.1f}"
    print(
        f"n = {n:<6,} {when:8} {kind:10} complete {result.complete_s:.2f} s, text {middle(result.text_ms)} ms, "
        f"painted {middle(result.painted_ms)} ms, websocket {result.websocket_mb:.2f} MB, "
        f"http {result.http_mb:.2f} MB, kernel {result.kernel_mb:.1f} MB{growth}{'  STUCK' if result.stuck else ''}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
