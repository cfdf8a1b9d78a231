"""Randomised response with m answers: the true one with some chance, each other one with an equal smaller chance.

The counterpart of `survey`, which has two answers and designs of all kinds, for questions with any number of answers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import generator, positive, probabilities, refused, states, whole
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise.survey import expectable

MOST_EPSILON = 700.0
"""Of one answer: e^-700 is a float with all its digits, and e^-746 is 0."""


def randomized_response_channel(m: int, epsilon: float) -> Floats:
    """The channel of randomised response with m answers: keep with ``e^eps / (e^eps + m - 1)``, the others alike.

    Parameters
    ----------
    m : how many answers there are, 2 or more.
    epsilon : the budget of an answer, above 0, at most 700.

    Returns
    -------
    (m, m), a row for each true answer, each row the probabilities of what is said.

    Raises
    ------
    InputError : m not a whole number or below 2, epsilon not above 0 or above 700.

    Notes
    -----
    Guarantee: an answer is epsilon-differentially private in the local model (neighbours replace the answer of one
    person), exactly. Numerics: computed from e^-eps, which has all its digits up to 700; further on it would be 0, and an
    answer that proves the truth keeps no epsilon. Paper: Kairouz, Oh, Viswanath, "Extremal
    mechanisms for local differential privacy", NIPS 2014; m = 2 is Warner's design.

    Examples
    --------
    >>> randomized_response_channel(5, np.log(3))[0].round(6).tolist()  # 3/7, and 1/7 for each other
    [0.428571, 0.142857, 0.142857, 0.142857, 0.142857]
    """
    size, (keep, other, _) = whole(m, "m", least=2), _chances(m, epsilon)
    channel = np.full((size, size), other)
    np.fill_diagonal(channel, keep)
    return channel


@dataclass(frozen=True, eq=False)
class ManyAnswers:
    """What m-ary randomised response tells of the shares of the answers.

    Attributes
    ----------
    reported : (n,) what was said, from 0 to m - 1.
    shares : (m,) the share of each answer in what was said.
    estimates : (m,) unbiased estimates of the true shares, which sum to 1; each may fall outside [0, 1].
    variances : (m,) of the estimates for people drawn at random, by the reported shares as far as they can be expected;
        above 0, though all say the same.
    epsilon : the budget of each person.
    """

    reported: NDArray[np.int64]
    shares: Floats
    estimates: Floats
    variances: Floats
    epsilon: float


def randomized_responses(answers: ArrayLike, m: int, epsilon: float, rng: np.random.Generator) -> ManyAnswers:
    """Perturb true answers, one of m for each person, and estimate the share of each from what was said.

    Parameters
    ----------
    answers : (n,) whole numbers from 0 to m - 1, n at least 1.
    m, epsilon : as for `randomized_response_channel`.
    rng : source of random numbers.

    Returns
    -------
    ManyAnswers : what was said, the unbiased estimates and their variances.

    Raises
    ------
    InputError : answers that are none of the m, none at all, or an m or epsilon that is refused there.

    Notes
    -----
    Guarantee and paper as for `randomized_response_channel`.

    Examples
    --------
    >>> truth = np.repeat([0, 1, 2], [500, 300, 200])
    >>> found = randomized_responses(truth, 3, np.log(3), np.random.default_rng(1))
    >>> found.estimates.round(2).tolist(), np.sqrt(found.variances).round(2).tolist()
    ([0.52, 0.3, 0.17], [0.04, 0.04, 0.04])
    """
    size, (_, _, honesty) = whole(m, "m", least=2), _chances(m, epsilon)
    truth = states(answers, "answers", size, least=1)
    source = generator(rng)
    # with chance keep - other the truth, else any of the m alike: in all keep for the truth and other for each other
    honest = source.random(len(truth)) < honesty
    reported = np.where(honest, truth, source.integers(0, size, len(truth)))
    shares = np.bincount(reported, minlength=size) / len(truth)
    estimates = estimated_shares(shares, epsilon)
    return ManyAnswers(reported, shares, estimates, share_variances(shares, len(truth), epsilon), float(epsilon))


def estimated_shares(shares: ArrayLike, epsilon: float) -> Floats:
    """Unbiased estimates of the true shares: ``(share - other) / (keep - other)``, (m,). Not clipped, which would bias.

    `shares` (m,) are those of the answers that were given by `randomized_response_channel(m, epsilon)`.

    Examples
    --------
    >>> estimated_shares([0.4, 0.6], np.log(3)).round(10).tolist()
    [0.3, 0.7]
    """
    given = _shares(shares)
    m = len(given)
    # (share - other) / (keep - other) with other = (1 - (keep - other)) / m, which keeps the sum 1 at small epsilon
    return 1 / m + (given - 1 / m) / _chances(m, epsilon)[2]


def share_variances(shares: ArrayLike, n: int, epsilon: float) -> Floats:
    """Variances of the estimates from n people drawn at random: ``share (1 - share) / (n (keep - other)^2)``, (m,).

    `shares` (m,) are the expected shares of what is said; the reported ones in their place give an estimate, and are moved
    to what can be expected (`survey.expectable`), so that none is 0. Of n given people the estimates vary less: only the
    mechanism does, by `response_variances`.

    Examples
    --------
    >>> share_variances([0.4, 0.6], 100, np.log(3)).round(10).tolist()
    [0.0096, 0.0096]
    """
    given = _shares(shares)
    keep, other, honesty = _chances(len(given), epsilon)
    said = expectable(given, whole(n, "n"), other, keep)
    return said * (1 - said) / (n * honesty**2)


def response_variances(true_shares: ArrayLike, n: int, epsilon: float) -> Floats:
    """Variances of the estimates for n given people with true shares f, (m,), by the mechanism alone.

    ``(f keep (1 - keep) + (1 - f) other (1 - other)) / (n (keep - other)^2)``.
    """
    given = _shares(true_shares)
    keep, other, honesty = _chances(len(given), epsilon)
    return (given * keep * (1 - keep) + (1 - given) * other * (1 - other)) / (whole(n, "n") * honesty**2)


def response_chances(m: int, budgets: Floats) -> tuple[Floats, Floats, Floats]:
    """The chances of the truth and of each other answer, and their difference, which keeps its digits at small budgets.

    Examples
    --------
    >>> [chance.round(6).tolist() for chance in response_chances(5, np.log([3, 9]))]
    [[0.428571, 0.692308], [0.142857, 0.076923], [0.285714, 0.615385]]
    """
    whole_weight = 1 + (m - 1) * np.exp(-budgets)
    return 1 / whole_weight, np.exp(-budgets) / whole_weight, -np.expm1(-budgets) / whole_weight


def _chances(m: int, epsilon: float) -> tuple[float, float, float]:
    """The same for one budget, checked."""
    budget, size = positive(epsilon, "epsilon"), whole(m, "m", least=2)
    if budget > MOST_EPSILON:
        what = f"at most {MOST_EPSILON:g}, beyond which the chance of another answer is too small a number"
        raise refused("epsilon", what, epsilon)
    keep, other, apart = (float(chance[0]) for chance in response_chances(size, np.array([budget])))
    return keep, other, apart


def _shares(shares: ArrayLike) -> Floats:
    given = probabilities(shares, "shares")
    if given.ndim != 1 or len(given) < 2:
        raise refused("shares", "one share for each of two answers or more, shape (m,)", f"shape {given.shape}")
    return given
