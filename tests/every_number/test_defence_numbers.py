"""Every number of the sentences on defences, held against rows that are sorted and compared here."""

from __future__ import annotations

import math
import re
from itertools import chain
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.landmarks.defences import defence_table, defence_texts, shown
from lmdk_widgets.scenario import evaluate
from lmdk_widgets.scenario.defence import growing
from lmdk_widgets.scenario.model import ALL_SCHEMES, MECHANISMS
from tests.every_number.claims import Claims, Pattern, agrees, near
from tests.every_number.landmarks_truth import PLANS, LandmarkTruth
from tests.every_number.test_adversary_numbers import settings
from tests.sweeps import FULL, generators, more, size

SETTINGS = 24


def title(meaning: str) -> str:
    return meaning.split(":")[0]


class Defences:
    """The rows as they were computed; who is best among them, by looking at all pairs."""

    def __init__(self, outcome: Any) -> None:
        self.all, scenario = outcome.found("defences"), outcome.scenario
        self.rows = list(self.all.rows)
        chain = scenario.correlation == "estimated"
        public = scenario.cells == "region" and bool(scenario.region or scenario.track)  # else it is a proposal
        fair = [o for o in self.rows if o.mechanism == "planar" or public]
        self.fair = [o for o in fair if not (o.scheme in PLANS and chain)]
        self.taken = len(self.rows) - len(self.fair)
        self.now = next(o for o in self.rows if (o.scheme, o.mechanism) == (scenario.scheme, scenario.mechanism))
        known = [o for o in self.fair if not math.isnan(o["mean_error_m"])]
        far = [o for o in known if o["attacker_error_m"] >= self.now["attacker_error_m"] * (1 - 1e-9)]
        self.best = min(
            [self.now, *far],
            key=lambda o: (o["mean_error_m"] if o["mean_error_m"] > 0 else math.inf, o is not self.now),
        )
        self.same = self.best is self.now or self.best["mean_error_m"] >= self.now["mean_error_m"] * 0.99
        self.good = sum(not any(self.beats(b, a) for b in known) for a in known)

    @staticmethod
    def beats(b: Any, a: Any) -> bool:
        own, hers = b["mean_error_m"] - a["mean_error_m"], b["attacker_error_m"] - a["attacker_error_m"]
        slack, attacker_slack = 1e-9 * a["mean_error_m"], 1e-9 * a["attacker_error_m"]
        return own <= slack and hers >= -attacker_slack and (own < -slack or hers > attacker_slack)

    def called(self, one: Any) -> str:
        mechanism = title(MECHANISMS[one.mechanism])
        return f"{title(ALL_SCHEMES[one.scheme])} by {mechanism[0].lower()}{mechanism[1:]}"

    @property
    def place_m(self) -> float:
        return next(o.place_m for o in self.rows if o.place_m is not None)


PATTERNS = [
    Pattern(
        "Now, with {name*}, you are {own} off and she is {hers} off.",
        name=lambda t: t.called(t.now),
        own=lambda t: t.now["mean_error_m"],
        hers=lambda t: t.now["attacker_error_m"],
    ),
    Pattern(
        "Now, with {name*}, you are without a release and she is {hers} off.",
        name=lambda t: t.called(t.now) if math.isnan(t.now["mean_error_m"]) else "NOT SILENT",
        hers=lambda t: t.now["attacker_error_m"],
    ),
    Pattern(
        "at least as far off, {name*} costs you least: you are {own} off, and she is {hers} off.",
        name=lambda t: "NONE COSTS LESS" if t.same else t.called(t.best),
        own=lambda t: t.best["mean_error_m"],
        hers=lambda t: t.best["attacker_error_m"],
    ),
    Pattern(
        "{k#} defence<s|>< so far|>, of which {good} <is|are> efficient: no other is both",
        k=lambda t: len(t.rows),
        good="good",
    ),
    Pattern(
        "{taken#} defence<s|> take<s|> <its|their> cells, grid or plan from the track itself",
        taken=lambda t: t.taken,
    ),
    Pattern("the mean of {draws#} release<s|>, as", draws=lambda t: t.all.draws),
    Pattern("distinguishes {m#} cell<s|> of {side}", m=lambda t: t.all.cells, side=lambda t: t.all.cell_m),
    Pattern("otherwise the cells of {side} that can be reported.", side="place_m"),
    Pattern("Not possible here: {out#} defence<s|>.", out=lambda t: t.all.tried - len(t.rows)),
]


def test_every_number_of_the_defences() -> None:
    claims, held = Claims(PATTERNS, {}), 0
    for k, rng in enumerate(chain(generators(3, SETTINGS), more(103, 500, claims.unused))):
        choices, track = settings(rng)
        if k % 6 == 5:  # nothing is measured
            choices = choices.with_changes(mechanism="planar", scheme="skip", landmarks=range(len(track)))
        try:
            outcome = evaluate(choices.scenario, track)
            *_, found = growing(choices.scenario, choices.attacker.known, track, draws=1)
        except InputError:
            continue
        outcome = outcome.improved(results={"defences": Result("asked", found, done=True)})
        truth = Defences(outcome)
        claims.hold([(str(i), text) for i, text in enumerate(defence_texts(outcome))], truth)
        assert truth.same == ("none costs you noticeably less" in defence_texts(outcome)[0])
        order = shown(outcome)
        assert order is not None
        for texts, one in zip(defence_table(order).texts(), order.rows, strict=True):
            numbers = (one["mean_error_m"], one["attacker_error_m"], one["attacker_chance"])
            mark = "" if one in truth.fair else "\N{NO-BREAK SPACE}†"
            assert texts[:2] == [title(ALL_SCHEMES[one.scheme]), title(MECHANISMS[one.mechanism]) + mark]
            assert all(
                agrees(near("x"), text, value) for text, value in zip([texts[2], *texts[4:6]], numbers, strict=True)
            ), (
                texts,
                one,
            )
            place = {} if one.place_m is None else {"place_m": one.place_m}
            s = choices.scenario.with_changes(scheme=one.scheme, mechanism=one.mechanism, average=False, **place)
            assert texts[6] == LandmarkTruth(evaluate(s, track)).listed
            assert texts[3] == "\N{HORIZONTAL ELLIPSIS}"  # nobody has read it here
            assert not re.search(r"\d", texts[0])
        held += 1
    assert held >= 0.6 * size(SETTINGS)
    assert not FULL or not claims.unused(), claims.unused()
