"""Secrets over time about real tracks: the specification's values, a second program, and the most that a release can say."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.secrets_over_time import Asked, Secret, UnknownHours, asks, secret_of, unknown_hours
from lmdk_widgets.answers.usefulness import releases
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import Trajectory, sample
from tests.answers.secret_paths import slow_log_odds

WEEK, BOB = sample("commuter"), sample("bob")


def asked(track: Trajectory, scenario: dict[str, Any] | None = None, **changes: Any) -> Secret:
    made = {"track": track.name, "landmarks": track.landmarks or (0, 2, 4, 7)} | (scenario or {})
    return secret_of(evaluate(Scenario(**made), track), Asked(**changes))


def answer(secret: Secret, draws: int = 20) -> UnknownHours:
    *_, found = unknown_hours(secret, draws)
    assert isinstance(found, UnknownHours)
    return found


# -- known hours -------------------------------------------------------------------------------------------------------


def test_known_hours_are_those_of_the_promise() -> None:
    """Section R: the commuter's home, one radius away: 25 in half of all releases, 640 in one of ten, e^116 at most."""
    hours = asked(WEEK).hours
    assert hours is not None and hours.reports == 1044
    assert [round(math.exp(hours.half)), round(hours.tenth, 2), round(hours.most)] == [25, 6.46, 116]
    small = asked(WEEK, {"epsilon": 0.1}).hours
    assert small is not None and [round(math.exp(small.half), 2), round(math.exp(small.tenth), 2)] == [1.03, 1.43]
    user = asked(WEEK, {"scheme": "user"}).hours
    assert user is not None and round(math.exp(user.most), 2) == 1.68
    bob = asked(BOB).hours
    assert bob is not None and [round(math.exp(bob.tenth), 2), round(bob.most, 3)] == [1.21, 0.2]


def log_odds_of(secret: Secret, outputs: Floats, spent: Floats) -> float:
    """Report by report: how much nearer it is to the place than to the other one, in radii, times its budget."""
    here, there = secret.here_m.tolist(), secret.there_m.tolist()
    return sum(
        float(spent[t]) / 200 * (math.dist(outputs[t], there) - math.dist(outputs[t], here))
        for t in np.flatnonzero(secret.members).tolist()
        if spent[t] > 0
    )


@pytest.mark.parametrize("scheme", ["uniform", "skip", "adaptive"])
def test_no_release_says_more_than_at_most(scheme: str) -> None:
    secret = asked(WEEK, {"scheme": scheme}, when="part", first=0, last=400)
    hours = secret.hours
    assert hours is not None
    drawn = [
        log_odds_of(secret, one.outputs, one.budgets * one.published) for one in islice(releases(secret.outcome), 40)
    ]
    assert drawn[0] == pytest.approx(secret.known_shown())
    assert all(abs(one) <= hours.most for one in drawn)
    if scheme == "uniform":  # its budgets are known beforehand
        assert sum(one >= hours.half for one in drawn) == pytest.approx(20, abs=9)
        assert sum(one >= hours.tenth for one in drawn) <= 10


def test_only_the_hours_asked_about_count() -> None:
    first = asked(WEEK, when="part", first=0, last=287)
    assert first.days == 1 and first.members.sum() == WEEK_AT_HOME[0]
    assert first.hours is not None and first.hours.reports == WEEK_AT_HOME[0]
    marked = asked(WEEK, {"landmarks": (3, 5, 900)}, when="landmarks")
    assert np.flatnonzero(marked.chosen).tolist() == [3, 5, 900]
    away = asked(WEEK, when="part", first=120, last=140)
    assert away.hours is None and not away.true


WEEK_AT_HOME = [int(asked(WEEK).here.members[k * 288 : (k + 1) * 288].sum()) for k in range(7)]

# -- unknown hours -----------------------------------------------------------------------------------------------------


SOME = slice(0, 860, 43)
THREE_DAYS = Trajectory(WEEK.latitude[SOME], WEEK.longitude[SOME], WEEK.time[SOME], zone=WEEK.zone)


@pytest.mark.long
@pytest.mark.parametrize(
    ("track", "changes"),
    [
        (BOB, {}),
        (BOB, {"place": 3, "when": "part", "first": 5, "last": 5}),  # not there then
        (BOB, {"kind": "home", "east_m": 3000.0}),
        (THREE_DAYS, {"least": 2}),
        (THREE_DAYS, {"least": 3, "when": "part", "first": 2, "last": 17}),
        (THREE_DAYS, {"kind": "home", "other": 1}),
    ],
)
def test_unknown_hours_by_a_second_program(track: Trajectory, changes: dict[str, Any]) -> None:
    secret = asked(track, {"track": "", "region": tuple(region_of_week())}, **changes)
    sign = 1 if secret.true or secret.asked.kind == "home" else -1
    before = sign * slow_log_odds(secret, None, np.zeros(len(track)))
    drawn = list(islice(releases(secret.outcome), 3))
    after = [sign * slow_log_odds(secret, one.outputs, one.budgets * one.published) for one in drawn]
    found = answer(secret, 3)
    assert found.before == pytest.approx(before, abs=1e-6)
    assert found.shown == pytest.approx(after[0] - before, abs=2e-3)  # two frames differ by some centimetres
    assert found.half == pytest.approx(float(np.median(after)) - before, abs=2e-3)
    assert found.tenth == pytest.approx(float(np.quantile(after, 0.9)) - before, abs=2e-3)
    assert max(abs(one - before) for one in after) <= found.most


def region_of_week() -> tuple[float, ...]:
    from lmdk_widgets.scenario.region import region_of

    limits = region_of(Scenario(track="commuter"), WEEK)
    assert limits is not None
    return limits.limits


def test_what_bounds_every_release_is_added_up_by_hand() -> None:
    """Bob: eight budgets of 0.2, at the largest distance of two cells, as all of the time is asked about."""
    secret = asked(BOB)
    points = secret.reading.area.points_m
    far = math.dist(points.min(axis=0), points.max(axis=0))
    assert answer(secret, 1).most == pytest.approx(float(secret.outcome.budgets.sum()) * far / 200)
    one = asked(BOB, when="part", first=3, last=3)
    sides = [max(math.log(p.max() / p.min()) for p in (way.matrix(q).T for way, q in part)) for part in of_moves(one)]
    budgets = one.outcome.budgets * far / 200
    before, after = min(sides[0], budgets[:3].sum()), min(sides[1], budgets[4:].sum())
    assert answer(one, 1).most == pytest.approx(before + budgets[3] + after)


def of_moves(secret: Secret) -> list[list[Any]]:
    """The moves into the timestamp asked about, and out of it."""
    moves = secret.reading.moves
    return [[moves[2]], [moves[3]]]


@pytest.mark.long
def test_an_adversary_who_does_not_know_the_hours_finds_out_less() -> None:
    away = asked(WEEK, {"epsilon": 0.1}, kind="home", other=1)
    hours = away.hours
    assert hours is not None and answer(away, 5).half < hours.half


def test_a_home_is_not_where_one_works_too() -> None:
    """A commuter is at home and at work: neither "home, not work" nor the other way round is true."""
    assert not asked(WEEK, kind="home", other=1).true and asked(WEEK, kind="home", east_m=-3000.0).true
    assert (
        not asked(WEEK, kind="home", place=1, other=0).true
        and not asked(WEEK, kind="home", place=2, east_m=9000.0).true
    )


def test_two_places_in_one_cell_are_not_told_apart() -> None:
    near = asked(BOB, kind="home", east_m=1.0)
    assert not near.told_apart and not list(unknown_hours(near))
    assert asked(BOB, east_m=1.0).told_apart  # one place is asked about


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"place": 9}, "one of the 8"),
        ({"other": 0}, "must differ"),
        ({"east_m": 0.0}, "must differ"),
        ({"when": "part", "first": 5, "last": 2}, "asked about"),
    ],
)
def test_what_cannot_be_asked_is_refused(changes: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        asked(BOB, **changes)


def test_only_tracks_under_planar_laplace_are_asked() -> None:
    assert asks(evaluate(Scenario(), BOB))
    assert not asks(evaluate(Scenario(mechanism="randomised"), BOB))
