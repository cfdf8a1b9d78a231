"""Questions of the lesson on noise: randomised response, epsilon and beliefs, Laplace noise, the exponential mechanism."""

from __future__ import annotations

from math import exp, inf, log

import numpy as np

from lmdk_widgets.anonymity.correlation import Correlation, data_correlation
from lmdk_widgets.anonymity.examples import DISTRICTS
from lmdk_widgets.composition import gaussian_delta, sequential
from lmdk_widgets.course.ask import Choice, Choose, Curve, Number, Trap, probability
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import (
    TRUTHFULLY_OR_YES,
    TWO_COINS,
    Laplace,
    ResponseDesign,
    exponential_mechanism,
    randomized_response_channel,
    warner,
)
from lmdk_widgets.page.amounts import amount, percent, whole
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.table.neighbours import TRUE_SHARE, counts, most_believed
from lmdk_widgets.pages.table.scenes import JOINT

EPSILON = 1.0
ASKED, SAID_YES = 1000, 400
"""People who were asked, and how many of them said Yes."""
CROWDS = (10, 30, 100, 300, 1000, 3000, 10_000)
EPSILONS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0)
DELTA_EPSILONS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
COUNTED = tuple(range(-2, 7))
"""Outcomes for which the density of the noisy count is drawn."""


def believed(prior: float) -> float:
    """How likely a true Yes is after a Yes by two coins."""
    return most_believed(prior, log(TWO_COINS.yes_if_yes / TWO_COINS.yes_if_no))


def standard_errors() -> list[float]:
    """The standard error of the share by two coins, for each of `CROWDS`."""
    said = TWO_COINS.yes_if_no + TRUE_SHARE * (TWO_COINS.yes_if_yes - TWO_COINS.yes_if_no)
    return [TWO_COINS.standard_error(said, n) for n in CROWDS]


def at_montmartre() -> int:
    """How many of the six are there at t1."""
    return counts()[DISTRICTS.index("Montmartre")]


def density(epsilon: float) -> Floats:
    """The density of the noisy count of Montmartre at `COUNTED`."""
    scale = Laplace(sensitivity=1.0).scale(epsilon)
    return np.exp(-np.abs(np.array(COUNTED) - at_montmartre()) / scale) / (2 * scale)


def most_moved(*, replaced: bool) -> int:
    """The most that the five counts of t1 change together if a person is replaced, or else added or removed."""
    before = np.array(counts())
    one = np.eye(len(before), dtype=int)
    gone = [before - one[k] for k in np.flatnonzero(before)]
    others = [left + here for left in gone for here in one] if replaced else [*gone, *(before + here for here in one)]
    return max(int(np.abs(other - before).sum()) for other in others)


def named(epsilon: float) -> float:
    """The chance that the exponential mechanism names Montmartre as the most visited district."""
    return float(np.asarray(exponential_mechanism(counts(), epsilon, 1))[DISTRICTS.index("Montmartre")])


def deltas() -> list[float]:
    """The smallest delta of Gaussian noise with a standard deviation of 1 on a count, for each of `DELTA_EPSILONS`."""
    return [gaussian_delta(epsilon, 1.0) for epsilon in DELTA_EPSILONS]


def donald() -> Correlation:
    """What is believed about Donald after his own Yes and Dewey's, both by two coins."""
    coins = randomized_response_channel(2, TWO_COINS.epsilon)
    return data_correlation(JOINT, coins, coins, 0, 0)


def _private() -> Choose:
    ways: dict[str, tuple[ResponseDesign, str]] = {
        "Two coins: heads, the truth; tails, a second coin says Yes or No": (
            TWO_COINS,
            "Both answers may come from both truths.",
        ),
        "Warner: the truth with chance 90 %, the opposite otherwise": (
            warner(0.9),
            "That reveals much more than two coins do, but both answers may still come from both truths.",
        ),
        "Heads, the truth; tails, always Yes": (
            TRUTHFULLY_OR_YES,
            "Nobody whose truth is Yes ever says No, so a No is certainly true. No budget covers that.",
        ),
        "Warner: the truth with chance 10 %, the opposite otherwise": (
            warner(0.1),
            "Lying nine times in ten reveals as much as telling the truth nine times in ten, and no more.",
        ),
    }

    def choice(text: str) -> Choice:
        design, why = ways[text]
        cost = (
            "No ε is enough." if design.epsilon == inf else sentence("ε = {epsilon}.", epsilon=amount(design.epsilon))
        )
        return Choice(text, f"{cost} {why}")

    return Choose(
        name="noise/not-private",
        text="Which of these ways to answer is not differentially private, for any ε?",
        choices=tuple(choice(text) for text in ways),
        right=lambda: [design.epsilon == inf for design, _ in ways.values()].index(True),
    )


QUESTIONS = (
    probability(
        name="noise/yes",
        text="Bob did ride without a ticket. He tosses the coins as described. What is the chance that he says Yes? Give a "
        "probability.",
        right=lambda: TWO_COINS.yes_if_yes,
        traps=(
            Trap(lambda: 0.5, "is the first coin alone. After tails, the second coin may say Yes too."),
            Trap(lambda: TWO_COINS.yes_if_no, "is the chance that he says No."),
            Trap(lambda: 1.0, "would be the chance if he always told the truth. Then his answer would be no secret."),
        ),
        why="Half of the time he tells the truth, and in half of the rest the second coin says Yes.",
    ),
    probability(
        name="noise/told",
        text="Three in ten people ride without a ticket, and nothing else is known about Bob. He says Yes. How likely is it "
        "now that he did?",
        right=lambda: believed(TRUE_SHARE),
        traps=(
            Trap(
                lambda: TWO_COINS.yes_if_yes,
                "is the chance that he says Yes if he did. The question is the other way round: how likely it is that he "
                "did, if he says Yes.",
            ),
            Trap(lambda: TRUE_SHARE, "is what was known before. His answer does reveal something."),
            Trap(lambda: 1.0, "would mean certainty. But of those who had a ticket, one in four says Yes as well."),
        ),
        why="The odds were 3 to 7. A Yes is three times as likely from those who did, so they are 9 to 7 now.",
    ),
    probability(
        name="noise/estimate",
        text=sentence(
            "{asked} people in Bob's district answer in this way, and {said_yes} of them say Yes. What is the best estimate "
            "of the share who did ride without a ticket? Give a probability.",
            asked=whole(ASKED),
            said_yes=whole(SAID_YES),
        ),
        right=lambda: TWO_COINS.estimate(SAID_YES / ASKED),
        traps=(
            Trap(
                lambda: SAID_YES / ASKED,
                "is the share of those who say Yes. Some of them say it only because of the coins.",
            ),
            Trap(
                lambda: SAID_YES / ASKED - TWO_COINS.yes_if_no,
                "is what is left without the coins' Yes. But only half of the people told the truth, so what is left "
                "counts twice.",
            ),
        ),
        why="A quarter of all say Yes because of the coins alone. The rest comes from the half who tell the truth.",
    ),
    Curve(
        name="noise/crowd",
        text="Three in ten did it. Draw the standard error of the estimated share against the number of people who answer by "
        "two coins. Both axes are logarithmic.",
        x=CROWDS,
        right=standard_errors,
        low=0.001,
        high=1.0,
        x_title="people who answer",
        y_title="standard error of the share",
        log=True,
        log_x=True,
        tolerance=0.5,
        why="A hundred times as many people, a tenth of the error: it falls with the square root of their number. Ten "
        "answers say next to nothing, ten thousand give the share to one in a hundred, and nobody's own answer is any "
        "clearer.",
    ),
    Curve(
        name="noise/belief",
        text="The data are one of two neighbours, and you give each a probability of one half. Draw the highest probability "
        "that you can give one of them after an ε-differentially private release, against ε.",
        x=EPSILONS,
        right=lambda: [most_believed(0.5, epsilon) for epsilon in EPSILONS],
        high=1.0,
        x_title="ε",
        y_title="belief afterwards, at most",
        tolerance=0.08,
        written=percent,
        why=lambda: (
            "The odds of 1 to 1 become at most e^ε to 1: "
            + ", ".join(
                sentence(
                    "{most_belief} with ε = {epsilon}",
                    most_belief=percent(most_believed(0.5, epsilon)),
                    epsilon=whole(epsilon),
                )
                for epsilon in (1, 3, 5)
            )
            + ". A large ε is a promise in name only."
        ),
    ),
    _private(),
    Curve(
        name="noise/shape",
        text="Two friends are at Montmartre. Bob adds Laplace noise with ε = 1 to this count. Draw how likely each outcome "
        "is: the density of the noisy count.",
        x=COUNTED,
        right=lambda: density(EPSILON),
        high=0.8,
        x_title="noisy count",
        y_title="density",
        tolerance=0.3,
        why="A peak at the truth, and a factor of e less with each step away from it, on both sides: a count of 1 or of 3 "
        "would have made each outcome more or less likely by a factor of at most e. Outcomes below 0 are no mistake.",
    ),
    Number(
        name="noise/moved",
        text="Bob publishes all five counts together. Neighbours are two tables in which one person is somewhere else. By "
        "how much do the five counts together change between neighbours, at most?",
        right=lambda: most_moved(replaced=True),
        high=100.0,
        scale="difference",
        tolerance=0.1,
        written=lambda number: f"{number:.0f}",
        traps=(
            Trap(
                lambda: most_moved(replaced=False),
                "is the change if neighbours add or remove a person. Here a person is replaced: one count falls "
                "and another rises.",
            ),
            Trap(lambda: float(len(DISTRICTS)), "is the number of counts. But one person cannot change all of them."),
        ),
        why="The noise of each count has to cover both changes: its scale is the sensitivity over ε.",
    ),
    probability(
        name="noise/district",
        text="ε = 1. Two people are at Montmartre and one in each of four other districts. How likely is the "
        "exponential mechanism to name Montmartre as the most visited one? Give a probability.",
        right=lambda: named(EPSILON),
        traps=(
            Trap(
                lambda: named(2 * EPSILON),
                "comes from the weights e^(ε u). The mechanism uses e^(ε u / 2): without the half it would cost 2 ε.",
            ),
            Trap(lambda: 1 / len(DISTRICTS), "is the chance for a choice that ignores the table, ε = 0."),
            Trap(
                lambda: at_montmartre() / sum(counts()),
                "is Montmartre's share of the people. A choice by these shares would never name a district without "
                "anyone, so the name tells for certain that someone is there.",
            ),
        ),
        why="Its weight is e, and that of each other district e^(1/2). Six people are few: with sixty, 20 of them at "
        "Montmartre and 10 in each other district, it is nearly sure.",
    ),
    Number(
        name="noise/twice",
        text="Bob is asked about his ticket on two days, and tosses new coins each time. By what factor, at most, can both "
        "answers together change the odds that he did it?",
        right=lambda: exp(sequential([TWO_COINS.epsilon] * 2)),
        high=1000.0,
        traps=(
            Trap(
                lambda: exp(TWO_COINS.epsilon),
                "is the factor of one answer. The second answer has new coins, and reveals something new.",
            ),
            Trap(
                lambda: 2 * exp(TWO_COINS.epsilon),
                "is twice the factor of one answer. But epsilons add up, so their factors multiply.",
            ),
        ),
        why="ln 3 plus ln 3 is ln 9. If he had repeated his first answer, the second would have been free.",
    ),
    probability(
        name="noise/friends",
        text="Donald is at work half of the time. When he is, Dewey is at home with chance 0.9, and otherwise with 0.2. "
        "By two coins each, Donald says “at work” and Dewey says “at home”. How likely is it now that Donald is at work?",
        right=lambda: float(donald().after_both[0]),
        traps=(
            Trap(
                lambda: float(donald().after_own[0]),
                "is what Donald's own answer reveals. Dewey's answer says something about Donald as well.",
            ),
            Trap(
                lambda: 0.9, "is the chance that Dewey is at home if Donald is at work. You know neither for certain."
            ),
        ),
        why=lambda: sentence(
            "The odds of 1 to 1 became {odds} to 1, though Donald's own answer can change them by a factor of only {factor}. "
            "After “not at work” and “not at home” they would be 1 to {most_odds}.",
            odds=Written(f"{exp(donald().learned_both):.0f}", exp(donald().learned_both)),
            factor=Written(f"{exp(TWO_COINS.epsilon):.0f}", exp(TWO_COINS.epsilon)),
            most_odds=Written(f"{exp(donald().most_both):.1f}", exp(donald().most_both)),
        ),
    ),
    Curve(
        name="noise/delta",
        text="Gaussian noise with σ = 1 is added to a count, which one person changes by 1. Draw the smallest δ for which "
        "the release is (ε, δ)-differentially private, against ε.",
        x=DELTA_EPSILONS,
        right=deltas,
        high=0.5,
        x_title="ε",
        y_title="smallest δ",
        tolerance=0.3,
        why=lambda: sentence(
            "With ε = 0 it is {delta_at_zero}, and it falls, but never to 0: at ε = {last_epsilon} it is still "
            "{last_delta}. Laplace noise of scale 1 has δ = 0 from ε = 1 on.",
            delta_at_zero=amount(deltas()[0]),
            last_epsilon=Written(f"{DELTA_EPSILONS[-1]:g}", DELTA_EPSILONS[-1]),
            last_delta=amount(deltas()[-1]),
        ),
    ),
)
