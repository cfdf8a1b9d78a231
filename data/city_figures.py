"""Computes what documents and the lesson say of the sample city: `python data/city_figures.py`, in half a minute.

The city is too slow to make for a page that opens, so `city_figures.json` stores a number a person, and a few shares. It is
made by `lmdk_widgets.population` from the city with seed 1.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))  # the package itself, if it is not installed

from lmdk_widgets.population import People, sample_city  # noqa: E402
from lmdk_widgets.population.unicity import cell_codes, home_and_work  # noqa: E402
from lmdk_widgets.trajectory.zones import find_zone, to_local  # noqa: E402

FILE = HERE / "city_figures.json"
SCHEMES = ("event", "uniform", "user")
CELLS_M, HOURS, KNOWN = (250, 500, 1_000, 2_000, 4_000), (1, 6, 24), (1, 2, 3, 4)
SEED = 1


def figures() -> dict[str, Any]:
    """What the file holds: metres at epsilon 1 and the default radius, and shares of people."""
    people = People(sample_city())
    clock = to_local(people.rows.time, find_zone(people.rows.zone))
    pairs = {}
    for cell_m in CELLS_M:
        cells = cell_codes(people.rows.latitude, people.rows.longitude, cell_m)
        found = home_and_work(people.rows.person, cells, clock)
        pairs[str(cell_m)] = {"pair": round(found.share, 6), "home": round(found.home_share, 6), "people": found.people}
    return {
        "people": len(people),
        "reports": int(people.reports.sum()),
        "found_m": {scheme: [float(f"{x:.6g}") for x in people.found(scheme, 1.0)] for scheme in SCHEMES},
        "unicity": {
            str(cell_m): {str(hours): [_unicity(people, k, cell_m, hours) for k in KNOWN] for hours in HOURS}
            for cell_m in CELLS_M
        },
        "home_and_work": pairs,
    }


def _unicity(people: People, k: int, cell_m: float, hours: float) -> float:
    return round(people.unicity(k, cell_m=cell_m, hours=hours, rng=np.random.default_rng(SEED)), 6)


def main() -> None:
    """Write the file."""
    FILE.write_bytes((json.dumps(figures()) + "\n").encode())


if __name__ == "__main__":
    main()
