"""Which pairs of cells the matrix of trips shows, and what the file says of each pair."""

from __future__ import annotations

import pytest

from lmdk_widgets.geo import Region
from lmdk_widgets.pages.people.counts_blocks import BUSIEST, cells_map, cells_table
from lmdk_widgets.population.contributions import Contributions, Counting
from lmdk_widgets.population.counts_of_people import Accuracy, Protection
from lmdk_widgets.population.together import bring_together
from tests.population.crowds import crowd


@pytest.fixture(scope="module")
def here() -> Accuracy:
    """Trips between 35 cells, of which many have none."""
    counting = Counting(Region(48.75, 2.25, 49.0, 2.5), 4_000.0, "2026-01-05", "2026-01-12", 24, False, "trips")
    return Accuracy.of(
        Contributions.of(bring_together(crowd(9, most=60, seed=4)), counting), Protection("user", 1.0, 3)
    )


def by_pair(here: Accuracy) -> dict[tuple[str, str], tuple[float, float]]:
    """The mean count and the mean error of each pair of cells, one count after the other."""
    counting, names = here.found.counting, here.found.counting.area.names
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for kind in range(counting.kinds):
        start, end = (int(each) for each in counting.ends_of(kind))
        at = [slot * counting.kinds + kind for slot in range(counting.slots)]
        true, errors = (sum(float(each[k]) for k in at) / counting.slots for each in (here.found.true, here.errors))
        found[names[start], names[end]] = (true, errors)
    return found


def test_the_matrix_shows_the_cells_with_the_most_trips(here: Accuracy) -> None:
    traffic = dict.fromkeys(here.found.counting.area.names, 0.0)
    for pair, (true, _) in by_pair(here).items():
        for cell in pair:
            traffic[cell] += true
    shown = cells_map(here).figure["layout"]["xaxis"]["ticktext"]
    assert len(shown) == BUSIEST < len(traffic)
    left_out = [trips for cell, trips in traffic.items() if cell not in shown]
    assert min(traffic[cell] for cell in shown) >= max(left_out) and max(traffic.values()) > max(left_out)


def test_the_file_has_the_count_and_the_error_of_each_pair_with_a_trip(here: Accuracy) -> None:
    table, pairs = cells_table(here), by_pair(here)
    names = [column.key for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    assert {(row["from"], row["to"]) for row in rows} == {pair for pair, (true, _) in pairs.items() if true}
    for row in rows:
        assert (row["mean_count"], row["mean_error"]) == pytest.approx(pairs[row["from"], row["to"]], rel=1e-9)
    assert len({round(row["mean_error"], 9) for row in rows}) > 1
