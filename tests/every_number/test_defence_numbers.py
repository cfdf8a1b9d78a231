"""Every number of the sentences on defences, compared with rows that are sorted and compared here."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.panel import Result
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.track.defences import defence_table, defence_texts, shown
from lmdk_widgets.scenario import evaluate, infer
from lmdk_widgets.scenario.model import ALL_SCHEMES, MECHANISMS
from lmdk_widgets.scenario.region import region_of
from lmdk_widgets.sweep.defences_compared import growing
from lmdk_widgets.trajectory import Trajectory
from tests.every_number.claims import agrees, near
from tests.every_number.landmarks_truth import PLANS, LandmarkTruth
from tests.every_number.named import Named
from tests.every_number.test_adversary_numbers import settings
from tests.every_number.useful_truth import SLACK, rounded
from tests.sweeps import FULL, generators, more, size

SETTINGS = 24 if FULL else 16


def title(meaning: str) -> str:
    return meaning.split(":")[0]


class Defences:
    """The rows as they were computed; which are efficient and which has the star, by looking at all pairs."""

    def __init__(self, outcome: Any) -> None:
        self.all, scenario = outcome.found("defences"), outcome.scenario
        self.rows = list(self.all.rows)
        chain = scenario.correlation == "estimated"
        public = scenario.cells == "region" and bool(scenario.region or scenario.track)  # else it is a proposal
        fair = [o for o in self.rows if o.mechanism == "planar" or public]
        self.fair = [o for o in fair if not (o.scheme in PLANS and chain)]
        self.taken = len(self.rows) - len(self.fair)
        self.now = next(o for o in self.rows if (o.scheme, o.mechanism) == (scenario.scheme, scenario.mechanism))
        self.reader = LandmarkTruth(outcome.improved(results={"useful": Result("", useful(outcome, 1), done=True)}))
        self.lasts = lasts(outcome.trajectory)
        self.most_m = min(region_of(scenario, outcome.trajectory).size_m) / 2
        self.marks = bool(scenario.landmarks)
        better = [
            o
            for o in self.fair
            if o["reader_regular_m"] <= self.now["reader_regular_m"] * (1 + 1e-9)
            and self.away(o) >= self.away(self.now) * (1 - 1e-9)
            and (
                o["reader_regular_m"] < 0.99 * self.now["reader_regular_m"] or self.away(o) > 1.01 * self.away(self.now)
            )
            and self.promises(o)
        ]
        self.best = min(better, key=lambda o: (o["reader_regular_m"], -self.away(o)), default=None)
        self.good = sum(not any(self.beats(b, a) for b in self.fair) for a in self.fair)

    def away(self, o: Any) -> float:
        """How far the attacker is kept from what counts."""
        if self.lasts:
            return float(np.clip(o["nearest_found_m"], 20, self.most_m))
        return o["attacker_landmarks_m"] if self.marks else o["attacker_error_m"]

    def promises(self, o: Any) -> bool:
        """Every promise of the present setting is kept: those with fewer than 99 of 100 guesses right."""
        names = [name for name in o.numbers if name.startswith("promised_")]
        return all(o[k] <= self.now[k] * (1 + 1e-9) for k in names if 1 / (1 + math.exp(-self.now[k])) < 0.99)

    def beats(self, b: Any, a: Any) -> bool:
        off, away = b["reader_regular_m"] / a["reader_regular_m"] - 1, self.away(b) / self.away(a) - 1
        return off <= 1e-9 and away >= -1e-9 and (off < -1e-9 or away > 1e-9)

    def called(self, one: Any) -> str:
        mechanism = title(MECHANISMS[one.mechanism])
        return f"{title(ALL_SCHEMES[one.scheme])} by {mechanism[0].lower()}{mechanism[1:]}"

    @property
    def place_m(self) -> float:
        return next(o.place_m for o in self.rows if o.place_m is not None)


def lasts(track: Any) -> bool:
    """Whether five or more timestamps lie within 200 m of one of them: of small tracks, by all pairs."""
    points = track.points_m.tolist()
    return any(sum(math.dist(a, b) <= 200 for b in points) >= 5 for a in points)


def lingering(track: Any) -> Trajectory:
    """The same track, which stays where it begins for five timestamps."""
    latitude, longitude = (np.array(each) for each in (track.latitude, track.longitude))
    latitude[:5], longitude[:5] = latitude[0], longitude[0]
    return Trajectory(latitude, longitude, track.time)


def number_of(name: str, which: str = "now") -> Any:
    return lambda t: math.nan if getattr(t, which) is None else rounded(getattr(t, which)[name], 0)[0]


def away_of(lasting: bool, which: str = "now") -> Any:
    """What an attacker finds now, or under the one with the star; a place beyond half the region is not found."""

    def value(t: Any) -> Any:
        one = getattr(t, which)
        if one is None or t.lasts != lasting or (lasting and t.away(one) >= t.most_m):
            return math.nan
        return rounded(t.away(one), 0)[0]

    return value


DEFENCES: Mapping[str, Any] = {
    "defence": lambda t: t.called(t.now),
    "best_defence": lambda t: "NONE" if t.best is None else t.called(t.best),
    "reads_now.regular_error": number_of("reader_regular_m"),
    "reads_best.regular_error": number_of("reader_regular_m", "best"),
    "reads_now.attacker_off": away_of(lasting=False),
    "reads_best.attacker_off": away_of(lasting=False, which="best"),
    "reads_now.nearest_place": away_of(lasting=True),
    "reads_best.nearest_place": away_of(lasting=True, which="best"),
    "defences": lambda t: len(t.rows),
    "efficient_defences": "good",
    "from_track_defences": "taken",
    "defence_releases": lambda t: t.all.draws,
    "reader_draws": lambda t: t.all.draws,
    "planar_cells": lambda t: t.all.cells,
    "planar_cell_side": lambda t: t.all.cell_m,
    "reported_side": "place_m",
    "one_known_error": near(lambda t: rounded(t.reader.to_centre, SLACK)),
    "blind_error": near(lambda t: rounded(t.reader.without, SLACK)),
    "impossible_defences": lambda t: t.all.tried - len(t.rows),
}
"""Every number by its name."""


@pytest.mark.long
def test_every_number_of_the_defences() -> None:
    claims, held = Named(DEFENCES), 0
    for k, rng in enumerate(chain(generators(3, SETTINGS), more(103, 500, claims.unused))):
        choices, track = settings(rng)
        if k % 6 == 5:  # nothing is measured
            choices = choices.with_changes(mechanism="planar", scheme="skip", landmarks=range(len(track)))
        if k % 2 and not choices.scenario.track:
            track = lingering(track)
        try:
            outcome = evaluate(choices.scenario, track)
            *_, found = growing(choices.scenario, choices.attacker.known, track, draws=1)
        except InputError:
            continue
        outcome = outcome.improved(results={"defences": Result("asked", found, done=True)})
        truth = Defences(outcome)
        with heard() as made:
            texts = defence_texts(outcome)
        claims.hold([(str(i), text) for i, text in enumerate(texts)], made, truth)
        assert (truth.best is None) == ("Every other defence promises less" in defence_texts(outcome)[0])
        order = shown(outcome)
        assert order is not None
        # what is further looked for is a sentence: its rows would take most of the time
        rows = zip(defence_table(order).texts(), order.rows, strict=True) if k < size(SETTINGS) else ()
        for texts, one in rows:
            mark = "" if one in truth.fair else "\N{NO-BREAK SPACE}†"
            assert texts[:2] == [title(ALL_SCHEMES[one.scheme]), title(MECHANISMS[one.mechanism]) + mark]
            by = ", reader" if one["attacker_by_reader"] else ", chain"
            assert texts[4].endswith(by) and (texts[5] == "no landmark") != bool(truth.marks)
            shown_as = [texts[3], texts[4].removesuffix(by), texts[6], *([texts[5]] if truth.marks else [])]
            names = ["reader_regular_m", "attacker_error_m", "attacker_chance", "attacker_landmarks_m"]
            for text, name in zip(shown_as, names, strict=False):
                value = one[name] if name == "attacker_chance" else rounded(one[name], 0)[0]
                assert agrees(near("x"), text, value), (texts, name, one[name])
            within = texts[7]
            assert (within == "no lasting place") != truth.lasts
            if truth.lasts and one["nearest_found_m"] <= truth.most_m:
                assert agrees(near("x"), within.removesuffix(" or less"), rounded(truth.away(one), 0)[0])
            place = {} if one.place_m is None else {"place_m": one.place_m}
            s = choices.scenario.with_changes(scheme=one.scheme, mechanism=one.mechanism, average=False, **place)
            read, seen = useful(evaluate(s, track), 1), choices.attacker.known
            assert one["reader_error_m"] == pytest.approx(read.reader) and one.worth is not None
            assert agrees(near("x"), texts[2].partition(", ")[0], rounded(read.reader, 0)[0])
            assert texts[2].endswith(one.worth.words.partition(":")[0])
            attacked = infer(evaluate(s, track), seen)
            assert one["attacker_error_m"] == pytest.approx(attacked.error_m.mean(), rel=1e-6, abs=1e-6)
            assert not re.search(r"\d", texts[0])
        held += 1
    assert held >= 0.6 * size(SETTINGS)
    assert not FULL or not claims.unused(), claims.unused()
