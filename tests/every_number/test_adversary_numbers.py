"""Every number of what an adversary infers, held against beliefs that are computed in logarithms, one at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.pages.place import Visits
from lmdk_widgets.pages.track.attacker_choices import Attacker
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.scenario.knowledge import MOVES, STARTS
from lmdk_widgets.scenario.people import with_checkins
from lmdk_widgets.trajectory import Trajectory
from tests.every_number.adversary_names import (
    ADVERSARY,
    ADVERSARY_WHEN,
    AS_WRITTEN,
    CLOSE,
    clear,
    hold_panels,
    hold_settings,
)
from tests.every_number.adversary_truth import Her
from tests.every_number.claims import most, near
from tests.every_number.named import Given, Named
from tests.every_number.test_landmark_numbers import START, fitting, log_uniform, setting
from tests.sweeps import size

SETTINGS = 90


def settings(rng: np.random.Generator) -> tuple[TrackChoices, Any]:
    scenario, track = setting(rng)
    if not scenario.scenario.track:  # over several days
        track = Trajectory(track.latitude, track.longitude, START + np.arange(len(track)) * np.timedelta64(7, "h"))
    changed = scenario.with_changes(
        average=False, epsilon=log_uniform(rng, 0.05, 30), smoothing=log_uniform(rng, 0.001, 10)
    )
    her = Attacker(
        open=True,
        cells=int(rng.choice([9, 20, 40])),
        start=str(rng.choice(list(STARTS))),
        moves=str(rng.choice(list(MOVES))),
        step_m=log_uniform(rng, 100, 5000),
        at=int(rng.integers(12)),
        cell=int(rng.integers(-1, 12)),
    )
    if rng.random() < 0.5:  # check-ins around the track, some of them far away
        k = int(rng.integers(1, 30))
        away = rng.normal(0, 0.02, (k, 2)) + (rng.random((k, 1)) < 0.3) * 5.0
        visits = Visits(track.latitude[0] - away[:, 0], track.longitude[0] + away[:, 1], rng.integers(1, 50, k) * 1.0)
        track = with_checkins(track, visits)
    if rng.random() < 0.25:
        scheme, side = str(rng.choice(["event", "uniform", "weighted", "skip"])), log_uniform(rng, 900, 5000)
        changed = changed.with_changes(mechanism="randomised", scheme=scheme, place_m=side)
        changed = changed.with_changes(cells=str(rng.choice(["region", "track"])))
        her = her.with_changes(start="uniform", moves=str(rng.choice(["page", "near"])))
    marks = [i for i in changed.scenario.landmarks if i < len(track)]
    return fitting(changed.with_changes(landmarks=marks, attacker=her), track)


def of_days(find: Callable[[Any, str], Any]) -> Given:
    """What is found of the nights or of the working days, whichever the sentence is about."""
    return Given(lambda t, values: find(t, {"at night": "night", "on working days": "day"}[values["when"]]))


PLACES: Mapping[str, Any] = {
    **ADVERSARY,
    "inside_checkins": lambda t: sum(t.people) or math.nan,
    "all_checkins": lambda t: int(sum(t.track.checkins.counts)),
    "right_away": lambda t: t.guessed([i for i in range(t.n) if t.true[i] != t.usual]),
    "right_share": lambda t: t.guessed(range(t.n)),
    "usual_share": lambda t: t.true.count(t.usual) / t.n,
    "missed_place": near(lambda t: t.followed[0], slack=2e-3, size=0.5),
    "place_reports": lambda t: t.followed[1],
    "days_found": of_days(lambda t, of: t.met(of)),
    "days_missed": of_days(lambda t, of: t.haunt[of][0]),
    "days_error": of_days(lambda t, of: tuple(off for off in t.haunt[of][1] if off) or math.nan),
    "changed_apart": "changed_apart",
    "most_between_two": most(lambda t: float(t.pair_bound[t.changed_at]), slack=1e-6),
    "most_cells_apart": most("far"),
    "most_between_any": most(lambda t: float(t.far_bound.max()), slack=1e-6),
    "radius": "radius",
    "most_loss_at_radius": most(lambda t: float(t.bound.max()), slack=1e-6),
}
"""Every number by its name."""

PLACES_WHEN: Mapping[str, Callable[[Any], bool]] = {
    **ADVERSARY_WHEN,
    "as none of your {all_checkins}": lambda t: not any(t.people),
}
"""When words are true."""


def hold_drawings(her: Her) -> None:
    """The arrays of what is drawn over time and on the map."""
    drawings = {drawing.name: drawing for drawing in her.page._drawings(her.o)}
    hold_panels(her, drawings["panels"].arrays, error_atol=1e-3)
    if 0 <= her.knows.cell < her.m:
        title = f"cell {her.names[her.knows.cell]}"
        assert any(trace["name"] == title for trace in drawings["panels"].described["figure"]["data"])
    bars = [trace for trace in drawings["panels"].described["figure"]["data"] if trace["type"] == "bar"]
    assert [x for trace in bars for x in trace["x"]] == list(her.s.landmarks)
    heights = [y for trace in bars for y in trace["y"]]
    np.testing.assert_allclose(heights, her.right(her.whole)[list(her.s.landmarks)], **CLOSE)
    beliefs = drawings["beliefs"]
    at = min(her.knows.at, her.n - 1)
    assert (beliefs.described["at"], beliefs.described["whole"]) == (at, False) and beliefs.described["shares"] == [
        0.5,
        0.95,
    ]
    # of nearly equal beliefs either may be in a region
    apart = her.m == 1 or np.diff(np.sort(her.whole[at])).min() > 1e-6
    sure, shown, own = clear(her.whole[at]), beliefs.arrays["marks"], np.array(her.marks(at))
    assert (shown[sure] & 7 == own[sure] & 7).all() and (not apart or (shown[sure] == own[sure]).all())
    assert beliefs.arrays["guess"].tolist() == her.guess and beliefs.arrays["path"].tolist() == her.path
    assert beliefs.arrays["truth"].tolist() == her.true
    for name, cells in (("guess_error_m", her.guess), ("path_error_m", her.path)):
        np.testing.assert_allclose(beliefs.arrays[name], her.to_place(cells), rtol=1e-5, atol=1e-3)


@pytest.mark.long
def test_every_number_of_what_an_adversary_infers() -> None:
    series = ("two levels", "two answers")
    named = Named(PLACES, as_written=set(AS_WRITTEN).difference(series), true_when=PLACES_WHEN)
    held = hold_settings(named, settings, 8, SETTINGS, Her, hold_drawings)
    assert held >= 0.7 * size(SETTINGS)
