"""The channel that is saved: it reads back as the one that was certified, and tells no coordinate of one's own."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.trajectory import Trajectory

Rows = list[dict[str, str]]


def solved(session: PlaceSession) -> PlaceSession:
    for better in session.improve(session.outcome):
        session.take(better, session.state)
    return session


def rows_of(session: PlaceSession) -> Rows:
    return list(csv.DictReader(io.StringIO(session.save("channel").data.decode())))


def matrix_of(rows: Rows) -> np.ndarray:
    return np.array([[float(row[f"p_reported_{each['cell']}"]) for each in rows] for row in rows])


@pytest.fixture(scope="module")
def session() -> PlaceSession:
    return solved(PlaceSession(PlaceChoices(rows=2, columns=3, prior="city", level=1.2)))


def test_the_matrix_reads_back_and_keeps_what_it_certifies(session: PlaceSession) -> None:
    """Checked by hand from the file alone: no ratio of two rows passes e to epsilon times their distance."""
    rows, present = rows_of(session), session.outcome.present
    matrix, prior = matrix_of(rows), np.array([float(row["prior"]) for row in rows])
    assert present is not None and np.array_equal(matrix, present.channel.matrix)
    assert matrix.sum(axis=1) == pytest.approx(1) and prior.sum() == pytest.approx(1)
    squares = np.array([(ord(row["cell"][0]), int(row["cell"][1:])) for row in rows])
    apart = 1000.0 * np.hypot(*(squares[:, None] - squares[None]).transpose(2, 0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.nanmax(np.log(matrix[:, None] / matrix[None]), axis=2) / apart
    most = float(ratio[~np.eye(len(rows), dtype=bool)].max())
    told = {name: float(rows[0][name]) for name in rows[0] if name.endswith(("_per_m", "_m")) or name == "gap"}
    assert told["epsilon_checked_per_m"] == pytest.approx(most, rel=1e-9)
    assert told["epsilon_checked_per_m"] <= told["epsilon_asked_per_m"] * (1 + 1e-9)
    assert told["epsilon_asked_per_m"] == pytest.approx(1.2 / 1000)
    assert told["quality_loss_m"] == pytest.approx(float(prior @ (matrix * apart).sum(axis=1)))
    assert told["least_loss_proven_m"] <= told["quality_loss_m"] * (1 + 1e-9) and told["gap"] >= 0
    assert 0 < told["any_report_loss_proven_m"] < told["least_loss_proven_m"]
    assert {row["mechanism"] for row in rows} == {"Optimal"}
    assert all("simulation, not a private release" in row["note"] for row in rows)


def test_the_corners_of_public_cells_are_degrees(session: PlaceSession) -> None:
    row = rows_of(session)[0]
    south, west, north, east = (
        float(row[name])
        for name in (
            "south_west_latitude_deg",
            "south_west_longitude_deg",
            "north_east_latitude_deg",
            "north_east_longitude_deg",
        )
    )
    assert float(distance_m(south, west, north, east)) == pytest.approx(1000 * 2**0.5, rel=1e-4)


def test_cells_of_ones_own_are_metres_from_their_corner() -> None:
    time = np.datetime64("2026-03-01T08:00", "ns") + np.arange(40) * np.timedelta64(60, "s")
    track = Trajectory(45.12345 + np.arange(40) / 1000, 7.54321 + np.arange(40) / 900, time)
    session = solved(PlaceSession(track=track))
    assert session.is_own
    text = session.save("channel").data.decode()
    rows = rows_of(session)
    assert "deg" not in text.partition("\n")[0] and "file of your own" in rows[0]["note"]
    assert min(float(row["west_m"]) for row in rows) == 0 == min(float(row["south_m"]) for row in rows)
    sides = {float(row["east_m"]) - float(row["west_m"]) for row in rows}
    assert sides == {session.choices.cell_m}
    assert "45.1" not in text.replace("0.45.1", "") or "7.54" not in text


def test_a_mechanism_that_is_not_there_is_not_saved() -> None:
    with pytest.raises(InputError, match="must be solved before it is saved"):
        PlaceSession(PlaceChoices(rows=2, columns=2)).save("channel")
