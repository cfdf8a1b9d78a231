"""Eight people in a file, and the outcome of their table with all that an assessment needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas

from lmdk_widgets.pages.people import PeopleChoices, PeopleOutcome, PeopleTable, evaluate, improve

CHANGES: dict[str, Any] = {
    "scheme": "user",
    "epsilon": 0.7,
    "distance_m": 300.0,
    "most_percent": 20.0,
    "cell_m": 2_000.0,
    "hours": 6,
    "counted": "dwell",
    "level": "window",
    "count_cell_m": 8_000.0,
    "slot": "24",
    "most": 3,
    "zone_m": 300.0,
    "decimals": 2,
    "seed": 2,
}
"""None of the usual choices; `rule` is in a case of its own."""


def people_csv(path: Path) -> Path:
    """Eight people with a home and most of them a place of work, in a file with a name that is markup."""
    rng = np.random.default_rng(8)
    rows = []
    for person in range(8):
        home, work = 0.01 * person, 0.05 + 0.01 * (person % 3)
        for k in range(30 + 3 * person):
            day, hour = divmod(k, 3)
            north, east = (home, home, work if person else home)[hour] + rng.normal(0, 5e-5, 2)
            time = f"2026-03-{2 + day:02d}T{('03:00', '23:00', '12:00')[hour]}Z"
            rows.append({"user_id": f"u{person}", "time": time, "lat": 48.86 + north, "lon": 2.34 + east})
    file = path / "a <b>_`x`_ |.csv"
    pandas.DataFrame(rows).to_csv(file, index=False)
    return file


def fake_worth(track: Any, settings: Any, draws: int | None = None) -> tuple[float, float]:
    """What a reader can do takes a while for each person."""
    return (1_000.0 if int(track.name[-1]) % 2 else 3_000.0), 4_000.0


def assessed(table: PeopleTable | None, **changes: Any) -> PeopleOutcome:
    choices = PeopleChoices(table="city" if table is None else "own", assessed=True, **changes)
    *_, outcome = improve(evaluate(choices, table))
    return outcome
