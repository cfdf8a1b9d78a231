"""What leaves the page: its noise cannot be computed from the settings, as that on the screen can."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.budgets import release
from lmdk_widgets.geo import distance_m
from lmdk_widgets.io import export_name
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.pages.track.session import TrackSession as Session
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.evaluation import draw_afresh
from lmdk_widgets.scenario.reportable_cells import reported_area
from lmdk_widgets.trajectory import Trajectory, sample

GUESSES = 1_800
CSV = "time,lat,lon\n" + "".join(
    f"2026-03-01T08:{m:02d}:00Z,{48.80137 + m / 1000:.5f},{2.30171 + m / 900:.5f}\n" for m in range(40)
)


@pytest.fixture
def session() -> Session:
    made = Session()
    made.load(CSV.encode(), "walk.csv")
    return made


def points_in(session: Session, kind: str) -> np.ndarray:
    """The degrees in an exported file, (n, 2)."""
    text = session.save(kind).data.decode()
    if kind == "csv":
        rows = csv.DictReader(io.StringIO(text))
        return np.array([[float(row["latitude"]), float(row["longitude"])] for row in rows])
    if kind == "geojson":
        return np.array([f["geometry"]["coordinates"][::-1] for f in json.loads(text)["features"]])
    dots = re.findall(r'"coordinates": \[(-?[\d.]+), (-?[\d.]+)\][^}]*\}, "properties": \{"time"', text)
    return np.array(dots, float)[:, ::-1]


def attacked(session: Session, degrees: np.ndarray) -> float:
    """Metres to the true track of the best guess of someone who tries every small seed on a release.

    The noise of uniform budgets depends on the settings and the seed alone: it is that of a release of nothing but zeros.
    """
    scenario, track = session.scenario, session.data
    seen_m = track.frame.to_metres(degrees[:, 0], degrees[:, 1])
    best = np.inf
    for seed in range(GUESSES):
        drawn = release(
            np.zeros_like(track.points_m),
            scheme=scenario.scheme,
            landmarks=scenario.landmarks,
            epsilon=scenario.epsilon,
            mechanism=PlanarLaplace(radius_m=scenario.radius_m),
            rng=np.random.default_rng(seed),
        )
        best = min(best, float(np.hypot(*(seen_m - drawn.outputs - track.points_m).T).mean()))
    return best


def test_the_attack_finds_the_track_from_the_screen(session: Session) -> None:
    """So that the test below means something: with the release of the outcome it is won."""
    out = session.outcome
    assert attacked(session, np.stack([out.latitude, out.longitude], axis=1)) < 0.1


@pytest.mark.parametrize("kind", ["csv", "geojson", "html"])
def test_guesses_of_the_seed_do_not_find_the_track_from_a_file(session: Session, kind: str) -> None:
    degrees = points_in(session, kind)
    assert len(degrees) == len(session.data)
    # each guess adds noise of its own, so that even the best is not much nearer than what was released
    assert attacked(session, degrees) > 0.5 * session.outcome.mean_error_m


@pytest.mark.parametrize("scheme", ["uniform", "skip", "adaptive", "budget-absorption", "planned"])
def test_the_same_settings_give_another_file(scheme: str) -> None:
    files = []
    for _ in range(2):
        session = Session(sample("bob"), Scenario(scheme=scheme, landmarks=(0, 2), epsilon=0.01, target=0.01))
        files.append(session.save("csv").data)
        shown = session.outcome.latitude[np.isfinite(session.outcome.latitude)]
        assert not any(f"{degrees:.6f}" in files[-1].decode() for degrees in shown)
    assert files[0] != files[1]


def test_cells_are_reported_anew_too() -> None:
    scenario = Scenario(landmarks=(0,), mechanism="remapped", epsilon=0.2)
    drawn = [draw_afresh(scenario, sample("bob")) for _ in range(8)]
    assert len({latitude.tobytes() for latitude, _ in drawn}) > 1
    area = reported_area(scenario, sample("bob"))
    centres = np.round(np.stack(area.frame.to_degrees(area.points_m), axis=1), 6).tolist()
    places = np.concatenate([np.stack(one, axis=1) for one in drawn]).round(6).tolist()
    assert all(place in centres for place in places), "cells, not places between them"


def test_the_files_of_one_outcome_hold_one_release(session: Session) -> None:
    """Each draw would spend the budget again."""
    first = points_in(session, "csv")
    assert np.array_equal(first, points_in(session, "geojson"))
    assert np.allclose(first, points_in(session, "html"), atol=1e-6)
    session.apply([{"op": "set", "name": "seed", "value": 2}], commit=True)
    assert not np.array_equal(first, points_in(session, "csv"))


@pytest.mark.parametrize("kind", ["csv", "geojson", "html"])
def test_a_file_says_that_its_noise_is_its_own_and_holds_no_seed(session: Session, kind: str) -> None:
    session.apply([{"op": "set", "name": "seed", "value": 918273645}], commit=True)
    text = session.save(kind).data.decode()
    assert "noise drawn for this file alone, as that on the screen can be computed from its seed" in text
    assert "918273645" not in text


def test_the_same_seed_still_teaches_the_same_lesson() -> None:
    track: Trajectory = sample("bob")
    one, two = (evaluate(Scenario(landmarks=(0, 2)), track) for _ in range(2))
    assert np.array_equal(one.latitude, two.latitude)
    said: Any = Session().snippet()
    assert "Anyone with this seed and the release has the true track." in said


@pytest.mark.parametrize("scheme", ["uniform", "adaptive", "skip"])
def test_a_table_has_the_numbers_of_its_own_draw_and_no_true_coordinate(session: Session, scheme: str) -> None:
    session.apply([{"op": "set", "name": "scheme", "value": scheme}, {"op": "toggle", "index": 3}], commit=True)
    text = session.save("table").data.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    track = session.data
    assert list(rows[0])[3:] == ["landmark", "measured", "budget", "total_loss", "error_m", "note"]
    assert [i for i, row in enumerate(rows) if row["landmark"] == "1"] == [3]
    for row, latitude, longitude in zip(rows, track.latitude, track.longitude, strict=True):
        # one number alone may be in it by chance, as the noise is another each time
        assert not (f"{latitude:.5f}" in text and f"{longitude:.5f}" in text)
        if row["latitude"]:
            away = distance_m(float(row["latitude"]), float(row["longitude"]), latitude, longitude)
            assert float(row["error_m"]) == pytest.approx(float(away), rel=1e-3, abs=0.3)
    budgets = [float(row["budget"]) for row in rows]
    known = session.outcome.correlation
    loss = temporal_loss(known.backward, known.forward, budgets).total
    assert [float(row["total_loss"]) for row in rows] == pytest.approx(loss, rel=1e-5)
    assert text.count("never publish it") == len(rows) and "error_m" not in session.save("csv").data.decode()


def test_the_name_of_a_file_tells_what_is_in_it(session: Session) -> None:
    session.apply([{"op": "set", "name": "epsilon", "value": 0.5}], commit=True)
    note = "simulation-not-a-private-release"
    assert session.save("csv").name == f"{note}_walk_uniform_epsilon-0.5.csv"
    assert session.save("table").name == f"{note}_walk_uniform_epsilon-0.5_for-you-contains-the-true-track.csv"
    assert session.save("scenario").name == f"{note}_walk_uniform_epsilon-0.5_seed-1.json"
    assert export_name("csv", "../../etc/passwd", "a\x00b", "Überall 🙂") == f"{note}_etc-passwd_a-b_berall.csv"
