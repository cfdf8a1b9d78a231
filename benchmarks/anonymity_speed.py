"""Speed of k-anonymity, l-diversity and t-closeness, against pandas and pycanon, in one process.

    python benchmarks/anonymity_speed.py [--quick] [--repeats K] [--json FILE] [--figures FIGURES.md]

Each measure is a separate call, as a user would make it, on a million rows of three tables with four quasi-identifiers:
"adults" repeats the sample table's rows in random order, "words" contains only words, with new objects in each row, and
"fine" has many small classes. The alternatives get the first table with 100,000 rows: pandas is the
straightforward groupby, with a loop over the classes for t. Every figure is processor time on one core (on a quiet machine,
wall-clock time); the ratios are computed round by round, in turn, and every result is first compared.

pycanon is not a dependency: run `pip install --no-deps pycanon` in the environment that runs this. Without it, its row
is left out.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import sys  # noqa: E402
from collections.abc import Callable  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent))

from anonymity_table import markdown  # noqa: E402
from measured import asked, milliseconds, spread, write  # noqa: E402

from lmdk_widgets.anonymity import classes, example_table, k_anonymity, l_diversity, t_closeness  # noqa: E402

try:
    from pycanon import anonymity as pycanon
except ImportError:
    pycanon = None

ROWS, SHORT = 1_000_000, 100_000
TARGET_MS, TARGET_RATIO = 1000, 10
ROUNDS = 3

Numbers = tuple[int, float, float]


def tables(n: int) -> dict[str, tuple[pd.DataFrame, list[str], str]]:
    """The tables, their quasi-identifiers and their sensitive column."""
    rng = np.random.default_rng(1)
    adults = example_table("adults")
    many = adults.iloc[rng.integers(0, len(adults), n)].reset_index(drop=True)
    sizes = {"job": 40, "town": 60, "school": 8, "sex": 2, "illness": 20}
    words = pd.DataFrame({c: rng.choice([f"{c} number {i}" for i in range(m)], n) for c, m in sizes.items()})
    counts = {"age": 75, "place": 500, "school": 16, "sex": 2, "illness": 20}
    fine = pd.DataFrame({c: rng.integers(0, m, n) for c, m in counts.items()})
    return {
        "adults": (many, ["age", "education", "marital_status", "sex"], "occupation"),
        "words": (words, list(sizes)[:4], "illness"),
        "fine": (fine, list(counts)[:4], "illness"),
    }


def ours(table: pd.DataFrame, known: list[str], sensitive: str) -> Numbers:
    return k_anonymity(table, known), l_diversity(table, known, sensitive), t_closeness(table, known, sensitive)


def by_pandas(table: pd.DataFrame, known: list[str], sensitive: str) -> Numbers:
    """As one would write it with pandas, with a new grouping for each measure."""
    overall = table[sensitive].value_counts(normalize=True)
    k = int(table.groupby(known, observed=True).size().min())
    l = float(table.groupby(known, observed=True)[sensitive].nunique().min())
    t = 0.0
    for _, values in table.groupby(known, observed=True)[sensitive]:
        t = max(t, float(values.value_counts(normalize=True).sub(overall, fill_value=0).abs().sum() / 2))
    return k, l, t


def by_pycanon(table: pd.DataFrame, known: list[str], sensitive: str) -> Numbers:
    k, l = pycanon.k_anonymity(table, known), pycanon.l_diversity(table, known, [sensitive])
    return k, l, pycanon.t_closeness(table, known, [sensitive])


def measure(kind: str, table: pd.DataFrame, known: list[str], sensitive: str, repeats: int) -> dict[str, Any]:
    """The figures for one table."""
    calls: dict[str, Callable[[], Any]] = {
        "k": lambda: k_anonymity(table, known),
        "l": lambda: l_diversity(table, known, sensitive),
        "t": lambda: t_closeness(table, known, sensitive),
    }
    times = [{name: milliseconds(call) for name, call in calls.items()} for _ in range(repeats)]
    found = {name: spread(one[name] for one in times) for name in calls}
    found["all"] = spread(sum(one.values()) for one in times)
    about = {"table": kind, "rows": len(table), "classes": len(classes(table, known)), "target_ms": TARGET_MS}
    return about | found


def compare(kind: str, table: pd.DataFrame, known: list[str], sensitive: str, rounds: int) -> list[dict[str, Any]]:
    """The ratios for one table."""
    others = {"pandas": (by_pandas, None)}
    if pycanon is not None:
        others["pycanon"] = (by_pycanon, TARGET_RATIO)
    mine, rows = ours(table, known, sensitive), []
    for against, (other, target) in others.items():
        ratios = []
        for _ in range(rounds):
            said: list[Numbers] = []
            slow = milliseconds(lambda other=other, said=said: said.append(other(table, known, sensitive)))  # type: ignore[misc]
            if not np.allclose(said[0], mine, rtol=0, atol=1e-9):
                raise SystemExit(f"{kind}: {against} says {said[0]}, we say {mine}")
            ratios.append(slow / np.median([milliseconds(lambda: ours(table, known, sensitive)) for _ in range(3)]))
        about = {"table": kind, "rows": len(table), "classes": len(classes(table, known)), "against": against}
        rows.append(about | {"ratio": spread(ratios), "target": target})
        print(f"{kind}: {against} / ours {rows[-1]['ratio']['median']:,.0f}", flush=True)
    return rows


def main() -> int:
    """Measure, print, and write the figures."""
    options = asked(__doc__, repeats=9, of="of each measure", quick="few repetitions, one round").parse_args()
    repeats, rounds = (3, 1) if options.quick else (max(1, options.repeats), ROUNDS)
    load = os.getloadavg()[0]
    found: dict[str, Any] = {"tables": []}
    for kind, (table, known, sensitive) in tables(ROWS).items():
        found["tables"].append(measure(kind, table, known, sensitive, repeats))
        print(f"{kind}: {found['tables'][-1]['all']['median']:.0f} ms", flush=True)
    found["ratios"] = compare("adults", *tables(SHORT)["adults"], rounds)
    found["load"] = [load, os.getloadavg()[0]]
    print(f"\n{markdown(found)}")
    write(options, "anonymity", {"anonymity": found}, markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
