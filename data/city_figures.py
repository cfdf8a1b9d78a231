"""Computes what documents, the lesson and the page People say of the sample city: `python data/city_figures.py`.

The city is too slow to make for a page that opens. So `city_people.csv` stores how many reports each person has at each
lasting place, from which follows how near anybody is found, and `city_figures.json` whom names removed leave alone. Both are
made by `lmdk_widgets.population` from the city with seed 1, in half a minute.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))  # the package itself, if it is not installed

from lmdk_widgets.pages.people.tables import CITY, city_csv  # noqa: E402
from lmdk_widgets.population import People, sample_city  # noqa: E402
from lmdk_widgets.population.unicity import cell_codes, home_and_work  # noqa: E402
from lmdk_widgets.trajectory.zones import find_zone, to_local  # noqa: E402

FILE = HERE / "city_figures.json"
CELLS_M, HOURS, KNOWN = (250, 500, 1_000, 2_000, 4_000), (1, 6, 24), (1, 2, 3, 4)
SEED = 1


def figures(people: People) -> dict[str, Any]:
    """What the file holds: shares of people."""
    clock = to_local(people.rows.time, find_zone(people.rows.zone))
    pairs = {}
    for cell_m in CELLS_M:
        cells = cell_codes(people.rows.latitude, people.rows.longitude, cell_m)
        found = home_and_work(people.rows.person, cells, clock)
        pairs[str(cell_m)] = {"pair": round(found.share, 6), "home": round(found.home_share, 6), "people": found.people}
    return {
        "unicity": {
            str(cell_m): {str(hours): [_unicity(people, k, cell_m, hours) for k in KNOWN] for hours in HOURS}
            for cell_m in CELLS_M
        },
        "home_and_work": pairs,
    }


def _unicity(people: People, k: int, cell_m: float, hours: float) -> float:
    return round(people.unicity(k, cell_m=cell_m, hours=hours, rng=np.random.default_rng(SEED)), 6)


def main() -> None:
    """Write the files."""
    people = People(sample_city())
    FILE.write_bytes((json.dumps(figures(people)) + "\n").encode())
    (HERE / CITY).write_bytes(city_csv(people).encode())


if __name__ == "__main__":
    main()
