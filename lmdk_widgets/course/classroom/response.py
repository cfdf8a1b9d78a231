"""A question answered by randomised response: each phone tosses the coin, so nobody else ever has a true answer.

First come the question and its estimates, then the sentences: what a phone will do, what it did, and what answers show.
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
from lmdk_widgets.page.amounts import whole as in_digits
from lmdk_widgets.page.blocks import Table
from lmdk_widgets.page.sentences import sentence

EPSILON_RANGE = (0.1, 6.0)
MOST_ANSWERS = 6
LONGEST_TEXT, LONGEST_ANSWER = 300, 60
NORMAL_95 = 1.959963984540054
"""Standard errors on each side of an interval that contains 95 % of a normal distribution."""
OTHER_EPSILONS = (0.1, 0.5, log(3), 2.0, 4.0)
OTHER_ANSWERS = (2, 3, 5, 10)
"""What a class's answers are compared with: other budgets, and other numbers of possible answers."""

_HEADS = ("a phone sends the truth with", "odds change by at most", "interval, about")

DENIABLE = 0.9
"""A belief below this leaves enough doubt to deny it."""

KEPT_BY_ALL = (
    "Each phone keeps what it sent for this question: an answer with a new coin would spend ε again. If the question is "
    "asked again, it does spend ε a second time."
)


SUGGESTED = (
    "Have you ever handed in work that was not your own?",
    "Have you ever looked at someone else's phone without asking?",
    "Did you drink alcohol in the last week?",
    "Have you ever pretended to be ill to stay away?",
)
"""Suggested questions, which one would not answer truthfully in public."""


class Estimate(NamedTuple):
    """What is known about one answer: how many sent it, the unbiased estimate of its true share, and the exact interval."""

    sent: int
    share: float
    estimate: float
    error: float
    low: float
    high: float
    possible: bool


@dataclass(frozen=True)
class Response(Plain):
    """A question with two or more answers, answered by randomised response with budget epsilon.

    Attributes
    ----------
    text : the question, at most 300 characters. answers : 2 to 6 different ones, at most 60 characters each.
    epsilon : budget of one answer, 0.1 to 6; ln 3 is the two coins.

    Raises
    ------
    InputError : a text is missing or too long, two answers are equal, or epsilon is out of range.

    Notes
    -----
    Guarantee: what a phone sends is epsilon-differentially private in the local model, by `randomized_response_channel`,
    provided that the phone's random numbers are random. An answer sent again with a new coin spends epsilon again.

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
        """The question with a teacher's settings: text, answers, epsilon."""
        known(settings, ("text", "answers", "epsilon"))
        return cls(**{"text": "", **settings})

    from_dict = put

    @staticmethod
    def offers() -> dict[str, Any]:
        """What a teacher can choose: suggested questions, the longest text, the range of ε and its initial value."""
        epsilon = [*EPSILON_RANGE, round(log(3), 4)]
        return {"suggested": SUGGESTED, "longest": LONGEST_TEXT, "most": MOST_ANSWERS, "epsilon": epsilon}

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"text": self.text, "answers": list(self.answers), "epsilon": self.epsilon}

    @property
    def chances(self) -> tuple[float, float]:
        """The chances that a phone sends an answer: if it is the true one, and if it is not."""
        channel = randomized_response_channel(len(self.answers), self.epsilon)
        return float(channel[0, 0]), float(channel[0, 1])

    @property
    def honest(self) -> float:
        """The chance that the coin lets the true answer through; otherwise an answer is drawn, all equally likely."""
        keep, other = self.chances
        return keep - other

    def prepare(self) -> None:
        """Nothing: everything is computed quickly."""

    def asked(self, times: int) -> dict[str, Any]:
        """What a phone receives: the coin's chance, and what to say about each answer that it may send."""
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
        """The index of the answer a phone sent."""
        return whole(given, "answer", least=0, most=len(self.answers) - 1)

    def told(self, answer: Any) -> dict[str, Any]:
        """Nothing: the estimates are on the board all the time."""
        return {}

    def estimates(self, sent: Sequence[int]) -> list[Estimate]:
        """What the answers sent say about each true share; empty if none were sent."""
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
        """Approximately half of a 95 % interval for a true share of n given people, at another budget or with m answers."""
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
    what = "Yes or No" if question.answers == ("Yes", "No") else f"one of the {m} answers, all equally likely"
    said: list[str] = [
        sentence(
            "Your phone tosses a coin that nobody else sees. With chance {honest_chance} it sends your true answer; "
            "otherwise it draws {what}. Only what it sends leaves your phone.",
            honest_chance=percent(question.honest),
            what=what,
        ),
        sentence(
            "This spends ε = {epsilon}: what was sent changes the odds of two true answers by a factor of at most "
            "{most_odds_factor}, for anyone who sees it.",
            epsilon=amount(question.epsilon),
            most_odds_factor=factor(question.epsilon),
        ),
    ]
    if times > 1:
        total = sequential([question.epsilon] * times)
        said.append(
            sentence(
                "This question is asked for the {times_asked} time, with a new coin: answering each time spends "
                "{repeats} × {epsilon} = {spent_together} together.",
                times_asked=ordinal(times),
                repeats=in_digits(times),
                epsilon=amount(question.epsilon),
                spent_together=amount(total),
            )
        )
    return said


def _kept(question: Response) -> str:
    """Why the coin is tossed once."""
    many = sequential([question.epsilon] * 10)
    return sentence(
        "Your phone keeps what it sent for this question. Tossing the coin again would spend ε again: ten "
        "answers, each with its own coin, spend 10 × {epsilon} = {spent_together} together.",
        epsilon=amount(question.epsilon),
        spent_together=amount(many),
    )


def _sent(question: Response, index: int) -> str:
    """What a phone says when it has sent an answer: how deniable it is. It does not depend on the true answer."""
    keep, other = question.chances
    m, answer = len(question.answers), question.answers[index]
    whose = f"whose true answer is “{question.answers[1 - index]}”" if m == 2 else "with another true answer"
    doubt = "so you can deny it" if keep < DENIABLE else "so you can hardly deny it"
    return sentence(
        "Your phone sent “{answer}”. A phone whose true answer is “{answer}” sends that with chance "
        "{true_answer_chance}, one {whose} with chance {other_chance}. Someone who thought all answers equally "
        "likely gave “{answer}” a chance of {chance_before} for you, and now gives it {true_answer_chance}: "
        "{doubt}.",
        answer=answer,
        true_answer_chance=percent(keep),
        whose=whose,
        other_chance=percent(other),
        chance_before=percent(1 / m),
        doubt=doubt,
    )


def _bar(name: str, one: Estimate) -> dict[str, Any]:
    said = sentence(
        "{sent} sent it, {sent_share}; estimate {estimate}, 95 % interval {interval_low} to {interval_high}",
        sent=in_digits(one.sent),
        sent_share=percent(one.share),
        estimate=estimated(one.estimate),
        interval_low=percent(one.low),
        interval_high=percent(one.high),
    )
    return {"name": name, "said": said} | {k: getattr(one, k) for k in ("sent", "share", "estimate", "low", "high")}


def _summary(question: Response, found: Sequence[Estimate], n: int) -> str:
    if not n:
        keep, epsilon = percent(question.chances[0]), amount(question.epsilon)
        return f"No answer yet. ε = {epsilon}: a phone sends the true answer with chance {keep}."
    first, name = found[0], question.answers[0]
    people = "person" if n == 1 else "people"
    return sentence(
        "{sent} of {n_answers} sent “{name}”: {sent_share}. The unbiased estimate of its true share among these "
        "{n_answers} {people} is {estimate}, and the 95 % interval for it {interval_low} to "
        "{interval_high}.{beyond}",
        sent=in_digits(first.sent),
        n_answers=in_digits(n),
        name=name,
        sent_share=percent(first.share),
        people=people,
        estimate=estimated(first.estimate),
        interval_low=percent(first.low),
        interval_high=percent(first.high),
        beyond=_beyond(first),
    )


def _beyond(one: Estimate) -> str:
    """What to say about an estimate that cannot be a share."""
    if not _impossible(one):
        return ""
    end, drew = ("below 0 %", "fewer") if one.estimate < 0 else ("above 100 %", "more")
    return f" No share is {end}: by chance, the coins drew this answer {drew} times than average."


def _impossible(one: Estimate) -> bool:
    return not 0 <= round(100 * one.estimate) <= 100


def _notes(question: Response, found: Sequence[Estimate], n: int) -> list[str]:
    notes = [
        "The interval is exact, and only for these people: only the coins are random. It misses the true share in at most "
        "1 class in 20."
    ]
    if any(map(_impossible, found)):
        notes.append(
            "An unbiased estimate may be below 0 % or above 100 %, where no share can be. Cutting it off there would bias "
            "it. The interval contains only possible shares."
        )
    if not all(one.possible for one in found):
        notes.append(
            "Coins alone would give such answers in fewer than 1 class in 20, whatever the truth: someone may have sent "
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
    return [
        f"{name}{' (this one)' if is_this else ''}",
        percent(keep),
        sentence("a factor of {most_odds_factor}", most_odds_factor=factor(epsilon)),
        width,
    ]


def _width(question: Response, found: Sequence[Estimate], n: int, **other: Any) -> str:
    if not n:
        return "–"
    share = min(max(found[0].estimate, 0.0), 1.0)
    width = question.half_width(share, n, **other)
    return f"± {ceil(100 * width)} points" if width < 1 else "wider than 0 % to 100 %"


def estimated(share: float) -> str:
    """An estimated share in whole per cent, which is finer than a class can measure; it may be below 0.

    Examples
    --------
    >>> estimated(0.304), estimated(-0.123), estimated(-4.6e-6)
    ('30 %', '−12 %', '0 %')
    """
    return f"{round(100 * share)} %".replace("-", "−")
