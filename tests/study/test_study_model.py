"""A study is a plain loop over `evaluate`: the same rows, the same random numbers, the same measures, to the last bit."""

from __future__ import annotations

import hashlib
import json
from itertools import product
from math import nan

import numpy as np
import pandas
import pytest

from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.budgets import landmark_totals
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import landmark_loss, landmark_loss_bound
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.study import MEASURES, Study, draw_landmarks
from lmdk_widgets.study.grid import MOST_EVALUATIONS
from lmdk_widgets.trajectory import Trajectory, sample
from tests.study.walks import short

GRID = {
    "scheme": ["uniform", "adaptive", "skip"],
    "epsilon": [0.5, 2],
    "share": [0, 0.25, 1],
    "layout": ["uniform", "bimodal"],
    "correlation": ["none", "strong", "estimated"],
}


def seed(*what: object) -> int:
    """The seed as the documentation words it: the first 53 bits of a hash of the plain values."""
    digest = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()
    return int(bin(int(digest, 16) + 2**256)[3 : 3 + 53], 2)


def looped(tracks: dict[str, Trajectory], grid: dict, repetitions: int) -> list[list[object]]:
    """All rows by nested loops, with measures computed by their definitions."""
    rows = []
    for name, track in tracks.items():
        for scheme, epsilon, share, layout, correlation in product(*grid.values()):
            for repetition in range(repetitions):
                rng = np.random.default_rng(seed("landmarks", name, layout, repetition))
                marked = draw_landmarks(layout, len(track), share, rng=rng)
                told = {"scheme": scheme, "epsilon": float(epsilon), "share": float(share), "layout": layout}
                told["correlation"] = correlation
                defaults = {"scheme": "uniform", "epsilon": 1.0, "layout": "uniform", "correlation": "moderate"}
                told = {key: value for key, value in told.items() if defaults.get(key) != value}
                how = {"scheme": scheme, "epsilon": epsilon, "correlation": correlation, "landmarks": marked}
                one = evaluate(Scenario(track="", seed=seed("noise", name, told, repetition), **how), track)
                errors = one.error_m[~np.isnan(one.error_m)]
                numbers = [errors.mean() if len(errors) else nan, max(one.total), max(one.landmark), max(one.totals)]
                setting = [name, scheme, epsilon, share, layout, correlation, repetition]
                rows.append([*setting, *map(float, numbers)])
    return rows


@pytest.mark.long
def test_a_study_is_the_loop() -> None:
    tracks = {"walk": short(), "bob": sample("bob")}
    frame = Study(tracks, GRID, repetitions=2).run(None, jobs=1)
    rows = looped(tracks, GRID, 2)
    assert len(frame) == len(rows) == 2 * 3 * 2 * 3 * 2 * 3 * 2
    assert frame.evaluation.tolist() == list(range(len(rows))) and not frame.refused.any()
    names = ["track", *GRID, "repetition", "mean_error_m", "largest_total_loss", "landmark_loss", "theorem_sum"]
    assert [*frame.columns] == ["evaluation", *names, "refused"]
    expected = pandas.DataFrame(rows, columns=names)
    for name in names:
        assert np.array_equal(frame[name].to_numpy(), expected[name].to_numpy(), equal_nan=name == "mean_error_m"), name
    gone = frame[(frame.scheme == "skip") & (frame.share == 1)]  # every timestamp a landmark: nothing is released
    assert gone.mean_error_m.isna().all() and len(gone) == frame.mean_error_m.isna().sum()


def test_another_grid_around_a_setting_leaves_its_numbers() -> None:
    track, all_of = {"walk": short()}, Study({"walk": short()}, GRID, repetitions=2).run(None, jobs=1)
    few = {"correlation": "strong", "share": [1, 0.25], "layout": ["bimodal"], "scheme": ["adaptive"], "epsilon": 2}
    frame = Study(track, {**few, "states": 5, "radius_m": 200}, repetitions=1).run(None, jobs=1)
    same = all_of.merge(frame, on=[*few, "repetition"], suffixes=("", "_few"))
    assert len(same) == 2 and same.mean_error_m.tolist() == same.mean_error_m_few.tolist()


def test_seeds_differ_and_landmarks_do_not_depend_on_the_scheme() -> None:
    study = Study({"walk": short()}, GRID, repetitions=3)
    found = [study.scenario(k)[0] for k in range(len(study))]
    assert len({one.seed for one in found}) == len(study)
    by_layout: dict[tuple, set] = {}
    for k, one in enumerate(found):
        setting = study.setting(k)
        key = setting["share"], setting["layout"], setting["repetition"]
        by_layout.setdefault(key, set()).add(one.landmarks)
    assert all(len(marked) == 1 for marked in by_layout.values())
    assert len({marked for key, sets in by_layout.items() if key[0] == 0.25 for marked in sets}) > 3


def test_landmarks_are_named_or_come_with_the_track() -> None:
    named = Study({"walk": short()}, {"landmarks": [[3], [0, 1, 2, 9]], "correlation": "none"})
    assert [named.scenario(k)[0].landmarks for k in range(2)] == [(3,), (0, 1, 2, 9)]
    assert [str(text) for text in named.run(None, jobs=1).landmarks] == ["3", "0-2.9"]
    assert Study({"walk": short()}, {"landmarks": [5, 6]}).scenario(0)[0].landmarks == (5, 6)
    assert Study({"walk": short()}, {}).scenario(0)[0].landmarks == (1, 4)
    assert Study("bob", {}).scenario(0)[0].track == "bob"


def test_every_measure_by_its_definition() -> None:
    grid = {"scheme": "skip", "share": 0.3, "correlation": "moderate", "states": 2}
    study = Study({"walk": short(12)}, grid, measures=MEASURES)
    row = study.run(None, jobs=1).iloc[0]
    scenario, track = study.scenario(0)
    one, chain = evaluate(scenario, track), [[11 / 12, 1 / 12], [1 / 12, 11 / 12]]
    regular = [t for t in range(12) if t not in scenario.landmarks]
    errors = [e for e in one.error_m if not np.isnan(e)]
    total = landmark_loss(chain, chain, one.budgets, scenario.landmarks)
    alone = []
    for t in regular:  # the chain between the landmarks beside t, all others forgotten
        first = max((m for m in scenario.landmarks if m < t), default=-1) + 1
        last = min((m for m in scenario.landmarks if m > t), default=12)
        stretch = evaluate(
            Scenario(track="", scheme="event", correlation="moderate", states=2), _cut(track, first, last)
        )
        alone.append(float(stretch.total[t - first]))
    assert row.mean_error_m == pytest.approx(np.mean(errors)) and row.median_error_m == pytest.approx(np.median(errors))
    assert row.radius95_m == pytest.approx(4.7438645184 * 200, rel=1e-9)
    assert row.largest_total_loss == max(one.total) and row.mean_total_loss == pytest.approx(np.mean(one.total))
    assert row.landmark_loss == pytest.approx(max(total)) and row.mean_landmark_loss == pytest.approx(np.mean(total))
    bound = landmark_loss_bound(np.array(chain), one.budgets, scenario.landmarks)
    assert row.landmark_bound == pytest.approx(max(bound)) and row.own_loss == pytest.approx(np.mean(alone))
    assert row.theorem_sum == max(landmark_totals(one.budgets, scenario.landmarks)) and row.landmarks == 4
    assert row.published == pytest.approx(8 / 12)
    read, budget = useful(one, 1), max(one.budgets)
    assert (row.reader_error_m, row.spread_m, row.nothing_m) == (read.reader, read.spread, read.nothing)
    assert row.promised_one == pytest.approx(1 / (1 + np.exp(-budget)))
    assert row.promised_landmarks == pytest.approx(1 / (1 + np.exp(-row.theorem_sum)))
    assert row.landmark_distance == pytest.approx(
        np.mean([min(abs(t - m) for m in scenario.landmarks) for t in regular])
    )


def _cut(track: Trajectory, first: int, last: int) -> Trajectory:
    return Trajectory(track.latitude[first:last], track.longitude[first:last], track.time[first:last])


def test_what_cannot_be_evaluated_says_why_in_its_row() -> None:
    frame = Study({"walk": short(5)}, {"scheme": "window", "window": [3, 9]}).run(None, jobs=1)
    assert frame.mean_error_m.isna().tolist() == [False, True]
    assert frame.refused.tolist() == ["", "Window must be a whole number between 1 and 5; got 9."]


BAD = [
    lambda: Study([], {}),
    lambda: Study(3, {}),
    lambda: Study(["bob", "bob"], {}),
    lambda: Study(["nobody"], {}),
    lambda: Study([7], {}),
    lambda: Study("bob", ["scheme"]),
    lambda: Study("bob", {"colour": "red"}),
    lambda: Study("bob", {"scheme": ["uniform", "best"]}),
    lambda: Study("bob", {"scheme": "given"}),
    lambda: Study("bob", {"scheme": []}),
    lambda: Study("bob", {"epsilon": [1, 1.0]}),
    lambda: Study("bob", {"epsilon": -3}),
    lambda: Study("bob", {"share": 1.5}),
    lambda: Study("bob", {"layout": "uniform"}),
    lambda: Study("bob", {"share": 0.5, "landmarks": [1]}),
    lambda: Study("bob", {}, repetitions=0),
    lambda: Study("bob", {"epsilon": [1, 2]}, repetitions=MOST_EVALUATIONS),
    lambda: Study("bob", {}, measures=[]),
    lambda: Study("bob", {}, measures="mean_error_m"),
    lambda: Study("bob", {}, measures=["error"]),
    lambda: Study("bob", {}, measures=["landmarks", "landmarks"]),
    lambda: Study("bob", {}).setting(1),
    lambda: Study("bob", {}).run(None, jobs=0),
    lambda: Study("bob", {}).run(None, jobs=2, dask="tcp://127.0.0.1:1"),
]


@pytest.mark.parametrize("call", BAD, ids=range(len(BAD)))
def test_every_refusal_is_one_sentence(call) -> None:
    with pytest.raises(InputError) as caught:
        call()
    text = caught.value.sentence
    assert text[0] in "ABCDEFGHIJKLMNOPQRSTUVWXYZ“" and " must " in text.split("; got ")[0] and text.endswith("."), text
