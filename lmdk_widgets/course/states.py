"""Questions of the lesson on states: quilts and their influence, a household's power, baselines, two releases."""

from __future__ import annotations

from functools import partial

import numpy as np

from lmdk_widgets.cache import cached
from lmdk_widgets.course.ask import Choice, Choose, Curve, Item, Number, Order, Trap
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, whole
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.series import household_watts
from lmdk_widgets.pages.series.experiments import synthetic_experiment
from lmdk_widgets.pufferfish import (
    MarkovChain,
    QuiltTable,
    chain_from_data,
    counterexample,
    group_privacy,
    max_influence,
    quilt_scale,
)

CHAIN = MarkovChain([0.8, 0.2], [[0.9, 0.1], [0.4, 0.6]])
"""Mostly stays as it is: off and on, say."""

T, MIDDLE, EPSILON = 100, 50, 1.0
WIDTHS = tuple(range(4, 15))
WIDTH = 7
STUCK_EPSILON = 0.5
ALPHAS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
COMPARED = 0.4
MINUTES, MANY = 2880, 1_000_000
LEVEL_W, SMOOTHING = 200.0, 0.1
"""The width of the power levels, and what is added to every count of moves, as in the lesson's experiment."""

TITLES = {
    "EntryDP*": "noise as if the timestamp stood alone (EntryDP*)",
    "MQMExact": "Markov quilts, exact (MQMExact)",
    "MQMApprox": "Markov quilts, approximate (MQMApprox)",
    "GroupDP": "all timestamps together (GroupDP)",
}


def influence(width: int) -> float:
    """The max-influence of the two timestamps that are `width` moves before and after the middle one."""
    return max_influence(CHAIN, T, MIDDLE, MIDDLE - width, MIDDLE + width)


def nearby(width: int) -> int:
    """The number of timestamps inside such a quilt."""
    return 2 * width - 1


def score(width: int) -> float:
    """The noise scale that a quilt of this width requires: the size of the nearby set over what is left of epsilon."""
    return nearby(width) / (EPSILON - influence(width))


def past_influence() -> Floats:
    """The influence of one timestamp in the past, 1 to 12 moves away."""
    return np.asarray(QuiltTable(CHAIN).influence_by_distance(np.arange(1, 13))[0])


@cached("everybody", entries=256)
def scales(alpha: float) -> dict[str, float]:
    """Every mechanism's noise scale for all binary chains of the interval, at epsilon 1; inf if it does not apply."""
    rows = synthetic_experiment([alpha], np.random.default_rng(1), draws=1)
    return {row.mechanism: np.inf if row.scale is None else float(row.scale) for row in rows}


@cached("everybody", entries=64)
def household(length: int) -> tuple[float, float]:
    """The error of each level's share, 2 sigma / T, for the household's chain: by quilts, and by group privacy."""
    levels = np.floor(household_watts() / LEVEL_W).astype(np.int64)
    levels -= levels.min()
    chain = chain_from_data(levels, int(levels.max()) + 1, smoothing=SMOOTHING)
    scale = quilt_scale(chain, length, EPSILON).scale
    return 2 * scale / length, 2 * float(group_privacy(length, EPSILON).scale or np.inf) / length


def _length() -> Choose:
    def said(length: int) -> str:
        quilts, group = household(length)
        return sentence(
            "{length} minutes: {quilt_scale} by quilts, {group_scale} by group privacy.",
            length=whole(length),
            quilt_scale=amount(quilts),
            group_scale=amount(group),
        )

    choices = {
        "It falls for quilts and stays for group privacy": "The quilts' noise stays the same and is divided by a "
        "larger T; group privacy's noise grows as T does.",
        "It falls for both": "Group privacy hides all timestamps together: its noise grows with their number.",
        "It stays for both": "A quilt is as wide for a long series as for a short one: its noise does not grow with T.",
    }

    def right() -> int:
        before, after = household(MINUTES), household(MANY)
        falls = [new < 0.5 * old for old, new in zip(before, after, strict=True)]
        return 0 if falls == [True, False] else 1 if all(falls) else 2

    def why(text: str) -> str:
        return f"Error of a level's share, {said(MINUTES)} {said(MANY)} {choices[text]}"

    return Choose(
        name="states/length",
        text="The shares of a household's power levels are released, once from two days and once from a million "
        "minutes. What happens to the error?",
        choices=tuple(Choice(text, partial(why, text)) for text in choices),
        right=right,
    )


def _together() -> Choose:
    def factors() -> str:
        story = counterexample()
        one, two, both = (float(ratio) for ratio in (story.ratio_alice, story.ratio_bob, story.ratio_both))
        return sentence(
            "The factors are {alice} and {bob} alone, {product} their product, and {both} together.",
            alice=Written(f"{one:.3f}", one),
            bob=Written(f"{two:.3f}", two),
            product=Written(f"{one * two:.3f}", one * two),
            both=Written(f"{both:.1f}", both),
        )

    choices = {
        "by the product of the two factors at most": "That is true of differential privacy and of quilts on one "
        "series; Pufferfish in general does not promise it.",
        "by far more than the product": "Either sum alone says next to nothing; both together reveal the states.",
        "by no more than the larger of the two": "Two releases never reveal less than one of them.",
    }

    def right() -> int:
        story = counterexample()
        product = float(story.ratio_alice * story.ratio_bob)
        larger = float(max(story.ratio_alice, story.ratio_bob))
        both = float(story.ratio_both)
        return 2 if both <= larger else 0 if both <= product * (1 + 1e-9) else 1

    return Choose(
        name="states/together",
        text="Two Pufferfish mechanisms, each alone, hardly change the odds of two states. By how much can both together "
        "change them?",
        choices=tuple(Choice(text, lambda why=why: f"{factors()} {why}") for text, why in choices.items()),  # type: ignore[misc]
        right=right,
    )


def _scale_said(name: str) -> str:
    title = TITLES[name][0].upper() + TITLES[name][1:]
    return sentence("{title}: σ = {scale}.", title=title, scale=amount(scales(COMPARED)[name]))


QUESTIONS = (
    Curve(
        name="states/influence",
        text="A device is off or on, and starts in its long run. When off, it stays off with probability 0.9; when on, it "
        "stays on with 0.6. Draw how much a past timestamp reveals about the present one, against how far away it is.",
        x=tuple(range(1, 13)),
        right=past_influence,
        high=2.5,
        x_title="timestamps away",
        y_title="influence",
        tolerance=0.4,
        why="At every timestamp about half of it is forgotten, as 0.9 + 0.6 − 1 is a half: it falls fast, but never to 0.",
    ),
    Number(
        name="states/score",
        text=lambda: sentence(
            "A quilt of the timestamps {width} before and {width} after has the max-influence {influence}. With ε = 1, which "
            "noise scale σ does it require?",
            width=whole(WIDTH),
            influence=Written(f"{influence(WIDTH):.4f}", influence(WIDTH)),
        ),
        right=lambda: score(WIDTH),
        high=10_000.0,
        tolerance=0.01,
        traps=(
            Trap(
                lambda: (nearby(WIDTH) + 2) / (EPSILON - influence(WIDTH)),
                "comes from counting the two timestamps of the quilt as nearby. They are not: their influence is "
                "already paid for.",
            ),
            Trap(
                lambda: nearby(WIDTH) / EPSILON,
                "is the size of the nearby set over all of ε. But the quilt and what lies beyond it have an "
                "influence too, which is paid from ε.",
            ),
            Trap(
                lambda: 1 / (EPSILON - influence(WIDTH)),
                "would be enough if the nearby set were one timestamp. But noise has to cover all of it.",
            ),
        ),
        why=lambda: sentence(
            "{nearby} timestamps are strictly between, and 1 − {influence} of ε is left for them.",
            nearby=whole(nearby(WIDTH)),
            influence=Written(f"{influence(WIDTH):.4f}", influence(WIDTH)),
        ),
    ),
    Curve(
        name="states/width",
        text="The same device with ε = 1. Draw the noise scale σ that a quilt requires, against how far its two timestamps "
        "are from the one in the middle.",
        x=WIDTHS,
        right=lambda: [score(width) for width in WIDTHS],
        high=40.0,
        x_title="timestamps to either side",
        y_title="σ",
        tolerance=0.35,
        why="Too narrow, and its influence uses up ε; too wide, and noise must cover many timestamps. The best is in "
        "between.",
    ),
    Number(
        name="states/stuck",
        text="A device never changes its state. Which σ does it need for T = 100 timestamps and ε = 0.5?",
        right=lambda: quilt_scale(MarkovChain([0.5, 0.5], [[1, 0], [0, 1]]), T, STUCK_EPSILON).scale,
        high=100_000.0,
        tolerance=0.01,
        traps=(
            Trap(
                lambda: 1 / STUCK_EPSILON,
                "would be enough for a single timestamp. But here all timestamps have the same state.",
            ),
            Trap(lambda: T, "would be right for ε = 1."),
        ),
        why="No quilt shields anything, so noise covers all timestamps: T/ε, as for group privacy.",
    ),
    Order(
        name="states/baselines",
        text="Take all binary chains that start in their long run and whose chances of staying are between 0.4 and 0.6, with "
        "ε = 1 and T = 100. Which way needs the least noise, and which the most?",
        items=tuple(Item(title, partial(_scale_said, name)) for name, title in TITLES.items()),
        ends=("least noise", "most noise"),
        keys=lambda: [scales(COMPARED)[name] for name in TITLES],
        why="But the one with the least noise protects nothing here: it ignores that timestamps are correlated.",
    ),
    Curve(
        name="states/alphas",
        text="Now the chances of staying are between α and 1 − α. Draw the σ of exact quilts against α, from strong "
        "correlation to weak. The axis of σ is logarithmic.",
        x=ALPHAS,
        right=lambda: [scales(alpha)["MQMExact"] for alpha in ALPHAS],
        low=1.0,
        high=100.0,
        x_title="α",
        y_title="σ",
        log=True,
        tolerance=0.6,
        why=lambda: sentence(
            "From {first_scale} at α = {first_alpha} to {last_scale} at α = {last_alpha}: the faster a chain "
            "forgets, the narrower the quilt. Group privacy stays at 100.",
            first_scale=amount(scales(ALPHAS[0])["MQMExact"]),
            first_alpha=Written(f"{ALPHAS[0]:g}", ALPHAS[0]),
            last_scale=amount(scales(ALPHAS[-1])["MQMExact"]),
            last_alpha=Written(f"{ALPHAS[-1]:g}", ALPHAS[-1]),
        ),
    ),
    _length(),
    _together(),
)
