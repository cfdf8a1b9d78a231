"""A question by randomised response: each phone tosses the coin, so that nobody else ever has a true answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lmdk_widgets.checks import number, refused, whole
from lmdk_widgets.course.classroom import response_words
from lmdk_widgets.course.classroom.activity import known, words
from lmdk_widgets.course.classroom.counts import true_counts
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import estimated_shares, randomized_response_channel, response_variances

EPSILON_RANGE = (0.1, 6.0)
MOST_ANSWERS = 6
LONGEST_TEXT, LONGEST_ANSWER = 300, 60
NORMAL_95 = 1.959963984540054
"""Standard errors on each side of an interval that holds 19 of 20 normal variables."""


class Estimate(NamedTuple):
    """What is known of one answer: how many sent it, the unbiased estimate of its true share, and the exact interval."""

    sent: int
    share: float
    estimate: float
    error: float
    low: float
    high: float
    possible: bool


@dataclass(frozen=True)
class Response:
    """A question with two answers or more, to be answered by randomised response with budget epsilon.

    Attributes
    ----------
    text : the question, at most 300 characters. answers : 2 to 6 different ones, at most 60 characters each.
    epsilon : budget of one answer, 0.1 to 6; ln 3 is the two coins.

    Raises
    ------
    InputError : texts that are missing or too long, answers that are equal, an epsilon out of range.

    Notes
    -----
    Guarantee: what a phone sends is epsilon-differentially private in the local model, by `randomized_response_channel`,
    as far as the phone's random numbers are random. An answer that is sent anew with a new coin spends epsilon again.

    Examples
    --------
    >>> question = Response("Did you ever copy homework?")
    >>> round(question.honest, 12), question.asked(1)["answers"]
    (0.5, ['Yes', 'No'])
    """

    text: str
    answers: tuple[str, ...] = ("Yes", "No")
    epsilon: float = field(default=log(3))

    kind: ClassVar[str] = "response"
    changeable: ClassVar[bool] = False
    outcome: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if isinstance(self.answers, str) or not isinstance(self.answers, Sequence):
            raise refused("answers", f"2 to {MOST_ANSWERS} texts", self.answers)
        answers = tuple(words(answer, "each answer", LONGEST_ANSWER) for answer in self.answers[: MOST_ANSWERS + 1])
        if not 2 <= len(answers) <= MOST_ANSWERS:
            raise refused("answers", f"2 to {MOST_ANSWERS} texts", f"{len(self.answers):,} of them")
        if len(set(answers)) < len(answers):
            raise InputError("Answers must differ", value="two equal ones")
        object.__setattr__(self, "answers", answers)
        object.__setattr__(self, "text", words(self.text, "the question", LONGEST_TEXT))
        object.__setattr__(self, "epsilon", number(self.epsilon, "epsilon", *EPSILON_RANGE))

    @classmethod
    def put(cls, settings: Mapping[str, Any]) -> Response:
        """The question of a teacher's settings: text, answers, epsilon."""
        known(settings, ("text", "answers", "epsilon"))
        return cls(**{"text": "", **settings})

    from_dict = put

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"text": self.text, "answers": list(self.answers), "epsilon": self.epsilon}

    @property
    def chances(self) -> tuple[float, float]:
        """The chances that a phone sends an answer: with it as the true one, and without."""
        channel = randomized_response_channel(len(self.answers), self.epsilon)
        return float(channel[0, 0]), float(channel[0, 1])

    @property
    def honest(self) -> float:
        """The chance that the coin lets the true answer through; otherwise any answer is drawn, all alike."""
        keep, other = self.chances
        return keep - other

    def prepare(self) -> None:
        """Nothing: all is computed in no time."""

    def asked(self, times: int) -> dict[str, Any]:
        """What a phone is given: the coin's chance, and what it will say about each answer that it may send."""
        return {
            "kind": self.kind,
            "text": self.text,
            "answers": list(self.answers),
            "honest": self.honest,
            "before": response_words.before(self, times),
            "sent": [response_words.sent(self, k) for k in range(len(self.answers))],
            "kept": response_words.kept(self),
        }

    def read(self, given: Any) -> int:
        """The index of the answer that a phone sent."""
        return whole(given, "answer", least=0, most=len(self.answers) - 1)

    def told(self, answer: Any) -> dict[str, Any]:
        """Nothing: the estimates are on the board all the time."""
        return {}

    def estimates(self, sent: Sequence[int]) -> list[Estimate]:
        """What the answers that were sent tell of each true share; none sent, nothing told."""
        n, (keep, other) = len(sent), self.chances
        if not n:
            return []
        counts = np.bincount(sent, minlength=len(self.answers))
        estimates = estimated_shares(counts / n, self.epsilon)
        near = np.clip(estimates, 0, 1)
        errors = np.sqrt(response_variances(near / near.sum(), n, self.epsilon))
        found = []
        for count, estimate, error in zip(counts.tolist(), estimates.tolist(), errors.tolist(), strict=True):
            low, high, possible = true_counts(count, n, keep, other)
            found.append(Estimate(count, count / n, estimate, error, low / n, high / n, possible))
        return found

    def half_width(self, share: float, n: int, *, epsilon: float | None = None, m: int | None = None) -> float:
        """Half of a 95 % interval for a true share of n given people, about, at another budget or with m answers."""
        size = len(self.answers) if m is None else m
        shares = np.full(size, (1 - share) / (size - 1))
        shares[0] = share
        variance = response_variances(shares, n, self.epsilon if epsilon is None else epsilon)[0]
        return NORMAL_95 * float(np.sqrt(variance))

    def board(self, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
        """The answers as they come: reported and estimated shares, other budgets, other numbers of answers."""
        return response_words.board(self, self.estimates(answers), len(answers))
