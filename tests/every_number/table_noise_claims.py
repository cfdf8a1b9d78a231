"""The sentences of the noise part of the table page with a number in them, and where each number comes from."""

from __future__ import annotations

import math
from typing import Any

from tests.every_number.claims import Claims, Pattern, most, near
from tests.every_number.landmarks_words import told_unless
from tests.every_number.table_truth import NoiseTruth

CHARTED = [
    "text.told.table.rows.*",
    "text.told.table.marked",
    "text.answers.*",
    "draw.drawn.figures.*.figure.*",
    "draw.drawn.figures.*.title",
]
"""Held by `rows` and `drawn`."""


def changed(before: str, loss: Any, behind: str = "", **holes: Any) -> list[Pattern]:
    """By how much odds change, in each way that a page says it, only where that way is the right one."""
    return [
        Pattern(
            f"{before} by a factor of at most {{f}}{behind}", f=most(lambda t: math.exp(min(loss(t), 700))), **holes
        ),
        Pattern(
            f"{before} {{how*}}{behind}",
            **told_unless("by a factor of more than a million", lambda t: math.log(1e6) < loss(t) < math.inf),
            **holes,
        ),
        Pattern(
            f"{before} {{how*}}{behind}", **told_unless("without any limit", lambda t: loss(t) == math.inf), **holes
        ),
    ]


def where(t: NoiseTruth) -> str:
    """Where the largest ratio is."""
    if t.normal:
        return "grows with the distance from both counts"
    if t.counts:
        return "from 2 upwards, and the other way round from 1 downwards"
    k = next(j for j, r in enumerate(t.ratios) if (max(r, 1 / r) if r else math.inf) >= t.largest * (1 - 1e-9))
    return f"at {t.labels[k]}"


def only(holds: Any, find: Any) -> Any:
    """A number, where it may be said at all."""
    return lambda t: find(t) if holds(t) else math.nan


def drawn_name(t: NoiseTruth) -> str:
    return t.said or "NOT TRUE HERE"


def beyond(t: NoiseTruth) -> bool:
    """Whether the draw lies where nothing is drawn: more than six scales away, or than 400."""
    reach = max(3.0, min(6 * t.scale, 400))
    low, high = 1.5 - reach, 1.5 + reach
    if t.normal:
        low, high = 1.5 - (0.5 + 4 * t.scale), 1.5 + (0.5 + 4 * t.scale)
    if t.c.mechanism == "geometric":
        low, high = 1 - math.ceil(reach), 2 + math.ceil(reach)
    return not low <= t.drawn <= high


PERHAPS = {"prior": lambda t: t.c.prior}
AT_MOST = most(lambda t: t.at_most(t.c.prior))
SHARE = {"wanted": lambda t: t.c.wanted}
PEOPLE = near("needed")
NAMES = "<Huey is at Montmartre|the truth is Yes|the truth is answer 1>"

GAUSSIAN = [
    Pattern(
        f"A belief of {{prior}} that {NAMES} becomes at most {{most}}, "
        "except for outputs that come with chance {beyond} or less.",
        most=AT_MOST,
        beyond=most("beyond"),
        **PERHAPS,
    ),
    Pattern(
        "If one person is replaced, the release changes by at most √2 (two counts by 1 each): that is its sensitivity. "
        "Gaussian noise of standard deviation σ = {sigma} is added to each of five counts, so the two inputs are μ = √2 / "
        "{sigma} = {mu} standard deviations apart.",
        sigma=only(lambda t: t.normal and t.sensitivity == 2, lambda t: t.c.sigma),
        mu="mu",
    ),
    Pattern(
        "Gaussian noise of standard deviation σ = {sigma} is added to <each of five counts|the count>, so the two inputs are "
        "μ = 1 / {sigma} = {mu} standard deviations apart.",
        sigma=only(lambda t: t.normal and t.sensitivity == 1, lambda t: t.c.sigma),
        mu="mu",
    ),
    *(
        Pattern(
            "At ε = {epsilon}, its δ is {delta}: the chance of any set of outputs for one of the two inputs is at most "
            f"e^ε = {power}{{times}} times that for the other, plus δ. There is no ε with δ = 0: with chance {{beyond}}, "
            "an output is more than e^ε times likelier for the true input than for the other, and far out "
            "the ratio has no bound.",
            epsilon=only(lambda t: t.normal, lambda t: t.c.epsilon),
            delta=most("delta"),
            times=most(times),
            beyond="beyond",
        )
        for power, times in (("", lambda t: math.exp(t.c.epsilon)), ("e^", lambda t: t.c.epsilon))
    ),
    Pattern(
        "What is protected: <whether one person is in the table|where one person is>, with ε = {epsilon} and δ = {delta}.",
        epsilon=most("epsilon"),
        delta=most(only(lambda t: t.normal, lambda t: t.delta)),
    ),
    Pattern(
        "The largest ratio is unbounded, and beyond e^ε with chance {beyond}.",
        beyond=only(lambda t: t.normal, lambda t: t.beyond),
    ),
    Pattern(
        "The most and the least that a belief can become, except after outputs beyond e^ε: {prior}, at most {most}.",
        most=most(only(lambda t: t.normal, lambda t: t.at_most(t.c.prior))),
        **PERHAPS,
    ),
    Pattern(
        f"The best test of whether {NAMES}: with {{alarms}} false alarms, it misses {{missed}}.",
        alarms=lambda t: 0.1,
        missed=near(lambda t: t.missed([0.1])[0], size=4e-3),
    ),
    Pattern(
        f"The best test of whether {NAMES}: with {{alarms}} false alarms, it misses hardly any.",
        alarms=lambda t: 0.1 if t.missed([0.1])[0] < 1.1e-4 else math.nan,
    ),
]

NOISE = [
    *GAUSSIAN,
    Pattern(f"A belief of {{prior}} that {NAMES} becomes at most {{most}}.", most=AT_MOST, **PERHAPS),
    Pattern(
        "a belief of {prior} in a true Yes becomes {most}.",
        most=only(lambda t: t.epsilon == math.inf, lambda t: t.at_most(t.c.prior)),
        **PERHAPS,
    ),
    Pattern(
        "If one person is <replaced|added or removed>, the release changes by at most {s#} (a count by 1): that is",
        s=lambda t: t.sensitivity if t.sensitivity == 1 else -1,
    ),
    Pattern(
        "If one person is replaced, the release changes by at most {s#} (two counts by 1 each): that is",
        s=lambda t: t.sensitivity if t.sensitivity == 2 else -1,
    ),
    Pattern(
        "<Laplace|Two-sided geometric> noise of scale {s#} / {epsilon} = {scale} is added to <each of "
        "five counts|the count>.",
        s="sensitivity",
        epsilon=lambda t: t.c.epsilon,
        scale="scale",
    ),
    Pattern(
        "The noisy 2 rounds to 2 with chance {right} and is below 0 with {below}.",
        right=lambda t: between(t, 1.5, 2.5),
        below=lambda t: between(t, -math.inf, 0),
    ),
    Pattern(
        "proportional to e^(ε u / 2), where u is the number of people there, which one person changes by at most 1: "
        "Montmartre, with two people, with chance {chance}.",
        chance=lambda t: t.chances[0][2],
    ),
    Pattern(
        "With ε = {epsilon}, the true one of {m#} answers is given with chance {chance}.",
        epsilon=lambda t: t.c.epsilon,
        m=lambda t: t.c.answers,
        chance=lambda t: t.chances[0][0],
    ),
    Pattern(
        "Someone whose true answer is Yes says Yes with chance {yes}, someone whose answer is No with {no}",
        yes=lambda t: t.chances[0][0],
        no=lambda t: t.chances[1][0],
    ),
    Pattern(
        " with {no}: ε = {epsilon}.",
        no=lambda t: t.chances[1][0],
        epsilon=only(lambda t: t.epsilon < math.inf, lambda t: t.epsilon),
    ),
    Pattern(
        "The two inputs differ {how*} {where*}:",
        where=where,
        **told_unless("without bound", lambda t: t.largest == math.inf),
    ),
    Pattern(
        "An output is up to {times} times< in this bar|> likelier for one of the two inputs than for "
        "the other, {where*}.",
        times=most("largest"),
        where=where,
    ),
    Pattern(
        "An output is up to e^{times} times< in this bar|> likelier for one of the two inputs than for "
        "the other, {where*}.",
        times=most(only(lambda t: t.largest > 1e5, lambda t: math.log(t.largest)), size=1e-9),
        where=where,
    ),
    Pattern("likelier for one of the two inputs"),
    Pattern(
        "The bar of Opéra changes too; for both together, it is up to e^ε = {f} times.",
        f=most(only(lambda t: t.sensitivity == 2, lambda t: math.exp(t.epsilon))),
    ),
    Pattern(
        "The bar of Opéra changes too; for both together, it is up to e^ε = e^{f} times.",
        f=most(only(lambda t: t.sensitivity == 2, lambda t: t.epsilon)),
    ),
    Pattern(
        "The choice is wrong with chance {wrong}. With the same shares, {n#} people make a "
        "wrong choice no likelier than {wanted}.",
        wrong="deviation",
        n=PEOPLE,
        **SHARE,
    ),
    Pattern(
        "If {share} would truly say <Yes|the first answer>, the estimate from {hundred#} people has "
        "a standard error of {error}; one of {wanted} takes {n#} people.",
        share=lambda t: 0.3,
        hundred=lambda t: 100,
        error=lambda t: t.error(100),
        n=PEOPLE,
        **SHARE,
    ),
    Pattern(
        "The noise has a standard deviation of {deviation} people; as a share of everybody, that is "
        "{wanted} or less from {n#} people on.",
        deviation="deviation",
        n=PEOPLE,
        **SHARE,
    ),
    Pattern(
        "What is protected: <the answer of each person|whether one person is in the table|where one "
        "person is>, with ε = {epsilon}.",
        epsilon=most("epsilon"),
    ),
    # charts
    Pattern("of each output for two neighbouring inputs; the diamond is one draw,"),
    Pattern("the diamond is one draw, {name*}.", name=drawn_name),
    Pattern("is one draw, {drawn}.", drawn=only(lambda t: not beyond(t), lambda t: t.drawn)),
    Pattern("is one draw, {drawn}, beyond the end of the chart.", drawn=only(beyond, lambda t: t.drawn)),
    Pattern("The largest ratio is {ratio}, {where*}.", ratio="largest", where=where),
    Pattern("The largest ratio is {how*}.", **told_unless("unbounded", lambda t: t.largest == math.inf)),
    Pattern("The most and the least that a belief can become: {prior}, at most {most}.", most=AT_MOST, **PERHAPS),
    Pattern(
        "<The chance of a wrong choice|The standard error of a share> falls with the number of people; "
        "{n#} people reach {wanted}.",
        n=PEOPLE,
        **SHARE,
    ),
]


def between(t: NoiseTruth, low: float, high: float) -> float:
    """The chance that 2 with Laplace noise falls between two numbers."""

    def below(x: float) -> float:
        z = (x - 2) / t.scale
        return math.exp(z) / 2 if z < 0 else 1 - math.exp(-z) / 2

    return below(high) - below(low)


def noise_claims() -> Claims:
    return Claims(NOISE, {}, CHARTED)
