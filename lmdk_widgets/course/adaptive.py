"""Adaptive and hidden landmarks: what a skipped timestamp leaves, what silence reveals, which dummies hide, and the errors.

Questions and figures of the lesson. In section 5 a person walks along a street; one unit of noise is the distance by which
a budget of 1 moves a report on average.
"""

from __future__ import annotations

from functools import partial
from math import comb

import numpy as np

from lmdk_widgets.budgets import (
    adaptive_budgets,
    allocate,
    dummy_posterior,
    landmark_totals,
    protect_landmarks,
    release,
)
from lmdk_widgets.budgets.posterior import posteriors
from lmdk_widgets.budgets.schemes.adaptive import reservation, reserved
from lmdk_widgets.cache import cached
from lmdk_widgets.checks import Indices
from lmdk_widgets.course.ask import Choice, Choose, Curve, Item, Number, Order, Trap, probability
from lmdk_widgets.geo import Floats
from lmdk_widgets.names import ReleaseSchemeName
from lmdk_widgets.noise import Laplace
from lmdk_widgets.page.amounts import amount, percent, whole
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.figures import curves
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.page.sliding_figures import Sliding, Stops
from lmdk_widgets.palette import BLUE, ORANGE
from lmdk_widgets.scenario import Scenario
from lmdk_widgets.trajectory import sample

EPSILON = 1.0
BOB = Scenario(track="bob", landmarks=(0, 2, 4, 7), correlation="none", scheme="adaptive")
SKIPPED: dict[str, tuple[int, ...]] = {"none": (), "p2": (1,), "p3": (2,), "p3 and p5": (2, 4), "p8": (7,)}
"""Timestamps that Adaptive does not measure, by their name on the slider."""

STILL, DRAWS = 16, 400
"""Number of timestamps of a person who stands still, and of releases drawn."""

N, MARKED = 48, (5, 14, 22, 30, 41)
"""A track whose landmarks are hidden."""
SELECT, MOST, SEED = 1.0, 8, 1
CHANCE = 0.15
"""The chance with which each regular timestamp joins at random."""
METHODS = {"greedy": "nearest spread (greedy)", "histogram": "same shares (histogram)", "random": "at random"}

REGULAR, ANEW, JOIN = 20, (1, 2, 3, 4, 5, 6), 0.5
"""Regular timestamps, numbers of draws, and the chance of joining, for an owner who draws again for each release."""

WALKED = 48
COUNTS = (0, 10, 19, 29, 38)
"""Landmarks among the timestamps of a walk: about 0, 20, 40, 60 and 80 %."""
SCHEMES = {"uniform": "Uniform", "adaptive": "Adaptive", "skip": "Skip"}
LAYOUTS = {"spread evenly": False, "in one bunch": True}
STEPS = (0.0, 2.0, 10.0, 40.0)
"""How far the person may go between two timestamps, in units of noise."""
SLOW, FAST, MANY = 2.0, 40.0, 29


def given(skipped: tuple[int, ...]) -> Floats:
    """What Adaptive spends on each timestamp of Bob's day if it does not measure these."""
    bob = sample("bob")
    return adaptive_budgets(len(bob), bob.landmarks, EPSILON, skipped)


def most_spent(skipped: tuple[int, ...]) -> float:
    """The most that Bob's landmarks and one other timestamp spend together."""
    return float(landmark_totals(given(skipped), sample("bob").landmarks).max())


@cached("everybody", entries=256)
def measured(step: float, n: int = STILL) -> Floats:
    """How often Adaptive measures each timestamp of a person who moves this far back and forth between timestamps."""
    values, rng = step * (np.arange(n) % 2), np.random.default_rng(1)
    draws = [release(values, "adaptive", (), EPSILON, Laplace(1.0), rng=rng).published for _ in range(DRAWS)]
    return np.mean(draws, axis=0)


def believed(scheme: ReleaseSchemeName) -> float:
    """The belief that Bob's p3 is a landmark, if four of eight timestamps are and the first repeat is at p3."""
    n, k = len(sample("bob")), len(sample("bob").landmarks)
    rng = partial(np.random.default_rng, 1)

    def repeated(landmarks: tuple[int, ...]) -> float:
        """How often p3 is the first that is repeated."""
        made, random = np.arange(float(n)), rng()
        shown = [release(made, scheme, landmarks, EPSILON, Laplace(1.0), rng=random).published for _ in range(DRAWS)]
        return float(np.mean([not each[2] and each[:2].all() for each in shown]))

    among, without = k / n * repeated((2, 4, 5, 7)), (1 - k / n) * repeated((3, 4, 5, 7))
    return among / (among + without)


@cached("everybody")
def hidden(method: str) -> Indices:
    """The protected timestamps: `MARKED` with dummies."""
    rng = np.random.default_rng(SEED)
    if method == "random":
        return protect_landmarks(N, MARKED, chance=CHANCE, rng=rng)
    return protect_landmarks(N, MARKED, SELECT, method=method, most=MOST, rng=rng)


@cached("everybody")
def chances(method: str) -> Floats:
    """How likely each timestamp is a landmark, for an attacker who knows the method and the number of landmarks."""
    if method == "random":
        return dummy_posterior(hidden(method), N, len(MARKED), chance=CHANCE)
    return dummy_posterior(hidden(method), N, len(MARKED), method=method, epsilon_select=SELECT, most=MOST)


def sets_left(method: str) -> int:
    """How many sets of landmarks could lead to the protected ones by one of the authors' methods; all sets are tried."""
    members, k = hidden(method).tolist(), len(MARKED)
    *_, found = posteriors(members, N, k, method=method, epsilon=SELECT, most=MOST)
    return found.left


def in_all(chance: float) -> list[float]:
    """How many of `REGULAR` timestamps are expected to be dummies in every one of so many draws."""
    return [REGULAR * chance**draws for draws in ANEW]


def places(marked: int, bunched: bool) -> tuple[int, ...]:
    """The positions of this many landmarks in a walk, evenly spread or in one bunch in the middle."""
    if bunched:
        first = (WALKED - marked) // 2
        return tuple(range(first, first + marked))
    return tuple(((2 * k + 1) * WALKED) // (2 * marked) for k in range(marked))


@cached("everybody", entries=256)
def error(scheme: ReleaseSchemeName, marked: int, bunched: bool, step: float) -> float:
    """The mean error of releases of a walk, in units of noise; timestamps before the first output do not count."""
    walk = step * np.cumsum(np.random.default_rng(4).choice([-1.0, 0.0, 1.0], WALKED))
    rng, noise = np.random.default_rng(2), Laplace(1.0)
    marks = places(marked, bunched)
    drawn = [release(walk, scheme, marks, EPSILON, noise, rng=rng).outputs for _ in range(60)]
    return float(np.nanmean(np.abs(np.array(drawn) - walk)))


def budgets_figure() -> Sliding:
    """Adaptive's two budgets on Bob's day, by what it does not measure."""
    bob = sample("bob")
    ticks = {f"★ {label}" if k in bob.landmarks else label: k for k, label in enumerate(bob.labels)}

    def draw(said: str) -> list[Chart]:
        skipped = SKIPPED[said]
        could = reserved(reservation(len(bob), np.array(bob.landmarks), EPSILON), np.array(skipped, np.intp))
        sums = landmark_totals(given(skipped), bob.landmarks)
        series = {"could spend": could, "spends": given(skipped), "the landmarks and this one": sums}
        figure = curves(
            series,
            x=range(len(bob)),
            x_title="timestamp, ★ landmark",
            y_title="budget",
            levels={"ε": EPSILON},
            ticks=ticks,
        )
        words = sentence(
            "The landmarks and one other spend at most {most_of_landmarks_and_one}; p8 could spend {could_spend}.",
            most_of_landmarks_and_one=amount(float(sums.max())),
            could_spend=amount(could[-1]),
        )
        return [Chart("budgets", "What Adaptive could spend, and what it spends", figure, words)]

    return Sliding(draw, (Stops("Not measured", tuple(SKIPPED), 2),), BOB)


def rate_figure() -> Sliding:
    """How often each timestamp is measured, by how far the person moves between timestamps."""

    def draw(step: float) -> list[Chart]:
        figure = curves({"measured": measured(step)}, y_title="share measured")
        words = sentence(
            "The last of {n_still} timestamps is measured in {measured_share} of {draws} releases.",
            n_still=whole(STILL),
            measured_share=percent(float(measured(step)[-1])),
            draws=whole(DRAWS),
        )
        return [Chart("rate", "How often a timestamp is measured", figure, words)]

    return Sliding(draw, (Stops("Moves back and forth by, in units of noise", (0.0, 1.0, 2.0, 5.0, 50.0), 0, amount),))


def posterior_figure() -> Sliding:
    """The chance that each protected timestamp is a landmark, by how the dummies were chosen."""

    def draw(method: str) -> list[Chart]:
        members = hidden(method).tolist()
        data = [
            {
                "type": "scatter",
                "name": name,
                "x": [t + 1 for t in at],
                "y": chances(method)[at].tolist(),
                "mode": "markers",
                "marker": {"color": colour, "symbol": symbol, "size": 11},
            }
            for name, at, colour, symbol in (
                ("landmark", [t for t in members if t in MARKED], ORANGE, "diamond"),
                ("dummy", [t for t in members if t not in MARKED], BLUE, "circle"),
            )
        ]
        axis = {"title": {"text": "timestamp"}, "range": [0, N + 1]}
        layout = {"xaxis": axis, "yaxis": {"title": {"text": "chance"}, "range": [-0.05, 1.1]}}
        sure = int((chances(method)[list(MARKED)] == 1).sum())
        words = f"{len(members)} timestamps protected, {len(MARKED)} of them landmarks. Found for certain: {sure}."
        return [Chart("posterior", "How likely each is a landmark", {"data": data, "layout": layout}, words)]

    return Sliding(draw, (Stops("Dummies", tuple(METHODS), 0, METHODS.__getitem__),), BOB.with_changes(hide=True))


def again_figure() -> Sliding:
    """How many timestamps are dummies in every draw, by the chance of joining."""

    def draw(chance: float) -> list[Chart]:
        figure = curves(
            {"dummies in every draw": in_all(chance)},
            x=ANEW,
            x_title="draws",
            y_title="dummies",
            ticks={str(k): k for k in ANEW},
        )
        left = in_all(chance)
        words = sentence(
            "Of {n_regular} regular timestamps, {joined_once} join in one draw, {joined_at_last} in all {n_draws}.",
            n_regular=whole(REGULAR),
            joined_once=amount(left[0]),
            joined_at_last=amount(left[-1]),
            n_draws=whole(ANEW[-1]),
        )
        return [Chart("again", "Dummies that are in every draw", figure, words)]

    return Sliding(draw, (Stops("Chance to join", (0.25, JOIN, 0.75, 0.9), 1, percent),))


def error_figure() -> Sliding:
    """The error of three schemes by the share of landmarks, their layout, and how far the person moves."""

    def draw(layout: str, step: float) -> list[Chart]:
        series = {t: [error(s, k, LAYOUTS[layout], step) for k in COUNTS] for s, t in SCHEMES.items()}
        shares = [100 * k / WALKED for k in COUNTS]
        figure = curves(series, x=shares, x_title="landmarks, %", y_title="mean error", log_y=True)
        said = ", ".join(
            sentence("{title} {error}", title=title, error=amount(values[-1])) for title, values in series.items()
        )
        return [
            Chart(
                "errors",
                "How far off the releases are, in units of noise",
                figure,
                sentence(
                    "With {landmark_share} landmarks: {said}.", landmark_share=percent(COUNTS[-1] / WALKED), said=said
                ),
            )
        ]

    stops = (Stops("Landmarks", tuple(LAYOUTS)), Stops("Steps, in units of noise", STEPS, STEPS.index(SLOW), amount))
    return Sliding(draw, stops)


def _lost(skipped: tuple[int, ...]) -> int:
    """Which of the three answers is right: no timestamp, the later landmarks, or all later timestamps."""
    bob, before, after = sample("bob"), given(()), given(skipped)
    later = [t for t in range(max(skipped) + 1, len(bob)) if after[t] > before[t] + 1e-12]
    return 0 if not later else 1 if set(later) <= set(bob.landmarks) else 2


def _errors_said(scheme: str) -> str:
    return sentence(
        "{scheme} is off by {error}.", scheme=SCHEMES[scheme], error=amount(error(scheme, MANY, False, SLOW))
    )


def _changed(scheme: str) -> float:
    """The factor by which the error grows if the landmarks are in one bunch."""
    return error(scheme, MANY, True, FAST) / error(scheme, MANY, False, FAST)


def _layout_said(scheme: str) -> str:
    even, bunch = (amount(error(scheme, MANY, bunched, FAST)) for bunched in (False, True))
    return f"{SCHEMES[scheme]} is off by {even} if they are spread evenly, and by {bunch} in one bunch."


QUESTIONS = (
    Number(
        name="adaptive/share",
        text="Bob's landmarks are p1, p3, p5 and p8, and ε = 1, so 0.2 is reserved for every timestamp. Adaptive does not "
        "measure p3. What may p4 spend then?",
        right=lambda: float(given((2,))[3]),
        high=10.0,
        tolerance=0.02,
        traps=(
            Trap(
                lambda: 2 * allocate("uniform", 8, BOB.landmarks, EPSILON)[0],
                "adds all of p3's budget. Then p5, p8 and one other would each get it.",
            ),
            Trap(
                lambda: 0.2 + 0.2 / 2,
                "shares p3's budget between p5 and p8 alone. One other timestamp is in their sum too.",
            ),
            Trap(
                lambda: allocate("uniform", 8, BOB.landmarks, EPSILON)[0],
                "is what it had before. What p3 did not spend is not lost.",
            ),
        ),
        why="The sum can still include two landmarks and one other timestamp, so each later one gets a third of 0.2 more.",
    ),
    Choose(
        name="adaptive/regular",
        text="Adaptive does not measure p2, which is not a landmark. Which timestamps get its 0.2?",
        choices=(
            Choice("None", "p2 is in only one sum, its own. Every other sum would become too large."),
            Choice("The later landmarks", "Then the landmarks and p4 would spend more than ε."),
            Choice("All later timestamps", "Then p3, p4, p5 and p8 would get more than their sum with p1 has left."),
        ),
        right=lambda: _lost((1,)),
    ),
    Choose(
        name="adaptive/decision",
        text="The rate depends on releases alone: it falls if a new one is closer to the last than the typical noise. What "
        "does that decision cost?",
        choices=(
            Choice("Nothing", "It is post-processing, and the landmarks and one other still spend at most ε."),
            Choice(
                "Half of ε",
                "That is the case in Budget Distribution and Absorption, which compare with the true value.",
            ),
            Choice("A little of each timestamp's budget", "What is computed from releases alone costs nothing."),
        ),
        right=lambda: 0 if max(most_spent(skipped) for skipped in SKIPPED.values()) <= EPSILON else 2,
    ),
    Curve(
        name="adaptive/still",
        text="A person stands still. The rate starts at 1. Whenever a timestamp is measured, a small change lowers it "
        "by 30 %, and a large one moves it 30 % of the way to 1. Draw how often each of the first eight timestamps "
        "is measured.",
        x=tuple(range(1, 9)),
        right=lambda: measured(0.0)[:8],
        high=1.0,
        x_title="timestamp",
        y_title="share measured",
        tolerance=0.12,
        why="The first two are always measured, as there is nothing to compare yet. Then the rate falls, but not to 0: two "
        "noisy releases of one place are often farther apart than the typical noise.",
    ),
    probability(
        name="adaptive/silence",
        text="Four of Bob's eight timestamps are landmarks, but nobody knows which. Under Skip, a repeat would prove a "
        "landmark. Under Adaptive, the first repeat is at p3. How likely is it that p3 is a landmark?",
        right=lambda: believed("adaptive"),
        traps=(
            Trap(lambda: believed("skip"), "is right for Skip, which repeats at landmarks and nowhere else."),
            Trap(lambda: 0.0, "would be right for a scheme that always measures landmarks."),
        ),
        why="As likely as before: the rate ignores landmarks. The repeat reveals that two releases were close together, "
        "which everyone saw. Budgets that grow after a skipped landmark may reveal more later.",
    ),
    Number(
        name="adaptive/price",
        text="Two dummies join Bob's four landmarks, and Uniform with ε = 1 protects all six. What may each timestamp spend?",
        right=lambda: float(allocate("uniform", 8, (0, 2, 3, 4, 5, 7), EPSILON)[0]),
        high=10.0,
        tolerance=0.02,
        traps=(
            Trap(lambda: 1 / 6, "would leave nothing for the one other timestamp."),
            Trap(lambda: 0.2, "is the share without dummies. Whatever looks like a landmark is protected like one."),
        ),
        why="Six timestamps and one other share ε. Hiding costs precision at every timestamp.",
    ),
    Number(
        name="adaptive/greedy",
        text=lambda: (
            f"{len(hidden('greedy'))} of {N} timestamps are protected, {len(MARKED)} of them landmarks: "
            f"{comb(len(hidden('greedy')), len(MARKED))} sets. Each dummy was chosen to keep the spread closest to that of "
            "the landmarks. An attacker tries the method on all sets. How many lead to what was published?"
        ),
        right=lambda: float(sets_left("greedy")),
        high=1000.0,
        traps=(
            Trap(
                lambda: float(comb(len(hidden("greedy")), len(MARKED))),
                "would be right if dummies did not depend on the landmarks. These are computed from them.",
            ),
        ),
        why="One: all landmarks are found. Nothing in the method is random except the number of dummies.",
    ),
    probability(
        name="adaptive/random",
        text=lambda: (
            f"Now each regular timestamp joins independently, with the same chance. {len(hidden('random'))} timestamps are "
            f"protected, and everyone knows that {len(MARKED)} are landmarks. How likely is each to be a landmark?"
        ),
        right=lambda: float(chances("random")[MARKED[0]]),
        traps=(
            Trap(lambda: CHANCE, "is the chance of joining. It says nothing about the timestamps that did."),
            Trap(
                lambda: len(MARKED) / N,
                "was the chance before. Now any timestamp that is not protected is certainly not a landmark.",
            ),
        ),
        why="Any set of landmarks among the protected timestamps leads to them with the same chance, so all are alike.",
    ),
    Curve(
        name="adaptive/again",
        text=f"Each of {REGULAR} regular timestamps joins with chance 1/2, drawn again for each release. Draw how "
        "many have been dummies in every draw so far.",
        x=tuple(float(draws) for draws in ANEW),
        right=lambda: in_all(JOIN),
        high=float(REGULAR),
        x_title="draws",
        y_title="dummies in every draw",
        tolerance=1.0,
        why="Half of them remain each time, while the landmarks are in every draw. Draw once for the same landmarks, and "
        "keep that.",
    ),
    Order(
        name="adaptive/shares",
        text=f"{MANY} of {WALKED} timestamps are landmarks, spread evenly. The person moves slowly, at most two units of "
        "noise at a time. Which scheme has the smallest error?",
        items=tuple(Item(title, partial(_errors_said, scheme)) for scheme, title in SCHEMES.items()),
        ends=("smallest error", "largest error"),
        keys=lambda: [error(scheme, MANY, False, SLOW) for scheme in SCHEMES],
        why="Skip repeats what hardly changed. Adaptive repeats some timestamps, and spends their budgets on others.",
    ),
    Choose(
        name="adaptive/layout",
        text=f"Now the person moves fast, and the {MANY} landmarks are in one bunch instead of spread evenly. Which scheme's "
        "error changes most?",
        choices=tuple(Choice(title, partial(_layout_said, scheme)) for scheme, title in SCHEMES.items()),
        right=lambda: max(range(len(SCHEMES)), key=lambda k: abs(_changed([*SCHEMES][k]) - 1)),
    ),
)
