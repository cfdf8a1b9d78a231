"""Randomised response: a question that can be answered without giving the answer away.

For yes or no, a design is two numbers: how often a person whose true answer is Yes says Yes, and how often a person whose
true answer is No does. Budget, estimate and standard error follow from the two in the same way for every design. With m
answers, the true one is given with some chance, and every other one with the same smaller chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import either, fraction, generator, positive, probabilities, refused, states, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

MOST_EPSILON = 700.0
"""The largest epsilon of one answer: e^-700 is a float with all its digits, and e^-746 is 0."""


@dataclass(frozen=True)
class ResponseDesign:
    """How people are told to answer: the chance of saying Yes, given the true answer.

    Attributes
    ----------
    name : what to call it.
    yes_if_yes, yes_if_no : probabilities in [0, 1] of saying Yes; either may be larger, but they must differ.

    Raises
    ------
    InputError : a probability outside [0, 1], or two equal ones (the answers would reveal nothing).

    Notes
    -----
    Paper: Warner, "Randomized response", JASA 1965; the budget as in Dwork, Roth, "The algorithmic foundations of
    differential privacy", 2014, section 3.2.

    Examples
    --------
    >>> round(warner(0.75).epsilon, 6), round(TWO_COINS.epsilon, 6)  # ln 3
    (1.098612, 1.098612)
    >>> TRUTHFULLY_OR_YES.epsilon
    inf
    """

    name: str
    yes_if_yes: float
    yes_if_no: float

    def __post_init__(self) -> None:
        if fraction(self.yes_if_yes, "yes_if_yes") == fraction(self.yes_if_no, "yes_if_no"):
            raise InputError(
                f"yes_if_yes and yes_if_no of {self.name} must differ",
                value=f"{self.yes_if_yes} for both",
                remedy="With equal chances the answers do not depend on the truth, and nothing can be estimated",
            )

    @property
    def epsilon(self) -> float:
        """The budget one answer costs: the largest |log ratio| of the chances of an answer.

        Infinite if an answer is possible for only one truth: it then proves that truth, and no budget is enough.
        """
        yes, no = (self.yes_if_yes, self.yes_if_no), (1 - self.yes_if_yes, 1 - self.yes_if_no)
        return max(_log_ratio(*yes), _log_ratio(*no))

    def perturb(self, answers: ArrayLike, rng: np.random.Generator) -> NDArray[np.bool_]:
        """What people say: Yes with the probability for their true answer. Booleans in, Booleans out."""
        truth = np.asarray(answers)
        if truth.ndim != 1 or not truth.size:
            raise refused("answers", "one answer for each person, shape (n,)", f"shape {truth.shape}")
        if truth.dtype != bool and not np.isin(truth, (0, 1)).all():
            raise InputError("answers must be True or False, or 1 or 0, for each person")
        return generator(rng).random(truth.shape) < np.where(truth, self.yes_if_yes, self.yes_if_no)

    def estimate(self, reported_share: float) -> float:
        """Unbiased estimate of the true share of Yes: ``(share - yes_if_no) / (yes_if_yes - yes_if_no)``.

        Not clipped to [0, 1], as that would bias it.
        """
        return (float(reported_share) - self.yes_if_no) / (self.yes_if_yes - self.yes_if_no)

    def standard_error(self, reported_share: float, n: int) -> float:
        """Standard error of the estimate from n answers: ``sqrt(share (1 - share) / n) / |yes_if_yes - yes_if_no|``.

        Never 0: `share` is the reported one moved to a share that can be expected (`expectable`). Even if all say the same,
        the coins may have made them say so.

        Examples
        --------
        >>> TWO_COINS.standard_error(0.4, 100) == TWO_COINS.standard_error(0.6, 100)
        True
        >>> round(TWO_COINS.standard_error(0.0, 100), 4)  # of a true share of 0: sqrt(0.25 0.75 / 100) / 0.5
        0.0866
        """
        share = float(expectable(reported_share, positive(n, "n"), *sorted((self.yes_if_yes, self.yes_if_no))))
        return float(np.sqrt(share * (1 - share) / n) / abs(self.yes_if_yes - self.yes_if_no))


def expectable(shares: ArrayLike, n: float, low: float, high: float) -> Floats:
    """Reported shares of an answer, moved to the nearest share that can be expected, for use in a variance formula.

    Parameters
    ----------
    shares : of n answers, any shape. low, high : the smallest and the largest chance of the answer, whatever the truth.

    Notes
    -----
    A share of 0 or 1, when all agree, is first moved by half an answer (Anscombe, "On estimating binomial response
    relations", Biometrika 1956). Then each share is clipped to the two chances, as the likeliest true share is in [0, 1]
    (Warner, JASA 1965). A share that can be expected is not changed.

    Examples
    --------
    >>> expectable([0, 0.1, 0.4, 1], 10, 0.25, 1.0).tolist()
    [0.25, 0.25, 0.4, 0.95]
    """
    given, half = np.asarray(shares, float), min(0.5, 0.5 / n)
    apart = np.where(given == 0, half, np.where(given == 1, 1 - half, given))
    return np.clip(apart, low, high)


def _log_ratio(a: float, b: float) -> float:
    """|log(a / b)|, with 0 / 0 treated as an answer that never occurs."""
    low, high = min(a, b), max(a, b)
    if low == 0:
        return 0.0 if high == 0 else float("inf")
    return float(np.log1p((high - low) / low))  # log(high / low) has no digits left if the two are nearly equal


def warner(probability: float) -> ResponseDesign:
    """Warner's design: the truth with probability p, the opposite otherwise; epsilon = ``|ln(p / (1 - p))|``.

    Parameters
    ----------
    probability : p in [0, 1], not 1/2. 0 and 1 are allowed and give everything away.

    Examples
    --------
    >>> warner(0.75).estimate(0.6)  # (0.6 - 0.25) / 0.5
    0.7
    """
    p = fraction(probability, "probability")
    return ResponseDesign("Warner", p, 1 - p)


TWO_COINS = ResponseDesign("two coins", 0.75, 0.25)
"""Heads: the truth. Tails: a second coin decides what to say. epsilon = ln 3, estimate 2 share - 1/2."""

TRUTHFULLY_OR_YES = ResponseDesign("truthfully or Yes (not differentially private)", 1.0, 0.5)
"""Heads: the truth. Tails: Yes. Estimate 2 share - 1; but a No is certainly true, so NOT differentially private."""

_DESIGNS = {"two-coin": TWO_COINS, "truthfully-or-yes": TRUTHFULLY_OR_YES}


@dataclass(frozen=True, eq=False)
class Survey:
    """A survey by randomised response.

    Attributes
    ----------
    reported : (n,) bool, the reported answers.
    share : the share of Yes among them.
    estimate : unbiased estimate of the true share of Yes; may be outside [0, 1].
    standard_error : of the estimate; above 0, even if all say the same.
    epsilon : budget of each person; infinite if the design is not differentially private.
    design : how people answered.
    """

    reported: NDArray[np.bool_]
    share: float
    estimate: float
    standard_error: float
    epsilon: float
    design: ResponseDesign


def randomized_response(
    answers: ArrayLike,
    rng: np.random.Generator,
    *,
    design: str | ResponseDesign = "two-coin",
    probability: float | None = None,
) -> Survey:
    """Perturb true yes-or-no answers and estimate the share of Yes from the reported ones.

    Parameters
    ----------
    answers : (n,) booleans or 0 and 1, n at least 1.
    rng : source of random numbers.
    design : "warner" (with `probability`, the chance p of the truth), "two-coin", "truthfully-or-yes", or a design.
    probability : p, only for "warner".

    Returns
    -------
    Survey : the reported answers, the unbiased estimate with its standard error, and the budget.

    Raises
    ------
    InputError : answers that are not yes or no, an unknown design, or p that is missing, 1/2, outside [0, 1] or not needed.

    Notes
    -----
    Guarantee: every person has epsilon-differential privacy in the local model, epsilon = ln(p / (1 - p)) for Warner,
    ln 3 for two coins. "truthfully-or-yes" gives none: a No is certainly true.
    Papers: Warner, JASA 1965; Dwork, Roth 2014, section 3.2.

    Examples
    --------
    >>> survey = randomized_response([True] * 300 + [False] * 700, np.random.default_rng(1), design="two-coin")
    >>> round(survey.estimate, 3), round(survey.standard_error, 3), round(survey.epsilon, 4)
    (0.27, 0.031, 1.0986)
    """
    chosen = _design(design, probability)
    reported = chosen.perturb(answers, rng)
    share = float(reported.mean())
    error = chosen.standard_error(share, reported.size)
    return Survey(reported, share, chosen.estimate(share), error, chosen.epsilon, chosen)


def _design(design: str | ResponseDesign, probability: float | None) -> ResponseDesign:
    if design == "warner":
        if probability is None:
            raise refused("probability", "a number between 0 and 1 other than 1/2 for Warner's design", None)
        return warner(probability)
    if probability is not None:
        raise refused("probability", "None, as only Warner's design has one", probability)
    if isinstance(design, ResponseDesign):
        return design
    if design not in _DESIGNS:
        raise refused("design", f"{either(('warner', *_DESIGNS))}, or a ResponseDesign", design)
    return _DESIGNS[design]


def randomized_response_channel(m: int, epsilon: float) -> Floats:
    """The channel of m-ary randomised response: the truth with ``e^eps / (e^eps + m - 1)``, the others equally likely.

    Parameters
    ----------
    m : how many answers there are, 2 or more.
    epsilon : the budget of an answer, above 0, at most 700.

    Returns
    -------
    (m, m), a row for each true answer, with the probabilities of the reported ones.

    Raises
    ------
    InputError : m not a whole number or below 2, epsilon not above 0 or above 700.

    Notes
    -----
    Guarantee: an answer is exactly epsilon-differentially private in the local model (neighbours replace one person's
    answer). Numerics: computed from e^-eps, which has all its digits up to 700; beyond that it would become 0, and an
    answer that proves the truth satisfies no epsilon. Paper: Kairouz, Oh, Viswanath, "Extremal
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
    """What m-ary randomised response reveals about the shares of the answers.

    Attributes
    ----------
    reported : (n,) the reported answers, from 0 to m - 1.
    shares : (m,) the share of each answer among them.
    estimates : (m,) unbiased estimates of the true shares, which sum to 1; each may be outside [0, 1].
    variances : (m,) of the estimates for people drawn at random, from the reported shares moved to what can be expected;
        above 0, even if all say the same.
    epsilon : the budget of each person.
    """

    reported: NDArray[np.int64]
    shares: Floats
    estimates: Floats
    variances: Floats
    epsilon: float


def randomized_responses(answers: ArrayLike, m: int, epsilon: float, rng: np.random.Generator) -> ManyAnswers:
    """Perturb true answers, one of m for each person, and estimate the share of each from the reported ones.

    Parameters
    ----------
    answers : (n,) whole numbers from 0 to m - 1, n at least 1.
    m, epsilon : as for `randomized_response_channel`.
    rng : source of random numbers.

    Returns
    -------
    ManyAnswers : the reported answers, the unbiased estimates and their variances.

    Raises
    ------
    InputError : an answer that is not one of the m, no answers, or an m or epsilon that is refused there.

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
    # with chance keep - other the truth, otherwise any of the m: in total keep for the truth and other for each other one
    honest = source.random(len(truth)) < honesty
    reported = np.where(honest, truth, source.integers(0, size, len(truth)))
    shares = np.bincount(reported, minlength=size) / len(truth)
    estimates = estimated_shares(shares, epsilon)
    return ManyAnswers(reported, shares, estimates, share_variances(shares, len(truth), epsilon), float(epsilon))


def estimated_shares(shares: ArrayLike, epsilon: float) -> Floats:
    """Unbiased estimates of the true shares: ``(share - other) / (keep - other)``, (m,). Clipping would bias them.

    `shares` (m,) are those of the answers reported with `randomized_response_channel(m, epsilon)`.

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

    `shares` (m,) are the expected shares of the reported answers; using the observed ones gives an estimate. They are moved
    to what can be expected (`expectable`), so no variance is 0. For n given people the estimates vary less, by the mechanism
    alone: see `response_variances`.

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
    """Variances of the estimates for n given people with true shares f, (m,), from the mechanism alone.

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
    """`response_chances` for one budget, checked."""
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
