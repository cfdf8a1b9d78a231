"""Computes what documents, lessons and the page People say of the sample city: `python data/city_figures.py`.

The city is too slow to make for a page that opens. So `city_people.csv` stores how many reports each person has at each
lasting place, from which follows how near anybody is found; `city_figures.json` whom names removed leave alone, and whom two
weeks link; `city_counts.json` how far off counts of its people are. All are made by `lmdk_widgets` from the city with seed 1,
in a minute.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))  # the package itself, if it is not installed

from lmdk_widgets.course.law_measured import Linked, anywhere_in, counts_off, linked, with_noise  # noqa: E402
from lmdk_widgets.pages.people.tables import CITY, CITY_REGION, city_csv  # noqa: E402
from lmdk_widgets.population import People, sample_city  # noqa: E402
from lmdk_widgets.population.contributions import Contributions, Counting  # noqa: E402
from lmdk_widgets.population.counts_of_people import Accuracy, Protection  # noqa: E402
from lmdk_widgets.population.together import Rows  # noqa: E402
from lmdk_widgets.population.unicity import cell_codes, home_and_work  # noqa: E402
from lmdk_widgets.trajectory.zones import find_zone, to_local  # noqa: E402

FILE = HERE / "city_figures.json"
COUNTS_FILE = HERE / "city_counts.json"
CELLS_M, HOURS, KNOWN = (250, 500, 1_000, 2_000, 4_000), (1, 6, 24), (1, 2, 3, 4)
SEED = 1
START, NEXT_WEEK, UNTIL = "2026-03-02", np.datetime64("2026-03-09"), "2026-03-16"
SETTINGS = (
    (1_000, 1),
    (1_000, 24),
    (1_000, 168),
    (2_000, 1),
    (2_000, 24),
    (2_000, 168),
    (4_000, 1),
    (4_000, 24),
    (4_000, 168),
)
"""Sides of squares in metres, and hours of a slot."""
LIMITS = (1, 2, 5, 10, 20, 50, 100, 200)
RADIUS_M = 200.0


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
        "linked": {str(cell_m): list(_linked(people.rows, cell_m)) for cell_m in CELLS_M},
    }


def _linked(rows: Rows, cell_m: float) -> Linked:
    clock = to_local(rows.time, find_zone(rows.zone))
    return linked(rows.person, cell_codes(rows.latitude, rows.longitude, cell_m), clock, NEXT_WEEK)


def counts(people: People) -> dict[str, Any]:
    """What the file of counts holds: mean errors of counts that protect a whole person with epsilon 1, for each limit; and
    how far off counts are that somebody reads off squares or off tracks with noise."""
    rows, found = people.rows, {}
    for cell_m, hours in SETTINGS:
        added = Contributions.of(rows, _counting(rows, cell_m, hours))
        accuracy = [Accuracy.of(added, Protection("user", 1.0, most)) for most in LIMITS]
        found[f"{cell_m} {hours}"] = {
            "zeros": round(accuracy[0].zeros, 4),
            "errors": [round(each.error, 4) for each in accuracy],
            "survive": [int(each.survives.sum()) for each in accuracy],
            "cells": added.counting.kinds,
            "most_added": int(added.each.max()),
        }
    asked, rng = _counting(rows, 2_000, 168), np.random.default_rng(SEED)
    squares = {str(side): counts_off(rows, anywhere_in(rows, CITY_REGION, side, rng), asked) for side in (1_000, 4_000)}
    noisy = with_noise(rows, 1.0 / (people.landmarks + 1.0), RADIUS_M, rng)
    uniform = {"off": round(counts_off(rows, noisy, asked), 4), "linked": list(_linked(noisy, 1_000))}
    return {
        "limits": LIMITS,
        "settings": found,
        "squares": {k: round(v, 4) for k, v in squares.items()},
        "uniform": uniform,
    }


def _counting(rows: Rows, cell_m: float, hours: int) -> Counting:
    return Counting(CITY_REGION, float(cell_m), START, UNTIL, hours, zone=rows.zone)


def _unicity(people: People, k: int, cell_m: float, hours: float) -> float:
    return round(people.unicity(k, cell_m=cell_m, hours=hours, rng=np.random.default_rng(SEED)), 6)


def main() -> None:
    """Write the files."""
    people = People(sample_city())
    FILE.write_bytes((json.dumps(figures(people)) + "\n").encode())
    COUNTS_FILE.write_bytes((json.dumps(counts(people)) + "\n").encode())
    (HERE / CITY).write_bytes(city_csv(people).encode())


if __name__ == "__main__":
    main()
