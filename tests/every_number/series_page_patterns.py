"""The sentences of the series page with a number in them, and where each number comes from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import amount, bound
from lmdk_widgets.page.own_file import describe_track
from lmdk_widgets.pages.series.belief import long_run
from lmdk_widgets.pages.series.composition import adding_up
from lmdk_widgets.pages.series.words import first_answers
from tests.every_number.claims import (
    DIGITS,
    ROUNDING,
    WITHIN,
    Hole,
    Pattern,
    agrees,
    most,
    near,
)
from tests.every_number.landmarks_words import told_unless
from tests.every_number.series_page_truth import QuiltTruth
from tests.every_number.series_page_walks import published_scale

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


def tells(start: str, end: str, find: Any, **holes: Any) -> list[Pattern]:
    """ "at most 0.41", or a phrase that is true of the influence; `holes` of the start and of the end."""
    phrases = {
        "nothing (below rounding)": lambda e: e < 1e-9,
        "next to nothing": lambda e: 1e-15 < e < 1e-6 * 1.001,
        "less than 0.001": lambda e: 0.9e-6 < e < 1e-3,
        "an unbounded amount": math.isinf,
    }
    return [
        Pattern(f"{start} at most {{e}}{end}", e=bounded(find), **holes),
        *(
            Pattern(f"{start} {{how*}}{end}", **told_unless(said, lambda t, true=true: true(find(t))), **holes)
            for said, true in phrases.items()
        ),
    ]


NOUN = "<the power level|the activity|the state|the cell>"
ODDS = f"the odds of any two values of {NOUN} at any one timestamp"


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


def believing(t: QuiltTruth) -> str:
    if t.c.mechanism == "group":
        return ""
    return f" and believes {'the model' if len(t.chains) == 1 else 'one of the models'}"


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


NOUNS = "<power levels|activities|states|cells>"


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


PATTERNS = [
    Pattern(
        "one of {bar*} may show {low*} or {high*}.",
        bar=spelled(lambda t: max(t.series.states.tolist().count(k) for k in range(t.m))),
        low=spelled(lambda t: max(t.series.states.tolist().count(k) for k in range(t.m)) - moved_by(t)),
        high=spelled(lambda t: max(t.series.states.tolist().count(k) for k in range(t.m)) + moved_by(t)),
    ),
    Pattern("around {when*}<, by the exact method|>: they would give each other away", when=lambda t: where(t)),
    Pattern("at {when*}, as if it stood alone", when=lambda t: where(t)),
    Pattern(
        f"guesses, at most, are right between two equally likely {NOUNS} at one moment, for {{whom*}}; {{half}} is chance.",
        whom=whom,
        half=lambda _: 50,
    ),
    Pattern(" By the model alone, <|up to >{right} are.", right=most(alone, slack=1e-7)),
    Pattern(" By the model alone, {how*} are.", **told_unless("over 99", lambda t: alone(t) > 99 - 1e-6)),
    Pattern(" By the model alone, {how*} are.", **told_unless("all", lambda t: alone(t) > 100 - 2e-7)),
    Pattern("right at most if equally likely; {half} is chance", half=lambda _: 50),
    Pattern(
        f"With ε = {{epsilon}} and {{T#}} timestamps, anyone who sees the released histogram{{who*}} can change {ODDS} by a "
        "factor of at most {f}.",
        epsilon="epsilon",
        T="T",
        who=lambda t: believing(t),
        f=most(lambda t: math.exp(min(t.epsilon, 700))),
    ),
    Pattern(
        f"With ε = {{epsilon}} and {{T#}} timestamps, anyone who sees the released histogram{{who*}} may change {ODDS} "
        "{how*}.",
        epsilon="epsilon",
        T="T",
        who=lambda t: believing(t),
        **told_unless("by a factor of more than a million", lambda t: math.exp(min(t.epsilon, 700)) > 1e6),
    ),
    Pattern(
        "Exact Markov quilts take noise of σ = {sigma}, as much as hiding the whole series at once (T / ε).",
        sigma=solved(lambda t: t.sigma if t.sigma >= 0.995 * t.group * (1 - 1e-6) else math.nan),
    ),
    Pattern(
        "Exact Markov quilts take noise of σ = {sigma}, {saved} times less than hiding the whole series at once ({group}).",
        sigma=solved("sigma"),
        saved=solved(lambda t: t.group / t.sigma),
        group="group",
    ),
    Pattern(
        "For {here*}, no quilt helps: {hidden*}, and it needs σ = {score}.",
        here="here",
        hidden=lambda t: {
            1: "the only timestamp is hidden",
            2: "both timestamps are hidden together",
        }.get(t.near, f"all {t.near:,} timestamps are hidden together"),
        score=solved(lambda t: t.scale[t.node]),
    ),
    Pattern(
        "For {here*}, the quilt is timestamps {left#} and {right#}: noise covers the nearby set of {near#} timestamp<s|>,",
        here="here",
        near="near",
        left=lambda t: t.quilt[0] + 1,
        right=lambda t: t.quilt[1] + 1,
    ),
    Pattern(
        "For {here*}, the quilt is timestamp {side#} alone: noise covers the nearby set of {near#} timestamp<s|>,",
        here="here",
        near="near",
        side=lambda t: next(q for q in t.quilt if q is not None) + 1,
    ),
    Pattern(
        "all of ε = {whole} is left for the noise: {near#} / {whole} gives σ = {score}.",
        whole="epsilon",
        near="near",
        score=solved(lambda t: t.scale[t.node]),
    ),
    Pattern(
        "The influence of what lies beyond is {part}, so {whole} − {part} = {left} of ε is left for the noise: "
        "{near#} / {left} gives σ = {score}.",
        part=Hole("influence", DIGITS, 1e-6, 1e-9),
        whole=Hole("epsilon", DIGITS),
        left=Hole(lambda t: t.epsilon - t.influence, WITHIN),
        near="near",
        score=solved(lambda t: t.scale[t.node]),
    ),
    Pattern("Of the chains, {which*}.", which="deciding"),
    # the belief
    Pattern("the chain that you typed, with {m#} states", m=lambda t: t.m if len(t.own) == 1 else -1),
    Pattern("any of the {n#} chains that you typed, with {m#} states", n=lambda t: len(t.own), m="m"),
    Pattern("At T = {T#} and ε = {epsilon} ", T="T", epsilon="epsilon"),
    *(
        Pattern(
            f"chain {k} by itself needs σ = {{sigma}} (timestamp {{node#}})",
            sigma=solved(lambda t, k=k: t.alone[k - 1]),
            node=lambda t, k=k: t.worst_of(k),
        )
        for k in range(1, 5)
    ),
    Pattern("Against all of them σ is the largest, {sigma}: {which*}.", sigma=solved("sigma"), which="deciding"),
    Pattern(
        "Chain {k#} does not start in the long-run distribution, so", k=lambda t: t.away[0] if len(t.away) == 1 else -1
    ),
    Pattern(
        "Chains {which*} do not start in the long-run distribution, so",
        which=lambda t: ", ".join(map(str, t.away[:-1])) + f" and {t.away[-1]}",
    ),
    Pattern("influences are those of the chosen timestamp, and two segments are counted where they lie."),
    Pattern(
        "so by the definition they do not count, which gives σ = {other}; both",
        other=solved(lambda t: t.otherwise if t.everything and t.otherwise <= t.sigma * (1 + SOLVED) else math.nan),
    ),
    Pattern(
        "which requires at least as much noise: it gives σ = {other}; both",
        other=solved(lambda t: t.otherwise if not t.everything and t.otherwise >= t.sigma * (1 - SOLVED) else math.nan),
    ),
    Pattern("The series is one run of chain {k#} with a fixed seed", k=lambda t: 1 if a_run(t) else -1),
    Pattern("in what the first two timestamps tell about each other"),
    Pattern("The length T is at most {most#} with one chain", most=lambda t: 1000),
    Pattern(
        "Two chains of two states, with T = {T#} and ε = {one}. For the first of them σ = {sigma} is published",
        T=lambda t: 100,
        one=lambda t: 1,
        sigma=lambda t: published_scale(),
    ),
    Pattern("the {how*} chain of the sliders", **told_unless("two-state", lambda t: t.m == 2)),
    Pattern("one Markov chain with {m#} state<s|>,", m="m"),
    Pattern("({added} added to every count of moves)", added=lambda t: t.c.smoothing),
    Pattern(
        "any of {n#} Markov chains: that of the sliders, and {others#} that its series could also have come from",
        n=lambda t: t.c.chains,
        others=lambda t: t.c.chains - 1,
    ),
    Pattern("any of {n#} Markov chains with {m#} state<s|>: the one", n=lambda t: t.c.chains, m="m"),
    Pattern("and {others#} resampled", others=lambda t: t.c.chains - 1),
    # warnings and notes
    Pattern("of Ghosh and Kleinberg, 2016"),
    Pattern("GK16"),
    Pattern("the same from two numbers of the chain only"),
    Pattern("from two numbers of the chain)"),
    Pattern("σ = 1 / ε"),
    Pattern(
        "have spectral norm {norm}, which must be below 1",
        norm=solved(lambda t: t.weak[0] if t.weak[0] >= 1 else math.nan),
    ),
    Pattern(
        "The noise drowns the histogram: {error} in all, where the bars sum to {whole#}.",
        error=solved(lambda t: t.error(t.c.mechanism)),
        whole=lambda t: 1 if t.c.query == "shares" else t.T,
    ),
    Pattern(
        "Every {every} of the file's {all#} readings is read: {T#} timestamps;",
        all=lambda t: len(t.o.own),
        every=lambda t: t.c.every,
        T="T",
    ),
    Pattern("{missing#} missing readings repeat the one before.", missing=lambda t: 2),
    Pattern("(MQMApprox), has {how*} here", **told_unless("no bound", lambda t: not t.mixes)),
    # captions
    Pattern(
        "{here*}: {state*}.",
        here=lambda t: t.here.capitalize(),
        state=lambda t: t.labels[int(t.series.states[t.node])],
    ),
    *tells("One timestamp away the past tells", ", the future", lambda t: t.past[0] if t.alike else math.nan),
    *tells(
        "One timestamp from {here*} the past tells",
        ",",
        lambda t: math.nan if t.alike else t.past[0],
        here="here",
    ),
    Pattern("One timestamp from {here*} there is no past", here=lambda t: t.here if t.node == 0 else "NOT TRUE HERE"),
    *tells(", the future", ".", lambda t: t.future[0]),
    Pattern(
        "Both sides together fall below ε = {epsilon} at distance {d#}.", epsilon="epsilon", d=lambda t: t.falls_below
    ),
    Pattern(
        "Every timestamp needs σ = {sigma}.",
        sigma=solved(lambda t: t.sigma if np.ptp(t.scale) < 1e-6 * t.sigma else math.nan),
    ),
    Pattern(
        "Each timestamp by itself would need σ of about {sigma}; the largest, at timestamp {node#}, decides.",
        sigma=solved("sigma"),
        node=lambda t: worst_node(t) if t.scale.min() > 0.989 * t.sigma else -1,
    ),
    Pattern(
        "Each timestamp by itself would need σ from {low} to {high}; the largest, at timestamp {node#}, decides.",
        low=solved(lambda t: t.scale.min()),
        high=solved("sigma"),
        node=lambda t: worst_node(t),
    ),
    Pattern("(Laplace noise of {noise} on every bar", noise=solved(lambda t: t.noise(t.c.mechanism))),
    Pattern(", {below#} bar<s|> below zero)", below=lambda t: int((t.released[0] < 0).sum())),
    Pattern("the whiskers cover 90 % of 100 draws"),
    Pattern("mean of 100 draws; the whiskers cover 90 % of them"),
    *(
        Pattern(f"<: |, >{title} {{error}}", error=solved(lambda t, name=name: t.error(name)))
        for name, title in TITLES.items()
    ),
    Pattern(
        "a state stays the same with probability {low} to {high}, depending on the state.",
        low=lambda t: t.first.diagonal().min(),
        high=lambda t: t.first.diagonal().max(),
    ),
    Pattern(
        "a state stays the same with probability {each}.", each=near(lambda t: t.first.diagonal().max(), slack=0.005)
    ),
    Pattern(
        "In the long run, {most} of the timestamps are in {often*}, the most frequent, and {least} in {rare*}, the rarest.",
        most=lambda t: t.long_run.max(),
        least=near(lambda t: t.long_run.min(), slack=1e-6, size=1e-13),
        often=lambda t: named(t, 1),
        rare=lambda t: named(t, -1),
    ),
    Pattern("at least halves within {moves#} moves.", moves="moves"),
    Pattern("at least halves {how*}.", **told_unless("with every move", lambda t: t.moves == 1)),
    # releases together
    Pattern("One release: ε = {epsilon}.", epsilon=lambda t: t.c.releases[0]),
    Pattern(
        "{k#} releases by Markov quilts of the same series cost ε = {terms*} = {sum} together (Song and Chaudhuri 2017, "
        "Theorem III.7). The older theorem requires the same quilts at every timestamp and gives {k#} × {largest} = {older}.",
        k=lambda t: len(t.c.releases),
        terms=lambda t: terms_of(t),
        sum=lambda t: math.fsum(t.c.releases),
        largest=lambda t: max(t.c.releases),
        older=lambda t: len(t.c.releases) * max(t.c.releases),
    ),
    Pattern(
        "A: timestamps {a1#} to {a2#}, ε = {one}. B: timestamps {b1#} to {b2#}, ε = {two}. {gap#} move<s|> from the end of A",
        a1=lambda t: t.placed[0] + 1,
        a2=lambda t: t.placed[1] + 1,
        b1=lambda t: t.placed[2] + 1,
        b2=lambda t: t.placed[3] + 1,
        gap="gap",
        one=lambda t: t.c.epsilon_a,
        two=lambda t: t.c.epsilon_b,
    ),
    Pattern("Not everything that was chosen fits into {T#} timestamps:", T="T"),
    Pattern(
        "the length of A is {used#} instead of {asked#}",
        used=lambda t: t.placed[1] - t.placed[0] + 1,
        asked=lambda t: t.c.a_length,
    ),
    Pattern(
        "the length of B is {used#} instead of {asked#}",
        used=lambda t: t.placed[3] - t.placed[2] + 1,
        asked=lambda t: t.c.b_length,
    ),
    Pattern("the gap is {used#} instead of {asked#}", used="gap", asked=lambda t: t.c.gap),
    Pattern(
        "the start of A is {used#} instead of {asked#}", used=lambda t: t.placed[0] + 1, asked=lambda t: t.c.a_first + 1
    ),
    Pattern("Together they guarantee ε = {together}, the full sum", together=bounded("together")),
    Pattern("Together they guarantee ε = {together}, as good", together=bounded("together")),
    Pattern("Together they guarantee ε = {together}, the larger of", together=lambda t: in_parts(t)),
    Pattern(", as good as the larger of the two, {larger}:", larger="larger"),
    Pattern(
        ", the larger of the two, {larger}, plus a correction of at most {extra} for what the ends of the segments "
        "tell about each other; their sum would be {sum}.",
        larger="larger",
        extra=bounded(lambda t: t.together - t.larger),
        sum=lambda t: t.c.epsilon_a + t.c.epsilon_b,
    ),
    Pattern("as good as the larger of the two"),
    *tells("B's first state tells", " about A's last one,", lambda t: t.forward),
    *tells("and A's last one", " about B's first", lambda t: t.backward),
    Pattern("are secrets too, it is at most {between}.", between=bounded("between")),
    Pattern("gives the same, ε = {larger}, but only for two releases by", larger="larger"),
    Pattern("two releases by MQMApprox"),
    Pattern("guarantee ε = {larger} together.", larger=most("larger")),
    Pattern("ε = {larger} is the least that the two releases can cost", larger="larger"),
    Pattern("it to within {share}", share=most(lambda t: t.together / t.larger - 1, size=1e-8)),
    Pattern("It would give ε = {larger} for two releases by", larger="larger"),
    Pattern(
        "A is long enough for a quilt on both sides of some timestamp. It is not: of its {length#} timestamp<s|> none has "
        "one at ε = {epsilon}.",
        length=lambda t: t.placed[1] - t.placed[0] + 1 if t.reach("A") is None else -1,
        epsilon=lambda t: t.c.epsilon_a,
    ),
    Pattern(
        "B is long enough for a quilt on both sides of some timestamp. It is not: of its {length#} timestamp<s|> none has "
        "one at ε = {epsilon}.",
        length=lambda t: t.placed[3] - t.placed[2] + 1 if t.reach("B") is None else -1,
        epsilon=lambda t: t.c.epsilon_b,
    ),
    Pattern(
        "The gap of {gap#} is at least {needed#}, which is how far a quilt in A reaches after its secret",
        gap="gap",
        needed=lambda t: t.reach("A")[1],
    ),
    Pattern(
        "The gap of {gap#} is at least {needed#}, which is how far a quilt in B reaches before its secret",
        gap="gap",
        needed=lambda t: t.reach("B")[0],
    ),
    Pattern("with segments of these lengths, {widest#} is the most that fits", widest="widest"),
    # legends and marks of the figures
    Pattern("ε = {epsilon}", alone=True, epsilon="epsilon"),
    Pattern("sum {sum}", alone=True, sum=lambda t: t.c.epsilon_a + t.c.epsilon_b),
    Pattern("larger {larger}", alone=True, larger="larger"),
    Pattern(" up to {highest}", alone=True, highest=bounded(lambda t: (highest(t.past), highest(t.future)))),
    Pattern("90 % of draws", alone=True),
]


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
