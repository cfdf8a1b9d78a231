"""Computes the figures for the report from the measurements of single visits: medians, ranges, ratios with their spread."""

from __future__ import annotations

import datetime
import os
import platform
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from targets import SIZES, target

METRICS = {
    "complete_s": "page complete, cold, s",
    "text_ms": "slider to changed text, ms",
    "painted_ms": "slider to all painted, ms",
    "strength_ms": "strength slider, 100 states, to changed text, ms",
    "curves_ms": "slider to changed text, with the curves open, ms",
    "foundations_ms": "Table, slider to changed text, ms",
    "websocket_mb": "websocket until complete, MB",
    "http_mb": "HTTP until complete, MB",
    "kernel_mb": "kernel when complete, MB (PSS)",
    "foundations_mb": "Table, kernel when complete, MB (PSS)",
    "kernel_growth_mb": "kernel growth, many moves, MB",
}
KINDS = ("bare", "ours")
RATIOS = (("ours", "bare"),)
PACKAGES = ("voila", "ipywidgets", "anywidget", "numpy", "pandas", "playwright")

Visits = Sequence[Mapping[str, Any]]


def spread(values: Sequence[float]) -> dict[str, float] | None:
    """Median, smallest and largest; None if there are no values.

    Examples
    --------
    >>> spread([3.0, 1.0, 2.0])
    {'median': 2.0, 'min': 1.0, 'max': 3.0}
    """
    return {"median": statistics.median(values), "min": min(values), "max": max(values)} if values else None


def values_of(visit: Mapping[str, Any], metric: str) -> list[float]:
    """What a visit measured for one metric: many values, one or none.

    Examples
    --------
    >>> values_of({"text_ms": [8.0, 9.0]}, "text_ms"), values_of({"kernel_mb": 40.0}, "kernel_mb")
    ([8.0, 9.0], [40.0])
    """
    value = visit.get(metric)
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]


def ratio(above: Visits, below: Visits, metric: str) -> dict[str, float] | None:
    """The ratio of two pages, computed in each round from its medians, so that a drift of the machine cancels out.

    Examples
    --------
    >>> ratio([{"text_ms": [10.0, 12.0]}, {"text_ms": [30.0]}], [{"text_ms": [11.0]}, {"text_ms": [15.0]}], "text_ms")
    {'median': 1.5, 'min': 1.0, 'max': 2.0}
    """
    pairs = [(values_of(a, metric), values_of(b, metric)) for a, b in zip(above, below, strict=False)]
    return spread(
        [statistics.median(a) / statistics.median(b) for a, b in pairs if a and b and statistics.median(b) > 0]
    )


def summarise(rounds: Mapping[str, Sequence[Mapping[str, Mapping[str, Any]]]]) -> list[dict[str, Any]]:
    """One row for each metric and length: the spread for each page, the ratios, the target, and whether it is met.

    `rounds[n]` is a list of rounds, each of which maps a kind of page to its visit.

    Examples
    --------
    >>> rounds = {"288": [{"bare": {"complete_s": 2.0}, "ours": {"complete_s": 2.1}}]}
    >>> row, = summarise(rounds)
    >>> row["ours"]["median"], round(row["ratios"]["ours / bare"]["median"], 2), row["target"]
    (2.1, 1.05, {'of': 'ours / bare', 'text': '≤ 1.1×', 'met': True})
    """
    rows = []
    for metric in METRICS:
        for n, visits in ((n, rounds[str(n)]) for n in SIZES if str(n) in rounds):
            by_kind = {kind: [r.get(kind, {}) for r in visits] for kind in KINDS}
            row: dict[str, Any] = {"metric": metric, "n": n}
            for kind, of_kind in by_kind.items():
                row[kind] = spread([value for v in of_kind for value in values_of(v, metric)])
            row["ratios"] = {f"{a} / {b}": ratio(by_kind[a], by_kind[b], metric) for a, b in RATIOS}
            row["target"] = judge(metric, n, row)
            if any(row[kind] for kind in KINDS):
                rows.append(row)
    return rows


def judge(metric: str, n: int, row: Mapping[str, Any]) -> dict[str, Any] | None:
    """The target of a row, and whether its median meets it (None: not measured)."""
    wanted = target(metric, n)
    if wanted is None:
        return None
    found = row["ours"] if wanted.of == "ours" else row["ratios"][wanted.of]
    return {"of": wanted.of, "text": str(wanted), "met": None if found is None else wanted.met(found["median"])}


def short(value: float) -> str:
    """A number with three significant digits and no exponent.

    Examples
    --------
    >>> short(1460.4), short(98.46), short(0.0146)
    ('1,460', '98.5', '0.0146')
    """
    if abs(value) >= 100:
        return f"{value:,.0f}"
    text = f"{value:.3g}"
    return f"{value:.1f}" if "e" in text else text


def shown(found: Mapping[str, float] | None, unit: str = "") -> str:
    """The median with the range in brackets, or a dash.

    Examples
    --------
    >>> shown({"median": 2.0, "min": 1.9, "max": 2.25}, "×"), shown(None)
    ('2× (1.9 to 2.25)', '–')
    """
    if found is None:
        return "–"
    return f"{short(found['median'])}{unit} ({short(found['min'])} to {short(found['max'])})"


def text_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The summary as text, one line per row: medians with ranges, and the target at the end."""
    head = ("figure", "n", *KINDS, "ours / bare", "target", "")
    lines: list[tuple[str, ...]] = [head]
    for row in rows:
        aim = row["target"] or {"of": "", "text": "", "met": None}
        verdict = {True: "met", False: "NOT MET", None: ""}[aim["met"]]
        ratios = (shown(row["ratios"]["ours / bare"], "×"),)
        pages = (shown(row[kind]) for kind in KINDS)
        aim_text = f"{aim['of']} {aim['text']}".strip()
        lines.append((METRICS[row["metric"]], f"{row['n']:,}", *pages, *ratios, aim_text, verdict))
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in lines)


def counted(sentences: Sequence[str]) -> list[str]:
    """Each sentence once, with the number of times it occurs.

    Examples
    --------
    >>> counted(["a chart stood still", "a page is missing", "a chart stood still"])
    ['a chart stood still (2 times)', 'a page is missing']
    """
    return [f"{s} ({k} times)" if k > 1 else s for s, k in Counter(sentences).items()]


def machine(chromium: str | None = None) -> dict[str, Any]:
    """The machine: processor, cores, versions, date and the present load."""
    found: dict[str, Any] = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load_average": [round(x, 2) for x in os.getloadavg()],
    }
    if chromium:
        found["chromium"] = chromium
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def processor() -> str:
    """The processor's name according to the system, or its architecture."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()
