"""Every widget's first argument takes a table in memory, and landmarks as indices, a mask or times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets import Explorer, FoundationsLab, PlacesLab, QuiltLab, Scenario, TrajectoryMap, evaluate
from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.trajectory import sample, sample_series

BOB = sample("bob").to_frame()
MASK = np.arange(8) % 3 == 0


def test_a_frame_is_the_first_argument_of_every_widget() -> None:
    power = sample_series("household").to_frame()
    assert Explorer(BOB).trajectory.labels == sample("bob").labels and Explorer(BOB).landmarks == [0, 2, 4, 7]
    assert Explorer(power).trajectory.unit == sample_series("household").unit
    assert len(TrajectoryMap(BOB.to_dict("records"), landmarks=[1]).trajectory) == 8
    assert PlacesLab(BOB).choices == PlacesLab(track="bob").choices == PlacesLab("bob").choices
    for what in (power, power.set_index("time").value, sample_series("household")):
        lab = QuiltLab(what)
        assert lab.choices.source == "own" and len(lab.session.data) == len(power)
    lab = FoundationsLab(pd.DataFrame({"age": [30, 31, 30, 44], "ill": ["a", "b", "a", "b"]}))
    assert lab.choices.table == "own" and lab.outcome.shown.measures.k == 1
    naive = BOB.assign(time=BOB.time.dt.tz_localize(None))
    assert len(Explorer(naive, timezone="Europe/Paris").trajectory) == 8
    several = pd.concat([BOB.assign(user="a"), BOB.assign(user="b")])
    assert len(Explorer(several, person="b").trajectory) == 8


def test_no_place_of_a_frame_is_in_the_program_that_is_copied() -> None:
    program = Explorer(BOB).session.python()
    assert "my-track.csv" in program and "48.8" not in program


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: PlacesLab(BOB, track="bob"), "must be PlaceChoices if track is given"),
        (lambda: PlacesLab(PlaceChoices(), track=3), "must be a Trajectory, a table"),
        (lambda: Explorer(BOB, person="x"), "Person must be left out"),
        (lambda: Explorer(BOB, columns={"time": 0}), "Columns must come with a file; got a table in memory"),
        (lambda: TrajectoryMap(BOB, days=("2026-01-01", "2026-01-02")), "must come with the path of a file"),
        (lambda: Explorer(BOB.drop(columns="time")), "columns named time"),
        (lambda: QuiltLab(3), "must be a path, bytes or a file object"),
        (lambda: Explorer(type("Trajectory", (), {})()), "got tests"),
        (lambda: Explorer(BOB, landmarks=MASK[:3]), "A mask must have 8 values"),
        (lambda: Scenario(landmarks=["2026-01-01"]), "replace(track, landmarks=times).landmarks"),
    ],
)
def test_refused(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert sentence in str(caught.value).replace("got test_frames", "got tests")


def test_landmarks_as_a_mask_or_as_times() -> None:
    bob = sample("bob")
    for chosen in (MASK, MASK.tolist(), bob.time[MASK], [0, 3, 6]):
        assert Explorer(bob, landmarks=chosen).landmarks == [0, 3, 6]
        assert TrajectoryMap(bob, landmarks=chosen).landmarks == [0, 3, 6]
        explorer = Explorer(bob)
        explorer.landmarks = chosen
        assert explorer.landmarks == [0, 3, 6] and explorer.scenario.landmarks == (0, 3, 6)
    explorer.landmarks = [0, 1]
    explorer.landmarks = [False, True, *[False] * 6]
    assert explorer.landmarks == [1]
    with pytest.raises(InputError):
        explorer.landmarks = bob.time[:2] + np.timedelta64(1, "s")
    assert explorer.landmarks == [1]
    assert evaluate(Scenario(landmarks=MASK), bob).scenario.landmarks == (0, 3, 6)
