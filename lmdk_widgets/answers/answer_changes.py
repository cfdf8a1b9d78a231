"""What other settings do to the three answers: which get worse, which get better, and by how much."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from lmdk_widgets.answers.averaging_attack import Found
from lmdk_widgets.answers.exposure import found_of
from lmdk_widgets.answers.found_places import LEAST_M, NOT_FOUND, FoundPlace
from lmdk_widgets.answers.guarantee import SLACK
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.usefulness import ReaderWorth, Useful, known_useful, useful, useful_of
from lmdk_widgets.page.amounts import digits
from lmdk_widgets.page.answers import NOTHING, of_100
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.scenario.outcome import Outcome


class Shift(NamedTuple):
    """What becomes of an answer.

    Attributes
    ----------
    answer : "useful", "found", "one moment", "the landmarks and any one other".
    before, after : as they are shown; unit : of both, "" where they carry it.
    worse, better : whether it gets worse or better, by however little.
    """

    answer: str
    before: str
    after: str
    worse: bool
    better: bool
    unit: str = ""

    @property
    def seen(self) -> bool:
        """Whether what is shown differs."""
        return self.before != self.after

    def sentence(self) -> str:
        """In a few words.

        Examples
        --------
        >>> Shift("one moment", "53", "73", True, False, "of 100").sentence()
        'one moment: 53 becomes 73 of 100'
        """
        unit = f" {self.unit}".rstrip()
        text = "{answer}: {answer_before} becomes {answer_after}{unit}"
        return sentence(text, answer=self.answer, answer_before=self.before, answer_after=self.after, unit=unit)


def shifts(now: Outcome, then: Outcome) -> tuple[Shift, ...]:
    """What becomes of each answer about the same data: useful, found, and what is promised about one moment and about
    the landmarks with any one other, where these are the same ones.

    A reader's error is that in the results of an outcome, else it is computed.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> uniform = Scenario(track="commuter", landmarks=sample("commuter").landmarks)
    >>> now, then = (evaluate(uniform.with_changes(scheme=name), sample("commuter")) for name in ("uniform", "skip"))
    >>> [shift.sentence() for shift in shifts(now, then) if shift.worse]
    ['found: 93 m becomes 20 m or less', 'one moment: 53 becomes 74 of 100']
    """
    before, after = Promised(now), Promised(then)
    found = [
        useful_becomes(now, _worth(now), _worth(then)),
        found_shift(now, then),
        promise_becomes("one moment", before.one_loss, after.one_loss, (before.one, after.one)),
    ]
    if before.who and now.protected == then.protected:
        who = "the landmarks and any one other" if before.who.endswith("one other") else "the landmarks"
        together = before.together_loss, after.together_loss
        found.append(promise_becomes(who, *together, (before.together, after.together)))
    return tuple(shift for shift in found if shift is not None)


def found_shift(now: Outcome, then: Outcome) -> Shift | None:
    """What becomes of what is found alone; None where that is not computed."""
    before, after = found_of(now), found_of(then)
    if before is None or after is None:
        return None
    if math.isnan(before.within()):
        return Shift("found", before.value(), after.value(), *_compared(after.right, before.right))
    return found_becomes(before, after.within())


def nothing_worse(now: Outcome, then: Outcome) -> bool:
    """Whether a setting may be recommended instead of the present one: no promise that is asked is broken, and no answer
    is worse than now."""
    kept = then.overrun <= 1 + SLACK or then.overrun <= now.overrun * (1 + SLACK)
    return kept and not any(shift.worse for shift in shifts(now, then))


def worse_words(found: Iterable[Shift]) -> str:
    """What gets worse, and by how much: "found: 93 m becomes 10 m; one moment: 53 becomes 73 of 100"; "" for nothing that
    is seen."""
    return join((shift.sentence() for shift in found if shift.worse and shift.seen), "; ")


def _worth(outcome: Outcome) -> Useful:
    return useful_of(outcome) or known_useful(outcome) or useful(outcome)


def useful_becomes(now: Outcome, before: ReaderWorth, after: ReaderWorth) -> Shift:
    """What becomes of a reader's error."""
    shown = _read(now, before.reader), _read(now, after.reader)
    return Shift("useful", *shown, *_compared(after.reader, before.reader))


def _read(outcome: Outcome, reader: float) -> str:
    """A reader's error with two digits."""
    return outcome.ground.write(reader if outcome.kind.counts_wrong else digits(reader, 2))


def found_becomes(before: Found, within: float) -> Shift:
    """What becomes of the distance within which something is found, at another setting on the same data. Distances below
    what is shown, and those that count as not found, are all alike."""
    near = [_clipped(before, each) for each in (within, before.within())]
    return Shift(
        "found",
        before.value(),
        before.written(within),
        near[0] < near[1] * (1 - SLACK),
        near[1] < near[0] * (1 - SLACK),
    )


def _clipped(found: Found, within: float) -> float:
    if found.written(within) == NOT_FOUND:
        return math.inf
    return max(within, LEAST_M) if isinstance(found, FoundPlace) else within


def promise_becomes(answer: str, before: float, after: float, chances: tuple[float, float]) -> Shift:
    """What becomes of a promise, given the losses and the chances of a right guess."""
    was, becomes = (of_100(chance) if chance < NOTHING else "no promise" for chance in chances)
    return Shift(answer, was, becomes, *_compared(after, before), "of 100" if becomes != "no promise" else "")


def _compared(larger_is_worse: float, than: float) -> tuple[bool, bool]:
    """Whether a number exceeds another, and whether it is below it, beyond rounding."""
    if larger_is_worse == than:
        return False, False
    return larger_is_worse > than * (1 + SLACK), larger_is_worse < than * (1 - SLACK)
