"""What each name in the series page's sentences is, computed apart from the page."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import amount, bound
from lmdk_widgets.page.own_file import describe_track
from lmdk_widgets.page.sentences import Sentence
from lmdk_widgets.pages.series.belief import long_run
from lmdk_widgets.pages.series.composition import adding_up
from lmdk_widgets.pages.series.words import first_answers
from tests.every_number.claims import DIGITS, ROUNDING, WITHIN, Hole, Wrong, agrees, most, near
from tests.every_number.named import Given, Truths, guesses
from tests.every_number.series_page_truth import QuiltTruth
from tests.every_number.series_page_walks import published_scale
from tests.every_number.series_practices_truth import day_shown, lasting, meter

MOST_CHAINS = 10

TITLES = {
    "exact": "Markov quilt, exact",
    "approximate": "Markov quilt, approximate",
    "gk16": "GK16",
    "local": "Local influences",
    "group": "Group differential privacy",
    "entry": "Entry-level differential privacy",
}
SOLVED = 1e-6
"""Influences are differences of logarithms of powers of a matrix."""


def solved(find: Any) -> Hole:
    return near(find, slack=SOLVED, size=1e-9)


def bounded(find: Any) -> Hole:
    return most(find, slack=2e-9, size=2e-9)


def own_line(own: Any) -> str:
    """What was uploaded: its name, how many readings, of what, how often."""
    if own is None:
        return ""
    name, n = own.name or "Your file", len(own)
    if own.trajectory is not None:
        return f"{name}: {describe_track(replace(own.trajectory, notices=())).split(': ', 1)[1]}"
    of = " of power" if own.watts is not None else f", {len(own.labels)} different state{'s' * (len(own.labels) != 1)}"
    often = f", every {own.minutes:.3g} min" if own.minutes else ""
    when = f", {own.when}" if own.when else ""
    return f"{name}: {n:,} reading{'s' * (n != 1)}{of}{when}{often}."


def where(t: QuiltTruth) -> str:
    """The chosen moment by its clock, or by its number."""
    return t.here.partition(" (")[2].removesuffix(")") or t.here


def moved_by(t: QuiltTruth) -> float:
    """The mean size of the noise of a bar, in timestamps."""
    return t.noise(t.c.mechanism) * (t.T if t.c.query == "shares" else 1)


def spelled(size: Callable[[QuiltTruth], float]) -> Callable[[QuiltTruth], str]:
    """So many timestamps in the words of the page; if the error of the computation allows several, the one that is said."""

    def find(t: QuiltTruth) -> str:
        allowed = {in_words(t, size(t) * (1 + off)) for off in (-SOLVED, 0, SOLVED)}
        line = first_answers(t.o)[0].line
        return next((text for text in allowed if text in line), min(allowed))

    return find


def in_words(t: QuiltTruth, size: float) -> str:
    """Minutes below an hour and a half, then hours, with a decimal below ten of them; a number where there is no clock."""
    minutes, sign = t.clock[0], "\N{MINUS SIGN}" if size < 0 else ""
    if minutes is None:
        return f"{size:,.0f}".replace("-", "\N{MINUS SIGN}")
    m = abs(size * minutes)
    if m < 0.95:
        return "less than a minute"
    if m < 89.5:
        return f"{sign}{m:.0f} min"
    hours = f"{m / 60:.1f}" if m < 597 else f"{m / 60:,.0f}"
    return f"{sign}{hours.removesuffix('.0')} h"


def whom(t: QuiltTruth) -> str:
    if t.c.mechanism == "group":
        return "anyone, whichever model they believe"
    return f"whoever believes {'the model' if len(t.chains) == 1 else 'one of the models'} of what follows what"


def alone(t: QuiltTruth) -> float:
    """The largest share of one of two states at a timestamp, of 100, by the chains alone."""
    most = 0.5
    for p, q in zip(t.chains, t.starts, strict=True):
        here = np.array(q, float)
        for _ in range(t.T):
            some = [v for v in here.tolist() if v > 0]
            most = max(most, max(some) / (max(some) + min(some)) if len(some) > 1 else 0)
            if t.alike:
                break
            here = here @ p
    return 100 * most


def told_as(name: str, find: Callable[[QuiltTruth], float]) -> Given:
    """An influence in words, where two phrases touch: the one that is said."""
    phrases: dict[str, Callable[[float], bool]] = {
        "nothing (below rounding)": lambda e: e < 1e-9,
        "next to nothing": lambda e: 1e-15 < e < 1e-6 * 1.001,
        "less than 0.001": lambda e: 0.9e-6 < e < 1e-3,
        "an unbounded amount": math.isinf,
    }

    def said(t: QuiltTruth, values: Mapping[str, str]) -> str:
        phrase = str(values[name])
        return phrase if phrase in phrases and phrases[phrase](find(t)) else "NOT TRUE HERE"

    return Given(said)


def ends(t: QuiltTruth) -> list[int]:
    return [q + 1 for q in t.quilt if q is not None]


def bar(t: QuiltTruth) -> int:
    return max(t.series.states.tolist().count(k) for k in range(t.m))


def own_title(t: QuiltTruth, values: Mapping[str, str]) -> str:
    return str(values["mechanism"]) if values["mechanism"] in TITLES.values() else "NOT A MECHANISM"


def of_title(t: QuiltTruth, values: Mapping[str, str]) -> float:
    return t.error(next(name for name, title in TITLES.items() if title == values["mechanism"]))


def chain_of(values: Mapping[str, str]) -> int:
    return int(values["chain"])


def segment(t: QuiltTruth, values: Mapping[str, str]) -> tuple[int, int, float]:
    """The ends of a segment and its epsilon, once no quilt fits into it."""
    a1, a2, b1, b2 = t.placed
    assert t.reach(values["name"]) is None, values
    return (a1, a2, t.c.epsilon_a) if values["name"] == "A" else (b1, b2, t.c.epsilon_b)


def needed_gap(t: QuiltTruth, values: Mapping[str, str]) -> int:
    return t.reach("A")[1] if "in A reaches after" in values["reaches"] else t.reach("B")[0]


def moved(t: QuiltTruth, values: Mapping[str, str]) -> tuple[int, int]:
    """What is used and what was chosen."""
    return {
        "the length of A": (t.placed[1] - t.placed[0] + 1, t.c.a_length),
        "the length of B": (t.placed[3] - t.placed[2] + 1, t.c.b_length),
        "the gap": (t.gap, t.c.gap),
        "the start of A": (t.placed[0] + 1, t.c.a_first + 1),
    }[values["name"]]


def adding_up_to(hole: Hole, adds: Callable[[Mapping[str, str]], bool]) -> Given:
    """A number that a reader also gets who computes with the other numbers of its sentence, as they are written."""

    def find(t: QuiltTruth, values: Mapping[str, str]) -> Any:
        if not adds(values):
            raise Wrong(f"it does not add up: {dict(values)}")
        return hole.value(t)

    return Given(find, hole)


def decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", ""))


def rounded(value: Any, like: str) -> Decimal:
    """As people round, to the digits of another number."""
    return Decimal(value).quantize(decimal(like), ROUND_HALF_UP)


def is_like(value: Any, said: str) -> bool:
    return rounded(value, said) == decimal(said)


def is_quotient(score: str, left: Any) -> bool:
    """Whether the noise is the size of the nearby set divided by what is left of epsilon."""
    if not isinstance(left, Sentence):
        return True
    of = left.values.get("left_of_epsilon", left.values["all_of_epsilon"])
    return agrees(near("x"), score, float(decimal(left.values["near"]) / decimal(of)))


def why_not(t: QuiltTruth, said: str) -> str:
    """What the mathematics says of a mechanism, once the norm in it is seen to be that of the local influences."""
    norm = re.search(r"spectral norm (\S+?),", said)
    right = norm is None or (t.weak[0] >= 1 and agrees(solved("x"), norm[1], t.weak[0]))
    return said if right else "ANOTHER NORM"


def stays(t: QuiltTruth) -> np.ndarray:
    return t.first.diagonal()


NAMES: Truths = {
    "bar": spelled(bar),
    "bar_low": spelled(lambda t: bar(t) - moved_by(t)),
    "bar_high": spelled(lambda t: bar(t) + moved_by(t)),
    "where": where,
    "here": "here",
    "here_first": lambda t: t.here[:1].upper() + t.here[1:],
    "state": lambda t: t.labels[int(t.series.states[t.node])],
    "whom": whom,
    "right_alone": guesses("right_alone", alone),
    "epsilon": "epsilon",
    "length": "T",
    "timestamps": "T",
    "most_odds_factor": most(lambda t: math.exp(min(t.epsilon, 700))),
    "scale": solved("sigma"),
    "group_scale": "group",
    "saved_times": solved(lambda t: t.group / t.sigma),
    "score": adding_up_to(solved(lambda t: t.scale[t.node]), lambda v: is_quotient(v["score"], v.get("left"))),
    "end_first": lambda t: ends(t)[0],
    "end_second": lambda t: ends(t)[1],
    "near": "near",
    "all_of_epsilon": Hole("epsilon", DIGITS),
    "influence": Hole("influence", DIGITS, 1e-6, 1e-9),
    "left_of_epsilon": adding_up_to(
        Hole(lambda t: t.epsilon - t.influence, WITHIN),
        lambda v: decimal(v["all_of_epsilon"]) - decimal(v["influence"]) == decimal(v["left_of_epsilon"]),
    ),
    # the belief
    "deciding_chain": lambda t: re.findall(r"\d+", t.deciding)[0],
    "first_chains": lambda t: ", ".join(re.findall(r"\d+", t.deciding)[:-1]),
    "last_chain": lambda t: re.findall(r"\d+", t.deciding)[-1],
    "away_first": lambda t: ", ".join(map(str, t.away[:-1])),
    "away_last": lambda t: t.away[-1],
    "n_states": "m",
    "n_chains": lambda t: len(t.chains),
    "n_others": lambda t: len(t.chains) - 1,
    "added": lambda t: t.c.smoothing,
    "chain": Given(lambda t, values: chain_of(values) if chain_of(values) <= len(t.own) else -1),
    "chain_scale": Given(lambda t, values: t.alone[chain_of(values) - 1], near("", slack=SOLVED, size=1e-9)),
    "chain_node": Given(lambda t, values: t.worst_of(chain_of(values))),
    "other_scale": solved("otherwise"),
    "published_length": lambda t: 100,
    "published_epsilon": lambda t: 1,
    "published_scale": lambda t: published_scale(),
    "most_searched": lambda t: 1000,
    "stay_least": lambda t: stays(t).min(),
    "stay_most": lambda t: stays(t).max(),
    "stay": near(lambda t: stays(t).max(), slack=0.005),
    "largest_share": lambda t: t.long_run.max(),
    "smallest_share": near(lambda t: t.long_run.min(), slack=1e-6, size=1e-13),
    "often": lambda t: named(t, 1),
    "rare": lambda t: named(t, -1),
    "moves": "moves",
    "how_soon": lambda t: "with every move" if t.moves == 1 else "NOT TRUE HERE",
    # mechanisms
    "mechanism": Given(own_title),
    "note": Given(lambda t, values: why_not(t, str(values["note"]))),
    "reason": Given(lambda t, values: why_not(t, str(values["reason"]))),
    "mechanism_error": Given(of_title, near("", slack=SOLVED, size=1e-9)),
    "error": solved(lambda t: t.error(t.c.mechanism)),
    "bars_sum": lambda t: 1 if t.c.query == "shares" else t.T,
    "bar_noise": solved(lambda t: t.noise(t.c.mechanism)),
    "bars_below": lambda t: int((t.released[0] < 0).sum()),
    "every": lambda t: t.c.every,
    "n_readings": lambda t: len(t.o.own),
    # one timestamp, and all of them
    "past_tells": told_as("past_tells", lambda t: t.past[0]),
    "past_tells.most_told": bounded(lambda t: t.past[0]),
    "future_tells": told_as("future_tells", lambda t: t.future[0]),
    "future_tells.most_told": bounded(lambda t: t.future[0]),
    "falls_below": "falls_below",
    "least_scale": solved(lambda t: t.scale.min()),
    "worst_node": lambda t: worst_node(t),
    "most_highest": bounded(lambda t: (highest(t.past), highest(t.future))),
    # releases together
    "release_epsilon": lambda t: t.c.releases[0],
    "n_releases": lambda t: len(t.c.releases),
    "terms": lambda t: terms_of(t),
    "releases_together": adding_up_to(
        near(lambda t: math.fsum(t.c.releases)),
        lambda v: "terms" not in v or is_like(sum(map(decimal, v["terms"].split(" + "))), v["releases_together"]),
    ),
    "largest_epsilon": lambda t: max(t.c.releases),
    "older_together": adding_up_to(
        near(lambda t: len(t.c.releases) * max(t.c.releases)),
        lambda v: is_like(decimal(v["n_releases"]) * decimal(v["largest_epsilon"]), v["older_together"]),
    ),
    "a_first": lambda t: t.placed[0] + 1,
    "a_last": lambda t: t.placed[1] + 1,
    "b_first": lambda t: t.placed[2] + 1,
    "b_last": lambda t: t.placed[3] + 1,
    "epsilon_a": lambda t: t.c.epsilon_a,
    "epsilon_b": lambda t: t.c.epsilon_b,
    "epsilon_sum": lambda t: t.c.epsilon_a + t.c.epsilon_b,
    "gap": "gap",
    "used": Given(lambda t, values: moved(t, values)[0]),
    "asked": Given(lambda t, values: moved(t, values)[1]),
    "together": bounded("together"),
    "together_in_parts": lambda t: in_parts(t),
    "larger": "larger",
    "most_extra": bounded(lambda t: t.together - t.larger),
    "ahead": told_as("ahead", lambda t: t.forward),
    "ahead.most_told": bounded(lambda t: t.forward),
    "back": told_as("back", lambda t: t.backward),
    "back.most_told": bounded(lambda t: t.backward),
    "most_between": bounded("between"),
    "most_far": most("larger"),
    "most_beyond_larger": most(lambda t: t.together / t.larger - 1, size=1e-8),
    "segment_length": Given(lambda t, values: segment(t, values)[1] - segment(t, values)[0] + 1),
    "segment_epsilon": Given(lambda t, values: segment(t, values)[2]),
    "needed_gap": Given(needed_gap),
    "widest": "widest",
    # a meter's practices
    "hours_right": lambda t: meter(t).right("Values by the hour"),
    "guess_alike": lambda t: meter(t).alike,
    "hours_rest_off": lambda t: lasting(meter(t).rest_off("Values by the hour")),
    "most_of_a_day": lambda t: meter(t).most_of_a_day,
    "day_shown": day_shown,
}

AS_WRITTEN = (
    *("50 is chance", "two equally likely", "two-state", "two segments are counted", "one run of chain 1", "first two"),
    *("any two values", "of Ghosh and Kleinberg, 2016", "GK16", "from two numbers of the chain", "σ = 1 / ε"),
    *(
        "has no bound here",
        "the whiskers cover 90 % of 100 draws",
        "mean of 100 draws; the whiskers cover 90 % of them",
    ),
    *("(Song and Chaudhuri 2017, Theorem III.7)", "the larger of the two", "two releases", "90 % of draws"),
    *("Two chains of two states", "less than 0.001", "sixty other", "2 missing readings"),
    *("values for 30 days", "into two levels"),
)

TRUE_WHEN: Mapping[str, Callable[[QuiltTruth], bool]] = {
    "{who} may change {odds}": lambda t: math.exp(min(t.epsilon, 700)) > 1e6,
    "no quilt helps": lambda t: t.quilt == (None, None),
    "the chain that you typed": lambda t: len(t.own) == 1,
    "any of the {n_chains} chains that you typed": lambda t: len(t.own) > 1,
    "Every timestamp needs": lambda t: bool(np.ptp(t.scale) < 1e-6 * t.sigma),
    "Each timestamp by itself would need": lambda t: worst_node(t) > 0,
    "of about {scale}": lambda t: t.scale.min() > 0.989 * t.sigma,
    "One release: ": lambda t: len(t.c.releases) == 1,
    "needs it equally": lambda t: "equally" in t.deciding,
}


def highest(values: np.ndarray) -> float:
    return float(max(values[np.isfinite(values)], default=math.nan))


def worst_node(t: QuiltTruth) -> int:
    """The timestamp that is said to decide, once it is seen to need the most."""
    node = int(t.o.scale.node)
    return node + 1 if t.scale[node] >= t.sigma * (1 - 1e-9) else -1


def terms_of(t: QuiltTruth) -> str:
    """The epsilons as they are written, each once it is seen to be right; `adds_up` adds them."""
    said = adding_up((*t.c.releases, math.fsum(t.c.releases)))[:-1]
    assert all(agrees(near("x"), text, e) for text, e in zip(said, t.c.releases, strict=True))
    return " + ".join(said)


def in_parts(t: QuiltTruth) -> str:
    """The larger epsilon and the correction added as they are written, if that is no less than the guarantee."""
    parts = Decimal(amount(t.larger)) + Decimal(bound(t.together - t.larger))
    said = f"{parts:f}" if float(parts) >= t.together * (1 - 1e-9) else bound(t.together)
    return said if t.together * (1 - ROUNDING) <= float(said) <= t.together + 0.02 else "NOT TRUE HERE"


def named(t: QuiltTruth, sign: int) -> str:
    """The state that is said to be the most frequent (1) or the rarest (-1), once it is seen to be."""
    shares = long_run(t.o.belief.chains[0])
    best = shares.max() if sign > 0 else shares.min()
    state = int(np.argmax(np.abs(shares - best) <= 1e-9 * best))  # the first of those that differ in rounding alone
    return t.labels[state] if sign * t.long_run[state] >= (sign * t.long_run).max() - 1e-9 else "NOT TRUE HERE"


def a_run(t: QuiltTruth) -> bool:
    """Whether the series is what the first chain gives of the seed: the state at which the sum passes each draw."""
    states, draws = t.series.states.tolist(), np.random.default_rng(7).random(t.T).tolist()
    rows = [t.starts[0], *(t.first[state] for state in states)]
    passed = [[float(row[: k + 1].sum()) for k in range(t.m)] for row in rows[:-1]]
    return states == [sum(draw >= p for p in sums[:-1]) for draw, sums in zip(draws, passed, strict=True)]
