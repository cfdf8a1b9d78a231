"""The numbers of `basics.md` and `quilts.md` by other ways: by hand, by draws, by all sequences of a chain."""

from __future__ import annotations

import re
from math import e, exp, log
from pathlib import Path

import numpy as np
import pytest

from docs import basic_cases, quilt_cases
from lmdk_widgets.geo import distance_m
from lmdk_widgets.pufferfish import MarkovChain
from lmdk_widgets.trajectory import sample
from tests.pufferfish.oracles import sequences

DOCS = Path(__file__).parents[1] / "docs"


def test_the_four_operations_by_hand() -> None:
    rows = [*basic_cases.operations()]
    assert rows[0] == ("none", "27", "25", "12", "11", "10", "62")
    assert rows[1][1:] == ("27", "25", "11.5", "11.5", "10", "62")  # Huey and Dewey are in Montmartre
    assert rows[2][1:] == ("> 20", "> 20", "≤ 20", "≤ 20", "≤ 20", "> 20")
    assert set(rows[3][1:]) == {""}
    assert rows[4][1:] == ("29.7", "27.5", "13.2", "12.1", "11.0", "68.2")
    assert len({*rows[5][1:]} - {*rows[0][1:]}) == 6


def test_the_readings_of_neighbouring_by_hand() -> None:
    rows = {row[0]: row for row in basic_cases.neighbours()}
    for name, k in (("Bob's day", 4), ("the commuter's week", 8), ("a household", 6), ("contacts", 6)):
        assert rows[name][2:5] == (str(k), f"odds at most {exp(1 / (k + 1)):.2f}", f"odds at most {e:.2f}")
    assert (
        "no bound" in rows["a household"][5] and "no bound" not in rows["contacts"][5]
    )  # answers are bounded, points are not


def test_the_airport_by_draws() -> None:
    rng, draws = np.random.default_rng(594), 40_000
    apart = float(distance_m(*basic_cases.AIRPORTS[0], *basic_cases.AIRPORTS[1]))
    assert apart == pytest.approx(34_000, rel=0.02)
    for radius_m in basic_cases.RADII_M:
        epsilon = log(4) / radius_m
        angle, length = rng.uniform(0, 2 * np.pi, draws), rng.gamma(2, 1 / epsilon, draws)
        right = (length * np.cos(angle) < apart / 2).mean()
        exact = basic_cases.told_apart(apart, epsilon)
        assert right == pytest.approx(exact, abs=4 * (exact * (1 - exact) / draws) ** 0.5 + 1e-6)
    assert basic_cases.told_apart(0.0, 1.0) == pytest.approx(0.5)


def test_an_informed_adversary_learns_what_is_promised_and_no_more() -> None:
    for radius_m, row in zip(basic_cases.RADII_M, basic_cases.airports(), strict=True):
        most = exp(400 * log(4) / radius_m)
        assert basic_cases.informed(log(4) / radius_m) <= most * (1 + 1e-12)
        assert basic_cases.informed(log(4) / radius_m) == pytest.approx(most)  # a report at one of the outer places
        assert float(row[2]) == pytest.approx(most, rel=0.005)


def test_the_policies_by_hand() -> None:
    any_two, line, halves = basic_cases.policies()
    assert any_two[1:] == ("sensitivity 2", "sensitivity 9", f"at most {e:.2f}", f"at most {e:.2f}")
    assert line[1:] == ("sensitivity 2", "sensitivity 1", f"at most {e:.2f}", f"at most {round(e**9):,}")
    assert halves[1:] == (
        "sensitivity 2",
        "sensitivity 4",
        f"at most {e:.2f} within a half, not hidden across the middle",
        "not hidden",
    )


def test_reports_on_regions_by_a_loop() -> None:
    """The loss is below planar Laplace's, and no report is nearer than the nearest representative."""
    track, places = sample("commuter"), [place[:2] for place in sample("bob").places]
    away = np.min([distance_m(track.latitude, track.longitude, *place) for place in places], axis=0)
    for row in basic_cases.districts():
        best, noisy, off = (
            float(cell.removesuffix(" km")) * 1000 if cell.endswith(" km") else float(cell.removesuffix(" m"))
            for cell in row[1:]
        )
        assert best < noisy and off > away.mean()


@pytest.mark.parametrize("segments", [((0, 2), (3, 4)), ((0, 1), (4, 6)), ((0, 3), (0, 3)), ((1, 2), (2, 4))])
def test_the_largest_loss_is_that_of_all_sequences(segments) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(594)
    for _ in range(3):
        chain = MarkovChain(rng.dirichlet([1, 1]), rng.dirichlet([0.7, 0.7], 2))
        scales, length = rng.uniform(0.5, 3, 2), max(last for _, last in segments) + 1
        grids = [np.arange(-1, 2 * (last - first) + 5) / 2 for first, last in segments]
        most = 0.0
        for node in {node for first, last in segments for node in range(first, last + 1)}:
            given = [np.zeros((len(grids[0]), len(grids[1]))) for _ in range(2)]
            weight = [0.0, 0.0]
            for states, chance in sequences(chain.initial.tolist(), chain.transition.tolist(), length):
                counts = [sum(states[t] == 0 for t in range(first, last + 1)) for first, last in segments]
                densities = [np.exp(-np.abs(g - c) / s) for g, c, s in zip(grids, counts, scales, strict=True)]
                given[states[node]] += chance * np.multiply.outer(*densities)
                weight[states[node]] += chance
            ratio = np.log(given[0] / weight[0]) - np.log(given[1] / weight[1])
            most = max(most, float(np.abs(ratio).max()))
        assert quilt_cases.largest_loss(chain, segments, list(scales)) == pytest.approx(most)


def test_no_case_passes_its_theorem() -> None:
    for theorem, case, found, bound, added in quilt_cases.rows():
        assert 0 < float(found) <= float(bound), (theorem, case)
        assert theorem.startswith("II.6") or float(bound) <= float(added)


def test_the_lines_of_code_for_a_query_of_ones_own_run() -> None:
    (lines,) = re.findall(r"```python\n(.*?)```", (DOCS / "quilts.md").read_text("utf-8"), re.S)
    names: dict[str, object] = {}
    exec(lines, names)
    assert isinstance(names["noisy"], float) and names["energy"]([0, 1, 2, 1]) == pytest.approx(3.1)  # type: ignore[operator]
