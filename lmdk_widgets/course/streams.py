"""Questions of the lesson on streams: w-event privacy, saving and halving budgets, discounting, a seized memory, and δ."""

from __future__ import annotations

from functools import partial
from math import inf, isclose, sqrt

import numpy as np

from lmdk_widgets.budgets import allocate, window_totals
from lmdk_widgets.budgets.schemes.comparing import halves
from lmdk_widgets.budgets.schemes.distribution import distribute
from lmdk_widgets.composition import discounted, gaussian_delta, parallel, sequential
from lmdk_widgets.course.ask import Choice, Choose, Curve, Item, Number, Order, Trap
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import PanPrivateCounter, pan_private_loss
from lmdk_widgets.page.amounts import amount, count, whole
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.figures import curves
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.page.sliding_figures import Sliding, Stops
from lmdk_widgets.pages.table.model import HOURS
from lmdk_widgets.pages.table.stream import COUNTS, deviation_of

EPSILON, WINDOW = 1.0, 3
HOURLY = 0.5
"""The budget of each hour at event level."""
WIDTHS = (1, 3, 6, 9, 12, 15, 18, 21, 24)
STAY = 5
"""Consecutive hours that a visitor is there; longer than a window."""
PUBLISHED = 8
"""Consecutive hours that Budget Distribution publishes."""

GAMMA, CONSTANT = 0.9, 0.2
SO_FAR = (1, 2, 4, 6, 8, 10, 12, 16, 20, 24)
RISING = tuple(round(0.01 * k, 2) for k in range(1, 11))

LENGTHS = (1, 6, 12, 24, 48, 72, 96, 120, 168)
"""Lengths of streams in hours, up to a week."""
DELTA, RISK, PEOPLE = 1e-6, 1e-3, 10_000

HUEY = (8, 9, 10)
"""The hours at which Huey is at Montmartre, from 0."""


def window_budgets(width: int) -> Floats:
    """The budgets of a day in which any `width` consecutive hours share epsilon evenly."""
    return allocate("window", HOURS, (), EPSILON, window=width)


def halving() -> list[float]:
    """The budgets of Budget Distribution if every hour is published."""
    split = halves(EPSILON, WINDOW)
    spent = distribute(PUBLISHED, split, lambda t, budget: t, lambda t, output: inf, lambda budget: 0.0)
    return [quanta * split.quantum for quanta in spent]


def discounted_so_far() -> list[float]:
    """The discounted sum of a constant budget after each of `SO_FAR` hours."""
    return [discounted([CONSTANT] * hours, gamma=GAMMA) for hours in SO_FAR]


def gaussian_deviation(hours: int, delta: float) -> float:
    """The standard deviation of Gaussian noise in each of these hours that gives (1, delta) at user level."""
    low, high = 0.0, 10.0  # of mu, the distance of two neighbouring streams in deviations
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian_delta(EPSILON, middle) <= delta else (low, middle)
    return sqrt(hours) / low


def laplace_deviation(hours: int) -> float:
    """The standard deviation of Laplace noise in each of these hours that gives epsilon at user level."""
    return deviation_of(allocate("user", hours, (), EPSILON))


def delta_figure() -> Sliding:
    """An hour's Laplace and Gaussian noise at user level, by the length of the stream and delta."""

    def draw(delta: float) -> list[Chart]:
        series = {"Laplace, δ = 0": [laplace_deviation(hours) for hours in LENGTHS]}
        series["Gaussian"] = [gaussian_deviation(hours, delta) for hours in LENGTHS]
        figure = curves(series, x=LENGTHS, x_title="hours", y_title="deviation, people")
        laplace, gaussian = (amount(deviations[-1]) for deviations in series.values())
        said = sentence(
            "{hours}: Laplace {laplace}, Gaussian {gaussian}, where (1, δ) covers all of a person's hours.",
            hours=count(LENGTHS[-1], "hour"),
            laplace=laplace,
            gaussian=gaussian,
        )
        return [Chart("delta", "Noise in an hour that gives ε = 1, or (1, δ), at user level", figure, said)]

    return Sliding(draw, (Stops("δ", (1e-9, 1e-6, 1e-3), 1, "{:g}".format),))


def counter_deviation(epsilon: float) -> float:
    """The standard deviation of the pan-private counter's output if nobody reads its memory."""
    return sqrt(PanPrivateCounter(epsilon, np.random.default_rng(0)).noise_variance)


def summed_deviation(epsilon: float) -> float:
    """The standard deviation of the sum of a day's counts at event level."""
    return sqrt(HOURS) * deviation_of(allocate("event", HOURS, (), epsilon))


def levels_for_huey() -> dict[str, Floats]:
    """The budgets that each level gives the hours of a day."""
    return {
        "event": allocate("event", HOURS, (), EPSILON),
        "landmark": allocate("uniform", HOURS, HUEY, EPSILON),
        "window": window_budgets(len(HUEY)),
        "user": allocate("user", HOURS, (), EPSILON),
    }


def best_for_huey() -> str:
    """The level with the least noise at which all of Huey's hours together cost at most epsilon."""
    levels = levels_for_huey()
    kept = {name: spent for name, spent in levels.items() if sequential(spent[list(HUEY)]) <= EPSILON * (1 + 1e-9)}
    return min(kept, key=lambda name: deviation_of(kept[name]))


def _window() -> Choose:
    ways: dict[str, tuple[list[float], str]] = {
        "1/3 in every hour": ([1 / 3] * 6, "All hours get the same: the simplest way."),
        "1 in every third hour, 0 between": (
            [1, 0, 0, 1, 0, 0],
            "Two hours in three are silent, and repeat the last count.",
        ),
        "1/2, 1/4, 1/8, and the same again": (
            [1 / 2, 1 / 4, 1 / 8] * 2,
            "It leaves a little unspent, but breaks nothing.",
        ),
        "Two hours of 0, then the saved 1, then 1/3 as always": (
            [0, 0, 1, 1 / 3, 1 / 3, 1 / 3],
            "Saving is allowed. But the saved budget also counts in the windows after it: once it is spent, the same number "
            "of hours must be silent again.",
        ),
    }

    def most(text: str) -> float:
        return float(window_totals(ways[text][0], WINDOW).max())

    def choice(text: str) -> Choice:
        return Choice(
            text,
            lambda: sentence(
                "Three hours in a row spend at most {most_in_three_hours}. {reason}",
                most_in_three_hours=amount(most(text)),
                reason=ways[text][1],
            ),
        )

    def breaks(text: str) -> bool:
        return most(text) > EPSILON and not isclose(most(text), EPSILON)

    return Choose(
        name="streams/window",
        text="ε = 1 and w = 3. Which budgets of six hours break w-event privacy?",
        choices=tuple(choice(text) for text in ways),
        right=lambda: [breaks(text) for text in ways].index(True),
    )


def _memory() -> Order:
    visits = {
        "One visit; nobody ever reads the memory": (
            [1],
            "One visit is hidden by the noise in the memory or in the output",
        ),
        "Two visits; the memory is read once, after both": (
            [2, 0],
            "Two visits shift the number in the memory by 2, and its noise has to hide both",
        ),
        "One visit between two secret readings": (
            [0, 1, 0],
            "The numbers read before and after contain the same noise, so their difference is the visit itself",
        ),
    }

    def loss(text: str) -> float:
        return pan_private_loss(EPSILON, visits[text][0], renewed=False)

    def says(text: str) -> str:
        if loss(text) == inf:
            return f"{visits[text][1]}: no bound."
        return sentence("{visit}: ε = {loss}.", visit=visits[text][1], loss=amount(loss(text)))

    return Order(
        name="streams/memory",
        text="ε = 1, and the output has its own noise. How much can be learned about a person, from the least to the most?",
        items=tuple(Item(text, partial(says, text)) for text in visits),
        ends=("least", "most"),
        keys=lambda: [loss(text) for text in visits],
        why="Each visit costs ε once, whenever the memory is read; but a visit between two numbers with the same noise is "
        "revealed exactly.",
    )


def _huey() -> Choose:
    why = {
        "event": "Each of his hours is protected by itself, but not the three together.",
        "landmark": "Three landmarks and one other hour share ε. It protects one hour more than Huey needs.",
        "window": "His three hours are one window, and they share ε exactly.",
        "user": "It protects people who are there all day, and pays for that.",
    }
    titles = {
        "event": "Event level",
        "landmark": "Landmark level, with his three hours as landmarks",
        "window": "w-event with w = 3",
        "user": "User level",
    }

    def says(level: str) -> str:
        spent = levels_for_huey()[level]
        cost = sequential(spent[list(HUEY)])
        return sentence(
            "Huey's hours cost {together} together, and the noise of an hour has a standard deviation of "
            "{deviation}. {reason}",
            together=amount(cost),
            deviation=amount(deviation_of(spent)),
            reason=why[level],
        )

    return Choose(
        name="streams/huey",
        text="Huey is at Montmartre in hours 9, 10 and 11, and in no others. His three visits together must cost at most "
        "ε = 1. Which level does that with the least noise?",
        choices=tuple(Choice(title, partial(says, level)) for level, title in titles.items()),
        right=lambda: list(titles).index(best_for_huey()),
    )


QUESTIONS = (
    Number(
        name="streams/all-day",
        text="Each hour's count is published with ε = 0.5. Daisy lives at Montmartre and is counted in all 24 hours. How "
        "much do the counts spend on her together?",
        right=lambda: sequential([HOURLY] * HOURS),
        high=1000.0,
        tolerance=0.01,
        traps=(
            Trap(
                lambda: parallel([HOURLY] * HOURS),
                "is the budget of one count. That would be the sum for counts of different people (parallel "
                "composition), but Daisy is in all of them.",
            ),
            Trap(lambda: float(HOURS), "is the number of counts. Each of them costs 0.5."),
        ),
        why="The same person is in every count, so the epsilons add up. For a visitor who is there for one hour it is 0.5.",
    ),
    Curve(
        name="streams/widths",
        text="Any w consecutive hours share ε = 1 evenly. Draw the standard deviation of an hour's noise, in people, "
        "against w.",
        x=WIDTHS,
        right=lambda: [deviation_of(window_budgets(width)) for width in WIDTHS],
        high=50.0,
        x_title="w, hours",
        y_title="standard deviation, people",
        tolerance=0.2,
        why=lambda: (
            f"w = 1 is event level, w = {HOURS} is user level, and between them it rises in a straight line: "
            f"each hour has ε/w. The largest count of the day is {max(COUNTS)} people; at w = {HOURS} the noise is larger."
        ),
    ),
    Number(
        name="streams/stay",
        text="w = 3 and ε = 1, a third of it for each hour. Dewey stays for five hours in a row. How much do the counts "
        "spend on him?",
        right=lambda: float(window_totals(window_budgets(WINDOW), STAY).max()),
        high=100.0,
        tolerance=0.02,
        traps=(
            Trap(lambda: EPSILON, "is the most that three hours may cost. Five hours are longer than one window."),
            Trap(lambda: STAY * EPSILON, "is what five hours with all of ε would cost. Each hour has a third of it."),
            Trap(
                lambda: 2 * EPSILON, "is the w-event bound, as two windows cover five hours. These budgets spend less."
            ),
        ),
        why="Five thirds. w-event privacy does not end at w hours: it becomes weaker, by ε for each further window.",
    ),
    _window(),
    Curve(
        name="streams/halving",
        text="Budget Distribution, ε = 1 and w = 3: half of ε is for comparing, half for publishing. Each publication takes "
        "half of what its window has left. Draw the budgets of the publications, if every hour is published.",
        x=tuple(range(1, PUBLISHED + 1)),
        right=halving,
        high=0.4,
        x_title="hour",
        y_title="budget of the publication",
        tolerance=0.25,
        why="It starts with a quarter and halves. In the fourth hour the first publication leaves the window, and its budget "
        "comes back. To publish every hour, shares of a sixth would be better: the scheme is made for streams that seldom "
        "change.",
    ),
    Curve(
        name="streams/discounted",
        text="Each hour spends 0.2, and each hour counts 0.9 times as much as the next one. Draw the discounted sum at the "
        "end of each hour.",
        x=SO_FAR,
        right=discounted_so_far,
        high=5.0,
        x_title="hours so far",
        y_title="discounted sum",
        tolerance=0.25,
        why=lambda: sentence(
            "It rises towards {limit} and never exceeds it, however long the stream runs. But by the end of the day, "
            "{whole_day} is spent on a visitor who was always there: the sum says how much one worries, not what was "
            "revealed.",
            limit=amount(CONSTANT / (1 - GAMMA)),
            whole_day=amount(sequential([CONSTANT] * HOURS)),
        ),
    ),
    Number(
        name="streams/age",
        text="Ten hours spend 0.01, 0.02, … up to 0.10, the newest. With γ = 0.9, what is the discounted sum? Use a "
        "calculator.",
        right=lambda: discounted(RISING, gamma=GAMMA),
        high=100.0,
        tolerance=0.03,
        traps=(
            Trap(
                lambda: discounted(RISING[::-1], gamma=GAMMA),
                "counts the oldest hour in full. But age is discounted, and the newest hour has age 0.",
            ),
            Trap(lambda: sequential(RISING), "is the plain sum, γ = 1."),
        ),
        why="The newest hour counts in full, the one before it 0.9 times, and so on.",
    ),
    _memory(),
    Number(
        name="streams/total",
        text="ε = 1. To count the visits of the whole day, one can add up the 24 counts at event level, or use a "
        "pan-private counter. How many times larger than the counter's is the sum's standard deviation?",
        right=lambda: summed_deviation(EPSILON) / counter_deviation(EPSILON),
        high=1000.0,
        tolerance=0.05,
        traps=(
            Trap(
                lambda: HOURS * deviation_of(allocate("event", HOURS, (), EPSILON)) / counter_deviation(EPSILON),
                "comes from adding 24 deviations. But variances add up: 24 counts have √24 times the deviation of one.",
            ),
            Trap(lambda: sqrt(HOURS), "would be right if the counter had noise once. It has noise twice."),
            Trap(lambda: float(HOURS), "is the number of counts. Variances add up, and the counter has noise twice."),
        ),
        why="The sum has noise 24 times, the counter twice. But the counts also show the hours; the counter shows one "
        "number.",
    ),
    Number(
        name="streams/root",
        text="A stream of 24 hours achieves (1, δ) at user level with Gaussian noise in each hour. How many times as large "
        "is an hour's noise in a stream of 96 hours, with the same ε and δ?",
        right=lambda: gaussian_deviation(96, DELTA) / gaussian_deviation(24, DELTA),
        high=1000.0,
        traps=(
            Trap(lambda: laplace_deviation(96) / laplace_deviation(24), "is Laplace noise, whose epsilons add up."),
            Trap(lambda: 1.0, "would be event level, which protects only an hour."),
        ),
        why="The square root of four. A visitor in all n hours moves the stream by a distance of √n in n dimensions.",
    ),
    Number(
        name="streams/risk",
        text=sentence(
            "For each of {people} people, a machine publishes the whole day as it is with chance 1/1000, and otherwise "
            "nothing. That is (0, δ)-private with δ = 1/1000. How many people's days are published, on average?",
            people=whole(PEOPLE),
        ),
        right=lambda: RISK * PEOPLE,
        high=float(PEOPLE),
        tolerance=0.02,
        traps=(Trap(lambda: RISK, "is the chance for one person."),),
        why="So ε = 0 can mean that ten people lose everything. δ has to be far below one over the number of people.",
    ),
    _huey(),
)
