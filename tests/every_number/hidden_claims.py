"""The sentences on hidden landmarks with a number in them, and where each number comes from."""

from __future__ import annotations

import math
from typing import Any

from tests.every_number.claims import SMALL, Pattern, least, near
from tests.every_number.landmarks_truth import LandmarkTruth

REAL = {"real": lambda t: len(t.s.landmarks), "k": "k"}


def of_a_landmark(*, dummies: bool, error: bool = False) -> Any:
    """The budget of a landmark, or the expected mean error, with the dummies or without them, by the schemes' formulas."""

    def find(t: LandmarkTruth) -> float:
        k = t.k if dummies else len(t.s.landmarks)
        share = t.epsilon / (k + (k < t.n))
        each = [share] * t.n
        if t.scheme == "weighted" and k < t.n:
            share = t.epsilon / (k + math.sqrt(t.n - k))
            each = [share] * k + [share * math.sqrt(t.n - k)] * (t.n - k)
        return sum(t.planar_error(b) for b in each) / t.n if error else share

    return find


def every_draw(t: LandmarkTruth) -> str:
    return "both" if t.s.hide_draw == 2 else f"all {SMALL[t.s.hide_draw]}"


def beyond_a_million(t: LandmarkTruth) -> str:
    return "more than a million" if t.drawn.grown >= 1e6 else "NOT SO MUCH"


SHARES = {"with_them": near(of_a_landmark(dummies=True)), "without": near(of_a_landmark(dummies=False))}
ERRORS = {name: near(of_a_landmark(dummies=name == "far", error=True)) for name in ("far", "near")}
BLIND = {"blind": lambda t: len(t.s.landmarks) / t.n}
KNOWING = "Someone who knows the method and that there <is|are> {real#} landmark<s|> is left with"
MOST_EXPOSED = "The most exposed timestamp is a landmark with probability"
RANDOM = "a random timestamp is one with probability {blind}."

HIDDEN = [
    Pattern(
        "{k#} timestamps are protected as landmarks; {more#} of them <is a dummy|are dummies>.",
        k="k",
        more=lambda t: t.k - len(t.s.landmarks),
    ),
    Pattern(
        "The budget of {own} for the number of dummies makes only that number private.", own=lambda t: t.s.hide_epsilon
    ),
    Pattern(
        f"{KNOWING} {{left#}} set of {{real#}} timestamp<s|>: the dummies hide nothing.",
        left=lambda t: t.attacked.left if t.attacked.left == 1 else -1,
        real=lambda t: len(t.s.landmarks),
    ),
    Pattern(
        f"{KNOWING} {{left}} of {{of}} sets of {{real#}} timestamp<s|>.",
        left=lambda t: t.attacked.left,
        of=lambda t: t.attacked.of,
        real=lambda t: len(t.s.landmarks),
    ),
    Pattern(f"{MOST_EXPOSED} at least {{top}}; {RANDOM}", top=least(lambda t: t.attacked.top), **BLIND),
    Pattern(
        f"{{certain#}} timestamp<s|> <is certainly a landmark|are certainly landmarks>; {RANDOM}",
        certain=lambda t: t.attacked.certain,
        **BLIND,
    ),
    Pattern(
        "A landmark gets a budget of {with_them} instead of {without}, and the expected mean error "
        "is {far} instead of {near}.",
        **SHARES,
        **ERRORS,
    ),
    Pattern("<A landmark gets|Adaptive starts with> a budget of {with_them} instead of {without}.", **SHARES),
    Pattern("Skip leaves out {k#} timestamps instead of {real#}.", **REAL),
    Pattern(
        "Someone who knows that there <is|are> {real#} landmark<s|> believes each to be one with probability {share}; "
        f"{RANDOM}",
        real=lambda t: len(t.s.landmarks),
        share=lambda t: len(t.s.landmarks) / t.k,
        **BLIND,
    ),
    Pattern(
        "For someone who assumes that timestamps are independent, the odds of each grow by a factor of {grown}.",
        grown=lambda t: 1 / t.drawn.chance,
    ),
    Pattern("The proposed chance is {chance};", chance=lambda t: t.drawn.chance),
    Pattern("<O|o>n average {mean} of {n} timestamps are protected.", mean=lambda t: t.drawn.mean, n="n"),
    Pattern("With probability {nobody} no dummy joins", nobody=lambda t: t.drawn.alone),
    Pattern("with epsilon ln(1/p) = {protected}.", protected=lambda t: abs(math.log(t.drawn.chance))),
    Pattern("These dummies are draw {draw},", draw=lambda t: t.s.hide_draw),
    Pattern(
        "Anyone who has seen {every*} draws looks for them among {left#} timestamp<s|>",
        every=every_draw,
        left=lambda t: t.drawn.left,
    ),
    Pattern("the odds of each have grown by a factor of {grown}.", grown=lambda t: t.drawn.grown),
    Pattern("the odds of each have grown by a factor of {how*}.", how=beyond_a_million),
]
