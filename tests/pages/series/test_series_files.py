"""What is saved of the series page: the quilts give their noise by the formula, the histogram is labelled as what it is."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.series.session import SeriesSession
from lmdk_widgets.pufferfish import max_influence


@pytest.fixture(scope="module")
def session() -> SeriesSession:
    return SeriesSession(SeriesChoices(source="binary", length=40, epsilon=1.5))


def rows_of(session: SeriesSession, what: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(session.save(what).data.decode())))


def test_each_quilt_gives_its_noise(session: SeriesSession) -> None:
    """sigma = card(nearby) / (epsilon - influence of the quilt), computed by hand for every timestamp."""
    rows, (chain,) = rows_of(session, "quilts"), session.outcome.belief.chains
    assert [int(row["timestamp"]) for row in rows] == list(range(1, 41))
    for node, row in enumerate(rows):
        left, right = (int(row[name]) - 1 if row[name] else None for name in ("quilt_left", "quilt_right"))
        influence = max_influence(chain, 40, node, left, right)
        nearby = (40 if right is None else right) - (-1 if left is None else left) - 1
        assert int(row["nearby"]) == nearby
        assert float(row["sigma"]) == pytest.approx(nearby / (1.5 - influence), rel=1e-9)
        assert row["chain"] == "1"
    assert max(float(row["sigma"]) for row in rows) == session.outcome.scale.scale


def test_the_mechanisms_are_those_of_the_page(session: SeriesSession) -> None:
    rows = rows_of(session, "mechanisms")
    methods = session.outcome.methods
    assert len(rows) == len(methods)
    for row, method in zip(rows, methods, strict=True):
        assert row["sigma"] == ("" if method.scale is None else repr(float(method.scale)))
        assert row["protects"] == ("" if method.scale is None else str(int(method.protects)))


@pytest.mark.parametrize("query", ["shares", "counts"])
def test_the_histogram_says_that_the_truth_is_in_it(query: str) -> None:
    session = SeriesSession(SeriesChoices(source="binary", length=40, query=query))
    rows = rows_of(session, "histogram")
    unit = "share" if query == "shares" else "timestamps"
    counts = np.bincount(session.outcome.series.states, minlength=2)
    assert [float(row[f"true_{unit}"]) for row in rows] == (counts / 40 if query == "shares" else counts).tolist()
    assert [float(row[f"released_{unit}"]) for row in rows] == session.outcome.histogram.released.tolist()
    assert all("it contains the true histogram" in row["note"] and row["note"].startswith("simulation") for row in rows)


def test_names_tell_what_is_in_a_file(session: SeriesSession) -> None:
    assert session.save("quilts").name == "simulation-not-a-private-release_binary_exact_epsilon-1.5_quilts.csv"
