"""Speed of many people: bringing the rows together and finding all lasting places, as a multiple of one sort by pandas.

    python benchmarks/population_speed.py [--quick] [--repeats K] [--json FILE] [--figures FILE]

The table has about 300 rows a person, in random order: the sample city, several times, with other names and a few metres of
noise. pandas sorts the same table by person and time in the same process. The figures are processor time, the median of
repetitions; as the machine may be busy, the ratio says more than the seconds.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import sys  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent.parent))

from measured import asked, milliseconds, spread, write  # noqa: E402

from lmdk_widgets.population import People, sample_city  # noqa: E402

PEOPLE, QUICK = (1_000, 2_000, 5_000, 10_000), (200, 1_000)
NOISE_DEGREES = 3e-5


def table(people: int) -> pd.DataFrame:
    """So many people, in random order of rows."""
    city, rng = sample_city(), np.random.default_rng(0)
    codes = pd.factorize(city["person"])[0]
    parts = []
    for k in range(-(-people // 1_000)):
        noise = rng.normal(0, NOISE_DEGREES, len(city))
        parts.append(city.assign(person=codes + 1_000 * k, latitude=city["latitude"] + noise))
    whole = pd.concat(parts, ignore_index=True)
    return whole[whole["person"] < people].sample(frac=1, random_state=0).reset_index(drop=True)


def measured(people: int, repeats: int) -> dict[str, Any]:
    """One size of table."""
    rows = table(people)
    sort = spread(milliseconds(lambda: rows.sort_values(["person", "time"])) for _ in range(repeats))
    ours = spread(milliseconds(lambda: People(rows)) for _ in range(repeats))
    return {"people": people, "rows": len(rows), "sort": sort, "ours": ours, "ratio": ours["median"] / sort["median"]}


def shown(found: list[dict[str, Any]]) -> str:
    """The table of figures."""
    lines = ["| people | rows | one sort, s | `People`, s | ratio |", "|---|---|---|---|---|"]
    for one in found:
        seconds = one["sort"]["median"] / 1e3, one["ours"]["median"] / 1e3
        lines.append(
            f"| {one['people']:,} | {one['rows']:,} | {seconds[0]:.2f} | {seconds[1]:.1f} | {one['ratio']:.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, print and write."""
    options = asked(__doc__, repeats=3, of="repetitions", quick="few people").parse_args()
    found = [measured(people, options.repeats) for people in (QUICK if options.quick else PEOPLE)]
    print(shown(found))
    write(options, "population", found, shown(found))


if __name__ == "__main__":
    main()
