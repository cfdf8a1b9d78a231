"""An option to compare with the present outcome, pinned or proposed: its three answers, and how it differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lmdk_widgets.answers.exposure import first_answers
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.report_budgets import DRAWN, drawn_budgets, draws_asked, of_budgets
from lmdk_widgets.answers.usefulness import RESULT, Useful, useful_answer, useful_steps
from lmdk_widgets.page.amounts import count
from lmdk_widgets.page.answers import Answer
from lmdk_widgets.page.panel import Result
from lmdk_widgets.page.words import said
from lmdk_widgets.scenario.cards import scheme_told
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome

ASIDE = ("utc", "average", "landmark_loss", "delta")
"""Choices that only affect display, which do not make a different option."""

_MOST_TOLD = 3
"""The most choices that are named of an option, besides its scheme."""

AT_A_TIME = 50
"""Releases that are read before the user can cancel."""


def three_answers(outcome: Outcome) -> tuple[Answer, ...]:
    """Useful, found and promised; an ellipsis for what is not computed yet.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> *_, whole = answered(unanswered(evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))))
    >>> [answer.value for answer in three_answers(whole)]
    ['1.3 km', '1.7 km', '55 of 100']
    """
    found, promised = first_answers(outcome)
    return useful_answer(outcome), found, promised._replace(short=Promised(outcome).both())


def unanswered(outcome: Outcome) -> Outcome:
    """An outcome without the answers that take time."""
    asked = draws_asked(outcome)
    return outcome if asked is None else outcome.improved(results={**outcome.results, DRAWN: Result(asked)})


def answered(outcome: Outcome) -> Iterator[Outcome]:
    """The same with what is found, at intervals while that is computed; the last one has all answers."""
    asked = draws_asked(outcome)
    if asked is not None:
        drawn = Result(asked, drawn_budgets(of_budgets(outcome.scenario), outcome.trajectory), done=True)
        outcome = outcome.improved(results={**outcome.results, DRAWN: drawn})
        yield outcome
    if outcome.trajectory.name == RELEASE_NAME:
        yield outcome
        return
    worth: Useful | None = None
    for k, found in enumerate(useful_steps(outcome), start=1):
        worth = found
        if k % AT_A_TIME == 0:
            yield outcome
    yield outcome.improved(results={**outcome.results, RESULT: Result(None, worth, done=True)})


def differing(before: Scenario, now: Scenario) -> list[str]:
    """The names of the choices in which the present settings differ from the pinned ones, in their order."""
    return [n for n in Scenario.kinds() if n not in ASIDE and before[n] != now[n]]


def value_told(scenario: Scenario, name: str) -> str:
    """The value of a choice as it is shown; for landmarks, how many there are."""
    value = scenario[name]
    return count(len(value), "timestamp") if name == "landmarks" else said(Scenario.kinds()[name], value)


def option_told(scenario: Scenario, names: Iterable[str] = ()) -> str:
    """An option in a line: its scheme, what that spends, and some of its choices.

    Examples
    --------
    >>> option_told(Scenario(radius_m=500), ["epsilon", "radius_m"])
    'Uniform, epsilon 1, protection radius 500 m'
    """
    kinds = Scenario.kinds()
    known = {"track", "scheme", scenario.spread.spent}
    told = [f"{_small(kinds[name].subject)} {value_told(scenario, name)}" for name in names if name not in known]
    more = [f"{len(told) - _MOST_TOLD} more"] if len(told) > _MOST_TOLD else []
    return ", ".join([scheme_told(scenario), *told[:_MOST_TOLD], *more])


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
