"""A question by randomised response: each phone tosses the coin, so that nobody else ever has a true answer.

First the question and its estimates, then the sentences: what a phone will do, what it did, what a class's answers tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, log
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lmdk_widgets.checks import number, refused, whole
from lmdk_widgets.composition import sequential
from lmdk_widgets.course.classroom.activity import Plain, known, words
from lmdk_widgets.course.classroom.counts import true_counts
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import estimated_shares, randomized_response_channel, response_variances
from lmdk_widgets.page.amounts import amount, factor, ordinal, percent
from lmdk_widgets.page.blocks import Table

EPSILON_RANGE = (0.1, 6.0)
MOST_ANSWERS = 6
LONGEST_TEXT, LONGEST_ANSWER = 300, 60
NORMAL_95 = 1.959963984540054
"""Standard errors on each side of an interval that holds 19 of 20 normal variables."""
OTHER_EPSILONS = (0.1, 0.5, log(3), 2.0, 4.0)
OTHER_ANSWERS = (2, 3, 5, 10)
"""What the answers of a class are compared with: other budgets, and other numbers of possible answers."""

_HEADS = ("a phone sends the truth with", "odds change by at most", "interval, about")

DENIABLE = 0.9
"""A belief below this leaves enough doubt to speak of denying it."""

KEPT_BY_ALL = (
    "Each phone keeps what it sent for this question: an answer with a new coin would spend ε again. A question that is put "
    "again does spend it a second time."
)


SUGGESTED = (
    "Have you ever handed in work that was not your own?",
    "Have you ever looked at someone else's phone without asking?",
    "Did you drink alcohol in the last week?",
    "Have you ever pretended to be ill so as not to come?",
)
"""Questions to begin with, that one would not answer truthfully in public."""


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
class Response(Plain):
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
    as far as the phone's random numbers are random. An answer that is sent again with a new coin spends epsilon again.

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

    @staticmethod
    def offers() -> dict[str, Any]:
        """What a teacher can choose: questions to begin with, the longest text, the range of ε and its first value."""
        epsilon = [*EPSILON_RANGE, round(log(3), 4)]
        return {"suggested": SUGGESTED, "longest": LONGEST_TEXT, "most": MOST_ANSWERS, "epsilon": epsilon}

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
            "before": _before(self, times),
            "sent": [_sent(self, k) for k in range(len(self.answers))],
            "kept": _kept(self),
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
        found, n = self.estimates(answers), len(answers)
        return {
            "names": list(self.answers),
            "bars": [_bar(name, one) for name, one in zip(self.answers, found, strict=True)] if found else [],
            "summary": _summary(self, found, n),
            "notes": [*_notes(self, found, n), KEPT_BY_ALL],
            "others": _other_epsilons(self, found, n),
            "many": _other_answers(self, found, n),
        }


def _before(question: Response, times: int) -> list[str]:
    """What a phone says before it tosses the coin."""
    m = len(question.answers)
    what = "Yes or No" if question.answers == ("Yes", "No") else f"one of the {m} answers, all alike"
    said = [
        f"Your phone tosses a coin that nobody else sees. With chance {percent(question.honest)} it sends your true answer, "
        f"else it draws {what}. Only what it sends leaves your phone.",
        f"This spends ε = {amount(question.epsilon)}: whoever sees what was sent can change the odds of two true answers by "
        f"a factor of at most {factor(question.epsilon)}.",
    ]
    if times > 1:
        total = sequential([question.epsilon] * times)
        said.append(
            f"This question is put for the {ordinal(times)} time, with a new coin: whoever answers each time spends "
            f"{times} × {amount(question.epsilon)} = {amount(total)} together."
        )
    return said


def _kept(question: Response) -> str:
    """Why the coin is tossed once."""
    many = sequential([question.epsilon] * 10)
    return (
        "Your phone keeps what it sent for this question. Tossing the coin again would spend ε again: ten answers, each with "
        f"a coin of its own, spend 10 × {amount(question.epsilon)} = {amount(many)} together."
    )


def _sent(question: Response, index: int) -> str:
    """What a phone says when it has sent an answer: how deniable it is. It does not depend on the true answer."""
    keep, other = question.chances
    m, answer = len(question.answers), question.answers[index]
    whose = f"whose true answer is “{question.answers[1 - index]}”" if m == 2 else "with another true answer"
    doubt = "so you can deny it" if keep < DENIABLE else "so you can hardly deny it"
    return (
        f"Your phone sent “{answer}”. A phone whose true answer is “{answer}” sends that with chance {percent(keep)}, one "
        f"{whose} with chance {percent(other)}. Someone who thought all answers equally likely believed “{answer}” of you "
        f"with {percent(1 / m)}, and now believes it with {percent(keep)}: {doubt}."
    )


def _bar(name: str, one: Estimate) -> dict[str, Any]:
    said = (
        f"{one.sent:,} sent it, {percent(one.share)}; estimate {estimated(one.estimate)}, "
        f"95 % interval {percent(one.low)} to {percent(one.high)}"
    )
    return {"name": name, "said": said} | {k: getattr(one, k) for k in ("sent", "share", "estimate", "low", "high")}


def _summary(question: Response, found: Sequence[Estimate], n: int) -> str:
    if not n:
        keep, epsilon = percent(question.chances[0]), amount(question.epsilon)
        return f"No answer yet. ε = {epsilon}: a phone sends the true answer with chance {keep}."
    first, name = found[0], question.answers[0]
    people = "person" if n == 1 else "people"
    return (
        f"{first.sent:,} of {n:,} sent “{name}”: {percent(first.share)}. The unbiased estimate of its true share among "
        f"these {n:,} {people} is {estimated(first.estimate)}, and the 95 % interval for it {percent(first.low)} to "
        f"{percent(first.high)}.{_beyond(first)}"
    )


def _beyond(one: Estimate) -> str:
    """What is said of an estimate that no share can be."""
    if not _impossible(one):
        return ""
    end, drew = ("below 0 %", "fewer") if one.estimate < 0 else ("above 100 %", "more")
    return f" No share is {end}: by chance the coins drew this answer {drew} times than on average."


def _impossible(one: Estimate) -> bool:
    return not 0 <= round(100 * one.estimate) <= 100


def _notes(question: Response, found: Sequence[Estimate], n: int) -> list[str]:
    notes = [
        "The interval is exact and for these people only: the coins are what is random. It misses the true share in at most "
        "1 of 20 classes."
    ]
    if any(map(_impossible, found)):
        notes.append(
            "An unbiased estimate may lie below 0 % or above 100 %, where no share can be. Cutting it off there would bias "
            "it. The interval holds possible shares only."
        )
    if not all(one.possible for one in found):
        notes.append(
            "Coins alone would give such answers in less than 1 of 20 classes, whatever the truth: someone may have sent "
            "answers without the coin."
        )
    return notes


def _other_epsilons(question: Response, found: Sequence[Estimate], n: int) -> dict[str, Any]:
    """The same class at other budgets, one row each."""
    m, mine = len(question.answers), question.epsilon
    epsilons = sorted([*(epsilon for epsilon in OTHER_EPSILONS if amount(epsilon) != amount(mine)), mine])
    rows = [_row(amount(each), each == mine, m, each, _width(question, found, n, epsilon=each)) for each in epsilons]
    return Table.of_texts("The same class at other ε", ("ε", *_HEADS), rows).message()


def _other_answers(question: Response, found: Sequence[Estimate], n: int) -> dict[str, Any]:
    """The same class and budget with other numbers of answers, one row each."""
    mine, epsilon = len(question.answers), question.epsilon
    numbers = sorted({*OTHER_ANSWERS, mine})
    rows = [_row(str(m), m == mine, m, epsilon, _width(question, found, n, m=m)) for m in numbers]
    title = "The same class and ε with m answers to choose from"
    return Table.of_texts(title, ("answers", *_HEADS), rows).message()


def _row(name: str, is_this: bool, m: int, epsilon: float, width: str) -> list[str]:
    keep = float(randomized_response_channel(m, epsilon)[0, 0])
    return [f"{name}{' (this one)' if is_this else ''}", percent(keep), f"a factor of {factor(epsilon)}", width]


def _width(question: Response, found: Sequence[Estimate], n: int, **other: Any) -> str:
    if not n:
        return "–"
    share = min(max(found[0].estimate, 0.0), 1.0)
    width = question.half_width(share, n, **other)
    return f"± {ceil(100 * width)} points" if width < 1 else "wider than 0 % to 100 %"


def estimated(share: float) -> str:
    """An estimate of a share in whole percent, which is more than a class can tell; it may be below 0.

    Examples
    --------
    >>> estimated(0.304), estimated(-0.123), estimated(-4.6e-6)
    ('30 %', '−12 %', '0 %')
    """
    return f"{round(100 * share)} %".replace("-", "−")
