"""Every number of what an adversary infers, held against beliefs that are computed in logarithms, one at a time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lmdk_widgets.pages.place import Visits
from lmdk_widgets.pages.track.attacker_choices import Attacker
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.scenario.knowledge import MOVES, STARTS
from lmdk_widgets.scenario.people import with_checkins
from lmdk_widgets.trajectory import Trajectory
from tests.every_number.adversary_claims import CLOSE, SLACK, clear, hold_panels, hold_settings, mean
from tests.every_number.adversary_truth import Her
from tests.every_number.claims import Pattern, most, near
from tests.every_number.found_claims import when
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


def missed(of: str) -> dict[str, Any]:
    return {"off": lambda t: tuple(off for off in t.haunt[of][1] if off) or math.nan, "k": lambda t: t.haunt[of][0]}


def at(hour: int) -> Any:
    return lambda _: hour


PATTERNS = [
    Pattern(
        "is on average {off} away from where you were, by {model*}; by {other*} it would be {more}. By the chosen chain "
        "it is {one} from each timestamp's release alone, and {blind} without any release. With it, the attacker "
        "distinguishes {m#} cell<s|> of {side}",
        off=near(lambda t: float(t.error.mean()), slack=SLACK, size=1e-9),
        model="model",
        other="other",
        more=near(lambda t: float(t.errors[t.other].mean()), slack=SLACK, size=1e-9),
        one=mean("off", "alone"),
        blind=mean("off", "blind"),
        m="m",
        side="side",
    ),
    Pattern(
        "from the {inside} of your {all} check-ins that lie in them",
        inside=lambda t: sum(t.people) or math.nan,
        all=lambda t: int(sum(t.track.checkins.counts)),
    ),
    Pattern(
        "as none of your {all} check-ins lies in them",
        all=lambda t: math.nan if any(t.people) else int(sum(t.track.checkins.counts)),
    ),
    Pattern("e times less likely for each further {step}", step="step"),
    Pattern("stay with a chance of {stays} each time", stays="stays"),
    Pattern(
        "a chance of {whole} on average ({one} from each release alone, {blind} without any), and the best guess is the "
        "true cell at {k} of {n} timestamp<s|>.",
        whole=mean("right", "whole"),
        one=mean("right", "alone"),
        blind=mean("right", "blind"),
        k=lambda t: sum(a == b for a, b in zip(t.guess, t.true, strict=True)),
        n="n",
    ),
    Pattern(
        "Away from the cell where you are most often, the best guess is right at {away} of the timestamps. Over all "
        "timestamps it is right at {all}; always naming that one cell would be right at {most}.",
        away=lambda t: t.guessed([i for i in range(t.n) if t.true[i] != t.usual]),
        all=lambda t: t.guessed(range(t.n)),
        most=lambda t: t.true.count(t.usual) / t.n,
    ),
    Pattern(
        "this attacker misses the middle of the place where you are most often by {off} in this draw, using the {reports} "
        "reports that seem to come from one cell and its neighbours.",
        off=near(lambda t: t.followed[0], slack=2e-3, size=0.5),
        reports=lambda t: t.followed[1],
    ),
    Pattern(
        "The attacker finds the cell of none of your {k#} landmark<s|>.",
        k=lambda t: -1 if t.found_marks else len(t.s.landmarks),
    ),
    Pattern(
        "The attacker finds the cell of each of your {k#} landmarks.",
        k=when(lambda t: len(t.found_marks) == len(t.s.landmarks), lambda t: len(t.s.landmarks)),
    ),
    Pattern(
        "The attacker finds the cell of {right#} of your {k#} landmarks: {names*}.",
        right=lambda t: len(t.found_marks) or math.nan,
        k=lambda t: len(t.s.landmarks),
        names=lambda t: t.named,
    ),
    Pattern(
        "The attacker finds the cell of {right#} of your {k#} landmarks.",
        right=lambda t: len(t.found_marks) or math.nan,
        k=lambda t: len(t.s.landmarks),
    ),
    Pattern(
        "The attacker learned at most {learned}: the odds between two cells change by a factor of more than a million",
        learned=most(lambda t: float(t.learned.max()), slack=SLACK, size=1e-6),
    ),
    Pattern(
        "The attacker learned at most {learned}: the odds between two cells change by a factor of up to {times}",
        learned=most(lambda t: float(t.learned.max()), slack=SLACK, size=1e-6),
        times=most(lambda t: math.exp(min(float(t.learned.max()), 15)), slack=1e-3),
    ),
    Pattern(
        "Between these two, which are {apart} apart, the attacker never learns more than {between} from these budgets, under "
        "these beliefs about moves. If all these cells were within the protection radius of {radius}, the "
        "<total|backward|forward> loss would be at most {bound}.",
        apart=lambda t: t.changed_apart,
        between=most(lambda t: float(t.pair_bound[t.changed_at]), slack=1e-6),
        radius="radius",
        bound=most(lambda t: float(t.bound.max()), slack=1e-6),
    ),
    Pattern(
        "By one number for all these cells, which are up to {far} apart, the attacker never learns more than {never} from "
        "these budgets, under these beliefs about moves. If all these cells were within the protection radius of {radius}, "
        "the <total|backward|forward> loss would be at most {bound}.",
        far=most("far"),
        never=most(lambda t: float(t.far_bound.max()), slack=1e-6),
        radius="radius",
        bound=most(lambda t: float(t.bound.max()), slack=1e-6),
    ),
    Pattern(
        "loss of these budgets is at most {bound}. Under randomised response that is a proven bound:",
        bound=most(lambda t: t.proven, slack=1e-6),
    ),
    Pattern(
        "The attacker's guess at the cell where you mostly are at night, from {k#} night<s|>, is {off} off.",
        **missed("night"),
    ),
    Pattern(
        "From {k#} night<s|> the attacker finds the cell where you mostly are at night.", k=lambda t: t.met("night")
    ),
    Pattern(
        "The attacker's guess at the cell where you mostly are on working days, from {k#} day<s|>, is {off} off.",
        **missed("day"),
    ),
    Pattern(
        "From {k#} day<s|> the attacker finds the cell where you mostly are on working days.", k=lambda t: t.met("day")
    ),
    Pattern("is from {a}:00 to {b}:00, a working day from {c}:00 to {d}:00", a=at(22), b=at(6), c=at(9), d=at(17)),
    Pattern("The attacker attacks each of the {days#} days separately", days=lambda t: len(t.spans)),
]


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


def test_every_number_of_what_an_adversary_infers() -> None:
    held = hold_settings(PATTERNS, settings, 8, SETTINGS, Her, hold_drawings)
    assert held >= 0.7 * size(SETTINGS)
